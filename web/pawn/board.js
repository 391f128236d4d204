// A board of the crossing pawn: rows of characters, as in a question to the service. These functions draw on a board and move its pieces.
// Only the service knows the rules.

/** @typedef {readonly string[]} Board rows from the top; a link or a text may have rows of different lengths */
/** @typedef {'Red' | 'Black'} Side */
/** @typedef {import('../arbiter.js').Cell} Cell */
/** @typedef {import('../arbiter.js').PawnMove} Move */

export const FREE = '.';
export const OBSTACLE = '#';
export const RED = 'O';
export const PAWN = 'X';

/** The smallest and largest side of a board made here. Boards from links and files can be outside these limits. */
export const LEAST_SIDE = 2;
export const MOST_SIDE = 16;

export const SIDES = /** @type {const} */ (['Red', 'Black']);

/** @param {Side} side */
export const other = (side) => (side === 'Red' ? 'Black' : 'Red');

/** @param {Side} side */
export const pieceOf = (side) => (side === 'Red' ? RED : PAWN);

/** @param {Board} board */
export const columns = (board) => Math.max(...board.map((row) => row.length));

/**
 * The character on a square; '' if the row is too short.
 * @param {Board} board
 * @param {Cell} cell
 */
export const on = (board, [row, col]) => board[row]?.[col] ?? '';

/**
 * @param {Cell} a
 * @param {Cell | null} b
 */
export const sameCell = (a, b) => b !== null && a[0] === b[0] && a[1] === b[1];

/**
 * @param {Move} a
 * @param {Move} b
 */
export const sameMove = (a, b) => sameCell(a.from, b.from) && sameCell(a.to, b.to);

/**
 * The board with a character put on a square. A row that is too short is first extended with empty squares.
 * @param {Board} board
 * @param {Cell} cell
 * @param {string} what
 * @returns {Board}
 */
export function withCell(board, [row, col], what) {
  const before = board[row].padEnd(col, FREE);
  return board.map((old, at) => (at === row ? before.slice(0, col) + what + before.slice(col + 1) : old));
}

/**
 * The board after a move. A piece on the target is captured.
 * @param {Board} board
 * @param {Move} move
 */
export const moved = (board, { from, to }) => withCell(withCell(board, from, FREE), to, on(board, from));

/**
 * The board, cut or extended to this size at the bottom and on the right. New squares are empty.
 * @param {Board} board
 * @param {number} rows
 * @param {number} cols
 * @returns {Board}
 */
export const resized = (board, rows, cols) =>
  Array.from({ length: rows }, (_, row) => (board[row] ?? '').slice(0, cols).padEnd(cols, FREE));

/**
 * An empty board of the same size.
 * @param {Board} board
 */
export const cleared = (board) => resized([], board.length, columns(board));

/**
 * The rows in a text, separated by white space.
 * @param {string} text
 * @returns {Board}
 */
export const rowsOf = (text) => text.split(/\s+/).filter((row) => row !== '');

/**
 * Does a move capture a piece?
 * @param {Board} board before the move
 * @param {Move} move
 */
export const takes = (board, { to }) => [RED, PAWN].includes(on(board, to));
