// Hundreds of streams at once, with readers that are fast, slow, or hang up, and a SIGTERM in the middle. All bytes are compared with
// the answers from an idle server. A complete stream must be identical. A stream that is cut off must match as far as it goes, and its
// client must be able to tell that it is incomplete.
//
// No client sleeps. A client hangs up, or resumes reading, after a random number of bytes, or when a random number of other clients
// have finished.
//
// ARBITER_STREAMS  the number of streams (default 300)
// ARBITER_SEED     the seed for all random choices (each run prints it)

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { withArbiter } from './arbiter.mjs';
import {
  JSON_TYPE, TEXT_TYPE, below, goMoves, hardBoard, mineBoard, mineText, pawnBoard, pick, randomFrom,
} from './bodies.mjs';
import { chunked, connect, formatRequest } from './client.mjs';

const STREAMS = Number(process.env.ARBITER_STREAMS ?? 300);
const SEED = Number(process.env.ARBITER_SEED ?? 20240229);
const NDJSON = { 'Content-Type': 'application/x-ndjson' };

const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const linesOf = (cases) => cases.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('');

/**
 * Streams that the event loop answers, streams for short and long workers, streams longer than the socket buffers, and streams with
 * invalid cases.
 */
function allKinds(random) {
  const field = (id) => ({ id, board: mineBoard(random, 9, 9, 0.2), include: ['wins', 'board'] });
  const pawn = (id) => ({ id, board: pawnBoard(random, 10, 10), include: ['moves', 'line'] });
  const game = (id) => ({ id, moves: goMoves(random, 60), include: ['boards', 'captured'] });
  const hard = { board: hardBoard(random) };
  const bad = ['{"id":3,"board":["x"]}', '{', '{"id":"b"}', '[1]', '{"board":[]}'];
  return [
    ['small', '/mine', linesOf(times(8, field))],
    ['fields', '/mine', linesOf(times(400, field))],
    ['boards', '/pawn', linesOf(times(30, pawn))],
    ['bad ones', '/mine', linesOf(times(60, (id) => (id % 4 === 3 ? pick(random, bad) : field(id))))],
    ['CRLF and blanks', '/mine', linesOf(times(30, field)).replaceAll('\n', '\r\n \n\n')],
    ['hard ones', '/mine', linesOf([field(1), hard, field(2), hard, field(3)])],
    ['a hard one and many behind it', '/mine', linesOf([hard, ...times(300, field)])],
    ['wordy', '/go', linesOf(times(400, game))], // 10 MB
    ['a batch', '/mine', JSON.stringify({ cases: times(300, field) }), { ...JSON_TYPE, Accept: 'application/jsonl' }],
    ['a text', '/mine', mineText(times(300, () => mineBoard(random, 9, 9, 0.2))), { ...TEXT_TYPE, Accept: 'application/x-ndjson' }],
  ].map(([name, target, body, headers = NDJSON]) => ({ name, target, body, headers }));
}

/** Returns a promise, `opened`, that resolves after `count` calls to `arrive`. */
function gate(count) {
  let open;
  const opened = new Promise((resolve) => (open = resolve));
  let left = count;
  return { opened, arrive: () => (left -= 1) === 0 && open() };
}

/** Counts the clients that have finished, except those that wait for other clients. */
class Ends {
  #count = 0;
  #waiting = [];

  constructor(all) {
    this.all = all;
  }

  add() {
    this.#count += 1;
    const ready = this.#waiting.filter(({ at }) => at <= this.#count);
    this.#waiting = this.#waiting.filter(({ at }) => at > this.#count);
    for (const { resolve } of ready) resolve();
  }

  /** Waits until this many more clients have finished, or all of them. */
  more(count) {
    const at = Math.min(this.#count + count, this.all);
    return at <= this.#count ? undefined : new Promise((resolve) => this.#waiting.push({ at, resolve }));
  }
}

class Client {
  constructor(port, kind, random, shared) {
    Object.assign(this, { port, kind, random }, shared);
  }

  /** A random position in the answer, as a number of bytes. */
  somewhere() {
    return 1 + below(this.random, this.kind.expected.length);
  }

  /** Sends the request, and waits for the answer to begin, so that all streams have begun before SIGTERM is sent. */
  async begin({ version = 'HTTP/1.1', reads = true } = {}) {
    const { target, headers, body } = this.kind;
    this.connection = await connect(this.port);
    const inChunks = version === 'HTTP/1.1' && this.random() < 0.2;
    const request = inChunks
      ? { target, headers: { ...headers, 'Transfer-Encoding': 'chunked' }, body: chunked(body, 1 + below(this.random, body.length)) }
      : { target, headers, body, version };
    this.connection.send(request);
    await this.connection.head();
    if (!reads) this.connection.stopReading();
    this.begun.arrive();
  }

  check(answer) {
    assert.equal(answer.status, 200, `${answer}`);
    assert.ok(answer.body.equals(this.kind.expected), `${this.kind.name}: ${answer.body.length} bytes are not the ${this.kind.expected.length} of a quiet server`);
    this.counts.whole += 1;
  }

  /** Checks that the answer is either complete or cut off, and right as far as it goes. */
  async checkPart() {
    const answer = await this.connection.answer().catch(() => null);
    if (answer !== null) {
      this.check(answer);
      return;
    }
    const part = this.connection.soFar;
    assert.notEqual(this.connection.fault, null);
    assert.ok(part.equals(this.kind.expected.subarray(0, part.length)), `${this.kind.name}: not a part of the answer`);
    this.counts.cutOff += 1;
  }

