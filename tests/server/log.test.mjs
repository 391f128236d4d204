// Tests of the log: what it contains, and whether requests are delayed if its reader is slow or missing (they must not be).

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { start, withArbiter } from './arbiter.mjs';
import { KNOWN } from './bodies.mjs';
import { LONG_DEADLINES } from './checks.mjs';
import { connect, until } from './client.mjs';

test('the `listening` line is written at every log level', async () => {
  await withArbiter(['--log-level', 'error'], async (arbiter) => {
    assert.equal((await arbiter.ask({ target: '/livez' })).status, 200);
    await arbiter.stop();
    assert.deepEqual(arbiter.log.map(({ event }) => event), ['listening']);
    assert.deepEqual(arbiter.noise, []);
  });
});

test('each request is logged on one line when it ends; with --trusted-proxy, `peer` is the client', async () => {
  const trace = '0123456789abcdef0123456789abcdef';
  await withArbiter(['--trusted-proxy', '127.0.0.1'], async (arbiter) => {
    const requests = [
      [{ target: '/limits', headers: { 'X-Request-Id': 'one' } }, { method: 'GET', route: '/limits', status: 200 }],
      [{ target: '/no/such/path?secret=1', headers: { 'X-Request-Id': 'two' } }, { method: 'GET', status: 404 }],
      [
        {
          target: '/mine',
          body: '{"board":["."]}',
          headers: { 'X-Request-Id': 'three', traceparent: `00-${trace}-0123456789abcdef-01`, 'X-Forwarded-For': '10.0.0.1, 10.0.0.2' },
        },
        { method: 'POST', route: '/mine', status: 200, bytes_in: 15, lane: 'io', trace_id: trace, peer: '10.0.0.2' },
      ],
      [
        { target: '/mine?case=%7B%7D', headers: { 'X-Request-Id': 'four', 'X-Forwarded-For': ' 2001:db8::1 ' } },
        { method: 'GET', route: '/mine', status: 422, peer: '2001:db8::1' },
      ],
      [{ target: '/go', headers: { 'X-Request-Id': 'five' }, body: JSON.stringify({ moves: Array(3000).fill(['B', 'pass']) }) }, { lane: 'short', status: 200 }],
    ];
    const answers = [];
    for (const [request] of requests) answers.push(await arbiter.ask(request));
    await arbiter.stop();
    const lines = arbiter.log.filter(({ event }) => event === 'request');
    assert.deepEqual(lines.map(({ request_id: id }) => id), ['one', 'two', 'three', 'four', 'five']);
    requests.forEach(([, expected], index) => {
      const line = lines[index];
      assert.equal(line.level, 'info');
      assert.equal(line.bytes_out, answers[index].body.length);
      assert.equal(line.reason, undefined);
      assert.ok(line.waited_ms >= 0 && line.worked_ms >= 0);
      for (const [name, value] of Object.entries({ peer: '127.0.0.1', ...expected })) assert.equal(line[name], value, `${name} of ${JSON.stringify(line)}`);
    });
    assert.ok(!arbiter.stderr.includes('secret'), 'a query is never logged');
  }, { leaks: false }); // the leak check's request for metrics would appear in the log
  // X-Forwarded-For from other addresses is ignored.
  await withArbiter(['--trusted-proxy', '10.0.0.1'], async (arbiter) => {
    await arbiter.ask({ target: '/livez', headers: { 'X-Forwarded-For': '10.0.0.2' } });
    await arbiter.stop();
    assert.equal(arbiter.log.find(({ event }) => event === 'request').peer, '127.0.0.1');
  });
});

test('the program answers and stops normally if nobody reads its log', async () => {
  const arbiter = await start([...LONG_DEADLINES, '--log-level', 'debug']);
  try {
    arbiter.child.stderr.pause();
    // Each request adds about 200 bytes to the log: in total, twice what fits into the pipe, the ring and a reader's buffers.
    const target = '/no-such-path';
    const connections = await Promise.all(Array.from({ length: 8 }, () => connect(arbiter.port)));
    await Promise.all(connections.map(async (connection) => {
      for (let i = 0; i < 600; i += 1) {
        connection.send({ target });
        assert.equal((await connection.answer()).status, 404);
      }
      connection.close();
    }));
    assert.equal((await arbiter.ask({ target: '/livez' })).status, 200);
    for (const { request } of KNOWN) assert.equal((await arbiter.ask(request)).status, 200);
    arbiter.signal('SIGTERM');
    await until('the program has ended', () => arbiter.child.exitCode !== null || arbiter.child.signalCode !== null);
    assert.equal(arbiter.child.exitCode, 0);
    // The log contains only complete lines.
    arbiter.child.stderr.resume();
    await arbiter.leaves();
    assert.ok(arbiter.log.length > 100);
    assert.deepEqual(arbiter.noise, []);
  } finally {
    if (arbiter.left === null) arbiter.signal('SIGKILL');
  }
});

test('the log reports how many lines were dropped', async () => {
  await withArbiter([...LONG_DEADLINES, '--log-level', 'info'], async (arbiter) => {
    arbiter.child.stderr.pause();
    const target = '/no-such-path';
    const connection = await connect(arbiter.port);
    for (let i = 0; i < 5000; i += 1) {
      connection.send({ target });
      assert.equal((await connection.answer()).status, 404);
    }
    connection.close();
    arbiter.child.stderr.resume();
    await until('the log says that lines are missing', () => arbiter.log.some(({ event }) => event === 'log-lines-dropped'));
    assert.deepEqual(arbiter.noise, []);
    await arbiter.stop();
    assert.equal(arbiter.log.at(-1).event, 'stopped');
    const dropped = arbiter.log.filter(({ event }) => event === 'log-lines-dropped').reduce((sum, { count }) => sum + count, 0);
    assert.ok(dropped > 100, `${dropped} lines are missing`);
    const written = arbiter.log.filter(({ event }) => event === 'request').length;
    assert.equal(written + dropped, 5000, 'each request has its line, or its line is counted as missing');
  }, { leaks: false }); // the leak check's request for metrics would appear in the log
});
