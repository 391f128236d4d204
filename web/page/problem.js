// A problem of the service in words. Its title is in the reader's language where the page knows its type, its faults by their codes.

import { Problem } from '../arbiter.js';
import { h } from './dom.js';
import { faultsShown } from './faults.js';
import { Cancelled } from './service.js';
import { has, t } from './text.js';

/** @typedef {import('./service.js').Failure} Failure */

/**
 * What is wrong, for the reader: an alert that lists each fault with its place.
 * @param {Failure} problem
 * @param {import('./faults.js').Wording} [wording] that of the game on whose board the question is
 * @returns {HTMLElement}
 */
export function problemShown(problem, wording) {
  const errors = problem instanceof Problem ? problem.errors : [];
  return h('div', { class: 'problem', role: 'alert' },
    h('p', {}, titleOf(problem)), errors.length === 0 ? detailOf(problem) : faultsShown(errors, wording));
}

/**
 * The same as a sentence or two.
 * @param {Failure} failure
 */
export const failureShown = (failure) => h('div', {}, titleOf(failure), detailOf(failure));

/**
 * The same as a text.
 * @param {Failure} failure
 */
export const failureText = (failure) =>
  [titleOf(failure).textContent, failure instanceof Problem && failure.detail].filter(Boolean).join(' ');

/** @param {Failure} failure */
function titleOf(failure) {
  if (failure instanceof Cancelled) return h('strong', {}, t('page.cancelled'));
  if (!(failure instanceof Problem)) return h('strong', {}, t('page.not-ours', failure));
  const [, name] = /^[/]problems[/]([a-z-]+)$/.exec(failure.type) ?? [];
  return name && has(`problem.${name}`) ? h('strong', {}, t(`problem.${name}`)) : h('strong', { lang: 'en' }, failure.title);
}

/** @param {Failure} failure */
const detailOf = (failure) => failure instanceof Problem && h('p', { lang: 'en' }, failure.detail);
