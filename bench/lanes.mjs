// Two lanes: how long small requests wait while two clients keep both workers busy with jobs of some 20 ms each.
//
// The jobs are batches of hard pawn boards, as many as take that much CPU here. The small requests come at a fixed
// rate, which h2load times; server, h2load and the others share the two cores as the system likes, so that what is
// measured holds every wait for a core, h2load's own too. The same rate on the quiet server stands beside it.

import { start } from '../tests/server/arbiter.mjs';
import {
  Asker, body, bodyFile, cpu, load, print, printNoise, quantile, smallRequests, wallVerdict,
} from './measure.mjs';

const JOB = 20; // ms of CPU
const CLIENTS = 4;
const RATE = 400; // small requests a second
const QUIET_SECONDS = 0.5;
const BUSY_SECONDS = 2;
const MOST_P99 = 5; // ms

/** A batch that takes JOB milliseconds of CPU, and how many it does take. */
async function calibrate(arbiter) {
  const { cases } = JSON.parse(await body('boards'));
  const cost = async (count) => {
    const asker = new Asker(arbiter.port, '/pawn', JSON.stringify({ cases: cases.slice(0, count) }));
    const costs = [];
    for (let round = 0; round < 4; round += 1) {
      const before = cpu(arbiter.pid);
      await asker.ask();
      costs.push(cpu(arbiter.pid) - before);
    }
    asker.close();
    return Math.min(...costs);
  };
  let count = 20;
  for (let round = 0; round < 3; round += 1) count = Math.max(1, Math.round(count * JOB / await cost(count)));
  return { content: JSON.stringify({ cases: cases.slice(0, count) }), count, cost: await cost(count) };
}

async function post(asker, signal) {
  const walls = [];
  while (!signal.aborted) walls.push((await asker.ask()).wall);
  asker.close();
  return walls;
}

/** Milliseconds of each small request, at the fixed rate. */
async function times(arbiter, { target, file }, seconds) {
  const requests = seconds * RATE;
  const { good, times } = await load({ target, file, port: arbiter.port, requests, clients: CLIENTS, rate: RATE });
  if (good !== requests) throw new Error(`${good} of ${requests} requests for ${target} were answered well`);
  return times;
}

const small = (await smallRequests()).map(({ target, body }) => ({
  target, file: bodyFile(`${target.slice(1)}.json`, body),
}));
const arbiter = await start();
const job = await calibrate(arbiter);
for (const request of small) request.quiet = await times(arbiter, request, QUIET_SECONDS);
const stop = new AbortController();
const posters = [1, 2].map(() => post(new Asker(arbiter.port, '/pawn', job.content), stop.signal));
for (const request of small) request.beside = await times(arbiter, request, BUSY_SECONDS);
stop.abort();
const walls = (await Promise.all(posters)).flat();
await arbiter.stop();
print('lanes: small requests beside jobs, ms', `target: p99 under ${MOST_P99} ms beside the jobs`,
  [['route', 'alone p50', 'p50', 'p99', 'max', 'target'],
    ...small.map(({ target, quiet, beside }) => [target,
      ...[quantile(quiet, 0.5), ...[0.5, 0.99, 1].map((part) => quantile(beside, part))].map((ms) => ms.toFixed(2)),
      wallVerdict(quantile(beside, 0.99) < MOST_P99)])]);
console.log(`${walls.length} jobs of ${job.count} boards, ${job.cost.toFixed(1)} ms of CPU each, were answered after ` +
  `${quantile(walls, 0.5).toFixed(1)} ms (p50)`);
printNoise();
