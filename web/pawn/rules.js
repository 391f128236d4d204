// The rules of the game and the keys of the page, in words.

import { h } from '../page/dom.js';
import { t } from '../page/text.js';

export const rulesShown = () => h('details', { class: 'card' }, h('summary', {}, t('pawn.rules.title')),
  h('ul', {}, ['moves', 'own', 'wins', 'stuck', 'tie', 'steps'].map((key) => h('li', {}, t(`pawn.rules.${key}`)))));

/** Each row of keys with its meaning. */
const KEYS = [
  ['↑ ↓ ← →', 'cursor'], ['Tab', 'tab'], ['Enter', 'enter'], ['Esc', 'escape'], [', .', 'step'], ['← →', 'walk'],
  ['V', 'values'], ['Ctrl Z, Ctrl Y', 'undo'], ['. # O X', 'paint'],
];

export const keysShown = () => h('details', { class: 'card' }, h('summary', {}, t('pawn.keys.title')),
  h('dl', { class: 'pawn-keys' }, KEYS.map(([keys, meaning]) =>
    [h('dt', {}, h('kbd', {}, keys)), h('dd', {}, t(`pawn.keys.${meaning}`))])));
