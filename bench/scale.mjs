// Measures what requests cost, for docs/measurements.md: the server's processor time per request, in total and in the event loop
// alone, and bytes on the wire; then the processor time of HAProxy, with our configuration, in front of three replicas. Processor
// time hardly depends on other programs on the machine.

import { Cluster } from '../tests/deploy/cluster.mjs';
import { loadWithTls } from '../tests/deploy/load.mjs';
import { start } from '../tests/server/arbiter.mjs';
import { goMoves, hardBoard, mineBoard, pawnBoard, randomFrom } from '../tests/server/bodies.mjs';
import { bodyFile, cpu, load, loopCpu, print, printNoise } from './measure.mjs';

const WARM = 3; // rounds; the minimum counts
const random = randomFrom(3);
const json = JSON.stringify;

const KINDS = [
  ['pawn, 6 x 6: the verdict', '/pawn', { board: pawnBoard(random, 6, 6) }, 12_000],
  ['pawn, 10 x 10: every move and a line', '/pawn', { board: pawnBoard(random, 10, 10), include: ['moves', 'line'] }, 400],
  ['pawn, 16 x 16: every move and a line', '/pawn', { board: pawnBoard(random, 16, 16), include: ['moves', 'line'] }, 40],
  ['go, 20 moves', '/go', { moves: goMoves(random, 20) }, 12_000],
  ['go, a game of 300 moves', '/go', { moves: goMoves(random, 300) }, 4_000],
  ['go, the same, with the board after each move', '/go', { moves: goMoves(random, 300), include: ['boards'] }, 1_000],
  ['mine, 9 x 9, 10 mines', '/mine', { board: mineBoard(random, 9, 9, 10 / 81) }, 12_000],
  ['mine, 30 x 16, 99 mines, winning clicks', '/mine', { board: mineBoard(random, 16, 30, 99 / 480), include: ['wins'] }, 4_000],
  ['mine, 1000 x 1000 at 20 %', '/mine', { board: mineBoard(random, 1000, 1000, 0.2) }, 40],
  ['mine, 300 x 300 at 10 %, 20,000 positions', '/mine', { board: hardBoard(random), states: 20_000 }, 8],
];

const micro = (value) => (value < 10_000 ? value.toFixed(value < 100 ? 1 : 0) : `${(value / 1e6).toFixed(3)} s`);

async function ofService() {
  const rows = [['', 'us', 'in the event loop', 'bytes in', 'out', 'per second on one core']];
  for (const [name, target, question, requests] of KINDS) {
    const arbiter = await start(['--workers', 1, '--log-level', 'warn']);
    const body = json(question);
    const answer = await arbiter.ask({ target, headers: { 'Content-Type': 'application/json' }, body });
    if (answer.status !== 200) throw new Error(`${name}: ${answer}`);
    const costs = [], loops = [];
    for (let round = 0; round < WARM; round += 1) {
      const before = [cpu(arbiter.pid), loopCpu(arbiter.pid)];
      const { good } = await load({ port: arbiter.port, target, file: bodyFile('body', body), requests, clients: 8 });
      if (good !== requests) throw new Error(`${name}: ${good} of ${requests} were answered with 2xx`);
      costs.push(1e3 * (cpu(arbiter.pid) - before[0]) / requests);
      loops.push(1e3 * (loopCpu(arbiter.pid) - before[1]) / requests);
    }
    const cost = Math.min(...costs);
    rows.push([name, micro(cost), micro(Math.min(...loops)), body.length, answer.body.length,
      cost < 1e5 ? Math.round(1e6 / cost) : (1e6 / cost).toFixed(1)]);
    await arbiter.stop();
  }
  print('the server: processor time per request, minimum of three runs', '8 clients with persistent connections', rows);
}

/** HAProxy's processor time per request, in us. */
async function ofBalancer(cluster, how) {
  const { pid } = cluster.balancer.child;
  const before = cpu(pid);
  const { rows, stdout } = await loadWithTls(cluster.port, { ...how, streams: 1 });
  if (rows.filter(({ status }) => status === 200).length !== how.requests) throw new Error(stdout);
  return 1e3 * (cpu(pid) - before) / how.requests;
}

async function ofHaproxy() {
  const cluster = await Cluster.start({ options: ['--workers', 1, '--log-level', 'warn'] });
  const body = json(KINDS[0][2]);
  const rows = [['', 'us', 'per second on one core']];
  for (const [name, how] of [
    ['TLS, HTTP/1.1, persistent connections', { requests: 8_000, connections: 16, http1: true }],
    ['TLS, HTTP/2, persistent connections', { requests: 8_000, connections: 16 }],
    ['TLS, HTTP/2, one connection per request', { requests: 600, connections: 600 }],
  ]) {
    await ofBalancer(cluster, { ...how, body, requests: how.connections });
    const costs = [];
    for (let round = 0; round < WARM; round += 1) costs.push(await ofBalancer(cluster, { ...how, body }));
    rows.push([name, micro(Math.min(...costs)), Math.round(1e6 / Math.min(...costs))]);
  }
  print('HAProxy with docker/haproxy.cfg in front of three replicas', '6 x 6 boards', rows);
  await cluster.stop();
}

await ofService();
await ofHaproxy();
printNoise();
