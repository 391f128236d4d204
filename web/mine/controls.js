// The controls: the bar, with the hints and the zoom.

import { Bar, Hints } from '../page/bar.js';
import { h, setContent } from '../page/dom.js';
import { note } from '../page/say.js';
import { t } from '../page/text.js';
import { button, enable, group, optionsOf, select } from '../page/ui.js';
import { Field } from './field.js';
import { SIDE_CHOICES } from './link.js';
import { playerText } from './words.js';

/** @typedef {import('./session.js').Session} Session */

/** The sizes of fields: columns and rows. @type {Record<string, [cols: number, rows: number]>} */
const SIZES = { tiny: [6, 6], small: [9, 9], medium: [16, 16], large: [30, 16], huge: [60, 40] };

/** The shares of cells with mines. @type {Record<string, number>} */
const SHARES = { few: 0.08, usual: 0.125, many: 0.21 };

/**
 * The number of mines for a share; null if there is no such share.
 * @param {number} cells
 * @param {string} share
 */
const minesOf = (cells, share) => (SHARES[share] === undefined ? null : Math.round(cells * SHARES[share]));

/**
 * Offer these names, and select the one that fits the field. If none fits, also offer the field's own value, and select that.
 * @param {HTMLSelectElement} element
 * @param {string[]} names
 * @param {(name: string) => string} textOf
 * @param {(name: string) => boolean} fits
 * @param {string} own the field's own value, as a text
 */
function offer(element, names, textOf, fits, own) {
  const chosen = names.find(fits);
  setContent(element, optionsOf([...names.map((name) => /** @type {const} */ ([name, textOf(name)])), ...(chosen ? [] : [/** @type {const} */ (['', own])])]));
  element.value = chosen ?? '';
}

export class Controls {
  #session;
  #view;
  #bar;
  #hints;
  #size = select([], () => this.#resized(), { 'aria-label': t('mine.size-title') });
  #share = select([], () => this.#chosen(), { 'aria-label': t('mine.share-title') });
  /** The size and the number of mines that `#size` and `#share` were last set to. */
  #offered = '';
  #side;
  #zoom;

  /**
   * @param {Session} session
   * @param {import('./view.js').View} view
   * @param {() => void} puzzle show a puzzle
   */
  constructor(session, view, puzzle) {
    this.#session = session;
    this.#view = view;
    this.#side = select(SIDE_CHOICES.map((side) => [side, side === 'both' ? t('mine.side-both') : playerText(side)]),
      (side) => session.setSide(/** @type {import('./link.js').SideChoice} */ (side)));
    const hints = this.#hints = new Hints(session);
    const { farther, fit, nearer } = this.#zoom = {
      farther: button('−', () => view.zoom(-1), { 'aria-label': t('mine.zoom-out'), title: '−' }),
      fit: button(t('mine.fit'), () => view.zoom(0), { title: '0' }),
      nearer: button('+', () => view.zoom(1), { 'aria-label': t('mine.zoom-in'), title: '+' }),
    };
    this.#bar = new Bar(session, {
      begin: () => this.draw(), kinds: [this.#size, this.#share], puzzle, more: hints.hint,
      sides: [hints.answers, h('label', {}, t('play.side'), this.#side)],
    });
    this.bar = this.#bar.element;
    this.bar.append(group(t('mine.group-zoom'), [farther, fit, nearer]));
  }

  /** Start with a random field of the chosen size and share of mines. */
  draw() {
    const { field } = this.#session, [cols, rows] = SIZES[this.#size.value] ?? [field.cols, field.rows];
    const mines = minesOf(rows * cols, this.#share.value) ?? Math.min(field.mines, rows * cols);
    this.#session.begin(Field.random(rows, cols, mines));
  }

  /** The current field's own number of mines fits only its size. */
  #resized() {
    if (this.#share.value === '') this.#share.value = 'usual';
    this.#chosen();
  }

  /** Another size or number of mines was chosen: before the first click, it's for this field. */
  #chosen() {
    const { position: { clicks }, puzzle, mode } = this.#session;
    if (clicks.length === 0 && !puzzle && mode === 'play') this.draw();
    else note(t('play.with-new'));
  }

  /**
   * Offer the size and the number of mines of this field for the next one.
   * @param {Field} field
   */
  #follow({ rows, cols, mines }) {
    const key = [rows, cols, mines].join();
    if (key === this.#offered) return;
    this.#offered = key;
    offer(this.#size, Object.keys(SIZES), (name) => t('mine.size-of', { name: t(`mine.size.${name}`), cols: SIZES[name][0], rows: SIZES[name][1] }),
      (name) => SIZES[name].join() === [cols, rows].join(), `${cols} × ${rows}`);
    offer(this.#share, Object.keys(SHARES), (name) => t(`mine.share.${name}`),
      (name) => minesOf(rows * cols, name) === mines, t('mine.share-own', { count: mines }));
  }

  show() {
    const { nearer, farther, fitted } = this.#view.canZoom;
    this.#follow(this.#session.field);
    this.#bar.show();
    this.#hints.show();
    this.#side.value = this.#session.side;
    enable(this.#zoom.nearer, nearer);
    enable(this.#zoom.farther, farther);
    enable(this.#zoom.fit, !fitted);
  }
}
