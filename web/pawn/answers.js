// What the service says of positions, kept as long as the page is open: who looks at a position again need not wait.
//
// All is asked as lines of a stream, and not each question by itself: a board that is being painted is refused most of
// the time, and a refused line is no failed request, of which browsers complain on their console.

import { Incomplete, Problem, Unreachable } from '../arbiter.js';
import { keyOf } from './record.js';

/** @typedef {import('./record.js').Position} Position */
/** @typedef {import('./record.js').Result} Result */
/** @typedef {import('../page/service.js').Service} Service */
/** @typedef {{ result: Result, problem?: undefined } | { result?: undefined, problem: Problem }} Answer */

/** Answers that are kept; the oldest are forgotten. */
const MOST = 5000;

/**
 * A position as the service is asked.
 * @param {Position} position
 * @returns {import('../contract.js').PawnCase}
 */
export const questionOf = ({ board, turn }) => ({ board: [...board], turn, include: ['moves', 'line'] });

export class Answers {
  #service;
  /** @type {Map<string, Answer>} */
  #known = new Map();
  #latest = new AbortController();
  #closed = new AbortController();

  /** @param {Service} service */
  constructor(service) {
    this.#service = service;
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
   * Ask for what is not known yet. A new call takes the place of the one before, which then returns false.
   * @param {Position[]} positions
   * @returns {Promise<boolean>} are they known now?
   */
  async want(positions) {
    this.#latest.abort();
    const mine = this.#latest = new AbortController();
    return this.all(positions, mine.signal);
  }

  /**
   * Ask for what is not known yet.
   * @param {Position[]} positions
   * @param {AbortSignal} [signal]
   * @returns {Promise<boolean>} false where the signal came first, or the page has gone on
   */
  async all(positions, signal) {
    const asked = [...new Map(positions.map((position) => [keyOf(position), position])).values()]
      .filter((position) => !this.get(position));
    if (asked.length === 0) return true;
    try {
      const answers = await this.ask(asked.map(questionOf), signal);
      asked.forEach((position, index) => this.#keep(position, answers[index]));
      return true;
    } catch (error) {
      if (signal?.aborted || this.#closed.signal.aborted) return false;
      if (!(error instanceof Problem)) throw error;
      asked.forEach((position) => this.#keep(position, { problem: error }));
      return true;
    }
  }

  /**
   * Ask, whatever is known, and keep nothing.
   * @param {import('../contract.js').PawnCase[]} questions
   * @param {AbortSignal} [signal]
   * @returns {Promise<Answer[]>}
   */
  ask(questions, signal) {
    const ended = signal ? either(signal, this.#closed.signal) : this.#closed.signal;
    return this.#service.keepAsking(() => this.#lines(questions, ended), ended);
  }

  /**
   * @param {import('../contract.js').PawnCase[]} questions
   * @param {AbortSignal} signal
   */
  async #lines(questions, signal) {
    /** @type {Answer[]} */
    const answers = [];
    try {
      for await (const line of this.#service.arbiter.stream('pawn', questions, { signal })) {
        answers.push('problem' in line ? { problem: new Problem(line.problem) } : { result: line });
      }
    } catch (error) {
      throw error instanceof Incomplete ? new Unreachable(error.message) : error; // which is asked again
    }
    return answers;
  }

  /** End all that is being asked. */
  close() {
    this.#closed.abort();
  }

  /**
   * @param {Position} position
   * @param {Answer} answer
   */
  #keep(position, answer) {
    this.#known.set(keyOf(position), answer);
    if (this.#known.size > MOST) this.#known.delete(/** @type {string} */ (this.#known.keys().next().value));
  }
}

/**
 * A signal that is given with the first of two. (AbortSignal.any is younger than the browsers that this page is for.)
 * @param {AbortSignal} a
 * @param {AbortSignal} b
 */
function either(a, b) {
  const both = new AbortController();
  for (const signal of [a, b]) {
    if (signal.aborted) both.abort(signal.reason);
    else signal.addEventListener('abort', () => both.abort(signal.reason), { once: true, signal: both.signal });
  }
  return both.signal;
}
