// Draws the board: squares, obstacles and pieces in SVG. The names of rows and columns and the values of moves are HTML text above it, so
// that they stay readable on small squares. The colours are in pawn.css.

import { h, s, setContent } from '../page/dom.js';
import { columnName } from '../page/grid.js';
import { columns, OBSTACLE, on, other, PAWN, RED, sameCell, sameMove } from './board.js';
import { valueSign } from './words.js';

/** @typedef {import('./board.js').Board} Board */
/** @typedef {import('./board.js').Cell} Cell */
/** @typedef {import('./board.js').Move} Move */
/** @typedef {import('../arbiter.js').PawnRankedMove} RankedMove */

/**
 * The contents of the drawing.
 * @typedef {object} Scene
 * @property {Board} board
 * @property {Move | undefined} last             the move that led here
 * @property {readonly RankedMove[]} moves       the moves shown; the first is the best, if `values` is true
 * @property {boolean} values                    show the values of the moves, or only their targets?
 * @property {readonly Move[]} line             the best line, if it is shown
 * @property {import('./board.js').Side} turn    the side that makes its first move
 * @property {Move | null} hint                  the best move, if the user has asked for it
 * @property {readonly Move[]} focus             the highlighted moves; if there are any, the others are dimmed
 * @property {Cell | null} chosen                the selected piece
 * @property {readonly Cell[]} movable           the pieces that the user can move
 * @property {readonly import('./words.js').Marked[]} faults
 */
/** @typedef {{ x: number, y: number, w: number, h: number }} Box the middle, and half of the width and the height */

const SIDE = 100;

/** The most moves of the best line that are drawn. */
export const MOST_LINE = 24;

/** How far an arrow's number can be from the middle of the arrow, across and down. Of equal places, it gets the first. */
const SHIFTS = [0, -10, 10, -20, 20, -30, 30, -40, 40, -50, 50];

/** @param {Cell} cell */
const middle = ([row, col]) => [col * SIDE + SIDE / 2, row * SIDE + SIDE / 2];

/** @param {Move} a @param {Move} b */
const sameWay = (a, b) => sameMove(a, b) || sameMove(a, { from: b.to, to: b.from });

/**
 * The middle of a move's value, in squares. If the target is occupied, or another move has the same target, it is shifted towards the
 * moving piece.
 * @param {Board} board
 * @param {readonly Move[]} moves
 * @param {Move} move
 */
function placeOfValue(board, moves, { from, to }) {
  const crowded = on(board, to) !== '.' || moves.filter((move) => sameCell(to, move.to)).length > 1;
  return [0, 1].map((axis) => to[axis] + 0.5 + (crowded ? 0.3 : 0) * Math.sign(from[axis] - to[axis]));
}

/** The area of a box that others cover. @param {Box} a @param {readonly Box[]} others */
const covered = (a, others) => others.reduce((sum, b) => sum + Math.max(0, Math.min(2 * a.w, 2 * b.w, a.w + b.w - Math.abs(a.x - b.x)))
  * Math.max(0, Math.min(2 * a.h, 2 * b.h, a.h + b.h - Math.abs(a.y - b.y))), 0);

/** @param {Cell} cell */
const square = ([row, col]) => `M${col * SIDE} ${row * SIDE}h${SIDE}v${SIDE}h${-SIDE}z`;

/**
 * The squares of a board, row by row.
 * @param {Board} board
 * @returns {Cell[]}
 */
const cells = (board) => board.flatMap((row, at) => Array.from(row, (_, col) => /** @type {Cell} */ ([at, col])));

/**
 * The dark squares of the finish line, which has two rows of squares.
 * @param {number} width
 */
const chequers = (width) =>
  Array.from({ length: width / 10 }, (_, at) => `M${at * 10} ${(at % 2) * 8}h10v8h-10z`).join('');

export class Drawing {
  #ground = s('g', { class: 'pawn-ground' });
  #marks = s('g', { class: 'pawn-marks' });
  #line = s('g', { class: 'pawn-lines' });
  #numbers = s('g', { class: 'pawn-line-numbers' });
  #arrows = s('g', { class: 'pawn-arrows' });
  #pieces = s('g', { class: 'pawn-pieces' });
  #picture = s('svg', { class: 'pawn-picture', 'aria-hidden': 'true' },
    this.#ground, this.#marks, this.#line, this.#pieces, this.#arrows, this.#numbers);
  #names = h('div', { class: 'pawn-names' });
  #values = h('div', { class: 'pawn-values' });
  #text = h('div', { class: 'pawn-text', 'aria-hidden': 'true' }, this.#names, this.#values);
  /** @type {{ what: string, cell: Cell, element: SVGElement }[]} */
  #standing = [];
  #cells = '';

