// Finds random boards of a kind. Only solving a board shows its kind, so the service solves dozens at once until one fits.

import { FREE, OBSTACLE, PAWN, RED } from './board.js';

/** @typedef {import('./record.js').Position} Position */
/** @typedef {import('./record.js').Result} Result */

/** Kinds of boards. `longest` has a list (longest.js). */
export const KINDS = /** @type {const} */ (['any', 'late', 'escape', 'longest']);

/** @typedef {'any' | 'late' | 'escape'} Kind */

/** The number of boards in one question, and of questions in one search. */
export const AT_ONCE = 48;
export const MOST_TIMES = 20;

/** @type {Record<Kind, readonly import('./board.js').Side[]>} the sides that can be to move */
const TURNS = { any: ['Red', 'Black'], late: ['Red'], escape: ['Black'] };

/** For `escape`, the game must take at least this many moves. On a small board, fewer are enough. */
const LEAST_STEPS = 5;

/**
 * A random integer, at least 0.
 * @param {number} below exclusive
 * @param {() => number} random
 */
const upTo = (below, random) => Math.floor(random() * below);

/**
 * A random position: at most about a third of the squares are obstacles, the pawn isn't in the top row, and the red pieces are in the
 * upper half.
 * @param {number} rows
 * @param {number} cols
 * @param {Kind} kind
 * @param {() => number} [random] numbers from 0 to 1
 * @returns {Position}
 */
export function candidate(rows, cols, kind, random = Math.random) {
  const share = random() / 3;
  /** @type {string[]} */
  const cells = Array.from({ length: rows * cols }, () => (random() < share ? OBSTACLE : FREE));
  const stand = (/** @type {string} */ piece, /** @type {number} */ first, /** @type {number} */ count) => {
    let cell = first + upTo(count, random);
    while (cells[cell] === RED || cells[cell] === PAWN) cell = first + upTo(count, random);
    cells[cell] = piece;
  };
  const upper = Math.max(1, Math.ceil(rows / 2)) * cols;
  stand(PAWN, cols, (rows - 1) * cols);
  stand(RED, 0, Math.max(upper, 3));
  stand(RED, 0, Math.max(upper, 3));
  const turns = TURNS[kind];
  const board = Array.from({ length: rows }, (_, row) => cells.slice(row * cols, (row + 1) * cols).join(''));
  return { board, turn: turns[upTo(turns.length, random)] };
}

/**
 * Rates how well a position fits a kind. 0 means not at all; higher is better.
 * @param {Kind} kind
 * @param {Position} position
 * @param {Result} result with its moves
 */
export function fitness(kind, { board }, { verdict, steps, moves = [] }) {
  const good = moves.filter((move) => move.verdict === verdict).length;
  const far = board.length + board[0].length, soon = steps !== null && steps < Math.min(LEAST_STEPS, far - 1);
  if (kind === 'any') return moves.length > 0 ? 1 : 0;
  if (kind === 'late') return verdict === 'Red' && steps !== null && steps > far ? steps : 0;
  if (good !== 1 || soon) return 0;
  return verdict !== 'Red' && moves.length > 1 ? 1 + Number(verdict === 'Tie') : 0;
}

/**
 * Make random boards until one fits; give up after MOST_TIMES questions.
 * @param {number} rows
 * @param {number} cols
 * @param {Kind} kind
 * @param {(positions: Position[]) => Promise<(Result | undefined)[]>} ask
 * @returns {Promise<{ position: Position | null, tried: number }>}
 */
export async function draw(rows, cols, kind, ask) {
  for (let time = 1; time <= MOST_TIMES; time += 1) {
    const positions = Array.from({ length: AT_ONCE }, () => candidate(rows, cols, kind));
    const results = await ask(positions);
    const ranked = positions.map((position, at) => {
      const result = results[at];
      return { position, fit: result ? fitness(kind, position, result) : 0 };
    }).sort((a, b) => b.fit - a.fit);
    if (ranked[0].fit > 0) return { position: ranked[0].position, tried: time * AT_ONCE };
  }
  return { position: null, tried: MOST_TIMES * AT_ONCE };
}
