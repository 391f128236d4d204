// Describes squares, moves, values and faults in words. Columns are letters. Rows are numbered from the top, so row 1 is the goal.

import { cellName } from '../page/grid.js';
import { faultText } from '../page/problem.js';
import { t } from '../page/text.js';
import { on, PAWN, RED, takes } from './board.js';

/** @typedef {import('./board.js').Board} Board */
/** @typedef {import('./board.js').Cell} Cell */
/** @typedef {import('./board.js').Move} Move */
/** @typedef {import('../arbiter.js').Fault} Fault */
/** @typedef {{ verdict: 'Red' | 'Black' | 'Tie', steps: number | null }} Value */

/**
 * b2–b3, or b2×b3 for a capture.
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
 * A value as a short sign: R 7.
 * @param {Value} value
 */
export const valueSign = ({ verdict, steps }) => t(`pawn.sign.${verdict}`, { steps });

/**
 * A fault in words, and the row or square to mark on the board.
 * @typedef {{ row: number | null, col: number | null, text: string }} Marked
 */

/**
 * The faults of a board. A wrong number of pieces has its own wording, because it's normal while a board is being edited.
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
 * Is the number of pieces the only fault?
 * @param {import('../arbiter.js').Problem} problem
 */
export const lacks = ({ errors }) => errors.length > 0 && errors.every(({ code }) => code === 'count');

/**
 * Faults in the number of pieces. The service reports them only as a sentence, so the pieces are counted here.
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
