// The playground of Go: connects the session with the elements of the page.

import { h } from '../page/dom.js';
import { Heading } from '../page/heading.js';
import { listenForKeys, modeKeys, useKey } from '../page/keys.js';
import { note, say } from '../page/say.js';
import { joined, t } from '../page/text.js';
import { button } from '../page/ui.js';
import { CountsCard, isRecord, MovesCard, NodeCard, RecordCard, RulesCard } from './cards.js';
import { Controls } from './controls.js';
import { EXAMPLE, examplePoint, isExample, other } from './game.js';
import { PLACEHOLDER, readState } from './link.js';
import { Session } from './session.js';
import { Status } from './status.js';
import { View } from './view.js';
import { offerText, openedText, refusedText } from './words.js';

/** @typedef {import('../page/main.js').Page} Page */
/** @typedef {import('../page/main.js').Playground} Playground */
/** @typedef {import('./session.js').News} News */

/** Milliseconds without a change before the step is announced and the link is updated, so that quick stepping does neither. */
const REST = 150;

/** Suggested moves. Both are illegal for Black: the ko, and White's eye. */
const TRIES = ['E5', 'F4'];

/** News after which the step is announced to screen readers. @type {readonly News[]} */
const MOVED = ['step', 'played', 'cleared'];

class Go {
  #page;
  #session;
  #view;
  #status;
  #controls;
  #record;
  /** The invitation to try a move. */
  #lead;
  /** The parts to update after each change. @type {{ show: () => void }[]} */
  #parts;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #part;
  /** Does the step still have to be announced to screen readers? When the game opens, it does. */
  #stepToSay = true;
  #closed = new AbortController();

