// Slow clients that take up memory, connections or kernel buffers that other clients need. The clock stands still until a test moves it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { withArbiter } from './arbiter.mjs';
import { ENDLESS, ENDLESS_OPTIONS, JSON_TYPE, goMoves, randomFrom } from './bodies.mjs';
import { ask, connect, formatRequest, until } from './client.mjs';
import { metricsAt, refusalsAt, untilMetrics, untilWorkersIdle } from './samples.mjs';
import { buffersOf, untilReaderIsFull, untilTaken } from './sockets.mjs';

const MiB = 2 ** 20;
const NEVER = 3600; // seconds: a deadline that is never reached in a test
const CHECK = 5000; // milliseconds: the longest time between two checks of the readers
const LONG_TIMEOUTS = ['--ops-port', 0, '--send-timeout', NEVER, '--body-timeout', NEVER, '--head-timeout', NEVER, '--max-wait', NEVER];

const random = randomFrom(25);
const boards = (moves) => ({ method: 'POST', target: '/go', headers: JSON_TYPE,
  body: JSON.stringify({ moves: goMoves(random, moves), include: ['boards'] }) });
/** A request of 44 KB with an answer of 2 MB, for which 3.9 MB are charged. */
const BOARDS = boards(4000);
/** The same with twice as many moves. */
const MORE_BOARDS = boards(8000);
/** A stream that repeats the case in `asked` `count` times. */
const lines = (count, asked) => ({ ...asked, headers: { 'Content-Type': 'application/x-ndjson' }, body: `${asked.body}\n`.repeat(count) });
/** A stream whose answer has 300 lines of 44 KB. */
const LINES = lines(300, boards(100));
/** Half of the account. LARGE is a request whose body needs that much. */
const HALF = 12 * MiB;
const padded = (bytes) => ({ method: 'POST', target: '/mine', headers: JSON_TYPE, body: `{"board":["..."]}${' '.repeat(bytes)}` });
const LARGE = padded(HALF);

const stopped = (options, body) => withArbiter(options, body, { stopClock: true });

/** Sends a request with a large answer on a new connection, and waits until the answer fills the buffers. */
async function beginReading(arbiter, asked, localAddress) {
  const connection = await connect(arbiter.port, { localAddress });
  connection.stopReading();
  connection.send(asked);
  await untilReaderIsFull(connection);
  return connection;
}

/** Moves the clock forward by this many checks of the readers. Before each check, every reader reads `bytes` bytes. */
async function passChecks(arbiter, checks, readers, bytes) {
  for (let check = 0; check < checks; check += 1) {
    if (bytes !== 0) await Promise.all(readers.map((reader) => reader.readSome(bytes)));
    await arbiter.clock.advance(CHECK);
  }
}

const inFlight = async ({ opsPort }) => (await metricsAt(opsPort)).get('arbiter_inflight_bytes');

/** Adds clients at one address that don't read their answers, until less than `space` is left in the account. */
async function fillAccount(arbiter, most, space, localAddress, asked = BOARDS) {
  const readers = [];
  while ((await inFlight(arbiter)) < most - space) {
    readers.push(await beginReading(arbiter, asked, localAddress));
    await untilWorkersIdle(arbiter);
  }
  return readers;
}

const MOST = 2 * HALF;

test('very slow readers that use more than their share are cut off, one by one, when another client needs memory', async () => {
  await stopped([...LONG_TIMEOUTS, '--max-inflight-bytes', MOST], async (arbiter) => {
    const readers = await fillAccount(arbiter, MOST, HALF - 2 * MiB, '127.0.0.2');
    assert.ok(readers.length >= 3, `${readers.length} readers fill the account`);
    await passChecks(arbiter, 4, readers, 12_500); // 2.5 KB a second: fast enough for every timeout
    assert.deepEqual(await refusalsAt(arbiter.opsPort), {}, 'no client needs their memory');
    assert.equal((await arbiter.ask(LARGE)).status, 503);
    await arbiter.clock.advance(100);
    await until('one is cut off', async () => (await refusalsAt(arbiter.opsPort))['make-room'] === 1);
    await passChecks(arbiter, 4, readers, 0);
    assert.equal((await refusalsAt(arbiter.opsPort))['make-room'], 1, 'one is cut off for one refusal');
    let answer;
    for (let refusal = 0; refusal < readers.length && answer?.status !== 200; refusal += 1) {
      answer = await arbiter.ask(LARGE);
      await arbiter.clock.advance(100);
    }
    assert.equal(answer.status, 200, `${answer}`);
    const lines = await until('the log has it', () => {
      const lines = arbiter.log.filter(({ reason }) => reason === 'make-room');
      return lines.length >= 1 && lines;
    });
    assert.ok(lines.every(({ peer, level }) => peer === '127.0.0.2' && level === 'warn'), JSON.stringify(lines));
    readers.forEach((reader) => reader.reset());
  });
});

