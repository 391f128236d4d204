// A list of any number of rows. Only the rows in sight are in the document, so a million rows cost no more than ten. You choose a row
// with the pointer, or with keys while the list has the focus.

import { clearContent, h } from './dom.js';

/** The largest height of an element that works in every browser. A longer list scrolls in larger steps. */
const MOST_PIXELS = 15_000_000;

/** Extra rows in the document, above and below those in sight. */
const SPARE = 6;

let lists = 0;

export class VirtualList {
  #options;
  #id = `list-${(lists += 1)}`;
  #body;
  /** @type {Map<number, HTMLElement>} the rows in the document, by their place in the list */
  #rows = new Map();
  #count = 0;
  #chosen = -1;
  /** Should the next frame scroll to the chosen row? */
  #scrollToChosen = false;
  #frame = 0;
  /** The height of a row, and of the visible part of the list, in pixels; 0 until measured. */
  #row = 0;
  #visible = 0;

  /**
   * @param {object} options
   * @param {Record<string, any>} options.properties          of the list's element: class, role, label
   * @param {Record<string, any>} options.body                of the element that holds the rows
   * @param {number} options.rem                              the height of a row in the style sheet
   * @param {HTMLElement} [options.head]                      stays above the rows
   * @param {(place: number) => HTMLElement} options.make     make a row
   * @param {(places: number[], rows: HTMLElement[]) => void} [options.made]  called after rows have been made
   * @param {(place: number) => void} options.choose          a row was clicked, or reached by a key
   * @param {(place: number) => void} [options.act]           the chosen row was double-clicked, or Enter was pressed
   */
  constructor(options) {
    this.#options = options;
    this.#body = h('div', options.body);
    this.element = h('div', {
      tabindex: 0, ...options.properties,
      onscroll: () => this.#drawSoon(),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
      onclick: (/** @type {MouseEvent} */ event) => this.#click(event),
      ondblclick: () => this.#act(),
    }, options.head && h('div', { class: 'rows-top', role: 'rowgroup' }, options.head), this.#body);
    new ResizeObserver(() => {
      this.#measure();
      this.#drawSoon();
    }).observe(this.element);
  }

  /**
   * @param {number} count
   * @param {number} chosen the place of the chosen row; -1: none
   */
  show(count, chosen) {
    if (count === this.#count && chosen === this.#chosen) return;
    this.element.style.setProperty('--count', String(count));
    this.#scrollToChosen ||= chosen !== this.#chosen;
    this.#count = count;
    this.#chosen = chosen;
    this.#drawSoon();
  }

  /** Remove all rows and make them again. */
  clear() {
    clearContent(this.#body);
    this.#rows.clear();
    this.#scrollToChosen = true;
    this.#drawSoon();
  }

  #measure() {
    this.#row = this.#options.rem * parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.#visible = Math.max(this.#row, this.element.clientHeight - (this.#options.head?.offsetHeight ?? 0));
  }

  /** Draw in the next frame, once even for several calls. */
  #drawSoon() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.#row === 0) this.#measure();
      this.#draw();
    });
  }

  /** The height of all rows, in pixels. */
  get #height() {
    return Math.min(this.#count * this.#row, MOST_PIXELS);
  }

  /** Do all rows fit into MOST_PIXELS? */
  get #exact() {
    return this.#height === this.#count * this.#row;
  }

  /** Rows per pixel of scrolling. */
  get #rowsPerPixel() {
    return this.#exact ? 1 / this.#row : (this.#count - this.#visible / this.#row) / Math.max(1, this.#height - this.#visible);
  }

  #draw() {
    const row = this.#row, exact = this.#exact, pace = this.#rowsPerPixel, inSight = this.#visible / row;
    let top = this.element.scrollTop, first = top * pace;
    if (this.#scrollToChosen && this.#chosen >= 0 && (this.#chosen < first || this.#chosen + 1 > first + inSight)) {
      first = this.#chosen < first ? this.#chosen : this.#chosen + 1 - inSight;
      top = first / pace;
    }
    this.#scrollToChosen = false;
    this.#body.style.height = `${this.#height}px`;
    if (top !== this.element.scrollTop) this.element.scrollTop = top;
    const from = Math.max(0, Math.floor(first) - SPARE), to = Math.min(this.#count, Math.ceil(first + inSight) + SPARE);
    for (const [place, element] of this.#rows) {
      if (place >= from && place < to) continue;
      element.remove();
      this.#rows.delete(place);
    }
    const made = [];
    for (let place = from; place < to; place += 1) {
      if (!this.#rows.has(place)) made.push(place);
      const element = this.#rowAt(place), selected = String(place === this.#chosen);
      const y = `${exact ? place * row : top + (place - first) * row}px`;
      if (element.style.top !== y) element.style.top = y;
      if (element.getAttribute('aria-selected') !== selected) element.setAttribute('aria-selected', selected);
    }
    if (this.#rows.has(this.#chosen)) this.element.setAttribute('aria-activedescendant', `${this.#id}-${this.#chosen}`);
    else this.element.removeAttribute('aria-activedescendant');
    if (made.length > 0) this.#options.made?.(made, made.map((place) => this.#rowAt(place)));
  }

  /** @param {number} place */
  #rowAt(place) {
    const there = this.#rows.get(place);
    if (there) return there;
    const made = this.#options.make(place);
    made.id = `${this.#id}-${place}`;
    // Keep the rows in order, for screen readers.
    const next = [...this.#rows.keys()].filter((other) => other > place).sort((a, b) => a - b)[0];
    this.#body.insertBefore(made, this.#rows.get(next) ?? null);
    this.#rows.set(place, made);
    return made;
  }

  #act() {
    if (this.#chosen >= 0) this.#options.act?.(this.#chosen);
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const [place] = [...this.#rows].find(([, element]) => element.contains(/** @type {Node} */ (event.target))) ?? [];
    if (place !== undefined) this.#options.choose(place);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.metaKey || event.ctrlKey || this.#row === 0) return;
    const page = Math.max(1, Math.floor(this.#visible / this.#row) - 1), chosen = this.#chosen;
    /** @type {Record<string, number>} */
    const moves = {
      ArrowUp: chosen - 1, ArrowDown: chosen + 1, PageUp: chosen - page, PageDown: chosen + page, Home: 0, End: this.#count - 1,
    };
    if (event.key in moves) this.#options.choose(Math.max(0, Math.min(this.#count - 1, moves[event.key])));
    else if (event.key === 'Enter' && this.#options.act) this.#act();
    else return;
    event.preventDefault();
  }
}
