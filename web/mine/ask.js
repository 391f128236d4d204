// Asks the service about the current position, and keeps the answer, or the reason why there is none.

import { findOpenings } from './openings.js';
import { numberOf } from './position.js';

/** @typedef {import('./position.js').Position} Position */
/** @typedef {import('../arbiter.js').MineResult} MineResult */
/** @typedef {import('../arbiter.js').MineCase} MineCase */
/** @typedef {import('../arbiter.js').Problem} Problem */

/** Limits of states for the first two tries: about one second, then ten seconds. The third try has the limit of the service. */
const EFFORTS = [20_000, 200_000];

/** As long as at most this many cells differ, the old numbers stay visible, except next to changed cells. */
const MOST_PAINTED = 2000;

/** After a cell is painted, the question waits a millisecond for every 5000 cells of the field. */
const CELLS_A_MILLISECOND = 5000;

/**
 * The question to the service about a position.
 * @param {Position} position
 * @param {boolean} playing false while the field is being edited: then the question has no clicks
 * @param {import('../arbiter.js').MineInclude} include
 * @param {number | undefined} states undefined for the limit of the service
 * @returns {MineCase}
 */
export const questionOf = ({ field, clicks }, playing, include, states) => ({
  board: field.board(),
  ...(playing && { clicks: [...clicks] }),
  ...(include.length > 0 && { include: [...include] }),
  ...(states !== undefined && { states }),
});

export class Ask {
  #page;
  #asker;
  #changed;
  /** @type {{ position: Position, result: MineResult, effort: number } | null} */
  #known = null;
  /** @type {{ position: Position, problem: Problem } | null} */
  #refused = null;
  /** The last known contents of all cells. @type {{ field: import('./field.js').Field, board: string[], openings: import('./openings.js').Openings } | null} */
  #contents = null;
  /** @type {Set<number>} */
  #doubtful = new Set();
  #effort = 0;
  /** @type {{ since: number } | null} the question that has no answer yet */
  #asked = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #clock;

  /**
   * @param {Pick<import('../page/main.js').Page, 'service' | 'limits'>} page
   * @param {(news: 'answer' | 'late') => void} changed
   */
  constructor(page, changed) {
    this.#page = page;
    this.#asker = page.service.latest(() => changed('late'));
    this.#changed = changed;
  }

  /**
   * The answer about this position; null if it isn't known.
   * @param {Position} position
   */
  answer(position) {
    return this.#known?.position === position && this.#asked === null ? this.#known.result : null;
  }

  /** The state of the question. */
  get state() {
    return this.#asker.state;
  }

  /** The last answer, perhaps about another position; null when the next answer is late. */
  get last() {
    return this.state === 'asked' ? this.#known?.result ?? null : null;
  }

  /**
   * Why the service refused this position; null if it didn't.
   * @param {Position} position
   */
  problem(position) {
    return this.#refused?.position === position ? this.#refused.problem : null;
  }

  /**
   * What the players see, in this position or before its last clicks; null if it isn't known.
   * @param {Position} position
   */
  face(position) {
    return (this.#known?.position.field === position.field && this.#known.result.face) || null;
  }

  /**
   * Could clicks in this position have revealed cells that `face` shows as covered? A click on a number reveals only that cell. For a
   * blank, only the answer tells which cells.
   * @param {Position} position
   */
  mayHaveOpened({ clicks }) {
    const known = new Set(this.#known?.position.clicks.map((cell) => numberOf(...cell)));
    return clicks.some(([row, col]) => !known.has(numberOf(row, col)) && (this.#contents?.board[row][col] ?? '.') === '.');
  }

  get contents() {
    return this.#contents;
  }

  /** The cells whose contents may be out of date because a cell next to them was painted. */
  get doubtful() {
    return this.#doubtful;
  }

  /** Seconds since the question was asked; null if none is open. */
  get seconds() {
    return this.#asked && (performance.now() - this.#asked.since) / 1000;
  }

  /** The limits of states for this try and the next. `now` is undefined for the service's limit; `next` is null if it would be the same. */
  get effort() {
    const max = this.#page.limits.max_search_states;
    const efforts = [...EFFORTS.filter((states) => states < max), max];
    const at = Math.min(this.#effort, efforts.length - 1);
    return { now: efforts[at], next: at + 1 < efforts.length ? efforts[at + 1] : null };
  }

  /**
   * @param {Position} position
   * @param {{ painted?: boolean, playing: boolean, resetEffort?: boolean }} how `painted`: a cell was painted, and more may follow;
   *   `playing`: the field isn't being edited; `resetEffort`: begin with the lowest limit of states again
   */
  async ask(position, { painted = false, playing, resetEffort = false }) {
    this.stop();
    if (resetEffort) this.#effort = 0;
    const { field } = position, cells = this.#contents && field.differences(this.#contents.field, MOST_PAINTED);
    if (!cells) this.#contents = null;
    this.#doubtful = new Set(cells?.flatMap(([row, col]) => around(row, col)));
    this.#asked = { since: performance.now() };
    this.#clock = setInterval(() => this.#changed('late'), 250);
    const effort = this.#effort, asking = async (/** @type {AbortSignal} */ signal) => {
      // Encoding a large field takes time. Let the page show the change first.
      await new Promise((resolve) => { setTimeout(resolve, painted ? field.cells / CELLS_A_MILLISECOND : 0); });
      signal.throwIfAborted();
      return this.#result(position, playing, signal);
    };
    const answer = await this.#asker.ask(asking, () => {
      this.#effort = effort;
      void this.ask(position, { playing });
      this.#changed('late');
    });
    if (answer === null) return;
    this.#end();
    if (answer.failure) {
      this.#effort = this.#known?.effort ?? effort; // the last answer stays
      return this.#changed('answer');
    }
    this.#refused = answer.problem ? { position, problem: answer.problem } : null;
    this.#known = answer.problem ? null : { position, result: answer.result, effort };
    if (answer.result?.board) this.#storeContents(position, answer.result.board);
    this.#changed('answer');
  }

  /**
   * Ask again, with a higher limit of states.
   * @param {Position} position
   * @param {boolean} playing
   */
  harder(position, playing) {
    this.#effort += 1;
    void this.ask(position, { playing });
  }

  /** Cancel the question; the banner offers to ask it again. */
  cancel() {
    this.#asker.cancel();
  }

  stop() {
    this.#asker.stop();
    this.#end();
  }

  #end() {
    clearInterval(this.#clock);
    this.#asked = null;
  }

  /**
   * @param {Position} position
   * @param {boolean} playing
   * @param {AbortSignal} signal
   */
  async #result(position, playing, signal) {
    const { service: { arbiter }, limits } = this.#page;
    if (limits.max_search_states === undefined) Object.assign(limits, await arbiter.limits({ signal }));
    /** @type {import('../arbiter.js').MineInclude} */
    const include = ['wins', 'clusters'];
    if (this.#contents === null || this.#doubtful.size > 0) include.push('board');
    if (playing) include.push('face');
    return arbiter.mine(questionOf(position, playing, include, this.effort.now), { signal });
  }

  /**
   * @param {Position} position
   * @param {string[]} board
   */
  #storeContents({ field }, board) {
    this.#contents = { field: field.copy(), board, openings: findOpenings(board) };
    this.#doubtful = new Set();
  }
}

/**
 * A cell and its neighbours, as numbers.
 * @param {number} row
 * @param {number} col
 */
function around(row, col) {
  const steps = [-1, 0, 1];
  return steps.flatMap((down) => steps.map((right) => numberOf(row + down, col + right)));
}
