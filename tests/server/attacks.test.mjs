// Malicious clients. Each of these attacks once cost the server more than it cost the client.
//
// Each test fails if the defence that it covers is removed. Responses from all versions of libmicrohttpd are accepted.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import net from 'node:net';
import { test } from 'node:test';

import { STRICT_MICROHTTPD, withArbiter, withStoppedClock } from './arbiter.mjs';
import { ENDLESS, ENDLESS_OPTIONS, HARD, JSON_TYPE, KNOWN, linkTo } from './bodies.mjs';
import { GIVE_UP, connect, formatRequest, until } from './client.mjs';
import { beginEndless } from './long_worker.mjs';
import { metricsAt, refusalsAt, untilMetrics, untilWorkersIdle } from './samples.mjs';
import { untilRead } from './sockets.mjs';

const NEVER = 3600; // seconds: a deadline that is never reached in a test
const [EMPTY_FIELD] = KNOWN;
const LINK = linkTo('/mine', { board: ['...'] });

/** A valid body, padded with spaces to this many bytes. If it is over 4 KiB, it needs memory from the account. */
const longBody = (bytes) => `{"board":["."]}${' '.repeat(bytes - 15)}`;
const posted = (body) => ({ target: '/mine', headers: JSON_TYPE, body });

/** Sends a head that announces a long body, and waits until the server has read it. */
async function announce(arbiter, bytes) {
  const connection = await connect(arbiter.port);
  const headers = { ...JSON_TYPE, 'Content-Length': String(bytes), Expect: '100-continue' };
  connection.expect('POST');
  await connection.write(formatRequest({ method: 'POST', target: '/mine', headers }));
  await connection.continued();
  return connection;
}

/** Opens a connection, writes the parts, and reads until the server hangs up. Resolves to all bytes received. */
function converse(port, parts) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1');
    const lateTimer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`the connection is open after ${GIVE_UP} ms; ${JSON.stringify(text)} came`));
    }, GIVE_UP);
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
    });
    socket.on('error', () => {}); // a reset also ends the connection
    socket.on('close', () => {
      clearTimeout(lateTimer);
      resolve(text);
    });
    socket.on('connect', async () => {
      for (const part of parts) {
        if (!socket.destroyed) await new Promise((written) => socket.write(Buffer.from(part, 'latin1'), written));
      }
    });
  });
}

