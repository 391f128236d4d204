// A field on the table and what is done with it: painted, played by hand or against the program, undone. It has no part of the page; what
// is allowed and who wins comes from the service.

import { Undo } from '../page/undo.js';
import { Values } from '../page/values.js';
import { Ask } from './ask.js';
import { backTo, clicked, judged, numberOf, positionOf } from './position.js';
import { regionOf, winning } from './drawing.js';
import { writeState } from './link.js';
import { reply } from './opponent.js';
import { why } from './why.js';

/** @typedef {import('./field.js').Field} Field */
/** @typedef {import('./field.js').Cell} Cell */
/** @typedef {import('./position.js').Position} Position */
/** @typedef {import('./link.js').Shown} Shown */
/** @typedef {import('./link.js').Side} Side */
/** @typedef {import('./link.js').Mode} Mode */
/** @typedef {import('../page/values.js').Shows} Shows */

/**
 * What has happened: `act`, the reader did something; `paint`, a cell was painted, and others may follow at once; `opponent`, its click;
 * `answer`, the position is known, or refused; `time`, there is no answer yet.
 * @typedef {'act' | 'paint' | 'opponent' | 'answer' | 'time'} News
 */

/** How many changes can be undone: of a field of a million cells each takes 125 kB. */
const MOST_UNDONE = 499;

/** Milliseconds that the opponent waits, so that one sees what one has done oneself. */
const PAUSE = 600;

export class Session {
  #page;
  /** @type {Undo<Position>} */
  #history;
  #mode;
  #side;
  /** @type {Values<Position>} */
  #values;
  #tell;
  #ask;
  #opponent;
  /**
   * The stroke that is being made; its field when it has changed something.
   * @type {{ mine: boolean, keyboard: boolean, field: Field | null } | null}
   */
  #stroke = null;
  /** The click that was tried last in the puzzle, and does not solve it. @type {Cell | null} */
  wrong = null;
  /** How the opponent chose its last click, if that was the last that happened. @type {import('./opponent.js').How | null} */
  how = null;

  /**
   * @param {import('../page/main.js').Page} page
   * @param {Shown} shown
   * @param {(news: News) => void} tell
   * @param {Session} [before] the one that this goes on with: what was done there can be undone here
   */
  constructor(page, { field, clicks, mode, side, wins, puzzle }, tell, before) {
    this.#page = page;
    this.#history = before ? before.#history : new Undo(positionOf(field), MOST_UNDONE);
    this.#mode = mode;
    this.#side = side;
    this.#values = new Values(wins, puzzle, before && before.#values);
    if (!before) this.#lead(clicks);
    this.#tell = tell;
    this.#ask = new Ask(page, (news) => (news === 'answer' ? this.#answered() : tell(news)));
    this.#opponent = page.service.latest();
  }

