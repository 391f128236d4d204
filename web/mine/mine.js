// The playground of Minesweeper for two: connects the session with the elements of the page.

import { h } from '../page/dom.js';
import { Heading, resultText, taskText } from '../page/heading.js';
import { listenForKeys, modeKeys, undoKeys, useKey, valueKeys } from '../page/keys.js';
import { note, say } from '../page/say.js';
import { joined, t } from '../page/text.js';
import { wantsAnalysis } from '../page/values.js';
import { FieldCard, GameCard, VerdictCard } from './cards.js';
import { Controls } from './controls.js';
import { Field } from './field.js';
import { readState, shownOf } from './link.js';
import { Session } from './session.js';
import { Status } from './status.js';
import { View } from './view.js';
import { clickText, hintText, missingText } from './words.js';

/** @typedef {import('../page/main.js').Page} Page */
/** @typedef {import('../page/main.js').Playground} Playground */
/** @typedef {import('./link.js').Shown} Shown */

/** The field of the first visit: three openings, 3BV is 5, and three first clicks win. */
const FIRST = ['..*...', '......', '...*..', '....*.', '*.....', '......'];

/** The update of the link waits a millisecond for every 5000 cells of the field. */
const CELLS_A_MILLISECOND = 5000;

class Mine {
  #page;
  #session;
  #view;
  #status;
  #controls;
  #verdict;
  /** The parts to update after each change. @type {{ show: () => void }[]} */
  #parts;
  /** The last message about a missing answer; '' if there is none. */
  #missing = '';
  /** Was the field begun, and not announced yet? */
  #isNew;
  #frame = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #linkTimer;
  #closed = new AbortController();

  /**
   * @param {Page} page
   * @param {Session} session
   */
  constructor(page, session) {
    this.#page = page;
    this.#session = session;
    this.#isNew = session.puzzle !== null;
    const heading = new Heading('mine', session, page.puzzle), game = new GameCard(session), field = new FieldCard(session);
    this.#status = new Status(session, () => this.#view.focus());
    this.#view = new View(session, { key: (event) => this.#key(event), sized: () => this.#controls.show() });
    this.#controls = new Controls(session, this.#view, () => page.puzzle());
    this.#verdict = new VerdictCard(session, () => {
      this.#showPlace();
      this.#view.pane.scrollIntoView({ block: 'nearest' });
    }, (row, col) => {
      this.#view.moveTo(row, col);
      this.#view.pane.scrollIntoView({ block: 'nearest' });
    });
    this.#parts = [heading, this.#view, this.#verdict, this.#status, game, field, this.#controls];
    this.element = h('div', { class: 'playground mine' }, heading.element, this.#status.element,
      h('div', { class: 'board' }, this.#view.pane),
      h('div', { class: 'controls' }, this.#view.words, this.#status.remarks, this.#controls.bar),
      h('div', { class: 'side' }, this.#verdict.element, game.element, field.element));
    session.listener = (news) => this.#onNews(news);
    listenForKeys(session, this.#closed.signal);
    this.#show();
  }

  /** @param {import('./session.js').News} news */
  #onNews(news) {
    const session = this.#session;
    if (news === 'late') return this.#showVerdict();
    if (news === 'paint') this.#frame ||= requestAnimationFrame(() => this.#show());
    else this.#show();
    if (news === 'begun') {
      this.#isNew = true;
      this.#status.element.scrollIntoView({ block: 'nearest' });
    }
    if (news === 'hint') this.#showHint();
    if (news === 'wrong' || news === 'answers') say(this.#status.words);
    if (news === 'first-answer') this.#showPlace();
    if (news === 'answer' || news === 'first-answer') return this.#announce();
    // Encoding a large field takes time, so don't do it for each cell of a stroke.
    clearTimeout(this.#linkTimer);
    this.#linkTimer = setTimeout(() => this.#page.changed(), session.field.cells / CELLS_A_MILLISECOND);
  }

  #show() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    for (const part of this.#parts) part.show();
    this.#sayMissing();
  }

  /** Update the parts that change while the page waits for an answer. */
  #showVerdict() {
    this.#verdict.show();
    this.#status.show();
    this.#sayMissing();
  }

  /** Announce to screen readers that there is no answer, once for each reason. */
  #sayMissing() {
    const missing = missingText(this.#session);
    if (missing !== '' && missing !== this.#missing) say(missing);
    this.#missing = missing;
  }

  /** Announce to screen readers the computer's last click and the state of the game. */
  #announce() {
    const { position: { by, clicks }, result, mode, puzzle, field: { rows, cols } } = this.#session;
    if (!result) return;
    const begun = this.#isNew && (puzzle ? !puzzle.solved && taskText('mine', puzzle) : t('mine.begun', { rows, cols }));
    this.#isNew = false;
    const last = by === 'opponent' ? clicks.at(-1) : undefined;
    if (last) this.#view.scrollTo(...last);
    const solved = puzzle?.solved && clicks.length === 1 + Number(by === 'opponent') && resultText(puzzle);
    say(joined('sentences', [begun, solved, mode === 'play' && last && clickText(clicks), this.#status.words]));
  }

  #showPlace() {
    const unsolved = this.#session.result?.unsolved;
    if (unsolved) this.#view.center(unsolved.at[0], unsolved.at[1]);
  }

  #showHint() {
    const [best] = this.#session.scene.wins;
    if (best) this.#view.moveTo(...best);
    say(hintText(this.#session));
  }

  /** A key on the field. @param {KeyboardEvent} event */
  #key(event) {
    const session = this.#session, view = this.#view, nearer = () => view.zoom(1), { 'ctrl z': back, 'ctrl y': forward } = undoKeys(session);
    return useKey(event, {
      ...modeKeys(session), ...valueKeys(session),
      n: () => this.#controls.draw(), ',': back, '.': forward,
      '+': nearer, '=': nearer, '-': () => view.zoom(-1), 0: () => view.zoom(0),
    });
  }

  /**
   * Show a file if it has a single field.
   * @param {File} file
   */
  async #take(file) {
    const shown = await shownOf(file);
    if (!shown) return false;
    this.#session.show(shown);
    const { rows, cols, mines } = shown.field;
    note(t('mine.opened', { name: file.name, rows, cols, mines }));
    return true;
  }

  /** @param {any} state of a link */
  #put(state) {
    const shown = readState(state);
    this.#session.show(shown);
    if (shown.analysis) this.#session.setAnalysis(true);
  }

  /** @type {Playground} */
  get playground() {
    return { element: this.element, session: this.#session, take: (file) => this.#take(file), put: (state) => this.#put(state), close: () => this.#close() };
  }

  #close() {
    this.#closed.abort();
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#linkTimer);
    this.#view.close();
  }
}

/**
 * @param {Page} page
 * @param {any} state of a link; undefined for the first field
 * @param {Session} [session] the session to continue
 */
export function open(page, state, session) {
  const first = () => /** @type {Shown} */ ({
    field: Field.asked({ board: FIRST }), clicks: [], mode: 'play', side: 'Xiemao', analysis: wantsAnalysis(),
  });
  return new Mine(page, session ?? new Session(page, state ? readState(state) : first())).playground;
}