const statuses = (text) => [...text.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map(([, status]) => Number(status));

async function checkAlive(arbiter) {
  assert.equal((await arbiter.ask({ target: '/livez' })).status, 200);
  assert.deepEqual((await arbiter.ask(EMPTY_FIELD.request)).json(), EMPTY_FIELD.json);
}

/** Waits until a request that ended for this reason is logged. */
function logged(arbiter, reason) {
  return until(`the log has ${reason}`, () => arbiter.log.find((line) => line.reason === reason));
}

// --- memory -------------------------------------------------------------------------------------------------------

test('bodies that are announced but not sent take no memory from other clients', async () => {
  await withArbiter(['--body-timeout', NEVER], async (arbiter) => {
    const { max_body_bytes: most, max_inflight_bytes: room } = await arbiter.limits();
    const silent = [];
    for (let i = 0; i < room / most + 4; i += 1) silent.push(await announce(arbiter, most));
    assert.equal((await arbiter.ask(posted(longBody(100_000)))).status, 200);
    for (const { request } of KNOWN) assert.equal((await arbiter.ask(request)).status, 200);
    for (const connection of silent) connection.close();
  });
});

test('small requests are served while the account is full', async () => {
  await withArbiter(['--max-inflight-bytes', 200_000, '--body-timeout', NEVER], async (arbiter) => {
    const hoarder = await announce(arbiter, 200_000);
    await hoarder.write(' '.repeat(199_000));
    await untilRead(arbiter);
    const refused = await arbiter.ask(posted(longBody(8_000)));
    assert.equal(refused.status, 503);
    assert.equal(refused.header('retry-after'), '1');
    assert.equal((await logged(arbiter, 'memory-full')).status, 503);
    // Single cases, a batch, contest format, then a link, and a body of exactly 4 KiB.
    for (const { name, request } of KNOWN) assert.equal((await arbiter.ask(request)).status, 200, name);
    assert.equal((await arbiter.ask({ target: LINK })).status, 200);
    assert.equal((await arbiter.ask(posted(longBody(4096)))).status, 200);
    assert.equal((await arbiter.ask(posted(longBody(8_000)))).status, 503, 'the account is still full');
    hoarder.close();
    await until('the account has space again', async () => (await arbiter.ask(posted(longBody(8_000)))).status === 200);
  });
});

// --- heads --------------------------------------------------------------------------------------------------------

test('an empty or folded Content-Length or Transfer-Encoding is answered 400, and the bytes after the request are ignored', async () => {
  const hidden = 'GET /version HTTP/1.1\r\nHost: a\r\n\r\n';
  const framings = [
    'Content-Length:\r\n 38', 'Content-Length:\r\n\t38', 'Content-Length: \r\n \r\n 38', 'Content-Length: 3\r\n 8',
    'Content-Length:', 'Content-Length: ', 'Content-Length: +38', 'Content-Length: -38', 'Content-Length: 3 8',
    'Transfer-Encoding:\r\n chunked', 'Transfer-Encoding:\r\n\tchunked', 'Transfer-Encoding: \r\n chunked',
    'Transfer-Encoding:', 'Transfer-Encoding: ', 'Transfer-Encoding: chun\r\n ked', 'Transfer-Encoding: ,chunked',
    'X: a\r\nTransfer-Encoding:\r\n chunked\r\nContent-Length: 38',
  ];
  await withArbiter(['--head-timeout', NEVER, '--body-timeout', NEVER], async (arbiter) => {
    for (const method of ['POST /mine', 'GET /livez']) {
      for (const framing of framings) {
        const text = await converse(arbiter.port, [`${method} HTTP/1.1\r\nHost: a\r\n${framing}\r\n\r\n${hidden}`]);
        const found = statuses(text);
        // libmicrohttpd may answer that the coding is unknown.
        const expected = STRICT_MICROHTTPD && framing.includes('Transfer-Encoding') && found[0] === 501 ? [501] : [400];
        assert.deepEqual(found, expected, `${method} ${JSON.stringify(framing)}:\n${text}`);
        assert.ok(!text.includes('"commit"'), `what is behind ${JSON.stringify(framing)} is answered:\n${text}`);
      }
    }
    await checkAlive(arbiter);
  });
});

/** Sends a head, in one piece and in two. Each time it must be answered exactly once, or the connection closed without an answer. */
async function checkHead(arbiter, name, head) {
  const half = head.length >> 1;
  for (const parts of [[head], [head.slice(0, half), head.slice(half)]]) {
    const text = await converse(arbiter.port, parts);
    const found = statuses(text);
    assert.ok(found.length <= 1, `${name} is answered ${found.length} times:\n${text}`);
    assert.ok(found.every((status) => [400, 414, 431].includes(status)), `${name}:\n${text}`);
  }
}

const list = (count, separator) => Array.from({ length: count }, (_, i) => `p${i}=${i}`).join(separator);

test('hundreds of query parameters are refused immediately', async () => {
  await withArbiter(['--head-timeout', NEVER], async (arbiter) => {
    for (const count of [150, 300, 500, 2_000]) {
      await checkHead(arbiter, `${count} parameters`, `GET /livez?${list(count, '&')} HTTP/1.1\r\nHost: a\r\n\r\n`);
      await checkHead(arbiter, `${count} bare &`, `GET /livez?${'&'.repeat(count)} HTTP/1.1\r\nHost: a\r\n\r\n`);
    }
    assert.equal((await arbiter.ask({ target: `/livez?${list(50, '&')}` })).status < 500, true);
    await checkAlive(arbiter);
    // libmicrohttpd itself refuses this head after its request line. It must not be logged as a second request, without a status.
    await checkHead(arbiter, 'no memory for the headers', `GET /go?${'&x'.repeat(1000)} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await checkAlive(arbiter);
    const refused = arbiter.log.filter(({ reason }) => reason === 'head').map(({ status }) => status);
    assert.ok(refused.length > 0);
    assert.deepEqual(refused.filter((status) => status !== 400), []);
  });
});

test('a target that leaves no space for headers is refused immediately', async () => {
  await withArbiter(['--head-timeout', NEVER], async (arbiter) => {
    for (const bytes of [21_000, 26_000, 30_000, 32_000, 32_500, 32_600, 32_700, 32_740, 33_000, 100_000]) {
      for (const count of [0, 50, 100]) {
        const target = `/livez?${'&'.repeat(count)}${'x'.repeat(bytes - count)}`;
        await checkHead(arbiter, `${bytes} bytes, ${count} of them &`, `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
      }
    }
    await checkAlive(arbiter);
  });
});

