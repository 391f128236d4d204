// web/arbiter.js: headers, fetch, timeout and retries. No program is involved: the tests replace `fetch` and the timers.

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';

import { Arbiter, ArbiterError, Incomplete, Problem, retryDelay, Unreachable } from '../../web/arbiter.js';
import { holdWaits, skipWaits } from './held_waits.mjs';

const FIELD = { board: ['...', '.*.', '...'] };
const NO_ANSWER = () => Promise.reject(new TypeError('no connection'));
const NEVER = () => new Promise(() => {});
const good = () => Response.json({ verdict: 'Tie' });

/** An error response, as from the service, a gateway, or anything in between. */
function refused(status, { type = 'application/problem+json', body, ...headers } = {}) {
  const document = { type: 'about:blank', title: 'a title', status, detail: 'a detail' };
  return () => new Response(body ?? (type.endsWith('json') ? JSON.stringify(document) : '<h1>Sorry</h1>'), {
    status,
    headers: { 'content-type': type, ...headers },
  });
}

/** A client whose attempts get these answers one after another, and the list of the requests that it has made. */
function scripted(answers, options = {}) {
  const tries = [];
  const fetch = async (url, request) => {
    tries.push({ url, ...request });
    return answers[tries.length - 1]();
  };
  return { arbiter: new Arbiter('http://127.0.0.1:1', { fetch, ...options }), tries };
}

/** Sends a question, and returns the outcome together with the lengths of the client's pauses in milliseconds. */
async function ask(waits, arbiter, question = (client) => client.mine(FIELD)) {
  waits.length = 0;
  const end = await question(arbiter).then((answer) => ({ answer }), (error) => ({ error }));
  return { ...end, pauses: [...waits] };
}

// --- headers and fetch -------------------------------------------------------

test('custom headers go with every request, whatever form they are given in', async () => {
  const ways = {
    mine: (client) => client.mine(FIELD),
    record: (client) => client.record('(;)'),
    batch: (client) => client.batch('mine', [FIELD, FIELD]),
    stream: (client) => client.stream('mine', [FIELD]).next(),
    text: (client) => client.text('mine', FIELD),
    picture: (client) => client.picture('mine', FIELD),
    limits: (client) => client.limits(),
    version: (client) => client.version(),
  };
  const given = { Authorization: 'Bearer x', 'X-Request-Id': 'mine' };
  for (const headers of [given, new Headers(given), Object.entries(given)]) {
    for (const [way, question] of Object.entries(ways)) {
      const { arbiter, tries } = scripted([NO_ANSWER], { headers });
      await assert.rejects(question(arbiter), Unreachable);
      const sent = new Headers(tries[0].headers);
      assert.equal(sent.get('authorization'), 'Bearer x', way);
      assert.equal(sent.get('x-request-id'), 'mine', way);
    }
  }
});

test('the client sets its own Content-Type and Accept', async () => {
  const { arbiter, tries } = scripted([good], { headers: { Accept: 'text/html', 'Content-Type': 'text/html' } });
  await arbiter.mine(FIELD);
  assert.deepEqual(tries[0].headers, { accept: 'application/json', 'content-type': 'application/json' });
});

test('a header that cannot be sent is rejected where it is given', () => {
  assert.throws(() => new Arbiter('http://127.0.0.1', { headers: { 'a b': 'c' } }), TypeError);
});

test('a given fetch is called as a plain function; without one, the global fetch at that time is used', async (t) => {
  let self = 'not called';
  const fetch = async function fetch() {
    self = this;
    return good();
  };
  await new Arbiter('http://127.0.0.1', { fetch }).mine(FIELD);
  assert.equal(self, undefined);
  const arbiter = new Arbiter('http://127.0.0.1');
  t.mock.method(globalThis, 'fetch', async (url) => Response.json({ url: `${url}` }));
  assert.deepEqual(await arbiter.mine(FIELD), { url: 'http://127.0.0.1/mine' });
});

