// Below the board: what has just happened in words, the acts of a player, and the steps of the game.

import { h, put, s } from '../page/dom.js';
import { problemShown } from '../page/problem.js';
import { t } from '../page/text.js';
import { nameOf } from './points.js';
import { entryText, refusedText, stepText } from './words.js';

/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./line.js').Line} Line */

export class Walk {
  #session;
  #slider;
  #misses = s('path', {});
  #count = h('output', { 'aria-hidden': 'true' });
  #word = h('div', { class: 'word' });
  #earlier;
  #buttons;
  /** @type {Line | null} */
  #marked = null;
  /** @type {unknown[]} */
  #said = [];

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    this.#slider = h('input', { type: 'range', min: 0, max: 0, value: 0, 'aria-label': t('go.step'),
      oninput: () => session.to(Number(this.#slider.value)) });
    const button = (/** @type {string} */ key, /** @type {() => void} */ onclick, path = '') => h('button',
      { type: 'button', onclick, ...(path && { 'aria-label': t(key), title: t(key) }) },
      path ? s('svg', { class: 'sign', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d: path })) : t(key));
    this.#buttons = {
      first: button('go.first', () => session.to(0), 'M6 5h2v14H6zM19 5v14l-10-7z'),
      back: button('go.back', () => session.to(session.step - 1), 'M16 5v14L6 12z'),
      forward: button('go.forward', () => session.to(session.step + 1), 'M8 5v14l10-7z'),
      last: button('go.last', () => session.to(session.length), 'M16 5h2v14h-2zM5 5v14l10-7z'),
      pass: button('go.pass', () => session.play(null)),
      undo: button('go.undo', () => session.undo()),
      redo: button('go.redo', () => session.redo()),
    };
    this.#earlier = {
      show: h('button', { type: 'button', 'aria-pressed': 'false', onclick: () => this.#peek() }, t('go.show-earlier')),
      go: h('button', { type: 'button', onclick: () => this.#goBack() }, t('go.go-earlier')),
    };
    const { first, back, forward, last, pass, undo, redo } = this.#buttons;
    const mark = s('svg', { viewBox: '0 0 1 1', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, this.#misses);
    this.element = h('div', { class: 'walk' }, this.#word, h('div', { class: 'row' },
      h('div', { class: 'joined' }, pass, undo, redo), this.#count,
      h('div', { class: 'steps', role: 'group', 'aria-label': t('go.steps') },
        first, back, h('div', { class: 'track' }, this.#slider, mark), forward, last)));
  }

  show() {
    const session = this.#session, { step, length, line, mode } = session;
    if (this.#slider.max !== String(length)) this.#slider.max = String(length);
    this.#slider.value = String(step);
    const what = line && step > 0 ? [entryText(line.entry(step), session.size)] : [];
    this.#slider.setAttribute('aria-valuetext', [t('go.step-of', { step, length }), ...what].join(': '));
    this.#count.textContent = `${step} / ${length}`;
    const { first, back, forward, last, pass, undo, redo } = this.#buttons;
    const leafing = length > 0 && (line === null || line.boards !== null);
    first.disabled = back.disabled = !leafing || step === 0;
    last.disabled = forward.disabled = !leafing || step === length;
    this.#slider.disabled = !leafing;
    pass.disabled = mode === 'setup';
    undo.disabled = !session.history.canUndo && !session.pending;
    redo.disabled = !session.history.canRedo;
    this.#mark(line);
    this.#say();
  }

  /** Where in the game moves were refused. @param {Line | null} line */
  #mark(line) {
    if (!line || line === this.#marked) return;
    this.#marked = line;
    this.#misses.setAttribute('d', line.misses.map(({ move }) => `M${move / line.length} 0V1`).join(''));
  }

  /** What has happened: written anew only where it has changed, for a button in it may have the focus. */
  #say() {
    const session = this.#session, { problem, refused, line, preview } = session;
    this.#earlier.show.setAttribute('aria-pressed', String(preview !== null));
    const text = problem ? '' : refused ? refusedText(refused, session.size) : stepText(session);
    const brief = !problem && !refused && session.mode === 'play' && line?.boards !== null;
    const key = [problem, refused, text, brief];
    if (key.every((part, at) => part === this.#said[at])) return;
    this.#said = key;
    this.#word.classList.toggle('refusal', refused !== null && !problem);
    this.#word.classList.toggle('brief', brief);
    this.#word.classList.toggle('asking', session.pending !== null);
    const earlier = !problem && refused?.repeats !== undefined && line?.board(refused.repeats);
    put(this.#word, problem ? this.#problem(problem) : h('p', {}, text),
      earlier && h('div', { class: 'row' }, this.#earlier.show, this.#earlier.go));
  }

  /** @param {import('../arbiter.js').Problem} problem */
  #problem(problem) {
    const { faults, size } = this.#session;
    if (faults.length === 0 || faults.length < problem.errors.length) return problemShown(problem, { cell: (at) => nameOf(at, size) });
    return h('div', { class: 'problem', role: 'alert' },
      faults.map((at) => h('p', {}, t('go.no-liberty', { point: nameOf(at, size) }))));
  }

  #peek() {
    const { preview, refused } = this.#session;
    this.#session.peek(preview === null ? refused?.repeats ?? null : null);
  }

  #goBack() {
    const { refused } = this.#session;
    if (refused?.repeats !== undefined) this.#session.to(refused.repeats);
    this.#slider.focus(); // the button that had the focus is gone
  }
}
