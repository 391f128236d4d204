// The openings of a field as they are drawn: each in a tint, and no two that share a number in the same one if it can be helped. They
// are found on the board that the service has turned over; nothing but colours and frames depends on them.
//
// A field of a million cells is gone through in some tens of milliseconds: blanks are joined run by run, and only numbers look around.

/** How many tints there are; the drawing names them --mine-tint-1 and on. */
export const TINTS = 5;

const BLANK = '.'.charCodeAt(0), MINE = '*'.charCodeAt(0);

/**
 * Cells are kept with a margin of one around the board, so that all have eight neighbours.
 * @typedef {object} Openings
 * @property {number} width       of a row with its margin
 * @property {Int32Array} label   of a blank the number of its opening, from 1; 0 for all other cells
 * @property {Uint8Array} tint    of a cell in or next to an opening its tint, from 1; of a shared number two, the second times 16
 */

/**
 * @param {readonly string[]} board what each cell shows
 * @returns {Openings}
 */
export function findOpenings(board) {
  const width = board[0].length + 2, shown = new Uint8Array(width * (board.length + 2)).fill(MINE);
  const codes = new TextEncoder();
  board.forEach((line, row) => codes.encodeInto(line, shown.subarray((row + 1) * width + 1)));
  const { label, count } = labelled(shown, width);
  const second = new Int32Array(shown.length), first = bordering(shown, label, second, width);
  const tintOf = tints(first, second, count);
  const tint = new Uint8Array(shown.length);
  for (let at = 0; at < tint.length; at += 1) tint[at] = tintOf[label[at] || first[at]] | (tintOf[second[at]] << 4);
  return { width, label, tint };
}

/**
 * A number for each blank, the same where blanks hang together.
 * @param {Uint8Array} shown
 * @param {number} width
 */
function labelled(shown, width) {
  const label = new Int32Array(shown.length);
  /** Of a run of blanks another that it hangs together with, or itself. */
  const parent = [0];
  const rootOf = (/** @type {number} */ run) => {
    while (parent[run] !== run) run = parent[run] = parent[parent[run]];
    return run;
  };
  for (let at = width; at < shown.length; at += 1) {
    if (shown[at] !== BLANK) continue;
    const left = label[at - 1];
    let run = left;
    // The three above; those that the blank to the left has seen too are joined already.
    for (let above = left ? at - width + 1 : at - width - 1; above <= at - width + 1; above += 1) {
      const other = label[above];
      if (!other || other === run) continue;
      const a = run ? rootOf(run) : other, b = rootOf(other);
      if (run) parent[Math.max(a, b)] = Math.min(a, b);
      else run = other;
    }
    if (!run) parent.push(run = parent.length);
    label[at] = run;
  }
  return { label, count: numbered(label, parent) };
}

/**
 * Put the numbers of openings, from 1 and without gaps, in place of those of runs.
 * @param {Int32Array} label
 * @param {number[]} parent whose roots are smaller than what hangs on them
 */
function numbered(label, parent) {
  const opening = new Int32Array(parent.length);
  let count = 0;
  for (let run = 1; run < parent.length; run += 1) opening[run] = parent[run] === run ? (count += 1) : opening[parent[run]];
  for (let at = 0; at < label.length; at += 1) label[at] = opening[label[at]];
  return count;
}

/**
 * The openings that each number is next to: one, which is returned, or a second one too.
 * @param {Uint8Array} shown
 * @param {Int32Array} label
 * @param {Int32Array} second
 * @param {number} width
 */
function bordering(shown, label, second, width) {
  const first = new Int32Array(shown.length);
  for (let at = width; at < shown.length - width; at += 1) {
    if (shown[at] === BLANK || shown[at] === MINE) continue;
    let one = 0, two = 0;
    for (let line = at - width; line <= at + width; line += width) {
      for (let near = line - 1; near <= line + 1; near += 1) {
        const other = label[near];
        if (!other || other === one) continue;
        if (one) two = other;
        else one = other;
      }
    }
    first[at] = one;
    second[at] = two;
  }
  return first;
}

/**
 * A tint for each opening: in turn, but none that an earlier one has with which it shares a number.
 * @param {Int32Array} first
 * @param {Int32Array} second
 * @param {number} count
 */
function tints(first, second, count) {
  /** @type {number[][]} of an opening those before it that it shares a number with */
  const shares = Array.from({ length: count + 1 }, () => []);
  for (let at = 0; at < second.length; at += 1) {
    if (second[at]) shares[Math.max(first[at], second[at])].push(Math.min(first[at], second[at]));
  }
  const tint = new Uint8Array(count + 1);
  for (let opening = 1; opening <= count; opening += 1) {
    const taken = new Set(shares[opening].map((other) => tint[other]));
    let chosen = 1 + ((opening - 1) % TINTS);
    for (let tried = 1; taken.has(chosen) && tried < TINTS; tried += 1) chosen = 1 + (chosen % TINTS);
    tint[opening] = chosen;
  }
  return tint;
}
