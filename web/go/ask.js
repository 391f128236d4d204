// Asks the service about a game, a record, or the area of a board.

import { MOST_BOARDS } from './line.js';
import { DEFAULT_RULES } from './game.js';

/** @typedef {import('../arbiter.js').GoResult} GoResult */
/** @typedef {import('./game.js').Game} Game */
/** @typedef {{ B: number, W: number, neutral: number }} Score */
/**
 * An SGF record, unchanged.
 * @typedef {object} Opened
 * @property {Blob | string} body
 * @property {string} text              the text that the page shows; '' for a large file
 * @property {string} name              the name of the file, or ''
 * @property {number} game              the number of the game in a collection, counted from 1
 * @property {Partial<import('./game.js').Rules>} chosen    rules that replace those of the record
 * @property {number} games             number of games in the record; 0 until the service has answered
 * @property {number} variations
 * @property {{ body: Blob | string, misses: import('../arbiter.js').GoPlacedMiss[] }} [whole]    the record that this is a line of, and the
 *   refused moves in its variations
 */

/** Milliseconds that a board must stay on the screen before the page asks for its area, so that quick stepping asks nothing. */
const REST = 80;

/**
 * The question to the service about a game.
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
 * A record that the service hasn't read yet.
 * @param {Blob | string} body
 * @param {string} text
 * @param {string} [name]
 * @returns {Opened}
 */
export const recordOf = (body, text, name = '') => ({ body, text, name, game: 1, chosen: {}, games: 0, variations: 0 });

/**
 * The question to the service about a record.
 * @param {Opened} record
 */
export const recordQuestion = ({ text, game, chosen }) =>
  ({ sgf: text, game, ...(Object.keys(chosen).length > 0 && { rules: chosen }) });

/**
 * The optional members to ask for.
 * @param {number} moves number of moves of the game
 * @returns {import('../arbiter.js').GoRecordInclude}
 */
const including = (moves) => (moves > MOST_BOARDS ? ['captured', 'score'] : ['captured', 'score', 'boards']);

/**
 * The first stone of each chain in the setup that has no liberties.
 * @param {import('../arbiter.js').Problem | null} problem
 * @returns {import('./points.js').Point[]}
 */
export const chainsWithoutLiberty = (problem) =>
  problem?.errors.flatMap(({ code, at }) => (code === 'liberty' && at ? [at] : [])) ?? [];

export class Ask {
  #arbiter;
  /** Questions about a game or a record. */
  #games;
  /** Questions about the area of the board that is shown. */
  #areas;
  /** Known areas, by board. @type {Map<string, Score>} */
  #known = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} timer of the next question about an area */
  #timer;

  /**
   * @param {import('../page/service.js').Service} service
   * @param {() => void} late called when the answer about a game is late
   */
  constructor(service, late) {
    this.#arbiter = service.arbiter;
    this.#games = service.latest(late);
    this.#areas = service.latest();
  }

  /** The state of the question about a game or a record. */
  get state() {
    return this.#games.state;
  }

  /**
   * Ask about a game. A new question about a game or a record replaces the previous one.
   * @param {Game} game
   * @param {() => void} again asks again after a failure
   */
  game(game, again) {
    return this.#games.ask((signal) => this.#arbiter.go({ ...questionOf(game), include: including(game.moves.length) }, { signal }), again);
  }

  /**
   * Ask about a record. The first answer gives its length. If it isn't too long, a second question asks for the boards, and for all lines
   * of a record that has several. If something in a variation is wrong, the main line is shown all the same.
   * @param {Opened} opened
   * @param {() => void} again
   */
  record({ body, text, game, chosen }, again) {
    return this.#games.ask(async (signal) => {
      const asked = { game, ...chosen, signal };
      const result = await this.#arbiter.record(body, { ...asked, include: including(Infinity) });
      const length = result.played + result.misses.length;
      if (length > MOST_BOARDS) return result;
      const include = including(length);
      if (!text || !result.record?.variations) return this.#arbiter.record(body, { ...asked, include });
      /** @type {import('../arbiter.js').GoRecordInclude} */
      const all = [...include, 'variations'];
      return this.#arbiter.record(body, { ...asked, include: all }).catch((error) => {
        if (error.status !== 422) throw error;
        return this.#arbiter.record(body, { ...asked, include });
      });
    }, again);
  }

  /** Drop the question about a game or a record. */
  stop() {
    this.#games.stop();
  }

  /**
   * The area of a board; null if it isn't known.
   * @param {readonly string[]} board
   */
  area(board) {
    return this.#known.get(board.join()) ?? null;
  }

  /**
   * @param {readonly string[]} board
   * @param {Score} score from the service
   */
  storeArea(board, score) {
    this.#known.set(board.join(), score);
  }

  /**
   * Ask for the area of a board, unless another board is shown soon. This replaces a question about another area.
   * @param {readonly string[]} board
   * @param {() => void} then called when the area is known
   */
  wantArea(board, then) {
    clearTimeout(this.#timer);
    if (this.area(board)) return this.#areas.stop();
    this.#timer = setTimeout(async () => {
      const asking = (/** @type {AbortSignal} */ signal) => this.#arbiter.go({ setup: [...board], moves: [], include: ['score'] }, { signal });
      const answer = await this.#areas.ask(asking, () => this.wantArea(board, then));
      const score = answer?.result?.score;
      if (!score) return;
      this.storeArea(board, score);
      then();
    }, REST);
  }

  /** Drop all questions. */
  close() {
    clearTimeout(this.#timer);
    this.#games.stop();
    this.#areas.stop();
  }
}
