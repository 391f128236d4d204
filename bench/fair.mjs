// Fairness: how long one client waits in the queue while another has 10, 100 or 1,000 connections.
//
// The first client repeatedly posts a 10 x 10 board of the crossing pawn on one connection. The other client posts 16 x 16 boards on
// each of its connections, either single ones or batches. They have different loopback addresses, and connect directly or through
// HAProxy. The waiting time is the log's `waited_ms`, and a step is the `worked_ms` of the other client's single boards in the same
// rounds. Both are elapsed times, so other programs on the machine affect them. Rounds with and without the other client alternate.
//
// Then 1,024 clients send requests during batches and hang up. 1.5 s later, none of these requests is still in the queue, and the next
// request is served.

import { spawn } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import { createServer } from 'node:net';

import { start } from '../tests/server/arbiter.mjs';
import { JSON_TYPE, pawnBoard, randomFrom } from '../tests/server/bodies.mjs';
import { connect, formatRequest, pause, until } from '../tests/server/client.mjs';
import { metricsAt } from '../tests/server/samples.mjs';
import { bodyFile, print, printNoise, quantile, verdict } from './measure.mjs';

const CROWDS = [10, 100, 1000];
const REQUESTS = 100; // of the first client, in each round
const MAX_PAUSE = 30; // ms between a response and the next request
const ROUNDS = 2;
const BATCH = 20; // boards
const LEFT = 1024;
const WORKERS = 2;
const FOR_EVER = 3_600_000; // ms
const MAX_RATIO = 1.2; // of the wait with 1,000 connections to the wait with 10

const random = randomFrom(7);
const small = JSON.stringify({ board: pawnBoard(random, 10, 10) }).padEnd(8192); // too long for the event loop
const large = { board: pawnBoard(random, 16, 16) };
const bodies = { single: JSON.stringify(large), batch: JSON.stringify({ cases: Array(BATCH).fill(large) }) };

const request = (body) => formatRequest({ target: '/pawn', body, headers: JSON_TYPE });
const VICTIM = '127.0.0.2', OTHER = '127.0.0.3';

/** Starts HAProxy in front of the server. It forwards the clients' addresses, and inherits a listening socket. */
async function balance(arbiter) {
  const socket = await new Promise((resolve, reject) => {
    const server = createServer().on('error', reject).listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => resolve(server));
  });
  const { port } = socket.address();
  const file = bodyFile('haproxy.cfg', `defaults
  mode http
  timeout connect 60s
  timeout client 1h
  timeout server 1h
  maxconn 4000
  option forwardfor
  option abortonclose
listen all
  bind fd@3
  server one 127.0.0.1:${arbiter.port}
`);
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'inherit', 'inherit', socket._handle.fd] });
  const stop = () => child.kill('SIGKILL');
  process.on('exit', stop);
  socket.close();
  return { port, stop };
}

/**
 * Sends the same request `count` times on a new connection, with a pause of up to `apart` ms after each response. Stops earlier if
 * `signal` makes the client hang up.
 */
async function askRepeatedly(port, localAddress, body, count, { signal, apart = 0 } = {}) {
  const bytes = request(body);
  const connection = await connect(port, { localAddress, within: FOR_EVER });
  connection.expect('POST');
  signal?.addEventListener('abort', () => connection.close());
  for (let answered = 0; answered < count && !signal?.aborted; answered += 1) {
    if (apart !== 0) await pause(apart * random());
    await connection.write(bytes);
    const answer = await connection.answer();
    if (answer.status !== 200 && answer.status !== 503) throw new Error(`answered with ${answer}`);
  }
  connection.close();
}

/** Opens this many connections of the other client, which send requests until you call the returned function. */
function crowd(port, size, kind) {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const all = Array.from({ length: size }, () => askRepeatedly(port, OTHER, bodies[kind], Infinity, { signal: stop.signal })
    .catch((error) => { if (!stop.signal.aborted) throw error; }));
  return async () => {
    stop.abort();
    await Promise.all(all);
  };
}

/** The log lines of a client's answered requests, starting after a given line. */
const logged = (arbiter, since, address, member) =>
  arbiter.log.slice(since).filter(({ peer, status }) => peer === address && status === 200).map((line) => line[member]);

