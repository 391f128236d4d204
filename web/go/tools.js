// What a click does: play a stone of the next colour, or set one up.

import { h } from '../page/dom.js';
import { t } from '../page/text.js';

/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./game.js').Color} Color */

export const COLORS = /** @type {const} */ (['B', 'W']);

/**
 * A small stone, beside the word that names it.
 * @param {Color} color
 */
export const dot = (color) => h('span', { class: `dot ${color}`, 'aria-hidden': 'true' });

const MODES = /** @type {const} */ (['play', 'setup']);

/** What the set-up sets: a colour, or null, which erases. @type {readonly (Color | null)[]} */
const BRUSHES = [...COLORS, null];

export class Tools {
  #session;
  #modes;
  #next;
  #brushes;
  #alternate;
  #playing;
  #setting;
  #changed;

  /** What the set-up sets now. @type {Color | null} */
  brush = 'B';

  /**
   * @param {Session} session
   * @param {() => void} changed  another brush or mode was chosen
   */
  constructor(session, changed) {
    this.#session = session;
    this.#changed = changed;
    const press = (/** @type {any} */ label, /** @type {() => void} */ onclick) =>
      h('button', { type: 'button', onclick }, label);
    const group = (/** @type {string} */ label, /** @type {HTMLElement[]} */ buttons) =>
      h('div', { class: 'joined', role: 'group', 'aria-label': t(label) }, buttons);
    this.#modes = MODES.map((mode) => press(t(`go.mode.${mode}`), () => this.become(mode)));
    this.#next = COLORS.map((color) => press([dot(color), ' ', t(`go.color.${color}`)], () => session.choose(color)));
    this.#brushes = BRUSHES.map((brush) =>
      press(brush ? [dot(brush), ' ', t(`go.brush.${brush}`)] : t('go.brush.erase'), () => this.choose(brush)));
    this.#alternate = h('input', { type: 'checkbox', onchange: () => session.setAlternate(this.#alternate.checked) });
    this.#playing = h('div', { class: 'row' },
      h('label', {}, this.#alternate, t('go.alternate')), group('go.next', this.#next));
    this.#setting = h('div', { class: 'row' }, group('go.brushes', this.#brushes));
    this.element = h('div', { class: 'row end tools' }, this.#playing, this.#setting, group('go.modes', this.#modes));
  }

  show() {
    const { mode, next, alternate } = this.#session, playing = mode === 'play';
    this.#modes.forEach((button, at) => press(button, MODES[at] === mode));
    this.#playing.hidden = !playing;
    this.#setting.hidden = playing;
    this.#next.forEach((button, at) => press(button, COLORS[at] === next));
    this.#brushes.forEach((button, at) => press(button, BRUSHES[at] === this.brush));
    this.#alternate.checked = alternate;
  }

  /** @param {'play' | 'setup'} mode */
  become(mode) {
    this.#session.mode = mode;
    this.#session.calm();
    this.#changed();
  }

  /** @param {Color | null} brush */
  choose(brush) {
    this.brush = brush;
    this.#changed();
  }
}

/**
 * @param {HTMLElement} button
 * @param {boolean} is
 */
function press(button, is) {
  if (button.getAttribute('aria-pressed') !== String(is)) button.setAttribute('aria-pressed', String(is));
}
