// Cells, moves, values and faults in words. Columns are letters, rows are numbers from the top, so that row 1 is the goal.

import { faultText } from '../page/problem.js';
import { t } from '../page/text.js';
import { on, PAWN, RED, takes } from './board.js';

/** @typedef {import('./board.js').Board} Board */
/** @typedef {import('./board.js').Cell} Cell */
/** @typedef {import('./board.js').Move} Move */
/** @typedef {import('../arbiter.js').Fault} Fault */
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

/**
 * A fault in words, and the row or the cell that is marked for it.
 * @typedef {{ row: number | null, col: number | null, text: string }} Marked
 */

/**
 * What is wrong with a board, and where. A board that is being edited lacks pieces: that is no mistake of the reader.
 * @param {import('../arbiter.js').Problem | undefined} problem
 * @param {Board} board
 * @returns {Marked[]}
 */
export function faultsOf(problem, board) {
  if (problem && lacks(problem)) return lacking(board);
  return (problem?.errors ?? []).map((fault) => {
    const row = /^[/]board[/](\d+)$/.exec(fault.pointer ?? '')?.[1];
    const [atRow, col] = fault.at ?? [row === undefined ? null : Number(row), null];
    return { row: atRow, col, text: faultText(fault, { cell: cellName, words: () => wordsOf(fault, board) }) };
  });
}

/**
 * Is the number of pieces wrong, and nothing else?
 * @param {import('../arbiter.js').Problem} problem
 */
export const lacks = ({ errors }) => errors.length > 0 && errors.every(({ code }) => code === 'count');

/**
 * The service names a wrong count of either piece in words alone: how many there are is to be seen.
 * @param {Board} board
 * @returns {Marked[]}
 */
function lacking(board) {
  const count = (/** @type {string} */ piece) => board.join('').split(piece).length - 1;
  const missing = /** @type {const} */ ([['red', count(RED), 2], ['pawn', count(PAWN), 1]]);
  return missing.filter(([, have, need]) => have !== need)
    .map(([piece, have]) => ({ row: null, col: null, text: t(`pawn.lacks.${piece}`, { count: have }) }));
}

/**
 * @param {Fault} fault
 * @param {Board} board
 */
function wordsOf({ code, at, pointer = '' }, board) {
  if (at) return on(board, at) === PAWN ? t('pawn.fault.first-row') : t('pawn.fault.character', { what: on(board, at) });
  if (code === 'length' && /[1-9]\d*$/.test(pointer)) return t('pawn.fault.row', { row: Number(pointer.split('/').pop()) + 1 });
  return code === 'length' || code === 'range' ? t('pawn.fault.size') : null;
}
