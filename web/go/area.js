// The area of boards: what an answer said of its last board, and of others what is asked when they have been looked
// at for a moment.

import { askArea } from './ask.js';

/** @typedef {import('../page/service.js').Asker} Asker */
/** @typedef {{ B: number, W: number, neutral: number }} Score */

/** Milliseconds for which a board is shown before its area is asked for: who leafs through asks for none. */
const REST = 80;

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
