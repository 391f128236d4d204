// Mixed traffic from well-behaved and misbehaving clients: they pipeline, write slowly, hang up, or reset the connection while a worker
// is solving their request. An answer depends only on the request, so each is compared with one fetched earlier from an idle server.
//
// No client sleeps. To wait "while a worker is solving", it has the program answer a number of other requests.

import assert from 'node:assert/strict';

import {
  JSON_TYPE, KNOWN, REFUSED, TEXT_TYPE, below, goMoves, goText, hardBoard, mineBoard, mineList, mineText, pawnBoard,
  pawnText, pick,
} from './bodies.mjs';
import { chunked, connect, formatRequest, until } from './client.mjs';

/** Requests that take a while to solve (up to several hundred milliseconds), are long, or have long answers. */
function largeRequests(random) {
  const times = (count, make) => Array.from({ length: count }, make);
  const cases = (list) => JSON.stringify({ cases: list });
  const games = times(20, () => goMoves(random, 300));
  const boards = times(20, () => pawnBoard(random, 10, 10));
  const beginners = times(30, () => mineBoard(random, 16, 30, 99 / 480));
  const field = mineBoard(random, 300, 300, 0.2);
  return [
    ['go: a long game', { target: '/go', headers: JSON_TYPE, body: JSON.stringify({ moves: goMoves(random, 3000) }) }],
    ['go: twenty games', { target: '/go', headers: JSON_TYPE, body: cases(games.map((moves) => ({ moves }))) }],
    ['go: twenty games as text', { target: '/go', headers: TEXT_TYPE, body: goText(games) }],
    [
      'go: a thousand empty games, a short question with a long answer',
      { target: '/go', headers: { ...JSON_TYPE, Accept: 'application/json' }, body: cases(times(1000, () => ({ moves: [] }))) },
    ],
    ['pawn: one full board', { target: '/pawn', headers: JSON_TYPE, body: JSON.stringify({ board: boards[0] }) }],
    ['pawn: twenty boards', { target: '/pawn', headers: JSON_TYPE, body: cases(boards.map((board) => ({ board }))) }],
    ['pawn: twenty boards as text', { target: '/pawn', headers: TEXT_TYPE, body: pawnText(boards) }],
    ['mine: thirty fields', { target: '/mine', headers: JSON_TYPE, body: cases(beginners.map((board) => ({ board }))) }],
    ['mine: thirty fields as text', { target: '/mine', headers: TEXT_TYPE, body: mineText(beginners) }],
    ['mine: 300 x 300 as a board', { target: '/mine', headers: JSON_TYPE, body: JSON.stringify({ board: field }) }],
    ['mine: 300 x 300 as a list', { target: '/mine', headers: JSON_TYPE, body: JSON.stringify(mineList(field)) }],
    [
      'mine: beyond the search limit',
      { target: '/mine', headers: JSON_TYPE, body: JSON.stringify({ board: hardBoard(random) }) },
    ],
    [
      'mine: a large batch with one bad case',
      { target: '/mine', headers: JSON_TYPE, body: cases([...beginners.map((board) => ({ board })), { board: ['x'] }]) },
    ],
    [
      'go: a large body that is not JSON at its end',
      { target: '/go', headers: JSON_TYPE, body: `${cases(games.map((moves) => ({ moves })))}]` },
    ],
  ].map(([name, request]) => ({ name, request, small: false }));
}

const GETS = ['/', '/openapi.yaml', '/openapi.json', '/problems', '/limits', '/version', '/livez', '/readyz', '/problems/malformed'];

/**
 * Requests of all kinds, each with what is known about its answer: { name, request, small, ... }. A generator with the same seed
 * produces the same requests.
 */
export function allKinds(random) {
  return [
    ...KNOWN.map((known) => ({ ...known, small: true })),
    ...REFUSED.map(({ request, status, type }) => ({
      name: `refused: ${request.method ?? ''} ${request.target} ${status}`,
      request,
      status,
      type,
      small: true,
    })),
    ...GETS.map((target) => ({ name: `GET ${target}`, request: { target }, small: true })),
    { name: 'HEAD /limits', request: { method: 'HEAD', target: '/limits' }, small: true },
    { name: 'OPTIONS /go', request: { method: 'OPTIONS', target: '/go' }, status: 204, small: true },
    ...largeRequests(random),
  ];
}

/** The parts of an answer that must always be the same. */
function stableParts(answer) {
  return {
    status: answer.status,
    type: answer.header('content-type'),
    allow: answer.header('allow'),
    length: answer.header('content-length'),
    body: answer.text(),
  };
}

