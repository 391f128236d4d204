// Compares the results of the last release with those of the build under test, and describes each difference: the request, both
// answers, and the first place where they differ.

import { isDeepStrictEqual } from 'node:util';

import { exceptions } from './exceptions.mjs';

const SHOWN_BYTES = 1500;
const AROUND_BYTES = 60;

/** Bytes as readable text: invalid UTF-8 is replaced, and control characters are shown as numbers. */
const readable = (latin1) => Buffer.from(latin1, 'latin1').toString('utf8')
  .replace(/[\0-\x08\x0b-\x1f\x7f]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`);

const shorten = (text, most = SHOWN_BYTES) =>
  text.length <= most ? text : `${text.slice(0, most)}… (${text.length} bytes)`;

const indent = (text) => text.replace(/^/gm, '    ');

/** A result as one text. */
function textOf(result) {
  if (typeof result === 'string') return result;
  if (Array.isArray(result)) return result.map((part) => (Array.isArray(part) ? part.join(': ') : textOf(part))).join('\n');
  if (result === null || typeof result !== 'object') return String(result);
  const parts = Object.entries(result).map(([name, part]) => [name, textOf(part)]);
  return parts.map(([name, part]) => (part.includes('\n') ? `${name}:\n${part}` : `${name}: ${part}`)).join('\n');
}

/** The text around the first byte that differs. */
function firstDifference(old, now) {
  let at = 0;
  while (at < old.length && at < now.length && old[at] === now[at]) at += 1;
  const line = old.slice(0, at).split('\n').length;
  const from = Math.max(0, at - AROUND_BYTES);
  const around = (text) => {
    const piece = readable(text.slice(from, at + AROUND_BYTES)).replaceAll('\n', '⏎');
    return `${from > 0 ? '…' : ''}${piece}${text.length > at + AROUND_BYTES ? '…' : ''}`;
  };
  return `line ${line} of what is shown below, at byte ${at}:\n    release:    ${around(old)}\n    this build: ${around(now)}`;
}

export class Comparison {
  /** Differences that no exception explains: { kind, text }. */
  differences = [];
  /** The number of comparisons since the last call of requireEqual. */
  count = 0;
  #rows;
  #used = new Set();

  /** Compares these kinds. The rows are those of the table, unless a test has its own. */
  constructor(kinds, rows = exceptions) {
    this.#rows = rows.filter(({ kind }) => kinds.includes(kind));
  }

  /** The rows of a kind, whose examples must be sent. */
  rowsOf(kind) {
    return this.#rows.filter((row) => row.kind === kind);
  }

  /**
   * Compares the results `old` and `now` of a kind. `about` names the place (a seed and a number), `sent()` returns the request as
   * text; `request` and `ask` are for the rows.
   */
  async check(kind, { about, sent, request, old, now, ask }) {
    this.count += 1;
    if (isDeepStrictEqual(old, now)) return;
    let asOld = now;
    const applied = [];
    for (const row of this.rowsOf(kind)) {
      const before = await row.toOld(structuredClone(asOld), { request, old: structuredClone(old), ask });
      if (before === undefined || isDeepStrictEqual(before, asOld)) continue;
      asOld = before;
      applied.push(row);
    }
    // Compressed bytes differ if the text in them differs.
    const plain = ({ packed, ...rest }) => rest;
    if (applied.length > 0 && isDeepStrictEqual(plain(old), plain(asOld))) {
      for (const row of applied) this.#used.add(row);
      return;
    }
    const explained = applied.map(({ name }) => `\n(taken back before by the exception "${name}")`).join('');
    const parts = [
      `${about}\nsent:\n${indent(shorten(readable(sent())))}`,
      `first difference, in ${firstDifference(textOf(old), textOf(asOld))}${explained}`,
      `the release says:\n${indent(shorten(readable(textOf(old))))}`,
      `this build says:\n${indent(shorten(readable(textOf(now))))}`,
    ];
    this.differences.push({ kind, text: parts.join('\n') });
  }

  /** Fails if there were differences since the last call. */
  requireEqual() {
    const [differences, count] = [this.differences, this.count];
    this.differences = [];
    this.count = 0;
    if (differences.length === 0) return;
    const kinds = [...new Set(differences.map(({ kind }) => kind))];
    const shown = kinds.map((kind) => {
      const [{ text }, ...others] = differences.filter((one) => one.kind === kind);
      return `--- ${kind}: ${text}\n--- and ${others.length} more of this kind`;
    });
    throw new Error(`${differences.length} of ${count} differ from the last release; the first of each kind:\n${shown.join('\n\n')}`);
  }

  /** Fails if a row of the table was not used. */
  requireUse() {
    const unused = this.#rows.filter((row) => !this.#used.has(row)).map(({ name }) => `the exception is not used: ${name}`);
    if (unused.length > 0) throw new Error(unused.join('\n'));
  }
}
