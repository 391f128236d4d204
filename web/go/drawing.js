// Draws a Go board as SVG: lines, star points, coordinates, stones, marks. The wood is in go.css. Adjacent points are 1 apart.
// A step changes only the attributes that differ. The ground, the stones and the marks are three SVG elements, because when something
// moves in an element, the browser lays out all of it again. Only the marks move.

import { clearContent, s, setContent } from '../page/dom.js';
import { letter, starPoints } from './points.js';

/** @typedef {import('./points.js').Point} Point */
/** @typedef {import('./game.js').Color} Color */

/**
 * The input of the drawing.
 * @typedef {object} Picture
 * @property {readonly string[]} board
 * @property {boolean} fade                     do removed stones fade out?
 * @property {readonly import('./sgf.js').Figure[]} figures  labels and figures of the record
 * @property {Point | null} last                the last stone that was played
 * @property {[Color, number, number][]} pending  stones that the service hasn't judged yet
 * @property {{ color: Color, at: Point } | null} ghost    the stone that a click would play
 * @property {Point | null} aim                  the point of the first of two taps; lines lead to it
 * @property {{ color: Color, at: Point, flash: number } | null} refused  a new value of `flash` makes it flash again
 * @property {Point[]} faults                   stones that break a rule of the setup
 * @property {Point[]} differs                  points of this earlier board that differ from the current board
 * @property {{ kind: import('./session.js').Marks, rows: readonly string[] } | null} marks  what the service says about the points
 */

/** @typedef {{ stone: SVGElement, shadow: SVGElement, is: string }} Place */

/**
 * The margin around the points, for the coordinates. It is larger on large boards, so that they stay legible.
 * @param {number} size
 */
export const marginOf = (size) => 0.5 + size / 48;
const RADIUS = 0.475;

/** @param {Color} color */
const fillOf = (color) => `url(#go-stone-${color})`;

/**
 * @param {string} id
 * @param {[number, string][]} stops the offset of each stop, and the class that has its colour
 */
const gradient = (id, stops) => s('radialGradient', { id, cx: 0.5, cy: 0.5, r: 0.55, fx: 0.36, fy: 0.3 },
  stops.map(([offset, name]) => s('stop', { offset, class: name })));

/**
 * Lines, star points and coordinates, which depend only on the size.
 * @param {number} size
 */
function ground(size) {
  const far = size - 0.5;
  const lines = Array.from({ length: size }, (_, at) => `M.5 ${at + 0.5}H${far}M${at + 0.5} .5V${far}`).join('');
  const out = 0.08 + marginOf(size) / 2;
  const label = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string | number} */ text) =>
    s('text', { x, y, 'font-size': marginOf(size) / 2 }, text);
  return [
    s('path', { class: 'go-lines', d: lines }),
    s('path', { class: 'go-edge', d: `M.5 .5H${far}V${far}H.5Z` }),
    starPoints(size).map(([row, col]) => s('circle', { class: 'go-star', cx: col + 0.5, cy: row + 0.5, r: 0.11 })),
    s('g', { class: 'go-names', 'aria-hidden': 'true' }, Array.from({ length: size }, (_, at) => [
      label(at + 0.5, -out, letter(at)), label(at + 0.5, size + out, letter(at)),
      label(-out, at + 0.5, size - at), label(size + out, at + 0.5, size - at),
    ])),
  ];
}

export class Drawing {
  #ground = picture('ground');
  #stones = picture('stones');
  #marks = picture('marks');
  #marked = s('g');
  #last = s('circle', { r: 0.24, visibility: 'hidden' });
  #ghost = s('circle', { class: 'go-ghost', r: RADIUS, visibility: 'hidden' });
  #shadowsHere = s('g');
  #stonesHere = s('g');
  /** @type {Place[]} */
  #places = [];
  /** @type {readonly string[]} */
  #board = [];
  #markKey = '';

