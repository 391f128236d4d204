// Clients that disconnect, at any point and in any way, and clients that linger after a refusal. They leave nothing behind in the
// program, and don't delay its exit.
//
// The clock runs, as in production. With a stopped clock, each event loop would check the clock every few milliseconds, and that would
// wake up loops that have missed an event. The deadlines are so long that only what a test is about can end a connection or the
// program. An older connection to each event loop stays open throughout (leaks.mjs).

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { LOOPS, withArbiter } from './arbiter.mjs';
import {
  ENDLESS, ENDLESS_OPTIONS, HARD, HARD_CASE, JSON_TYPE, KNOWN, goMoves, mineBoard, randomFrom,
} from './bodies.mjs';
import { connect, formatRequest, until } from './client.mjs';
import { beginLingering } from './lingering.mjs';
import { untilMetrics, untilWorkersIdle } from './samples.mjs';
import { untilRead, untilReaderIsFull, untilHalfClosed } from './sockets.mjs';

const MANAGER = process.env.ARBITER_MANAGER;
const NEVER = 3600; // seconds
const [EMPTY_FIELD] = KNOWN;
const VERSIONS = ['HTTP/1.1', 'HTTP/1.0'];
const NDJSON = { 'Content-Type': 'application/x-ndjson' };
const linesOf = (cases) => cases.map((one) => `${JSON.stringify(one)}\n`).join('');
const stream = (target, cases) => ({ target, headers: NDJSON, body: linesOf(cases) });

const FIELD = { board: ['...', '.*.', '...'] };
/** A field that the event loop leaves to a worker, which solves it in a few milliseconds. */
const MEDIUM_CASE = { ...HARD_CASE, states: 10 };
/** A stream whose first line is ready immediately and whose second line never is. */
const WAITING = stream('/mine', [FIELD, JSON.parse(ENDLESS.body), FIELD]);
/** Cases whose answers have 4.4 MB: more than fits into the buffers of a connection if the client doesn't read. */
const GAMES = Array(100).fill({ moves: goMoves(randomFrom(5), 100), include: ['boards'] });
const LONG_STREAM = stream('/go', GAMES);
const LONG_ANSWER = { target: '/go', headers: JSON_TYPE, body: JSON.stringify({ cases: GAMES }) };
const fields = randomFrom(6);
const FIELDS = stream('/mine', Array.from({ length: 2000 }, () => ({ board: mineBoard(fields, 9, 9, 0.2) })));

const BASE = [
  ...ENDLESS_OPTIONS, '--workers', 1, '--long-workers', 1, '--head-timeout', NEVER, '--body-timeout', NEVER,
  '--drain-timeout', NEVER, '--max-answer-bytes', 1e9,
];
const PATIENT = ['--send-timeout', NEVER];
const IMPATIENT = ['--send-timeout', 1];

function onLoops(name, options, body, more) {
  test(name, () => withArbiter([...BASE, '--ops-port', 0, ...options], (arbiter) => body(arbiter, LOOPS), more));
}

const times = (count, make) => Promise.all(Array.from({ length: count }, (_, index) => make(index)));

/** Waits until at least `count` requests to the games are logged; returns their log lines. */
async function endsOf(arbiter, count) {
  const ends = () => arbiter.log.filter(({ event, method }) => event === 'request' && method === 'POST');
  await until(`${count} requests are in the log`, () => ends().length >= count);
  return ends();
}

// --- leaving ----------------------------------------------------------------

const WAYS = [
  ['closes', (connection) => connection.close()],
  ['resets', (connection) => connection.reset()],
  ['half-closes', (connection) => connection.halfClose()],
];

/** Opens a connection, writes the beginning of a request, and waits until the program has read it. */
async function beginPart(arbiter, asked, lengthOf) {
  const connection = await connect(arbiter.port);
  const bytes = formatRequest(asked);
  await connection.write(bytes.subarray(0, lengthOf(bytes)));
  await untilRead(arbiter);
  return connection;
}

async function beginUnread(arbiter, asked) {
  const connection = await connect(arbiter.port);
  connection.stopReading();
  await connection.send(asked);
  await untilReaderIsFull(connection);
  return connection;
}

async function beginStream(arbiter, version) {
  const connection = await connect(arbiter.port);
  connection.send({ ...WAITING, version });
  await connection.lines(1);
  return connection;
}

