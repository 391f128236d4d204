// The moves of the game as a list, and those of them that were refused as another: each is gone to by a click or by
// keys.

import { h, put } from '../page/dom.js';
import { t } from '../page/text.js';
import { VirtualList } from '../page/virtual-list.js';
import { nameOf } from './points.js';
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
  /** @type {Line | null} */
  #line = null;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    const missed = (/** @type {number} */ place) => this.#line?.misses[place].move ?? 1;
    this.#moves = this.#list(t('go.moves'), '', () => (this.#line?.length ?? 0) + 1, (place) => place);
    this.#misses = this.#list(t('go.misses-list'), ' short', () => this.#line?.misses.length ?? 0, missed);
    this.element = h('section', { class: 'card', 'aria-label': t('go.moves') },
      h('h2', {}, t('go.moves')), this.#moves.element, this.#missed, this.#misses.element);
  }

  /**
   * @param {string} label
   * @param {string} kind a class
   * @param {() => number} count of its rows
   * @param {(place: number) => number} stepOf the step that a row is about
   */
  #list(label, kind, count, stepOf) {
    return new VirtualList({
      properties: { class: `list${kind}`, role: 'listbox', 'aria-label': label },
      body: { class: 'all', role: 'presentation' },
      rem: 2,
      make: (place) => h('div', { role: 'option', 'aria-posinset': place + 1, 'aria-setsize': count() }, this.#row(stepOf(place))),
      choose: (place) => this.#session.to(stepOf(place)),
    });
  }

  /** @param {number} number 0 for the start */
  #row(number) {
    if (number === 0) return [h('span', { class: 'number' }, 0), t('go.start')];
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
    this.#line = lastLine;
    if (changed) for (const list of [this.#moves, this.#misses]) list.clear();
    this.element.classList.toggle('stale', line === null);
    this.#moves.show(lastLine.length + 1, line ? step : -1);
    const { misses } = lastLine;
    this.#missed.hidden = this.#misses.element.hidden = misses.length === 0;
    if (misses.length === 0) return;
    if (changed) put(this.#missed, t('go.misses', { count: misses.length }));
    this.#misses.show(misses.length, misses.findIndex(({ move }) => move === step));
  }
}
