// More simultaneous requests than the queue and the account can hold: each gets either the right answer or a 503, and each refusal is
// counted by its reason. `script/bench overload` measures the program under such a load for a minute.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SANITIZED, optionsOf, withStoppedClock } from './arbiter.mjs';
import { JSON_TYPE, KNOWN, mineBoard, pawnBoard, randomFrom } from './bodies.mjs';
import { connect, formatRequest, until } from './client.mjs';
import { MiB, mostMemory } from './formula.mjs';
import { metricsAt, refusalsAt, untilMetrics } from './samples.mjs';
import { untilRead } from './sockets.mjs';

const CLIENTS = 200;
const SETTINGS = { workers: 2, long_workers: 1, queue: 8, max_inflight_bytes: 64 * MiB, max_connections: 400 };
const THREADS = SETTINGS.workers + SETTINGS.long_workers + 1; // one event loop
const [EMPTY_FIELD] = KNOWN;

/** Maps the detail of a refusal to its reason in the log and in the metrics. */
const REASONS = {
  'the queue is full': 'queue-full',
  'too many bytes are in flight': 'memory-full',
  'out of memory': 'memory',
};

const random = randomFrom(15);
/** Boards of 300 bytes that take much longer to solve than to read. */
const BOARDS = Array.from({ length: 8 }, () => JSON.stringify({ board: pawnBoard(random, 16, 16, 0), include: ['line'] }));
const FIELD = JSON.stringify({ board: mineBoard(random, 1000, 1000, 0.2) });

function withOverload(use) {
  return withStoppedClock(optionsOf(SETTINGS), use);
}

const connectAll = (arbiter, count) => Promise.all(Array.from({ length: count }, () => connect(arbiter.port)));

/** Checks a refusal and returns its reason. */
function reasonOf(answer) {
  assert.equal(answer.status, 503, `${answer}`);
  assert.equal(answer.header('retry-after'), '1');
  const { type, detail } = answer.json();
  assert.equal(type, '/problems/overloaded');
  return REASONS[detail] ?? assert.fail(`an unknown reason: ${detail}`);
}

const countOf = (list) => list.reduce((counts, one) => ({ ...counts, [one]: (counts[one] ?? 0) + 1 }), {});

/** Checks that the metrics and the log count exactly these refusals. */
async function checkCounted(arbiter, reasons) {
  const sumOf = (counts) => Object.values(counts).reduce((sum, count) => sum + count, 0);
  const logged = () => countOf(arbiter.log.filter(({ status }) => status === 503).map(({ reason }) => reason));
  let counted;
  await until('all refusals are counted', async () => sumOf(counted = await refusalsAt(arbiter.opsPort)) >= sumOf(reasons));
  assert.deepEqual(counted, reasons);
  await until('all refusals are logged', () => sumOf(logged()) >= sumOf(reasons));
  assert.deepEqual(logged(), reasons);
}

