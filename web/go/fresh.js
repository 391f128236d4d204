// A new board, the rules for newcomers, and the keys.

import { h, put } from '../page/dom.js';
import { number, t } from '../page/text.js';
import { LEAST_SIZE, MOST_SIZE, mostHandicap } from './points.js';

/** @typedef {import('./session.js').Session} Session */

const KEYS = ['walk', 'enter', 'second', 'step', 'ends', 'miss', 'pass', 'undo', 'color', 'mode', 'brush', 'paste'];
const ABOUT = [0, 1, 2, 3];

/**
 * The choice of size and handicap stones. The size follows the board until the reader chooses another.
 * @param {Session} session
 */
export function freshCard(session) {
  const sizes = Array.from({ length: MOST_SIZE - LEAST_SIZE + 1 }, (_, at) => LEAST_SIZE + at);
  const size = h('select', { onchange: () => offer() },
    sizes.map((side) => h('option', { value: side }, `${side} × ${side}`)));
  const handicap = h('select');
  const offer = () => {
    const most = mostHandicap(Number(size.value)), chosen = Math.min(most, Number(handicap.value));
    put(handicap, h('option', { value: 0 }, t('go.no-handicap')),
      Array.from({ length: Math.max(0, most - 1) }, (_, at) => at + 2)
        .map((stones) => h('option', { value: stones, selected: stones === chosen }, number(stones))));
    handicap.disabled = most === 0;
  };
  const make = () => session.clear(Number(size.value), Number(handicap.value));
  let shown = 0;
  const show = () => {
    if (session.size === shown) return;
    shown = session.size;
    size.value = String(Math.max(LEAST_SIZE, shown));
    offer();
  };
  const element = h('section', { class: 'card', 'aria-label': t('go.fresh') }, h('h2', {}, t('go.fresh')),
    h('div', { class: 'row narrow' }, h('label', {}, t('go.size'), size), h('label', {}, t('go.handicap'), handicap),
      h('button', { type: 'button', onclick: make }, t('go.make'))));
  return { element, show };
}

export function aboutCard() {
  const keys = KEYS.map((key) =>
    [h('dt', {}, h('kbd', {}, t(`go.keys-list.${key}.keys`))), h('dd', {}, t(`go.keys-list.${key}.does`))]);
  return h('section', { class: 'card', 'aria-label': t('go.about') },
    h('details', {}, h('summary', {}, t('go.about')), ABOUT.map((at) => h('p', {}, t(`go.about-text.${at}`)))),
    h('details', {}, h('summary', {}, t('go.keys')), h('dl', {}, keys)));
}
