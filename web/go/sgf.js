// Reads, changes and writes the trees of SGF records. A node keeps its text, so that properties are written as they were read, whether or
// not the page understands them. A node isn't changed: a tree with another node is a new tree that shares the rest.

import { COLORS, other, presetOf } from './game.js';
import { handicapOf, points } from './points.js';

/** @typedef {import('./game.js').Game} Game */
/** @typedef {import('./game.js').Color} Color */
/** @typedef {import('./game.js').Move} Move */
/** @typedef {{ readonly text: string, readonly kids: readonly Node[], readonly at: number }} Node  `at`: the index in the text that was read */
/** @typedef {{ start: number, end: number, root: Node }} Tree  a game of a collection, and its place in the text */

/** A game begins with a parenthesis and a semicolon or a property. Other parentheses before it are text. */
const GAME = /\(\s*(?:;|([A-Za-z]+)\[)/y;
const FIRST = ['B', 'W', 'AB', 'AW', 'AE', 'SZ', 'GM', 'FF', 'CA'];

const PROPERTY = /([A-Za-z0-9]+)((?:\s*\[[^\]\\]*(?:\\[^][^\]\\]*)*\])+)/g;
const VALUE = /\[([^\]\\]*(?:\\[^][^\]\\]*)*)\]/g;

/** Names in old records contain lower case letters. @param {string} name */
const capitals = (name) => name.replace(/[a-z]/g, '');

/**
 * The games of a record. Text before, between and after them is skipped. Parentheses that are missing at the end are added.
 * @param {string} text
 */
export function readGames(text) {
  /** @type {Tree[]} */
  const games = [];
  for (let at = text.indexOf('('); at >= 0; at = text.indexOf('(', at)) {
    GAME.lastIndex = at;
    const found = GAME.exec(text);
    if (found && (!found[1] || FIRST.includes(capitals(found[1])))) at = games[games.push(readGame(text, at)) - 1].end;
    else at += 1;
  }
  return games;
}

/** @returns {Tree} */
function readGame(/** @type {string} */ text, /** @type {number} */ start) {
  /** @typedef {{ text: string, kids: Growing[], at: number }} Growing */
  /** @type {Growing[]} */
  const path = [{ text: '', kids: [], at: start }];
  /** The length of the path at each open parenthesis. @type {number[]} */
  const open = [];
  let at = start, begin = -1;
  const endNode = () => {
    const node = text.slice(begin, at);
    if (begin >= 0 && node.trim()) {
      const grown = { text: node.startsWith(';') ? node : `;${node}`, kids: [], at: begin };
      /** @type {Growing} */ (path.at(-1)).kids.push(grown);
      path.push(grown);
    }
    begin = -1;
  };
  for (; at < text.length; at += 1) {
    if (text[at] === '[') {
      while (at < text.length && text[at] !== ']') at += text[at] === '\\' ? 2 : 1;
    } else if (text[at] === '(' || text[at] === ';') {
      endNode();
      if (text[at] === '(') open.push(path.length);
      begin = text[at] === ';' ? at : at + 1;
    } else if (text[at] === ')') {
      endNode();
      path.length = open.pop() ?? 1;
      if (open.length === 0) break;
    }
  }
  endNode();
  return { start, end: Math.min(at + 1, text.length), root: path[0].kids[0] ?? { text: ';', kids: [], at: start } };
}

/** @param {Node} root */
export function writeGame(root) {
  const parts = [];
  /** @type {(Node | string)[]} */
  const rest = [')', root, '('];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next === 'string') parts.push(next);
    else {
      parts.push(next.text);
      if (next.kids.length === 1) rest.push(next.kids[0]);
      else for (const kid of [...next.kids].reverse()) rest.push(')', kid, '\n(');
    }
  }
  return parts.join('');
}

/**
 * The properties of a node, in order. Values are as they were read, with escapes.
 * @param {Pick<Node, 'text'>} node
 * @returns {[name: string, values: string[]][]}
 */
export const propertiesOf = ({ text }) => [...text.matchAll(PROPERTY)].map(([, name, values]) =>
  [capitals(name), [...values.matchAll(VALUE)].map(([, value]) => value)]);

/**
 * The text of a property: its values without escapes, or ''.
 * @param {Pick<Node, 'text'>} node
 * @param {string} wanted
 */
export const textOf = (node, wanted) => propertiesOf(node).filter(([name]) => name === wanted).flatMap(([, values]) => values)
  .map((value) => value.replace(/\\(\r\n|\n\r|\n|\r)/g, '').replace(/\\([^])/g, '$1').trim()).join('\n');

/** A mark of the record on a point. `kind`: the property; `text`: of a label. @typedef {{ at: import('./points.js').Point, kind: string, text: string }} Figure */

