// Asks the service about positions, and keeps the answers until the page is closed.
//
// All questions are sent as lines of a stream. While the user draws a board, the service refuses most of its states. A refused line isn't a
// failed request, which browsers would report on the console.

import { Problem } from '../arbiter.js';
import { PAWN } from './board.js';
import { keyOf } from './record.js';

/** @typedef {import('./record.js').Position} Position */
/** @typedef {import('./record.js').Result} Result */
/** @typedef {import('../page/service.js').Service} Service */
/** @typedef {{ result: Result, problem?: undefined } | { result?: undefined, problem: Problem }} Answer */

/** The number of answers to keep. Beyond that, the oldest are dropped. */
const MOST_KEPT = 5000;

/**
 * A position as a question to the service.
 * @param {Position} position
 * @returns {import('../arbiter.js').PawnCase}
 */
export const questionOf = ({ board, turn }) => ({ board: [...board], turn, include: ['moves', 'line'] });

/**
 * On the page, a game can't start where it's over: a piece is missing, or the pawn is in the top row. Returns a problem instead of the result.
 * @param {Position} position
 * @param {Answer} answer
 * @returns {Answer}
 */
function playable({ board }, answer) {
  if (answer?.result?.steps !== 0 || answer.result.reason === 'no-move') return answer;
  const col = board[0].indexOf(PAWN), about = { type: '/problems/invalid-case', title: '', status: 422, detail: '' };
  const fault = col < 0 ? { pointer: '/board', code: 'count', detail: '' } : { pointer: '/board/0', code: 'value', detail: '', at: [0, col] };
  return { problem: new Problem(/** @type {any} */ ({ ...about, errors: [fault] })) };
}

export class Ask {
  #service;
  /** @type {Map<string, Answer>} */
  #known = new Map();
  #latest;
  #checked;

  /**
   * @param {Service} service
   * @param {() => void} late called when the answer to `want` is late
   */
  constructor(service, late) {
    this.#service = service;
    this.#latest = service.latest(late, []);
    this.#checked = service.latest(undefined, []);
  }

  /** The state of the last call of `want`. */
  get state() {
    return this.#latest.state;
  }

  /**
   * The answer to a position; undefined if it isn't known.
   * @param {Position} position
   */
  get(position) {
    return this.#known.get(keyOf(position));
  }

  /** The result of a position; undefined if it isn't known, or the service refused the position. */
  result = (/** @type {Position} */ position) => this.get(position)?.result;

  /**
   * Ask about the positions that have no answer yet. A new call replaces the previous one.
   * @param {Position[]} positions
   * @param {() => void} again called to try again after a failure
   * @returns {Promise<boolean>} false: another call has replaced it, or `close` was called
   */
  want(positions, again) {
    return this.#learn(this.#latest, positions, again);
  }

  /**
   * Like `want`, but independent of it.
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
    if (answer?.result) asked.forEach((position, index) => this.#keep(position, playable(position, answer.result[index])));
    return answer !== null;
  }

  /**
   * Ask these questions without keeping the answers.
   * @param {import('../arbiter.js').PawnCase[]} questions
   * @param {AbortSignal} signal
   * @returns {Promise<Answer[]>}
   */
  ask(questions, signal) {
    return this.#service.keepAsking((given) => this.#lines(questions, given), { signal });
  }

  /**
   * Returns the results, and the problems that refuse a position (422). Throws other problems.
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

  /** Cancel all questions. */
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
