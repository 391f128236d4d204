// What is on the screen, to be taken away: as the state of a link, and as a question to the service. The boards of a
// record do not tell all of its moves (who passed, what it sets up later): where they do not, link and question hold
// the record itself, or the board that is shown.

import { DEFAULT_RULES, questionOf } from './game.js';
import { emptyBoard } from './points.js';
import { writeState } from './link.js';

/** @typedef {import('./ask.js').Opened} Opened */
/** @typedef {import('./session.js').Session} Session */

/** What is on the table while the record of a link is read. */
export const NOTHING = { setup: emptyBoard(19), moves: [], rules: DEFAULT_RULES };

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
  const { step, mode, alternate, turn, aim, line, game, length } = session;
  const wanted = sought(session), record = untold(session, length);
  if (wanted) return { question: recordQuestion(wanted), ...(Number.isFinite(aim) && { step: aim }) };
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
