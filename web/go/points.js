// The points of a Go board and their names: columns are letters without I, rows are counted from the bottom.

const LETTERS = 'ABCDEFGHJKLMNOPQRSTUVWXYZ';

/** @typedef {readonly [row: number, col: number]} Point */

/** The sizes that the page offers; the service accepts 1 to 25. */
export const LEAST_SIZE = 5;
export const MOST_SIZE = 25;

/** @param {number} col */
export const letter = (col) => LETTERS[col];

/**
 * The name of a point: 'D4'.
 * @param {Point} point
 * @param {number} size
 */
export const nameOf = ([row, col], size) => `${LETTERS[col]}${size - row}`;

/**
 * The point with this name; null if there is none.
 * @param {string} name
 * @param {number} size
 * @returns {[number, number] | null}
 */
export function pointOf(name, size) {
  const [, column, row] = /^([A-HJ-Z])([1-9]\d?)$/i.exec(name) ?? [];
  if (!column) return null;
  const col = LETTERS.indexOf(column.toUpperCase()), up = Number(row);
  return col < size && up <= size ? [size - up, col] : null;
}

/**
 * All points of a board, row by row.
 * @param {number} size
 * @returns {Point[]}
 */
export const points = (size) => Array.from({ length: size * size }, (_, at) => [Math.floor(at / size), at % size]);

/** @param {readonly string[]} board */
export const isEmpty = (board) => board.every((row) => !/[BW]/.test(row));

/** @param {number} size */
export const emptyBoard = (size) => Array.from({ length: size }, () => '.'.repeat(size));

/**
 * The number of handicap stones on a board; 0 if it has stones on other points, or no stones.
 * @param {readonly string[]} board
 */
export function handicapOf(board) {
  const count = board.join('').replaceAll('.', '').length;
  if (count < 2 || count > mostHandicap(board.length)) return 0;
  return handicapBoard(board.length, count).every((line, row) => line === board[row]) ? count : 0;
}

/**
 * A copy of the board with one point changed.
 * @param {readonly string[]} board
 * @param {Point} point
 * @param {string} stone 'B', 'W' or '.'
 */
export function withStone(board, [row, col], stone) {
  const rows = [...board];
  rows[row] = rows[row].slice(0, col) + stone + rows[row].slice(col + 1);
  return rows;
}

/**
 * The index of the line that has the star points: the fourth line on large boards, else the third.
 * @param {number} size
 */
const inset = (size) => (size >= 13 ? 3 : 2);

/**
 * @param {number} size
 * @returns {Point[]}
 */
export function starPoints(size) {
  const near = inset(size), far = size - 1 - near, middle = (size - 1) / 2;
  if (size < 5) return [];
  if (size < 8) return size % 2 === 1 ? [[middle, middle]] : [];
  /** @type {Point[]} */
  const corners = [[near, near], [near, far], [far, near], [far, far]];
  /** @type {Point[]} */
  const sides = [[near, middle], [far, middle], [middle, near], [middle, far]];
  if (size % 2 === 0) return corners;
  return [...corners, [middle, middle], ...(size >= 15 ? sides : [])];
}

/**
 * The largest number of handicap stones on a board of this size.
 * @param {number} size
 */
export const mostHandicap = (size) => (size < 7 ? 0 : size % 2 === 0 || size === 7 ? 4 : 9);

/**
 * A board with handicap stones at the traditional points: corners, then sides, and the centre for an odd count from five.
 * @param {number} size
 * @param {number} count 2 to `mostHandicap(size)`; below 2, the board is empty
 */
export function handicapBoard(size, count) {
  if (count < 2) return emptyBoard(size);
  const near = inset(size), far = size - 1 - near, middle = (size - 1) / 2;
  /** @type {Point[]} */
  const corners = [[far, near], [near, far], [far, far], [near, near]];
  const places = corners.slice(0, count);
  if (count >= 6) places.push([middle, near], [middle, far]);
  if (count >= 8) places.push([far, middle], [near, middle]);
  if (count >= 5 && count % 2 === 1) places.push([middle, middle]);
  return places.reduce((board, place) => withStone(board, place, 'B'), emptyBoard(size));
}
