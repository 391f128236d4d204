// The playground of Minesweeper for two: it connects the session with what is on the page.

import { h, save } from '../page/dom.js';
import { listenForKeys, undoKeys, useKey } from '../page/keys.js';
import { say } from '../page/say.js';
import { joined, t } from '../page/text.js';
import { help } from '../page/ui.js';
import { FieldCard, GameCard, VerdictCard } from './cards.js';
import { Controls } from './controls.js';
import { Field } from './field.js';
import { jsonOf, readState, shownOf, textOf } from './link.js';
import { Session } from './session.js';
import { Status } from './status.js';
import { View } from './view.js';
import { clickText, verdictText } from './words.js';

/** @typedef {import('../page/main.js').Page} Page */
/** @typedef {import('../page/main.js').Playground} Playground */

/** What a newcomer sees: a field of four openings, which takes 17 clicks at least, and of which three win. */
const FIRST = ['........*', '.........', '......*..', '.*...*..*', '......**.', '..*......', '.......*.', '.....*...', '.........'];

/** Of a field of so many cells it takes a millisecond longer until the link and the question follow. */
const CELLS_A_MILLISECOND = 5000;

class Mine {
  #page;
  /** @type {Session} */
  #session;
  #coach = true;
  /** Has the field come from elsewhere, and not been answered yet? */
  #fresh = true;
  /** Why there is no answer, as it was said last: the key of the words. */
  #missing = '';
  #frame = 0;
  #closed = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #following;
  #view;
  #status;
  #controls;
  #verdict;
  #game;
  #field;

