// The program from its command line to its exit status.
//
// Something is kept in flight in two ways. A request whose body never ends
// costs nothing and lasts as long as the test wants. A batch of hard fields
// keeps a worker busy, so that its connection is suspended in libmicrohttpd:
// stopping the library then aborts the process unless it is done in the right
// order.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { run, start, withArbiter } from './arbiter.mjs';
import { HARD_OPTIONS, JSON_TYPE, KNOWN, hardBatch, hardCasesFor, randomFrom } from './bodies.mjs';
import { LIMITS } from './limits.mjs';
import { ask, connect, formatRequest, pause, until } from './client.mjs';

const [EMPTY_FIELD] = KNOWN;

/** What the program does by itself is soon; what it waits for takes a minute and more. */

async function isRefused(port) {
  try {
    const connection = await connect(port);
    connection.close();
    return false;
  } catch (error) {
    // A connection that the backlog held when the socket was shut down is reset.
    if (error.code !== 'ECONNREFUSED' && error.code !== 'ECONNRESET') throw error;
    return true;
  }
}

function untilRefused(arbiter) {
  return until('new connections are refused', () => isRefused(arbiter.port));
}

/** A request whose head is complete (the server says so with 100) and whose body is not. */
async function beginRequest(port, { target, headers, body } = EMPTY_FIELD.request) {
  const connection = await connect(port);
  const bytes = formatRequest({ target, headers: { ...headers, Expect: '100-continue' }, body });
  const begin = bytes.indexOf('\r\n\r\n') + 4;
  connection.expect('POST');
  await connection.write(bytes.subarray(0, begin));
  await connection.continued();
  return { connection, rest: bytes.subarray(begin) };
}

/** A batch that a worker solves for about so long; resolves when it is being solved. */
async function beginHeavy(arbiter, seconds, connections = 1) {
  const count = await hardCasesFor(arbiter, seconds);
  const body = hardBatch(randomFrom(1), count);
  const begun = await Promise.all(
    Array.from({ length: connections }, () => beginRequest(arbiter.port, { target: '/mine', headers: JSON_TYPE, body })),
  );
  await arbiter.untilBusy(() => Promise.all(begun.map(({ connection, rest }) => connection.write(rest))), 150);
  return { count, connections: begun.map(({ connection }) => connection) };
}

function checkHeavy(answer, count) {
  assert.equal(answer.status, 200, `${answer}`);
  const { results } = answer.json();
  assert.deepEqual(results.map(({ id, verdict }) => `${id} ${verdict}`), Array.from({ length: count }, (_, id) => `${id} Unknown`));
}

function checkLeaving(answer) {
  assert.equal(answer.status, 503, `${answer}`);
  assert.equal(answer.json().type, '/problems/overloaded');
  assert.equal(answer.header('retry-after'), '1');
}

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

/** How help may print a number: 67108864, 67,108,864 or 64 MiB. */
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
    // From the option at the beginning of a line to the next such line.
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
    assert.ok(spellings(value).some((said) => text.includes(said)), `default ${value} of ${name} in: ${text}`);
  }
  entry('version');
});

