// The field: drawing, zoom, scrolling, and input. The grid is as large as the whole field and scrolls in a box. The canvas is only as large
// as the box and shows the visible part, so the cost of drawing doesn't depend on the size of the field.

import { h, setContent } from '../page/dom.js';
import { columnName, Grid } from '../page/grid.js';
import { say } from '../page/say.js';
import { t } from '../page/text.js';
import { Cells, coloursOf } from './cells.js';
import { draw, winning } from './drawing.js';
import { cellText } from './words.js';

/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./drawing.js').Scene} Scene */

/** Device pixels from the corner of the field. @typedef {{ left: number, top: number, right: number, bottom: number }} Edges */

/**
 * Sides of cells in CSS pixels: the smallest before the user zooms, with a mouse and with touch; the smallest and largest when zooming.
 * 'fit' has no lower limit.
 */
const LEAST_FIRST = 14, LEAST_TOUCHED = 26, LEAST = 6, MOST = 150;

/** Pixels per line of text, because some wheel events count in lines. */
const LINE = 20;

/** Pixels for the row numbers and for the column names beside the field, the smallest distance between two, and half the height of a line. */
const LEFT = 30, TOP = 16, APART = 26, HALF_LINE = 5;

/** The factor of one zoom step. */
const STEP = 1.25;

/** Tolerance in pixels for a sum of sides, because a side can be fractional. */
const ROUNDED = 0.01;

/** Media queries that change the colours. */
const SCHEMES = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)'].map((query) => matchMedia(query));

/**
 * @typedef {object} Acts
 * @property {(event: KeyboardEvent) => boolean} key  called for a key on the field; true if it was handled
 * @property {() => void} sized                       called when the size of the cells has changed
 */

export class View {
  #session;
  #sized;
  #grid;
  /** The cell under the pointer. @type {[number, number] | null} */
  #pointed = null;
  /** The text about the last action, until the pointer moves to another cell or the position changes. */
  #announced = { words: '', position: /** @type {import('./position.js').Position | null} */ (null) };
  /** The line below the field: the cell under the pointer, or the last action. */
  words = h('p', { class: 'mine-words soft' });
  #canvas = h('canvas', { 'aria-hidden': 'true' });
  #context = /** @type {CanvasRenderingContext2D} */ (this.#canvas.getContext('2d', { alpha: false }));
  #box = h('div', { class: 'mine-box' });
  /** Column names and row numbers. */
  #numbers = { cols: h('canvas', { class: 'mine-columns', 'aria-hidden': 'true' }), rows: h('canvas', { 'aria-hidden': 'true' }) };
  #rows = 1;
  #cols = 1;
  /** The side of a cell in CSS pixels. In device pixels, it is an integer, or less than 1. */
  #side = MOST;
  /** @type {number | 'fit' | null} the side that the user has chosen by zooming; null for the initial one */
  #chosen = null;
  /** @type {Cells | null} */
  #cells = null;
  #frame = 0;
  /** @type {{ left: number, top: number } | null} the scroll position of the drawing, in device pixels; null: draw everything again */
  #drawn = null;
  /** @type {{ distance: number, x: number, y: number } | null} the last positions of two fingers */
  #pinch = null;
  /** The input of the drawing, made once for each change. @type {Scene} */
  #scene;
  #closed = new AbortController();
  #sizes = new ResizeObserver(() => this.#layout());

