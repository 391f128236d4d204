// What is said to those who listen, and to those who look: one polite live region, and messages between the head of the page and the
// game.

import { h } from './dom.js';
import { t } from './text.js';
import { button } from './ui.js';

/** Milliseconds for which a message stays, if it is not dismissed. */
const STAYS = 10_000;

const region = h('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });

/** The live region, for the page to hold. */
export const saying = region;

/** The messages, for the page to hold. They take space of their own: no control is below one. */
export const notes = h('section', { class: 'notes' });

/**
 * Say something to screen readers: a verdict, a refused move. What is said twice in a row is said twice.
 * @param {string} text
 */
export function say(text) {
  region.replaceChildren(h('p', {}, text));
}

/**
 * Say something to everybody. It stays for ten seconds, or until it is dismissed.
 * @param {string} text
 * @param {'plain' | 'bad'} [kind]
 */
export function note(text, kind = 'plain') {
  say(text);
  const shown = h('p', { class: `note ${kind}` }, h('span', {}, text),
    button('×', () => shown.remove(), { 'aria-label': t('page.dismiss') }));
  notes.append(shown);
  setTimeout(() => shown.remove(), STAYS);
}