test('a request with hundreds of cookies is answered once', async () => {
  await withArbiter(['--head-timeout', NEVER], async (arbiter) => {
    const cookies = [
      ...[500, 1_000, 3_000].flatMap((count) => ['; ', ';', ' ;'].map((separator) => list(count, separator))),
      ...['a;', 'a=;', 'a="b";', 'a=b; '].flatMap((cookie) => [1_000, 5_000].map((count) => cookie.repeat(count))),
    ].filter((value) => value.length < 31_000);
    for (const value of cookies) {
      const name = `${value.length} bytes of cookies like ${value.slice(0, 12)}`;
      // A head without any other fault is answered as usual.
      const text = await converse(arbiter.port,
        [`GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\nCookie: ${value}\r\n\r\n`]);
      assert.ok(statuses(text).length <= 1, `${name} are answered twice:\n${text}`);
      assert.ok(statuses(text).every((status) => [200, 400, 431].includes(status)), `${name}:\n${text}`);
    }
    await checkAlive(arbiter);
  });
});

test('heads of many small headers, and of more than 32 KiB, are answered once', async () => {
  await withArbiter(['--head-timeout', NEVER], async (arbiter) => {
    for (const line of ['a:\r\n', 'Cookie: a=1\r\n', 'X: y\r\n']) {
      for (const count of [1_000, 3_000]) {
        const head = `GET /livez HTTP/1.1\r\nHost: a\r\n${line.repeat(count)}\r\n`;
        await checkHead(arbiter, `${count} times ${line}`, head);
      }
    }
    for (const bytes of [33_000, 60_000, 1_000_000]) {
      const begin = 'GET /livez HTTP/1.1\r\nHost: a\r\nX: ';
      await checkHead(arbiter, `a header of ${bytes}`, `${begin}${'x'.repeat(bytes)}\r\n\r\n`);
      await checkHead(arbiter, `${bytes} bytes of folds`, `${begin}x\r\n${' y\r\n'.repeat(bytes / 4)}\r\n`);
    }
    await checkAlive(arbiter);
  });
});

test('all headers of a long head are read', async () => {
  await withArbiter(['--cors-origin', 'https://a.example'], async (arbiter) => {
    for (const count of [0, 46, 47, 48, 49, 200]) {
      const many = Array.from({ length: count }, (_, index) => [`X-${index}`, 'y']);
      const answer = await arbiter.ask({
        target: '/mine',
        headers: [...many, ['Content-Type', 'application/json'], ['X-Request-Id', 'last'], ['Origin', 'https://a.example']],
        body: '{"board":["..."]}',
      });
      assert.equal(answer.status, 200, `${count}: ${answer}`);
      assert.equal(answer.header('x-request-id'), 'last', `${count} before it`);
      assert.equal(answer.header('access-control-allow-origin'), 'https://a.example', `${count} before it`);
    }
  });
});

