// Boards, games and fields for requests: ones with known answers, random ones, and expensive ones.
//
// The random ones come from a seeded generator, so that a failing run can be repeated.

import { readFileSync } from 'node:fs';

/** A generator of random numbers in [0, 1) (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A random integer from 0 to end - 1. */
export function below(random, end) {
  return Math.floor(random() * end);
}

/** Returns a function that draws a random integer from 0 to end - 1. */
export function numbers(seed) {
  const random = randomFrom(seed);
  return (end) => below(random, end);
}

export function pick(random, list) {
  return list[below(random, list.length)];
}

/** A field as board rows, in which each cell is a mine with the given probability. */
export function mineBoard(random, rows, cols, density) {
  return Array.from({ length: rows }, () =>
    Array.from({ length: cols }, () => (random() < density ? '*' : '.')).join(''),
  );
}

/** Converts a field to a list of its mines. */
export function mineList(board) {
  const mines = [];
  board.forEach((line, row) => [...line].forEach((cell, col) => cell === '*' && mines.push([row, col])));
  return { rows: board.length, cols: board[0].length, mines };
}

export function mineText(boards) {
  const cases = boards.map((board) => {
    const { rows, cols, mines } = mineList(board);
    return `${rows} ${cols} ${mines.length}\n${mines.map(([x, y]) => `${x} ${y}\n`).join('')}`;
  });
  return `${boards.length}\n${cases.join('')}`;
}

/** A Go game of random moves, many of them illegal. */
export function goMoves(random, count, size = 19) {
  return Array.from({ length: count }, (_, index) => [
    index % 2 === 0 ? 'B' : 'W',
    below(random, size),
    below(random, size),
  ]);
}

export function goText(games) {
  const cases = games.map(
    (moves) => `${moves.length}\n${moves.map(([colour, row, col]) => `${colour} ${row + 1} ${col + 1}\n`).join('')}`,
  );
  return `${games.length}\n${cases.join('')}`;
}

/** A board with two red pieces, a pawn below the first row, and some obstacles. */
export function pawnBoard(random, rows, cols, obstacles = 0.1) {
  const cells = Array.from({ length: rows * cols }, () => (random() < obstacles ? '#' : '.'));
  const pawn = cols + below(random, (rows - 1) * cols);
  const free = cells.map((_, index) => index).filter((index) => index !== pawn);
  const [first] = free.splice(below(random, free.length), 1);
  const second = pick(random, free);
  cells[pawn] = 'X';
  cells[first] = 'O';
  cells[second] = 'O';
  return Array.from({ length: rows }, (_, row) => cells.slice(row * cols, (row + 1) * cols).join(''));
}

export function pawnText(boards) {
  const cases = boards.map((board) => `${board.length} ${board[0].length}\n${board.join('\n')}\n`);
  return `0 ${boards.length}\n${cases.join('')}`;
}

/**
 * A field that no known solver can finish: 300 x 300 cells, 10 % of them mines, with a single connected part of more than a hundred
 * openings. The solver searches max_search_states states, and then answers "Unknown".
 */
export function hardBoard(random) {
  return mineBoard(random, 300, 300, 0.1);
}

/**
 * The fields in bench/slow_fields.txt, found by `bench climb`. Each has 8 KB and takes several seconds to solve. In the file, "a" is
 * a mine, "b" an empty cell followed by a mine, … "y" 24 empty cells and a mine, and "z" 25 empty cells.
 */
export function slowBoards() {
  const side = 88;
  const lines = readFileSync(new URL('../../bench/slow_fields.txt', import.meta.url), 'latin1').trim().split('\n');
  return lines.map((line) => {
    const cells = Array.from(line.split(' ').at(-1), (letter) => {
      const gap = letter.charCodeAt(0) - 97;
      return '.'.repeat(gap) + (gap < 25 ? '*' : '');
    }).join('').padEnd(side * side, '.');
    return Array.from({ length: side }, (_, row) => cells.slice(row * side, (row + 1) * side));
  });
}

export const JSON_TYPE = { 'Content-Type': 'application/json' };

/**
 * With these options, ENDLESS keeps a long worker busy until its client hangs up: searching 100 million states takes half an hour,
 * and no search of a field of this size and density has ever finished.
 */
