// The headers of every answer: X-Request-Id and CORS.

import assert from 'node:assert/strict';

import { withArbiter } from './arbiter.mjs';
import { KNOWN, REFUSED } from './bodies.mjs';
import { GET_TARGETS, GAME_ROUTES, checkEveryAnswer, describeServer, port, theServer, withConnection } from './checks.mjs';
import { ask } from './client.mjs';

const [EMPTY_FIELD] = KNOWN;

describeServer('headers', () => {
  theServer('a valid X-Request-Id in the request is kept; otherwise the answer has a new one', async () => {
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

  theServer('no two answers get the same generated X-Request-Id', async () => {
    const seen = new Set();
    await withConnection(async (connection) => {
      for (let index = 0; index < 100; index += 1) connection.send({ target: '/livez' });
      for (let index = 0; index < 100; index += 1) seen.add((await connection.answer()).header('x-request-id'));
    });
    const more = await Promise.all(Array.from({ length: 100 }, () => ask(port, EMPTY_FIELD.request)));
    for (const answer of more) seen.add(answer.header('x-request-id'));
    assert.equal(seen.size, 200);
  });

  theServer('a preflight is valid for a day and lists the methods and headers of the routes', async () => {
    const asked = [...GAME_ROUTES.flatMap((path) => [[path, 'POST'], [path, 'GET']]), ['/limits', 'GET'], ['/limits', 'POST'],
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

  theServer('by default, pages from any origin can read every answer, including errors', async () => {
    const headers = { Origin: 'https://example.org' };
    const requests = [...GET_TARGETS.map((target) => ({ target })), EMPTY_FIELD.request, ...REFUSED.map((refused) => refused.request)];
    for (const request of requests) {
      checkEveryAnswer(await ask(port, { ...request, headers: { ...request.headers, ...headers } }), request.target);
    }
  });

  theServer('with --cors-origin, only pages from the listed origins can read answers, and Vary names Origin', async () => {
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
});
