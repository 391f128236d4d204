// Overload: a minute at ten times the load that the workers can handle (open_loop.mjs), with default options except for a memory
// account of 256 MiB. Prints responses, and refusals by reason; the times of accepted requests, compared with --max-wait and with a
// single request; and memory at the start, at its peak and afterwards, compared with docs/sizing.md ("Memory").
//
// ARBITER_SECONDS  how long it runs (default 60)

import { optionsOf, start } from '../tests/server/arbiter.mjs';
import { until } from '../tests/server/client.mjs';
import { MiB, mostMemory } from '../tests/server/formula.mjs';
import { refusalsAt } from '../tests/server/samples.mjs';
import { print, printNoise, quantile, verdict } from './measure.mjs';
import { measureCapacity, overload } from './open_loop.mjs';

const SECONDS = Number(process.env.ARBITER_SECONDS ?? 60);
const SETTINGS = { max_inflight_bytes: 256 * MiB, workers: 2, long_workers: 1, max_connections: 4096 };
const MAX_WAIT = 10; // seconds, the default
const MOST_LEFT = 20; // MB

const arbiter = await start([...optionsOf(SETTINGS), '--ops-port', 0, '--log-level', 'error']);
const { capacity, alone } = await measureCapacity(arbiter, 5);
const before = arbiter.memory('VmRSS');
const { sent, statuses, reasons, times } = await overload(arbiter, { rate: 10 * capacity, seconds: SECONDS });
const most = arbiter.memory('VmHWM');
await until('memory is returned', () => arbiter.memory('VmRSS') < before + MOST_LEFT, { within: 30_000 }).catch(() => {});
const after = arbiter.memory('VmRSS');
const counted = await refusalsAt(arbiter.opsPort);
const bound = mostMemory({ ...await arbiter.limits(), ...SETTINGS }) / 1e6;
await arbiter.stop();

print('overload',
  `targets: only 200 and 503; accepted requests take at most ${MAX_WAIT} s plus the time of one alone (here a second, on a crowded ` +
  `machine); memory at most ${bound.toFixed(0)} MB, and afterwards at most ${MOST_LEFT} more than before`, [
    ['', 'requests', ''],
    ['capacity, requests per second', capacity.toFixed(0), `one alone takes ${alone.toFixed(1)} ms`],
    ['sent', sent, verdict(Object.keys(statuses).every((status) => ['200', '503'].includes(status)))],
    ...Object.entries(statuses).map(([status, count]) => [`answered with ${status}`, count, '']),
    ...Object.entries(reasons).map(([reason, count]) => [`  ${reason}`, count, verdict(counted[reason] === count)]),
    ['accepted: p50, p99, most, s', [0.5, 0.99, 1].map((fraction) => (quantile(times, fraction) / 1000).toFixed(2)).join(', '),
      verdict(times.at(-1) <= (MAX_WAIT + 1) * 1000)],
    ['MB before, at most, after', [before, most, after].map((value) => value.toFixed(0)).join(', '),
      verdict(most < bound && after < before + MOST_LEFT)],
  ]);
printNoise();