export const ENDLESS_OPTIONS = ['--max-search-states', 100_000_000, '--max-wait', 3600];
export const ENDLESS = {
  target: '/mine', headers: JSON_TYPE, body: JSON.stringify({ board: mineBoard(randomFrom(1), 400, 400, 0.105) }),
};

/** A case of 8 KB that keeps a long worker busy for about half a second and remains unsolved. */
export const HARD_CASE = { board: slowBoards()[0], states: 12_000 };
export const HARD = { target: '/mine', headers: JSON_TYPE, body: JSON.stringify(HARD_CASE) };

export const TEXT_TYPE = { 'Content-Type': 'text/plain' };
export const SGF_TYPE = { 'Content-Type': 'application/x-go-sgf' };

/** The target of a link to a case; `more` is appended to the query. */
export function linkTo(path, theCase, more = '') {
  return `${path}?case=${encodeURIComponent(typeof theCase === 'string' ? theCase : JSON.stringify(theCase))}${more}`;
}

/** A 19 x 19 board in contest format with these stones (rows and columns count from 1). */
function judgeBoard(stones) {
  const rows = Array.from({ length: 19 }, () => Array(19).fill('.'));
  for (const [colour, row, col] of stones) rows[row - 1][col - 1] = colour;
  return `${rows.map((row) => row.join('')).join('\n')}\n`;
}

/*
 * Requests whose answers were worked out by hand. All are small enough to be answered by the event loop.
 *
 * The Go sample, a single file with three games:
 *
 *   occupied     suicide      repetition: White captures at 2 2, Black recaptures
 *   B x          . B          at 2 3, and White may not capture back immediately
 *                B x            . B W .
 *                               B x x W
 *                               . B W .
 */
const GO_SAMPLE = `3
2
B 1 1
W 1 1
3
B 1 2
B 2 1
W 1 1
9
B 1 2
W 1 3
B 2 1
W 2 4
B 3 2
W 3 3
W 2 2
B 2 3
W 2 2
`;

const GO_SAMPLE_ANSWER =
  `miss 1\n${judgeBoard([['B', 1, 1]])}` +
  `miss 2\n${judgeBoard([['B', 1, 2], ['B', 2, 1]])}` +
  `miss 3\n${judgeBoard([
    ['B', 1, 2], ['W', 1, 3], ['B', 2, 1], ['B', 2, 3], ['W', 2, 4], ['B', 3, 2], ['W', 3, 3],
  ])}`;

const EMPTY_FIELD = ['...', '...', '...'];
const MINED_FIELD = ['...', '.*.', '...'];

export const KNOWN = [
  {
    name: 'mine: an empty 3 x 3 field is one opening',
    request: { target: '/mine', headers: JSON_TYPE, body: JSON.stringify({ board: EMPTY_FIELD }) },
    json: { verdict: 'Xiemao', nimber: 1, openings: 1, three_bv: 1, shared_numbers: 0, turn: 'Xiemao' },
  },
  {
    name: 'mine: a mine in the centre leaves eight isolated numbers',
    request: { target: '/mine', headers: JSON_TYPE, body: '{"rows":3,"cols":3,"mines":[[1,1]]}' },
    json: { verdict: 'Fanglaoshi', nimber: 0, openings: 0, three_bv: 8, shared_numbers: 0, turn: 'Xiemao' },
  },
  {
    name: 'mine: the results of a batch keep the order and ids of the cases',
    request: {
      target: '/mine',
      headers: JSON_TYPE,
      body: JSON.stringify({ cases: [{ id: 'a', board: MINED_FIELD }, { id: 7, board: EMPTY_FIELD }] }),
    },
    json: {
      results: [
        { id: 'a', verdict: 'Fanglaoshi', nimber: 0, openings: 0, three_bv: 8, shared_numbers: 0, turn: 'Xiemao' },
        { id: 7, verdict: 'Xiemao', nimber: 1, openings: 1, three_bv: 1, shared_numbers: 0, turn: 'Xiemao' },
      ],
    },
  },
  {
    name: 'mine: contest format',
    request: { target: '/mine', headers: TEXT_TYPE, body: '2\n3 3 0\n3 3 1\n1 1\n' },
    text: 'Case #1: Xiemao\nCase #2: Fanglaoshi\n',
  },
  {
    name: 'go: contest format with each kind of miss',
    request: { target: '/go', headers: TEXT_TYPE, body: GO_SAMPLE },
    text: GO_SAMPLE_ANSWER,
  },
  {
    name: 'go: a stone on an occupied point is a miss',
    request: { target: '/go', headers: JSON_TYPE, body: '{"size":2,"moves":[["B",0,0],["W","A2"],["W","pass"]]}' },
    json: {
      misses: [{ move: 2, color: 'W', at: [0, 0], name: 'A2', code: 1, reason: 'occupied' }],
      board: ['B.', '..'],
      played: 2,
      prisoners: { B: 0, W: 0 },
    },
  },
  {
    name: 'pawn: Red captures immediately',
    request: { target: '/pawn', headers: JSON_TYPE, body: '{"board":["OO","X."]}' },
    json: { verdict: 'Red', steps: 1 },
  },
  {
    name: 'pawn: the first row comes before the shared cell',
    request: { target: '/pawn', headers: JSON_TYPE, body: '{"board":["OO","X."],"turn":"Black"}' },
    json: { verdict: 'Black', steps: 1 },
  },
  {
    name: 'pawn: neither side can reach the other',
    request: { target: '/pawn', headers: JSON_TYPE, body: '{"board":["O.O","###","X.."]}' },
    json: { verdict: 'Tie', steps: null },
  },
  {
    name: 'pawn: contest format with all three verdicts',
    request: {
      target: '/pawn',
      headers: TEXT_TYPE,
      body: '7 5\n2 2\nOO\nX.\n3 3\nO.O\n###\nX..\n2 5\n..#OO\n.X###\n2 6\n..#O.O\n.X####\n3 3\nO.O\n###\n#X#\n',
    },
    text: 'Red 1\nTie\nBlack 0\nBlack 2\nRed 1\n',
  },
];

