// Tests of links and pictures against the running program.

import assert from 'node:assert/strict';
import net from 'node:net';
import { test } from 'node:test';

import { NEW_MICROHTTPD, withArbiter } from './arbiter.mjs';
import { GIVE_UP, ask, formatRequest } from './client.mjs';

const link = (route, value, more = '') => `/${route}?case=${encodeURIComponent(JSON.stringify(value))}${more}`;
const FIELD = { board: ['....*...', '..*.....', '........', '*.....*.', '....*...'] };
const BOARD = { board: ['..#.', 'O..O', '....', '.X..'] };
const GAME = { size: 9, moves: [['B', 'E5'], ['W', 'E5'], ['W', 'D5']] };
const PLAYED = { clicks: [[0, 0], [2, 2]], ...FIELD };
const CASES = [['pawn', BOARD], ['go', GAME], ['mine', FIELD], ['mine', PLAYED]];

/** Checks that elements are properly nested, attributes are quoted, and there are no scripts. */
function checkSvg(text) {
  const open = [];
  for (const [, closing, name, rest] of text.matchAll(/<(\/?)([a-z]+)((?:[^<>"]|"[^"<]*")*)>/g)) {
    if (closing) assert.equal(open.pop(), name);
    else if (!rest.endsWith('/')) open.push(name);
  }
  assert.deepEqual(open, []);
  assert.match(text, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  assert.doesNotMatch(text, /script|href|onload|javascript/);
  assert.match(text, /<title>[^<]+<\/title>\s*<desc>[^<]+<\/desc>/);
  assert.match(text, /prefers-color-scheme:\s*dark/);
}

test('a link gives the same answer as a POST of its case, in every format', () => withArbiter([], async ({ port }) => {
  for (const [route, value] of CASES)
    for (const [format, type] of [['json', 'application/json'], ['text', 'text/plain'], ['svg', 'image/svg+xml']]) {
      const headers = { 'Content-Type': 'application/json', Accept: type };
      const posted = await ask(port, { method: 'POST', target: `/${route}`, headers, body: JSON.stringify(value) });
      const linked = await ask(port, { target: link(route, value, `&format=${format}`) });
      const accepted = await ask(port, { target: link(route, value), headers: { Accept: type } });
      for (const answer of [posted, linked, accepted]) {
        assert.equal(answer.status, 200, `${answer}`);
        assert.ok(answer.header('content-type').startsWith(type));
        assert.deepEqual(answer.body, posted.body);
      }
      assert.equal(posted.header('etag'), undefined);
      assert.equal(linked.header('cache-control'), 'public, max-age=86400');
      const packable = posted.body.length >= 1024 ? ['accept-encoding'] : [];
      assert.deepEqual(linked.list('vary'), packable);
      assert.deepEqual(accepted.list('vary'), ['accept', ...packable]);
      assert.equal(accepted.header('etag'), linked.header('etag'));
      if (format !== 'svg') continue;
      checkSvg(`${linked.body}`);
      assert.equal(linked.header('content-security-policy'), "default-src 'none'; style-src 'unsafe-inline'");
      assert.equal(linked.header('cross-origin-resource-policy'), 'cross-origin');
    }
}));

test('a request with a matching tag is answered without solving', () => withArbiter([], async ({ port }) => {
  const first = await ask(port, { target: link('pawn', BOARD, '&format=json') });
  const tag = first.header('etag');
  assert.match(tag, /^"[0-9a-f]{16}"$/);
  for (const given of [tag, `W/${tag}`, `"other", ${tag}`]) {
    const again = await ask(port, { target: link('pawn', BOARD, '&format=json'), headers: { 'If-None-Match': given } });
    assert.equal(again.status, 304, given);
    assert.equal(again.body.length, 0);
    assert.equal(again.header('etag'), tag);
    assert.equal(again.header('cache-control'), 'public, max-age=86400');
  }
  for (const given of ['*', '"other"', tag.slice(1, -1)]) {
    const again = await ask(port, { target: link('pawn', BOARD, '&format=json'), headers: { 'If-None-Match': given } });
    assert.equal(again.status, 200, given);
  }
  const text = await ask(port, { target: link('pawn', BOARD, '&format=text') });
  assert.notEqual(text.header('etag'), tag);
}));

/** Returns everything received until the server hangs up. The second request is sent with the first, or after its answer. */
function bytesOf(port, first, second, together) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1');
    const sent = together ? Buffer.concat([first, second]) : first;
    let [bytes, waits] = ['', !together];
    socket.setEncoding('latin1');
    socket.on('connect', () => socket.write(sent));
    socket.on('data', (text) => {
      bytes += text;
      if (!waits || !bytes.includes('\r\n\r\n')) return;
      waits = false;
      socket.write(second);
    });
    socket.on('end', () => resolve(bytes));
    socket.on('error', reject);
    socket.setTimeout(GIVE_UP, () => socket.destroy(new Error(`nothing more came after ${JSON.stringify(bytes)}`)));
  });
}

