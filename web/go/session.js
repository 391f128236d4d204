// The state of the game, what follows from it, and what the reader does: a game or an opened record, the step that is shown, moves that
// wait for their answer. It asks the service which moves are allowed, and what they capture. It has no part of the document.

import { Undo } from '../page/undo.js';
import { Ask, chainsWithoutLiberty } from './ask.js';
import { DEFAULT_RULES, other, sameMove } from './game.js';
import { Line } from './line.js';
import { questionOfSession, stateOf } from './link.js';
import { handicapBoard, withStone } from './points.js';

/** @typedef {import('./game.js').Color} Color */
/** @typedef {import('./game.js').Game} Game */
/** @typedef {import('./game.js').Move} Move */
/** @typedef {import('./game.js').Rules} Rules */
/** @typedef {import('./points.js').Point} Point */
/** @typedef {import('../arbiter.js').GoMiss} GoMiss */
/** @typedef {import('../arbiter.js').GoResult} GoResult */
/** @typedef {import('../arbiter.js').Problem} Problem */
/** @typedef {import('./ask.js').Opened} Opened */

/**
 * What has happened: `act`, the reader did something; `step`, another step is shown; `played` or `refused`, a move; `allowed` or
 * `refused-again`, a move that other rules had refused; `left`, a record was played on; `guessed`, the colour of a move before is not known;
 * `opened` or `unread`, a record; `cleared`, the board; `problem`, the game was refused; `answer`, what is shown is known; `late`, it is not
 * known yet.
 * @typedef {'act' | 'step' | 'played' | 'refused' | 'allowed' | 'refused-again' | 'left' | 'guessed' | 'opened' | 'unread' | 'cleared'
 *   | 'problem' | 'answer' | 'late'} News
 */

/**
 * The colour that was chosen for a step.
 * @typedef {{ color: Color, step: number } | null} Turn
 */

/** @typedef {{ game: Game, step: number, turn: Turn, record: Opened | null, line: Line | null }} Snapshot */

/**
 * Moves that the service has not answered yet. `again`: the move was refused by other rules before.
 * @typedef {{ base: Game, moves: Move[], again: boolean }} Pending
 */

/** How many changes can be undone. */
const MOST_UNDONE = 400;

export class Session {
  #ask;
  #history;
  /** @type {Line | null} */
  #line = null;
  /** @type {Game | null} the game that the line is about */
  #lineGame = null;
  /** @type {readonly string[]} */
  #shown;
  /** The stroke that is being painted: what it sets, and whether it has changed anything. */
  #stroke = { stone: /** @type {Color | '.'} */ ('.'), changed: false };

  /** Called with what has happened. @type {(news: News) => void} */
  listener = () => {};
  mode;
  /** What is painted with; null erases. @type {Color | null} */
  tool = 'B';
  /** Does each colour play in turn? */
  alternate;
  /** The colour that was chosen to play at a step. @type {Turn} */
  turn;
  /** @type {Pending | null} */
  pending = null;
  /** @type {GoMiss | null} the move that was refused just now */
  refusal = null;
  /** @type {number | null} the step of the earlier position that is shown for a moment */
  preview = null;
  /** @type {Problem | null} */
  problem = null;
  /** @type {Opened | null} */
  record = null;
  /** @type {Opened | null} the record that is being opened */
  opening = null;
  /** The step that is to be shown of the record that was opened last; Infinity: its last. */
  targetStep = Infinity;
  /** @type {{ opened: Opened, problem: Problem } | null} the record that could not be opened */
  unread = null;

  /**
   * @param {Pick<import('../page/main.js').Page, 'service'>} page
   * @param {import('./link.js').Shown} shown
   */
  constructor({ service }, { game, step, mode, alternate, turn, record }) {
    this.#ask = new Ask(service, () => this.listener('late'));
    this.mode = mode;
    this.alternate = alternate;
    this.game = game;
    this.step = record ? 0 : step;
    this.turn = turn && { color: turn, step };
    this.#shown = game.setup;
    this.#history = new Undo(this.#snapshot(), MOST_UNDONE);
    if (record) void this.open(record, step);
    else void this.#start();
  }

