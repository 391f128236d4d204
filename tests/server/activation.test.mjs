// Socket activation: the program gets its listening socket and the socket for notifications from a service manager
// (activation/manager.c), which starts one program after another.
//
// ARBITER_ROUNDS   how often a program is restarted under load (default 3)
// ARBITER_MANAGER  the manager

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { run, withArbiter } from './arbiter.mjs';
import { JSON_TYPE, KNOWN, goMoves, mineBoard, pawnBoard, randomFrom } from './bodies.mjs';
import { connect, until } from './client.mjs';
import { ONE_LONG_WORKER, beginEndless } from './long_worker.mjs';
import { untilMetrics } from './samples.mjs';

const ROUNDS = Number(process.env.ARBITER_ROUNDS ?? 3);
const MANAGER = process.env.ARBITER_MANAGER;
const INTERVAL = 2; // milliseconds between two requests of the load: 500 a second
const MAX_WAITING = 64;
const [EMPTY_FIELD] = KNOWN;

/**
 * Runs the program under the manager, with its clock stopped. A hand-over waits for idle connections, so there are none to check
 * for leaks; leaving.test.mjs hands over with one.
 */
function withManager(options, body) {
  return withArbiter(['--ops-port', 0, ...options], body, {
    under: [MANAGER], stdin: 'pipe', stopClock: true, port: null, leaks: false,
  });
}

/** The lines of the manager: the states of the program, and its exit statuses. */
const managerLines = (arbiter) => arbiter.stdout.split('\n').slice(0, -1);

const untilListening = (arbiter, count) =>
  until(`program ${count} listens`, () => arbiter.listeningLines().length === count);

/** Waits until answers have Connection: close. The drain timeout begins then. */
const untilHandingOver = (arbiter) => until('the program hands over', async () =>
  (await arbiter.ask({ target: '/livez' })).list('connection').includes('close'));

/** Sends a request, and checks the answer and its Connection header. */
async function checkAnswer(connection, { closes }) {
  connection.send(EMPTY_FIELD.request);
  const answer = await connection.answer();
  assert.equal(answer.status, 200, `${answer}`);
  assert.deepEqual(answer.json(), EMPTY_FIELD.json);
  assert.equal(answer.list('connection').includes('close'), closes, `${answer}`);
  if (closes) await connection.closed();
}

test('the program serves on the socket that it inherits, and notifies the manager when it is ready and when it stops', () => withManager(
  [],
  async (arbiter) => {
    const [line] = arbiter.listeningLines();
    assert.equal(line.inherited, true);
    await until('it is ready', () => managerLines(arbiter).includes('READY=1'));
    await checkAnswer(await connect(arbiter.port), { closes: false });
    await arbiter.stop();
    assert.deepEqual(managerLines(arbiter), ['READY=1', 'STOPPING=1', 'left 0']);
  },
));

test('while the program hands over its socket, older connections are answered and closed, and new ones accepted', () => withManager(
  [],
  async (arbiter) => {
    const open = [await connect(arbiter.port), await connect(arbiter.port)];
    for (const connection of open) await checkAnswer(connection, { closes: false });
    const unused = await connect(arbiter.port);
    await untilMetrics(arbiter, 'all are connected', (at) => at('arbiter_connections') === 3);
    arbiter.child.stdin.write('\n'); // the manager starts the next program
    arbiter.signal('SIGTERM');
    await untilHandingOver(arbiter);
    await checkAnswer(open[0], { closes: true });
    await checkAnswer(await connect(arbiter.port), { closes: true });
    await checkAnswer(unused, { closes: true });
    await checkAnswer(open[1], { closes: true }); // the last connection: the program accepts no more, and ends
    await untilListening(arbiter, 2);
    assert.equal(arbiter.listeningLines()[1].port, arbiter.port);
    await checkAnswer(await connect(arbiter.port), { closes: false });
    const { cut_off: cutOff } = arbiter.log.find(({ event }) => event === 'stopped');
    assert.equal(cutOff, 0);
  },
));

test('a connection without a request is closed after half of the drain timeout, with no request lost', () => withManager(
  ['--drain-timeout', 10],
  async (arbiter) => {
    const idle = await connect(arbiter.port);
    await untilMetrics(arbiter, 'it is connected', (at) => at('arbiter_connections') === 1);
    arbiter.signal('SIGTERM');
    await untilHandingOver(arbiter);
    await arbiter.clock.advance(4999);
    const late = await connect(arbiter.port);
    await untilMetrics(arbiter, 'it accepts', (at) => at('arbiter_connections') === 2);
    await arbiter.clock.advance(1);
    const waiting = await connect(arbiter.port); // in the backlog, for the next program
    waiting.send(EMPTY_FIELD.request);
    await arbiter.clock.advance(999);
    assert.equal(waiting.received, 0);
    assert.equal(idle.ended, null);
    arbiter.child.stdin.write('\n');
    await checkAnswer(late, { closes: true }); // the last connection that was accepted: the program ends
    await idle.closed();
    await untilListening(arbiter, 2);
    const answer = await waiting.answer();
    assert.deepEqual(answer.json(), EMPTY_FIELD.json);
  },
));

test('a connection that is accepted last has a second for its request', () => withManager(
  [],
  async (arbiter) => {
    const first = await connect(arbiter.port);
    await checkAnswer(first, { closes: false });
    arbiter.signal('SIGTERM');
    await untilHandingOver(arbiter);
    const last = await connect(arbiter.port);
    await untilMetrics(arbiter, 'it is accepted', (at) => at('arbiter_connections') === 2);
    await checkAnswer(first, { closes: true });
    await arbiter.clock.advance(999);
    await checkAnswer(last, { closes: true });
    await arbiter.leaves();
  },
));

