// A position: a field and the clicks on it. A click makes a new position.

import { MOST_SIDE } from './field.js';

/** @typedef {import('./field.js').Field} Field */
/** @typedef {import('./field.js').Cell} Cell */
/** @typedef {typeof PLAYERS[number]} Player */

/** The players; the first begins. */
export const PLAYERS = /** @type {const} */ (['Xiemao', 'Fanglaoshi']);

/**
 * Did a click keep or throw away a win? null if the game was lost already, or if that isn't known.
 * @typedef {'kept' | 'lost' | null} Mark
 */

/**
 * @typedef {object} Position
 * @property {Field} field
 * @property {readonly Cell[]} clicks   the first is Xiemao's
 * @property {Mark[]} marks             one for each click
 * @property {'hand' | 'opponent'} by   did the user or the computer make the last click?
 * @property {{ verdict: string, turn: Player } | null} before  the answer before the last click, if known
 */

/**
 * @param {Field} field
 * @returns {Position}
 */
export function positionOf(field) {
  return { field, clicks: [], marks: [], by: 'hand', before: null };
}

/**
 * The position after one more click.
 * @param {Position} position
 * @param {Cell} cell
 * @param {'hand' | 'opponent'} by
 * @param {{ verdict: string, turn: Player } | null} before
 * @returns {Position}
 */
export function clicked({ field, clicks, marks }, cell, by, before) {
  return { field, clicks: [...clicks, cell], marks: [...marks, null], by, before };
}

/**
 * The position after the first `count` clicks.
 * @param {Position} position
 * @param {number} count
 * @returns {Position}
 */
export function backTo({ field, clicks, marks }, count) {
  return { field, clicks: clicks.slice(0, count), marks: marks.slice(0, count), by: 'hand', before: null };
}

/**
 * @param {Position} position
 * @param {string} verdict of the position after it
 * @returns {Mark}
 */
export function judged({ before }, verdict) {
  if (!before || before.verdict !== before.turn || verdict === 'Unknown') return null;
  return verdict === before.turn ? 'kept' : 'lost';
}

/** A cell as a number, for sets of cells. It doesn't depend on the size of the field. */
export const numberOf = (/** @type {number} */ row, /** @type {number} */ col) => row * MOST_SIDE + col;
