// The playground of Minesweeper for two: it connects the session with what is on the page.

import { h } from '../page/dom.js';
import { Heading, resultText } from '../page/heading.js';
import { listenForKeys, modeKeys, useKey, valueKeys } from '../page/keys.js';
import { say } from '../page/say.js';
import { joined, t } from '../page/text.js';
import { wantsAnalysis } from '../page/values.js';
import { FieldCard, GameCard, VerdictCard } from './cards.js';
import { Controls } from './controls.js';
import { Field } from './field.js';
import { readState, shownOf } from './link.js';
import { Session } from './session.js';
import { Status } from './status.js';
import { View } from './view.js';
import { cellName, clickText, verdictText } from './words.js';

/** @typedef {import('../page/main.js').Page} Page */
/** @typedef {import('../page/main.js').Playground} Playground */
/** @typedef {import('./link.js').Shown} Shown */

/** What a newcomer sees: a field of four openings, which takes 17 clicks at least, and of which three win. */
const FIRST = ['........*', '.........', '......*..', '.*...*..*', '......**.', '..*......', '.......*.', '.....*...', '.........'];

/** The link and the question follow a millisecond later for this many cells of the field. */
const CELLS_A_MILLISECOND = 5000;

class Mine {
  #page;
  #session;
  #view;
  #status;
  #controls;
  #verdict;
  /** What is drawn again after each change. @type {{ show: () => void }[]} */
  #parts;
  /** Why there is no answer, as it was said last: the key of the words. */
  #missing = '';
  #frame = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #following;
  #closed = new AbortController();

  /**
   * @param {Page} page
   * @param {Session} session
   */
  constructor(page, session) {
    this.#page = page;
    this.#session = session;
    const heading = new Heading('mine', session, page.puzzle), game = new GameCard(session), field = new FieldCard(session);
    this.#status = new Status(session, () => this.#view.focus());
    this.#view = new View(session, { key: (event) => this.#key(event), sized: () => this.#controls.show() });
    this.#controls = new Controls(session, this.#view, () => page.puzzle());
    this.#verdict = new VerdictCard(session, () => {
      this.#showPlace();
      this.#view.pane.scrollIntoView({ block: 'nearest' });
    });
    this.#parts = [heading, this.#view, this.#verdict, this.#status, game, field, this.#controls];
    this.element = h('div', { class: 'playground mine' }, heading.element,
      h('div', { class: 'board' }, this.#status.element, this.#view.pane,
        this.#status.remarks, this.#view.words, this.#controls.element),
      h('div', { class: 'side' }, this.#verdict.element, game.element, field.element));
    session.listener = (news) => this.#heard(news);
    listenForKeys(session, () => ({}), this.#closed.signal);
    this.#show();
  }

  /** @param {import('./session.js').News} news */
  #heard(news) {
    const session = this.#session;
    if (news === 'late') return this.#showVerdict();
    if (news === 'paint') this.#frame ||= requestAnimationFrame(() => this.#show());
    else this.#show();
    if (news === 'begun') this.#status.element.scrollIntoView({ block: 'nearest' });
    if (news === 'hint') this.#showHint();
    if (news === 'wrong') say(this.#status.words);
    if (news === 'first-answer') this.#showPlace();
    if (news === 'answer' || news === 'first-answer') return this.#announce();
    // To write down a field of a million cells takes a while: not for every cell of a stroke.
    clearTimeout(this.#following);
    this.#following = setTimeout(() => this.#page.changed(), session.field.cells / CELLS_A_MILLISECOND);
  }

  #show() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    for (const part of this.#parts) part.show();
    this.#sayMissing();
  }

  /** Show again what changes with time alone. */
  #showVerdict() {
    this.#verdict.show();
    this.#status.show();
    this.#sayMissing();
  }

  /** Say that there is no answer: what was said of the position before does not hold. */
  #sayMissing() {
    const { asking, stale, problem } = this.#session;
    const key = problem ? 'mine.refused' : asking === 'failed' ? 'page.unanswered' : stale && asking === 'late' ? 'page.late' : '';
    if (key !== '' && key !== this.#missing) say(t(key));
    this.#missing = key;
  }

  /** Say to screen readers how the game stands, and the click that led there. */
  #announce() {
    const { position: { by, clicks }, result, mode, puzzle } = this.#session;
    if (!result) return;
    const last = by === 'opponent' ? clicks.at(-1) : undefined;
    if (last) this.#view.scrollTo(...last);
    const solved = puzzle?.solved && clicks.length === 1 + Number(by === 'opponent') && resultText(puzzle);
    say(joined('sentences', [solved, mode === 'play' && last && clickText(clicks), this.#status.words, verdictText(result)]));
  }

  /** Have the place in sight that is not solved. */
  #showPlace() {
    const unsolved = this.#session.result?.unsolved;
    if (unsolved) this.#view.center(unsolved.at[0], unsolved.at[1]);
  }

  #showHint() {
    const [best] = this.#session.scene.wins;
    if (best) this.#view.moveTo(...best);
    this.#view.tell(best ? t('mine.hint', { cell: cellName(best) }) : t('mine.wins-total', { count: 0 }));
  }

  /** A key on the field. @param {KeyboardEvent} event */
  #key(event) {
    const session = this.#session, view = this.#view, nearer = () => view.zoom(1);
    return useKey(event, {
      ...modeKeys(session), ...valueKeys(session),
      n: () => this.#controls.draw(),
      '+': nearer, '=': nearer, '-': () => view.zoom(-1), 0: () => view.zoom(0),
    });
  }

  /**
   * Show a file, if it is one field.
   * @param {File} file
   */
  async #take(file) {
    const shown = await shownOf(file);
    if (!shown) return false;
    this.#session.show(shown);
    return true;
  }

  /** @type {Playground} */
  get playground() {
    return { element: this.element, session: this.#session, take: (file) => this.#take(file), close: () => this.#close() };
  }

  #close() {
    this.#closed.abort();
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#following);
    this.#view.close();
  }
}

/**
 * @param {Page} page
 * @param {any} state of a link; undefined: the first field
 * @param {Session} [session] that goes on, in another language
 */
export function open(page, state, session) {
  const first = () => /** @type {Shown} */ ({
    field: Field.asked({ board: FIRST }), clicks: [], mode: 'play', side: 'Xiemao', analysis: wantsAnalysis(),
  });
  return new Mine(page, session ?? new Session(page, state ? readState(state) : first())).playground;
}
