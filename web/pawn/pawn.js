// The playground of the crossing pawn: connects the session with the elements of the page.

import { h } from '../page/dom.js';
import { Heading, resultText, taskText } from '../page/heading.js';
import { listenForKeys, modeKeys, useKey, valueKeys } from '../page/keys.js';
import { note, say } from '../page/say.js';
import { joined, t } from '../page/text.js';
import { wantsAnalysis } from '../page/values.js';
import { FREE, OBSTACLE, PAWN, RED } from './board.js';
import { Editor, GameCard, MovesCard } from './cards.js';
import { Controls } from './controls.js';
import { readState } from './link.js';
import { begun } from './record.js';
import { Session } from './session.js';
import { Status } from './status.js';
import { View } from './view.js';
import { moveName } from './words.js';

/** @typedef {import('../page/main.js').Page} Page */
/** @typedef {import('../page/main.js').Playground} Playground */
/** @typedef {import('./link.js').Shown} Shown */

/** The first board: two moves win, two keep a tie, two lose. */
const FIRST = ['#..O..', '....#.', '.O#...', '..#...', '#....X', '......'];

/** @type {Record<string, string>} */
const PAINTING_KEYS = { '.': FREE, '#': OBSTACLE, o: RED, x: PAWN, delete: FREE, backspace: FREE };

class Pawn {
  #page;
  #session;
  #view;
  #status;
  #moves;
  #controls;
  #game;
  /** The parts that `#show` updates after each change. @type {{ show: () => void }[]} */
  #parts;
  /** The last text announced to screen readers. */
  #said = '';
  #closed = new AbortController();

  /**
   * @param {Page} page
   * @param {Session} session
   */
  constructor(page, session) {
    this.#page = page;
    this.#session = session;
    const heading = new Heading('pawn', session, page.puzzle), editor = new Editor(session);
    this.#status = new Status(session);
    this.#moves = new MovesCard(session, (moves) => this.#view.highlight(moves));
    this.#view = new View(session, { key: (event) => this.#key(event), highlighted: (moves) => this.#moves.mark(moves) });
    this.#controls = new Controls(session, () => page.puzzle());
    this.#game = new GameCard(session);
    this.#parts = [heading, this.#status, this.#view, this.#moves, this.#controls, this.#game, editor];
    this.element = h('div', { class: 'playground pawn' }, heading.element, this.#status.element,
      h('div', { class: 'board' }, this.#view.element),
      h('div', { class: 'controls' }, this.#view.readout, editor.palette, this.#controls.elements),
      h('div', { class: 'side' }, editor.element, this.#moves.element, this.#game.element));
    session.listener = (news) => this.#onNews(news);
    listenForKeys(session, this.#closed.signal, (event) => this.#pageKeys(event));
    this.#show();
  }

  /** @param {import('./session.js').News} news */
  #onNews(news) {
    const session = this.#session;
    if (news === 'broken') note(t('pawn.broken', { move: session.record.moves.length + 1 }), 'bad');
    if (news === 'checked') this.#game.renew(); // all moves of the record can be judged now
    if (news !== 'late') this.#page.changed();
    this.#show();
    if (news === 'unplayable') note(t('pawn.not-yet')); // after the mode was announced
  }

  #show() {
    const focused = this.#moves.element.contains(document.activeElement);
    for (const part of this.#parts) part.show();
    if (focused && this.#moves.element.hidden) this.#view.grid.element.focus();
    this.#announce();
  }

  /** Announce to screen readers the last move, its judgement, and the state of the game. */
  #announce() {
    const { words } = this.#status;
    if (words === '') return;
    const { last, before, lastVerdict, mode, puzzle, wrong, hint: best, position: { board } } = this.#session;
    const moved = () => t('pawn.moved', { side: t(`pawn.side.${before.turn}`), move: moveName(before.board, last) });
    const worth = lastVerdict && lastVerdict.judgement !== 'best' && mode === 'play' && t('pawn.move-value', {
      move: moveName(lastVerdict.position.board, lastVerdict.after), value: t(`pawn.mark.${lastVerdict.judgement}`),
    });
    const hint = best && t('pawn.hint.best', { move: moveName(board, best) });
    const solving = puzzle && (wrong ? t('puzzle.wrong', { move: moveName(board, wrong) }) : puzzle.solved ? resultText(puzzle) : puzzle.tries === 0 && taskText('pawn', puzzle));
    const said = joined('statements', [hint, solving, last && mode === 'play' && moved(), worth, words]);
    if (said !== this.#said) say(said);
    this.#said = said;
  }

  /** A key on the board. @param {KeyboardEvent} event */
  #key(event) {
    const session = this.#session, view = this.#view;
    if (session.mode === 'edit') {
      const painting = Object.entries(PAINTING_KEYS).map(([key, what]) => [key, () => session.paint(view.cell, what)]);
      return useKey(event, { ...modeKeys(session), ...Object.fromEntries(painting) });
    }
    return useKey(event, { ...modeKeys(session), ...valueKeys(session), ...this.#stepKeys(',', '.'), escape: () => view.choose(null) });
  }

  /**
   * The keys that work outside the board.
   * @param {KeyboardEvent & { target: Element }} event
   */
  #pageKeys({ target }) {
    const steps = this.#session.mode === 'play' && !target.closest('input, textarea, select, .grid');
    return steps ? this.#stepKeys('arrowleft', 'arrowright') : {};
  }

  /**
   * @param {string} back
   * @param {string} forward
   */
  #stepKeys(back, forward) {
    const session = this.#session, step = (/** @type {number} */ by) => session.goTo(session.record.at + by);
    return { [back]: () => step(-1), [forward]: () => step(1) };
  }

  /** @type {Playground} */
  get playground() {
    return { element: this.element, session: this.#session, put: (state) => this.#session.put(readState(state)), close: () => this.#close() };
  }

  #close() {
    this.#controls.close();
    this.#closed.abort();
  }
}

/**
 * @param {Page} page
 * @param {any} state from a link; undefined for the first board
 * @param {Session} [session] the session to continue
 */
export function open(page, state, session) {
  const first = () => /** @type {Shown} */ ({ record: begun(FIRST, 'Red'), mode: 'play', side: 'Red', analysis: wantsAnalysis() });
  return new Pawn(page, session ?? new Session(page, state ? readState(state) : first())).playground;
}
