// The cards beside the board: the game, the moves of the position, and the editor.

import { h, setContent } from '../page/dom.js';
import { detailsShown, problemShown } from '../page/problem.js';
import { joined, t } from '../page/text.js';
import { button, enable, select, signButton, Toggle } from '../page/ui.js';
import {
  cleared, columns, FREE, LEAST_SIDE, MOST_SIDE, OBSTACLE, on, PAWN, pieceOf, RED, resized, rowsOf, sameMove, SIDES,
} from './board.js';
import { icon } from './drawing.js';
import { positions } from './record.js';
import { faultsOf, lacks, moveName, valueWords } from './words.js';

/** @typedef {import('./board.js').Board} Board */
/** @typedef {import('./board.js').Move} Move */
/** @typedef {import('./board.js').Side} Side */
/** @typedef {import('./record.js').Position} Position */
/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('../arbiter.js').PawnRankedMove} RankedMove */
/** @typedef {import('../arbiter.js').Problem} Problem */

/** Milliseconds before the computer moves. */
const PACES = { 'at-once': 0, quick: 600, calm: 1800 };

/** @type {keyof typeof PACES} the chosen pace; lasts until the page is closed */
let pace = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'at-once' : 'quick';

/** Signs after a move, as in chess. */
const SIGNS = { best: '', slower: '?!', sooner: '?!', 'tie-lost': '?', 'win-lost': '??' };

export class GameCard {
  #session;
  /** @type {readonly Move[] | null} the moves in the list */
  #listed = null;
  #list = h('ol', { class: 'pawn-track', start: 1 });
  #none = h('p', { class: 'soft' }, t('pawn.track.none'));
  #further = h('p', { class: 'soft' }, t('pawn.track.further'));
  #cut;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    this.#cut = button(t('pawn.track.cut'), () => session.cutMoves());
    const paces = select(Object.keys(PACES).map((key) => [key, t(`pawn.pace.${key}`)]), (chosen) => {
      pace = /** @type {keyof typeof PACES} */ (chosen);
      session.setPace(PACES[pace]);
    });
    paces.value = pace;
    session.setPace(PACES[pace]);
    this.element = h('section', { class: 'card', 'aria-label': t('pawn.track.title') },
      h('div', { class: 'row' }, h('h2', {}, t('pawn.track.title')), h('span', { class: 'end' }, this.#cut)),
      this.#none, this.#list, this.#further, h('label', {}, t('pawn.pace.title'), paces));
  }

  show() {
    const { record, visible, mode } = this.#session;
    this.element.hidden = mode === 'edit';
    this.#cut.hidden = record.at === record.moves.length;
    this.#none.hidden = visible.length > 0;
    this.#further.hidden = visible.length === record.moves.length;
    this.#showList(visible);
  }

  /** Write the whole list again in the next `show`, because the judgements of its moves are now known. */
  renew() {
    this.#listed = null;
  }

  /**
   * Update the list. If it's the same list, write only the last two moves before the current position again.
   * @param {readonly Move[]} visible
   */
  #showList(visible) {
    const { record } = this.#session, { at } = record;
    while (this.#list.children.length > visible.length) this.#list.lastElementChild?.remove();
    while (this.#list.children.length < visible.length) this.#add(this.#list.children.length + 1);
    const all = visible !== this.#listed, before = positions({ ...record, moves: visible });
    this.#listed = visible;
    const changed = all ? visible.keys() : [at - 2, at - 1].filter((index) => index >= 0);
    for (const index of changed) this.#name(before[index], index);
    this.#list.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const current = /** @type {HTMLElement | undefined} */ (this.#list.children[at - 1]);
    current?.firstElementChild?.setAttribute('aria-current', 'step');
    this.#list.scrollTop = current ? current.offsetTop - this.#list.clientHeight / 2 : 0;
  }

  /**
   * Write a move of the list, with its judgement.
   * @param {Position} before
   * @param {number} index
   */
  #name({ board, turn }, index) {
    const session = this.#session, item = this.#list.children[index], element = /** @type {HTMLElement} */ (item.firstElementChild);
    const mark = session.judgementAt(index)?.judgement ?? 'best', further = index >= session.record.moves.length;
    const text = `${index + 1}. ${moveName(board, session.track[index])}${SIGNS[mark]}`;
    const worth = mark === 'best' ? '' : t(`pawn.mark.${mark}`);
    item.className = `${further ? 'pawn-further ' : ''}${mark.endsWith('-lost') ? 'bad' : ''}`;
    element.textContent = text;
    element.title = worth;
    element.setAttribute('aria-label', joined('words', [t(`pawn.side.${turn}`), text, worth, further && t('pawn.track.best-line')]));
  }

  /** @param {number} at */
  #add(at) {
    this.#list.append(h('li', {}, button('', () => this.#session.goTo(at), { class: 'pawn-plain' })));
  }
}

/**
 * A row of the table. Rows are reused for other moves, so that a button keeps the focus.
 * @typedef {object} Row
 * @property {HTMLElement} element
 * @property {HTMLButtonElement} button
 * @property {HTMLElement} value
 * @property {HTMLElement} mark
 * @property {RankedMove | null} move null: the row isn't in use
 */

export class MovesCard {
  /** @type {Row[]} */
  #rows = [];
  #body = h('tbody');
  #table = h('table', { class: 'pawn-moves' },
    h('thead', {}, h('tr', {},
      h('th', { scope: 'col' }, t('pawn.moves.move')), h('th', { scope: 'col' }, t('pawn.moves.value')))),
    this.#body);
  #session;
  #highlight;

