// Files that were dropped on the page, answered as streams.

import { h } from './dom.js';
import { t } from './text.js';

/** @typedef {import('./service.js').Game} Game */
/** @typedef {import('./main.js').Page} Page */

export class Dropped {
  /**
   * @param {Page} page
   * @param {(game: Game, question: object) => void} show
   */
  constructor(page, show) {
    this.element = h('section', { class: 'card', hidden: true });
    this.page = page;
    this.show = show;
  }

  /**
   * @param {FileList | File[]} files
   * @param {Game} game
   */
  take(files, game) {
    this.element.setAttribute('aria-label', t('dropped.title'));
    void files, game;
  }
}