test('among many incomplete heads, only the malformed ones are refused', async () => {
  await withArbiter(['--head-timeout', NEVER], async (arbiter) => {
    const begin = async (line) => {
      const connection = await connect(arbiter.port);
      connection.expect('GET');
      await connection.write(`${line} HTTP/1.1\r\nHost: a\r\n`);
      assert.equal((await arbiter.ask({ target: '/livez' })).status, 200); // this means that the server has read the incomplete head
      return connection;
    };
    const [before, broken, after] = [[], [], []];
    for (let i = 0; i < 5; i += 1) {
      before.push(await begin('GET /version'));
      broken.push(await begin('POST /mine'));
      after.push(await begin('GET /version'));
    }
    for (const connection of broken) {
      await connection.write('Content-Length: x\r\n\r\n');
      assert.equal((await connection.answer()).status, 400);
      await connection.closed();
      assert.equal(connection.unread, 0);
    }
    for (const connection of [...before, ...after]) {
      await connection.write('\r\n');
      assert.equal((await connection.answer()).status, 200);
      connection.close();
    }
  });
});

// --- descriptors --------------------------------------------------------------------------------------------------

/** The log lines for an event; there must be at most one a second. */
function linesOfEvent(arbiter, event) {
  const lines = arbiter.log.filter((line) => line.event === event);
  const times = lines.map(({ time }) => Date.parse(time));
  const gaps = times.slice(1).map((time, index) => time - times[index]);
  assert.ok(gaps.every((gap) => gap >= 990), `${event} is logged every ${gaps} ms`);
  return lines;
}

const limitDescriptors = (arbiter, count) => {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(arbiter.pid), `--nofile=${count}:1024`]);
  assert.equal(status, 0, String(stderr));
};

test('when no descriptors are left, the log says so once a second, and the service recovers', async () => {
  await withArbiter(['--head-timeout', NEVER], async (arbiter) => {
    // 80 descriptors allow 40 connections. The other clients wait until some are closed, then take their places.
    const crowd = await Promise.all(Array.from({ length: 60 }, () => connect(arbiter.port)));
    await until('the log has connections-full', () => linesOfEvent(arbiter, 'connections-full').length > 0);
    const waiting = arbiter.ask({ target: '/livez' });
    await until('the log has it again', async () => {
      crowd.shift()?.close();
      if (crowd.length < 50) crowd.push(await connect(arbiter.port));
      return linesOfEvent(arbiter, 'connections-full').length > 1;
    });
    const [, second] = linesOfEvent(arbiter, 'connections-full');
    assert.ok(second.suppressed > 0, JSON.stringify(second));
    for (const connection of crowd) connection.close();
    assert.equal((await waiting).status, 200);
    await checkAlive(arbiter);
  }, { under: ['prlimit', '--nofile=80:80'] });
});

test('with few descriptors both ports can be full, and every connection is accepted', async () => {
  const alive = async (connection) => {
    connection.send({ target: '/livez' });
    assert.equal((await connection.answer()).status, 200);
    return connection;
  };
  await withArbiter(['--ops-port', 0, '--head-timeout', NEVER], async (arbiter) => {
    const most = (await metricsAt(arbiter.opsPort)).get('arbiter_connections_limit');
    // The ops port accepts 64 connections, at most 16 of them from one address.
    const addresses = Array.from({ length: 64 }, (_, at) => `127.0.0.${2 + (at >> 4)}`);
    const probes = await Promise.all(addresses.map((localAddress) => connect(arbiter.opsPort, { localAddress }).then(alive)));
    const crowd = [];
    for (let n = 0; n < most; n += 1) {
      crowd.push(await connect(arbiter.port));
      let accepted = false;
      alive(crowd.at(-1)).then(() => { accepted = true; }, () => {});
      await until('it is accepted, or not', () => accepted || linesOfEvent(arbiter, 'no-descriptor').length > 0, { every: 1 });
      assert.deepEqual(linesOfEvent(arbiter, 'no-descriptor'), [], `${n} of ${most} are accepted`);
    }
    // The next client waits because the connection limit is reached, not because descriptors have run out.
    crowd.push(await connect(arbiter.port));
    await until('the log says that all are taken', () => linesOfEvent(arbiter, 'connections-full').length > 0);
    assert.deepEqual(linesOfEvent(arbiter, 'no-descriptor'), []);
    await Promise.all(probes.map(alive));
    for (const connection of [...crowd, ...probes]) connection.close();
  }, { under: ['prlimit', '--nofile=140:140'], leaks: false /* the test itself uses every connection */ });
});

