// How the program behaves while memory allocations fail. A library (LD_PRELOAD) makes malloc and similar functions fail at random, in
// the program and in all its libraries. The program keeps running; each answer is either identical to the usual one or a 503, or the
// connection is closed. Afterwards, all requests are answered again. If an allocation fails at startup, the program either starts
// anyway or exits with a message. `arbiter solve` either prints the right output or exits with a message.
//
// ARBITER_FAILING_MEMORY  the path of the library (tests/server/exhausted)
// ARBITER_SEED            the seed for all random choices (each run prints it)

import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Arbiter, run, withArbiter } from './arbiter.mjs';
import {
  JSON_TYPE, KNOWN, REFUSED, SGF_TYPE, TEXT_TYPE, below, goMoves, hardBoard, linkTo, mineBoard, mineText, pawnBoard,
  pick, randomFrom,
} from './bodies.mjs';
import { ConnectionEnded, ask, chunked, connect, until } from './client.mjs';

const LIBRARY = process.env.ARBITER_FAILING_MEMORY;
const SEED = Number(process.env.ARBITER_SEED ?? 20261122);
const CLIENTS = 24;
const BLOCK = 64 * 2 ** 10; // bytes: larger than any of the few blocks that a thread may keep
const SKIP = LIBRARY === undefined && 'ARBITER_FAILING_MEMORY is not set';

/** The file that controls the library; see `struct control` in failing_memory.c. */
class Memory {
  static #FIELDS = ['oneIn', 'seed', 'first', 'last', 'asked', 'failed', 'live', 'liveBytes'];
  #folder = mkdtempSync(join(tmpdir(), 'arbiter-memory-'));
  #path = join(this.#folder, 'control');
  #file = openSync(this.#path, 'w+');

