// Many clients at once, each doing at random anything that a client can do: they send and read slowly, stall, disconnect, reset,
// half-close, pipeline, break the framing, linger after a refusal, and request everything that the program serves. Each complete
// answer must be the same as from an idle program. In two out of three rounds, the program gets SIGTERM at a random moment and must
// exit; in the others it must release everything (leaks.mjs). The clock runs, as in production.
//
// The deadlines are so long that a round can't pass only because an expired deadline has cleaned up.
//
// ARBITER_CHAOS  the number of rounds (default 6)
// ARBITER_SEED   the seed for the first round; each test prints its own. The same seed repeats the same random choices

import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { withArbiter } from './arbiter.mjs';
import { JSON_TYPE, below, goMoves, hardBoard, linkTo, mineBoard, pawnBoard, pick, randomFrom } from './bodies.mjs';
import { ConnectionEnded, connect, formatRequest, until } from './client.mjs';
import { beginLingering } from './lingering.mjs';
import { untilTaken } from './sockets.mjs';
import { Client, allKinds, learn } from './traffic.mjs';

const ROUNDS = Number(process.env.ARBITER_CHAOS ?? 6);
const SEED = Number(process.env.ARBITER_SEED ?? 20261126);
const CLIENTS = 40;
const REQUESTS = 300; // per round
const OTHERS = 20; // a waiting client waits for this many requests from other clients
const NEVER = 3600; // seconds
const OPTIONS = [
  '--ops-port', 0, '--workers', 2, '--max-search-states', 500, '--head-timeout', NEVER, '--body-timeout', NEVER, '--send-timeout', NEVER,
  '--max-wait', NEVER,
];

const NDJSON = { 'Content-Type': 'application/x-ndjson' };
const SVG = { ...JSON_TYPE, Accept: 'image/svg+xml' };
const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const linesOf = (cases) => cases.map((one) => `${JSON.stringify(one)}\n`).join('');

/** Additional requests: streams, links and pictures. */
function moreKinds(random) {
  const field = (id) => ({ id, board: mineBoard(random, 9, 9, 0.2), include: ['wins', 'board'] });
  const pawn = (id) => ({ id, board: pawnBoard(random, 10, 10), include: ['moves', 'line'] });
  const game = (id) => ({ id, moves: goMoves(random, 60), include: ['boards', 'captured'] });
  const hard = { board: hardBoard(random) };
  const small = { board: mineBoard(random, 5, 5, 0.2) };
  const stream = (target, cases) => ({ target, headers: NDJSON, body: linesOf(cases) });
  return [
    ['a stream: a few fields', stream('/mine', times(8, field))],
    ['a stream: many fields', stream('/mine', times(400, field))],
    ['a stream: boards', stream('/pawn', times(30, pawn))],
    ['a stream: hard ones', stream('/mine', [field(1), hard, field(2), hard, field(3)])],
    ['a stream: a hard one and many after it', stream('/mine', [field(0), hard, ...times(300, field)])],
    ['a stream: wordy', stream('/go', times(100, game))], // 2.5 MB
    ['a stream: one bad case', stream('/mine', [field(1), { board: ['x'] }, field(2)])],
    ['a batch as lines', { target: '/mine', headers: { ...JSON_TYPE, Accept: 'application/jsonl' }, body: JSON.stringify({ cases: times(100, field) }) }],
    ['a link', { target: linkTo('/mine', small) }, true],
    ['a link to text', { target: linkTo('/pawn', { board: ['OO', 'X.'] }, '&format=text') }, true],
    ['a link to a picture', { target: linkTo('/mine', small, '&format=svg') }, true],
    ['a picture', { target: '/pawn', headers: SVG, body: JSON.stringify(pawn(1)) }],
    ['a large picture', { target: '/mine', headers: SVG, body: JSON.stringify({ board: mineBoard(random, 100, 100, 0.2) }) }],
  ].map(([name, request, isSmall = false]) => ({ name, request, small: isSmall }));
}

const WAYS = ['close', 'reset', 'halfClose'];

