// The playground of Minesweeper for two: it connects the session with what is on the page.

import { h, save } from '../page/dom.js';
import { listenForKeys, undoKeys, useKey } from '../page/keys.js';
import { PuzzleLine, resultText } from '../page/puzzle-line.js';
import { say } from '../page/say.js';
import { joined, t } from '../page/text.js';
import { heading } from '../page/ui.js';
import { wantsAnalysis } from '../page/values.js';
import { FieldCard, GameCard, VerdictCard } from './cards.js';
import { Controls } from './controls.js';
import { Field } from './field.js';
import { jsonOf, readState, shownOf, textOf } from './link.js';
import { Session } from './session.js';
import { Status } from './status.js';
import { View } from './view.js';
import { cellName, clickText, verdictText } from './words.js';

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
  #puzzle;

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
    if (before) [this.#fresh, this.#view.xray] = [before.#fresh, before.#view.xray];
    const draw = (/** @type {number} */ rows, /** @type {number} */ cols, /** @type {number} */ mines) => {
      this.#fresh = true;
      session.replace(Field.random(rows, cols, mines));
      this.#status.element.scrollIntoView({ block: 'nearest' });
    };
    this.#puzzle = new PuzzleLine('mine', page.puzzle);
    this.#status = new Status(session, () => session.undo());
    this.#controls = new Controls(session, this.#view, {
      puzzle: () => page.puzzle(), draw, reveal: (shows) => this.#reveal(shows), analyse: (always) => session.analyse(always),
    });
    this.#verdict = new VerdictCard(session, {
      harder: () => session.harder(), stop: () => session.cancel(), back: () => session.takeBack(), place: () => this.#showPlace(),
    });
    this.#game = new GameCard(session, {
      goTo: (count) => session.goTo(count), xray: (on) => { this.#view.xray = on; this.#show(); },
    });
    this.#field = new FieldCard({ save: (kind) => this.#save(kind), draw });
    this.element = h('div', { class: 'playground mine' }, heading('mine', this.#controls.mode),
      h('div', { class: 'board' }, this.#puzzle.elements, this.#status.element, this.#view.pane,
        this.#status.remarks, this.#view.words, this.#controls.element),
      h('div', { class: 'side' }, this.#verdict.element, this.#game.element, this.#field.element));
    this.#show();
    const undo = () => session.undo(), redo = () => session.redo();
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
    this.#puzzle.show(this.#session.puzzle);
    this.#view.show();
    this.#showVerdict();
    this.#game.show(this.#view.xray);
    this.#field.show(this.#session.field);
    this.#controls.show();
  }

  #showVerdict() {
    this.#verdict.show();
    this.#status.show();
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
    const { position: { by, clicks }, result, mode, puzzle } = this.#session;
    if (this.#fresh && result?.unsolved) this.#showPlace();
    this.#fresh = false;
    if (!result) return;
    const last = by === 'opponent' ? clicks.at(-1) : undefined;
    if (last) this.#view.reveal(...last);
    const solved = puzzle?.solved && clicks.length === 1 + Number(by === 'opponent') && resultText(puzzle);
    say(joined('sentences', [solved, mode === 'play' && last && clickText(clicks), this.#status.words, verdictText(result)]));
  }

  #showPlace() {
    const unsolved = this.#session.result?.unsolved;
    if (unsolved) this.#view.center(unsolved.at[0], unsolved.at[1]);
  }

  /** @param {import('../page/values.js').Shows} shows */
  #reveal(shows) {
    const session = this.#session;
    session.reveal(shows);
    const [best] = session.scene.wins;
    if (shows === 'hint') this.#view.tell(best ? t('mine.hint', { cell: cellName(best) }) : t('mine.wins-total', { count: 0 }));
    if (shows === 'hint' && best) this.#view.reveal(...best);
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
    if (came === 'wrong') say(this.#status.words);
    else if (came !== 'done') this.#view.tell(t(`mine.not-${came}`));
  }

  /** A key on the field. @param {KeyboardEvent} event */
  #key(event) {
    const session = this.#session, nearer = () => this.#view.zoom(1);
    return useKey(event, {
      u: () => session.undo(), r: () => session.redo(), n: () => this.#controls.draw(),
      h: () => this.#reveal('hint'), v: () => this.#reveal(session.shows === 'values' ? 'nothing' : 'values'),
      e: () => session.setMode(session.mode === 'play' ? 'paint' : 'play'),
      '+': nearer, '=': nearer, '-': () => this.#view.zoom(-1), 0: () => this.#view.zoom(0),
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
    ? { field: Field.asked({ board: FIRST }), clicks: [], mode: /** @type {const} */ ('play'), side: /** @type {const} */ ('Xiemao'), wins: wantsAnalysis() }
    : readState(state);
  return new Mine(page, shown, before).playground;
}