  /** Goes into a grid, below its cursor. */
  get elements() {
    return [this.#picture, this.#text];
  }

  /** @param {Scene} scene */
  show(scene) {
    this.#drawGround(scene.board);
    this.#drawMarks(scene);
    this.#drawPieces(scene.board);
    this.#drawMoves(scene);
    this.#drawLine(scene);
  }

  /** Numbered arrows. Moves of one side between the same squares share one; others lie beside each other. @param {Scene} scene */
  #drawLine({ board, line, moves, turn }) {
    /** @type {Map<string, Move & { side: string, order: number, numbers: number[] }>} */
    const steps = new Map();
    line.forEach(({ from, to }, at) => {
      const side = (at % 2 === 0 ? turn : other(turn)).toLowerCase(), key = `${side} ${from} ${to}`;
      const order = to[1] - from[1] - to[0] + from[0]; // so that opposite arrows keep to the right
      steps.set(key, { from, to, side, order, numbers: [...steps.get(key)?.numbers ?? [], at + 1] });
    });
    const arrows = [...steps.values()].sort((a, b) => a.order - b.order).map((step, _, sorted) => {
      const beside = sorted.filter((one) => sameWay(one, step)), lane = 20 * (beside.indexOf(step) - (beside.length - 1) / 2);
      const [[x, y], [toX, toY]] = [middle(step.from), middle(step.to)], level = y === toY, [right, down] = level ? [0, lane] : [lane, 0];
      return { ...step, right, down, x: (x + toX) / 2 + right, y: (y + toY) / 2 + down, w: level ? 34 : 8, h: level ? 8 : 34 };
    });
    setContent(this.#line, arrows.map(({ from, to, side, x, y }) => {
      const [start, tip] = [from, to].map((cell, end) => (moves.some((move) => sameCell(move.to, cell)) || (end === 1 && on(board, cell) !== '.') ? 12 : 33));
      const d = `M-${start} 0H${tip}M${tip - 13} -10L${tip} 0L${tip - 13} 10`; // it stops before pieces and values
      return turned(s('g', { class: `pawn-line pawn-${side}` }, s('path', { class: 'pawn-under', d }), s('path', { d })), { from, to }, [x, y]);
    }));
    const busy = [...this.#standing.map(({ cell: [row, col] }) => [row + 0.5, col + 0.5]), ...moves.map((move) => placeOfValue(board, moves, move))];
    const drawn = [...arrows, ...busy.map(([row, col]) => ({ x: col * SIDE, y: row * SIDE, w: 36, h: 26 }))];
    const size = Math.min(36, Math.max(26, 3 * Math.max(board.length, columns(board)))); // a large board has small squares
    /** @type {Box[]} */
    const taken = [];
    setContent(this.#numbers, arrows.map(({ side, numbers, x, y, right, down }) => {
      const all = numbers.join(' '), text = all.length > 4 ? `${numbers[0]}…` : all;
      const w = size * (0.35 * text.length + (text === all ? 0 : 0.15)) + 3, h = 0.6 * size + 3;
      const [place] = SHIFTS.flatMap((dx) => SHIFTS.map((dy) => ({ dx, dy, x: x + dx, y: y + dy, w, h })))
        .filter((box) => box.x >= w && box.y >= h && box.x <= columns(board) * SIDE - w && box.y <= board.length * SIDE - h
          && box.dx * right >= 0 && box.dy * down >= 0 && covered(box, taken) === 0) // not beyond an arrow beside it
        .map((box) => ({ ...box, cost: (box.dx ** 2 + box.dy ** 2) / 3 + covered(box, drawn) })).sort((a, b) => a.cost - b.cost);
      if (!place) return null; // without space for it, the number is only in the list of moves
      taken.push(place);
      return s('text', { class: `pawn-line-number pawn-${side}`, x: place.x, y: place.y + size * 0.36, 'font-size': size }, text);
    }));
  }

  /**
   * Draw the squares, the obstacles, the goal and the names, if they have changed.
   * @param {Board} board
   */
  #drawGround(board) {
    const shape = board.map((row) => row.replace(/[OX]/g, '.')).join('/'); // below a piece, a square is empty
    if (shape === this.#cells) return;
    this.#cells = shape;
    const all = cells(board), rows = board.length, cols = columns(board), width = board[0].length * SIDE;
    this.#picture.setAttribute('viewBox', `0 0 ${cols * SIDE} ${rows * SIDE}`);
    const some = (/** @type {(cell: Cell) => boolean} */ which) => all.filter(which).map(square).join('');
    setContent(this.#ground,
      s('path', { class: 'pawn-light', d: some(() => true) }),
      s('path', { class: 'pawn-dark', d: some(([row, col]) => (row + col) % 2 === 1) }),
      s('path', { class: 'pawn-goal', d: some(([row]) => row === 0) }),
      s('path', { class: 'pawn-finish-light', d: `M0 0h${width}v16h${-width}z` }),
      s('path', { class: 'pawn-finish-dark', d: chequers(width) }),
      all.filter((cell) => on(board, cell) === OBSTACLE).map((cell) => placed(piece(OBSTACLE), cell)),
      all.filter((cell) => !'.#OX'.includes(on(board, cell))).map((cell) => placed(piece(on(board, cell)), cell)));
    setContent(this.#names,
      board.map((_, row) => h('span', { class: 'pawn-row-name' }, row + 1)),
      Array.from({ length: cols }, (_, col) => h('span', { class: 'pawn-col-name' }, columnName(col))));
    [...this.#names.children].forEach((name, at) => {
      const [top, left] = at < rows ? [(at + 0.5) / rows, 0] : [1, (at - rows + 0.5) / cols];
      Object.assign(/** @type {HTMLElement} */ (name).style, { top: `${100 * top}%`, left: `${100 * left}%` });
    });
  }

  /** @param {Scene} scene */
  #drawMarks({ board, last, chosen, movable, faults }) {
    setContent(this.#marks,
      last && s('path', { class: 'pawn-last', d: square(last.from) + square(last.to) }),
      chosen && s('path', { class: 'pawn-chosen', d: square(chosen) }),
      movable.map((cell) => placed(s('circle', { class: sameCell(cell, chosen) ? 'pawn-ring pawn-held' : 'pawn-ring', r: 43 }), cell)),
      faults.map(({ row, col }) => row !== null && s('rect', {
        class: 'pawn-fault', x: (col ?? 0) * SIDE + 3, y: row * SIDE + 3, height: SIDE - 6,
        width: (col === null ? Math.max(1, columns(board)) : 1) * SIDE - 6,
      })));
  }

  /**
   * Draw the pieces. A piece that has moved keeps its element, so that CSS animates the move.
   * @param {Board} board
   */
  #drawPieces(board) {
    const wanted = cells(board).filter((cell) => on(board, cell) === RED || on(board, cell) === PAWN);
    const kept = this.#standing.filter(({ what, cell }) => on(board, cell) === what);
    const gone = this.#standing.filter((standing) => !kept.includes(standing));
    for (const cell of wanted) {
      if (kept.some((standing) => sameCell(cell, standing.cell))) continue;
      const what = on(board, cell), index = gone.findIndex((standing) => standing.what === what);
      const [mover] = index < 0 ? [{ what, cell, element: piece(what) }] : gone.splice(index, 1);
      mover.cell = cell;
      placed(mover.element, cell);
      if (!mover.element.isConnected) this.#pieces.append(mover.element); // inserting it again would stop the animation
      kept.push(mover);
    }
    gone.forEach(({ element }) => element.remove());
    this.#standing = kept;
  }

  /** @param {Scene} scene */
  #drawMoves({ board, moves, values, hint, focus, line }) {
    const asGood = moves.map(({ verdict, steps }) => verdict === moves[0].verdict && steps === moves[0].steps);
    const shown = moves.map((move, at) => {
      const best = values && asGood[at] && asGood.includes(false);
      const dim = focus.length > 0 && !focus.some((other) => sameMove(other, move));
      const kind = `pawn-${values ? move.verdict.toLowerCase() : move === hint ? 'hint' : 'hidden'}`;
      return { move, kind, marks: `${best ? ' pawn-best' : ''}${dim ? ' pawn-dim' : ''}` };
    });
    setContent(this.#arrows, shown.map(({ move, kind, marks }) => !line.some((step) => sameWay(step, move))
      && turned(s('path', { class: `pawn-arrow ${kind}${marks}`, d: 'M44 -15L63 0L44 15z' }), move))); // a wedge at the edge of the piece
    setContent(this.#values, shown.map(({ move, kind, marks }) =>
      h('span', { class: `pawn-value ${kind}${marks}` }, values ? valueSign(move) : '')));
    shown.forEach(({ move }, at) => {
      const [row, col] = placeOfValue(board, moves, move), { style } = /** @type {HTMLElement} */ (this.#values.children[at]);
      Object.assign(style, { top: `${(100 * row) / board.length}%`, left: `${(100 * col) / columns(board)}%` });
      style.setProperty('--right', String(Math.sign(move.to[1] - move.from[1])));
      style.setProperty('--down', String(Math.sign(move.to[0] - move.from[0])));
    });
  }
}

