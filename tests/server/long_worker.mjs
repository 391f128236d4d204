// Work for a program with a single long worker. The test decides how long a request keeps that worker busy, and how many others wait.

import assert from 'node:assert/strict';

import { ENDLESS, ENDLESS_OPTIONS, HARD } from './bodies.mjs';
import { connect } from './client.mjs';
import { untilMetrics } from './samples.mjs';

/** The options that the functions below require, in addition to an ops port. */
export const ONE_LONG_WORKER = [...ENDLESS_OPTIONS, '--workers', 1, '--long-workers', 1];

const MANY = 30;

async function send(arbiter, requests) {
  const connections = await Promise.all(requests.map(() => connect(arbiter.port)));
  await Promise.all(connections.map((connection, index) => connection.send(requests[index])));
  return connections;
}

/** Sends these requests on new connections; resolves when the long worker is busy and `waiting` requests wait for it. */
export async function sendLong(arbiter, requests, waiting) {
  const connections = await send(arbiter, requests);
  await untilMetrics(arbiter, `${waiting} wait for the long worker`, (at) =>
    at('arbiter_workers_busy{lane="long"}') === 1 && at('arbiter_queue_jobs{lane="long"}') === waiting);
  return connections;
}

/** Sends a request that keeps the long worker busy until its client hangs up. Returns the connection. */
export async function beginEndless(arbiter) {
  const [connection] = await sendLong(arbiter, [ENDLESS], 0);
  return connection;
}

/**
 * Keeps the long worker busy with one request (`busy`), and sends others (`connections`). Some of these wait for the long worker; the
 * rest (`refused`) have been answered 503, because the queue was full.
 *
 * The program must run with `--queue 1`. The queue is then full as soon as the event loop has read two requests while the short worker
 * is working on another.
 */
export async function fillQueue(arbiter, addresses = []) {
  const busy = await beginEndless(arbiter);
  const forwarded = (number) => (addresses.length > 0 ? { 'X-Forwarded-For': addresses[number % addresses.length] } : {});
  const connections = await send(arbiter,
    Array.from({ length: MANY }, (_, number) => ({ ...HARD, headers: { ...HARD.headers, ...forwarded(number) } })));
  await arbiter.ask({ target: '/livez' }); // by now, the event loop has read all requests sent before
  let refused;
  await untilMetrics(arbiter, 'each waits or is refused', (at) => {
    refused = connections.filter(({ unread }) => unread === 1);
    return at('arbiter_queue_jobs{lane="long"}') === MANY - refused.length && at('arbiter_queue_waiting') === 0 &&
      at('arbiter_workers_busy{lane="short"}') === 0;
  });
  assert.ok(refused.length > 0, 'the queue was full');
  return { busy, connections, refused };
}
