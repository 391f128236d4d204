// The deadlines of a connection: head, body, keep-alive. The test moves the clock, so each is exact to the millisecond.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { withStoppedClock } from './arbiter.mjs';
import { ENDLESS, JSON_TYPE, KNOWN } from './bodies.mjs';
import { connect, formatRequest, until } from './client.mjs';
import { ONE_LONG_WORKER, beginEndless, sendLong } from './long_worker.mjs';
import { metricsAt } from './samples.mjs';

const [EMPTY_FIELD] = KNOWN;
const HEAD = 10_000;
const BODY = 30_000;

/** Waits until the program's metrics show this many connections. */
function untilConnected(arbiter, count) {
  return until(`there are ${count} connections`, async () => (await metricsAt(arbiter.opsPort)).get('arbiter_connections') === count);
}

/** A connection that the program has accepted. */
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

/** The program hangs up without an answer. */
async function checkCutOff(connection) {
  await connection.closed();
  assert.equal(connection.unread, 0, 'no answer came');
  assert.equal(connection.fault, null);
}

for (const [name, begin] of [['in its first line', 'GET /livez HT'], ['after its first line', 'GET /livez HTTP/1.1\r\nHost: a\r\nX-Filler: ']]) {
  test(`a head that stops ${name} is cut off at the head timeout`, () => withStoppedClock([], async (arbiter) => {
    const connection = await connectTo(arbiter);
    await connection.write(begin);
    await arbiter.clock.advance(HEAD - 1);
    await connection.write('a'); // another byte does not extend the time
    await untilConnected(arbiter, 1);
    await arbiter.clock.advance(1);
    await checkCutOff(connection);
  }));
}

test('a head that is complete just before the head timeout is answered', () => withStoppedClock([], async (arbiter) => {
  const connection = await connectTo(arbiter);
  await connection.write('GET /livez HTTP/1.1\r\nHost: a\r\n');
  await arbiter.clock.advance(HEAD - 1);
  await connection.write('\r\n');
  assert.equal((await connection.answer()).status, 200);
  connection.close();
}));

test('a second head on a kept connection has its own time, and is cut off after it', () => withStoppedClock([], async (arbiter) => {
  const connection = await connectTo(arbiter);
  for (let round = 0; round < 3; round += 1) {
    await arbiter.clock.advance(HEAD - 1);
    connection.send({ target: '/version' });
    assert.equal((await connection.answer()).status, 200);
  }
  await connection.write('GET /livez HTTP/1.1\r\nX-Filler: ');
  await arbiter.clock.advance(HEAD);
  await checkCutOff(connection);
}));

for (const [name, value, part] of [['Content-Length', '50000', ' '], ['Transfer-Encoding', 'chunked', '1\r\n \r\n']]) {
  test(`a body with ${name} that is not complete at the body timeout is cut off, also while bytes arrive`, () => withStoppedClock([], async (arbiter) => {
    const connection = await beginBody(arbiter, { [name]: value });
    for (let drip = 0; drip < 5; drip += 1) {
      await connection.write(part);
      await arbiter.clock.advance(BODY / 5 - 1);
      assert.equal(connection.ended, null, `drip ${drip}`);
    }
    await arbiter.clock.advance(5);
    await checkCutOff(connection);
    assert.equal((await arbiter.ask({ target: '/livez' })).status, 200);
  }));
}

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
}));

test('idle connections, used or new, are closed at the head timeout', () => withStoppedClock([], async (arbiter) => {
  const untouched = await connectTo(arbiter);
  const used = await connectTo(arbiter, 2);
  used.send({ target: '/version' });
  await used.answer();
  await arbiter.clock.advance(HEAD - 1);
  await untilConnected(arbiter, 2);
  await arbiter.clock.advance(1);
  await Promise.all([checkCutOff(untouched), checkCutOff(used)]);
}));

test('the time of solving and of waiting in the queue counts for no deadline', () => withStoppedClock(
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
));
