// Converts what's on the screen to plain JSON, for a link, and back. A link can come from anyone, so reading throws BadLink for anything
// invalid.

import { BadLink } from '../page/link.js';
import { wantsAnalysis } from '../page/values.js';
import { columns, SIDES } from './board.js';
import { MOST_MOVES } from './record.js';

/** @typedef {import('./record.js').Record} Record */
/** @typedef {import('./board.js').Board} Board */
/** @typedef {import('./board.js').Cell} Cell */

/** @typedef {'play' | 'edit'} Mode */

/** @typedef {typeof SIDE_CHOICES[number]} SideChoice the sides that the user plays */

/**
 * The shown state. `analysis`: are the values of all moves always shown? `puzzle`: the number of the unsolved puzzle.
 * @typedef {{ record: Record, mode: Mode, side: SideChoice, analysis: boolean, puzzle?: number }} Shown
 */

export const SIDE_CHOICES = /** @type {const} */ (['Red', 'Black', 'both', 'none']);

const MODES = /** @type {const} */ (['play', 'edit']);

/** The most squares of a board that the page shows. The service has a lower limit, and reports it. */
const MOST_CELLS = 1024;

/**
 * A square as four hexadecimal digits: row and column. A move is two squares.
 * @param {Cell} cell
 */
const written = ([row, col]) => [row, col].map((value) => value.toString(16).padStart(2, '0')).join('');

/**
 * @param {Shown} shown
 * @returns {object}
 */
export function writeState({ record: { board, turn, moves, at }, mode, side, analysis, puzzle }) {
  if (puzzle !== undefined) return { puzzle };
  const played = moves.map(({ from, to }) => written(from) + written(to)).join('');
  return { board, turn, moves: played, at, mode, plays: side, values: analysis };
}

/**
 * @param {any} state
 * @returns {Shown}
 */
export function readState(state) {
  if (state.puzzle !== undefined) return readPuzzle(state);
  if (state.question !== undefined) return readQuestion(state);
  const board = readBoard(state.board), moves = readMoves(state.moves, board);
  if (!Number.isInteger(state.at) || state.at < 0 || state.at > moves.length) throw new BadLink('at');
  return {
    record: { board, turn: oneOf(SIDES, state.turn), moves, at: state.at },
    mode: oneOf(MODES, state.mode),
    side: oneOf(SIDE_CHOICES, state.plays),
    analysis: oneOf([true, false], state.values),
  };
}

/**
 * A puzzle: the side to move and the rows of the board, separated by slashes.
 * @param {{ puzzle: number, board: string }} puzzle
 * @returns {Shown}
 */
function readPuzzle({ puzzle, board: text }) {
  const [side, ...rows] = text.split('/'), turn = oneOf(SIDES, side);
  return { record: { board: readBoard(rows), turn, moves: [], at: 0 }, mode: 'play', side: turn, analysis: false, puzzle };
}

/**
 * A question to the service, from a file or a link written by hand. Only its board and its side to move matter.
 * @param {{ question: any, answers?: any }} state `answers`: show the answers?
 * @returns {Shown}
 */
function readQuestion({ question, answers = wantsAnalysis() }) {
  if (typeof question !== 'object' || question === null) throw new BadLink('question');
  const board = readBoard(question.board), turn = oneOf(SIDES, question.turn ?? 'Red');
  return { record: { board, turn, moves: [], at: 0 }, mode: 'play', side: 'both', analysis: oneOf([true, false], answers) };
}

/**
 * @template Value
 * @param {readonly Value[]} known
 * @param {unknown} value
 */
function oneOf(known, value) {
  if (!known.includes(/** @type {Value} */ (value))) throw new BadLink('value');
  return /** @type {Value} */ (value);
}

/**
 * Rows of any characters and lengths. The service reports what is wrong with a board.
 * @param {unknown} board
 * @returns {Board}
 */
function readBoard(board) {
  const rows = Array.isArray(board) && board.every((row) => typeof row === 'string') ? board : [];
  const cells = rows.length > 0 && rows.length <= MOST_CELLS ? rows.length * columns(rows) : 0;
  if (cells < 1 || cells > MOST_CELLS) throw new BadLink('board');
  return rows;
}

/**
 * @param {unknown} text
 * @param {Board} board
 */
function readMoves(text, board) {
  if (typeof text !== 'string' || text.length > 8 * MOST_MOVES || !/^([0-9a-f]{8})*$/.test(text)) {
    throw new BadLink('moves');
  }
  return (text.match(/.{8}/g) ?? []).map((move) => {
    const [fromRow, fromCol, row, col] = (move.match(/../g) ?? []).map((digits) => parseInt(digits, 16));
    if (Math.max(fromRow, row) >= board.length || Math.max(fromCol, col) >= columns(board)) throw new BadLink('move');
    return { from: /** @type {Cell} */ ([fromRow, fromCol]), to: /** @type {Cell} */ ([row, col]) };
  });
}