class ChaoticClient extends Client {
  /** `round` is shared by all clients: it has the program, and knows whether it is shutting down. */
  constructor(round, kinds, random, counts) {
    super(round.arbiter.port, kinds, random, round.left, counts);
    this.round = round;
    this.answered = kinds.filter(({ expected, request }) => expected.status === 200 && (request.body ?? '') !== '');
  }

  get behaviours() {
    return [
      ...super.behaviours.map(([weight, behaviour]) => [behaviour === super.patient ? 15 : weight, behaviour]),
      [6, this.old], [6, this.expectsContinue], [6, this.stalls], [6, this.readsSlowly], [10, this.leavesTheAnswer], [4, this.lingers],
    ];
  }

  get isLeaving() {
    return this.round.leaving;
  }

  async run() {
    try {
      await super.run();
    } catch (error) {
      // During shutdown, connections may end at any time. A wrong answer is still an error.
      if (!this.isLeaving || error instanceof assert.AssertionError) throw error;
    }
  }

  take(kinds) {
    const kind = super.take(kinds);
    this.round.taken();
    return kind;
  }

  check(kind, answer) {
    if (this.isLeaving && answer.status === 503) return;
    super.check(kind, answer);
  }

  checkRefusal(answer) {
    if (!this.isLeaving || answer.status !== 503) super.checkRefusal(answer);
  }

  async letItAnswer(count) {
    await super.letItAnswer(count).catch((error) => {
      if (!this.isLeaving) throw error;
    });
  }

  /**
   * Waits until the program has read everything sent so far. If a client hangs up right after sending a request or part of one,
   * libmicrohttpd may not notice, and only a deadline would end the connection.
   */
  async beforeHangUp(connection) {
    await untilTaken(connection);
  }

  /** Waits until other clients have sent some requests, unless most clients are waiting. */
  async letOthersAsk() {
    const { round } = this;
    const at = round.left.count - OTHERS;
    round.waiting += 1;
    await until('others have sent requests', () => round.left.count <= Math.max(at, 0) || round.leaving || round.waiting > CLIENTS / 2);
    round.waiting -= 1;
  }

  /** Reads the answer, and checks it unless it is cut off. */
  async checkIfComplete(kind, connection) {
    const answer = await connection.answer().catch((error) => {
      if (!(error instanceof ConnectionEnded) || !/^cut off/.test(connection.fault ?? 'cut off')) throw error;
      return null;
    });
    if (answer !== null) this.check(kind, answer);
  }

  async halfCloses() {
    const kind = this.choose();
    await this.withFresh(async (connection) => {
      await connection.send(kind.request);
      await this.beforeHangUp(connection);
      connection.halfClose();
      // If a client half-closes, work that takes long may be cancelled.
      if (kind.small) this.check(kind, await connection.answer());
      else await this.checkIfComplete(kind, connection);
    });
  }

  async old() {
    const kind = this.choose();
    await this.withFresh(async (connection) => {
      connection.send({ ...kind.request, version: 'HTTP/1.0' });
      this.check(kind, await connection.answer());
      await connection.closed();
    });
  }

  async expectsContinue() {
    const kind = this.take(this.answered);
    const { headers } = kind.request;
    const bytes = formatRequest({ ...kind.request, headers: { ...headers, Expect: '100-continue' } });
    const begin = bytes.indexOf('\r\n\r\n') + 4;
    await this.withFresh(async (connection) => {
      connection.expect('POST');
      await connection.write(bytes.subarray(0, begin));
      await connection.continued();
      await connection.write(bytes.subarray(begin));
      this.check(kind, await connection.answer());
    });
  }

  async stalls() {
    const kind = this.choose();
    const bytes = formatRequest(kind.request);
    const at = below(this.random, bytes.length);
    await this.withFresh(async (connection) => {
      connection.expect(kind.request.method ?? (kind.request.body === undefined ? 'GET' : 'POST'));
      await connection.write(bytes.subarray(0, at));
      await this.letOthersAsk();
      if (this.random() < 0.5) {
        await connection.write(bytes.subarray(at));
        this.check(kind, await connection.answer());
        return;
      }
      await this.beforeHangUp(connection);
      connection[pick(this.random, WAYS)]();
    });
  }

