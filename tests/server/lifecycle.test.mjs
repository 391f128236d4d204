// Tests of the program's life cycle, from its command line to its exit status.
//
// In shutdown tests, the clock is stopped, so the program exits only because no request is in flight, or because the test has moved
// the clock. To keep a request in flight, a test doesn't complete the body, doesn't read the answer, or sends ENDLESS, which keeps the
// only long worker busy until the client hangs up.

import assert from 'node:assert/strict';
import net from 'node:net';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { SANITIZED, run, withArbiter, withStoppedClock } from './arbiter.mjs';
import { ENDLESS, HARD, HARD_CASE, JSON_TYPE, KNOWN, below, randomFrom } from './bodies.mjs';
import { connect, eventOf, formatRequest, until } from './client.mjs';
import { LIMITS } from './limits.mjs';
import { beginLingering } from './lingering.mjs';
import { ONE_LONG_WORKER, beginEndless, sendLong } from './long_worker.mjs';
import { untilMetrics } from './samples.mjs';

const [EMPTY_FIELD] = KNOWN;

async function isRefused(port) {
  try {
    const connection = await connect(port);
    connection.close();
    return false;
  } catch (error) {
    // A connection that is in the backlog when the socket is shut down is reset.
    if (error.code !== 'ECONNREFUSED' && error.code !== 'ECONNRESET') throw error;
    return true;
  }
}

function untilRefused(arbiter) {
  return until('new connections are refused', () => isRefused(arbiter.port));
}

/** Sends a signal, and waits until the program accepts no new connections. */
function beginDraining(arbiter, signal = 'SIGTERM') {
  arbiter.signal(signal);
  return untilRefused(arbiter);
}

/** Begins a request: the head is complete (the server has sent 100 Continue), but the body isn't. */
async function beginRequest(port, { target, headers, body } = EMPTY_FIELD.request) {
  const connection = await connect(port);
  const bytes = formatRequest({ target, headers: { ...headers, Expect: '100-continue' }, body });
  const begin = bytes.indexOf('\r\n\r\n') + 4;
  connection.expect('POST');
  await connection.write(bytes.subarray(0, begin));
  await connection.continued();
  return { connection, rest: bytes.subarray(begin) };
}

/** Requests an answer larger than the buffers of the connection, and reads only its beginning. */
async function beginUnread(arbiter) {
  const body = JSON.stringify({ moves: Array(30_000).fill(['B', 'pass']), include: ['boards'] });
  const connection = await connect(arbiter.port);
  connection.send({ target: '/go', headers: JSON_TYPE, body });
  await connection.readSome(1);
  await connection.head();
  return connection;
}

function checkUnknown(answer) {
  assert.equal(answer.status, 200, `${answer}`);
  assert.equal(answer.json().verdict, 'Unknown');
}

function checkLeaving(answer) {
  assert.equal(answer.status, 503, `${answer}`);
  assert.equal(answer.json().type, '/problems/overloaded');
  assert.equal(answer.header('retry-after'), '1');
}

/** Checks that these connections end without an answer. */
async function checkCutOff(connections) {
  for (const connection of connections) {
    await connection.closed();
    assert.equal(connection.unread, 0, 'no answer came');
  }
}

/** The number of requests that were cut off, according to the log. */
const cutOff = (arbiter) => arbiter.log.find(({ event }) => event === 'stopped').cut_off;

// --- the command line -------------------------------------------------------

const OTHER_OPTIONS = {
  listen: '127.0.0.1',
  port: '8080',
  workers: null,
  'cors-origin': null,
  'head-timeout': '10',
  'body-timeout': '30',
  'drain-delay': '0',
  'drain-timeout': '10',
  'log-level': null,
};

/** The forms in which --help may print a number: 67108864, 67,108,864 or 64 MiB. */
function spellings(value) {
  const said = [String(value), Number(value).toLocaleString('en-US')];
  for (const [unit, size] of [['KiB', 2 ** 10], ['MiB', 2 ** 20], ['GiB', 2 ** 30]]) {
    if (value % size === 0) said.push(`${value / size} ${unit}`, `${value / size}${unit}`);
  }
  return said;
}