const FIGURES = ['CR', 'TR', 'SQ', 'MA', 'SL', 'LB'];

/**
 * The points of a value, which can be a rectangle: "aa:cc".
 * @param {string} value
 * @param {number} size
 */
function pointsIn(value, size) {
  const [left, top, , right = left, bottom = top] = Array.from(value, (letter) => letter.charCodeAt(0) - 97);
  return points(size).filter(([row, col]) => row >= top && row <= bottom && col >= left && col <= right);
}

/**
 * The labels and figures of a node.
 * @param {Pick<Node, 'text'>} node
 * @param {number} size
 * @returns {Figure[]}
 */
export const figuresOf = (node, size) => propertiesOf(node).filter(([name]) => FIGURES.includes(name)).flatMap(([kind, values]) => values.flatMap((value) => {
  const label = kind === 'LB' ? value.slice(3).replace(/\\([^])/g, '$1').trim() : '';
  return pointsIn(kind === 'LB' ? value.slice(0, 2) : value, size).map((at) => ({ at, kind, text: label }));
}));

/**
 * The dead stones at a node: those in the territory (TB, TW) of the other colour.
 * @param {Pick<Node, 'text'>} node
 * @param {readonly string[]} board
 */
export const deadIn = (node, board) => propertiesOf(node).filter(([name]) => /^T[BW]$/.test(name)).flatMap(([name, values]) =>
  values.flatMap((value) => pointsIn(value, board.length)).filter(([row, col]) => board[row][col] === other(/** @type {Color} */ (name[1]))));

/** What `movesOf` has found. @type {WeakMap<readonly Node[], { moves: Move[], changed: Set<number>, ends: number[] }>} */
const found = new WeakMap();

/**
 * The moves along a path of nodes. `changed`: the moves after which the record sets up stones. `ends`: for each step, the index of the last
 * node before the next move.
 * @param {readonly Node[]} path
 * @param {number} size
 */
export function movesOf(path, size) {
  const known = found.get(path) ?? readMoves(path, size);
  found.set(path, known);
  return known;
}

function readMoves(/** @type {readonly Node[]} */ path, /** @type {number} */ size) {
  /** @type {Move[]} */
  const moves = [];
  /** @type {Set<number>} */
  const changed = new Set();
  /** @type {number[]} */
  const ends = [];
  path.forEach((node, index) => {
    const before = moves.length;
    for (const [name, values] of propertiesOf(node)) {
      if (name === 'B' || name === 'W') for (const value of values) moves.push(moveOf(name, value, size));
      else if (moves.length > 0 && /^A[BWE]$/.test(name)) changed.add(moves.length);
    }
    for (let step = Math.min(before + 1, moves.length); step <= moves.length; step += 1) ends[step] = index;
  });
  return { moves, changed, ends: [ends[0] ?? 0, ...ends.slice(1)] };
}

/**
 * @param {Color} color
 * @param {string} value two letters, column before row; anything else is a pass, because the service has accepted the record
 * @param {number} size
 * @returns {Move}
 */
function moveOf(color, value, size) {
  const [col, row] = Array.from(value, (letter) => letter.charCodeAt(0) - 97);
  return value.length === 2 && Math.max(col, row) < size ? [color, row, col] : [color, 'pass'];
}

/**
 * The line that begins with this path and then takes these ways, one for each node that has several children; after that, it goes on along
 * the first children.
 * @param {readonly Node[]} path
 * @param {readonly number[]} ways
 */
export function lineFrom(path, ways = []) {
  const line = [...path], left = [...ways];
  for (let { kids } = line[line.length - 1]; kids.length > 0; { kids } = line[line.length - 1]) line.push((kids.length > 1 && kids[left.shift() ?? 0]) || kids[0]);
  return line;
}

/**
 * The ways that `lineFrom` takes from the root to this line, without zeros at the end.
 * @param {readonly Node[]} line
 */
export function waysOf(line) {
  const ways = line.flatMap(({ kids }, at) => (kids.length > 1 ? [kids.indexOf(line[at + 1])] : []));
  while (ways.at(-1) === 0) ways.pop();
  return ways;
}

/**
 * The line through the last node that begins before or at this index of the text.
 * @param {Node} root
 * @param {number} index
 */
export function lineThrough(root, index) {
  const above = new Map([[root, /** @type {Node | null} */ (null)]]);
  let found = root;
  for (const node of above.keys()) { // the map grows meanwhile
    for (const kid of node.kids) above.set(kid, node);
    if (node.at <= index && node.at > found.at) found = node;
  }
  /** @type {Node[]} */
  const path = [];
  for (let node = /** @type {Node | null | undefined} */ (found); node; node = above.get(node)) path.unshift(node);
  return lineFrom(path);
}

