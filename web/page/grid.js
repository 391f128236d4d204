// A board of cells for mouse, touch, keyboard and screen readers. It works out the cell for each event and calls the game. The game draws
// the board itself, and puts its drawing into `element`, below the cursor.
//
// For screen readers, the document has an element for each cell of a window around the cursor. The window is at most 25 by 25 cells;
// aria-rowcount and aria-rowindex tell where it is on the board. So a million cells cost no more than 625.

import { h, setContent } from './dom.js';

/**
 * The options that a game passes to its grid.
 * @typedef {object} GridOptions
 * @property {number} rows
 * @property {number} cols
 * @property {string} label                                   the name of the board, for screen readers
 * @property {(row: number, col: number) => string} describe  a cell in words: place and contents
 * @property {(row: number, col: number, how: Act) => void} act  a cell was clicked, tapped, activated with Enter or Space, or crossed by a
 *   stroke. A click acts when the button goes up
 * @property {(row: number, col: number) => void} [hover]     the pointer or the cursor entered a cell
 * @property {(from: [number, number], to: [number, number]) => void} [drop]  the mouse button went down on one cell and up on another,
 *   without a stroke
 * @property {(right: number, down: number) => void} [drag]    the mouse drags the board by this many pixels; a drag isn't a click
 * @property {() => void} [leave]                             the pointer left the board, or the focus did
 * @property {(event: KeyboardEvent) => boolean} [key]        a key was pressed; true: the game has used it
 * @property {() => boolean} [painting]                       does a stroke act on each cell that it crosses? If so, touch doesn't scroll
 * @property {() => void} [endStroke]                         the stroke has ended
 */

/**
 * The way a cell was activated. `stroke`: as a later cell of a stroke. `second`: with the right button, a long press, or Shift and a key.
 * `touch`: by a tap.
 * @typedef {{ stroke: boolean, second: boolean, keyboard: boolean, touch: boolean }} Act
 */

const LONG_PRESS = 500; // milliseconds

/** Pixels that a mouse may move during a click. */
const CLICK_MOVEMENT = 5;

/** The most rows, and the most columns, of the window of cells. */
const WINDOW = 25;

/**
 * The name of a column: a, b, …, z, aa, ab, …
 * @param {number} col
 * @returns {string}
 */
export const columnName = (col) =>
  (col < 26 ? '' : columnName(Math.floor(col / 26) - 1)) + String.fromCharCode(97 + (col % 26));

/**
 * The name of a cell: b3 is in the second column and the third row.
 * @param {readonly number[]} cell
 */
export const cellName = ([row, col]) => `${columnName(col)}${row + 1}`;

let count = 0;

export class Grid {
  #options;
  /** Marks the cell of the cursor. */
  #cursor = h('div', { class: 'cursor', 'aria-hidden': 'true' }, h('div'));
  #cells = h('div', { class: 'cells', role: 'rowgroup', onclick: (/** @type {MouseEvent} */ event) => this.#clicked(event) });
  /** The window: its first row and column, its size, and its cells row by row. */
  #window = { top: 0, left: 0, rows: 0, cols: 0, cells: /** @type {HTMLElement[]} */ ([]) };
  /** The pending animation frame that updates the labels of all cells; 0 if there is none. */
  #frame = 0;
  #id = `grid-${(count += 1)}`;
  #row = 0;
  #col = 0;
  /** @type {[number, number] | null} the last cell of the current stroke */
  #stroke = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} the timer of a long press */
  #longPress;
  /** @type {[number, number] | null} the cell where a click or a drag began */
  #from = null;
  /** Pixels that the mouse has moved since then, if the board can be dragged. */
  #dragged = 0;

