// A drill: fields that take seconds to solve come ten times as fast as all long workers together solve them, and small
// requests at an even rate beside them.

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { askOnce, quantile } from './load.mjs';

const SMALL = { connections: 4, rate: 25 }; // requests a second of each
const SIDE = 88;

/**
 * The fields of bench/slow_fields.txt, which `bench climb` has found: "a" is a mine, "b" a cell and a mine, … "z" 25 cells
 * without one. At most `states` positions are visited in each.
 */
function climbedFields(states) {
  const lines = readFileSync(new URL('../../bench/slow_fields.txt', import.meta.url), 'latin1').trim().split('\n');
  return lines.map((line) => {
    const cells = Array.from(line.split(' ').at(-1), (letter) => {
      const gap = letter.charCodeAt(0) - 97;
      return '.'.repeat(gap) + (gap < 25 ? '*' : '');
    }).join('').padEnd(SIDE * SIDE, '.');
    return JSON.stringify({ board: Array.from({ length: SIDE }, (_, row) => cells.slice(row * SIDE, (row + 1) * SIDE)), states });
  });
}

/** Small requests for so long, by h2load over HTTP/2: milliseconds of each that was answered well, and how many were not. */
async function smallRequests(cluster, seconds) {
  const folder = mkdtempSync(join(tmpdir(), 'arbiter-drill-'));
  const requests = seconds * SMALL.connections * SMALL.rate;
  writeFileSync(join(folder, 'body'), '{"board":["..#.","O..O","....",".X.."]}');
  const command = ['-n', requests, '-c', SMALL.connections, '-t', 1, '-m', 4, '--rps', SMALL.rate, '--log-file', join(folder, 'times'),
    '-d', join(folder, 'body'), '-H', 'content-type: application/json', `https://127.0.0.1:${cluster.port}/pawn`].map(String);
  await promisify(execFile)('h2load', command, { timeout: (seconds + 60) * 1e3 });
  const rows = readFileSync(join(folder, 'times'), 'latin1').trim().split('\n').map((line) => line.split('\t').map(Number));
  rmSync(folder, { recursive: true });
  const times = rows.filter(([, status]) => status === 200).map(([, , microseconds]) => microseconds / 1e3);
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
  const bodies = climbedFields(states);
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
