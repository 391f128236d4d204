// Two lanes: how long small requests wait while two clients keep both workers busy with jobs of about 20 ms each, and how long
// batches take while fields of 8 KB are searched for seconds.
//
// Each job is a batch of hard pawn boards, sized to take 20 ms of CPU on this machine. The small requests are sent at a fixed rate
// and timed by h2load. The server, h2load and the other clients share two cores, so the times include waiting for a core, even
// h2load's own. The same rate without other clients is printed for comparison.
//
// The fields are the slowest ones found in a ten-minute search (slow_fields.txt), each posted by a client of its own. Then all clients
// hang up, and half a second later the server's CPU is measured for half a second.

import { setTimeout as sleep } from 'node:timers/promises';

import { connect } from '../tests/server/client.mjs';
import { start } from '../tests/server/arbiter.mjs';
import {
  Asker, body, bodyFile, cpu, JSON_TYPE, load, median, print, printNoise, quantile, slowFields, smallRequests, verdict,
  wallVerdict,
} from './measure.mjs';

const JOB = 20; // ms of CPU
const CLIENTS = 4;
const RATE = 400; // small requests a second
const QUIET_SECONDS = 0.5;
const BUSY_SECONDS = 2;
const MOST_P99 = 5; // ms
const BATCH = 300; // boards
const BATCH_ROUNDS = 15;
const MOST_BESIDE = 2; // times as long as without the fields
const SETTLED = 500; // ms
const MOST_IDLE = 0.05; // of a core

/** A batch that takes about JOB ms of CPU, and the CPU measured for it. */
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

/** The times of small requests at the fixed rate, in ms. */
async function times(arbiter, { target, file }, seconds) {
  const requests = seconds * RATE;
  const { good, times } = await load({ target, file, port: arbiter.port, requests, clients: CLIENTS, rate: RATE });
  if (good !== requests) throw new Error(`${good} of ${requests} requests for ${target} were answered with 2xx`);
  return times;
}

/** The median time of a batch, and the longest. */
async function batchTimes(arbiter, content) {
  const asker = new Asker(arbiter.port, '/pawn', content);
  const walls = [];
  for (let round = 0; round < BATCH_ROUNDS; round += 1) walls.push((await asker.ask()).wall);
  asker.close();
  return { middle: median(walls), most: Math.max(...walls) };
}

/** Times batches alone and during the slow fields, and measures the share of a core that the server uses after all clients have left. */
async function besideFields(batches) {
  const arbiter = await start(['--workers', 2]);
  const fields = slowFields();
  for (const batch of batches) batch.alone = await batchTimes(arbiter, batch.content);
  const connections = await Promise.all(fields.map(() => connect(arbiter.port)));
  let answered = 0;
  connections.forEach((connection, index) => {
    connection.send({ method: 'POST', target: '/mine', headers: JSON_TYPE, body: fields[index] });
    connection.answer().then(() => { answered += 1; }, () => {});
  });
  await sleep(SETTLED);
  for (const batch of batches) batch.beside = await batchTimes(arbiter, batch.content);
  const left = fields.length - answered;
  connections.forEach((connection) => connection.close());
  await sleep(SETTLED);
  const before = cpu(arbiter.pid);
  const began = performance.now();
  await sleep(SETTLED);
  const used = (cpu(arbiter.pid) - before) / (performance.now() - began);
  await arbiter.stop();
  return { count: fields.length, left, used };
}

const small = (await smallRequests()).map(({ target, body }) => ({
  target, file: bodyFile(`${target.slice(1)}.json`, body), body,
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
const hard = JSON.parse(await body('boards')).cases;
const repeat = (cases) => JSON.stringify({ cases: Array.from({ length: BATCH }, (_, i) => cases[i % cases.length]) });
const batches = [
  { title: `${BATCH} boards 4 x 4`, content: repeat([JSON.parse(small[0].body)]) },
  { title: `${BATCH} hard boards 10 x 10`, content: repeat(hard) },
];
const { count, left, used } = await besideFields(batches);
print('lanes: small requests beside jobs, ms', `target: p99 under ${MOST_P99} ms beside the jobs`,
  [['route', 'alone p50', 'p50', 'p99', 'max', 'target'],
    ...small.map(({ target, quiet, beside }) => [target,
      ...[quantile(quiet, 0.5), ...[0.5, 0.99, 1].map((fraction) => quantile(beside, fraction))].map((ms) => ms.toFixed(2)),
      wallVerdict(quantile(beside, 0.99) < MOST_P99)])]);
console.log(`${walls.length} jobs of ${job.count} boards and ${job.cost.toFixed(1)} ms of CPU each were answered within ` +
  `${quantile(walls, 0.5).toFixed(1)} ms (p50)`);
print(`lanes: batches beside ${count} slow fields on two workers, ms`,
  `target: the median is at most ${MOST_BESIDE} times as long as alone`,
  [['batch', 'alone', 'most', 'beside', 'most', 'ratio', 'target'],
    ...batches.map(({ title, alone, beside }) => [title,
      ...[alone.middle, alone.most, beside.middle, beside.most].map((ms) => ms.toFixed(1)),
      (beside.middle / alone.middle).toFixed(2), wallVerdict(beside.middle / alone.middle <= MOST_BESIDE)])]);
console.log(`${left} fields were still unanswered when their clients hung up; ${SETTLED} ms later, the server uses ` +
  `${(100 * used).toFixed(1)} % of a core (at most ${100 * MOST_IDLE} %: ${verdict(used <= MOST_IDLE)})`);
printNoise();
