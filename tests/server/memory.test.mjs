// Even with many clients of every kind at once, resident memory stays below the sum in docs/sizing.md ("Memory"). The limits are set
// low, so that the sum is small. The terms and figures are the same as in that section.
//
// A sanitizer needs extra memory for each block, so this file isn't run with one (see meson.build).

import assert from 'node:assert/strict';
import { connect as open } from 'node:net';
import { test } from 'node:test';

import { optionsOf, run, withArbiter } from './arbiter.mjs';
import { goMoves, JSON_TYPE, mineBoard, mineList, mineText, randomFrom, TEXT_TYPE } from './bodies.mjs';
import { ConnectionEnded, ask, connect, formatRequest, until } from './client.mjs';
import { memoryGroup } from './cgroup.mjs';
import { CONNECTION, MiB, mostMemory, READING, REST } from './formula.mjs';
import { areWorkersIdle, metricsAt, refusalsAt, untilMetrics } from './samples.mjs';

const SETTINGS = { max_inflight_bytes: 64 * MiB, workers: 2, long_workers: 1, max_connections: 400,
  max_search_states: 100_000 };
const OPTIONS = [...optionsOf(SETTINGS), '--ops-port', 0, '--log-level', 'error'];
const THREADS = SETTINGS.workers + SETTINGS.long_workers + 1; // one event loop

const random = randomFrom(20);
const LINES = { 'Content-Type': 'application/x-ndjson' };
const json = (value) => JSON.stringify(value);
const field = (size, density) => mineBoard(random, size, size, density);
const large = field(1000, 0.2);
const games = json({ cases: Array.from({ length: 60 }, () => ({ moves: goMoves(random, 2000) })) });
const lines = Array.from({ length: 3000 }, () => json({ board: field(30, 0.2), include: ['wins', 'board'] })).join('\n');

const STREAM = { target: '/mine', headers: LINES, body: lines, good: [200] };
const BOARDS = { target: '/go', headers: JSON_TYPE, good: [200],
  body: json({ moves: goMoves(random, 30_000), include: ['boards', 'captured'] }) };

/** Requests with their expected statuses. Each uses more than its share of the account. */
const KINDS = [
  { target: '/mine', headers: JSON_TYPE, body: json({ board: large }), good: [200] },
  { target: '/mine', headers: JSON_TYPE, body: json(mineList(large)), good: [200] },
  { target: '/mine', headers: TEXT_TYPE, body: mineText([large, large]), good: [200] },
  { target: '/mine', headers: JSON_TYPE, body: `[${'1,'.repeat(600_000)}1]`, good: [422] },
  // The parse tree of this one doesn't fit into the account, even if there are no other requests.
  { target: '/mine', headers: JSON_TYPE, body: `[${'1,'.repeat(3_900_000)}1]`, good: [503] },
  { target: '/mine', headers: JSON_TYPE, body: `{"x":[${'[],'.repeat(1_000_000)}[]]}`, good: [422] },
  STREAM,
  { target: '/go', headers: JSON_TYPE, body: games, good: [200] },
  BOARDS,
  { target: '/pawn', headers: JSON_TYPE, body: json({ cases: Array(1000).fill({ board: ['..#.', 'O..O', '....', '.X..'],
    include: ['moves', 'line', 'boards'] }) }), good: [200] },
];

