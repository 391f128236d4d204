// web/arbiter.js: questions split over several requests. A stream is sent in slices, a batch in parts.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Arbiter, Incomplete, Problem, Unreachable } from '../../web/arbiter.js';
import { withArbiter } from '../server/arbiter.mjs';
import { holdWaits } from './held_waits.mjs';

const FIELD = { board: ['...', '.*.', '...'] };
const MIB = 1 << 20;

const fields = (count) => Array.from({ length: count }, (_, id) => ({ id, ...FIELD }));
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A client whose `fetch` answers each line with its id. `slices` holds the ids in each request. */
function lineClient(answer = (ids) => ids.map((id) => `{"id":${JSON.stringify(id)}}\n`).join('')) {
  const slices = [], bodies = [], urls = [];
  const fetch = async (url, { body, headers }) => {
    urls.push(`${url}`);
    bodies.push(body);
    assert.deepEqual(headers, { accept: 'application/x-ndjson', 'content-type': 'application/x-ndjson' });
    const ids = body.split('\n').slice(0, -1).map((line) => JSON.parse(line).id);
    slices.push(ids);
    const given = answer(ids, slices.length - 1);
    const head = { 'content-type': 'application/x-ndjson', 'x-request-id': `r${slices.length}` };
    return typeof given === 'string' ? new Response(given, { headers: head }) : given;
  };
  return { arbiter: new Arbiter('http://127.0.0.1:1', { fetch }), slices, bodies, urls, lengths: () => slices.map(({ length }) => length) };
}

/** Reads a stream until it ends or fails. */
async function readAll(lines) {
  const read = [];
  try {
    for await (const { id } of lines) read.push(id);
    return { read };
  } catch (error) {
    return { read, error };
  }
}

/** A source that yields what the test gives it. It counts the calls to `next`, and records whether `return` was called. */
function source() {
  const state = { asked: 0, left: false };
  const waiting = [];
  state.give = (value) => waiting.shift()({ done: false, value });
  state.end = () => waiting.shift()({ done: true, value: undefined });
  state.cases = {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        state.asked += 1;
        return new Promise((resolve) => waiting.push(resolve));
      },
      return: async () => {
        state.left = true;
        return { done: true, value: undefined };
      },
    }),
  };
  return state;
}

// --- where a slice ends ------------------------------------------------------

test('arrays, iterables and async iterables are sent in slices of 256', async () => {
  const questions = fields(600);
  const forms = {
    array: () => questions,
    Set: () => new Set(questions),
    generator: function* generator() { yield* questions; },
    'async generator': async function* generator() { yield* questions; },
  };
  for (const [form, cases] of Object.entries(forms)) {
    const { arbiter, lengths, slices, bodies } = lineClient();
    const { read, error } = await readAll(arbiter.stream('mine', cases()));
    assert.equal(error, undefined, form);
    assert.deepEqual(read, questions.map(({ id }) => id));
    assert.deepEqual([lengths(), slices.flat()], [[256, 256, 88], read], form);
    assert.equal(bodies.join(''), questions.map((one) => `${JSON.stringify(one)}\n`).join(''));
  }
});

test('a slice is at most 1 MiB in UTF-8, unless a single case is larger', async () => {
  const long = (id, bytes) => ({ id, face: '雪'.repeat((bytes - `{"id":"${id}","face":""}\n`.length) / 3) });
  const size = (question) => Buffer.byteLength(`${JSON.stringify(question)}\n`);
  const half = long('half_', MIB / 2), other = long('other', MIB / 2 - 2), small = { id: 1 };
  const large = long('large', MIB + 1);
  assert.deepEqual([half, large].map(size).map((bytes) => Math.abs(bytes - MIB / 2) < 3 || bytes > MIB - 3), [true, true]);
  async function* generator() { yield* [half, other, small, large, small, half, other]; }
  for (const cases of [[half, other, small, large, small, half, other], generator()]) {
    const { arbiter, slices, bodies } = lineClient();
    await readAll(arbiter.stream('mine', cases));
    for (const [at, body] of bodies.entries()) assert.ok(Buffer.byteLength(body) <= MIB || slices[at].length === 1, `${slices[at]}`);
    // In no slice would there have been room for the first case of the next one.
    for (let at = 1; at < bodies.length; at += 1) {
      const next = bodies[at].slice(0, bodies[at].indexOf('\n') + 1);
      assert.ok(Buffer.byteLength(bodies[at - 1]) + Buffer.byteLength(next) > MIB, `${slices[at - 1]} | ${slices[at]}`);
    }
    assert.ok(bodies.length > 2);
  }
});