const jobs = async (arbiter) => (await metricsAt(arbiter.port)).get('arbiter_queue_jobs{lane="short"}');

async function round(arbiter, port, size, kind) {
  const leave = crowd(port, size, kind);
  if (size !== 0)
    await until('the other client has all its jobs in the queue', async () => await jobs(arbiter) >= size - WORKERS - 1);
  const first = arbiter.log.length;
  await askRepeatedly(port, VICTIM, small, REQUESTS, { apart: MAX_PAUSE });
  await until('the log has all', () => logged(arbiter, first, VICTIM, 'waited_ms').length >= REQUESTS);
  const waited = logged(arbiter, first, VICTIM, 'waited_ms'), worked = logged(arbiter, first, OTHER, 'worked_ms');
  await leave();
  await until('the other client has no job in the queue', async () => await jobs(arbiter) === 0);
  return { waited, worked };
}

/** Prints the table of waiting times for clients that connect to this port. */
async function compare(arbiter, port, how) {
  const waits = { alone: [] }, steps = [];
  for (let n = 0; n < ROUNDS; n += 1)
    for (const kind of Object.keys(bodies))
      for (const size of CROWDS) {
        waits.alone.push(...(await round(arbiter, port, 0, kind)).waited);
        const { waited, worked } = await round(arbiter, port, size, kind);
        (waits[`${kind} ${size}`] ??= []).push(...waited);
        if (kind === 'single') steps.push(...worked);
      }
  const step = { p50: quantile(steps, 0.5), p99: quantile(steps, 0.99) };
  const rows = [['beside', 'p50', 'p99', 'p50 / step', 'p99 / step', 'target']];
  for (const [name, waited] of Object.entries(waits)) {
    const p50 = quantile(waited, 0.5), p99 = quantile(waited, 0.99);
    rows.push([name, p50.toFixed(2), p99.toFixed(2), (p50 / step.p50).toFixed(2), (p99 / step.p99).toFixed(2),
      verdict(p50 <= step.p50 && p99 <= 2 * step.p99)]);
  }
  print(`fair, ${how}: ms that a client waits for its first turn; a step takes ${step.p50.toFixed(1)} ms (p50), ${step.p99.toFixed(1)} (p99)`,
    'target: at most one step at p50, and two at p99', rows);
  for (const kind of Object.keys(bodies)) {
    const ratio = quantile(waits[`${kind} 1000`], 0.5) / quantile(waits[`${kind} 10`], 0.5);
    console.log(`${kind}: p50 with 1,000 connections is ${ratio.toFixed(2)} of that with 10: ${verdict(ratio <= MAX_RATIO)}`);
  }
}

/** Many clients send requests while a third client posts batches, and then hang up. */
async function leaveAll(arbiter, port, how) {
  const leave = crowd(port, 16, 'batch');
  await until('the batches are in the queue', async () => await jobs(arbiter) >= 12);
  const gone = await Promise.all(Array.from({ length: LEFT }, () => connect(port, { localAddress: VICTIM })));
  await Promise.all(gone.map((connection) => connection.write(request(bodies.single))));
  await until('all are in the queue', async () => await jobs(arbiter) >= LEFT / 2);
  const before = await jobs(arbiter);
  gone.forEach((connection) => connection.close());
  await pause(1500);
  const after = await jobs(arbiter), asked = performance.now();
  await askRepeatedly(port, '127.0.0.4', small, 1);
  console.log(`${how}: ${LEFT} clients hang up: ${before} jobs wait, and ${after} 1.5 s later; the next request is answered after ` +
    `${(performance.now() - asked).toFixed(0)} ms: ${verdict(after <= 16)}`);
  await leave();
}

const arbiter = await start(['--workers', WORKERS, '--long-workers', 1, '--trusted-proxy', '127.0.0.1', '--max-wait', 3600,
  '--queue', 4096]);
const haproxy = await balance(arbiter);
for (const [how, port] of [['directly', arbiter.port], ['through HAProxy', haproxy.port]]) {
  await compare(arbiter, port, how);
  await leaveAll(arbiter, port, how);
}
haproxy.stop();
await arbiter.stop();
printNoise();
