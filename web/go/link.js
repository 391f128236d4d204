// What is on the screen as the state of a link, and back: its board, its moves three letters each, rules, the step that is shown. The
// same as a question to the service. Not all moves of a record are known from its boards (the colour of a pass, stones set up later). Then
// link and question hold the record itself, or the board that is shown. Links come from strangers: BadLink at all that is not written here.

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
 * What is on the screen.
 * @typedef {object} Shown
 * @property {Game} game
 * @property {number} step
 * @property {'play' | 'edit'} mode
 * @property {boolean} alternate
 * @property {Color | null} turn    the colour that was chosen to play at the step
 * @property {Opened} [record]      to be read, and shown at the step
 */

const PASS = '--';

/** The game that is shown while the record of a link is read. */
const NOTHING = { setup: emptyBoard(19), moves: [], rules: DEFAULT_RULES };

/** @param {number} at 0 for 'a' */
const small = (at) => String.fromCharCode(97 + at);

/** @param {Move} move */
const written = (move) => move[0] + (move.length === 3 ? small(move[2]) + small(move[1]) : PASS);

/**
 * @param {string} text three letters a move: 'Bdd', column before row as in SGF, 'W--' for a pass
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
    moves: moves.map(written).join(''),
    ...(rules.ko !== DEFAULT_RULES.ko && { ko: rules.ko }),
    ...(rules.suicide && { suicide: true }),
    ...(step !== moves.length && { step }),
    ...(mode === 'edit' && { mode: 'setup' }),
    ...(!alternate && { alternate }),
    ...(turn && { turn }),
  };
}

/**
 * What `writeState` wrote, or a case of the API as anybody may write it: `{ question }`.
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
 * A case of the API. Of one with a record `step` is the step to show.
 * @param {{ question: any, step?: any }} state
 * @returns {Shown}
 */
function readQuestion({ question, step }) {
  if (typeof question !== 'object' || question === null) throw new BadLink('go');
  const shown = { mode: /** @type {const} */ ('play'), alternate: true, turn: null };
  if (typeof question.sgf === 'string') {
    return { ...shown, game: NOTHING, step: Number.isInteger(step) ? Math.max(0, step) : Infinity, record: readRecord(question) };
  }
  const game = gameOf(question);
  if (!game) throw new BadLink('go');
  return { ...shown, game, step: game.moves.length };
}

/**
 * The record of a case: which game of it, and the rules that are not to be its own.
 * @param {any} question that has a text as its `sgf`
 * @returns {Opened}
 */
function readRecord({ sgf, game = 1, rules = {} }) {
  const number = game === 'all' ? 1 : game;
  if (!Number.isInteger(number) || number < 1 || !readRules(rules)) throw new BadLink('go');
  const { ko, suicide } = rules;
  return { ...recordOf(sgf, sgf), game: number, chosen: { ...(ko !== undefined && { ko }), ...(suicide !== undefined && { suicide }) } };
}

/**
 * The record of a link that is being read, or could not be, while nothing else is shown.
 * @param {Session} session
 */
function recordOfLink({ game, opening, unread }) {
  const record = opening ?? unread?.opened;
  return game === NOTHING && record?.text ? record : null;
}

/**
 * The record that is shown, if no list of moves holds the same up to a step.
 * @param {Session} session
 * @param {number} step
 */
const recordWithoutList = ({ record, line }, step) => (record && line && !line.tells(step) ? record : null);

/**
 * What a link holds.
 * @param {Session} session
 * @returns {object}
 */
export function stateOf(session) {
  const { step, mode, alternate, turn, targetStep, line, game, length } = session;
  const wanted = recordOfLink(session), record = recordWithoutList(session, length);
  if (wanted) return { question: recordQuestion(wanted), ...(Number.isFinite(targetStep) && { step: targetStep }) };
  if (record?.text) return { question: recordQuestion(record), step };
  const how = { mode, alternate, turn: turn?.step === step ? turn.color : null };
  const listed = !record || line?.moves; // else it is a record without a list, too large for a link
  return writeState(listed ? { ...how, game, step } : { ...how, game: session.base(), step: 0 });
}

/**
 * What is shown, as a case of the API.
 * @param {Session} session
 * @returns {object}
 */
export function questionOfSession(session) {
  const { step, length, game, board } = session, wanted = recordOfLink(session), record = recordWithoutList(session, step);
  if (wanted) return recordQuestion(wanted);
  if (!record) return questionOf(session.base());
  return step === length && record.text ? recordQuestion(record) : questionOf({ ...game, setup: board, moves: [] });
}