const CASE_FAULT = { type: '/problems/invalid-case', status: 422 };

/** Requests that are refused, each with the expected status and problem type. */
export const REFUSED = [
  { request: { target: '/nowhere' }, status: 404, type: '/problems/not-found' },
  { request: { target: '/mine' }, status: 400, type: '/problems/malformed' },
  { request: { target: '/mine?case=%7B%22board%22:3%7D' }, status: 422, type: '/problems/invalid-case' },
  { request: { target: '/mine?case=%7B%7D&format=png' }, status: 400, type: '/problems/malformed' },
  { request: { target: '/mine?case=%7B%7D', headers: { Accept: 'audio/ogg' } }, status: 406, type: '/problems/not-acceptable' },
  { request: { method: 'DELETE', target: '/limits' }, status: 405, type: '/problems/method-not-allowed' },
  { request: { target: '/mine', body: '' }, status: 400, type: '/problems/malformed' },
  { request: { target: '/go', headers: JSON_TYPE, body: '{"moves":[' }, status: 400, type: '/problems/malformed' },
  { request: { target: '/go?x=1', headers: JSON_TYPE, body: '{"moves":[]}' }, status: 400, type: '/problems/malformed' },
  { request: { target: '/go', headers: TEXT_TYPE, body: '1\n1\nB 1\n' }, status: 400, type: '/problems/malformed' },
  {
    request: { target: '/mine', headers: { 'Content-Type': 'image/png' }, body: 'x' },
    status: 415,
    type: '/problems/unsupported-media-type',
  },
  {
    request: { target: '/mine', headers: { Accept: 'audio/ogg' }, body: '{"board":["."]}' },
    status: 406,
    type: '/problems/not-acceptable',
  },
  { request: { target: '/mine', headers: JSON_TYPE, body: '{"board":["..","."]}' }, ...CASE_FAULT },
  { request: { target: '/pawn', headers: JSON_TYPE, body: '{"board":["OOO","X.."]}' }, ...CASE_FAULT },
  { request: { target: '/pawn', headers: JSON_TYPE, body: '{"board":["OO",".X"],"turn":"Blue"}' }, ...CASE_FAULT },
  { request: { target: '/go', headers: JSON_TYPE, body: '{"moves":[["B",19,0]]}' }, ...CASE_FAULT },
  { request: { target: '/go', headers: TEXT_TYPE, body: '1\n1\nB 1 20\n' }, ...CASE_FAULT },
  { request: { target: '/pawn', headers: JSON_TYPE, body: '{"cases":[]}' }, ...CASE_FAULT },
  { request: { target: '/pawn', headers: JSON_TYPE, body: '{}' }, ...CASE_FAULT },
];
