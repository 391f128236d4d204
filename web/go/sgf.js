// Writes a game as an SGF record.

import { handicapOf } from './points.js';

/** @typedef {import('./game.js').Game} Game */
/** @typedef {import('./game.js').Color} Color */

/**
 * The names of rules in records, as the service reads them. Other rules have no name.
 * @type {Record<string, string>}
 */
const NAMES = {
  'positional false': 'Chinese',
  'positional true': 'Tromp-Taylor',
  'situational false': 'AGA',
  'situational true': 'NZ',
  'simple false': 'Japanese',
};

const MOVES_A_LINE = 12;

/**
 * @param {number} row
 * @param {number} col
 */
const point = (row, col) => `[${String.fromCharCode(97 + col, 97 + row)}]`;

/**
 * @param {readonly string[]} setup
 * @param {Color} color
 */
function stones(setup, color) {
  const points = setup.flatMap((line, row) =>
    Array.from(line, (stone, col) => (stone === color ? point(row, col) : '')));
  const list = points.join('');
  return list && `A${color}${list}`;
}

/**
 * The name of these rules in records; null if they have none.
 * @param {import('./game.js').Rules} rules
 */
export const rulesName = ({ ko, suicide }) => NAMES[`${ko} ${suicide}`] ?? null;

/**
 * Counts a property in all games of a record.
 * @param {string} text
 * @param {string} wanted the name of the property: 'C' for comments, 'RU' for rules
 */
export function countOf(text, wanted) {
  const properties = text.matchAll(/([A-Za-z]{0,99})\s*\[[^\]\\]*(?:\\[^][^\]\\]*)*\]/g);
  return [...properties].filter(([, name]) => name.replace(/[a-z]/g, '') === wanted).length; // names in old records contain lower case letters
}

/**
 * The record of a game. Rules without a name are written in words, which other programs don't understand.
 * @param {Game} game
 * @param {Color} next the colour to play, if there is no move
 * @returns {string}
 */
export function writeSgf({ setup, moves, rules }, next) {
  const name = rulesName(rules) ?? `ko: ${rules.ko}, suicide: ${rules.suicide ? 'allowed' : 'forbidden'}`;
  const begins = moves[0]?.[0] ?? next, handicap = handicapOf(setup);
  const head = `(;FF[4]GM[1]CA[UTF-8]AP[Arbiter]SZ[${setup.length}]RU[${name}]`
    + (handicap > 0 ? `HA[${handicap}]` : '') + stones(setup, 'B') + stones(setup, 'W') + (begins === 'W' ? 'PL[W]' : '');
  const nodes = moves.map((move) => `;${move[0]}${move.length === 3 ? point(move[1], move[2]) : '[]'}`);
  const lines = [];
  for (let at = 0; at < nodes.length; at += MOVES_A_LINE) lines.push(nodes.slice(at, at + MOVES_A_LINE).join(''));
  return `${[head, ...lines].join('\n')})\n`;
}