/**
 * A copy of the tree in which the last node of a path has these moves as another variation. Returns the line to the last move.
 * @param {readonly Node[]} path from the root
 * @param {readonly Move[]} moves
 */
export function grown(path, moves) {
  let added = /** @type {Node[]} */ ([]);
  for (const move of [...moves].reverse()) added = [{ text: textOfMove(move), kids: added.slice(0, 1), at: Infinity }, ...added];
  return path.reduceRight((line, node, at) => {
    const kids = at === path.length - 1 ? [...node.kids, line[0]] : node.kids.map((kid) => (kid === path[at + 1] ? line[0] : kid));
    return [{ ...node, kids }, ...line];
  }, added);
}

/**
 * The index in the text of a line and a column in bytes, both counted from 1.
 * @param {string} text
 * @param {{ line: number, column: number }} place
 */
export function indexOf(text, { line, column }) {
  const ends = [...text.matchAll(/\r\n|\n|\r/g)], end = ends[line - 2], begin = end ? end.index + end[0].length : 0;
  const row = text.slice(begin, ends[line - 1]?.index), bytes = new TextEncoder().encode(row).slice(0, column - 1);
  const before = new TextDecoder().decode(bytes).length;
  return { row, before, at: begin + before };
}

/**
 * Decode a record as the service does: as UTF-8 if possible, else in the character set that it names.
 * @param {ArrayBuffer} bytes
 */
export function decoded(bytes) {
  const as = (/** @type {string} */ label, fatal = false) => new TextDecoder(label, { fatal }).decode(bytes);
  const [first, second] = new Uint8Array(bytes);
  if (first + second === 0x1fd) return as(first === 0xff ? 'utf-16le' : 'utf-16be');
  try {
    return as('utf-8', true);
  } catch {
    const latin = as('latin1'), [, set] = /CA\s*\[\s*([^\]\s]+)/.exec(latin) ?? [];
    const text = () => {
      try {
        return as(set);
      } catch {
        return as('gb18030'); // as programs write it that call it by a name of their own
      }
    };
    return set ? text().replace(/CA\s*\[[^\]\\]*\]/g, 'CA[UTF-8]') : latin; // it is saved as UTF-8
  }
}

const point = (/** @type {number} */ row, /** @type {number} */ col) => `[${String.fromCharCode(97 + col, 97 + row)}]`;

/** @param {Move} move */
const textOfMove = (move) => `;${move[0]}${move.length === 3 ? point(move[1], move[2]) : '[]'}`;

const MOVES_A_LINE = 12;

/**
 * The property that lists the points that have this sign, or ''.
 * @param {string} name
 * @param {readonly string[]} board
 * @param {string} wanted
 */
function listed(name, board, wanted) {
  const list = board.flatMap((line, row) => Array.from(line, (sign, col) => (sign === wanted ? point(row, col) : ''))).join('');
  return list && name + list;
}

/**
 * The record of a game. Rules without a name are written in words, which other programs don't understand.
 * @param {Game} game
 * @param {Color} next the colour to play, if there is no move
 * @param {Pick<import('../arbiter.js').GoResult, 'score' | 'territory'> | null} [end] of a game that is over
 * @returns {string}
 */
export function writeSgf({ setup, moves, rules }, next, end = null) {
  const { ko, suicide, komi } = rules, name = rulesName(rules) ?? `ko: ${ko}, suicide: ${suicide ? 'allowed' : 'forbidden'}`;
  const { score, territory = [] } = end ?? {}, begins = moves[0]?.[0] ?? next, handicap = handicapOf(setup);
  const head = `(;FF[4]GM[1]CA[UTF-8]AP[Arbiter]SZ[${setup.length}]RU[${name}]${komi ? `KM[${komi}]` : ''}${score ? `RE[${score.winner ? `${score.winner}+${score.margin}` : '0'}]` : ''}`
    + (handicap > 0 ? `HA[${handicap}]` : '') + COLORS.map((color) => listed(`A${color}`, setup, color)).join('') + (begins === 'W' ? 'PL[W]' : '');
  const nodes = moves.map(textOfMove), won = COLORS.map((color) => listed(`T${color}`, territory, color.toLowerCase())).filter(Boolean);
  const lines = [];
  for (let at = 0; at < nodes.length; at += MOVES_A_LINE) lines.push(nodes.slice(at, at + MOVES_A_LINE).join(''));
  return `${[head, ...lines, ...won].join('\n')})\n`;
}

/**
 * The name of these rules in records; null if they have none. It says nothing about how the score is counted.
 * @param {import('./game.js').Rules} rules
 */
export const rulesName = ({ ko, suicide }) => presetOf({ ko, suicide }, true);