test('--help lists every option with its default', async () => {
  const { code, stdout, stderr } = await run(['--help']);
  assert.equal(code, 0);
  assert.equal(stderr, '');
  const entry = (name) => {
    // From the line that begins with the option up to the next line that begins with an option.
    const found = new RegExp(`^ *(?:-\\w)?--${name}(?![a-z-])[^]*?(?=\\n *(?:-\\w)?--|(?![^]))`, 'm').exec(stdout);
    assert.ok(found, `--${name} is not in:\n${stdout}`);
    return found[0];
  };
  for (const [name, value] of Object.entries(OTHER_OPTIONS)) {
    const text = entry(name);
    if (value !== null) assert.ok(new RegExp(`\\b${value}\\b`).test(text), `default ${value} of --${name} in: ${text}`);
  }
  for (const [name, value] of Object.entries(LIMITS)) {
    const text = entry(name.replaceAll('_', '-'));
    assert.ok(spellings(value).some((form) => text.includes(form)), `default ${value} of ${name} in: ${text}`);
  }
  entry('version');
});

test('--version prints the same version as GET /version', async () => {
  const { code, stdout, stderr } = await run(['--version']);
  assert.equal(code, 0);
  assert.equal(stderr, '');
  await withArbiter([], async (arbiter) => {
    const { name, version, commit } = (await arbiter.ask({ target: '/version' })).json();
    assert.equal(name, 'arbiter');
    assert.equal(typeof commit, 'string');
    assert.ok(stdout.includes(version), `${version} in ${stdout}`);
  });
});

const BAD_COMMAND_LINES = [
  ['--nonsense'],
  ['--nonsense', '1'],
  ['nonsense'],
  ['--port'],
  ['--port', 'http'],
  ['--port', ''],
  ['--port', '-1'],
  ['--port', '65536'],
  ['--port', '80 80'],
  ['--workers', '0'],
  ['--workers', 'many'],
  ['--head-timeout', 'soon'],
  ['--body-timeout', '-1'],
  ['--drain-delay', '-1'],
  ['--drain-timeout', 'x'],
  ['--log-level', 'shouting'],
  ['--queue', '0'],
  ['--trusted-proxy', 'proxy.example'],
  ['--trusted-proxy', '192.0.2.0/33'],
  ...Object.keys(LIMITS).flatMap((name) => [
    [`--${name.replaceAll('_', '-')}`, '0'],
    [`--${name.replaceAll('_', '-')}`, '1.5'],
  ]),
  ...['*, https://a.example', 'https://a.example/', 'a.example', 'https://A.example', 'https://a.example:443', ',']
    .map((origins) => ['--cors-origin', origins]),
  ['--max-cases', '1x'],
  ['--max-cases', '-1'],
  ['--max-cases', '99999999999999999999'],
  ['--max-cases', '18446744073709551617'],
];

test('an invalid option makes the program exit with a message and status 2', async () => {
  // With a sanitizer, each start is slow, and a few command lines are enough to cover the same code.
  for (const args of BAD_COMMAND_LINES.filter((_, at) => !SANITIZED || at % 8 === 0)) {
    const { code, stdout, stderr } = await run(args.includes('--port') ? args : [...args, '--port', '0']);
    assert.equal(code, 2, `${args.join(' ')}: ${stderr}`);
    assert.notEqual(stderr.trim(), '', `a message for ${args.join(' ')}`);
    assert.equal(stdout, '', args.join(' '));
    const option = args[0].replace(/^--/, '').replaceAll('-', '.');
    assert.match(stderr, new RegExp(option), `the message for ${args.join(' ')} names it`);
  }
});

test('an invalid value in the environment makes the program exit with status 2', async () => {
  for (const env of [
    { ARBITER_MAX_CASES: 'many' },
    { ARBITER_MAX_BODY_BYTES: '0' },
    { ARBITER_PORT: '65536' },
    { ARBITER_WORKERS: '0' },
    { ARBITER_LOG_LEVEL: 'shouting' },
    { ARBITER_DRAIN_DELAY: '-1' },
  ]) {
    const { code, stderr } = await run([], { env: { ARBITER_PORT: '0', ...env } });
    const [name] = Object.keys(env);
    assert.equal(code, 2, `${JSON.stringify(env)}: ${stderr}`);
    assert.match(stderr, new RegExp(`${name}|${name.slice(8).toLowerCase().replaceAll('_', '.')}`), 'the message names it');
  }
});

