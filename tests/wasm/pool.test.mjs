// The workers around the WebAssembly module: cancelling, replacing workers, and what happens when one fails.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { host } from '../../client/local/host.node.js';
import { Pool } from '../../client/local/pool.js';
import { ENDLESS, JSON_TYPE } from '../server/bodies.mjs';
import { WASM } from './module.mjs';

const compiled = new WebAssembly.Module(readFileSync(WASM));
const pools = [];
after(() => pools.forEach((pool) => pool.close()));

/** A pool with at most `workers` workers. It counts the workers that have been started and that have ended. */
function poolOf({ workers = 2, limits, start = host.start, load = async () => compiled } = {}) {
  const counts = { started: 0, ended: 0 };
  const counting = () => {
    const thread = start();
    counts.started += 1;
    return { ...thread, end: () => {
      counts.ended += 1;
      thread.end();
    } };
  };
  const pool = new Pool({ load, start: counting, workers }, limits);
  pools.push(pool);
  return { pool, counts };
}

const AT = 'http://localhost/';
const GOOD = [`${AT}pawn`, { method: 'POST', headers: JSON_TYPE, body: '{"board":["O.O","X.."]}' }];
const GOOD_ANSWER = '{"verdict":"Red","steps":1}\n';
const good = async (pool) => assert.equal(await (await pool.fetch(...GOOD)).text(), GOOD_ANSWER);
const endless = (signal) => [AT + ENDLESS.target.slice(1), { method: 'POST', headers: ENDLESS.headers, body: ENDLESS.body, signal }];
const LIMITS = { max_search_states: 100_000_000 };

test('one worker answers requests in turn', async () => {
  const { pool, counts } = poolOf();
  for (let count = 0; count < 5; count++) await good(pool);
  assert.deepEqual(counts, { started: 1, ended: 0 });
});

test('requests at the same time share the workers', async () => {
  const { pool, counts } = poolOf({ workers: 2 });
  await Promise.all(Array.from({ length: 20 }, () => good(pool)));
  assert.deepEqual(counts, { started: 2, ended: 0 });
});

test('a long case can be aborted, and the next request is answered', async () => {
  const { pool, counts } = poolOf({ workers: 1, limits: LIMITS });
  await good(pool);
  const control = new AbortController(), reason = new Error('enough');
  const asked = pool.fetch(...endless(control.signal));
  const waiting = good(pool); // its turn comes after the long case
  setImmediate(() => control.abort(reason));
  await assert.rejects(asked, reason);
  await waiting;
  assert.deepEqual(counts, { started: 2, ended: 1 });
});

test('an abort leaves other requests alone', async () => {
  const { pool } = poolOf({ workers: 2, limits: LIMITS });
  const control = new AbortController();
  const asked = pool.fetch(...endless(control.signal)), others = Array.from({ length: 10 }, () => good(pool));
  await Promise.all(others);
  control.abort();
  await assert.rejects(asked, { name: 'AbortError' });
});

test('a request can be aborted before it begins, and while it waits', async () => {
  const { pool, counts } = poolOf({ workers: 1, limits: LIMITS });
  await assert.rejects(pool.fetch(...endless(AbortSignal.abort())), { name: 'AbortError' });
  assert.equal(counts.started, 0);
  const first = new AbortController(), second = new AbortController();
  const running = pool.fetch(...endless(first.signal)), waiting = pool.fetch(...endless(second.signal));
  setImmediate(() => second.abort());
  await assert.rejects(waiting, { name: 'AbortError' });
  first.abort();
  await assert.rejects(running, { name: 'AbortError' });
  await good(pool);
});

test('requests with the same signal are all aborted, also those that wait', async () => {
  const { pool } = poolOf({ workers: 1, limits: LIMITS }), control = new AbortController();
  const asked = Array.from({ length: 4 }, () => assert.rejects(pool.fetch(...endless(control.signal)), { name: 'AbortError' }));
  setImmediate(() => control.abort());
  await Promise.all(asked);
  await good(pool);
});

test('an abort while the worker starts ends it', async () => {
  const { pool } = poolOf({ workers: 1 }), control = new AbortController();
  const asked = pool.fetch(GOOD[0], { ...GOOD[1], signal: control.signal });
  control.abort();
  await assert.rejects(asked, { name: 'AbortError' });
  await good(pool);
});

test('leaving a stream ends its worker', async () => {
  const { pool, counts } = poolOf({ workers: 1 });
  const body = '{"board":["..."]}\n'.repeat(5000);
  const response = await pool.fetch(`${AT}mine`, { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body });
  const reader = response.body.getReader();
  assert.ok((await reader.read()).value.length > 0);
  await reader.cancel();
  await good(pool);
  assert.equal(counts.ended, 1);
});

test('streams that wait for their readers hold up no other request', async () => {
  const { pool, counts } = poolOf({ workers: 1 });
  const ask = () => pool.fetch(`${AT}mine`, { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body: '{"board":["..*"]}\n'.repeat(20_000) });
  const readers = [(await ask()).body.getReader(), (await ask()).body.getReader()];
  for (let done = 0; done < readers.length;) {
    done = 0;
    for (const reader of readers) done += (await reader.read()).done ? 1 : 0;
    await good(pool);
  }
  assert.equal(counts.ended, 0);
});