  /**
   * @param {Session} session
   * @param {Acts} acts
   */
  constructor(session, { key, sized }) {
    this.#session = session;
    this.#sized = sized;
    this.#scene = this.#sceneNow();
    const { rows, cols } = session.field;
    const grid = this.#grid = new Grid({
      rows, cols, label: '', key,
      act: (row, col, how) => this.#act(row, col, how),
      describe: (row, col) => this.describe(row, col),
      hover: (row, col) => this.#point([row, col]),
      leave: () => this.#point(null),
      painting: () => session.mode === 'edit',
      drag: (right, down) => this.#box.scrollBy(-right, -down),
    });
    grid.element.prepend(this.#canvas);
    this.#box.append(grid.element);
    this.pane = h('div', { class: 'mine-pane' }, h('div', { class: 'mine-frame' }, this.#numbers.cols, this.#numbers.rows, this.#box));
    this.#sizes.observe(this.pane);
    queueMicrotask(() => this.#layout()); // the page inserts the pane in the same task, so nothing is painted before
    const { signal } = this.#closed;
    addEventListener('resize', () => this.#layout(), { signal });
    for (const scheme of SCHEMES) scheme.addEventListener('change', () => this.#recolour(), { signal });
    this.#box.addEventListener('scroll', () => this.#scheduleDraw(), { passive: true });
    this.#box.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    this.#listenForTwo();
  }

  close() {
    this.#closed.abort();
    this.#sizes.disconnect();
    cancelAnimationFrame(this.#frame);
  }

  show() {
    this.#scene = this.#sceneNow();
    const { field: { rows, cols }, stale } = this.#session;
    this.#reshape(rows, cols);
    this.#grid.reshape({ rows, cols, label: t('mine.board', { rows, cols }) });
    this.pane.classList.toggle('mine-stale', stale);
    this.#redraw();
    const [row, col] = this.#pointed ?? [rows, cols];
    this.#point(row < rows && col < cols ? [row, col] : null);
  }

  /** @returns {Scene} */
  #sceneNow() {
    const { scene } = this.#session;
    return { ...scene, winning: winning(scene) };
  }

  /**
   * @param {number} row
   * @param {number} col
   */
  describe(row, col) {
    return cellText(this.#scene, row, col, this.#session.mode);
  }

  /**
   * Click, or paint. The right button describes the cell, or removes a mine.
   * @param {number} row
   * @param {number} col
   * @param {import('../page/grid.js').Act} how
   */
  #act(row, col, how) {
    const session = this.#session;
    if (session.mode === 'edit') return session.paint(row, col, how);
    if (how.second) return this.announce(this.describe(row, col));
    const outcome = session.click(row, col);
    if (outcome !== 'done' && outcome !== 'wrong') this.announce(t(`mine.not-${outcome}`));
  }

  /** @param {[number, number] | null} cell */
  #point(cell) {
    if (cell?.[0] !== this.#pointed?.[0] || cell?.[1] !== this.#pointed?.[1]) this.#announced.position = null;
    this.#pointed = cell;
    const { words, position } = this.#announced;
    setContent(this.words, position === this.#session.position ? words : cell && this.describe(...cell));
  }

  /**
   * Show a text about an action, and announce it to screen readers. It stays until the pointer moves to another cell or the position
   * changes.
   * @param {string} words
   */
  announce(words) {
    this.#announced = { words, position: this.#session.position };
    setContent(this.words, words);
    say(words);
  }

  focus() {
    this.#grid.element.focus();
  }

  /**
   * Move the cursor to a cell, and scroll to it.
   * @param {number} row
   * @param {number} col
   */
  moveTo(row, col) {
    this.scrollTo(row, col);
    this.#grid.moveTo(row, col);
  }

  /**
   * Change the number of rows and columns, and reset zoom and scrolling.
   * @param {number} rows
   * @param {number} cols
   */
  #reshape(rows, cols) {
    if (rows === this.#rows && cols === this.#cols) return;
    [this.#rows, this.#cols, this.#chosen] = [rows, cols, null];
    this.#box.scrollTo(0, 0);
    this.#layout();
  }

  /** Draw everything again in the next frame. */
  #redraw() {
    this.#drawn = null;
    this.#scheduleDraw();
  }

  #scheduleDraw() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  /**
   * Zoom in or out by one step; 0 fits the whole field.
   * @param {-1 | 0 | 1} direction
   */
  zoom(direction) {
    const step = Math.max(this.#side * STEP ** direction, direction * (this.#side + 1 / devicePixelRatio));
    this.#resize(direction === 0 ? 'fit' : step, this.#box.clientWidth / 2, this.#box.clientHeight / 2);
  }

  /** Can the user zoom in, and out? Does the whole field fit exactly? */
  get canZoom() {
    const whole = this.#onScreen(this.#whole());
    return { nearer: this.#side + 1 / devicePixelRatio <= MOST, farther: this.#side > Math.min(LEAST, whole), fitted: this.#side === whole };
  }

  /**
   * Scroll a cell to the middle of the box, or as near as possible.
   * @param {number} row
   * @param {number} col
   */
  center(row, col) {
    this.#box.scrollTo((col + 0.5) * this.#side - this.#box.clientWidth / 2, (row + 0.5) * this.#side - this.#box.clientHeight / 2);
  }

  /**
   * Scroll to a cell if it isn't visible.
   * @param {number} row
   * @param {number} col
   */
  scrollTo(row, col) {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.#box, side = this.#side;
    const inside = (/** @type {number} */ at, /** @type {number} */ from, /** @type {number} */ room) => at * side >= from && (at + 1) * side <= from + room;
    if (!inside(col, scrollLeft, clientWidth) || !inside(row, scrollTop, clientHeight)) this.center(row, col);
  }

  /** The space available for the field. */
  #space() {
    return { width: this.pane.clientWidth - LEFT - 2, height: Math.floor(parseFloat(getComputedStyle(this.pane).maxHeight)) - TOP - 2 };
  }

  /** The side at which the whole field is visible. */
  #whole() {
    const { width, height } = this.#space();
    return Math.min(MOST, width / this.#cols, height / this.#rows);
  }

  /** The chosen or initial side, within its limits. */
  #wanted() {
    const whole = this.#whole();
    if (this.#chosen === 'fit') return whole;
    if (this.#chosen !== null) return this.#bounded(this.#chosen, whole);
    return Math.max(whole, matchMedia('(pointer: coarse)').matches ? LEAST_TOUCHED : LEAST_FIRST);
  }

  /**
   * Limit a side to the range of zooming.
   * @param {number} side
   * @param {number} whole the side at which the whole field is visible
   */
  #bounded(side, whole) {
    return Math.min(MOST, Math.max(Math.min(LEAST, whole), side));
  }

  /**
   * Round a side down to whole device pixels, unless it is smaller than one.
   * @param {number} side
   */
  #onScreen(side) {
    const scale = devicePixelRatio;
    return side * scale < 1 ? side : Math.floor(side * scale) / scale;
  }

  /** Compute all sizes, and draw. */
  #layout() {
    if (this.pane.clientWidth === 0) return; // not in the document
    this.#side = this.#onScreen(this.#wanted());
    const { width, height } = this.#space();
    const fieldWidth = this.#cols * this.#side, fieldHeight = this.#rows * this.#side;
    Object.assign(this.#grid.element.style, { width: `${fieldWidth}px`, height: `${fieldHeight}px` });
    // A scroll bar takes space, which can make the other scroll bar necessary.
    const bar = this.#bar();
    const sideways = fieldWidth > width + ROUNDED, upright = fieldHeight > height + ROUNDED - (sideways ? bar : 0);
    Object.assign(this.#box.style, {
      width: `${Math.min(width, fieldWidth + (upright ? bar : 0)) + 2}px`,
      height: `${Math.min(height, fieldHeight + (sideways ? bar : 0)) + 2}px`,
    });
    this.#canvas.style.width = `${this.#box.clientWidth}px`;
    this.#canvas.style.height = `${this.#box.clientHeight}px`;
    this.#drawn = null;
    this.#draw();
    this.#sized();
  }

  #bar() {
    const probe = h('div', { class: 'mine-bar' });
    this.pane.append(probe);
    const bar = probe.offsetWidth - probe.clientWidth;
    probe.remove();
    return bar;
  }

  #recolour() {
    this.#cells = null;
    this.#redraw();
  }

  /** Draw as many names of rows and columns as there is space for. */
  #drawNumbers() {
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = this.#box, side = this.#side, scale = devicePixelRatio;
    const colour = /** @type {Cells} */ (this.#cells).colours.label;
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((count) => count * side >= APART) ?? 1000;
    const write = (/** @type {HTMLCanvasElement} */ canvas, /** @type {number} */ width, /** @type {number} */ height,
      /** @type {number} */ first, /** @type {number} */ last, /** @type {(middle: number) => [number, number]} */ place, name = (/** @type {number} */ number) => String(number)) => {
      [canvas.width, canvas.height] = [width * scale, height * scale]; // also clears it
      Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
      const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
      context.scale(scale, scale);
      Object.assign(context, { fillStyle: colour, font: '11px ui-sans-serif, system-ui, sans-serif', textAlign: 'center', textBaseline: 'middle' });
      for (let number = first; number <= last; number += 1) {
        if (number !== 1 && number % step !== 0) continue;
        const [x, y] = place((number - 0.5) * side + 1), half = context.measureText(name(number)).width / 2;
        // At the edges of the box, a number moves to where all of it can be read.
        context.fillText(name(number), Math.max(half, Math.min(width - half, x)), Math.max(HALF_LINE, Math.min(height - HALF_LINE, y)));
      }
    };
    // From one number before the visible part to one after it, because they can be partly visible.
    const first = (/** @type {number} */ from) => Math.max(1, Math.floor(from / side));
    const last = (/** @type {number} */ to, /** @type {number} */ count) => Math.min(count, Math.ceil(to / side) + 1);
    write(this.#numbers.cols, clientWidth, TOP, first(scrollLeft), last(scrollLeft + clientWidth, this.#cols), (middle) => [middle - scrollLeft, TOP / 2],
      (number) => columnName(number - 1));
    write(this.#numbers.rows, LEFT, clientHeight, first(scrollTop), last(scrollTop + clientHeight, this.#rows), (middle) => [LEFT / 2, middle - scrollTop]);
  }

  /** Draw the visible part. Cells smaller than a device pixel are drawn as one pixel each, and the browser scales the canvas down. */
  #draw() {
    const canvas = this.#canvas, size = Math.max(1, Math.round(this.#side * devicePixelRatio)), scale = size / this.#side;
    const width = Math.round(this.#box.clientWidth * scale), height = Math.round(this.#box.clientHeight * scale);
    if (width === 0 || height === 0) return;
    if (canvas.width !== width || canvas.height !== height) {
      [canvas.width, canvas.height] = [width, height];
      this.#drawn = null;
    }
    if (this.#cells?.size !== size) {
      this.#cells = new Cells(coloursOf(this.pane), size, scale);
      this.#drawn = null;
    }
    this.#drawNumbers();
    const left = Math.round(this.#box.scrollLeft * scale), top = Math.round(this.#box.scrollTop * scale);
    const seen = { left, top, right: Math.min(left + width, this.#cols * size), bottom: Math.min(top + height, this.#rows * size) };
    const before = this.#drawn;
    this.#drawn = { left, top };
    if (!before) {
      this.#context.fillStyle = this.#cells.colours.down; // the cells may leave a fraction of a pixel at the edges
      this.#context.fillRect(0, 0, width, height);
      return this.#drawPart(seen, seen);
    }
    // Move the old picture, and draw only the newly visible parts.
    const right = left - before.left, down = top - before.top;
    this.#context.drawImage(canvas, -right, -down);
    if (right > 0) this.#drawPart(seen, { ...seen, left: Math.max(left, before.left + width) });
    if (right < 0) this.#drawPart(seen, { ...seen, right: Math.min(seen.right, before.left) });
    if (down > 0) this.#drawPart(seen, { ...seen, top: Math.max(top, before.top + height) });
    if (down < 0) this.#drawPart(seen, { ...seen, bottom: Math.min(seen.bottom, before.top) });
  }

  /**
   * @param {Edges} seen  the visible part
   * @param {Edges} edges the part of it to draw
   */
  #drawPart(seen, { left, top, right, bottom }) {
    const cells = /** @type {Cells} */ (this.#cells), { size } = cells;
    const row = Math.floor(top / size), col = Math.floor(left / size);
    const part = { row, col, rows: Math.ceil(bottom / size) - row, cols: Math.ceil(right / size) - col };
    draw(this.#context, this.#scene, cells, part, { x: col * size - seen.left, y: row * size - seen.top });
  }

  /**
   * Change the size of the cells. The part of the field at this point of the box stays in place.
   * @param {number | 'fit'} side
   * @param {number} x
   * @param {number} y
   */
  #resize(side, x, y) {
    const box = this.#box, col = (box.scrollLeft + x) / this.#side, row = (box.scrollTop + y) / this.#side;
    this.#chosen = side === 'fit' ? side : this.#bounded(side, this.#whole());
    this.#layout();
    box.scrollTo(col * this.#side - x, row * this.#side - y);
    this.#redraw();
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = this.#box;
    if (!event.ctrlKey) {
      const scrolls = scrollWidth > clientWidth || scrollHeight > clientHeight;
      if (!scrolls || this.#grid.element === document.activeElement) return;
      // If the field doesn't have the focus, the wheel scrolls the page.
      event.preventDefault();
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE;
      return scrollBy(event.deltaX * pixels, event.deltaY * pixels);
    }
    event.preventDefault();
    const { left, top } = this.#box.getBoundingClientRect();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY / 100 : event.deltaY / 3;
    this.#resize((Number(this.#chosen) || this.#side) * STEP ** -lines, event.clientX - left, event.clientY - top);
  }

  /** Two fingers scroll and zoom, also while painting. Then the cells that the first finger has painted are undone. */
  #listenForTwo() {
    const fingers = (/** @type {TouchEvent} */ event) => {
      const [one, two] = event.touches, { left, top } = this.#box.getBoundingClientRect();
      return {
        distance: Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY),
        x: (one.clientX + two.clientX) / 2 - left, y: (one.clientY + two.clientY) / 2 - top,
      };
    };
    this.#box.addEventListener('touchstart', (event) => {
      if (event.touches.length !== 2) return;
      event.preventDefault();
      this.#grid.cancel();
      this.#session.unpaint();
      this.#pinch = fingers(event);
    }, { passive: false });
    this.#box.addEventListener('touchmove', (event) => {
      if (!this.#pinch || event.touches.length !== 2) return;
      event.preventDefault();
      const before = this.#pinch, now = this.#pinch = fingers(event);
      this.#box.scrollBy(before.x - now.x, before.y - now.y);
      this.#resize((Number(this.#chosen) || this.#side) * (now.distance / Math.max(1, before.distance)), now.x, now.y);
    }, { passive: false });
    for (const end of ['touchend', 'touchcancel']) this.#box.addEventListener(end, () => { this.#pinch = null; });
  }
}
