// The panel of files that were dropped on the page or opened: each is answered in its turn. What it is made of is loaded with the first
// file: most readers have none.

import { h, put } from './dom.js';
import { t } from './text.js';

/** @typedef {import('./service.js').Game} Game */
/** @typedef {import('./main.js').Page} Page */
/** @typedef {import('./answered.js').AnsweredFile} AnsweredFile */

export class Dropped {
  #page;
  #show;
  #reach;
  /** @type {Set<AnsweredFile>} */
  #files = new Set();
  #title = h('h2');
  #list = h('div', { class: 'answered-files' });
  /** The end of the last file that was to be asked: one is answered after the other. */
  #turn = Promise.resolve();

  /**
   * @param {Page} page
   * @param {(game: Game, question: object) => void} show show a case on the board of its game
   * @param {(fetching: () => Promise<typeof import('./answered.js')>, again: () => void) =>
   *   Promise<typeof import('./answered.js') | null>} reach fetch a part of the page
   */
  constructor(page, show, reach) {
    this.#page = page;
    this.#show = show;
    this.#reach = reach;
    this.element = h('section', { class: 'card dropped', hidden: true }, this.#title, this.#list);
  }

  /**
   * Answer files.
   * @param {File[]} files
   * @param {Game} game the one that is shown: a file that does not tell may be for it
   */
  async take(files, game) {
    const part = await this.#reach(() => import('./answered.js'), () => void this.take(files, game));
    if (!part) return;
    const taken = files.map((file) => new part.AnsweredFile(file, game, {
      service: this.#page.service,
      show: this.#show,
      ask: (answered) => void this.#ask(answered),
      close: (answered) => this.#close(answered),
    }));
    for (const answered of taken) {
      this.#files.add(answered);
      this.#list.append(answered.element);
      void answered.begin();
    }
    this.element.hidden = this.#files.size === 0;
    taken[0]?.element.focus({ preventScroll: true });
    taken[0]?.element.scrollIntoView();
  }

  /** Say everything in the language that is spoken now. */
  speak() {
    this.element.setAttribute('aria-label', t('dropped.title'));
    put(this.#title, t('dropped.title'));
    for (const answered of this.#files) answered.speak();
  }

  /** @param {AnsweredFile} answered */
  async #ask(answered) {
    const before = this.#turn;
    let over = () => {};
    this.#turn = new Promise((resolve) => {
      over = resolve;
    });
    await before;
    try {
      await answered.run();
    } finally {
      over();
    }
  }

  /** @param {AnsweredFile} answered */
  #close(answered) {
    answered.stop();
    this.#files.delete(answered);
    answered.element.remove();
    this.element.hidden = this.#files.size === 0;
    (this.#files.size === 0 ? document.querySelector('main') : this.#list.querySelector('article'))?.focus();
  }
}