/**
 * @template {SVGElement} Element
 * @param {Element} element
 * @param {Cell} cell
 */
function placed(element, cell) {
  const [x, y] = middle(cell);
  element.style.transform = `translate(${x}px, ${y}px)`;
  return element;
}

/**
 * @param {SVGElement} arrow to the right; it is turned to the target of the move
 * @param {Move} move
 * @param {number[]} [point]
 */
function turned(arrow, { from, to }, [x, y] = middle(from)) {
  const angle = (Math.atan2(to[0] - from[0], to[1] - from[1]) * 180) / Math.PI;
  arrow.style.transform = `translate(${x}px, ${y}px) rotate(${angle}deg)`;
  return arrow;
}

const disc = () => [
  s('ellipse', { class: 'pawn-shadow', cx: 0, cy: 6, rx: 37, ry: 35 }),
  s('circle', { class: 'pawn-rim', r: 36 }),
  s('circle', { class: 'pawn-face', r: 31 }),
  s('circle', { class: 'pawn-groove', r: 21 }),
  s('path', { class: 'pawn-shine', d: 'M-25 -9A27 27 0 0 1 3 -27A34 34 0 0 0 -25 -9Z' }),
];

/** A pawn as in chess: head, collar, body, foot. */
const pawn = () => [
  s('ellipse', { class: 'pawn-shadow', cx: 0, cy: 33, rx: 32, ry: 8 }),
  s('path', { class: 'pawn-body', d: 'M0 -38a15 15 0 0 1 11 25c3 1.500 5 4 5 6.500c0 2 -2 3.500 -5 3.500'
    + 'c1 15 6 24 15 29c3 1.700 4 4 4 7c0 3 -2 4 -5 4h-50c-3 0 -5 -1 -5 -4c0 -3 1 -5.300 4 -7'
    + 'c9 -5 14 -14 15 -29c-3 0 -5 -1.500 -5 -3.500'
    + 'c0 -2.500 2 -5 5 -6.500a15 15 0 0 1 11 -25z' }),
  s('path', { class: 'pawn-shine', d: 'M-8 -27a9.500 9.500 0 0 1 8 -6.500a13 13 0 0 0 -8 6.500z' }),
  s('path', { class: 'pawn-shine', d: 'M-5 -1c-1 14 -5 22 -12 28c4 0 7 -1 10 -3c3 -7 4 -15 2 -25z' }),
];