test('when the descriptor limit is lowered at run time, the program logs it, does not retry in a busy loop, and recovers', async () => {
  await withArbiter(['--head-timeout', NEVER], async (arbiter) => {
    const idle = await connect(arbiter.port);
    await checkAlive(arbiter);
    const untilLogged = (count) => until('the log tells of it', () => linesOfEvent(arbiter, 'no-descriptor').length >= count);
    // While a connection is open, new clients wait until it closes.
    limitDescriptors(arbiter, 8);
    const waiting = arbiter.ask({ target: '/livez' });
    await untilLogged(1);
    limitDescriptors(arbiter, 1024);
    idle.close();
    assert.equal((await waiting).status, 200);
    // While none is open, the program pauses before each retry.
    const requests = () => arbiter.log.filter(({ event }) => event === 'request').length;
    await until('every connection is closed', () => requests() >= 3);
    limitDescriptors(arbiter, 8);
    const later = arbiter.ask({ target: '/livez' });
    await untilLogged(3);
    const [, , third] = linesOfEvent(arbiter, 'no-descriptor');
    assert.ok(third.suppressed <= 300, `it has tried ${third.suppressed} times in a second`);
    limitDescriptors(arbiter, 1024);
    assert.equal((await later).status, 200);
    await checkAlive(arbiter);
  }, { under: ['prlimit', '--nofile=1024:1024'] });
});

// --- slow clients -------------------------------------------------------------------------------------------------

const MANY = 20;
const HEAD = 10_000; // milliseconds, the default of --head-timeout
const BODY = 30_000;

/** Writes `bytes` bytes on each connection, one at a time, spread over `milliseconds` of the program's clock. */
async function writeSlowly(arbiter, connections, bytes, milliseconds) {
  for (let byte = 0; byte < bytes; byte += 1) {
    for (const connection of connections) await connection.write('x');
    await untilRead(arbiter);
    await arbiter.clock.advance(milliseconds / bytes - 1);
    assert.deepEqual(connections.filter(({ ended }) => ended !== null), [], `after byte ${byte}`);
  }
  await arbiter.clock.advance(bytes);
  await Promise.all(connections.map((connection) => connection.closed()));
}

test('connections whose heads arrive byte by byte are closed, and logged if the request line is complete', async () => {
  await withStoppedClock([], async (arbiter) => {
    const connections = await Promise.all(Array.from({ length: MANY }, () => connect(arbiter.port)));
    for (const connection of connections.slice(MANY / 2)) await connection.write('GET /livez HTTP/1.1\r\nX: ');
    await untilMetrics(arbiter, 'all are accepted', (at) => at('arbiter_connections') === MANY + arbiter.idle);
    await writeSlowly(arbiter, connections, 4, HEAD);
    const logged = () => arbiter.log.filter(({ reason }) => reason === 'head-timeout');
    await until('they are logged', () => logged().length === MANY / 2);
    assert.ok(logged().every(({ status }) => status === 0));
    assert.equal((await metricsAt(arbiter.opsPort)).get('arbiter_timeouts_total{stage="head"}'), MANY / 2);
    await checkAlive(arbiter);
  }, { leaks: false }); // the default head timeout would also close the idle connections of the leak check
});

test('a request whose body arrives byte by byte is answered 408 and logged, and its connection is closed', async () => {
  await withStoppedClock([], async (arbiter) => {
    const connections = await Promise.all(Array.from({ length: MANY }, () => announce(arbiter, 300)));
    await writeSlowly(arbiter, connections, 4, BODY);
    const logged = () => arbiter.log.filter(({ reason }) => reason === 'body-timeout');
    await until('they are logged', () => logged().length === MANY);
    assert.ok(logged().every(({ status, bytes_in: bytes }) => status === 408 && bytes === 4), JSON.stringify(logged()));
    await checkAlive(arbiter);
  });
});

