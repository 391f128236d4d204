// The bar of a game, the same in every game: undo, redo, restart, Play or Edit, sides, new board, puzzle. Games with values have a hint and
// the switch that shows the answers.

import { h } from './dom.js';
import { note } from './say.js';
import { t } from './text.js';
import { button, checkbox, enable, group, Toggle } from './ui.js';
import { setAnswers } from './values.js';

/** @typedef {import('./dom.js').Child} Child */

/**
 * The part of a session that the bar uses.
 * @typedef {object} Played
 * @property {'play' | 'edit'} mode
 * @property {(mode: 'play' | 'edit') => void} setMode
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
 * @property {boolean} analysis   are the answers shown?
 * @property {boolean} hasValues  are there values that can be shown?
 * @property {import('./puzzle.js').Puzzle | null} puzzle
 * @property {() => void} showHint
 * @property {(analysis: boolean) => void} setAnalysis
 */

export class Bar {
  #session;
  #mode;
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
   * @param {Child} [parts.more]         controls that only this game has, beside undo and redo
   */
  constructor(session, { begin, kinds, puzzle, sides, more }) {
    this.#session = session;
    this.#mode = new Toggle(t('play.mode'), [['play', t('play.play')], ['edit', t('play.edit')]],
      (mode) => session.setMode(/** @type {'play' | 'edit'} */ (mode)));
    this.#undo = button(t('play.undo'), () => session.undo(), {}, () => note(t('play.nothing-to-undo')));
    this.#redo = button(t('play.redo'), () => session.redo(), {}, () => note(t('play.nothing-to-redo')));
    this.#restart = button(t('play.restart'), () => session.restart());
    this.element = group(t('play.bar'), [
      group(t('play.history'), [this.#undo, this.#redo, this.#restart]), more, this.#mode.element, h('div', { class: 'row' }, sides),
      group(t('play.new-board'), [kinds, button(t('play.new'), begin)]),
      puzzle && button(t('puzzle.button'), puzzle)], 'bar');
  }

  show() {
    const { canUndo, canRedo, canRestart, mode, over } = this.#session;
    this.#mode.show(mode);
    enable(this.#undo, canUndo);
    enable(this.#redo, canRedo);
    enable(this.#restart, canRestart);
    this.#restart.classList.toggle('main', over);
  }
}

/** The hint, and the switch that shows the answers. */
export class Hints {
  #session;
  #answers;

  /** @param {Valued} session */
  constructor(session) {
    this.#session = session;
    this.hint = button(t('play.hint'), () => session.showHint(), { title: 'H' }, () => session.analysis && note(t('play.answers-shown')));
    this.#answers = checkbox((shown) => setAnswers(session, shown), { role: 'switch' });
    this.answers = h('label', { title: `${t('play.answers-mean')} (V)` }, this.#answers, t('play.answers'));
  }

  show() {
    const { mode, shows, analysis, hasValues } = this.#session;
    this.hint.hidden = mode === 'edit';
    enable(this.hint, hasValues && shows === 'nothing');
    this.#answers.checked = analysis;
  }
}
