// The questions to the service about the position on the screen: the answer, or why there is none yet.

import { findOpenings } from './openings.js';
import { numberOf } from './position.js';

/** @typedef {import('./position.js').Position} Position */
/** @typedef {import('../arbiter.js').MineResult} MineResult */
/** @typedef {import('../arbiter.js').MineCase} MineCase */
/** @typedef {import('../arbiter.js').Problem} Problem */

/** How many states a search may visit: an answer comes within a second, then within ten. After that the service's own limit holds. */
const EFFORTS = [20_000, 200_000];

/** While no more cells were painted, the old numbers elsewhere stay visible until the new ones come. */
const MOST_PAINTED = 2000;

/** After a cell was painted the question waits a millisecond for this many cells of the field. */
const CELLS_A_MILLISECOND = 5000;

/**
 * A position as a question to the service.
 * @param {Position} position
 * @param {boolean} playing while a field is edited there are no clicks
 * @param {import('../arbiter.js').MineInclude} include
 * @param {number | undefined} states undefined: as many as the service allows
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
  /** The contents of all cells. @type {{ field: import('./field.js').Field, board: string[], openings: import('./openings.js').Openings } | null} */
  #contents = null;
  /** @type {Set<number>} */
  #doubtful = new Set();
  #effort = 0;
  /** @type {{ since: number } | null} the question that is on its way */
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
   * The answer to this position, if it is known.
   * @param {Position} position
   */
  answer(position) {
    return this.#known?.position === position && this.#asked === null ? this.#known.result : null;
  }

  /** How it stands with the question. */
  get state() {
    return this.#asker.state;
  }

  /** The last answer that came, while the next is not late; it may be to another position. */
  get last() {
    return this.state === 'asked' ? this.#known?.result ?? null : null;
  }

  /**
   * Why this position was refused, if it was.
   * @param {Position} position
   */
  problem(position) {
    return this.#refused?.position === position ? this.#refused.problem : null;
  }

  /**
   * What the players see of this position, or saw before its last click; null: it is not known.
   * @param {Position} position
   */
  face(position) {
    return (this.#known?.position.field === position.field && this.#known.result.face) || null;
  }

  /**
   * May the clicks that lead to this position have turned over more than `face` tells? A number is turned over alone; of what a blank
   * turns over nothing is known before the answer.
   * @param {Position} position
   */
  opened({ clicks }) {
    const known = new Set(this.#known?.position.clicks.map((cell) => numberOf(...cell)));
    return clicks.some(([row, col]) => !known.has(numberOf(row, col)) && (this.#contents?.board[row][col] ?? '.') === '.');
  }

  /** The contents of all cells; null: they are not known. */
  get contents() {
    return this.#contents;
  }

  /** The cells whose contents may be old, because a cell beside them was painted. */
  get doubtful() {
    return this.#doubtful;
  }

  /** Seconds for which the service has been thinking; null: it is not. */
  get seconds() {
    return this.#asked && (performance.now() - this.#asked.since) / 1000;
  }

  /** How many positions may be visited, and how many at the next try; undefined: as many as the service allows; null: there is none. */
  get effort() {
    const max = this.#page.limits.max_search_states;
    const efforts = [...EFFORTS.filter((states) => states < max), max];
    const at = Math.min(this.#effort, efforts.length - 1);
    return { now: efforts[at], next: at + 1 < efforts.length ? efforts[at + 1] : null };
  }

  /**
   * Ask about a position.
   * @param {Position} position
   * @param {{ painted?: boolean, playing: boolean, easily?: boolean }} how `painted`: more may follow at once; `playing`: not while the
   *   field is edited; `easily`: begin with few states again
   */
  async ask(position, { painted = false, playing, easily = false }) {
    this.stop();
    if (easily) this.#effort = 0;
    const { field } = position, cells = this.#contents && field.differences(this.#contents.field, MOST_PAINTED);
    if (!cells) this.#contents = null;
    this.#doubtful = new Set(cells?.flatMap(([row, col]) => around(row, col)));
    this.#asked = { since: performance.now() };
    this.#clock = setInterval(() => this.#changed('late'), 250);
    const effort = this.#effort, asking = async (/** @type {AbortSignal} */ signal) => {
      // To write down a large field takes a while: not before what was done is seen.
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
      this.#effort = this.#known?.effort ?? effort; // what was known stays
      return this.#changed('answer');
    }
    this.#refused = answer.problem ? { position, problem: answer.problem } : null;
    this.#known = answer.problem ? null : { position, result: answer.result, effort };
    if (answer.result?.board) this.#learn(position, answer.result.board);
    this.#changed('answer');
  }

  /**
   * Ask again, with more states.
   * @param {Position} position
   * @param {boolean} playing
   */
  harder(position, playing) {
    this.#effort += 1;
    void this.ask(position, { playing });
  }

  /** Give the question up; it can be asked again. */
  cancel() {
    this.#asker.cancel();
  }

  /** Forget the question. */
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
    const include = ['wins'];
    if (this.#contents === null || this.#doubtful.size > 0) include.push('board');
    if (playing) include.push('face');
    return arbiter.mine(questionOf(position, playing, include, this.effort.now), { signal });
  }

  /**
   * @param {Position} position
   * @param {string[]} board
   */
  #learn({ field }, board) {
    this.#contents = { field: field.copy(), board, openings: findOpenings(board) };
    this.#doubtful = new Set();
  }
}

/**
 * A cell and those around it.
 * @param {number} row
 * @param {number} col
 */
function around(row, col) {
  const steps = [-1, 0, 1];
  return steps.flatMap((down) => steps.map((right) => numberOf(row + down, col + right)));
}