async function beginSolving(arbiter, asked) {
  const connection = await connect(arbiter.port);
  await connection.send(asked);
  await untilRead(arbiter);
  return connection;
}

const endOfHead = (bytes) => bytes.indexOf('\r\n\r\n') + 4;

/** The points at which a client disconnects, each with a function that brings a new client to that point. */
const POINTS = [
  ['before its head', (arbiter) => beginPart(arbiter, ENDLESS, () => 0)],
  ['in its head', (arbiter) => beginPart(arbiter, ENDLESS, (bytes) => endOfHead(bytes) - 4)],
  ['before its body', (arbiter) => beginPart(arbiter, ENDLESS, endOfHead)],
  ['in its body', (arbiter) => beginPart(arbiter, ENDLESS, (bytes) => endOfHead(bytes) + 1000)],
  ['while its request is being solved or is waiting', (arbiter) => beginSolving(arbiter, ENDLESS)],
  ['in an answer that it does not read', (arbiter) => beginUnread(arbiter, LONG_ANSWER)],
  ['in a stream that it does not read', (arbiter) => beginUnread(arbiter, LONG_STREAM)],
  ...VERSIONS.map((version) => [`in a stream over ${version} while no line is ready`, (arbiter) => beginStream(arbiter, version)]),
];

for (const [point, begin] of POINTS) {
  for (const [way, leave] of WAYS) {
    // A client that has half-closed can still read, so its connection stays open until the send timeout.
    const unread = point.includes('does not read') && way === 'half-closes';
    onLoops(`a client that ${way} ${point} leaves nothing behind`, unread ? IMPATIENT : PATIENT, async (arbiter, loops) => {
      const clients = [];
      for (let client = 0; client < 2 * loops; client += 1) clients.push(await begin(arbiter));
      clients.forEach(leave);
      await arbiter.leaks.check({ hangUp: false });
    });
  }
}

onLoops('when the clients of 1,024 queued requests hang up, none of the requests stays in the queue', ['--queue', 2048, ...PATIENT], async (arbiter) => {
  const [busy] = await times(1, () => beginSolving(arbiter, ENDLESS)); // so that no other hard case is solved
  const clients = await times(1024, () => connect(arbiter.port));
  await Promise.all(clients.map((client) => client.send(HARD)));
  await untilMetrics(arbiter, 'all are in hand', (at) => at('arbiter_requests_in_flight') === 1025);
  clients.forEach((client) => client.close());
  await untilMetrics(arbiter, 'only the first request is in hand', (at) => at('arbiter_requests_in_flight') === 1);
  assert.equal(busy.ended, null);
});

// --- half-closing -----------------------------------------------------------

// The clock is stopped, so that even a slow machine solves everything within the second.
const NO_SECOND_PASSES = { stopClock: true };

/** Checks that clients that half-close after a request and keep reading get the same body as others, and leave nothing behind. */
async function checkHalfClosing(arbiter, asked, expected) {
  for (const connection of await times(8, () => connect(arbiter.port))) {
    await connection.send(asked);
    connection.halfClose();
    assert.ok((await connection.answer()).body.equals(expected.body));
  }
  await arbiter.leaks.check({ hangUp: false });
}

for (const version of VERSIONS) {
  onLoops(`a client over ${version} that half-closes and keeps reading gets its stream, if it is solved within a second`, PATIENT, async (arbiter) => {
    const cases = Array(30).fill(MEDIUM_CASE);
    const asked = { ...stream('/mine', cases), version };
    const expected = await arbiter.ask(asked);
    assert.equal(expected.text().split('\n').length, cases.length + 1, `${expected}`);
    await checkHalfClosing(arbiter, asked, expected);
  }, NO_SECOND_PASSES);
}

onLoops('a client that half-closes gets its answer, if its request is solved within a second', PATIENT, async (arbiter) => {
  const asked = { ...HARD, body: JSON.stringify({ cases: Array(3).fill(MEDIUM_CASE) }) };
  const expected = await arbiter.ask(asked);
  assert.equal(expected.status, 200, `${expected}`);
  await checkHalfClosing(arbiter, asked, expected);
}, NO_SECOND_PASSES);

