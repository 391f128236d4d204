// Puzzles: boards on which a single move, or click, keeps the win. There is one for each day, the same for everybody.

import { BadLink } from './link.js';

/** @typedef {import('./service.js').Game} Game */

/** The lists are found by script/puzzles, and fetched when a puzzle is asked for. @type {Partial<Record<Game, () => Promise<{ PUZZLES: readonly string[] }>>>} */
const POOLS = {
  pawn: () => import('../pawn/puzzles.js'),
  mine: () => import('../mine/puzzles.js'),
};

/** How many puzzles a game has. */
export const COUNT = 366;

const FIRST_DAY = Date.UTC(2026, 0, 1), DAY = 86_400_000;

/**
 * The number of the puzzle of a day, from 1.
 * @param {number} now milliseconds, as Date.now() gives them
 */
export const numberOfDay = (now) => 1 + ((Math.floor((now - FIRST_DAY) / DAY) % COUNT) + COUNT) % COUNT;

/**
 * The board of a puzzle, as the game's list has it. Rejects with BadLink where there is none of this number.
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
  /** Has the reader looked at values before the puzzle was solved? */
  helped = false;

  /** @param {number} number from 1 */
  constructor(number) {
    this.number = number;
  }

  /**
   * A move was made. Returns whether it stands: a wrong one is counted, and not played.
   * @param {boolean} right
   */
  attempt(right) {
    if (this.solved) return true;
    this.tries += 1;
    this.solved = right;
    return right;
  }
}
