// A game as it has been played, and where in it one looks: a board to begin with, moves, and how many of them are on
// the board. Records are never changed: what is done makes a new one.

import { moved, other, PAWN, RED, sameMove } from './board.js';

/** @typedef {import('./board.js').Board} Board */
/** @typedef {import('./board.js').Side} Side */
/** @typedef {import('./board.js').Move} Move */
/** @typedef {import('../arbiter.js').PawnResult} Result */

/** @typedef {{ board: Board, turn: Side }} Position */
/** @typedef {Position & { moves: readonly Move[], at: number }} Record */

/** A record keeps no more moves: of a game that goes on in circles the oldest are forgotten. */
export const MOST_MOVES = 2000;

/**
 * The record of a position in which nothing has been played.
 * @param {Board} board
 * @param {Side} turn
 * @returns {Record}
 */
export const begun = (board, turn) => ({ board, turn, moves: [], at: 0 });

/**
 * Positions by the list of moves that led through them: whoever asks for them asks often.
 * @type {WeakMap<readonly Move[], Position[]>}
 */
const walked = new WeakMap();

/**
 * The positions of a record: before its first move, after it, and so on.
 * @param {Record} record
 * @returns {Position[]} one more than there are moves
 */
export function positions({ board, turn, moves }) {
  const known = walked.get(moves);
  if (known && known[0].board === board && known[0].turn === turn) return known;
  const all = [{ board, turn }];
  for (const move of moves) {
    const last = all[all.length - 1];
    all.push({ board: moved(last.board, move), turn: other(last.turn) });
  }
  walked.set(moves, all);
  return all;
}

/**
 * The position that one looks at.
 * @param {Record} record
 */
export const shown = (record) => positions(record)[record.at];

/**
 * The record in which this is played where one looks, instead of what had come after.
 * @param {Record} record
 * @param {readonly Move[]} further
 * @param {number} [at] where to look then: behind the first of the further moves if absent
 * @returns {Record}
 */
export function played(record, further, at = record.at + 1) {
  const moves = [...record.moves.slice(0, record.at), ...further];
  const forgotten = Math.max(0, Math.min(at, moves.length - MOST_MOVES));
  const { board, turn } = forgotten > 0 ? shown({ ...record, moves, at: forgotten }) : record;
  return { board, turn, moves: moves.slice(forgotten), at: at - forgotten };
}

/**
 * The record, looked at elsewhere.
 * @param {Record} record
 * @param {number} at
 */
export const looked = (record, at) => ({ ...record, at: Math.max(0, Math.min(record.moves.length, at)) });

/**
 * What tells a position from all others.
 * @param {Position} position
 */
export const keyOf = ({ board, turn }) => `${turn} ${board.join('/')}`;

/**
 * After how many moves the position that one looks at was on the board before, or -1.
 * @param {Record} record
 */
export function seenBefore(record) {
  const keys = positions(record).slice(0, record.at + 1).map(keyOf);
  const first = keys.indexOf(keys[record.at]);
  return first === record.at ? -1 : first;
}

/**
 * A move with its value, as the position before it was answered; undefined where it is none of that position's.
 * @param {Result | undefined} before
 * @param {Move} move
 */
export const valued = (before, move) => before?.moves?.find((known) => sameMove(known, move));

/**
 * What became of a win or a tie with a move. `slower` and `sooner`: the verdict has stayed, the end comes at another
 * time than with the best move.
 * @typedef {'best' | 'slower' | 'sooner' | 'win-lost' | 'tie-lost'} Judgement
 */

/**
 * @param {Result} before the answer to the position before the move
 * @param {Move} move
 * @param {Side} mover
 * @returns {Judgement}
 */
export function judged(before, move, mover) {
  const value = valued(before, move) ?? before;
  if (value.verdict !== before.verdict) return before.verdict === mover ? 'win-lost' : 'tie-lost';
  if (value.steps === before.steps) return 'best';
  return before.verdict === mover ? 'slower' : 'sooner';
}

/**
 * How a game has ended, and who has won. That it has, and who, is the service's: `reason` names what is seen on the
 * board, in the service's words (of the position before it gives the reason for the best move alone).
 * @typedef {{ winner: Side, reason: 'first-row' | 'capture' | 'no-move' }} Ending
 */

/**
 * Is the game over where one looks?
 * @param {Record} record
 * @param {(position: Position) => Result | undefined} answer what the service says of a position, as far as it has
 *   been asked
 * @returns {Ending | null} null also where it is not known
 */
export function ending(record, answer) {
  const { board, turn } = shown(record);
  if (record.at > 0) {
    const value = valued(answer(shown(looked(record, record.at - 1))), record.moves[record.at - 1]);
    if (value?.steps === 1) return { winner: /** @type {Side} */ (value.verdict), reason: seen(board) };
  }
  const result = answer({ board, turn });
  if (result?.steps !== 0 || !result.reason) return null;
  return { winner: /** @type {Side} */ (result.verdict), reason: result.reason };
}

/**
 * @param {Board} board on which a game has ended
 * @returns {Ending['reason']}
 */
function seen(board) {
  if (board[0].includes(PAWN)) return 'first-row';
  const pieces = [...board.join('')].filter((piece) => piece === RED || piece === PAWN);
  return pieces.length < 3 ? 'capture' : 'no-move';
}

/**
 * How many moves of a record can be played: a record from a link may hold any.
 * @param {Record} record
 * @param {(position: Position) => Result | undefined} answer all of its positions have been asked
 */
export function playable(record, answer) {
  const before = positions(record);
  const broken = record.moves.findIndex((move, index) => !valued(answer(before[index]), move));
  return broken < 0 ? record.moves.length : broken;
}
