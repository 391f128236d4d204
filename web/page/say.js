// Messages: to screen readers through a polite live region, and to everybody in the head of the game, one at a time.

import { clearContent, h } from './dom.js';
import { t } from './text.js';
import { button } from './ui.js';

/** Milliseconds for which a message is shown. */
const MESSAGE_TIME = 10_000;

const region = h('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });

/** The live region, which the page inserts. */
export const saying = region;

/** Holds the message; the head of the game inserts it. It floats over the page while the head is out of sight. */
export const notes = h('section', { class: 'notes' });
new IntersectionObserver(([{ isIntersecting }]) => notes.classList.toggle('floating', !isIntersecting)).observe(notes);

/**
 * Send a text to screen readers: a verdict or a refused move, for example. They read the same text again if it is sent again.
 * @param {string} text
 */
export function say(text) {
  region.replaceChildren(h('p', {}, text));
}

/** Remove the message. */
export const clearNote = () => clearContent(notes);

/**
 * Show a message, until it is dismissed, the next one replaces it, or ten seconds have passed. Screen readers read it too.
 * @param {string} text
 * @param {'plain' | 'bad'} [kind]
 */
export function note(text, kind = 'plain') {
  say(text);
  const shown = h('p', { class: `note ${kind}` }, h('span', {}, text),
    button('×', () => shown.remove(), { 'aria-label': t('page.dismiss') }));
  notes.replaceChildren(shown);
  setTimeout(() => shown.remove(), MESSAGE_TIME);
}
