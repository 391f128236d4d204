// The state of the playground and the actions of the user: play against the computer or another person, or paint the field. Asks the
// service about the position and makes the computer's clicks. Doesn't touch the DOM.

import { Undoable } from '../page/undo.js';
import { Values } from '../page/values.js';
import { Ask, questionOf } from './ask.js';
import { backTo, clicked, judged, numberOf, PLAYERS, positionOf } from './position.js';
import { regionOf, winning } from './drawing.js';
import { writeState } from './link.js';
import { reply } from './opponent.js';
import { why } from './why.js';

/** @typedef {import('./field.js').Field} Field */
/** @typedef {import('./field.js').Cell} Cell */
/** @typedef {import('./position.js').Position} Position */
/** @typedef {import('./link.js').Shown} Shown */
/** @typedef {import('./link.js').SideChoice} SideChoice */
/** @typedef {import('./link.js').Mode} Mode */

/**
 * The last event:
 * - `act`: the user did something
 * - `begun`: there is another field
 * - `paint`: a cell was painted, and others may follow at once
 * - `answers`: the answers were shown or hidden
 * - `hint`: the user asked for a hint
 * - `wrong`: a click didn't solve the puzzle
 * - `program`: the computer has clicked
 * - `answer`: the answer about the position has come
 * - `first-answer`: the same, for the first time with this field
 * - `late`: the answer is late
 * @typedef {'act' | 'begun' | 'paint' | 'answers' | 'hint' | 'wrong' | 'program' | 'answer' | 'first-answer' | 'late'} News
 */

/** The number of changes that can be undone. With a field of a million cells, each takes 125 kB. */
const MOST_UNDONE = 499;

/** Milliseconds before the computer clicks, so that users see their own click first. */
const PAUSE = 600;

/** @extends {Undoable<Position>} */
export class Session extends Undoable {
  #page;
  /** @type {Values<Position, Cell>} */
  #values;
  #ask;
  /** Questions for the computer's click. */
  #opponent;
  /** Did `close` drop a question about the position? */
  #unanswered = false;
  /** Is the next answer the first one about a new field? */
  #fresh = true;
  /** Why the last click by hand wins, and the number of clicks at that time. */
  #explained = { clicks: -1, why: /** @type {ReturnType<typeof why>} */ (null) };
  /**
   * The current stroke of the brush; `field`: its new field, null until the stroke has changed something.
   * @type {{ mine: boolean, keyboard: boolean, field: Field | null } | null}
   */
  #stroke = null;

  /** Called after each change. @type {(news: News) => void} */
  listener = () => {};
  mode;
  /** The side that the user plays. */
  side;
  /** Show the contents of covered cells? */
  xray = true;
  /** How the computer chose its click; null after any other action. @type {import('./opponent.js').How | null} */
  how = null;

  /**
   * @param {Pick<import('../page/main.js').Page, 'service' | 'limits'>} page
   * @param {Shown} shown
   */
  constructor(page, { field, clicks, mode, side, analysis, puzzle }) {
    super(positionOf(field), MOST_UNDONE);
    this.#page = page;
    this.mode = mode;
    this.side = side;
    this.#values = new Values(analysis, puzzle, () => this.field);
    this.#playAll(clicks);
    this.#ask = new Ask(page, (news) => (news === 'answer' ? this.#answered() : this.listener(news)));
    this.#opponent = page.service.latest();
    this.#askAbout();
  }

