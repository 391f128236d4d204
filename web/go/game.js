// A game of Go: the first board, the moves, the rules. The page doesn't apply the rules; only the service does.

import { emptyBoard, nameOf, pointOf } from './points.js';

/** @typedef {import('./points.js').Point} Point */
/** @typedef {import('../arbiter.js').GoKo} Ko */

/** @typedef {'B' | 'W'} Color */

/** @typedef {readonly [color: Color, row: number, col: number] | readonly [color: Color, pass: 'pass']} Move */

/**
 * @typedef {object} Rules
 * @property {Ko} ko
 * @property {boolean} suicide
 * @property {'territory'} [scoring]  area, if absent
 * @property {number} [komi]          0, if absent
 */

/**
 * Immutable: a change makes a new object, so that games can be compared with `===`.
 * @typedef {object} Game
 * @property {readonly string[]} setup  the board before the first move; it is square
 * @property {readonly Move[]} moves    may contain refused moves
 * @property {Rules} rules
 * @property {readonly Point[]} [dead]  a stone of each chain that was marked as dead after the last move
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

/** Rules by the names that the service and records have for them. @type {[name: string, rules: Rules][]} */
export const PRESETS = [
  ['Chinese', DEFAULT_RULES],
  ['Japanese', { ko: 'simple', suicide: false, scoring: 'territory' }],
  ['AGA', { ko: 'situational', suicide: false }],
  ['NZ', { ko: 'situational', suicide: true }],
  ['Tromp-Taylor', { ko: 'positional', suicide: true }],
];

/**
 * The name of these rules; null if they have none.
 * @param {Rules} rules
 * @param {boolean} [anyScoring] does it not matter how the score is counted?
 */
export const presetOf = ({ ko, suicide, scoring }, anyScoring = false) => PRESETS.find(([, rules]) =>
  rules.ko === ko && rules.suicide === suicide && (anyScoring || rules.scoring === scoring))?.[0] ?? null;

/**
 * @param {Color} color
 * @returns {Color}
 */
export const other = (color) => (color === 'B' ? 'W' : 'B');

/** The point of a move; null for a pass. @param {Move} move @returns {Point | null} */
export const placeOf = (move) => (move.length === 3 ? [move[1], move[2]] : null);

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

/** Other names of presets. @type {Record<string, string>} */
const ALIASES = { korean: 'japanese', newzealand: 'nz', ing: 'tromptaylor', goe: 'tromptaylor' };

/** Is this a multiple of a half, or nothing? @param {unknown} komi */
const goodKomi = (komi) => komi === undefined || (typeof komi === 'number' && Number.isInteger(2 * komi) && Math.abs(komi) <= 625);

/** @param {string} name */
const plain = (name) => name.toLowerCase().replace(/[ _-]/g, '');

/**
 * Check rules from a link or a question; null if they aren't valid.
 * @param {any} rules
 * @param {any} [komi]
 * @returns {Partial<Rules> | null} what they say
 */
export function readChosen(rules = {}, komi = undefined) {
  if (typeof rules === 'string') return readChosen({ preset: rules }, komi);
  if (typeof rules !== 'object' || rules === null || !goodKomi(komi)) return null;
  const { preset, ko, suicide, scoring } = rules, name = plain(String(preset ?? ''));
  const [, named] = PRESETS.find(([known]) => plain(known) === (ALIASES[name] ?? name)) ?? [];
  const good = (preset === undefined || named) && [...KO, undefined].includes(ko) && [true, false, undefined].includes(suicide)
    && ['area', 'territory', undefined].includes(scoring);
  if (!good) return null;
  const { scoring: counted, ...rest } = { ...named, ...(ko !== undefined && { ko }), ...(suicide !== undefined && { suicide }), ...(scoring && { scoring }) };
  return { ...rest, ...(counted === 'territory' && { scoring: counted }), ...(komi !== undefined && { komi }) };
}

/**
 * Check rules from a link or a question, and add the defaults; null if they aren't valid.
 * @param {any} rules
 * @param {any} [komi]
 * @returns {Rules | null}
 */
export function readRules(rules, komi) {
  const chosen = readChosen(rules, komi);
  return chosen && { ...DEFAULT_RULES, ...chosen };
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
export function gameOf({ size, setup, moves, rules, komi }) {
  const side = size ?? (Array.isArray(setup) ? setup.length : 19);
  if (!Number.isInteger(side) || side < 1 || side > 25) return null;
  if (!Array.isArray(moves) || moves.length > MOST_MOVES) return null;
  const start = setup === undefined ? emptyBoard(side) : readBoard(setup);
  const by = readRules(rules, komi);
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
