// The moves of the game as a list, and those of them that were refused as another: each is gone to by a click or by
// keys.

import { h, put } from '../page/dom.js';
import { t } from '../page/text.js';
import { nameOf } from './points.js';
import { List } from './list.js';
import { dot } from './tools.js';
import { reasonText } from './words.js';

/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./line.js').Line} Line */
/** @typedef {import('./line.js').Entry} Entry */

export class MovesCard {
  #session;
  #moves;
  #misses;
  #missed = h('h2');
  #versions = 0;
  /** @type {Line | null} */
  #line = null;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    const start = () => [h('span', { class: 'number' }, 0), t('go.start')];
    const missed = (/** @type {number} */ index) => this.#line?.misses[index].move ?? 1;
    this.#moves = new List(t('go.moves'), '', (index) => (index === 0 ? start() : this.#row(index)),
      (index) => session.to(index));
    this.#misses = new List(t('go.misses-list'), 'short', (index) => this.#row(missed(index)),
      (index) => session.to(missed(index)));
    this.element = h('section', { class: 'card', 'aria-label': t('go.moves') },
      h('h2', {}, t('go.moves')), this.#moves.element, this.#missed, this.#misses.element);
  }

  /** @param {number} number */
  #row(number) {
    const entry = /** @type {Line} */ (this.#line).entry(number), { color, at, miss, taken, changed } = entry;
    const point = at ? nameOf(at, this.#session.size) : t('go.pass');
    return [
      h('span', { class: 'number' }, number),
      color && [dot(color), h('span', { class: 'unseen' }, t(`go.color.${color}`))],
      h('span', {}, changed && !miss ? t('go.record-sets') : point),
      miss ? h('span', { class: 'more refused' }, `✕ ${reasonText(miss)}`)
        : taken.length > 0 && h('span', { class: 'more' }, t('go.takes', { count: taken.length })),
    ];
  }

  show() {
    const { lastLine, line, step } = this.#session;
    this.element.hidden = !lastLine?.boards || lastLine.length === 0;
    if (!lastLine || this.element.hidden) return;
    const changed = lastLine !== this.#line;
    if (changed) this.#versions += 1;
    this.#line = lastLine;
    this.element.classList.toggle('stale', line === null);
    this.#moves.show(lastLine.length + 1, line ? step : -1, this.#versions);
    const { misses } = lastLine;
    this.#missed.hidden = this.#misses.element.hidden = misses.length === 0;
    if (misses.length === 0) return;
    if (changed) put(this.#missed, t('go.misses', { count: misses.length }));
    this.#misses.show(misses.length, misses.findIndex(({ move }) => move === step), this.#versions);
  }
}
