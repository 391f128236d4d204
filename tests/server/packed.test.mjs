// Compressed pages and answers: which clients get them, with which headers, and how conditional requests are answered.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { start } from './arbiter.mjs';
import { JSON_TYPE, TEXT_TYPE, linkTo } from './bodies.mjs';
import { ask, connect } from './client.mjs';

const FILE = readFileSync(new URL('../../openapi.yaml', import.meta.url));
const LONG = '/openapi.yaml';
const SHORT = ['/limits', '/version', '/livez', '/readyz', '/problems/malformed'];
const TAG = /^"[!#-~]+"$/;

let arbiter;
before(async () => {
  arbiter = await start();
});
after(() => arbiter.stop());

const get = (target, headers, method) => ask(arbiter.port, { method, target, headers });
const tagsOf = async () => [(await get(LONG)).header('etag'), (await get(LONG, { 'Accept-Encoding': 'gzip' })).header('etag')];

function checkPacked(answer) {
  assert.equal(answer.status, 200, `${answer}`);
  assert.equal(answer.header('content-encoding'), 'gzip');
  assert.equal(answer.header('content-type'), 'application/yaml');
  assert.equal(answer.header('content-length'), String(answer.body.length));
  assert.deepEqual(answer.list('vary'), ['accept-encoding']);
  assert.ok(gunzipSync(answer.body).equals(FILE));
  assert.ok(answer.body.length < FILE.length / 4, `${answer.body.length} bytes`);
}

function checkPlain(answer) {
  assert.equal(answer.status, 200, `${answer}`);
  assert.equal(answer.header('content-encoding'), undefined);
  assert.deepEqual(answer.list('vary'), ['accept-encoding']);
  assert.ok(answer.body.equals(FILE));
}

for (const accept of [
  'gzip', 'GZip', 'x-gzip', '*', 'gzip, deflate, br, zstd', 'br;q=1.0, gzip;q=0.8, *;q=0.1', 'gzip;q=0.001', ' gzip ; q=1 ', 'identity;q=0.5, gzip;q=0.5',
  '*;q=0.5, identity;q=0', 'identity;q=0, gzip', 'deflate;q=x, gzip', ',,gzip,',
]) {
  test(`a long page is compressed for Accept-Encoding: ${accept}`, async () => {
    checkPacked(await get(LONG, { 'Accept-Encoding': accept }));
  });
}

for (const accept of [
  undefined, '', 'identity', 'deflate', 'br, zstd', 'gzip;q=0', 'gzip;q=0.000', '*;q=0', 'gzip;q=0, *', 'gzipped', 'gzip;q=2', 'gzip;q=x',
  'identity, gzip;q=0.5', '"gzip"',
]) {
  test(`a long page is not compressed for Accept-Encoding: ${accept ?? '(none)'}`, async () => {
    checkPlain(await get(LONG, accept === undefined ? {} : { 'Accept-Encoding': accept }));
  });
}

test('several Accept-Encoding headers are read as one list', async () => {
  checkPacked(await get(LONG, [['Accept-Encoding', 'br'], ['accept-encoding', 'gzip']]));
  checkPlain(await get(LONG, [['Accept-Encoding', 'br'], ['accept-encoding', 'gzip;q=0']]));
});

test('curl can request and decompress a page', () => {
  const text = execFileSync('curl', ['--silent', '--fail', '--compressed', `http://127.0.0.1:${arbiter.port}${LONG}`], { maxBuffer: 1e7 });
  assert.ok(text.equals(FILE));
});

test('short pages are never compressed, and have no Vary', async () => {
  for (const target of SHORT) {
    const plain = await get(target);
    const answer = await get(target, { 'Accept-Encoding': 'gzip' });
    assert.ok(plain.body.length < 1024, `${target} has ${plain.body.length} bytes`);
    assert.ok(answer.body.equals(plain.body), target);
    assert.equal(answer.header('content-encoding'), undefined, target);
    assert.equal(answer.header('vary'), undefined, target);
  }
});

