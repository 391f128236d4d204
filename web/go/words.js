// Describes moves and steps in words.

import { h } from '../page/dom.js';
import { joined, t } from '../page/text.js';
import { nameOf } from './points.js';
import { countOf } from './sgf.js';

/** @typedef {import('./line.js').Entry} Entry */
/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('../arbiter.js').GoMiss} GoMiss */

/**
 * A small stone, shown beside the name of its colour.
 * @param {import('./game.js').Color} color
 */
export const dot = (color) => h('span', { class: `go-dot go-${color}`, 'aria-hidden': 'true' });

/** @param {number} step */
export const whenOf = (step) => t('go.when', { step });

/**
 * The last part of the keys of texts about a refusal. Under any rule, a repetition that undoes the previous move is called ko.
 * @param {GoMiss} miss
 * @param {import('./game.js').Game} game
 */
const refusal = ({ code, move, repeats }, { rules }) => (code === 3 && (rules.ko === 'simple' || repeats === move - 2) ? 'ko' : code);

/**
 * Why a move was refused, as a sentence.
 * @param {GoMiss} miss
 * @param {Pick<Session, 'game' | 'size'>} session
 */
export function refusedText(miss, { game, size }) {
  const { color, at, repeats = 0 } = miss;
  return t(`go.refused.${refusal(miss, game)}`, { color: t(`go.color.${color}`), point: nameOf(at, size), when: whenOf(repeats) });
}

/**
 * Why a move was refused, in one word.
 * @param {GoMiss} miss
 * @param {Pick<Session, 'game'>} session
 */
export const reasonText = (miss, { game }) => t(`go.reason.${refusal(miss, game)}`);

/**
 * A move and its result, as a sentence.
 * @param {Entry} entry
 * @param {Pick<Session, 'game' | 'size'>} session
 */
export function entryText({ number, color, at, miss, taken, changed }, session) {
  if (miss) return refusedText(miss, session);
  if (changed) return t('go.move-changed', { number });
  const point = at ? nameOf(at, session.size) : '';
  const values = { number, color: t(`go.color.${color ?? 'unknown'}`), point, taken: taken.length };
  if (!at) return t(color ? 'go.move-pass' : 'go.move-unknown', values);
  const own = taken.some(([row, col]) => row === at[0] && col === at[1]);
  return t(own ? 'go.move-suicide' : 'go.move', values);
}

/**
 * The current step as a sentence; '' if it isn't known.
 * @param {Session} session
 */
export function stepText(session) {
  const { line, step } = session;
  if (!line) return '';
  if (!line.boards && line.length > 0) return t('go.too-long', { count: line.length });
  if (session.over) return t('go.both-passed', { area: areaText(session) });
  const happened = step > 0 ? entryText(line.entry(step), session) : t(line.length === 0 ? 'go.nothing' : 'go.start');
  return t('go.happened', { happened, turn: t(`go.turn.${session.next}`) });
}

/**
 * The move that was just played, which other rules had refused.
 * @param {Session} session
 */
export function allowedText({ line, step, size }) {
  const { color, at } = /** @type {import('./line.js').Line} */ (line).entry(step);
  return t('go.allowed', { color: t(`go.color.${color}`), point: at ? nameOf(at, size) : '' });
}

/**
 * The length of the record that was just opened, its refused moves, and the parts that aren't shown.
 * @param {Session} session
 */
export const openedText = ({ length, line, record }) =>
  joined('sentences', [t('go.opened', { length, misses: line?.misses.length ?? 0 }), record && notShownText(record)]);

/**
 * A sentence about the parts of a record that the page doesn't show; '' if it shows all parts.
 * @param {import('./ask.js').Opened} record
 */
export function notShownText({ variations, text }) {
  const comments = countOf(text, 'C');
  return variations + comments > 0 ? t('go.not-shown', { variations, comments }) : '';
}

/** @param {Session} session */
export const areaText = ({ score }) => (score ? t('go.area-said', score) : '');
