// Draws the visible cells of a field, and the marks on them.

import { MINE, UNKNOWN } from './cells.js';
import { numberOf } from './position.js';
import { openingAt, tintAt } from './openings.js';

/** @typedef {import('./cells.js').Cells} Cells */
/** @typedef {import('./field.js').Cell} Cell */

/**
 * The input of the drawing. The mines come from the field; all other contents come from the service.
 * @typedef {object} Scene
 * @property {import('./field.js').Field} field
 * @property {readonly string[] | null} board   the contents of the cells; null if they aren't known yet
 * @property {Set<number>} doubtful             cells whose contents on `board` may be out of date
 * @property {import('./openings.js').Openings | null} openings  null: don't draw openings
 * @property {readonly string[] | 'up' | 'down'} face  `#` where a cell is covered; 'up' or 'down' if all cells are
 *   revealed or covered
 * @property {boolean} xray                     show the contents of covered cells?
 * @property {readonly Cell[]} clicks
 * @property {Set<number>} winning              regions where a click wins, which get a frame
 * @property {Cell | null} unsolved             a blank, whose opening is marked as unsolved
 * @property {Cell | null} fault                the cell that a problem is about
 */

/** @typedef {{ row: number, col: number, rows: number, cols: number }} Part  a rectangle of cells */

/** @typedef {Parameters<Cells['picture']>} Look */

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {Cells} cells
 * @param {Part} part
 * @param {{ x: number, y: number }} offset of its first cell, in device pixels
 */
export function draw(context, scene, cells, part, offset) {
  const { size } = cells;
  const place = (/** @type {number} */ row, /** @type {number} */ col) =>
    /** @type {[number, number]} */ ([offset.x + (col - part.col) * size, offset.y + (row - part.row) * size]);
  const show = cells.plain ? plainly(context, cells, part, offset) : {
    cell: (/** @type {number} */ row, /** @type {number} */ col, /** @type {Look} */ ...look) =>
      context.drawImage(cells.picture(...look), ...place(row, col)),
    end: () => {},
  };
  const clicked = new Set(scene.clicks.slice(-2).map(([row, col]) => numberOf(row, col))); // `face` has the earlier clicks
  for (let row = part.row; row < part.row + part.rows; row += 1) {
    for (let col = part.col; col < part.col + part.cols; col += 1) {
      const up = !isDown(scene, row, col) || clicked.has(numberOf(row, col));
      const hidden = !up && !scene.xray;
      const content = contentOf(scene, row, col);
      const tint = !hidden && scene.openings ? tintAt(scene.openings, row, col) : 0;
      show.cell(row, col, hidden && content !== MINE ? UNKNOWN : content, up, content === MINE ? 0 : tint);
    }
  }
  show.end();
  marks(context, scene, cells, part, place);
}

/**
 * Draw cells that have one colour each. Up to a million can be visible, so they are written into an image that is drawn at once.
 * @param {CanvasRenderingContext2D} context
 * @param {Cells} cells
 * @param {Part} part
 * @param {{ x: number, y: number }} offset
 */
function plainly(context, cells, part, offset) {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [part.cols, part.rows];
  const image = new ImageData(part.cols, part.rows), pixels = new Uint32Array(image.data.buffer);
  return {
    cell: (/** @type {number} */ row, /** @type {number} */ col, /** @type {Look} */ ...look) => {
      pixels[(row - part.row) * part.cols + col - part.col] = cells.pixel(...look);
    },
    end: () => {
      /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')).putImageData(image, 0, 0);
      context.imageSmoothingEnabled = false;
      context.drawImage(canvas, offset.x, offset.y, part.cols * cells.size, part.rows * cells.size);
    },
  };
}

/**
 * @param {Scene} scene
 * @param {number} row
 * @param {number} col
 */
export const isDown = ({ face }, row, col) => (typeof face === 'string' ? face === 'down' : face[row][col] === '#');

/**
 * @param {Scene} scene
 * @param {number} row
 * @param {number} col
 */
