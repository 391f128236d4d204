// Prisoners and area, as the service counts them.

import { h } from '../page/dom.js';
import { number, t } from '../page/text.js';
import { COLORS, dot } from './tools.js';

/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./game.js').Color} Color */

export class Counts {
  #session;
  /** @type {Record<Color, { prisoners: HTMLElement, area: HTMLElement }>} */
  #cells = { B: { prisoners: h('td'), area: h('td') }, W: { prisoners: h('td'), area: h('td') } };
  #neutral = h('td', { colspan: 2 });
  #table;

  /**
   * @param {Session} session
   * @param {HTMLElement} lead what invites a newcomer
   */
  constructor(session, lead) {
    this.#session = session;
    const row = (/** @type {string} */ key, /** @type {'prisoners' | 'area'} */ of) =>
      h('tr', {}, h('th', { scope: 'row' }, t(key)), COLORS.map((color) => this.#cells[color][of]));
    this.#table = h('table', { class: 'count', 'aria-label': t('go.counts') },
      h('thead', {}, h('tr', {}, h('td'),
        COLORS.map((color) => h('th', { scope: 'col' }, dot(color), t(`go.color.${color}`))))),
      h('tbody', {}, row('go.prisoners', 'prisoners'), row('go.area', 'area'),
        h('tr', {}, h('th', { scope: 'row' }, t('go.neutral')), this.#neutral)));
    this.element = h('section', { class: 'card', 'aria-label': t('go.counts') }, lead, this.#table,
      h('p', { class: 'soft' }, t('go.area-note')));
  }

  show() {
    const { waiting, failed, score, step, lastLine, line } = this.#session;
    this.#table.classList.toggle('stale', waiting);
    this.#table.setAttribute('aria-busy', String(waiting && !failed));
    const prisoners = (line ?? (failed ? null : lastLine))?.prisoners(step);
    for (const color of COLORS) {
      write(this.#cells[color].prisoners, prisoners?.[color]);
      write(this.#cells[color].area, score?.[color]);
    }
    write(this.#neutral, score?.neutral);
  }
}

/**
 * @param {HTMLElement} cell
 * @param {number | undefined} count undefined: not known
 */
function write(cell, count) {
  const text = count === undefined ? '–' : number(count);
  if (cell.textContent !== text) cell.textContent = text;
}
