// Describes cells, clicks and verdicts in words.

import { cellName } from '../page/grid.js';
import { joined, t } from '../page/text.js';
import { MINE, UNKNOWN } from './cells.js';
import { contentOf, isDown, regionOf } from './drawing.js';
import { tintAt } from './openings.js';
import { PLAYERS } from './position.js';

/** @typedef {import('./drawing.js').Scene} Scene */
/** @typedef {import('./session.js').Session} Session */

/**
 * A cell and its contents in words.
 * @param {Scene} scene
 * @param {number} row
 * @param {number} col
 * @param {'play' | 'edit'} mode
 */
export function cellText(scene, row, col, mode) {
  const content = contentOf(scene, row, col), place = cellName([row, col]);
  if (content === MINE) return joined('clauses', [place, t('mine.is-mine')]);
  const down = isDown(scene, row, col), seen = scene.xray || !down;
  const tint = scene.openings ? tintAt(scene.openings, row, col) : 0;
  const last = scene.clicks.at(-1);
  return joined('clauses', [
    place,
    mode === 'play' && t(down ? 'mine.is-down' : 'mine.is-up'),
    seen && content !== UNKNOWN && (content === 0 ? t('mine.is-blank') : t('mine.is-number', { number: content })),
    seen && content > 0 && content < MINE && tint > 0 && t(tint > 15 ? 'mine.is-shared' : 'mine.is-bordering'),
    scene.winning.has(regionOf(scene, row, col)) && t('mine.is-win'),
    last && last[0] === row && last[1] === col && t('mine.is-last'),
  ]);
}

/**
 * The name of a player for readers, who don't know the names of the API.
 * @param {import('../arbiter.js').MineResult['verdict']} player not Unknown
 */
export const playerText = (player) => t(`mine.player.${player}`);

/** @param {import('./why.js').Why} why */
export const reasonText = (why) => t(`mine.why.${why.kind}`, why);

/**
 * The best click, and why it wins; advice if no click wins.
 * @param {Session} session
 */
export function hintText({ scene: { wins: [best] }, whyHint }) {
  if (!best) return t('mine.hint-none');
  return joined('sentences', [t('mine.hint', { cell: cellName(best) }), whyHint ? t('mine.after', { reason: reasonText(whyHint) }) : t('mine.after-zero')]);
}

/**
 * Who can force a win.
 * @param {import('../arbiter.js').MineResult} result
 * @param {Pick<Session, 'mode' | 'side'>} session
 */
export function verdictText({ verdict }, { mode, side }) {
  if (verdict === 'Unknown') return t('mine.unknown');
  return mode === 'edit' || side === 'both' ? t('mine.wins', { player: playerText(verdict) }) : t(side === verdict ? 'mine.is-you' : 'mine.is-program');
}

/**
 * The meaning of the verdict for the user.
 * @param {Session} session
 */
export function meaningText({ result, position, over }) {
  if (!result) return '';
  if (over) return t('mine.ended');
  if (result.verdict === 'Unknown') return t('mine.unknown-means');
  return t(`mine.who-${position.clicks.length > 0 ? 'now' : result.verdict}`);
}

/**
 * Why there is no answer; '' if there is one, or if it isn't late.
 * @param {Session} session
 */
export function missingText({ problem, result, asking }) {
  if (problem) return t('mine.refused');
  if (asking === 'failed') return t('page.unanswered');
  return !result && asking === 'late' ? t('page.late') : '';
}

/**
 * @param {readonly (readonly [number, number])[]} clicks
 */
export function clickText(clicks) {
  return t('mine.has-clicked', { player: playerText(PLAYERS[(clicks.length - 1) % 2]), cell: cellName(clicks[clicks.length - 1]) });
}
