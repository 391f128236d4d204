// The playground of Go: what is on the table, drawn, and every way to act on it.

import { h } from '../page/dom.js';
import { listenForKeys, undoKeys, useKey } from '../page/keys.js';
import { note, say } from '../page/say.js';
import { t } from '../page/text.js';
import { button, heading, legend } from '../page/ui.js';
import { CountsCard, isRecord, MovesCard, recordOf, RecordCard, RulesCard } from './cards.js';
import { Controls } from './controls.js';
import { firstGame, firstPoint, other } from './game.js';
import { caseOf, NOTHING, readState, recordOfQuestion, stateOf, viewOfQuestion } from './link.js';
import { Session } from './session.js';
import { Status } from './status.js';
import { View } from './view.js';
import { refusedText, stepText } from './words.js';

/** @typedef {import('../page/main.js').Page} Page */
/** @typedef {import('../page/main.js').Playground} Playground */
/** @typedef {import('./points.js').Point} Point */
/** @typedef {import('./game.js').Color} Color */
/** @typedef {import('./session.js').Happening} Happening */
/** @typedef {import('../page/grid.js').Act} Act */

/** Milliseconds of quiet after which a step is said, and the link follows: not for each step that is leafed through. */
const REST = 150;

/** Points that a newcomer may try. There Black is refused: the ko, and White's eye. */
const TRIES = ['E5', 'F4'];

class Go {
  #page;
  #session;
  #view;
  #lead;
  #record;
  #parts;
  #controls;
  #firstGame;
  #needs;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #resting;
  /** Is there a step to be said? */
  #moved = false;
  #stroke = /** @type {Color | '.'} */ ('.');
  #closed = new AbortController();

  /**
   * @param {Page} page
   * @param {Session} session
   * @param {boolean} first is it the game that everybody sees first?
   */
  constructor(page, session, first) {
    this.#page = page;
    this.#session = session;
    this.#firstGame = first ? session.game : null;
    this.#lead = h('div', { class: 'go-choice', hidden: true }, h('p', {}, t('go.try')), h('div', { class: 'row' },
      TRIES.map((point) => button(t('go.try-point', { point }), () => session.play(firstPoint(point))))));
    this.#view = new View(session, { act: (point, how) => this.#act(point, how), key: (event) => this.#key(event) });
    this.#controls = new Controls(session, () => this.#show());
    this.#record = new RecordCard(session, page);
    const status = new Status(session, () => this.#controls.focus()), counts = new CountsCard(session, this.#lead);
    const moves = new MovesCard(session), rules = new RulesCard(session);
    this.#parts = [this.#view, this.#controls, status, counts, moves, rules, this.#record];
    this.element = h('div', { class: 'playground go' }, heading('go', this.#controls.mode),
      h('div', { class: 'board' }, legend('go'), this.#view.element,
        h('div', { class: 'go-below' }, status.element, this.#controls.bar, this.#controls.steps)),
      h('div', { class: 'side' }, counts.element, moves.element, rules.element, this.#record.element));
    const { signal } = this.#closed;
    listenForKeys(({ target }) => (isIdle(target) ? this.#stepKeys({ idle: true }) : {}), signal);
    document.addEventListener('paste', (event) => this.#pasted(event), { signal });
    this.#needs = {
      arbiter: page.service.arbiter, games: page.service.latest(), areas: page.service.latest(),
      show: () => this.#show(), tell: (/** @type {Happening} */ what) => this.#tell(what),
    };
    session.attach(this.#needs);
  }

  #show() {
    this.#lead.hidden = this.#session.game !== this.#firstGame;
    this.#view.brush = this.#controls.brush;
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
    else if (what === 'left' || what === 'guessed' || what === 'allowed') note(t(`go.${what}`));
    else if (what === 'refused-again' && session.refusal) note(t('go.refused-again', { why: refusedText(session.refusal, session.size) }));
    else if (what === 'unread') this.#record.showProblem();
    else if (what === 'opened' || what === 'cleared') this.#view.element.scrollIntoView({ block: 'nearest' });
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
      const stone = session.board[point[0]][point[1]], brush = second ? '.' : this.#controls.brush ?? '.';
      this.#stroke = stone === brush ? '.' : brush;
      session.beginStroke();
    }
    session.paint(point, this.#stroke);
  }

  /**
   * The keys that step through the game, and undo.
   * @param {{ idle: boolean }} where `idle`: has nothing the focus that takes keys itself? Else it is the board
   * @returns {import('../page/keys.js').Acts}
   */
  #stepKeys({ idle }) {
    const session = this.#session;
    const back = () => session.to(session.step - 1), forward = () => session.to(session.step + 1);
    const first = () => session.to(0), last = () => session.to(session.length);
    return {
      ...undoKeys(() => session.undo(), () => session.redo()),
      ',': back, '.': forward, '<': first, '>': last, 'shift arrowleft': back, 'shift arrowright': forward,
      m: () => session.toMiss(1), 'shift m': () => session.toMiss(-1),
      ...(idle && { arrowleft: back, arrowright: forward, home: first, end: last }),
    };
  }

  /** A key on the board. @param {KeyboardEvent} event */
  #key(event) {
    const session = this.#session, controls = this.#controls;
    return useKey(event, {
      ...this.#stepKeys({ idle: false }),
      u: () => session.undo(),
      escape: () => session.peek(null),
      ...(session.mode === 'setup'
        ? { s: () => controls.setMode('play'), b: () => controls.setBrush('B'), w: () => controls.setBrush('W'), e: () => controls.setBrush(null) }
        : { s: () => controls.setMode('setup'), p: () => session.play(null), c: () => session.choose(other(session.next)) }),
    });
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
    this.#closed.abort();
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
  if (session) return new Go(page, session, false);
  if (state === undefined) {
    const game = firstGame();
    return new Go(page, new Session(game, game.moves.length), true);
  }
  if (typeof state.question?.sgf === 'string') return openRecord(page, state);
  const view = state.question === undefined ? readState(state) : viewOfQuestion(state.question);
  const begun = new Session(view.game, view.step);
  const { mode, alternate, turn, step } = view;
  Object.assign(begun, { mode, alternate, turn: turn && { color: turn, step } });
  return new Go(page, begun, false);
}

/**
 * @param {Page} page
 * @param {{ question: any, step?: any }} state
 */
function openRecord(page, { question, step }) {
  const { sgf, game, chosen } = recordOfQuestion(question);
  const session = new Session(NOTHING, 0);
  const playground = new Go(page, session, false);
  const shown = Number.isInteger(step) ? Math.max(0, step) : Infinity;
  session.open({ ...recordOf(sgf, sgf), game, chosen }, shown);
  return playground;
}
