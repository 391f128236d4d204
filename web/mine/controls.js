// The bar below the field: play or paint, undo and redo, another field, and the size of the cells.

import { h } from '../page/dom.js';
import { t } from '../page/text.js';
import { button, enable, group, Toggle } from '../page/ui.js';

/** @typedef {import('./session.js').Session} Session */

export class Controls {
  #session;
  #view;
  #mode;
  #buttons;

  /**
   * @param {Session} session
   * @param {import('./view.js').View} view
   * @param {() => void} draw another field
   */
  constructor(session, view, draw) {
    this.#session = session;
    this.#view = view;
    this.#mode = new Toggle(t('mine.group-mode'), [['play', t('mine.play')], ['paint', t('mine.paint')]],
      (mode) => session.setMode(/** @type {import('./link.js').Mode} */ (mode)));
    const { undo, redo, restart, farther, fit, nearer } = this.#buttons = {
      undo: button(t('play.undo'), () => session.undo(), { title: 'U' }),
      redo: button(t('play.redo'), () => session.redo(), { title: 'R' }),
      restart: button(t('play.restart'), () => session.goTo(0)),
      farther: button('−', () => view.zoom(-1), { 'aria-label': t('mine.zoom-out'), title: '−' }),
      fit: button(t('mine.fit'), () => view.zoom(0), { title: '0' }),
      nearer: button('+', () => view.zoom(1), { 'aria-label': t('mine.zoom-in'), title: '+' }),
    };
    this.element = h('div', { class: 'row mine-controls' }, this.#mode.element,
      group(t('mine.group-history'), [undo, redo, restart]), button(t('mine.new-field'), draw, { title: 'N' }),
      group(t('mine.group-zoom'), [farther, fit, nearer]));
  }

  show() {
    const { mode, position, canUndo, canRedo } = this.#session, { room } = this.#view;
    const { undo, redo, restart, farther, fit, nearer } = this.#buttons;
    this.#mode.show(mode);
    enable(undo, canUndo);
    enable(redo, canRedo);
    enable(restart, position.clicks.length > 0);
    enable(nearer, room.nearer);
    enable(farther, room.farther);
    enable(fit, !room.fitted);
  }

  /** What keys do, on the field and elsewhere: the same as the buttons. */
  press(/** @type {'undo' | 'redo' | 'farther' | 'fit' | 'nearer'} */ name) {
    this.#buttons[name].click();
  }
}