  constructor() {
    for (const field of Memory.#FIELDS) this.set(field, 0);
  }

  get env() {
    return { LD_PRELOAD: LIBRARY, FAILING_MEMORY: this.#path };
  }

  set(field, value) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(value));
    writeSync(this.#file, bytes, 0, 8, 8 * Memory.#FIELDS.indexOf(field));
  }

  get(field) {
    const bytes = Buffer.alloc(8);
    readSync(this.#file, bytes, 0, 8, 8 * Memory.#FIELDS.indexOf(field));
    return Number(bytes.readBigInt64LE());
  }

  end() {
    closeSync(this.#file);
    rmSync(this.#folder, { recursive: true });
  }
}

async function withMemory(body) {
  const memory = new Memory();
  try {
    await body(memory);
  } finally {
    memory.end();
  }
}

const LINES = { 'Content-Type': 'application/x-ndjson' };
const json = (value) => JSON.stringify(value);
const linesOf = (text) => text.split('\n').slice(0, -1);

const PAGES = ['/', '/web/page/link.js', '/docs', '/docs/guides', '/openapi.yaml', '/openapi.json', '/problems', '/favicon.ico', '/robots.txt',
  '/problems/malformed', '/limits', '/version', '/livez', '/readyz'];

/** Requests for every route and in every format, both small ones and some that need a worker. */
function allKinds(random) {
  const times = (count, make) => Array.from({ length: count }, make);
  const boards = times(12, () => pawnBoard(random, 8, 8));
  const fields = times(12, () => mineBoard(random, 16, 30, 0.2));
  const games = times(12, () => goMoves(random, 200));
  const records = '(;SZ[5]AB[aa:bb];B[cc](;W[cc])(;W[dd]))(;SZ[3]RU[AGA];B[aa];AE[aa])(;SZ[5];B[zz])';
  const cases = (list, more = {}) => json({ cases: list.map((one, id) => ({ id, ...one, ...more })) });
  const stream = (list) => list.map(json).join('\n');
  const post = (target, body, headers = JSON_TYPE) => ({ target, headers, body });
  const packed = (request) => ({ ...request, headers: { ...request.headers, 'Accept-Encoding': 'gzip' } });
  const as = (type, request) => ({ ...request, headers: { ...request.headers, Accept: type } });
  const pawns = boards.map((board) => ({ board }));
  const mines = fields.map((board) => ({ board, include: ['wins', 'board'] }));
  const goes = games.map((moves) => ({ moves, include: ['captured', 'score'] }));
  return [
    ...KNOWN.map(({ request }) => request), ...REFUSED.map(({ request }) => request),
    { target: '/metrics' }, ...PAGES.flatMap((target) => [{ target }, packed({ target })]),
    { method: 'HEAD', target: '/limits' },
    { method: 'OPTIONS', target: '/go', headers: { Origin: 'https://a.example' } },
    { target: linkTo('/pawn', { board: ['O.O', '.X.'] }, '&format=svg') },
    packed({ target: linkTo('/go', { moves: [['B', 'Q16']], include: ['boards'] }) }),
    { target: linkTo('/mine', { board: ['..*'] }, '&format=text') },
    post('/pawn', json({ board: boards[0], include: ['moves', 'line', 'boards'] })),
    packed(post('/pawn', cases(pawns, { include: ['moves', 'line'] }))),
    as('application/x-ndjson', post('/pawn', cases(pawns))),
    as('image/svg+xml', post('/pawn', json(pawns[0]))),
    post('/go', json({ moves: goMoves(random, 2000), include: ['boards'] })),
    packed(post('/go', cases(goes))), post('/go', stream(goes), LINES),
    post('/go', records, SGF_TYPE), post('/go?game=2&include=boards,captured,score', records, SGF_TYPE),
    as('application/x-ndjson', post('/go?game=all', records.repeat(20), SGF_TYPE)),
    post('/go', json({ sgf: '(;SZ[3];B[aa])(;SZ[3];B[bb])', game: 'all', id: 'a' })),
    as('image/svg+xml', post('/mine', json({ board: fields[0] }))),
    post('/mine', json({ board: fields[0], clicks: [] })), post('/mine', mineText(fields), TEXT_TYPE),
    packed(post('/mine', cases(mines))), as('text/plain', post('/mine', cases(mines))),
    post('/mine', stream([...mines, { board: ['x'] }, ...mines]), LINES),
    as('application/json', post('/mine', stream(mines), LINES)),
    post('/mine', `${stream(mines)}\n{\n`, LINES),
    post('/mine', json({ board: hardBoard(random) })),
    post('/mine', cases([...mines, { board: ['x'] }])),
    post('/mine', `${cases(mines)}]`),
  ].map((request) => ({ request, name: [request.method, request.target, request.body].join(' ').slice(0, 200) }));
}

const VOLATILE = ['date', 'x-request-id', 'connection'];

/** The parts of an answer that must always be the same. For metrics, these are only the names. */
function stableParts(answer) {
  const metrics = answer.header('content-type')?.includes('version=0.0.4');
  const volatile = metrics ? [...VOLATILE, 'content-length'] : VOLATILE;
  const headers = [...answer.headers].filter(([name]) => !volatile.includes(name)).sort();
  const names = () => linesOf(answer.text()).filter((line) => line.startsWith('# TYPE '));
  const body = metrics ? names() : answer.body.toString('base64');
  return json({ status: answer.status, headers, body });
}

const plainly = ({ headers = {}, ...request }) => ({ ...request,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'Accept-Encoding')) });

/** Checks that `kinds` has a request for each path of the program, as listed in a 404. */
async function checkRoutes(arbiter, kinds) {
  const [, list] = /; the paths are (.*)/.exec((await arbiter.ask({ target: '/nowhere' })).json().detail);
  for (const path of list.split(', ')) {
    const prefix = path.replace(/NAME$/, '');
    const isAsked = ({ request: { target } }) =>
      target.split('?')[0] === path || (prefix !== path && target.startsWith(prefix));
    assert.ok(kinds.some(isAsked), `${path} has no request`);
  }
}

/**
 * Records the right answers while no allocation fails. An answer that is usually compressed may also arrive uncompressed, if there
 * is no memory to compress it, so both forms are recorded.
 */
async function learn(port, kinds) {
  for (const kind of kinds) {
    const answers = [await ask(port, kind.request), await ask(port, plainly(kind.request))];
    for (const answer of answers) assert.ok(answer.status < 500, `${kind.name}\n${answer}`);
    kind.expected = answers.map(stableParts);
    kind.lines = answers[0].header('content-type') === 'application/x-ndjson' && linesOf(answers[0].text());
  }
}

function checkRefusal(kind, answer) {
  assert.equal(answer.status, 503, `${kind.name}\n${answer}`);
  assert.equal(answer.header('content-type'), 'application/problem+json', `${kind.name}\n${answer}`);
  assert.equal(answer.header('retry-after'), '1');
  if (kind.request.method !== 'HEAD') assert.equal(answer.json().type, '/problems/overloaded');
}

/**
 * Checks that each line is either the right one or an `overloaded` problem, and returns the number of problems. The answer to a
 * collection may consist of a single line with such a problem.
 */
function checkLines(kind, text, whole) {
  const lines = linesOf(text);
  let refused = 0;
  lines.forEach((line, at) => {
    if (line === kind.lines[at]) return;
    const { id, problem } = JSON.parse(line);
    const wrong = `${kind.name}: line ${at} is\n${line}\nand not\n${kind.lines[at]}`;
    assert.equal(problem?.type, '/problems/overloaded', wrong);
    assert.ok(id === undefined || id === JSON.parse(kind.lines[at]).id);
    refused += 1;
  });
  const notOpened = refused === 1 && lines.length === 1;
  assert.ok(!whole || lines.length === kind.lines.length || notOpened, `${kind.name}: lines are missing`);
  return refused;
}

/** A client that sends requests one after another on a kept-alive connection, and counts the outcomes. */
class Client {
  #connection = null;

  constructor(port, kinds, random, left, counts) {
    Object.assign(this, { port, kinds, random, left, counts });
  }

  async run() {
    while (this.left.count > 0) {
      this.left.count -= 1;
      const kind = pick(this.random, this.kinds);
      this.counts[await this.#ask(kind)] += 1;
    }
    this.#connection?.close();
  }

  async #ask(kind) {
    if (this.#connection?.ended !== null || this.random() < 0.1) {
      this.#connection?.close();
      this.#connection = null;
    }
    let connection;
    try {
      connection = this.#connection ??= await connect(this.port);
      const sent = connection.send(this.#varied(kind.request));
      if (this.random() < 0.03) return await this.#hangUp(sent);
      const answer = await connection.answer();
      if (answer.header('connection') === 'close') this.#connection = null;
      return this.#judge(kind, answer);
    } catch (error) {
      if (!(error instanceof ConnectionEnded || ['ECONNRESET', 'EPIPE'].includes(error.code))) {
        error.message += ` (${kind.name})`;
        throw error;
      }
      const { fault } = connection ?? {};
      assert.ok((fault ?? null) === null || fault.startsWith('cut off'), `${kind.name}: ${fault}`);
      if (kind.lines && connection !== undefined) checkLines(kind, connection.soFar.toString(), false);
      return 'closed';
    }
  }

  /** Resets the connection without waiting for the answer. */
  async #hangUp(sent) {
    await sent;
    this.#connection.reset();
    this.#connection = null;
    return 'left';
  }

  /** Returns the request, sometimes with its body in chunks. */
  #varied({ headers = {}, ...request }) {
    if ((request.body ?? '') === '' || this.random() < 0.8) return { ...request, headers };
    const size = 1 + below(this.random, request.body.length);
    return { ...request, headers: { ...headers, 'Transfer-Encoding': 'chunked' }, body: chunked(request.body, size) };
  }

  #judge(kind, answer) {
    if (kind.expected.includes(stableParts(answer))) return 'right';
    if (kind.lines && answer.status === 200) {
      assert.notEqual(checkLines(kind, answer.text(), true), 0, `${kind.name}: another head\n${answer}`);
      return 'refusedLines';
    }
    checkRefusal(kind, answer);
    return 'refused';
  }
}

