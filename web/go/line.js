// The service's answer about a game, move by move. The answer to a record doesn't list the moves, so they are derived from
// the differences between the boards.

import { other } from './game.js';

/** @typedef {import('./game.js').Color} Color */
/** @typedef {import('./game.js').Move} Move */
/** @typedef {import('./points.js').Point} Point */
/** @typedef {import('../arbiter.js').GoResult} GoResult */
/** @typedef {import('../arbiter.js').GoMiss} GoMiss */

/**
 * A move of the list, and its result.
 * @typedef {object} Entry
 * @property {number} number        counted from 1
 * @property {Color | null} color   null if it isn't known: the boards of a record don't show the colour of a pass
 * @property {Point | null} at      null for a pass
 * @property {GoMiss | null} miss   why the move was refused
 * @property {Point[]} taken        the stones that it captured
 * @property {boolean} changed      no single move explains the change of the board, because the record sets up stones here
 */

/** For longer games, the page asks only for the last board, because all boards would be many megabytes. */
export const MOST_BOARDS = 3000;

/**
 * The stones of `board` that aren't on `before`.
 * @param {readonly string[]} board
 * @param {readonly string[]} before
 * @returns {[Color, number, number][]}
 */
function added(board, before) {
  /** @type {[Color, number, number][]} */
  const stones = [];
  board.forEach((line, row) => {
    if (line === before[row]) return;
    for (let col = 0; col < line.length; col += 1) {
      const stone = line[col];
      if (stone !== before[row][col] && (stone === 'B' || stone === 'W')) stones.push([stone, row, col]);
    }
  });
  return stones;
}

/**
 * The colour of a stone next to a point. All neighbours of a single stone that captures itself are the opponent's.
 * @param {readonly string[]} board
 * @param {Point} point
 */
const beside = (board, [row, col]) => /** @type {Color | undefined} */ (
  [board[row - 1]?.[col], board[row + 1]?.[col], board[row][col - 1], board[row][col + 1]].find((stone) => stone === 'B' || stone === 'W'));

export class Line {
  /** Number of moves, refused ones included. */
  length;
  #result;
  /** The moves of the question; null for a record. */
  #asked;
  /** The number of the first move whose colour isn't known; undefined until it is needed. @type {number | undefined} */
  #firstUnknownColour;
  #moves;
  /** @type {Map<number, GoMiss>} */
  #misses;
  /** @type {Map<number, Point[]>} */
  #taken;
  /** @type {{ B: number, W: number }[]} */
  #prisoners;

  /**
   * @param {GoResult} result
   * @param {readonly Move[] | null} moves the moves of the question; null for a record
   */
  constructor(result, moves) {
    this.#result = result;
    this.length = result.played + result.misses.length;
    this.#misses = new Map(result.misses.map((miss) => [miss.move, miss]));
    this.#taken = new Map((result.captured ?? []).map(({ move, stones }) => [move, stones]));
    this.#asked = moves;
    this.#moves = moves ?? this.#derived();
    this.#prisoners = this.boards ? this.#counted() : [];
  }

  /** The start and the board after each move; null if the game is too long. */
  get boards() {
    return this.#result.boards ?? null;
  }

  /**
   * A list of moves that gives the same boards; null if there is none, because the record sets up stones after a move.
   */
  get moves() {
    return this.#moves;
  }

  /** The refused moves, in order. */
  get misses() {
    return this.#result.misses;
  }

  /** The refused moves in the variations of a record. */
  get missesInVariations() {
    return this.#result.variations?.misses ?? [];
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

  /** The area of the last board, if it was asked for. */
  get score() {
    return this.#result.score ?? null;
  }

  /**
   * @param {number} number counted from 1
   * @returns {Entry}
   */
  entry(number) {
    const miss = this.#misses.get(number) ?? null, taken = this.#taken.get(number) ?? [];
    const move = this.#asked?.[number - 1] ?? this.#changeOf(number, 'B');
    if (miss) return { number, color: miss.color, at: miss.at, miss, taken, changed: !move };
    if (!move) return { number, color: null, at: null, miss, taken, changed: true };
    /** @type {Point | null} */
    const at = move.length === 3 ? [move[1], move[2]] : null;
    return { number, color: this.#asked !== null || at !== null ? move[0] : null, at, miss, taken, changed: false };
  }

  /**
   * Is the colour of each move up to this step known?
   * @param {number} step
   */
  knowsColours(step) {
    this.#firstUnknownColour ??= this.#findUnknownColour();
    return step < this.#firstUnknownColour;
  }

  /** The number of the first move whose colour isn't known; Infinity if there is none. */
  #findUnknownColour() {
    if (this.#asked) return Infinity;
    if (!this.#moves) return 0;
    const at = this.#moves.findIndex((_, index) => this.entry(index + 1).color === null);
    return at < 0 ? Infinity : at + 1;
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
    }, moves);
  }

  /**
   * The moves, derived from the boards. A pass gets the colour whose turn it was.
   * @returns {Move[] | null}
   */
  #derived() {
    if (!this.boards) return null;
    /** @type {Move[]} */
    const moves = [];
    /** @type {Color | null} */
    let last = null;
    for (let number = 1; number <= this.length; number += 1) {
      const move = this.#changeOf(number, last ? other(last) : 'B');
      if (!move) return null;
      moves.push(move);
      if (!this.#misses.has(number)) last = move[0];
    }
    return moves;
  }

  /**
   * The move that explains the change of the board; null if no single move does.
   * @param {number} number
   * @param {Color} turn the colour to assume if the boards don't show it
   * @returns {Move | null}
   */
  #changeOf(number, turn) {
    const board = this.boards?.[number], before = this.boards?.[number - 1];
    if (!board || !before) return null;
    const miss = this.#misses.get(number), taken = this.#taken.get(number) ?? [];
    const came = added(board, before), left = added(before, board);
    if (miss) return came.length + left.length === 0 ? [miss.color, ...miss.at] : null;
    const own = taken.find(([row, col]) => before[row][col] === '.');
    // Every stone that is gone was captured. Only a stone that captures itself wasn't on the board before.
    if (left.length + (own ? 1 : 0) !== taken.length) return null;
    if (own) return came.length === 0 ? [left[0]?.[0] ?? other(beside(before, own) ?? other(turn)), ...own] : null;
    if (came.length === 0) return taken.length === 0 ? [turn, 'pass'] : null;
    return came.length === 1 && left.every(([color]) => color !== came[0][0]) ? came[0] : null;
  }

  /** The prisoners after each move. */
  #counted() {
    const boards = /** @type {string[][]} */ (this.boards);
    const counts = [{ B: 0, W: 0 }];
    for (let number = 1; number <= this.length; number += 1) {
      const taken = this.#taken.get(number);
      const count = counts[number - 1];
      if (!taken) {
        counts.push(count);
        continue;
      }
      const [row, col] = taken.find((at) => boards[number - 1][at[0]][at[1]] !== '.') ?? taken[0];
      const stone = boards[number - 1][row][col];
      const color = stone === '.' ? this.#moves?.[number - 1][0] : stone;
      counts.push(color === 'W' ? { ...count, B: count.B + taken.length } : { ...count, W: count.W + taken.length });
    }
    const { B, W } = counts[this.length];
    return B === this.#result.prisoners.B && W === this.#result.prisoners.W ? counts : [];
  }
}
