// The playground of Go: what is on the table, drawn, and every way to act on it.

import { h } from '../page/dom.js';
import { note, say } from '../page/say.js';
import { t } from '../page/text.js';
import { Counts } from './counts.js';
import { firstGame, invitation } from './first.js';
import { aboutCard, freshCard } from './fresh.js';
import { other } from './game.js';
import { MovesCard } from './moves.js';
import { isRecord, recordOf, RecordCard } from './record.js';
import { RulesCard } from './rules.js';
import { Session } from './session.js';
import { caseOf, NOTHING, stateOf } from './shown.js';
import { readState, recordOfQuestion, viewOfQuestion } from './link.js';
import { Table } from './view.js';
import { Tools } from './tools.js';
import { Walk } from './controls.js';
import { refusedText, stepText } from './words.js';

/** @typedef {import('../page/main.js').Page} Page */
/** @typedef {import('../page/main.js').Playground} Playground */
/** @typedef {import('./points.js').Point} Point */
/** @typedef {import('./game.js').Color} Color */
/** @typedef {import('./session.js').Happening} Happening */
/** @typedef {import('../page/grid.js').Act} Act */

/** Milliseconds of quiet after which a step is said, and the link follows: not for each step that is leafed through. */
const REST = 150;

class GoPlayground {
  #page;
  #session;
  #table;
  #lead;
  #record;
  #parts;
  #tools;
  #firstGame;
  #needs;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #resting;
  /** Is there a step to be said? */
  #moved = false;
  #stroke = /** @type {Color | '.'} */ ('.');
  #listening = new AbortController();

