// Replicas fail, hang, stop and start under mixed load behind our balancer configuration. No request that the balancer can retry may
// fail. `script/bench failures` does the same for longer and measures times. The replicas' clocks are stopped, so that a drain delay
// or a wait ends only when the balancer has noticed that the replica is stopping.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { test } from 'node:test';

import { ENDLESS, ENDLESS_OPTIONS } from '../server/bodies.mjs';
import { until } from '../server/client.mjs';
import { OPS_PORT } from '../server/network.mjs';
import { metricsAt } from '../server/samples.mjs';
import { Cluster, missing } from './cluster.mjs';
import { FAILURES, OPTIONS, runFailure } from './failures.mjs';
import { askOnce, loadWithTls } from './load.mjs';

const SETTINGS = missing('haproxy', 'openssl', 'h2load', 'curl');

async function withCluster(settings, body) {
  const cluster = await Cluster.start({ stopClock: true, ...settings });
  try {
    await body(cluster);
  } finally {
    await cluster.stop();
  }
}

for (const name of Object.keys(FAILURES)) {
  test(`${name}: no request that fits into the buffer fails`, SETTINGS, async () => {
    await withCluster({ options: OPTIONS }, async (cluster) => {
      const { requests, failed, large, largeFailed, retried } = await runFailure(cluster, name, { requests: 1000 });
      console.log(`# ${name}: ${requests} requests, ${failed.length} failed, ${retried} sent twice; ` +
        `of ${large} that are larger than the buffer ${largeFailed.length} failed`);
      assert.deepEqual(failed, []);
      assert.ok(requests + large >= 1000 && large > 0);
    });
  });
}

// Over HTTP/2, HAProxy 2.6 ends a stream that was cut off as if it were complete, so a client must count the lines. HAProxy 3.0 resets
// it.
for (const [version, statuses] of [['--http1.1', [18]], ['--http2', [0, 92]]]) {
  test(`a client notices that its stream is incomplete when the replica is killed (curl ${version})`, SETTINGS, async () => {
    await withCluster({ options: [...OPTIONS, '--long-workers', 1, ...ENDLESS_OPTIONS] }, async (cluster) => {
      const body = join(cluster.folder, 'lines');
      writeFileSync(body, `{"id":1,"board":["..."]}\n${`${ENDLESS.body}\n`.repeat(3)}`);
      const curl = spawn('curl', ['-sSN', version, '--cacert', join(cluster.folder, 'certificate.pem'), '--data-binary', `@${body}`,
        '-H', 'content-type: application/x-ndjson', `https://localhost:${cluster.port}/mine`]);
      let [text, errors] = ['', ''];
      curl.stdout.setEncoding('utf8').on('data', (part) => { text += part; });
      curl.stderr.setEncoding('utf8').on('data', (part) => { errors += part; });
      const ended = new Promise((resolve) => curl.on('close', resolve));
      await until('a line has arrived', () => text.includes('\n'));
      const [busy] = await until('the balancer has logged the replica', async () => {
        const serving = (await cluster.balancer.replicas()).filter(({ scur }) => scur === '1');
        return serving.length === 1 && serving;
      });
      cluster.replicas.get(busy.addr.split(':')[0]).signal('SIGKILL');
      const status = await ended;
      assert.ok(statuses.includes(status), `${status} ${errors}`);
      assert.deepEqual(text.trim().split('\n').map((line) => JSON.parse(line).id), [1], 'one line of four');
    });
  });
}

test('with ten searches for each long worker, no replica fails its checks, and no small request fails', SETTINGS, async () => {
  await withCluster({ options: ['--workers', 1, '--long-workers', 1, ...ENDLESS_OPTIONS, '--log-level', 'error'] }, async (cluster) => {
    const takenOut = async () => (await cluster.balancer.replicas()).map(({ chkdown }) => chkdown);
    const before = await takenOut();
    const agent = new Agent({ keepAlive: true, ca: cluster.certificate });
    const searches = Array.from({ length: 30 }, () => assert.rejects(askOnce(cluster.port, ENDLESS, { agent })));
    const metrics = () => Promise.all([...cluster.replicas.keys()].map((address) => metricsAt(OPS_PORT, { address })));
    await until('all replicas have them, and their long workers are busy', async () => {
      const samples = await metrics();
      return samples.reduce((sum, replica) => sum + replica.get('arbiter_requests_in_flight'), 0) === searches.length &&
        samples.every((replica) => replica.get('arbiter_workers_busy{lane="long"}') === 1);
    });
    const { rows, stdout } = await loadWithTls(cluster.port, { requests: 1000, connections: 4, body: '{"board":["..#.","O..O","....",".X.."]}' });
    assert.deepEqual(rows.map(({ status }) => status), Array(1000).fill(200), stdout);
    assert.deepEqual(await takenOut(), before);
    agent.destroy();
    await Promise.all(searches);
  });
});
