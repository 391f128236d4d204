// What is known of the position on the screen: the service's answer to it, or why there is none yet.

import { findOpenings } from './openings.js';
import { numberOf } from './history.js';

/** @typedef {import('./history.js').Position} Position */
/** @typedef {import('../contract.js').MineResult} MineResult */
/** @typedef {import('../contract.js').MineCase} MineCase */
/** @typedef {import('../arbiter.js').Problem} Problem */

/** Positions that may be visited: an answer within a second, then within ten; after that whatever the service allows. */
const EFFORTS = [20_000, 200_000];

/** Up to so many painted cells the numbers elsewhere are shown on, until the new ones come. */
const MOST_PAINTED = 2000;

/** Painting a field of so many cells waits a millisecond before it asks. */
const CELLS_A_MILLISECOND = 5000;

export class Asking {
  #page;
  #ask;
  #changed;
  /** @type {{ position: Position, result: MineResult, effort: number } | null} */
  #known = null;
  /** @type {{ position: Position, problem: Problem } | null} */
  #refused = null;
  /** @type {{ field: import('./field.js').Field, board: string[], openings: import('./openings.js').Openings } | null} */
  #turned = null;
  /** @type {Set<number>} */
  #doubtful = new Set();
  #effort = 0;
  /** @type {{ since: number } | null} the question that is on its way */
  #asked = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #clock;

  /**
   * @param {import('../page/main.js').Page} page
   * @param {(news: 'answer' | 'time') => void} changed
   */
  constructor(page, changed) {
    this.#page = page;
    this.#ask = page.service.latest('mine');
    this.#changed = changed;
  }

  /**
   * The answer to this position, if it is known.
   * @param {Position} position
   */
  answer(position) {
    return this.#known?.position === position && this.#asked === null ? this.#known.result : null;
  }

  /** The last answer that came; it may be to another position. */
  get last() {
    return this.#known?.result ?? null;
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
    return clicks.some(([row, col]) => !known.has(numberOf(row, col)) && (this.#turned?.board[row][col] ?? '.') === '.');
  }

  /** What the cells of the field show, and where that may be old; null: it is not known. */
  get turned() {
    return this.#turned;
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
  about(position, { painted = false, face, easily = false }) {
    this.#cancel();
    if (easily) this.#effort = 0;
    const { field } = position, cells = this.#turned && field.differences(this.#turned.field, MOST_PAINTED);
    if (!cells) this.#turned = null;
    this.#doubtful = new Set(cells?.flatMap(([row, col]) => around(row, col)));
    this.#asked = { since: performance.now() };
    // To write down a large field takes a while: not before what was done is seen.
    this.#timer = setTimeout(() => this.#send(position, face), painted ? field.cells / CELLS_A_MILLISECOND : 0);
  }

  /**
   * Ask again, with more positions.
   * @param {Position} position
   * @param {boolean} face
   */
  harder(position, face) {
    this.#effort += 1;
    this.about(position, { face });
  }

  /** Do not wait for the answer any longer. What was known stays. */
  stop() {
    this.#cancel();
    this.#effort = this.#known?.effort ?? this.#effort;
  }

  #cancel() {
    clearTimeout(this.#timer);
    clearInterval(this.#clock);
    this.#ask.stop();
    this.#asked = null;
  }

  /**
   * @param {Position} position
   * @param {boolean} face
   */
  async #send(position, face) {
    this.#clock = setInterval(() => this.#changed('time'), 250);
    const { service, limits } = this.#page, asked = this.#asked;
    if (limits.max_search_states === undefined) {
      Object.assign(limits, await service.keepAsking(() => service.arbiter.limits()));
      if (asked !== this.#asked) return; // stopped, or asked anew
    }
    const whole = this.#turned === null || this.#doubtful.size > 0;
    const answer = await this.#ask({
      board: position.field.board(),
      clicks: position.clicks,
      include: ['wins', ...(whole ? ['board'] : []), ...(face ? ['face'] : [])],
      states: this.effort.now,
    });
    if (answer === null) return;
    this.#cancel();
    this.#refused = answer.problem ? { position, problem: answer.problem } : null;
    this.#known = answer.problem ? null : { position, result: answer.result, effort: this.#effort };
    if (answer.result?.board) this.#turn(position, answer.result.board);
    this.#changed('answer');
  }

  /**
   * @param {Position} position
   * @param {string[]} board
   */
  #turn({ field }, board) {
    this.#turned = { field: field.copy(), board, openings: findOpenings(board) };
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
