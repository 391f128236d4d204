// The bar below the board: undo and redo, and the steps through the game and the best line.

import { h } from '../page/dom.js';
import { t } from '../page/text.js';
import { button, enable, Steps } from '../page/ui.js';

/** @typedef {import('./session.js').Session} Session */

/**
 * @typedef {object} Acts
 * @property {() => void} undo
 * @property {() => void} redo
 * @property {() => void} restart
 * @property {() => void} resume
 * @property {(at: number) => void} look
 */

const SIGNS = { first: 'M7 4v16M20 4v16L11 12z', back: 'M17 4v16L7 12z', forward: 'M7 4v16L17 12z', last: 'M4 4v16L13 12zM17 4v16' };

export class Controls {
  #session;
  #buttons;
  #steps;

  /**
   * @param {Session} session
   * @param {Acts} acts
   */
  constructor(session, { look, ...acts }) {
    this.#session = session;
    const { undo, redo, restart, resume } = this.#buttons = {
      undo: button(t('play.undo'), acts.undo),
      redo: button(t('play.redo'), acts.redo),
      restart: button(t('play.restart'), acts.restart),
      resume: button(t('pawn.track.resume'), acts.resume, { class: 'main' }),
    };
    const name = (/** @type {string} */ key) => t(`pawn.track.${key}`);
    this.#steps = new Steps({
      label: name('walk'), kind: 'row pawn-walk', signs: SIGNS, show: look,
      names: { first: name('first'), back: name('back'), forward: name('forward'), last: name('last'), step: name('move') },
      middle: (slider, count) => [slider, count],
    });
    this.#steps.count.className = 'soft';
    this.element = h('div', { class: 'pawn-controls pawn-bar' },
      h('div', { class: 'row' }, undo, redo, restart, resume), this.#steps.element);
  }

  show() {
    const { record, visible, history, waiting, ending, mode } = this.#session, { undo, redo, restart, resume } = this.#buttons;
    this.#steps.element.hidden = mode === 'edit';
    this.#steps.show(record.at, visible.length, t('pawn.track.at', { at: record.at, total: visible.length }));
    enable(undo, history.canUndo);
    enable(redo, history.canRedo);
    enable(restart, record.moves.length > 0);
    restart.classList.toggle('main', Boolean(ending));
    restart.hidden = mode === 'edit';
    resume.hidden = !waiting;
  }
}