  /**
   * Play clicks, each of which can be undone.
   * @param {readonly Cell[]} clicks
   */
  #lead(clicks) {
    clicks.forEach((cell, at) => {
      const byHand = this.#side === 'both' || this.#side === (at % 2 === 0 ? 'Xiemao' : 'Fanglaoshi');
      if (byHand) this.#history.change(clicked(this.position, cell, 'hand', null));
      else this.#history.amend(clicked(this.position, cell, 'opponent', null));
    });
  }

  get position() {
    return this.#history.now;
  }

  get field() {
    return this.position.field;
  }

  get mode() {
    return this.#mode;
  }

  get side() {
    return this.#side;
  }

  /** Are the winning clicks framed always? */
  get analysis() {
    return this.#values.analysis;
  }

  /** The puzzle on the field. */
  get puzzle() {
    return this.#values.puzzle;
  }

  /** Which of the winning clicks are framed. */
  get shows() {
    return this.#values.at(this.position);
  }

  /** Why the player to move has lost, where a sentence can say it. */
  get why() {
    const { result } = this, { revealed, doubtful } = this.#ask;
    const face = this.#mode === 'play' && this.#ask.face(this.position);
    if (!face || result?.nimber !== 0 || !revealed || doubtful.size > 0) return null;
    return why(revealed.board, face, revealed.openings);
  }

  /** What is known of the position; null while it is not. */
  get result() {
    return this.#ask.answer(this.position);
  }

  /** Is the game over? Then the verdict is its end. */
  get ended() {
    return this.#mode === 'play' && this.result?.three_bv === 0;
  }

  /** Is it the opponent's turn? */
  get opposed() {
    const { result } = this;
    return this.#mode === 'play' && this.#side !== 'both' && result !== null && !this.ended && result.turn !== this.#side;
  }

  get canUndo() {
    return this.#history.canUndo;
  }

  get canRedo() {
    return this.#history.canRedo;
  }

  /** What the card of the verdict shows. */
  get verdict() {
    const { result } = this;
    return {
      result, last: this.#ask.last, problem: this.problem, seconds: this.#ask.seconds,
      effort: this.#ask.effort,
    };
  }

  /** What is to be drawn. */
  get scene() {
    const { result, shows, position: { field, clicks } } = this, { revealed, doubtful } = this.#ask;
    const playing = this.#mode === 'play';
    return {
      field, clicks, doubtful,
      board: revealed?.board ?? null,
      openings: revealed?.openings ?? null,
      face: /** @type {readonly string[] | 'up' | 'down'} */ (playing ? this.#ask.face(this.position) ?? 'down' : 'up'),
      wins: (shows !== 'nothing' && result?.wins?.slice(0, shows === 'hint' ? 1 : undefined)) || [],
      unsolved: result?.unsolved?.at ?? null,
      fault: this.problem?.errors[0]?.at ?? null,
    };
  }

  /** Is there no answer to what is shown yet? */
  get stale() {
    return this.result === null && this.problem === null;
  }

  /** How it stands with the answer, or with the opponent's click. */
  get waits() {
    if (this.stale) return this.#ask.state;
    return this.opposed ? this.#opponent.state : 'idle';
  }

  /** Why the position was refused, if it was. */
  get problem() {
    return this.#ask.problem(this.position);
  }

  /** The click that was refused, as a number from 0; -1: none. */
  get #refused() {
    const [, click] = /^\/clicks\/(\d+)$/.exec(this.problem?.errors[0]?.pointer ?? '') ?? [];
    return click === undefined ? -1 : Number(click);
  }

  /** What a link holds. */
  state() {
    return writeState({ ...this.position, mode: this.#mode, side: this.#side, wins: this.analysis, puzzle: this.#values.unsolved });
  }

  /** The position as a question to the service. */
  question() {
    const { field, clicks } = this.position, { now } = this.#ask.effort;
    return {
      board: field.board(),
      ...(this.#mode === 'play' && { clicks }),
      ...(this.analysis && { include: ['wins'] }),
      ...(now !== undefined && { states: now }),
    };
  }

  /** Ask about the position: at the beginning, and after every change. */
  ask({ painted = false, easily = false } = {}) {
    this.#opponent.stop();
    this.#ask.ask(this.position, { painted, easily, face: this.#mode === 'play' });
  }

  /** @param {{ painted?: boolean, easily?: boolean }} [how] */
  #changed(how) {
    this.how = null;
    this.ask(how);
    this.#tell(how?.painted ? 'paint' : 'act');
  }

  /**
   * A cell was painted: the first of a stroke takes its mine away or puts one there, the others do as the first.
   * @param {number} row
   * @param {number} col
   * @param {{ stroke: boolean, second: boolean, keyboard: boolean }} how
   */
  paint(row, col, { stroke, second, keyboard }) {
    if (!stroke) this.#stroke = { mine: !second && !this.field.isMine(row, col), keyboard, field: null };
    const made = this.#stroke, { field } = this;
    if (!made || Boolean(field.isMine(row, col)) === made.mine) return;
    // What is known of a position is not known of it with one more mine: each change makes another position, but one stroke is undone as one.
    const begun = made.field === field, painted = made.field = begun ? field : field.copy();
    painted.set(row, col, made.mine);
    if (begun) this.#history.amend(positionOf(painted));
    else this.#change(painted);
    this.#changed({ painted: true, easily: true });
  }

  /** What the finger that is down has painted was not meant. */
  unpaint() {
    const stroke = this.#stroke;
    this.#stroke = null;
    if (stroke?.field && !stroke.keyboard && stroke.field === this.field) this.undo();
  }

  /**
   * Click a cell by hand. Says what came of it: it was done, or why not; `wrong`: it does not solve the puzzle.
   * @param {number} row
   * @param {number} col
   * @returns {'done' | 'mine' | 'up' | 'opposed' | 'ended' | 'waiting' | 'wrong'}
   */
  click(row, col) {
    const { result, position } = this, { face } = this.scene;
    if (this.ended) return 'ended';
    if (this.opposed) return 'opposed';
    if (typeof face === 'string' || (result === null && (this.#side !== 'both' || this.#ask.opened(position)))) return 'waiting';
    if (this.field.isMine(row, col)) return 'mine';
    if (face[row][col] !== '#' || position.clicks.some((cell) => numberOf(...cell) === numberOf(row, col))) return 'up';
    this.wrong = this.puzzle && !this.puzzle.attempt(this.#wins(row, col)) ? [row, col] : null;
    if (this.wrong) {
      this.#tell('act');
      return 'wrong';
    }
    this.#history.change(clicked(position, [row, col], 'hand', result));
    this.#changed();
    return 'done';
  }

  /**
   * Does the click on a cell win?
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
    this.#tell('answer');
    if (result && this.opposed) this.#oppose(result);
  }

  /**
   * The opponent's click.
   * @param {import('../arbiter.js').MineResult} answer
   */
  async #oppose(answer) {
    const { position, field } = this, { revealed } = this.#ask, { service, limits } = this.#page;
    if (!revealed) return;
    const choosing = async (/** @type {AbortSignal} */ signal) => {
      const pause = new Promise((resolve) => { setTimeout(resolve, PAUSE); });
      const choice = await reply({
        field: field.board(), board: revealed.board, openings: revealed.openings, clicks: position.clicks, answer,
        most: Math.min(limits.max_cases, Math.floor(limits.max_mine_cells_total / field.cells)),
      }, (questions) => service.arbiter.batch('mine', questions, { signal }));
      await pause;
      return choice;
    };
    const chosen = await this.#opponent.ask(choosing, () => {
      this.#oppose(answer);
      this.#tell('time');
    });
    if (chosen?.failure) return this.#tell('time');
    if (!chosen?.result) return;
    this.how = chosen.result.how;
    this.#history.amend(clicked(position, chosen.result.cell, 'opponent', answer)); // undone with the click that it answers
    this.ask();
    this.#tell('opponent');
  }

  /** @param {Field} field */
  replace(field) {
    this.#change(field);
    this.#changed({ easily: true });
  }

  /**
   * Another field takes the place of this one.
   * @param {Field} field
   */
  #change(field) {
    this.#history.change(positionOf(field));
    this.#values.puzzle = null;
  }

  /**
   * Show this, from a file.
   * @param {Shown} shown
   */
  show({ field, clicks, mode, side }) {
    [this.#mode, this.#side] = [mode, side];
    this.#change(field);
    this.#lead(clicks);
    this.#changed({ easily: true });
  }

  undo() {
    this.#history.undo();
    this.#changed();
  }

  /** Leave a position that was refused: back to before the click that was not possible, or to what was before. */
  takeBack() {
    const click = this.#refused;
    if (click >= 0) this.goTo(click);
    else this.undo();
  }

  redo() {
    this.#history.redo();
    this.#changed();
  }

  /**
   * Back to where so many clicks had been made.
   * @param {number} count
   */
  goTo(count) {
    if (count !== this.position.clicks.length) this.#history.change(backTo(this.position, count));
    this.#changed();
  }

  /** @param {Mode} mode */
  setMode(mode) {
    if (mode === this.#mode) return;
    this.#mode = mode;
    if (mode === 'paint' && this.position.clicks.length > 0) this.#history.change(backTo(this.position, 0)); // a game ends where its field changes
    this.#changed();
  }

  /** @param {Side} side */
  setSide(side) {
    this.#side = side;
    this.#changed();
  }

  /** @param {boolean} always are the winning clicks to be framed always? */
  analyse(always) {
    this.#values.analysis = always;
    this.#tell('act');
  }

  /** @param {Shows} shows which winning clicks of this position are to be framed */
  reveal(shows) {
    this.#values.reveal(this.position, shows);
    this.#tell('act');
  }

  harder() {
    this.#ask.harder(this.position, this.#mode === 'play');
    this.#tell('act');
  }

  /** Wait no longer. */
  cancel() {
    this.#ask.cancel();
  }

  close() {
    this.#opponent.stop();
    this.#ask.stop();
  }
}
