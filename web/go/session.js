// The state of the playground and the actions of the user: a game or an opened record, the current step, moves without an answer yet.
// Asks the service which moves are legal and what they capture. Doesn't touch the DOM.

import { Undoable } from '../page/undo.js';
import { Ask, bodyOf, chainsWithoutLiberty, lineQuestion, questionOf } from './ask.js';
import { DEFAULT_RULES, sameItems } from './game.js';
import { Line, nextColor } from './line.js';
import { positionQuestion, questionOfSession, stateOf } from './link.js';
import { handicapBoard, withStone } from './points.js';
import { deadIn, figuresOf, grown, indexOf, lineFrom, lineThrough, movesOf, waysOf, textOf } from './sgf.js';

/** @typedef {import('./game.js').Color} Color */
/** @typedef {import('./game.js').Game} Game */
/** @typedef {import('./game.js').Move} Move */
/** @typedef {import('./game.js').Rules} Rules */
/** @typedef {import('./points.js').Point} Point */
/** @typedef {import('../arbiter.js').GoMiss} GoMiss */
/** @typedef {import('../arbiter.js').GoResult} GoResult */
/** @typedef {import('../arbiter.js').Problem} Problem */
/** @typedef {import('./ask.js').Opened} Opened */
/** @typedef {import('./sgf.js').Node} Node */

/** Marks on the points of the board. @typedef {'legal' | 'territory' | 'alive'} Marks */

/**
 * The last event:
 * - `act`: the user did something
 * - `step`: another step is shown
 * - `played`, `refused`: the service has allowed or refused a move
 * - `allowed`, `refused-again`: the same, for a move that was refused under other rules, and that isn't played unless the user says so
 * - `kept`: a move was played in a record, as a variation
 * - `left`: the board of a record was edited, which begins a new game
 * - `cut`: a move was played before the end of the game, and the later moves are gone
 * - `opened`, `unread`: a record was opened, or the service refused it
 * - `closed`: undo went back to what was shown before a record
 * - `cleared`: a new board, or the game without its moves
 * - `problem`: the service refused the game
 * - `answer`: the answer has come
 * - `late`: the answer is late
 * @typedef {'act' | 'step' | 'played' | 'refused' | 'allowed' | 'refused-again' | 'kept' | 'left' | 'cut' | 'opened' | 'unread' | 'closed'
 *   | 'cleared' | 'problem' | 'answer' | 'late'} News
 */

/**
 * The colour that was chosen for a step.
 * @typedef {{ color: Color, step: number } | null} Turn
 */

/** @typedef {{ game: Game, step: number, turn: Turn, record: Opened | null, line: Line | null }} Snapshot */

/**
 * Moves that the service hasn't answered yet. `again`: the move was refused before, under other rules, and is only tried. `path`: in a
 * record, the nodes before them.
 * @typedef {{ base: Game, moves: Move[], again: boolean, path: readonly Node[] }} Pending
 */

/** The number of changes that can be undone. */
const MOST_UNDONE = 400;

