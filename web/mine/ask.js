// What the service is asked about the position on the screen: its answer, or why there is none yet.

import { findOpenings } from './openings.js';
import { numberOf } from './position.js';

/** @typedef {import('./position.js').Position} Position */
/** @typedef {import('../arbiter.js').MineResult} MineResult */
/** @typedef {import('../arbiter.js').MineCase} MineCase */
/** @typedef {import('../arbiter.js').Problem} Problem */

/** Positions that may be visited: an answer within a second, then within ten; after that whatever the service allows. */
const EFFORTS = [20_000, 200_000];

/** Up to so many painted cells the numbers elsewhere are shown on, until the new ones come. */
const MOST_PAINTED = 2000;

/** Painting a field of so many cells waits a millisecond before it asks. */
const CELLS_A_MILLISECOND = 5000;

export class Ask {
  #page;
  #asker;
  #changed;
  /** @type {{ position: Position, result: MineResult, effort: number } | null} */
  #known = null;
  /** @type {{ position: Position, problem: Problem } | null} */
  #refused = null;
  /** @type {{ field: import('./field.js').Field, board: string[], openings: import('./openings.js').Openings } | null} */
  #revealed = null;
  /** @type {Set<number>} */
  #doubtful = new Set();
  #effort = 0;
  /** @type {{ since: number } | null} the question that is on its way */
  #asked = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #clock;

  /**
   * @param {import('../page/main.js').Page} page
   * @param {(news: 'answer' | 'time') => void} changed
   */
  constructor(page, changed) {
    this.#page = page;
    this.#asker = page.service.latest(() => changed('time'));
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
    return clicks.some(([row, col]) => !known.has(numberOf(row, col)) && (this.#revealed?.board[row][col] ?? '.') === '.');
  }

  /** What the cells of the field show, and where that may be old; null: it is not known. */
  get revealed() {
    return this.#revealed;
  }

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
   * @param {{ painted?: boolean, face: boolean, easily?: boolean }} how `painted`: more may follow at once; `face`: as the
   *   players see it; `easily`: begin with few positions again
   */
  async ask(position, { painted = false, face, easily = false }) {
    this.stop();
    if (easily) this.#effort = 0;
    const { field } = position, cells = this.#revealed && field.differences(this.#revealed.field, MOST_PAINTED);
    if (!cells) this.#revealed = null;
    this.#doubtful = new Set(cells?.flatMap(([row, col]) => around(row, col)));
    this.#asked = { since: performance.now() };
    this.#clock = setInterval(() => this.#changed('time'), 250);
    const effort = this.#effort, asking = async (/** @type {AbortSignal} */ signal) => {
      // To write down a large field takes a while: not before what was done is seen.
      await new Promise((resolve) => { setTimeout(resolve, painted ? field.cells / CELLS_A_MILLISECOND : 0); });
      signal.throwIfAborted();
      return this.#result(position, face, signal);
    };
    const answer = await this.#asker.ask(asking, () => {
      this.#effort = effort;
      this.ask(position, { face });
      this.#changed('time');
    });
    if (answer === null) return;
    this.#end();
    if (answer.failure) {
      this.#effort = this.#known?.effort ?? effort; // what was known stays
      return this.#changed('answer');
    }
    this.#refused = answer.problem ? { position, problem: answer.problem } : null;
    this.#known = answer.problem ? null : { position, result: answer.result, effort };
    if (answer.result?.board) this.#reveal(position, answer.result.board);
    this.#changed('answer');
  }

  /**
   * Ask again, with more positions.
   * @param {Position} position
   * @param {boolean} face
   */
  harder(position, face) {
    this.#effort += 1;
    this.ask(position, { face });
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
   * @param {boolean} face
   * @param {AbortSignal} signal
   */
  async #result(position, face, signal) {
    const { service: { arbiter }, limits } = this.#page;
    if (limits.max_search_states === undefined) Object.assign(limits, await arbiter.limits({ signal }));
    const whole = this.#revealed === null || this.#doubtful.size > 0;
    return arbiter.mine({
      board: position.field.board(),
      clicks: [...position.clicks],
      include: ['wins', ...(whole ? /** @type {const} */ (['board']) : []), ...(face ? /** @type {const} */ (['face']) : [])],
      states: this.effort.now,
    }, { signal });
  }

  /**
   * @param {Position} position
   * @param {string[]} board
   */
  #reveal({ field }, board) {
    this.#revealed = { field: field.copy(), board, openings: findOpenings(board) };
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
