// What the page asks of the service: a game with all its boards, a record, the area of a board.

import { questionOf } from './game.js';
import { MOST_BOARDS } from './line.js';

/** @typedef {import('../arbiter.js').Arbiter} Arbiter */
/** @typedef {import('../arbiter.js').GoResult} GoResult */
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
