// Counts the cases in a file, and finds the case for a row of results. JSON Lines, drawings and contest format are read in slices, so such
// a file is never in memory as a whole.

import { headOf, isDrawing, JSON_KIND, kindOf, LINES, SGF, TEXT } from './kinds.js';

/** @typedef {import('./service.js').Game} Game */
/** @typedef {import('./kinds.js').Kind} Kind */

const SLICE_BYTES = 1 << 20;
const LINE_FEED = 10;

/** A byte order mark. The service skips it, so a line with nothing else is blank. */
const MARK = [0xEF, 0xBB, 0xBF];

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
    if (at === 0 && MARK.every((byte, index) => bytes[index] === byte)) bytes.fill(32, 0, MARK.length);
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

/**
 * The case that a row of answers belongs to. Rejects if it can't be read.
 * @param {File} file
 * @param {Kind} kind
 * @param {number} row counted from 0
 * @param {Game} game
 * @returns {Promise<any>}
 */
export async function caseAt(file, kind, row, game) {
  const head = kind === TEXT ? await headOf(file) : '', drawing = isDrawing(head);
  if (kind === TEXT && !drawing) {
    kind = kindOf('', head); // the service reads JSON in a text file, too
    if (kind === TEXT) return wordsTo(file, caseInWords(game, row));
  }
  if (kind === SGF) return { sgf: await file.text(), game: row + 1 };
  if (kind === JSON_KIND) {
    const document = JSON.parse(await file.text()), { cases, ...own } = Array.isArray(document) ? { cases: document } : document;
    return cases ? { ...own, ...cases[row] } : own; // the other members of a batch are defaults
  }
  let found = -1, place = [0, -2];
  await eachLine(file, (start, end) => {
    if (drawing && start === place[1] + 1) place[1] = end; // no blank line between them: the same board
    else if (found === row) return true;
    else [found, place] = [found + 1, [start, end]];
    return false;
  });
  if (found < row) throw new RangeError('no such case');
  const text = await file.slice(...place).text();
  return drawing ? { board: text.split('\n').map((line) => capitals(line.replace(/[ \t\r]+$/, ''))) } : JSON.parse(text);
}

/** The page writes pieces in capitals only. @param {string} line of a board */
const capitals = (line) => line.replace(/[ox]/g, (piece) => piece.toUpperCase());

/**
 * Give the words of a file to `reader`, which yields how many it takes next, until it returns a value.
 * @template Value
 * @param {Blob} file
 * @param {Generator<number, Value, string[]>} reader
 */
async function wordsTo(file, reader) {
  const decoder = new TextDecoder();
  let { value: wanted, done } = reader.next([]), rest = '', /** @type {string[]} */ words = [];
  for (let at = 0; at < file.size; at += SLICE_BYTES) {
    const bytes = await file.slice(at, at + SLICE_BYTES).arrayBuffer(), end = at + SLICE_BYTES < file.size ? '' : '\n';
    const found = (rest + decoder.decode(bytes, { stream: true }) + end).split(/[ \t\r\n]+/);
    rest = found.pop() ?? ''; // it may go on in the next slice
    words = words.concat(found[0] === '' ? found.slice(1) : found);
    let used = 0;
    while (words.length - used >= Number(wanted)) {
      const given = words.slice(used, used += Number(wanted));
      ({ value: wanted, done } = reader.next(given));
      if (done) return /** @type {Value} */ (wanted);
    }
    words = words.slice(used);
  }
  throw new RangeError('no such case');
}

/**
 * Reads contest format, as `read_head` and `read_case` of the service do. The cases before the wanted one have to be read, too.
 * @param {Game} game
 * @param {number} row
 * @returns {Generator<number, any, string[]>}
 */
function* caseInWords(game, row) {
  yield game === 'pawn' ? 2 : 1; // the test id, and the number of cases
  for (let at = 0; ; at += 1) {
    const found = yield* READERS[game]();
    if (at === row) return found();
  }
}

/** @param {string} word */
function numberIn(word) {
  if (!/^\d+$/.test(word)) throw new SyntaxError(word);
  return Number(word);
}

/** @param {string[]} words @param {number} size */
const groups = (words, size) => Array.from({ length: words.length / size }, (_, at) => words.slice(size * at, size * (at + 1)));

/** Read a case, and return a function that makes it. @type {Record<Game, () => Generator<number, () => object, string[]>>} */
const READERS = {
  *pawn() {
    const [rows] = (yield 2).map(numberIn), board = yield rows;
    return () => ({ board: board.map(capitals) });
  },
  *go() {
    const [count] = (yield 1).map(numberIn), words = yield 3 * count;
    return () => ({ size: 19, moves: groups(words, 3).map(([color, row, col]) => [color, numberIn(row) - 1, numberIn(col) - 1]) });
  },
  *mine() {
    const [rows, cols, count] = (yield 3).map(numberIn), words = yield 2 * count;
    return () => ({ rows, cols, mines: groups(words, 2).map((cell) => cell.map(numberIn)) });
  },
};
