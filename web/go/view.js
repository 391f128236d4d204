// The board: the drawing, input by pointer, touch and keyboard, and the reason for a refusal beside its point.

import { h, setContent } from '../page/dom.js';
import { Grid } from '../page/grid.js';
import { note } from '../page/say.js';
import { joined, t } from '../page/text.js';
import { Drawing, markOf } from './drawing.js';
import { other, placeOf, sameItems } from './game.js';
import { nameOf } from './points.js';
import { reasonText, whenOf } from './words.js';

/** @typedef {import('./points.js').Point} Point */
/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('../page/grid.js').Act} Act */

/** Pixels of scrolling for one step: less than one notch of a mouse wheel, more than one event of a touchpad. */
const NOTCH = 40;
/** For this many milliseconds after the last step, the wheel doesn't scroll the page at either end of the game. */
const HELD = 500;

/** If points are fewer pixels apart, a tap only aims, and a second tap plays. */
const LEAST_TAPPED = 30;

export class View {
  #session;
  #onAim;
  /** The point of the first tap, and the step it was for. @type {{ point: Point, step: number } | null} */
  #aim = null;
  #drawing = new Drawing();
  #grid;
  #earlier = h('p', { class: 'go-earlier-name', hidden: true });
  #why = h('p', { class: 'go-why', hidden: true, 'aria-hidden': 'true' });
  /** @type {Point | null} */
  #hovered = null;
  /** Read only when something changes, because the pointer redraws often. @type {import('./sgf.js').Figure[]} */
  #figures = [];
  #shownStep = 0;
  #flashes = 0;
  /** @type {import('../arbiter.js').GoMiss | null} */
  #refused = null;
  #scrolled = 0;
  #steppedAt = -Infinity;

