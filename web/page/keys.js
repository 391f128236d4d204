// Keys and what they do: a table of acts by the name of their key, 'z', 'ctrl z', 'ctrl shift z', 'shift arrowleft'.

/** @typedef {Record<string, () => void>} Acts */

/**
 * The name of the key that was pressed. The command key counts as Ctrl.
 * @param {KeyboardEvent} event
 */
const nameOf = ({ key, ctrlKey, metaKey, shiftKey }) =>
  `${ctrlKey || metaKey ? 'ctrl ' : ''}${shiftKey ? 'shift ' : ''}${key.toLowerCase()}`;

/**
 * Do what a key is for. A character counts without Shift too, which a keyboard may need for it: '<', a capital.
 * @param {KeyboardEvent} event
 * @param {Acts} acts
 * @returns {boolean} false: the key is for nothing
 */
export function useKey(event, acts) {
  if (event.altKey) return false;
  const name = nameOf(event), act = acts[name] ?? (event.key.length === 1 ? acts[name.replace('shift ', '')] : undefined);
  act?.();
  return act !== undefined;
}

/**
 * The keys of undo and redo.
 * @param {() => void} undo
 * @param {() => void} redo
 * @returns {Acts}
 */
export const undoKeys = (undo, redo) => ({ 'ctrl z': undo, 'ctrl shift z': redo, 'ctrl y': redo });

/**
 * Listen to the keys that nothing on the page has used. A character alone is a key only on the board (WCAG 2.1.4), and in a
 * dialog the keys are the dialog's.
 * @param {(event: KeyboardEvent & { target: Element }) => Acts} actsFor what keys do now, with the focus where it is
 * @param {AbortSignal} signal ends it
 */
export function listenForKeys(actsFor, signal) {
  document.addEventListener('keydown', (event) => {
    const given = /** @type {KeyboardEvent & { target: Element }} */ (event);
    if ((event.key.length === 1 && !event.ctrlKey && !event.metaKey) || given.target.closest('dialog')) return;
    if (!event.defaultPrevented && useKey(event, actsFor(given))) event.preventDefault();
  }, { signal });
}