test('a slice ends when its source has yielded nothing for 50 ms, counting from its first case', async (t) => {
  const waits = holdWaits(t);
  const given = source();
  const { arbiter, slices } = lineClient();
  const lines = arbiter.stream('mine', given.cases);
  let next = lines.next();
  await turn();
  assert.deepEqual([waits.running(), given.asked], [[], 1]);
  for (const id of [1, 2, 3]) {
    given.give({ id });
    await turn();
    assert.deepEqual(waits.running(), [50]);
  }
  assert.deepEqual(slices, []);
  for (let at = 0; at < 3; at += 1) (await waits.next()).end();
  assert.deepEqual((await next).value, { id: 1 });
  assert.deepEqual(slices, [[1, 2, 3]]);
  await lines.next();
  await lines.next();
  assert.equal(given.asked, 4, 'a pending case is not requested again');
  next = lines.next();
  given.give({ id: 4 });
  await turn();
  given.end();
  assert.deepEqual((await next).value, { id: 4 });
  assert.equal((await lines.next()).done, true);
  assert.deepEqual([slices, waits.running(), given.left], [[[1, 2, 3], [4]], [], false]);
});

test('a full slice does not wait for the source', async (t) => {
  const waits = holdWaits(t);
  async function* generator(cases) {
    yield* cases;
    await new Promise(() => {});
  }
  const large = { id: 'large', face: 'a'.repeat(MIB) };
  for (const cases of [fields(256), [large]]) {
    const { arbiter, slices } = lineClient();
    const lines = arbiter.stream('mine', generator(cases));
    assert.deepEqual((await lines.next()).value.id, cases[0].id);
    assert.deepEqual([slices.length, waits.running()], [1, []]);
    void lines.return();
  }
});

test('a source can wait for the answer to the case that it has just yielded', async (t) => {
  const waits = holdWaits(t);
  const { arbiter, slices } = lineClient();
  let answered;
  async function* generator() {
    for (let id = 0; id < 3; id += 1) {
      const answer = new Promise((resolve) => (answered = resolve));
      yield { id };
      assert.equal(await answer, id);
    }
  }
  const lines = arbiter.stream('mine', generator());
  for (let id = 0; id < 3; id += 1) {
    const next = lines.next();
    (await waits.next()).end();
    answered((await next).value.id);
  }
  assert.ok((await lines.next()).done);
  assert.deepEqual(slices, [[0], [1], [2]]);
});

test('a source is read only as far as needed for the lines that the caller reads', async () => {
  let taken = 0;
  async function* generator() {
    for (const question of fields(1000)) {
      taken += 1;
      yield question;
    }
  }
  const { arbiter, slices } = lineClient();
  const lines = arbiter.stream('mine', generator());
  for (let at = 0; at < 256; at += 1) await lines.next();
  assert.deepEqual([taken, slices.length], [256, 1]);
  await lines.return();
});

test('a source without cases is sent as one empty body, which the service refuses', async () => {
  for (const cases of [[], new Set(), (async function* none() {})()]) {
    const { arbiter, bodies } = lineClient(() => '');
    await readAll(arbiter.stream('mine', cases));
    assert.deepEqual(bodies, ['']);
  }
});

test('each slice is sent with the query', async () => {
  const { arbiter, urls } = lineClient();
  await readAll(arbiter.stream('go', fields(257), { ko: 'simple' }));
  assert.deepEqual(urls, Array(2).fill('http://127.0.0.1:1/go?ko=simple'));
});

// --- bytes and lines ---------------------------------------------------------

test('bytes are counted over all slices, and onSent is called once, when the answer to the last slice begins', async () => {
  for (const count of [1, 256, 257, 512, 600]) {
    for (const waits of [false, true]) {
      const { arbiter, slices } = lineClient();
      async function* generator() { yield* fields(count); }
      const counts = [], events = [];
      let bytes = 0;
      const onBytes = (received, chunk) => {
        bytes += chunk.length;
        counts.push(received === bytes);
      };
      const onSent = () => events.push(slices.length);
      const lines = arbiter.stream('mine', waits ? generator() : fields(count), { onBytes, onSent });
      const { read } = await readAll(lines);
      assert.equal(read.length, count);
      assert.ok(counts.every((right) => right) && counts.length >= slices.length);
      assert.equal(bytes, Buffer.byteLength(read.map((id) => `{"id":${id}}\n`).join('')));
      assert.deepEqual(events, [slices.length], `${count}`);
    }
  }
});