  /** What a link holds. */
  state() {
    return stateOf(this);
  }

  /** What is shown, as a question to the service. */
  question() {
    return questionOfSession(this);
  }

  get canUndo() {
    return this.#history.canUndo || this.pending !== null;
  }

  get canRedo() {
    return this.#history.canRedo;
  }

  get canRestart() {
    return this.length > 0;
  }

  /** Have both players passed? */
  get over() {
    const { line, step } = this;
    return line !== null && step >= 2 && [line.entry(step - 1), line.entry(step)].every(({ at, changed }) => at === null && !changed);
  }

  /** The size of the board. */
  get size() {
    return this.game.setup.length;
  }

  /** What the service has said of this game; null while it has not. */
  get line() {
    return this.#lineGame === this.game ? this.#line : null;
  }

  /** What it said last, perhaps of the game before: to be shown as stale. */
  get lastLine() {
    return this.#line;
  }

  /** How many moves the list has. */
  get length() {
    return this.line?.length ?? this.game.moves.length;
  }

  /** The board at the step, as far as it is known. */
  get board() {
    const board = this.step === 0 ? this.game.setup : this.line?.board(this.step);
    if (board) this.#shown = board;
    return this.#shown.length === this.size ? this.#shown : this.game.setup;
  }

  /** Is there no answer to what is shown yet, or to a move or a record that the reader has asked for? */
  get stale() {
    return this.pending !== null || this.opening !== null || this.line === null;
  }

  /** How it stands with the answer. */
  get asking() {
    return this.#ask.state;
  }

  /** The area of the board that is shown; null while it is not known. */
  get score() {
    return this.line && this.#ask.area(this.board);
  }

  /** The refusal that is to be shown: that of the move played just now, or of the move of the list at this step. */
  get refused() {
    return this.refusal ?? (this.step > 0 && this.line?.boards ? this.line.entry(this.step).miss : null);
  }

  /** The colour of the next stone. */
  get next() {
    return nextColor(this);
  }

  /** The stones of the set-up that break a rule. */
  get faults() {
    return chainsWithoutLiberty(this.problem);
  }