test('a 304 has no body, and the next answer on the connection follows directly', () => withArbiter([], async ({ port }) => {
  const target = link('pawn', BOARD, '&format=json');
  const { body, headers } = await ask(port, { target });
  const tag = headers.get('etag');
  const id = ['X-Request-Id', 'a'];
  const first = formatRequest({ target, headers: [id, ['If-None-Match', tag]] });
  const second = formatRequest({ target, headers: [id, ['Connection', 'close']] });
  const rest = (...vary) => [
    'X-Content-Type-Options: nosniff', 'Access-Control-Allow-Origin: *',
    'Access-Control-Expose-Headers: X-Request-Id, ETag, Retry-After', 'Cache-Control: public, max-age=86400',
    `ETag: ${tag}`, ...vary, 'X-Request-Id: a',
  ];
  const expected = [
    'HTTP/1.1 304 Not Modified', 'Date: D', ...rest('Vary: Accept-Encoding'), ...(NEW_MICROHTTPD ? [] : ['Content-Length: 0']), '',
    'HTTP/1.1 200 OK', 'Date: D', 'Connection: close', 'Content-Type: application/json', ...rest(),
    `Content-Length: ${body.length}`, '', body.toString(),
  ].join('\r\n');
  for (const together of [true, false]) {
    const bytes = await bytesOf(port, first, second, together);
    assert.equal(bytes.replaceAll(/^Date: .*GMT\r$/gm, 'Date: D\r'), expected);
  }
}));

test('faults are reported even if the tag matches', () => withArbiter([], async ({ port }) => {
  const large = { rows: 101, cols: 100, mines: [] };
  for (const [first, target, status] of [
    [link('pawn', BOARD, '&format=json'), '/pawn?case=garbage&format=json', 400],
    [link('pawn', BOARD, '&format=json'), link('pawn', { board: ['...', 'X..'] }, '&format=json'), 422],
    [link('mine', { board: ['.'] }, '&format=svg'), link('mine', large, '&format=svg'), 406],
  ]) {
    const tag = (await ask(port, { target: first })).header('etag');
    assert.equal((await ask(port, { target: first, headers: { 'If-None-Match': tag } })).status, 304);
    assert.equal((await ask(port, { target, headers: { 'If-None-Match': tag } })).status, status, target);
  }
}));

test('a record given as a JSON string is Unicode, whatever its CA property says', () => withArbiter([], async ({ port }) => {
  for (const charset of ['GB2312', 'GB18030', 'Big5', 'Shift_JIS', 'UTF-8'])
    for (const text of ['你', '柯洁', '李世石']) {
      const sgf = `(;CA[${charset}]SZ[3]PB[${text}]C[${text}];B[aa])`;
      const answer = await ask(port, { target: link('go', { sgf }, '&format=json') });
      assert.deepEqual(JSON.parse(answer.body).board, ['B..', '...', '...'], sgf);
    }
}));

test('a tag changes with the limits', async () => {
  const tags = new Set();
  for (const options of [[], ['--max-search-states', '7'], ['--max-pawn-cells', '20'], ['--max-json-values', '9']])
    await withArbiter(options, async ({ port }) => {
      tags.add((await ask(port, { target: link('mine', { board: ['.'] }, '&format=json') })).header('etag'));
    });
  assert.equal(tags.size, 4);
});

