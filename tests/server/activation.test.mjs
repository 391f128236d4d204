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
import { metricsAt, untilMetrics } from './samples.mjs';

const ROUNDS = Number(process.env.ARBITER_ROUNDS ?? 3);
const MANAGER = process.env.ARBITER_MANAGER;
const INTERVAL = 2; // milliseconds between two requests of the load: 500 a second
const MAX_WAITING = 64;
const [EMPTY_FIELD] = KNOWN;

/** Runs the program under the manager, with its clock stopped. The manager starts several programs, so their leaks are not compared. */
function withManager(options, body) {
  return withArbiter(['--ops-port', 0, ...options], body, {
    under: [MANAGER], stdin: 'pipe', stopClock: true, port: null, leaks: false,
  });
}

/** The lines of the manager: the states of the program, and its exit statuses. */
const managerLines = (arbiter) => arbiter.stdout.split('\n').slice(0, -1);

const untilListening = (arbiter, count) =>
  until(`program ${count} listens`, () => arbiter.listeningLines().length === count);

/** Waits until the program accepts no more: it has logged that it drains, and closes connections after their answers. */
const untilDraining = (arbiter, connection) => until('the program drains', async () => {
  connection.send(EMPTY_FIELD.request);
  return (await connection.answer()).list('connection').includes('close');
});

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

test('after SIGTERM new clients wait for the next program, and requests on open connections are answered', () => withManager(
  ONE_LONG_WORKER,
  async (arbiter) => {
    const probing = await connect(arbiter.port);
    const open = [await connect(arbiter.port), await connect(arbiter.port)];
    for (const connection of open) await checkAnswer(connection, { closes: false });
    const busy = await beginEndless(arbiter);
    arbiter.signal('SIGTERM');
    await untilDraining(arbiter, probing);
    const waiting = await connect(arbiter.port); // in the backlog
    waiting.send(EMPTY_FIELD.request);
    for (const connection of open) await checkAnswer(connection, { closes: true });
    assert.equal(waiting.received, 0);
    assert.equal(busy.received, 0);
    arbiter.child.stdin.write('\n'); // the manager starts the next program when this one has ended
    busy.reset();
    await arbiter.clock.advance(1000);
    await untilListening(arbiter, 2);
    assert.equal(arbiter.listeningLines()[1].port, arbiter.port);
    assert.deepEqual((await waiting.answer()).json(), EMPTY_FIELD.json);
    const { cut_off: cutOff } = arbiter.log.find(({ event }) => event === 'stopped');
    assert.equal(cutOff, 0);
  },
));

test('an open connection gets a second for one more request, which is answered', () => withManager(
  [],
  async (arbiter) => {
    const [idle, asking, probing] = [await connect(arbiter.port), await connect(arbiter.port), await connect(arbiter.port)];
    await untilMetrics(arbiter, 'they are connected', (at) => at('arbiter_connections') === 3);
    arbiter.signal('SIGTERM');
    await untilDraining(arbiter, probing);
    await arbiter.clock.advance(999);
    await checkAnswer(asking, { closes: true });
    assert.equal(idle.ended, null);
    await arbiter.clock.advance(1);
    await idle.closed();
    await arbiter.leaves();
  },
));

test('without an open connection the program ends at once', () => withManager(
  [],
  async (arbiter) => {
    arbiter.signal('SIGTERM');
    await arbiter.leaves();
  },
));

test('at the end of the drain timeout, requests in flight are cut off', () => withManager(
  [...ONE_LONG_WORKER, '--drain-timeout', 1],
  async (arbiter) => {
    const probing = await connect(arbiter.port);
    const busy = await beginEndless(arbiter);
    arbiter.signal('SIGTERM');
    await untilDraining(arbiter, probing);
    await arbiter.clock.advance(1000);
    await busy.closed();
    await arbiter.leaves({ status: 1 });
  },
));

test('the program refuses to start with descriptors that are not listening sockets, and ignores those meant for other processes', async () => {
  const under = ['sh', '-c', 'LISTEN_PID=${PROCESS:-$$} exec "$@"', 'sh'];
  for (const [env, message] of [
    [{ LISTEN_FDS: '1' }, /is not a listening TCP socket/],
    [{ LISTEN_FDS: '2' }, /LISTEN_FDS is more than 1/],
    [{ LISTEN_FDS: '1x' }, /LISTEN_FDS is not a number/],
    [{ LISTEN_FDS: '' }, /LISTEN_FDS is not a number/],
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
 * connections. A kept connection that the program has closed meanwhile is replaced, as clients do (RFC 9112, 9.3.1). At most MAX_WAITING requests wait for their answers, so on a slow machine the load is lower.
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

  /** Asks on a connection that was kept. Without an answer null, if it was closed before it sent a byte. */
  async #askAgain(connection, request) {
    try {
      connection.send(request);
      return await connection.answer();
    } catch (error) {
      if (connection.unread > 0) throw error;
      return null;
    }
  }

  async #ask(port, index) {
    const began = performance.now();
    try {
      const request = BODIES[index % BODIES.length];
      let connection = index % 2 === 0 ? this.#kept.shift() : undefined;
      let answer = connection ? await this.#askAgain(connection, request) : null;
      if (answer === null) {
        connection = await connect(port);
        connection.send(request);
        answer = await connection.answer();
      }
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
      await until('the program drains', () => arbiter.log.filter(({ event }) => event === 'draining').length === round);
      // The second, in which every connection that was open has its last answer.
      const opsPort = arbiter.listeningLines().at(-1).ops_port;
      await until('open connections have ended', async () => (await metricsAt(opsPort)).get('arbiter_connections') === 0);
      await arbiter.clock.advance(1000);
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
