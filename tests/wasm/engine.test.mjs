// The WebAssembly module by itself: its memory, its limits, and streams.

import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { HARD_CASE, JSON_TYPE } from '../server/bodies.mjs';
import { ask, newEngine, newInstance, WASM } from './module.mjs';

const MIB = 1 << 20;
const GOOD = { method: 'POST', target: '/pawn', headers: JSON_TYPE, body: '{"board":["..#.","O..O","....",".X.."]}' };
const isAlive = (engine) => assert.equal(ask(engine, GOOD).text(), '{"verdict":"Red","steps":7}\n');
const streamOf = (cases) => ({
  method: 'POST', target: '/mine', headers: [['host', 'localhost'], ['content-type', 'application/x-ndjson']],
  body: Buffer.from(cases.map((one) => `${JSON.stringify(one)}\n`).join('')),
});

test('the module is small enough to load: 360 KB, and 115 KB with brotli', () => {
  assert.ok(statSync(WASM).size <= 360_000, `${statSync(WASM).size} bytes`);
  const packed = brotliCompressSync(readFileSync(WASM)).length;
  assert.ok(packed <= 115_000, `${packed} bytes with brotli`);
});

test('the module imports only the three functions that write messages', () => {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(WASM))).map(({ name }) => name);
  assert.deepEqual(imports.sort(), ['fd_close', 'fd_seek', 'fd_write']);
});

test('an idle module takes less than 2 MiB', () => {
  const engine = newEngine();
  isAlive(engine);
  assert.ok(engine.size < 2 * MIB, `${engine.size} bytes`);
});

test('a request for which the module has no memory left is answered 503, and the next one is answered', () => {
  const instance = newInstance(), engine = newEngine({ max_inflight_bytes: 2 ** 40 }, instance);
  const request = { ...GOOD, body: `{"board":[${'"",'.repeat(1_000_000)}""]}` };
  const held = instance.exports.malloc(980 * MIB);
  assert.notEqual(held, 0);
  const refused = ask(engine, request);
  assert.equal(refused.status, 503, refused.text());
  assert.match(refused.text(), /memory/);
  assert.ok(engine.size > 1000 * MIB && engine.size <= 1024 * MIB, `${engine.size} bytes`);
  isAlive(engine);
  instance.exports.free(held);
  assert.equal(ask(engine, request).status, 422);
});

test('if not even the body fits into the memory, the engine says so', () => {
  const instance = newInstance(), engine = newEngine({}, instance);
  instance.exports.malloc(1000 * MIB);
  assert.throws(() => ask(engine, { ...GOOD, body: Buffer.alloc(60 * MIB) }), { name: 'EngineError', message: 'out of memory' });
  isAlive(engine);
});

test('requests in turn do not make the memory grow', () => {
  const engine = newEngine();
  const batch = { ...GOOD, target: '/go', body: JSON.stringify({ cases: Array(20).fill({ moves: Array(500).fill('D4'), include: ['boards'] }) }) };
  ask(engine, batch);
  const before = engine.size;
  for (let count = 0; count < 20; count++) assert.equal(ask(engine, batch).status, 200);
  assert.equal(engine.size, before);
});

test('a request that is left unfinished frees its memory', () => {
  const engine = newEngine(), request = streamOf(Array(2000).fill({ board: ['....', '.*..'], include: ['wins'] }));
  const leave = () => {
    const answer = engine.answer(request);
    answer.next();
    answer.next();
    answer.return();
  };
  leave();
  const before = engine.size;
  for (let count = 0; count < 200; count++) leave();
  assert.equal(engine.size, before);
  isAlive(engine);
});

test('in a stream, the lines before a hard case are handed out before it is solved', () => {
  const engine = newEngine(), easy = { board: ['...'] };
  const parts = engine.answer(streamOf([...Array(5).fill(easy), { id: 'hard', ...HARD_CASE }, ...Array(5).fill(easy)]));
  const seen = [];
  for (const { bytes } of parts) seen.push(Buffer.from(bytes).toString());
  const [head, first, ...rest] = seen;
  assert.equal(head, '');
  assert.equal(first.split('\n').length - 1, 5);
  const lines = rest.join('').trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(lines.map(({ id, verdict }) => id ?? verdict), ['hard', ...Array(5).fill('Xiemao')]);
});

test('a stream that begins with a hard case has all its lines, in order', () => {
  const engine = newEngine();
  const cases = [{ id: 0, ...HARD_CASE }, ...Array.from({ length: 600 }, (_, at) => ({ id: at + 1, board: ['..*', '...'] }))];
  const text = [...engine.answer(streamOf(cases))].map(({ bytes }) => Buffer.from(bytes).toString()).join('');
  const lines = text.trim().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(lines.map(({ id }) => id), cases.map(({ id }) => id));
  assert.equal(lines[0].verdict, 'Unknown');
});

test('two requests can be answered in turns', () => {
  const engine = newEngine(), cases = Array.from({ length: 500 }, (_, id) => ({ id, board: ['...'] }));
  const answers = [engine.answer(streamOf(cases)), engine.answer(streamOf(cases.toReversed?.() ?? [...cases].reverse()))];
  const texts = ['', ''];
  for (let running = 2; running > 0;) {
    running = 0;
    answers.forEach((answer, at) => {
      const { value, done } = answer.next();
      if (done) return;
      texts[at] += Buffer.from(value.bytes).toString();
      running += 1;
    });
  }
  const ids = texts.map((text) => text.trim().split('\n').map((line) => JSON.parse(line).id));
  assert.deepEqual(ids, [cases.map(({ id }) => id), cases.map(({ id }) => id).reverse()]);
});

test('unknown limits, and values that a limit cannot have, are refused', () => {
  for (const limits of [{ max_case: 1 }, { max_cases: 0 }, { max_cases: 1.5 }, { max_cases: 2 ** 60 }, { max_moves: 2 ** 40 }]) {
    assert.throws(() => newEngine(limits), RangeError, JSON.stringify(limits));
  }
  assert.equal(JSON.parse(ask(newEngine({ max_cases: 7 }), { method: 'GET', target: '/limits' }).text()).max_cases, 7);
});

test('the version is that of the service', () => {
  const { name, version } = JSON.parse(ask(newEngine(), { method: 'GET', target: '/version' }).text());
  const [, expected] = /^ {2}version: '(.+)',$/m.exec(readFileSync(new URL('../../meson.build', import.meta.url), 'utf8'));
  assert.deepEqual([name, version], ['arbiter', expected]);
});
