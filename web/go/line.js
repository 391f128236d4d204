// The service's answer about a game, move by move, and the colour of the next move.

import { other, placeOf } from './game.js';

/** @typedef {import('./game.js').Color} Color */
/** @typedef {import('./game.js').Move} Move */
/** @typedef {import('./points.js').Point} Point */
/** @typedef {import('../arbiter.js').GoResult} GoResult */
/** @typedef {import('../arbiter.js').GoMiss} GoMiss */

/**
 * A move of the list, and its result.
 * @typedef {object} Entry
 * @property {number} number        counted from 1
 * @property {Color} color
 * @property {Point | null} at      null for a pass
 * @property {GoMiss | null} miss   why the move was refused
 * @property {Point[]} taken        the stones that it captured
 * @property {boolean} changed      does the record set up stones after it?
 */

/** For longer games, the page asks only for the last board, because all boards would be many megabytes. */
export const MOST_BOARDS = 3000;

export class Line {
  /** Number of moves, refused ones included. */
  length;
  /** The list of moves. */
  moves;
  #result;
  #changed;
  /** @type {Map<number, GoMiss>} */
  #misses;
  /** @type {Map<number, Point[]>} */
  #taken;
  /** @type {{ B: number, W: number }[]} */
  #prisoners;

  /**
   * @param {GoResult} result
   * @param {readonly Move[]} moves
   * @param {Set<number>} [changed] the moves after which stones are set up
   */
  constructor(result, moves, changed = new Set()) {
    this.#result = result;
    this.length = result.played + result.misses.length;
    this.#misses = new Map(result.misses.map((miss) => [miss.move, miss]));
    this.#taken = new Map((result.captured ?? []).map(({ move, stones }) => [move, stones]));
    this.moves = moves;
    this.#changed = changed;
    this.#prisoners = this.boards ? this.#counted() : [];
  }

  /** The start and the board after each move; null if the game is too long. */
  get boards() {
    return this.#result.boards ?? null;
  }

  /** The refused moves, in order. */
  get misses() {
    return this.#result.misses;
  }

  /**
   * The board after a move; null if it isn't known.
   * @param {number} step 0 for the start
   */
  board(step) {
    return this.boards?.[step] ?? (step === this.length ? this.#result.board : null);
  }

  /**
   * The prisoners after a move; null if they aren't known. `B` counts the white stones that have left the board.
   * @param {number} step
   */
  prisoners(step) {
    return step === this.length ? this.#result.prisoners : this.#prisoners[step] ?? null;
  }

  /** The score of the last board, if it was asked for. */
  get score() {
    return this.#result.score ?? null;
  }

  /**
   * Are stones set up after a move, up to this one? Then the list of moves doesn't describe the game.
   * @param {number} step
   */
  changedBy(step) {
    return [...this.#changed].some((move) => move <= step);
  }

  /**
   * @param {number} number counted from 1
   * @returns {Entry}
   */
  entry(number) {
    const move = this.moves[number - 1];
    return {
      number,
      color: move[0],
      at: placeOf(move),
      miss: this.#misses.get(number) ?? null,
      taken: this.#taken.get(number) ?? [],
      changed: this.#changed.has(number),
    };
  }

  /**
   * The same game, up to a move.
   * @param {number} step
   * @param {readonly Move[]} moves the first `step` moves
   */
  cut(step, moves) {
    const misses = this.misses.filter(({ move }) => move <= step);
    return new Line({
      misses,
      board: /** @type {string[]} */ (this.board(step)),
      played: step - misses.length,
      prisoners: this.prisoners(step) ?? { B: 0, W: 0 },
      captured: this.#result.captured?.filter(({ move }) => move <= step),
      boards: this.boards?.slice(0, step + 1),
    }, moves, this.#changed);
  }

  /** The prisoners after each move. */
  #counted() {
    const counts = [{ B: 0, W: 0 }];
    for (let number = 1; number <= this.length; number += 1) {
      const { color, at, taken } = this.entry(number), before = counts[number - 1];
      const own = taken.some(([row, col]) => row === at?.[0] && col === at[1]);
      const by = own === (color === 'B') ? 'W' : 'B'; // a suicide gives the stones to the opponent
      counts.push(taken.length > 0 ? { ...before, [by]: before[by] + taken.length } : before);
    }
    return counts;
  }
}

/**
 * The colour of the next stone: the opponent of the last move, unless the user has chosen a colour. A refused move doesn't count.
 * @param {Pick<import('./session.js').Session, 'turn' | 'alternate' | 'step' | 'pending' | 'line' | 'game'>} session
 * @returns {Color}
 */
export function nextColor({ turn, alternate, step: shown, pending, line, game }) {
  if (turn && (!alternate || (turn.step === shown && !pending))) return turn.color;
  const waiting = pending?.moves.at(-1);
  if (waiting) return alternate ? other(waiting[0]) : waiting[0];
  for (let step = shown; step > 0; step -= 1) {
    if (!line?.entry(step).miss) return other(game.moves[step - 1][0]);
  }
  // Nothing was played before this step: use the colour of the next move in the list.
  return (game.moves[shown] ?? game.moves[0])?.[0] ?? 'B';
}