  /**
   * @param {Page} page
   * @param {Session} session
   */
  constructor(page, session) {
    this.#page = page;
    this.#session = session;
    this.#part = session.part;
    this.#lead = h('div', { class: 'go-choice', hidden: true }, h('p', {}, t('go.try')), h('div', { class: 'row' },
      TRIES.map((point) => button(t('go.try-point', { point }), () => session.play(examplePoint(point))))));
    const heading = new Heading('go', session), counts = new CountsCard(session, this.#lead);
    const node = new NodeCard(session, () => this.#controls.focus()), moves = new MovesCard(session), rules = new RulesCard(session);
    this.#status = new Status(session, {
      open: () => /** @type {HTMLElement} */ (this.#record.element.querySelector('input[type=file]')).click(),
      tryExample: () => this.#tryExample(),
      onButtonGone: () => this.#controls.focus(),
    });
    this.#view = new View(session, (event) => this.#key(event), () => this.#controls.show());
    this.#controls = new Controls(session, this.#view);
    this.#record = new RecordCard(session, page);
    this.#parts = [heading, this.#status, this.#view, this.#controls, counts, node, moves, rules, this.#record];
    this.element = h('div', { class: 'playground go' }, heading.element, this.#status.element,
      h('div', { class: 'board' }, this.#view.element),
      h('div', { class: 'controls' }, this.#controls.steps, this.#controls.bar),
      h('div', { class: 'side' }, node.element, counts.element, moves.element, rules.element, this.#record.element));
    session.listener = (news) => this.#onNews(news);
    const { signal } = this.#closed;
    listenForKeys(session, signal, (event) => this.#pageKeys(event));
    document.addEventListener('paste', (event) => this.#pasted(event), { signal });
    this.#show();
  }

  /** As a link, so that Back returns to this game. */
  #tryExample() {
    location.hash = `go=${encodeURIComponent(JSON.stringify({ question: EXAMPLE }))}`;
  }

  /** @param {News} news */
  #onNews(news) {
    const session = this.#session;
    this.#show();
    if (!['act', 'answer', 'late'].includes(news)) this.#stepToSay = MOVED.includes(news);
    const why = session.refusal && refusedText(session.refusal, session);
    if (news === 'refused' && why) say(why);
    else if (news === 'refused-again' && why) note(t('go.refused-again', { why }));
    else if (news === 'allowed') say(offerText(session));
    else if (['left', 'kept', 'cut', 'closed'].includes(news)) note(t(`go.${news}`));
    else if (news === 'unread') this.#record.showProblem();
    else if (news === 'opened' || news === 'cleared') this.#view.element.scrollIntoView({ block: 'nearest' });
    if (news === 'opened') note(openedText(session));
  }

  #show() {
    const { game, step, length, mode, part } = this.#session;
    this.#lead.hidden = !isExample(game) || step < length || mode === 'edit';
    for (const shown of this.#parts) shown.show();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#announce(), REST);
    if (part !== this.#part) this.#page.changed(); // another game
    this.#part = part;
  }

  /** Announce the step to screen readers, and update the link. */
  #announce() {
    if (this.#stepToSay && !this.#session.stale) {
      const { comment, choices } = this.#session;
      say(joined('sentences', [this.#status.words, comment, choices.length > 0 && t('go.ways', { count: choices.length })]));
      this.#stepToSay = false;
    }
    this.#page.changed();
  }

  /** A key on the board. @param {KeyboardEvent} event */
  #key(event) {
    const session = this.#session;
    return useKey(event, {
      ...modeKeys(session), ...this.#stepKeys(),
      escape: () => session.peek(null),
      ...(session.mode === 'edit'
        ? { b: () => session.setTool('B'), w: () => session.setTool('W'), delete: () => session.setTool(null) }
        : { p: () => session.play(null), c: () => this.#switch() }),
    });
  }

  /**
   * The keys that work outside the board.
   * @param {KeyboardEvent & { target: Element }} event
   */
  #pageKeys({ target }) {
    // Leave these keys to elements that handle them.
    if (target.closest('input, select, textarea, [tabindex="0"]')) return {};
    const { arrowleft, arrowright, home, end } = this.#arrows;
    return { ...this.#stepKeys(), arrowleft, arrowright, home, end };
  }

  get #arrows() {
    const session = this.#session;
    return {
      arrowleft: () => session.goTo(session.step - 1), arrowright: () => session.goTo(session.step + 1),
      home: () => session.goTo(0), end: () => session.goTo(session.length),
    };
  }

  /** The keys that step through the game, on the board and outside. */
  #stepKeys() {
    const session = this.#session, { arrowleft: back, arrowright: forward, home: first, end: last } = this.#arrows;
    return {
      ',': back, '.': forward, '<': first, '>': last, 'shift arrowleft': back, 'shift arrowright': forward,
      m: () => this.#toMiss(1), 'shift m': () => this.#toMiss(-1),
      'shift arrowup': () => this.#toVariation(-1), 'shift arrowdown': () => this.#toVariation(1),
    };
  }

  #switch() {
    this.#session.setNext(other(this.#session.next));
    say(t(`go.turn.${this.#session.next}`));
  }

  /** @param {1 | -1} way */
  #toMiss(way) {
    if (!this.#session.toMiss(way)) note(t('go.no-misses'));
  }

  /** @param {1 | -1} way */
  #toVariation(way) {
    if (!this.#session.toVariation(way)) note(t('go.no-variations'));
  }

  /** @param {ClipboardEvent} event */
  #pasted(event) {
    if (/** @type {Element} */ (event.target).closest?.('input, textarea')) return;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (!isRecord(text)) return;
    event.preventDefault();
    this.#record.read(text);
  }

  /** @param {File} file */
  async #take(file) {
    if (!/\.(sgf|mgt)$/i.test(file.name) && !isRecord(await file.slice(0, 4096).text())) return false;
    void this.#record.take(file);
    return true;
  }

  /** @type {Playground} */
  get playground() {
    return { element: this.element, session: this.#session, take: (file) => this.#take(file), close: () => this.#close() };
  }

  #close() {
    clearTimeout(this.#timer);
    this.#closed.abort();
  }
}

/**
 * @param {Page} page
 * @param {any} state of a link; undefined for an empty board
 * @param {Session} [session] the session to continue
 */
export function open(page, state, session) {
  const first = { game: { ...PLACEHOLDER }, step: 0, mode: /** @type {const} */ ('play'), alternate: true, turn: null };
  return new Go(page, session ?? new Session(page, state ? readState(state) : first)).playground;
}
