// When an event loop hangs, the server is not ready, and the ops port reports this.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';

import { withArbiter } from './arbiter.mjs';
import { ask, connect, until } from './client.mjs';
import { metricsAt } from './samples.mjs';

/** The system call number of accept4 on this architecture. */
const ACCEPT4 = { x64: 288, arm64: 242 }[process.arch];

/** Stops the first event loop when it next accepts a connection. It continues when `release` is called. */
function stopAtAccept({ pid }) {
  const stopper = spawn(process.env.ARBITER_STOPPER, [pid, ACCEPT4].map(String), { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  stopper.stdout.on('data', (text) => { said += text; });
  return { isStopped: () => said === 'stopped\n', release: () => stopper.kill() };
}

test('while an event loop hangs, the service is not ready', async () => {
  await withArbiter(['--ops-port', 0], async (arbiter) => {
    const ready = () => ask(arbiter.opsPort, { target: '/readyz' });
    assert.equal((await ready()).status, 200);
    const stopper = stopAtAccept(arbiter);
    try {
      const waiting = [];
      await until('the loop is stopped', async () => {
        waiting.push(await connect(arbiter.port)); // the kernel accepts it, so this works without the loop
        return stopper.isStopped();
      }, { every: 50 });
      const answer = await until('the service is not ready', async () => {
        const answer = await ready();
        return answer.status === 503 && answer;
      }, { every: 100 });
      assert.match(answer.text(), /an event loop is stuck/);
      assert.equal((await ask(arbiter.opsPort, { target: '/livez' })).status, 200);
      const longest = (await metricsAt(arbiter.opsPort)).get('arbiter_loop_longest_round_seconds{loop="0"}');
      assert.ok(longest >= 5, `${longest} s`);
      for (const connection of waiting) connection.close();
    } finally {
      stopper.release();
    }
    await until('it is ready again', async () => (await ready()).status === 200);
  });
});
