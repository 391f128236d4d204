// A field as a file: a case in JSON, or the judges' text with one field.

import { BadLink } from '../page/link.js';
import { Field } from './field.js';
import { readQuestion } from './link.js';

/** @typedef {import('./link.js').Shown} Shown */

/** A file of more bytes is none with one field. */
const MOST_BYTES = 32 << 20;

/** @param {Field} field */
export function jsonOf(field) {
  return `${JSON.stringify({ rows: field.rows, cols: field.cols, mines: field.mineCells() })}\n`;
}

/** @param {Field} field */
export function textOf(field) {
  const mines = field.mineCells();
  return [[1], [field.rows, field.cols, mines.length], ...mines].map((line) => `${line.join(' ')}\n`).join('');
}

/**
 * What a file shows, or null where it is no single field that could be shown: the service may say more about it then.
 * @param {Blob} file
 * @returns {Promise<Shown | null>}
 */
export async function shownOf(file) {
  if (file.size > MOST_BYTES) return null;
  const text = await file.text();
  try {
    return readQuestion(text.trimStart().startsWith('{') ? JSON.parse(text) : questionOf(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof BadLink) return null;
    throw error;
  }
}

/**
 * The judges' text with one field as a case.
 * @param {string} text
 */
function questionOf(text) {
  const words = text.trim().split(/\s+/);
  const [fields, rows, cols, count, ...rest] = words.map(Number);
  if (!words.every((word) => /^\d+$/.test(word)) || fields !== 1 || rest.length !== 2 * count) throw new BadLink('text');
  return { rows, cols, mines: Array.from({ length: count }, (_, at) => [rest[2 * at], rest[2 * at + 1]]) };
}