test('a client that uses at most an equal share, or whose answer is nearly sent, is not cut off', async () => {
  await stopped([...LONG_TIMEOUTS, '--max-inflight-bytes', 2 * MOST], async (arbiter) => {
    // There are two clients and the one that is refused, so an equal share is a third of the account: 16 MiB. On a busy machine, the
    // kernel may buffer the rest of an answer that has been partly read. Then there is room for the request, and the test starts over.
    let readers = [], status = 200;
    for (let attempt = 0; attempt < 10 && status === 200; attempt += 1) {
      readers.forEach((reader) => reader.reset());
      await untilMetrics(arbiter, 'nothing is held', (at) => at('arbiter_inflight_bytes') < MiB);
      const quick = await fillAccount(arbiter, 2 * MOST, 2 * HALF - 4 * MiB, '127.0.0.2', MORE_BOARDS);
      const slow = await beginReading(arbiter, BOARDS, '127.0.0.3');
      await passChecks(arbiter, 4, quick, 300_000); // 60 KB a second: at this rate, the rest takes half a minute
      readers = [...quick, slow];
      ({ status } = await arbiter.ask(padded(2 * HALF)));
    }
    assert.equal(status, 503, 'there is no room');
    await arbiter.clock.advance(100);
    await arbiter.clock.advance(100);
    assert.equal((await refusalsAt(arbiter.opsPort))['make-room'] ?? 0, 0);
    readers.forEach((reader) => reader.reset());
  });
});

test('slow readers of streams are cut off, one by one, until 1/16 of the account is free, before any request is refused', async () => {
  await stopped([...LONG_TIMEOUTS, '--max-inflight-bytes', MOST, '--max-stream-bytes', 3 * MiB], async (arbiter) => {
    const readers = await fillAccount(arbiter, MOST, MOST / 16, '127.0.0.2', LINES);
    assert.ok(readers.length >= 3, `${readers.length} streams fill the account`);
    await passChecks(arbiter, 3, readers, 12_500); // 2.5 KB a second: fast enough for every timeout
    assert.deepEqual(await refusalsAt(arbiter.opsPort), {}, 'their pace is not known yet');
    const scarce = MOST - MOST / 16;
    await untilMetrics(arbiter, 'the lines that were read are made up for', (at) => at('arbiter_inflight_bytes') > scarce);
    const cutOff = async () => (await refusalsAt(arbiter.opsPort))['make-room'] ?? 0;
    await arbiter.clock.advanceUntil('there is room', CHECK, async () => (await cutOff()) > 0 && (await inFlight(arbiter)) <= scarce);
    const cut = await cutOff();
    assert.ok(cut >= 1 && cut < readers.length, `${cut} of ${readers.length} were cut off`);
    await arbiter.clock.advance(CHECK);
    await arbiter.clock.advance(CHECK);
    assert.deepEqual(await refusalsAt(arbiter.opsPort), { 'make-room': cut }, 'the others stay, and nobody was refused');
    readers.forEach((reader) => reader.reset());
  });
});

test('the reading speed is measured anew for each answer on a connection', async () => {
  const send = 43_000; // seconds, within which a client must read 44 MB, which is more than the kernel's buffer can grow to
  await stopped([...LONG_TIMEOUTS, '--send-timeout', send, '--head-timeout', 2 * send], async (arbiter) => {
    const reader = await beginReading(arbiter, BOARDS);
    await arbiter.clock.advance(CHECK);
    reader.goOnReading();
    assert.equal((await reader.answer()).status, 200);
    await arbiter.clock.advance(1000 * send);
    reader.stopReading();
    const before = reader.received;
    reader.send(lines(200, boards(1000))); // 90 MB
    await untilReaderIsFull(reader);
    // More than --send-timeout has passed since the check during the first answer, and the client has read less than required in that
    // time.
    await arbiter.clock.advance(CHECK);
    await reader.readSome(MiB);
    assert.equal((await reader.head()).status, 200);
    assert.equal(reader.ended, null, 'it is not cut off');
    assert.ok(reader.received - before >= MiB);
    reader.reset();
  });
});

