// The state of the game and the actions of the user. Asks the service about the shown position and makes the computer's moves. Doesn't
// touch the DOM.

import { Undoable } from '../page/undo.js';
import { Values } from '../page/values.js';
import { Ask, questionOf } from './ask.js';
import { columns, FREE, LEAST_SIDE, MOST_SIDE, OBSTACLE, on, PAWN, RED, sameCell, withCell } from './board.js';
import { writeState } from './link.js';
import { draw } from './random.js';
import { begun, ending, judged, keyOf, playable, played, positions, recordAt, seenBefore, shownPosition, valued } from './record.js';

/** @typedef {import('./board.js').Board} Board */
/** @typedef {import('./board.js').Cell} Cell */
/** @typedef {import('./board.js').Move} Move */
/** @typedef {import('./board.js').Side} Side */
/** @typedef {import('./record.js').Record} Record */
/** @typedef {import('./record.js').Position} Position */
/** @typedef {import('./record.js').Result} Result */
/** @typedef {import('./link.js').Shown} Shown */

/**
 * The judgement of a move, with the position before it, the result of that position, and the value of the move.
 * @typedef {{ judgement: import('./record.js').Judgement, position: Position, before: Result,
 *   after: import('../arbiter.js').PawnRankedMove }} MoveVerdict
 */

/**
 * The last event. `act`: the user did something. `program`: the computer has moved. `answer`: the position has an answer. `late`: its
 * answer is late. `checked`: all positions of the record have answers. `broken`: a link had an illegal move, and the record now ends
 * before it. `unplayable`: the board can't be played on, so it is edited again.
 * @typedef {'act' | 'program' | 'answer' | 'late' | 'checked' | 'broken' | 'unplayable'} News
 */

/** The number of changes that can be undone. */
const MOST_UNDONE = 300;

/** @type {readonly Move[]} */
const NONE = [];

/** @extends {Undoable<Record>} */
export class Session extends Undoable {
  #ask;
  /** By the keys of positions. @type {Values<string, Move>} */
  #values;
  /** @type {ReturnType<typeof setTimeout> | undefined} of the computer's next move */
  #timer;
  #pace = 0;
  /**
   * The current stroke. `what`: the character that it draws. `under`: if it moves a piece, the board without that piece. `first`: is it on
   * its first square? `changed`: has it changed the board?
   */
  #stroke = { what: '', under: /** @type {Board | null} */ (null), first: false, changed: false };
  /** If the stroke began on a piece and is still there: the square, and what to draw on it at the end. */
  #clicked = /** @type {{ cell: Cell, what: string } | null} */ (null);
  /** The last value of `track`. It is reused for the same moves, because the cards compare lists by `===`. */
  #track = { moves: NONE, line: NONE, all: NONE };

  /** Called after each change. @type {(news: News) => void} */
  listener = () => {};
  mode;
  /** The sides that the user plays. */
  side;
  /** The character that the editor draws. */
  tool = /** @type {string} */ (OBSTACLE);
  /** The sides that the user plays on boards for which they were set. @type {WeakMap<Board, import('./link.js').SideChoice>} */
  #sides = new WeakMap();
  /** Is the computer waiting for `resume`? */
  paused = false;

  /**
   * @param {Pick<import('../page/main.js').Page, 'service'>} page
   * @param {Shown} shown
   */
  constructor({ service }, { record, mode, side, analysis, puzzle }) {
    super(record, MOST_UNDONE);
    this.#ask = new Ask(service, () => this.listener('late'));
    this.#values = new Values(analysis, puzzle, () => this.record.board);
    this.mode = mode;
    this.side = side;
    this.reopen();
  }

  /** @returns {Record} */
  get record() {
    return this.history.now;
  }

  get position() {
    return shownPosition(this.record);
  }