  /** @param {GridOptions} options */
  constructor(options) {
    this.#options = options;
    this.element = h('div', {
      class: 'grid',
      role: 'grid',
      tabindex: 0,
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
      onpointerdown: (/** @type {PointerEvent} */ event) => this.#down(event),
      onpointermove: (/** @type {PointerEvent} */ event) => this.#moved(event),
      onpointerup: (/** @type {PointerEvent} */ event) => this.#up(event),
      onpointercancel: () => this.#end(),
      onpointerleave: () => this.#options.leave?.(),
      onfocus: () => this.#options.hover?.(this.#row, this.#col),
      onblur: () => this.#options.leave?.(),
      oncontextmenu: (/** @type {MouseEvent} */ event) => event.preventDefault(),
    }, this.#cells, this.#cursor);
    this.reshape(options);
  }

  get cell() {
    return /** @type {[number, number]} */ ([this.#row, this.#col]);
  }

  /**
   * Change the size or the label.
   * @param {{ rows?: number, cols?: number, label?: string }} change
   */
  reshape(change) {
    const { rows, cols, label } = Object.assign(this.#options, change);
    this.element.setAttribute('aria-label', label);
    this.element.setAttribute('aria-rowcount', String(rows));
    this.element.setAttribute('aria-colcount', String(cols));
    this.element.style.setProperty('--rows', String(rows));
    this.element.style.setProperty('--cols', String(cols));
    this.update();
    this.updatePainting();
  }

  /** Update the labels: that of the cursor's cell now, the others in the next frame. */
  update() {
    const { rows, cols } = this.#options;
    this.#row = Math.min(this.#row, rows - 1);
    this.#col = Math.min(this.#col, cols - 1);
    this.#moveWindow();
    const { top, left, cols: wide, cells } = this.#window, cell = cells[(this.#row - top) * wide + this.#col - left];
    this.#label(cell, this.#row, this.#col);
    this.element.setAttribute('aria-activedescendant', cell.id);
    Object.assign(this.#cursor.style, area(this.#row, this.#col, 1, 1, this.#options));
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      const shown = this.#window;
      shown.cells.forEach((one, at) => this.#label(one, shown.top + Math.floor(at / shown.cols), shown.left + (at % shown.cols)));
    });
  }

  /** Move the window, unless it already contains the cursor's cell. */
  #moveWindow() {
    const { rows, cols } = this.#options, before = this.#window;
    const high = Math.min(rows, WINDOW), wide = Math.min(cols, WINDOW), same = high === before.rows && wide === before.cols;
    const first = (/** @type {number} */ at, /** @type {number} */ from, /** @type {number} */ size, /** @type {number} */ all) => {
      if (same && at >= from && at < from + size && from + size <= all) return from;
      return Math.max(0, Math.min(all - size, at - Math.floor(size / 2)));
    };
    const top = first(this.#row, before.top, high, rows), left = first(this.#col, before.left, wide, cols);
    if (same && top === before.top && left === before.left) return;
    const cells = Array.from({ length: high * wide }, (_, at) => {
      const row = top + Math.floor(at / wide), col = left + (at % wide);
      return h('div', { id: `${this.#id}-${row}-${col}`, role: 'gridcell', 'aria-colindex': col + 1 });
    });
    this.#window = { top, left, rows: high, cols: wide, cells };
    setContent(this.#cells, Array.from({ length: high }, (_, row) =>
      h('div', { role: 'row', 'aria-rowindex': top + row + 1 }, cells.slice(row * wide, (row + 1) * wide))));
    Object.assign(this.#cells.style, area(top, left, high, wide, this.#options));
  }

  /**
   * @param {HTMLElement} cell
   * @param {number} row
   * @param {number} col
   */
  #label(cell, row, col) {
    const { rows, cols, describe } = this.#options;
    if (row >= rows || col >= cols) return; // the board has become smaller; `update` follows
    const label = describe(row, col);
    if (cell.getAttribute('aria-label') !== label) cell.setAttribute('aria-label', label);
  }

  /** A screen reader has clicked a cell. Pointers can't: `.cells` has no pointer events. @param {MouseEvent} event */
  #clicked(event) {
    const { top, left, cols, cells } = this.#window, at = cells.indexOf(/** @type {HTMLElement} */ (event.target));
    if (at < 0) return;
    [this.#row, this.#col] = [top + Math.floor(at / cols), left + (at % cols)];
    this.#act([this.#row, this.#col], { keyboard: true });
  }

  /** Call `painting` again, because its result has changed. */
  updatePainting() {
    this.element.classList.toggle('painting', this.#options.painting?.() ?? false);
  }

  /**
   * Move the cursor to a cell and scroll to it.
   * @param {number} row
   * @param {number} col
   */
  moveTo(row, col) {
    const { rows, cols } = this.#options;
    this.#row = Math.max(0, Math.min(rows - 1, row));
    this.#col = Math.max(0, Math.min(cols - 1, col));
    this.update();
    this.#cursor.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    this.#options.hover?.(this.#row, this.#col);
  }

  /** @param {PointerEvent} event */
  #cellOf(event) {
    const { rows, cols } = this.#options;
    const { left, top, width, height } = this.element.getBoundingClientRect();
    const row = Math.floor(((event.clientY - top) / height) * rows), col = Math.floor(((event.clientX - left) / width) * cols);
    return row >= 0 && col >= 0 && row < rows && col < cols ? /** @type {[number, number]} */ ([row, col]) : null;
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const cell = this.#cellOf(event);
    if (!cell || !event.isPrimary) return;
    const second = event.button === 2;
    if (event.button !== 0 && !second) return;
    [this.#row, this.#col] = cell;
    this.update();
    if (this.#options.painting?.()) {
      this.#stroke = cell;
      this.element.setPointerCapture(event.pointerId);
    } else if (!second) {
      // A click acts when it ends, because it may become a drag. A tap may become scrolling, which cancels it.
      this.#from = cell;
      this.#dragged = 0;
      if (event.pointerType === 'touch') this.#longPress = setTimeout(() => this.#act(cell, { second: true }), LONG_PRESS);
      else this.element.setPointerCapture(event.pointerId);
      return;
    }
    this.#act(cell, { second });
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const from = this.#from, tapped = this.#longPress !== undefined, to = this.#cellOf(event), stroke = this.#stroke;
    this.#end();
    if (stroke) this.#options.endStroke?.();
    else if (from && tapped) this.#act(from, { touch: true });
    else if (from && to && event.pointerType !== 'touch' && this.#dragged <= CLICK_MOVEMENT) {
      if (from[0] === to[0] && from[1] === to[1]) this.#act(from, {});
      else this.#options.drop?.(from, to);
    }
  }

  /** @param {PointerEvent} event */
  #moved(event) {
    if (this.#from && this.#options.drag && event.pointerType !== 'touch') {
      this.#dragged += Math.abs(event.movementX) + Math.abs(event.movementY);
      return this.#options.drag(event.movementX, event.movementY);
    }
    const cell = this.#cellOf(event);
    if (!cell) return;
    const from = this.#stroke;
    if (!from) {
      if (event.pointerType !== 'touch') this.#options.hover?.(...cell);
      return;
    }
    // A quick stroke skips cells between two events. Fill in those on the straight line.
    const steps = Math.max(Math.abs(cell[0] - from[0]), Math.abs(cell[1] - from[1]));
    for (let step = 1; step <= steps; step += 1) {
      const at = from.map((value, axis) => Math.round(value + ((cell[axis] - value) * step) / steps));
      this.#act(/** @type {[number, number]} */ (at), { stroke: true });
    }
    this.#stroke = cell;
  }

  /** End a click or a stroke without calling `act`, for example when a second finger touches the board. */
  cancel() {
    this.#end();
  }

  #end() {
    this.#stroke = null;
    this.#from = null;
    clearTimeout(this.#longPress);
    this.#longPress = undefined;
  }

  /**
   * @param {[number, number]} cell
   * @param {Partial<Act>} how
   */
  #act(cell, how) {
    if (how.second) this.#end();
    this.#options.act(cell[0], cell[1], { stroke: false, second: false, keyboard: false, touch: false, ...how });
    this.update();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.metaKey) return;
    const { rows, cols } = this.#options, row = this.#row, col = this.#col;
    /** @type {Record<string, () => [number, number]>} */
    const moves = {
      ArrowUp: () => [row - 1, col], ArrowDown: () => [row + 1, col], ArrowLeft: () => [row, col - 1], ArrowRight: () => [row, col + 1],
      Home: () => [event.ctrlKey ? 0 : row, 0], End: () => [event.ctrlKey ? rows - 1 : row, cols - 1],
      PageUp: () => [row - 10, col], PageDown: () => [row + 10, col],
    };
    if (this.#options.key?.(event)) {
      event.preventDefault();
    } else if (event.key in moves && (!event.ctrlKey || event.key === 'Home' || event.key === 'End')) {
      event.preventDefault();
      this.moveTo(...moves[event.key]());
    } else if ((event.key === 'Enter' || event.key === ' ') && !event.ctrlKey) {
      event.preventDefault();
      this.#act([row, col], { keyboard: true, second: event.shiftKey });
    }
  }
}

/**
 * The CSS position of a rectangle of cells.
 * @param {number} row
 * @param {number} col
 * @param {number} high number of rows
 * @param {number} wide number of columns
 * @param {{ rows: number, cols: number }} all
 */
const area = (row, col, high, wide, { rows, cols }) => ({
  left: `${(100 * col) / cols}%`, top: `${(100 * row) / rows}%`, width: `${(100 * wide) / cols}%`, height: `${(100 * high) / rows}%`,
});
