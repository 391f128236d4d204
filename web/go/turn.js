// Whose turn it is: whoever did not play last, unless somebody chose otherwise.

import { other } from './game.js';

/** @typedef {import('./game.js').Color} Color */
/** @typedef {import('./session.js').Session} Session */

/**
 * The colour that was chosen for a step.
 * @typedef {{ color: Color, step: number } | null} Turn
 */

/**
 * The colour of the next stone. A refused move was not played: it is still the turn of its colour.
 * @param {Pick<Session, 'turn' | 'alternate' | 'step' | 'pending' | 'line' | 'game'>} session
 * @returns {Color}
 */
export function nextColor({ turn, alternate, step: shown, pending, line, game }) {
  if (turn && (!alternate || (turn.step === shown && !pending))) return turn.color;
  const waiting = pending?.moves.at(-1);
  if (waiting) return alternate ? other(waiting[0]) : waiting[0];
  for (let step = shown; step > 0; step -= 1) {
    const entry = line?.entry(step), color = game.moves[step - 1]?.[0] ?? entry?.color;
    if (color && !entry?.miss) return other(color);
  }
  // No stone has been played yet: it is the turn of whoever plays the first.
  const length = line?.boards ? line.length : game.moves.length;
  for (let step = shown + 1; step <= length; step += 1) {
    const color = game.moves[step - 1]?.[0] ?? line?.entry(step).color;
    if (color) return color;
  }
  return game.moves[0]?.[0] ?? 'B';
}