test('--version tells the version that GET /version tells', async () => {
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
  ['--trusted-proxy', '192.0.2.0/24'],
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

test('a bad option is told on standard error and ends with status 2', async () => {
  for (const args of BAD_COMMAND_LINES) {
    const { code, stdout, stderr } = await run(args.includes('--port') ? args : [...args, '--port', '0']);
    assert.equal(code, 2, `${args.join(' ')}: ${stderr}`);
    assert.notEqual(stderr.trim(), '', `a message for ${args.join(' ')}`);
    assert.equal(stdout, '', args.join(' '));
    const option = args[0].replace(/^--/, '').replaceAll('-', '.');
    assert.match(stderr, new RegExp(option), `the message for ${args.join(' ')} names it`);
  }
});

test('a bad value in the environment ends with status 2', async () => {
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

test('an option wins over its variable', async () => {
  const env = { ARBITER_MAX_CASES: '5', ARBITER_QUEUE: '6', ARBITER_PORT: '1' };
  await withArbiter(['--max-cases', 7], async (arbiter) => {
    const limits = await arbiter.limits();
    assert.equal(limits.max_cases, 7);
    assert.equal(limits.queue, 6);
  }, { env });
});

test('a variable that an option overrides is not looked at', async () => {
  const env = { ARBITER_MAX_CASES: 'many', ARBITER_PORT: '-1', ARBITER_CORS_ORIGIN: 'nobody', ARBITER_LOG_LEVEL: '' };
  const args = ['--max-cases', 7, '--port', 0, '--cors-origin', '*', '--log-level=info'];
  await withArbiter(args, async (arbiter) => assert.equal((await arbiter.limits()).max_cases, 7), { env, port: null });
});

test('the message about an origin that is none names it and shows what one looks like', async () => {
  const { code, stderr } = await run([], { env: { ARBITER_PORT: '0', ARBITER_CORS_ORIGIN: 'https://a.example, b.example' } });
  assert.equal(code, 2);
  assert.match(stderr, /ARBITER_CORS_ORIGIN has "b\.example"/);
  assert.match(stderr, /https:\/\/a\.example/);
});

test('--man prints the manual page, with every option and variable', async () => {
  const { code, stdout, stderr } = await run(['--man']);
  assert.equal(code, 0);
  assert.equal(stderr, '');
  assert.match(stdout, /^\.TH ARBITER 1 /);
  for (const name of [...Object.keys(OTHER_OPTIONS), ...Object.keys(LIMITS)]) {
    assert.ok(stdout.includes(`.B \\-\\-${name.replaceAll(/[-_]/g, '\\-')}\n`), name);
    assert.ok(stdout.includes(`.B ARBITER_${name.toUpperCase().replaceAll('-', '_')}\n`), name);
  }
});

test('a variable is as good as an option', async () => {
  const env = { ARBITER_PORT: '0', ARBITER_LISTEN: '127.0.0.1', ARBITER_WORKERS: '1', ARBITER_MAX_MOVES: '3' };
  await withArbiter([], async (arbiter) => {
    assert.notEqual(arbiter.port, 0);
    assert.equal((await arbiter.limits()).max_moves, 3);
  }, { env, port: null });
});

// --- listening --------------------------------------------------------------

test('one line of JSON tells where it listens, and standard output stays empty', async () => {
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

test('two programs on port 0 get ports of their own', async () => {
  await withArbiter([], (first) => withArbiter([], async (second) => assert.notEqual(first.port, second.port)));
});

test('--listen chooses the address', async () => {
  await withArbiter(['--listen', '127.0.0.2'], async (arbiter) => {
    assert.equal(arbiter.address, '127.0.0.2');
    assert.equal((await arbiter.ask({ target: '/livez' }, { address: '127.0.0.2' })).status, 200);
    assert.ok(await isRefused(arbiter.port), 'on 127.0.0.1');
  });
});

test('an address that is none, or not of this machine, ends with a message and status 1 or 2', async () => {
  // A name that is not found may be a bad option or bad luck.
  for (const address of ['127.0.0.256', '192.0.2.1', 'a b', '']) {
    const { code, stderr } = await run(['--listen', address, '--port', 0]);
    assert.ok(code === 1 || code === 2, `${address}: status ${code}`);
    assert.notEqual(stderr.trim(), '', `a message for ${address}`);
  }
});

test('a port in use ends with status 1 and a message', async () => {
  await withArbiter([], async (arbiter) => {
    const { code, stderr } = await run(['--port', arbiter.port]);
    assert.equal(code, 1, stderr);
    assert.notEqual(stderr.trim(), '');
    assert.equal((await arbiter.ask({ target: '/livez' })).status, 200);
  });
});

// --- leaving ----------------------------------------------------------------

for (const signal of ['SIGTERM', 'SIGINT']) {
  test(`${signal} ends an idle program with status 0`, async () => {
    await withArbiter([], (arbiter) => arbiter.stop({ signal }));
  });

  test(`${signal} ends it while clients hold idle connections and unfinished heads`, async () => {
    await withArbiter(['--drain-timeout', 60, '--head-timeout', 60], async (arbiter) => {
      const used = await connect(arbiter.port);
      used.send({ target: '/version' });
      await used.answer();
      const untouched = await connect(arbiter.port);
      const unfinished = await connect(arbiter.port);
      await unfinished.write('POST /mine HTTP/1.1\r\nHost: a\r\nContent-');
      await arbiter.stop({ signal });
      await Promise.all([used, untouched, unfinished].map((connection) => connection.closed()));
      assert.equal(used.unread + untouched.unread, 0, 'nothing was said unasked');
    });
  });

  test(`on ${signal} what a worker solves is answered before the program leaves`, async () => {
    await withArbiter([...HARD_OPTIONS, '--workers', 1, '--drain-timeout', 250], async (arbiter) => {
      const { count, connections } = await beginHeavy(arbiter, 1);
      arbiter.signal(signal);
      checkHeavy(await connections[0].answer(), count);
      await arbiter.leaves();
    });
  });
}

test('on SIGTERM everything that waits in the queue is answered', async () => {
  await withArbiter([...HARD_OPTIONS, '--workers', 2, '--drain-timeout', 250], async (arbiter) => {
    const { count, connections } = await beginHeavy(arbiter, 0.2, 8);
    arbiter.signal('SIGTERM');
    for (const answer of await Promise.all(connections.map((connection) => connection.answer()))) {
      checkHeavy(answer, count);
    }
    await arbiter.leaves();
  });
});

test('a request whose head is complete at SIGTERM is answered when its body comes', async () => {
  await withArbiter(['--drain-timeout', 60], async (arbiter) => {
    const { connection, rest } = await beginRequest(arbiter.port);
    arbiter.signal('SIGTERM');
    await untilRefused(arbiter);
    connection.write(rest);
    const answer = await connection.answer();
    assert.equal(answer.status, 200, `${answer}`);
    assert.deepEqual(answer.json(), EMPTY_FIELD.json);
    await arbiter.leaves();
  });
});

test('while it leaves, a further request on an open connection gets 503 and Connection: close', async () => {
  await withArbiter([...HARD_OPTIONS, '--workers', 1, '--drain-timeout', 250, '--head-timeout', 60], async (arbiter) => {
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
    const { count, connections } = await beginHeavy(arbiter, 1.5);
    arbiter.signal('SIGTERM');
    await untilRefused(arbiter);
    await unfinished.write('\r\n');
    checkLeaving(await unfinished.answer()); // its head was not complete in time
    for (const [index, request] of further.entries()) {
      open[index].send(request);
      const answer = await open[index].answer();
      if (request.method === 'HEAD') assert.equal(answer.status, 503);
      else checkLeaving(answer);
      assert.ok(answer.list('connection').includes('close'), `${JSON.stringify(request)}: ${answer}`);
      await open[index].closed();
    }
    checkHeavy(await connections[0].answer(), count);
    inFlight.write(rest);
    assert.deepEqual((await inFlight.answer()).json(), EMPTY_FIELD.json);
    await arbiter.leaves();
  });
});

test('during the drain delay only /readyz changes, then new connections are refused', async () => {
  await withArbiter(['--drain-delay', 2, '--drain-timeout', 60], async (arbiter) => {
    const { connection, rest } = await beginRequest(arbiter.port);
    const signalled = performance.now();
    arbiter.signal('SIGTERM');
    const answer = await until(
      '/readyz answers 503',
      async () => {
        const ready = await arbiter.ask({ target: '/readyz' });
        return ready.status === 503 ? ready : null;
      },
      { every: 1 },
    );
    checkLeaving(answer);
    assert.ok(performance.now() - signalled < 1500, 'at once');
    for (const request of [{ target: '/livez' }, { target: '/version' }, EMPTY_FIELD.request]) {
      const other = await arbiter.ask(request);
      assert.equal(other.status, 200, `${request.target}: ${other}`);
    }
    const kept = await connect(arbiter.port);
    for (const request of [EMPTY_FIELD.request, { target: '/limits' }]) {
      kept.send(request);
      assert.equal((await kept.answer()).status, 200, 'on a kept connection');
    }
    await untilRefused(arbiter);
    const passed = performance.now() - signalled;
    assert.ok(passed >= 1900 && passed < 2000 + SOON, `refused ${Math.round(passed)} ms after the signal`);
    kept.send({ target: '/livez' });
    checkLeaving(await kept.answer());
    connection.write(rest);
    assert.deepEqual((await connection.answer()).json(), EMPTY_FIELD.json);
    await arbiter.leaves();
  });
});

test('the drain delay is waited out even when nothing is in flight', async () => {
  await withArbiter(['--drain-delay', 1], async (arbiter) => {
    const signalled = performance.now();
    await arbiter.stop();
    const passed = performance.now() - signalled;
    assert.ok(passed >= 900 && passed < 1000 + SOON, `left after ${Math.round(passed)} ms`);
  });
});

test('what is not answered within the drain timeout is cut off, and the status is 1', async () => {
  await withArbiter([...HARD_OPTIONS, '--workers', 1, '--drain-timeout', 1], async (arbiter) => {
    const { connections } = await beginHeavy(arbiter, 12, 3);
    const { connection: bodyless } = await beginRequest(arbiter.port);
    const signalled = performance.now();
    arbiter.signal('SIGTERM');
    await arbiter.leaves({ status: 1 });
    const passed = performance.now() - signalled;
    assert.ok(passed >= 900, `left after ${Math.round(passed)} ms`);
    for (const connection of [...connections, bodyless]) {
      await connection.closed();
      assert.equal(connection.unread, 0, 'no answer came');
    }
  });
});

test('a body that never ends is cut off at the drain timeout, and the status is 1', async () => {
  await withArbiter(['--drain-timeout', 1], async (arbiter) => {
    const { connection } = await beginRequest(arbiter.port);
    arbiter.signal('SIGTERM');
    await arbiter.leaves({ status: 1 });
    await connection.closed();
  });
});

for (const [first, second] of [['SIGTERM', 'SIGTERM'], ['SIGTERM', 'SIGINT'], ['SIGINT', 'SIGTERM']]) {
  test(`${second} after ${first} leaves at once with status 1, though workers are busy`, async () => {
    await withArbiter([...HARD_OPTIONS, '--workers', 2, '--drain-timeout', 250], async (arbiter) => {
      const { connections } = await beginHeavy(arbiter, 12, 4);
      arbiter.signal(first);
      await untilRefused(arbiter); // two signals sent at once may arrive as one
      arbiter.signal(second);
      await arbiter.leaves({ status: 1 });
      for (const connection of connections) await connection.closed();
    });
  });
}

test('a second signal during the drain delay leaves at once with status 1', async () => {
  await withArbiter(['--drain-delay', 60], async (arbiter) => {
    arbiter.signal('SIGTERM');
    await until('/readyz answers 503', async () => (await arbiter.ask({ target: '/readyz' })).status === 503);
    arbiter.signal('SIGTERM');
    await arbiter.leaves({ status: 1 });
  });
});

test('clients that reset while their request is solved do not keep the program from leaving', async () => {
  await withArbiter([...HARD_OPTIONS, '--workers', 2, '--drain-timeout', 250], async (arbiter) => {
    const { connections } = await beginHeavy(arbiter, 1, 4);
    connections[0].reset();
    connections[1].close();
    connections[2].halfClose();
    arbiter.signal('SIGTERM');
    await connections[3].answer();
    await arbiter.leaves();
  });
});

test('clients that hung up in the middle of a body do not keep the program from leaving', async () => {
  await withArbiter(['--drain-timeout', 250, '--body-timeout', 250], async (arbiter) => {
    const head = formatRequest({ method: 'POST', target: '/mine', headers: { ...JSON_TYPE, 'Content-Length': 1e6 } });
    // The end comes together with data, and libmicrohttpd overlooks it.
    for (let client = 0; client < 20; client += 1) {
      const connection = await connect(arbiter.port);
      connection.write(Buffer.concat([Buffer.from(head), Buffer.alloc(60_000, ' ')]));
      connection.close();
    }
    assert.equal((await arbiter.ask({ target: '/version' })).status, 200);
    await arbiter.stop();
  });
});

test('under a stream of small requests it leaves soon, with status 0 and no wrong answer', async () => {
  const random = randomFrom(8);
  for (let round = 0; round < 5; round += 1) {
    await withArbiter(['--drain-timeout', 60], async (arbiter) => {
      const stream = async () => {
        const connection = await connect(arbiter.port);
        for (;;) {
          for (let index = 0; index < 4; index += 1) connection.send(EMPTY_FIELD.request);
          for (let index = 0; index < 4; index += 1) {
            const answer = await connection.answerOrNothing();
            if (answer === null) return;
            if (answer.status === 200) assert.deepEqual(answer.json(), EMPTY_FIELD.json);
            else checkLeaving(answer);
          }
        }
      };
      const streams = Promise.all(Array.from({ length: 16 }, stream));
      await pause(50 + random() * 50); // the stimulus: any moment
      await Promise.all([streams, arbiter.stop()]);
    });
  }
});

test('signals at any moment of a busy life never end it otherwise than with 0 or 1', async () => {
  const random = randomFrom(7);
  for (let round = 0; round < 8; round += 1) {
    const arbiter = await start([...HARD_OPTIONS, '--workers', 2, '--drain-timeout', 250]);
    try {
      const body = hardBatch(randomFrom(1), 1 + (round % 3));
      const answers = Array.from({ length: 6 }, () =>
        ask(arbiter.port, { target: '/mine', headers: JSON_TYPE, body }).then((answer) => answer.status, () => null),
      );
      await pause(random() * 200); // the stimulus: any moment
      arbiter.signal('SIGTERM');
      await arbiter.leaves();
      for (const status of await Promise.all(answers)) assert.ok([200, 503, null].includes(status), `status ${status}`);
    } finally {
      if (arbiter.left === null) arbiter.signal('SIGKILL');
    }
  }
});
