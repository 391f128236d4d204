// The board on the page. The user selects, moves and drags pieces, or draws on squares, with the pointer or the keyboard.

import { h, setContent } from '../page/dom.js';
import { cellName, Grid } from '../page/grid.js';
import { say } from '../page/say.js';
import { joined, t } from '../page/text.js';
import { button } from '../page/ui.js';
import { columns, FREE, OBSTACLE, on, PAWN, RED, sameCell } from './board.js';
import { Drawing, MOST_LINE } from './drawing.js';
import { faultsOf, moveName, valueSign, valueWords } from './words.js';

/** @typedef {import('./board.js').Cell} Cell */
/** @typedef {import('./board.js').Move} Move */
/** @typedef {import('./session.js').Session} Session */

/**
 * @typedef {object} Acts
 * @property {(event: KeyboardEvent) => boolean} key         called for a key on the board; true if it was handled
 * @property {(moves: readonly Move[]) => void} highlighted  called when other moves are highlighted
 */

/** @type {Record<string, string>} */
const NAMES = { [FREE]: 'free', [OBSTACLE]: 'obstacle', [RED]: 'red-piece', [PAWN]: 'pawn', '': 'no-cell' };

export class View {
  #session;
  #acts;
  #drawing = new Drawing();
  /** @type {Cell | null} */
  #chosen = null;
  /** @type {Cell | null} */
  #hovered = null;
  /** @type {readonly Move[]} */
  #highlighted = [];
  /** The hint that was shown last. @type {Move | null} */
  #lastHint = null;
  /** @type {readonly import('./words.js').Marked[]} */
  #faults = [];
  #size = '';
  /** The highlighted moves, else the judgement of the last move or what to do next. */
  #words = h('p');
  #takeBack = button(t('play.take-back'), () => {
    this.#session.undo();
    this.grid.element.focus();
    this.#hover(null); // the focus is on the square of the bad move, which must not be highlighted
  });
  /** The line of text below the board, with space for the button. */
  readout = h('div', { class: 'pawn-readout' }, this.#words, this.#takeBack);

  /**
   * @param {Session} session
   * @param {Acts} acts
   */
  constructor(session, acts) {
    this.#session = session;
    this.#acts = acts;
    this.grid = new Grid({
      rows: 1,
      cols: 1,
      label: '',
      describe: (row, col) => this.#describe([row, col]),
      act: (row, col, how) => this.#act([row, col], how),
      hover: (row, col) => this.#hover([row, col]),
      leave: () => this.#hover(null),
      drop: (from, to) => this.#drop(from, to),
      key: (event) => (event.key === 'Tab' && !event.ctrlKey ? this.#tab(event.shiftKey) : acts.key(event)),
      painting: () => session.mode === 'edit',
      endStroke: () => session.endStroke(),
    });
    this.grid.element.prepend(...this.#drawing.elements);
    this.element = h('div', { class: 'pawn-scroll' }, this.grid.element);
  }

  get cell() {
    return this.grid.cell;
  }

  show() {
    const { problem, position: { board } } = this.#session, rows = board.length, cols = Math.max(1, columns(board));
    this.#faults = faultsOf(problem, board);
    const hint = this.#session.hint, shown = this.#lastHint;
    this.#lastHint = hint;
    // A new hint isn't lost among the moves of another piece.
    if (this.#chosen && (this.#session.movesFrom(this.#chosen).length === 0 || (hint && hint !== shown))) this.#chosen = null;
    if (this.#size !== `${rows} ${cols}`) {
      this.#size = `${rows} ${cols}`;
      this.grid.reshape({ rows, cols, label: t('pawn.board', { rows, cols }) });
    }
    this.grid.updatePainting();
    this.#draw();
  }

  /**
   * Highlight these moves, because the pointer or the focus is on them in the table.
   * @param {readonly Move[]} moves
   */
  highlight(moves) {
    this.#highlighted = moves;
    this.#draw();
  }

  /** The highlighted moves: those given to `highlight`, else those of the square under the pointer, else those of the selected piece. */
  get #focus() {
    const highlighted = this.#session.result?.moves?.filter((move) => this.#highlighted.includes(move)) ?? [];
    if (highlighted.length > 0) return highlighted;
    const chosen = this.#chosen ? this.#session.movesFrom(this.#chosen) : [];
    if (!this.#hovered) return chosen;
    const there = this.#session.movesFrom(this.#hovered);
    if (there.length > 0) return there;
    const towards = this.#session.movesTo(this.#hovered);
    const ofChosen = towards.filter(({ from }) => sameCell(from, this.#chosen));
    return [ofChosen, chosen, towards].find((moves) => moves.length > 0) ?? [];
  }

  get #movable() {
    const { canMove, mode, result } = this.#session;
    return canMove && mode === 'play' ? distinct(result?.moves?.map(({ from }) => from) ?? []) : [];
  }

  #draw() {
    const { position: { board, turn }, result, mode, shows, last, visible, record } = this.#session, focus = this.#focus;
    const moves = mode === 'edit' ? [] : result?.moves ?? [], hint = this.#session.hint;
    const led = moves.filter((move) => move === hint || (this.#chosen ? sameCell(move.from, this.#chosen) : focus.includes(move)));
    this.#drawing.show({
      board,
      last: mode === 'edit' ? undefined : last,
      moves: shows === 'values' ? moves : led,
      values: shows === 'values',
      line: mode === 'play' && focus.length === 0 && record.at === record.moves.length ? visible.slice(record.at, record.at + MOST_LINE) : [],
      turn,
      hint,
      focus,
      chosen: this.#chosen,
      movable: this.#movable,
      faults: this.#faults,
    });
    this.grid.element.classList.toggle('pawn-usable', this.#hovered !== null && this.#usable(this.#hovered));
    this.grid.update();
    this.#readOut(focus);
    this.#acts.highlighted(focus);
  }

  /** @param {Cell} cell */
  #usable(cell) {
    if (this.#session.mode === 'edit') return true;
    return this.#session.canMove && (this.#session.movesFrom(cell).length > 0 || this.#session.movesTo(cell).length > 0);
  }

  /**
   * Write the highlighted moves or, if there are none, `#next`.
   * @param {readonly Move[]} focus
   */
  #readOut(focus) {
    const { position: { board }, shows, mode, result, lastVerdict, wrong } = this.#session;
    const ranked = result?.moves?.filter((move) => focus.includes(move)) ?? [], lost = Boolean(lastVerdict?.judgement.endsWith('-lost'));
    this.#takeBack.hidden = !lost || mode === 'edit';
    this.#words.classList.toggle('bad', ranked.length === 0 && mode === 'play' && (lost || wrong !== null));
    if (mode === 'edit') return setContent(this.#words, t('pawn.hint.paint'));
    if (ranked.length === 0) return setContent(this.#words, this.#next());
    setContent(this.#words, ranked.map((move) => [h('span', {}, h('b', {}, moveName(board, move)),
      shows === 'values' && ` ${ranked.length === 1 ? valueWords(move) : valueSign(move)}`), ' ']));
  }

  /** The judgement of the last move, or what to do now, in words. */
  #next() {
    const { lastVerdict: last, wrong, over, canMove, result, side, canResume, position: { board, turn } } = this.#session;
    const hint = this.#session.hint;
    if (hint) return t('pawn.hint.best', { move: moveName(board, hint) });
    if (wrong) return t('puzzle.wrong', { move: moveName(board, wrong) });
    if (last && last.judgement !== 'best') {
      return t(`pawn.judged.${last.judgement}`, {
        move: moveName(last.position.board, last.after), instead: last.before.moves ? moveName(last.position.board, last.before.moves[0]) : '',
        best: valueWords(last.before), this: valueWords(last.after),
      });
    }
    if (over) return t('pawn.hint.over');
    if (!result) return '';
    if (canResume) return t('pawn.hint.waiting');
    if (!canMove) return t('play.thinking');
    if (this.#chosen) return t('pawn.hint.target');
    if (side !== 'both' && side !== turn) return t('pawn.hint.other', { side: t(`pawn.side.${turn}`) });
    return joined('sentences', [t(`pawn.hint.${turn}`), side !== 'both' && t('pawn.hint.yours')]);
  }

  /** @param {Cell | null} cell */
  #hover(cell) {
    if (cell === this.#hovered || (cell && sameCell(cell, this.#hovered))) return;
    this.#hovered = cell;
    this.#draw();
  }

  /**
   * In Play, a long press is the same as a tap.
   * @param {Cell} cell
   * @param {import('../page/grid.js').Act} how
   */
  #act(cell, { stroke, second, keyboard }) {
    const session = this.#session;
    if (session.mode === 'edit') {
      if (stroke) return session.continueStroke(cell);
      return second || keyboard ? session.paint(cell, second ? FREE : session.tool) : session.beginStroke(cell);
    }
    if (!session.result) return;
    if (!session.canMove) return say(t('play.thinking'));
    const chosen = this.#chosen, towards = session.movesTo(cell);
    const fitting = chosen ? towards.filter(({ from }) => sameCell(from, chosen)) : towards;
    if (fitting.length === 1) return this.#play(fitting[0]);
    if (session.movesFrom(cell).length > 0) return this.choose(chosen && sameCell(cell, chosen) ? null : cell);
    if (chosen) return this.#say(t('pawn.cannot-go', { from: cellName(chosen), to: cellName(cell) }));
    this.#say(t(towards.length > 1 ? 'pawn.two-can' : 'pawn.nothing-there', { cell: cellName(cell) }));
  }

  /** @param {Move} move */
  #play(move) {
    this.#chosen = null;
    this.#hovered = null; // the user didn't point at the piece that is now below the pointer
    this.#session.play(move);
  }

  /**
   * Select the piece on a square; null deselects.
   * @param {Cell | null} cell
   */
  choose(cell) {
    this.#chosen = cell;
    this.#draw();
    if (!cell) return;
    say(joined('statements', [cellName(cell), ...this.#session.movesFrom(cell).map((move) => this.#moveWords(move))]));
  }

  /**
   * Say why nothing has happened, to screen readers too.
   * @param {string} text
   */
  #say(text) {
    say(text);
    setContent(this.#words, text);
  }

  /**
   * @param {Cell} from
   * @param {Cell} to
   */
  #drop(from, to) {
    if (this.#session.mode === 'edit' || !this.#session.canMove) return;
    const move = this.#session.movesFrom(from).find((known) => sameCell(known.to, to));
    if (move) this.#play(move);
  }

  /**
   * Tab goes through the pieces that can move, or the targets of the selected piece, and then leaves the board.
   * @param {boolean} back
   */
  #tab(back) {
    const stops = this.#chosen ? this.#session.movesFrom(this.#chosen).map(({ to }) => to) : this.#movable;
    const ordered = [...stops].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    if (back) ordered.reverse();
    const stop = ordered[ordered.findIndex((known) => sameCell(known, this.cell)) + 1];
    if (!stop) return false;
    this.grid.moveTo(...stop);
    return true;
  }

  /** @param {import('../arbiter.js').PawnRankedMove} move */
  #moveWords(move) {
    const name = moveName(this.#session.position.board, move);
    return this.#session.shows === 'values' ? t('pawn.move-value', { move: name, value: valueWords(move) }) : name;
  }

  /** @param {Cell} cell */
  #describe(cell) {
    const { position: { board }, mode } = this.#session, what = on(board, cell);
    const name = what === FREE && cell[0] === 0 ? 'goal' : NAMES[what] ?? 'unknown';
    const parts = [t('pawn.cell', { cell: cellName(cell), what: t(`pawn.on.${name}`, { what }) })];
    if (mode === 'play') {
      if (sameCell(cell, this.#chosen)) parts.push(t('pawn.chosen'));
      else if (this.#movable.some((movable) => sameCell(movable, cell))) parts.push(t('pawn.can-move'));
      const moves = this.#session.movesTo(cell).filter(({ from }) => !this.#chosen || sameCell(from, this.#chosen));
      parts.push(...moves.map((move) => this.#moveWords(move)));
    }
    const here = this.#faults.filter(({ row, col }) => row === cell[0] && (col === null || col === cell[1]));
    return joined('statements', [...parts, ...here.map(({ text }) => text)]);
  }
}

/**
 * @param {readonly Cell[]} cells
 * @returns {Cell[]}
 */
const distinct = (cells) => cells.filter((cell, at) => cells.findIndex((other) => sameCell(other, cell)) === at);
