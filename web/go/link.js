// Converts the session to the state of a link and back, and to a question to the service. A state has the board, the moves (three
// letters each), the rules, and the step. The state of a record has its text and the line that is shown. Links aren't trusted: if the
// format is wrong, reading throws BadLink.

import { BadLink } from '../page/link.js';
import { lineQuestion, questionOf, recordOf, recordQuestion } from './ask.js';
import { DEFAULT_RULES, gameOf, MOST_MOVES, readBoard, readChosen, readRules } from './game.js';
import { emptyBoard, isEmpty } from './points.js';
import { movesOf, waysOf } from './sgf.js';

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
 * Read the dead stones of a link; those that aren't points are skipped.
 * @param {any} dead
 * @returns {Game['dead']}
 */
const readDead = (dead) => (Array.isArray(dead) ? dead : []).filter((point) => Array.isArray(point) && point.length === 2 && point.every((at) => at >= 0 && at < 25));

/**
 * @param {Shown} shown
 * @returns {object}
 */
export function writeState({ game, step, mode, alternate, turn }) {
  const { setup, moves, rules, dead } = game;
  return {
    size: setup.length,
    ...(!isEmpty(setup) && { setup }),
    moves: moves.map(encodedMove).join(''),
    ...(rules.ko !== DEFAULT_RULES.ko && { ko: rules.ko }),
    ...(rules.suicide && { suicide: true }),
    ...(rules.scoring && { scoring: rules.scoring }),
    ...(rules.komi && { komi: rules.komi }),
    ...(dead?.length && { dead }),
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
  const { size, setup, moves, ko, suicide, scoring, komi, dead, step, mode = 'play', alternate = true, turn = null } = state;
  const side = Number.isInteger(size) && size >= 1 && size <= 25 ? size : 0;
  const start = setup === undefined ? emptyBoard(side) : readBoard(setup);
  const rules = readRules({ ko, suicide, scoring }, komi);
  const good = side > 0 && typeof moves === 'string' && typeof alternate === 'boolean'
    && ['play', 'setup'].includes(mode) && [null, 'B', 'W'].includes(turn);
  if (!good || !start || start.length !== side || !rules) throw new BadLink('go');
  const game = { setup: start, moves: readMoves(moves, side), rules, ...(dead && { dead: readDead(dead) }) };
  const shown = step ?? game.moves.length;
  if (!Number.isInteger(shown) || shown < 0 || shown > game.moves.length) throw new BadLink('go');
  return { game, step: shown, mode: mode === 'setup' ? 'edit' : 'play', alternate, turn };
}

/**
 * Read a case of the API.
 * @param {any} state if the case is a record, `step`, `ways` and `dead` tell what to show
 * @returns {Shown}
 */
function readQuestion({ question, step, ways, dead, name }) {
  if (typeof question !== 'object' || question === null) throw new BadLink('go');
  const shown = { mode: /** @type {const} */ ('play'), alternate: true, turn: null };
  if (typeof question.sgf === 'string') {
    return { ...shown, game: PLACEHOLDER, step: Number.isInteger(step) ? Math.max(0, step) : Infinity, record: {
      ...readRecord(question),
      ...(typeof name === 'string' && { name }),
      ...(Array.isArray(ways) && { ways }), dead: readDead(dead),
    } };
  }
  const game = gameOf(question);
  if (!game) throw new BadLink('go');
  return { ...shown, game, step: game.moves.length };
}

/**
 * @param {any} question with a string as its `sgf`
 * @returns {Opened}
 */
function readRecord({ sgf, game = 1, rules, komi }) {
  const number = game === 'all' ? 1 : game, chosen = readChosen(rules, komi);
  if (!Number.isInteger(number) || number < 1 || !chosen) throw new BadLink('go');
  return { ...recordOf(sgf), game: number, chosen };
}

/**
 * The record in a link, while it is being read, or if that failed and nothing else is shown.
 * @param {Session} session
 */
function recordOfLink({ game, opening, unread }) {
  const record = opening ?? unread?.opened;
  return game === PLACEHOLDER && typeof record?.body === 'string' ? record : null;
}

/**
 * The state for a link.
 * @param {Session} session
 * @returns {object}
 */
export function stateOf(session) {
  const { step, mode, alternate, turn, targetStep, game, record } = session, wanted = recordOfLink(session);
  if (wanted) return { question: recordQuestion(wanted), ...(Number.isFinite(targetStep) && { step: targetStep }) };
  const ways = record ? waysOf(record.path) : [];
  if (record) return { question: recordQuestion(record), step, ...(ways.length > 0 && { ways }), ...(record.name && { name: record.name }), ...(game.dead?.length && { dead: game.dead }) };
  return writeState({ mode, alternate, turn: turn?.step === step ? turn.color : null, game, step });
}

/**
 * The question to the service about what is shown.
 * @param {Session} session
 * @returns {import('../arbiter.js').GoGame | import('../arbiter.js').GoRecord}
 */
export function questionOfSession(session) {
  const { step, game: { dead }, size, record, line, over } = session, wanted = recordOfLink(session), marked = over ? dead : [];
  if (wanted) return recordQuestion(wanted);
  if (!record || (line && !line.changedBy(step))) return questionOf({ ...session.base(), dead: marked });
  return lineQuestion(record, record.path.slice(0, 1 + movesOf(record.path, size).ends[step]), marked);
}

/**
 * The question about the marks, the score and the chains of the position that is shown.
 * @param {Session} session
 */
export function positionQuestion(session) {
  const { marks, over, next } = session;
  const include = /** @type {import('../arbiter.js').GoInclude} */ ([...new Set(['score', ...(marks ? [marks] : []), ...(over ? ['territory', 'chains'] : [])])]);
  return { ...questionOfSession(session), ...(marks === 'legal' && { next }), include };
}