  async patient() {
    await this.begin();
    this.check(await this.connection.answer());
  }

  async old() {
    await this.begin({ version: 'HTTP/1.0' });
    this.check(await this.connection.answer());
  }

  /** Reads the answer piece by piece, and waits for some other clients to finish after each piece. */
  async slow() {
    await this.begin({ reads: false });
    for (let piece = 0; piece < 20; piece += 1) {
      await this.connection.readSome(1 + below(this.random, 100_000));
      await this.ends.more(below(this.random, 10));
    }
    this.connection.goOnReading();
    this.check(await this.connection.answer());
  }

  /** Reads nothing until SIGTERM. */
  async late() {
    await this.begin({ reads: false });
    await this.leaving;
    this.counts.unread += this.connection.unread === 0 ? 1 : 0;
    this.connection.goOnReading();
    this.check(await this.connection.answer());
  }

  async vanishes() {
    await this.begin({ reads: false });
    if (this.random() < 0.5) await this.connection.readSome(this.somewhere());
    if (this.random() < 0.5) this.connection.reset();
    this.counts.vanished += 1;
  }

  async vanishesBeforeTheAnswer() {
    const { target, headers, body } = this.kind;
    this.connection = await connect(this.port);
    const bytes = formatRequest({ target, headers, body });
    await this.connection.write(bytes.subarray(0, below(this.random, 2 * bytes.length))); // half of them send everything
    this.connection.reset();
    this.counts.vanished += 1;
    this.begun.arrive();
  }

  async halfCloses() {
    await this.begin({ reads: false });
    await this.connection.readSome(this.somewhere());
    this.connection.halfClose();
    this.connection.goOnReading();
    await this.checkPart();
  }
}

const BEHAVIOURS = ['patient', 'patient', 'patient', 'patient', 'old', 'slow', 'slow', 'late', 'vanishes', 'vanishesBeforeTheAnswer', 'halfCloses'];

test('with hundreds of streams at once and a SIGTERM in the middle, complete answers are the same as from an idle server', async (t) => {
  const random = randomFrom(SEED);
  const kinds = allKinds(random);
  const counts = { whole: 0, cutOff: 0, vanished: 0, unread: 0 };
  const limits = ['--max-search-states', 500, '--max-stream-bytes', 50_000];
  const deadlines = ['--drain-timeout', 3600, '--send-timeout', 3600, '--max-wait', 3600]; // none of these expires during the test
  await withArbiter(['--workers', 2, ...limits, ...deadlines], async (arbiter) => {
    for (const kind of kinds) kind.expected = (await arbiter.ask(kind)).body;
    const begun = gate(STREAMS);
    let leave;
    const leaving = new Promise((resolve) => (leave = resolve));
    const behaviourOf = (index) => BEHAVIOURS[Math.floor(index / kinds.length) % BEHAVIOURS.length];
    const waits = (behaviour) => ['slow', 'late'].includes(behaviour);
    const ends = new Ends(times(STREAMS, behaviourOf).filter((behaviour) => !waits(behaviour)).length);
    const shared = { begun, leaving, counts, ends };
    const clients = times(STREAMS, (index) => {
      const client = new Client(arbiter.port, kinds[index % kinds.length], randomFrom(SEED + 1 + index), shared);
      const behaviour = behaviourOf(index);
      return client[behaviour]().then(
        () => {
          client.connection.close();
          if (!waits(behaviour)) ends.add();
        },
        (error) => {
          begun.arrive();
          error.message = `a client that is ${behaviour}, of ${client.kind.name}: ${error.message}`;
          throw error;
        },
      );
    });
    const all = Promise.all(clients);
    await Promise.race([begun.opened, all]);
    arbiter.signal('SIGTERM');
    leave();
    await all;
    await arbiter.leaves();
    t.diagnostic(`seed ${SEED}: ${JSON.stringify(counts)}`);
    assert.ok(counts.unread > 0, 'some clients were in the middle of an answer');
    assert.deepEqual(arbiter.noise, [], 'every line of the log is JSON');
    const logged = arbiter.log.filter(({ event }) => event === 'request').slice(kinds.length);
    // A connection may be lost before its request has arrived.
    for (const end of logged) assert.ok([undefined, 'client-gone', 'connection-lost'].includes(end.reason), JSON.stringify(end));
    const answered = logged.filter(({ reason }) => reason === undefined);
    assert.ok(answered.length >= counts.whole, `${answered.length} whole in the log, ${counts.whole} here`);
    assert.equal(arbiter.log.at(-1).cut_off, 0);
  });
});

test('hundreds of short streams that are solved at about the same time are all answered', () => withArbiter([], async (arbiter) => {
  // There are so many streams that suspended connections are resumed together.
  const request = { target: '/mine', headers: NDJSON, body: linesOf(times(20, () => ({ board: times(40, () => '.'.repeat(40)) }))) };
  const expected = (await arbiter.ask(request)).text();
  const bytes = formatRequest(request);
  const connections = await Promise.all(times(600, () => connect(arbiter.port)));
  await Promise.all(connections.map((connection) => {
    connection.expect('POST');
    return connection.write(bytes.subarray(0, -1));
  }));
  for (const connection of connections) connection.write(bytes.subarray(-1));
  for (const connection of connections) assert.equal((await connection.answer()).text(), expected);
  for (const connection of connections) connection.close();
}));
