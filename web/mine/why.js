// Finds a simple reason why the player to move loses.
//
// If no number is next to two openings, the remaining regions are independent. A single number has Grundy value 1. An opening has Grundy
// value 1 if the count of numbers around it is even, else 2. The player to move loses exactly when there is an even number of regions with
// value 1, and an even number with value 2.

import { bordering, openingAt } from './openings.js';

/** A larger field has too many regions for a simple reason. */
const MOST_CELLS = 10_000;

/**
 * `nothing`: nothing is left after the click; `numbers`: only single numbers are left; `halves`: each kind of region occurs an even number of times. `ones` regions have the value 1,
 * and `twos` the value 2.
 * @typedef {{ kind: 'nothing' | 'numbers' | 'halves' | 'pairs', ones: number, twos: number }} Why
 */

/**
 * @param {readonly string[]} board the contents of all cells
 * @param {readonly string[]} face  what the players see, `#` for a covered cell
 * @param {import('./openings.js').Openings} openings of the board
 * @param {import('./field.js').Cell | null} click  a click to make first, on a covered cell; null for none
 * @returns {Why | null} null if there is no simple reason
 */
export function why(board, face, openings, click = null) {
  if (board.length * board[0].length > MOST_CELLS) return null;
  const clicked = click && openingAt(openings, ...click);
  /** The number of numbers around each covered opening. @type {Map<number, number>} */
  const around = new Map();
  let singles = 0;
  for (let row = 0; row < board.length; row += 1) {
    for (let col = 0; col < board[row].length; col += 1) {
      if (face[row][col] !== '#' || board[row][col] === '*' || (row === click?.[0] && col === click[1])) continue;
      const opening = openingAt(openings, row, col);
      if (opening) {
        if (opening === clicked) continue;
        around.set(opening, around.get(opening) ?? 0);
        continue;
      }
      const [one, other] = bordering(openings, row, col);
      if (clicked && (one === clicked || other === clicked)) continue;
      if (other) return null;
      if (one) around.set(one, (around.get(one) ?? 0) + 1);
      else singles += 1;
    }
  }
  const sizes = [...around.values()], twos = sizes.filter((size) => size % 2 === 1).length, ones = singles + sizes.length - twos;
  if (click && ones + twos === 0) return { kind: 'nothing', ones, twos };
  if (ones + twos === 0 || ones % 2 === 1 || twos % 2 === 1) return null;
  if (sizes.length === 0) return { kind: 'numbers', ones, twos };
  const twice = singles % 2 === 0 && sizes.every((size) => sizes.filter((other) => other === size).length % 2 === 0);
  return { kind: twice ? 'halves' : 'pairs', ones, twos };
}
