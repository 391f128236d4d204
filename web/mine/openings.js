// Finds the openings of a field, and gives each a tint. Two openings that share a number get different tints if possible. The input is
// the board from the service, where each cell shows its contents.
//
// A field of a million cells takes tens of milliseconds, because blanks are joined run by run and only numbers need to look at
// their neighbours.

/** Number of tints; mine.css has them as --mine-up-1, --mine-down-1, and so on. */
export const TINTS = 5;

const BLANK = '.'.charCodeAt(0), MINE = '*'.charCodeAt(0);

/**
 * The cells have a margin of one cell around the board, so that each cell of the board has eight neighbours.
 * @typedef {object} Openings
 * @property {number} width       length of a row, margin included
 * @property {Int32Array} label   for each cell: the number of its opening, counted from 1; 0 if it isn't a blank
 * @property {Uint8Array} tints   for each opening: its tint, counted from 1
 * @property {Int32Array} beside  workspace for the two openings of a number
 */

/**
 * @param {readonly string[]} board the contents of all cells
 * @returns {Openings}
 */
export function findOpenings(board) {
  const width = board[0].length + 2, shown = new Uint8Array(width * (board.length + 2)).fill(MINE);
  const ascii = new TextEncoder();
  board.forEach((line, row) => ascii.encodeInto(line, shown.subarray((row + 1) * width + 1)));
  const { label, count } = labelled(shown, width);
  const beside = new Int32Array(2);
  return { width, label, tints: tinted(sharing(shown, label, width, beside), count), beside };
}

/**
 * The opening of a blank, counted from 1; 0 if the cell isn't a blank.
 * @param {Openings} openings
 * @param {number} row
 * @param {number} col
 */
export const openingAt = ({ label, width }, row, col) => label[(row + 1) * width + col + 1];

/**
 * The tint of a cell in or next to an opening, counted from 1; 0 for other cells. If a number is next to two openings, bits 16 and up
 * hold the second tint.
 * @param {Openings} openings
 * @param {number} row
 * @param {number} col
 */
export function tintAt({ label, width, tints, beside }, row, col) {
  const at = (row + 1) * width + col + 1;
  if (label[at]) return tints[label[at]];
  border(label, at, width, beside);
  return tints[beside[0]] | (tints[beside[1]] << 4);
}

/**
 * The openings next to a number, counted from 1; 0 stands for none.
 * @param {Openings} openings
 * @param {number} row
 * @param {number} col
 * @returns {[number, number]}
 */
export function bordering({ label, width, beside }, row, col) {
  border(label, (row + 1) * width + col + 1, width, beside);
  return [beside[0], beside[1]];
}

/**
 * Label each blank. Connected blanks get the same label.
 * @param {Uint8Array} shown
 * @param {number} width
 */
function labelled(shown, width) {
  const label = new Int32Array(shown.length);
  /** For each run of blanks: an earlier run connected to it, or itself. */
  const parent = [0];
  const rootOf = (/** @type {number} */ run) => {
    while (parent[run] !== run) run = parent[run] = parent[parent[run]];
    return run;
  };
  const join = (/** @type {number} */ run, /** @type {number} */ other) => {
    const one = rootOf(run), two = rootOf(other);
    parent[Math.max(one, two)] = Math.min(one, two);
  };
  for (let at = width; at < shown.length; at += 1) {
    if (shown[at] !== BLANK) continue;
    const left = label[at - 1], above = label[at - width], right = label[at - width + 1];
    if (left) {
      label[at] = left; // the blank on the left is already joined to those above, except the upper right one
      if (right && right !== left && !above) join(left, right);
      continue;
    }
    const corner = label[at - width - 1];
    label[at] = above || corner || right;
    if (!label[at]) parent.push(label[at] = parent.length);
    else if (!above && corner && right && corner !== right) join(corner, right);
  }
  return { label, count: numbered(label, parent) };
}

/**
 * Replace the numbers of runs with the numbers of openings, counted from 1 without gaps.
 * @param {Int32Array} label
 * @param {number[]} parent a parent is never larger than its child
 */
function numbered(label, parent) {
  const opening = new Int32Array(parent.length);
  let count = 0;
  for (let run = 1; run < parent.length; run += 1) opening[run] = parent[run] === run ? (count += 1) : opening[parent[run]];
  for (let at = 0; at < label.length; at += 1) label[at] = opening[label[at]];
  return count;
}

/**
 * Find the openings next to a number: none, one, or two. 0 stands for none.
 * @param {Int32Array} label
 * @param {number} at
 * @param {number} width
 * @param {Int32Array} beside receives the two openings; it is reused, to avoid an array for each number
 */
function border(label, at, width, beside) {
  let one = 0, two = 0;
  for (let line = at - width; line <= at + width; line += width) {
    for (let near = line - 1; near <= line + 1; near += 1) {
      const other = label[near];
      if (!other || other === one) continue;
      if (one) two = other;
      else one = other;
    }
  }
  beside[0] = one;
  beside[1] = two;
}

/**
 * The pairs of openings that share a number, each with the larger opening first, and sorted by it.
 * @param {Uint8Array} shown
 * @param {Int32Array} label
 * @param {number} width
 * @param {Int32Array} beside
 */
function sharing(shown, label, width, beside) {
  const pairs = [];
  for (let at = width; at < shown.length - width; at += 1) {
    if (shown[at] === BLANK || shown[at] === MINE) continue;
    border(label, at, width, beside);
    if (beside[1]) pairs.push([Math.max(beside[0], beside[1]), Math.min(beside[0], beside[1])]);
  }
  return pairs.sort(([one], [other]) => one - other);
}

/**
 * Choose a tint for each opening: the next one that isn't used by an earlier opening with which it shares a number.
 * @param {number[][]} pairs
 * @param {number} count
 */
function tinted(pairs, count) {
  const tints = new Uint8Array(count + 1);
  for (let opening = 1, at = 0; opening <= count; opening += 1) {
    let taken = 0; // one bit for each tint
    for (; at < pairs.length && pairs[at][0] === opening; at += 1) taken |= 1 << tints[pairs[at][1]];
    let chosen = 1 + ((opening - 1) % TINTS);
    for (let tried = 1; taken & (1 << chosen) && tried < TINTS; tried += 1) chosen = 1 + (chosen % TINTS);
    tints[opening] = chosen;
  }
  return tints;
}