export function contentOf({ field, board, doubtful }, row, col) {
  if (field.isMine(row, col)) return MINE;
  if (!board || doubtful.has(numberOf(row, col))) return UNKNOWN;
  const shown = board[row][col];
  return shown === '.' ? 0 : Number(shown);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {Cells} cells
 * @param {Part} part
 * @param {(row: number, col: number) => [number, number]} place
 */
function marks(context, scene, { size, colours }, part, place) {
  const width = Math.max(2, Math.round(size * 0.09));
  const wins = scene.winning;
  if (wins.size > 0) {
    framed(context, scene, part, place, size, wins, width + 2, colours['win-edge']);
    framed(context, scene, part, place, size, wins, width, colours.win);
  }
  const inside = (/** @type {Cell | null | undefined} */ cell) => cell && cell[0] >= part.row && cell[0] < part.row + part.rows
    && cell[1] >= part.col && cell[1] < part.col + part.cols;
  const last = scene.clicks.at(-1);
  if (last && inside(last)) {
    const [x, y] = place(...last);
    corner(context, x, y, size, colours[scene.clicks.length % 2 === 1 ? 'Xiemao' : 'Fanglaoshi']);
  }
  if (scene.unsolved) {
    const opening = new Set([regionOf(scene, ...scene.unsolved)]);
    framed(context, scene, part, place, size, opening, width, colours.bad);
    if (inside(scene.unsolved)) cross(context, ...place(...scene.unsolved), size, colours.bad, '?');
  }
  if (scene.fault && inside(scene.fault)) cross(context, ...place(...scene.fault), size, colours.bad, '!');
}

/**
 * The region of a cell: its opening, as a negative number, or the cell itself. Clicks in the same region have the same effect.
 * @param {Pick<Scene, 'openings'>} scene
 * @param {number} row
 * @param {number} col
 */
export function regionOf({ openings }, row, col) {
  const opening = openings && openingAt(openings, row, col);
  return opening ? -opening : numberOf(row, col);
}

/**
 * The regions where a click wins.
 * @param {{ openings: Scene['openings'], wins: readonly Cell[] }} scene
 */
export function winning(scene) {
  return new Set(scene.wins.map(([row, col]) => regionOf(scene, row, col)));
}

/**
 * Draw a frame around each of these regions.
 * @param {CanvasRenderingContext2D} context
 * @param {Scene} scene
 * @param {Part} part
 * @param {(row: number, col: number) => [number, number]} place
 * @param {number} size
 * @param {Set<number>} regions
 * @param {number} width
 * @param {string} colour
 */
function framed(context, scene, part, place, size, regions, width, colour) {
  const { rows, cols } = scene.field;
  const region = (/** @type {number} */ row, /** @type {number} */ col) =>
    row < 0 || col < 0 || row >= rows || col >= cols ? NaN : regionOf(scene, row, col);
  context.fillStyle = colour;
  for (let row = part.row; row < part.row + part.rows; row += 1) {
    for (let col = part.col; col < part.col + part.cols; col += 1) {
      const own = region(row, col);
      if (!regions.has(own)) continue;
      const [x, y] = place(row, col), inner = size - width;
      const differs = (/** @type {number} */ down, /** @type {number} */ right) => region(row + down, col + right) !== own;
      if (differs(-1, 0)) context.fillRect(x, y, size, width);
      if (differs(1, 0)) context.fillRect(x, y + inner, size, width);
      if (differs(0, -1)) context.fillRect(x, y, width, size);
      if (differs(0, 1)) context.fillRect(x + inner, y, width, size);
      for (const [down, right] of [[-1, -1], [-1, 1], [1, -1], [1, 1]]) {
        if (differs(down, right)) context.fillRect(x + (right > 0 ? inner : 0), y + (down > 0 ? inner : 0), width, width);
      }
    }
  }
}

/**
 * Mark the last click with a folded corner, in the colour of the player.
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} colour
 */
function corner(context, x, y, size, colour) {
  const width = Math.max(2, Math.round(size * 0.07)), fold = Math.round(size * 0.3);
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = width;
  context.strokeRect(x + width / 2, y + width / 2, size - width, size - width);
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + fold, y);
  context.lineTo(x, y + fold);
  context.fill();
}

/**
 * Mark a cell with a sign in a disc.
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} colour
 * @param {string} sign
 */
function cross(context, x, y, size, colour, sign) {
  context.fillStyle = colour;
  context.beginPath();
  context.arc(x + size / 2, y + size / 2, size * 0.42, 0, 2 * Math.PI);
  context.fill();
  context.fillStyle = '#fff';
  context.font = `700 ${Math.round(size * 0.6)}px system-ui, sans-serif`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(sign, x + size / 2, y + size / 2);
}
