// What everybody sees first: a game in which the ko in the middle decides, and White has just taken it.

import { h } from '../page/dom.js';
import { t } from '../page/text.js';
import { DEFAULT_RULES } from './game.js';
import { emptyBoard, pointOf } from './points.js';

/** @typedef {import('./game.js').Game} Game */
/** @typedef {import('./points.js').Point} Point */

const SIZE = 9;
const MOVES = 'C5 E4 D4 F5 D6 E6 E7 F7 E3 F3 F4 G4 E2 F2 E8 F8 E1 F1 D7 D5 E5 F9 E9 D5';

/** Where Black is refused: the ko, and White's eye. */
const TRIES = ['E5', 'F4'];

/** @param {string} name */
const at = (name) => /** @type {Point} */ (pointOf(name, SIZE));

/** @returns {Game} */
export const firstGame = () => ({
  setup: emptyBoard(SIZE),
  moves: MOVES.split(' ').map((name, number) => [number % 2 === 0 ? 'B' : 'W', ...at(name)]),
  rules: DEFAULT_RULES,
});

/**
 * What a newcomer may try, as buttons.
 * @param {(point: Point) => void} play
 */
export function invitation(play) {
  const buttons = TRIES.map((point) =>
    h('button', { type: 'button', onclick: () => play(at(point)) }, t('go.try-point', { point })));
  return h('div', { class: 'choice', hidden: true }, h('p', {}, t('go.try')), h('div', { class: 'row' }, buttons));
}
