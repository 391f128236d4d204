// The state of the game, what follows from it, and what the reader does: it asks the service about what is shown, and has the program move.
// It has no part of the document.

import { Undo } from '../page/undo.js';
import { Values } from '../page/values.js';
import { Ask, questionOf } from './ask.js';
import { columns, FREE, LEAST_SIDE, MOST_SIDE, OBSTACLE, on, PAWN, RED, withCell } from './board.js';
import { writeState } from './link.js';
import { draw } from './random.js';
import { begun, ending, judged, keyOf, looked, playable, played, positions, seenBefore, shown, valued } from './record.js';

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

/**
 * What has happened: `act`, the reader did something; `program`, it has moved; `answer`, what is shown is known, or refused; `late`, it is
 * not known yet; `checked`, all positions of the record are known; `broken`, a link had a move that is not possible, and the record ends
 * before it.
 * @typedef {'act' | 'program' | 'answer' | 'late' | 'checked' | 'broken'} News
 */

/** How many changes can be undone. */
const MOST_UNDONE = 300;

/** @type {readonly Move[]} */
const NONE = [];

export class Session {
  #ask;
  #history;
  /** By the keys of positions. @type {Values<string, Move>} */
  #values;
  /** @type {ReturnType<typeof setTimeout> | undefined} until the program moves */
  #timer;
  #pace = 0;
  /**
   * The stroke that is being painted: what with, the board without a piece that it carries, whether it is at its first cell, and whether it
   * has changed anything.
   */
  #stroke = { what: '', under: /** @type {Board | null} */ (null), first: false, changed: false };
  /** The cell, and what is to be painted there, if the stroke ends on the piece on which it began. */
  #clicked = /** @type {{ cell: Cell, what: string } | null} */ (null);
  /** The last value of `track`. The same moves give the same list, which the cards compare by `===`. */
  #track = { moves: NONE, line: NONE, all: NONE };

  /** Called with what has happened. @type {(news: News) => void} */
  listener = () => {};
  mode;
  /** The side that the reader plays. */
  side;
  /** What is painted with. */
  tool = /** @type {string} */ (OBSTACLE);
  /** Does the program wait until the reader says that the game goes on? */
  paused = false;

  /**
   * @param {Pick<import('../page/main.js').Page, 'service'>} page
   * @param {Shown} shown
   */
  constructor({ service }, { record, mode, side, analysis, puzzle }) {
    this.#ask = new Ask(service, () => this.listener('late'));
    this.#history = new Undo(record, MOST_UNDONE);
    this.#values = new Values(analysis, puzzle);
    this.mode = mode;
    this.side = side;
    void this.#learn();
    void this.#check();
  }

  /** @returns {Record} */
  get record() {
    return this.#history.now;
  }

  get position() {
    return shown(this.record);
  }

