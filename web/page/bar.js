// The bar below the board, the same in each game: undo and redo, the game once more, a new board, a puzzle, who plays which side. Below it
// what the program shows of its knowledge: the best move, all values, or always all.

import { h } from './dom.js';
import { t } from './text.js';
import { button, checkbox, enable, group, setPressed } from './ui.js';
import { rememberAnalysis } from './values.js';

/** @typedef {import('./dom.js').Child} Child */

/** @typedef {import('./values.js').Shows} Shows */

export class Bar {
  #undo;
  #redo;
  #restart;

  /**
   * @param {object} acts
   * @param {() => void} acts.undo
   * @param {() => void} acts.redo
   * @param {() => void} acts.restart
   * @param {() => void} acts.fresh  a new board
   * @param {Child} acts.kinds       which one: selections
   * @param {() => void} [acts.puzzle]
   * @param {Child} acts.sides
   * @param {Child} [more]           what only this game has
   */
  constructor({ undo, redo, restart, fresh, kinds, puzzle, sides }, more) {
    this.#undo = button(t('play.undo'), undo);
    this.#redo = button(t('play.redo'), redo);
    this.#restart = button(t('play.restart'), restart);
    this.element = group(t('play.bar'), [more,
      group(t('play.history'), [this.#undo, this.#redo, this.#restart]),
      group(t('play.new-board'), [kinds, button(t('play.new'), fresh)]),
      puzzle && button(t('puzzle.button'), puzzle), h('div', { class: 'row' }, sides)], 'bar');
  }

  /**
   * @param {{ canUndo: boolean, canRedo: boolean, canRestart: boolean, over?: boolean }} state `over`: to restart is what one does next
   */
  show({ canUndo, canRedo, canRestart, over = false }) {
    enable(this.#undo, canUndo);
    enable(this.#redo, canRedo);
    enable(this.#restart, canRestart);
    this.#restart.classList.toggle('main', over);
  }
}

export class Hints {
  #hint;
  #values;
  #analysis;

  /**
   * @param {{ reveal: (what: Shows) => void, analyse: (always: boolean) => void }} acts
   */
  constructor({ reveal, analyse }) {
    this.#hint = button(t('play.hint'), () => reveal('hint'), { title: 'H' });
    this.#values = button(t('play.values'), () => reveal('values'), { title: 'V' });
    this.#analysis = checkbox((always) => {
      rememberAnalysis(always);
      analyse(always);
    });
    this.element = group(t('play.help'), [this.#hint, this.#values,
      h('label', { title: t('play.analysis-means') }, this.#analysis, t('play.analysis'))], 'bar');
  }

  /**
   * @param {{ shows: Shows, analysis: boolean, known: boolean }} state `known`: is there something to show?
   */
  show({ shows, analysis, known }) {
    enable(this.#hint, known && shows === 'nothing');
    enable(this.#values, known && !analysis);
    setPressed(this.#values, shows === 'values');
    this.#analysis.checked = analysis;
  }
}
