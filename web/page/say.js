// What is said to those who listen, and to those who look: one polite live region, and short notes at the bottom of the page.

import { h } from './dom.js';

const region = h('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
/** To be looked at: who listens hears the same from the region. */
const notes = h('div', { class: 'notes', 'aria-hidden': 'true' });

/** The elements of this file, for the page to hold. */
export const saying = [region, notes];

/**
 * Say something to screen readers: a verdict, a refused move. What is said twice in a row is said twice.
 * @param {string} text
 */
export function say(text) {
  region.replaceChildren(h('p', {}, text));
}

/**
 * Say something to everybody, for a few seconds.
 * @param {string} text
 * @param {'plain' | 'bad'} [kind]
 */
export function note(text, kind = 'plain') {
  say(text);
  const shown = h('p', { class: `note ${kind}` }, text);
  notes.append(shown);
  setTimeout(() => shown.remove(), 5000);
}