test('an option takes precedence over its environment variable', async () => {
  const env = { ARBITER_MAX_CASES: '5', ARBITER_QUEUE: '6', ARBITER_PORT: '1' };
  await withArbiter(['--max-cases', 7], async (arbiter) => {
    const limits = await arbiter.limits();
    assert.equal(limits.max_cases, 7);
    assert.equal(limits.queue, 6);
  }, { env });
});

test('the value of an environment variable is not checked if an option overrides it', async () => {
  const env = { ARBITER_MAX_CASES: 'many', ARBITER_PORT: '-1', ARBITER_CORS_ORIGIN: 'nobody', ARBITER_LOG_LEVEL: '' };
  const args = ['--max-cases', 7, '--port', 0, '--cors-origin', '*', '--log-level=info'];
  await withArbiter(args, async (arbiter) => assert.equal((await arbiter.limits()).max_cases, 7), { env, port: null });
});

test('the message about an invalid origin quotes it and shows an example', async () => {
  const { code, stderr } = await run([], { env: { ARBITER_PORT: '0', ARBITER_CORS_ORIGIN: 'https://a.example, b.example' } });
  assert.equal(code, 2);
  assert.match(stderr, /ARBITER_CORS_ORIGIN contains "b\.example"/);
  assert.match(stderr, /https:\/\/a\.example/);
});

test('--man prints the manual page, with every option and environment variable', async () => {
  const { code, stdout, stderr } = await run(['--man']);
  assert.equal(code, 0);
  assert.equal(stderr, '');
  assert.match(stdout, /^\.TH ARBITER 1 /);
  for (const name of [...Object.keys(OTHER_OPTIONS), ...Object.keys(LIMITS)]) {
    assert.ok(stdout.includes(`.B \\-\\-${name.replaceAll(/[-_]/g, '\\-')}\n`), name);
    assert.ok(stdout.includes(`.B ARBITER_${name.toUpperCase().replaceAll('-', '_')}\n`), name);
  }
});

test('an environment variable has the same effect as its option', async () => {
  const env = { ARBITER_PORT: '0', ARBITER_LISTEN: '127.0.0.1', ARBITER_WORKERS: '1', ARBITER_MAX_MOVES: '3' };
  await withArbiter([], async (arbiter) => {
    assert.notEqual(arbiter.port, 0);
    assert.equal((await arbiter.limits()).max_moves, 3);
  }, { env, port: null });
});

// --- listening --------------------------------------------------------------

test('a single JSON line reports the address and port, and standard output stays empty', async () => {
  await withArbiter([], async (arbiter) => {
    assert.ok(Number.isInteger(arbiter.port) && arbiter.port > 0, `port ${arbiter.port}`);
    assert.equal(arbiter.address, '127.0.0.1');
    assert.equal((await arbiter.ask({ target: '/livez' })).status, 200);
    await arbiter.stop();
    assert.equal(arbiter.listeningLines().length, 1);
    assert.deepEqual(arbiter.noise, [], 'every line of the log is JSON');
    assert.equal(arbiter.stdout, '');
  });
});

test('two programs on port 0 get different ports', async () => {
  await withArbiter([], (first) => withArbiter([], async (second) => assert.notEqual(first.port, second.port)));
});

test('--listen sets the address', async () => {
  await withArbiter(['--listen', '127.0.0.2'], async (arbiter) => {
    assert.equal(arbiter.address, '127.0.0.2');
    assert.equal((await arbiter.ask({ target: '/livez' }, { address: '127.0.0.2' })).status, 200);
    assert.ok(await isRefused(arbiter.port), 'on 127.0.0.1');
  });
});

test('with an invalid address, or that of another machine, the program exits with a message and status 1 or 2', async () => {
  // A name that can't be resolved may be an invalid option or a DNS failure.
  for (const address of ['127.0.0.256', '192.0.2.1', 'a b', '']) {
    const { code, stderr } = await run(['--listen', address, '--port', 0]);
    assert.ok(code === 1 || code === 2, `${address}: status ${code}`);
    assert.notEqual(stderr.trim(), '', `a message for ${address}`);
  }
});

