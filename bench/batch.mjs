// Batches: how much a second worker helps, and how long a small request waits in the queue during a batch.
//
// Times run from when the kernel has accepted the body's last byte to the end of the response. Each is the minimum of several
// requests, sent alternately to a server with one worker and one with two. The serial part of a batch, its beginning and its end, is
// measured without a server (parts.c); Amdahl's law then predicts the time.
//
// The small request is padded so that it goes to the queue instead of being answered by the event loop. It is sent at a fixed rate:
// alone; while batches are posted back to back; and while the largest batch is posted without its last byte, so that it is checked
// to the end and then refused. A new request gets the next turn, so with a single worker it waits only for the current step of the
// batch: one case, or two milliseconds of checking.

import { start } from '../tests/server/arbiter.mjs';
import { Asker, body, bodyFile, load, parts, print, printNoise, quantile, shuffled, wallVerdict } from './measure.mjs';

const BATCHES = [
  { title: '200 hard 10 x 10 boards, moves', target: '/pawn', name: 'boards', most: 0.56 },
  { title: '50 fields 1000 x 1000, 20 %', target: '/mine', name: 'fields', wait: 20 },
];
const ROUNDS = 5;
const MAX_DIFFERENCE = 0.1; // the allowed difference from the prediction
const RATE = 100; // small requests a second
const SECONDS = 5;
const PADDED = 8192; // bytes

const padded = bodyFile('padded.json', '{"board":["..#.","O..O","....",".X.."]}'.padEnd(PADDED));

/** The minimum time for each number of workers. Throws if their answers differ. */
async function race(servers, target, content) {
  const askers = servers.map((server) => ({ asker: new Asker(server.port, target, content), walls: [] }));
  let first;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { asker, walls } of shuffled(askers)) {
      const { wall, answer } = await asker.ask();
      walls.push(wall);
      first ??= answer.text();
      if (answer.text() !== first) throw new Error(`${target} is answered differently by one and two workers`);
    }
  }
  askers.forEach(({ asker }) => asker.close());
  return askers.map(({ walls }) => Math.min(...walls));
}

/** Times of small requests, in ms, while another client keeps posting a body (if there is one). */
async function beside(server, target, content, status) {
  const stop = new AbortController();
  const posting = (async () => {
    if (content === undefined) return;
    const asker = new Asker(server.port, target, content);
    while (!stop.signal.aborted) await asker.ask({ status });
    asker.close();
  })();
  const requests = RATE * SECONDS;
  const { good, times } = await load({ port: server.port, target: '/pawn', file: padded, requests, clients: 2, rate: RATE });
  stop.abort();
  await posting;
  if (good !== requests) throw new Error(`${good} of ${requests} small requests were answered with 2xx`);
  return times;
}

const servers = [await start(['--workers', 1]), await start(['--workers', 2])];
const races = [];
const waits = [];
for (const [index, server] of servers.entries()) {
  waits.push({ title: 'nothing', workers: index + 1, times: await beside(server) });
}
for (const { title, target, name, most, wait } of BATCHES) {
  const content = await body(name);
  const [one, two] = await race(servers, target, content);
  const { begin, cases, finish, slowest } = await parts('turns', name);
  const serial = (begin[1] + finish[1]) / (begin[1] + cases[1] + finish[1]);
  races.push({ title, one, two, serial, most });
  for (const [index, server] of servers.entries()) {
    waits.push({ title, workers: index + 1, times: await beside(server, target, content, 200), slowest, wait });
  }
  if (wait === undefined) continue;
  for (const [index, server] of servers.entries()) {
    waits.push({ title: `... only checked (${begin[1].toFixed(1)} ms)`, workers: index + 1,
      times: await beside(server, target, content.slice(0, -1), 400), wait });
  }
}
for (const server of servers) await server.stop();

print('batch: one request on one and on two workers, ms', `targets: the boards at most ${BATCHES[0].most} of the time ` +
  `on two workers; within ${100 * MAX_DIFFERENCE} % of Amdahl's prediction from the serial share`,
[['batch', '1 worker', '2 workers', 'ratio', 'target', 'serial', 'predicted', 'off by', 'target'],
  ...races.map(({ title, one, two, serial, most }) => {
    const predicted = serial + (1 - serial) / 2;
    const off = two / one / predicted - 1;
    return [title, one.toFixed(0), two.toFixed(0), (two / one).toFixed(3), most ? wallVerdict(two / one <= most) : '',
      `${(100 * serial).toFixed(1)} %`, predicted.toFixed(3), `${(100 * off).toFixed(1)} %`,
      wallVerdict(Math.abs(off) <= MAX_DIFFERENCE)];
  })]);
print(`batch: a request of ${PADDED / 1024} KiB beside it, ms`, `target: beside the fields and their check less than ` +
  `${BATCHES[1].wait} ms, each; one case: the slowest of the batch, in process`,
[['beside', 'workers', 'p50', 'p99', 'max', 'one case', 'target'],
  ...waits.map(({ title, workers, times, slowest, wait }) => {
    const [p50, p99, max] = [0.5, 0.99, 1].map((fraction) => quantile(times, fraction));
    return [title, workers, p50.toFixed(1), p99.toFixed(1), max.toFixed(1), slowest?.toFixed(1) ?? '',
      wait ? wallVerdict(max < wait) : ''];
  })]);
printNoise();
