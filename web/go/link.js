// Converts the session to the state of a link and back, and to a question to the service. A state has the board, the moves (three
// letters each), the rules, and the step. If a list of moves can't describe a record (the colour of a pass isn't known, or stones are
// set up later), the link and the question contain the record itself, or the current board. Links aren't trusted: if the format is wrong,
// reading throws BadLink.

import { BadLink } from '../page/link.js';
import { questionOf, recordOf, recordQuestion } from './ask.js';
import { DEFAULT_RULES, gameOf, MOST_MOVES, readBoard, readRules } from './game.js';
import { emptyBoard } from './points.js';

/** @typedef {import('./game.js').Game} Game */
/** @typedef {import('./game.js').Move} Move */
/** @typedef {import('./game.js').Color} Color */
/** @typedef {import('./ask.js').Opened} Opened */
/** @typedef {import('./session.js').Session} Session */

/**
 * The content of a link.
 * @typedef {object} Shown
 * @property {Game} game
 * @property {number} step
 * @property {'play' | 'edit'} mode
 * @property {boolean} alternate
 * @property {Color | null} turn    the colour that the user chose to play at this step
 * @property {Opened} [record]      the record to open at this step
 */

const PASS = '--';

/** The game that is shown until the record in a link has been read. */
export const PLACEHOLDER = { setup: emptyBoard(19), moves: [], rules: DEFAULT_RULES };

/** @param {number} at 0 for 'a' */
const letterOf = (at) => String.fromCharCode(97 + at);

/** @param {Move} move */
const encodedMove = (move) => move[0] + (move.length === 3 ? letterOf(move[2]) + letterOf(move[1]) : PASS);

/**
 * @param {string} text three letters for each move: 'Bdd', column before row as in SGF, or 'W--' for a pass
 * @param {number} size
 * @returns {Move[]}
 */
function readMoves(text, size) {
  if (text.length > 3 * MOST_MOVES || text.length % 3 !== 0) throw new BadLink('go');
  return Array.from({ length: text.length / 3 }, (_, at) => {
    const [color, first, second] = text.slice(3 * at, 3 * at + 3);
    const col = first.charCodeAt(0) - 97, row = second.charCodeAt(0) - 97;
    if (color !== 'B' && color !== 'W') throw new BadLink('go');
    if (first + second === PASS) return /** @type {Move} */ ([color, 'pass']);
    if (!(row >= 0 && row < size && col >= 0 && col < size)) throw new BadLink('go');
    return /** @type {Move} */ ([color, row, col]);
  });
}

/**
 * @param {Shown} shown
 * @returns {object}
 */
export function writeState({ game, step, mode, alternate, turn }) {
  const { setup, moves, rules } = game;
  return {
    size: setup.length,
    ...(setup.some((row) => /[BW]/.test(row)) && { setup }),
    moves: moves.map(encodedMove).join(''),
    ...(rules.ko !== DEFAULT_RULES.ko && { ko: rules.ko }),
    ...(rules.suicide && { suicide: true }),
    ...(step !== moves.length && { step }),
    ...(mode === 'edit' && { mode: 'setup' }),
    ...(!alternate && { alternate }),
    ...(turn && { turn }),
  };
}

/**
 * Read a state that `writeState` wrote, or a case of the API, `{ question }`.
 * @param {any} state
 * @returns {Shown}
 */
export function readState(state) {
  if (state.question !== undefined) return readQuestion(state);
  const { size, setup, moves, ko, suicide, step, mode = 'play', alternate = true, turn = null } = state;
  const side = Number.isInteger(size) && size >= 1 && size <= 25 ? size : 0;
  const start = setup === undefined ? emptyBoard(side) : readBoard(setup);
  const rules = readRules({ ko, suicide });
  const good = side > 0 && typeof moves === 'string' && typeof alternate === 'boolean'
    && ['play', 'setup'].includes(mode) && [null, 'B', 'W'].includes(turn);
  if (!good || !start || start.length !== side || !rules) throw new BadLink('go');
  const game = { setup: start, moves: readMoves(moves, side), rules };
  const shown = step ?? game.moves.length;
  if (!Number.isInteger(shown) || shown < 0 || shown > game.moves.length) throw new BadLink('go');
  return { game, step: shown, mode: mode === 'setup' ? 'edit' : 'play', alternate, turn };
}

/**
 * Read a case of the API.
 * @param {{ question: any, step?: any }} state `step`: the step to show, if the case is a record
 * @returns {Shown}
 */
function readQuestion({ question, step }) {
  if (typeof question !== 'object' || question === null) throw new BadLink('go');
  const shown = { mode: /** @type {const} */ ('play'), alternate: true, turn: null };
  if (typeof question.sgf === 'string') {
    return { ...shown, game: PLACEHOLDER, step: Number.isInteger(step) ? Math.max(0, step) : Infinity, record: readRecord(question) };
  }
  const game = gameOf(question);
  if (!game) throw new BadLink('go');
  return { ...shown, game, step: game.moves.length };
}

/**
 * @param {any} question with a string as its `sgf`
 * @returns {Opened}
 */
function readRecord({ sgf, game = 1, rules = {} }) {
  const number = game === 'all' ? 1 : game;
  if (!Number.isInteger(number) || number < 1 || !readRules(rules)) throw new BadLink('go');
  const { ko, suicide } = rules;
  return { ...recordOf(sgf, sgf), game: number, chosen: { ...(ko !== undefined && { ko }), ...(suicide !== undefined && { suicide }) } };
}

/**
 * The record in a link, while it is being read, or if that failed and nothing else is shown.
 * @param {Session} session
 */
function recordOfLink({ game, opening, unread }) {
  const record = opening ?? unread?.opened;
  return game === PLACEHOLDER && record?.text ? record : null;
}

/**
 * The record, if no list of moves describes it up to this step; else null.
 * @param {Session} session
 * @param {number} step
 */
const recordWithoutList = ({ record, line }, step) => (record && line && !line.knowsColours(step) ? record : null);

/**
 * The state for a link.
 * @param {Session} session
 * @returns {object}
 */
export function stateOf(session) {
  const { step, mode, alternate, turn, targetStep, line, game, length } = session;
  const wanted = recordOfLink(session), record = recordWithoutList(session, length);
  if (wanted) return { question: recordQuestion(wanted), ...(Number.isFinite(targetStep) && { step: targetStep }) };
  if (record?.text) return { question: recordQuestion(record), step };
  const how = { mode, alternate, turn: turn?.step === step ? turn.color : null };
  const listed = !record || line?.moves; // if not, it is a record without a list of moves, too large for a link
  return writeState(listed ? { ...how, game, step } : { ...how, game: session.base(), step: 0 });
}

/**
 * The question to the service about what is shown.
 * @param {Session} session
 * @returns {object}
 */
export function questionOfSession(session) {
  const { step, length, game, board } = session, wanted = recordOfLink(session), record = recordWithoutList(session, step);
  if (wanted) return recordQuestion(wanted);
  if (!record) return questionOf(session.base());
  return step === length && record.text ? recordQuestion(record) : questionOf({ ...game, setup: board, moves: [] });
}