test('if the port is in use, the program exits with status 1 and a message', async () => {
  await withArbiter([], async (arbiter) => {
    const { code, stderr } = await run(['--port', arbiter.port]);
    assert.equal(code, 1, stderr);
    assert.notEqual(stderr.trim(), '');
    assert.equal((await arbiter.ask({ target: '/livez' })).status, 200);
  });
});

// --- leaving ----------------------------------------------------------------

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
  test(`${signal} ends an idle program with status 0`, () => withStoppedClock([], async (arbiter) => {
    arbiter.signal(signal);
    await arbiter.leaves();
    assert.equal(cutOff(arbiter), 0);
  }));

  test(`${signal} ends the program while clients have idle connections and unfinished heads`, () => withStoppedClock(
    [],
    async (arbiter) => {
      const used = await connect(arbiter.port);
      used.send({ target: '/version' });
      await used.answer();
      const untouched = await connect(arbiter.port);
      const unfinished = await connect(arbiter.port);
      await unfinished.write('POST /mine HTTP/1.1\r\nHost: a\r\nContent-');
      await untilMetrics(arbiter, 'all are connected', (at) => at('arbiter_connections') === 3 + arbiter.idle);
      arbiter.signal(signal);
      await arbiter.leaves();
      await checkCutOff([used, untouched, unfinished]);
    },
  ));

  test(`on ${signal}, requests that are partly solved or waiting for a worker are answered`, () => withStoppedClock(
    ONE_LONG_WORKER,
    async (arbiter) => {
      const busy = await beginEndless(arbiter);
      const { board } = JSON.parse(EMPTY_FIELD.request.body);
      const batch = JSON.stringify({ cases: [{ board }, HARD_CASE] });
      const [partly, ...others] = await sendLong(arbiter, [{ ...HARD, body: batch }, HARD, HARD], 3);
      await beginDraining(arbiter, signal);
      assert.deepEqual([partly, ...others].map(({ unread, ended }) => [unread, ended]), Array(3).fill([0, null]));
      busy.reset();
      const { results } = (await partly.answer()).json();
      assert.deepEqual(results.map(({ verdict }) => verdict), [EMPTY_FIELD.json.verdict, 'Unknown']);
      for (const other of others) checkUnknown(await other.answer());
      await arbiter.leaves();
      assert.equal(cutOff(arbiter), 0);
    },
  ));
}

test('a request whose head is complete at SIGTERM is answered when its body arrives', () => withStoppedClock(
  [],
  async (arbiter) => {
    const { connection, rest } = await beginRequest(arbiter.port);
    await beginDraining(arbiter);
    connection.write(rest);
    const answer = await connection.answer();
    assert.equal(answer.status, 200, `${answer}`);
    assert.deepEqual(answer.json(), EMPTY_FIELD.json);
    await arbiter.leaves();
  },
));

test('an answer that has not been read at SIGTERM is sent completely', () => withStoppedClock([], async (arbiter) => {
  const connection = await beginUnread(arbiter);
  await beginDraining(arbiter);
  connection.goOnReading();
  const answer = await connection.answer();
  assert.equal(answer.status, 200);
  assert.equal(answer.json().played, 30_000);
  await arbiter.leaves();
}));