  /**
   * @param {Page} page
   * @param {Session} session
   * @param {boolean} first is it the game that everybody sees first?
   */
  constructor(page, session, first) {
    this.#page = page;
    this.#session = session;
    this.#firstGame = first ? session.game : null;
    this.#lead = invitation((point) => session.play(point));
    this.#table = new Table(session, { act: (point, how) => this.#act(point, how), key: (event) => this.#key(event) });
    this.#tools = new Tools(session, () => this.#show());
    this.#record = new RecordCard(session, page);
    const walk = new Walk(session), counts = new Counts(session, this.#lead);
    const moves = new MovesCard(session), rules = new RulesCard(session), fresh = freshCard(session);
    this.#parts = [this.#table, walk, this.#tools, counts, moves, rules, this.#record, fresh];
    this.element = h('div', { class: 'playground go' },
      h('div', { class: 'heading row' },
        h('h1', {}, t('go.name')), h('p', { class: 'soft' }, t('go.tagline')), this.#tools.element),
      h('div', { class: 'board' }, this.#table.element, walk.element),
      h('div', { class: 'side' },
        counts.element, moves.element, rules.element, this.#record.element, fresh.element, aboutCard()));
    this.#listen();
    this.#needs = {
      arbiter: page.service.arbiter, games: page.service.latest(), areas: page.service.latest(),
      show: () => this.#show(), tell: (/** @type {Happening} */ what) => this.#tell(what),
    };
    session.attach(this.#needs);
  }

  /** What the page may ask of a document while this game is on it. */
  #listen() {
    const { signal } = this.#listening;
    document.addEventListener('keydown', (event) => {
      if (isIdle(event.target) && this.#leaf(event)) event.preventDefault();
    }, { signal });
    document.addEventListener('paste', (event) => this.#pasted(event), { signal });
  }

  #show() {
    this.#lead.hidden = this.#session.game !== this.#firstGame;
    this.#table.brush = this.#tools.brush;
    for (const part of this.#parts) part.show();
    clearTimeout(this.#resting);
    this.#resting = setTimeout(() => this.#rest(), REST);
  }

  /** What is on the screen has stood for a moment: the link follows, and who listens hears of it. */
  #rest() {
    const session = this.#session;
    if (this.#moved && !session.waiting) {
      say(session.refused ? refusedText(session.refused, session.size) : stepText(session));
      this.#moved = false;
    }
    this.#page.changed();
  }

  /** @param {Happening} what */
  #tell(what) {
    const session = this.#session;
    this.#moved = what === 'step' || what === 'played';
    if (what === 'refused' && session.refusal) say(refusedText(session.refusal, session.size));
    else if (what === 'left' || what === 'guessed') note(t(`go.${what}`));
    else if (what === 'unread') this.#record.showProblem();
    else if (what === 'opened' || what === 'cleared') this.#table.element.scrollIntoView({ block: 'nearest' });
    if (what === 'opened') note(t('go.opened', { length: session.length, misses: session.line?.misses.length ?? 0 }));
  }

  /**
   * @param {Point} point
   * @param {Act} how
   */
  #act(point, { stroke, second }) {
    const session = this.#session;
    if (session.mode === 'play') return session.play(point, second ? other(session.next) : session.next);
    if (!stroke) {
      const stone = session.board[point[0]][point[1]], brush = second ? '.' : this.#tools.brush ?? '.';
      this.#stroke = stone === brush ? '.' : brush;
      session.beginStroke();
    }
    session.paint(point, this.#stroke);
  }

  /**
   * The keys that leaf through the game and take back, wherever nothing else has the focus.
   * @param {KeyboardEvent} event
   */
  #leaf({ key, shiftKey, ctrlKey, metaKey, altKey, target }) {
    const session = this.#session, control = ctrlKey || metaKey, idle = isIdle(target), arrows = shiftKey || idle;
    if (altKey) return false;
    const back = () => session.to(session.step - 1), forward = () => session.to(session.step + 1);
    /** @type {Record<string, () => void>} */
    const acts = control
      ? { z: () => (shiftKey ? session.redo() : session.undo()), y: () => session.redo() }
      : {
        ',': back, '.': forward, '<': () => session.to(0), '>': () => session.to(session.length),
        m: () => session.toMiss(shiftKey ? -1 : 1),
        ...(arrows && { arrowleft: back, arrowright: forward }),
        ...(idle && { home: () => session.to(0), end: () => session.to(session.length) }),
      };
    const act = acts[key.toLowerCase()];
    act?.();
    return act !== undefined;
  }

  /** A key on the board. @param {KeyboardEvent} event */
  #key(event) {
    if (this.#leaf(event)) return true;
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const session = this.#session, setting = session.mode === 'setup';
    /** @type {Record<string, () => void>} */
    const acts = {
      s: () => this.#tools.become(setting ? 'play' : 'setup'),
      u: () => session.undo(),
      escape: () => session.peek(null),
      ...(setting
        ? { b: () => this.#tools.choose('B'), w: () => this.#tools.choose('W'), e: () => this.#tools.choose(null) }
        : { p: () => session.play(null), c: () => session.choose(other(session.next)) }),
    };
    const act = acts[event.key.toLowerCase()];
    act?.();
    return act !== undefined;
  }

  /** @param {ClipboardEvent} event */
  #pasted(event) {
    if (/** @type {Element} */ (event.target).closest?.('input, textarea')) return;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (!isRecord(text)) return note(t('go.no-record'), 'bad');
    event.preventDefault();
    this.#record.read(text);
  }

  /** @param {File} file */
  async take(file) {
    if (!/\.(sgf|mgt)$/i.test(file.name) && !isRecord(await file.slice(0, 4096).text())) return false;
    this.#record.take(file);
    return true;
  }

  state() {
    return stateOf(this.#session);
  }

  get memory() {
    return this.#session;
  }

  question() {
    return caseOf(this.#session);
  }

  close() {
    clearTimeout(this.#resting);
    this.#listening.abort();
    this.#session.close(this.#needs); // not if another has it by now, in another language
  }
}

/**
 * Does nothing that takes keys itself have the focus?
 * @param {EventTarget | null} target
 */
const isIdle = (target) =>
  !(/** @type {Element} */ (target).closest('a, button, input, select, textarea, summary, [tabindex="0"]'));

/**
 * Open a game, or a record of it, as a link or a case of the API has it.
 * @param {Page} page
 * @param {any} state
 * @param {Session} [session] that goes on, in another language
 * @returns {Playground}
 */
export function open(page, state, session) {
  if (session) return new GoPlayground(page, session, false);
  if (state === undefined) {
    const game = firstGame();
    return new GoPlayground(page, new Session(game, game.moves.length), true);
  }
  if (typeof state.question?.sgf === 'string') return openRecord(page, state);
  const view = state.question === undefined ? readState(state) : viewOfQuestion(state.question);
  const begun = new Session(view.game, view.step);
  const { mode, alternate, turn, step } = view;
  Object.assign(begun, { mode, alternate, turn: turn && { color: turn, step } });
  return new GoPlayground(page, begun, false);
}

/**
 * @param {Page} page
 * @param {{ question: any, step?: any }} state
 */
function openRecord(page, { question, step }) {
  const { sgf, game, chosen } = recordOfQuestion(question);
  const session = new Session(NOTHING, 0);
  const playground = new GoPlayground(page, session, false);
  const shown = Number.isInteger(step) ? Math.max(0, step) : Infinity;
  session.open({ ...recordOf(sgf, sgf), game, chosen }, shown);
  return playground;
}
