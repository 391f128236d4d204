// Connections: the order of answers, keep-alive, and many connections at once.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { CLOSES_AFTER_CHUNKS, withArbiter } from './arbiter.mjs';
import { JSON_TYPE, KNOWN, REFUSED, goMoves, randomFrom } from './bodies.mjs';
import { GET_TARGETS, LONG_DEADLINES, describeServer, port, theServer, withConnection } from './checks.mjs';
import { ask, chunked, connect, formatRequest } from './client.mjs';

const [EMPTY_FIELD] = KNOWN;

describeServer('connections', () => {
  theServer('pipelined requests, fast and slow, are answered in order', async () => {
    const slow = (count) => ({
      target: '/go',
      headers: JSON_TYPE,
      body: JSON.stringify({ cases: Array.from({ length: count }, (_, id) => ({ id, moves: goMoves(randomFrom(id), 300) })) }),
    });
    const inChunks = {
      target: '/mine',
      headers: { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' },
      body: chunked('{"board":[".*."]}', 3),
    };
    const requests = [
      { target: '/version' }, EMPTY_FIELD.request, slow(10), { target: '/livez' }, ...(CLOSES_AFTER_CHUNKS ? [] : [inChunks]),
      { target: '/pawn', headers: JSON_TYPE, body: '{}' }, { method: 'HEAD', target: '/limits' }, slow(3), EMPTY_FIELD.request,
      { target: '/nowhere' }, { method: 'OPTIONS', target: '/go' }, { target: '/go', headers: JSON_TYPE, body: '{' }, slow(1),
    ];
    const alone = [];
    for (const request of requests) alone.push(await ask(port, request));
    for (let round = 0; round < 5; round += 1) {
      await withConnection(async (connection) => {
        for (const { method = 'POST' } of requests) connection.expect(method);
        connection.write(Buffer.concat(requests.map(formatRequest)));
        for (const [index, expected] of alone.entries()) {
          const answer = await connection.answer();
          assert.equal(answer.status, expected.status, `request ${index}: ${answer}`);
          assert.equal(answer.text(), expected.text(), `request ${index}`);
        }
      });
    }
  });

  theServer('one connection serves all routes one after the other, even after invalid bodies', async () => {
    await withConnection(async (connection) => {
      const faults = REFUSED.filter(({ status, request }) => status === 422 || (status === 400 && !request.target.includes('?')));
      for (let round = 0; round < 3; round += 1) {
        for (const { request, status = 200 } of [...KNOWN, ...GET_TARGETS.map((target) => ({ request: { target } })), ...faults]) {
          connection.send(request);
          assert.equal((await connection.answer()).status, status, request.target);
        }
      }
      assert.equal(connection.ended, null);
    });
  });

  theServer('Connection: close is honoured', async () => {
    for (const request of [{ target: '/version' }, EMPTY_FIELD.request, { target: '/nowhere' }]) {
      await withConnection(async (connection) => {
        connection.send({ ...request, headers: { ...request.headers, Connection: 'close' } });
        const answer = await connection.answer();
        assert.ok(answer.list('connection').includes('close'), `${answer}`);
        await connection.closed();
      });
    }
  });

  theServer('a small request is answered even if its client half-closes', async () => {
    for (const { request, json, text } of KNOWN) {
      await withConnection(async (connection) => {
        await connection.send(request);
        connection.halfClose();
        const answer = await connection.answer();
        if (json !== undefined) assert.deepEqual(answer.json(), json);
        else assert.equal(answer.text(), text);
      });
    }
  });

  theServer('when a client half-closes, its connection is closed after the last answer', async () => {
    await withArbiter(LONG_DEADLINES, async (other) => {
      for (const count of [1, 3]) {
        const requests = [EMPTY_FIELD.request, { target: '/livez' }, EMPTY_FIELD.request].slice(0, count);
        const connection = await connect(other.port);
        for (const { method, body } of requests) connection.expect(method ?? (body === undefined ? 'GET' : 'POST'));
        connection.write(Buffer.concat(requests.map(formatRequest)));
        connection.halfClose();
        for (const _ of requests) assert.equal((await connection.answer()).status, 200);
        await connection.closed();
      }
    });
  });

  theServer('two thousand idle connections do not disrupt the service', async (t) => {
    const [, soft] = /Max open files +(\d+|unlimited)/.exec(readFileSync('/proc/self/limits', 'latin1'));
    const count = soft === 'unlimited' || Number(soft) > 2200 ? 2000 : 900;
    t.diagnostic(`${count} connections`);
    await withArbiter(LONG_DEADLINES, async (other) => {
      const idle = [];
      try {
        while (idle.length < count) {
          idle.push(...(await Promise.all(Array.from({ length: 50 }, () => connect(other.port)))));
        }
        for (const request of [EMPTY_FIELD.request, { target: '/version' }, KNOWN[4].request]) {
          assert.equal((await other.ask(request)).status, 200);
        }
        // The idle connections are still served.
        for (const connection of idle) connection.send({ target: '/livez' });
        for (const connection of idle) assert.equal((await connection.answer()).status, 200);
      } finally {
        for (const connection of idle) connection.close();
      }
    });
  });

  theServer('with few descriptors, clients beyond the limit wait and are then served', async () => {
    await withArbiter(LONG_DEADLINES, async (other) => {
      await Promise.all(Array.from({ length: 300 }, async () => {
        const answer = await other.ask(EMPTY_FIELD.request);
        assert.equal(answer.status, 200, `${answer}`);
      }));
    }, { under: ['prlimit', '--nofile=128:128'] });
  });

  theServer('hundreds of requests waiting for a worker are all answered', async () => {
    const bodies = Array.from({ length: 5 }, (_, seed) => JSON.stringify({ moves: goMoves(randomFrom(seed), 600) }));
    const expected = [];
    for (const body of bodies) expected.push((await ask(port, { target: '/go', headers: JSON_TYPE, body })).text());
    const connections = await Promise.all(Array.from({ length: 500 }, () => connect(port)));
    try {
      connections.forEach((connection, index) => connection.send({ target: '/go', headers: JSON_TYPE, body: bodies[index % 5] }));
      for (const [index, connection] of connections.entries()) {
        const answer = await connection.answer();
        assert.equal(answer.status, 200, `${answer}`);
        assert.equal(answer.text(), expected[index % 5]);
      }
    } finally {
      for (const connection of connections) connection.close();
    }
  });
});