/** @extends {Undoable<Snapshot>} */
export class Session extends Undoable {
  #ask;
  #asked = { about: /** @type {unknown[]} */ ([]), question: '' };
  /** The record of a link, which isn't opened by the user. */
  #first;
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
  /** @type {Move | null} a move that was refused, and is legal under the rules that were chosen since */
  offer = null;
  /** The marks that the user wants to see. @type {Marks | null} */
  marks = null;
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
    super(/** @type {Snapshot} */ ({ game, step, turn: null, record: null, line: null }), MOST_UNDONE);
    this.#ask = new Ask(service, () => this.listener('late'));
    this.mode = mode;
    this.alternate = alternate;
    this.game = game;
    this.step = record ? 0 : step;
    this.turn = turn && { color: turn, step };
    this.#shown = game.setup;
    this.#first = record;
    // Each state has its moves only when it's needed: a game may have many.
    if (!record) this.history.recall(game.moves.map((_, at) => ({ get game() { return { ...game, moves: game.moves.slice(0, at), dead: [] }; }, step: at, turn: null, record: null, line: null })));
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
    return this.history.canUndo || this.pending !== null;
  }

  get canRestart() {
    return this.record ? this.step > 0 : this.length > 0;
  }

  /** Were the last two moves passes? */
  get over() {
    const { line, step } = this;
    return line !== null && step >= 2 && step === this.length
      && [line.entry(step - 1), line.entry(step)].every(({ at, changed }) => at === null && !changed);
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

  /** The question about the position that is shown, as JSON. */
  get #question() {
    const { game, step, marks, record, line, next } = this, about = [game, step, marks, record, line, next];
    if (!sameItems(about, this.#asked.about)) this.#asked = { about, question: JSON.stringify(positionQuestion(this)) };
    return this.#asked.question;
  }

  /** What the service says about the position that is shown: its score, its marks, its chains; null until it is known. */
  get found() {
    if (!this.line) return null;
    const { score } = this.line, plain = !this.marks && !this.over && this.step === this.length;
    return plain && score ? { score, chains: undefined, legal: undefined, territory: undefined, alive: undefined } : this.#ask.known(this.#question);
  }

  /** The score of the board; null until it is known. */
  get score() {
    return this.found?.score ?? null;
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

  /** Call the listener, and ask for the score of the board. @param {News} [news] */
  #notify(news = 'act') {
    this.listener(news);
    if (!this.stale && !this.found) this.#ask.want(this.#question, () => this.listener('answer'));
  }

  /** Ask the service about the game, or about the line of the record. */
  async #start() {
    const { game, record } = this, question = record ? lineQuestion(record, record.path) : questionOf(game);
    const answer = await this.#ask.game(question, game.moves.length, () => {
      void this.#start();
      this.#notify();
    });
    if (!answer || this.game !== game) return;
    if (answer.problem) return this.#fail(answer.problem);
    if (answer.result) this.#answered(answer.result, record, game.moves, Math.min(this.step, game.moves.length));
    this.#notify('answer');
  }

  /**
   * Show the answer about the game, or about a record.
   * @param {GoResult} result
   * @param {Opened | null} record
   * @param {readonly Move[]} moves
   * @param {number} step
   * @param {Game['dead']} [dead]
   */
  #answered(result, record, moves, step, dead = this.game.dead) {
    if (!record) return this.#adopt(this.game, new Line(result, moves), step);
    const { rules, score, board } = result, { ko, suicide, scoring } = rules ?? { ...DEFAULT_RULES, scoring: 'area' };
    const list = movesOf(record.path, board.length), line = new Line(result, list.moves, list.changed);
    this.record = { ...record, source: rules?.source ?? 'default' };
    const game = {
      setup: line.board(0) ?? board, moves: list.moves, dead,
      rules: { ko, suicide, ...(scoring === 'territory' && { scoring }), ...(score?.komi && { komi: score.komi }) },
    };
    this.#adopt(game, line, line.boards ? Math.min(step, line.length) : line.length);
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
    const known = this.pending || again ? undefined : this.choices.find(({ move: first }) => first && sameItems(first, move));
    if (known) return this.choose(known.node);
    this.problem = null;
    this.opening = null; // a move cancels the opening of a record
    const { base, path, moves } = this.pending ?? { base: this.base(), path: this.#pathHere, moves: [] };
    this.pending = { base, path, moves: [...moves, move], again };
    void this.#try(this.pending);
    this.#notify();
  }

  /** The game up to the current step. @returns {Game} */
  base() {
    const { setup, moves, rules } = this.game;
    return { setup, moves: moves.slice(0, this.step), rules };
  }

  /** In a record, the nodes up to the current step. */
  get #pathHere() {
    const { record, size, step } = this;
    return record ? record.path.slice(0, 1 + movesOf(record.path, size).ends[step]) : [];
  }

  /** In a record, the nodes of the current step: that of the move, and those after it without a move. */
  get nodes() {
    const { step, record, size } = this, path = this.#pathHere;
    return record && step > 0 ? path.slice(movesOf(record.path, size).ends[step - 1] + 1) : path;
  }

  /** The record's names and comments for the current step, as text. */
  get comment() {
    return this.nodes.flatMap((node) => ['N', 'C'].map((name) => textOf(node, name)).filter(Boolean)).join('\n');
  }

  /** The labels and figures that the record has at the current step. */
  get figures() {
    return this.nodes.flatMap((node) => figuresOf(node, this.size));
  }

  /**
   * In a record, the ways to go on from the current step, if there are several.
   * @returns {{ node: Node, move: Move | null, shown: boolean }[]}
   */
  get choices() {
    const { record, size } = this;
    return !record ? [] : this.nodes.filter(({ kids }) => kids.length > 1).flatMap(({ kids }) => kids.map((node) => (
      { node, move: movesOf(lineFrom([node]), size).moves[0] ?? null, shown: record.path.includes(node) })));
  }

  /**
   * Show a variation of the record, from its first move.
   * @param {Node} node one of the choices
   */
  choose(node) {
    const { record, nodes } = this, from = nodes.find(({ kids }) => kids.includes(node));
    if (!record || !from) return;
    this.#showLine(lineFrom([...record.path.slice(0, record.path.indexOf(from) + 1), node]), this.step + 1);
  }

  /**
   * In a record, show the next or the previous variation of the move that was played last. Returns false if it has none.
   * @param {1 | -1} way
   */
  toVariation(way) {
    const { record, step, nodes: [node] } = this, at = record?.path.indexOf(node) ?? 0, kids = record?.path[at - 1]?.kids ?? [];
    if (!record || kids.length < 2) return false;
    const next = kids[(kids.indexOf(node) + way + kids.length) % kids.length];
    this.#showLine(lineFrom([...record.path.slice(0, at), next]), step);
    return true;
  }

  #showLine(/** @type {readonly Node[]} */ path, /** @type {number} */ step, /** @type {Game['dead']} */ dead = []) {
    const { record, game } = this;
    if (!record) return;
    const moves = movesOf(path, this.size).moves;
    this.#replace({ ...game, moves, dead }, Math.min(step, moves.length), { ...record, path });
    this.#notify('step');
  }

  /**
   * @param {Pending} pending
   */
  async #try(pending) {
    const { base, moves, path } = pending, { record } = this;
    const tried = { ...base, moves: [...base.moves, ...moves] }, line = record && grown(path, moves);
    const answer = await this.#ask.game(record && line ? lineQuestion(record, line) : questionOf(tried), tried.moves.length, () => {
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
    const { changed } = movesOf(line ?? [], this.size), result = new Line(answer.result, tried.moves, changed);
    const refused = result.misses.find(({ move }) => move > base.moves.length) ?? null;
    const step = refused ? refused.move - 1 : tried.moves.length;
    const remarks = pending.again || step === base.moves.length ? [] : this.#accept(tried, result, step, pending);
    this.refusal = refused;
    if (pending.again && !refused) this.offer = moves[0];
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
   * @param {Pending} pending
   * @returns {News[]} news for the user, if any
   */
  #accept(tried, line, step, { base, path }) {
    const { record } = this, from = base.moves.length, moves = tried.moves.slice(0, step);
    this.#saveForUndo();
    /** @type {News[]} */
    const remarks = from < this.length ? [record ? 'kept' : 'cut'] : [];
    if (record) this.record = { ...record, path: grown(path, moves.slice(from)) };
    const game = { ...tried, moves };
    if (step === line.length) this.#adopt(game, line, step);
    else if (line.boards) this.#adopt(game, line.cut(step, moves), step);
    else Object.assign(this, { game, step });
    return remarks;
  }

  /** The refused moves in the variations of the record. */
  get missesInVariations() {
    return this.record?.misses ?? [];
  }

  /**
   * Show the line of a refused move in a variation.
   * @param {import('../arbiter.js').GoMiss} miss
   */
  showVariation(miss) {
    const { record } = this;
    if (!record?.root) return;
    const line = lineThrough(record.root, indexOf(record.text, /** @type {{ line: number, column: number }} */ (miss)).at), path = record.path.slice(0, 1);
    // Moves that were added come after the others.
    for (let at = 1; at < line.length; at += 1) path.push(path[at - 1].kids[line[at - 1].kids.indexOf(line[at])]);
    this.#showLine(lineFrom(path), miss.move);
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
    this.offer = null;
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

  /** @param {Marks | null} marks */
  setMarks(marks) {
    this.marks = marks;
    this.#notify();
  }

  /**
   * After two passes, mark the chain of a stone as dead, or as alive again.
   * @param {Point} point
   */
  toggleDead([row, col]) {
    const { game, step, record } = this;
    const chain = this.found?.chains?.find(({ stones }) => stones.some((stone) => stone[0] === row && stone[1] === col));
    if (!chain) return;
    const [first] = chain.stones, dead = game.dead ?? [], others = dead.filter((stone) => !chain.stones.some((one) => sameItems(one, stone)));
    this.#saveForUndo();
    this.#replace({ ...game, dead: others.length < dead.length ? others : [...dead, first] }, step, record);
    this.#notify('step');
  }

  /** @param {boolean} alternate */
  setAlternate(alternate) {
    this.turn = { color: this.next, step: this.step };
    this.alternate = alternate;
    this.#notify();
  }

  /**
   * Judge the game by other rules. A move that was just refused is tried again, unless its point is occupied; it is played only if the user
   * says so.
   * @param {Rules} rules
   */
  async judge(rules) {
    const { refusal, record } = this;
    if (record) await this.#reopen(record, rules);
    else {
      this.#saveForUndo();
      this.#replace({ ...this.game, rules }, this.step);
    }
    if (refusal && refusal.code !== 1 && !this.unread) this.play(refusal.at, refusal.color, { again: true });
    else this.#notify();
  }

  /** Judge the record by its own rules again. */
  judgeAsRecorded() {
    if (this.record) return this.#reopen(this.record, {});
  }

  #reopen(/** @type {Opened} */ record, /** @type {Partial<Rules>} */ chosen) {
    return this.open({ ...record, body: bodyOf(record), chosen, ways: waysOf(record.path), dead: this.game.dead }, this.step, true);
  }

  /** Remove all moves. Of a record, show the start. */
  restart() {
    if (this.record) return this.goTo(0);
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
    this.#saveForUndo('game');
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
    const turn = { color: this.next, step: 0 }, { rules, moves } = this.game, left = this.record !== null;
    const game = { setup: withStone(board, point, stone), moves: this.line?.changedBy(this.length) ? [] : moves.slice(this.step), rules };
    if (!this.#stroke.changed) this.#saveForUndo(left ? 'game' : 'edit');
    this.#replace(game, 0);
    this.#stroke.changed = true;
    this.turn = turn;
    this.#notify(left ? 'left' : 'act');
  }

  /**
   * Open a record. The current game stays until the service has answered.
   * @param {Opened} opened
   * @param {number} [step] the step to show; the last if absent
   * @param {boolean} [again] is it the record that is shown, under other rules?
   */
  async open(opened, step = Infinity, again = false) {
    this.#clearFeedback();
    this.problem = null;
    this.pending = null;
    this.unread = null;
    this.opening = opened;
    this.targetStep = step;
    this.#notify();
    await this.#read(opened, again);
  }

  async #read(/** @type {Opened} */ opened, again = false) {
    const answer = await this.#ask.record(opened, () => this.open(opened, this.targetStep, again));
    if (!answer || this.opening !== opened) return;
    this.opening = null;
    if (answer.failure) return this.#notify();
    if (answer.problem) {
      this.unread = { opened, problem: answer.problem };
      if (!this.line) void this.#start();
      return this.#notify('unread');
    }
    if (opened !== this.#first) this.#saveForUndo(again ? 'move' : 'game');
    this.turn = null;
    const { result, text, tree, named, names } = answer.result;
    const { root, ...place } = tree, path = lineFrom([root]), { ways = [], dead = deadIn(path[path.length - 1], result.board) } = opened;
    const record = { ...opened, text, named, names, root, place, path, games: result.record?.games ?? 1, misses: result.variations?.misses ?? [] };
    this.#answered(result, record, [], this.targetStep, dead);
    const line = lineFrom([root], ways);
    if (line[line.length - 1] !== path[path.length - 1]) this.#showLine(line, this.targetStep, dead);
    this.#notify(again ? 'act' : 'opened');
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

  /** If moves are waiting for an answer, only drop these moves. @override @param {() => boolean} way */
  returnBy(way) {
    if (this.pending) {
      this.pending = null;
      if (!this.line) void this.#start();
      this.#notify();
      return true;
    }
    const { record: before } = this;
    this.history.now = this.#snapshot();
    if (!way()) return false;
    this.#stroke.changed = false;
    const { game, step, turn, record, line } = this.history.now;
    this.record = record;
    if (line) {
      this.#clearFeedback();
      this.opening = null;
      this.#adopt(game, line, step);
    } else this.#replace(game, step, record);
    this.turn = turn;
    this.#notify(before && !record ? 'closed' : 'step');
    return true;
  }

  /** @returns {Snapshot} */
  #snapshot() {
    const { game, step, turn, record } = this;
    return { game, step, turn, record, line: record ? this.line : null };
  }

  /** @param {'move' | 'game' | 'edit'} [kind] of the change that follows */
  #saveForUndo(kind = 'move') {
    this.history.now = this.#snapshot();
    this.history.change(this.history.now, kind);
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
    if (!moves.every((move, at) => move === of.moves[at])) return null;
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
  }

  /** @param {Problem} problem */
  #fail(problem) {
    this.problem = problem;
    this.#notify('problem');
  }
}