  /** Tell the page what has happened, and ask for the area of what is shown if it stays. @param {News} [news] */
  #tell(news = 'act') {
    this.listener(news);
    if (!this.stale) this.#ask.wantArea(this.board, () => this.listener('answer'));
  }

  /** Ask what the service says of the game, for the first time or anew. */
  async #start() {
    const { game } = this;
    const answer = await this.#ask.game(game, () => {
      void this.#start();
      this.#tell();
    });
    if (!answer || this.game !== game) return;
    if (answer.problem) return this.#fail(answer.problem);
    if (answer.result) this.#adopt(game, new Line(answer.result, game.moves), Math.min(this.step, game.moves.length));
    this.#tell('answer');
  }

  /**
   * Play a stone at a point, or pass, at the step that is shown. The board changes when the service has said that it
   * may.
   * @param {Point | null} point null: a pass
   * @param {Color} [color]
   * @param {{ again?: boolean }} [how] `again`: other rules refused it
   */
  play(point, color = this.next, { again = false } = {}) {
    this.#clearFeedback();
    /** @type {Move} */
    const move = point ? [color, ...point] : [color, 'pass'];
    const step = this.step + 1;
    if (!this.pending && this.line && sameMove(this.game.moves[this.step], move)
      && !this.line.entry(step).miss) return this.goTo(step);
    this.problem = null;
    this.opening = null; // to play on ends the wait for a record
    this.pending = { base: this.pending?.base ?? this.base(), moves: [...(this.pending?.moves ?? []), move], again };
    void this.#try(this.pending);
    this.#tell();
  }

  /**
   * The game as far as it is shown. Where the moves of a record are no list, it begins at what is shown.
   * @returns {Game}
   */
  base() {
    if (this.record && !this.line?.moves) return { ...this.game, setup: this.board, moves: [] };
    return { ...this.game, moves: this.game.moves.slice(0, this.step) };
  }

  /**
   * @param {Pending} pending
   */
  async #try(pending) {
    const { base, moves } = pending;
    const tried = { ...base, moves: [...base.moves, ...moves] };
    const answer = await this.#ask.game(tried, () => {
      this.pending = pending;
      void this.#try(pending);
      this.#tell();
    });
    if (!answer || this.pending !== pending) return;
    this.pending = null;
    if (answer.failure) return this.#tell();
    if (answer.problem) {
      if (!this.line) void this.#start();
      return this.#fail(answer.problem);
    }
    const line = new Line(answer.result, tried.moves);
    const refused = line.misses.find(({ move }) => move > base.moves.length);
    const remarks = this.#accept(tried, line, refused ? refused.move - 1 : tried.moves.length, base.moves.length);
    this.refusal = refused ?? null;
    if (!this.line) void this.#start();
    /** @type {News} */
    const outcome = pending.again ? (refused ? 'refused-again' : 'allowed') : refused ? 'refused' : 'played';
    for (const news of [...remarks, outcome]) this.#tell(news);
  }

  /**
   * Take those of the tried moves that stand before the first refused one.
   * @param {Game} tried
   * @param {Line} line
   * @param {number} step
   * @param {number} from how many moves there were before
   * @returns {News[]} what the reader should know of it
   */
  #accept(tried, line, step, from) {
    if (step === from) return [];
    this.#keep();
    const guessed = from > 0 && this.line?.tells(from) === false, left = this.record !== null;
    this.record = null;
    const moves = tried.moves.slice(0, step);
    const game = { ...tried, moves };
    if (step === line.length) this.#adopt(game, line, step);
    else if (line.boards) this.#adopt(game, line.cut(step, moves), step);
    else Object.assign(this, { game, step });
    return [...(left ? /** @type {const} */ (['left']) : []), ...(guessed ? /** @type {const} */ (['guessed']) : [])];
  }

  /**
   * Show another step.
   * @param {number} step whatever is beyond the ends is the end
   */
  goTo(step) {
    const bounded = Math.max(0, Math.min(this.length, step));
    if (this.line && !this.line.board(bounded)) return; // a game so long that only its end is known
    const moved = bounded !== this.step;
    this.#clearFeedback();
    this.step = bounded;
    this.#tell(moved ? 'step' : 'act');
  }

  /**
   * Show the next refused move of the list, or the one before; there may be none.
   * @param {1 | -1} way
   */
  toMiss(way) {
    const steps = (this.line?.misses ?? []).map(({ move }) => move);
    const step = way > 0 ? steps.find((move) => move > this.step) : steps.filter((move) => move < this.step).at(-1);
    if (step !== undefined) this.goTo(step);
  }

  /** Show no longer what was refused, and the earlier position. */
  #clearFeedback() {
    this.refusal = null;
    this.preview = null;
  }

  /**
   * Show an earlier position for a moment; null: no longer.
   * @param {number | null} step
   */
  peek(step) {
    this.preview = step;
    this.#tell();
  }

  /** @param {'play' | 'edit'} mode */
  setMode(mode) {
    this.mode = mode;
    this.#clearFeedback();
    this.#tell();
  }

  /** @param {Color | null} tool what to paint with; null erases */
  setTool(tool) {
    this.tool = tool;
    this.#tell();
  }

  /** @param {Color} color of the next stone */
  setNext(color) {
    this.turn = { color, step: this.step };
    this.#tell();
  }

  /** @param {boolean} alternate */
  setAlternate(alternate) {
    this.turn = { color: this.next, step: this.step };
    this.alternate = alternate;
    this.#tell();
  }

  /**
   * Judge the game by other rules, and the move that was refused just now, unless a stone stands there.
   * @param {Rules} rules
   */
  judge(rules) {
    if (this.record) return this.open({ ...this.record, chosen: rules }, this.step);
    const { refusal } = this;
    this.#keep();
    this.#replace({ ...this.game, rules }, this.step);
    if (refusal && refusal.code !== 1) this.play(refusal.at, refusal.color, { again: true });
    else this.#tell();
  }

  /** Let the record's own rules hold again. */
  judgeAsRecorded() {
    if (this.record) return this.open({ ...this.record, chosen: {} }, this.step);
  }

  /** Begin the game once more, without its moves. */
  restart() {
    const { alternate, line, game } = this, color = nextColor({ turn: null, alternate, step: 0, pending: null, line, game });
    this.#keep();
    this.#replace({ ...game, moves: [] }, 0);
    this.turn = { color, step: 0 };
    this.#tell('cleared');
  }

  /**
   * An empty board, or one with handicap stones, after which White begins.
   * @param {number} size
   * @param {number} handicap
   */
  begin(size, handicap) {
    this.#keep();
    this.#replace({ setup: handicapBoard(size, handicap), moves: [], rules: this.game.rules }, 0);
    this.turn = { color: handicap ? 'W' : 'B', step: 0 };
    this.#tell('cleared');
  }

  /**
   * A stroke begins at a point. It sets this stone everywhere, or takes stones away if the same stone is there. All of it is undone as one.
   * @param {Point} point
   * @param {Color | '.'} stone
   */
  beginStroke([row, col], stone) {
    this.#stroke = { stone: this.board[row][col] === stone ? '.' : stone, changed: false };
  }

  /**
   * The stroke comes to a point: what is shown becomes the start, and the moves after it are played from there.
   * @param {Point} point
   */
  paint(point) {
    const { board } = this, { stone } = this.#stroke;
    if (board[point[0]][point[1]] === stone || (this.step > 0 && !this.line)) return;
    const turn = { color: this.next, step: 0 };
    const moves = this.record && !this.line?.moves ? [] : this.game.moves.slice(this.step);
    const game = { ...this.game, setup: withStone(board, point, stone), moves };
    if (!this.#stroke.changed) this.#keep();
    this.#replace(game, 0);
    this.#stroke.changed = true;
    this.turn = turn;
    this.#tell();
  }

  /**
   * Open a record; what is on the table stays there until the service has read it.
   * @param {Opened} opened
   * @param {number} [step] that is to be shown; the last if absent
   */
  async open(opened, step = Infinity) {
    this.#clearFeedback();
    this.problem = null;
    this.pending = null;
    this.unread = null;
    this.opening = opened;
    this.targetStep = step;
    this.#tell();
    await this.#read(opened);
  }

  /** @param {Opened} opened that is being opened */
  async #read(opened) {
    const answer = await this.#ask.record(opened, () => this.open(opened, this.targetStep));
    if (!answer || this.opening !== opened) return;
    this.opening = null;
    if (answer.failure) return this.#tell();
    if (answer.problem) {
      this.unread = { opened, problem: answer.problem };
      if (!this.line) void this.#start();
      return this.#tell('unread');
    }
    this.#keep();
    this.#showRecord(opened, answer.result, this.targetStep);
    this.#tell('opened');
  }

  /**
   * @param {Opened} opened
   * @param {GoResult} result
   * @param {number} step
   */
  #showRecord(opened, result, step) {
    const line = new Line(result, null);
    const { games = 1, variations = 0 } = result.record ?? {};
    this.record = { ...opened, games, variations };
    this.turn = null;
    const { ko, suicide } = result.rules ?? DEFAULT_RULES;
    const game = { setup: line.board(0) ?? result.board, moves: line.moves ?? [], rules: { ko, suicide } };
    this.#adopt(game, line, line.boards ? Math.min(step, line.length) : line.length);
  }

  undo() {
    this.#travel(() => this.#history.undo());
  }

  redo() {
    this.#travel(() => this.#history.redo());
  }

  /** End what is going on. */
  close() {
    this.#ask.close();
  }

  /**
   * To another state, but if moves wait for an answer: then these are not played.
   * @param {() => boolean} way
   */
  #travel(way) {
    if (this.pending) {
      this.pending = null;
      if (!this.line) void this.#start();
      return this.#tell();
    }
    this.#history.now = this.#snapshot();
    if (!way()) return;
    this.#stroke.changed = false;
    const { game, step, turn, record, line } = this.#history.now;
    this.record = record;
    if (line) {
      this.#clearFeedback();
      this.opening = null;
      this.#adopt(game, line, step);
    } else this.#replace(game, step, record);
    this.turn = turn;
    this.#tell('step');
  }

  /** @returns {Snapshot} */
  #snapshot() {
    const { game, step, turn, record } = this;
    return { game, step, turn, record, line: record ? this.line : null };
  }

  #keep() {
    this.#history.now = this.#snapshot();
    this.#history.change(this.#history.now);
  }

  /**
   * Put another game on the table. What the last answer says of it is known already; the rest is asked.
   * @param {Game} game
   * @param {number} step
   * @param {Opened | null} [record]
   */
  #replace(game, step, record = null) {
    this.#clearFeedback();
    this.problem = null;
    this.pending = null;
    this.opening = null;
    this.record = record;
    const known = this.#knownPart(game);
    if (known) return this.#adopt(game, known, step);
    Object.assign(this, { game, step });
    void this.#start();
  }

  /**
   * The line of a game that is the beginning of the last answered one.
   * @param {Game} game
   */
  #knownPart({ setup, rules, moves }) {
    const line = this.#line, of = this.#lineGame;
    if (!line?.boards || of?.setup !== setup || of.rules !== rules || moves.length > of.moves.length) return null;
    if (line.moves === null || !moves.every((move, at) => move === of.moves[at])) return null;
    return moves.length === of.moves.length ? line : line.cut(moves.length, moves);
  }

  /**
   * @param {Game} game
   * @param {Line} line
   * @param {number} step
   */
  #adopt(game, line, step) {
    this.#ask.stop();
    this.problem = null;
    Object.assign(this, { game, step });
    this.#line = line;
    this.#lineGame = game;
    const board = line.board(line.length);
    if (line.score && board) this.#ask.learnArea(board, line.score);
  }

  /** @param {Problem} problem */
  #fail(problem) {
    this.problem = problem;
    this.#tell('problem');
  }
}

/**
 * The colour of the next stone: of the player who did not play last, unless the reader has chosen otherwise. A refused move was not played: it is still the turn of its colour.
 * @param {Pick<Session, 'turn' | 'alternate' | 'step' | 'pending' | 'line' | 'game'>} session
 * @returns {Color}
 */
function nextColor({ turn, alternate, step: shown, pending, line, game }) {
  if (turn && (!alternate || (turn.step === shown && !pending))) return turn.color;
  const waiting = pending?.moves.at(-1);
  if (waiting) return alternate ? other(waiting[0]) : waiting[0];
  for (let step = shown; step > 0; step -= 1) {
    const entry = line?.entry(step), color = game.moves[step - 1]?.[0] ?? entry?.color;
    if (color && !entry?.miss) return other(color);
  }
  // No stone has been played yet: it is the turn of whoever plays the first.
  const length = line?.boards ? line.length : game.moves.length;
  for (let step = shown + 1; step <= length; step += 1) {
    const color = game.moves[step - 1]?.[0] ?? line?.entry(step).color;
    if (color) return color;
  }
  return game.moves[0]?.[0] ?? 'B';
}
