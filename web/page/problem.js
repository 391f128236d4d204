// Shows a problem from the service in the page's own words: a title for its type, and a text for the code of each fault. The service's
// words have more detail but are always in English, so they are in a collapsed section below.

import { Problem } from '../arbiter.js';
import { h } from './dom.js';
import { Cancelled } from './service.js';
import { has, joined, t } from './text.js';

/** @typedef {import('./service.js').Failure} Failure */
/** @typedef {import('../arbiter.js').Fault} Fault */
/** @typedef {import('../arbiter.js').Cell} Cell */

/**
 * A game's wording: the name of a cell, and its own words for a fault. If `words` returns null, the words for the fault's code are used.
 * @typedef {{ cell: (at: Cell) => string, words?: (fault: Fault) => string | null }} Wording
 */

/**
 * An alert that shows a failure, and each fault with its place.
 * @param {Failure} problem
 * @param {Wording} [wording] the game's, if its board shows the question
 * @returns {HTMLElement}
 */
export function problemShown(problem, wording) {
  const errors = problem instanceof Problem ? problem.errors : [];
  return h('div', { class: 'problem', role: 'alert' },
    h('p', {}, titleOf(problem)), errors.length === 0 ? detailOf(problem) : faultsShown(errors, wording));
}

/**
 * A failure as a title and a sentence.
 * @param {Failure} failure
 */
export const failureShown = (failure) => h('div', {}, titleOf(failure), detailOf(failure));

/**
 * A failure as one text.
 * @param {Failure} failure
 */
export const failureText = (failure) =>
  joined('words', [titleOf(failure).textContent, failure instanceof Problem && failure.detail]);

/** @param {Failure} failure */
function titleOf(failure) {
  if (failure instanceof Cancelled) return h('strong', {}, t('page.cancelled'));
  if (!(failure instanceof Problem)) return h('strong', {}, t('page.not-ours', failure));
  const [, name] = /^[/]problems[/]([a-z-]+)$/.exec(failure.type) ?? [];
  return name && has(`problem.${name}`) ? h('strong', {}, t(`problem.${name}`)) : h('strong', { lang: 'en' }, failure.title);
}

/** @param {Failure} failure */
const detailOf = (failure) => failure instanceof Problem && h('p', { lang: 'en' }, failure.detail);

/** @type {Wording} */
const PLAIN = { cell: ([row, col]) => t('play.cell', { row: row + 1, col: col + 1 }) };

/**
 * A fault as a sentence, with its place first.
 * @param {Fault} fault
 * @param {Wording} [wording]
 */
export function faultText(fault, { cell, words } = PLAIN) {
  const { code, at, line, column } = fault;
  const said = words?.(fault) ?? t(has(`fault.${code}`) ? `fault.${code}` : 'fault.other');
  const place = line !== undefined ? t(column ? 'fault.byte' : 'fault.line', { line, column }) : at && cell(at);
  return place ? t('fault.at', { place, said }) : said;
}

/**
 * A list of faults. Without a game's wording, each has its JSON pointer, because then the question is from the user's file.
 * @param {readonly Fault[]} faults
 * @param {Wording} [wording]
 */
export function faultsShown(faults, wording) {
  return [
    h('ul', {}, faults.map((fault) => h('li', {}, !wording && technical(fault.pointer ?? fault.parameter), faultText(fault, wording)))),
    detailsShown(faults),
  ];
}

/**
 * The faults in the service's words, in a collapsed section.
 * @param {readonly Fault[]} faults
 */
export const detailsShown = (faults) => h('details', {}, h('summary', {}, t('fault.details')),
  h('ul', { lang: 'en' }, faults.map(({ pointer, parameter, detail }) => h('li', {}, technical(pointer ?? parameter), detail))));

/** @param {string | undefined} place */
const technical = (place) => place && [h('code', {}, place), ' '];