test('if an array fits into one slice, onSent is called before the first line', async () => {
  const { arbiter } = lineClient();
  let sent = false;
  const lines = arbiter.stream('mine', fields(256), { onSent: () => (sent = true) });
  await lines.next();
  assert.ok(sent);
  await lines.return();
});

test('a slice that is cut off or has too few lines throws Incomplete, which counts the lines in all slices', async () => {
  const answer = (cut) => (ids, slice) => {
    const lines = ids.map((id) => `{"id":${id}}\n`);
    return slice === 1 ? cut(lines.slice(0, 10).join('')) : lines.join('');
  };
  for (const cut of [(text) => text, (text) => `${text}{"id"`]) {
    const { arbiter, slices } = lineClient(answer(cut));
    const { read, error } = await readAll(arbiter.stream('mine', fields(600)));
    assert.ok(error instanceof Incomplete);
    assert.deepEqual([read.length, error.lines, error.status, error.requestId, slices.length], [266, 266, 200, 'r2', 2]);
  }
});

test('an error in a later slice becomes the cause of an Incomplete', async () => {
  const refusal = () => new Response('{"type":"about:blank","title":"t","detail":"d"}', {
    status: 429, headers: { 'content-type': 'application/problem+json', 'x-request-id': 'r', 'retry-after': '3' },
  });
  const gone = () => Promise.reject(new TypeError('no connection'));
  for (const [late, kind, facts] of [[refusal, Problem, [429, 'r', 3]], [gone, Unreachable, [null, null, null]]]) {
    const all = (ids) => ids.map((id) => `{"id":${id}}\n`).join('');
    const { arbiter } = lineClient((ids, slice) => (slice === 0 ? all(ids) : late()));
    const { read, error } = await readAll(arbiter.stream('mine', fields(257)));
    assert.ok(error instanceof Incomplete && error.cause instanceof kind, `${error}`);
    assert.deepEqual([read.length, error.lines, error.status, error.requestId, error.retryAfter], [256, 256, ...facts]);
    const first = await readAll(lineClient(() => late()).arbiter.stream('mine', fields(257)));
    assert.ok(first.error instanceof kind, 'of the first slice it is the error itself');
  }
});

// --- the end of a source -----------------------------------------------------

test('leaving the loop ends the source, even while the client waits for it', async (t) => {
  const waits = holdWaits(t);
  let ended = false;
  function* generator() {
    try { yield* fields(1000); } finally { ended = true; }
  }
  for await (const line of lineClient().arbiter.stream('mine', generator())) if (line.id === 300) break;
  assert.ok(ended);

  const given = source();
  const lines = lineClient().arbiter.stream('mine', given.cases);
  const next = lines.next();
  given.give({ id: 1 });
  (await waits.next()).end();
  await next;
  await lines.return();
  assert.ok(given.left);
});

test('while a stream waits for its source, a signal ends it with the signal\'s reason', async () => {
  const given = source();
  const control = new AbortController();
  const next = lineClient().arbiter.stream('mine', given.cases, { signal: control.signal }).next();
  control.abort('enough');
  assert.equal(await next.catch((reason) => reason), 'enough');
  assert.ok(given.left);
});

test('an error in the source is thrown unchanged', async () => {
  const mine = new RangeError('mine');
  function* generator() { yield { id: 1 }; throw mine; }
  async function* waiting() { yield* generator(); }
  for (const cases of [generator(), waiting()]) {
    const { arbiter, slices } = lineClient();
    assert.equal((await readAll(arbiter.stream('mine', cases))).error, mine);
    assert.deepEqual(slices, []);
  }
});

// --- other arguments -------------------------------------------------------

test('an argument of any other type throws a TypeError, and nothing is sent', async () => {
  const { arbiter, bodies } = lineClient();
  for (const body of [undefined, null, 7, true, Symbol('x'), () => {}, {}, FIELD, Promise.resolve([FIELD]), new Date()]) {
    await assert.rejects(arbiter.stream('mine', body).next(), TypeError, typeof body);
  }
  for (const cases of [[FIELD], new Set([FIELD]), (async function* one() { yield FIELD; })()]) {
    await assert.rejects(arbiter.stream('mine', cases, { type: 'text/plain' }).next(), TypeError);
  }
  assert.deepEqual(bodies, []);
});

