// Finds the most expensive requests to each route, for docs/measurements.md: response bytes per request byte, processor time per
// request and per byte, and peak memory, in both profiles. Prints the table for that page, and each request to standard error.
//
// The requests are the worst ones we know of, each as large as the profile allows: fields whose search uses up max_search_states,
// empty fields with a million cells in the answer, the boards that take the pawn solver longest, games with the board after each
// move, and JSON that consists only of values. Bytes include the head and are the same on every machine. Streams have
// only LINES lines, so what matters is their cost per byte.
//
// Processor time comes from the scheduler and covers all threads. The program is restarted for each request; memory is the peak
// resident memory, minus that before the request.

import { connect } from 'node:net';

import { start } from '../tests/server/arbiter.mjs';
import { goMoves, hardBoard, mineText, randomFrom, slowBoards } from '../tests/server/bodies.mjs';
import { cpu, printNoise } from './measure.mjs';

const PROFILES = ['trusted', 'public'];
const OPTIONS = ['--workers', 2, '--long-workers', 1, '--log-level', 'warn'];
const MOST = 120_000; // ms; a request that takes longer is cut off, and the table says so
const LINES = 20;

const json = JSON.stringify;
const random = randomFrom(1);
const slow = slowBoards();

// --- bodies ---------------------------------------------------------------------------------------------------------

const batch = (count, one) => `{"cases":[${Array(count).fill(json(one)).join(',')}]}`;
const lines = (cases) => cases.map((one) => `${json(one)}\n`).join('');
const linesOf = (one) => lines(Array(LINES).fill(one));
/** As many copies of a text as fit into `bytes`, at most `count`, separated by commas. */
const filled = (one, count, bytes) => Array(Math.min(count, Math.floor(bytes / (one.length + 1)))).fill(one).join(',');

const bothOfField = { rows: 1000, cols: 1000, mines: [], include: ['board', 'face'] };
const oneOfField = { ...bothOfField, include: ['board'] };
const ANSWERED_CELLS = 1_003_200; // bytes of a million cells as rows

/** A board with the red pieces in the first row and the pawn in the last corner, as far apart as possible. */
function farBoard(rows, cols) {
  const lines = Array(rows).fill('.'.repeat(cols));
  lines[0] = `O${'.'.repeat(cols - 2)}O`;
  lines[rows - 1] = `${'.'.repeat(cols - 1)}X`;
  return { board: lines, include: ['moves', 'line', 'boards'] };
}
const longBoard = farBoard(64, 4);
/** A single column with both red pieces below the pawn: the game takes 491 moves. */
const thinBoard = { board: Array.from({ length: 256 }, (_, row) => ({ 246: 'X', 252: 'O', 253: 'O' })[row] ?? '.'), turn: 'Black', include: ['moves', 'line'] };

/** A game in which one colour repeatedly fills the board, and each time its last stone is a suicide of all its stones. */
function suicides(moves) {
  const points = Array.from({ length: 361 }, (_, point) => ['B', Math.floor(point / 19), point % 19]);
  return { rules: { ko: 'none', suicide: true }, include: ['captured'], moves: Array.from({ length: moves }, (_, at) => points[at % 361]) };
}

// Bytes in an answer: the board after a move, an illegal move, and all members for a 64 x 4 board.
const BOARD_AFTER_A_MOVE = 430, MISS = 90, LONG_BOARD = 63_000;

