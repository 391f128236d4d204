// Controls for all games: buttons, groups of buttons, drop-down lists, checkboxes, and the steps of a game.
//
// A disabled control has `aria-disabled`, because the attribute `disabled` would take the focus away from it.

import { h, s } from './dom.js';
import { t } from './text.js';

/** @typedef {import('./dom.js').Child} Child */

/** @param {Element} element */
const isEnabled = (element) => element.getAttribute('aria-disabled') !== 'true';

/**
 * @param {Element} element made by a function or a class of this file
 * @param {boolean} enabled
 */
export function enable(element, enabled) {
  if (enabled !== isEnabled(element)) element.setAttribute('aria-disabled', String(!enabled));
}

/**
 * @param {Element} element
 * @param {boolean} pressed
 */
export function setPressed(element, pressed) {
  if (element.getAttribute('aria-pressed') !== String(pressed)) element.setAttribute('aria-pressed', String(pressed));
}

/**
 * @param {Child} label
 * @param {() => void} act
 * @param {Record<string, any>} [properties]
 * @param {() => void} [refuse] called when the button is pressed while disabled, to say why
 */
export function button(label, act, properties = {}, refuse = () => {}) {
  const element = h('button', { type: 'button', ...properties, onclick: () => (isEnabled(element) ? act() : refuse()) }, label);
  return element;
}

/**
 * A button that shows an icon. Its name is shown as a tooltip and read by screen readers.
 * @param {string} name
 * @param {Child} sign
 * @param {() => void} act
 */
export const signButton = (name, sign, act) => button(sign, act, { 'aria-label': name, title: name });

/**
 * A group of buttons; one of them is pressed.
 * @template Value
 */
export class Toggle {
  #buttons;

  /**
   * @param {string} label
   * @param {readonly (readonly [Value, ...any[]])[]} options each value, and the content of its button
   * @param {(value: Value) => void} choose
   * @param {string} [kind] a class
   */
  constructor(label, options, choose, kind = 'joined') {
    this.#buttons = options.map(([value, ...shown]) => ({ value, element: button(shown, () => choose(value)) }));
    this.element = group(label, this.#buttons.map(({ element }) => element), kind);
  }

  /** @param {Value} chosen */
  show(chosen) {
    for (const { value, element } of this.#buttons) setPressed(element, value === chosen);
  }
}

/**
 * @param {string} label
 * @param {Child} buttons
 * @param {string} [kind] a class
 */
export const group = (label, buttons, kind = 'joined') => h('div', { class: kind, role: 'group', 'aria-label': label }, buttons);

/**
 * @param {readonly (readonly [value: string | number, name: string | number])[]} options
 */
export const optionsOf = (options) => options.map(([value, name]) => h('option', { value }, name));

/**
 * A drop-down list (`select`).
 * @param {readonly (readonly [value: string | number, name: string | number])[]} options
 * @param {(value: string) => void} choose
 * @param {Record<string, any>} [properties]
 */
export function select(options, choose, properties = {}) {
  const hold = (/** @type {Event} */ event) => {
    if (!isEnabled(element) && !(event instanceof KeyboardEvent && event.key === 'Tab')) event.preventDefault();
  };
  const element = h('select', { ...properties, onchange: () => choose(element.value), onmousedown: hold, onkeydown: hold },
    optionsOf(options));
  return element;
}

/**
 * @param {(checked: boolean) => void} change
 * @param {Record<string, any>} [properties]
 */
export function checkbox(change, properties = {}) {
  const element = h('input', { type: 'checkbox', ...properties, onchange: () => change(element.checked) });
  return element;
}

/** The signs of the steps, as SVG paths. */
const SIGNS = { first: 'M6 5h2v14H6zM19 5v14l-10-7z', back: 'M16 5v14L6 12z', forward: 'M8 5v14l10-7z', last: 'M16 5h2v14h-2zM5 5v14l10-7z' };

/** Controls that step through a game: first, back, a slider, forward, last. */
export class Steps {
  #at = 0;
  #length = 0;
  #slider;
  #buttons;
  /** Shows the step and the number of steps: '3 / 12'. */
  #count = h('output', { 'aria-hidden': 'true' });

  /**
   * @param {string} label
   * @param {(step: number) => void} show  show this step
   * @param {Child} [marks]                drawn on the slider
   */
  constructor(label, show, marks) {
    const slider = this.#slider = h('input', { type: 'range', min: 0, max: 0, value: 0, 'aria-label': t('play.step'), oninput: () => {
      if (isEnabled(slider)) show(Number(slider.value));
      else slider.value = String(this.#at);
    } });
    const step = (/** @type {keyof typeof SIGNS} */ name, /** @type {() => number} */ to) => signButton(t(`play.${name}`),
      s('svg', { class: 'sign', viewBox: '0 0 24 24', 'aria-hidden': 'true' }, s('path', { d: SIGNS[name] })), () => show(to()));
    const { first, back, forward, last } = this.#buttons = {
      first: step('first', () => 0),
      back: step('back', () => this.#at - 1),
      forward: step('forward', () => this.#at + 1),
      last: step('last', () => this.#length),
    };
    this.element = group(label, [first, back, h('div', { class: 'track' }, slider, marks), this.#count, forward, last], 'steps');
  }

  /**
   * @param {number} at
   * @param {number} length
   * @param {string} words  the step in words
   * @param {boolean} [enabled]
   */
  show(at, length, words, enabled = true) {
    [this.#at, this.#length] = [at, length];
    const slider = this.#slider, { first, back, forward, last } = this.#buttons;
    if (slider.max !== String(length)) slider.max = String(length);
    slider.value = String(at);
    slider.setAttribute('aria-valuetext', words);
    this.#count.textContent = `${at} / ${length}`;
    enable(slider, enabled);
    for (const element of [first, back]) enable(element, enabled && at > 0);
    for (const element of [forward, last]) enable(element, enabled && at < length);
  }

  focus() {
    this.#slider.focus();
  }
}
