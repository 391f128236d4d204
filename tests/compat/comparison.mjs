// Compares output of the last release with output of the build under test, undoes the differences that the table of exceptions allows,
// and describes all others: the request, and both texts around the first byte that differs.

import { exceptions } from './exceptions.mjs';

const AROUND = 300; // bytes

/** Bytes as readable text: invalid UTF-8 is replaced, and control characters are shown as \xNN. */
const readable = (latin1) => Buffer.from(latin1, 'latin1').toString('utf8')
  .replace(/[\0-\x08\x0b-\x1f\x7f]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`).replace(/^/gm, '    ');

function describe({ about, sent, old, now }) {
  let at = 0;
  while (at < old.length && at < now.length && old[at] === now[at]) at += 1;
  const around = (text) => readable(text.slice(Math.max(0, at - AROUND), at + AROUND));
  return `${about}\nsent:\n${readable(sent.slice(0, 5 * AROUND))}\nline ${old.slice(0, at).split('\n').length} differs; the release:\n` +
    `${around(old)}\nthis build:\n${around(now)}`;
}

export class Comparison {
  /** Compares output of these kinds. The rows come from the table of exceptions unless a test passes its own. */
  constructor(kinds, rows = exceptions) {
    Object.assign(this, { kinds, rows, used: new Set(), differences: [] });
  }

  /** Compares the texts `old` and `now`. `about` says where they come from (such as a seed and a number), `sent` is the request. */
  check(kind, { about, sent, old, now }) {
    let asOld = now;
    const applied = [];
    for (const row of this.rows) {
      // Commands give the same answers as the service.
      const isOfKind = row.kind === kind || (row.kind === 'answer' && kind === 'command');
      if (asOld === old || !isOfKind || row.at?.test(sent) === false) continue;
      const before = asOld.replaceAll(row.is, typeof row.was === 'function' ? () => row.was(old) : row.was ?? '');
      if (before !== asOld) applied.push(row);
      asOld = before;
    }
    if (old === asOld) for (const row of applied) this.used.add(row);
    else this.differences.push({ kind, text: describe({ about, sent, old, now: asOld }) });
  }

  /** Fails if any differences were found since the last call, and shows the first one of each kind. */
  requireEqual() {
    const differences = this.differences.splice(0);
    const shown = this.kinds.flatMap((kind) => differences.find((one) => one.kind === kind) ?? []);
    if (differences.length === 0) return;
    throw new Error(`${differences.length} differences:${shown.map(({ kind, text }) => `\n--- ${kind}: ${text}`).join('')}`);
  }

  /** Fails if any row for these kinds was not used. */
  requireUse() {
    const unused = this.rows.filter((row) => this.kinds.includes(row.kind) && !this.used.has(row));
    if (unused.length > 0) throw new Error(unused.map(({ reason }) => `the exception is not used: ${reason}`).join('\n'));
  }
}
