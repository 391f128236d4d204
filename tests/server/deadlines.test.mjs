// The deadlines of a connection: head, body, keep-alive. The tests control the clock, so each deadline is checked to the millisecond.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { test } from 'node:test';

import { withStoppedClock } from './arbiter.mjs';
import { ENDLESS, JSON_TYPE, KNOWN } from './bodies.mjs';
import { checkProblem } from './checks.mjs';
import { connect, eventOf, formatRequest, until } from './client.mjs';
import { ONE_LONG_WORKER, beginEndless, sendLong } from './long_worker.mjs';
import { metricsAt } from './samples.mjs';
import { untilRead } from './sockets.mjs';

const [EMPTY_FIELD] = KNOWN;
const HEAD = 10_000;
const BODY = 30_000;

/** These tests use the default head timeout, which would also close the idle connections of the leak check. */
const DEFAULT_HEAD = { leaks: false };

/** Waits until the program's metrics show this many connections from the test. */
function untilConnected(arbiter, count) {
  return until(`there are ${count} connections`, async () =>
    (await metricsAt(arbiter.opsPort)).get('arbiter_connections') === count + arbiter.idle);
}

/** Opens a connection, and waits until the program has accepted it. */
async function connectTo(arbiter, count = 1) {
  const connection = await connect(arbiter.port);
  await untilConnected(arbiter, count);
  return connection;
}

/** Sends a head that announces a body, and waits for 100 Continue. */
async function beginBody(arbiter, headers) {
  const connection = await connectTo(arbiter);
  connection.expect('POST');
  await connection.write(formatRequest({ method: 'POST', target: '/mine', headers: { ...JSON_TYPE, ...headers, Expect: '100-continue' } }));
  await connection.continued();
  return connection;
}

/** Checks that the program hangs up without an answer. */
async function checkCutOff(connection) {
  await connection.closed();
  assert.equal(connection.unread, 0, 'no answer came');
  assert.equal(connection.fault, null);
}

/** Checks that the program answers 408 in the middle of the body, hangs up, and logs the reason. */
async function checkTooSlow(arbiter, connection) {
  const answer = await connection.answer();
  const problem = checkProblem(answer, 408, 'body-timeout');
  assert.equal(problem.detail, 'the body did not arrive within 30 s (--body-timeout)');
  assert.equal(answer.header('connection'), 'close');
  assert.equal(await connection.closed(), 'end');
  assert.equal(connection.fault, null);
  const line = await until('it is logged', () => arbiter.log.find(({ reason }) => reason === 'body-timeout'));
  assert.deepEqual([line.status, line.bytes_out, line.request_id], [408, answer.body.length, answer.header('x-request-id')]);
  const after = await metricsAt(arbiter.opsPort);
  assert.equal(after.get('arbiter_timeouts_total{stage="body"}'), 1);
  assert.equal(after.get('arbiter_requests_total{route="/mine",status="408"}'), 1);
}

for (const [name, begin] of [['in its first line', 'GET /livez HT'], ['after its first line', 'GET /livez HTTP/1.1\r\nHost: a\r\nX-Filler: ']]) {
  test(`a head that stops ${name} is cut off at the head timeout`, () => withStoppedClock([], async (arbiter) => {
    const connection = await connectTo(arbiter);
    await connection.write(begin);
    await arbiter.clock.advance(HEAD - 1);
    await connection.write('a'); // another byte doesn't extend the deadline
    await untilConnected(arbiter, 1);
    await arbiter.clock.advance(1);
    await checkCutOff(connection);
  }, DEFAULT_HEAD));
}

test('a head that is complete just before the head timeout is answered', () => withStoppedClock([], async (arbiter) => {
  const connection = await connectTo(arbiter);
  await connection.write('GET /livez HTTP/1.1\r\nHost: a\r\n');
  await arbiter.clock.advance(HEAD - 1);
  await connection.write('\r\n');
  assert.equal((await connection.answer()).status, 200);
  connection.close();
}, DEFAULT_HEAD));

test('a second head on a kept-alive connection has its own deadline, and is cut off when it expires', () => withStoppedClock([], async (arbiter) => {
  const connection = await connectTo(arbiter);
  for (let round = 0; round < 3; round += 1) {
    await arbiter.clock.advance(HEAD - 1);
    connection.send({ target: '/version' });
    assert.equal((await connection.answer()).status, 200);
  }
  await connection.write('GET /livez HTTP/1.1\r\nX-Filler: ');
  await arbiter.clock.advance(HEAD);
  await checkCutOff(connection);
}, DEFAULT_HEAD));

