// The state of the game: the current step, or why a move was refused, or what is wrong with the board.

import { h, setContent } from '../page/dom.js';
import { problemShown } from '../page/problem.js';
import { t } from '../page/text.js';
import { button, setPressed } from '../page/ui.js';
import { placeOf, sameItems } from './game.js';
import { isEmpty, nameOf } from './points.js';
import { offerText, refusedText, stepText } from './words.js';

/** @typedef {import('./session.js').Session} Session */

export class Status {
  #session;
  #onButtonGone;
  /** On an empty board: the ways to begin other than playing a stone. */
  #ways;
  #showEarlier = button(t('go.show-earlier'), () => this.#peek(), { 'aria-pressed': 'false' });
  #goEarlier = button(t('go.go-earlier'), () => this.#goBack());
  #playOffer = button('', () => this.#playOffered());
  /** @type {unknown[]} */
  #shown = [];
  element = h('div', { class: 'status go-status' });

  /**
   * @param {Session} session
   * @param {object} acts
   * @param {() => void} acts.open          open a record
   * @param {() => void} acts.tryExample
   * @param {() => void} acts.onButtonGone  called when the focused button is removed
   */
  constructor(session, { open, tryExample, onButtonGone }) {
    this.#session = session;
    this.#onButtonGone = onButtonGone;
    this.#ways = h('div', { class: 'row' }, button(t('go.open-record'), open), button(t('go.try-example'), tryExample));
  }

  /** The refusal to show; none while the board is being edited. */
  get #refused() {
    return this.#session.mode === 'play' ? this.#session.refused : null;
  }

  get words() {
    const session = this.#session, { mode, stale, asking } = session, refused = this.#refused;
    if (refused) return refusedText(refused, session);
    if (mode === 'edit') return t(session.record ? 'go.edit-record' : 'go.edit-note');
    if (session.offer) return offerText(session);
    if (stale) return t(asking === 'failed' ? 'page.unanswered' : asking === 'late' ? 'page.late' : 'go.waiting');
    return stepText(session);
  }

  /** Replace the content only if it has changed, because a button in it may have the focus. */
  show() {
    const session = this.#session, { problem, line, preview, mode, record, length, board, offer, size } = session, refused = this.#refused;
    setPressed(this.#showEarlier, preview !== null);
    const text = problem ? '' : this.words;
    const empty = !problem && mode === 'play' && !record && length === 0 && isEmpty(board);
    const brief = !empty && !problem && !refused && !offer && mode === 'play' && line?.boards !== null && !session.over;
    const earlier = !problem && refused?.repeats !== undefined && Boolean(line?.board(refused.repeats));
    const key = [problem, refused, text, brief, earlier, empty, offer];
    if (sameItems(key, this.#shown)) return;
    this.#shown = key;
    this.element.classList.toggle('go-refusal', refused !== null && !problem);
    this.element.classList.toggle('go-brief', brief);
    this.element.classList.toggle('go-asking', session.pending !== null);
    const at = offer && placeOf(offer);
    if (at) setContent(this.#playOffer, t('go.try-point', { point: nameOf(at, size) }));
    setContent(this.element, problem ? this.#problem(problem) : h('p', {}, text),
      empty && this.#ways, offer && this.#playOffer, earlier && h('div', { class: 'row' }, this.#showEarlier, this.#goEarlier));
  }

  /** @param {import('../arbiter.js').Problem} problem */
  #problem(problem) {
    const { faults, size } = this.#session;
    if (faults.length === 0 || faults.length < problem.errors.length) return problemShown(problem, { cell: (at) => nameOf(at, size) });
    return h('div', { class: 'problem', role: 'alert' },
      faults.map((at) => h('p', {}, t('go.no-liberty', { point: nameOf(at, size) }))));
  }

  #playOffered() {
    const { offer } = this.#session;
    if (offer) this.#session.play(placeOf(offer), offer[0]);
    this.#onButtonGone();
  }

  #peek() {
    const { preview, refused } = this.#session;
    this.#session.peek(preview === null ? refused?.repeats ?? null : null);
  }

  #goBack() {
    const { refused } = this.#session;
    if (refused?.repeats !== undefined) this.#session.goTo(refused.repeats);
    this.#onButtonGone();
  }
}
