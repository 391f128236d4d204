// Why the player to move has lost, where the parts of what is left tell it in a sentence.
//
// Without numbers between two openings the parts are independent: a single number is worth 1, an opening is worth 1 with an even number
// of numbers around it and 2 with an odd one (the Grundy values of the two-player game). The player to move loses exactly when
// there is an even number of parts worth 1, and of parts worth 2.

import { bordering, openingAt } from './openings.js';

/** On a larger field the parts are too many for a sentence. */
const MOST_CELLS = 10_000;

/**
 * `numbers`: single numbers alone are left, `ones` of them; `halves`: all parts are there twice; `pairs`: so many parts are worth 1
 * and 2.
 * @typedef {{ kind: 'numbers' | 'halves' | 'pairs', ones: number, twos: number }} Why
 */

/**
 * @param {readonly string[]} board what each cell shows
 * @param {readonly string[]} face  the same as the players see it, `#` where face down
 * @param {import('./openings.js').Openings} openings of the board
 * @returns {Why | null} null: no sentence of this kind holds
 */
export function why(board, face, openings) {
  if (board.length * board[0].length > MOST_CELLS) return null;
  /** How many numbers are around each opening that is face down. @type {Map<number, number>} */
  const around = new Map();
  let singles = 0;
  for (let row = 0; row < board.length; row += 1) {
    for (let col = 0; col < board[row].length; col += 1) {
      if (face[row][col] !== '#' || board[row][col] === '*') continue;
      const opening = openingAt(openings, row, col);
      if (opening) {
        around.set(opening, around.get(opening) ?? 0);
        continue;
      }
      const [one, other] = bordering(openings, row, col);
      if (other) return null;
      if (one) around.set(one, (around.get(one) ?? 0) + 1);
      else singles += 1;
    }
  }
  const sizes = [...around.values()], twos = sizes.filter((size) => size % 2 === 1).length, ones = singles + sizes.length - twos;
  if (ones + twos === 0 || ones % 2 === 1 || twos % 2 === 1) return null;
  if (sizes.length === 0) return { kind: 'numbers', ones, twos };
  const twice = singles % 2 === 0 && sizes.every((size) => sizes.filter((other) => other === size).length % 2 === 0);
  return { kind: twice ? 'halves' : 'pairs', ones, twos };
}
