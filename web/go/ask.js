// What the service is asked: a game with all its boards, a record, the area of a board.

import { questionOf } from './game.js';
import { MOST_BOARDS } from './line.js';

/** @typedef {import('../arbiter.js').Arbiter} Arbiter */
/** @typedef {import('../arbiter.js').GoResult} GoResult */
/** @typedef {import('../page/service.js').Asker} Asker */
/** @typedef {{ B: number, W: number, neutral: number }} Score */
/**
 * A record in SGF, as it came.
 * @typedef {object} Opened
 * @property {Blob | string} body
 * @property {string} text              what can be shown of it
 * @property {string} name              the file's, or ''
 * @property {number} game              which of a collection, from 1
 * @property {Partial<import('./game.js').Rules>} chosen    rules that are not to be the record's own
 * @property {number} games             how many it has; 0 until the service has said it
 * @property {number} variations
 */

/** Milliseconds for which a board is shown before its area is asked for: nothing is asked while the reader leafs through. */
const REST = 80;

/**
 * The parts of an answer for a game of so many moves.
 * @param {number} moves
 * @returns {import('../arbiter.js').GoRecordInclude}
 */
const including = (moves) => (moves > MOST_BOARDS ? ['captured', 'score'] : ['captured', 'score', 'boards']);

/**
 * @param {Arbiter} arbiter
 * @param {import('./game.js').Game} game
 * @param {AbortSignal} signal
 * @returns {Promise<GoResult>}
 */
export const askGame = (arbiter, game, signal) =>
  arbiter.go({ ...questionOf(game), include: including(game.moves.length) }, { signal });

/**
 * How long a record is only its answer tells: the boards are asked for in a second question, where there are not too
 * many.
 * @param {Arbiter} arbiter
 * @param {Opened} opened
 * @param {AbortSignal} signal
 * @returns {Promise<GoResult>}
 */
export async function askRecord(arbiter, { body, game, chosen }, signal) {
  const asked = { game, ...chosen, signal };
  const result = await arbiter.record(body, { ...asked, include: including(Infinity) });
  const length = result.played + result.misses.length;
  return length > MOST_BOARDS ? result : arbiter.record(body, { ...asked, include: including(length) });
}

/**
 * @param {Arbiter} arbiter
 * @param {readonly string[]} board
 * @param {AbortSignal} signal
 * @returns {Promise<GoResult>}
 */
export const askArea = (arbiter, board, signal) =>
  arbiter.go({ setup: [...board], moves: [], include: ['score'] }, { signal });

/**
 * The chains of a set-up that have no liberty, each by its first stone.
 * @param {import('../arbiter.js').Problem | null} problem
 * @returns {import('./points.js').Point[]}
 */
export const chainsWithoutLiberty = (problem) =>
  problem?.errors.flatMap(({ code, at }) => (code === 'liberty' && at ? [at] : [])) ?? [];

/**
 * The area of boards: what an answer said of its last board, and of others what is asked when they have been looked at for a
 * moment.
 */
export class Area {
  /** @type {Map<string, Score>} */
  #known = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #resting;

  /**
   * What is known of a board.
   * @param {readonly string[]} board
   */
  of(board) {
    return this.#known.get(board.join()) ?? null;
  }

  /**
   * @param {readonly string[]} board
   * @param {Score} score as the service has counted it
   */
  learn(board, score) {
    this.#known.set(board.join(), score);
  }

  /**
   * Ask for the area of a board that stays, instead of any before.
   * @param {readonly string[]} board
   * @param {import('../arbiter.js').Arbiter} arbiter
   * @param {Asker} asker
   * @param {() => void} then it is known
   */
  want(board, arbiter, asker, then) {
    clearTimeout(this.#resting);
    if (this.of(board)) return asker.stop();
    this.#resting = setTimeout(async () => {
      const again = () => this.want(board, arbiter, asker, then);
      const answer = await asker.ask((signal) => askArea(arbiter, board, signal), again);
      const score = answer?.result?.score;
      if (!score) return;
      this.learn(board, score);
      then();
    }, REST);
  }

  /** Ask no more. */
  close() {
    clearTimeout(this.#resting);
  }
}
