// A drill: three replicas behind docker/haproxy.cfg get fields that take seconds ten times as fast as all their long
// workers solve them, and small requests at an even rate beside them (tests/deploy/drill.mjs).
//
// A field that has waited for its first turn for --max-wait is answered 503, after the other replica that was asked, too. Those
// whose answer is "none" were being solved, or waited, when the drill was over.
//
// ARBITER_DRILL  seconds (default 120)

import { Cluster } from '../tests/deploy/cluster.mjs';
import { drill } from '../tests/deploy/drill.mjs';
import { print, printNoise, verdict, wallVerdict } from './measure.mjs';

const SECONDS = Number(process.env.ARBITER_DRILL ?? 120);
const MOST_P99 = 50; // ms

const cluster = await Cluster.start({ options: ['--workers', 1, '--long-workers', 1, '--log-level', 'error'] });
const { solved, sent, statuses, quiet, failed, requests, p50, p99, most, takenOut, failedChecks } =
  await drill(cluster, { seconds: SECONDS, states: 1_000_000 }).finally(() => cluster.stop());
print(`drill: ${SECONDS} s of climbed fields at ten times what can be solved`,
  `target: no replica taken out, small requests under ${MOST_P99} ms at p99`,
  [['', 'value', 'target'],
    ['fields that all long workers solve a second', solved.toFixed(2), ''],
    ['fields sent', sent, ''],
    ...Object.entries(statuses).map(([status, count]) => [`of them answered ${status}`, count, '']),
    ['small requests', requests, ''],
    ['of them failed', failed, verdict(failed === 0)],
    ['their p99 before, ms', quiet.toFixed(1), ''],
    ['p50 beside, ms', p50.toFixed(1), ''],
    ['p99 beside, ms', p99.toFixed(1), wallVerdict(p99 < MOST_P99)],
    ['the longest, ms', most.toFixed(1), ''],
    ['health checks that failed', failedChecks, ''],
    ['replicas taken out', takenOut, verdict(takenOut === 0)]]);
printNoise();
