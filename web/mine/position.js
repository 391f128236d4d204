// What was done, to be undone: fields that were painted or drawn, and clicks. One line of positions, of which none is changed once
// another follows it.

import { MOST_SIDE } from './field.js';

/** @typedef {import('./field.js').Field} Field */
/** @typedef {import('./field.js').Cell} Cell */
/** @typedef {'Xiemao' | 'Fanglaoshi'} Player */

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

/** So many positions are kept; of a field of a million cells each takes 125 kB. */
const MOST = 500;

export class History {
  /** @type {Position[]} */
  #positions;
  #at = 0;

  /** @param {Position} first */
  constructor(first) {
    this.#positions = [first];
  }

  get now() {
    return this.#positions[this.#at];
  }

  /** @param {Position} position */
  push(position) {
    this.#positions.length = this.#at + 1;
    this.#positions.push(position);
    if (this.#positions.length > MOST) this.#positions.shift();
    this.#at = this.#positions.length - 1;
  }

  /**
   * Have another position in the place of the one that is now: its field has changed further. What followed it is gone.
   * @param {Position} position
   */
  amend(position) {
    this.#positions.splice(this.#at, Infinity, position);
  }

  /** Where undoing leads: before what was done last by hand, and before what the opponent answered to it. Negative: nowhere. */
  get #back() {
    let at = this.#at;
    while (at > 0 && this.#positions[at].by === 'opponent') at -= 1;
    return at - 1;
  }

  /** Where redoing leads: behind the next deed by hand, and the answer to it. */
  get #forth() {
    let at = this.#at + 1;
    while (this.#positions[at + 1]?.by === 'opponent') at += 1;
    return at;
  }

  get canUndo() {
    return this.#back >= 0;
  }

  get canRedo() {
    return this.#forth < this.#positions.length;
  }

  undo() {
    if (this.canUndo) this.#at = this.#back;
  }

  redo() {
    if (this.canRedo) this.#at = this.#forth;
  }
}

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