/** Sends `requests` requests, while one allocation in `oneIn` fails. */
async function exhaust(port, memory, kinds, oneIn, requests) {
  const left = { count: requests };
  const counts = { right: 0, refused: 0, refusedLines: 0, closed: 0, left: 0 };
  const before = memory.get('failed');
  memory.set('oneIn', oneIn);
  const clients = Array.from({ length: CLIENTS }, (_, client) =>
    new Client(port, kinds, randomFrom(SEED + oneIn + client), left, counts));
  await Promise.all(clients.map((client) => client.run())).finally(() => memory.set('oneIn', 0));
  return { ...counts, failed: memory.get('failed') - before };
}

/** These tests count descriptors and blocks themselves, starting before the first connection. */
const COUNTED = { leaks: false };

test('while one allocation in 1,000 or in 50 fails, no answer is wrong; afterwards, all requests are answered again',
  { skip: SKIP }, async (t) => {
    t.diagnostic(`seed ${SEED}`);
    const kinds = allKinds(randomFrom(SEED));
    await withMemory(async (memory) => {
      memory.set('seed', SEED);
      await withArbiter(['--workers', 2, '--max-search-states', 300], async (arbiter) => {
        const descriptors = () => readdirSync(`/proc/${arbiter.pid}/fd`).length;
        const idle = descriptors();
        await learn(arbiter.port, kinds);
        await checkRoutes(arbiter, kinds);
        const before = await exhaust(arbiter.port, memory, kinds, 0, 300); // lets threads allocate what they keep
        assert.equal(before.right + before.left, 300, json(before));
        let live = 0, bytes = 0, gone = 0;
        for (const [oneIn, requests] of [[1000, 6000], [50, 2000], [50, 2000]]) {
          // Threads keep some memory after the first rounds: when memory is short, long workers also try cases that short workers usually solve.
          await until('no connection is left', () => descriptors() === idle);
          live = memory.get('live');
          bytes = memory.get('liveBytes');
          const counts = await exhaust(arbiter.port, memory, kinds, oneIn, requests);
          t.diagnostic(`one in ${oneIn}: ${json(counts)}`);
          gone += counts.left;
          assert.ok(counts.failed > 10 && counts.refused > 0 && counts.closed > 0 && counts.right > 0, 'some of each');
        }
        for (const kind of kinds) assert.equal(stableParts(await arbiter.ask(kind.request)), kind.expected[0], kind.name);
        await until('no connection is left', () => descriptors() === idle);
        await until('its blocks are freed', () => memory.get('live') <= live + 16);
        await until('its memory is freed', () => memory.get('liveBytes') <= bytes + 16 * BLOCK);
        t.diagnostic(`blocks: ${live}, then ${memory.get('live')}; bytes: ${bytes}, then ${memory.get('liveBytes')}`);
        assert.deepEqual(arbiter.noise, [], 'every line of the log is JSON');
        await arbiter.stop();
        checkLog(arbiter, gone);
        const [stopped] = arbiter.log.filter(({ event }) => event === 'stopped');
        assert.equal(stopped.cut_off, 0, 'nothing was in flight');
      }, { env: memory.env, ...COUNTED });
    });
  });