  /**
   * @param {Session} session
   * @param {(event: KeyboardEvent) => boolean} key called for a key on the board; true if it was handled
   * @param {() => void} onAim called when `aimed` has changed
   */
  constructor(session, key, onAim) {
    this.#session = session;
    this.#onAim = onAim;
    const { size } = session;
    this.#grid = new Grid({
      rows: size, cols: size, label: t('go.board', { size }),
      describe: (row, col) => this.#describe([row, col]),
      act: (row, col, how) => this.#act([row, col], how),
      hover: (row, col) => this.#hover([row, col]),
      leave: () => this.#hover(null),
      key,
      painting: () => session.mode === 'edit',
    });
    this.#grid.element.prepend(...this.#drawing.elements);
    this.#grid.element.append(this.#why);
    this.element = h('div', { class: 'go-table' }, this.#grid.element, this.#earlier);
    this.element.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
  }

  /** The point at which a second tap plays; null if there is none. */
  get aimed() {
    const { step, mode, size } = this.#session, aim = this.#aim;
    return aim && aim.step === step && mode === 'play' && Math.max(...aim.point) < size ? aim.point : null;
  }

  show() {
    const session = this.#session, { size } = session;
    if (this.element.style.getPropertyValue('--cols') !== String(size)) {
      this.element.style.setProperty('--cols', String(size));
      this.#grid.reshape({ rows: size, cols: size, label: t('go.board', { size }) });
    }
    this.#figures = session.figures;
    if (!this.aimed) this.#aim = null; // Undo doesn't bring it back
    this.#draw();
    this.#grid.updatePainting();
    this.#grid.update();
  }

  #draw() {
    const { preview, line, board, step, pending, refused } = this.#session, figures = this.#figures, last = this.#last();
    const earlier = preview === null ? null : line?.board(preview) ?? null;
    if (refused !== this.#refused && refused) this.#flashes += 1;
    this.#refused = refused;
    const fade = step === this.#shownStep + 1;
    this.#shownStep = step;
    this.#drawing.show({
      board: earlier ?? board,
      fade: fade && !earlier,
      figures: earlier ? [] : figures,
      last: earlier || figures.some(({ at }) => last && sameItems(at, last)) ? null : last,
      pending: earlier ? [] : (pending?.moves ?? []).flatMap((move) => (move.length === 3 ? [[...move]] : [])),
      ghost: earlier ? null : this.#ghost(),
      aim: earlier ? null : this.aimed,
      refused: earlier || !refused ? null : { color: refused.color, at: refused.at, flash: this.#flashes },
      faults: this.#session.faults,
      differs: earlier ? differing(earlier, board) : [],
      marks: earlier ? null : this.#marks,
    });
    this.element.classList.toggle('go-earlier', earlier !== null);
    this.#earlier.hidden = earlier === null;
    if (earlier) setContent(this.#earlier, t('go.earlier-name', { when: whenOf(preview ?? 0) }));
    this.#showWhy(earlier ? null : refused);
  }

  /** The marks on the points: those that the user wants, or after two passes the territory. @returns {import('./drawing.js').Picture['marks']} */
  get #marks() {
    const { marks, found, over } = this.#session, kind = marks ?? (over ? 'territory' : null);
    const rows = kind === 'legal' ? found?.legal?.board : kind && found?.[kind];
    return kind && rows ? { kind, rows } : null;
  }

  /** Show the reason for a refusal beside its point. @param {import('../arbiter.js').GoMiss | null} miss */
  #showWhy(miss) {
    this.#why.hidden = miss === null;
    if (!miss) return;
    const { size } = this.#session, [row, col] = miss.at;
    setContent(this.#why, reasonText(miss, this.#session));
    const across = Math.max(15, Math.min(85, (100 * (col + 0.5)) / size));
    this.#why.style.left = `${across}%`;
    this.#why.style.top = `${(100 * (row + (row > 0 ? -0.35 : 1.35))) / size}%`;
  }

  /** The last stone that was played, if it is still on the board. @returns {Point | null} */
  #last() {
    const { line, step, board } = this.#session;
    const at = step > 0 ? line?.entry(step) : undefined;
    return at?.at && !at.miss && board[at.at[0]][at.at[1]] !== '.' ? at.at : null;
  }

  #ghost() {
    const { board, mode, tool, next, refused } = this.#session, at = this.aimed ?? this.#hovered;
    if (!at || at[0] >= board.length || at[1] >= board.length) return null;
    if (refused?.at[0] === at[0] && refused.at[1] === at[1]) return null;
    const color = mode === 'edit' ? tool : next;
    return color && (board[at[0]][at[1]] === '.' || mode === 'edit') ? { color, at } : null;
  }

  /**
   * Play a stone, or paint. The right button plays the other colour, or erases.
   * @param {Point} point
   * @param {Act} how
   */
  #act(point, { stroke, second, touch }) {
    const session = this.#session;
    if (session.mode === 'play' && session.over && session.board[point[0]][point[1]] !== '.') return session.toggleDead(point);
    if (session.mode === 'play') {
      const near = touch && this.#grid.element.clientWidth / session.size < LEAST_TAPPED, at = this.aimed;
      if (near && (at?.[0] !== point[0] || at[1] !== point[1])) return this.#aimAt(point);
      return session.play(point, second ? other(session.next) : session.next);
    }
    if (!stroke) session.beginStroke(point, second ? '.' : session.tool ?? '.');
    session.paint(point);
  }

  /** @param {Point} point */
  #aimAt(point) {
    this.#aim = { point, step: this.#session.step };
    note(t('go.aim', { point: nameOf(point, this.#session.size) }));
    this.#draw();
    this.#onAim();
  }

  /** @param {Point | null} point */
  #hover(point) {
    const before = this.#hovered;
    if (before?.[0] === point?.[0] && before?.[1] === point?.[1]) return;
    this.#hovered = point;
    this.#draw();
  }

  /** @param {Point} point */
  #describe(point) {
    const { board, size, pending, refused } = this.#session, [row, col] = point;
    const is = (/** @type {Point | null | undefined} */ at) => at?.[0] === row && at?.[1] === col;
    const stone = board[row]?.[col] ?? '.';
    let what = t(`go.what.${stone === '.' ? 'empty' : stone}`);
    if (is(this.#last())) what = t('go.what-last', { what });
    if (this.#session.faults.some(is)) what = t('go.what-fault', { what });
    if (pending?.moves.some((move) => is(placeOf(move)))) what = t('go.what-pending');
    if (refused && is(refused.at)) what = t('go.what-refused', { what, reason: reasonText(refused, this.#session) });
    const marks = this.#marks, mark = marks && markOf(marks, row, col, stone);
    const figures = this.#figures.filter(({ at }) => is(at)).map(({ kind, text }) => (kind === 'LB' ? t('go.label', { text }) : t(`go.figure.${kind}`)));
    return t('go.point', { point: nameOf(point, size), what: joined('clauses', [what, mark && t(`go.marked.${mark}`), ...figures]) });
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    const session = this.#session;
    const handled = event.ctrlKey || this.#grid.element === document.activeElement; // if not, the page scrolls
    if (!handled || session.length === 0 || event.deltaY === 0) return;
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * NOTCH;
    if (Math.sign(pixels) !== Math.sign(this.#scrolled)) this.#scrolled = 0;
    const end = pixels > 0 ? session.step === session.length : session.step === 0;
    if (end && !event.ctrlKey && event.timeStamp - this.#steppedAt > HELD) return; // the page scrolls
    event.preventDefault();
    this.#scrolled += pixels;
    if (Math.abs(this.#scrolled) < NOTCH) return;
    this.#scrolled = 0;
    if (!end) this.#steppedAt = event.timeStamp;
    session.goTo(session.step + Math.sign(pixels));
  }
}

/**
 * @param {readonly string[]} one
 * @param {readonly string[]} two
 * @returns {Point[]}
 */
function differing(one, two) {
  return one.flatMap((line, row) => Array.from(line, (stone, col) => ({ at: /** @type {Point} */ ([row, col]), stone }))
    .filter(({ at, stone }) => stone !== two[at[0]][at[1]]).map(({ at }) => at));
}