test('the program ends at half of the drain timeout if only connections without a request are left', () => withManager(
  [],
  async (arbiter) => {
    const idle = await connect(arbiter.port);
    await untilMetrics(arbiter, 'it is connected', (at) => at('arbiter_connections') === 1);
    arbiter.signal('SIGTERM');
    await untilHandingOver(arbiter);
    await untilMetrics(arbiter, 'only this client is connected', (at) => at('arbiter_connections') === 1);
    await arbiter.clock.advance(4999);
    assert.equal(arbiter.left, null);
    await arbiter.clock.advance(1);
    await idle.closed();
    await arbiter.leaves();
  },
));

test('long work is finished, and new clients are served meanwhile', () => withManager(
  ONE_LONG_WORKER,
  async (arbiter) => {
    const busy = await beginEndless(arbiter);
    arbiter.signal('SIGTERM');
    await untilHandingOver(arbiter);
    for (let client = 0; client < 3; client += 1) await checkAnswer(await connect(arbiter.port), { closes: true });
    assert.equal(busy.received, 0);
    busy.reset();
    await arbiter.leaves();
  },
));

test('at the end of the drain timeout, requests in flight are cut off', () => withManager(
  [...ONE_LONG_WORKER, '--drain-timeout', 1],
  async (arbiter) => {
    const busy = await beginEndless(arbiter);
    arbiter.signal('SIGTERM');
    await untilHandingOver(arbiter);
    await arbiter.clock.advance(1000);
    await busy.closed();
    await arbiter.leaves({ status: 1 });
  },
));

test('the program refuses to start with descriptors that are no listening sockets, and ignores those of other processes', async () => {
  const under = ['sh', '-c', 'LISTEN_PID=${PROCESS:-$$} exec "$@"', 'sh'];
  for (const [env, message] of [
    [{ LISTEN_FDS: '1' }, /is no TCP socket that listens/],
    [{ LISTEN_FDS: '2' }, /LISTEN_FDS is more than 1/],
    [{ LISTEN_FDS: '1x' }, /LISTEN_FDS is no number/],
    [{ LISTEN_FDS: '' }, /LISTEN_FDS is no number/],
  ]) {
    const { code, stderr } = await run(['--port', 0], { under, env });
    assert.equal(code, 1, stderr);
    assert.match(stderr, message);
  }
  await withArbiter([], async (arbiter) => {
    assert.equal(arbiter.listeningLines()[0].inherited, undefined);
  }, { under, env: { LISTEN_FDS: '2', PROCESS: '1' } });
});

test('a service manager that cannot be reached is ignored', async () => {
  for (const NOTIFY_SOCKET of ['', '/nowhere', 'nowhere', `/${'x'.repeat(200)}`, `@${'x'.repeat(107)}`]) {
    await withArbiter([], async (arbiter) => {
      assert.equal((await arbiter.ask({ target: '/livez' })).status, 200);
    }, { env: { NOTIFY_SOCKET } });
  }
});

// --- under load -------------------------------------------------------------

const random = randomFrom(9);
const BODIES = [
  ['/pawn', { board: pawnBoard(random, 5, 5) }],
  ['/go', { moves: goMoves(random, 200) }],
  ['/mine', { board: mineBoard(random, 30, 30, 0.2) }],
].map(([target, body]) => ({ target, headers: JSON_TYPE, body: JSON.stringify(body) }));

/**
 * Sends every second request on a connection that is kept open until an answer has Connection: close, and the others on new
 * connections. At most MAX_WAITING requests wait for their answers, so on a slow machine the load is lower.
 */
class Load {
  answered = 0;
  faults = [];
  longest = 0;
  #kept = [];
  #waiting = new Set();
  #timer;

  constructor(port) {
    const began = performance.now();
    let index = 0;
    this.#timer = setInterval(() => {
      for (; index * INTERVAL < performance.now() - began; index += 1) {
        if (this.#waiting.size >= MAX_WAITING) continue;
        const asked = this.#ask(port, index).finally(() => this.#waiting.delete(asked));
        this.#waiting.add(asked);
      }
    }, INTERVAL);
  }

  async #ask(port, index) {
    const began = performance.now();
    try {
      const connection = (index % 2 === 0 && this.#kept.shift()) || await connect(port);
      connection.send(BODIES[index % BODIES.length]);
      const answer = await connection.answer();
      if (answer.status !== 200) this.faults.push(`${answer}`);
      if (answer.list('connection').includes('close')) connection.close();
      else if (index % 2 === 0) this.#kept.push(connection);
      else connection.close();
      this.answered += 1;
    } catch (error) {
      this.faults.push(error.message);
    }
    this.longest = Math.max(this.longest, performance.now() - began);
  }

  async end() {
    clearInterval(this.#timer);
    await Promise.all(this.#waiting);
    for (const connection of this.#kept) connection.close();
  }
}

test('restarts under 500 requests a second refuse no connection and lose no request', (t) => withManager(
  [],
  async (arbiter) => {
    const load = new Load(arbiter.port);
    const waits = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const before = load.answered;
      await until('the load runs', () => load.answered >= before + 200);
      load.longest = 0;
      arbiter.child.stdin.write('\n');
      arbiter.signal('SIGTERM');
      await untilListening(arbiter, round + 1);
      const restarted = load.answered;
      await until('the next program answers', () => load.answered >= restarted + 50);
      waits.push(load.longest);
    }
    await load.end();
    assert.deepEqual(load.faults, []);
    assert.deepEqual(managerLines(arbiter).filter((line) => line.startsWith('left')), Array(ROUNDS).fill('left 0'));
    t.diagnostic(`${ROUNDS} restarts, ${load.answered} answered, none lost; the longest wait at each, ms: ` +
      waits.map((wait) => wait.toFixed(0)).join(' '));
  },
));
