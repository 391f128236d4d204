// What is on the screen as the state of a link, and back: its board, its moves three letters each, rules, the step that is shown. The
// same as a question to the service. The boards of a record do not tell all of its moves (who passed, what it sets up later): where
// they do not, link and question hold the record itself, or the board that is shown.

import { BadLink } from '../page/link.js';
import { DEFAULT_RULES, gameOf, MOST_MOVES, questionOf, readBoard, readRules } from './game.js';
import { emptyBoard } from './points.js';

/** @typedef {import('./game.js').Game} Game */
/** @typedef {import('./game.js').Move} Move */
/** @typedef {import('./game.js').Color} Color */
/** @typedef {import('./ask.js').Opened} Opened */
/** @typedef {import('./session.js').Session} Session */

/**
 * What is on the screen: the game, and how it is looked at.
 * @typedef {object} View
 * @property {Game} game
 * @property {number} step
 * @property {'play' | 'setup'} mode
 * @property {boolean} alternate
 * @property {Color | null} turn    who is to play at the step, where it was said
 */

const PASS = '--';

/** What is on the table while the record of a link is read. */
export const NOTHING = { setup: emptyBoard(19), moves: [], rules: DEFAULT_RULES };

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
 * @param {View} view
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
    ...(mode === 'setup' && { mode }),
    ...(!alternate && { alternate }),
    ...(turn && { turn }),
  };
}

/**
 * The view of a link, or of a question that stands in one. Throws BadLink at whatever `writeState` does not write.
 * @param {any} state
 * @returns {View}
 */
export function readState({ size, setup, moves, ko, suicide, step, mode = 'play', alternate = true, turn = null }) {
  const side = Number.isInteger(size) && size >= 1 && size <= 25 ? size : 0;
  const start = setup === undefined ? emptyBoard(side) : readBoard(setup);
  const rules = readRules({ ko, suicide });
  const good = side > 0 && typeof moves === 'string' && typeof alternate === 'boolean'
    && ['play', 'setup'].includes(mode) && [null, 'B', 'W'].includes(turn);
  if (!good || !start || start.length !== side || !rules) throw new BadLink('go');
  const game = { setup: start, moves: readMoves(moves, side), rules };
  const shown = step ?? game.moves.length;
  if (!Number.isInteger(shown) || shown < 0 || shown > game.moves.length) throw new BadLink('go');
  return { game, step: shown, mode, alternate, turn };
}

/**
 * The record of a case of the API: which game of it, and the rules that are not to be its own. Throws BadLink where
 * that is none.
 * @param {any} question that has a text as its `sgf`
 * @returns {{ sgf: string, game: number, chosen: Partial<import('./game.js').Rules> }}
 */
export function recordOfQuestion({ sgf, game = 1, rules = {} }) {
  const number = game === 'all' ? 1 : game;
  if (!Number.isInteger(number) || number < 1 || !readRules(rules)) throw new BadLink('go');
  const { ko, suicide } = rules;
  return { sgf, game: number, chosen: { ...(ko !== undefined && { ko }), ...(suicide !== undefined && { suicide }) } };
}

/**
 * The view of a case of the API, but for a record.
 * @param {any} question
 * @returns {View}
 */
export function viewOfQuestion(question) {
  const game = typeof question === 'object' && question !== null ? gameOf(question) : null;
  if (!game) throw new BadLink('go');
  return { game, step: game.moves.length, mode: 'play', alternate: true, turn: null };
}

/** @param {Opened} record */
const recordQuestion = ({ text, game, chosen }) =>
  ({ sgf: text, game, ...(Object.keys(chosen).length > 0 && { rules: chosen }) });

/**
 * The record that a link asked for, while nothing else is on the table: it is being read, or cannot be.
 * @param {Session} session
 */
function sought({ game, opening, unread }) {
  const record = opening ?? unread?.opened;
  return game === NOTHING && record?.text ? record : null;
}

/**
 * The record on the table, where no list of moves says what it says up to a step.
 * @param {Session} session
 * @param {number} step
 */
const untold = ({ record, line }, step) => (record && line && !line.tells(step) ? record : null);

/**
 * What a link holds.
 * @param {Session} session
 * @returns {object}
 */
export function stateOf(session) {
  const { step, mode, alternate, turn, targetStep, line, game, length } = session;
  const wanted = sought(session), record = untold(session, length);
  if (wanted) return { question: recordQuestion(wanted), ...(Number.isFinite(targetStep) && { step: targetStep }) };
  if (record?.text) return { question: recordQuestion(record), step };
  const view = { mode, alternate, turn: turn?.step === step ? turn.color : null };
  const listed = !record || line?.moves; // else it is a record without a list, too large for a link
  return writeState(listed ? { ...view, game, step } : { ...view, game: session.base(), step: 0 });
}

/**
 * The same as a case of the API.
 * @param {Session} session
 * @returns {object}
 */
export function caseOf(session) {
  const { step, length, game, board } = session, wanted = sought(session), record = untold(session, step);
  if (wanted) return recordQuestion(wanted);
  if (!record) return questionOf(session.base());
  return step === length && record.text ? recordQuestion(record) : questionOf({ ...game, setup: board, moves: [] });
}
