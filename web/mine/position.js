// A position: a field and the clicks on it. What is done makes a new one.

import { MOST_SIDE } from './field.js';

/** @typedef {import('./field.js').Field} Field */
/** @typedef {import('./field.js').Cell} Cell */
/** @typedef {typeof PLAYERS[number]} Player */

/** The two players, the first first. */
export const PLAYERS = /** @type {const} */ (['Xiemao', 'Fanglaoshi']);

/**
 * Did a click keep a won game, or throw it away? null: it was lost anyway, or nobody knows.
 * @typedef {'kept' | 'lost' | null} Mark
 */

/**
 * @typedef {object} Position
 * @property {Field} field
 * @property {readonly Cell[]} clicks   those made so far, Xiemao's first
 * @property {Mark[]} marks             one a click
 * @property {'hand' | 'opponent'} by   who brought it about
 * @property {{ verdict: string, turn: Player } | null} before  what was known before the last click
 */

/**
 * The position of a field on which nothing was clicked yet.
 * @param {Field} field
 * @returns {Position}
 */
export function positionOf(field) {
  return { field, clicks: [], marks: [], by: 'hand', before: null };
}

/**
 * A click further.
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
 * The position after the first clicks of another.
 * @param {Position} position
 * @param {number} count
 * @returns {Position}
 */
export function backTo({ field, clicks, marks }, count) {
  return { field, clicks: clicks.slice(0, count), marks: marks.slice(0, count), by: 'hand', before: null };
}

/**
 * What the last click of a position was worth, now that it is known who wins behind it.
 * @param {Position} position
 * @param {string} verdict
 * @returns {Mark}
 */
export function judged({ before }, verdict) {
  if (!before || before.verdict !== before.turn || verdict === 'Unknown') return null;
  return verdict === before.turn ? 'kept' : 'lost';
}

/** A cell as one number, for sets of cells: the same whatever the field. */
export const numberOf = (/** @type {number} */ row, /** @type {number} */ col) => row * MOST_SIDE + col;
