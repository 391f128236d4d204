// Describes moves and steps in words.

import { h } from '../page/dom.js';
import { joined, t } from '../page/text.js';
import { placeOf } from './game.js';
import { nameOf } from './points.js';
import { textOf } from './sgf.js';

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
  const point = at ? nameOf(at, session.size) : '';
  const own = at && taken.some(([row, col]) => row === at[0] && col === at[1]);
  const happened = t(!at ? 'go.move-pass' : own ? 'go.move-suicide' : 'go.move', { number, color: t(`go.color.${color}`), point, taken: taken.length });
  return changed ? t('go.move-changed', { happened }) : happened;
}

/**
 * The current step as a sentence; '' if it isn't known.
 * @param {Session} session
 */
export function stepText(session) {
  const { line, step } = session;
  if (!line) return '';
  if (!line.boards && line.length > 0) return t('go.too-long', { count: line.length });
  if (session.over) return t('go.both-passed', { result: joined('sentences', [session.score && t('go.result-is', { result: resultText(session.score) }), recorded(session)]) });
  const happened = step > 0 ? entryText(line.entry(step), session) : t(line.length === 0 ? 'go.nothing' : 'go.start');
  return t('go.happened', { happened, turn: t(`go.turn.${session.next}`) });
}

/** The result that the record states. @param {Pick<Session, 'record'>} session */
function recorded({ record }) {
  const result = record && textOf(record.path[0], 'RE');
  return result && t('go.recorded-result', { result });
}

/**
 * A move that was refused, and that the rules allow that were chosen since.
 * @param {Pick<Session, 'offer' | 'size'>} session
 */
export function offerText({ offer, size }) {
  const at = offer && placeOf(offer);
  return at ? t('go.offer', { color: t(`go.color.${offer[0]}`), point: nameOf(at, size) }) : '';
}

/**
 * The length of the record that was just opened, its refused moves and, in a collection, its number.
 * @param {Session} session
 */
export const openedText = ({ length, line, record }) => t('go.opened', { length, misses: line?.misses.length ?? 0, game: record?.game, games: record?.games });

/** @param {import('../arbiter.js').GoScore} score */
export const resultText = ({ winner, margin }) => (winner ? t('go.won', { color: t(`go.color.${winner}`), margin }) : t('go.draw'));

/** @param {import('../arbiter.js').GoScore} score */
export const scoreText = (score) => t(`go.score-${score.scoring}`, { ...score, dead: score.dead.B + score.dead.W, result: resultText(score) });
