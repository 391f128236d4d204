// Thousands of mixed requests over many connections at once, from clients of every temper (traffic.mjs): every answer that
// comes is the one of a quiet server.
//
// ARBITER_LOAD  how many requests (default 2000)
// ARBITER_SEED  the seed of everything random (printed by each run)

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';

import { withArbiter } from './arbiter.mjs';
import { randomFrom } from './bodies.mjs';
import { until } from './client.mjs';
import { Client, DEADLINE, check, everyKind, learn } from './traffic.mjs';

const REQUESTS = Number(process.env.ARBITER_LOAD ?? 2000);
const SEED = Number(process.env.ARBITER_SEED ?? 20240229);
const CLIENTS = 64;

function openDescriptors(arbiter) {
  return readdirSync(`/proc/${arbiter.pid}/fd`).length;
}

test('under a mixed load every answer is the one of a quiet server', { timeout: 600_000 }, async (t) => {
  t.diagnostic(`seed ${SEED}, ${REQUESTS} requests, ${CLIENTS} connections`);
  const kinds = everyKind(randomFrom(SEED));
  const timeouts = ['--head-timeout', DEADLINE, '--body-timeout', DEADLINE];
  const options = ['--workers', 2, '--max-search-states', 500, ...timeouts];
  await withArbiter(options, async (arbiter) => {
    const started = performance.now();
    await learn(arbiter, kinds);
    const learned = performance.now();
    const before = openDescriptors(arbiter);

    const left = { count: REQUESTS };
    const tally = {};
    const clients = Array.from(
      { length: CLIENTS },
      (_, index) => new Client(arbiter.port, kinds, randomFrom(SEED + 1 + index), left, tally),
    );
    await Promise.all(clients.map((client) => client.run()));
    t.diagnostic(`learned in ${Math.round(learned - started)} ms, load ${Math.round(performance.now() - learned)} ms`);
    t.diagnostic(`tempers: ${JSON.stringify(tally)}`);

    for (const kind of kinds) check(kind, await arbiter.ask(kind.request));
    await until('the server has let go of every connection', () => openDescriptors(arbiter) <= before + 1);
    assert.deepEqual(arbiter.noise, [], 'every line of the log is JSON');
    await arbiter.stop();
  });
});
