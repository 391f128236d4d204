// Tests of paths, their methods and parameters, and the order in which a request is checked.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { parse } from 'yaml';

import { STRICT_MICROHTTPD, start } from './arbiter.mjs';
import { KNOWN, REFUSED } from './bodies.mjs';
import {
  PAGES, GET_TARGETS, GAME_ROUTES, checkEveryAnswer, checkProblem, describeServer, get, port, theServer, withConnection,
} from './checks.mjs';
import { ask, formatRequest } from './client.mjs';

const PROBLEMS = [
  'malformed', 'cross-site', 'not-found', 'method-not-allowed', 'not-acceptable', 'body-timeout', 'too-large',
  'uri-too-long', 'unsupported-media-type', 'invalid-case', 'answer-too-large', 'internal', 'overloaded',
];
const PAGE_METHODS = 'GET, HEAD, OPTIONS';
const GAME_METHODS = 'GET, HEAD, OPTIONS, POST';

describeServer('routes and methods', () => {
  theServer('GET of each page and probe returns 200 with the right media type', async () => {
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

  theServer('pages have tags, and a client with a current tag gets 304', async () => {
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

  theServer('the command on a problem\'s page causes that problem', async () => {
    const strict = await start(['--max-inflight-bytes', 1, '--refuse-cross-site']);
    for (const name of PROBLEMS) {
      const page = (await get(`/problems/${name}`)).text();
      const command = /<pre>(.*)<\/pre>/s.exec(page)?.[1];
      if (['internal', 'body-timeout'].includes(name)) {
        assert.equal(command, undefined, 'no command causes it, or not at once');
        continue;
      }
      const where = ['overloaded', 'cross-site'].includes(name) ? strict.port : port;
      const run = command.replaceAll('localhost:8080', `127.0.0.1:${where}`);
      assert.notEqual(run, command, name);
      const { stdout } = await promisify(execFile)('sh', ['-c', run], { maxBuffer: 1 << 20 });
      assert.ok(stdout.includes(`"type":"/problems/${name}"`), `${command}\n${stdout.slice(0, 2000)}`);
    }
    await strict.stop();
  });

  theServer('every problem type has a page, which pages from any origin can read', async () => {
    for (const name of PROBLEMS) {
      assert.equal((await ask(port, { method: 'HEAD', target: `/problems/${name}`, headers: { Origin: 'https://a.example' } })).status, 200);
      const answer = await get(`/problems/${name}`);
      assert.equal(answer.status, 200, name);
      assert.ok(answer.body.length > 20, name);
      checkEveryAnswer(answer, name);
    }
    for (const name of ['nothing', 'Malformed', 'malforme', 'malformedx', 'malformed//', '../limits']) {
      checkProblem(await get(`/problems/${name}`), 404, 'not-found');
    }
  });

  theServer('an unknown path is 404 for every method', async () => {
    for (const target of ['/nowhere', '/pawn//', '/Pawn', '/pawn1', '///', '/livez/x', '/nowhere/', '/p%61wn1', '/%2fpawn', '/pawn%2f', ...(STRICT_MICROHTTPD ? [] : ['/pawn%', '/version%00x', '/limits%00'])]) {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'INVENTED']) {
        checkProblem(await ask(port, { method, target }), 404, 'not-found');
      }
    }
  });

  theServer('a path with a slash too many is redirected with its query, whatever the method', async () => {
    const targets = [
      ...[...GAME_ROUTES, '/limits', '/docs', '/problems', '/problems/malformed', '/web/arbiter.js', '/livez', '/robots.txt'].map((path) => [path, path]),
      ['/p%61wn', '/pawn'], ['/docs/guid%65s', '/docs/guides'],
    ];
    for (const [given, path] of targets)
      for (const query of ['', '?', '?x=1&y=%20/', `?case={}`])
        for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']) {
          const target = `${given}/${query}`;
          const answer = await ask(port, { method, target });
          assert.equal(answer.status, 308, `${method} ${target}: ${answer}`);
          assert.equal(answer.header('location'), query === '?' ? path : path + query, `${method} ${target}`);
          assert.equal(answer.body.length, 0, target);
          checkEveryAnswer(answer, target);
        }
    const body = '{"board":["OO","X."]}';
    const moved = await ask(port, { target: '/pawn/', body, headers: { 'Content-Type': 'application/json' } });
    assert.equal(moved.status, 308);
    const answer = await ask(port, { target: moved.header('location'), body, headers: { 'Content-Type': 'application/json' } });
    assert.deepEqual(answer.json(), { verdict: 'Red', steps: 1 });
    const raw = await ask(port, { target: '/pawn/?é\u0001=%C3%A9' });
    assert.equal(raw.header('location'), '/pawn?%E9%01=%C3%A9', 'a URL is ASCII');
  });

  theServer('letters of a path can be percent-encoded', async () => {
    for (const [target, same] of [['/l%69mits', '/limits'], ['/%6c%69%6D%69%74%73', '/limits'], ['/web/arbiter%2ejs', '/web/arbiter.js'],
      ['/problems/not%2Dfound', '/problems/not-found'], ['/d%6fcs/gu%69des', '/docs/guides'], ['/openapi%2Eyaml', '/openapi.yaml']]) {
      const answer = await get(target);
      assert.equal(answer.status, 200, `${target}: ${answer}`);
      assert.ok(answer.body.equals((await get(same)).body), target);
    }
    const board = encodeURIComponent('{"board":["OO","X."]}');
    assert.deepEqual((await get(`/%70awn?case=${board}`)).json(), { verdict: 'Red', steps: 1 });
  });

  theServer('a browser that asks for an unknown path gets a page with links, and other clients a problem', async () => {
    for (const [accept, isPage] of [
      ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', true], ['text/html', true], [',text/*;q=0.1,', true],
      ['*/*', false], [null, false], ['application/json, text/html', false], ['text/html;q=0', false],
    ]) {
      const answer = await get('/nowhere', { Accept: accept });
      if (!isPage) {
        checkProblem(answer, 404, 'not-found');
        continue;
      }
      assert.equal(answer.status, 404, `${accept}: ${answer}`);
      assert.match(answer.header('content-type'), /^text\/html; ?charset=utf-8$/);
      assert.match(answer.header('content-security-policy'), /^default-src 'none'/);
      assert.equal(answer.header('cache-control'), 'no-store');
      assert.ok(answer.list('vary').includes('accept'));
      assert.deepEqual([...answer.text().matchAll(/href="([^"]*)"/g)].map(([, href]) => href), ['/', '/docs']);
      checkEveryAnswer(answer, accept);
    }
    // Other refusals are problems for browsers, too.
    checkProblem(await ask(port, { method: 'PUT', target: '/pawn', headers: { Accept: 'text/html' } }), 405, 'method-not-allowed');
  });

  theServer('HEAD has the headers of GET, without the body', async () => {
    const comparable = ({ status, headers }) => {
      const kept = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
      return { status, headers: Object.fromEntries(kept) };
    };
    for (const target of [...GET_TARGETS, '/nowhere']) {
      await withConnection(async (connection) => {
        connection.send({ target });
        const whole = await connection.answer();
        connection.send({ method: 'HEAD', target });
        const head = await connection.answer();
        assert.deepEqual(comparable(head), comparable(whole), target);
        assert.equal(head.header('content-length'), String(whole.body.length), target);
        connection.send({ target: '/livez' }); // if HEAD were answered with a body, it would precede this answer
        assert.equal((await connection.answer()).text(), '{"status":"ok"}\n', target);
      });
    }
  });

  theServer('a method that a path does not support is answered 405 with Allow', async () => {
    const methods = ['PUT', 'DELETE', 'PATCH', 'TRACE', 'INVENTED', 'post', 'get', 'Options'];
    for (const target of GAME_ROUTES) {
      for (const method of methods) {
        const answer = await ask(port, { method, target });
        checkProblem(answer, 405, 'method-not-allowed');
        assert.equal(answer.header('allow'), GAME_METHODS, `${method} ${target}`);
      }
      // GET and HEAD are allowed, but require a case.
      const { errors } = checkProblem(await get(target), 400, 'malformed');
      assert.deepEqual(errors.map(({ parameter, code }) => [parameter, code]), [['case', 'missing']]);
      const head = await ask(port, { method: 'HEAD', target });
      assert.equal(head.status, 400);
      assert.equal(head.header('allow'), undefined);
    }
    for (const target of GET_TARGETS) {
      for (const method of ['POST', ...methods]) {
        const answer = await ask(port, { method, target, body: method === 'POST' ? '{}' : undefined });
        checkProblem(answer, 405, 'method-not-allowed');
        assert.equal(answer.header('allow'), PAGE_METHODS, `${method} ${target}`);
      }
    }
  });

  theServer('OPTIONS answers 204 with Allow and no body', async () => {
    for (const [targets, methods] of [[GET_TARGETS, PAGE_METHODS], [GAME_ROUTES, GAME_METHODS]]) {
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

  theServer('an unknown parameter is answered 400, and the problem names it', async () => {
    for (const request of GAME_ROUTES.map((target) => ({ target: `${target}?answer=42`, body: '{}' }))) {
      const { errors } = checkProblem(await ask(port, request), 400, 'malformed');
      assert.equal(errors.length, 1);
      assert.equal(errors[0].parameter, 'answer', request.target);
      assert.equal(errors[0].code, 'unknown-member', request.target);
    }
  });

  theServer('pages and probes ignore parameters', async () => {
    for (const target of GET_TARGETS) {
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

  theServer('404 lists the paths, 405 the methods, and a GET without a case says what is missing', async () => {
    const { detail } = checkProblem(await get('/chess'), 404, 'not-found');
    for (const target of [...GAME_ROUTES, ...PAGES.slice(0, -1), '/problems/NAME', '/web/NAME', '/docs', '/docs/NAME', '/livez', '/readyz']) {
      assert.ok(detail.includes(target), `${target} in: ${detail}`);
    }
    assert.match(checkProblem(await ask(port, { method: 'PUT', target: '/go' }), 405, 'method-not-allowed').detail, /GET, HEAD, OPTIONS, POST$/);
    assert.match(checkProblem(await ask(port, { method: 'POST', target: '/limits' }), 405, 'method-not-allowed').detail, /GET, HEAD, OPTIONS$/);
    assert.match(checkProblem(await get('/pawn'), 400, 'malformed').detail, /^"case" is missing; to send the case as the body, use POST$/);
  });

  theServer('requests with known answers get them, in JSON or contest format', async () => {
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

  theServer('a refusal is a problem document of the right type', async () => {
    for (const { request, status, type } of REFUSED) {
      checkProblem(await ask(port, request), status, type.replace('/problems/', ''));
    }
  });

  theServer('requests are checked in the order given in the contract', async () => {
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
});