test('error responses for pages are not compressed', async () => {
  for (const [target, method, status] of [['/go?x=1', 'GET', 400], [LONG, 'DELETE', 405], [`${LONG}x`, 'GET', 404]]) {
    const answer = await get(target, { 'Accept-Encoding': 'gzip' }, method);
    assert.equal(answer.status, status, `${answer}`);
    assert.equal(answer.header('content-encoding'), undefined);
    answer.json();
  }
});

test('HEAD returns the same headers as GET, compressed or not', async () => {
  const fixed = ({ headers }) => [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
  for (const headers of [{}, { 'Accept-Encoding': 'gzip' }]) {
    const [whole, head] = [await get(LONG, headers), await get(LONG, headers, 'HEAD')];
    assert.deepEqual(fixed(head), fixed(whole));
    assert.equal(head.body.length, 0);
  }
});

test('each form has its own strong tag', async () => {
  const [plain, packed] = await tagsOf();
  assert.match(plain, TAG);
  assert.match(packed, TAG);
  assert.notEqual(plain, packed);
  assert.deepEqual(await tagsOf(), [plain, packed]);
});

test('a client that has the tag of either form gets a 304 with the same tag', async () => {
  const [plain, packed] = await tagsOf();
  const gzip = { 'Accept-Encoding': 'gzip' };
  for (const [list, accept, matched] of [
    [plain, {}, plain],
    [packed, {}, packed],
    [plain, gzip, plain],
    [packed, gzip, packed],
    [`${plain}, ${packed}`, {}, plain],
    [`${plain}, ${packed}`, gzip, packed],
    [`"a", W/${packed}`, gzip, packed],
  ]) {
    for (const method of ['GET', 'HEAD']) {
      const connection = await connect(arbiter.port);
      connection.send({ method, target: LONG, headers: { ...accept, 'If-None-Match': list } });
      const answer = await connection.answer();
      assert.equal(answer.status, 304, `${list}: ${answer}`);
      assert.equal(answer.header('etag'), matched);
      assert.deepEqual(answer.list('vary'), ['accept-encoding']);
      for (const name of ['content-type', 'content-encoding']) assert.equal(answer.header(name), undefined);
      connection.send({ target: '/livez' });
      assert.equal((await connection.answer()).text(), '{"status":"ok"}\n', 'and no body before it');
      connection.close();
    }
  }
});

test('a client that has a different tag gets the page', async () => {
  const [plain, packed] = await tagsOf();
  const { headers } = await get(linkTo('/mine', { board: ['...'] }));
  for (const list of ['*', '', '"a"', plain.slice(1, -1), `"${plain.slice(1, -1)}${packed.slice(1, -1)}"`, headers.get('etag')]) {
    checkPlain(await get(LONG, { 'If-None-Match': list }));
    checkPacked(await get(LONG, { 'If-None-Match': list, 'Accept-Encoding': 'gzip' }));
  }
});

// --- answers

const FORMATS = [['json', 'application/json'], ['text', 'text/plain'], ['svg', 'image/svg+xml']];
const LONG_GAME = { size: 25, moves: Array.from({ length: 400 }, () => ['B', 0, 0]), include: ['boards'] };
const LARGE = { size: 25, moves: [['B', 0, 0]], include: ['captured', 'boards'] };
const GZIP = { 'Accept-Encoding': 'gzip' };
const post = (body, headers) => ask(arbiter.port, { target: '/go', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) });

test('answers of 1 KiB or more, to a POST or a link, are compressed for clients that accept it', async () => {
  for (const [theCase, formats] of [[LARGE, FORMATS.filter(([format]) => format !== 'text')], [LONG_GAME, FORMATS.slice(0, 1)]]) {
    for (const [, accept] of formats) {
      const plain = await post(theCase, { Accept: accept });
      const packed = await post(theCase, { Accept: accept, ...GZIP });
      assert.ok(plain.body.length >= 1024);
      assert.equal(packed.header('content-encoding'), 'gzip', `${accept} ${packed.fields}`);
      assert.equal(packed.header('content-length'), String(packed.body.length));
      assert.ok(gunzipSync(packed.body).equals(plain.body));
      assert.equal(plain.header('content-encoding'), undefined);
      for (const answer of [plain, packed]) {
        assert.equal(answer.header('content-type').replace(/;.*/, ''), accept);
        assert.deepEqual(answer.list('vary'), ['accept', 'accept-encoding']);
        assert.equal(answer.header('etag'), undefined);
      }
    }
  }
});