/** The requests, sized to the limits: route, name, { type, body, accept, target }. */
function requests(limits) {
  const { max_body_bytes: bytes, max_answer_bytes: answer, max_json_values: values, max_cases: cases, max_moves: moves } = limits;
  const withBoards = Math.min(moves, Math.floor(answer / BOARD_AFTER_A_MOVE));
  const inJson = Math.min(moves, Math.floor(bytes / 12)), missed = Math.min(inJson, Math.floor(answer / MISS));
  const slowCases = Math.min(cases, Math.floor(4_000_000 / limits.max_search_states));
  const fields = Math.min(cases, Math.floor(answer / ANSWERED_CELLS), Math.floor(limits.max_mine_cells_total / 1_000_000));
  const of = (route, list) => list.map(([name, request]) => ({ route, name, target: route, ...request }));
  const link = (path, one) => ({ target: `${path}?case=${encodeURIComponent(json(one))}` });
  return [
    ...of('/mine', [
      ['an empty field, `board`', { body: json(oneOfField) }],
      ['an empty field, `board` and `face`', { body: json(bothOfField) }],
      ['a batch of empty fields, `board`', { body: batch(fields, oneOfField) }],
      ['a batch of empty fields, `board` and `face`', { body: batch(Math.floor(fields / 2), bothOfField) }],
      ['lines of empty fields, `board`', { type: 'application/x-ndjson', body: linesOf(oneOfField) }],
      ['lines of empty fields, `board` and `face`', { type: 'application/x-ndjson', body: linesOf(bothOfField) }],
      ['a link to an empty field', link('/mine', { ...oneOfField, rows: 500, cols: 500 })],
      ['a picture', { accept: 'image/svg+xml', body: json({ rows: 100, cols: 100, mines: [] }) }],
      ['empty fields in text', { type: 'text/plain', body: `${Math.min(cases, 64)}\n${'1000 1000 0\n'.repeat(Math.min(cases, 64))}` }],
      ['a hard field', { body: json({ board: slow[0] }) }],
      ['a hard field, the fourth', { body: json({ board: slow[3] }) }],
      ['a hard field in text', { type: 'text/plain', body: mineText([slow[2]]) }],
      ['a hard field of 300 x 300', { body: json({ board: hardBoard(random) }) }],
      ['a batch of hard fields', { body: batch(slowCases, { board: slow[3] }) }],
    ]),
    ...of('/go', [
      ['no move', { body: json({ moves: [] }) }],
      ['a batch of games without moves', { body: batch(cases, { moves: [] }) }],
      ['in text, games without moves', { type: 'text/plain', body: `${cases}\n${'0\n'.repeat(cases)}` }],
      ['lines of games without moves', { type: 'application/x-ndjson', body: linesOf({ moves: [] }) }],
      ['a picture', { accept: 'image/svg+xml', body: json({ moves: [] }) }],
      ['a picture by link', { target: `${link('/go', { moves: [] }).target}&format=svg` }],
      ['a record of passes, `boards`', { type: 'application/x-go-sgf', target: '/go?include=boards', body: `(${';B[]'.repeat(withBoards)})` }],
      ['stones on one point, `boards`', { body: `{"moves":[${filled('["B","A1"]', Math.min(moves, Math.floor(answer / (BOARD_AFTER_A_MOVE + MISS))), bytes)}],"include":["boards"]}` }],
      ['random stones', { body: json({ moves: goMoves(random, missed) }) }],
      ['random stones in text', { type: 'text/plain',
        body: `1\n${moves}\n${goMoves(random, moves).map(([colour, row, col]) => `${colour} ${row + 1} ${col + 1}\n`).join('')}` }],
      ['suicides of 361 stones', { body: json(suicides(inJson)) }],
      ['a record with set-up', { type: 'application/x-go-sgf', body: `(${';AB[aa:sr]AE[aa:ss]'.repeat(Math.min(moves, Math.floor(bytes / 22)))})` }],
    ]),
    ...of('/pawn', [
      ...[[16, 16], [64, 4], [128, 2], [4, 64]].map(([rows, cols]) => [`an empty board of ${rows} x ${cols}`, { body: json(farBoard(rows, cols)) }]),
      ['an empty board of 256 x 1', { body: json(thinBoard) }],
      ['a picture', { accept: 'image/svg+xml', body: json({ board: ['OO', 'X.'] }) }],
      ['a batch of boards of 16 x 16', { body: batch(Math.min(cases, 128), farBoard(16, 16)) }],
      ['a batch of boards of 64 x 4', { body: batch(Math.min(cases, 128, Math.floor(answer / LONG_BOARD)), longBoard) }],
      ['lines of boards of 64 x 4', { type: 'application/x-ndjson', body: linesOf(longBoard) }],
    ]),
    ...of('any game, JSON', [
      ['`[1,1,…]`', { body: `[${filled('1', values - 2, bytes - 2)}]` }],
      ['`[[],[],…]`', { body: `[${filled('[]', values - 2, bytes - 2)}]` }],
      ['`{"x":{"":1,…}}`', { body: `{"x":{${filled('"":1', values - 4, bytes - 8)}}}` }],
      ['`{"id":1,"id":1,…}`', { body: `{${filled('"id":1', values - 4, bytes - 8)}}` }],
      ['a long string', { body: `{"id":"${'a'.repeat(bytes - 100)}"}` }],
      ['a long number', { body: `{"id":${'1'.repeat(bytes - 100)}}` }],
    ].map(([name, request]) => [name, { ...request, target: '/mine' }])),
    ...of('pages', [
      ['/docs', { target: '/docs' }],
      ['/openapi.yaml', { target: '/openapi.yaml' }],
      ['/metrics', { target: '/metrics' }],
    ]),
  ];
}

