// Below the board: the bar, what is shown of the values, and the steps through the game and the best line.

import { Bar, Hints } from '../page/bar.js';
import { h, put } from '../page/dom.js';
import { failureText } from '../page/problem.js';
import { say } from '../page/say.js';
import { isFailure } from '../page/service.js';
import { t } from '../page/text.js';
import { button, select, Steps } from '../page/ui.js';
import { questionOf } from './ask.js';
import { columns, LEAST_SIDE, MOST_SIDE } from './board.js';
import { PLAYS } from './link.js';
import { LONGEST } from './longest.js';
import { draw, KINDS } from './random.js';
import { valueWords } from './words.js';

/** @typedef {import('./record.js').Position} Position */
/** @typedef {import('./session.js').Session} Session */
/** @typedef {typeof KINDS[number]} Kind */

/**
 * @typedef {object} Acts
 * @property {() => void} undo
 * @property {() => void} redo
 * @property {() => void} restart
 * @property {() => void} resume
 * @property {() => void} puzzle
 * @property {(plays: import('./link.js').Plays) => void} choose
 * @property {(shows: import('../page/values.js').Shows) => void} reveal
 * @property {(always: boolean) => void} analyse
 * @property {(at: number) => void} look
 */

const SIGNS = { first: 'M7 4v16M20 4v16L11 12z', back: 'M17 4v16L7 12z', forward: 'M7 4v16L17 12z', last: 'M4 4v16L13 12zM17 4v16' };

export class Controls {
  #session;
  #bar;
  #hints;
  #plays;
  #resume;
  #steps;

  /**
   * @param {Session} session
   * @param {Acts} acts
   * @param {NewBoard} newBoard
   */
  constructor(session, { look, resume, choose, reveal, analyse, ...acts }, newBoard) {
    this.#session = session;
    this.#plays = select(PLAYS.map((plays) => [plays, t(`pawn.side.${plays}`)]),
      (plays) => choose(/** @type {import('./link.js').Plays} */ (plays)));
    this.#bar = new Bar({
      ...acts, fresh: () => newBoard.draw(), kinds: newBoard.kinds, sides: h('label', {}, t('play.side'), this.#plays),
    });
    this.#hints = new Hints({ reveal, analyse });
    this.#resume = button(t('pawn.track.resume'), resume, { class: 'main' });
    const name = (/** @type {string} */ key) => t(`pawn.track.${key}`);
    this.#steps = new Steps({
      label: name('walk'), kind: 'row pawn-walk', signs: SIGNS, show: look,
      names: { first: name('first'), back: name('back'), forward: name('forward'), last: name('last'), step: name('move') },
      middle: (slider, count) => [slider, count],
    });
    this.#steps.count.className = 'soft';
    this.element = h('div', { class: 'controls' }, this.#bar.element, newBoard.told, this.#hints.element, this.#resume, this.#steps.element);
  }

  show() {
    const { record, visible, history, waiting, ending, mode, plays, shows, analysis, result } = this.#session;
    this.#bar.show({ canUndo: history.canUndo, canRedo: history.canRedo, canRestart: record.moves.length > 0, over: Boolean(ending) });
    this.#plays.value = plays;
    this.#hints.element.hidden = this.#steps.element.hidden = mode === 'edit';
    this.#hints.show({ shows, analysis, known: Boolean(result) });
    this.#resume.hidden = !waiting;
    this.#steps.show(record.at, visible.length, t('pawn.track.at', { at: record.at, total: visible.length }));
  }
}

/** A new board of a kind, for the bar. */
export class NewBoard {
  #session;
  #ask;
  #take;
  /** @type {AbortController | null} of the search that is going on */
  #search = null;
  #kind;
  #known;
  #words = h('span');
  #stop = button(t('play.stop'), () => this.stop(), { hidden: true });
  /** How the search goes. */
  told = h('p', { class: 'soft' }, this.#words, ' ', this.#stop);

  /**
   * @param {Session} session whose board tells how large the drawn ones are
   * @param {import('./ask.js').Ask} ask
   * @param {(position: Position) => void} take what to do with a board that was drawn
   */
  constructor(session, ask, take) {
    this.#session = session;
    this.#ask = ask;
    this.#take = take;
    this.#kind = select(KINDS.map((kind) => [kind, t(`pawn.draw.${kind}`)]), () => this.#chosen(), { 'aria-label': t('pawn.draw.kind') });
    this.#known = select(LONGEST.map(({ board, ...value }, at) => [at, t('pawn.draw.entry',
      { rows: board.length, cols: columns(board), value: valueWords(value) })]), () => this.draw(), { 'aria-label': t('pawn.draw.known') });
    this.kinds = [this.#kind, this.#known];
    this.#chosen();
  }

  /** End a search. */
  stop() {
    this.#search?.abort();
  }

  /** @returns {Kind} */
  get #what() {
    return /** @type {Kind} */ (this.#kind.value);
  }

  #chosen() {
    this.stop();
    this.#known.hidden = this.#what !== 'longest';
    put(this.#words, this.#what === 'any' ? '' : t(`pawn.draw.hint.${this.#what}`));
  }

  async draw() {
    this.stop();
    const kind = this.#what;
    if (kind === 'longest') return this.#take(LONGEST[Number(this.#known.value)]);
    const search = this.#search = new AbortController();
    this.#stop.hidden = false;
    put(this.#words, t('pawn.draw.searching'));
    try {
      const { board } = this.#session.position;
      const within = (/** @type {number} */ side) => Math.max(LEAST_SIDE, Math.min(MOST_SIDE, side));
      const rows = within(board.length), cols = within(columns(board));
      const { position, tried } = await draw(rows, cols, kind, async (positions) => {
        const answers = await this.#ask.ask(positions.map(questionOf), search.signal);
        return answers.map(({ result }) => result);
      });
      this.#tell(t(position ? 'pawn.draw.found' : 'pawn.draw.none', { tried }));
      if (position) this.#take(position);
    } catch (error) {
      if (search.signal.aborted) put(this.#words, t('pawn.draw.stopped'));
      else if (isFailure(error)) this.#tell(failureText(error));
      else throw error;
    } finally {
      if (this.#search === search) this.#stop.hidden = true;
    }
  }

  /** @param {string} text */
  #tell(text) {
    put(this.#words, text);
    say(text);
  }
}
