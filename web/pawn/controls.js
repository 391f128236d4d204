// The way through a game: undo and redo, a slider, and the list of what was played and of how it goes on with the best
// moves.

import { h, put, s } from '../page/dom.js';
import { t } from '../page/text.js';
import { enable, press } from './choice.js';
import { moveName } from './words.js';
import { positions } from './record.js';

/** @typedef {import('./session.js').Session} Session */

/**
 * @typedef {object} Acts
 * @property {() => void} undo
 * @property {() => void} redo
 * @property {() => void} restart
 * @property {() => void} forget
 * @property {() => void} resume
 * @property {(at: number) => void} look
 */

/** Signs behind a move, as chess has them. */
const SIGNS = { best: '', slower: '?!', sooner: '?!', 'tie-lost': '?', 'win-lost': '??' };

export class Track {
  #at = 0;
  /** @type {readonly import('./board.js').Move[] | null} the moves in the list */
  #listed = null;
  #acts;
  #slider;
  #walk;
  #count = h('output', { class: 'soft' });
  #buttons;
  #list = h('ol', { class: 'pawn-track', start: 1 });
  #none = h('p', { class: 'soft' }, t('pawn.track.none'));

  /** @param {Acts} acts */
  constructor(acts) {
    this.#acts = acts;
    const sign = (/** @type {string} */ path) =>
      s('svg', { class: 'pawn-sign', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d: path }));
    const button = (/** @type {string} */ key, /** @type {() => void} */ act, path = '') =>
      press(t(`pawn.track.${key}`), act, path && sign(path));
    const look = (/** @type {number} */ at) => acts.look(at);
    this.#slider = h('input', { type: 'range', min: 0, max: 0, value: 0, 'aria-label': t('pawn.track.move'),
      oninput: () => look(Number(this.#slider.value)) });
    this.#buttons = {
      undo: button('undo', acts.undo),
      redo: button('redo', acts.redo),
      restart: button('restart', acts.restart),
      first: button('first', () => look(0), 'M7 4v16M20 4v16L11 12z'),
      back: button('back', () => look(this.#at - 1), 'M17 4v16L7 12z'),
      forward: button('forward', () => look(this.#at + 1), 'M7 4v16L17 12z'),
      last: button('last', () => look(Infinity), 'M4 4v16L13 12zM17 4v16'),
      forget: button('forget', acts.forget),
      resume: button('resume', acts.resume),
    };
    const { undo, redo, restart, first, back, forward, last, forget, resume } = this.#buttons;
    resume.classList.add('main');
    this.#walk = h('div', { class: 'row pawn-walk', role: 'group', 'aria-label': t('pawn.track.walk') },
      first, back, this.#slider, this.#count, forward, last);
    this.controls = h('div', { class: 'pawn-controls play' },
      h('div', { class: 'row' }, undo, redo, restart, resume), this.#walk);
    this.element = h('section', { class: 'card', 'aria-label': t('pawn.track.title') },
      h('div', { class: 'row' }, h('h2', {}, t('pawn.track.title')), h('span', { class: 'end' }, forget)),
      this.#none, this.#list);
  }

  /** @param {Session} session */
  show(session) {
    const { record, track, history, values, waiting, ending } = session, visible = values ? track : record.moves;
    this.#at = record.at;
    this.element.hidden = this.#walk.hidden = session.mode === 'edit';
    Object.assign(this.#slider, { max: String(visible.length), value: String(record.at) });
    this.#slider.setAttribute('aria-valuetext', t('pawn.track.at', { at: record.at, total: visible.length }));
    put(this.#count, `${record.at} / ${visible.length}`);
    const { undo, redo, restart, first, back, forward, last, forget, resume } = this.#buttons;
    enable(undo, history.canUndo);
    enable(redo, history.canRedo);
    enable(restart, record.moves.length > 0);
    restart.classList.toggle('main', Boolean(ending));
    restart.hidden = session.mode === 'edit';
    for (const button of [first, back]) enable(button, record.at > 0);
    for (const button of [forward, last]) enable(button, record.at < visible.length);
    forget.hidden = record.at === record.moves.length;
    resume.hidden = !waiting;
    this.#none.hidden = visible.length > 0;
    this.#showList(session, visible);
  }

  /** Have all of the list written anew: what its moves are worth has become known. */
  forget() {
    this.#listed = null;
  }

  /**
   * The list has as many moves as a game: where the game is the same, only what one has come past is looked at.
   * @param {Session} session
   * @param {readonly import('./board.js').Move[]} visible
   */
  #showList(session, visible) {
    const { record: { at } } = session;
    while (this.#list.children.length > visible.length) this.#list.lastElementChild?.remove();
    while (this.#list.children.length < visible.length) this.#add(this.#list.children.length + 1);
    const all = visible !== this.#listed, before = positions({ ...session.record, moves: visible });
    this.#listed = visible;
    const changed = all ? visible.keys() : [at - 2, at - 1].filter((index) => index >= 0);
    for (const index of changed) this.#name(session, before[index], index);
    this.#list.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const current = /** @type {HTMLElement | undefined} */ (this.#list.children[at - 1]);
    current?.firstElementChild?.setAttribute('aria-current', 'step');
    this.#list.scrollTop = current ? current.offsetTop - this.#list.clientHeight / 2 : 0;
  }

  /**
   * Write a move of the list, with what it was worth.
   * @param {Session} session
   * @param {import('./record.js').Position} before
   * @param {number} index
   */
  #name(session, { board, turn }, index) {
    const item = this.#list.children[index], button = /** @type {HTMLButtonElement} */ (item.firstElementChild);
    const mark = session.judgementAt(index)?.judgement ?? 'best', further = index >= session.record.moves.length;
    const text = `${index + 1}. ${moveName(board, session.track[index])}${SIGNS[mark]}`;
    const worth = mark === 'best' ? '' : t(`pawn.mark.${mark}`);
    item.className = `${turn.toLowerCase()}${further ? ' further' : ''}${mark.endsWith('-lost') ? ' bad' : ''}`;
    button.textContent = text;
    button.title = worth;
    const label = [t(`pawn.side.${turn}`), text, worth, further ? t('pawn.track.best-line') : ''];
    button.setAttribute('aria-label', label.filter((part) => part !== '').join(' '));
  }

  /** @param {number} at */
  #add(at) {
    this.#list.append(h('li', {}, h('button', { type: 'button', class: 'plain', onclick: () => this.#acts.look(at) })));
  }
}