// The program reads the second request and the client's half-close in the same round.
onLoops('a client that half-closes with the second request of its connection gets both answers', PATIENT, async (arbiter) => {
  const asked = { ...HARD, body: JSON.stringify({ cases: Array(3).fill(MEDIUM_CASE) }) };
  const expected = await arbiter.ask(asked);
  for (let client = 0; client < 3; client += 1) {
    const connection = await connect(arbiter.port);
    connection.send({ target: '/livez' });
    assert.equal((await connection.answer()).status, 200);
    arbiter.signal('SIGSTOP');
    connection.send(asked);
    connection.halfClose();
    await untilHalfClosed(connection);
    arbiter.signal('SIGCONT');
    assert.ok((await connection.answer()).body.equals(expected.body));
  }
}, NO_SECOND_PASSES);

onLoops('if a client half-closes, work that takes longer is cancelled', PATIENT, async (arbiter) => {
  for (const [count, asked] of [ENDLESS, WAITING].entries()) {
    const connection = await connect(arbiter.port);
    await connection.send(asked);
    connection.halfClose();
    await connection.closed();
    assert.equal(connection.unread, 0, 'it gets no complete answer');
    assert.equal((await endsOf(arbiter, count + 1))[count].reason, 'client-gone');
    await untilWorkersIdle(arbiter);
  }
});

for (const [what, asked] of [['a long stream', LONG_STREAM], ['2,000 fields', FIELDS]]) {
  for (const version of VERSIONS) {
    onLoops(`a client that half-closes and never reads ${what} over ${version} is disconnected at the send timeout`, IMPATIENT, async (arbiter) => {
      const clients = await times(4, () => connect(arbiter.port));
      for (const client of clients) {
        client.stopReading();
        await client.send({ ...asked, version });
        client.halfClose();
      }
      await endsOf(arbiter, clients.length);
      await arbiter.leaks.check({ hangUp: false });
    });
  }
}

// --- lingering --------------------------------------------------------------

onLoops('refused clients that stay connected are disconnected after two seconds', PATIENT, async (arbiter, loops) => {
  const refused = await times(2 * loops, () => beginLingering(arbiter));
  await arbiter.leaks.check({ hangUp: false });
  refused.forEach((socket) => socket.destroy());
});

for (const [name, each] of [['a refused client that lingers does', 0], ['refused clients that linger at each loop do', 2]]) {
  onLoops(`on SIGTERM, ${name} not delay the program's exit`, PATIENT, async (arbiter, loops) => {
    const refused = await times(each * loops || 1, () => beginLingering(arbiter));
    arbiter.signal('SIGTERM');
    await arbiter.leaves();
    refused.forEach((socket) => socket.destroy());
  });
}

onLoops('on SIGTERM, a client whose request is in flight is answered although another client lingers', PATIENT, async (arbiter) => {
  const connection = await connect(arbiter.port);
  const bytes = formatRequest({ ...EMPTY_FIELD.request, headers: { ...JSON_TYPE, Expect: '100-continue' } });
  await connection.write(bytes.subarray(0, endOfHead(bytes)));
  await connection.continued();
  const refused = await beginLingering(arbiter);
  arbiter.signal('SIGTERM');
  await until('it drains', () => arbiter.log.some(({ event }) => event === 'draining'));
  connection.expect('POST');
  connection.write(bytes.subarray(endOfHead(bytes)));
  assert.deepEqual((await connection.answer()).json(), EMPTY_FIELD.json);
  await arbiter.leaves();
  refused.destroy();
});

onLoops('the next program serves although a refused client lingers at the previous one', PATIENT, async (arbiter) => {
  const refused = await beginLingering(arbiter);
  arbiter.child.stdin.write('\n'); // tells the manager to start the next program
  arbiter.signal('SIGTERM');
  await until('it drains', () => arbiter.log.some(({ event }) => event === 'draining'));
  arbiter.leaks.close(); // otherwise idle connections could stay open for half of the drain timeout
  await until('the next program listens', () => arbiter.listeningLines().length === 2);
  assert.deepEqual((await arbiter.ask(EMPTY_FIELD.request)).json(), EMPTY_FIELD.json);
  arbiter.leaks = null; // the leak check watched the first program
  refused.destroy();
}, { under: [MANAGER], stdin: 'pipe', port: null });
