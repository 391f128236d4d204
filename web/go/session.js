// The state of the playground and the actions of the user: a game or an opened record, the current step, moves without an answer yet.
// Asks the service which moves are legal and what they capture. Doesn't touch the DOM.

import { Undo } from '../page/undo.js';
import { Ask, chainsWithoutLiberty, recordOf } from './ask.js';
import { DEFAULT_RULES, other, sameItems } from './game.js';
import { Line } from './line.js';
import { questionOfSession, stateOf } from './link.js';
import { handicapBoard, withStone } from './points.js';
import { lineThrough } from './variation.js';

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
 * The last event:
 * - `act`: the user did something
 * - `step`: another step is shown
 * - `played`, `refused`: the service has allowed or refused a move
 * - `allowed`, `refused-again`: the same, for a move that was refused under other rules
 * - `left`: a move was played in a record, which closes the record
 * - `cut`: a move was played before the end of the game, and the later moves are gone
 * - `guessed`: a move was played, and the colour of an earlier move is a guess
 * - `opened`, `unread`: a record was opened, or the service refused it
 * - `cleared`: a new board, or the game without its moves
 * - `problem`: the service refused the game
 * - `answer`: the answer has come
 * - `late`: the answer is late
 * @typedef {'act' | 'step' | 'played' | 'refused' | 'allowed' | 'refused-again' | 'left' | 'cut' | 'guessed' | 'opened' | 'unread' | 'cleared'
 *   | 'problem' | 'answer' | 'late'} News
 */

/**
 * The colour that was chosen for a step.
 * @typedef {{ color: Color, step: number } | null} Turn
 */

/** @typedef {{ game: Game, step: number, turn: Turn, record: Opened | null, line: Line | null }} Snapshot */

/**
 * Moves that the service hasn't answered yet. `again`: the move was refused before, under other rules.
 * @typedef {{ base: Game, moves: Move[], again: boolean }} Pending
 */

/** The number of changes that can be undone. */
const MOST_UNDONE = 400;

export class Session {
  #ask;
  #history;
  /** @type {Line | null} */
  #line = null;
  /** @type {Game | null} the game of `#line` */
  #lineGame = null;
  /** @type {readonly string[]} */
  #shown;
  /** The current stroke of the brush: what it sets, and whether it has changed anything. */
  #stroke = { stone: /** @type {Color | '.'} */ ('.'), changed: false };

  /** Called after each change. @type {(news: News) => void} */
  listener = () => {};
  mode;
  /** The brush; null erases. @type {Color | null} */
  tool = 'B';
  /** Do the colours alternate? */
  alternate;
  /** @type {Turn} */
  turn;
  /** @type {Pending | null} */
  pending = null;
  /** @type {GoMiss | null} the refusal of the move that was just played */
  refusal = null;
  /** @type {number | null} the step of the earlier position that is shown instead of the current one */
  preview = null;
  /** @type {Problem | null} */
  problem = null;
  /** @type {Opened | null} */
  record = null;
  /** @type {Opened | null} the record that is being opened */
  opening = null;
  /** The step to show when the record is opened; Infinity for the last. */
  targetStep = Infinity;
  /** @type {{ opened: Opened, problem: Problem } | null} the record that the service refused */
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

  /** The state for a link. */
  state() {
    return stateOf(this);
  }

  /** The question to the service about what is shown. */
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

  /** Were the last two moves passes? */
  get over() {
    const { line, step } = this;
    return line !== null && step >= 2 && [line.entry(step - 1), line.entry(step)].every(({ at, changed }) => at === null && !changed);
  }

  get size() {
    return this.game.setup.length;
  }

  /** The answer about this game; null until it comes. */
  get line() {
    return this.#lineGame === this.game ? this.#line : null;
  }

  /** The last answer, perhaps about the previous game; then it's shown as stale. */
  get lastLine() {
    return this.#line;
  }