  /**
   * @param {Page} page
   * @param {import('./link.js').Shown} shown
   * @param {Mine} [before] the one whose place this takes, in another language
   */
  constructor(page, shown, before) {
    this.#page = page;
    const session = this.#session = new Session(page, shown, (news) => this.#heard(news), before && before.#session);
    this.#view = new View(session, {
      act: (row, col, how) => this.#act(row, col, how),
      key: (event) => this.#key(event),
      sized: () => this.#controls.show(),
    });
    if (before) [this.#coach, this.#fresh, this.#view.xray] = [before.#coach, before.#fresh, before.#view.xray];
    const draw = () => this.#field.submit();
    this.#status = new Status(session, { again: () => session.goTo(0), swap: () => this.#swap(), draw });
    this.#controls = new Controls(session, this.#view, draw);
    this.#verdict = new VerdictCard(session, {
      harder: () => session.harder(), stop: () => session.cancel(), back: () => session.takeBack(),
      place: () => this.#showPlace(), wins: () => session.setWins(!session.wins),
    });
    this.#game = new GameCard(session, {
      side: (side) => session.setSide(side), goTo: (count) => session.goTo(count),
      coach: (on) => { this.#coach = on; this.#show(); }, xray: (on) => { this.#view.xray = on; this.#show(); },
    });
    this.#field = new FieldCard({ save: (kind) => this.#save(kind), draw: (rows, cols, mines) => {
      this.#fresh = true;
      session.replace(Field.random(rows, cols, mines));
      this.#status.element.scrollIntoView({ block: 'nearest' });
    } });
    this.element = h('div', { class: 'playground mine' },
      h('div', { class: 'heading row' }, h('h1', {}, t('mine.name')), h('p', { class: 'soft' }, t('mine.line'))),
      h('div', { class: 'board' }, this.#status.element, this.#view.elements, this.#controls.element),
      h('div', { class: 'side' }, this.#verdict.element, this.#game.element, this.#field.element,
        h('section', { class: 'card', 'aria-label': t('mine.help.title') }, help('mine'))));
    this.#show();
    const undo = () => this.#controls.press('undo'), redo = () => this.#controls.press('redo');
    listenForKeys(({ target }) => (target.matches('input[type=number], textarea') ? {} : undoKeys(undo, redo)), this.#closed.signal);
    session.ask();
  }

  /** @param {import('./session.js').News} news */
  #heard(news) {
    const session = this.#session;
    if (news === 'time') return this.#showVerdict();
    if (news === 'paint') this.#frame ||= requestAnimationFrame(() => this.#show());
    else this.#show();
    if (news === 'answer') return this.#announce();
    // To write down a field of a million cells takes a while: not for every cell of a stroke.
    clearTimeout(this.#following);
    this.#following = setTimeout(() => this.#page.changed(), session.field.cells / CELLS_A_MILLISECOND);
  }

  #show() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#view.show();
    this.#showVerdict();
    this.#game.show(this.#coach, this.#view.xray);
    this.#field.show(this.#session.field);
    this.#controls.show();
  }

  #showVerdict() {
    this.#verdict.show();
    this.#status.show(this.#coach);
    this.#sayMissing();
  }

  /** Say that there is no answer: what was said of the position before does not hold. */
  #sayMissing() {
    const { waits, stale, problem } = this.#session;
    const key = problem ? 'mine.refused' : waits === 'failed' ? 'page.unanswered' : stale && waits === 'late' ? 'page.late' : '';
    if (key !== '' && key !== this.#missing) say(t(key));
    this.#missing = key;
  }

  /** Say what has happened, to those who do not see it. */
  #announce() {
    const { position: { by, clicks }, result, mode } = this.#session;
    if (this.#fresh && result?.unsolved) this.#showPlace();
    this.#fresh = false;
    if (!result) return;
    const last = by === 'opponent' ? clicks.at(-1) : undefined;
    if (last) this.#view.reveal(...last);
    say(joined('sentences', [mode === 'play' && last && clickText(clicks), this.#status.words, verdictText(result)]));
  }

  #showPlace() {
    const unsolved = this.#session.result?.unsolved;
    if (unsolved) this.#view.center(unsolved.at[0], unsolved.at[1]);
  }

  /** Play the other side, from the beginning. */
  #swap() {
    const { side } = this.#session;
    if (side !== 'both') this.#session.setSide(side === 'Xiemao' ? 'Fanglaoshi' : 'Xiemao');
    this.#session.goTo(0);
  }

  /**
   * @param {number} row
   * @param {number} col
   * @param {import('../page/grid.js').Act} how
   */
  #act(row, col, how) {
    if (this.#session.mode === 'paint') return this.#session.paint(row, col, how);
    if (how.second) return this.#view.tell(this.#view.describe(row, col));
    const came = this.#session.click(row, col);
    if (came !== 'done') this.#view.tell(t(`mine.not-${came}`));
  }

  /** A key on the field. @param {KeyboardEvent} event */
  #key(event) {
    const session = this.#session, controls = this.#controls;
    const nearer = () => controls.press('nearer');
    return useKey(event, {
      u: () => controls.press('undo'), r: () => controls.press('redo'), w: () => this.#verdict.showWins.click(),
      n: () => this.#field.submit(), e: () => session.setMode(session.mode === 'play' ? 'paint' : 'play'),
      '+': nearer, '=': nearer, '-': () => controls.press('farther'), 0: () => controls.press('fit'),
    });
  }

  /** @param {'json' | 'text'} kind */
  #save(kind) {
    const { field } = this.#session, name = `mine-${field.cols}x${field.rows}-${field.mines}`;
    if (kind === 'json') save(new Blob([jsonOf(field)], { type: 'application/json' }), `${name}.json`);
    else save(new Blob([textOf(field)], { type: 'text/plain' }), `${name}.txt`);
  }

  /**
   * Show a file, if it is one field.
   * @param {File} file
   */
  async #take(file) {
    const shown = await shownOf(file);
    if (!shown) return false;
    this.#fresh = true;
    this.#session.show(shown);
    return true;
  }

  /** @type {Playground} */
  get playground() {
    return {
      element: this.element,
      state: () => this.#session.state(),
      memory: this,
      question: () => this.#session.question(),
      take: (file) => this.#take(file),
      close: () => {
        this.#closed.abort();
        cancelAnimationFrame(this.#frame);
        clearTimeout(this.#following);
        this.#session.close();
        this.#view.close();
      },
    };
  }
}

/**
 * @param {Page} page
 * @param {any} state
 * @param {Mine} [before]
 * @returns {Playground}
 */
export function open(page, state, before) {
  const shown = state === undefined
    ? { field: Field.asked({ board: FIRST }), clicks: [], mode: /** @type {const} */ ('play'), side: /** @type {const} */ ('Xiemao'), wins: false }
    : readState(state);
  return new Mine(page, shown, before).playground;
}
