// Messages, for screen readers and for everybody: one polite live region, and one message at a time in the head of the game.

import { h } from './dom.js';
import { t } from './text.js';
import { button } from './ui.js';

/** Milliseconds for which a message stays, if it is not dismissed. */
const STAYS = 10_000;

const region = h('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });

/** The live region, for the page to hold. */
export const saying = region;

/** The message, for the head of the game to hold. It floats above the page while the head is scrolled out of sight. */
export const notes = h('section', { class: 'notes' });
new IntersectionObserver(([{ isIntersecting }]) => notes.classList.toggle('floating', !isIntersecting)).observe(notes);

/**
 * Say something to screen readers: a verdict, a refused move. The same text again is said again.
 * @param {string} text
 */
export function say(text) {
  region.replaceChildren(h('p', {}, text));
}

/**
 * Say something to everybody. It stays for ten seconds, or until it is dismissed, or the next message comes.
 * @param {string} text
 * @param {'plain' | 'bad'} [kind]
 */
export function note(text, kind = 'plain') {
  say(text);
  const shown = h('p', { class: `note ${kind}` }, h('span', {}, text),
    button('×', () => shown.remove(), { 'aria-label': t('page.dismiss') }));
  notes.replaceChildren(shown);
  setTimeout(() => shown.remove(), STAYS);
}