test('an option with an invalid value is rejected, naming the option, and an undefined one is treated as absent', () => {
  const wrong = { timeout: [0, -1, NaN, '9', null, {}], retries: [-1, 1.5, NaN, -Infinity, '3', null, true] };
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const expected = { name: typeof value === 'number' ? 'RangeError' : 'TypeError', message: new RegExp(`^${name} must be`) };
      assert.throws(() => new Arbiter('http://127.0.0.1', { [name]: value }), expected, `${name}: ${value}`);
    }
  }
  const good = [{}, { timeout: undefined, retries: undefined }, { timeout: 0.5, retries: 0 }, { timeout: Infinity, retries: Infinity }];
  for (const options of good) assert.ok(new Arbiter('http://127.0.0.1', options));
});

test('an address with credentials is rejected, and the error does not repeat it', () => {
  for (const who of ['http://name:secret@', 'https://name@', 'http://:secret@', 'ftp://name:secret@']) {
    const base = `${who}127.0.0.1`;
    assert.throws(() => new Arbiter(base), ({ name, message }) => {
      assert.equal(name, 'TypeError');
      assert.match(message, /credentials cannot be fetched.*header/);
      assert.doesNotMatch(message, /secret|127/);
      return true;
    });
  }
});

// --- what is sent again ------------------------------------------------------

test('without retries, nothing is sent twice', async (t) => {
  const waits = skipWaits(t);
  for (const answer of [refused(503, { 'retry-after': '0' }), refused(429), refused(502, { type: 'text/html' }), NO_ANSWER]) {
    const { arbiter, tries } = scripted([answer]);
    const { error, pauses } = await ask(waits, arbiter);
    assert.ok(error instanceof ArbiterError);
    assert.deepEqual([tries.length, pauses], [1, []]);
  }
});

test('429, 502, 503 and 504 are retried, whoever sends them and in whatever form', async (t) => {
  const waits = skipWaits(t);
  for (const status of [429, 502, 503, 504]) {
    for (const how of [{}, { body: '{"type":"/problems/overloaded"}' }, { body: 'no JSON' }, { type: 'text/html' }, { type: '' }]) {
      const { arbiter, tries } = scripted([refused(status, how), refused(status, { ...how, 'retry-after': '3' }), good], { retries: 2 });
      const { answer, pauses } = await ask(waits, arbiter);
      assert.deepEqual(answer, { verdict: 'Tie' }, `${status} ${JSON.stringify(how)}`);
      assert.equal(pauses[1], 3000);
      assert.deepEqual([tries[1].body, tries[2].body], [tries[0].body, tries[0].body]);
    }
  }
});

test('no other status is retried, even with a Retry-After', async (t) => {
  const waits = skipWaits(t);
  for (const status of [400, 401, 403, 404, 405, 408, 413, 422, 425, 500, 501, 505]) {
    for (const type of ['application/problem+json', 'text/html']) {
      const { arbiter, tries } = scripted([refused(status, { type, 'retry-after': '0' })], { retries: 3 });
      const { error } = await ask(waits, arbiter);
      assert.deepEqual([tries.length, error.status, error.retryAfter], [1, status, 0]);
    }
  }
});

test('a successful answer that is cut off or does not come from the service is not retried', async (t) => {
  const waits = skipWaits(t);
  const broken = () => new Response(new ReadableStream({ pull: (part) => part.error(new Error('cut')) }), {
    headers: { 'content-type': 'application/json' },
  });
  for (const answer of [() => new Response('no JSON', { headers: { 'content-type': 'application/json' } }), broken]) {
    const { arbiter, tries } = scripted([answer], { retries: 3 });
    assert.ok((await ask(waits, arbiter)).error instanceof Unreachable);
    assert.equal(tries.length, 1);
  }
});

test('Retry-After is read as seconds, or as a date in any of its three forms', async (t) => {
  const waits = skipWaits(t);
  t.mock.method(Date, 'now', () => Date.UTC(1994, 10, 6, 8, 49, 30));
  for (const [after, seconds] of [
    ['0', 0],
    ['7', 7],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 7],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 7],
    ['Sun Nov  6 08:49:37 1994', 7],
    ['Sun, 06 Nov 1994 08:49:07 GMT', 0],
  ]) {
    const { arbiter } = scripted([refused(503, { 'retry-after': after }), refused(503, { 'retry-after': after })], { retries: 1 });
    const { error, pauses } = await ask(waits, arbiter);
    assert.deepEqual([pauses, error.retryAfter], [[seconds * 1000], seconds], after);
  }
});

