// The panel for files that were dropped on the page or opened. It sends them to the service one at a time. answered.js, the code for a
// single file, is loaded with the first one.

import { h, setContent } from './dom.js';
import { t } from './text.js';

/** @typedef {import('./service.js').Game} Game */
/** @typedef {import('./main.js').Page} Page */
/** @typedef {import('./answered.js').AnsweredFile} AnsweredFile */

export class Dropped {
  #page;
  #show;
  #load;
  /** @type {Set<AnsweredFile>} */
  #files = new Set();
  #title = h('h2');
  #list = h('div', { class: 'answered-files' });
  /** Resolves when the last file in the queue is finished. */
  #queue = Promise.resolve();

  /**
   * @param {Page} page
   * @param {(game: Game, question: object) => void} show show a case on the board of its game
   * @param {(fetching: () => Promise<typeof import('./answered.js')>, again: () => void) =>
   *   Promise<typeof import('./answered.js') | null>} load load a module of the page
   */
  constructor(page, show, load) {
    this.#page = page;
    this.#show = show;
    this.#load = load;
    this.element = h('section', { class: 'card dropped', hidden: true }, this.#title, this.#list);
  }

  /**
   * Add files to the panel.
   * @param {File[]} files
   * @param {Game} game the game on the page: the default if the file's game can't be detected
   */
  async take(files, game) {
    const panel = await this.#load(() => import('./answered.js'), () => void this.take(files, game));
    if (!panel) return;
    const taken = files.map((file) => new panel.AnsweredFile(file, game, {
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

  /** Write all texts in the current language. */
  translate() {
    this.element.setAttribute('aria-label', t('dropped.title'));
    setContent(this.#title, t('dropped.title'));
    for (const answered of this.#files) answered.translate();
  }

  /** @param {AnsweredFile} answered */
  async #ask(answered) {
    const before = this.#queue;
    let over = () => {};
    this.#queue = new Promise((resolve) => {
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