test('an answer of 1,023 bytes is not compressed, but one of 1,024 bytes is', async () => {
  // The ids pad the answer to the required length.
  const withIds = (padding) => ({ cases: Array.from({ length: 8 }, (_, k) => ({ id: 'x'.repeat(Math.max(0, Math.min(128, padding - 128 * k))), size: 1, moves: [] })) });
  const { length } = (await post(withIds(0))).body;
  assert.ok(length < 1023 && length > 1024 - 8 * 128, `${length} bytes`);
  for (const [bytes, packed] of [[1023, false], [1024, true]]) {
    const answer = await post(withIds(bytes - length), GZIP);
    const text = packed ? gunzipSync(answer.body) : answer.body;
    assert.equal(text.length, bytes);
    assert.equal(answer.header('content-encoding'), packed ? 'gzip' : undefined);
    assert.deepEqual(answer.list('vary'), packed ? ['accept', 'accept-encoding'] : ['accept']);
  }
});

test('a link has two tags; a request with either of them is answered by a 304 with the tag that matched', async () => {
  for (const [format] of FORMATS) {
    const target = linkTo('/go', LARGE, `&format=${format}`);
    const [plain, packed] = [await get(target), await get(target, GZIP)];
    const isPacked = plain.body.length >= 1024;
    const tags = [plain.header('etag'), packed.header('etag')];
    assert.equal(new Set(tags).size, isPacked ? 2 : 1, format);
    if (isPacked) assert.ok(gunzipSync(packed.body).equals(plain.body));
    for (const headers of [{}, GZIP]) {
      for (const tag of tags) {
        const answer = await get(target, { ...headers, 'If-None-Match': `"a", ${tag}` });
        assert.equal(answer.status, 304, format);
        assert.equal(answer.header('etag'), tag);
        assert.deepEqual(answer.list('vary'), ['accept-encoding']);
        assert.equal(answer.header('content-encoding'), undefined);
      }
      const both = await get(target, { ...headers, 'If-None-Match': tags.join(', ') });
      assert.equal(both.status, 304);
      assert.ok(tags.includes(both.header('etag')));
    }
  }
});

test('long problem documents are compressed like any answer, short ones are not', async () => {
  const wrong = { cases: Array(30).fill({ size: 0, moves: [[1]] }) };
  const [bad, plain] = [await post(wrong, GZIP), await post(wrong)];
  assert.deepEqual([bad.status, plain.status], [422, 422]);
  assert.equal(bad.header('content-encoding'), 'gzip');
  assert.equal(plain.header('content-encoding'), undefined);
  for (const answer of [bad, plain]) assert.deepEqual(answer.list('vary'), ['accept-encoding']);
  assert.ok(gunzipSync(bad.body).equals(plain.body));
  assert.equal(plain.json().errors.length, 20);
  // The same applies to requests that are refused because of their head.
  const query = `/go?${'a=1&'.repeat(40)}`;
  assert.equal((await get(query, GZIP)).header('content-encoding'), 'gzip');
  const text = await ask(arbiter.port, { target: '/go', headers: { ...TEXT_TYPE, ...GZIP }, body: '1\n1\nB 1\n' });
  assert.equal(text.header('content-encoding'), undefined);
});

test('Vary also names Origin if --cors-origin lists origins', async () => {
  const other = await start(['--cors-origin', 'https://a.example']);
  try {
    const answer = await other.ask({ target: LONG, headers: { Origin: 'https://a.example', 'Accept-Encoding': 'gzip' } });
    assert.deepEqual(answer.list('vary').sort(), ['accept-encoding', 'origin']);
  } finally {
    await other.stop();
  }
});