/**
 * Checks that the log has a reason for each refusal and for each connection that ended without an answer, and that it reports at most
 * `left` clients as gone.
 */
function checkLog(arbiter, left) {
  const requests = arbiter.log.filter(({ event }) => event === 'request');
  const refused = requests.filter(({ status }) => status === 503 || status === 0);
  const gone = requests.filter(({ reason }) => ['client-gone', 'connection-lost'].includes(reason));
  assert.ok(refused.length > 10);
  for (const line of refused)
    assert.ok(['memory', 'memory-full'].includes(line.reason) || gone.includes(line), json(line));
  assert.ok(gone.length <= left, `${gone.length} have client-gone or connection-lost in the log, ${left} did:\n${gone.map(json).join('\n')}`);
}

test('while allocations fail, no answer on the ops port is wrong', { skip: SKIP },
  async (t) => {
    const requests = [{ target: '/metrics' }, { target: '/livez' }, { target: '/readyz' }, { target: '/limits' },
      { method: 'HEAD', target: '/metrics' }, { target: '/metrics', body: '{}' }];
    const kinds = requests.map((request) => ({ request, name: `${request.method ?? ''} ${request.target}` }));
    await withMemory(async (memory) => {
      memory.set('seed', SEED);
      await withArbiter(['--ops-port', 0], async ({ opsPort }) => {
        await learn(opsPort, kinds);
        const counts = await exhaust(opsPort, memory, kinds, 20, 1000);
        t.diagnostic(json(counts));
        assert.ok(counts.refused > 0 && counts.closed > 0 && counts.right > 0, 'some of each');
        for (const kind of kinds) assert.equal(stableParts(await ask(opsPort, kind.request)), kind.expected[0], kind.name);
      }, { env: memory.env, ...COUNTED });
    });
  });