const block = () => [
  s('rect', { class: 'pawn-edge', x: -45, y: -42, width: 90, height: 88, rx: 10 }),
  s('rect', { class: 'pawn-top', x: -45, y: -45, width: 90, height: 82, rx: 10 }),
  s('path', { class: 'pawn-crack', d: 'M-30 -20h26M14 -30h18M-8 8h30M-32 20h14' }),
];

/** @type {Record<string, [string, () => SVGElement[]]>} */
const SHAPES = { [RED]: ['red', disc], [PAWN]: ['black', pawn], [OBSTACLE]: ['block', block] };

/**
 * The drawing of a piece or an obstacle. Any other character is drawn as text.
 * @param {string} what
 */
export function piece(what) {
  const [name, shapes] = SHAPES[what] ?? ['other', () => [s('text', { y: 18 }, what)]];
  return s('g', { class: `pawn-piece pawn-${name}` }, shapes());
}

/**
 * A piece as a separate picture, for a button or a line of text.
 * @param {string} what a piece or an obstacle; anything else gives an empty square
 */
export const icon = (what) => s('svg', { class: 'pawn-icon', viewBox: '-50 -50 100 100', 'aria-hidden': 'true' },
  what in SHAPES ? piece(what) : s('rect', { class: 'pawn-empty', x: -42, y: -42, width: 84, height: 84, rx: 8 }));
