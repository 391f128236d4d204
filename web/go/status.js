// Who is to play, prisoners and area, and what a click does: play, or set up.

import { h, put } from '../page/dom.js';
import { number, t } from '../page/text.js';

/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./game.js').Color} Color */

const COLORS = /** @type {const} */ (['B', 'W']);

/** @param {Color} color */
export const dot = (color) => h('span', { class: `dot ${color}`, 'aria-hidden': 'true' });

/**
 * What is chosen in the set-up: a colour, or null, which erases.
 * @typedef {{ brush: Color | null, choose: (brush: Color | null) => void, become: (mode: 'play' | 'setup') => void }} Tools
 */

export class Status {
  #session;
  #tools;
  #turn = h('p', { class: 'turn' });
  /** @type {Record<Color, { prisoners: HTMLElement, area: HTMLElement }>} */
  #cells = { B: { prisoners: h('td'), area: h('td') }, W: { prisoners: h('td'), area: h('td') } };
  #neutral = h('td', { colspan: 2 });
  #count;
  #modes;
  #next;
  #brushes;
  #alternate;
  #playing;
  #setting;

  /**
   * @param {Session} session
   * @param {Tools} tools
   * @param {HTMLElement} lead what invites a newcomer
   */
  constructor(session, tools, lead) {
    this.#session = session;
    this.#tools = tools;
    const press = (/** @type {any} */ label, /** @type {() => void} */ onclick) => h('button', { type: 'button', onclick }, label);
    this.#modes = {
      play: press(t('go.mode.play'), () => tools.become('play')),
      setup: press(t('go.mode.setup'), () => tools.become('setup')),
    };
    this.#next = COLORS.map((color) => press([dot(color), ' ', t(`go.color.${color}`)], () => session.choose(color)));
    this.#brushes = [...COLORS, null].map((brush) =>
      press(brush ? [dot(brush), ' ', t(`go.brush.${brush}`)] : t('go.brush.erase'), () => tools.choose(brush)));
    this.#alternate = h('input', { type: 'checkbox', onchange: () => session.setAlternate(this.#alternate.checked) });
    this.#playing = h('div', { class: 'row', role: 'group', 'aria-label': t('go.next') },
      h('span', {}, t('go.next')), this.#next, h('label', {}, this.#alternate, t('go.alternate')));
    this.#setting = h('div', { class: 'choice' },
      h('div', { class: 'row', role: 'group', 'aria-label': t('go.brushes') }, this.#brushes), h('p', { class: 'soft' }, t('go.setup-note')));
    this.#count = this.#counts();
    this.element = h('section', { class: 'card', 'aria-label': t('go.name') },
      h('h1', {}, t('go.name')), lead, this.#turn,
      h('div', { class: 'row', role: 'group', 'aria-label': t('go.modes') }, this.#modes.play, this.#modes.setup),
      this.#playing, this.#setting, this.#count, h('p', { class: 'soft' }, t('go.area-note')));
  }

  #counts() {
    const row = (/** @type {string} */ key, /** @type {'prisoners' | 'area'} */ of) =>
      h('tr', {}, h('th', { scope: 'row' }, t(key)), COLORS.map((color) => this.#cells[color][of]));
    return h('table', { class: 'count', 'aria-label': t('go.counts') },
      h('thead', {}, h('tr', {}, h('td'), COLORS.map((color) => h('th', { scope: 'col' }, dot(color), t(`go.color.${color}`))))),
      h('tbody', {}, row('go.prisoners', 'prisoners'), row('go.area', 'area'),
        h('tr', {}, h('th', { scope: 'row' }, t('go.neutral')), this.#neutral)));
  }

  show() {
    const session = this.#session, { mode, next, waiting, score, step, lastLine, line } = session;
    const playing = mode === 'play';
    pressed(this.#modes.play, playing);
    pressed(this.#modes.setup, !playing);
    this.#playing.hidden = !playing;
    this.#setting.hidden = playing;
    this.#next.forEach((button, at) => pressed(button, COLORS[at] === next));
    this.#brushes.forEach((button, at) => pressed(button, ([...COLORS, null])[at] === this.#tools.brush));
    this.#alternate.checked = session.alternate;
    say(this.#turn, playing ? [dot(next), ' ', t(`go.turn.${next}`)] : [t('go.setup')], `${mode} ${next}`);
    this.#count.classList.toggle('stale', waiting);
    this.#count.setAttribute('aria-busy', String(waiting));
    const prisoners = (line ?? lastLine)?.prisoners(step);
    for (const color of COLORS) {
      write(this.#cells[color].prisoners, prisoners ? number(prisoners[color]) : '–');
      write(this.#cells[color].area, score ? number(score[color]) : '–');
    }
    write(this.#neutral, score ? number(score.neutral) : '–');
  }
}

/**
 * @param {HTMLElement} button
 * @param {boolean} is
 */
function pressed(button, is) {
  if (button.getAttribute('aria-pressed') !== String(is)) button.setAttribute('aria-pressed', String(is));
}

/**
 * @param {HTMLElement} element
 * @param {string} text
 */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * @param {HTMLElement} element
 * @param {any[]} children
 * @param {string} key
 */
function say(element, children, key) {
  if (element.dataset.key === key) return;
  element.dataset.key = key;
  put(element, children);
}