/** Sends each request once, without load, checks the answer against what is known about it, and records it. */
export async function learn(arbiter, kinds) {
  for (const kind of kinds) {
    const answer = await arbiter.ask(kind.request);
    const { status = 200, type, json, text } = kind;
    if (!kind.name.includes('bad case') && !kind.name.includes('not JSON')) {
      assert.equal(answer.status, status, `${kind.name}:\n${answer}`);
    }
    if (type !== undefined) assert.equal(answer.json().type, type, kind.name);
    if (json !== undefined) assert.deepEqual(answer.json(), json, kind.name);
    if (text !== undefined) assert.equal(answer.text(), text, kind.name);
    kind.expected = stableParts(answer);
  }
}

/** Checks that an answer is the same as the recorded one. */
export function check(kind, answer) {
  const found = stableParts(answer);
  if (found.status === 503) assert.fail(`${kind.name} was refused with 503 though the queue was not full:\n${answer}`);
  assert.deepEqual(found, kind.expected, kind.name);
}

/**
 * A client with its own random generator. `left` is shared by all clients and counts the requests still to be sent. If the program's
 * clock is running, pass `mostIdle`: connections that have been idle for longer (in milliseconds) aren't used again.
 */
export class Client {
  #connection = null;

  constructor(port, kinds, random, left, counts, { mostIdle = Infinity } = {}) {
    Object.assign(this, { port, kinds, random, left, counts, mostIdle });
    this.small = kinds.filter((kind) => kind.small);
    this.large = kinds.filter((kind) => !kind.small);
  }

  /** What a client can do, each behaviour with its weight. */
  get behaviours() {
    return [
      [50, this.patient], [10, this.pipelining], [6, this.inPieces], [5, this.inChunks], [3, this.oneShot],
      [4, this.hangsUpInTheHead], [4, this.hangsUpInTheBody], [4, this.hangsUpAfterSending], [4, this.halfCloses],
      [4, this.resetsWhileSolving], [3, this.readsLate], [3, this.sendsNonsense],
    ];
  }

  /** Whether the program is shutting down. If it is, connections end, and a client that isn't reading wouldn't notice. */
  get isLeaving() {
    return false;
  }

  check(kind, answer) {
    check(kind, answer);
  }

  checkRefusal(answer) {
    assert.ok([400, 505].includes(answer.status), `nonsense was answered:\n${answer}`);
  }

  /** Called before a client hangs up without having read its answer. */
  async beforeHangUp() {}

  async run() {
    const { behaviours } = this;
    const total = behaviours.reduce((sum, [weight]) => sum + weight, 0);
    while (this.left.count > 0) {
      let at = below(this.random, total);
      const [, behaviour] = behaviours.find(([weight]) => (at -= weight) < 0);
      this.counts[behaviour.name] = (this.counts[behaviour.name] ?? 0) + 1;
      try {
        await behaviour.call(this);
      } catch (error) {
        error.message = `a client that is ${behaviour.name}, last with ${this.last}: ${error.message}`;
        throw error;
      }
    }
    this.#connection?.close();
  }

  take(kinds) {
    const kind = pick(this.random, kinds);
    this.left.count -= 1;
    this.last = kind.name;
    return kind;
  }

  /** Chooses a request: in most cases a small one, so that large requests don't dominate. */
  choose() {
    return this.take(this.random() < 0.8 ? this.small : this.large);
  }

  chooseLarge() {
    return this.take(this.large);
  }

  chooseWithBody() {
    return this.take(this.kinds.filter((kind) => (kind.request.body ?? '') !== ''));
  }

  /** Returns the kept connection. Opens a new one if that has ended or was idle for too long, and sometimes at random. */
  async kept() {
    const old = performance.now() - this.used > this.mostIdle;
    if (this.#connection !== null && (this.#connection.ended !== null || old || this.random() < 0.05)) {
      this.#connection.close();
      this.#connection = null;
    }
    this.#connection ??= await connect(this.port);
    return this.#connection;
  }

  /** Has the program answer this many requests. After the first one, the event loop has read everything sent before. */
  async letItAnswer(count) {
    for (let answers = 0; answers < count; answers += 1) {
      const connection = await this.kept();
      connection.send({ target: '/livez' });
      assert.equal((await connection.answer()).status, 200);
      this.used = performance.now();
    }
  }

  async withFresh(use) {
    const connection = await connect(this.port);
    try {
      await use(connection);
    } finally {
      connection.close();
    }
  }

  /** If the answer announces that the connection will be closed, waits for that, so that the next request opens a new one. */
  async settle(connection, answer) {
    if ((answer.header('connection') ?? '').toLowerCase() === 'close') await connection.closed();
  }

