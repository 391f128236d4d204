// What stands on a board, drawn in a cell of 100 by 100 around its middle, from shapes that take their colours from
// pawn.css.

import { s } from '../page/dom.js';
import { OBSTACLE, PAWN, RED } from './board.js';

/** A disc with a rim, a groove and a shine. */
const disc = () => [
  s('ellipse', { class: 'shadow', cx: 0, cy: 6, rx: 37, ry: 35 }),
  s('circle', { class: 'rim', r: 36 }),
  s('circle', { class: 'face', r: 31 }),
  s('circle', { class: 'groove', r: 21 }),
  s('path', { class: 'shine', d: 'M-25 -9A27 27 0 0 1 3 -27A34 34 0 0 0 -25 -9Z' }),
];

/** A pawn as chess has it: head, collar, body, foot. */
const pawn = () => [
  s('ellipse', { class: 'shadow', cx: 0, cy: 33, rx: 32, ry: 8 }),
  s('path', { class: 'body', d: 'M0 -38a15 15 0 0 1 11 25c3 1.500 5 4 5 6.500c0 2 -2 3.500 -5 3.500'
    + 'c1 15 6 24 15 29c3 1.700 4 4 4 7c0 3 -2 4 -5 4h-50c-3 0 -5 -1 -5 -4c0 -3 1 -5.300 4 -7'
    + 'c9 -5 14 -14 15 -29c-3 0 -5 -1.500 -5 -3.500'
    + 'c0 -2.500 2 -5 5 -6.500a15 15 0 0 1 11 -25z' }),
  s('path', { class: 'shine', d: 'M-8 -27a9.500 9.500 0 0 1 8 -6.500a13 13 0 0 0 -8 6.500z' }),
  s('path', { class: 'shine', d: 'M-5 -1c-1 14 -5 22 -12 28c4 0 7 -1 10 -3c3 -7 4 -15 2 -25z' }),
];

/** A block of stone. */
const block = () => [
  s('rect', { class: 'side', x: -45, y: -42, width: 90, height: 88, rx: 10 }),
  s('rect', { class: 'top', x: -45, y: -45, width: 90, height: 82, rx: 10 }),
  s('path', { class: 'crack', d: 'M-30 -20h26M14 -30h18M-8 8h30M-32 20h14' }),
];

/** @type {Record<string, [string, () => SVGElement[]]>} */
const SHAPES = { [RED]: ['red', disc], [PAWN]: ['black', pawn], [OBSTACLE]: ['block', block] };

/**
 * A piece, an obstacle, or the character that is neither.
 * @param {string} what
 */
export function piece(what) {
  const [name, shapes] = SHAPES[what] ?? ['other', () => [s('text', { y: 18 }, what)]];
  return s('g', { class: `piece ${name}` }, shapes());
}

/**
 * A piece as a picture of its own, for a button or a line of text.
 * @param {string} what '' or a free cell: an empty one
 */
export const icon = (what) => s('svg', { class: 'pawn-icon', viewBox: '-50 -50 100 100', 'aria-hidden': 'true' },
  what in SHAPES ? piece(what) : s('rect', { class: 'empty', x: -42, y: -42, width: 84, height: 84, rx: 8 }));
