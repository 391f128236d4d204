// The questions to the service about positions. Its answers are kept as long as the page is open.
//
// All is asked as lines of a stream, and not each question by itself: a board that is being painted is refused most of
// the time, and a refused line is no failed request, of which browsers complain on their console.

import { Problem } from '../arbiter.js';
import { keyOf } from './record.js';

/** @typedef {import('./record.js').Position} Position */
/** @typedef {import('./record.js').Result} Result */
/** @typedef {import('../page/service.js').Service} Service */
/** @typedef {{ result: Result, problem?: undefined } | { result?: undefined, problem: Problem }} Answer */

/** How many answers are kept; the oldest are dropped. */
const MOST_KEPT = 5000;

/**
 * A position as a question to the service.
 * @param {Position} position
 * @returns {import('../arbiter.js').PawnCase}
 */
export const questionOf = ({ board, turn }) => ({ board: [...board], turn, include: ['moves', 'line'] });

export class Ask {
  #service;
  /** @type {Map<string, Answer>} */
  #known = new Map();
  #latest;
  #checked;

  /**
   * @param {Service} service
   * @param {() => void} late called when an answer that is wanted has become late
   */
  constructor(service, late) {
    this.#service = service;
    this.#latest = service.latest(late, []);
    this.#checked = service.latest(undefined, []);
  }

  /** How it stands with what is wanted. */
  get state() {
    return this.#latest.state;
  }

  /**
   * What is known of a position.
   * @param {Position} position
   */
  get(position) {
    return this.#known.get(keyOf(position));
  }

  /** The answer to a position, where it has one. */
  result = (/** @type {Position} */ position) => this.get(position)?.result;

  /**
   * Ask for what is not known yet. A new call takes the place of the one before.
   * @param {Position[]} positions
   * @param {() => void} again what is done to ask again where that fails
   * @returns {Promise<boolean>} false: another call has taken its place, or the page has gone on
   */
  want(positions, again) {
    return this.#learn(this.#latest, positions, again);
  }

  /**
   * The same, beside what is wanted.
   * @param {Position[]} positions
   * @param {() => void} again
   * @returns {Promise<boolean>}
   */
  check(positions, again) {
    return this.#learn(this.#checked, positions, again);
  }

  /**
   * @param {import('../page/service.js').Asker} asker
   * @param {Position[]} positions
   * @param {() => void} again
   */
  async #learn(asker, positions, again) {
    asker.stop();
    const asked = [...new Map(positions.map((position) => [keyOf(position), position])).values()]
      .filter((position) => !this.get(position));
    if (asked.length === 0) return true;
    const answer = await asker.ask((signal) => this.#lines(asked.map(questionOf), signal), again);
    if (answer?.result) asked.forEach((position, index) => this.#keep(position, answer.result[index]));
    return answer !== null;
  }

  /**
   * Ask, whatever is known, and keep nothing.
   * @param {import('../arbiter.js').PawnCase[]} questions
   * @param {AbortSignal} signal
   * @returns {Promise<Answer[]>}
   */
  ask(questions, signal) {
    return this.#service.keepAsking((given) => this.#lines(questions, given), { signal });
  }

  /**
   * Only an answer and a refusal of the position itself are an answer to it.
   * @param {import('../arbiter.js').PawnCase[]} questions
   * @param {AbortSignal} signal
   */
  async #lines(questions, signal) {
    /** @type {Answer[]} */
    const answers = [];
    for await (const line of this.#service.arbiter.stream('pawn', questions, { signal })) {
      const problem = 'problem' in line ? new Problem(line.problem) : null;
      if (problem && problem.status !== 422) throw problem;
      answers.push(problem ? { problem } : { result: /** @type {Result} */ (line) });
    }
    return answers;
  }

  /** End all that is being asked. */
  close() {
    this.#latest.stop();
    this.#checked.stop();
  }

  /**
   * @param {Position} position
   * @param {Answer} answer
   */
  #keep(position, answer) {
    this.#known.set(keyOf(position), answer);
    if (this.#known.size > MOST_KEPT) this.#known.delete(/** @type {string} */ (this.#known.keys().next().value));
  }
}
