// The field to see and to act on. It is seen through a window: the grid is as large as the whole field, in a box that scrolls where cells would become too
// small; the drawing is as large as the box, stays where that is, and shows what is in sight. So a field of a million cells costs no
// more than what is seen of it.

import { h, put } from '../page/dom.js';
import { Grid } from '../page/grid.js';
import { say } from '../page/say.js';
import { t } from '../page/text.js';
import { Cells, coloursOf } from './cells.js';
import { draw, winning } from './drawing.js';
import { cellText } from './words.js';

/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./drawing.js').Scene} Scene */

/** Pixels of the screen from the field's corner. @typedef {{ left: number, top: number, right: number, bottom: number }} Edges */

/**
 * Sides of cells in pixels of CSS: what a field is shrunk to at first, for mice and for fingers; the least that is chosen by
 * zooming, and the most of all. Fit shrinks as far as the whole field needs it.
 */
const LEAST_FIRST = 14, LEAST_TOUCHED = 26, LEAST = 6, MOST = 96;

/** Pixels of a line of text, in which some wheels are measured. */
const LINE = 20;

/** Pixels for the numbers of rows, and of columns, beside the field; and between two numbers. */
const LEFT = 26, TOP = 16, APART = 26;

/** A step of the zoom buttons. */
const STEP = 1.25;

/** Of the window's height so much is left for what stands below the box; which is not lower than so much, and that share of it. */
const BELOW = 298, LEAST_HEIGHT = 260, LEAST_SHARE = 0.55;

/** Pixels by which the sum of sides may be off: a side may be a fraction. */
const ROUNDED = 0.01;

/** What makes the same colours look otherwise. */
const SCHEMES = ['(prefers-color-scheme: dark)', '(prefers-contrast: more)', '(forced-colors: active)'].map((query) => matchMedia(query));

/**
 * @typedef {object} Acts
 * @property {(event: KeyboardEvent) => boolean} key  a key on the field; true: it was taken
 * @property {() => void} sized                       cells have another size
 */

