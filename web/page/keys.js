// Keyboard shortcuts. A table maps key names to functions: 'z', 'ctrl z', 'ctrl shift z', 'shift arrowleft'.

import { note, say } from './say.js';
import { t } from './text.js';
import { setAnswers } from './values.js';

/** @typedef {Record<string, () => void>} Acts */

/**
 * The name of the pressed key. The Command key counts as Ctrl.
 * @param {KeyboardEvent} event
 */
const nameOf = ({ key, ctrlKey, metaKey, shiftKey }) =>
  `${ctrlKey || metaKey ? 'ctrl ' : ''}${shiftKey ? 'shift ' : ''}${key.toLowerCase()}`;

/**
 * Call the function for a key. The table can list a character without Shift even if some keyboards need Shift to type it, such as '<'.
 * @param {KeyboardEvent} event
 * @param {Acts} acts
 * @returns {boolean} false: the key isn't in the table
 */
export function useKey(event, acts) {
  if (event.altKey) return false;
  const name = nameOf(event), act = acts[name] ?? (event.key.length === 1 ? acts[name.replace('shift ', '')] : undefined);
  act?.();
  return act !== undefined;
}

/**
 * @param {import('./bar.js').Played} session
 * @returns {Acts}
 */
export const undoKeys = (session) => {
  const undo = () => (session.canUndo ? session.undo() : note(t('play.nothing-to-undo')));
  const redo = () => (session.canRedo ? session.redo() : note(t('play.nothing-to-redo')));
  return { 'ctrl z': undo, 'ctrl shift z': redo, 'ctrl y': redo };
};

/**
 * The key that switches between playing and editing.
 * @param {import('./bar.js').Played} session
 * @returns {Acts}
 */
export const modeKeys = (session) => ({ e: () => {
  session.setMode(session.mode === 'play' ? 'edit' : 'play');
  say(`${t('play.mode')}: ${t(`play.${session.mode}`)}`);
} });

/**
 * The keys that show the best move, and all answers.
 * @param {import('./bar.js').Valued} session
 * @returns {Acts}
 */
export const valueKeys = (session) => ({
  h: () => (session.analysis ? note(t('play.answers-shown')) : session.hasValues && session.showHint()), v: () => setAnswers(session),
});

/**
 * Handle keys that no element has used, except in dialogs. Ignore characters without Ctrl: they work only on the board (WCAG 2.1.4).
 * The undo keys work everywhere except in a text field.
 * @param {import('./bar.js').Played} session
 * @param {AbortSignal} signal removes the listener
 * @param {(event: KeyboardEvent & { target: Element }) => Acts} [actsFor] returns the game's table for an event
 */
export function listenForKeys(session, signal, actsFor) {
  document.addEventListener('keydown', (event) => {
    const given = /** @type {KeyboardEvent & { target: Element }} */ (event);
    if ((event.key.length === 1 && !event.ctrlKey && !event.metaKey) || given.target.closest('dialog')) return;
    const undo = given.target.closest('textarea, input:not([type=checkbox], [type=range])') ? {} : undoKeys(session);
    if (!event.defaultPrevented && useKey(event, { ...undo, ...actsFor?.(given) })) event.preventDefault();
  }, { signal });
}
