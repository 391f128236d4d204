// The controls below the field: the bar, the hints, and the zoom.

import { Bar, Hints } from '../page/bar.js';
import { h } from '../page/dom.js';
import { t } from '../page/text.js';
import { button, enable, group, select } from '../page/ui.js';
import { Field } from './field.js';
import { SIDE_CHOICES } from './link.js';

/** @typedef {import('./session.js').Session} Session */

/** The sizes of fields: columns and rows. */
const SIZES = { tiny: [6, 6], small: [9, 9], medium: [16, 16], large: [30, 16], huge: [60, 40] };

/** The shares of mines. */
const SHARES = { few: 0.08, usual: 0.15, many: 0.21 };

/** @template {object} Table @param {Table} table @returns {(keyof Table & string)[]} */
const namesOf = (table) => /** @type {(keyof Table & string)[]} */ (Object.keys(table));

export class Controls {
  #session;
  #view;
  #bar;
  #hints;
  #size = select(namesOf(SIZES).map((size) => [size, t('mine.size-of', { name: t(`mine.size.${size}`), cols: SIZES[size][0], rows: SIZES[size][1] })]),
    () => {}, { 'aria-label': t('mine.size-title') });
  #share = select(namesOf(SHARES).map((share) => [share, t(`mine.share.${share}`)]), () => {}, { 'aria-label': t('mine.share-title') });
  #side;
  #zoom;

  /**
   * @param {Session} session
   * @param {import('./view.js').View} view
   * @param {() => void} puzzle shows a puzzle
   */
  constructor(session, view, puzzle) {
    this.#session = session;
    this.#view = view;
    this.#size.value = 'small';
    this.#share.value = 'usual';
    this.#side = select(SIDE_CHOICES.map((side) => [side, t(`mine.side-${side}`)]),
      (side) => session.setSide(/** @type {import('./link.js').SideChoice} */ (side)));
    this.#bar = new Bar(session, {
      begin: () => this.draw(), kinds: [this.#size, this.#share], puzzle, sides: h('label', {}, t('play.side'), this.#side),
    });
    this.#hints = new Hints(session);
    const { farther, fit, nearer } = this.#zoom = {
      farther: button('−', () => view.zoom(-1), { 'aria-label': t('mine.zoom-out'), title: '−' }),
      fit: button(t('mine.fit'), () => view.zoom(0), { title: '0' }),
      nearer: button('+', () => view.zoom(1), { 'aria-label': t('mine.zoom-in'), title: '+' }),
    };
    const zoom = group(t('mine.group-zoom'), [farther, fit, nearer]);
    this.element = h('div', { class: 'controls' }, this.#bar.element, h('div', { class: 'bar' }, this.#hints.element, zoom));
  }

  /** Begin with a random field of the chosen size and share of mines. */
  draw() {
    const [cols, rows] = SIZES[/** @type {keyof typeof SIZES} */ (this.#size.value)];
    const mines = Math.round(rows * cols * SHARES[/** @type {keyof typeof SHARES} */ (this.#share.value)]);
    this.#session.begin(Field.random(rows, cols, mines));
  }

  show() {
    const { nearer, farther, fitted } = this.#view.canZoom;
    this.#bar.show();
    this.#hints.show();
    this.#side.value = this.#session.side;
    enable(this.#zoom.nearer, nearer);
    enable(this.#zoom.farther, farther);
    enable(this.#zoom.fit, !fitted);
  }
}
