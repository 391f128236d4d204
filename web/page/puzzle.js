// Puzzles: boards on which only one move or click keeps the win. There is a puzzle for each day, the same for everybody.

import { BadLink } from './link.js';

/** @typedef {import('./service.js').Game} Game */

/**
 * The lists, made by script/puzzles. They are loaded when a puzzle is opened.
 * @type {Partial<Record<Game, () => Promise<{ PUZZLES: readonly string[] }>>>}
 */
const POOLS = {
  pawn: () => import('../pawn/puzzles.js'),
  mine: () => import('../mine/puzzles.js'),
};

/** The number of puzzles of a game. */
export const COUNT = 366;

const FIRST_DAY = Date.UTC(2026, 0, 1), DAY = 86_400_000;

/**
 * The number of the day's puzzle, counted from 1.
 * @param {number} now milliseconds, from Date.now()
 */
export const numberOfDay = (now) => 1 + ((Math.floor((now - FIRST_DAY) / DAY) % COUNT) + COUNT) % COUNT;

/**
 * The text of a puzzle in the game's list. Rejects with BadLink if there is no puzzle with this number.
 * @param {Game} game
 * @param {unknown} number
 * @returns {Promise<string>}
 */
export async function puzzleOf(game, number) {
  const puzzles = (await POOLS[game]?.())?.PUZZLES, text = puzzles?.[Number(number) - 1];
  if (!text || !Number.isInteger(number)) throw new BadLink('puzzle');
  return text;
}

/** A puzzle that is being solved. */
export class Puzzle {
  tries = 0;
  solved = false;
  /** Did the user look at values before the puzzle was solved? */
  helped = false;

  /** @param {number} number counted from 1 */
  constructor(number) {
    this.number = number;
  }

  /**
   * Count a try. Returns false if the move is wrong and must not be played.
   * @param {boolean} right
   */
  attempt(right) {
    if (this.solved) return true;
    this.tries += 1;
    this.solved = right;
    return right;
  }
}
