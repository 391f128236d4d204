// A drill: fields that take seconds to solve come ten times as fast as all long workers together solve them, and small
// requests at an even rate beside them.

import { Agent } from 'node:https';

import { slowBoards } from '../server/bodies.mjs';
import { askOnce, loadWithTls } from './load.mjs';
import { quantile } from './quantile.mjs';

const SMALL = { connections: 4, rate: 25 }; // requests a second of each

/** Small requests for so long, over HTTP/2: milliseconds of each that was answered well, and how many were not. */
async function smallRequests(cluster, seconds) {
  const requests = seconds * SMALL.connections * SMALL.rate;
  const { rows } = await loadWithTls(cluster.port, { ...SMALL, requests, body: '{"board":["..#.","O..O","....",".X.."]}', within: seconds + 60 });
  const times = rows.filter(({ status }) => status === 200).map(({ milliseconds }) => milliseconds);
  return { times, failed: requests - times.length };
}

/** How many fields a second all long workers solve: each field once, all at the same time. */
async function capacity(cluster, bodies, agent) {
  const began = performance.now();
  const answers = await Promise.all(bodies.map((body) => askOnce(cluster.port, { target: '/mine', body }, { agent })));
  const unsolved = answers.find(({ status }) => status !== 200);
  if (unsolved) throw new Error(`a field alone was answered ${unsolved.status}: ${unsolved.text}`);
  return bodies.length * 1e3 / (performance.now() - began);
}

/**
 * The drill: for `seconds`, `times` as many fields as can be solved. How many were sent and how they were answered by status
 * ("none": not yet, when it was over), the times of the small requests, how often a replica was taken out, how many checks failed.
 */
export async function drill(cluster, { seconds, times = 10, states }) {
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
  agent.destroy(); // their clients leave
  return {
    solved, sent, statuses, quiet: quantile(quiet.times, 0.99), failed: quiet.failed + beside.failed,
    requests: beside.times.length, p50: quantile(beside.times, 0.5), p99: quantile(beside.times, 0.99), most: Math.max(...beside.times),
    takenOut: await checks('chkdown') - down, failedChecks: await checks('chkfail') - failedBefore,
  };
}