test('an invalid Retry-After is ignored', async (t) => {
  const waits = skipWaits(t);
  t.mock.method(Math, 'random', () => 1);
  for (const after of ['-1', '1.5', '1 s', 'soon', 'Sun, 06 Foo 1994 08:49:37 GMT', '']) {
    const { arbiter } = scripted([refused(503, { 'retry-after': after }), refused(503, { 'retry-after': after })], { retries: 1 });
    const { error, pauses } = await ask(waits, arbiter);
    assert.deepEqual([pauses, error.retryAfter], [[500], null], after);
  }
});

test('the wait for a Retry-After of many days does not end immediately', async (t) => {
  const waits = skipWaits(t);
  const { arbiter } = scripted([refused(503, { 'retry-after': '99999999999' }), good], { retries: 1 });
  assert.deepEqual((await ask(waits, arbiter)).pauses, [2 ** 31 - 1]);
});

test('without Retry-After, the pauses double up to 30 s, each shortened by a random amount of up to half', async (t) => {
  const waits = skipWaits(t);
  const most = [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000];
  for (const chance of [0, 0.5, 1]) {
    t.mock.method(Math, 'random', () => chance);
    const { arbiter } = scripted([...most.map(() => refused(504)), good], { retries: Infinity });
    const { answer, pauses } = await ask(waits, arbiter);
    assert.deepEqual(pauses, most.map((milliseconds) => milliseconds * (1 + chance) / 2));
    assert.ok(answer);
  }
});

test('a request without an answer is retried at most twice', async (t) => {
  const waits = skipWaits(t);
  for (const [retries, tried] of [[0, 1], [1, 2], [2, 3], [9, 3]]) {
    const { arbiter, tries } = scripted(Array(9).fill(NO_ANSWER), { retries });
    const { error } = await ask(waits, arbiter);
    assert.ok(error instanceof Unreachable);
    assert.equal(tries.length, tried, `${retries} retries`);
  }
});

test('every attempt counts towards retries, but only those without an answer towards the limit of two', async (t) => {
  const waits = skipWaits(t);
  const answers = [NO_ANSWER, refused(429), NO_ANSWER, refused(503), refused(502), NO_ANSWER, good];
  for (const [retries, tried] of [[1, 2], [3, 4], [4, 5], [5, 6], [9, 6]]) {
    const { arbiter, tries } = scripted(answers, { retries });
    const { error } = await ask(waits, arbiter);
    assert.equal(tries.length, tried, `${retries} retries`);
    assert.equal(error.status, [null, 429, null, 503, 502, null][tried - 1]);
  }
});

test('an unreadable file is not sent again', async (t) => {
  const waits = skipWaits(t);
  const file = new Blob(['(;)']);
  const gone = new DOMException('it has changed', 'NotReadableError');
  file.slice = () => ({ arrayBuffer: () => Promise.reject(gone) });
  const { arbiter, tries } = scripted([NO_ANSWER], { retries: 2 });
  const { error } = await ask(waits, arbiter, (client) => client.record(file));
  assert.equal(error, gone);
  assert.equal(tries.length, 1);
});

test('a byte stream is sent as it arrives, and only once', async (t) => {
  const waits = skipWaits(t);
  for (const answer of [refused(503, { 'retry-after': '0' }), NO_ANSWER]) {
    const { arbiter, tries } = scripted([answer], { retries: 2 });
    let read = 0;
    const body = new ReadableStream({ pull: () => void (read += 1) }, { highWaterMark: 0 });
    const { error } = await ask(waits, arbiter, (client) => client.record(body));
    assert.ok(error instanceof ArbiterError);
    assert.deepEqual([tries.length, tries[0].body instanceof ReadableStream, tries[0].duplex, read], [1, true, 'half', 0]);
  }
});

