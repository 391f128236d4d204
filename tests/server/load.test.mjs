// Thousands of mixed requests on many connections, from well-behaved and misbehaving clients (traffic.mjs): every answer is the same
// as from an idle server.
//
// ARBITER_LOAD  the number of requests (default 2000)
// ARBITER_SEED  the seed for all random choices (each run prints it)

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';

import { withArbiter } from './arbiter.mjs';
import { randomFrom } from './bodies.mjs';
import { until } from './client.mjs';
import { Client, check, allKinds, learn } from './traffic.mjs';

const REQUESTS = Number(process.env.ARBITER_LOAD ?? 2000);
const SEED = Number(process.env.ARBITER_SEED ?? 20240229);
const CLIENTS = 64;
const BODY = 30_000; // milliseconds: the default of --body-timeout, the longest deadline for reading

function openDescriptors(arbiter) {
  return readdirSync(`/proc/${arbiter.pid}/fd`).length;
}

test('under a mixed load, every answer is the same as from an idle server', async (t) => {
  t.diagnostic(`seed ${SEED}, ${REQUESTS} requests, ${CLIENTS} connections`);
  const kinds = allKinds(randomFrom(SEED));
  await withArbiter(['--workers', 2, '--max-search-states', 500], async (arbiter) => {
    await learn(arbiter, kinds);
    const before = openDescriptors(arbiter);

    const left = { count: REQUESTS };
    const counts = {};
    const clients = Array.from(
      { length: CLIENTS },
      (_, index) => new Client(arbiter.port, kinds, randomFrom(SEED + 1 + index), left, counts),
    );
    await Promise.all(clients.map((client) => client.run()));
    t.diagnostic(`behaviours: ${JSON.stringify(counts)}`);

    for (const kind of kinds) check(kind, await arbiter.ask(kind.request));
    // If a client hangs up right after sending data, libmicrohttpd may not notice. In that case, a deadline ends the connection.
    await arbiter.clock.advance(BODY);
    await until('the server has closed all connections', () => openDescriptors(arbiter) <= before + 1);
    assert.deepEqual(arbiter.noise, [], 'every line of the log is JSON');
    await arbiter.stop();
  }, { stopClock: true, leaks: false }); // the test itself counts descriptors, after the deadlines
});
