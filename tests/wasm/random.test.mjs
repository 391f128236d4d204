// The WebAssembly module gives the same answers as the service, byte for byte: random requests in every format, some of them with a few
// wrong bytes, are sent to both.
//
// ARBITER_SEED   the seed of the requests (default: 1)

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withArbiter } from '../server/arbiter.mjs';
import { below, goMoves, goText, linkTo, mineBoard, mineList, mineText, pawnBoard, pawnText, pick, randomFrom } from '../server/bodies.mjs';
import { connect } from '../server/client.mjs';
import { requestBytes } from '../contract/wire.mjs';
import { ask, newEngine } from './module.mjs';

const SEED = Number(process.env.ARBITER_SEED ?? 1);
const REQUESTS = 4000;
/** Requests that are sent before their answers are awaited. */
const AHEAD = 50;

const some = (random, list) => list.filter(() => random() < 0.4);
const side = (random, most) => 1 + below(random, most);

const CASES = {
  pawn: (random) => ({
    board: pawnBoard(random, 1 + side(random, 8), 1 + side(random, 8), random() / 3),
    ...(random() < 0.5 && { turn: pick(random, ['Red', 'Black']) }),
    include: some(random, ['moves', 'line', 'boards', 'case']),
  }),
  go: (random) => {
    const size = pick(random, [1, 2, 3, 4, 5, 9, 13, 19]);
    return {
      size,
      moves: goMoves(random, below(random, 4 * size * size), size),
      rules: { ko: pick(random, ['positional', 'situational', 'simple', 'none']), suicide: random() < 0.5 },
      include: some(random, ['score', 'captured', 'boards', 'case']),
    };
  },
  mine: (random) => {
    const board = mineBoard(random, side(random, 12), side(random, 12), random() / 2);
    return {
      ...(random() < 0.5 ? { board } : mineList(board)),
      ...(random() < 0.3 && { clicks: [[below(random, board.length), below(random, board[0].length)]] }),
      ...(random() < 0.2 && { states: 1 + below(random, 5) }),
      include: some(random, ['wins', 'board', 'face', 'case']),
    };
  },
};
const TEXTS = {
  pawn: (random) => pawnText([CASES.pawn(random).board, CASES.pawn(random).board]),
  go: (random) => goText([goMoves(random, below(random, 300)), goMoves(random, below(random, 30))]),
  mine: (random) => mineText([mineBoard(random, side(random, 20), side(random, 20), 0.2), mineBoard(random, 3, 3, 0.3)]),
};

function record(random) {
  const size = pick(random, [5, 9, 19]);
  const moves = goMoves(random, below(random, 200), size).map(([color, row, col]) => `;${color}[${String.fromCharCode(97 + col, 97 + row)}]`);
  return `(;GM[1]FF[4]SZ[${size}]${pick(random, ['', 'RU[Japanese]', 'RU[Chinese]', 'HA[2]AB[aa][bb]'])}${moves.join('')})`;
}

const post = (game, type, body, accept) =>
  ({ method: 'POST', target: `/${game}`, headers: { 'Content-Type': type, ...(accept && { Accept: accept }) }, body });
const JSON_TYPE = 'application/json', LINES = 'application/x-ndjson';
const several = (random, make) => Array.from({ length: 1 + below(random, 6) }, () => ({ id: below(random, 99), ...make(random) }));

/** Makers of requests. */
const KINDS = [
  (random, game) => post(game, JSON_TYPE, JSON.stringify(CASES[game](random))),
  (random, game) => post(game, JSON_TYPE, JSON.stringify(CASES[game](random)), 'image/svg+xml'),
  (random, game) => post(game, JSON_TYPE, JSON.stringify({ cases: several(random, CASES[game]) }), pick(random, [undefined, 'text/plain'])),
  (random, game) => post(game, LINES, several(random, CASES[game]).map((one) => `${JSON.stringify(one)}\n`).join('')),
  (random, game) => post(game, 'text/plain', TEXTS[game](random), pick(random, ['text/plain', JSON_TYPE])),
  (random, game) => (game === 'go' ? post('go', 'application/x-go-sgf', record(random)) : post(game, 'text/plain', CASES[game](random).board?.join('\n') ?? '')),
  (random, game) => ({ method: 'GET', target: linkTo(`/${game}`, CASES[game](random)).slice(0, 8000) }),
];

/** Changes, removes or adds a few bytes. */
function damaged(random, body) {
  const bytes = [...Buffer.from(body)];
  for (let times = 1 + below(random, 3); times > 0; times--) {
    const byte = random() < 0.5 ? '[]{},:"0123456789.*#OX(;\n'.charCodeAt(below(random, 25)) : below(random, 256);
    bytes.splice(below(random, bytes.length + 1), below(random, 2), ...(random() < 0.7 ? [byte] : []));
  }
  return Buffer.from(bytes);
}

function makeRequest(random) {
  const request = pick(random, KINDS)(random, pick(random, ['pawn', 'go', 'mine']));
  return request.body !== undefined && random() < 0.35 ? { ...request, body: damaged(random, request.body) } : request;
}

test(`${REQUESTS} random requests have the same answers (seed ${SEED})`, () => withArbiter([], async ({ port }) => {
  const random = randomFrom(SEED), engine = newEngine(), statuses = new Map();
  const connection = await connect(port);
  for (let count = 0; count < REQUESTS; count += AHEAD) {
    const requests = Array.from({ length: AHEAD }, () => makeRequest(random));
    for (const request of requests) {
      connection.expect(request.method);
      connection.write(requestBytes(request));
    }
    for (const request of requests) {
      const theirs = await connection.answer(), ours = ask(engine, request);
      const seen = ({ status, headers, text }) => ({ status, type: headers.get('content-type'), body: text });
      assert.deepEqual(seen({ ...ours, text: ours.text() }), seen({ status: theirs.status, headers: theirs.headers, text: theirs.text() }),
        `${request.method} ${request.target} ${JSON.stringify(request.headers)}\n${request.body}`);
      statuses.set(ours.status, (statuses.get(ours.status) ?? 0) + 1);
    }
  }
  connection.close();
  assert.ok(statuses.get(200) > REQUESTS / 2 && statuses.get(400) > 100 && statuses.get(422) > 100, JSON.stringify([...statuses]));
}));
