// A board of the crossing pawn as rows of characters, the way the service is asked, and what is needed to paint one and
// to move a piece on it. Which moves are allowed, and what becomes of them, only the service knows.

/** @typedef {readonly string[]} Board rows from the top; of different lengths where a link or a text has them so */
/** @typedef {'Red' | 'Black'} Side */
/** @typedef {import('../arbiter.js').Cell} Cell */
/** @typedef {import('../arbiter.js').PawnMove} Move */

export const FREE = '.';
export const OBSTACLE = '#';
export const RED = 'O';
export const PAWN = 'X';

/** Sides of a board that is made here; boards from elsewhere may have others. */
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
 * What is on a cell; '' where a short row has none.
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
 * The board with this on a cell. A row that ends before the cell is filled up with free cells.
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
 * The board after a move: what stood on the target is gone.
 * @param {Board} board
 * @param {Move} move
 */
export const moved = (board, { from, to }) => withCell(withCell(board, from, FREE), to, on(board, from));

/**
 * The board with so many rows and columns: what is added at the bottom and at the right is free, what stands beyond is
 * gone.
 * @param {Board} board
 * @param {number} rows
 * @param {number} cols
 * @returns {Board}
 */
export const resized = (board, rows, cols) =>
  Array.from({ length: rows }, (_, row) => (board[row] ?? '').slice(0, cols).padEnd(cols, FREE));

/**
 * The board without anything on it.
 * @param {Board} board
 */
export const cleared = (board) => resized([], board.length, columns(board));

/**
 * The rows of a text: words, whatever is between them.
 * @param {string} text
 * @returns {Board}
 */
export const rowsOf = (text) => text.split(/\s+/).filter((row) => row !== '');

/**
 * Does a move take a piece?
 * @param {Board} board before the move
 * @param {Move} move
 */
export const takes = (board, { to }) => [RED, PAWN].includes(on(board, to));
