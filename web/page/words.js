// An answer in a few words, for a row of a table.

import { faultText } from './faults.js';
import { number, t } from './text.js';

/** @typedef {import('./service.js').Game} Game */

/** Refused moves that are named; of the others there is a count. */
const MOST_MISSES = 5;

/** @param {any} result of /pawn */
const pawn = ({ verdict, steps }) => t(`dropped.pawn.${verdict}`, { steps });

/** @param {any} result of /go */
function go({ misses, score }) {
  const named = misses.slice(0, MOST_MISSES).map((/** @type {any} */ miss) =>
    t('dropped.go.miss', { move: number(miss.move), reason: t(`dropped.go.${miss.reason}`) }));
  if (misses.length > MOST_MISSES) named.push('…');
  const list = named.reduce((/** @type {string} */ before, /** @type {string} */ next) =>
    (before ? t('dropped.go.and', { list: before, next }) : next), '');
  return [t('dropped.go.misses', { count: misses.length, list }), score && t('dropped.go.score', score)].filter(Boolean).join(' · ');
}

/** @param {any} result of /mine */
function mine({ verdict, nimber }) {
  const words = [t(`dropped.mine.${verdict}`), nimber !== null && t('dropped.mine.nimber', { nimber })];
  return words.filter(Boolean).join(' · ');
}

const OF_GAMES = { pawn, go, mine };

/**
 * @param {Game} game
 * @param {any} answer a line of a stream: a result, or a problem
 * @returns {string}
 */
export function inWords(game, answer) {
  if (!answer.problem) return OF_GAMES[game](answer);
  const { errors: [fault, ...others] = [], detail } = answer.problem;
  return fault ? `${faultText(fault)}${others.length > 0 ? ' …' : ''}` : detail;
}