for (const [name, value, part] of [['Content-Length', '50000', ' '], ['Transfer-Encoding', 'chunked', '1\r\n \r\n']]) {
  test(`a body with ${name} that is not complete at the body timeout is answered 408, even if bytes are still arriving`, () => withStoppedClock([], async (arbiter) => {
    const connection = await beginBody(arbiter, { [name]: value });
    for (let drip = 0; drip < 5; drip += 1) {
      await connection.write(part);
      await arbiter.clock.advance(BODY / 5 - 1);
      assert.equal(connection.ended, null, `drip ${drip}`);
    }
    await arbiter.clock.advance(5);
    await checkTooSlow(arbiter, connection);
    assert.equal((await arbiter.ask({ target: '/livez' })).status, 200);
  }));
}

for (const [name, headers, version] of [
  ['without Expect', {}, 'HTTP/1.1'], ['over HTTP/1.0', {}, 'HTTP/1.0'], ['dropped because it is too large', { 'Transfer-Encoding': 'chunked' }, 'HTTP/1.1'],
]) {
  test(`the second body on a connection (${name}) is answered 408 at its own body timeout`, () => withStoppedClock(['--max-body-bytes', 1000], async (arbiter) => {
    const connection = await connectTo(arbiter);
    await connection.send({ ...EMPTY_FIELD.request, headers: { ...EMPTY_FIELD.request.headers, Connection: 'keep-alive' } });
    assert.equal((await connection.answer()).status, 200);
    await arbiter.clock.advance(HEAD - 1);
    connection.expect('POST');
    const length = headers['Transfer-Encoding'] === undefined ? { 'Content-Length': '900' } : {};
    await connection.write(formatRequest({ method: 'POST', target: '/mine', version, headers: { ...JSON_TYPE, ...headers, ...length } }));
    await connection.write(headers['Transfer-Encoding'] === undefined ? '[' : `5dc\r\n${' '.repeat(1500)}`);
    await untilRead(arbiter);
    await arbiter.clock.advance(BODY - 1);
    assert.equal(connection.ended, null);
    await arbiter.clock.advance(1);
    await checkTooSlow(arbiter, connection);
  }));
}

test('the 408 for a HEAD request whose body is too slow has no body', () => withStoppedClock([], async (arbiter) => {
  const connection = await connectTo(arbiter);
  connection.expect('HEAD');
  await connection.write(formatRequest({ method: 'HEAD', target: '/mine?case=%7B%22board%22:%5B%22.%22%5D%7D', headers: { 'Content-Length': '9' } }));
  await untilRead(arbiter);
  await arbiter.clock.advance(BODY);
  const answer = await connection.answer();
  assert.equal(answer.status, 408);
  assert.equal(await connection.closed(), 'end');
  assert.equal(connection.fault, null);
}));

/**
 * Waits until a client that is sending its body too slowly has received its 408. Returns its socket, which can still write although
 * the server has ended its side, and what the socket has seen so far.
 */
async function slowSocket(arbiter) {
  const socket = net.connect({ port: arbiter.port, host: '127.0.0.1', allowHalfOpen: true });
  const seen = { text: '', end: false, error: null, closed: false };
  socket.on('data', (bytes) => {
    seen.text += bytes.toString('latin1');
  });
  socket.on('end', () => {
    seen.end = true;
  });
  socket.on('error', (error) => {
    seen.error = error.code;
  });
  socket.on('close', () => {
    seen.closed = true;
  });
  await eventOf(socket, 'connect', 'it is connected');
  socket.write(`POST /mine HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\n${' '.repeat(1000)}`);
  await untilRead(arbiter);
  await arbiter.clock.advance(BODY);
  await until('it is answered', () => seen.end);
  assert.match(seen.text, /^HTTP\/1\.1 408 /);
  return { socket, seen };
}