/** Connects a client that sends these bytes and never reads an answer. */
function silentClient(port, bytes) {
  const socket = open({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  socket.pause();
  socket.write(bytes);
  return socket;
}

const LAST_LINE = '{"problem":{"type":"/problems/overloaded","title":"Temporarily unavailable","status":503,' +
  '"detail":"out of memory"}}\n';

/** Returns the status of the answer to a request, or 503 if a stream ends with a line that reports a lack of memory. */
async function statusOf(port, request) {
  const connection = await connect(port);
  try {
    connection.send(request);
    return (await connection.answer()).status;
  } catch (error) {
    if (error instanceof ConnectionEnded && connection.soFar.toString().endsWith(LAST_LINE)) return 503;
    throw error;
  } finally {
    connection.close();
  }
}

const SILENT = 16; // silent clients of each kind
const TOGETHER = 6; // simultaneous requests of each of KINDS
const SMALL = 40;
const MOST_CONNECTIONS = 4 * SILENT + Math.max(TOGETHER * KINDS.length, SMALL);

/**
 * Runs all kinds of clients at once, in several rounds. While the silent clients are connected, the account may be full, so how many
 * requests are refused depends on their order; every refusal must be counted. When the silent clients have left, each kind of request
 * must be answered.
 */
async function crowd(arbiter, rounds) {
  const { port } = arbiter;
  const announced = formatRequest({ method: 'POST', target: '/mine', headers: { ...JSON_TYPE, 'Content-Length': 64 * MiB } });
  const kept = [];
  for (let client = 0; client < SILENT; client += 1) {
    kept.push(silentClient(port, announced)); // announces a body and sends nothing
    kept.push(silentClient(port, Buffer.concat([Buffer.from(announced), Buffer.alloc(MiB, ' ')]))); // sends only part of the body
    kept.push(silentClient(port, formatRequest({ ...STREAM, method: 'POST' }))); // doesn't read the lines of its stream
    kept.push(silentClient(port, formatRequest({ ...BOARDS, method: 'POST' }))); // doesn't read its answer
  }
  let refused = 0;
  const asking = async ({ good, ...request }) => {
    const status = await statusOf(port, request);
    assert.ok(status === 503 || good.includes(status), `${request.target} ${status}`);
    refused += status === 503 ? 1 : 0;
    return good.includes(status);
  };
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(KINDS.flatMap((kind) => Array.from({ length: TOGETHER }, () => asking(kind))));
    // Small requests are always served.
    await Promise.all(Array.from({ length: SMALL }, async () => {
      const answer = await ask(port, { target: '/mine', headers: JSON_TYPE, body: '{"board":["..."]}' });
      assert.equal(answer.status, 200, `${answer}`);
    }));
  }
  for (const socket of kept) socket.destroy();
  await Promise.all(KINDS.map((kind) => until(`${kind.target} is answered`, () => asking(kind))));
  let counted;
  await until('all refusals are counted', async () => {
    counted = await refusalsAt(arbiter.opsPort);
    return (counted.memory ?? 0) + (counted['memory-full'] ?? 0) >= refused;
  });
  assert.deepEqual(Object.keys(counted).filter((reason) => !['memory', 'memory-full'].includes(reason)), []);
}

test('memory for many clients of every kind is limited by the account, and freed afterwards', async (t) => {
  await withArbiter(OPTIONS, async (arbiter) => {
    await ask(arbiter.port, { target: '/mine', headers: JSON_TYPE, body: '{"board":["..."]}' });
    const start = arbiter.memory('RssAnon') * 1e6;
    await crowd(arbiter, 2);
    // The sum from the formula, except for searches: none of these cases needs more than 24 MiB to be solved.
    const most = SETTINGS.max_inflight_bytes + THREADS * (READING + 24 * MiB) + MOST_CONNECTIONS * CONNECTION + REST;
    const held = arbiter.memory('VmHWM') * 1e6;
    t.diagnostic(`start ${(start / MiB).toFixed(0)} MiB, most ${(held / MiB).toFixed(0)}, allowed ${(most / MiB).toFixed(0)}`);
    assert.ok(held > start + SETTINGS.max_inflight_bytes / 2, 'the account was used');
    assert.ok(held < most, `${held} of ${most}`);
    // Each thread keeps a 4 MiB block for reading, which isn't charged, except for its header of 32 bytes.
    await untilMetrics(arbiter, 'nothing else is charged', (at) => at('arbiter_inflight_bytes') <= 32 * THREADS);
    await arbiter.clock.advance(1000); // the program now trims its memory
    // The C library can't return free blocks between used ones, but these are less than half of the memory.
    await until('it is returned', () => arbiter.memory('RssAnon') * 1e6 < start + (held - start) / 2);
  }, { stopClock: true });
});

const STREAMS = 250;

test('streams whose lines are all problems and are not read are limited by the account', async (t) => {
  const settings = { ...SETTINGS, max_inflight_bytes: 48 * MiB, workers: 1 };
  await withArbiter([...optionsOf(settings), '--ops-port', 0, '--log-level', 'error'], async (arbiter) => {
    // 130 kB in and 5.6 MB out, more than the kernel buffers: each line of 54 bytes results in more than 2 kB.
    const refused = `${json({ moves: Array(20).fill(0) })}\n`;
    const stream = formatRequest({ target: '/go', method: 'POST', headers: LINES, body: refused.repeat(2400) });
    const kept = Array.from({ length: STREAMS }, () => silentClient(arbiter.port, stream));
    await untilMetrics(arbiter, 'all that can be done is done', (at) => {
      const ended = ['200', '503'].map((status) => at(`arbiter_requests_total{route="/go",status="${status}"}`));
      return ended.reduce((sum, count) => sum + count, at('arbiter_requests_in_flight')) === STREAMS && areWorkersIdle(at);
    });
    const most = settings.max_inflight_bytes + (THREADS - 1) * (READING + 24 * MiB) + STREAMS * CONNECTION + REST;
    const held = arbiter.memory('VmHWM') * 1e6;
    t.diagnostic(`most ${(held / MiB).toFixed(0)} MiB, allowed ${(most / MiB).toFixed(0)}`);
    assert.ok(held < most, `${held} of ${most}`);
    for (const socket of kept) socket.destroy();
    await untilMetrics(arbiter, 'it is given back', (at) => at('arbiter_inflight_bytes') <= 32 * THREADS);
  }, { stopClock: true });
});

test('with searches at the same time, memory stays below the formula', async (t) => {
  await withArbiter(OPTIONS, async (arbiter) => {
    const limits = await arbiter.limits();
    const search = { target: '/mine', headers: JSON_TYPE, body: json({ board: field(300, 0.105), include: ['wins'] }) };
    const searching = await Promise.all(Array.from({ length: 3 }, () => connect(arbiter.port)));
    for (const connection of searching) connection.send(search);
    await crowd(arbiter, 1);
    for (const connection of searching) {
      const answer = await connection.answer();
      // There may have been no space in the account for the list of winning clicks.
      assert.ok([200, 503].includes(answer.status), `${answer}`);
      connection.close();
    }
    await until('a search is answered', async () => (await ask(arbiter.port, search)).status === 200);
    const most = mostMemory({ ...limits, ...SETTINGS });
    const held = arbiter.memory('VmHWM') * 1e6;
    t.diagnostic(`most ${(held / MiB).toFixed(0)} MiB, allowed ${(most / MiB).toFixed(0)}`);
    assert.ok(held < most, `${held} of ${most}`);
  }, { stopClock: true });
});

test('the program warns if its options allow more memory than its container', async (t) => {
  const group = memoryGroup(512 * MiB);
  if (group === null) return t.diagnostic('no cgroup can be made here');
  try {
    for (const [args, warns] of [[[], true], [['--memory', '2G'], true], [['--memory', '512M'], false], [['--memory', 'auto'], false]]) {
      const { code, stderr } = await run(['--check', ...args], { under: group.under });
      assert.equal(code, 0);
      assert.equal(/"level":"warn","event":"memory-exceeds-limit","reason":"the options allow \d+M of memory, but/.test(stderr), warns, `${args}: ${stderr}`);
    }
  } finally {
    await until('the group is empty', () => group.remove());
  }
});

const HALF_HEAD = 'GET /livez HTTP/1.1\r\nHost: a\r\n';

/**
 * Occupies all connections with silent, slow or greedy clients, while other clients send requests of all kinds, as large as allowed,
 * and read the answers.
 */
async function besiege(arbiter) {
  const { port, opsPort } = arbiter;
  const { max_body_bytes, max_json_values, max_cases } = await arbiter.limits();
  const most = (await metricsAt(opsPort)).get('arbiter_connections_limit');
  const post = (request) => formatRequest({ ...request, method: 'POST' });
  const announced = (bytes) => post({ target: '/mine', headers: { ...JSON_TYPE, 'Content-Length': bytes } });
  const largest = [
    { target: '/mine', headers: JSON_TYPE, body: '{"board":["..."]}'.padEnd(max_body_bytes) },
    { target: '/mine', headers: JSON_TYPE, body: `[${'1,'.repeat(Math.min(max_json_values - 2, max_body_bytes / 2 - 4))}1]` },
    { target: '/mine', headers: JSON_TYPE, body: json({ cases: Array(Math.min(max_cases, 100)).fill({ board: field(30, 0.2), include: ['wins'] }) }) },
    ...KINDS,
  ].filter(({ body }) => body.length <= max_body_bytes);
  assert.ok(largest.length >= 4);
  const heavy = largest.flatMap((request) => Array(2).fill(post(request)));
  const idle = [HALF_HEAD, announced(max_body_bytes), Buffer.concat([announced(max_body_bytes), Buffer.alloc(max_body_bytes >> 1, ' ')])];
  const statuses = new Set();
  const kept = Array.from({ length: most }, (_, at) => silentClient(port, heavy[at] ?? idle[at % idle.length]));
  await Promise.all(largest.flatMap((request) => [1, 2].map(async () => {
    const status = await statusOf(port, request).catch((error) => {
      if (error instanceof ConnectionEnded || error.code === 'ECONNRESET') return 'closed'; // to make room for others
      throw error;
    });
    statuses.add(status);
  })));
  for (const socket of kept) socket.destroy();
  return [...statuses];
}

for (const limit of [256, 512, 1024])
  test(`with --memory auto, the program is not killed in a container of ${limit} MiB, whatever clients do`, async (t) => {
    const group = memoryGroup(limit * MiB);
    if (group === null) t.diagnostic('no cgroup can be made here: the memory is measured instead');
    const memory = group === null ? `${limit * 15 / 16}M` : 'auto';
    try {
      await withArbiter(['--memory', memory, '--ops-port', 0, '--log-level', 'error'], async (arbiter) => {
        const small = { target: '/mine', headers: JSON_TYPE, body: '{"board":["..."]}' };
        const told = (await metricsAt(arbiter.opsPort)).get('arbiter_memory_limit_bytes');
        assert.ok(told <= limit * 15 / 16 * MiB && told > limit * 15 / 16 * MiB - 20 * MiB, `${told} bytes are told`);
        const statuses = await besiege(arbiter);
        // While the silent clients use up the account, all requests may be refused, but nothing else may happen to them.
        assert.deepEqual(statuses.filter((status) => ![200, 408, 413, 422, 503, 'closed'].includes(status)), []);
        await until('it serves', async () => (await ask(arbiter.port, small)).status === 200);
        const { max_body_bytes } = await arbiter.limits();
        const large = { ...small, body: small.body.padEnd(max_body_bytes) };
        await until('it serves large bodies', async () => (await ask(arbiter.port, large)).status === 200);
        assert.equal(arbiter.left, null, 'it was not killed');
        const held = arbiter.memory('VmHWM') * 1e6;
        t.diagnostic(`resident ${(held / MiB).toFixed(0)} MiB, group ${((group?.peak() ?? 0) / MiB).toFixed(0)} MiB; ${statuses}`);
        assert.ok(held < told, `${held} of ${told}`);
        assert.equal(group?.kills() ?? 0, 0);
      }, { under: group?.under ?? [] });
    } finally {
      await until('the group is empty', () => group?.remove() ?? true);
    }
  });