  async patient() {
    const kind = this.choose();
    const connection = await this.kept();
    connection.send(kind.request);
    const answer = await connection.answer();
    this.used = performance.now();
    this.check(kind, answer);
    await this.settle(connection, answer);
  }

  async pipelining() {
    const kinds = Array.from({ length: 2 + below(this.random, 4) }, () => this.choose()).filter(
      // If a request is refused before its body is read, the connection may end, and the requests behind it would be lost.
      (kind) => kind.expected.status < 400 || kind.expected.status === 422,
    );
    await this.withFresh(async (connection) => {
      for (const kind of kinds) connection.expect(kind.request.method ?? 'POST');
      connection.write(Buffer.concat(kinds.map((kind) => formatRequest(kind.request))));
      for (const kind of kinds) this.check(kind, await connection.answer());
    });
  }

  async inPieces() {
    const kind = this.choose();
    const bytes = formatRequest(kind.request);
    await this.withFresh(async (connection) => {
      connection.expect(kind.request.method ?? 'POST');
      const most = Math.max(1, Math.ceil(bytes.length / 8));
      for (let at = 0; at < bytes.length; ) {
        const size = 1 + below(this.random, most);
        await connection.write(bytes.subarray(at, at + size));
        await this.letItAnswer(below(this.random, 2));
        at += size;
      }
      this.check(kind, await connection.answer());
    });
  }

  async inChunks() {
    const kind = this.chooseWithBody();
    const { target, headers = {}, body } = kind.request;
    const size = 1 + below(this.random, body.length);
    await this.withFresh(async (connection) => {
      connection.send({ target, headers: { ...headers, 'Transfer-Encoding': 'chunked' }, body: chunked(body, size) });
      this.check(kind, await connection.answer());
    });
  }

  async oneShot() {
    const kind = this.choose();
    const { headers = {} } = kind.request;
    await this.withFresh(async (connection) => {
      connection.send({ ...kind.request, headers: { ...headers, Connection: 'close' } });
      this.check(kind, await connection.answer());
      await connection.closed();
    });
  }

  async hangsUpInTheHead() {
    const bytes = formatRequest(this.choose().request);
    await this.withFresh(async (connection) => {
      await connection.write(bytes.subarray(0, below(this.random, bytes.indexOf('\r\n\r\n') + 3)));
      await this.beforeHangUp(connection);
      if (this.random() < 0.5) connection.reset();
    });
  }

  async hangsUpInTheBody() {
    const { request } = this.chooseWithBody();
    const bytes = formatRequest(request);
    const begin = bytes.indexOf('\r\n\r\n') + 4;
    await this.withFresh(async (connection) => {
      await connection.write(bytes.subarray(0, begin + below(this.random, bytes.length - begin)));
      await this.beforeHangUp(connection);
      if (this.random() < 0.5) connection.reset();
    });
  }

  async hangsUpAfterSending() {
    const kind = this.choose();
    await this.withFresh(async (connection) => {
      await connection.send(kind.request);
      await this.beforeHangUp(connection);
    });
  }

  async halfCloses() {
    const kind = this.choose();
    await this.withFresh(async (connection) => {
      await connection.send(kind.request);
      connection.halfClose();
      // libmicrohttpd may drop a large request, but its client must never get a wrong answer.
      const answer = kind.small ? await connection.answer() : await connection.answerOrNothing();
      if (answer !== null) this.check(kind, answer);
    });
  }

  async resetsWhileSolving() {
    const kind = this.chooseLarge();
    await this.withFresh(async (connection) => {
      await connection.send(kind.request);
      await this.letItAnswer(below(this.random, 5));
      connection.reset();
    });
  }

  async readsLate() {
    const kind = this.chooseLarge();
    await this.withFresh(async (connection) => {
      connection.stopReading();
      connection.send(kind.request);
      await until('an answer has begun', () => connection.received > 0 || this.isLeaving);
      await this.letItAnswer(below(this.random, 5));
      connection.goOnReading();
      this.check(kind, await connection.answer());
    });
  }

  async sendsNonsense() {
    this.left.count -= 1;
    const refused = [
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'GET /version HTTP/1.1\r\n\r\n',
      'POST /go HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'POST /go HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n',
      'POST /go HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n',
    ];
    const unfinished = ['\r\n\r\n\r\n\r\n', '\x16\x03\x01\x02\x00\x01', `GET /${'a'.repeat(50_000)}`, '\0\0\0\0'];
    await this.withFresh(async (connection) => {
      if (this.random() < 0.4) {
        await connection.write(pick(this.random, unfinished));
        await this.beforeHangUp(connection);
        return;
      }
      await connection.write(pick(this.random, refused));
      this.checkRefusal(await connection.answer());
    });
  }
}