  /** Number of moves, refused ones included. */
  get length() {
    return this.line?.length ?? this.game.moves.length;
  }

  /** The board at the current step, or the last known board of this size. */
  get board() {
    const board = this.step === 0 ? this.game.setup : this.line?.board(this.step);
    if (board) this.#shown = board;
    return this.#shown.length === this.size ? this.#shown : this.game.setup;
  }

  /** Is there still no answer about what's shown, or about a move or a record? */
  get stale() {
    return this.pending !== null || this.opening !== null || this.line === null;
  }

  /** The state of the question to the service. */
  get asking() {
    return this.#ask.state;
  }

  /** The area of the board; null until it is known. */
  get score() {
    return this.line && this.#ask.area(this.board);
  }

  /** The refusal to show: of the move that was just played, or of the move at this step. */
  get refused() {
    return this.refusal ?? (this.step > 0 && this.line?.boards ? this.line.entry(this.step).miss : null);
  }

  /** The colour of the next stone. */
  get next() {
    return nextColor(this);
  }

  /** The stones of the setup that break a rule. */
  get faults() {
    return chainsWithoutLiberty(this.problem);
  }

  /** Call the listener, and ask for the area of the board. @param {News} [news] */
  #notify(news = 'act') {
    this.listener(news);
    if (!this.stale) this.#ask.wantArea(this.board, () => this.listener('answer'));
  }

  /** Ask the service about the game. */
  async #start() {
    const { game } = this;
    const answer = await this.#ask.game(game, () => {
      void this.#start();
      this.#notify();
    });
    if (!answer || this.game !== game) return;
    if (answer.problem) return this.#fail(answer.problem);
    if (answer.result) this.#adopt(game, new Line(answer.result, game.moves), Math.min(this.step, game.moves.length));
    this.#notify('answer');
  }

  /**
   * Play a stone or pass, at the current step. The board changes when the service allows the move.
   * @param {Point | null} point null for a pass
   * @param {Color} [color]
   * @param {{ again?: boolean }} [how] `again`: the move was refused before, under other rules
   */
  play(point, color = this.next, { again = false } = {}) {
    this.#clearFeedback();
    /** @type {Move} */
    const move = point ? [color, ...point] : [color, 'pass'];
    const step = this.step + 1;
    if (!this.pending && this.line && sameItems(this.game.moves[this.step], move)
      && !this.line.entry(step).miss) return this.goTo(step);
    this.problem = null;
    this.opening = null; // a move cancels the opening of a record
    this.pending = { base: this.pending?.base ?? this.base(), moves: [...(this.pending?.moves ?? []), move], again };
    void this.#try(this.pending);
    this.#notify();
  }

  /**
   * The game up to the current step. If a record has no list of moves, the game begins with the current board.
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
      this.#notify();
    });
    if (!answer || this.pending !== pending) return;
    this.pending = null;
    if (answer.failure) return this.#notify();
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
    for (const news of [...remarks, outcome]) this.#notify(news);
  }

  /**
   * Keep the new moves up to the first refused one.
   * @param {Game} tried the game with the new moves
   * @param {Line} line
   * @param {number} step number of moves to keep
   * @param {number} from number of moves before the new ones
   * @returns {News[]} news for the user, if any
   */
  #accept(tried, line, step, from) {
    if (step === from) return [];
    this.#saveForUndo();
    /** @type {News[]} */
    const remarks = [];
    if (this.record) remarks.push('left');
    else if (from < this.length) remarks.push('cut');
    if (from > 0 && this.line?.knowsColours(from) === false) remarks.push('guessed');
    this.record = null;
    const moves = tried.moves.slice(0, step);
    const game = { ...tried, moves };
    if (step === line.length) this.#adopt(game, line, step);
    else if (line.boards) this.#adopt(game, line.cut(step, moves), step);
    else Object.assign(this, { game, step });
    return remarks;
  }

  /** The refused moves in the variations of the record, or of the record that the current one is a line of. */
  get missesInVariations() {
    return this.record?.whole?.misses ?? (this.record && this.lastLine?.missesInVariations) ?? [];
  }

  /**
   * Show the line of a refused move in a variation. Undo brings back the record.
   * @param {import('../arbiter.js').GoPlacedMiss} miss
   */
  async showVariation(miss) {
    const { record } = this;
    if (!record) return;
    const whole = record.whole ?? { body: record.body, misses: this.missesInVariations };
    const text = await lineThrough(whole.body, miss);
    if (text && this.record === record) await this.open({ ...recordOf(text, text, record.name), chosen: record.chosen, whole }, miss.move);
  }

  /**
   * Show another step.
   * @param {number} step clamped to the existing steps
   */
  goTo(step) {
    const bounded = Math.max(0, Math.min(this.length, step));
    if (this.line && !this.line.board(bounded)) return; // of a very long game, only the last board is known
    const moved = bounded !== this.step;
    this.#clearFeedback();
    this.step = bounded;
    this.#notify(moved ? 'step' : 'act');
  }

  /**
   * Go to the next or the previous refused move. Returns false if there is none.
   * @param {1 | -1} way
   */
  toMiss(way) {
    const steps = (this.line?.misses ?? []).map(({ move }) => move);
    const step = way > 0 ? steps.find((move) => move > this.step) : steps.filter((move) => move < this.step).at(-1);
    if (step !== undefined) this.goTo(step);
    return step !== undefined;
  }

  /** Hide the refusal and the earlier position. */
  #clearFeedback() {
    this.refusal = null;
    this.preview = null;
  }

  /**
   * Show an earlier position instead of the current one; null: show the current one again.
   * @param {number | null} step
   */
  peek(step) {
    this.preview = step;
    this.#notify();
  }

  /** @param {'play' | 'edit'} mode */
  setMode(mode) {
    this.mode = mode;
    this.#clearFeedback();
    this.#notify();
  }

  /** @param {Color | null} tool null erases */
  setTool(tool) {
    this.tool = tool;
    this.#notify();
  }

  /** @param {Color} color of the next stone */
  setNext(color) {
    this.turn = { color, step: this.step };
    this.#notify();
  }

  /** @param {boolean} alternate */
  setAlternate(alternate) {
    this.turn = { color: this.next, step: this.step };
    this.alternate = alternate;
    this.#notify();
  }

  /**
   * Judge the game by other rules. A move that was just refused is tried again, unless its point is occupied.
   * @param {Rules} rules
   */
  judge(rules) {
    if (this.record) return this.open({ ...this.record, chosen: rules }, this.step);
    const { refusal } = this;
    this.#saveForUndo();
    this.#replace({ ...this.game, rules }, this.step);
    if (refusal && refusal.code !== 1) this.play(refusal.at, refusal.color, { again: true });
    else this.#notify();
  }

  /** Judge the record by its own rules again. */
  judgeAsRecorded() {
    if (this.record) return this.open({ ...this.record, chosen: {} }, this.step);
  }

  /** Remove all moves. */
  restart() {
    const { alternate, line, game } = this, color = nextColor({ turn: null, alternate, step: 0, pending: null, line, game });
    this.#saveForUndo();
    this.#replace({ ...game, moves: [] }, 0);
    this.turn = { color, step: 0 };
    this.#notify('cleared');
  }

  /**
   * Start with an empty board, or with handicap stones, in which case White plays first.
   * @param {number} size
   * @param {number} handicap
   */
  begin(size, handicap) {
    this.#saveForUndo();
    this.#replace({ setup: handicapBoard(size, handicap), moves: [], rules: this.game.rules }, 0);
    this.turn = { color: handicap ? 'W' : 'B', step: 0 };
    this.#notify('cleared');
  }

  /**
   * Begin a stroke of the brush. It sets this stone, or erases if the first point has the same stone. One undo reverts the whole stroke.
   * @param {Point} point
   * @param {Color | '.'} stone
   */
  beginStroke([row, col], stone) {
    this.#stroke = { stone: this.board[row][col] === stone ? '.' : stone, changed: false };
  }

  /**
   * Set a point to the stone of the stroke. The current board becomes the start of the game; the later moves stay.
   * @param {Point} point
   */
  paint(point) {
    const { board } = this, { stone } = this.#stroke;
    if (board[point[0]][point[1]] === stone || (this.step > 0 && !this.line)) return;
    const turn = { color: this.next, step: 0 };
    const moves = this.record && !this.line?.moves ? [] : this.game.moves.slice(this.step);
    const game = { ...this.game, setup: withStone(board, point, stone), moves };
    if (!this.#stroke.changed) this.#saveForUndo();
    this.#replace(game, 0);
    this.#stroke.changed = true;
    this.turn = turn;
    this.#notify();
  }

  /**
   * Open a record. The current game stays until the service has answered.
   * @param {Opened} opened
   * @param {number} [step] the step to show; the last if absent
   */
  async open(opened, step = Infinity) {
    this.#clearFeedback();
    this.problem = null;
    this.pending = null;
    this.unread = null;
    this.opening = opened;
    this.targetStep = step;
    this.#notify();
    await this.#read(opened);
  }

  /** @param {Opened} opened */
  async #read(opened) {
    const answer = await this.#ask.record(opened, () => this.open(opened, this.targetStep));
    if (!answer || this.opening !== opened) return;
    this.opening = null;
    if (answer.failure) return this.#notify();
    if (answer.problem) {
      this.unread = { opened, problem: answer.problem };
      if (!this.line) void this.#start();
      return this.#notify('unread');
    }
    this.#saveForUndo();
    this.#showRecord(opened, answer.result, this.targetStep);
    this.#notify('opened');
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
    this.#undoOrRedo(() => this.#history.undo());
  }

  redo() {
    this.#undoOrRedo(() => this.#history.redo());
  }

  close() {
    this.listener = () => {};
    this.#ask.close();
  }

  /** Continue after `close`: ask again about whatever has no answer. */
  reopen() {
    if (this.pending) void this.#try(this.pending);
    else if (this.opening) void this.#read(this.opening);
    else if (!this.line && !this.problem) void this.#start();
    this.#notify();
  }

  /**
   * Undo or redo. If moves are waiting for an answer, only drop these moves.
   * @param {() => boolean} way
   */
  #undoOrRedo(way) {
    if (this.pending) {
      this.pending = null;
      if (!this.line) void this.#start();
      return this.#notify();
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
    this.#notify('step');
  }

  /** @returns {Snapshot} */
  #snapshot() {
    const { game, step, turn, record } = this;
    return { game, step, turn, record, line: record ? this.line : null };
  }

  #saveForUndo() {
    this.#history.now = this.#snapshot();
    this.#history.change(this.#history.now);
  }

  /**
   * Show another game. Use the last answer if it covers this game; otherwise, ask.
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
   * The answer about this game, if it is the beginning of the last game that was answered; else null.
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
    if (line.score && board) this.#ask.storeArea(board, line.score);
  }

  /** @param {Problem} problem */
  #fail(problem) {
    this.problem = problem;
    this.#notify('problem');
  }
}

/**
 * The colour of the next stone: the opponent of the last move, unless the user has chosen a colour. A refused move doesn't count.
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
  // Nothing was played before this step: use the colour of the next move in the list.
  const length = line?.boards ? line.length : game.moves.length;
  for (let step = shown + 1; step <= length; step += 1) {
    const color = game.moves[step - 1]?.[0] ?? line?.entry(step).color;
    if (color) return color;
  }
  return game.moves[0]?.[0] ?? 'B';
}
