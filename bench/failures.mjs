// Failures in a cluster: three replicas behind docker/haproxy.cfg handle mixed load over HTTP/1.1 and HTTP/2, while one replica is
// killed or stopped, all are restarted one after the other, or one is added and one removed (tests/deploy).
//
// The balancer can retry a request on a second replica only if the request fits into its buffer, so these and larger ones are counted
// separately. A request to a stopped replica waits until the replica continues or is killed.
//
// ARBITER_FAILURES  how many times to cause each failure (default 5)

import { Cluster } from '../tests/deploy/cluster.mjs';
import { FAILURES, OPTIONS, runFailure } from '../tests/deploy/failures.mjs';
import { print, printNoise, quantile, verdict } from './measure.mjs';

const TIMES = Number(process.env.ARBITER_FAILURES ?? 5);
const REQUESTS = 2000;

const rows = [['failure', 'times', 'requests', 'failed', 'sent twice', 'p50 ms', 'p99', 'max', 'larger', 'failed', 'target']];
const why = new Map();
for (const name of Object.keys(FAILURES)) {
  const cluster = await Cluster.start({ options: OPTIONS });
  const { requests, failed, retried, times, large, largeFailed } =
    await runFailure(cluster, name, { requests: REQUESTS, times: TIMES, clients: 12, pace: 10 }).finally(() => cluster.stop());
  rows.push([name, TIMES, requests, failed.length, retried, ...[0.5, 0.99, 1].map((fraction) => quantile(times, fraction).toFixed(1)), large,
    largeFailed.length, verdict(failed.length === 0)]);
  for (const result of [...failed, ...largeFailed]) {
    const what = `${name}, ${result.name}: ${result.failed}`;
    why.set(what, (why.get(what) ?? 0) + 1);
  }
}
print('failures: requests to three replicas behind HAProxy', 'target: no request that fits into the buffer fails', rows);
for (const [what, count] of why) console.log(`${count} times ${what}`);
printNoise();
