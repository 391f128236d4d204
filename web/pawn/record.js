// The record of a game: the first board, the moves, and the number of moves before the shown position (`at`). Records are immutable:
// each function returns a new one.

import { moved, other, PAWN, RED, sameMove } from './board.js';

/** @typedef {import('./board.js').Board} Board */
/** @typedef {import('./board.js').Side} Side */
/** @typedef {import('./board.js').Move} Move */
/** @typedef {import('../arbiter.js').PawnResult} Result */

/** @typedef {{ board: Board, turn: Side }} Position */
/** @typedef {Position & { moves: readonly Move[], at: number }} Record */

/** The most moves in a record. In a longer game, the oldest are dropped. */
export const MOST_MOVES = 2000;

/**
 * A record without moves.
 * @param {Board} board
 * @param {Side} turn
 * @returns {Record}
 */
export const begun = (board, turn) => ({ board, turn, moves: [], at: 0 });

/**
 * Caches the results of `positions`, by list of moves.
 * @type {WeakMap<readonly Move[], Position[]>}
 */
const positionsOf = new WeakMap();

/**
 * The positions of a record: before its first move, after its first move, and so on.
 * @param {Record} record
 * @returns {Position[]} one more than the moves
 */
export function positions({ board, turn, moves }) {
  const known = positionsOf.get(moves);
  if (known && known[0].board === board && known[0].turn === turn) return known;
  const all = [{ board, turn }];
  for (const move of moves) {
    const last = all[all.length - 1];
    all.push({ board: moved(last.board, move), turn: other(last.turn) });
  }
  positionsOf.set(moves, all);
  return all;
}

/**
 * The shown position.
 * @param {Record} record
 */
export const shownPosition = (record) => positions(record)[record.at];

/**
 * The record with moves played from the shown position. They replace the later moves.
 * @param {Record} record
 * @param {readonly Move[]} further
 * @param {number} [at] the shown position; by default, after the first of the new moves
 * @returns {Record}
 */
export function played(record, further, at = record.at + 1) {
  const moves = [...record.moves.slice(0, record.at), ...further];
  const forgotten = Math.max(0, Math.min(at, moves.length - MOST_MOVES));
  const { board, turn } = forgotten > 0 ? shownPosition({ ...record, moves, at: forgotten }) : record;
  return { board, turn, moves: moves.slice(forgotten), at: at - forgotten };
}

/**
 * The record with another position shown.
 * @param {Record} record
 * @param {number} at
 */
export const recordAt = (record, at) => ({ ...record, at: Math.max(0, Math.min(record.moves.length, at)) });

/**
 * A text that identifies a position.
 * @param {Position} position
 */
export const keyOf = ({ board, turn }) => `${turn} ${board.join('/')}`;

/**
 * The number of moves after which the shown position occurred first; -1 if this is the first time.
 * @param {Record} record
 */
export function seenBefore(record) {
  const keys = positions(record).slice(0, record.at + 1).map(keyOf);
  const first = keys.indexOf(keys[record.at]);
  return first === record.at ? -1 : first;
}

/**
 * A move with its value, from the result of the position before it; undefined if it isn't a move of that position.
 * @param {Result | undefined} before
 * @param {Move} move
 */
export const valued = (before, move) => before?.moves?.find((known) => sameMove(known, move));

/**
 * The judgement of a move: did it throw away a win or a tie? `slower` and `sooner`: the verdict is the same, but the win comes later, or
 * the loss sooner, than with the best move.
 * @typedef {'best' | 'slower' | 'sooner' | 'win-lost' | 'tie-lost'} Judgement
 */

/**
 * @param {Result} before the result of the position before the move
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
 * The winner of a game and the reason, both from the service. But the result of the previous position has the reason only for its best
 * move, so after a move the reason is read from the board.
 * @typedef {{ winner: Side, reason: 'first-row' | 'capture' | 'no-move' }} Ending
 */

/**
 * Is the game over at the shown position?
 * @param {Record} record
 * @param {(position: Position) => Result | undefined} answer the result of a position; undefined if it isn't known
 * @returns {Ending | null} null if the game isn't over, or that isn't known
 */
export function ending(record, answer) {
  const { board, turn } = shownPosition(record);
  if (record.at > 0) {
    const value = valued(answer(shownPosition(recordAt(record, record.at - 1))), record.moves[record.at - 1]);
    if (value?.steps === 1) return { winner: /** @type {Side} */ (value.verdict), reason: endReason(board) };
  }
  const result = answer({ board, turn });
  if (result?.steps !== 0 || !result.reason) return null;
  return { winner: /** @type {Side} */ (result.verdict), reason: result.reason };
}

/**
 * @param {Board} board on which a game has ended
 * @returns {Ending['reason']}
 */
function endReason(board) {
  if (board[0].includes(PAWN)) return 'first-row';
  const pieces = [...board.join('')].filter((piece) => piece === RED || piece === PAWN);
  return pieces.length < 3 ? 'capture' : 'no-move';
}

/**
 * The number of moves before the first illegal one. A record from a link can contain any moves.
 * @param {Record} record
 * @param {(position: Position) => Result | undefined} answer must know all positions
 */
export function playable(record, answer) {
  const before = positions(record);
  const broken = record.moves.findIndex((move, index) => !valued(answer(before[index]), move));
  return broken < 0 ? record.moves.length : broken;
}
