// States that took each other's place: the one that is shown, those before it for undo, and those after it for redo.

/** @template State */
export class Undo {
  #most;
  /** @type {State[]} */
  #before = [];
  /** @type {State[]} */
  #after = [];

  /**
   * @param {State} now
   * @param {number} most how many changes can be undone
   */
  constructor(now, most) {
    this.#most = most;
    /** The state that is shown. To set it is no change that can be undone. */
    this.now = now;
  }

  get canUndo() {
    return this.#before.length > 0;
  }

  get canRedo() {
    return this.#after.length > 0;
  }

  /**
   * Go on with another state. The change can be undone.
   * @param {State} next
   */
  change(next) {
    this.#before.push(this.now);
    if (this.#before.length > this.#most) this.#before.shift();
    this.amend(next);
  }

  /**
   * Make the last change another one: undo leads to the same state as before, and redo to none.
   * @param {State} next
   */
  amend(next) {
    this.now = next;
    this.#after = [];
  }

  /** Returns false where there is nothing to undo. */
  undo() {
    return this.#move(this.#before, this.#after);
  }

  /** Returns false where there is nothing to redo. */
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
