// Drawing a board: of any kind at random, or one of those with the longest wins known.

import { h, put } from '../page/dom.js';
import { failureText } from '../page/problem.js';
import { say } from '../page/say.js';
import { isFailure } from '../page/service.js';
import { t } from '../page/text.js';
import { questionOf } from './ask.js';
import { columns, LEAST_SIDE, MOST_SIDE } from './board.js';
import { draw, KINDS } from './random.js';
import { LONGEST } from './longest.js';
import { valueWords } from './words.js';

/** @typedef {import('./ask.js').Answers} Answers */
/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./record.js').Position} Position */
/** @typedef {typeof KINDS[number]} Kind */

export class Draws {
  #session;
  #answers;
  #took;
  /** @type {AbortController | null} of the search that is going on */
  #search = null;
  #kind;
  #known;
  #hint = h('p', { class: 'soft' });
  #told = h('p');
  #start = h('button', { type: 'button', class: 'main', onclick: () => this.#draw() }, t('pawn.draw.draw'));
  #stop = h('button', { type: 'button', hidden: true, onclick: () => this.stop() }, t('pawn.draw.stop'));

  /**
   * @param {Session} session whose board tells how large the drawn ones are
   * @param {Answers} answers
   * @param {(position: Position, kind: Kind) => void} took what to do with a board that was drawn
   */
  constructor(session, answers, took) {
    this.#session = session;
    this.#answers = answers;
    this.#took = took;
    this.#kind = h('select', { 'aria-label': t('pawn.draw.kind'), onchange: () => this.#chosen() },
      KINDS.map((kind) => h('option', { value: kind }, t(`pawn.draw.${kind}`))));
    this.#known = h('select', { 'aria-label': t('pawn.draw.known'), onchange: () => this.#draw() },
      LONGEST.map(({ board, ...value }, at) => h('option', { value: at }, t('pawn.draw.entry',
        { rows: board.length, cols: columns(board), value: valueWords(value) }))));
    this.element = h('section', { class: 'card', 'aria-label': t('pawn.draw.title') },
      h('h2', {}, t('pawn.draw.title')),
      h('div', { class: 'row' }, this.#kind, this.#known, this.#start, this.#stop), this.#hint, this.#told);
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
    put(this.#hint, t(`pawn.draw.hint.${this.#what}`));
    put(this.#told);
  }

  async #draw() {
    this.stop();
    const kind = this.#what;
    if (kind === 'longest') return this.#took(LONGEST[Number(this.#known.value)], kind);
    const search = this.#search = new AbortController();
    this.#searching(true);
    try {
      const { board } = this.#session.position;
      const within = (/** @type {number} */ side) => Math.max(LEAST_SIDE, Math.min(MOST_SIDE, side));
      const rows = within(board.length), cols = within(columns(board));
      const { position, tried } = await draw(rows, cols, kind, async (positions) => {
        const answers = await this.#answers.ask(positions.map(questionOf), search.signal);
        return answers.map(({ result }) => result);
      });
      this.#tell(t(position ? 'pawn.draw.found' : 'pawn.draw.none', { tried }));
      if (position) this.#took(position, kind);
    } catch (error) {
      if (search.signal.aborted) put(this.#told, t('pawn.draw.stopped'));
      else if (isFailure(error)) this.#tell(failureText(error));
      else throw error;
    } finally {
      if (this.#search === search) this.#searching(false);
    }
  }

  /** @param {boolean} going */
  #searching(going) {
    if (going) put(this.#told, t('pawn.draw.searching'));
    this.#stop.hidden = !going;
  }

  /** @param {string} text */
  #tell(text) {
    put(this.#told, text);
    say(text);
  }
}