  async readsSlowly() {
    const kind = this.chooseLarge();
    await this.withFresh(async (connection) => {
      connection.stopReading();
      connection.send(kind.request);
      for (let part = 0; part < 4; part += 1) {
        await connection.readSome(1 + below(this.random, 50_000));
        await this.letItAnswer(1);
      }
      connection.goOnReading();
      this.check(kind, await connection.answer());
    });
  }

  /** Reads part of an answer, then either disconnects, or half-closes and reads the rest sooner or later. */
  async leavesTheAnswer() {
    const kind = this.chooseLarge();
    const way = pick(this.random, WAYS);
    await this.withFresh(async (connection) => {
      connection.stopReading();
      await connection.send(kind.request);
      await connection.readSome(1 + below(this.random, kind.expected.body.length));
      connection[way]();
      if (way !== 'halfClose') return;
      if (this.random() < 0.5) await this.letOthersAsk();
      connection.goOnReading();
      await this.checkIfComplete(kind, connection);
    });
  }

  async lingers() {
    this.left.count -= 1;
    const socket = await beginLingering(this.round.arbiter).catch((error) => {
      if (!this.isLeaving) throw error;
    });
    await this.letOthersAsk();
    socket?.destroy();
  }
}

/** The clients of a round. It ends when all requests have been sent, or with SIGTERM when only `signalAt` requests are left. */
class Round {
  left = { count: REQUESTS };
  leaving = false;
  waiting = 0;

  constructor(arbiter, signalAt) {
    Object.assign(this, { arbiter, signalAt });
  }

  /** Called for each request that a client is about to send. */
  taken() {
    if (this.leaving || this.left.count > this.signalAt) return;
    this.leaving = true;
    this.left.count = 0;
    this.arbiter.signal('SIGTERM');
  }

  async run(kinds, seed, t) {
    const counts = {};
    const clients = times(CLIENTS, (index) => new ChaoticClient(this, kinds, randomFrom(seed + index), counts));
    await Promise.all(clients.map((client) => client.run()));
    t.diagnostic(JSON.stringify(counts));
    assert.deepEqual(this.arbiter.noise, [], 'every line of the log is JSON');
  }
}

/** Opens two connections that stay open until the program hangs up: one doesn't read its answer, the other doesn't send its body. */
async function beginStaying(arbiter, kinds) {
  const [unread, body] = await Promise.all([connect(arbiter.port), connect(arbiter.port)]);
  unread.stopReading();
  await unread.send(kinds.find(({ name }) => name === 'a stream: wordy').request);
  body.write(formatRequest({ method: 'POST', target: '/mine', headers: { ...JSON_TYPE, 'Content-Length': 1000 } }));
  await untilTaken(body);
}

const kinds = [...allKinds(randomFrom(SEED)), ...moreKinds(randomFrom(SEED + 1))];
before(() => withArbiter(OPTIONS, (arbiter) => learn(arbiter, kinds)));

const ENDS = [
  ['everything is given back', {}],
  ['SIGTERM ends the program when its clients have left', { signal: true }],
  ['SIGTERM ends the program after the drain timeout while clients stay', { signal: true, stays: true }],
];

for (let number = 0; number < ROUNDS; number += 1) {
  const seed = SEED + 1000 * number;
  const loops = number % 2 === 0 ? 1 : 3;
  const [name, { signal = false, stays = false }] = ENDS[Math.floor(number / 2) % ENDS.length];
  test(`after round ${number} (${loops} event loop${loops === 1 ? '' : 's'}, seed ${seed}), ${name}`, async (t) => {
    const options = [...OPTIONS, '--io-threads', loops, '--drain-timeout', stays ? 1 : NEVER];
    await withArbiter(options, async (arbiter) => {
      const signalAt = signal ? below(randomFrom(seed), REQUESTS) : -Infinity;
      const round = new Round(arbiter, signalAt);
      if (stays) await beginStaying(arbiter, kinds);
      await round.run(kinds, seed, t);
      if (!signal) return;
      await arbiter.leaves({ status: stays ? 1 : 0 });
      const { cut_off: cutOff } = arbiter.log.find(({ event }) => event === 'stopped');
      if (stays) assert.ok(cutOff >= 2, `${cutOff} requests are cut off`);
      else assert.equal(cutOff, 0);
    });
  });
}
