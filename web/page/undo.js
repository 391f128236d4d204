// The history of states for undo and redo.

/** @template State */
export class Undo {
  #most;
  /** @type {State[]} */
  #before = [];
  /** @type {State[]} */
  #after = [];

  /**
   * @param {State} now
   * @param {number} most the number of changes that can be undone
   */
  constructor(now, most) {
    this.#most = most;
    /** The current state. Assigning it directly isn't recorded, so undo can't return to the old value. */
    this.now = now;
  }

  get canUndo() {
    return this.#before.length > 0;
  }

  get canRedo() {
    return this.#after.length > 0;
  }

  /**
   * Change to another state. The change can be undone.
   * @param {State} next
   */
  change(next) {
    this.#before.push(this.now);
    if (this.#before.length > this.#most) this.#before.shift();
    this.amend(next);
  }

  /**
   * Replace the current state without adding a step to undo. Nothing can be redone afterwards.
   * @param {State} next
   */
  amend(next) {
    this.now = next;
    this.#after = [];
  }

  /** Returns false if there is nothing to undo. */
  undo() {
    return this.#move(this.#before, this.#after);
  }

  /** Returns false if there is nothing to redo. */
  redo() {
    return this.#move(this.#after, this.#before);
  }

  /**
   * @param {State[]} from
   * @param {State[]} to
   */
  #move(from, to) {
    if (from.length === 0) return false;
    to.push(this.now);
    this.now = /** @type {State} */ (from.pop());
    return true;
  }
}
