// A game of Go: the first board, the moves, the rules. The page doesn't apply the rules; only the service does.

import { emptyBoard, nameOf, pointOf } from './points.js';

/** @typedef {import('./points.js').Point} Point */
/** @typedef {import('../arbiter.js').GoKo} Ko */

/** @typedef {'B' | 'W'} Color */

/** @typedef {readonly [color: Color, row: number, col: number] | readonly [color: Color, pass: 'pass']} Move */

/** @typedef {{ readonly ko: Ko, readonly suicide: boolean }} Rules */

/**
 * Immutable: a change makes a new object, so that games can be compared with `===`.
 * @typedef {object} Game
 * @property {readonly string[]} setup  the board before the first move; it is square
 * @property {readonly Move[]} moves    may contain refused moves
 * @property {Rules} rules
 */

export const COLORS = /** @type {const} */ (['B', 'W']);

export const KO = /** @type {const} */ (['positional', 'situational', 'simple', 'none']);

/**
 * The limit for moves in links and questions. A short link can contain millions of moves, which would block the page.
 */
export const MOST_MOVES = 100_000;

const EXAMPLE_SIZE = 9;
const EXAMPLE_MOVES = 'C5 E4 D4 F5 D6 E6 E7 F7 E3 F3 F4 G4 E2 F2 E8 F8 E1 F1 D7 D5 E5 F9 E9 D5'.split(' ');

/** @type {Rules} The defaults of the service. */
export const DEFAULT_RULES = { ko: 'positional', suicide: false };

/**
 * @param {Color} color
 * @returns {Color}
 */
export const other = (color) => (color === 'B' ? 'W' : 'B');

/**
 * Do two lists, such as moves, have the same items? These are compared by `===`.
 * @param {readonly unknown[] | undefined} one
 * @param {readonly unknown[] | undefined} two
 */
export const sameItems = (one, two) =>
  one?.length === two?.length && Boolean(one?.every((part, at) => part === two?.[at]));

/**
 * Check a board from a link or a question; null if it isn't valid.
 * @param {unknown} setup
 * @returns {string[] | null}
 */
export function readBoard(setup) {
  if (!Array.isArray(setup) || setup.length < 1 || setup.length > 25) return null;
  const good = setup.every((row) => typeof row === 'string' && row.length === setup.length && /^[.BW]+$/.test(row));
  return good ? setup : null;
}

/**
 * Check rules from a link or a question, and add the defaults; null if they aren't valid.
 * @param {any} rules
 * @returns {Rules | null}
 */
export function readRules(rules = {}) {
  if (typeof rules !== 'object' || rules === null) return null;
  const { ko = DEFAULT_RULES.ko, suicide = DEFAULT_RULES.suicide } = rules;
  return KO.includes(ko) && typeof suicide === 'boolean' ? { ko, suicide } : null;
}

/**
 * @param {any} move in the format of the service
 * @param {number} size
 * @returns {Move | null}
 */
function readMove(move, size) {
  if (!Array.isArray(move) || (move[0] !== 'B' && move[0] !== 'W')) return null;
  const [color, row, col] = move;
  const inside = (/** @type {unknown} */ at) => Number.isInteger(at) && Number(at) >= 0 && Number(at) < size;
  if (move.length === 3) return inside(row) && inside(col) ? [color, row, col] : null;
  if (move.length !== 2 || typeof row !== 'string') return null;
  if (row === 'pass') return [color, 'pass'];
  const point = pointOf(row, size);
  return point && [color, ...point];
}

/**
 * The game in a question to the service; null if the page can't show it.
 * @param {any} question
 * @returns {Game | null}
 */
export function gameOf({ size, setup, moves, rules }) {
  const side = size ?? (Array.isArray(setup) ? setup.length : 19);
  if (!Number.isInteger(side) || side < 1 || side > 25) return null;
  if (!Array.isArray(moves) || moves.length > MOST_MOVES) return null;
  const start = setup === undefined ? emptyBoard(side) : readBoard(setup);
  const by = readRules(rules);
  const list = moves.map((move) => readMove(move, side));
  if (!start || start.length !== side || !by || list.includes(null)) return null;
  return { setup: start, moves: /** @type {Move[]} */ (list), rules: by };
}

/**
 * @param {string} name of a point in the example
 */
export const examplePoint = (name) => /** @type {Point} */ (pointOf(name, EXAMPLE_SIZE));

/** The example, as a case of the API. White has just taken the ko in the middle, which decides the game. */
export const EXAMPLE = { size: EXAMPLE_SIZE, moves: EXAMPLE_MOVES.map((name, number) => [number % 2 === 0 ? 'B' : 'W', name]) };

/**
 * Is this the example, without any further move?
 * @param {Game} game
 */
export const isExample = ({ setup, moves }) => setup.length === EXAMPLE_SIZE && moves.length === EXAMPLE_MOVES.length
  && EXAMPLE_MOVES.every((name, at) => moves[at].length === 3 && nameOf([moves[at][1], moves[at][2]], EXAMPLE_SIZE) === name);

