// What was changed, to be taken back and made again.

/**
 * @template State
 */
export class Past {
  #most;
  /** @type {State[]} */
  #before = [];
  /** @type {State[]} */
  #after = [];

  /** @param {number} most how many changes can be taken back */
  constructor(most) {
    this.#most = most;
  }

  get canUndo() {
    return this.#before.length > 0;
  }

  get canRedo() {
    return this.#after.length > 0;
  }

  /**
   * Something else takes the place of this state.
   * @param {State} state
   */
  keep(state) {
    this.#before.push(state);
    if (this.#before.length > this.#most) this.#before.shift();
    this.#after = [];
  }

  /**
   * The state before the last change.
   * @param {State} now
   */
  undo(now) {
    const state = this.#before.pop();
    if (state) this.#after.push(now);
    return state;
  }

  /**
   * The state after the change that was taken back last.
   * @param {State} now
   */
  redo(now) {
    const state = this.#after.pop();
    if (state) this.#before.push(now);
    return state;
  }
}
