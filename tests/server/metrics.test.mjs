// Tests of the metrics. Counters are compared with the log, gauges with the requests known to be in flight. tests/deploy checks the
// format with promtool.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';

import { LOOPS, STRICT_MICROHTTPD, run, start, withArbiter } from './arbiter.mjs';
import { askAllKinds } from './all_kinds.mjs';
import { ENDLESS_OPTIONS, HARD, JSON_TYPE, hardBoard, randomFrom } from './bodies.mjs';
import { ask, connect, formatRequest, until } from './client.mjs';
import { ONE_LONG_WORKER, beginEndless, sendLong } from './long_worker.mjs';
import { metricsAt, samplesOf, untilMetrics } from './samples.mjs';

/** Counts the requests in the log for each value returned by `key`. */
function countLog(arbiter, key) {
  const counts = new Map();
  for (const line of arbiter.log.filter(({ event }) => event === 'request')) {
    const name = key(line);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

test('the counts of requests by route and status match the log, and labels never contain text from clients', async () => {
  await withArbiter(['--ops-port', 0], async (arbiter) => {
    await askAllKinds(arbiter);
    const wanted = (samples) => samplesOf(samples, 'arbiter_requests_total').filter(([, value]) => value !== 0);
    let samples;
    const logged = () => countLog(arbiter, ({ route, status }) => `${route ?? 'none'} ${status === 0 ? 'none' : status}`);
    await until('the last request has ended, and is counted', async () => {
      samples = await metricsAt(arbiter.opsPort);
      const total = wanted(samples).reduce((sum, [, value]) => sum + value, 0);
      return total >= 17 && total === [...logged().values()].reduce((sum, value) => sum + value, 0);
    });
    assert.deepEqual(new Map(wanted(samples).map(([{ route, status }, value]) => [`${route} ${status}`, value]).sort()),
      new Map([...logged()].sort()));
    assert.equal(samples.get('arbiter_requests_total{route="none",status="404"}'), 1);
    assert.ok(samples.get('arbiter_search_states_total') >= 2000);
    // The request with two Host headers.
    assert.equal(samples.get(`arbiter_refusals_total{reason="${STRICT_MICROHTTPD ? 'head' : 'framing'}"}`), 1);
  });
});

test('statuses used in alerts have a series from the start, so that the first occurrence shows up as an increase', async () => {
  await withArbiter(['--ops-port', 0], async (arbiter) => {
    const samples = await metricsAt(arbiter.opsPort);
    for (const route of ['pawn', 'go', 'mine']) {
      for (const status of [200, 500, 503]) {
        assert.equal(samples.get(`arbiter_requests_total{route="/${route}",status="${status}"}`), 0, `${route} ${status}`);
      }
    }
  });
});

test('clients that send broken chunks are counted separately from clients that disconnect during a body', async () => {
  await withArbiter(['--ops-port', 0], async (arbiter) => {
    for (const [body, reason, name] of [
      ['zz\r\n', 'framing', 'arbiter_refusals_total{reason="framing"}'],
      ['3\r\n{"b', 'connection-lost', 'arbiter_clients_gone_total'],
    ]) {
      const connection = await connect(arbiter.port);
      connection.expect('POST');
      connection.write(`POST /pawn HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${body}`);
      if (reason === 'framing') {
        assert.equal((await connection.answer()).status, 400);
      } else {
        await until('the head has arrived', async () => (await metricsAt(arbiter.opsPort)).get('arbiter_requests_in_flight') === 1);
        connection.reset();
      }
      const line = await until('it is logged', () => arbiter.log.find((one) => one.event === 'request' && one.reason === reason));
      assert.deepEqual([line.level, line.route, line.status], ['warn', '/pawn', 0]);
      assert.equal((await metricsAt(arbiter.opsPort)).get(name), 1);
      connection.close();
    }
  });
});

test('a client that disconnects while its body is being discarded is not counted as refused', () => withArbiter(
  ['--ops-port', 0, '--max-body-bytes', 1024, '--log-level', 'debug'],
  async (arbiter) => {
    const connection = await connect(arbiter.port);
    const head = 'POST /pawn HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    connection.write(`${head}7d0\r\n${' '.repeat(2000)}\r\n`);
    await until('its body is dropped', () => arbiter.log.some(({ event, is }) => event === 'exchange' && is === 'drop'));
    connection.reset();
    const line = await until('it is logged', () => arbiter.log.find(({ event }) => event === 'request'));
    assert.deepEqual([line.route, line.status, line.reason], ['/pawn', 0, 'connection-lost']);
    const samples = await metricsAt(arbiter.opsPort);
    assert.equal(samples.get('arbiter_clients_gone_total'), 1);
    assert.equal(samples.get('arbiter_refusals_total{reason="too-large"}'), 0);
  },
));

test('a request whose body is dropped is logged and counted with the reason for which it was dropped', () => withArbiter(
  ['--ops-port', 0, '--max-inflight-bytes', 100_000, '--max-body-bytes', 200_000, '--log-level', 'debug'],
  async (arbiter) => {
    const head = formatRequest({ method: 'POST', target: '/pawn', headers: { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' } });
    const chunk = `${(10_000).toString(16)}\r\n${' '.repeat(10_000)}\r\n`;
    const count = (of) => arbiter.log.filter(of).length;
    const drops = () => count(({ event, is }) => event === 'exchange' && is === 'drop');
    const requests = () => arbiter.log.filter(({ event }) => event === 'request');
    const send = async (bytes) => {
      const connection = await connect(arbiter.port), before = drops();
      connection.expect('POST');
      await connection.write(head + chunk.repeat(bytes / 10_000));
      await until('the body is being dropped', () => drops() > before);
      return connection;
    };
    const logged = async (status, reason) => {
      const number = Object.values(expected).reduce((sum, each) => sum + each, 1);
      const line = await until('it is logged', () => requests()[number - 1]);
      assert.deepEqual([line.level, line.status, line.reason], ['warn', status, reason]);
      expected[reason] = (expected[reason] ?? 0) + 1;
    };
    const expected = {};
    // The account is charged for the body, and the service is not asked for more than the limit on bodies.
    for (const bytes of [150_000, 300_000]) {
      const connection = await send(bytes);
      connection.write('0\r\n\r\n');
      assert.equal((await connection.answer()).status, 503);
      await logged(503, 'memory-full');
      connection.close();
    }
    const gone = await send(150_000);
    gone.reset();
    await logged(0, 'connection-lost');
    const endless = await send(150_000);
    endless.write(chunk.repeat(50));
    await logged(0, 'memory-full');
    endless.close();
    const samples = await metricsAt(arbiter.opsPort);
    assert.equal(samples.get('arbiter_refusals_total{reason="memory-full"}'), expected['memory-full']);
    assert.equal(samples.get('arbiter_clients_gone_total'), expected['connection-lost']);
  },
));

test('a request whose body exceeds its limit is logged as too large, however much of it is read', () => withArbiter(
  ['--ops-port', 0, '--max-body-bytes', 1000],
  async (arbiter) => {
    for (const [bytes, end, status] of [[1500, '0\r\n\r\n', 413], [3000, '', 0]]) {
      const connection = await connect(arbiter.port);
      connection.expect('POST');
      await connection.write(formatRequest({ method: 'POST', target: '/pawn', headers: { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' } }));
      connection.write(`${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n${end}`);
      const line = await until('it is logged', () => arbiter.log.find((one) => one.event === 'request' && one.status === status));
      assert.deepEqual([line.level, line.reason], ['warn', 'too-large']);
      connection.close();
    }
    assert.equal((await metricsAt(arbiter.opsPort)).get('arbiter_refusals_total{reason="too-large"}'), 2);
  },
));

test('a request that is refused before its head is complete is never counted as in flight', () => withArbiter(
  ['--io-threads', 1],
  async (arbiter) => {
    const refused = await Promise.all(Array.from({ length: 8 }, () => connect(arbiter.port)));
    const reader = await connect(arbiter.port);
    for (const connection of [...refused, reader]) connection.expect('GET');
    // All are read in the same round: while the metrics are written, the connections of the others are not closed yet.
    arbiter.signal('SIGSTOP');
    for (const connection of refused) await connection.write(`GET /livez?${'&'.repeat(200)} HTTP/1.1\r\nHost: a\r\n`);
    await reader.write(formatRequest({ target: '/metrics' }));
    arbiter.signal('SIGCONT');
    assert.match((await reader.answer()).text(), /^arbiter_requests_in_flight 1$/m, 'the request for the metrics itself');
    for (const connection of refused) assert.equal((await connection.answer()).status, 400);
    for (const connection of [...refused, reader]) connection.close();
  },
));

test('fields whose verdict is Unknown are counted, whichever thread searched them, and so are the states', () => withArbiter(
  ['--ops-port', 0],
  async (arbiter) => {
    const small = ['..*...**', '........', '*...*...'], large = hardBoard(randomFrom(1));
    let count = 0, searched = 0;
    const solve = async (board, states, expected, headers = {}) => {
      const answer = await arbiter.ask({ target: '/mine', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify({ board, states }) });
      assert.equal(answer.status, 200);
      if (headers.Accept === undefined) assert.equal(answer.json().verdict === 'Unknown', expected);
      count += expected ? 1 : 0;
      const samples = await metricsAt(arbiter.opsPort), before = searched;
      assert.equal(samples.get('arbiter_unknown_total'), count);
      searched = samples.get('arbiter_search_states_total');
      assert.ok(searched > before, `${searched} states, ${before} before`);
    };
    await solve(small, 1, true);
    await solve(small, 1000, false);
    await solve(small, 1, true, { Accept: 'image/svg+xml' });
    await solve(large, 1, true);
    await solve(large, 50_000, true); // started by a short worker, then started again by a long one
    const lanes = await until('all are logged', () => {
      const requests = arbiter.log.filter(({ event }) => event === 'request');
      return requests.length === 5 && requests.map(({ lane }) => lane);
    });
    assert.deepEqual([lanes[0], lanes.at(-1)], ['io', 'long']);
  },
));

test('each request that libmicrohttpd itself answers is counted and logged exactly once', async () => {
  const good = 'GET /version HTTP/1.1\r\nHost: a\r\n\r\n';
  const chunked = 'POST /mine HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
  const heads = [
    'GET /version HTTP/9.9\r\nHost: a\r\n\r\n', // refused because of its first line
    'GET /version HTTP/1.1\r\nHost: a\r\nX-Filler\r\n\r\n', // refused because of a later line
    `GET /version HTTP/1.1\r\nHost: a\r\nX-Filler: ${'a'.repeat(100_000)}\r\n\r\n`,
    `${good}GET /version HTTP/9.9\r\nHost: a\r\n\r\n`, // the second request on its connection
  ];
  const bodies = [`${chunked}zz\r\n`, `${chunked}fffffffffffffffff\r\n`];
  await withArbiter(['--ops-port', 0], async (arbiter) => {
    const clients = [...heads, ...bodies].flatMap((bytes) => [{ bytes, halfCloses: false }, { bytes, halfCloses: true }]);
    for (const client of clients) client.connection = await connect(arbiter.port);
    const idle = await connect(arbiter.port);
    // All are read in the same round, so each one is refused before the one before it has been answered.
    arbiter.signal('SIGSTOP');
    idle.close();
    const written = clients.map(async ({ bytes, halfCloses, connection }) => {
      connection.expect('GET');
      connection.expect('GET');
      await connection.write(bytes);
      if (halfCloses) connection.halfClose();
    });
    await Promise.all(written.filter((_, index) => clients[index].bytes.length < 1000));
    arbiter.signal('SIGCONT');
    for (const { bytes, connection } of clients) {
      if (bytes.startsWith(good)) assert.equal((await connection.answer()).status, 200);
      const answer = await connection.answer();
      assert.equal(answer.header('x-request-id'), undefined, `not an answer of libmicrohttpd: ${answer}`);
      await connection.closed();
      assert.equal(connection.unread, 0);
    }
    const expected = { 'head undefined': 2 * heads.length, 'framing /mine': 2 * bodies.length, 'undefined /version': 2 };
    const logged = () => Object.fromEntries(countLog(arbiter, ({ reason, route }) => `${reason} ${route}`));
    await until('all are logged', () => isDeepStrictEqual(logged(), expected));
    for (const line of arbiter.log.filter(({ reason }) => reason !== undefined)) {
      assert.deepEqual([line.level, line.status, line.peer], ['warn', 0, '127.0.0.1']);
    }
    const samples = await metricsAt(arbiter.opsPort);
    for (const [name, count] of Object.entries({
      'arbiter_refusals_total{reason="head"}': 2 * heads.length,
      'arbiter_refusals_total{reason="framing"}': 2 * bodies.length,
      'arbiter_requests_total{route="none",status="none"}': 2 * heads.length,
      'arbiter_requests_total{route="/mine",status="none"}': 2 * bodies.length,
      arbiter_clients_gone_total: 0,
    })) assert.equal(samples.get(name), count, name);
    assert.deepEqual(logged(), expected);
  });
});

test('time histograms have the same counts and sums as the log, by route and lane, and cumulative buckets', async () => {
  await withArbiter(['--ops-port', 0], async (arbiter) => {
    await askAllKinds(arbiter);
    let samples;
    await until('all are counted', async () => {
      samples = await metricsAt(arbiter.opsPort);
      return samples.get('arbiter_requests_total{route="/pawn",status="405"}') === 1 &&
        countLog(arbiter, ({ route }) => route).get('/pawn') === 2;
    });
    const lines = arbiter.log.filter(({ event }) => event === 'request');
    for (const [name, member] of [['duration', null], ['waiting', 'waited_ms'], ['working', 'worked_ms']]) {
      for (const [{ route, lane }, count] of samplesOf(samples, `arbiter_request_${name}_seconds_count`)) {
        const these = lines.filter((line) => line.route === route && (line.lane ?? 'none') === lane);
        assert.equal(count, these.length, `${name} of ${route} in ${lane}`);
        const sum = samples.get(`arbiter_request_${name}_seconds_sum{route="${route}",lane="${lane}"}`) * 1000;
        if (member !== null) assert.ok(Math.abs(sum - these.reduce((all, line) => all + line[member], 0)) < 0.01, `${name} of ${route}: ${sum}`);
        const buckets = samplesOf(samples, `arbiter_request_${name}_seconds_bucket`).filter(([of]) => of.route === route && of.lane === lane);
        assert.equal(buckets.at(-1)[0].le, '+Inf');
        assert.equal(buckets.at(-1)[1], count);
        for (let b = 1; b < buckets.length; b++) {
          assert.ok(buckets[b][1] >= buckets[b - 1][1]);
          assert.ok(b === buckets.length - 1 || Number(buckets[b][0].le) > Number(buckets[b - 1][0].le));
        }
      }
    }
    for (const [route, lane] of [['/pawn', 'io'], ['/go', 'short'], ['/pawn', 'none']]) {
      assert.ok(samples.has(`arbiter_request_duration_seconds_count{route="${route}",lane="${lane}"}`), `${route} ${lane}`);
    }
    assert.equal(samples.get('arbiter_request_duration_seconds_count{route="/go",lane="short"}'), 1);
  });
});

test('the histograms have the buckets from 1.0 and those added in 1.1', async () => {
  await withArbiter(['--ops-port', 0], async (arbiter) => {
    await askAllKinds(arbiter);
    const samples = await metricsAt(arbiter.opsPort);
    const bounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5, 10, 60, 100, 300];
    for (const [name, label, value] of [['request_duration', 'lane', 'short'], ['request_waiting', 'lane', 'short'],
      ['request_working', 'lane', 'short'], ['answer_duration', 'class', '2xx']]) {
      const buckets = samplesOf(samples, `arbiter_${name}_seconds_bucket`).filter(([of]) => of.route === '/go' && of[label] === value);
      assert.deepEqual(buckets.map(([{ le }]) => le), [...bounds.map(String), '+Inf'], name);
    }
  });
});

test('answer times are counted by status class', async () => {
  await withArbiter(['--ops-port', 0], async (arbiter) => {
    await askAllKinds(arbiter);
    let samples;
    const count = (name) => samplesOf(samples, name);
    await until('the last request has ended', async () => {
      samples = await metricsAt(arbiter.opsPort);
      return samples.get('arbiter_requests_in_flight') === 0 && samples.get('arbiter_connections') === arbiter.idle;
    });
    const wanted = new Map();
    for (const [{ route, status }, value] of count('arbiter_requests_total')) {
      const key = `${route} ${status[0]}xx`;
      if (value !== 0 && /^\/(pawn|go|mine) /.test(key)) wanted.set(key, (wanted.get(key) ?? 0) + value);
    }
    assert.ok(wanted.get('/pawn 4xx') > 0 && wanted.get('/go 2xx') > 0);
    assert.deepEqual(new Map(count('arbiter_answer_duration_seconds_count').map(([of, value]) => [`${of.route} ${of.class}`, value])), wanted);
  });
});

test('byte counts by route match the log', async () => {
  await withArbiter(['--ops-port', 0], async (arbiter) => {
    await askAllKinds(arbiter);
    for (const [name, member] of [['received', 'bytes_in'], ['sent', 'bytes_out']]) {
      await until(`all bytes are ${name}`, async () => {
        const logged = {};
        for (const line of arbiter.log.filter(({ event }) => event === 'request')) {
          const route = line.route ?? 'none';
          logged[route] = (logged[route] ?? 0) + line[member];
        }
        const counted = samplesOf(await metricsAt(arbiter.opsPort), `arbiter_${name}_bytes_total`);
        const some = (counts) => counts.filter(([, bytes]) => bytes !== 0).sort();
        return isDeepStrictEqual(some(counted.map(([{ route }, bytes]) => [route, bytes])), some(Object.entries(logged)));
      });
    }
  });
});

test('the queue metrics show the age of the oldest request and the number of waiting clients', async () => {
  await withArbiter([...ONE_LONG_WORKER, '--ops-port', 0, '--trusted-proxy', '127.0.0.1'], async (arbiter) => {
    const busy = await beginEndless(arbiter);
    const from = (address) => ({ ...HARD, headers: { ...HARD.headers, 'X-Forwarded-For': address } });
    const oldest = (samples, lane) => samples.get(`arbiter_queue_oldest_seconds{lane="${lane}"}`);
    const waiting = await sendLong(arbiter, ['192.0.2.1', '192.0.2.1', '192.0.2.2'].map(from), 3);
    const first = await metricsAt(arbiter.opsPort);
    assert.equal(first.get('arbiter_queue_clients{lane="long"}'), 2);
    assert.ok(oldest(first, 'long') > 0);
    assert.ok(oldest(await metricsAt(arbiter.opsPort), 'long') > oldest(first, 'long'), 'it grows');
    waiting.forEach((connection) => connection.close());
    await untilMetrics(arbiter, 'no client waits', (at) =>
      at('arbiter_queue_clients{lane="long"}') === 0 && at('arbiter_queue_oldest_seconds{lane="long"}') === 0);
    busy.close();
  });
});

test('metrics are compressed if the client accepts gzip, and have no histograms for unused routes', async () => {
  for (const options of [['--ops-port', 0], []]) {
    await withArbiter(options, async (arbiter) => {
      const port = arbiter.opsPort ?? arbiter.port;
      const plain = await ask(port, { target: '/metrics' });
      assert.equal(plain.header('content-encoding'), undefined);
      assert.ok(plain.body.length < 10_000, `${plain.body.length} bytes`);
      assert.doesNotMatch(plain.text(), /_bucket/);
      const packed = await ask(port, { target: '/metrics', headers: { 'Accept-Encoding': 'gzip' } });
      assert.equal(packed.header('content-encoding'), 'gzip');
      const names = (text) => text.split('\n').filter((line) => line.startsWith('# TYPE'));
      assert.deepEqual(names(gunzipSync(packed.body).toString()), names(plain.text()));
    });
  }
});

test('the memory limit in the metrics is the sum that --check prints', async () => {
  const { stdout } = await run(['--check', '--workers', 3]);
  await withArbiter(['--workers', 3, '--ops-port', 0], async (arbiter) => {
    const limit = (await metricsAt(arbiter.opsPort)).get('arbiter_memory_limit_bytes');
    assert.equal(`memory_bytes ${limit}`, /^memory_bytes \d+$/m.exec(stdout)[0]);
  });
});

test('gauges count requests while they are in flight', async () => {
  await withArbiter([...ENDLESS_OPTIONS, '--ops-port', 0, '--workers', 1, '--long-workers', 1, '--queue', 2], async (arbiter) => {
    const hang = await Promise.all([1, 2, 3, 4].map(() => connect(arbiter.port)));
    const body = JSON.stringify({ cases: Array(3).fill({ board: hardBoard(randomFrom(1)) }) });
    let samples;
    const value = (name) => samples.get(name);
    const untilValues = (what, look) => until(what, async () => {
      samples = await metricsAt(arbiter.opsPort);
      return look();
    });
    hang[0].send({ target: '/mine', headers: { ...JSON_TYPE, Accept: 'application/x-ndjson' }, body });
    await untilValues('a long worker is busy, another case waits for it, and a stream is open', () =>
      value('arbiter_workers_busy{lane="long"}') === 1 && value('arbiter_queue_jobs{lane="long"}') === 1 &&
      value('arbiter_streams_open') === 1);
    assert.equal(value('arbiter_workers{lane="long"}'), 1);
    assert.equal(value('arbiter_workers{lane="short"}'), 1);
    assert.equal(value('arbiter_requests_in_flight'), 1);
    assert.equal(value('arbiter_connections'), 4 + arbiter.idle);
    assert.ok(value('arbiter_inflight_bytes') >= body.length);
    assert.equal(value('arbiter_queue_waiting_limit'), 2);
    hang.forEach((connection) => connection.close());
    await untilValues('nothing is in flight', () =>
      ['arbiter_requests_in_flight', 'arbiter_streams_open', 'arbiter_inflight_bytes',
        'arbiter_workers_busy{lane="long"}', 'arbiter_workers_busy{lane="short"}', 'arbiter_queue_jobs{lane="long"}',
        'arbiter_queue_jobs{lane="short"}'].every((name) => value(name) === 0) && value('arbiter_connections') === arbiter.idle);
    assert.equal(value('arbiter_clients_gone_total'), 1);
  });
});

test('refusals are counted by the reason given in the log, and slow clients by stage', async () => {
  const options = ['--ops-port', 0, '--body-timeout', 20, '--head-timeout', 10, '--max-inflight-bytes', 100_000, '--max-body-bytes', 200_000];
  await withArbiter(options, async (arbiter) => {
    const head = (length) => formatRequest({ method: 'POST', target: '/mine', headers: { ...JSON_TYPE, 'Content-Length': length } });
    const [full, slow, silent] = await Promise.all([1, 2, 3].map(() => connect(arbiter.port)));
    full.expect('POST');
    await full.write(head(150_000));
    assert.equal((await full.answer()).status, 503);
    await slow.write(head(10));
    await silent.write('GET / HTTP/1.1\r\nHost: a\r\n');
    await untilMetrics(arbiter, 'the head of the slow one has come', (at) => at('arbiter_requests_in_flight') === 1);
    // Once a request is answered, the event loop has read everything sent before it. The second request covers bytes that were sent
    // together with the first.
    for (let round = 0; round < 2; round += 1) await arbiter.ask({ target: '/livez' });
    for (const [stage, time] of [['head', 10_000], ['body', 10_000]]) {
      const name = `arbiter_timeouts_total{stage="${stage}"}`;
      await arbiter.clock.advance(time - 1);
      assert.equal((await metricsAt(arbiter.opsPort)).get(name), 0);
      await arbiter.clock.advance(1);
      await untilMetrics(arbiter, `the one that is slow in its ${stage} is counted`, (at) => at(name) === 1);
    }
    [full, slow, silent].forEach((connection) => connection.close());
    assert.equal((await metricsAt(arbiter.opsPort)).get('arbiter_refusals_total{reason="memory-full"}'), 1);
    await until('the log has all three', () => countLog(arbiter, ({ reason }) => reason).size === 3);
    assert.deepEqual([...countLog(arbiter, ({ reason }) => reason).keys()].sort(), ['body-timeout', 'head-timeout', 'memory-full']);
  }, { stopClock: true });
});

test('when a request is cut off, the log and the metrics include the time worked in its current turn', async () => {
  await withArbiter([...ONE_LONG_WORKER, '--ops-port', 0], async (arbiter) => {
    const busy = await beginEndless(arbiter); // from here on, the long worker is solving it
    const began = performance.now();
    while (performance.now() - began < 500) await arbiter.ask({ target: '/livez' }); // longer than all earlier turns together
    const worked = performance.now() - began;
    busy.reset();
    const line = await until('it is logged', () => arbiter.log.find(({ reason }) => reason === 'client-gone'));
    assert.ok(line.worked_ms >= worked, `${line.worked_ms} of ${worked} ms`);
    const sum = (await metricsAt(arbiter.opsPort)).get(`arbiter_request_working_seconds_sum{route="${line.route}",lane="long"}`);
    assert.ok(sum * 1000 >= worked, `${sum} s of ${worked} ms`);
  });
});

test('the probes on the ops port report the state of the service until it exits', async () => {
  await withArbiter(['--ops-port', 0, '--drain-delay', 60], async (arbiter) => {
    assert.notEqual(arbiter.opsPort, arbiter.port);
    const probe = async (target, request = {}) => ask(arbiter.opsPort, { target, ...request });
    assert.deepEqual((await probe('/readyz')).json(), { status: 'ok' });
    assert.equal((await metricsAt(arbiter.opsPort)).get('arbiter_ready'), 1);
    for (const target of ['/', '/pawn', '/pawn/', '/limits', '/metrics/', '/readyz/x', '/METRICS']) {
      const answer = await probe(target);
      assert.equal(answer.status, 404, target);
      assert.equal(answer.json().detail, 'this port has only /metrics, /livez and /readyz');
    }
    const refused = await probe('/metrics', { method: 'POST', body: 'x'.repeat(100_000) });
    assert.equal(refused.status, 405);
    assert.equal(refused.header('allow'), 'GET, HEAD');
    assert.equal(refused.header('access-control-allow-origin'), undefined, 'no other page reads the metrics');
    const preflight = await probe('/metrics', { method: 'OPTIONS', headers: { Origin: 'https://a.example' } });
    assert.deepEqual([preflight.status, preflight.header('access-control-allow-origin')], [405, undefined]);
    const forwarded = await probe('/livez', { headers: { 'X-Forwarded-For': '192.0.2.1' } });
    assert.equal(forwarded.status, 200); // and there is no warning, as checked below
    const twice = await probe('/livez', { headers: { 'Content-Length': '5', 'Transfer-Encoding': 'chunked' } });
    assert.equal(twice.status, 400, 'what is wrong with the head is answered as at the other port');
    const headed = await probe('/livez', { method: 'HEAD' });
    assert.equal(headed.status, 200);
    assert.equal(headed.body.length, 0);
    assert.equal((await probe('/readyz?x=1')).status, 200);
    arbiter.signal('SIGTERM');
    await until('it is not ready', async () => (await probe('/readyz')).status === 503);
    assert.equal((await probe('/livez')).status, 200);
    assert.equal((await metricsAt(arbiter.opsPort)).get('arbiter_ready'), 0);
    assert.equal((await arbiter.ask({ target: '/limits' })).status, 200); // still within the drain delay
    assert.deepEqual(arbiter.log.filter(({ event }) => event === 'untrusted-proxy'), []);
    arbiter.signal('SIGTERM');
    await arbiter.leaves({ status: 1 });
  }, { stopClock: true });
});

test('the ops port answers even if the main port accepts no connections', async () => {
  await withArbiter(['--ops-port', 0, '--max-connections', 2 + LOOPS], async (arbiter) => {
    const taken = [await connect(arbiter.port), await connect(arbiter.port)];
    await until('both are counted', async () => (await metricsAt(arbiter.opsPort)).get('arbiter_connections') === 2 + arbiter.idle);
    assert.equal((await metricsAt(arbiter.opsPort)).get('arbiter_connections_limit'), 2 + LOOPS);
    assert.equal((await ask(arbiter.opsPort, { target: '/readyz' })).status, 200);
    assert.equal((await run(['health', '--port', arbiter.port, '--ops-port', arbiter.opsPort])).code, 0);
    taken.forEach((connection) => connection.close());
  });
});

/** The start time of a process according to /proc, in seconds since 1970. */
function startOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /s, '').split(' ');
  const [, boot] = /^btime (\d+)/m.exec(readFileSync('/proc/stat', 'latin1'));
  return Number(boot) + Number(fields[19]) / 100;
}

test('the process metrics agree with /proc', async () => {
  await withArbiter([], async (arbiter) => {
    const before = arbiter.processorTime() / 1000;
    const samples = await metricsAt(arbiter.port); // without --ops-port, they are on the main port
    const after = arbiter.processorTime() / 1000;
    const status = readFileSync(`/proc/${arbiter.pid}/status`, 'latin1');
    const threads = Number(/^Threads:\s+(\d+)/m.exec(status)[1]);
    assert.equal(samples.get('process_threads'), threads);
    const resident = samples.get('process_resident_memory_bytes') / 1e6, least = arbiter.memory('VmRSS'), most = arbiter.memory('VmHWM');
    // File pages can be dropped between the two readings, and the sizes in /proc lag behind by a few pages per thread.
    assert.ok(resident > least / 2 && resident < 2 * most, `${resident} MB, /proc has ${least}, and ${most} at most`);
    const start = samples.get('process_start_time_seconds');
    assert.ok(Math.abs(start - startOf(arbiter.pid)) < 2, `${start}, the system says ${startOf(arbiter.pid)}`); // because btime is rounded
    const used = samples.get('process_cpu_seconds_total');
    assert.ok(used > 0 && used > before - 0.02 && used < after + 0.02 * threads, `${used} s, the system says ${before} to ${after}`);
    assert.ok(samples.get('process_open_fds') > 3 && samples.get('process_open_fds') < samples.get('process_max_fds'));
    const { version, commit } = (await arbiter.ask({ target: '/version' })).json();
    assert.equal(samples.get(`arbiter_build_info{version="${version}",commit="${commit}"}`), 1);
  });
});

test('if the ops port is in use, the program does not start, and reports why', async () => {
  const first = await start([]);
  const { code, stderr } = await run(['--port', 0, '--ops-port', first.port]);
  assert.equal(code, 1);
  const line = JSON.parse(stderr.trim().split('\n').at(-1));
  assert.equal(line.event, 'cannot-listen');
  assert.equal(line.reason, `127.0.0.1 port ${first.port}: Address already in use`);
  await first.stop();
});
