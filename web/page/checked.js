// The page's client. A proxy or some other server may answer instead of the service, so every answer is checked against the contract
// (arbiter.d.ts) here. The games need no checks of their own.

import { Arbiter, Incomplete, Problem, Unreachable } from '../arbiter.js';

/** @import { BodyType, Options, Progress, RecordOptions } from '../arbiter.js' */
/** @typedef {(value: any) => boolean} Check */

const number = Number.isInteger;

/** @type {(...values: any[]) => Check} */
const oneOf = (...values) => (value) => values.includes(value);
/** @type {(of: Check) => Check} */
const list = (of) => (value) => Array.isArray(value) && value.every(of);
/** @type {(of: Check) => Check} */
const orNull = (of) => (value) => value === null || of(value);
/** @type {(of: Check) => Check} */
const optional = (of) => (value) => value === undefined || of(value);
/** @type {(shape: Record<string, Check>) => Check} */
const object = (shape) => (value) =>
  value instanceof Object && Object.entries(shape).every(([name, of]) => of(value[name]));

/** @type {Check} */
const cell = (value) => Array.isArray(value) && value.length === 2 && value.every(number);
const rows = list((value) => typeof value === 'string');

const VALUE = { verdict: oneOf('Red', 'Black', 'Tie'), steps: orNull(number) };
const MOVE = { from: cell, to: cell };
const PLAYER = oneOf('Xiemao', 'Fanglaoshi');

const MISS = { move: number, color: oneOf('B', 'W'), at: cell, code: oneOf(1, 2, 3), reason: oneOf('occupied', 'suicide', 'repetition'), repeats: optional(number) };

const RESULTS = {
  pawn: object({
    ...VALUE,
    moves: optional(list(object({ ...MOVE, ...VALUE }))),
    line: optional(list(object(MOVE))),
    reason: optional(oneOf('first-row', 'capture', 'no-move', null)),
  }),
  go: object({
    misses: list(object(MISS)),
    board: rows,
    played: number,
    prisoners: object({ B: number, W: number }),
    rules: optional(object({})),
    record: optional(object({ games: number, variations: number })),
    captured: optional(list(object({ move: number, stones: list(cell) }))),
    boards: optional(list(rows)),
    score: optional(object({ B: number, W: number, neutral: number })),
    variations: optional(object({ lines: number, moves: number, misses: list(object({ ...MISS, line: number, column: number })) })),
  }),
  mine: object({
    verdict: (value) => value === 'Unknown' || PLAYER(value),
    nimber: orNull(number),
    openings: number,
    three_bv: number,
    shared_numbers: number,
    unsolved: optional(object({ at: cell, openings: number, numbers: number })),
    turn: PLAYER,
    wins: optional(orNull(list(cell))),
    wins_total: optional(orNull(number)),
    clusters: optional(list(object({ at: cell, openings: number, numbers: number, nimber: orNull(number) }))),
    clusters_total: optional(number),
    lone_numbers: optional(number),
    board: optional(rows),
    face: optional(rows),
  }),
};

/**
 * Is this a valid result for the question? It must have all parts in `include`, and its boards must be as large as the question's.
 * @param {import('./service.js').Game} game
 * @param {any} question may lack members
 * @param {any} result
 */
function isValid(game, { include = [], board }, result) {
  const asLarge = (/** @type {any} */ drawn) =>
    !drawn || !board || (drawn.length === board.length && drawn.every((/** @type {string} */ row) => row.length === board[0].length));
  return RESULTS[game](result) && include.every((/** @type {string} */ part) => result[part] !== undefined)
    && (game !== 'mine' || [result.board, result.face].every(asLarge));
}

/** The problem for an invalid answer. Its type is the page's own; the service never sends it. */
const invalidAnswer = () => new Problem(/** @type {any} */ ({
  type: '/problems/unfit-answer', title: 'The response is not from Arbiter', status: 200,
}));

/**
 * Was there an answer with a success status that isn't JSON? An answer that was cut off doesn't count, because the connection is to blame.
 * @param {unknown} error
 * @returns {boolean}
 */
function isInvalidAnswer(error) {
  if (error instanceof Incomplete) return isInvalidAnswer(error.cause);
  return error instanceof Unreachable && error.status !== null && error.status < 400
    && (error.cause === undefined || error.cause instanceof SyntaxError);
}

/**
 * The error to report: always the same problem for an answer that isn't from the service.
 * @param {unknown} error
 */
export const errorToReport = (error) => (isInvalidAnswer(error) ? invalidAnswer() : error);

export class CheckedArbiter extends Arbiter {
  /**
   * @param {import('./service.js').Game} game
   * @param {any} question
   * @param {any} [options]
   * @returns {Promise<any>}
   */
  async ask(game, question, options) {
    const result = await super.ask(game, question, options);
    if (!isValid(game, question, result)) throw invalidAnswer();
    return result;
  }

  /**
   * @param {import('./service.js').Game} game
   * @param {any[]} questions
   * @param {any} [options]
   * @returns {Promise<any[]>}
   */
  async batch(game, questions, options) {
    const results = await super.batch(game, questions, options);
    if (!questions.every((question, at) => isValid(game, question, results[at]))) throw invalidAnswer();
    return results;
  }

  /**
   * @param {any} sgf
   * @param {any} [options]
   * @returns {Promise<any>}
   */
  async record(sgf, options = {}) {
    const result = await super.record(sgf, options);
    if (!isValid('go', { include: options.include }, result)) throw invalidAnswer();
    return result;
  }

  /**
   * @param {import('./service.js').Game} game
   * @param {any} body
   * @param {Options & RecordOptions & Progress & { type?: BodyType }} [options]
   * @returns {AsyncGenerator<any, void, undefined>}
   */
  async *stream(game, body, options) {
    let at = 0;
    for await (const line of super.stream(game, body, /** @type {any} */ (options))) {
      const question = Array.isArray(body) ? body[at] ?? {} : {};
      if (!('problem' in line ? line.problem instanceof Object : isValid(game, question, line))) throw invalidAnswer();
      yield line;
      at += 1;
    }
  }
}
