// Batches: what a second worker brings, and how long a small request of the queue waits beside one.
//
// Times are from when the kernel has taken the body's last byte to the answer's end, the least of several requests that
// servers with one and with two workers answer in turns. What a batch does not share between workers, its begin and its
// finish, is measured in process (parts.c), and Amdahl's law makes a prediction of it.
//
// The small request is padded beyond what the I/O thread answers itself. It needs two turns of a worker, its begin and
// its case. While a worker does a case of the batch, the batch stands in the queue for its next: where one worker does
// all, a small request waits for the rest of that case, for the next, and between its own two turns for one more.

import { start } from '../tests/server/arbiter.mjs';
import { Asker, body, bodyFile, load, parts, print, printNoise, quantile, shuffled, wallVerdict } from './measure.mjs';

const BATCHES = [
  { title: '200 hard 10 x 10 boards, moves', target: '/pawn', name: 'boards', most: 0.6 },
  { title: '50 fields 1000 x 1000, 20 %', target: '/mine', name: 'fields' },
];
const ROUNDS = 5;
const APART = 0.1; // of the prediction
const RATE = 100; // small requests a second
const SECONDS = 5;
const PADDED = 6000; // bytes

const padded = bodyFile('padded.json', '{"board":["..#.","O..O","....",".X.."]}'.padEnd(PADDED));

/** The least time with each count of workers, and the answers compared. */
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

/** Milliseconds of small requests while a client posts the batch again and again. */
async function beside(server, target, content) {
  const asker = new Asker(server.port, target, content);
  const stop = new AbortController();
  const posting = (async () => {
    while (!stop.signal.aborted) await asker.ask();
    asker.close();
  })();
  const requests = RATE * SECONDS;
  const { good, times } = await load({ port: server.port, target: '/pawn', file: padded, requests, clients: 2, rate: RATE });
  stop.abort();
  await posting;
  if (good !== requests) throw new Error(`${good} of ${requests} small requests were answered well`);
  return times;
}

const servers = [await start(['--workers', 1]), await start(['--workers', 2])];
const races = [];
const waits = [];
for (const { title, target, name, most } of BATCHES) {
  const content = await body(name);
  const [one, two] = await race(servers, target, content);
  const { begin, cases, finish, slowest } = await parts('turns', name);
  const serial = (begin[1] + finish[1]) / (begin[1] + cases[1] + finish[1]);
  races.push({ title, one, two, serial, most });
  for (const [index, server] of servers.entries()) {
    waits.push({ title, workers: index + 1, times: await beside(server, target, content), slowest, begin: begin[1] });
  }
}
for (const server of servers) await server.stop();

print('batch: one request on one and on two workers, ms', `targets: the boards at most ${BATCHES[0].most} of the time ` +
  `on two workers; within ${100 * APART} % of Amdahl's prediction from the serial share`,
[['batch', '1 worker', '2 workers', 'ratio', 'target', 'serial', 'predicted', 'off by', 'target'],
  ...races.map(({ title, one, two, serial, most }) => {
    const predicted = serial + (1 - serial) / 2;
    const off = two / one / predicted - 1;
    return [title, one.toFixed(0), two.toFixed(0), (two / one).toFixed(3), most ? wallVerdict(two / one <= most) : '',
      `${(100 * serial).toFixed(1)} %`, predicted.toFixed(3), `${(100 * off).toFixed(1)} %`,
      wallVerdict(Math.abs(off) <= APART)];
  })]);
print('batch: a small request of the queue beside it, ms', 'one case: the slowest of the batch, in process',
  [['batch', 'workers', 'p50', 'p99', 'max', 'one case', 'begin', 'p99 / case'],
    ...waits.map(({ title, workers, times, slowest, begin }) => {
      const [p50, p99, max] = [0.5, 0.99, 1].map((part) => quantile(times, part));
      return [title, workers, p50.toFixed(1), p99.toFixed(1), max.toFixed(1), slowest.toFixed(1), begin.toFixed(1),
        (p99 / slowest).toFixed(1)];
    })]);
printNoise();
