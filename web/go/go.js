// The playground of /go.

import { h } from '../page/dom.js';
import { t } from '../page/text.js';

/** @typedef {import('../page/main.js').Page} Page */
/** @typedef {import('../page/main.js').Playground} Playground */

/**
 * @param {Page} page
 * @param {any} state
 * @returns {Playground}
 */
export function open(page, state) {
  return {
    element: h('div', { class: 'playground' }, h('h1', {}, t('go.name'))),
    state: () => state ?? {},
    question: () => null,
    close: () => {},
  };
}
