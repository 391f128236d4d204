// Converts the session to the state of a link and back, and a field to a file and back: a case in JSON, or contest format with one field.
// Links aren't trusted: if the format is wrong, reading throws BadLink.

import { BadLink } from '../page/link.js';
import { wantsAnalysis } from '../page/values.js';
import { Field, isCell } from './field.js';

/** @typedef {import('./field.js').Cell} Cell */
/** @typedef {typeof SIDE_CHOICES[number]} SideChoice  the side that the user plays */
/** @typedef {'play' | 'edit'} Mode */

/**
 * The content of a link.
 * @typedef {object} Shown
 * @property {Field} field
 * @property {readonly Cell[]} clicks
 * @property {Mode} mode
 * @property {SideChoice} side
 * @property {boolean} analysis  are the answers shown?
 * @property {number} [puzzle]  the number of the puzzle, if it isn't solved yet
 */

export const SIDE_CHOICES = /** @type {const} */ (['Xiemao', 'Fanglaoshi', 'both']);

/** The modes by their name in a link. */
const MODES = { play: /** @type {const} */ ('play'), paint: /** @type {const} */ ('edit') };

/** A larger file can't be a single field. */
const MOST_BYTES = 32 << 20;

/**
 * @param {Shown} shown
 * @returns {object}
 */
export function writeState({ field, clicks, mode, side, analysis, puzzle }) {
  if (puzzle !== undefined) return { puzzle };
  const { rows, cols } = field;
  const cells = clicks.map(([row, col]) => row * cols + col);
  return { rows, cols, field: field.packed(), clicks: cells, mode: mode === 'edit' ? 'paint' : mode, side, wins: analysis };
}

/**
 * Read a state that `writeState` wrote, or a case of the API, `{ question }`.
 * @param {any} state
 * @returns {Shown}
 */
export function readState(state) {
  if ('puzzle' in state) return readPuzzle(state);
  if ('question' in state) return readQuestion(state);
  const { rows, cols, clicks, mode, side, wins } = state;
  const field = Field.unpacked(rows, cols, state.field);
  const good = Array.isArray(clicks) && clicks.every(Number.isInteger)
    && typeof mode === 'string' && Object.hasOwn(MODES, mode) && SIDE_CHOICES.includes(side) && typeof wins === 'boolean';
  if (!good) throw new BadLink('state');
  const cells = checked(clicks.map((/** @type {number} */ at) => [Math.floor(at / cols), at % cols]), field);
  return { field, clicks: cells, mode: MODES[/** @type {keyof typeof MODES} */ (mode)], side, analysis: wins };
}

/**
 * Read a puzzle. The rows of its field are separated by slashes.
 * @param {{ puzzle: number, board: string }} puzzle
 * @returns {Shown}
 */
function readPuzzle({ puzzle, board }) {
  return { field: Field.asked({ board: board.split('/') }), clicks: [], mode: 'play', side: 'Xiemao', analysis: false, puzzle };
}

/**
 * Read a case of /mine. The service checks whether the clicks are allowed.
 * @param {{ question?: any, answers?: any }} state `answers`: show the answers?
 * @returns {Shown}
 */
function readQuestion({ question, answers = wantsAnalysis() }) {
  if (typeof question !== 'object' || question === null || typeof answers !== 'boolean') throw new BadLink('question');
  const field = Field.asked(question);
  return { field, clicks: checked(question.clicks ?? [], field), mode: 'play', side: 'both', analysis: answers };
}

/**
 * @param {any} clicks
 * @param {Field} field
 * @returns {Cell[]}
 */
function checked(clicks, field) {
  if (!Array.isArray(clicks) || clicks.length > field.cells
    || !clicks.every((cell) => isCell(cell, field.rows, field.cols))) throw new BadLink('clicks');
  return clicks;
}

/**
 * The game as a case of /mine.
 * @param {import('./position.js').Position} position
 */
export function jsonOf({ field, clicks }) {
  return `${JSON.stringify({ rows: field.rows, cols: field.cols, mines: field.mineCells(), ...(clicks.length > 0 && { clicks }) })}\n`;
}

/**
 * The field in contest format, which has no clicks.
 * @param {import('./position.js').Position} position
 */
export function textOf({ field }) {
  const mines = field.mineCells();
  return [[1], [field.rows, field.cols, mines.length], ...mines].map((line) => `${line.join(' ')}\n`).join('');
}

/**
 * Read a file with one field; null if it is something else.
 * @param {Blob} file
 * @returns {Promise<Shown | null>}
 */
export async function shownOf(file) {
  if (file.size > MOST_BYTES) return null;
  const text = await file.text();
  try {
    return readQuestion({ question: text.trimStart().startsWith('{') ? JSON.parse(text) : questionOfText(text) });
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof BadLink) return null;
    throw error;
  }
}

/**
 * Convert contest format with one field to a case.
 * @param {string} text
 */
function questionOfText(text) {
  const words = text.trim().split(/\s+/);
  const [fields, rows, cols, count, ...rest] = words.map(Number);
  if (!words.every((word) => /^\d+$/.test(word)) || fields !== 1 || rest.length !== 2 * count) throw new BadLink('text');
  return { rows, cols, mines: Array.from({ length: count }, (_, at) => [rest[2 * at], rest[2 * at + 1]]) };
}