test('a slice of a stream is retried like any question', async (t) => {
  const waits = skipWaits(t);
  const lines = () => new Response('{"id":1}\n', { headers: { 'content-type': 'application/x-ndjson' } });
  const { arbiter, tries } = scripted([refused(429, { 'retry-after': '2' }), lines], { retries: 1 });
  const { answer, pauses } = await ask(waits, arbiter, (client) => client.stream('mine', [FIELD]).next());
  assert.deepEqual([answer.value, pauses, tries.length], [{ id: 1 }, [2000], 2]);
});

// --- timeout -----------------------------------------------------------------

test('an attempt that times out counts as one without an answer', async (t) => {
  const waits = skipWaits(t);
  t.mock.method(Math, 'random', () => 1);
  const { arbiter, tries } = scripted([NEVER, NEVER, NEVER, good], { timeout: 1234, retries: 9 });
  const { error, pauses } = await ask(waits, arbiter);
  assert.deepEqual(pauses, [1234, 500, 1234, 1000, 1234]);
  assert.ok(error instanceof Unreachable);
  assert.deepEqual([error.cause.name, error.cause.message], ['TimeoutError', 'no answer within 1234 ms']);
  assert.deepEqual(tries.map(({ signal }) => [signal.aborted, signal.reason?.name]), Array(3).fill([true, 'TimeoutError']));
});

test('the timeout only covers the time until the head of the answer arrives', async (t) => {
  const waits = holdWaits(t);
  let push;
  const head = () => new Response(new ReadableStream({ start: (part) => (push = part) }), {
    headers: { 'content-type': 'application/x-ndjson' },
  });
  const { arbiter, tries } = scripted([head], { timeout: 1000 });
  let sent;
  const isSent = new Promise((resolve) => (sent = resolve));
  const next = arbiter.stream('mine', [FIELD], { onSent: sent }).next();
  await isSent;
  assert.deepEqual(waits.running(), []);
  push.enqueue(new TextEncoder().encode('{"id":1}\n'));
  assert.deepEqual((await next).value, { id: 1 });
  assert.equal(tries[0].signal.aborted, false);
});

test('there is no timeout unless one is given', async (t) => {
  const waits = holdWaits(t);
  const { arbiter } = scripted([() => (assert.deepEqual(waits.running(), []), good())]);
  assert.deepEqual(await arbiter.mine(FIELD), { verdict: 'Tie' });
});

// --- signals -----------------------------------------------------------------

test('a signal ends an attempt even if fetch ignores it, and nothing is retried', async (t) => {
  holdWaits(t);
  const control = new AbortController();
  const { arbiter, tries } = scripted([NEVER], { retries: 3, timeout: 1000 });
  const asked = arbiter.mine(FIELD, { signal: control.signal });
  control.abort('enough');
  assert.equal(await asked.catch((reason) => reason), 'enough');
  assert.deepEqual([tries.length, tries[0].signal.reason], [1, 'enough']);
});

