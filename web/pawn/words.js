// How cells, moves and values are written: columns are letters, rows are numbers from the top, so that row 1 is the
// goal.

import { t } from '../page/text.js';
import { takes } from './board.js';

/** @typedef {import('./board.js').Board} Board */
/** @typedef {import('./board.js').Cell} Cell */
/** @typedef {import('./board.js').Move} Move */
/** @typedef {{ verdict: 'Red' | 'Black' | 'Tie', steps: number | null }} Value */

/**
 * a, b, …, z, aa, ab, …
 * @param {number} col
 * @returns {string}
 */
export const columnName = (col) =>
  (col < 26 ? '' : columnName(Math.floor(col / 26) - 1)) + String.fromCharCode(97 + (col % 26));

/** @param {Cell} cell */
export const cellName = ([row, col]) => `${columnName(col)}${row + 1}`;

/**
 * b2–b3, or b2×b3 where it takes.
 * @param {Board} board before the move
 * @param {Move} move
 */
export const moveName = (board, move) => `${cellName(move.from)}${takes(board, move) ? '×' : '–'}${cellName(move.to)}`;

/**
 * A value in words: Red wins in 7 moves.
 * @param {Value} value
 */
export const valueWords = ({ verdict, steps }) => t(`pawn.verdict.${verdict}`, { steps });

/**
 * A value in a sign: R 7.
 * @param {Value} value
 */
export const valueSign = ({ verdict, steps }) => t(`pawn.sign.${verdict}`, { steps });