test('a string, bytes, a Blob or a ReadableStream of bytes is sent as a single body', async () => {
  const text = fields(300).map((question) => `${JSON.stringify(question)}\n`).join('');
  const bytes = new TextEncoder().encode(text);
  for (const body of [text, bytes, bytes.buffer, new DataView(bytes.buffer), new Blob([bytes]), new Blob([bytes]).stream()]) {
    const sent = [];
    const fetch = async (_, request) => {
      sent.push(request.body);
      assert.equal(request.duplex, body instanceof ReadableStream ? 'half' : undefined);
      return new Response('{"id":1}\n', { headers: { 'content-type': 'application/x-ndjson' } });
    };
    await readAll(new Arbiter('http://127.0.0.1:1', { fetch }).stream('mine', body));
    assert.equal(sent.length, 1);
    if (body instanceof ReadableStream) assert.equal(await new Response(sent[0]).text(), text);
    else assert.equal(sent[0], body);
  }
});

test('the program answers all of these kinds of arguments', () => withArbiter([], async ({ port }) => {
  const arbiter = new Arbiter(`http://127.0.0.1:${port}`);
  const questions = fields(600);
  const text = questions.map((question) => `${JSON.stringify(question)}\n`).join('');
  async function* generator() { yield* questions; }
  const expected = questions.map(({ id }) => id);
  for (const body of [questions, new Set(questions), generator(), text, new Blob([text]).stream()]) {
    assert.deepEqual(await readAll(arbiter.stream('mine', body)), { read: expected });
  }
  const none = await readAll(arbiter.stream('mine', []));
  assert.deepEqual([none.error.name, none.error.status], ['Problem', 400]);
}));

test('an error in a stream of bytes is thrown unchanged, and a stream of other values throws a TypeError', () => withArbiter([], async ({ port }) => {
  const arbiter = new Arbiter(`http://127.0.0.1:${port}`, { retries: 2 });
  const line = new TextEncoder().encode(`${JSON.stringify(FIELD)}\n`);
  for (const disk of [new Error('disk'), undefined]) {
    for (const before of [[], [line]]) {
      const parts = [...before];
      const body = new ReadableStream({ pull: (part) => (parts.length > 0 ? part.enqueue(parts.pop()) : part.error(disk)) });
      assert.equal(await arbiter.stream('mine', body).next().then(() => 'none', (error) => error), disk);
    }
  }
  for (const chunk of [FIELD, 'text', 7, null, line.buffer]) {
    for (const before of [[], [line]]) {
      let left = null;
      const start = (part) => [...before, chunk].forEach((one) => part.enqueue(one));
      const body = new ReadableStream({ start, cancel: (reason) => (left = reason) });
      const { error } = await readAll(arbiter.stream('mine', body));
      assert.ok(error instanceof TypeError, `${error}`);
      assert.match(error.message, /bytes/);
      assert.equal(left, error);
    }
  }
  const locked = new Blob([line]).stream();
  locked.getReader();
  await assert.rejects(arbiter.stream('mine', locked).next(), TypeError);
}));

test('if a signal or a refusal ends a stream of bytes, that is the error, even if the source then fails', async () => {
  const control = new AbortController();
  const body = new ReadableStream({
    pull: (part) => {
      control.abort('enough');
      part.error(new Error('left'));
    },
  });
  const reading = (_, request) => new Response(request.body).text();
  const arbiter = (fetch) => new Arbiter('http://127.0.0.1:1', { fetch });
  const { error } = await readAll(arbiter(reading).stream('mine', body, { signal: control.signal }));
  assert.equal(error, 'enough');

  const refusing = async (...asked) => {
    await reading(...asked).catch(() => {});
    return new Response('{}', { status: 413, headers: { 'content-type': 'application/problem+json' } });
  };
  const failing = new ReadableStream({ pull: (part) => part.error(new Error('disk')) });
  assert.ok((await readAll(arbiter(refusing).stream('mine', failing))).error instanceof Problem);
});

// --- batches -----------------------------------------------------------------