// --- clients that vanish ------------------------------------------------------------------------------------------

const WAYS = { close: 'close', 'half-close': 'halfClose', reset: 'reset' };

for (const [name, way] of Object.entries(WAYS)) {
  test(`work is cancelled when its client disconnects (${name}), whether it is being solved or is waiting`, async () => {
    await withStoppedClock([...ENDLESS_OPTIONS, '--workers', 1, '--long-workers', 1], async (arbiter) => {
      const clients = await Promise.all(Array.from({ length: 6 }, () => connect(arbiter.port)));
      for (const client of clients) await client.send(ENDLESS);
      await untilMetrics(arbiter, 'the long worker is at one, and the others wait for it', (at) =>
        at('arbiter_workers_busy{lane="long"}') === 1 && at('arbiter_queue_jobs{lane="long"}') === clients.length - 1);
      for (const client of clients.reverse()) client[way]();
      const lines = () => arbiter.log.filter(({ reason }) => reason === 'client-gone');
      // A client that has half-closed may still want its answer, so its work continues for a second.
      const step = way === 'reset' ? 0 : 1000;
      await arbiter.clock.advanceUntil('every one of them is over', step, () => lines().length === clients.length);
      await untilWorkersIdle(arbiter);
      assert.ok(lines().every(({ status, lane }) => status === 0 && lane !== 'io'), JSON.stringify(lines()));
      await checkAlive(arbiter);
      for (const client of clients) client.close();
    });
  });
}

// --- the queue ----------------------------------------------------------------------------------------------------

test('a job that waits longer than --max-wait for its first turn is answered 503', async () => {
  const count = 50; // the program reads all of them before the short worker has solved one
  await withStoppedClock([...ENDLESS_OPTIONS, '--workers', 1, '--long-workers', 1, '--max-wait', 10], async (arbiter) => {
    const busy = await beginEndless(arbiter); // keeps the long worker busy, so that no other job is solved
    const clients = await Promise.all(Array.from({ length: count }, () => connect(arbiter.port)));
    for (const client of clients) client.send(HARD);
    await untilMetrics(arbiter, 'all are in hand', (at) => at('arbiter_requests_in_flight') === count + 1);
    await arbiter.clock.advance(10_001);
    await untilMetrics(arbiter, 'each has had its turn', (at) =>
      at('arbiter_requests_in_flight') === at('arbiter_queue_jobs{lane="long"}') + 1);
    const found = (await refusalsAt(arbiter.opsPort))['max-wait'];
    assert.ok(found > 0, 'some waited for too long');
    const refused = () => clients.filter(({ unread }) => unread === 1);
    await until('all refusals have come', () => refused().length === found);
    for (const client of refused()) {
      const answer = await client.answer();
      assert.equal(answer.status, 503, `${answer}`);
      assert.equal(answer.header('retry-after'), '1');
      assert.equal(answer.json().type, '/problems/overloaded');
      assert.match(answer.json().detail, /waited/);
      client.send(EMPTY_FIELD.request); // the connection stays open
      assert.equal((await client.answer()).status, 200);
    }
    await until('the log has all', () => arbiter.log.filter(({ reason }) => reason === 'max-wait').length === found);
    for (const client of [busy, ...clients]) client.reset();
    await untilWorkersIdle(arbiter);
  });
});

// --- the log ------------------------------------------------------------------------------------------------------

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SECRET = 'k3y0f7h3d00r';

/** Sends a request with this X-Request-Id, and waits for its log line. */
async function line(arbiter, id, request) {
  await arbiter.ask({ ...request, headers: { ...request.headers, 'X-Request-Id': id } });
  return until(`the log has ${id}`, () => arbiter.log.find(({ request_id: found }) => found === id));
}

