// The WebAssembly module compared with the service: script/bench wasm
//
// Each row is one request, answered in turns by the module in this process and by the service with one worker. The time of the module is that
// of the whole answer, and the time of the service is the worker's (worked_ms in the log), without the socket. Both are the shortest of
// ROUNDS. The last row is the time from creating an `Arbiter` without a service to its first answer, including the start of its worker.

import { readFileSync } from 'node:fs';
import { host } from '../client/local/fetch.node.js';
import { Pool } from '../client/local/pool.js';
import { withArbiter } from '../tests/server/arbiter.mjs';
import { goMoves, JSON_TYPE, mineBoard, pawnBoard, randomFrom } from '../tests/server/bodies.mjs';
import { until } from '../tests/server/client.mjs';
import { ask, newEngine, WASM } from '../tests/wasm/module.mjs';

const ROUNDS = 7;

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

/** The duration of a call in milliseconds, and its result. */
async function timed(call) {
  const before = performance.now(), result = await call();
  return [performance.now() - before, result];
}

await withArbiter(['--workers', 1, '--long-workers', 1], async (arbiter) => {
  const engine = newEngine();
  console.log('milliseconds                      module    service   ratio');
  for (const [name, [target, question]] of Object.entries(ROWS)) {
    const request = { method: 'POST', target, headers: JSON_TYPE, body: JSON.stringify(question) };
    const least = { module: Infinity, service: Infinity };
    for (let round = 0; round < ROUNDS; round++) {
      const [time, ours] = await timed(() => ask(engine, request));
      const before = arbiter.log.length, theirs = await arbiter.ask(request);
      if (ours.status !== 200 || ours.text() !== theirs.text()) throw new Error(`${name}: the answers differ`);
      const reported = () => arbiter.log.slice(before).find(({ event }) => event === 'request');
      await until('the request is logged', reported);
      least.module = Math.min(least.module, time);
      least.service = Math.min(least.service, reported().worked_ms);
    }
    const shown = [least.module, least.service].map((time) => time.toFixed(1).padStart(9));
    console.log(`${name.padEnd(30)} ${shown.join('  ')}  ${(least.module / least.service).toFixed(2).padStart(6)}`);
  }
  const firsts = [];
  for (let round = 0; round < ROUNDS; round++) {
    const bytes = readFileSync(WASM);
    const [time] = await timed(async () => {
      const pool = new Pool({ ...host, module: () => WebAssembly.compile(bytes) });
      await (await pool.fetch('http://localhost/pawn', { method: 'POST', headers: JSON_TYPE, body: '{"board":["..#.","O..O","....",".X.."]}' })).text();
      pool.close();
    });
    firsts.push(time);
  }
  console.log(`${'the first answer'.padEnd(30)} ${Math.min(...firsts).toFixed(1).padStart(9)}`);
}, { leaks: false });
