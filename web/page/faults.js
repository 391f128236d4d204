// The faults of a question in the reader's language, by code and place. The service's own words name more, but in English: they are
// folded below.

import { h } from './dom.js';
import { has, t } from './text.js';

/** @typedef {import('../arbiter.js').Fault} Fault */
/** @typedef {import('../arbiter.js').Cell} Cell */

/**
 * What a game calls its cells, and what it says of a fault in place of the words of its code.
 * @typedef {{ cell: (at: Cell) => string, words?: (fault: Fault) => string | null }} Wording
 */

/** @type {Wording} */
const PLAIN = { cell: ([row, col]) => t('fault.cell', { row: row + 1, col: col + 1 }) };

/**
 * A fault as a sentence, after its place where it has one.
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
 * A list of faults. The pointer is shown where no game is: the reader has written the question.
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
 * The same in the words of the service, folded.
 * @param {readonly Fault[]} faults
 */
export const detailsShown = (faults) => h('details', {}, h('summary', {}, t('fault.details')),
  h('ul', { lang: 'en' }, faults.map(({ pointer, parameter, detail }) => h('li', {}, technical(pointer ?? parameter), detail))));

/** @param {string | undefined} place */
const technical = (place) => place && [h('code', {}, place), ' '];
