// Chooses the computer's click. If there are winning clicks, it makes the first one. If not, it asks the service about the positions after
// some clicks, and makes the click that leaves the user the fewest winning clicks. If the winner isn't known, it does the same, and may
// find a winning click. If the service refuses the batch as too large, it asks about fewer clicks.

import { refuses } from '../page/service.js';
import { openingAt } from './openings.js';

/** @typedef {import('./field.js').Cell} Cell */
/** @typedef {import('../arbiter.js').MineCase} MineCase */
/** @typedef {import('../arbiter.js').MineResult} MineResult */

/**
 * Why the computer chose its click. `wins`: the click wins. `lost`: no click wins, and this one leaves the fewest winning clicks. `any`: no
 * click wins, and the clicks weren't compared. `guess`: the winner isn't known.
 * @typedef {'wins' | 'lost' | 'any' | 'guess'} How
 */

/** The most clicks to compare, and the most cells in all their questions together. */
const MOST_TRIED = 48, MOST_CELLS = 60_000;

/** The limit of states for each of these questions. It is low because the user is waiting. */
const STATES = 500;

/**
 * @param {object} given
 * @param {string[]} given.field          the field as a drawing
 * @param {readonly string[]} given.board the contents of all cells
 * @param {import('./openings.js').Openings} given.openings
 * @param {readonly Cell[]} given.clicks
 * @param {MineResult} given.answer       about the position, with `face` and `wins`; the game must not be over
 * @param {number} given.most             the largest batch that the service accepts
 * @param {(questions: MineCase[]) => Promise<MineResult[]>} ask
 * @returns {Promise<{ cell: Cell, how: How }>}
 */
export async function reply({ field, board, openings, clicks, answer, most }, ask) {
  if (answer.wins?.length) return { cell: answer.wins[0], how: 'wins' };
  const how = answer.wins ? 'lost' : 'guess';
  const few = Math.min(most, Math.floor(MOST_CELLS / (board.length * board[0].length)));
  const all = candidates(board, answer.face ?? [], openings);
  let cells = evenSample(all, few);
  /** @type {MineResult[] | null} */
  let results = null;
  while (!results) {
    if (cells.length === 1) return { cell: cells[0], how: how === 'lost' && all.length > 1 ? 'any' : how };
    try {
      results = await ask(cells.map((cell) => ({ board: field, clicks: [...clicks, cell], include: ['wins'], states: STATES })));
    } catch (error) {
      if (!refuses(error)) throw error;
      cells = evenSample(cells, Math.floor(cells.length / 2));
    }
  }
  const worth = results.map((result) => winningReplies(result, answer.turn));
  const best = worth.indexOf(Math.min(...worth));
  return { cell: cells[best], how: worth[best] === 0 ? 'wins' : how };
}

/**
 * The number of winning clicks that a click leaves the other player; 0 if it wins. An unknown result counts as better than a loss.
 * @param {MineResult} result of the position after the click
 * @param {string} mover the player who clicks
 */
function winningReplies({ verdict, wins_total: wins }, mover) {
  if (verdict === mover) return 0;
  return verdict === 'Unknown' ? 0.5 : wins ?? 1;
}

/**
 * The possible clicks: numbers first, because they make the game longer, then one cell of each opening.
 * @param {readonly string[]} board
 * @param {readonly string[]} face
 * @param {import('./openings.js').Openings} openings
 */
function candidates(board, face, openings) {
  /** @type {Cell[]} */
  const numbers = [];
  /** @type {Map<number, Cell>} */
  const blanks = new Map();
  for (let row = 0; row < face.length; row += 1) {
    for (let col = face[row].indexOf('#'); col >= 0; col = face[row].indexOf('#', col + 1)) {
      if (board[row][col] === '*') continue;
      const opening = openingAt(openings, row, col);
      if (!opening) numbers.push([row, col]);
      else if (!blanks.has(opening)) blanks.set(opening, [row, col]);
    }
  }
  return [...numbers, ...blanks.values()];
}

/**
 * At most `most` cells, but at least one, spread evenly over the list.
 * @param {Cell[]} cells
 * @param {number} most
 */
function evenSample(cells, most) {
  const count = Math.min(cells.length, MOST_TRIED, Math.max(1, most));
  return Array.from({ length: count }, (_, at) => cells[Math.floor((at * cells.length) / count)]);
}