  /**
   * @param {Session} session
   * @param {(moves: readonly Move[]) => void} highlight called when the pointer or the focus enters or leaves a move
   */
  constructor(session, highlight) {
    this.#session = session;
    this.#highlight = highlight;
    this.element = h('section', { class: 'card', 'aria-label': t('pawn.moves.title') }, h('h2', {}, t('pawn.moves.title')), this.#table);
  }

  show() {
    const { result, over, awaited, mode, shows, canMove, position: { board } } = this.#session;
    const moves = result?.moves ?? [];
    this.element.hidden = mode === 'edit' || shows !== 'values' || !(result || awaited);
    this.#table.classList.toggle('pawn-stale', !result && !over);
    if (!result && !over) return this.#rows.forEach((row) => (row.move = null)); // these moves belong to another position
    const lost = this.#rows.some(({ button }, at) => at >= moves.length && button === document.activeElement);
    while (this.#rows.length < moves.length) this.#add();
    const equal = moves.every(({ verdict, steps }) => verdict === moves[0].verdict && steps === moves[0].steps);
    this.#rows.forEach((row, at) => fill(row, moves[at] ?? null, board, equal ? null : moves[0], canMove));
    if (lost && moves.length > 0) this.#rows[0].button.focus();
  }

  /**
   * Mark the rows of these moves.
   * @param {readonly Move[]} moves
   */
  mark(moves) {
    for (const { element, move } of this.#rows) {
      element.classList.toggle('pawn-highlight', move !== null && moves.some((other) => sameMove(other, move)));
    }
  }

  #add() {
    const value = h('span'), mark = h('span', { class: 'pawn-best-mark' });
    const enter = () => this.#highlight(row.move ? [row.move] : []), leave = () => this.#highlight([]);
    const play = button('', () => row.move && this.#session.play(row.move), { class: 'pawn-plain', onfocus: enter, onblur: leave });
    const element = h('tr', {}, h('td', {}, play), h('td', {}, value, ' ', mark));
    /** @type {Row} */
    const row = { element, button: play, value, mark, move: null };
    element.addEventListener('pointerenter', enter);
    element.addEventListener('pointerleave', leave);
    this.#rows.push(row);
    this.#body.append(element);
  }
}

/**
 * @param {Row} row
 * @param {RankedMove | null} move
 * @param {import('./board.js').Board} board
 * @param {RankedMove | null} best null: all moves are equal
 * @param {boolean} canMove
 */
function fill(row, move, board, best, canMove) {
  row.move = move;
  row.element.hidden = !move;
  if (!move) return;
  const words = valueWords(move), name = moveName(board, move);
  setContent(row.button, icon(on(board, move.from)), name);
  row.button.setAttribute('aria-label', t('pawn.moves.play', { move: name, value: words }));
  enable(row.button, canMove);
  setContent(row.value, h('span', { class: `pawn-dot pawn-${move.verdict.toLowerCase()}`, 'aria-hidden': 'true' }), words);
  setContent(row.mark, move.verdict === best?.verdict && move.steps === best.steps ? t('pawn.moves.best') : '');
}

const TOOLS = [[OBSTACLE, 'obstacle'], [RED, 'red'], [PAWN, 'pawn'], [FREE, 'erase']];

/** The most squares of a board that is typed as text. */
const MOST_TYPED = 1024;

export class Editor {
  #session;
  #tools;
  #turn;
  #sizes;
  #text;
  #problem = h('div');
  #said = '';

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    const board = () => session.position.board;
    this.#tools = new Toggle(t('pawn.edit.tool'), TOOLS.map(([what, name]) => [what, icon(what), t(`pawn.edit.${name}`)]),
      (what) => session.setTool(what));
    const sides = SIDES.map((side) => /** @type {const} */ ([side, icon(pieceOf(side)), t(`pawn.side.${side}`)]));
    this.#turn = new Toggle(t('pawn.edit.turn'), sides, (turn) => session.begin(board(), turn));
    this.#sizes = [
      stepper('rows', () => board().length, (rows) => session.begin(resized(board(), rows, columns(board())))),
      stepper('cols', () => columns(board()), (cols) => session.begin(resized(board(), board().length, cols))),
    ];
    const label = t('pawn.edit.text');
    this.#text = h('textarea', { rows: 8, spellcheck: 'false', autocapitalize: 'off', 'aria-label': label });
    this.#text.addEventListener('input', () => {
      const rows = rowsOf(this.#text.value);
      if (rows.length > 0 && rows.length * columns(rows) <= MOST_TYPED) session.begin(rows);
    });
    this.palette = h('div', { class: 'pawn-controls' }, this.#tools.element,
      button(t('play.clear'), () => session.begin(cleared(board()))));
    this.element = h('section', { class: 'card pawn-editor', 'aria-label': t('pawn.edit.title') },
      h('h2', {}, t('pawn.edit.title')),
      this.#problem,
      h('div', { class: 'row' }, t('pawn.edit.turn'), this.#turn.element),
      h('div', { class: 'row' }, this.#sizes.map(({ element }) => element)),
      h('details', {}, h('summary', {}, t('pawn.edit.text')),
        h('p', { class: 'soft' }, t('pawn.edit.letters')), this.#text));
  }

  show() {
    const { mode, tool, problem, stale, awaited, over, position: { board, turn } } = this.#session, faults = faultsOf(problem, board);
    this.#tools.show(tool);
    this.palette.hidden = mode !== 'edit';
    this.element.hidden = mode !== 'edit' && !problem;
    this.#turn.show(turn);
    this.#sizes.forEach(({ show }) => show());
    const text = board.join('\n');
    if (this.#text !== document.activeElement && this.#text.value !== text) this.#text.value = text;
    if (awaited) return; // keep the text about the last board until the answer comes or is late
    const good = !stale && !problem, said = JSON.stringify(problem ? [problem, faults] : [good, over]);
    if (said === this.#said) return;
    this.#said = said; // screen readers read an alert each time it is inserted
    setContent(this.#problem, problem ? wrong(problem, faults) : good && h('p', { class: over ? 'soft' : 'pawn-good' }, t(over ? 'pawn.hint.over' : 'pawn.edit.complete')));
  }
}

/**
 * An alert with the faults of the board.
 * @param {Problem} problem
 * @param {readonly import('./words.js').Marked[]} faults
 */
function wrong(problem, faults) {
  if (faults.length === 0) return problemShown(problem);
  return h('div', { class: 'problem', role: 'alert' },
    faults.map(({ text }) => h('p', {}, text)), !lacks(problem) && detailsShown(problem.errors));
}

/**
 * The number of rows or columns, with buttons to decrease and increase it.
 * @param {'rows' | 'cols'} name
 * @param {() => number} value
 * @param {(value: number) => void} change
 */
function stepper(name, value, change) {
  const less = signButton(t(`pawn.edit.fewer-${name}`), '−', () => change(value() - 1)), shown = h('output');
  const more = signButton(t(`pawn.edit.more-${name}`), '+', () => change(value() + 1));
  const element = h('div', { class: 'pawn-stepper', role: 'group', 'aria-label': t(`pawn.edit.${name}`) },
    h('span', {}, t(`pawn.edit.${name}`)), less, shown, more);
  return { element, show: () => {
    setContent(shown, value());
    enable(less, value() > LEAST_SIDE);
    enable(more, value() < MOST_SIDE);
  } };
}