test('a client that is refused while sending its body has two seconds to read the answer', () => withStoppedClock(
  [],
  async (arbiter) => {
    const socket = net.connect({ port: arbiter.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write(formatRequest({ method: 'POST', target: '/mine', headers: { ...JSON_TYPE, 'Content-Length': 1e9 } }));
    socket.on('error', () => {}); // the program closes the connection while the client is sending
    let text = '';
    socket.on('data', (data) => (text += data));
    await eventOf(socket, 'end', 'its answer ends');
    assert.match(text, /^HTTP\/1.1 413 /);
    await arbiter.ask({ target: '/livez' }); // by now, the event loop has recorded the time of the refusal
    arbiter.signal('SIGTERM');
    await until('only this client is left', () => isRefused(arbiter.port));
    await arbiter.clock.advance(1999);
    assert.equal(arbiter.left, null);
    await arbiter.clock.advance(1);
    await arbiter.leaves();
    socket.destroy();
  },
));

test('during shutdown, a further request on an open connection gets 503 and Connection: close', () => withStoppedClock(
  [],
  async (arbiter) => {
    const further = [
      { target: '/version' },
      { target: '/livez' },
      { target: '/readyz' },
      EMPTY_FIELD.request,
      { method: 'HEAD', target: '/limits' },
    ];
    const open = await Promise.all(further.map(() => connect(arbiter.port)));
    for (const connection of open) {
      connection.send({ target: '/readyz' });
      assert.equal((await connection.answer()).status, 200);
    }
    const unfinished = await connect(arbiter.port);
    await unfinished.write('GET /version HTTP/1.1\r\nHost: a\r\n');
    const { connection: inFlight, rest } = await beginRequest(arbiter.port);
    await untilMetrics(arbiter, 'all are connected', (at) => at('arbiter_connections') === further.length + 2 + arbiter.idle);
    await beginDraining(arbiter);
    await unfinished.write('\r\n');
    checkLeaving(await unfinished.answer()); // its head was completed too late
    for (const [index, request] of further.entries()) {
      open[index].send(request);
      const answer = await open[index].answer();
      if (request.method === 'HEAD') assert.equal(answer.status, 503);
      else checkLeaving(answer);
      assert.ok(answer.list('connection').includes('close'), `${JSON.stringify(request)}: ${answer}`);
      await open[index].closed();
    }
    inFlight.write(rest);
    assert.deepEqual((await inFlight.answer()).json(), EMPTY_FIELD.json);
    await arbiter.leaves();
  },
));

test('during the drain delay, only /readyz changes; afterwards, new connections are refused', () => withStoppedClock(
  ['--drain-delay', 2],
  async (arbiter) => {
    const { connection, rest } = await beginRequest(arbiter.port);
    arbiter.signal('SIGTERM');
    const answer = await until('/readyz answers 503', async () => {
      const ready = await arbiter.ask({ target: '/readyz' });
      return ready.status === 503 ? ready : null;
    });
    checkLeaving(answer);
    await arbiter.clock.advance(1999);
    for (const request of [{ target: '/livez' }, { target: '/version' }, EMPTY_FIELD.request]) {
      const other = await arbiter.ask(request);
      assert.equal(other.status, 200, `${request.target}: ${other}`);
    }
    const kept = await connect(arbiter.port);
    for (const request of [EMPTY_FIELD.request, { target: '/limits' }]) {
      kept.send(request);
      assert.equal((await kept.answer()).status, 200, 'on a kept connection');
    }
    await arbiter.clock.advance(1);
    await untilRefused(arbiter);
    kept.send({ target: '/livez' });
    checkLeaving(await kept.answer());
    connection.write(rest);
    assert.deepEqual((await connection.answer()).json(), EMPTY_FIELD.json);
    await arbiter.leaves();
  },
));

test('the program waits for the drain delay even if no request is in flight', () => withStoppedClock(
  ['--drain-delay', 3],
  async (arbiter) => {
    arbiter.signal('SIGTERM');
    await untilMetrics(arbiter, 'it is not ready', (at) => at('arbiter_ready') === 0);
    await arbiter.clock.advance(2999);
    assert.equal((await arbiter.ask({ target: '/livez' })).status, 200);
    await arbiter.clock.advance(1);
    await arbiter.leaves();
  },
));

test('requests that are not answered within the drain timeout are cut off, and the status is 1', () => withStoppedClock(
  [...ONE_LONG_WORKER, '--drain-delay', 1, '--drain-timeout', 3],
  async (arbiter) => {
    const solved = await beginEndless(arbiter);
    const queued = await sendLong(arbiter, [ENDLESS, ENDLESS], 2);
    const { connection: bodyless } = await beginRequest(arbiter.port);
    const unread = await beginUnread(arbiter);
    arbiter.signal('SIGTERM');
    await untilMetrics(arbiter, 'it is not ready', (at) => at('arbiter_ready') === 0);
    await arbiter.clock.advance(1000);
    await untilRefused(arbiter);
    await arbiter.clock.advance(2999);
    await untilMetrics(arbiter, 'all are in flight', (at) => at('arbiter_requests_in_flight') === 5);
    await arbiter.clock.advance(1);
    await arbiter.leaves({ status: 1 });
    assert.equal(cutOff(arbiter), 5);
    await checkCutOff([solved, ...queued, bodyless]);
    unread.goOnReading();
    await unread.closed();
    assert.match(unread.fault, /cut off in the middle/);
  },
));

for (const [first, second] of [['SIGTERM', 'SIGTERM'], ['SIGTERM', 'SIGINT'], ['SIGINT', 'SIGTERM']]) {
  test(`${second} after ${first} ends the program immediately with status 1, even if workers are busy`, () => withStoppedClock(
    ONE_LONG_WORKER,
    async (arbiter) => {
      const connections = [await beginEndless(arbiter), ...await sendLong(arbiter, [ENDLESS, ENDLESS], 2)];
      await beginDraining(arbiter, first); // two signals sent at the same time may arrive as one
      arbiter.signal(second);
      await arbiter.leaves({ status: 1 });
      await checkCutOff(connections);
    },
  ));
}

test('a second signal during the drain delay ends the program immediately with status 1', () => withStoppedClock(
  ['--drain-delay', 60],
  async (arbiter) => {
    arbiter.signal('SIGTERM');
    await untilMetrics(arbiter, 'it is not ready', (at) => at('arbiter_ready') === 0);
    arbiter.signal('SIGTERM');
    await arbiter.leaves({ status: 1 });
  },
));

test('a SIGHUP that follows another signal has no effect', async () => {
  for (const first of ['SIGTERM', 'SIGHUP']) {
    await withStoppedClock(['--drain-delay', 60], async (arbiter) => {
      arbiter.signal(first);
      await untilMetrics(arbiter, 'it is not ready', (at) => at('arbiter_ready') === 0);
      arbiter.signal('SIGHUP');
      assert.equal((await arbiter.ask(EMPTY_FIELD.request)).status, 200);
      await arbiter.clock.advance(60_000);
      await arbiter.leaves();
    });
  }
});

test('SIGHUP and SIGTERM at the same time count as one signal', () => withArbiter(['--ops-port', 0], async (arbiter) => {
  arbiter.signal('SIGSTOP');
  await until('it is stopped', () => /^State:\tT/m.test(readFileSync(`/proc/${arbiter.pid}/status`, 'latin1')));
  for (const signal of ['SIGHUP', 'SIGTERM', 'SIGCONT']) arbiter.signal(signal);
  await arbiter.leaves();
}));

test('a client that lingers after a refusal does not keep the program running beyond the drain timeout', () => withStoppedClock(
  ['--drain-timeout', 1],
  async (arbiter) => {
    const lingering = await beginLingering(arbiter);
    arbiter.signal('SIGTERM');
    await until('it drains', () => arbiter.log.some(({ event }) => event === 'draining'));
    await arbiter.clock.advance(1000);
    await arbiter.leaves();
    lingering.destroy();
  },
));

test('under nohup, SIGHUP has no effect at all', () => withArbiter(['--ops-port', 0], async (arbiter) => {
  const ignored = /^SigIgn:\t([0-9a-f]+)$/m.exec(readFileSync(`/proc/${arbiter.pid}/status`, 'latin1'))[1];
  assert.equal(BigInt(`0x${ignored}`) & 1n, 1n, 'SIGHUP is ignored');
  arbiter.signal('SIGHUP');
  for (let round = 0; round < 3; round += 1) assert.equal((await arbiter.ask({ target: '/readyz' })).status, 200);
  assert.equal(arbiter.log.some(({ event }) => event === 'draining'), false);
}, { under: ['nohup'] }));

test('clients that hang up while their request is being solved or is waiting do not delay the program\'s exit', () => withStoppedClock(
  [...ONE_LONG_WORKER, '--drain-timeout', 3600],
  async (arbiter) => {
    const solved = await beginEndless(arbiter);
    const [reset, closed, halfClosed, patient] = await sendLong(arbiter, [ENDLESS, ENDLESS, ENDLESS, HARD], 4);
    solved.reset();
    reset.reset();
    closed.close();
    halfClosed.halfClose();
    arbiter.signal('SIGTERM');
    // Two of the clients may still want their answers, so their requests are kept for a second. One of these requests may be solved
    // before the patient client's.
    await arbiter.clock.advanceUntil('the patient client is answered', 1000, () => patient.unread === 1);
    checkUnknown(await patient.answer());
    await arbiter.clock.advanceUntil('the program has left', 1000, () => arbiter.left !== null);
    await arbiter.leaves();
  },
));

test('clients that hang up while sending a body do not delay the program\'s exit', () => withStoppedClock(
  [],
  async (arbiter) => {
    const head = formatRequest({ method: 'POST', target: '/mine', headers: { ...JSON_TYPE, 'Content-Length': 1e6 } });
    // The end of the connection arrives together with data, and libmicrohttpd doesn't notice it.
    for (let client = 0; client < 20; client += 1) {
      const connection = await connect(arbiter.port);
      connection.write(Buffer.concat([Buffer.from(head), Buffer.alloc(60_000, ' ')]));
      connection.close();
    }
    assert.equal((await arbiter.ask({ target: '/version' })).status, 200);
    const { connection, rest } = await beginRequest(arbiter.port);
    await beginDraining(arbiter);
    await arbiter.clock.advance(100); // the program looks for such clients twice, a tenth of a second apart
    connection.write(rest);
    assert.deepEqual((await connection.answer()).json(), EMPTY_FIELD.json);
    while (arbiter.left === null) await arbiter.clock.advance(100); // an event loop may have begun to drain a moment later
    await arbiter.leaves();
  },
));

/**
 * Sends small requests on a connection, `together` at a time, until the connection ends. Calls `onAnswer` for each answer, and
 * resolves to all answers.
 */
async function askUntilClosed(connection, together, onAnswer) {
  const answers = [];
  for (;;) {
    assert.ok(answers.length < 50_000, 'it ends');
    for (let index = 0; index < together; index += 1) connection.send(EMPTY_FIELD.request);
    for (let index = 0; index < together; index += 1) {
      const answer = await connection.answerOrNothing();
      if (answer === null) return answers;
      answers.push(answer);
      onAnswer();
    }
  }
}

const closes = (answer) => answer.list('connection').includes('close');

// The last answer on each connection has Connection: close. It is a refusal, or the answer to a request whose head was complete before
// the signal. If several requests are sent together, it can be lost: the program closes the connection before it has read the others,
// so the kernel sends a reset.
for (const [begun, together] of [[8, 1], [0, 4]]) {
  test(`the program exits while clients keep sending small requests (${together} at a time), with ${begun} other requests in flight`, async () => {
    const random = randomFrom(8);
    for (let round = 0; round < 5; round += 1) {
      const last = 1 + below(random, 300);
      await withStoppedClock([], async (arbiter) => {
        const inFlight = await Promise.all(Array.from({ length: begun }, () => beginRequest(arbiter.port)));
        let count = 0;
        const onAnswer = () => {
          count += 1;
          if (count === last) arbiter.signal('SIGTERM');
        };
        const connections = await Promise.all(Array.from({ length: 16 }, () => connect(arbiter.port)));
        await untilMetrics(arbiter, 'all are connected', (at) => at('arbiter_connections') === 16 + begun + arbiter.idle);
        for (const answers of await Promise.all(connections.map((connection) => askUntilClosed(connection, together, onAnswer)))) {
          for (const answer of answers) {
            if (answer.status === 200) assert.deepEqual(answer.json(), EMPTY_FIELD.json);
            else checkLeaving(answer);
          }
          const message = `signal after ${last}: ${answers.map(({ status }) => status)}`;
          const closing = answers.filter((answer) => answer.status !== 200 || closes(answer));
          if (begun > 0) assert.equal(closing.length, 1, message);
          if (closing.length > 0) assert.deepEqual(closing, answers.slice(-1), message);
          for (const answer of closing) assert.ok(closes(answer), `${answer}`);
        }
        for (const { connection, rest } of inFlight) {
          connection.write(rest);
          assert.deepEqual((await connection.answer()).json(), EMPTY_FIELD.json);
        }
        await arbiter.leaves();
        assert.equal(cutOff(arbiter), 0);
      });
    }
  });
}
