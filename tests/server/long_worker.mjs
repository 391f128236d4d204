// Work for a program with one long worker. The test decides how long a request is solved and how many wait.

import assert from 'node:assert/strict';

import { ENDLESS, ENDLESS_OPTIONS, HARD } from './bodies.mjs';
import { connect } from './client.mjs';
import { untilMetrics } from './samples.mjs';

/** The functions below need these options and an ops port. */
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

/** A request that the long worker solves until its client hangs up. */
export async function beginEndless(arbiter) {
  const [connection] = await sendLong(arbiter, [ENDLESS], 0);
  return connection;
}

/**
 * Keeps the long worker busy with a request (`busy`), and sends others (`connections`). Some of them wait for that worker. The
 * others (`refused`) were answered 503, because the queue was full.
 * The program has `--queue 1`, so to find the queue full, the event loop only needs to read two requests while the short worker
 * works on one.
 */
export async function fillQueue(arbiter, addresses = []) {
  const busy = await beginEndless(arbiter);
  const forwarded = (number) => (addresses.length > 0 ? { 'X-Forwarded-For': addresses[number % addresses.length] } : {});
  const connections = await send(arbiter,
    Array.from({ length: MANY }, (_, number) => ({ ...HARD, headers: { ...HARD.headers, ...forwarded(number) } })));
  await arbiter.ask({ target: '/livez' }); // now the event loop has read the requests before
  let refused;
  await untilMetrics(arbiter, 'each waits or is refused', (at) => {
    refused = connections.filter(({ unread }) => unread === 1);
    return at('arbiter_queue_jobs{lane="long"}') === MANY - refused.length && at('arbiter_queue_waiting') === 0 &&
      at('arbiter_workers_busy{lane="short"}') === 0;
  });
  assert.ok(refused.length > 0, 'the queue was full');
  return { busy, connections, refused };
}