  /** The state for a link. */
  state() {
    const { record, mode, side, analysis } = this;
    return writeState({ record, mode, side, analysis, puzzle: this.#values.unsolved });
  }

  /** The shown position as a question to the service; once the pawn or a capture has ended the game, the position before that move. */
  question() {
    const { ending, before, position } = this;
    return questionOf(ending && ending.reason !== 'no-move' ? before : position);
  }

  get canRestart() {
    return this.record.moves.length > 0;
  }

  /** The puzzle on the board. */
  get puzzle() {
    return this.#values.puzzle;
  }

  /** The wrong move that was tried last in the puzzle. */
  get wrong() {
    return this.#values.wrongAt(keyOf(this.position));
  }

  /** Are the answers shown? */
  get analysis() {
    return this.#values.analysis;
  }

  /** What is told about the shown position. */
  get shows() {
    return this.#values.at(keyOf(this.position));
  }

  /** The best move, if the user has asked for it; else null. */
  get hint() {
    return (this.shows === 'hint' && this.mode === 'play' && this.result?.moves?.[0]) || null;
  }

  /** Are there values to show? */
  get hasValues() {
    return this.result !== undefined;
  }

  /** The state of the question about the shown position. */
  get asking() {
    return this.#ask.state;
  }

  /** Does the shown position have no answer yet? */
  get stale() {
    return !this.over && !this.result && !this.problem;
  }

  /** Should the answer come at once? Until then, the text about the previous position stays, dimmed. */
  get awaited() {
    return this.stale && this.asking === 'asked';
  }

  /** The move before the shown position. */
  get last() {
    return this.record.moves[this.record.at - 1];
  }

  /** The position before the last move, or the shown position if there is no move. */
  get before() {
    return shownPosition(recordAt(this.record, this.record.at - 1));
  }

  get ending() {
    return ending(this.record, this.#ask.result);
  }

  get over() {
    return this.ending !== null;
  }

  /** The result of the shown position, if it's known and the game isn't over. */
  get result() {
    return this.over ? undefined : this.#ask.result(this.position);
  }

  /** Why the service refused the shown position. */
  get problem() {
    return this.over ? undefined : this.#ask.get(this.position)?.problem;
  }

  /** The moves of the record and, if its end is shown, the best line from there. */
  get track() {
    const { moves, at } = this.record, line = at < moves.length ? NONE : this.result?.line ?? NONE;
    if (this.#track.moves !== moves || this.#track.line !== line) {
      this.#track = { moves, line, all: line.length > 0 ? [...moves, ...line] : moves };
    }
    return this.#track.all;
  }

  /** The moves in the list: `track`, but without the best line while the values are hidden or a puzzle isn't solved. */
  get visible() {
    return this.shows === 'values' && this.#values.unsolved === undefined ? this.track : this.record.moves;
  }

  /** Can the user move? While the game is paused or an earlier position is shown, yes, for both sides. */
  get canMove() {
    return this.#ownTurn || this.paused || this.record.at < this.record.moves.length;
  }

  /** Is the computer waiting for `resume` to move? */
  get canResume() {
    const { moves, at } = this.record;
    return this.paused && !this.#ownTurn && at === moves.length && Boolean(this.result);
  }

  /** Is it the turn of a side that the user plays? */
  get #ownTurn() {
    return this.side === 'both' || this.side === this.position.turn;
  }

  /** The computer's next move; undefined if it isn't about to move. */
  get reply() {
    if (this.canMove || this.mode === 'edit') return undefined;
    return this.result?.moves?.[0];
  }

  /** The judgement of the last move or, if that was the computer's reply, of the user's move before it. */
  get lastVerdict() {
    const { side, record: { at }, before: { turn } } = this;
    return this.judgementAt((side === 'Red' || side === 'Black') && turn !== side ? at - 2 : at - 1);
  }

  /**
   * The judgement of a move; null if there is no such move, if it isn't known, or if the answers are hidden.
   * @param {number} index of a move of the record
   * @returns {MoveVerdict | null}
   */
  judgementAt(index) {
    const move = this.record.moves[index];
    if (!move || !this.analysis) return null;
    const position = positions(this.record)[index], before = this.#ask.result(position), after = valued(before, move);
    return before && after ? { judgement: judged(before, move, position.turn), position, before, after } : null;
  }

  /** Has the shown position occurred before? */
  get circling() {
    return seenBefore(this.record) >= 0;
  }

  /**
   * The moves from a square in this position.
   * @param {Cell} cell
   */
  movesFrom(cell) {
    return this.result?.moves?.filter(({ from }) => sameCell(from, cell)) ?? [];
  }

  /**
   * The moves to a square in this position.
   * @param {Cell} cell
   */
  movesTo(cell) {
    return this.result?.moves?.filter(({ to }) => sameCell(to, cell)) ?? [];
  }

  /** Ask about the shown position, and call the listener. @param {News} [news] */
  #changed(news = 'act') {
    void this.#askAbout();
    this.listener(news);
  }

  /** Ask about the shown position, and the one before, which tells whether the last move ended the game. */
  async #askAbout() {
    clearTimeout(this.#timer);
    if (!await this.#ask.want([this.before, this.position], () => this.#changed())) return;
    const unplayable = this.mode === 'play' && this.problem?.status === 422;
    if (unplayable) this.mode = 'edit';
    this.listener(unplayable ? 'unplayable' : 'answer');
    this.#schedule();
  }

  /** Check the record, which may come from a link. Cut it before the first illegal move. */
  async #check() {
    const { record } = this, all = positions(record);
    if (record.moves.length === 0 || !await this.#ask.check(all, () => this.#check())) return;
    if (!all.every((position) => this.#ask.get(position))) return;
    const good = playable(record, this.#ask.result);
    if (good === record.moves.length) this.history.recall(all.slice(0, -1).flatMap(({ turn }, at) => (this.side === 'both' || this.side === turn ? played(recordAt(record, at), [], at) : [])));
    if (this.record.moves !== record.moves || good === record.moves.length) return this.listener('checked');
    this.history.now = played(recordAt(record, good), [], Math.min(good, record.at));
    this.#changed('broken');
  }

  /** Let the computer move after a pause, if it is its turn. */
  #schedule() {
    clearTimeout(this.#timer);
    if (this.reply) this.#timer = setTimeout(() => this.#answer(), this.#pace);
  }

  /** Play the computer's move. Undo takes it back together with the user's move before it. */
  #answer() {
    if (!this.reply) return;
    if (this.side === 'none' && this.circling) {
      this.paused = true;
      return this.#changed();
    }
    this.history.now = played(this.record, [{ from: this.reply.from, to: this.reply.to }]);
    this.#changed('program');
  }

  /** @param {number} milliseconds before the computer moves */
  setPace(milliseconds) {
    this.#pace = milliseconds;
    this.#schedule();
  }

  /**
   * Play a move of the user, unless it's wrong in a puzzle.
   * @param {Move} move
   */
  play({ from, to }) {
    const move = { from, to }, solves = valued(this.result, move)?.verdict === this.position.turn;
    if (this.#values.attempt(keyOf(this.position), move, solves)) {
      this.history.change(played(this.record, [move]));
      this.paused = false;
    }
    this.#changed();
  }

  /**
   * Show the position after this many of the visible moves.
   * @param {number} step clamped to the list
   */
  goTo(step) {
    const { record, visible } = this, at = Math.max(0, Math.min(visible.length, step));
    if (at === record.at) return;
    // Stepping along the best line makes it part of the record.
    this.history.now = at <= record.moves.length ? recordAt(record, at) : played(record, visible.slice(record.at), at);
    this.paused = true;
    this.#changed();
  }

  /** Remove the moves after the shown position, and list the best line from there. */
  cutMoves() {
    this.history.change(played(this.record, [], this.record.at));
    this.paused = true;
    this.#changed();
  }

  /** Let the computer continue. */
  resume() {
    this.paused = false;
    this.#changed();
  }

  /**
   * Set the sides that the user plays. If there are none, the computer plays on from the shown position, and one undo reverts its moves.
   * @param {import('./link.js').SideChoice} side
   */
  setSide(side) {
    if (side !== 'both') this.#values.help(); // the computer may play the solution
    if (side === 'none') this.history.change(played(this.record, [], this.record.at));
    this.side = side;
    this.#sides.set(this.record.board, side);
    this.resume();
  }

  /** @param {import('./link.js').Mode} mode */
  setMode(mode) {
    this.mode = mode;
    this.#changed();
  }

  /** @param {string} tool the character to draw */
  setTool(tool) {
    this.tool = tool;
    this.listener('act');
  }

  /** @param {boolean} analysis are the answers shown? */
  setAnalysis(analysis) {
    this.#values.setAnalysis(analysis);
    this.listener('act');
  }

  showHint() {
    this.#values.hint(keyOf(this.position));
    this.listener('act');
  }

  restart() {
    this.history.change(begun(this.record.board, this.record.turn));
    this.resume();
  }

  /** @override @param {() => boolean} way */
  returnBy(way) {
    const found = way();
    this.side = this.#sides.get(this.record.board) ?? this.side;
    this.paused = true;
    this.#changed();
    return found;
  }

  /**
   * Start a game with this board.
   * @param {Board} board
   * @param {Side} [turn]
   */
  begin(board, turn = this.position.turn) {
    if (keyOf({ board, turn }) !== keyOf(this.position)) this.history.change(begun(board, turn), 'game');
    this.resume();
  }

  /**
   * Show a board from a file in place of this one. Undo returns to this one.
   * @param {Shown} shown
   */
  put({ record, side, mode, analysis }) {
    this.mode = mode;
    this.#sides.set(this.record.board, this.side);
    this.side = side;
    this.#sides.set(record.board, side);
    this.history.change(record, 'game');
    if (analysis) this.#values.setAnalysis(true);
    this.resume();
  }

  /**
   * Start a game with a new board. If the user plays one side, it becomes the side to move.
   * @param {Position} position
   */
  beginDrawn({ board, turn }) {
    this.mode = 'play';
    this.#sides.set(this.record.board, this.side);
    if (this.side === 'Red' || this.side === 'Black') this.side = turn;
    this.#sides.set(board, this.side);
    this.begin(board, turn);
  }

  /**
   * Search for a board of a kind, with the size of the current board.
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

  close() {
    this.listener = () => {};
    clearTimeout(this.#timer);
    this.#ask.close();
  }

  /** Continue after `close`. */
  reopen() {
    void this.#askAbout();
    void this.#check();
  }

  /**
   * Draw on one square. There is only one pawn, so drawing it moves it.
   * @param {Cell} cell
   * @param {string} what
   */
  paint(cell, what) {
    const { board } = this.position;
    this.#beginStroke(what, what === PAWN ? board.map((row) => row.replaceAll(PAWN, FREE)) : isPiece(what) ? board : null);
    this.continueStroke(cell);
  }

  /**
   * Begin a stroke or a click on a square. A stroke that begins on a piece moves the piece, so only a click can draw over a piece, and does
   * so when it ends.
   * @param {Cell} cell
   */
  beginStroke(cell) {
    const { board } = this.position, what = this.tool, there = on(board, cell);
    if (!isPiece(there)) return this.paint(cell, what);
    this.#beginStroke(there, withCell(board, cell, FREE));
    this.#clicked = { cell, what };
  }

  /**
   * Continue the stroke on a square. A stroke with a piece leaves only one piece, on its last square. A stroke with obstacles skips pieces,
   * except on its first square.
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
    else this.history.change(begun(painted, turn), 'edit');
    this.#stroke.changed = true;
    this.#changed();
  }

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
