// Buttons: one alone, and one of a few that stand in a row.

import { h } from '../page/dom.js';

/** @template Value */
export class Choice {
  #buttons;

  /**
   * @param {string} label
   * @param {readonly (readonly [Value, ...any[]])[]} options each value with what its button shows
   * @param {(value: Value) => void} choose
   */
  constructor(label, options, choose) {
    this.#buttons = options.map(([value, ...shown]) => ({
      value,
      element: h('button', { type: 'button', onclick: () => choose(value) }, shown),
    }));
    this.element = h('div', { class: 'joined pawn-choice', role: 'group', 'aria-label': label },
      this.#buttons.map(({ element }) => element));
  }

  /** @param {Value} chosen */
  show(chosen) {
    for (const { value, element } of this.#buttons) element.setAttribute('aria-pressed', String(value === chosen));
  }
}

/**
 * A button. Where it cannot be used it stays in its place, and keeps the focus: a disabled one would lose it.
 * @param {string} name
 * @param {() => void} act
 * @param {string | SVGElement} [sign] what it shows instead of its name
 */
export function press(name, act, sign = '') {
  const element = h('button', { type: 'button', ...(sign ? { 'aria-label': name, title: name } : {}), onclick: () => {
    if (element.getAttribute('aria-disabled') !== 'true') act();
  } }, sign || name);
  return element;
}

/**
 * @param {HTMLButtonElement} button made by `press`
 * @param {boolean} usable
 */
export const enable = (button, usable) => button.setAttribute('aria-disabled', String(!usable));
