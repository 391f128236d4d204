// Soak test: an hour of mixed traffic from clients that behave well or badly (tests/server/traffic.mjs). Each answer is compared with
// that of an idle server. Every minute the clients pause for a second or two, and the program's resident memory, descriptors and
// threads are recorded. At the end they must be the same as at the start, except for some memory.
//
// ARBITER_MINUTES  how long it runs (default 60)
// ARBITER_CLIENTS  concurrent clients (default 32)
// ARBITER_SEED     the seed for all random choices

import { readdirSync } from 'node:fs';

import { start } from '../tests/server/arbiter.mjs';
import { randomFrom } from '../tests/server/bodies.mjs';
import { until } from '../tests/server/client.mjs';
import { Client, check, allKinds, learn } from '../tests/server/traffic.mjs';
import { print, verdict } from './measure.mjs';

const MINUTES = Number(process.env.ARBITER_MINUTES ?? 60);
const SEED = Number(process.env.ARBITER_SEED ?? 20261122);
const CLIENTS = Number(process.env.ARBITER_CLIENTS ?? 32);
const ROUND = 60_000; // ms
const DEADLINE = 10; // seconds, of heads and bodies
const MOST_IDLE = DEADLINE * 300; // ms
const MOST_GROWTH = 20; // MB

const count = (arbiter, folder) => readdirSync(`/proc/${arbiter.pid}/${folder}`).length;

/** The program's figures once it has closed all connections and returned memory. */
async function held(arbiter, descriptors) {
  await until('all connections are closed', () => count(arbiter, 'fd') <= descriptors).catch(() => {});
  let memory = Infinity;
  // It returns memory a second after the last large request, so wait until the figure stops changing.
  await until('memory is returned', () => {
    const before = memory;
    memory = arbiter.memory('VmRSS');
    return memory >= before;
  }, { every: 1500 });
  return { memory, descriptors: count(arbiter, 'fd'), threads: count(arbiter, 'task') };
}

/** Runs a minute of traffic, and returns the number of requests. */
async function round(arbiter, kinds, number, counts) {
  const left = { count: Infinity };
  const timer = setTimeout(() => { left.count = 0; }, ROUND);
  const before = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const clients = Array.from({ length: CLIENTS }, (_, index) =>
    new Client(arbiter.port, kinds, randomFrom(SEED + number * CLIENTS + index), left, counts, { mostIdle: MOST_IDLE }));
  await Promise.all(clients.map((client) => client.run()));
  clearTimeout(timer);
  return Object.values(counts).reduce((sum, one) => sum + one, 0) - before;
}

const arbiter = await start(['--workers', 2, '--max-search-states', 500, '--head-timeout', DEADLINE, '--body-timeout', DEADLINE, '--log-level', 'error']);
const fresh = count(arbiter, 'fd');
const kinds = allKinds(randomFrom(SEED));
await learn(arbiter, kinds);
await round(arbiter, kinds, 0, {}); // allocates whatever each kind of request needs the first time
const first = await held(arbiter, fresh);
const counts = {};
let last, answered = 0;
for (let number = 1; number <= MINUTES; number += 1) {
  answered += await round(arbiter, kinds, number, counts);
  last = await held(arbiter, fresh);
  console.error(`${number} min: ${answered} turns of clients, ${last.memory.toFixed(1)} MB, ${last.descriptors} descriptors, ${last.threads} threads`);
}
for (const kind of kinds) check(kind, await arbiter.ask(kind.request));
print(`soak: ${MINUTES} minutes, ${CLIENTS} clients, ${answered} turns, seed ${SEED}`,
  `targets: as many descriptors and threads at the end as at the start, and at most ${MOST_GROWTH} MB more`, [
    ['', 'start', 'end', ''],
    ['resident MB', first.memory.toFixed(1), last.memory.toFixed(1), verdict(last.memory <= first.memory + MOST_GROWTH)],
    ['most MB', '', arbiter.memory('VmHWM').toFixed(1), ''],
    ['descriptors', first.descriptors, last.descriptors, verdict(last.descriptors === first.descriptors)],
    ['threads', first.threads, last.threads, verdict(last.threads === first.threads)],
  ]);
console.log(`behaviours: ${JSON.stringify(counts)}`);
await arbiter.stop();
