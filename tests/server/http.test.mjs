// What Arbiter promises as an HTTP server: framing, methods, headers, order.
//
// Much of this is there because libmicrohttpd would do otherwise by itself.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';

import { parse } from 'yaml';

import { NEW_MICROHTTPD, start, withArbiter } from './arbiter.mjs';
import { JSON_TYPE, KNOWN, REFUSED, SGF_TYPE, TEXT_TYPE, goMoves, linkTo, pawnBoard, randomFrom } from './bodies.mjs';
import { ask, chunked, connect, formatRequest, pause } from './client.mjs';

const PATIENCE = Number(process.env.ARBITER_PATIENCE ?? 1);
const SOON = 8_000 * PATIENCE;
const [EMPTY_FIELD] = KNOWN;

const PAGES = ['/', '/openapi.yaml', '/openapi.json', '/limits', '/version', '/problems', '/problems/malformed'];
const READING = [...PAGES, '/livez', '/readyz'];
const SOLVING = ['/pawn', '/go', '/mine'];
const PROBLEMS = [
  'malformed', 'not-found', 'method-not-allowed', 'not-acceptable', 'too-large', 'uri-too-long',
  'unsupported-media-type', 'invalid-case', 'answer-too-large', 'internal', 'overloaded',
];
const LINES = 'application/x-ndjson, application/jsonl';
const READING_METHODS = 'GET, HEAD, OPTIONS';
const SOLVING_METHODS = 'GET, HEAD, OPTIONS, POST';

let arbiter;
let port;

async function startShared() {
  arbiter = await start(['--workers', 2, '--max-search-states', 500, '--max-wait', 600]);
  ({ port } = arbiter);
}

/** A test with the shared program; one that ends the program fails, and the next gets a new one. */
function theServer(name, body) {
  it(name, async (t) => {
    if (arbiter.left !== null) await startShared();
    let failure = null;
    try {
      await body(t);
    } catch (error) {
      failure = error;
    }
    // Perhaps it is just ending: then say that.
    if (failure !== null && !(failure instanceof assert.AssertionError)) await Promise.race([arbiter.exit, pause(1000)]);
    if (arbiter.left !== null) {
      const left = `the program left: ${JSON.stringify(arbiter.left)}\n${arbiter.stderr.slice(-2000)}`;
      throw new Error(`${left}\n${failure ?? ''}`);
    }
    if (failure !== null) throw failure;
  });
}

const get = (target, headers) => ask(port, { target, headers });

/** From 1 KiB on an answer depends on whether it may be packed, be it packed or not. */
function checkVary(answer, names) {
  const packable = answer.body.length >= 1024 ? ['accept-encoding'] : [];
  assert.deepEqual(answer.list('vary'), [...names, ...packable], `${answer}`);
}

/** What every answer of the program carries. */
function checkEveryAnswer(answer, text = '') {
  const told = `${text}\n${answer}`;
  assert.match(answer.header('x-request-id') ?? '', /^[A-Za-z0-9._-]{1,64}$/, told);
  assert.equal(answer.header('x-content-type-options'), 'nosniff', told);
  assert.equal(answer.header('access-control-allow-origin'), '*', told);
  assert.equal(answer.header('access-control-allow-credentials'), undefined, told);
  assert.deepEqual(answer.list('access-control-expose-headers').sort(), ['etag', 'retry-after', 'x-request-id'], told);
}

function checkProblem(answer, status, slug) {
  assert.equal(answer.status, status, `${answer}`);
  checkEveryAnswer(answer);
  assert.equal(answer.header('content-type'), 'application/problem+json', `${answer}`);
  assert.equal(answer.header('cache-control'), 'no-store', `${answer}`);
  assert.ok(answer.text().endsWith('}\n'), 'JSON answers end in a LF');
  const problem = answer.json();
  assert.equal(problem.type, `/problems/${slug}`, `${answer}`);
  assert.equal(problem.status, status);
  assert.equal(typeof problem.title, 'string');
  assert.equal(typeof problem.detail, 'string');
  return problem;
}

async function withConnection(use) {
  const connection = await connect(port);
  try {
    return await use(connection);
  } finally {
    connection.close();
  }
}

/** Sends bytes, expects one refusal and then the end; the next client is served. */
async function checkRefusedAndClosed(bytes, check, { whole = true } = {}) {
  await withConnection(async (connection) => {
    connection.expect('POST');
    connection.write(bytes);
    check(await connection.answer());
    await connection.closed({ within: SOON });
    assert.equal(connection.unread, 0, `one answer only, though followed by:\n${bytes}`);
    if (whole) assert.equal(connection.fault, null);
  });
  assert.equal((await get('/livez')).status, 200, 'the next connection is served');
}