  /** The three SVG elements, from bottom to top. */
  elements = [this.#ground, this.#stones, this.#marks];

  /** @param {Picture} picture */
  show(picture) {
    if (picture.board.length !== this.#board.length) this.#layOut(picture.board.length);
    this.#draw(picture.board, picture.fade);
    move(this.#ghost, picture.ghost?.at ?? null);
    if (picture.ghost) this.#ghost.setAttribute('fill', fillOf(picture.ghost.color));
    move(this.#last, picture.last);
    if (picture.last) this.#last.setAttribute('class', `go-last go-on-${picture.board[picture.last[0]][picture.last[1]]}`);
    this.#mark(picture);
  }

  /** @param {number} size */
  #layOut(size) {
    const out = marginOf(size), side = size + 2 * out;
    for (const element of this.elements) element.setAttribute('viewBox', `${-out} ${-out} ${side} ${side}`);
    this.#board = Array.from({ length: size }, () => '.'.repeat(size));
    this.#places = new Array(size * size);
    this.#markKey = '';
    clearContent(this.#shadowsHere);
    clearContent(this.#stonesHere);
    setContent(this.#ground, ground(size));
    setContent(this.#stones,
      s('defs', {},
        gradient('go-stone-B', [[0, 'go-black-light'], [0.35, 'go-black-mid'], [1, 'go-black-deep']]),
        gradient('go-stone-W', [[0, 'go-white-light'], [0.6, 'go-white-mid'], [1, 'go-white-deep']]),
        s('radialGradient', { id: 'go-shade' },
          s('stop', { offset: 0.8, class: 'go-shade' }), s('stop', { offset: 1, class: 'go-no-shade' }))),
      this.#shadowsHere, this.#stonesHere);
    setContent(this.#marks, this.#ghost, this.#last, this.#marked);
  }

  /**
   * @param {readonly string[]} board
   * @param {boolean} fade
   */
  #draw(board, fade) {
    board.forEach((line, row) => {
      if (line === this.#board[row]) return;
      for (let col = 0; col < line.length; col += 1) {
        if (line[col] !== this.#board[row][col]) this.#setStone(row, col, line[col], fade);
      }
    });
    this.#board = board;
  }

  /**
   * @param {number} row
   * @param {number} col
   * @param {string} is 'B', 'W' or '.'
   * @param {boolean} fade
   */
  #setStone(row, col, is, fade) {
    const at = row * this.#board.length + col;
    const place = this.#places[at] ??= this.#place(row, col);
    if (is === '.') {
      place.stone.setAttribute('class', fade ? `go-stone go-${place.is} go-leaving` : 'go-stone go-none');
      place.shadow.setAttribute('class', 'go-none');
    } else {
      place.stone.setAttribute('class', `go-stone go-${is}`);
      place.stone.setAttribute('fill', fillOf(/** @type {Color} */ (is)));
      place.shadow.setAttribute('class', '');
    }
    place.is = is;
  }

  /**
   * @param {number} row
   * @param {number} col
   * @returns {Place}
   */
  #place(row, col) {
    const stone = s('circle', { cx: col + 0.5, cy: row + 0.5, r: RADIUS });
    const shadow = s('circle', { cx: col + 0.54, cy: row + 0.57, r: RADIUS + 0.05, fill: 'url(#go-shade)' });
    this.#stonesHere.append(stone);
    this.#shadowsHere.append(shadow);
    return { stone, shadow, is: '.' };
  }

  /** @param {Picture} picture */
  #mark({ board, pending, aim, refused, faults, differs, marks, figures }) {
    const key = JSON.stringify([pending, aim, refused, faults, differs, marks, figures, (marks || figures.length > 0) && board]);
    if (key === this.#markKey) return;
    this.#markKey = key;
    const circle = (/** @type {Point} */ [row, col], /** @type {number} */ r, /** @type {Record<string, any>} */ how) =>
      s('circle', { cx: col + 0.5, cy: row + 0.5, r, ...how });
    setContent(this.#marked,
      aim && s('path', { class: 'go-aim', d: `M0 ${aim[0] + 0.5}H${board.length}M${aim[1] + 0.5} 0V${board.length}` }),
      marks && board.map((line, row) => Array.from(line, (stone, col) => pointMark(markOf(marks, row, col, stone), row, col))),
      figures.map((figure) => drawnFigure(figure, board[figure.at[0]][figure.at[1]])),
      pending.map(([color, row, col]) => circle([row, col], RADIUS, { class: 'go-pending', fill: fillOf(color) })),
      faults.map((at) => circle(at, 0.49, { class: 'go-fault' })),
      differs.map((at) => circle(at, 0.47, { class: 'go-differs' })),
      refused && s('g', { class: 'go-refused' },
        board[refused.at[0]][refused.at[1]] === '.'
          && circle(refused.at, RADIUS, { class: 'go-ghost', fill: fillOf(refused.color) }),
        circle(refused.at, 0.49, { class: 'go-ring' }),
        cross(refused.at, 0.2)));
  }
}

/**
 * What the marks say about a point; '' if there is nothing to show. `dead` is followed by the colour of the points there.
 * @param {NonNullable<Picture['marks']>} marks
 * @param {number} row
 * @param {number} col
 * @param {string} stone
 */
export function markOf({ kind, rows }, row, col, stone) {
  const sign = rows[row]?.[col] ?? '.';
  if (kind === 'legal') return stone !== '.' ? '' : { '.': 'legal', 2: 'suicide', 3: 'repeats' }[sign] ?? '';
  if (kind === 'alive' && sign === stone && stone !== '.') return `alive-${sign}`;
  if (kind === 'territory' && stone !== '.') return sign === stone ? '' : `dead-${/[bw]/i.test(sign) ? sign.toUpperCase() : 'none'}`;
  return sign === 'b' || sign === 'w' ? `point-${sign.toUpperCase()}` : '';
}

function pointMark(/** @type {string} */ mark, /** @type {number} */ row, /** @type {number} */ col) {
  const square = (/** @type {number} */ half) => s('rect', { class: `go-mark go-${mark}`, x: col + 0.5 - half, y: row + 0.5 - half, width: 2 * half, height: 2 * half });
  if (mark === 'legal') return s('circle', { class: 'go-mark go-legal', cx: col + 0.5, cy: row + 0.5, r: 0.1 });
  if (mark === 'suicide') return cross([row, col], 0.14);
  if (mark === 'repeats') return square(0.22);
  return mark && [mark.startsWith('dead') && cross([row, col], 0.28), mark !== 'dead-none' && square(mark.startsWith('alive') ? 0.12 : 0.16)];
}

const SHAPES = /** @type {Record<string, string>} */ ({
  CR: 'M-.24 0a.24 .24 0 1 0 .48 0a.24 .24 0 1 0 -.48 0z', TR: 'M0 -.29L.26 .16H-.26z', SQ: 'M-.2 -.2H.2V.2H-.2z', MA: 'M-.2 -.2L.2 .2M.2 -.2L-.2 .2', SL: 'M0 -.25L.25 0L0 .25L-.25 0z',
});

/**
 * A label or a figure. On an empty point, it has a ground of wood, so that the lines don't run through it.
 * @param {import('./sgf.js').Figure} figure
 * @param {string} stone
 */
function drawnFigure({ at: [row, col], kind, text }, stone) {
  const shape = kind === 'LB' ? s('text', { 'font-size': Math.min(0.62, 1.3 / text.length) }, text) : s('path', { d: SHAPES[kind] });
  return s('g', { class: `go-figure go-on-${stone}`, transform: `translate(${col + 0.5} ${row + 0.5})` }, stone === '.' && s('circle', { class: 'go-plain', r: 0.36 }), shape);
}

/** @param {string} kind the end of a class name */
const picture = (kind) => s('svg', { class: `go-picture go-${kind}`, focusable: 'false', 'aria-hidden': 'true' });

/**
 * @param {SVGElement} mark
 * @param {Point | null} at null hides it
 */
function move(mark, at) {
  mark.setAttribute('visibility', at ? 'visible' : 'hidden');
  if (!at) return;
  mark.setAttribute('cx', String(at[1] + 0.5));
  mark.setAttribute('cy', String(at[0] + 0.5));
}

/**
 * @param {Point} at
 * @param {number} reach
 */
function cross([row, col], reach) {
  const x = col + 0.5, y = row + 0.5;
  const d = `M${x - reach} ${y - reach}L${x + reach} ${y + reach}M${x + reach} ${y - reach}L${x - reach} ${y + reach}`;
  return [s('path', { class: 'go-cross go-under-cross', d }), s('path', { class: 'go-cross', d })];
}
