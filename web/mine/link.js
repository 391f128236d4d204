// What a link holds of this playground, and how it is read. Links come from strangers: whatever is not what is written here is BadLink.

import { BadLink } from '../page/link.js';
import { Field, isCell } from './field.js';

/** @typedef {import('./field.js').Cell} Cell */
/** @typedef {'Xiemao' | 'Fanglaoshi' | 'both'} Side   whom the reader plays */
/** @typedef {'play' | 'paint'} Mode */

/**
 * What is on the screen.
 * @typedef {object} Shown
 * @property {Field} field
 * @property {readonly Cell[]} clicks
 * @property {Mode} mode
 * @property {Side} side
 * @property {boolean} wins   are the winning clicks framed?
 */

/**
 * @param {Shown} shown
 * @returns {object}
 */
export function written({ field, clicks, mode, side, wins }) {
  const { rows, cols } = field;
  return { rows, cols, field: field.packed(), clicks: clicks.map(([row, col]) => row * cols + col), mode, side, wins };
}

/**
 * What `written` wrote, or a question to the service as anybody may write it: `{ question }`.
 * @param {any} state
 * @returns {Shown}
 */
export function readState(state) {
  if ('question' in state) return readQuestion(state.question);
  const { rows, cols, clicks, mode, side, wins } = state;
  const field = Field.unpacked(rows, cols, state.field);
  if (!Array.isArray(clicks) || !clicks.every(Number.isInteger) || !['play', 'paint'].includes(mode) || !['Xiemao', 'Fanglaoshi', 'both'].includes(side)
    || typeof wins !== 'boolean') throw new BadLink('state');
  return { field, clicks: checked(clicks.map((at) => [Math.floor(at / cols), at % cols]), field), mode, side, wins };
}

/**
 * A case of /mine. Whether its clicks are allowed is for the service to say.
 * @param {any} question
 * @returns {Shown}
 */
export function readQuestion(question) {
  if (typeof question !== 'object' || question === null) throw new BadLink('question');
  const field = Field.asked(question);
  return { field, clicks: checked(question.clicks ?? [], field), mode: 'play', side: 'both', wins: false };
}

/**
 * @param {any} clicks
 * @param {Field} field
 * @returns {Cell[]}
 */
function checked(clicks, field) {
  if (!Array.isArray(clicks) || clicks.length > field.cells
    || !clicks.every((cell) => isCell(cell, field.rows, field.cols))) throw new BadLink('clicks');
  return clicks;
}
