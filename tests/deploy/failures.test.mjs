// Replicas fail, hang, leave and come under mixed load, behind the configuration that we ship: no request that the balancer
// can ask twice fails. `script/bench failures` does the same for longer, and says how long requests took.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeFileSync } from 'node:fs';

import { hardBoard, randomFrom } from '../server/bodies.mjs';
import { until } from '../server/client.mjs';
import { Cluster, missing } from './cluster.mjs';
import { drill } from './drill.mjs';
import { FAILURES, OPTIONS, undergo } from './failures.mjs';

const SETTINGS = { timeout: 180_000, ...missing('haproxy', 'openssl', 'h2load', 'curl') };

async function withCluster(settings, body) {
  const cluster = await Cluster.start(settings);
  try {
    await body(cluster);
  } finally {
    await cluster.stop();
  }
}

for (const name of Object.keys(FAILURES)) {
  test(`${name}: no request that fits the buffer fails`, SETTINGS, async () => {
    await withCluster({ options: OPTIONS }, async (cluster) => {
      const { requests, failed, large, largeFailed, retried, p99 } = await undergo(cluster, name, { requests: 2000 });
      console.log(`# ${name}: ${requests} requests, ${failed.length} failed, ${retried} asked twice, p99 ${p99.toFixed(0)} ms; ` +
        `of ${large} that are larger than the buffer ${largeFailed.length} failed`);
      assert.deepEqual(failed, []);
      assert.ok(requests >= 2000 && large > 20);
    });
  });
}

// Over HTTP/2 HAProxy 2.6 ends what was cut off like what is whole, so that only the count of lines tells; 3.0 resets it.
for (const [version, statuses] of [['--http1.1', [18]], ['--http2', [0, 92]]]) {
  test(`a stream on a replica that is killed is seen as broken by its client (curl ${version})`, SETTINGS, async () => {
    await withCluster({ options: OPTIONS }, async (cluster) => {
      const body = join(cluster.folder, 'lines');
      const slow = JSON.stringify({ board: hardBoard(randomFrom(1)) });
      writeFileSync(body, `{"id":1,"board":["..."]}\n${`${slow}\n`.repeat(3)}`);
      const curl = spawn('curl', ['-sSN', version, '--cacert', join(cluster.folder, 'arbiter.pem'), '--data-binary', `@${body}`,
        '-H', 'content-type: application/x-ndjson', `https://localhost:${cluster.port}/mine`]);
      let [text, errors] = ['', ''];
      curl.stdout.setEncoding('utf8').on('data', (part) => { text += part; });
      curl.stderr.setEncoding('utf8').on('data', (part) => { errors += part; });
      const ended = new Promise((resolve) => curl.on('close', resolve));
      await until('a line has come', () => text.includes('\n'));
      const [busy] = await until('the balancer tells where', async () => {
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

test('searches at ten times what can be solved take no replica out, and fail no small request', SETTINGS, async () => {
  await withCluster({ options: ['--workers', 1, '--long-workers', 1, '--log-level', 'error'] }, async (cluster) => {
    const seconds = 5;
    const { sent, solved, requests, failed, takenOut } = await drill(cluster, { seconds, states: 10_000 });
    console.log(`# ${sent} fields in ${seconds} s, where ${solved.toFixed(1)} a second can be solved; ${requests} small requests`);
    assert.ok(sent > 5 * seconds * solved);
    assert.equal(failed, 0);
    assert.equal(takenOut, 0);
  });
});
