// A table of any number of rows, of which only those in sight are in the document. One row is the current one: pointers choose it,
// and so do keys, while the table itself has the focus.

import { h, put } from './dom.js';

/**
 * @typedef {object} RowsOptions
 * @property {() => string} label                              what the table is, for screen readers
 * @property {() => string[]} columns                          their heads; the first is that of the numbers
 * @property {(rows: number[]) => Promise<{ cells: string[], bad: boolean }[]>} read  what stands in some rows, but for the numbers
 * @property {(row: number) => void} choose                    a row has become the current one
 * @property {(row: number) => void} act                       it was entered, or clicked twice
 */

/** Height of a row, in the page's own measure of text: style.css has it too. */
const ROW_REM = 2.25;

/** No element may be higher in every browser; a table that would be is scrolled through in larger steps. */
const MOST_PIXELS = 15_000_000;

/** Rows that are ready above and below those in sight. */
const SPARE = 6;

let tables = 0;

export class Rows {
  #options;
  #id = `rows-${(tables += 1)}`;
  #head = h('div', { role: 'row', class: 'rows-row rows-head', 'aria-rowindex': 1 });
  #body = h('div', { role: 'rowgroup', class: 'rows-body' });
  /** @type {Map<number, HTMLElement>} the rows in the document, by their place in the table */
  #shown = new Map();
  /** @type {readonly number[] | null} the rows of the table, where these are not all */
  #some = null;
  #count = 0;
  #current = -1;
  #frame = 0;

  /** @param {RowsOptions} options */
  constructor(options) {
    this.#options = options;
    this.element = h('div', {
      class: 'rows', role: 'grid', tabindex: 0, hidden: true,
      onscroll: () => this.#later(),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
      onclick: (/** @type {Event} */ event) => this.#clicked(event),
      ondblclick: () => this.#act(),
    }, h('div', { role: 'rowgroup', class: 'rows-top' }, this.#head), this.#body);
    this.relabel();
    new ResizeObserver(() => this.#later()).observe(this.element);
  }

  /** Say anew what the table and its columns are called. */
  relabel() {
    this.element.setAttribute('aria-label', this.#options.label());
    const columns = this.#options.columns();
    this.element.setAttribute('aria-colcount', String(columns.length));
    put(this.#head, columns.map((column) => h('span', { role: 'columnheader' }, column)));
    this.#forget();
  }

  /**
   * Have so many rows, or these of them; where there are fewer than before, they are others.
   * @param {number} count
   * @param {readonly number[] | null} [some] the numbers of the rows, in order; a list that grows may be given again
   */
  show(count, some = null) {
    if (some !== this.#some || (some ?? { length: count }).length < this.#count) {
      this.#current = -1;
      this.element.scrollTop = 0;
      this.#forget();
    }
    this.#some = some;
    this.#count = some ? some.length : count;
    this.element.hidden = this.#count === 0;
    this.element.setAttribute('aria-rowcount', String(this.#count + 1));
    this.#later();
  }

  /** The current row; null before one was chosen. */
  get current() {
    return this.#current < 0 ? null : this.#number(this.#current);
  }

  /** @param {number} place in the table */
  #number(place) {
    return this.#some ? this.#some[place] : place;
  }

  #forget() {
    for (const row of this.#shown.values()) row.remove();
    this.#shown.clear();
    this.#later();
  }

  /** Draw with the next frame, however often that is asked for until then. */
  #later() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  /** Where what is, in pixels. */
  #measure() {
    const row = ROW_REM * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const height = Math.min(this.#count * row, MOST_PIXELS);
    const sight = Math.max(row, this.element.clientHeight - this.#head.offsetHeight);
    const exact = height === this.#count * row;
    const top = this.element.scrollTop;
    const first = exact ? top / row : (top / Math.max(1, height - sight)) * (this.#count - sight / row);
    return { row, height, sight, exact, top, first };
  }

  #draw() {
    const { row, height, sight, exact, top, first } = this.#measure();
    this.#body.style.height = `${height}px`;
    const from = Math.max(0, Math.floor(first) - SPARE), to = Math.min(this.#count, Math.ceil(first + sight / row) + SPARE);
    for (const [place, element] of this.#shown) {
      if (place >= from && place < to) continue;
      element.remove();
      this.#shown.delete(place);
    }
    /** @type {number[]} */
    const missing = [];
    for (let place = from; place < to; place += 1) {
      if (!this.#shown.has(place)) missing.push(place);
      this.#rowAt(place).style.top = `${exact ? place * row : top + (place - first) * row}px`;
    }
    if (missing.length > 0) void this.#fill(missing);
  }

  /** @param {number} place */
  #rowAt(place) {
    const there = this.#shown.get(place);
    if (there) return there;
    const made = h('div', { role: 'row', class: 'rows-row', id: `${this.#id}-${place}`, 'aria-rowindex': place + 2,
      'aria-selected': String(place === this.#current) }, h('span', { role: 'gridcell', class: 'rows-number' }, this.#number(place) + 1));
    this.#shown.set(place, made);
    // In their order, for who reads the document and does not look at it.
    const next = [...this.#shown.keys()].filter((other) => other > place).sort((a, b) => a - b)[0];
    this.#body.insertBefore(made, next === undefined ? null : this.#shown.get(next) ?? null);
    return made;
  }

  /** @param {number[]} places */
  async #fill(places) {
    const elements = places.map((place) => this.#rowAt(place));
    const rows = await this.#options.read(places.map((place) => this.#number(place)));
    elements.forEach((element, index) => {
      const { cells, bad } = rows[index];
      element.classList.toggle('bad', bad);
      element.append(...cells.map((cell) => h('span', { role: 'gridcell' }, cell)));
    });
  }

  /** @param {number} place */
  #moveTo(place) {
    const to = Math.max(0, Math.min(this.#count - 1, place));
    if (to === this.#current) return;
    const { row, height, sight, exact, first } = this.#measure();
    this.#shown.get(this.#current)?.setAttribute('aria-selected', 'false');
    this.#current = to;
    const scrolled = to < first ? to : to + 1 > first + sight / row ? to + 1 - sight / row : null;
    if (scrolled !== null) {
      this.element.scrollTop = exact ? scrolled * row : (scrolled / (this.#count - sight / row)) * (height - sight);
    }
    this.#draw();
    this.#rowAt(to).setAttribute('aria-selected', 'true');
    this.element.setAttribute('aria-activedescendant', `${this.#id}-${to}`);
    this.#options.choose(this.#number(to));
  }

  #act() {
    const row = this.current;
    if (row !== null) this.#options.act(row);
  }

  /** @param {Event} event */
  #clicked(event) {
    const row = /** @type {Element} */ (event.target).closest('.rows-body > [role=row]');
    const place = [...this.#shown].find(([, element]) => element === row)?.[0];
    if (place !== undefined) this.#moveTo(place);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    const { row, sight } = this.#measure();
    const screen = Math.max(1, Math.floor(sight / row) - 1);
    /** @type {Record<string, number>} */
    const moves = {
      ArrowUp: this.#current - 1, ArrowDown: this.#current + 1, PageUp: this.#current - screen, PageDown: this.#current + screen,
      Home: 0, End: this.#count - 1,
    };
    if (event.key in moves) this.#moveTo(moves[event.key]);
    else if (event.key === 'Enter') this.#act();
    else return;
    event.preventDefault();
  }
}
