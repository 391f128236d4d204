// Ten times the load that the workers can do (overload.mjs): requests are answered or refused with 503 and nothing else, each
// refusal is counted by its reason, memory stays within the table and is given back. `script/bench overload` does the same
// for a minute and tells the times.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SANITIZED, optionsOf, withArbiter } from './arbiter.mjs';
import { until } from './client.mjs';
import { MiB, mostMemory } from './formula.mjs';
import { measureCapacity, overload } from './overload.mjs';
import { refusalsAt } from './samples.mjs';

const SETTINGS = { max_inflight_bytes: 64 * MiB, workers: 2, long_workers: 1, max_connections: 4000, queue: 100 };
const OPTIONS = [...optionsOf(SETTINGS), '--ops-port', 0, '--log-level', 'error', '--max-wait', 2];

test('under ten times the load there are answers and 503s, each counted by its reason, in bounded memory', { timeout: 300_000 }, async (t) => {
  await withArbiter(OPTIONS, async (arbiter) => {
    const { capacity } = await measureCapacity(arbiter, 1);
    const start = arbiter.memory('VmRSS');
    const { sent, statuses, reasons } = await overload(arbiter, { rate: 10 * capacity, seconds: 4 });
    t.diagnostic(`${Math.round(capacity)} a second; ${sent} were sent: ${JSON.stringify(statuses)} ${JSON.stringify(reasons)}`);
    assert.deepEqual(Object.keys(statuses), ['200', '503']);
    await until('all refusals are counted', async () => {
      const counted = await refusalsAt(arbiter.opsPort);
      return Object.keys({ ...counted, ...reasons }).every((reason) => counted[reason] === reasons[reason]);
    });
    if (SANITIZED) return; // which keeps memory of its own
    const most = mostMemory({ ...await arbiter.limits(), ...SETTINGS }) / 1e6;
    assert.ok(arbiter.memory('VmHWM') < most, `${arbiter.memory('VmHWM')} of ${most} MB`);
    await until('memory is given back', () => arbiter.memory('VmRSS') < start + 20, { within: 30_000 });
  });
});