test('the kernel\'s buffers for a connection are limited in both directions', async () => {
  await stopped(LONG_TIMEOUTS, async (arbiter) => {
    const large = { ...BOARDS, body: BOARDS.body + ' '.repeat(200_000) }; // while the body arrives, the kernel may buffer more
    const readers = await Promise.all(Array.from({ length: 20 }, () => beginReading(arbiter, large)));
    await untilWorkersIdle(arbiter);
    // After its request, each client sends more, which the program doesn't read before it has sent the answer.
    readers.forEach((reader) => reader.write(Buffer.alloc(4 * MiB)));
    await until('the buffers of the kernel are full', () => buffersOf(arbiter.port).filter(({ unread }) => unread > 10_000).length >= 20);
    const held = buffersOf(arbiter.port);
    const [unsent, unread] = ['unsent', 'unread'].map((what) => Math.max(...held.map((each) => each[what])));
    // Unsent bytes are limited by TCP_NOTSENT_LOWAT plus one segment, unread bytes by SO_RCVBUF, which the kernel doubles.
    assert.ok(unsent <= 256 * 1024, `${unsent} bytes are not sent`);
    assert.ok(unread <= 256 * 1024, `${unread} bytes are not read`);
    readers.forEach((reader) => reader.reset());
  });
});

test('--max-connections-per-client limits each address separately', async () => {
  await withArbiter([...LONG_TIMEOUTS, '--max-connections-per-client', 3, '--trusted-proxy', '127.0.0.9'], async (arbiter) => {
    const own = await Promise.all([1, 2, 3].map(() => connect(arbiter.port)));
    await untilMetrics(arbiter, 'all are connected', (at) => at('arbiter_connections') === 3 + arbiter.idle);
    const more = await connect(arbiter.port);
    await more.closed();
    const other = await connect(arbiter.port, { localAddress: '127.0.0.2' });
    other.send({ target: '/livez' });
    assert.equal((await other.answer()).status, 200);
    const proxied = await Promise.all([1, 2, 3, 4, 5].map(() => connect(arbiter.port, { localAddress: '127.0.0.9' })));
    for (const connection of proxied) {
      connection.send({ target: '/livez' });
      assert.equal((await connection.answer()).status, 200, 'it does not apply to a trusted proxy');
    }
    await untilMetrics(arbiter, 'one was refused', (at) => at('arbiter_connections_refused_total') === 1 && at('arbiter_connections') === 9 + arbiter.idle);
    const lines = await until('the log has it', () => arbiter.log.find(({ event }) => event === 'client-connections-full'));
    assert.equal(lines.peer, '127.0.0.1');
    own[0].close();
    await untilMetrics(arbiter, 'one has left', (at) => at('arbiter_connections') === 8 + arbiter.idle);
    assert.equal((await arbiter.ask({ target: '/livez' })).status, 200, 'another connection is accepted again');
    [...own, other, ...proxied].forEach((connection) => connection.close());
  });
});

const HALF_HEAD = 'GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n';
const LIVEZ = { target: '/livez' };

/** Opens all remaining connections from one address, sends `bytes` on each, and waits until the program has read them. */
async function takeAll(arbiter, most, localAddress, bytes) {
  const taken = [];
  const free = most - (await metricsAt(arbiter.opsPort)).get('arbiter_connections');
  for (let count = 0; count < free; count += 1) taken.push(await connect(arbiter.port, { localAddress }));
  await untilMetrics(arbiter, 'all are accepted', (at) => at('arbiter_connections') === most);
  for (const connection of taken) connection.write(bytes);
  await Promise.all(taken.map((connection) => untilTaken(connection)));
  return taken;
}

for (const [what, bytes] of [['half heads', HALF_HEAD], ['no bytes', ''],
  ['half bodies', `POST /mine HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 30\r\n\r\n{`]])
  test(`one address cannot keep others out by occupying all connections (${what})`, async () => {
    const most = 12;
    await stopped([...LONG_TIMEOUTS, '--max-connections', most], async (arbiter) => {
      const taken = await takeAll(arbiter, most, '127.0.0.2', bytes);
      const honest = await connect(arbiter.port, { localAddress: '127.0.0.3' });
      honest.send(LIVEZ);
      await arbiter.clock.advance(999);
      assert.equal(honest.unread, 0, 'a connection that has just begun to wait is not closed');
      await arbiter.clock.advance(1);
      await arbiter.clock.advance(100); // the program's next attempt
      assert.equal((await honest.answer()).status, 200);
      await until('one of its own was closed for it', () => taken.some(({ ended }) => ended !== null));
      assert.equal(taken.filter(({ ended }) => ended !== null).length, 1);
      assert.equal((await metricsAt(arbiter.opsPort)).get('arbiter_connections_closed_total'), 1);
      const line = await until('it is logged', () => arbiter.log.find(({ event }) => event === 'connections-full'));
      assert.deepEqual([line.connections, line.peer], [most, '127.0.0.2'], 'the log names the client with the most');
      if (bytes !== '')
        await until('its request is counted', async () => (await refusalsAt(arbiter.opsPort))['make-room'] === 1);
      // The attacker immediately takes each connection that becomes free. Other clients still get connections, up to an equal share.
      for (let count = 0; count < 3; count += 1) {
        await arbiter.clock.advance(1000);
        const other = await connect(arbiter.port, { localAddress: `127.0.0.${4 + count}` });
        other.send(LIVEZ);
        await arbiter.clock.advance(100);
        assert.equal((await other.answer()).status, 200);
        other.close();
        await untilMetrics(arbiter, 'it has left', (at) => at('arbiter_connections') === most - 1);
        taken.push(...await takeAll(arbiter, most, '127.0.0.2', bytes));
      }
      honest.send(LIVEZ);
      assert.equal((await honest.answer()).status, 200, 'it was not closed');
      [honest, ...taken].forEach((connection) => connection.close());
    });
  });

