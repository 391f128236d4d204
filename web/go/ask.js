// The questions to the service: about the game with all its boards, about a record, about the area of a board.

import { MOST_BOARDS } from './line.js';
import { DEFAULT_RULES } from './game.js';

/** @typedef {import('../arbiter.js').GoResult} GoResult */
/** @typedef {import('./game.js').Game} Game */
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

/** Milliseconds for which a board is shown before the question about its area: there is none while the reader steps through quickly. */
const REST = 80;

/**
 * A game as a question to the service.
 * @param {Game} game
 * @returns {import('../arbiter.js').GoGame}
 */
export function questionOf({ setup, moves, rules }) {
  const { ko, suicide } = rules;
  return {
    size: setup.length,
    ...(setup.some((row) => /[BW]/.test(row)) && { setup: [...setup] }),
    moves: /** @type {import('../arbiter.js').GoMove[]} */ (/** @type {unknown} */ (moves)),
    ...((ko !== DEFAULT_RULES.ko || suicide) && { rules: { ko, suicide } }),
  };
}

/**
 * A record as it came, not read yet.
 * @param {Blob | string} body
 * @param {string} text
 * @param {string} [name]
 * @returns {Opened}
 */
export const recordOf = (body, text, name = '') => ({ body, text, name, game: 1, chosen: {}, games: 0, variations: 0 });

/**
 * A record as a question to the service.
 * @param {Opened} record
 */
export const recordQuestion = ({ text, game, chosen }) =>
  ({ sgf: text, game, ...(Object.keys(chosen).length > 0 && { rules: chosen }) });

/**
 * The members that an answer is to have.
 * @param {number} moves of the game
 * @returns {import('../arbiter.js').GoRecordInclude}
 */
const including = (moves) => (moves > MOST_BOARDS ? ['captured', 'score'] : ['captured', 'score', 'boards']);

/**
 * The chains of a set-up that have no liberty, each by its first stone.
 * @param {import('../arbiter.js').Problem | null} problem
 * @returns {import('./points.js').Point[]}
 */
export const chainsWithoutLiberty = (problem) =>
  problem?.errors.flatMap(({ code, at }) => (code === 'liberty' && at ? [at] : [])) ?? [];

export class Ask {
  #arbiter;
  /** Asks about the game, or about a record. */
  #games;
  /** Asks about the area of the board that is shown. */
  #areas;
  /** The areas that are known. @type {Map<string, Score>} */
  #known = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} until the area is asked for */
  #resting;

  /**
   * @param {import('../page/service.js').Service} service
   * @param {() => void} late called when the answer about a game has become late
   */
  constructor(service, late) {
    this.#arbiter = service.arbiter;
    this.#games = service.latest(late);
    this.#areas = service.latest();
  }

  /** How it stands with the game, or the record. */
  get state() {
    return this.#games.state;
  }

  /**
   * Ask about a game. A new question about a game or a record takes the place of the one before.
   * @param {Game} game
   * @param {() => void} again what is done to ask again where that fails
   */
  game(game, again) {
    return this.#games.ask((signal) => this.#arbiter.go({ ...questionOf(game), include: including(game.moves.length) }, { signal }), again);
  }

  /**
   * Ask about a record. Its length is known from the first answer: the boards are asked for in a second question, if there are not too many.
   * @param {Opened} opened
   * @param {() => void} again
   */
  record({ body, game, chosen }, again) {
    return this.#games.ask(async (signal) => {
      const asked = { game, ...chosen, signal };
      const result = await this.#arbiter.record(body, { ...asked, include: including(Infinity) });
      const length = result.played + result.misses.length;
      return length > MOST_BOARDS ? result : this.#arbiter.record(body, { ...asked, include: including(length) });
    }, again);
  }

  /** Forget the question about a game or a record. */
  stop() {
    this.#games.stop();
  }

  /**
   * The area of a board; null: it is not known.
   * @param {readonly string[]} board
   */
  area(board) {
    return this.#known.get(board.join()) ?? null;
  }

  /**
   * @param {readonly string[]} board
   * @param {Score} score as the service has counted it
   */
  learnArea(board, score) {
    this.#known.set(board.join(), score);
  }

  /**
   * Ask for the area of a board that stays, instead of any before.
   * @param {readonly string[]} board
   * @param {() => void} then called when it is known
   */
  wantArea(board, then) {
    clearTimeout(this.#resting);
    if (this.area(board)) return this.#areas.stop();
    this.#resting = setTimeout(async () => {
      const asking = (/** @type {AbortSignal} */ signal) => this.#arbiter.go({ setup: [...board], moves: [], include: ['score'] }, { signal });
      const answer = await this.#areas.ask(asking, () => this.wantArea(board, then));
      const score = answer?.result?.score;
      if (!score) return;
      this.learnArea(board, score);
      then();
    }, REST);
  }

  /** End all that is being asked. */
  close() {
    clearTimeout(this.#resting);
    this.#games.stop();
    this.#areas.stop();
  }
}
