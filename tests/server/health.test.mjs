// `arbiter health` against a service that is ready, one that isn't, and other servers.

import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';

import { run, withArbiter } from './arbiter.mjs';
import { ask, until } from './client.mjs';


/** Runs a listener on the loopback address that calls `greet` with each connection. */
async function withListener(greet, use) {
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    greet(socket);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(server.address().port);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

test('a service that is ready is healthy, at any address and however its port is set', async () => {
  await withArbiter([], async ({ port }) => {
    const { code, stdout, stderr } = await run(['health', '--port', String(port)]);
    assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: '', stderr: '' });
    assert.equal((await run(['health', `--port=${port}`])).code, 0);
    assert.equal((await run(['health'], { env: { ARBITER_PORT: String(port) } })).code, 0);
    assert.equal((await run(['health', '--port', String(port)], { env: { ARBITER_PORT: 'x', ARBITER_WORKERS: 'x' } })).code, 0);
  });
  await withArbiter(['--listen', '::'], async ({ port }) => {
    assert.equal((await run(['health'], { env: { ARBITER_PORT: String(port), ARBITER_LISTEN: '::' } })).code, 0);
  });
  await withListener((socket) => [...'HTTP/1.1 200 OK\r\n\r\n'].forEach((byte) => socket.write(byte)), async (port) => {
    assert.equal((await run(['health', '--port', String(port), '--listen', '::'])).code, 0); // even though nothing listens on ::1
  });
  await withArbiter(['--listen', '0.0.0.0'], async ({ port }) => {
    assert.equal((await run(['health'], { env: { ARBITER_PORT: String(port), ARBITER_LISTEN: '0.0.0.0' } })).code, 0);
  });
});

test('a service can listen on several addresses with the same port, and on both IPv6 and IPv4', async () => {
  await withArbiter(['--listen', '127.0.0.1, 127.0.0.2,[::1]', '--ops-port', 0], async (arbiter) => {
    const addresses = ['127.0.0.1', '127.0.0.2', '::1'];
    for (const host of addresses) {
      assert.equal((await ask(arbiter.port, { target: '/livez' }, { address: host })).status, 200, host);
      assert.equal((await ask(arbiter.opsPort, { target: '/metrics' }, { address: host })).status, 200, `ops port, ${host}`);
    }
    const [{ address, addresses: all }] = arbiter.log;
    assert.deepEqual([address, all], [addresses[0], addresses]);
    for (const listen of ['127.0.0.2,[::1]', '127.0.0.9,::1'])
      assert.equal((await run(['health', '--port', String(arbiter.port), '--listen', listen])).code, 0, listen);
  });
  await withArbiter(['--listen', '0.0.0.0,::'], async ({ port }) => {
    for (const host of ['127.0.0.1', '::1']) assert.equal((await ask(port, { target: '/livez' }, { address: host })).status, 200, host);
    assert.equal((await run(['health', '--port', String(port), '--listen', '0.0.0.0,[::]'])).code, 0);
    const { code, stderr } = await run(['--listen', '127.0.0.1,0.0.0.0', '--port', String(port)]);
    assert.equal(code, 1);
    assert.match(stderr, /"cannot-listen","reason":"127\.0\.0\.1 port \d+: Address already in use"/);
  });
  for (const list of ['', ',', '127.0.0.1,', ',::1', '[', '[]', '127.0.0.1,,::1', '[::1]]x[', Array(9).fill('127.0.0.1').join(',')]) {
    const { code, stderr } = await run(['--listen', list, '--port', '0']);
    assert.equal(code, 2, `${list}: ${stderr}`);
    assert.match(stderr, /--listen/);
  }
});

test('a service that is about to stop is not healthy', async () => {
  await withArbiter(['--drain-delay', 60], async (arbiter) => {
    arbiter.signal('SIGTERM');
    await until('it is not ready', async () => (await ask(arbiter.port, { target: '/readyz' })).status === 503);
    const { code, stderr } = await run(['health', '--port', String(arbiter.port)]);
    assert.equal(code, 1);
    assert.match(stderr, /is not ready/);
    arbiter.signal('SIGTERM');
    await arbiter.exit;
  });
});

const OTHERS = {
  'nothing at all': null,
  'a listener that sends nothing': () => {},
  'a listener that hangs up': (socket) => socket.destroy(),
  'a listener that sends something else': (socket) => socket.write('SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n'),
  'a service that answers 204': (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'),
  'a service that answers 2001': (socket) => socket.write('HTTP/1.1 2001 OK\r\n\r\n'),
  'a service that resets': (socket) => socket.resetAndDestroy(),
  'a service that answers 503': (socket) => socket.write('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n'),
  'a service that answers a byte a second': (socket) => {
    let sent = 0;
    const timer = setInterval(() => socket.write('HTTP/1.1 200 OK\r\n'[sent++] ?? ' '), 1000);
    socket.on('close', () => clearInterval(timer));
  },
};

for (const [name, greet] of Object.entries(OTHERS)) {
  test(`${name} is not healthy, and \`health\` does not hang`, async () => {
    const port = await withListener(() => {}, async (free) => free);
    const check = async (asked) => {
      const { code, stdout, stderr } = await run(['health', '--port', String(asked)]);
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(stderr, /^arbiter: the server at 127\.0\.0\.1 port \d+ (cannot be reached|does not answer|is not ready)\n$/);
    };
    await (greet ? withListener(greet, check) : check(port));
  });
}

test('with an invalid option, health exits with status 1; -h prints its options', async () => {
  for (const args of [['--port'], ['--port', 'x'], ['--workers', '1'], ['now'], ['--version']]) {
    const { code, stdout, stderr } = await run(['health', ...args]);
    assert.equal(code, 1, args.join(' '));
    assert.equal(stdout, '');
    assert.match(stderr, /^arbiter: /);
  }
  for (const help of ['-h', '--help']) {
    const { code, stdout } = await run(['health', help]);
    assert.equal(code, 0);
    assert.match(stdout, /--port .*ARBITER_PORT/);
    assert.doesNotMatch(stdout, /--workers/);
  }
});

test('--help lists the commands', async () => {
  assert.match((await run(['--help'])).stdout, /^Commands[^]*^ {2}health +\w/m);
  assert.match((await run(['-h'])).stdout, /^Usage: arbiter/);
});