describe('HTTP', { timeout: 900_000 }, () => {
  before(startShared);

  after(() => {
    if (arbiter.left === null) arbiter.signal('SIGKILL');
  });

  // --- routes and methods ---------------------------------------------------

  theServer('the paths that can be read answer 200 in their media type', async () => {
    const types = {
      '/': /^text\/html(; ?charset=utf-8)?$/i,
      '/openapi.yaml': /^application\/yaml$/,
      '/openapi.json': /^application\/json$/,
      '/problems': /^text\/html(; ?charset=utf-8)?$/i,
      '/limits': /^application\/json$/,
      '/version': /^application\/json$/,
      '/livez': /^application\/json$/,
      '/readyz': /^application\/json$/,
    };
    for (const [target, type] of Object.entries(types)) {
      const answer = await get(target);
      assert.equal(answer.status, 200, target);
      assert.match(answer.header('content-type'), type, target);
      assert.equal(answer.header('content-length'), String(answer.body.length), target);
      checkEveryAnswer(answer, target);
    }
    assert.equal((await get('/livez')).text(), '{"status":"ok"}\n');
  });

  theServer('/openapi.yaml is the file in the repository, byte for byte', async () => {
    const file = readFileSync(new URL('../../openapi.yaml', import.meta.url));
    assert.ok((await get('/openapi.yaml')).body.equals(file));
  });

  theServer('/openapi.json is the same document', async () => {
    const file = readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8');
    assert.deepEqual((await get('/openapi.json')).json(), parse(file));
  });

  theServer('the pages have tags, and who has one is not sent it again', async () => {
    const tags = new Set();
    for (const target of PAGES) {
      const answer = await get(target);
      const tag = answer.header('etag');
      assert.match(tag, /^"[!#-~]+"$/, target);
      tags.add(tag);
      const again = await get(target, { 'If-None-Match': `"x", W/${tag}` });
      assert.equal(again.status, 304, target);
      assert.equal(again.header('etag'), tag, target);
      assert.deepEqual(again.list('vary'), ['accept-encoding'], target);
      assert.equal((await get(target, { 'If-None-Match': '"x"' })).status, 200, target);
    }
    assert.equal(tags.size, PAGES.length);
  });

  theServer('/problems lists every problem type', async () => {
    const page = (await get('/problems')).text();
    for (const name of PROBLEMS) assert.ok(page.includes(`href="/problems/${name}"`), name);
    assert.equal(page.match(/href=/g).length, PROBLEMS.length);
  });

  theServer('the command on the page of a problem shows that problem', async () => {
    const full = await start(['--max-inflight-bytes', 1]);
    for (const name of PROBLEMS) {
      const page = (await get(`/problems/${name}`)).text();
      const command = /<pre>(.*)<\/pre>/s.exec(page)?.[1];
      if (name === 'internal') {
        assert.equal(command, undefined, 'nothing is known that shows it');
        continue;
      }
      const where = name === 'overloaded' ? full.port : port;
      const run = command.replaceAll('localhost:8080', `127.0.0.1:${where}`);
      assert.notEqual(run, command, name);
      const { stdout } = await promisify(execFile)('sh', ['-c', run], { maxBuffer: 1 << 20 });
      assert.ok(stdout.includes(`"type":"/problems/${name}"`), `${command}\n${stdout.slice(0, 2000)}`);
    }
    await full.stop();
  });

  theServer('every problem type has a page, to be read by any page', async () => {
    for (const name of PROBLEMS) {
      assert.equal((await ask(port, { method: 'HEAD', target: `/problems/${name}`, headers: { Origin: 'https://a.example' } })).status, 200);
      const answer = await get(`/problems/${name}`);
      assert.equal(answer.status, 200, name);
      assert.ok(answer.body.length > 20, name);
      checkEveryAnswer(answer, name);
    }
    for (const name of ['', 'nothing', 'malformed/', 'Malformed', 'malforme', 'malformedx', '../limits']) {
      checkProblem(await get(`/problems/${name}`), 404, 'not-found');
    }
  });

  theServer('a path that is not there is 404 for every method', async () => {
    for (const target of ['/nowhere', '/pawn/', '/Pawn', '/pawn1', '//', '/livez/x', '/version%00x', '/limits%00']) {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'INVENTED']) {
        checkProblem(await ask(port, { method, target }), 404, 'not-found');
      }
    }
  });

  theServer('HEAD answers as GET does, without the body', async () => {
    const comparable = ({ status, headers }) => {
      const kept = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
      return { status, headers: Object.fromEntries(kept) };
    };
    for (const target of [...READING, '/nowhere']) {
      await withConnection(async (connection) => {
        connection.send({ target });
        const whole = await connection.answer();
        connection.send({ method: 'HEAD', target });
        const head = await connection.answer();
        assert.deepEqual(comparable(head), comparable(whole), target);
        assert.equal(head.header('content-length'), String(whole.body.length), target);
        connection.send({ target: '/livez' }); // a body after HEAD would stand in its way
        assert.equal((await connection.answer()).text(), '{"status":"ok"}\n', target);
      });
    }
  });

  theServer('a method that a path does not have is 405 with Allow', async () => {
    const methods = ['PUT', 'DELETE', 'PATCH', 'TRACE', 'INVENTED', 'post', 'get', 'Options'];
    for (const target of SOLVING) {
      for (const method of methods) {
        const answer = await ask(port, { method, target });
        checkProblem(answer, 405, 'method-not-allowed');
        assert.equal(answer.header('allow'), SOLVING_METHODS, `${method} ${target}`);
      }
      // GET and HEAD are there, but want a case.
      const { errors } = checkProblem(await get(target), 400, 'malformed');
      assert.deepEqual(errors.map(({ parameter, code }) => [parameter, code]), [['case', 'missing']]);
      const head = await ask(port, { method: 'HEAD', target });
      assert.equal(head.status, 400);
      assert.equal(head.header('allow'), undefined);
    }
    for (const target of READING) {
      for (const method of ['POST', ...methods]) {
        const answer = await ask(port, { method, target, body: method === 'POST' ? '{}' : undefined });
        checkProblem(answer, 405, 'method-not-allowed');
        assert.equal(answer.header('allow'), READING_METHODS, `${method} ${target}`);
      }
    }
  });

  theServer('OPTIONS answers 204 with Allow and no body', async () => {
    for (const [targets, methods] of [[READING, READING_METHODS], [SOLVING, SOLVING_METHODS]]) {
      for (const target of targets) {
        const answer = await ask(port, { method: 'OPTIONS', target });
        assert.equal(answer.status, 204, target);
        assert.equal(answer.header('allow'), methods, target);
        assert.equal(answer.header('content-length'), undefined, 'RFC 9110, 8.6: none in a 204');
        assert.equal(answer.header('transfer-encoding'), undefined, 'RFC 9112, 6.1: none in a 204');
        checkEveryAnswer(answer, target);
      }
    }
  });

  theServer('a parameter where none is known is 400 and named', async () => {
    for (const request of SOLVING.map((target) => ({ target: `${target}?answer=42`, body: '{}' }))) {
      const { errors } = checkProblem(await ask(port, request), 400, 'malformed');
      assert.equal(errors.length, 1);
      assert.equal(errors[0].parameter, 'answer', request.target);
      assert.equal(errors[0].code, 'unknown-member', request.target);
    }
  });

  theServer('pages and probes look at no parameter', async () => {
    for (const target of READING) {
      for (const query of ['?', '?answer=42', '?case=%7B%7D&format=png', '?=', '?&&', '?_']) {
        assert.equal((await get(target + query)).status, 200, target + query);
      }
    }
  });

  theServer('a parameter that begins with _ is ignored everywhere', async () => {
    for (const { request, json } of KNOWN) {
      for (const query of ['?_=1700000000', '?_&_', '?%5Fa=1&__=%zz']) {
        const answer = await ask(port, { ...request, target: request.target + query });
        assert.equal(answer.status, 200, `${answer}`);
        if (json !== undefined) assert.deepEqual(answer.json(), json);
      }
    }
    assert.equal((await get('/mine?_=1&case=%7B%22board%22:[%22.%22]%7D&_=2&format=text&_a')).text(), 'Case #1: Xiemao\n');
    const { errors } = checkProblem(await get('/mine?_case=%7B%7D&a_=1'), 400, 'malformed');
    assert.deepEqual(errors.map(({ parameter, code }) => [parameter, code]), [['case', 'missing'], ['a_', 'unknown-member']]);
  });

  theServer('404 lists the paths, 405 the methods, and a GET without a case says what to do', async () => {
    const { detail } = checkProblem(await get('/paw'), 404, 'not-found');
    for (const target of [...SOLVING, ...PAGES.slice(0, -1), '/problems/NAME', '/web/NAME', '/docs', '/docs/NAME', '/livez', '/readyz']) {
      assert.ok(detail.includes(target), `${target} in: ${detail}`);
    }
    assert.match(checkProblem(await ask(port, { method: 'PUT', target: '/go' }), 405, 'method-not-allowed').detail, /GET, HEAD, OPTIONS, POST$/);
    assert.match(checkProblem(await ask(port, { method: 'POST', target: '/limits' }), 405, 'method-not-allowed').detail, /GET, HEAD, OPTIONS$/);
    assert.match(checkProblem(await get('/pawn'), 400, 'malformed').detail, /body of a POST$/);
  });

  theServer('the known answers come in JSON and in judge text', async () => {
    for (const { name, request, json, text } of KNOWN) {
      const answer = await ask(port, request);
      assert.equal(answer.status, 200, `${name}: ${answer}`);
      checkEveryAnswer(answer, name);
      assert.ok(answer.list('vary').includes('accept'), `${name}: ${answer}`);
      if (json !== undefined) {
        assert.equal(answer.header('content-type'), 'application/json', name);
        assert.deepEqual(answer.json(), json, name);
        assert.ok(answer.text().endsWith('}\n'), `${name}: JSON answers end in a LF`);
      } else {
        assert.match(answer.header('content-type'), /^text\/plain(; ?charset=utf-8)?$/i, name);
        assert.equal(answer.text(), text, name);
      }
    }
  });

  theServer('a refusal has the form of a problem and tells its type', async () => {
    for (const { request, status, type } of REFUSED) {
      checkProblem(await ask(port, request), status, type.replace('/problems/', ''));
    }
  });

  theServer('the checks come in the order of the contract', async () => {
    const long = { 'Content-Length': String(2 ** 27) };
    const type = { 'Content-Type': 'image/png' };
    const accept = { Accept: 'audio/ogg' };
    const steps = [
      ['GET', `/${'a'.repeat(9000)}`, { 'Content-Length': '5, 5' }, 400],
      ['PUT', `/${'a'.repeat(9000)}?x=1`, { ...long, ...type }, 414],
      ['PUT', '/nowhere?x=1', { ...long, ...type, ...accept }, 404],
      ['PUT', '/mine?x=1', { ...long, ...type, ...accept }, 405],
      ['POST', '/mine?x=1', { ...long, ...type, ...accept }, 413],
      ['POST', '/mine?x=1', { 'Content-Length': '5', ...type, ...accept }, 415],
      ['POST', '/mine?x=1', { 'Content-Length': '5', ...accept }, 406],
      ['POST', '/mine?x=1', { 'Content-Length': '5' }, 400],
    ];
    for (const [method, target, headers, status] of steps) {
      await withConnection(async (connection) => {
        connection.expect(method);
        connection.write(formatRequest({ method, target, headers }));
        const answer = await connection.answer();
        assert.equal(answer.status, status, `${method} ${target.slice(0, 20)} ${JSON.stringify(headers)}\n${answer}`);
      });
    }
  });

  theServer('media types are taken and refused as the contract lists them', async () => {
    const body = '{"board":["..."]}';
    const statusOf = async (headers) => (await ask(port, { target: '/mine', headers, body })).status;
    for (const type of [
      null, 'application/json', 'APPLICATION/JSON', 'application/json; charset=utf-8', 'application/json;charset="UTF-8"',
      'application/json; a=b', 'application/x-www-form-urlencoded',
    ]) {
      assert.equal(await statusOf({ 'Content-Type': type }), 200, `${type}`);
    }
    for (const type of [
      'application/jsonx', 'text/html', 'application/json; charset=latin1', 'text/plain; charset=utf-16', 'application/x-go-sgf',
    ]) {
      for (const target of ['/mine', '/pawn']) {
        const answer = await ask(port, { target, headers: { 'Content-Type': type }, body });
        checkProblem(answer, 415, 'unsupported-media-type');
        assert.equal(answer.header('accept-post'), `application/json, text/plain, ${LINES}`, `${answer}`);
      }
    }
    for (const type of ['application/jsonx', 'application/json; charset=latin1', 'application/x-go-sgfx', 'application/sgf']) {
      const answer = await ask(port, { target: '/go', headers: { 'Content-Type': type }, body: '(;)' });
      checkProblem(answer, 415, 'unsupported-media-type');
      assert.equal(answer.header('accept-post'), `application/json, text/plain, ${LINES}, application/x-go-sgf`, `${answer}`);
    }
    // A record may be any bytes, and says itself in which character set.
    for (const type of ['application/x-go-sgf', 'Application/X-Go-SGF', 'application/x-go-sgf; charset=gb2312', 'application/x-go-sgf;charset=utf-8']) {
      const record = Buffer.from('\ufeff(;CA[x]SZ[3]C[\xff\xfe\x80];B[bb];W[bb])', 'latin1');
      const answer = await ask(port, { target: '/go', headers: { 'Content-Type': type }, body: record });
      assert.equal(answer.status, 200, `${type}: ${answer}`);
      assert.equal(answer.header('content-type'), 'application/json');
      const { board, misses } = answer.json();
      assert.deepEqual(board, ['...', '.B.', '...']);
      assert.deepEqual(misses.map(({ move, code }) => [move, code]), [[2, 1]]);
    }
    assert.equal(await statusOf({ 'Content-Encoding': 'identity' }), 200);
    for (const coding of ['gzip', 'identity, gzip', 'br']) {
      checkProblem(await ask(port, { target: '/mine', headers: { 'Content-Encoding': coding }, body }), 415, 'unsupported-media-type');
    }
  });

  theServer('JSON is read to the letter of RFC 8259', async () => {
    const statusOf = async (body) => (await ask(port, { target: '/mine', headers: JSON_TYPE, body })).status;
    const field = (rows) => `{"rows":${rows},"cols":1,"mines":[]}`;
    for (const good of [
      field('1.0'), field('1e0'), field('10E-1'), '\ufeff{"board":["."]}', ' \t\r\n{ "board" : [ "." ] } \r\n',
      '{"b\\u006fard":["\\u002e"]}', '{"id":"\\ud83d\\ude00 \\"\\\\","board":["."]}', '{"id":"\u{1f600}","board":["."]}',
    ]) {
      assert.equal(await statusOf(good), 200, good);
    }
    const id = (text) => Buffer.concat([Buffer.from('{"id":"'), Buffer.from(text, 'latin1'), Buffer.from('","board":["."]}')]);
    for (const bad of [
      field('01'), field('1.'), field('.1'), field('+1'), field('0x1'), field('NaN'), field('1e'), field('-'),
      '{"board":["."]}x', '{"board":["."]}{}', '{"board":["."],}', "{'board':['.']}", '{"board":["."]', '{"board":["."]}\0',
      '{"board":["\\x2e"]}', '\v{"board":["."]}', '// a\n{"board":["."]}', '{board:["."]}', 'True', '\ufeff\ufeff{"board":["."]}',
      id('a\u0001'), id('a\n'), id('\xff'), id('\xc0\xaf'), id('\xed\xa0\x80'), id('\xf4\x90\x80\x80'), id('\xe2\x82'),
      id('\\u0000'), id('\\ud800'), id('\\udc00\\ud800'), id('\\u12g4'), '['.repeat(17) + ']'.repeat(17), '['.repeat(1_000_000),
    ]) {
      checkProblem(await ask(port, { target: '/mine', headers: JSON_TYPE, body: bad }), 400, 'malformed');
    }
    for (const wrong of [field('1.5'), field('1e400'), field('"1"'), field('-1'), '[]', 'null', '{"board":["."],"b\\u006fard":["."]}']) {
      checkProblem(await ask(port, { target: '/mine', headers: JSON_TYPE, body: wrong }), 422, 'invalid-case');
    }
  });

  theServer('Accept chooses between JSON, text and picture', async () => {
    const body = '{"board":["..."]}';
    const typeFor = async (headers, content = body) => {
      const answer = await ask(port, { target: '/mine', headers, body: content });
      assert.equal(answer.status, 200, `${JSON.stringify(headers)}: ${answer}`);
      assert.ok(answer.list('vary').includes('accept'));
      return answer.header('content-type').replace(/;.*/, '');
    };
    for (const [accept, type] of [
      [null, 'application/json'], ['', 'application/json'], ['*/*', 'application/json'], ['text/plain', 'text/plain'],
      ['text/*', 'text/plain'], ['application/*', 'application/json'], ['text/plain, application/json', 'application/json'],
      ['text/plain, application/json;q=0.9', 'text/plain'], ['application/json;q=0, */*', 'text/plain'],
      ['TEXT/PLAIN', 'text/plain'], ['text/html, */*;q=0.1', 'application/json'],
      ['image/svg+xml', 'image/svg+xml'], ['image/*', 'image/svg+xml'], ['IMAGE/SVG+XML;q=0.001', 'image/svg+xml'],
      ['image/svg+xml, application/json', 'application/json'], ['image/svg+xml, text/plain', 'text/plain'],
      ['image/svg+xml, */*;q=0.9', 'image/svg+xml'], ['application/json;q=0, text/*;q=0, */*', 'image/svg+xml'],
      ['image/avif,image/webp,image/svg+xml,image/*,*/*;q=0.8', 'image/svg+xml'],
    ]) {
      assert.equal(await typeFor({ Accept: accept }), type, `Accept: ${accept}`);
    }
    const text = '1\n1 3 0\n';
    assert.equal(await typeFor(TEXT_TYPE, text), 'text/plain');
    assert.equal(await typeFor({ ...TEXT_TYPE, Accept: '*/*' }, text), 'text/plain');
    assert.equal(await typeFor({ ...TEXT_TYPE, Accept: 'application/json' }, text), 'application/json');
    assert.equal(await typeFor({ ...TEXT_TYPE, Accept: 'image/svg+xml, application/json;q=0.1' }, text), 'application/json');
    for (const accept of ['audio/ogg', 'application/json;q=0', 'text/html', 'image/svg']) {
      const answer = await ask(port, { target: '/mine', headers: { Accept: accept }, body });
      const { available } = checkProblem(answer, 406, 'not-acceptable');
      assert.deepEqual(available, ['application/json', 'text/plain', 'image/svg+xml', ...LINES.split(', ')], `${answer}`);
      const ofText = await ask(port, { target: '/mine', headers: { ...TEXT_TYPE, Accept: accept }, body: text });
      assert.deepEqual(checkProblem(ofText, 406, 'not-acceptable').available, ['application/json', 'text/plain', ...LINES.split(', ')], `${ofText}`);
    }
    assert.equal((await ask(port, { target: '/limits', headers: { Accept: 'audio/ogg' } })).status, 200, 'ignored there');
  });

  // --- pictures -------------------------------------------------------------

  const PICTURED = [
    ['/pawn', { board: ['..#.', 'O..O', '....', '.X..'] }],
    ['/pawn', { board: ['O.O', '###', 'X..'], id: '<&">]]>', include: ['moves', 'boards'] }],
    ['/go', { size: 5, moves: [['B', 0, 1], ['B', 1, 0], ['W', 0, 0], ['W', 'B4'], ['W', 1, 1], ['B', 'pass']] }],
    ['/go', { sgf: '(;SZ[25]GN[<script>alert(1)</script>&];B[aa];W[aa])', include: ['score', 'captured'] }],
    ['/go', { size: 1, moves: [] }],
    ['/mine', { board: ['..*', '...', '*..'], include: ['wins'] }],
    ['/mine', { board: ['*'] }],
    ['/mine', { rows: 100, cols: 100, mines: [[0, 0], [99, 99]] }],
  ];

  /** Well-formed XML of one element, without anything that acts or loads. */
  function checkSvg(answer, told) {
    assert.equal(answer.status, 200, `${told}: ${answer}`);
    assert.equal(answer.header('content-type'), 'image/svg+xml', told);
    assert.equal(answer.header('content-security-policy'), "default-src 'none'; style-src 'unsafe-inline'", told);
    assert.equal(answer.header('cross-origin-resource-policy'), 'cross-origin', told);
    checkEveryAnswer(answer, told);
    const text = answer.text();
    assert.match(text, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*viewBox="0 0 \d+ \d+"/, told);
    assert.match(text, /^<title>[^<]+<\/title>$/m, told);
    assert.ok(/^[\x20-\x7e\n]*<\/svg>\n$/.test(text), `${told}: ASCII that ends with the element and a LF`);
    const open = [];
    let roots = 0;
    let at = 0;
    const tag = /<(\/?)([a-z][A-Za-z]*)((?: [a-z][A-Za-z:-]*="[^"<]*")*)(\/?)>/y;
    while (at < text.length) {
      const next = text.indexOf('<', at);
      const between = text.slice(at, next < 0 ? undefined : next);
      assert.ok(open.length > 0 || between.trim() === '', `${told}: text outside of the element`);
      if (open.at(-1) !== 'style') assert.ok(!/&(?!(amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/.test(between), `${told}: ${between}`);
      if (next < 0) break;
      tag.lastIndex = next;
      const found = tag.exec(text);
      assert.ok(found, `${told}: no tag at ${text.slice(next, next + 60)}`);
      const [whole, closing, name, attributes, empty] = found;
      assert.ok(!['script', 'foreignObject', 'image', 'use', 'a', 'iframe', 'animate', 'set'].includes(name), `${told}: ${name}`);
      assert.ok(!/ (on[a-z]+|href|xlink:href|src|style)=/.test(attributes), `${told}: ${whole}`);
      const names = [...attributes.matchAll(/ ([A-Za-z:-]+)=/g)].map((match) => match[1]);
      assert.equal(new Set(names).size, names.length, `${told}: an attribute twice in ${whole}`);
      if (closing) assert.equal(open.pop(), name, `${told}: ${whole}`);
      else if (open.length === 0) roots += 1;
      if (!closing && !empty) open.push(name);
      at = next + whole.length;
    }
    assert.deepEqual(open, [], told);
    assert.equal(roots, 1, told);
    assert.ok(!/url\(|@import|javascript:|<!|<\?/i.test(text), told);
  }

  theServer('a picture is well-formed, and can do and load nothing', async () => {
    for (const [target, theCase] of PICTURED) {
      const told = `${target} ${JSON.stringify(theCase).slice(0, 60)}`;
      const posted = await ask(port, { target, headers: { ...JSON_TYPE, Accept: 'image/svg+xml' }, body: JSON.stringify(theCase) });
      checkSvg(posted, told);
      checkVary(posted, ['accept']);
      assert.equal(posted.header('etag'), undefined, 'only links are cached');
      const linked = await get(linkTo(target, theCase, '&format=svg'));
      checkSvg(linked, told);
      assert.ok(linked.body.equals(posted.body), `${told}: by link and by POST the same`);
    }
    const record = await ask(port, { target: '/go', headers: { ...SGF_TYPE, Accept: 'image/*' }, body: '(;SZ[9];B[aa])' });
    checkSvg(record, 'a record');
  });

  theServer('where there is no picture the next acceptable form is given, or 406', async () => {
    const large = { rows: 73, cols: 137, mines: [] }; // 10,001 cells
    const batch = { cases: [{ board: ['...'] }] };
    const json = (body, accept) => ({ target: '/mine', headers: { ...JSON_TYPE, Accept: accept }, body: JSON.stringify(body) });
    const requests = (accept) => [
      [json(large, accept)], [json(batch, accept)], [{ target: linkTo('/mine', large), headers: { Accept: accept } }],
      [{ target: '/mine', headers: { ...TEXT_TYPE, Accept: accept }, body: '1\n1 1 0\n' }],
      [{ target: '/pawn', headers: { ...JSON_TYPE, Accept: accept }, body: '{"cases":[{"board":["OO","X."]}]}' }],
    ].flat();
    for (const accept of ['image/svg+xml', 'image/*', '*/*, text/*;q=0, application/*;q=0', 'image/svg+xml, audio/ogg']) {
      for (const request of requests(accept)) {
        const answer = await ask(port, request);
        const lines = request.body !== undefined ? LINES.split(', ') : []; // links do not offer them
        assert.deepEqual(checkProblem(answer, 406, 'not-acceptable').available, ['application/json', 'text/plain', ...lines]);
        assert.deepEqual(answer.list('vary'), ['accept'], `${answer}`);
      }
    }
    const fixed = await get(linkTo('/mine', large, '&format=svg'));
    checkProblem(fixed, 406, 'not-acceptable');
    assert.equal(fixed.header('vary'), undefined, `${fixed}`);
    for (const [accept, type] of [
      ['image/svg+xml, text/plain;q=0.5', 'text/plain'], ['image/svg+xml, application/json;q=0.5', 'application/json'],
      ['image/svg+xml, application/json;q=0.2, text/plain;q=0.3', 'text/plain'],
    ]) {
      for (const request of requests(accept)) {
        const answer = await ask(port, request);
        assert.equal(answer.status, 200, `${answer}`);
        assert.equal(answer.header('content-type').replace(/;.*/, ''), type, `${answer}`);
        assert.equal(answer.header('content-security-policy'), undefined);
        checkVary(answer, ['accept']);
      }
    }
    // One cell fewer can be drawn; faults of the case come before its form.
    checkSvg(await get(linkTo('/mine', { rows: 100, cols: 100, mines: [] }, '&format=svg')), '10,000 cells');
    checkProblem(await ask(port, json({ cases: [{ board: ['?'] }] }, 'image/svg+xml')), 422, 'invalid-case');
    checkProblem(await ask(port, json({ ...large, mines: [[73, 0]] }, 'image/svg+xml')), 422, 'invalid-case');
  });

  // --- links ----------------------------------------------------------------

  const LINKED = [
    ['/pawn', { id: 'a&b=c+d %41', board: ['O.O', 'X..'], include: ['line'] }],
    ['/go', { size: 3, moves: [['B', 1, 1], ['W', 1, 1]] }],
    ['/mine', { board: ['..*', '...', '*..'], include: ['board'] }],
  ];
  const DAY = 'public, max-age=86400';

  theServer('a link is answered as a POST of its case, may be cached, and varies only without format', async () => {
    for (const [path, theCase] of LINKED) {
      for (const [format, accept] of [['json', 'application/json'], ['text', 'text/plain'], ['svg', 'image/svg+xml']]) {
        const posted = await ask(port, { target: path, headers: { ...JSON_TYPE, Accept: accept }, body: JSON.stringify(theCase) });
        assert.equal(posted.header('cache-control'), undefined, 'a POST is not cached');
        const byAccept = await get(linkTo(path, theCase), { Accept: accept });
        const byFormat = await get(linkTo(path, theCase, `&format=${format}`), { Accept: 'audio/ogg' });
        const formatFirst = await get(linkTo(path, theCase).replace('?', `?format=${format}&&`));
        for (const answer of [byAccept, byFormat, formatFirst]) {
          assert.equal(answer.status, 200, `${answer}`);
          checkEveryAnswer(answer);
          assert.ok(answer.body.equals(posted.body), `${path} ${format}`);
          assert.equal(answer.header('content-type'), posted.header('content-type'));
          assert.equal(answer.header('cache-control'), DAY);
          assert.match(answer.header('etag') ?? '', /^"[!#-~]+"$/, 'a strong tag');
        }
        checkVary(byAccept, ['accept']);
        for (const answer of [byFormat, formatFirst]) checkVary(answer, []);
      }
      const standard = await get(linkTo(path, theCase));
      assert.equal(standard.header('content-type'), 'application/json');
      const plus = await get(linkTo(path, JSON.stringify(theCase).replaceAll(',', ', ')).replaceAll('%20', '+'));
      if (path !== '/pawn') assert.ok(plus.body.equals(standard.body), '+ is a space');
    }
  });

  theServer('HEAD of a link answers as GET does, without the body', async () => {
    const fixed = ({ headers }) => [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
    for (const [path, theCase] of [...LINKED, ['/mine', {}]]) {
      for (const more of ['', '&format=json', '&format=text', '&format=svg', '&format=png']) {
        await withConnection(async (connection) => {
          const target = linkTo(path, theCase, more);
          connection.send({ target });
          const whole = await connection.answer();
          connection.send({ method: 'HEAD', target });
          const head = await connection.answer();
          assert.equal(head.status, whole.status, target);
          assert.deepEqual(fixed(head), fixed(whole), target);
          assert.equal(head.header('content-length'), String(whole.body.length), target);
          connection.send({ target: '/livez' });
          assert.equal((await connection.answer()).text(), '{"status":"ok"}\n', target);
        });
      }
    }
  });

  theServer('If-None-Match with the tag gets 304 and keeps the connection', async () => {
    for (const [path, theCase] of LINKED) {
      for (const more of ['', '&format=json', '&format=text', '&format=svg']) {
        const target = linkTo(path, theCase, more);
        const whole = await get(target);
        const tag = whole.header('etag');
        for (const list of [tag, `W/${tag}`, `"a", ${tag}`, `W/"a",W/${tag} , "b"`, `"",${tag}`]) {
          for (const method of ['GET', 'HEAD']) {
            await withConnection(async (connection) => {
              connection.send({ method, target, headers: { 'If-None-Match': list } });
              const answer = await connection.answer();
              assert.equal(answer.status, 304, `${method} ${target} ${list}: ${answer}`);
              checkEveryAnswer(answer);
              for (const name of ['etag', 'cache-control']) assert.equal(answer.header(name), whole.header(name), name);
              assert.deepEqual(answer.list('vary'), more === '' ? ['accept', 'accept-encoding'] : ['accept-encoding']);
              assert.equal(answer.header('content-type'), undefined);
              connection.send({ target: '/livez' });
              assert.equal((await connection.answer()).text(), '{"status":"ok"}\n', 'and nothing between');
            });
          }
        }
        const headers = [['If-None-Match', '"a"'], ['If-None-Match', tag]];
        assert.equal((await ask(port, { target, headers })).status, 304, 'two headers are one list');
        for (const list of ['*', ' * ', '', '"a"', tag.slice(1, -1), `"${tag.slice(1, -1)}x"`, tag.toUpperCase() === tag ? '"x"' : tag.toUpperCase()]) {
          const answer = await get(target, { 'If-None-Match': list });
          assert.equal(answer.status, 200, `${target} ${list}`);
          assert.ok(answer.body.equals(whole.body));
        }
        const posted = await ask(port, { target: path, headers: { ...JSON_TYPE, 'If-None-Match': tag }, body: JSON.stringify(theCase) });
        assert.equal(posted.status, 200, 'of a POST it says nothing');
      }
    }
    // What is wrong with the query is said all the same.
    const tag = (await get(linkTo('/pawn', LINKED[0][1]))).header('etag');
    checkProblem(await get('/pawn', { 'If-None-Match': tag }), 400, 'malformed');
    checkProblem(await get('/pawn?case=1&x=1', { 'If-None-Match': tag }), 400, 'malformed');
    checkProblem(await get(linkTo('/pawn', LINKED[0][1]), { 'If-None-Match': tag, Accept: 'audio/ogg' }), 406, 'not-acceptable');
  });

  theServer('a 304 needs no solving', async () => {
    const theCase = { board: pawnBoard(randomFrom(3), 10, 16, 0.02), include: ['moves', 'line', 'boards'] };
    const target = linkTo('/pawn', theCase, '&format=json');
    await withArbiter(['--workers', 1], async (other) => {
      const costOf = async (status, headers) => {
        const before = other.processorTime();
        for (let round = 0; round < 60; round += 1) {
          const answer = await other.ask({ target, headers });
          assert.equal(answer.status, status, `${answer}`);
        }
        return other.processorTime() - before;
      };
      const tag = (await other.ask({ target })).header('etag');
      const solved = await costOf(200, {});
      const unchanged = await costOf(304, { 'If-None-Match': tag });
      assert.ok(solved >= 100, `the case is no longer a costly one: 60 times ${solved} ms`);
      assert.ok(unchanged < solved / 3, `60 times 304: ${unchanged} ms, 60 times solved: ${solved} ms`);
    });
  });

  theServer('tags differ between the forms, and between servers that may answer differently', async () => {
    const target = linkTo('/mine', { board: ['...'] });
    const tagsOf = async (server) => {
      const tags = [];
      for (const format of ['json', 'text', 'svg']) tags.push((await server.ask({ target: `${target}&format=${format}` })).header('etag'));
      return tags;
    };
    const seen = new Map();
    const standard = ['--max-search-states', 500];
    for (const options of [
      standard, ['--max-search-states', 501], [...standard, '--max-mine-cells', 999], [...standard, '--max-link-answer-bytes', 262_143],
      [...standard, '--max-answer-bytes', 60_000],
    ]) {
      await withArbiter(options, async (other) => {
        for (const tag of await tagsOf(other)) {
          assert.ok(!seen.has(tag), `${tag} of ${options}, and of ${seen.get(tag)}`);
          seen.set(tag, options);
        }
      });
    }
    assert.equal(seen.size, 15);
    // The same limits, the same tags; by Accept the same as by format.
    await withArbiter([...standard, '--workers', 1, '--port', 0], async (other) => {
      for (const tag of await tagsOf(other)) assert.equal(seen.get(tag), standard);
      const byAccept = await other.ask({ target, headers: { Accept: 'image/svg+xml' } });
      assert.equal(byAccept.header('etag'), (await tagsOf(other))[2]);
    });
  });

  theServer('errors of a link are not to be cached and have no tag', async () => {
    const tooLong = linkTo('/pawn', LINKED[0][1]).padEnd(8193, '+');
    for (const [target, status] of [
      ['/pawn', 400], ['/pawn?case=%7B', 400], [linkTo('/pawn', {}), 422], [linkTo('/mine', { rows: 73, cols: 137, mines: [] }, '&format=svg'), 406],
      [tooLong, 414],
    ]) {
      const answer = await get(target);
      assert.equal(answer.status, status, `${answer}`);
      assert.equal(answer.header('cache-control'), 'no-store');
      assert.equal(answer.header('etag'), undefined);
      assert.equal(answer.header('content-type'), 'application/problem+json');
    }
    assert.equal((await get(tooLong.slice(0, 8192))).status, 200, 'exactly 8 KiB');
  });

  theServer('links go over one connection, with or without a body that means nothing', async () => {
    await withConnection(async (connection) => {
      for (let round = 0; round < 50; round += 1) {
        const [path, theCase] = LINKED[round % 3];
        connection.send({ target: linkTo(path, theCase) });
        connection.send({ method: 'GET', target: linkTo(path, {}) });
      }
      for (let round = 0; round < 50; round += 1) {
        assert.equal((await connection.answer()).status, 200);
        assert.equal((await connection.answer()).status, 422);
      }
    });
    const expected = await get(linkTo(...LINKED[2]));
    for (const [headers, body] of [
      [JSON_TYPE, '{"board":["."]}'], [{ 'Content-Type': 'image/png' }, 'x'.repeat(100_000)], [{ 'Content-Encoding': 'gzip' }, '\x1f\x8b'],
      [{ 'Transfer-Encoding': 'chunked' }, chunked('GET /version HTTP/1.1\r\nHost: a\r\n\r\n', 7)],
    ]) {
      await withConnection(async (connection) => {
        connection.send({ method: 'GET', target: linkTo(...LINKED[2]), headers, body });
        const answer = await connection.answer();
        assert.equal(answer.status, 200, `${answer}`);
        assert.ok(answer.body.equals(expected.body));
        connection.send({ target: '/livez' });
        const next = await connection.answerOrNothing();
        if (next !== null) assert.equal(next.text(), '{"status":"ok"}\n');
      });
    }
  });

  // --- headers --------------------------------------------------------------

  theServer('X-Request-Id is the caller\'s when valid, else a new one', async () => {
    const idFor = async (id, request = { target: '/version' }) => {
      const answer = await ask(port, { ...request, headers: { ...request.headers, 'X-Request-Id': id } });
      checkEveryAnswer(answer, id);
      return answer.header('x-request-id');
    };
    const valid = ['a', 'A-Z.0_9', 'x'.repeat(64), '-', '...'];
    const invalid = ['', 'x'.repeat(65), 'a b', 'a/b', 'a,b', '"a"', 'caf\u00e9', 'a\tb', '%41'];
    const others = [EMPTY_FIELD.request, ...REFUSED.map((refused) => refused.request)];
    for (const id of valid) assert.equal(await idFor(id), id);
    for (const request of others) assert.equal(await idFor('my.id-1', request), 'my.id-1', request.target);
    for (const id of invalid) assert.notEqual(await idFor(id), id);
    for (const request of others) assert.notEqual(await idFor('not valid', request), 'not valid', request.target);
  });

  theServer('no two answers have the same new X-Request-Id', async () => {
    const seen = new Set();
    await withConnection(async (connection) => {
      for (let index = 0; index < 100; index += 1) connection.send({ target: '/livez' });
      for (let index = 0; index < 100; index += 1) seen.add((await connection.answer()).header('x-request-id'));
    });
    const more = await Promise.all(Array.from({ length: 100 }, () => ask(port, EMPTY_FIELD.request)));
    for (const answer of more) seen.add(answer.header('x-request-id'));
    assert.equal(seen.size, 200);
  });

  theServer('a preflight is answered for a day with what the routes take', async () => {
    const asked = [...SOLVING.flatMap((path) => [[path, 'POST'], [path, 'GET']]), ['/limits', 'GET'], ['/limits', 'POST'],
      ['/go', 'DELETE'], ['/nowhere', 'GET'], ['/nowhere', 'PUT'], ['/problems/nothing', 'POST']];
    for (const [target, method] of asked) {
      const answer = await ask(port, {
        method: 'OPTIONS',
        target,
        headers: {
          Origin: 'https://example.org',
          'Access-Control-Request-Method': method,
          'Access-Control-Request-Headers': 'content-type, x-request-id, traceparent',
        },
      });
      assert.equal(answer.status, 204);
      checkEveryAnswer(answer, target);
      assert.ok(answer.list('access-control-allow-methods').includes(method.toLowerCase()), `${answer}`);
      assert.deepEqual(answer.list('access-control-allow-headers').sort(),
        ['cache-control', 'content-type', 'if-none-match', 'traceparent', 'tracestate', 'x-request-id']);
      assert.equal(answer.header('access-control-max-age'), '86400');
    }
  });

  theServer('by default any origin may read every answer, errors too', async () => {
    const headers = { Origin: 'https://example.org' };
    const requests = [...READING.map((target) => ({ target })), EMPTY_FIELD.request, ...REFUSED.map((refused) => refused.request)];
    for (const request of requests) {
      checkEveryAnswer(await ask(port, { ...request, headers: { ...request.headers, ...headers } }), request.target);
    }
  });

  theServer('--cors-origin lets only the listed origins read, and says that answers vary', async () => {
    const listed = ['https://a.example', 'http://localhost:3000'];
    await withArbiter(['--cors-origin', listed.join(',')], async (other) => {
      const requests = [EMPTY_FIELD.request, { target: '/limits' }, { method: 'OPTIONS', target: '/go' }, ...REFUSED.map((r) => r.request)];
      for (const request of requests) {
        const allowedFor = async (origin) => {
          const answer = await other.ask({ ...request, headers: { ...request.headers, Origin: origin } });
          assert.ok(answer.list('vary').includes('origin'), `${request.target} from ${origin}: ${answer}`);
          assert.equal(answer.header('access-control-allow-credentials'), undefined);
          return answer.header('access-control-allow-origin');
        };
        for (const origin of listed) assert.equal(await allowedFor(origin), origin, request.target);
        for (const origin of [
          null, 'null', '*', 'https://b.example', 'https://a.example.evil.example', 'https://a.exampl', 'http://a.example',
          'https://a.example:443', 'http://localhost', 'https://a.example,http://localhost:3000', 'a.example',
        ]) {
          assert.equal(await allowedFor(origin), undefined, `${request.target} from ${origin}`);
        }
      }
    });
  });

  // --- order and keeping alive ----------------------------------------------

  theServer('pipelined requests are answered in order, quick ones and slow ones', async () => {
    const slow = (count) => ({
      target: '/go',
      headers: JSON_TYPE,
      body: JSON.stringify({ cases: Array.from({ length: count }, (_, id) => ({ id, moves: goMoves(randomFrom(id), 300) })) }),
    });
    const inChunks = {
      target: '/mine',
      headers: { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' },
      body: chunked('{"board":[".*."]}', 3),
    };
    const requests = [
      { target: '/version' }, EMPTY_FIELD.request, slow(10), { target: '/livez' }, inChunks,
      { target: '/pawn', headers: JSON_TYPE, body: '{}' }, { method: 'HEAD', target: '/limits' }, slow(3), EMPTY_FIELD.request,
      { target: '/nowhere' }, { method: 'OPTIONS', target: '/go' }, { target: '/go', headers: JSON_TYPE, body: '{' }, slow(1),
    ];
    const alone = [];
    for (const request of requests) alone.push(await ask(port, request));
    for (let round = 0; round < 5; round += 1) {
      await withConnection(async (connection) => {
        for (const { method = 'POST' } of requests) connection.expect(method);
        connection.write(Buffer.concat(requests.map(formatRequest)));
        for (const [index, expected] of alone.entries()) {
          const answer = await connection.answer();
          assert.equal(answer.status, expected.status, `request ${index}: ${answer}`);
          assert.equal(answer.text(), expected.text(), `request ${index}`);
        }
      });
    }
  });

  theServer('one connection serves all routes one after the other, faults of the body included', async () => {
    await withConnection(async (connection) => {
      const faults = REFUSED.filter(({ status, request }) => status === 422 || (status === 400 && !request.target.includes('?')));
      for (let round = 0; round < 3; round += 1) {
        for (const { request, status = 200 } of [...KNOWN, ...READING.map((target) => ({ request: { target } })), ...faults]) {
          connection.send(request);
          assert.equal((await connection.answer()).status, status, request.target);
        }
      }
      assert.equal(connection.ended, null);
    });
  });

  theServer('Connection: close is obeyed', async () => {
    for (const request of [{ target: '/version' }, EMPTY_FIELD.request, { target: '/nowhere' }]) {
      await withConnection(async (connection) => {
        connection.send({ ...request, headers: { ...request.headers, Connection: 'close' } });
        const answer = await connection.answer();
        assert.ok(answer.list('connection').includes('close'), `${answer}`);
        await connection.closed({ within: SOON });
      });
    }
  });

  theServer('a small request is answered though its client half-closes', async () => {
    for (const { request, json, text } of KNOWN) {
      await withConnection(async (connection) => {
        await connection.send(request);
        connection.halfClose();
        const answer = await connection.answer();
        if (json !== undefined) assert.deepEqual(answer.json(), json);
        else assert.equal(answer.text(), text);
      });
    }
  });

  // --- framing --------------------------------------------------------------

  theServer('a chunked body may be cut into writes anywhere', async () => {
    const body = '{"rows":3,"cols":3,"mines":[[1,1]]}';
    const bytes = formatRequest({
      target: '/mine',
      headers: { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' },
      // libmicrohttpd 1.0 takes an extension's line feed for the chunk's first byte, and misses its end.
      body: chunked(body, 9, { extension: NEW_MICROHTTPD ? '' : ';a=b', trailer: 'X-Trailer: yes\r\n' }),
    });
    const check = (answer, at) => {
      assert.equal(answer.status, 200, `cut at ${at}: ${answer}`);
      assert.equal(answer.json().verdict, 'Fanglaoshi');
    };
    await withConnection(async (connection) => {
      for (let at = 1; at < bytes.length; at += 1) {
        connection.expect('POST');
        await connection.write(bytes.subarray(0, at));
        await pause(2); // the stimulus: the server reads the first part alone
        await connection.write(bytes.subarray(at));
        check(await connection.answer(), at);
      }
    });
    await withConnection(async (connection) => {
      connection.expect('POST');
      await connection.drip(bytes, 1);
      check(await connection.answer(), 'every byte');
    });
  });

  theServer('chunk sizes may have upper case, zeros and any size', async () => {
    const content = `{"board":["..."]}${' '.repeat(300)}`;
    const hex = content.length.toString(16);
    for (const size of [hex, hex.toUpperCase(), `000${hex}`]) {
      for (const coding of ['chunked', 'Chunked', 'CHUNKED']) {
        const body = `${size}\r\n${content}\r\n0\r\n\r\n`;
        const answer = await ask(port, { target: '/mine', headers: { 'Transfer-Encoding': coding }, body });
        assert.equal(answer.status, 200, `${coding} ${size}: ${answer}`);
      }
    }
    for (let size = 1; size <= content.length; size += 13) {
      const headers = { 'Transfer-Encoding': 'chunked' };
      assert.equal((await ask(port, { target: '/mine', headers, body: chunked(content, size) })).status, 200);
    }
  });

  theServer('broken chunks are refused and the connection is closed', async () => {
    const head = 'POST /mine HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
    const extended = NEW_MICROHTTPD ? ['3;a=b\r\nabc\r\n0\r\n\r\n'] : [];
    for (const chunks of [...extended, 'x\r\n', '-1\r\n', '5\r\n{"boa\rd', '3\r\nabcdef\r\n0\r\n\r\n', 'fffffffffffffffff\r\n', ' 3\r\nabc\r\n']) {
      await withConnection(async (connection) => {
        connection.expect('POST');
        await connection.write(`${head}${chunks}GET /version HTTP/1.1\r\nHost: a\r\n\r\n`);
        const answer = await connection.answerOrNothing();
        // 413 is what libmicrohttpd says to a size beyond 64 bits.
        if (answer !== null) assert.ok([400, 413].includes(answer.status), `${JSON.stringify(chunks)}: ${answer}`);
        await connection.closed({ within: SOON });
        assert.equal(connection.unread, 0, `nothing after ${JSON.stringify(chunks)}`);
      });
      assert.equal((await get('/livez')).status, 200);
    }
  });

  theServer('Expect: 100-continue gets 100 and then the answer', async () => {
    for (const expect of ['100-continue', '100-Continue']) {
      await withConnection(async (connection) => {
        const { target, headers, body } = EMPTY_FIELD.request;
        const bytes = formatRequest({ target, headers: { ...headers, Expect: expect }, body });
        const begin = bytes.indexOf('\r\n\r\n') + 4;
        connection.expect('POST');
        await connection.write(bytes.subarray(0, begin));
        await connection.continued();
        await connection.write(bytes.subarray(begin));
        const answer = await connection.answer();
        assert.deepEqual(answer.json(), EMPTY_FIELD.json);
        assert.equal(answer.interim.length, 1);
      });
    }
  });

  theServer('a request that is refused by its head gets no 100 Continue', async () => {
    const heads = [
      ['POST', '/nowhere', {}, 404],
      ['PUT', '/mine', {}, 405],
      ['POST', '/mine', { 'Content-Length': String(2 ** 27) }, 413],
      ['POST', '/mine', { 'Content-Type': 'image/png' }, 415],
      ['POST', '/mine', { Accept: 'audio/ogg' }, 406],
      ['POST', '/mine?x=1', {}, 400],
      ['POST', '/mine', { 'Transfer-Encoding': 'gzip', 'Content-Length': null }, 400],
    ];
    for (const [method, target, headers, status] of heads) {
      await withConnection(async (connection) => {
        connection.send({ method, target, headers: { 'Content-Length': '100', Expect: '100-continue', ...headers } });
        const answer = await connection.answer();
        assert.equal(answer.status, status, `${method} ${target}: ${answer}`);
        assert.equal(answer.interim.length, 0, `${method} ${target}: ${answer}`);
      });
    }
  });

  theServer('404 reaches a client that is sending 30 MB', async () => {
    const body = Buffer.alloc(30_000_000, ' ');
    for (let round = 0; round < 10; round += 1) {
      await withConnection(async (connection) => {
        connection.send({ target: '/nowhere', headers: JSON_TYPE, body });
        checkProblem(await connection.answer(), 404, 'not-found');
        await connection.closed({ within: SOON });
      });
      assert.equal((await get('/livez')).status, 200);
    }
  });

  theServer('HTTP/1.0 is served, without Host, and the connection closed', async () => {
    const requests = [
      ['GET /version HTTP/1.0\r\n\r\n', (answer) => assert.equal(answer.json().name, 'arbiter')],
      ['GET /version HTTP/1.0\r\nHost: a\r\n\r\n', (answer) => assert.equal(answer.json().name, 'arbiter')],
      [
        `POST /mine HTTP/1.0\r\nContent-Length: ${EMPTY_FIELD.request.body.length}\r\n\r\n${EMPTY_FIELD.request.body}`,
        (answer) => assert.deepEqual(answer.json(), EMPTY_FIELD.json),
      ],
    ];
    for (const [bytes, check] of requests) {
      await withConnection(async (connection) => {
        await connection.write(bytes);
        const answer = await connection.answer();
        assert.equal(answer.status, 200, `${answer}`);
        assert.equal(answer.header('transfer-encoding'), undefined, 'no chunks for HTTP/1.0');
        check(answer);
        await connection.closed({ within: SOON });
      });
    }
  });

  theServer('HTTP/1.0 may ask to be kept alive', async () => {
    await withConnection(async (connection) => {
      for (let round = 0; round < 2; round += 1) {
        connection.expect('GET');
        await connection.write('GET /version HTTP/1.0\r\nConnection: keep-alive\r\n\r\n');
        const answer = await connection.answer();
        assert.equal(answer.status, 200);
        if (!answer.list('connection').includes('keep-alive')) return; // it need not
      }
    });
  });

  theServer('a request target in absolute form is understood', async () => {
    for (const origin of [`http://127.0.0.1:${port}`, 'http://a', 'http://a:80', 'http://user@a', 'HTTP://A', 'http://[::1]:8080']) {
      const version = await get(`${origin}/version`);
      assert.equal(version.status, 200, `${origin}: ${version}`);
      assert.equal(version.json().name, 'arbiter');
      const solved = await ask(port, { ...EMPTY_FIELD.request, target: `${origin}/mine` });
      assert.deepEqual(solved.json(), EMPTY_FIELD.json, origin);
      assert.equal((await get(`${origin}/nowhere`)).status, 404, origin);
      assert.equal((await get(`${origin}/mine?x=1`)).status, 400, origin);
    }
    assert.equal((await get('http://a')).status, 200, 'an empty path is /');
    assert.equal((await get('http://a/')).status, 200);
  });

  theServer('the request target may have 8 KiB and no more', async () => {
    for (const make of [(length) => '/'.padEnd(length, 'a'), (length) => '/nowhere?x='.padEnd(length, 'a')]) {
      checkProblem(await get(make(8192)), 404, 'not-found');
      checkProblem(await get(make(8193)), 414, 'uri-too-long');
      checkProblem(await get(make(10_000)), 414, 'uri-too-long');
      assert.ok([414, 431].includes((await get(make(100_000))).status));
    }
    checkProblem(await ask(port, { target: '/mine?x='.padEnd(8193, 'a'), body: '{}' }), 414, 'uri-too-long');
    assert.equal((await get('/livez')).status, 200);
  });

  theServer('a head that is too long is refused', async () => {
    for (const headers of [
      { 'X-Filler': 'a'.repeat(200_000) },
      Array.from({ length: 20_000 }, (_, index) => [`X-Filler-${index}`, 'a']),
    ]) {
      await withConnection(async (connection) => {
        connection.send({ target: '/version', headers });
        const answer = await connection.answerOrNothing();
        if (answer !== null) assert.ok([400, 413, 431].includes(answer.status), `${answer}`);
        await connection.closed({ within: SOON });
      });
      assert.equal((await get('/livez')).status, 200);
    }
  });

  const SMUGGLED = 'GET /version HTTP/1.1\r\nHost: a\r\n\r\n';
  const OWN_REFUSALS = {
    'two equal Content-Length': 'Content-Length: 5\r\nContent-Length: 5\r\n\r\nabcde',
    'two different Content-Length': 'Content-Length: 5\r\nContent-Length: 0\r\n\r\nabcde',
    'Content-Length before Transfer-Encoding': 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding before Content-Length': 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: gzip': 'Transfer-Encoding: gzip\r\n\r\n',
    'Transfer-Encoding: identity': 'Transfer-Encoding: identity\r\n\r\n',
    'Transfer-Encoding: chunked, gzip': 'Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: gzip, chunked': 'Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: xchunked': 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
    'an empty Transfer-Encoding': 'Transfer-Encoding: \r\n\r\n0\r\n\r\n',
    'two Transfer-Encoding': 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'two Transfer-Encoding, the second other': 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n',
    'white space before the colon': 'Content-Length : 5\r\n\r\nabcde',
    'a tab before the colon': 'X-Filler\t: a\r\n\r\n',
    'white space inside a name': 'X Filler: a\r\n\r\n',
    'two Host': 'Host: b\r\n\r\n',
  };

  // Of these libmicrohttpd 1.0 does not let us see the request.
  const REFUSED_BEFORE_US = [
    'Content-Length before Transfer-Encoding', 'Transfer-Encoding before Content-Length',
    'Transfer-Encoding: gzip', 'Transfer-Encoding: identity', 'Transfer-Encoding: chunked, gzip',
    'Transfer-Encoding: gzip, chunked', 'Transfer-Encoding: xchunked', 'an empty Transfer-Encoding',
    'white space before the colon', 'a tab before the colon', 'white space inside a name',
  ];

  for (const [name, rest] of Object.entries(OWN_REFUSALS)) {
    theServer(`framing: ${name} is a malformed request, and the connection is closed`, async () => {
      const check = NEW_MICROHTTPD && REFUSED_BEFORE_US.includes(name)
        ? (answer) => assert.equal(answer.status, 400, `${answer}`)
        : (answer) => checkProblem(answer, 400, 'malformed');
      for (const request of ['POST /mine', 'GET /version', 'POST /nowhere']) {
        await checkRefusedAndClosed(`${request} HTTP/1.1\r\nHost: a\r\n${rest}${SMUGGLED}`, check);
      }
    });
  }

  theServer('a body where none is wanted is never taken for the next request', async () => {
    const heads = [
      ['GET', '/version', {}, 200], ['HEAD', '/limits', {}, 200], ['OPTIONS', '/mine', {}, 204], ['GET', '/nowhere', {}, 404],
      ['POST', '/nowhere', {}, 404], ['DELETE', '/mine', {}, 405], ['GET', '/go', {}, 400],
      ['GET', '/mine?case=%7B%22board%22:%5B%22.%22%5D%7D', {}, 200], ['PUT', '/go', {}, 405],
      ['POST', '/livez', {}, 405], ['GET', linkTo('/mine', { board: ['.'] }), {}, 200], ['GET', linkTo('/mine', {}), {}, 422],
      ['HEAD', linkTo('/mine', { board: ['.'] }, '&format=svg'), {}, 200], ['GET', '/pawn?x=1', {}, 400],
      ['POST', '/mine', { 'Content-Type': 'image/png' }, 415], ['POST', '/mine', { Accept: 'audio/ogg' }, 406],
      ['POST', '/mine?x=1', {}, 400], ['POST', '/mine', {}, 400],
    ];
    const framings = [
      [{ 'Content-Length': String(SMUGGLED.length) }, SMUGGLED],
      [{ 'Transfer-Encoding': 'chunked' }, chunked(SMUGGLED, 10)],
    ];
    for (const [method, target, headers, status] of heads) {
      for (const [framing, body] of framings) {
        for (const together of [true, false]) {
          await withConnection(async (connection) => {
            connection.expect(method);
            const bytes = formatRequest({ method, target, headers: { ...headers, ...framing }, body });
            const begin = bytes.indexOf('\r\n\r\n') + 4;
            if (!together) {
              await connection.write(bytes.subarray(0, begin));
              await pause(2); // the stimulus: the head comes alone
            }
            connection.write(bytes.subarray(together ? 0 : begin));
            const told = `${method} ${target} ${JSON.stringify(framing)}`;
            const answer = await connection.answer();
            assert.equal(answer.status, status, `${told}: ${answer}`);
            // Either the server hangs up, or the next answer is that to the next request.
            connection.send({ target: '/livez' });
            const next = await connection.answerOrNothing();
            if (next !== null) assert.equal(next.text(), '{"status":"ok"}\n', `${told}: ${next}`);
          });
        }
      }
    }
  });

  // libmicrohttpd may answer these by itself, "before there is a request". To a
  // broken Content-Length version 0.9.75 sends the head of its answer twice and
  // closes: what follows the first 400 is not looked at, but for another answer.
  const ANY_REFUSALS = {
    'no Host': `GET /version HTTP/1.1\r\n\r\n${SMUGGLED}`,
    'no Host on a POST': `POST /mine HTTP/1.1\r\nContent-Length: 5\r\n\r\nabcde${SMUGGLED}`,
    'a list as Content-Length': `POST /mine HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 5\r\n\r\nabcde${SMUGGLED}`,
    'a negative Content-Length': `POST /mine HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\n${SMUGGLED}`,
    'a signed Content-Length': `POST /mine HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\nabcde${SMUGGLED}`,
    'a hexadecimal Content-Length': `POST /mine HTTP/1.1\r\nHost: a\r\nContent-Length: 0x5\r\n\r\nabcde${SMUGGLED}`,
    'an empty Content-Length': `POST /mine HTTP/1.1\r\nHost: a\r\nContent-Length: \r\n\r\n${SMUGGLED}`,
    'a Content-Length of two words': `POST /mine HTTP/1.1\r\nHost: a\r\nContent-Length: 5 5\r\n\r\nabcde${SMUGGLED}`,
    'a header line without a colon': `GET /version HTTP/1.1\r\nHost: a\r\nX-Filler\r\n\r\n${SMUGGLED}`,
    'an extension of the last chunk, followed by a request':
      `POST /mine HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0;a=b\r\n${SMUGGLED}`,
    // Not here: a line that begins with a colon. libmicrohttpd 0.9.75 takes it
    // for the end of the head and shows nothing of it (ARCHITECTURE.md).
  };

  for (const [name, bytes] of Object.entries(ANY_REFUSALS)) {
    theServer(`framing: ${name} is 400, and the connection is closed`, async () => {
      await checkRefusedAndClosed(bytes, (answer) => assert.equal(answer.status, 400, `${answer}`), { whole: false });
    });
  }

  theServer('nonsense is refused or hung up on, and never ends the program', async () => {
    const random = randomFrom(13);
    const noise = Buffer.from(Array.from({ length: 5000 }, () => Math.floor(random() * 256)));
    const nonsense = [
      '\r\n'.repeat(1000), 'GET /version\r\n\r\n', 'GET /version HTTP/9.9\r\nHost: a\r\n\r\n', 'GET  /version HTTP/1.1\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '\0'.repeat(5000), noise,
      'GET /ver\0sion HTTP/1.1\r\nHost: a\r\n\r\n', 'GET /version HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n', 'A'.repeat(100_000),
      'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', 'GET version HTTP/1.1\r\nHost: a\r\n\r\n',
    ];
    await withArbiter(['--head-timeout', 1], async (other) => {
      for (const bytes of nonsense) {
        const connection = await connect(other.port);
        connection.expect('GET');
        await connection.write(bytes);
        connection.halfClose();
        // Whatever is said is said in HTTP; then, at the head timeout at the latest, it ends.
        await connection.answerOrNothing();
        await connection.closed({ within: 1000 + SOON });
        assert.equal((await other.ask({ target: '/livez' })).status, 200, JSON.stringify(bytes.toString('latin1').slice(0, 40)));
      }
    });
  });

  // --- many -----------------------------------------------------------------

  theServer('two thousand open idle connections do not stop service', async (t) => {
    const [, soft] = /Max open files +(\d+|unlimited)/.exec(readFileSync('/proc/self/limits', 'latin1'));
    const count = soft === 'unlimited' || Number(soft) > 2200 ? 2000 : 900;
    t.diagnostic(`${count} connections`);
    await withArbiter(['--head-timeout', 120], async (other) => {
      const idle = [];
      try {
        while (idle.length < count) {
          idle.push(...(await Promise.all(Array.from({ length: 50 }, () => connect(other.port)))));
        }
        for (const request of [EMPTY_FIELD.request, { target: '/version' }, KNOWN[4].request]) {
          assert.equal((await other.ask(request, { within: SOON })).status, 200);
        }
        // They were not forgotten: each is served when it speaks.
        for (const connection of idle) connection.send({ target: '/livez' });
        for (const connection of idle) assert.equal((await connection.answer()).status, 200);
      } finally {
        for (const connection of idle) connection.close();
      }
    });
  });

  theServer('with few descriptors, clients beyond the limit wait for their turn and are served', async () => {
    await withArbiter([], async (other) => {
      await Promise.all(Array.from({ length: 300 }, async () => {
        const answer = await other.ask(EMPTY_FIELD.request);
        assert.equal(answer.status, 200, `${answer}`);
      }));
    }, { under: ['prlimit', '--nofile=128:128'] });
  });

  theServer('hundreds of requests that wait for a worker are all answered', async () => {
    const bodies = Array.from({ length: 5 }, (_, seed) => JSON.stringify({ moves: goMoves(randomFrom(seed), 600) }));
    const expected = [];
    for (const body of bodies) expected.push((await ask(port, { target: '/go', headers: JSON_TYPE, body })).text());
    const connections = await Promise.all(Array.from({ length: 500 }, () => connect(port)));
    try {
      connections.forEach((connection, index) => connection.send({ target: '/go', headers: JSON_TYPE, body: bodies[index % 5] }));
      for (const [index, connection] of connections.entries()) {
        const answer = await connection.answer();
        assert.equal(answer.status, 200, `${answer}`);
        assert.equal(answer.text(), expected[index % 5]);
      }
    } finally {
      for (const connection of connections) connection.close();
    }
  });

  it('the program has survived all that: it leaves with status 0 and no report', async () => {
    assert.deepEqual(arbiter.noise, [], 'every line of the log is JSON');
    await arbiter.stop();
  });
});
