// Counts the cases in a file, and finds the case for a row of results. JSON Lines are read in slices, so a file is never in memory as a
// whole.

import { JSON_KIND, LINES, SGF } from './kinds.js';

/** @typedef {import('./kinds.js').Kind} Kind */

const SLICE_BYTES = 1 << 20;
const LINE_FEED = 10;

/** @param {number} byte */
const blank = (byte) => byte === 32 || byte === 13 || byte === 9;

/**
 * Call `line` with the start and the end of each line that isn't blank, in bytes. The end is exclusive.
 * @param {Blob} file
 * @param {(start: number, end: number) => boolean} line returns true to stop
 * @param {AbortSignal} [signal]
 */
async function eachLine(file, line, signal) {
  let start = 0, empty = true;
  for (let at = 0; at < file.size; at += SLICE_BYTES) {
    const bytes = new Uint8Array(await file.slice(at, at + SLICE_BYTES).arrayBuffer());
    signal?.throwIfAborted();
    for (let index = 0; index < bytes.length; index += 1) {
      if (bytes[index] === LINE_FEED) {
        if (!empty && line(start, at + index)) return;
        start = at + index + 1;
        empty = true;
      } else if (empty && !blank(bytes[index])) {
        empty = false;
        // Skip to the end of the line, which may be in the next slice.
        const end = bytes.indexOf(LINE_FEED, index);
        index = (end === -1 ? bytes.length : end) - 1;
      }
    }
  }
  if (!empty) line(start, file.size);
}

/**
 * The number of cases in a file; null if only the answers can tell.
 * @param {File} file
 * @param {Kind} kind
 * @param {AbortSignal} [signal]
 * @returns {Promise<number | null>}
 */
export async function countCases(file, kind, signal) {
  if (kind !== LINES) return null;
  let lines = 0;
  await eachLine(file, () => {
    lines += 1;
    return false;
  }, signal);
  return lines;
}

/** Can `caseAt` find the case of a row? @param {Kind} kind */
export const hasCases = (kind) => kind === LINES || kind === JSON_KIND || kind === SGF;

/**
 * The case that a row of answers belongs to. Rejects if it can't be read.
 * @param {File} file
 * @param {Kind} kind
 * @param {number} row counted from 0
 * @returns {Promise<any>}
 */
export async function caseAt(file, kind, row) {
  if (kind === SGF) return { sgf: await file.text(), game: row + 1 };
  if (kind === JSON_KIND) {
    const document = JSON.parse(await file.text());
    return document.cases ? document.cases[row] : document;
  }
  let left = row, place = [0, 0];
  await eachLine(file, (start, end) => {
    place = [start, end];
    left -= 1;
    return left < 0;
  });
  return JSON.parse(await file.slice(...place).text());
}