/** Resets the counters, and makes the allocations with these numbers fail. */
function failThese(memory, first, last) {
  for (const field of ['asked', 'failed']) memory.set(field, 0);
  memory.set('first', first);
  memory.set('last', last);
}

/** Starts the program while these allocations fail. Returns true if it starts. */
async function starts(memory, first, last) {
  failThese(memory, first, last);
  const arbiter = new Arbiter(['--port', '0', '--ops-port', '0', '--workers', '2'], { env: memory.env });
  try {
    await arbiter.listening();
  } catch {
    await arbiter.leaves({ status: 1 });
    assert.match(arbiter.stderr, /cannot/, `allocations ${first} to ${last}: there is a message`);
    return false;
  }
  memory.set('last', 0);
  const answer = await arbiter.ask({ target: '/mine', headers: JSON_TYPE, body: '{"board":["..."]}' });
  assert.equal(answer.status, 200);
  assert.equal((await ask(arbiter.opsPort, { target: '/readyz' })).status, 200);
  await arbiter.stop();
  return true;
}

test('if allocations fail at startup, the program either starts, or exits with status 1 and a message', { skip: SKIP },
  async (t) => {
    await withMemory(async (memory) => {
      let started = 0, first = 0;
      do started += await starts(memory, first += 1, first);
      while (memory.get('failed') > 0);
      t.diagnostic(`${first - 1} allocations, ${started - 1} of which may fail`);
      assert.ok(first > 20 && started < first / 2);
      for (const from of [1, 10, 20]) assert.ok(!(await starts(memory, from, 1e9)), `from allocation ${from} on`);
    });
  });

/** Checks the result of `solve` while allocations fail. Returns true if `solve` failed because of that. */
function checkSolved({ code, signal, stdout, stderr }, right, about) {
  const shown = `${about}: ${json({ code, signal, stdout, stderr })}`;
  if (code === right.code && stdout === right.stdout && stderr === right.stderr) return false;
  assert.equal(code, 1, shown);
  assert.match(stderr + stdout, /memory|overloaded/, shown);
  return true;
}

const example = (name) => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
const SOLVED = [
  ['pawn', example('boards.txt')],
  ['mine', example('fields.ndjson')],
  ['mine', '--to', 'json', example('fields.txt')],
  ['go', '--to', 'svg', example('game.sgf')],
  ['go', '--game', 'all', '--to', 'ndjson', example('game.sgf'), example('collection.sgf'), example('nowhere.sgf')],
  ['go', '--with-file', example('game.sgf'), example('nowhere.sgf')],
  ['mine'],
];
// Standard input for commands without a file: two cases, one per line.
const SOLVED_LINES = '{"id":1,"board":["..."]}\n{"id":2,"board":[".*."]}\n';

test('while allocations fail, `arbiter solve` either prints the right output or exits with a message', { skip: SKIP },
  async (t) => {
    await withMemory(async (memory) => {
      for (const command of SOLVED) {
        const solve = () => run(['solve', '--workers', 2, ...command], { env: memory.env, input: SOLVED_LINES });
        failThese(memory, 0, 0);
        const right = await solve();
        let first = 0, refused = 0;
        do {
          failThese(memory, first += 1, first);
          refused += checkSolved(await solve(), right, `allocation ${first}`);
        } while (memory.get('failed') > 0);
        t.diagnostic(`${command[0]}: ${first - 1} allocations, ${refused} of which make it fail`);
        assert.ok(refused > 10);
      }
    });
  });