  /** What a link holds. */
  state() {
    const { record, mode, side, analysis } = this;
    return writeState({ record, mode, side, analysis, puzzle: this.#values.unsolved });
  }

  /** What is shown, as a question to the service: of a board on which a piece was taken, the one before. */
  question() {
    const { ending, before, position } = this;
    return questionOf(ending && ending.reason !== 'no-move' ? before : position);
  }

  get canUndo() {
    return this.#history.canUndo;
  }

  get canRedo() {
    return this.#history.canRedo;
  }

  get canRestart() {
    return this.record.moves.length > 0;
  }

  /** The puzzle on the board. */
  get puzzle() {
    return this.#values.puzzle;
  }

  /** The move that was tried last, and does not solve the puzzle. */
  get wrong() {
    return this.#values.wrongAt(keyOf(this.position));
  }

  /** Are the values of all moves shown always? */
  get analysis() {
    return this.#values.analysis;
  }

  /** What is shown of the values of moves. */
  get shows() {
    return this.#values.at(keyOf(this.position));
  }

  /** Are there values that can be shown? */
  get hasValues() {
    return this.result !== undefined;
  }

  /** How it stands with the answer. */
  get asking() {
    return this.#ask.state;
  }

  /** Is there no answer to what is shown yet? */
  get stale() {
    return !this.over && !this.result && !this.problem;
  }

  /** The move that led to what is shown. */
  get last() {
    return this.record.moves[this.record.at - 1];
  }

  /** The position before the last move; the one that is shown where nothing has been played. */
  get before() {
    return shown(looked(this.record, this.record.at - 1));
  }

  get ending() {
    return ending(this.record, this.#ask.result);
  }

  get over() {
    return this.ending !== null;
  }

  /** What is known of the position that is shown, if it is not over. */
  get result() {
    return this.over ? undefined : this.#ask.result(this.position);
  }

  /** Why the board was refused, if it was. */
  get problem() {
    return this.over ? undefined : this.#ask.get(this.position)?.problem;
  }

  /** The moves of the record; at its end also the best line from there. */
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

  /** May the reader move? Where the game is paused, or an earlier position is shown, for either side. */
  get canMove() {
    return this.#ownTurn || this.paused || this.record.at < this.record.moves.length;
  }

  /** Is it the program's turn, as soon as the game goes on? */
  get canResume() {
    const { moves, at } = this.record;
    return this.paused && !this.#ownTurn && at === moves.length && Boolean(this.result);
  }

  /** Is it the turn of a side that the reader plays? */
  get #ownTurn() {
    return this.side === 'both' || this.side === this.position.turn;
  }

  /** What the program plays now, if it is its turn. */
  get reply() {
    if (this.canMove || this.mode === 'edit') return undefined;
    return this.result?.moves?.[0];
  }

  /** What the last move was worth; where the program has replied to it, that of the reader. */
  get lastVerdict() {
    const { side, record: { at }, before: { turn } } = this;
    return this.judgementAt((side === 'Red' || side === 'Black') && turn !== side ? at - 2 : at - 1);
  }

  /**
   * What a move was worth. Null where there is none, or it is not known.
   * @param {number} index of a move of the record
   * @returns {MoveVerdict | null}
   */
  judgementAt(index) {
    const move = this.record.moves[index];
    if (!move) return null;
    const position = positions(this.record)[index], before = this.#ask.result(position), after = valued(before, move);
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

  /** Something was done: ask what is not known of it. @param {News} [news] */
  #changed(news = 'act') {
    void this.#learn();
    this.listener(news);
  }

  /** Ask what is not known of the position. Whether the last move ended the game is known from the position before it. */
  async #learn() {
    clearTimeout(this.#timer);
    if (!await this.#ask.want([this.before, this.position], () => this.#changed())) return;
    if (this.mode === 'play' && this.problem?.status === 422) this.mode = 'edit'; // nothing can be played on such a board
    this.listener('answer');
    this.#schedule();
  }

  /** A record from a link may have moves that are not possible: it ends before the first of them. */
  async #check() {
    const { record } = this, all = positions(record);
    if (record.moves.length === 0 || !await this.#ask.check(all, () => this.#check())) return;
    if (!all.every((position) => this.#ask.get(position))) return;
    const good = playable(record, this.#ask.result);
    if (this.record.moves !== record.moves || good === record.moves.length) return this.listener('checked');
    this.#history.now = played(looked(record, good), [], Math.min(good, record.at));
    this.#changed('broken');
  }

  /** Have the program move in a while, if it is its turn. */
  #schedule() {
    clearTimeout(this.#timer);
    if (this.reply) this.#timer = setTimeout(() => this.#answer(), this.#pace);
  }

  /** Play what the program has to reply. To undo takes it back with the move that it answers. */
  #answer() {
    if (!this.reply) return;
    if (this.side === 'none' && this.circling) {
      this.paused = true;
      return this.#changed();
    }
    this.#history.now = played(this.record, [{ from: this.reply.from, to: this.reply.to }]);
    this.#changed('program');
  }

  /** @param {number} milliseconds before the program moves */
  setPace(milliseconds) {
    this.#pace = milliseconds;
    this.#schedule();
  }

  /**
   * Play a move by hand. One that does not solve the puzzle is not played.
   * @param {Move} move
   */
  play({ from, to }) {
    const move = { from, to }, solves = valued(this.result, move)?.verdict === this.position.turn;
    if (this.#values.attempt(keyOf(this.position), move, solves)) {
      this.#history.change(played(this.record, [move]));
      this.paused = false;
    }
    this.#changed();
  }

  /**
   * Show the position after this many of the visible moves.
   * @param {number} step whatever is beyond the ends is the end
   */
  goTo(step) {
    const { record, visible } = this, at = Math.max(0, Math.min(visible.length, step));
    if (at === record.at) return;
    // The best line becomes a part of the record when the reader steps along it.
    this.#history.now = at <= record.moves.length ? looked(record, at) : played(record, visible.slice(record.at), at);
    this.paused = true;
    this.#changed();
  }

  /** Leave out what was played after the position that is shown, and show the best line from there. */
  cutMoves() {
    this.#history.change(played(this.record, [], this.record.at));
    this.paused = true;
    this.#changed();
  }

  /** Let the program go on. */
  resume() {
    this.paused = false;
    this.#changed();
  }

  /**
   * Have the reader play this side. What two programs play is undone as one.
   * @param {import('./link.js').SideChoice} side
   */
  setSide(side) {
    if (side === 'none') this.#history.change({ ...this.record });
    this.side = side;
    this.resume();
  }

  /** @param {import('./link.js').Mode} mode */
  setMode(mode) {
    this.mode = mode;
    this.#changed();
  }

  /** @param {string} tool what to paint with */
  setTool(tool) {
    this.tool = tool;
    this.#changed();
  }

  /** @param {boolean} always are the values of all moves to be shown always? */
  setAnalysis(always) {
    this.#values.analysis = always;
    this.#changed();
  }

  /** @param {Shows} shows what is to be shown of the values of this position */
  showValues(shows) {
    this.#values.show(keyOf(this.position), shows);
    this.#changed();
  }

  restart() {
    this.#history.change(begun(this.record.board, this.record.turn));
    this.resume();
  }

  undo() {
    this.#history.undo();
    this.paused = true;
    this.#changed();
  }

  redo() {
    this.#history.redo();
    this.paused = true;
    this.#changed();
  }

  /**
   * Begin anew with a board.
   * @param {Board} board
   * @param {Side} [turn]
   */
  begin(board, turn = this.position.turn) {
    if (keyOf({ board, turn }) !== keyOf(this.position)) this.#replace(begun(board, turn));
    this.resume();
  }

  /**
   * Play on a board that was drawn: its side to move, where the reader plays one side.
   * @param {Position} position
   */
  beginDrawn({ board, turn }) {
    this.mode = 'play';
    if (this.side === 'Red' || this.side === 'Black') this.side = turn;
    this.begin(board, turn);
  }

  /**
   * Look for a board of a kind, as large as this one.
   * @param {import('./random.js').Kind} kind
   * @param {AbortSignal} signal
   */
  search(kind, signal) {
    const { board } = this.position, within = (/** @type {number} */ side) => Math.max(LEAST_SIDE, Math.min(MOST_SIDE, side));
    return draw(within(board.length), within(columns(board)), kind, async (drawn) => {
      const answers = await this.#ask.ask(drawn.map(questionOf), signal);
      return answers.map(({ result }) => result);
    });
  }

  /** End what is going on. */
  close() {
    clearTimeout(this.#timer);
    this.#ask.close();
  }

  /**
   * Another board takes the place of this one.
   * @param {Record} record
   */
  #replace(record) {
    this.#history.change(record);
    this.#values.puzzle = null;
  }

  /**
   * Paint a single cell. There is one pawn: to put it elsewhere is to move it.
   * @param {Cell} cell
   * @param {string} what
   */
  paint(cell, what) {
    const { board } = this.position;
    this.#beginStroke(what, what === PAWN ? board.map((row) => row.replaceAll(PAWN, FREE)) : isPiece(what) ? board : null);
    this.continueStroke(cell);
  }

  /**
   * A stroke or a click begins on a cell. A stroke that begins on a piece carries it, whatever is painted with, so that a
   * piece is painted over only by a click: at its end.
   * @param {Cell} cell
   */
  beginStroke(cell) {
    const { board } = this.position, what = this.tool, there = on(board, cell);
    if (!isPiece(there)) return this.paint(cell, what);
    this.#beginStroke(there, withCell(board, cell, FREE));
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
    if (this.#stroke.changed) this.#history.now = begun(painted, turn);
    else this.#replace(begun(painted, turn));
    this.#stroke.changed = true;
    this.#changed();
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
  #beginStroke(what, under) {
    this.#stroke = { what, under, first: true, changed: false };
    this.#clicked = null;
  }
}

/** @param {string} what */
const isPiece = (what) => what === RED || what === PAWN;
