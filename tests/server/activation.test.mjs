// Socket activation: a service manager (activation/manager.c) passes its listening socket to one program after another, and receives
// their notifications.
//
// ARBITER_ROUNDS   the number of restarts under load (default 3)
// ARBITER_MANAGER  the path of the manager

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { run, withArbiter } from './arbiter.mjs';
import { JSON_TYPE, KNOWN, goMoves, mineBoard, pawnBoard, randomFrom } from './bodies.mjs';
import { connect, until } from './client.mjs';
import { ONE_LONG_WORKER, beginEndless } from './long_worker.mjs';
import { metricsAt, untilMetrics } from './samples.mjs';

const ROUNDS = Number(process.env.ARBITER_ROUNDS ?? 3);
const MANAGER = process.env.ARBITER_MANAGER;
const INTERVAL = 2; // milliseconds between requests in the load test: 500 requests a second
const MAX_WAITING = 64;
const [EMPTY_FIELD] = KNOWN;

/** Runs the program under the manager, with its clock stopped. There is no leak check, because the manager starts several programs. */
function withManager(options, body) {
  return withArbiter(['--ops-port', 0, ...options], body, {
    under: [MANAGER], stdin: 'pipe', stopClock: true, port: null, leaks: false,
  });
}

/** The lines that the manager has printed: the states and exit statuses of its programs. */
const managerLines = (arbiter) => arbiter.stdout.split('\n').slice(0, -1);

const untilListening = (arbiter, count) =>
  until(`program ${count} listens`, () => arbiter.listeningLines().length === count);

/** Waits until the program is draining. From then on, it closes each connection after its next answer. */
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

test('the program serves on the socket that it inherits, and notifies the manager when it is ready and when it is stopping', () => withManager(
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
    const waiting = await connect(arbiter.port); // waits in the backlog
    waiting.send(EMPTY_FIELD.request);
    for (const connection of open) await checkAnswer(connection, { closes: true });
    assert.equal(waiting.received, 0);
    assert.equal(busy.received, 0);
    arbiter.child.stdin.write('\n'); // tells the manager to start the next program when this one has exited
    busy.reset();
    await arbiter.clock.advance(1000);
    await untilListening(arbiter, 2);
    assert.equal(arbiter.listeningLines()[1].port, arbiter.port);
    assert.deepEqual((await waiting.answer()).json(), EMPTY_FIELD.json);
    const { cut_off: cutOff } = arbiter.log.find(({ event }) => event === 'stopped');
    assert.equal(cutOff, 0);
  },
));

test('for a second, each open connection can send one more request, which is answered', () => withManager(
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

test('if no connection is open, the program exits immediately', () => withManager(
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

test('the program does not start if a passed descriptor is not a listening socket; descriptors meant for other processes are ignored', async () => {
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

test('the program runs even if it cannot reach the service manager', async () => {
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
 * Sends every second request on a kept-alive connection, until an answer has Connection: close, and the others on new connections.
 * If the program has closed a kept connection in the meantime, the request is sent again on a new one, as clients do (RFC 9112,
 * 9.3.1). At most MAX_WAITING requests are in flight, so the load is lower on a slow machine.
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

  /** Sends a request on a kept connection. Returns null if the connection was closed before it returned any answer. */
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
      // Within the second that follows, every open connection receives its last answer.
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
