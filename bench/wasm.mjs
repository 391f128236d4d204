// The WebAssembly module compared with the service: script/bench wasm
//
// Each row is one request, answered in turns by the module in this process and by the service with one worker. Both times are processor time,
// the shortest of ROUNDS: that of the whole answer for the module, and that of the workers, without the socket, for the service. The last row
// is the time from creating an `Arbiter` without a service to its first answer, including the start of its worker.

import { readFileSync } from 'node:fs';
import { host } from '../client/local/host.node.js';
import { Pool } from '../client/local/pool.js';
import { withArbiter } from '../tests/server/arbiter.mjs';
import { goMoves, JSON_TYPE, mineBoard, pawnBoard, randomFrom } from '../tests/server/bodies.mjs';
import { ask, newEngine, WASM } from '../tests/wasm/module.mjs';
import { cpu, loopCpu } from './measure.mjs';

const ROUNDS = 21;

const random = randomFrom(1);
const times = (count, make) => Array.from({ length: count }, make);
const batch = (cases) => ({ cases });
const ROWS = {
  'pawn 10 x 10, 100 boards': ['/pawn', batch(times(100, () => ({ board: pawnBoard(random, 10, 10) })))],
  'pawn 16 x 16, 10 boards': ['/pawn', batch(times(10, () => ({ board: pawnBoard(random, 16, 16) })))],
  'go, 100 games of 300 moves': ['/go', batch(times(100, () => ({ moves: goMoves(random, 300) })))],
  'go, 100 games of 2,000 moves': ['/go', batch(times(100, () => ({ moves: goMoves(random, 2000) })))],
  // At 10 %, the search takes tens of seconds up to the usual limit.
  ...Object.fromEntries([1, 10, 20].map((percent) =>
    [`mine 1000 x 1000, ${percent} %`, ['/mine', { board: mineBoard(random, 1000, 1000, percent / 100), states: 1000 }]])),
  'mine, 200 fields of 30 x 16': ['/mine', batch(times(200, () => ({ board: mineBoard(random, 16, 30, 99 / 480) })))],
};

const ownTime = () => (({ user, system }) => (user + system) / 1000)(process.cpuUsage());
const workersTime = (pid) => cpu(pid) - loopCpu(pid);

await withArbiter(['--workers', 1, '--long-workers', 1], async (arbiter) => {
  const engine = newEngine();
  console.log('milliseconds                      module    service   ratio');
  for (const [name, [target, question]] of Object.entries(ROWS)) {
    const request = { method: 'POST', target, headers: JSON_TYPE, body: JSON.stringify(question) };
    const least = { module: Infinity, service: Infinity };
    for (let round = 0; round < ROUNDS; round++) {
      const starts = [ownTime(), workersTime(arbiter.pid)];
      const ours = ask(engine, request);
      least.module = Math.min(least.module, ownTime() - starts[0]);
      const theirs = await arbiter.ask(request);
      least.service = Math.min(least.service, workersTime(arbiter.pid) - starts[1]);
      if (ours.status !== 200 || ours.text() !== theirs.text()) throw new Error(`${name}: the answers differ`);
    }
    const shown = [least.module, least.service].map((time) => time.toFixed(1).padStart(9));
    console.log(`${name.padEnd(30)} ${shown.join('  ')}  ${(least.module / least.service).toFixed(2).padStart(6)}`);
  }
  const firsts = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bytes = readFileSync(WASM), start = performance.now();
    const pool = new Pool({ ...host, load: () => WebAssembly.compile(bytes) });
    await (await pool.fetch('http://localhost/pawn', { method: 'POST', headers: JSON_TYPE, body: '{"board":["..#.","O..O","....",".X.."]}' })).text();
    firsts.push(performance.now() - start);
    pool.close();
  }
  console.log(`${'the first answer'.padEnd(30)} ${Math.min(...firsts).toFixed(1).padStart(9)}`);
}, { leaks: false });
