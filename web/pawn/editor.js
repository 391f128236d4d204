// Making a board: what is painted with, its size, who moves first, the board as text, and what is missing yet.

import { h, put } from '../page/dom.js';
import { detailsShown } from '../page/faults.js';
import { problemShown } from '../page/problem.js';
import { t } from '../page/text.js';
import {
  cleared, columns, FREE, LEAST_SIDE, MOST_SIDE, OBSTACLE, PAWN, pieceOf, RED, resized, rowsOf, SIDES,
} from './board.js';
import { Choice, enable, press } from './choice.js';
import { lacks } from './faults.js';
import { icon } from './pieces.js';

/** @typedef {import('./board.js').Board} Board */
/** @typedef {import('./board.js').Side} Side */
/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('../arbiter.js').Problem} Problem */

const TOOLS = [[OBSTACLE, 'obstacle'], [RED, 'red'], [PAWN, 'pawn'], [FREE, 'erase']];

/** Cells of a text that is taken for a board while it is typed. */
const MOST_TYPED = 1024;

export class Editor {
  /** What is painted with. */
  tool = /** @type {string} */ (OBSTACLE);
  #tools = new Choice(t('pawn.edit.tool'), TOOLS.map(([what, name]) => [what, icon(what), t(`pawn.edit.${name}`)]),
    (what) => {
      this.tool = what;
      this.#tools.show(what);
    });
  #turn;
  #sizes;
  #text;
  #problem = h('div');
  #said = '';

  /**
   * @param {Session} session
   * @param {(board: Board, turn?: Side) => void} begin begin anew with this board
   */
  constructor(session, begin) {
    const board = () => session.position.board;
    this.#tools.show(this.tool);
    const sides = SIDES.map((side) => /** @type {const} */ ([side, icon(pieceOf(side)), t(`pawn.side.${side}`)]));
    this.#turn = new Choice(t('pawn.edit.turn'), sides, (turn) => begin(board(), turn));
    this.#sizes = [
      stepper('rows', () => board().length, (rows) => begin(resized(board(), rows, columns(board())))),
      stepper('cols', () => columns(board()), (cols) => begin(resized(board(), board().length, cols))),
    ];
    const label = t('pawn.edit.text');
    this.#text = h('textarea', { rows: 8, spellcheck: 'false', autocapitalize: 'off', 'aria-label': label });
    this.#text.addEventListener('input', () => {
      const rows = rowsOf(this.#text.value);
      if (rows.length > 0 && rows.length * columns(rows) <= MOST_TYPED) begin(rows);
    });
    this.palette = h('div', { class: 'pawn-controls' }, this.#tools.element,
      h('button', { type: 'button', onclick: () => begin(cleared(board())) }, t('pawn.edit.clear')));
    this.element = h('section', { class: 'card pawn-editor', 'aria-label': t('pawn.edit.title') },
      h('h2', {}, t('pawn.edit.title')),
      this.#problem,
      h('div', { class: 'row' }, t('pawn.edit.turn'), this.#turn.element),
      h('div', { class: 'row' }, this.#sizes.map(({ element }) => element)),
      h('details', {}, h('summary', {}, t('pawn.edit.text')),
        h('p', { class: 'soft' }, t('pawn.edit.letters')), this.#text));
  }

  /**
   * @param {Session} session
   * @param {Problem | undefined} problem
   * @param {readonly import('./faults.js').Marked[]} faults those of the problem
   */
  show(session, problem, faults) {
    const { mode, position: { board, turn } } = session;
    this.palette.hidden = mode !== 'edit';
    this.element.hidden = mode !== 'edit' && !problem;
    this.#turn.show(turn);
    this.#sizes.forEach(({ show }) => show());
    const text = board.join('\n');
    if (this.#text !== document.activeElement && this.#text.value !== text) this.#text.value = text;
    if (session.stale && !problem) return; // what is said of the board before goes when this one is known, or late
    const good = Boolean(session.result ?? session.ending), said = JSON.stringify(problem ? [problem, faults] : good);
    if (said === this.#said) return;
    this.#said = said; // an alert is read out whenever it is put anew
    put(this.#problem, problem ? wrong(problem, faults) : good && h('p', { class: 'pawn-good' }, t('pawn.edit.complete')));
  }
}

/**
 * What is wrong, or missing yet.
 * @param {Problem} problem
 * @param {readonly import('./faults.js').Marked[]} faults
 */
function wrong(problem, faults) {
  if (faults.length === 0) return problemShown(problem);
  return h('div', { class: 'problem', role: 'alert' },
    faults.map(({ text }) => h('p', {}, text)), !lacks(problem) && detailsShown(problem.errors));
}

/**
 * A number of rows or columns, with one more and one less.
 * @param {'rows' | 'cols'} name
 * @param {() => number} value
 * @param {(value: number) => void} change
 */
function stepper(name, value, change) {
  const less = press(t(`pawn.edit.fewer-${name}`), () => change(value() - 1), '−'), shown = h('output');
  const more = press(t(`pawn.edit.more-${name}`), () => change(value() + 1), '+');
  const element = h('div', { class: 'pawn-stepper', role: 'group', 'aria-label': t(`pawn.edit.${name}`) },
    h('span', {}, t(`pawn.edit.${name}`)), less, shown, more);
  return { element, show: () => {
    put(shown, value());
    enable(less, value() > LEAST_SIDE);
    enable(more, value() < MOST_SIDE);
  } };
}
