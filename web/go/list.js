// A list of which only what is in sight is in the document: thousands of moves cost no more than ten.

import { h, put } from '../page/dom.js';

/** @typedef {import('../page/dom.js').Child} Child */

/** Height of a row in rem, as go.css has it. */
const ROW = 2;
/** Rows that are kept ready above and below what is in sight. */
const SPARE = 3;

let count = 0;

export class List {
  #id = `list-${(count += 1)}`;
  #all = h('div', { class: 'all', role: 'presentation' });
  #content;
  #choose;
  #count = 0;
  #chosen = -1;
  #key = '';

  /**
   * @param {string} label
   * @param {string} kind a class
   * @param {(index: number) => Child[]} content of a row
   * @param {(index: number) => void} choose a row was clicked, or come to by keys
   */
  constructor(label, kind, content, choose) {
    this.#content = content;
    this.#choose = choose;
    this.element = h('div', {
      class: `list ${kind}`, role: 'listbox', tabindex: 0, 'aria-label': label,
      onscroll: () => this.#draw(),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#pressed(event),
      onclick: (/** @type {MouseEvent} */ event) => {
        const row = /** @type {Element} */ (event.target).closest('[role=option]');
        if (row) choose(Number(row.getAttribute('aria-posinset')) - 1);
      },
    }, this.#all);
    new ResizeObserver(() => this.#draw()).observe(this.element);
  }

  /**
   * @param {number} rows
   * @param {number} chosen the index of the one that is chosen, or -1
   * @param {unknown} version changes when what the rows say has changed
   */
  show(rows, chosen, version) {
    const key = `${rows} ${version}`;
    if (key === this.#key && chosen === this.#chosen) return;
    const anew = key !== this.#key, moved = chosen !== this.#chosen;
    this.#key = key;
    this.#count = rows;
    this.#chosen = chosen;
    if (anew) {
      put(this.#all);
      this.#all.style.height = `${rows * ROW}rem`;
    }
    if (moved || anew) this.#into(chosen);
    this.#draw();
  }

  /** The height of a row in pixels. */
  get #row() {
    return ROW * parseFloat(getComputedStyle(document.documentElement).fontSize);
  }

  /** @param {number} index */
  #into(index) {
    const row = this.#row, top = index * row, { scrollTop, clientHeight } = this.element;
    if (index < 0) return;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + row > scrollTop + clientHeight) this.element.scrollTop = top + row - clientHeight;
  }

  #draw() {
    const row = this.#row, { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / row) - SPARE);
    const end = Math.min(this.#count, Math.ceil((scrollTop + clientHeight) / row) + SPARE);
    /** @type {Map<number, Element>} */
    const there = new Map();
    for (const element of [...this.#all.children]) {
      const index = Number(element.getAttribute('aria-posinset')) - 1;
      if (index < first || index >= end) element.remove();
      else there.set(index, element);
    }
    for (let index = first; index < end; index += 1) {
      const element = there.get(index) ?? this.#make(index);
      const selected = String(index === this.#chosen);
      if (element.getAttribute('aria-selected') !== selected) element.setAttribute('aria-selected', selected);
    }
    if (this.#chosen >= first && this.#chosen < end) this.element.setAttribute('aria-activedescendant', `${this.#id}-${this.#chosen}`);
    else this.element.removeAttribute('aria-activedescendant');
  }

  /** @param {number} index */
  #make(index) {
    const element = h('div', { role: 'option', id: `${this.#id}-${index}`, 'aria-posinset': index + 1, 'aria-setsize': this.#count },
      ...this.#content(index));
    element.style.top = `${index * ROW}rem`;
    this.#all.append(element);
    return element;
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.#row) - 1);
    /** @type {Record<string, number>} */
    const to = { ArrowUp: this.#chosen - 1, ArrowDown: this.#chosen + 1, Home: 0, End: this.#count - 1,
      PageUp: this.#chosen - page, PageDown: this.#chosen + page };
    if (!(event.key in to) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.#choose(Math.max(0, Math.min(this.#count - 1, to[event.key])));
  }
}