test('an abort ends the reading of a body that is a stream', async () => {
  const { pool } = poolOf(), control = new AbortController(), reason = new Error('enough');
  const cancelled = new Promise((resolve) => {
    const body = new ReadableStream({ pull: () => control.abort(reason), cancel: resolve });
    assert.rejects(pool.fetch(GOOD[0], { ...GOOD[1], body, duplex: 'half', signal: control.signal }), reason);
  });
  assert.equal(await cancelled, reason);
});

test('options of the program that do not suit a worker are not passed on', () => {
  const url = (name) => JSON.stringify(new URL(`../../client/local/${name}`, import.meta.url));
  const program = `import { readFileSync } from 'node:fs';
    import { host } from ${url('host.node.js')};
    import { Pool } from ${url('pool.js')};
    const load = async () => new WebAssembly.Module(readFileSync(new URL(${JSON.stringify(WASM)})));
    console.log(await (await new Pool({ ...host, load }).fetch(...${JSON.stringify(GOOD)})).text());`;
  assert.equal(execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' }), `${GOOD_ANSWER}\n`);
});

test('a stream arrives completely, in as many parts as its reader asks for', async () => {
  const { pool } = poolOf(), body = Array.from({ length: 20_000 }, (_, id) => `{"id":${id},"board":["..*"]}\n`).join('');
  const response = await pool.fetch(`${AT}mine`, { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body: new Blob([body]) });
  const lines = (await response.text()).trim().split('\n');
  assert.deepEqual(lines.map((line) => JSON.parse(line).id), lines.map((_, id) => id));
  assert.equal(lines.length, 20_000);
});

/** A worker that gives these replies, one after the other. */
const scripted = (...replies) => () => ({ // all workers that it starts share the replies
  ask: async (message) => (message.limits || message.module ? {} : replies.shift()),
  hold: () => {},
  end: () => {},
});
const head = (status) => ({ status, headers: [['content-type', 'application/json']] });
const answer = (status, text) => ({ head: head(status), bytes: new TextEncoder().encode(text), done: true, size: 1 });

test('a worker whose memory has grown beyond 256 MiB is replaced', async () => {
  const replies = [{ ...answer(200, 'large'), size: 257 << 20 }, { ...answer(200, 'small'), size: 256 << 20 }, answer(200, 'again')];
  const { pool, counts } = poolOf({ start: scripted(...replies) });
  const texts = [];
  for (let asked = 0; asked < 3; asked++) texts.push(await (await pool.fetch(...GOOD)).text());
  assert.deepEqual(texts, ['large', 'small', 'again']);
  assert.deepEqual(counts, { started: 2, ended: 1 });
});

test('after a 503, the request is tried once more in a new worker', async () => {
  const { pool, counts } = poolOf({ start: scripted(answer(503, 'no'), answer(200, 'yes')) });
  assert.equal(await (await pool.fetch(...GOOD)).text(), 'yes');
  assert.deepEqual(counts, { started: 2, ended: 1 });
});

test('a second 503 is the answer', async () => {
  const { pool } = poolOf({ start: scripted(answer(503, 'no'), answer(503, 'still no')) });
  const response = await pool.fetch(...GOOD);
  assert.deepEqual([response.status, await response.text()], [503, 'still no']);
});

test('a worker that fails rejects its request, and the next request gets another worker', async () => {
  let broken = true;
  const start = () => (broken ? scripted({ failure: 'unreachable' })() : host.start());
  const { pool } = poolOf({ start });
  await assert.rejects(pool.fetch(...GOOD), /the engine failed: unreachable/);
  broken = false;
  pool.close(); // the one that was started in advance
  await good(pool);
});

test('a stream whose worker fails breaks off', async () => {
  const begin = { head: head(200), bytes: new TextEncoder().encode('{}\n'), done: false, size: 1 };
  const { pool } = poolOf({ start: scripted(begin, { failure: 'out of memory' }) });
  const reader = (await pool.fetch(...GOOD)).body.getReader();
  await reader.read();
  await assert.rejects(reader.read(), /the engine failed: out of memory/);
});

test('if the module cannot be loaded, the request fails and the next one tries again', async () => {
  let tries = 0;
  const load = async () => {
    if (++tries === 1) throw new TypeError('not found');
    return compiled;
  };
  const { pool } = poolOf({ load });
  await assert.rejects(pool.fetch(...GOOD), /not found/);
  await good(pool);
});

test('a worker that could not be started in advance does not fail the next request', async () => {
  let tries = 0;
  const start = () => ({ ...host.start(), ...(++tries === 1 && { ask: () => Promise.reject(new TypeError('not started')) }) });
  const { pool, counts } = poolOf({ start });
  pool.prepare();
  await new Promise((later) => setImmediate(later));
  await good(pool);
  assert.deepEqual(counts, { started: 2, ended: 1 });
});

test('a wrong limit is reported', async () => {
  const { pool } = poolOf({ limits: { max_case: 1 } });
  await assert.rejects(pool.fetch(...GOOD), /max_case can't be 1/);
});
