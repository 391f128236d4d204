// How the program plays. Where some click wins it makes the first of these. Where none does it goes on all the same: it has the service
// say what each of some clicks would leave, and makes that which leaves the fewest answers that win. Where nobody knows who wins it
// does the same, and takes what turns out to win; else it guesses. What the service does not answer, for it is set to answer less at
// once, is asked of fewer clicks.

import { refuses } from '../page/service.js';
import { openingAt } from './openings.js';

/** @typedef {import('./field.js').Cell} Cell */
/** @typedef {import('../arbiter.js').MineCase} MineCase */
/** @typedef {import('../arbiter.js').MineResult} MineResult */

/**
 * Why it is this click: `wins`, it wins; `lost`, none does, and this one leaves the fewest answers that do; `any`, none does, and they
 * were not compared; `guess`, nobody knows who wins.
 * @typedef {'wins' | 'lost' | 'any' | 'guess'} How
 */

/** Clicks that are tried, at most; fewer on large fields, so that about so many cells are asked in all. */
const MOST_TRIED = 48, MOST_CELLS = 60_000;

/** Positions that may be visited for each: the reader waits. */
const STATES = 500;

/**
 * @param {object} given
 * @param {string[]} given.field          the field drawn
 * @param {readonly string[]} given.board what its cells show
 * @param {import('./openings.js').Openings} given.openings
 * @param {readonly Cell[]} given.clicks
 * @param {MineResult} given.answer       what is known, with `face` and `wins`; some cell can be clicked
 * @param {number} given.most             questions that can be asked at once
 * @param {(questions: MineCase[]) => Promise<MineResult[]>} ask
 * @returns {Promise<{ cell: Cell, how: How }>}
 */
export async function reply({ field, board, openings, clicks, answer, most }, ask) {
  if (answer.wins?.length) return { cell: answer.wins[0], how: 'wins' };
  const how = answer.wins ? 'lost' : 'guess';
  const few = Math.min(most, Math.floor(MOST_CELLS / (board.length * board[0].length)));
  const all = candidates(board, answer.face ?? [], openings);
  let cells = thinned(all, few);
  /** @type {MineResult[] | null} */
  let results = null;
  while (!results) {
    if (cells.length === 1) return { cell: cells[0], how: how === 'lost' && all.length > 1 ? 'any' : how };
    try {
      results = await ask(cells.map((cell) => ({ board: field, clicks: [...clicks, cell], include: ['wins'], states: STATES })));
    } catch (error) {
      if (!refuses(error)) throw error;
      cells = thinned(cells, Math.floor(cells.length / 2));
    }
  }
  const worth = results.map((result) => left(result, answer.turn));
  const best = worth.indexOf(Math.min(...worth));
  return { cell: cells[best], how: worth[best] === 0 ? 'wins' : how };
}

/**
 * How many answers a click leaves that win: 0 if it wins itself. What is not known is better than a loss.
 * @param {MineResult} result
 * @param {string} mover
 */
function left({ verdict, wins_total: wins }, mover) {
  if (verdict === mover) return 0;
  return verdict === 'Unknown' ? 0.5 : wins ?? 1;
}

/**
 * The clicks that can be made: numbers first, which keep the game long, then each opening once.
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
 * So many of them at most, but one at least, evenly from first to last.
 * @param {Cell[]} cells
 * @param {number} most
 */
function thinned(cells, most) {
  const count = Math.min(cells.length, MOST_TRIED, Math.max(1, most));
  return Array.from({ length: count }, (_, at) => cells[Math.floor((at * cells.length) / count)]);
}