export class View {
  #session;
  #sized;
  #grid;
  /** The cell that is pointed at, and it in words. @type {[number, number] | null} */
  #pointed = null;
  /** The words about the last act, until the pointer moves on. */
  #told = '';
  /** What is pointed at, or what was done, in words. */
  words = h('p', { class: 'mine-words soft' });
  #canvas = h('canvas', { 'aria-hidden': 'true' });
  #context = /** @type {CanvasRenderingContext2D} */ (this.#canvas.getContext('2d', { alpha: false }));
  #box = h('div', { class: 'mine-box' });
  /** The numbers of columns and rows. */
  #numbers = { cols: h('canvas', { class: 'mine-columns', 'aria-hidden': 'true' }), rows: h('canvas', { 'aria-hidden': 'true' }) };
  #rows = 1;
  #cols = 1;
  /** The side of a cell in pixels of CSS: a whole number of pixels of the screen, or less than one of these. */
  #side = MOST;
  /** @type {number | 'fit' | null} that which was chosen by zooming; null: that of the first view */
  #chosen = null;
  /** @type {Cells | null} */
  #cells = null;
  #frame = 0;
  /** @type {{ left: number, top: number } | null} what the drawing shows, in pixels of the screen; null: it is to be drawn as a whole */
  #drawn = null;
  /** @type {{ distance: number, x: number, y: number } | null} two fingers, as they were last */
  #pinch = null;
  /** What is shown: made once for all of its cells. @type {Scene} */
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
    const { signal } = this.#closed;
    addEventListener('resize', () => this.#layout(), { signal });
    for (const scheme of SCHEMES) scheme.addEventListener('change', () => this.#recolour(), { signal });
    this.#box.addEventListener('scroll', () => this.#soon(), { passive: true });
    this.#box.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    this.#listenForTwo();
  }

  /** End what goes on outside the element. */
  close() {
    this.#closed.abort();
    this.#sizes.disconnect();
    cancelAnimationFrame(this.#frame);
  }

  /** Show all anew. */
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

  /** @returns {Scene} what is to be drawn now */
  #sceneNow() {
    const { scene } = this.#session;
    return { ...scene, winning: winning(scene) };
  }

  /**
   * A cell in words.
   * @param {number} row
   * @param {number} col
   */
  describe(row, col) {
    return cellText(this.#scene, row, col, this.#session.mode);
  }

  /**
   * Click, or paint. The right button says what a cell is, and takes a mine away.
   * @param {number} row
   * @param {number} col
   * @param {import('../page/grid.js').Act} how
   */
  #act(row, col, how) {
    const session = this.#session;
    if (session.mode === 'edit') return session.paint(row, col, how);
    if (how.second) return this.tell(this.describe(row, col));
    const outcome = session.click(row, col);
    if (outcome !== 'done' && outcome !== 'wrong') this.tell(t(`mine.not-${outcome}`));
  }

  /** @param {[number, number] | null} cell */
  #point(cell) {
    if (cell?.[0] !== this.#pointed?.[0] || cell?.[1] !== this.#pointed?.[1]) this.#told = '';
    this.#pointed = cell;
    put(this.words, this.#told || (cell && this.describe(...cell)));
  }

  /**
   * Say something about an act on the field. It stays below the field until the pointer moves to another cell.
   * @param {string} words
   */
  tell(words) {
    this.#told = words;
    put(this.words, words);
    say(words);
  }

  /** Give the field the focus. */
  focus() {
    this.#grid.element.focus();
  }

  /**
   * Put the cursor onto a cell, and into sight.
   * @param {number} row
   * @param {number} col
   */
  moveTo(row, col) {
    this.scrollTo(row, col);
    this.#grid.moveTo(row, col);
  }

  /**
   * Take another size, and show all of the field if its cells are not too small for that.
   * @param {number} rows
   * @param {number} cols
   */
  #reshape(rows, cols) {
    if (rows === this.#rows && cols === this.#cols) return;
    [this.#rows, this.#cols, this.#chosen] = [rows, cols, null];
    this.#box.scrollTo(0, 0);
    this.#layout();
  }

  /** Draw all again, with the next frame. */
  #redraw() {
    this.#drawn = null;
    this.#soon();
  }

  #soon() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  /**
   * A step nearer or farther; 0: the whole field.
   * @param {-1 | 0 | 1} direction
   */
  zoom(direction) {
    const step = Math.max(this.#side * STEP ** direction, direction * (this.#side + 1 / devicePixelRatio));
    this.#resize(direction === 0 ? 'fit' : step, this.#box.clientWidth / 2, this.#box.clientHeight / 2);
  }

  /** Can it be zoomed nearer, and farther? Is the whole field in sight? */
  get canZoom() {
    const whole = this.#onScreen(this.#whole());
    return { nearer: this.#side + 1 / devicePixelRatio <= MOST, farther: this.#side > Math.min(LEAST, whole), fitted: this.#side === whole };
  }

  /**
   * Have a cell in the middle of the box, as far as that goes.
   * @param {number} row
   * @param {number} col
   */
  center(row, col) {
    this.#box.scrollTo((col + 0.5) * this.#side - this.#box.clientWidth / 2, (row + 0.5) * this.#side - this.#box.clientHeight / 2);
  }

  /**
   * Scroll to a cell, if it is not in sight.
   * @param {number} row
   * @param {number} col
   */
  scrollTo(row, col) {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.#box, side = this.#side;
    const inside = (/** @type {number} */ at, /** @type {number} */ from, /** @type {number} */ room) => at * side >= from && (at + 1) * side <= from + room;
    if (!inside(col, scrollLeft, clientWidth) || !inside(row, scrollTop, clientHeight)) this.center(row, col);
  }

  /** The space for the field. */
  #space() {
    const above = this.pane.getBoundingClientRect().top + scrollY;
    const height = Math.max(LEAST_HEIGHT, innerHeight * LEAST_SHARE, innerHeight - above - BELOW);
    return { width: this.pane.clientWidth - LEFT - 2, height: height - TOP };
  }

  /** The side at which the whole field is in sight. */
  #whole() {
    const { width, height } = this.#space();
    return Math.min(MOST, width / this.#cols, height / this.#rows);
  }

  /** The side that is wanted, as far as it can be. */
  #wanted() {
    const whole = this.#whole();
    if (this.#chosen === 'fit') return whole;
    if (this.#chosen !== null) return this.#bounded(this.#chosen, whole);
    return Math.max(whole, matchMedia('(pointer: coarse)').matches ? LEAST_TOUCHED : LEAST_FIRST);
  }

  /**
   * A side as far as zooming goes.
   * @param {number} side
   * @param {number} whole the side at which the whole field is in sight
   */
  #bounded(side, whole) {
    return Math.min(MOST, Math.max(Math.min(LEAST, whole), side));
  }

  /**
   * A side in whole pixels of the screen, if it is not smaller than one.
   * @param {number} side
   */
  #onScreen(side) {
    const scale = devicePixelRatio;
    return side * scale < 1 ? side : Math.floor(side * scale) / scale;
  }

  /** Measure anew, and draw. */
  #layout() {
    if (this.pane.clientWidth === 0) return; // not in the document
    this.#side = this.#onScreen(this.#wanted());
    const { width, height } = this.#space();
    const fieldWidth = this.#cols * this.#side, fieldHeight = this.#rows * this.#side;
    Object.assign(this.#grid.element.style, { width: `${fieldWidth}px`, height: `${fieldHeight}px` });
    // A bar that scrolls one way takes room that the other way has to have.
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

  /** How wide a bar that scrolls is here. */
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

  /** Write the numbers of the rows and columns in sight, as many as have space. */
  #drawNumbers() {
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = this.#box, side = this.#side, scale = devicePixelRatio;
    const colour = getComputedStyle(this.pane).getPropertyValue('--soft');
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((count) => count * side >= APART) ?? 1000;
    const write = (/** @type {HTMLCanvasElement} */ canvas, /** @type {number} */ width, /** @type {number} */ height,
      /** @type {number} */ count, /** @type {(middle: number) => [number, number]} */ place) => {
      [canvas.width, canvas.height] = [width * scale, height * scale];
      Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
      const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
      context.scale(scale, scale);
      Object.assign(context, { fillStyle: colour, font: '11px ui-sans-serif, system-ui, sans-serif', textAlign: 'center', textBaseline: 'middle' });
      for (let at = 0; at < count; at += 1) {
        if (at === 0 || (at + 1) % step === 0) context.fillText(String(at + 1), ...place((at + 0.5) * side + 1));
      }
    };
    write(this.#numbers.cols, clientWidth, TOP, this.#cols, (middle) => [middle - scrollLeft, TOP / 2]);
    write(this.#numbers.rows, LEFT, clientHeight, this.#rows, (middle) => [LEFT / 2, middle - scrollTop]);
  }

  /** Cells smaller than a pixel of the screen are drawn as one, and the drawing is shrunk by the browser. */
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
      this.#context.fillStyle = this.#cells.colours.down; // a fraction of a pixel may be left at the edges
      this.#context.fillRect(0, 0, width, height);
      return this.#drawPart(seen, seen);
    }
    // What was in sight before is moved; only what has come into sight is drawn.
    const right = left - before.left, down = top - before.top;
    this.#context.drawImage(canvas, -right, -down);
    if (right > 0) this.#drawPart(seen, { ...seen, left: Math.max(left, before.left + width) });
    if (right < 0) this.#drawPart(seen, { ...seen, right: Math.min(seen.right, before.left) });
    if (down > 0) this.#drawPart(seen, { ...seen, top: Math.max(top, before.top + height) });
    if (down < 0) this.#drawPart(seen, { ...seen, bottom: Math.min(seen.bottom, before.top) });
  }

  /**
   * @param {Edges} seen  what is in sight
   * @param {Edges} edges what of it is to be drawn
   */
  #drawPart(seen, { left, top, right, bottom }) {
    const cells = /** @type {Cells} */ (this.#cells), { size } = cells;
    const row = Math.floor(top / size), col = Math.floor(left / size);
    const part = { row, col, rows: Math.ceil(bottom / size) - row, cols: Math.ceil(right / size) - col };
    draw(this.#context, this.#scene, cells, part, { x: col * size - seen.left, y: row * size - seen.top });
  }

  /**
   * Cells of another size, and the same place of the field under a point of the box.
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
      // Without the focus the wheel is the page's, whatever is below the pointer.
      event.preventDefault();
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE;
      return scrollBy(event.deltaX * pixels, event.deltaY * pixels);
    }
    event.preventDefault();
    const { left, top } = this.#box.getBoundingClientRect();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY / 100 : event.deltaY / 3;
    this.#resize((Number(this.#chosen) || this.#side) * STEP ** -lines, event.clientX - left, event.clientY - top);
  }

  /** Two fingers move the field and zoom it, also where one paints: what the first finger has painted was not meant. */
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
