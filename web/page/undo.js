// The history of states for undo and redo. It can hold several games one after the other: the parts.

/** @template State */
export class Undo {
  #most;
  /** @type {{ state: State, part: number }[]} */
  #before = [];
  /** @type {{ state: State, part: number }[]} */
  #after = [];
  /** The number of the game that the current state belongs to. Not a counter, because entries of the browser's history outlive a reload. */
  part = Math.random();
  /** The game that was edited last. */
  #edited = 0;

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
   * Restore the states before the current one. Used for a game from an earlier visit; does nothing if there is something to undo.
   * @param {State[]} states the last one is the most recent
   */
  recall(states) {
    if (!this.canUndo) this.#before = states.slice(-this.#most).map((state) => ({ state, part: this.part }));
  }

  /**
   * Change to another state. The change can be undone.
   * @param {State} next
   * @param {'move' | 'game' | 'edit'} [kind] does it begin another game? The first of several edits does
   */
  change(next, kind = 'move') {
    this.#before.push({ state: this.now, part: this.part });
    if (this.#before.length > this.#most) this.#before.shift();
    if (kind === 'game' || (kind === 'edit' && this.#edited !== this.part)) this.part = Math.random();
    if (kind === 'edit') this.#edited = this.part;
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
   * Undo or redo up to the last state of a game. Returns false if it isn't in the history.
   * @param {number} part
   */
  seek(part) {
    const isIts = (/** @type {{ part: number } | undefined} */ one) => one?.part === part;
    if (this.part !== part && !this.#before.some(isIts) && !this.#after.some(isIts)) return false;
    while (this.part !== part && this.#before.some(isIts)) this.undo();
    while (this.#after.some(isIts)) this.redo();
    return true;
  }

  /**
   * @param {{ state: State, part: number }[]} from
   * @param {{ state: State, part: number }[]} to
   */
  #move(from, to) {
    const entry = from.pop();
    if (!entry) return false;
    to.push({ state: this.now, part: this.part });
    ({ state: this.now, part: this.part } = entry);
    return true;
  }
}

/** What the sessions of all games have in common. @template State */
export class Undoable {
  history;

  /**
   * @param {State} now
   * @param {number} most the number of changes that can be undone
   */
  constructor(now, most) {
    this.history = new Undo(now, most);
  }

  get canUndo() {
    return this.history.canUndo;
  }

  get canRedo() {
    return this.history.canRedo;
  }

  /** A number for the game that is shown. A new or edited board has another one. */
  get part() {
    return this.history.part;
  }

  undo() {
    this.returnBy(() => this.history.undo());
  }

  redo() {
    this.returnBy(() => this.history.redo());
  }

  /** Go to a game by undo or redo. Returns false if that isn't possible. @param {number} part */
  toPart(part) {
    return this.returnBy(() => this.history.seek(part));
  }

  /** Go to another state of the history. @param {() => boolean} way */
  returnBy(way) {
    return way();
  }
}
