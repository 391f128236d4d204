// What has been done, to be undone and done again: records that took each other's place.

import { Past } from '../page/past.js';

/** How many changes can be undone. */
const MOST = 300;

/** @template Kept */
export class History {
  #past = /** @type {Past<Kept>} */ (new Past(MOST));

  /** @param {Kept} now */
  constructor(now) {
    this.now = now;
  }

  get canUndo() {
    return this.#past.canUndo;
  }

  get canRedo() {
    return this.#past.canRedo;
  }

  /**
   * Do what can be undone.
   * @param {Kept} next
   */
  change(next) {
    this.#past.keep(this.now);
    this.now = next;
  }

  undo() {
    this.now = this.#past.undo(this.now) ?? this.now;
  }

  redo() {
    this.now = this.#past.redo(this.now) ?? this.now;
  }
}