// --- one request ----------------------------------------------------------------------------------------------------

function bytesOf({ target, type = 'application/json', accept, body }) {
  const head = [`${body === undefined ? 'GET' : 'POST'} ${target} HTTP/1.1`, 'Host: a', 'Connection: close'];
  if (accept !== undefined) head.push(`Accept: ${accept}`);
  if (body !== undefined) head.push(`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body ?? ''}`);
}

/** Sends bytes and reads the response as fast as it arrives. Resolves to its status, its length, and whether it took too long. */
function exchange(port, bytes) {
  return new Promise((resolve) => {
    let start = '', out = 0, late = false;
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const timer = setTimeout(() => { late = true; socket.destroy(); }, MOST);
    socket.on('data', (chunk) => {
      if (start.length < 12) start += chunk.toString('latin1', 0, 12);
      out += chunk.length;
    });
    socket.on('error', () => {}); // the request was refused while it was still being sent
    socket.on('close', () => {
      clearTimeout(timer);
      resolve({ status: start.slice(9, 12), out, late });
    });
  });
}

/** The cost of a request to a freshly started program. */
async function cost(profile, request) {
  const arbiter = await start([...OPTIONS, '--profile', profile]);
  await arbiter.ask({ target: '/livez' });
  const bytes = bytesOf(request);
  const before = { time: cpu(arbiter.pid), held: arbiter.memory('VmHWM') };
  const { status, out, late } = await exchange(arbiter.port, bytes);
  const milliseconds = cpu(arbiter.pid) - before.time, held = arbiter.memory('VmHWM') - before.held;
  arbiter.signal('SIGKILL');
  await arbiter.exit;
  return { ...request, status, late, bytes: bytes.length, out, milliseconds, held };
}

// --- the table ------------------------------------------------------------------------------------------------------

const grouped = (value) => String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
/** Two significant digits, so that noise doesn't change the table. */
const rounded = (value) => (value >= 10 ? grouped(Number(value.toPrecision(2))) : value.toFixed(1));

const MEASURES = [
  ['response bytes per request byte', ({ out, bytes }) => out / bytes],
  ['ms of CPU per request', ({ milliseconds }) => milliseconds],
  ['us of CPU per byte', ({ milliseconds, bytes }) => milliseconds * 1e3 / bytes],
  ['MB held by a request', ({ held }) => held],
];

/** A row of the table: the maximum of a measure on a route in each profile, and the request that reached it. */
function rowOf(results, route, [title, measure]) {
  const cells = PROFILES.map((profile) => {
    const most = results.filter((one) => one.profile === profile && one.route === route)
      .reduce((best, one) => (measure(one) > measure(best) ? one : best));
    const refused = /^4/.test(most.status) ? ' (refused)' : '';
    return `${most.late ? 'more than ' : ''}${rounded(measure(most))}: ${most.name}${refused}`;
  });
  return `| ${[route.startsWith('/') ? `\`${route}\`` : route, title, ...cells].join(' | ')} |`;
}

const results = [];
for (const profile of PROFILES) {
  const arbiter = await start([...OPTIONS, '--profile', profile]);
  const limits = await arbiter.limits();
  await arbiter.stop();
  console.error(`\n${profile}: status, bytes in and out, ms of CPU, MB held`);
  for (const request of requests(limits)) {
    const result = await cost(profile, request);
    results.push({ profile, ...result });
    const { route, name, status, bytes, out, milliseconds, held } = result;
    console.error(`${`${route}: ${name}`.padEnd(60)} ${status} ${grouped(bytes).padStart(12)} ${grouped(out).padStart(12)} ` +
      `${milliseconds.toFixed(1).padStart(10)} ${held.toFixed(1).padStart(7)}`);
  }
}
printNoise();
console.log(`\n| route | maximum | ${PROFILES.join(' | ')} |\n| --- | --- | --- | --- |`);
for (const route of new Set(results.map((one) => one.route)))
  for (const measure of MEASURES) console.log(rowOf(results, route, measure));
