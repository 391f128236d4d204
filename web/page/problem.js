// A problem of the service in words. Its title is in the reader's language, as far as the table has it; its details are the service's
// own, in English, for they name places that nobody else knows.

import { h } from './dom.js';
import { t } from './text.js';

/** @typedef {import('../arbiter.js').Problem} Problem */

/**
 * What is wrong, for the reader: an alert that lists each fault with its place.
 * @param {Problem} problem
 * @returns {HTMLElement}
 */
export function problemShown(problem) {
  const name = problem.type.split('/').pop() ?? '';
  return h('div', { class: 'problem', role: 'alert' },
    h('p', {}, h('strong', {}, t(`problem.${name}`))),
    problem.errors.length === 0
      ? h('p', { lang: 'en' }, problem.detail)
      : h('ul', { lang: 'en' }, problem.errors.map((fault) => h('li', {}, placeOf(fault), fault.detail))));
}

/** @param {any} fault */
function placeOf({ pointer, line, column, parameter }) {
  const place = line !== undefined ? `${line}:${column}` : pointer ?? parameter;
  return place ? [h('code', {}, place), ' '] : '';
}
