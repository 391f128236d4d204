// What the person at the screen does with the pawn: all of its state, and what follows from it, without a document.
// What is known of positions is in `answers`.

import { Undo } from '../page/undo.js';
import { Values } from '../page/values.js';
import { FREE, OBSTACLE, on, PAWN, RED, withCell } from './board.js';
import { begun, ending, judged, keyOf, looked, played, positions, seenBefore, shown, valued } from './record.js';

/** @typedef {import('./board.js').Board} Board */
/** @typedef {import('./board.js').Cell} Cell */
/** @typedef {import('./board.js').Move} Move */
/** @typedef {import('./board.js').Side} Side */
/** @typedef {import('./record.js').Record} Record */
/** @typedef {import('./record.js').Position} Position */
/** @typedef {import('./record.js').Result} Result */
/** @typedef {import('./link.js').Shown} Shown */
/** @typedef {import('../page/values.js').Shows} Shows */

/**
 * What a move was worth: the position before it, the answer to that, and its place among the moves there.
 * @typedef {{ judgement: import('./record.js').Judgement, position: Position, before: Result,
 *   after: import('../arbiter.js').PawnRankedMove }} MoveVerdict
 */

/** How many changes can be undone. */
const MOST_UNDONE = 300;

/** @type {readonly Move[]} */
const NONE = [];

export class Session {
  /** @type {(position: Position) => Result | undefined} */
  #answer;
  /**
   * The stroke that is being painted: what with, on which board a piece is carried about, whether it is at its first cell,
   * and whether it has changed anything.
   */
  #stroke = { what: '', under: /** @type {Board | null} */ (null), first: false, changed: false };
  /** What is to be painted where, if the stroke ends on the piece on which it began. */
  #clicked = /** @type {{ cell: Cell, what: string } | null} */ (null);
  /** The track that was made last: who asks again gets the same list. */
  #track = { moves: NONE, line: NONE, all: NONE };
  /** The program does not go on by itself. @type {boolean} */
  paused;
  /** The move that was tried last in the puzzle, and does not solve it. @type {Move | null} */
  wrong = null;
  /** By the keys of positions. @type {Values<string>} */
  #values;
  /** How it stands with the answer that is wanted. @type {import('../page/service.js').Asker['state']} */
  asking = 'idle';

  /**
   * @param {Shown} first
   * @param {(position: Position) => Result | undefined} answer what the service says of a position, as far as it is
   *   known
   * @param {Session} [before] the one that this goes on with: what was done there can be undone here
   */
  constructor({ record, mode, plays, values, puzzle }, answer, before) {
    this.history = before?.history ?? new Undo(record, MOST_UNDONE);
    this.paused = before?.paused ?? false;
    this.mode = mode;
    this.plays = plays;
    this.#values = new Values(values, puzzle, before && before.#values);
    this.#answer = answer;
  }

  /** @returns {Record} */
  get record() {
    return this.history.now;
  }

  get position() {
    return shown(this.record);
  }