  /**
   * Play these clicks. Each click by hand can be undone.
   * @param {readonly Cell[]} clicks
   */
  #playAll(clicks) {
    clicks.forEach((cell, at) => {
      const byHand = this.side === 'both' || this.side === PLAYERS[at % 2];
      if (byHand) this.history.change(clicked(this.position, cell, 'hand', null));
      else this.history.amend(clicked(this.position, cell, 'opponent', null));
    });
  }

  get position() {
    return this.history.now;
  }

  get field() {
    return this.position.field;
  }

  /** Are the answers shown? */
  get analysis() {
    return this.#values.analysis;
  }

  get puzzle() {
    return this.#values.puzzle;
  }

  /** The wrong click that was tried last in the puzzle. */
  get wrong() {
    return this.#values.wrongAt(this.position);
  }

  /** What is told about the position. */
  get shows() {
    return this.#values.at(this.position);
  }

  /** Did the last click by hand keep the win? null if that isn't known, or if the answers are hidden. */
  get lastMark() {
    const { clicks, marks, by } = this.position;
    return !this.analysis ? null : marks[clicks.length - (by === 'opponent' ? 2 : 1)] ?? null;
  }

  /** Why the last click by hand wins, if the computer has replied to it; null if there is no simple reason. */
  get whyKept() {
    const { by, clicks } = this.position;
    return by === 'opponent' && this.#explained.clicks === clicks.length - 1 ? this.#explained.why : null;
  }

  /** Why the player to move loses; null if there is no simple reason. */
  get why() {
    return this.result?.nimber === 0 ? this.#reason(null) : null;
  }

  /** Why the click of the hint wins; null if there is no hint, or no simple reason. */
  get whyHint() {
    const [click] = this.scene.wins;
    return click ? this.#reason(click) : null;
  }

  /**
   * Why the player to move after a click loses.
   * @param {Cell | null} click null: no click
   */
  #reason(click) {
    const { contents, doubtful } = this.#ask, face = this.mode === 'play' && this.#ask.face(this.position);
    if (!face || !contents || doubtful.size > 0) return null;
    return why(contents.board, face, contents.openings, click);
  }

  /** The answer about the position; null until it comes. */
  get result() {
    return this.#ask.answer(this.position);
  }

  get over() {
    return this.mode === 'play' && this.result?.three_bv === 0;
  }

  get programsTurn() {
    const { result, side } = this;
    return this.mode === 'play' && side !== 'both' && result !== null && !this.over && result.turn !== side;
  }

  /** Are there winning clicks to show? */
  get hasValues() {
    const { result } = this;
    return result !== null && result.wins_total !== null && !this.over;
  }

  get canRestart() {
    return this.position.clicks.length > 0;
  }

  get verdict() {
    const { result } = this;
    return {
      result, last: this.#ask.last, problem: this.problem, seconds: this.#ask.seconds,
      effort: this.#ask.effort,
    };
  }

  get scene() {
    const { result, shows, xray, position: { field, clicks } } = this, { contents, doubtful } = this.#ask;
    const playing = this.mode === 'play';
    return {
      field, clicks, doubtful, xray,
      board: contents?.board ?? null,
      openings: contents?.openings ?? null,
      face: /** @type {readonly string[] | 'up' | 'down'} */ (playing ? this.#ask.face(this.position) ?? 'down' : 'up'),
      wins: (shows !== 'nothing' && result?.wins?.slice(0, shows === 'hint' ? 1 : undefined)) || [],
      unsolved: result?.unsolved?.at ?? null,
      fault: this.problem?.errors[0]?.at ?? null,
    };
  }

  /** Is the answer about the position missing? */
  get stale() {
    return this.result === null && this.problem === null;
  }

  /** Should the answer come at once? Until then, the text about the previous position stays, dimmed. */
  get awaited() {
    return this.stale && this.asking === 'asked';
  }

  /** The state of the question about the position, or about the computer's click. */
  get asking() {
    if (this.stale) return this.#ask.state;
    return this.programsTurn ? this.#opponent.state : 'idle';
  }

  get problem() {
    return this.#ask.problem(this.position);
  }

  /** The index of the click that the service refused; -1 if there is none. */
  get #refused() {
    const [, click] = /^\/clicks\/(\d+)$/.exec(this.problem?.errors[0]?.pointer ?? '') ?? [];
    return click === undefined ? -1 : Number(click);
  }

  state() {
    const { mode, side, analysis } = this;
    return writeState({ ...this.position, mode, side, analysis, puzzle: this.#values.unsolved });
  }

  /** The question to the service about what is shown. */
  question() {
    return questionOf(this.position, this.mode === 'play', this.analysis ? ['wins'] : [], this.#ask.effort.now);
  }

  /** Ask about the position. @param {'act' | 'begun' | 'paint'} [news] */
  #askAbout(news = 'act') {
    this.#opponent.stop();
    void this.#ask.ask(this.position, { painted: news === 'paint', resetEffort: news !== 'act', playing: this.mode === 'play' });
  }

  /** Ask about the changed position, and call the listener. @param {'act' | 'begun' | 'paint'} [news] */
  #changed(news = 'act') {
    this.how = null;
    this.#askAbout(news);
    this.listener(news);
  }

  /**
   * Paint a cell. The first cell of a stroke gets a mine, or loses its mine; the other cells become the same.
   * @param {number} row
   * @param {number} col
   * @param {{ stroke: boolean, second: boolean, keyboard: boolean }} how
   */
  paint(row, col, { stroke, second, keyboard }) {
    if (!stroke) this.#stroke = { mine: !second && !this.field.isMine(row, col), keyboard, field: null };
    const made = this.#stroke, { field } = this;
    if (!made || Boolean(field.isMine(row, col)) === made.mine) return;
    // Each changed cell gives a new position, without an answer. One undo reverts the whole stroke.
    const begun = made.field === field, painted = made.field = begun ? field : field.copy();
    painted.set(row, col, made.mine);
    if (begun) this.history.amend(positionOf(painted));
    else this.history.change(positionOf(painted), 'edit');
    this.#changed('paint');
  }

  /** Undo the current stroke, which turned out to be the start of a gesture. */
  unpaint() {
    const stroke = this.#stroke;
    this.#stroke = null;
    if (stroke?.field && !stroke.keyboard && stroke.field === this.field) this.undo();
  }

  /**
   * Click a cell by hand. Returns 'done', or why nothing was clicked; `wrong`: the click doesn't solve the puzzle.
   * @param {number} row
   * @param {number} col
   * @returns {'done' | 'mine' | 'up' | 'opposed' | 'ended' | 'waiting' | 'wrong'}
   */
  click(row, col) {
    const { result, position } = this, { face } = this.scene;
    if (this.over) return 'ended';
    if (this.programsTurn) return 'opposed';
    if (typeof face === 'string' || (result === null && (this.side !== 'both' || this.#ask.mayHaveOpened(position)))) return 'waiting';
    if (this.field.isMine(row, col)) return 'mine';
    if (face[row][col] !== '#' || position.clicks.some((cell) => numberOf(...cell) === numberOf(row, col))) return 'up';
    if (!this.#values.attempt(position, [row, col], this.#wins(row, col))) {
      this.listener('wrong');
      return 'wrong';
    }
    this.history.change(clicked(position, [row, col], 'hand', result));
    this.#changed();
    return 'done';
  }

  /**
   * @param {number} row
   * @param {number} col
   */
  #wins(row, col) {
    const scene = { ...this.scene, wins: this.result?.wins ?? [] };
    return winning(scene).has(regionOf(scene, row, col));
  }

  #answered() {
    const { result, position } = this;
    if (result && position.clicks.length > 0) position.marks[position.clicks.length - 1] = judged(position, result.verdict);
    if (position.by === 'hand') this.#explained = { clicks: position.clicks.length, why: this.why };
    const fresh = this.#fresh;
    this.#fresh = false;
    this.listener(fresh ? 'first-answer' : 'answer');
    if (result && this.programsTurn) void this.#answer(result);
  }

  /**
   * Make the computer's click.
   * @param {import('../arbiter.js').MineResult} answer about the position
   */
  async #answer(answer) {
    const { position, field } = this, { contents } = this.#ask, { service, limits } = this.#page;
    if (!contents) return;
    const choosing = async (/** @type {AbortSignal} */ signal) => {
      const pause = new Promise((resolve) => { setTimeout(resolve, PAUSE); });
      const choice = await reply({
        field: field.board(), board: contents.board, openings: contents.openings, clicks: position.clicks, answer,
        most: Math.min(limits.max_cases, Math.floor(limits.max_mine_cells_total / field.cells)),
      }, (questions) => service.arbiter.batch('mine', questions, { signal }));
      await pause;
      return choice;
    };
    const chosen = await this.#opponent.ask(choosing, () => {
      void this.#answer(answer);
      this.listener('late');
    });
    if (chosen?.failure) return this.listener('late');
    if (!chosen?.result) return;
    this.how = chosen.result.how;
    this.history.amend(clicked(position, chosen.result.cell, 'opponent', answer)); // one undo reverts this click and the one before
    this.#askAbout();
    this.listener('program');
  }

  /**
   * @param {Field} field
   */
  begin(field) {
    this.#fresh = true;
    this.history.change(positionOf(field), 'game');
    this.#changed('begun');
  }

  /**
   * Show the content of a file. The user's side doesn't change.
   * @param {Shown} shown
   */
  show({ field, clicks, mode }) {
    [this.#fresh, this.mode] = [true, mode];
    this.history.change(positionOf(field), 'game');
    this.#playAll(clicks);
    this.#changed('begun');
  }

  restart() {
    this.goTo(0);
  }

  /** @override @param {() => boolean} way */
  returnBy(way) {
    const found = way();
    this.#changed();
    return found;
  }

  /** Leave a refused position: go back to before the refused click, or undo. */
  takeBack() {
    const click = this.#refused;
    if (click >= 0) this.goTo(click);
    else this.undo();
  }

  /**
   * @param {number} count its number of clicks
   */
  goTo(count) {
    if (count !== this.position.clicks.length) this.history.change(backTo(this.position, count));
    this.#changed();
  }

  /** @param {Mode} mode */
  setMode(mode) {
    if (mode === this.mode) return;
    this.mode = mode;
    if (mode === 'edit' && this.position.clicks.length > 0) this.history.change(backTo(this.position, 0)); // a changed field has no clicks
    this.#changed();
  }

  /** @param {SideChoice} side */
  setSide(side) {
    if (side !== 'both') this.#values.help(); // the computer may click the solution
    this.side = side;
    this.#changed();
  }

  /** @param {boolean} analysis are the answers shown? */
  setAnalysis(analysis) {
    this.#values.setAnalysis(analysis);
    this.listener('answers');
  }

  /** Frame the best click. */
  showHint() {
    this.#values.hint(this.position);
    this.listener('hint');
  }

  /** @param {boolean} xray show the contents of covered cells? */
  setXray(xray) {
    this.xray = xray;
    this.listener('act');
  }

  /** Ask again, with a higher limit of states. */
  harder() {
    this.#ask.harder(this.position, this.mode === 'play');
    this.listener('act');
  }

  cancel() {
    this.#ask.cancel();
  }

  close() {
    this.listener = () => {};
    this.#unanswered = this.stale;
    this.#opponent.stop();
    this.#ask.stop();
  }

  /** Continue after `close`. */
  reopen() {
    if (this.#unanswered) this.#askAbout();
    else this.#answered();
  }
}