test('if there are more requests than the queue can hold, each gets either the right answer or a 503', async () => {
  await withOverload(async (arbiter) => {
    const expected = [];
    for (const body of BOARDS) expected.push((await arbiter.ask({ target: '/pawn', headers: JSON_TYPE, body })).text());
    const clients = await connectAll(arbiter, CLIENTS);
    // Bodies of 300 bytes, bodies too large for the event loop to solve, and bodies too large to be read while the queue is full.
    const padding = [0, 6_000, 70_000];
    const requests = clients.map((_, index) => formatRequest({
      target: '/pawn', headers: JSON_TYPE, body: BOARDS[index % BOARDS.length] + ' '.repeat(padding[index % padding.length]),
    }));
    // First, send all but the last byte of each request, and nothing of the longest ones. The rest then arrives faster than the program
    // can solve the requests.
    const sent = requests.map((bytes, index) => (padding[index % padding.length] === 70_000 ? 0 : bytes.length - 1));
    const send = (client, bytes) => (bytes.length > 0 ? client.write(bytes) : null);
    await Promise.all(clients.map((client, index) => send(client, requests[index].subarray(0, sent[index]))));
    await untilRead(arbiter);
    for (const client of clients) client.expect('POST');
    await Promise.all(clients.map((client, index) => send(client, requests[index].subarray(sent[index]))));
    let good = 0, refused = 0;
    for (const [index, client] of clients.entries()) {
      const answer = await client.answer();
      if (answer.status === 200) {
        assert.equal(answer.text(), expected[index % BOARDS.length]);
        good += 1;
        continue;
      }
      assert.equal(reasonOf(answer), 'queue-full');
      refused += 1;
      // The connection is closed only if the body was refused before it was read, which happens only to the longest bodies.
      if (answer.header('connection') === 'close') {
        assert.equal(padding[index % padding.length], 70_000);
        continue;
      }
      client.send(EMPTY_FIELD.request);
      assert.deepEqual((await client.answer()).json(), EMPTY_FIELD.json);
    }
    assert.ok(good >= SETTINGS.queue, `only ${good} were accepted`);
    assert.ok(refused > 0, 'none was refused');
    await checkCounted(arbiter, { 'queue-full': refused });
    // A refused request has no lane, even if the event loop has tried to solve it. Otherwise it would be counted as a slow request.
    const lanes = arbiter.log.filter(({ status }) => status === 503).map(({ lane }) => lane);
    assert.deepEqual(countOf(lanes), { undefined: refused });
    assert.equal((await metricsAt(arbiter.opsPort)).get('arbiter_request_duration_seconds_count{route="/pawn",lane="none"}'), refused);
    for (const client of clients) client.close();
  });
});

test('when the account is full, memory is limited and later freed, and every refusal has its reason', async () => {
  await withOverload(async (arbiter) => {
    const field = { method: 'POST', target: '/mine', headers: JSON_TYPE, body: FIELD };
    const expected = (await arbiter.ask(field)).text();
    const empty = arbiter.memory('RssAnon');

    // Bodies of 56 MB in total, each missing its last byte.
    const clients = await connectAll(arbiter, 56);
    const bytes = formatRequest(field);
    for (const client of clients) {
      client.expect('POST');
      await client.write(bytes.subarray(0, -1));
    }
    await untilRead(arbiter);
    const full = arbiter.memory('RssAnon');
    assert.ok((await metricsAt(arbiter.opsPort)).get('arbiter_inflight_bytes') >= clients.length * (FIELD.length - 1));

    // There is no room left, except for small requests.
    const reasons = [];
    for (const client of await connectAll(arbiter, 20)) {
      client.expect('POST');
      await client.write(formatRequest({ ...field, headers: { ...JSON_TYPE, 'Content-Length': String(16 * MiB) }, body: undefined }));
      reasons.push(reasonOf(await client.answer()));
      client.close();
    }
    assert.deepEqual(countOf(reasons), { 'memory-full': 20 });
    const small = KNOWN.filter(({ request }) => request.target === '/mine');
    for (const { request } of small) assert.equal((await arbiter.ask(request)).status, 200);

    for (const client of clients) await client.write(bytes.subarray(-1));
    for (const client of clients) {
      const answer = await client.answer();
      if (answer.status === 200) assert.equal(answer.text(), expected);
      else reasons.push(reasonOf(answer));
      client.close();
    }
    await checkCounted(arbiter, countOf(reasons));
    // Each thread keeps a 4 MiB block for reading, which isn't charged, except possibly for its header of 32 bytes.
    await untilMetrics(arbiter, 'nothing else is charged', (at) => at('arbiter_inflight_bytes') <= 32 * THREADS);
    if (SANITIZED) return; // a sanitizer needs extra memory for each block
    const most = mostMemory({ ...await arbiter.limits(), ...SETTINGS }) / 1e6;
    assert.ok(arbiter.memory('VmHWM') < most, `${arbiter.memory('VmHWM')} of ${most} MB`);
    assert.ok(full > empty + 50, `${full} MB with the bodies, ${empty} without`);
    // A second later, the program returns free memory. The C library may keep some free blocks that lie between used ones.
    await arbiter.clock.advance(1000);
    await until('memory is given back', () => arbiter.memory('RssAnon') < empty + (full - empty) / 2);
  });
});
