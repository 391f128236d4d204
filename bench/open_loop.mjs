// More load than the workers can handle, at a rate that does not depend on answers, and the results of all requests.
//
//     const capacity = await measureCapacity(arbiter);             // of the workers, requests a second
//     const result = await overload(arbiter, { rate: 10 * capacity, seconds: 60 });
//
// The requests are 16 x 16 boards of the pawn, about 15 ms of work in 300 bytes, so that the client can send many; one in fifty is
// a field of a million cells, which fills the account.

import assert from 'node:assert/strict';

import { JSON_TYPE, mineBoard, pawnBoard, randomFrom } from '../tests/server/bodies.mjs';
import { connect, pause } from '../tests/server/client.mjs';

const random = randomFrom(15);
const BOARDS = Array.from({ length: 8 }, () => JSON.stringify({ board: pawnBoard(random, 16, 16), include: ['moves'] }));
const FIELD = JSON.stringify({ board: mineBoard(random, 1000, 1000, 0.2) });

/** The reason of a refusal in the log and in the metrics, by its detail. */
const REASONS = {
  'the queue is full': 'queue-full',
  'too many bytes are in flight': 'memory-full',
  'the request has waited for too long': 'max-wait',
  'memory is exhausted': 'memory',
};

const board = (index) => ({ target: '/pawn', headers: JSON_TYPE, body: BOARDS[index % BOARDS.length] });

/** Enough clients to keep two workers busy, and few enough for short waits. */
const CLIENTS = 3;

/** The number of boards a second while the workers are never idle, and the time of one alone in milliseconds. */
export async function measureCapacity(arbiter, seconds = 2) {
  const alone = performance.now();
  assert.equal((await arbiter.ask(board(0))).status, 200);
  const took = performance.now() - alone;
  const end = performance.now() + seconds * 1000;
  let done = 0;
  await Promise.all(Array.from({ length: CLIENTS }, async (_, client) => {
    const connection = await connect(arbiter.port);
    for (let index = client; performance.now() < end; index += 1, done += 1) {
      connection.send(board(index));
      assert.equal((await connection.answer()).status, 200);
    }
    connection.close();
  }));
  return { capacity: done / seconds, alone: took };
}

/** Connections that are kept for the next request when theirs is answered. */
class Pool {
  #idle = [];

  constructor(port) {
    this.port = port;
  }

  async ask(request) {
    const connection = this.#idle.pop() ?? await connect(this.port);
    connection.send(request);
    const answer = await connection.answer({ within: 120_000 });
    if (connection.ended === null && (answer.header('connection') ?? '').toLowerCase() !== 'close') this.#idle.push(connection);
    else connection.close();
    return answer;
  }

  close() {
    for (const connection of this.#idle) connection.close();
  }
}

/**
 * Sends `rate` requests a second for `seconds`, without waiting for answers. Resolves to the number sent, the numbers by status,
 * the reasons of the 503s, and the milliseconds of those that were answered 200.
 * @param {{ rate: number, seconds: number }} how
 */
export async function overload(arbiter, { rate, seconds }) {
  const pool = new Pool(arbiter.port);
  const statuses = {}, reasons = {}, times = [], asking = [];
  const began = performance.now();
  const one = async (index) => {
    const sent = performance.now();
    const large = index % 50 === 49;
    const answer = await pool.ask(large ? { target: '/mine', headers: JSON_TYPE, body: FIELD } : board(index));
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    if (answer.status === 200) times.push(performance.now() - sent);
    if (answer.status !== 503) return;
    const { detail } = answer.json();
    const reason = REASONS[detail] ?? assert.fail(`a refusal without a known reason: ${detail}`);
    reasons[reason] = (reasons[reason] ?? 0) + 1;
  };
  for (let sent = 0; performance.now() - began < seconds * 1000;) {
    const due = Math.floor((performance.now() - began) / 1000 * rate);
    for (; sent < due; sent += 1) asking.push(one(sent));
    await pause(20);
  }
  while (asking.length > 0) await asking.pop();
  pool.close();
  return { sent: Object.values(statuses).reduce((sum, count) => sum + count, 0), statuses, reasons, times: times.sort((a, b) => a - b) };
}