/** A client of a service with these limits. `bodies` holds the cases of each batch; `asked` counts the requests for the limits. */
function batchClient(limits) {
  const state = { asked: 0, bodies: [], refuse: false };
  const fetch = async (url, { body }) => {
    if (`${url}`.endsWith('/limits')) {
      state.asked += 1;
      return Response.json({ max_cases: 1000, max_body_bytes: 64 * MIB, ...limits });
    }
    if (state.refuse) return new Response('{}', { status: 413, headers: { 'content-type': 'application/problem+json' } });
    state.bodies.push(body);
    return Response.json({ results: JSON.parse(body).cases.map(({ id }) => ({ id })) });
  };
  state.arbiter = new Arbiter('http://127.0.0.1:1', { fetch });
  state.parts = () => state.bodies.map((body) => JSON.parse(body).cases.length);
  return state;
}

test('each request of a batch contains as many cases as the service allows', async () => {
  for (const [most, parts] of [[3, [3, 3, 1]], [7, [7]], [8, [7]], [1, Array(7).fill(1)]]) {
    const state = batchClient({ max_cases: most });
    assert.deepEqual(await state.arbiter.batch('mine', fields(7)), fields(7).map(({ id }) => ({ id })));
    assert.deepEqual(state.parts(), parts);
  }
});

test('each request of a batch contains as many bytes in UTF-8 as the service allows', async () => {
  const questions = Array.from({ length: 10 }, (_, id) => ({ id, face: '雪'.repeat(10 * (id % 3)) }));
  for (let most = 40; most < 700; most += 1) {
    const state = batchClient({ max_body_bytes: most });
    const results = await state.arbiter.batch('mine', questions);
    assert.deepEqual(results, questions.map(({ id }) => ({ id })));
    for (const [at, body] of state.bodies.entries()) {
      assert.ok(Buffer.byteLength(body) <= most || state.parts()[at] === 1, `${most}: ${body}`);
      if (at === 0) continue;
      const [first] = JSON.parse(body).cases;
      const more = Buffer.byteLength(state.bodies[at - 1]) + Buffer.byteLength(JSON.stringify(first)) + 1;
      assert.ok(more > most, `${most}: ${state.bodies[at - 1]} could have taken one more`);
    }
  }
});

test('the limits are fetched once, and again after a refused batch; for a single question they are not fetched', async () => {
  const state = batchClient({ max_cases: 2 });
  await state.arbiter.batch('mine', fields(1));
  assert.equal(state.asked, 0);
  for (let at = 0; at < 3; at += 1) await state.arbiter.batch('mine', fields(5));
  assert.equal(state.asked, 1);
  state.refuse = true;
  await assert.rejects(state.arbiter.batch('mine', fields(5)), { status: 413 });
  assert.equal(state.asked, 1);
  state.refuse = false;
  await state.arbiter.batch('mine', fields(5));
  assert.equal(state.asked, 2);

  await withArbiter(['--max-cases', 2], async ({ port }) => {
    const arbiter = new Arbiter(`http://127.0.0.1:${port}`);
    assert.equal((await arbiter.batch('mine', fields(5))).length, 5);
    await assert.rejects(arbiter.batch('mine', []), Problem);
  });
});

test('pointers refer to the whole batch', () => withArbiter(['--max-cases', 3], async ({ port }) => {
  const arbiter = new Arbiter(`http://127.0.0.1:${port}`);
  const questions = fields(8);
  questions[4] = { id: 'a', board: ['?.', '.'] };
  questions[5] = { id: 'b' };
  questions[7] = {};
  const error = await arbiter.batch('mine', questions).catch((thrown) => thrown);
  assert.ok(error instanceof Problem);
  assert.deepEqual(error.errors.map(({ id, pointer }) => [id, pointer]),
    [['a', '/cases/4/board/0'], ['a', '/cases/4/board/1'], ['b', '/cases/5']]);
}));

test('an answer with the wrong number of results for its part is rejected as not from the service', async () => {
  for (const answer of [{}, { results: [] }, { results: [{}] }, { results: [{}, {}, {}] }]) {
    const limits = Response.json({ max_cases: 1000, max_body_bytes: MIB });
    const fetch = async (url) => (`${url}`.endsWith('/limits') ? limits : Response.json(answer));
    await assert.rejects(new Arbiter('http://127.0.0.1:1', { fetch }).batch('mine', fields(2)), Unreachable);
  }
});