test('the log uses X-Forwarded-For only if it comes from the trusted proxy', async () => {
  const forwarded = (value) => ({ target: '/livez', headers: { 'X-Forwarded-For': value } });
  await withArbiter([], async (arbiter) => {
    assert.equal((await line(arbiter, 'a', forwarded('198.51.100.7'))).peer, '127.0.0.1');
  });
  await withArbiter(['--trusted-proxy', '192.0.2.1'], async (arbiter) => {
    assert.equal((await line(arbiter, 'b', forwarded('198.51.100.7'))).peer, '127.0.0.1');
  });
  await withArbiter(['--trusted-proxy', '127.0.0.1'], async (arbiter) => {
    assert.equal((await line(arbiter, 'c', { target: '/livez' })).peer, '127.0.0.1');
    assert.equal((await line(arbiter, 'd', forwarded('198.51.100.7'))).peer, '198.51.100.7');
    // The proxy adds the last address; everything before it came from the client.
    assert.equal((await line(arbiter, 'e', forwarded('10.0.0.1, 198.51.100.7'))).peer, '198.51.100.7');
    assert.equal((await line(arbiter, 'f', forwarded('2001:db8::1'))).peer, '2001:db8::1');
    assert.equal((await line(arbiter, 'g', forwarded('x'.repeat(100)))).peer, '127.0.0.1');
    assert.equal((await line(arbiter, 'h', forwarded(''))).peer, '127.0.0.1');
    // If there are two headers, the last one is used, because the proxy added it.
    const twice = { target: '/livez', headers: [['X-Forwarded-For', '10.0.0.1'], ['X-Forwarded-For', '198.51.100.7'],
      ['X-Request-Id', 'i']] };
    await arbiter.ask(twice);
    const found = await until('the log has the request', () => arbiter.log.find(({ request_id: id }) => id === 'i'));
    assert.equal(found.peer, '198.51.100.7');
  });
});

test('a log line describes a request, but never includes its content', async () => {
  await withArbiter([], async (arbiter) => {
    const members = ['time', 'level', 'event', 'request_id', 'method', 'route', 'status', 'bytes_in', 'bytes_out',
      'lane', 'waited_ms', 'worked_ms', 'peer'];
    const traced = { ...JSON_TYPE, traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
    const small = await line(arbiter, 'small',
      { target: '/mine', headers: traced, body: JSON.stringify({ id: SECRET, board: ['...'] }) });
    assert.deepEqual(Object.keys(small).sort(), [...members, 'trace_id'].sort());
    assert.equal(small.trace_id, TRACE);
    assert.equal(small.level, 'info');
    assert.equal(small.lane, 'io');
    assert.deepEqual([small.method, small.route, small.status, small.peer], ['POST', '/mine', 200, '127.0.0.1']);
    const long = await line(arbiter, 'long', posted(longBody(100_000)));
    assert.deepEqual(Object.keys(long).sort(), [...members].sort());
    assert.equal(long.lane, 'short');
    assert.equal(long.bytes_in, 100_000);
    assert.ok(long.bytes_out > 0);
    const link = await line(arbiter, 'link', { target: linkTo('/mine', { id: SECRET, board: ['...'] }) });
    assert.deepEqual([link.method, link.route, link.status], ['GET', '/mine', 200]);
    const unknown = await line(arbiter, 'unknown', { target: `/${SECRET}?${SECRET}` });
    assert.deepEqual([unknown.route, unknown.status], [undefined, 404]);
    const headers = { traceparent: SECRET, Cookie: SECRET };
    for (const [index, wrong] of [`00-${TRACE}`, `ff-${TRACE}-b7ad6b7169203331-01`, `00-${TRACE}_b7ad6b7169203331-01`,
      `00-${TRACE.toUpperCase()}-b7ad6b7169203331-01`].entries()) {
      const found = await line(arbiter, `trace-${index}`, { target: '/livez', headers: { traceparent: wrong } });
      assert.equal(found.trace_id, undefined, wrong);
    }
    await line(arbiter, 'broken', { target: `/go?${SECRET}=1`, headers, body: SECRET });
    assert.ok(!arbiter.stderr.includes(SECRET), arbiter.stderr);
    assert.deepEqual(arbiter.noise, []);
  });
});
