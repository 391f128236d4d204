// The bar below the board, the same in every game: undo, redo, restart, new board, puzzle, sides. Below it are the buttons that show the
// best move or the values of all moves.

import { h } from './dom.js';
import { clearNote, note } from './say.js';
import { t } from './text.js';
import { button, checkbox, enable, group, setPressed } from './ui.js';
import { rememberAnalysis, toggleValues } from './values.js';

/** @typedef {import('./dom.js').Child} Child */

/**
 * The part of a session that the bar uses.
 * @typedef {object} Played
 * @property {() => void} undo
 * @property {() => void} redo
 * @property {() => void} restart
 * @property {boolean} canUndo
 * @property {boolean} canRedo
 * @property {boolean} canRestart
 * @property {boolean} over  the game has ended: the restart button is highlighted
 */

/**
 * The part of a session that the hints use.
 * @typedef {object} Valued
 * @property {'play' | 'edit'} mode
 * @property {import('./values.js').Shows} shows
 * @property {boolean} analysis   are the values of all moves always shown?
 * @property {boolean} hasValues  are there values that can be shown?
 * @property {(shows: import('./values.js').Shows) => void} showValues
 * @property {(always: boolean) => void} setAnalysis
 */

export class Bar {
  #session;
  #undo;
  #redo;
  #restart;

  /**
   * @param {Played} session
   * @param {object} parts
   * @param {() => void} parts.begin     start a new board
   * @param {Child} parts.kinds          the lists to choose the kind of board from
   * @param {() => void} [parts.puzzle]
   * @param {Child} parts.sides
   * @param {Child} [parts.more]         controls that only this game has
   */
  constructor(session, { begin, kinds, puzzle, sides, more }) {
    this.#session = session;
    /** Clear the message, which is about the previous board. */
    const anew = (/** @type {() => void} */ act) => () => {
      clearNote();
      act();
    };
    this.#undo = button(t('play.undo'), anew(() => session.undo()), {}, () => note(t('play.nothing-to-undo')));
    this.#redo = button(t('play.redo'), anew(() => session.redo()));
    this.#restart = button(t('play.restart'), anew(() => session.restart()));
    this.element = group(t('play.bar'), [more,
      group(t('play.history'), [this.#undo, this.#redo, this.#restart]),
      group(t('play.new-board'), [kinds, button(t('play.new'), anew(begin))]),
      puzzle && button(t('puzzle.button'), puzzle), h('div', { class: 'row' }, sides)], 'bar');
  }

  show() {
    const { canUndo, canRedo, canRestart, over } = this.#session;
    enable(this.#undo, canUndo);
    enable(this.#redo, canRedo);
    enable(this.#restart, canRestart);
    this.#restart.classList.toggle('main', over);
  }
}

export class Hints {
  #session;
  #hint;
  #values;
  #analysis;

  /** @param {Valued} session */
  constructor(session) {
    this.#session = session;
    this.#hint = button(t('play.hint'), () => session.showValues('hint'), { title: 'H' });
    this.#values = button(t('play.values'), () => toggleValues(session), { title: 'V' });
    this.#analysis = checkbox((always) => {
      rememberAnalysis(always);
      session.setAnalysis(always);
    });
    this.element = group(t('play.help'), [this.#hint, this.#values,
      h('label', { title: t('play.analysis-means') }, this.#analysis, t('play.analysis'))], 'bar');
  }

  show() {
    const { mode, shows, analysis, hasValues } = this.#session;
    this.element.hidden = mode === 'edit';
    enable(this.#hint, hasValues && shows !== 'hint' && !analysis);
    enable(this.#values, hasValues && !analysis);
    setPressed(this.#values, shows === 'values');
    this.#analysis.checked = analysis;
  }
}
