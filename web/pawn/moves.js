// The moves of the position as a table, best first. A row and its arrow on the board are pointed at together.

import { h, put } from '../page/dom.js';
import { t } from '../page/text.js';
import { moveName, valueWords } from './words.js';
import { icon } from './pieces.js';
import { on, sameMove } from './board.js';

/** @typedef {import('./board.js').Move} Move */
/** @typedef {import('../arbiter.js').PawnRankedMove} RankedMove */
/** @typedef {import('./session.js').Session} Session */

/**
 * A row, which holds one move after the other: what has the focus keeps it.
 * @typedef {object} Row
 * @property {HTMLElement} element
 * @property {HTMLButtonElement} button
 * @property {HTMLElement} value
 * @property {HTMLElement} mark
 * @property {RankedMove | null} move null: there are not so many
 */

/**
 * @typedef {object} Acts
 * @property {(move: Move) => void} play
 * @property {(moves: readonly Move[]) => void} mean  these are pointed at
 * @property {(values: boolean) => void} showValues
 */

export class Moves {
  /** @type {Row[]} */
  #rows = [];
  #body = h('tbody');
  #table = h('table', { class: 'pawn-moves' },
    h('thead', {}, h('tr', {},
      h('th', { scope: 'col' }, t('pawn.moves.move')), h('th', { scope: 'col' }, t('pawn.moves.value')))),
    this.#body);
  #hidden = h('p', { class: 'soft' }, t('pawn.moves.hidden'));
  #over = h('p', { class: 'soft' }, t('pawn.moves.over'));
  #acts;
  #values;

  /** @param {Acts} acts */
  constructor(acts) {
    this.#acts = acts;
    this.#values = h('input', { type: 'checkbox', onchange: () => acts.showValues(this.#values.checked) });
    this.element = h('section', { class: 'card', 'aria-label': t('pawn.moves.title') },
      h('div', { class: 'row' },
        h('h2', {}, t('pawn.moves.title')), h('label', { class: 'end' }, this.#values, t('pawn.values'))),
      this.#table, this.#hidden, this.#over);
  }

  /** @param {Session} session */
  show(session) {
    const { result, ending, mine, values, position: { board } } = session;
    const moves = result?.moves ?? [];
    this.element.hidden = session.mode === 'edit';
    this.#values.checked = values;
    this.#hidden.hidden = values || Boolean(ending);
    this.#table.hidden = !values || !(result || session.stale);
    this.#over.hidden = !ending;
    this.#table.classList.toggle('stale', !result && !ending);
    if (!result && !ending) return this.#rows.forEach((row) => (row.move = null)); // they are another position's
    const lost = this.#rows.some(({ button }, at) => at >= moves.length && button === document.activeElement);
    while (this.#rows.length < moves.length) this.#add();
    const equal = moves.every(({ verdict, steps }) => verdict === moves[0].verdict && steps === moves[0].steps);
    this.#rows.forEach((row, at) => fill(row, moves[at] ?? null, board, equal ? null : moves[0], mine));
    if (lost && moves.length > 0) this.#rows[0].button.focus();
  }

  /**
   * Mark the rows of these moves.
   * @param {readonly Move[]} moves
   */
  mark(moves) {
    for (const { element, move } of this.#rows) {
      element.classList.toggle('meant', move !== null && moves.some((meant) => sameMove(meant, move)));
    }
  }

  #add() {
    const button = h('button', { type: 'button', class: 'plain' });
    const value = h('span'), mark = h('span', { class: 'pawn-best' });
    const element = h('tr', {}, h('td', {}, button), h('td', {}, value, ' ', mark));
    /** @type {Row} */
    const row = { element, button, value, mark, move: null };
    const mean = () => this.#acts.mean(row.move ? [row.move] : []), leave = () => this.#acts.mean([]);
    button.addEventListener('click', () => {
      if (row.move && button.getAttribute('aria-disabled') !== 'true') this.#acts.play(row.move);
    });
    button.addEventListener('focus', mean);
    button.addEventListener('blur', leave);
    element.addEventListener('pointerenter', mean);
    element.addEventListener('pointerleave', leave);
    this.#rows.push(row);
    this.#body.append(element);
  }
}

/**
 * @param {Row} row
 * @param {RankedMove | null} move
 * @param {import('./board.js').Board} board
 * @param {RankedMove | null} best null: they are all as good
 * @param {boolean} mine
 */
function fill(row, move, board, best, mine) {
  row.move = move;
  row.element.hidden = !move;
  if (!move) return;
  const words = valueWords(move), name = moveName(board, move);
  put(row.button, icon(on(board, move.from)), name);
  row.button.setAttribute('aria-label', t('pawn.moves.play', { move: name, value: words }));
  row.button.setAttribute('aria-disabled', String(!mine));
  put(row.value, h('span', { class: `pawn-dot ${move.verdict.toLowerCase()}`, 'aria-hidden': 'true' }), words);
  put(row.mark, move.verdict === best?.verdict && move.steps === best.steps ? t('pawn.moves.best') : '');
}
