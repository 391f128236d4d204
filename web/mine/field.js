// A field: its size and its mines. Each cell takes one bit, so that even a field of a million cells can be copied for each stroke.

import { BadLink } from '../page/link.js';

/** The largest side of a field. The service limits the number of cells. */
export const MOST_SIDE = 1000;

/** Random numbers per call; browsers limit a call to 64 KiB. */
const DRAWN = 16_384;

const MINE = '*'.charCodeAt(0), NONE = '.'.charCodeAt(0);
const ASCII = new TextDecoder();

/** @typedef {[number, number]} Cell */

export class Field {
  #rows;
  #cols;
  #bits;
  /** @type {(string | undefined)[]} cache of the rows of `board` */
  #lines;
  /** @type {string | null} */
  #packed = null;
  /** @type {number | null} */
  #mines = null;

  /**
   * @param {number} rows
   * @param {number} cols
   * @param {Uint8Array} [bits] the cells row by row, the lowest bit first; 1 is a mine
   */
  constructor(rows, cols, bits = new Uint8Array(Math.ceil((rows * cols) / 8))) {
    this.#rows = rows;
    this.#cols = cols;
    this.#bits = bits;
    this.#lines = new Array(rows);
  }

  get rows() {
    return this.#rows;
  }

  get cols() {
    return this.#cols;
  }

  get cells() {
    return this.#rows * this.#cols;
  }

  get mines() {
    if (this.#mines === null) {
      this.#mines = 0;
      for (let byte of this.#bits) for (; byte !== 0; byte &= byte - 1) this.#mines += 1;
    }
    return this.#mines;
  }

  copy() {
    const copy = new Field(this.#rows, this.#cols, this.#bits.slice());
    copy.#lines = this.#lines.slice();
    copy.#mines = this.#mines;
    return copy;
  }

  /**
   * @param {number} row
   * @param {number} col
   */
  isMine(row, col) {
    const at = row * this.#cols + col;
    return (this.#bits[at >> 3] >> (at & 7)) & 1;
  }

  /**
   * @param {number} row
   * @param {number} col
   * @param {boolean} mine
   */
  set(row, col, mine) {
    const at = row * this.#cols + col;
    if (this.#mines !== null) this.#mines += Number(mine) - this.isMine(row, col);
    if (mine) this.#bits[at >> 3] |= 1 << (at & 7);
    else this.#bits[at >> 3] &= ~(1 << (at & 7));
    this.#lines[row] = undefined;
    this.#packed = null;
  }

  /** The field as a drawing, in the format of the service. */
  board() {
    for (let row = 0; row < this.#rows; row += 1) this.#lines[row] ??= this.#line(row);
    return /** @type {string[]} */ (this.#lines.slice());
  }

  /** @param {number} row */
  #line(row) {
    const codes = new Uint8Array(this.#cols), bits = this.#bits, from = row * this.#cols;
    for (let col = 0; col < codes.length; col += 1) codes[col] = (bits[(from + col) >> 3] >> ((from + col) & 7)) & 1 ? MINE : NONE;
    return ASCII.decode(codes);
  }

  /** The cells with a mine, row by row. */
  mineCells() {
    /** @type {Cell[]} */
    const cells = [];
    for (let row = 0; row < this.#rows; row += 1) {
      for (let col = 0; col < this.#cols; col += 1) if (this.isMine(row, col)) cells.push([row, col]);
    }
    return cells;
  }

  /**
   * The cells in which another field differs; null if it has another size, or if more than `most` cells differ.
   * @param {Field} other
   * @param {number} most
   * @returns {Cell[] | null}
   */
  differences(other, most) {
    if (other.#rows !== this.#rows || other.#cols !== this.#cols) return null;
    /** @type {Cell[]} */
    const cells = [];
    for (let byte = 0; byte < this.#bits.length; byte += 1) {
      for (let bits = this.#bits[byte] ^ other.#bits[byte]; bits !== 0; bits &= bits - 1) {
        if (cells.length === most) return null;
        const at = byte * 8 + 31 - Math.clz32(bits & -bits);
        cells.push([Math.floor(at / this.#cols), at % this.#cols]);
      }
    }
    return cells;
  }

  /** The bits, in base64url. */
  packed() {
    return this.#packed ??= this.#pack();
  }

  #pack() {
    let binary = '';
    for (let at = 0; at < this.#bits.length; at += 8192) binary += String.fromCharCode(...this.#bits.subarray(at, at + 8192));
    return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  }

  /**
   * Read the output of `packed`. Throws BadLink if it isn't valid.
   * @param {any} rows
   * @param {any} cols
   * @param {any} packed
   */
  static unpacked(rows, cols, packed) {
    if (!isSide(rows) || !isSide(cols) || typeof packed !== 'string' || !/^[\w-]*$/.test(packed)) throw new BadLink('field');
    const bytes = Math.ceil((rows * cols) / 8);
    if (packed.length !== Math.ceil((bytes * 4) / 3)) throw new BadLink('field');
    const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bits = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const spare = (8 - ((rows * cols) % 8)) % 8;
    if (bits[bytes - 1] >> (8 - spare)) throw new BadLink('field'); // a mine after the last cell
    return new Field(rows, cols, bits);
  }

  /**
   * The field in a question: a drawing, or a list of mines. Throws BadLink if it isn't valid.
   * @param {any} question
   */
  static asked({ board, rows, cols, mines }) {
    if (board !== undefined) return ofBoard(board);
    if (!isSide(rows) || !isSide(cols) || !Array.isArray(mines)) throw new BadLink('field');
    const field = new Field(rows, cols);
    for (const mine of mines) {
      if (!isCell(mine, rows, cols)) throw new BadLink('mine');
      field.set(mine[0], mine[1], true);
    }
    return field;
  }

  /**
   * A random field. All fields with this number of mines are equally likely.
   * @param {number} rows
   * @param {number} cols
   * @param {number} mines at most `rows * cols`
   */
  static random(rows, cols, mines) {
    const field = new Field(rows, cols), numbers = new Uint32Array(DRAWN), cells = rows * cols;
    // The chance of a mine is the number of remaining mines, divided by the number of remaining cells.
    for (let at = 0, left = mines; left > 0; at += 1) {
      if (at % DRAWN === 0) crypto.getRandomValues(numbers);
      if (numbers[at % DRAWN] * (cells - at) >= left * 2 ** 32) continue;
      field.#bits[at >> 3] |= 1 << (at & 7);
      left -= 1;
    }
    return field;
  }
}

/** @param {any} board */
function ofBoard(board) {
  if (!Array.isArray(board) || !isSide(board.length) || !isSide(board[0]?.length)) throw new BadLink('board');
  const field = new Field(board.length, board[0].length);
  board.forEach((line, row) => {
    if (typeof line !== 'string' || line.length !== field.cols || !/^[.*0-8]*$/.test(line)) throw new BadLink('board');
    for (let col = line.indexOf('*'); col >= 0; col = line.indexOf('*', col + 1)) field.set(row, col, true);
  });
  return field;
}

/** @param {any} side */
const isSide = (side) => Number.isInteger(side) && side >= 1 && side <= MOST_SIDE;

/**
 * Is this a cell, `[row, col]`, of a field of this size?
 * @param {any} cell
 * @param {number} rows
 * @param {number} cols
 * @returns {cell is Cell}
 */
export function isCell(cell, rows, cols) {
  return Array.isArray(cell) && cell.length === 2 && cell.every(Number.isInteger)
    && cell[0] >= 0 && cell[0] < rows && cell[1] >= 0 && cell[1] < cols;
}