test('connections from a trusted proxy, or whose requests are being solved, are not closed to make room for others', async () => {
  const most = 8;
  await stopped([...LONG_TIMEOUTS, ...ENDLESS_OPTIONS, '--max-connections', most, '--trusted-proxy', '127.0.0.9'], async (arbiter) => {
    const [solving, ...idle] = await takeAll(arbiter, most, '127.0.0.9', '');
    solving.send(ENDLESS);
    await untilMetrics(arbiter, 'it is being solved', (at) => at('arbiter_requests_in_flight') === 1);
    const other = await connect(arbiter.port, { localAddress: '127.0.0.3' });
    other.send(LIVEZ);
    for (let count = 0; count < 3; count += 1) await arbiter.clock.advance(2000);
    assert.equal(other.unread, 0);
    assert.deepEqual([solving, ...idle].filter(({ ended }) => ended !== null), []);
    idle[0].close();
    assert.equal((await other.answer()).status, 200, 'it gets the next that is free');
    [solving, other, ...idle].forEach((connection) => connection.reset());
  });
});

test('with little memory, a large body has a receive buffer for several segments of the loopback interface', async () => {
  await stopped([...LONG_TIMEOUTS, '--memory', '480M', '--workers', 1, '--long-workers', 1, '--io-threads', 1], async (arbiter) => {
    const connection = await connect(arbiter.port);
    connection.write('POST /mine HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 8000000\r\n\r\n');
    await untilTaken(connection);
    arbiter.signal('SIGSTOP'); // so that nothing is read
    connection.write(' '.repeat(4_000_000));
    // A buffer of 64 KiB has room for only one segment: the window would close after each segment, and the client would back off.
    await until('more than 64 KiB are received', () => buffersOf(arbiter.port).some(({ unread }) => unread > 80_000));
    arbiter.signal('SIGCONT');
    connection.reset();
  });
});

test('if four addresses use all connections to the ops port, a fifth address still gets one', async () => {
  await stopped(['--ops-port', 0], async (arbiter) => {
    const taken = [];
    for (const address of [2, 3, 4, 5])
      for (let count = 0; count < 16; count += 1)
        taken.push(await connect(arbiter.opsPort, { localAddress: `127.0.0.${address}` }));
    for (const connection of taken) connection.write(HALF_HEAD);
    await Promise.all(taken.map((connection) => untilTaken(connection))); // from now on, they are waiting
    const probe = await connect(arbiter.opsPort, { localAddress: '127.0.0.6' });
    probe.send({ target: '/readyz' });
    await arbiter.clock.advance(1000);
    await arbiter.clock.advance(100);
    assert.equal((await probe.answer()).status, 200);
    [probe, ...taken].forEach((connection) => connection.close());
  });
});

test('a head on the ops port must be complete in time, even if bytes keep coming', async () => {
  await stopped(LONG_TIMEOUTS, async (arbiter) => {
    const connection = await connect(arbiter.opsPort);
    await connection.write('GET /readyz HTTP/1.1\r\nHost: a\r\nX: ');
    await metricsAt(arbiter.opsPort); // by now, the connection is accepted
    for (let second = 0; second < 29; second += 1) {
      await arbiter.clock.advance(1000);
      await connection.write('a');
    }
    await arbiter.clock.advance(999);
    assert.equal(connection.ended, null);
    await arbiter.clock.advance(1);
    await connection.closed();
  });
});

test('if one address uses all connections that it can get on the ops port, another address still gets one', async () => {
  await stopped(LONG_TIMEOUTS, async (arbiter) => {
    const taken = [];
    for (let client = 0; client < 80; client += 1) {
      const connection = await connect(arbiter.opsPort, { localAddress: '127.0.0.2' });
      connection.write('GET /readyz HTTP/1.1\r\nHost: a\r\nX: ');
      taken.push(connection);
    }
    for (let asked = 0; asked < 20; asked += 1) {
      assert.equal((await ask(arbiter.opsPort, { target: '/readyz' })).status, 200);
      assert.ok((await metricsAt(arbiter.opsPort)).get('arbiter_ready') === 1);
    }
    taken.forEach((connection) => connection.close());
  });
});
