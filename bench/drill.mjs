// A drill: three replicas behind docker/haproxy.cfg get fields that take seconds to solve, ten times as many as all their long
// workers can handle, along with small requests at a fixed rate. tests/deploy/failures.test.mjs does the same without measuring time.
//
// A field that has waited --max-wait for its first turn gets 503, once a second replica has refused it as well. The answer "none"
// means that a field was still being solved or waiting when the drill ended.
//
// ARBITER_DRILL  seconds (default 120)

import { Agent } from 'node:https';

import { Cluster } from '../tests/deploy/cluster.mjs';
import { askOnce, loadWithTls } from '../tests/deploy/load.mjs';
import { slowBoards } from '../tests/server/bodies.mjs';
import { GIVE_UP } from '../tests/server/client.mjs';
import { print, printNoise, quantile, verdict, wallVerdict } from './measure.mjs';

const SECONDS = Number(process.env.ARBITER_DRILL ?? 120);
const MOST_P99 = 50; // ms
const SMALL = { connections: 4, rate: 25 }; // requests a second of each

/** Sends small requests over HTTP/2 for some seconds. Resolves to the times of those answered with 200, in ms, and the number of others. */
async function smallRequests(cluster, seconds) {
  const requests = seconds * SMALL.connections * SMALL.rate;
  const { rows } = await loadWithTls(cluster.port, { ...SMALL, requests, body: '{"board":["..#.","O..O","....",".X.."]}', within: seconds * 1e3 + GIVE_UP });
  const times = rows.filter(({ status }) => status === 200).map(({ milliseconds }) => milliseconds);
  return { times, failed: requests - times.length };
}

/** The number of fields per second that all long workers together solve, measured by sending each field once, all at the same time. */
async function capacity(cluster, bodies, agent) {
  const began = performance.now();
  const answers = await Promise.all(bodies.map((body) => askOnce(cluster.port, { target: '/mine', body }, { agent })));
  const unsolved = answers.find(({ status }) => status !== 200);
  if (unsolved) throw new Error(`one field was answered ${unsolved.status}: ${unsolved.text}`);
  return bodies.length * 1e3 / (performance.now() - began);
}

/**
 * For `seconds`, sends `times` as many fields as can be solved. Resolves to the number sent, the number of answers by status ("none":
 * still no answer at the end), the times of the small requests, how often a replica was taken out, and the number of failed checks.
 */
async function drill(cluster, { seconds, times = 10, states }) {
  const agent = new Agent({ keepAlive: true, ca: cluster.certificate });
  const checks = async (name) => (await cluster.balancer.replicas()).reduce((sum, replica) => sum + Number(replica[name]), 0);
  const [down, failedBefore] = [await checks('chkdown'), await checks('chkfail')];
  const bodies = slowBoards().map((board) => JSON.stringify({ board, states }));
  const solved = await capacity(cluster, bodies, agent);
  const quiet = await smallRequests(cluster, Math.ceil(seconds / 20));
  const statuses = {};
  let sent = 0;
  const count = (status) => { statuses[status] = (statuses[status] ?? 0) + 1; };
  const sending = setInterval(() => {
    askOnce(cluster.port, { target: '/mine', body: bodies[sent % bodies.length] }, { agent })
      .then(({ status }) => count(status), () => count('none'));
    sent += 1;
  }, 1e3 / (times * solved));
  const beside = await smallRequests(cluster, seconds);
  clearInterval(sending);
  agent.destroy(); // closes the connections of the remaining fields
  return {
    solved, sent, statuses, quiet: quantile(quiet.times, 0.99), failed: quiet.failed + beside.failed,
    requests: beside.times.length, p50: quantile(beside.times, 0.5), p99: quantile(beside.times, 0.99), most: Math.max(...beside.times),
    takenOut: await checks('chkdown') - down, failedChecks: await checks('chkfail') - failedBefore,
  };
}

const cluster = await Cluster.start({ options: ['--workers', 1, '--long-workers', 1, '--log-level', 'error'] });
const { solved, sent, statuses, quiet, failed, requests, p50, p99, most, takenOut, failedChecks } =
  await drill(cluster, { seconds: SECONDS, states: 1_000_000 }).finally(() => cluster.stop());
print(`drill: ${SECONDS} s of slow fields at ten times the capacity`,
  `target: no replica taken out; small requests under ${MOST_P99} ms at p99`,
  [['', 'value', 'target'],
    ['capacity of all long workers, fields per second', solved.toFixed(2), ''],
    ['fields sent', sent, ''],
    ...Object.entries(statuses).map(([status, count]) => [`  answered with ${status}`, count, '']),
    ['small requests', requests, ''],
    ['of them failed', failed, verdict(failed === 0)],
    ['their p99 before, ms', quiet.toFixed(1), ''],
    ['p50 during it, ms', p50.toFixed(1), ''],
    ['p99 beside, ms', p99.toFixed(1), wallVerdict(p99 < MOST_P99)],
    ['the longest, ms', most.toFixed(1), ''],
    ['health checks that failed', failedChecks, ''],
    ['replicas taken out', takenOut, verdict(takenOut === 0)]]);
printNoise();
