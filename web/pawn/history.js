// What has been done, to be undone and done again: records that took each other's place.

const MOST = 300;

/** @template Kept */
export class History {
  /** @type {Kept[]} */
  #past = [];
  /** @type {Kept[]} */
  #future = [];

  /** @param {Kept} now */
  constructor(now) {
    this.now = now;
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /**
   * Do what can be undone.
   * @param {Kept} next
   */
  change(next) {
    this.#past = [...this.#past.slice(1 - MOST), this.now];
    this.#future = [];
    this.now = next;
  }

  undo() {
    const before = this.#past.pop();
    if (before === undefined) return;
    this.#future.push(this.now);
    this.now = before;
  }

  redo() {
    const after = this.#future.pop();
    if (after === undefined) return;
    this.#past.push(this.now);
    this.now = after;
  }
}