test('faults in a link name the parameter and are never cached', () => withArbiter([], async ({ port }) => {
  const rows = [
    ['/mine', 400, { parameter: 'case', code: 'missing' }],
    ['/mine?case=%7B%7D&case=%7B%7D', 400, { parameter: 'case', code: 'duplicate-member' }],
    ['/mine?case=%7B%7D&format=png', 400, { parameter: 'format', code: 'value' }],
    ['/mine?case=%7B%7D&x%79=1', 400, { parameter: 'xy', code: 'unknown-member' }],
    ['/mine?case=%7B', 400, { parameter: 'case', line: 1, column: 2, code: 'syntax' }],
    ['/mine?case=', 400, { parameter: 'case', line: 1, column: 1, code: 'syntax' }],
    ['/mine?case=%zz', 400, { parameter: 'case', line: 1, column: 1, code: 'syntax' }],
    [link('mine', { board: ['?'] }), 422, { parameter: 'case', pointer: '/board/0', code: 'value', at: [0, 0] }],
    [link('mine', { cases: [{ board: ['.'] }] }), 422, { parameter: 'case', pointer: '', code: 'missing' }],
    [link('go', { sgf: '(;B[zz' }), 422, { parameter: 'case', pointer: '/sgf', line: 1, column: 4, code: 'syntax' }],
    [link('go', { sgf: '(;)(;)', game: 'all' }), 422, { parameter: 'case', pointer: '/game', code: 'value' }],
  ];
  for (const [target, status, expected] of rows) {
    const answer = await ask(port, { target });
    assert.equal(answer.status, status, target);
    assert.equal(answer.header('cache-control'), 'no-store');
    const { detail, ...place } = JSON.parse(answer.body).errors[0];
    assert.ok(detail.length > 0);
    assert.deepEqual(place, expected, target);
  }
}));

test('a plus is a space in a link', () => withArbiter([], async ({ port }) => {
  const answer = await ask(port, { target: '/mine?case=%7B+%22id%22:+%22a+b%22,%22board%22:%5B%22.%22%5D+%7D' });
  assert.equal(JSON.parse(answer.body).id, 'a b');
}));

test('answers to links have a limit of their own', () =>
  withArbiter(['--max-link-answer-bytes', '100'], async ({ port }) => {
    const value = { board: ['.......', '.......'] };
    assert.equal((await ask(port, { target: link('mine', value, '&format=text') })).status, 200);
    const refused = await ask(port, { target: link('mine', { ...value, include: ['board', 'wins'] }) });
    assert.equal(refused.status, 422);
    assert.equal(JSON.parse(refused.body).type, '/problems/answer-too-large');
    const posted = await ask(port, { method: 'POST', target: '/mine',
      body: JSON.stringify({ ...value, include: ['board', 'wins'] }) });
    assert.equal(posted.status, 200);
  }));

test('pictures are not offered for cases that have none', () => withArbiter([], async ({ port }) => {
  const large = { rows: 100, cols: 101, mines: [] };
  const rows = [
    ['image/svg+xml', { rows: 100, cols: 100, mines: [] }, 200, 'image/svg+xml'],
    ['image/svg+xml', large, 406, null],
    ['image/svg+xml, text/plain;q=0.1', large, 200, 'text/plain'],
    ['image/svg+xml', { cases: [{ board: ['.'] }] }, 406, null],
    ['image/svg+xml, */*;q=0.1', { cases: [{ board: ['.'] }] }, 200, 'application/json'],
    ['image/svg+xml', { board: ['?'] }, 422, null],
    ['image/svg+xml', { cases: [{ board: ['?'] }] }, 422, null],
  ];
  for (const [accept, value, status, type] of rows) {
    const answer = await ask(port, { method: 'POST', target: '/mine', headers: { Accept: accept },
      body: JSON.stringify(value) });
    assert.equal(answer.status, status, `${accept} ${answer}`);
    if (type) assert.ok(answer.header('content-type').startsWith(type));
    const available = ['application/json', 'text/plain', 'application/x-ndjson', 'application/jsonl'];
    if (status === 406) assert.deepEqual(JSON.parse(answer.body).available, available);
  }
  const linked = await ask(port, { target: link('mine', large, '&format=svg') });
  assert.equal(linked.status, 406);
  assert.deepEqual(linked.json().available, ['application/json', 'text/plain'], 'links do not offer NDJSON');
}));

test('a picture shows the same stones as `board`', () => withArbiter([], async ({ port }) => {
  const value = { size: 5, moves: [['B', 0, 0], ['W', 1, 1], ['B', 2, 2], ['W', 3, 3], ['B', 4, 4]] };
  const picture = `${(await ask(port, { target: link('go', value, '&format=svg') })).body}`;
  assert.match(picture, /3 black stones and 2 white stones/);
}));

test('the answer to HEAD for a link has a Content-Length, but no body', () => withArbiter([], async ({ port }) => {
  const target = link('mine', FIELD, '&format=svg');
  const [got, head] = [await ask(port, { target }), await ask(port, { method: 'HEAD', target })];
  assert.equal(head.status, 200);
  assert.equal(head.body.length, 0);
  assert.equal(head.header('content-length'), got.header('content-length'));
  assert.equal(head.header('etag'), got.header('etag'));
}));