test('if the signal is already aborted, nothing is sent', async () => {
  const { arbiter, tries } = scripted([]);
  await assert.rejects(arbiter.mine(FIELD, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  assert.equal(tries.length, 0);
});

test('a signal ends the answer immediately, even while no line is being read', async () => {
  let left = false;
  const body = new ReadableStream({
    start: (part) => part.enqueue(new TextEncoder().encode('{"id":1}\n')),
    cancel: () => (left = true),
  });
  const { arbiter } = scripted([() => new Response(body, { headers: { 'content-type': 'application/x-ndjson' } })]);
  const control = new AbortController();
  const lines = arbiter.stream('mine', '', { signal: control.signal });
  await lines.next();
  control.abort();
  assert.ok(left);
  await assert.rejects(lines.next(), { name: 'AbortError' });
});

test('no listeners are left on a long-lived signal', async (t) => {
  const waits = skipWaits(t);
  const { signal } = new AbortController();
  const lines = () => new Response('{"id":1}\n', { headers: { 'content-type': 'application/x-ndjson' } });
  const { arbiter } = scripted([good, refused(503), good, NO_ANSWER, lines], { retries: 1, timeout: 1000 });
  for (let at = 0; at < 2; at += 1) await ask(waits, arbiter, (client) => client.mine(FIELD, { signal }));
  await ask(waits, arbiter, async (client) => {
    for await (const line of client.stream('mine', [FIELD], { signal })) assert.deepEqual(line, { id: 1 });
  });
  assert.deepEqual(getEventListeners(signal, 'abort'), []);
});

// --- recognising the service -------------------------------------------------

test('media types are compared case-insensitively', async () => {
  const typed = (type, status, body) => () => new Response(body, { status, headers: { 'content-type': type } });
  const { arbiter } = scripted([
    typed('Application/JSON; charset=UTF-8', 200, '{"verdict":"Tie"}'),
    typed('APPLICATION/X-NDJSON', 200, '{"id":1}\n'),
    typed('Application/Problem+JSON', 422, '{"title":"t"}'),
  ]);
  assert.deepEqual(await arbiter.mine(FIELD), { verdict: 'Tie' });
  assert.deepEqual((await arbiter.stream('mine', [FIELD]).next()).value, { id: 1 });
  await assert.rejects(arbiter.mine(FIELD), Problem);
});

// --- what errors contain -----------------------------------------------------

test('every error is an ArbiterError, with the status and the request id if there are any', async (t) => {
  const waits = skipWaits(t);
  const cut = (status, type) => () => new Response('{"id":1}\n{', { status, headers: { 'content-type': type, 'x-request-id': 'r1' } });
  for (const [answer, kind, status, requestId] of [
    [refused(422, { 'x-request-id': 'r1' }), Problem, 422, 'r1'],
    [refused(401), Problem, 401, null],
    [refused(502, { type: 'text/html', 'x-request-id': 'r1' }), Unreachable, 502, 'r1'],
    [cut(200, 'application/x-ndjson'), Incomplete, 200, 'r1'],
    [cut(422, 'application/problem+json'), Unreachable, 422, 'r1'],
    [NO_ANSWER, Unreachable, null, null],
  ]) {
    const { arbiter } = scripted([answer]);
    const { error } = await ask(waits, arbiter, async (client) => {
      for await (const line of client.stream('mine', [FIELD])) assert.deepEqual(line, { id: 1 });
    });
    assert.ok(error instanceof ArbiterError && error instanceof kind && error instanceof Error, `${error}`);
    assert.equal(error.name, kind.name);
    assert.deepEqual([error.status, error.requestId], [status, requestId]);
  }
  const line = new Problem({ type: '/problems/invalid-case', title: 't', status: 422, detail: 'd' });
  assert.deepEqual([line instanceof ArbiterError, line.status, line.requestId, line.retryAfter], [true, 422, null, null]);
  assert.deepEqual([new Incomplete(1).status, new Incomplete(1).requestId], [null, null]);
  assert.equal(new ArbiterError('of my own').name, 'ArbiterError');
});

test('a problem of an unknown type takes its title and detail from the answer, if there are any', async () => {
  const { arbiter } = scripted([refused(429), refused(418, { body: '{"errors":7}' }), refused(503, { body: '{"status":200,"title":"t"}' })]);
  const [known, bare, wrong] = await Promise.all([1, 2, 3].map(() => arbiter.mine(FIELD).catch((error) => error)));
  assert.deepEqual([known.type, known.title, known.detail, known.message], ['about:blank', 'a title', 'a detail', 'a detail']);
  assert.deepEqual([bare.type, bare.title, bare.status, bare.message, bare.errors], ['about:blank', 'status 418', 418, 'status 418', []]);
  assert.deepEqual([wrong.status, wrong.message], [503, 't']);
});

test('a caller\'s own retry loop learns whether and when to retry', (t) => {
  t.mock.method(Math, 'random', () => 0);
  for (const status of [null, 429, 502, 503, 504]) {
    assert.deepEqual([0, 1, 2, 20].map((tries) => retryDelay(new Unreachable('', { status }), tries)), [250, 500, 1000, 15_000]);
    assert.deepEqual([0, 7].map((retryAfter) => retryDelay(new Unreachable('', { status, retryAfter }), 3)), [0, 7000]);
  }
  assert.equal(retryDelay(new Unreachable('', { status: 503, retryAfter: 1e12 }), 0), 2 ** 31 - 1, 'as long as a timer can be');
  for (const status of [200, 400, 401, 408, 413, 422, 500]) assert.equal(retryDelay(new Unreachable('', { status, retryAfter: 1 }), 0), null);
});
