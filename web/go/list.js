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
  /** @type {Map<number, HTMLElement>} the rows in the document, by their index */
  #rows = new Map();
  /** Is what is chosen to be brought into sight? */
  #follow = false;
  #frame = 0;
  #row = 0;
  #height = 0;
  #resized = new ResizeObserver(() => {
    this.#measure();
    this.#later();
  });

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
      onscroll: () => this.#later(),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#pressed(event),
      onclick: (/** @type {MouseEvent} */ event) => {
        const row = /** @type {Element} */ (event.target).closest('[role=option]');
        if (row) choose(Number(row.getAttribute('aria-posinset')) - 1);
      },
    }, this.#all);
    this.#resized.observe(this.element);
  }

  /**
   * @param {number} rows
   * @param {number} chosen the index of the one that is chosen, or -1
   * @param {unknown} version changes when what the rows say has changed
   */
  show(rows, chosen, version) {
    const key = `${rows} ${version}`;
    if (key === this.#key && chosen === this.#chosen) return;
    if (key !== this.#key) {
      put(this.#all);
      this.#rows.clear();
      this.element.style.setProperty('--count', String(rows));
    }
    this.#key = key;
    this.#count = rows;
    this.#chosen = chosen;
    this.#follow = true;
    this.#later();
  }

  #measure() {
    this.#row = ROW * parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.#height = this.element.clientHeight;
  }

  /** Draw with the next frame, however often that is asked for until then: what is read of the layout is read once. */
  #later() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.#height > 0) this.#draw();
    });
  }

  #draw() {
    const row = this.#row, top = this.#chosen * row;
    let scrolled = this.element.scrollTop;
    if (this.#follow && this.#chosen >= 0 && (top < scrolled || top + row > scrolled + this.#height)) {
      scrolled = top < scrolled ? top : top + row - this.#height;
      this.element.scrollTop = scrolled;
    }
    this.#follow = false;
    const first = Math.max(0, Math.floor(scrolled / row) - SPARE);
    const end = Math.min(this.#count, Math.ceil((scrolled + this.#height) / row) + SPARE);
    for (const [index, element] of this.#rows) {
      if (index >= first && index < end) continue;
      element.remove();
      this.#rows.delete(index);
    }
    for (let index = first; index < end; index += 1) {
      const element = this.#rows.get(index) ?? this.#make(index), selected = String(index === this.#chosen);
      if (element.getAttribute('aria-selected') !== selected) element.setAttribute('aria-selected', selected);
    }
    if (this.#rows.has(this.#chosen)) this.element.setAttribute('aria-activedescendant', `${this.#id}-${this.#chosen}`);
    else this.element.removeAttribute('aria-activedescendant');
  }

  /** @param {number} index */
  #make(index) {
    const element = h('div', {
      role: 'option', id: `${this.#id}-${index}`, 'aria-posinset': index + 1, 'aria-setsize': this.#count,
    }, ...this.#content(index));
    element.style.top = `${index * ROW}rem`;
    // In their order, for who reads the document and does not look at it.
    const next = [...this.#rows.keys()].filter((other) => other > index).sort((one, two) => one - two)[0];
    this.#all.insertBefore(element, this.#rows.get(next) ?? null);
    this.#rows.set(index, element);
    return element;
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const page = Math.max(1, Math.floor(this.#height / this.#row) - 1);
    /** @type {Record<string, number>} */
    const to = { ArrowUp: this.#chosen - 1, ArrowDown: this.#chosen + 1, Home: 0, End: this.#count - 1,
      PageUp: this.#chosen - page, PageDown: this.#chosen + page };
    if (!(event.key in to) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.#choose(Math.max(0, Math.min(this.#count - 1, to[event.key])));
  }
}