  /** @returns {Shown} */
  get shown() {
    return { record: this.record, mode: this.mode, plays: this.plays, values: this.analysis, puzzle: this.#values.unsolved };
  }

  /** The puzzle on the board. */
  get puzzle() {
    return this.#values.puzzle;
  }

  /** Are the values of all moves shown always? */
  get analysis() {
    return this.#values.analysis;
  }

  set analysis(always) {
    this.#values.analysis = always;
  }

  /** What is shown of the values of moves. */
  get shows() {
    return this.#values.at(keyOf(this.position));
  }

  /** @param {Shows} shows what is to be shown of this position */
  reveal(shows) {
    this.#values.reveal(keyOf(this.position), shows);
  }

  /** Is what was known of another position still shown, pale, until this one is known? Not for long. */
  get stale() {
    return !this.ending && !this.result && this.asking === 'asked';
  }

  /** The move that led to what one looks at. */
  get last() {
    return this.record.moves[this.record.at - 1];
  }

  /** The position before the last move; the one that one looks at where nothing has been played. */
  get before() {
    return shown(looked(this.record, this.record.at - 1));
  }

  /**
   * What must be known to say how it stands: whether the last move has ended the game is told by the position before
   * it.
   */
  get wanted() {
    return [this.before, this.position];
  }

  get ending() {
    return ending(this.record, this.#answer);
  }

  /** What is known of the position that one looks at, if it is not over. */
  get result() {
    return this.ending ? undefined : this.#answer(this.position);
  }

  /** The moves of the record, or where one looks at its end: them, and how it goes on with the best ones. */
  get track() {
    const { moves, at } = this.record, line = at < moves.length ? NONE : this.result?.line ?? NONE;
    if (this.#track.moves !== moves || this.#track.line !== line) {
      this.#track = { moves, line, all: line.length > 0 ? [...moves, ...line] : moves };
    }
    return this.#track.all;
  }

  /** The moves that are listed: the best line is not, while the values are hidden. */
  get visible() {
    return this.shows === 'values' ? this.track : this.record.moves;
  }

  /** May the person at the screen move? Whoever has stopped or looks back may try something else, for either side. */
  get mine() {
    return this.#hand || this.paused || this.record.at < this.record.moves.length;
  }

  /** Is it the program's turn, if it went on? */
  get waiting() {
    const { moves, at } = this.record;
    return this.paused && !this.#hand && at === moves.length && Boolean(this.result);
  }

  /** Is it the turn of a side that the person at the screen plays? */
  get #hand() {
    return this.plays === 'both' || this.plays === this.position.turn;
  }

  /** What the program plays now, if it is its turn. */
  get reply() {
    if (this.mine || this.mode === 'edit') return undefined;
    return this.result?.moves?.[0];
  }

  /** What the last move was worth; where the program has replied to it, that of the person at the screen. */
  get lastVerdict() {
    const { plays, record: { at }, before: { turn } } = this;
    return this.judgementAt((plays === 'Red' || plays === 'Black') && turn !== plays ? at - 2 : at - 1);
  }

  /**
   * What a move was worth. Null where there is none, or it is not known.
   * @param {number} index of a move of the record
   * @returns {MoveVerdict | null}
   */
  judgementAt(index) {
    const move = this.record.moves[index];
    if (!move) return null;
    const position = positions(this.record)[index], before = this.#answer(position), after = valued(before, move);
    return before && after ? { judgement: judged(before, move, position.turn), position, before, after } : null;
  }

  /** Is a position on the board that was there before? */
  get circling() {
    return seenBefore(this.record) >= 0;
  }

  /**
   * The moves of the position from a cell.
   * @param {Cell} cell
   */
  movesFrom(cell) {
    return this.result?.moves?.filter(({ from }) => from[0] === cell[0] && from[1] === cell[1]) ?? [];
  }

  /**
   * The moves of the position to a cell.
   * @param {Cell} cell
   */
  movesTo(cell) {
    return this.result?.moves?.filter(({ to }) => to[0] === cell[0] && to[1] === cell[1]) ?? [];
  }

  /**
   * Play a move by hand. One that does not solve the puzzle is not played.
   * @param {Move} move
   */
  play({ from, to }) {
    const move = { from, to }, solves = valued(this.result, move)?.verdict === this.position.turn;
    this.wrong = this.puzzle && !this.puzzle.attempt(solves) ? move : null;
    if (this.wrong) return;
    this.history.change(played(this.record, [move]));
    this.paused = false;
  }

  /** Play what the program has to reply. To undo takes it back with the move that it answers. */
  answer() {
    if (!this.reply) return;
    if (this.plays === 'none' && this.circling) this.paused = true;
    else this.history.now = played(this.record, [{ from: this.reply.from, to: this.reply.to }]);
  }

  /**
   * Look at the position after so many of the visible moves.
   * @param {number} at
   */
  look(at) {
    const { record, visible } = this;
    const to = Math.max(0, Math.min(visible.length, at));
    if (to === record.at) return;
    // The best line becomes a part of the record when one walks along it.
    this.history.now = to <= record.moves.length ? looked(record, to) : played(record, visible.slice(record.at), to);
    this.paused = true;
  }

  /** Leave out what was played after the position that one looks at, and see the best line from there. */
  cutMoves() {
    this.history.change(played(this.record, [], this.record.at));
    this.paused = true;
  }

  /**
   * Have the person at the screen play these sides. What two programs play can be undone at once.
   * @param {import('./link.js').Plays} plays
   */
  choose(plays) {
    if (plays === 'none') this.history.change({ ...this.record });
    this.plays = plays;
    this.paused = false;
  }

  restart() {
    this.history.change(begun(this.record.board, this.record.turn));
    this.paused = false;
  }

  undo() {
    this.history.undo();
    this.paused = true;
  }

  redo() {
    this.history.redo();
    this.paused = true;
  }

  /**
   * Begin anew with a board.
   * @param {Board} board
   * @param {Side} [turn]
   */
  begin(board, turn = this.position.turn) {
    if (keyOf({ board, turn }) === keyOf(this.position)) return;
    this.#change(begun(board, turn));
    this.paused = false;
  }

  /**
   * Play on a board that was drawn: its side to move, where the person at the screen plays one side.
   * @param {Position} position
   */
  takeUp({ board, turn }) {
    this.begin(board, turn);
    this.mode = 'play';
    if (this.plays === 'Red' || this.plays === 'Black') this.plays = turn;
  }

  /**
   * Another board takes the place of this one.
   * @param {Record} record
   */
  #change(record) {
    this.history.change(record);
    this.#values.puzzle = null;
  }

