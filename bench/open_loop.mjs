// Sends more load than the workers can handle, at a rate that doesn't depend on the responses, and collects all results.
//
//     const { capacity } = await measureCapacity(arbiter);         // of the workers, in requests per second
//     const result = await overload(arbiter, { rate: 10 * capacity, seconds: 60 });
//
// The requests are 16 x 16 boards of the crossing pawn, about 7 ms of work in 300 bytes, so that the client can send many. One in
// fifty is a field of a million cells, to fill up the memory account.

import assert from 'node:assert/strict';

import { JSON_TYPE, mineBoard, pawnBoard, randomFrom } from '../tests/server/bodies.mjs';
import { connect, pause } from '../tests/server/client.mjs';

const random = randomFrom(15);
const BOARDS = Array.from({ length: 8 }, () => JSON.stringify({ board: pawnBoard(random, 16, 16), include: ['moves'] }));
const FIELD = JSON.stringify({ board: mineBoard(random, 1000, 1000, 0.2) });

/** The reason that the log and the metrics give for a refusal, by the problem's detail. */
const REASONS = {
  'the queue is full': 'queue-full',
  'too many bytes are in flight': 'memory-full',
  'the request waited too long in the queue': 'max-wait',
  'out of memory': 'memory',
};

const board = (index) => ({ target: '/pawn', headers: JSON_TYPE, body: BOARDS[index % BOARDS.length] });

/** Enough clients to keep two workers busy, but few enough that nobody waits long. */
const CLIENTS = 3;

/** Measures how many boards per second the workers solve when they are never idle, and how many ms a single one takes. */
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

/** Connections are reused if they have been idle for less than this, because the server closes them after 10 s. */
const MOST_IDLE = 5000; // ms

/** Connections that are reused once their request has been answered. */
class Pool {
  #idle = []; // { connection, since }

  constructor(port) {
    this.port = port;
  }

  #reused() {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.connection.ended === null && performance.now() - idle.since < MOST_IDLE) return idle.connection;
      idle.connection.close();
    }
    return undefined;
  }

  async ask(request) {
    const connection = this.#reused() ?? await connect(this.port);
    connection.send(request);
    const answer = await connection.answer({ within: 120_000 });
    if (connection.ended === null && (answer.header('connection') ?? '').toLowerCase() !== 'close') {
      this.#idle.push({ connection, since: performance.now() });
    } else {
      connection.close();
    }
    return answer;
  }

  close() {
    for (const { connection } of this.#idle) connection.close();
  }
}

/**
 * Sends `rate` requests per second for `seconds`, without waiting for responses. Resolves to the number sent, the number by status,
 * the reasons for the 503s, and the times of the 200s in ms.
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
