// Below the field: the bar, what is shown of the winning clicks, and the size of the cells.

import { Bar, Hints } from '../page/bar.js';
import { h } from '../page/dom.js';
import { t } from '../page/text.js';
import { button, enable, group, select, Toggle } from '../page/ui.js';
import { SIDES } from './link.js';

/** @typedef {import('./session.js').Session} Session */

/** Fields by name: columns and rows. */
const SIZES = { tiny: [6, 6], small: [9, 9], medium: [16, 16], large: [30, 16], huge: [60, 40] };

/** The share of mines by name. */
const SHARES = { few: 0.08, usual: 0.15, many: 0.21 };

/** @template {object} Table @param {Table} table @returns {(keyof Table & string)[]} */
const namesOf = (table) => /** @type {(keyof Table & string)[]} */ (Object.keys(table));

/**
 * @typedef {object} Acts
 * @property {() => void} puzzle
 * @property {(rows: number, cols: number, mines: number) => void} draw  another field
 * @property {(shows: import('../page/values.js').Shows) => void} reveal
 * @property {(always: boolean) => void} analyse
 */

export class Controls {
  #session;
  #view;
  #draw;
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
   * @param {Acts} acts
   */
  constructor(session, view, { puzzle, draw, reveal, analyse }) {
    this.#session = session;
    this.#view = view;
    this.#draw = draw;
    this.#size.value = 'small';
    this.#share.value = 'usual';
    this.mode = new Toggle(t('play.mode'), [['play', t('play.play')], ['paint', t('mine.paint')]],
      (mode) => session.setMode(/** @type {import('./link.js').Mode} */ (mode)));
    this.#side = select(SIDES.map((side) => [side, t(`mine.side-${side}`)]),
      (side) => session.setSide(/** @type {import('./link.js').Side} */ (side)));
    this.#bar = new Bar({
      undo: () => session.undo(), redo: () => session.redo(), restart: () => session.goTo(0), fresh: () => this.draw(),
      kinds: [this.#size, this.#share], puzzle, sides: h('label', {}, t('play.side'), this.#side),
    });
    this.#hints = new Hints({ reveal, analyse });
    const { farther, fit, nearer } = this.#zoom = {
      farther: button('−', () => view.zoom(-1), { 'aria-label': t('mine.zoom-out'), title: '−' }),
      fit: button(t('mine.fit'), () => view.zoom(0), { title: '0' }),
      nearer: button('+', () => view.zoom(1), { 'aria-label': t('mine.zoom-in'), title: '+' }),
    };
    const zoom = group(t('mine.group-zoom'), [farther, fit, nearer]);
    this.element = h('div', { class: 'controls' }, this.#bar.element, h('div', { class: 'bar' }, this.#hints.element, zoom));
  }

  /** Another field of the size and with the mines that are chosen. */
  draw() {
    const [cols, rows] = SIZES[/** @type {keyof typeof SIZES} */ (this.#size.value)];
    this.#draw(rows, cols, Math.round(rows * cols * SHARES[/** @type {keyof typeof SHARES} */ (this.#share.value)]));
  }

  show() {
    const { mode, position, canUndo, canRedo, side, shows, analysis, result, ended } = this.#session, { room } = this.#view;
    this.mode.show(mode);
    this.#bar.show({ canUndo, canRedo, canRestart: position.clicks.length > 0, over: ended });
    this.#side.value = side;
    this.#hints.element.hidden = mode === 'paint';
    this.#hints.show({ shows, analysis, known: result !== null && result.wins_total !== null && !ended });
    enable(this.#zoom.nearer, room.nearer);
    enable(this.#zoom.farther, room.farther);
    enable(this.#zoom.fit, !room.fitted);
  }
}