  /**
   * Paint a single cell. There is one pawn: to put it elsewhere is to move it.
   * @param {Cell} cell
   * @param {string} what
   */
  paint(cell, what) {
    const { board } = this.position;
    this.#begin(what, what === PAWN ? board.map((row) => row.replaceAll(PAWN, FREE)) : isPiece(what) ? board : null);
    this.continueStroke(cell);
  }

  /**
   * A stroke or a click begins on a cell. A stroke that begins on a piece carries it, whatever is painted with, so that a
   * piece is painted over only by a click: at its end.
   * @param {Cell} cell
   * @param {string} what
   */
  beginStroke(cell, what) {
    const { board } = this.position, there = on(board, cell);
    if (!isPiece(there)) return this.paint(cell, what);
    this.#begin(there, withCell(board, cell, FREE));
    this.#clicked = { cell, what };
  }

  /**
   * The stroke that was begun goes on to a cell. A piece is put there alone, and not along the stroke; a stroke of blocks
   * leaves pieces alone.
   * @param {Cell} cell
   */
  continueStroke(cell) {
    const { under, what, first } = this.#stroke, { board, turn } = this.position;
    this.#clicked = null;
    if (!first && what === OBSTACLE && isPiece(on(board, cell))) return;
    this.#stroke.first = false;
    const painted = withCell(under ?? board, cell, what);
    if (keyOf({ board: painted, turn }) === keyOf(this.position)) return;
    if (this.#stroke.changed) this.history.now = begun(painted, turn);
    else this.#change(begun(painted, turn));
    this.#stroke.changed = true;
  }

  /** The stroke ends. */
  endStroke() {
    const clicked = this.#clicked;
    this.#clicked = null;
    if (clicked) this.paint(clicked.cell, clicked.what);
  }

  /**
   * @param {string} what
   * @param {Board | null} under
   */
  #begin(what, under) {
    this.#stroke = { what, under, first: true, changed: false };
    this.#clicked = null;
  }
}

/** @param {string} what */
const isPiece = (what) => what === RED || what === PAWN;