test('a client that keeps sending after its 408 is not reset within the first two seconds', () => withStoppedClock([], async (arbiter) => {
  const { socket, seen } = await slowSocket(arbiter);
  for (let n = 0; n < 4; n += 1) {
    await new Promise((resolve) => { socket.write(' '.repeat(50_000), resolve); });
    await untilRead(arbiter);
  }
  await arbiter.clock.advance(1_999);
  await untilConnected(arbiter, 1);
  assert.deepEqual([seen.error, seen.closed], [null, false]);
  await arbiter.clock.advance(1);
  await untilConnected(arbiter, 0);
  socket.destroy();
}));

test('after a 408, the connection is closed after two seconds if the client is silent, or as soon as the client hangs up', () => withStoppedClock([], async (arbiter) => {
  const logged = () => arbiter.log.filter(({ reason }) => reason === 'body-timeout').length;
  const { socket: silent } = await slowSocket(arbiter);
  await arbiter.clock.advance(1_999);
  await untilConnected(arbiter, 1);
  await arbiter.clock.advance(1);
  await untilConnected(arbiter, 0);
  await until('it is logged', () => logged() === 1);
  silent.destroy();
  const { socket } = await slowSocket(arbiter);
  await untilConnected(arbiter, 1);
  socket.end();
  await untilConnected(arbiter, 0);
  await until('it is logged, too', () => logged() === 2);
}));

test('a client that completes its body after its 408 gets no second answer', () => withStoppedClock([], async (arbiter) => {
  const { socket, seen } = await slowSocket(arbiter);
  socket.write(' '.repeat(499_000));
  await untilConnected(arbiter, 0);
  socket.destroy();
  assert.equal(seen.text.match(/HTTP\/1/g).length, 1);
}));

test('the memory for a body that arrives too slowly is freed as soon as it is refused', () => withStoppedClock([], async (arbiter) => {
  const { socket } = await slowSocket(arbiter);
  assert.equal((await metricsAt(arbiter.opsPort)).get('arbiter_inflight_bytes'), 0);
  await untilConnected(arbiter, 1);
  socket.destroy();
}));

test('a body that is complete just before the body timeout is answered', () => withStoppedClock([], async (arbiter) => {
  const { body } = EMPTY_FIELD.request;
  const connection = await beginBody(arbiter, { 'Content-Length': String(body.length) });
  await connection.write(body.slice(0, 5));
  await arbiter.clock.advance(BODY - 1);
  await connection.write(body.slice(5));
  assert.deepEqual((await connection.answer()).json(), EMPTY_FIELD.json);
  connection.close();
}));

test('a request that arrives while the program is stopped is answered, however long that takes', () => withStoppedClock([], async (arbiter) => {
  const [untouched, used] = [await connectTo(arbiter), await connectTo(arbiter, 2)];
  used.send({ target: '/version' });
  await used.answer();
  arbiter.signal('SIGSTOP');
  await until('it is stopped', () => /^State:\tT/m.test(readFileSync(`/proc/${arbiter.pid}/status`, 'latin1')));
  for (const connection of [untouched, used]) {
    connection.expect('POST');
    await connection.write(formatRequest(EMPTY_FIELD.request));
  }
  arbiter.clock.jump(HEAD + BODY);
  arbiter.signal('SIGCONT');
  for (const connection of [untouched, used]) assert.deepEqual((await connection.answer()).json(), EMPTY_FIELD.json);
  for (const connection of [untouched, used]) connection.close();
}, DEFAULT_HEAD));

test('idle connections, whether used or new, are closed at the head timeout', () => withStoppedClock([], async (arbiter) => {
  const untouched = await connectTo(arbiter);
  const used = await connectTo(arbiter, 2);
  used.send({ target: '/version' });
  await used.answer();
  await arbiter.clock.advance(HEAD - 1);
  await untilConnected(arbiter, 2);
  await arbiter.clock.advance(1);
  await Promise.all([checkCutOff(untouched), checkCutOff(used)]);
}, DEFAULT_HEAD));

test('time spent solving or waiting in the queue does not count towards any deadline', () => withStoppedClock(
  [...ONE_LONG_WORKER, '--max-wait', 3600],
  async (arbiter) => {
    const solved = await beginEndless(arbiter);
    const [waiting] = await sendLong(arbiter, [ENDLESS], 1);
    await arbiter.clock.advance(HEAD + BODY);
    await untilConnected(arbiter, 2);
    assert.equal(solved.ended, null);
    assert.equal(waiting.ended, null);
    solved.close();
    waiting.close();
  },
  DEFAULT_HEAD,
));
