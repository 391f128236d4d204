// Messages: announced to screen readers through a polite live region, and shown in the heading of the game, one at a time.

import { clearContent, h } from './dom.js';
import { t } from './text.js';
import { button } from './ui.js';

/** Milliseconds for which a message is shown. */
const MESSAGE_TIME = 10_000;

const region = h('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });

/** The live region, which the page inserts. */
export const saying = region;

/** Holds the message. The heading of the game inserts it; while the heading is out of sight, it floats over the page. */
export const notes = h('section', { class: 'notes' });
new IntersectionObserver(([{ isIntersecting }]) => notes.classList.toggle('floating', !isIntersecting)).observe(notes);

/**
 * Announce a text to screen readers, such as a verdict or a refused move. If the same text is announced twice, they read it twice.
 * @param {string} text
 */
export function say(text) {
  region.replaceChildren(h('p', {}, text));
}

export const clearNote = () => clearContent(notes);

/** Keys that don't do anything yet, or only go to another element. */
const IDLE = ['Tab', 'Shift', 'Control', 'Alt', 'Meta'];

/**
 * A message is about the last thing that the user did, so the next thing ends it. Scrolling and reading don't.
 * @param {Event} event
 */
function clearAtNext(event) {
  const target = /** @type {Element} */ (event.target), { key, repeat } = /** @type {KeyboardEvent} */ (event);
  const acts = event.type === 'keydown' ? !repeat && !IDLE.includes(key) : target.closest?.('.grid, button, select, input, a, [role=option]');
  if (acts && !notes.contains(target)) clearNote();
}
for (const type of ['keydown', 'pointerdown']) addEventListener(type, clearAtNext, { capture: true });

/**
 * Show a message until the user dismisses it or does something else, or ten seconds have passed. Screen readers announce it too.
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
