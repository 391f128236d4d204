// Errors in web/arbiter.js: each class of error, aborting, streams that are cut off, and an overloaded server. Retries are tested in
// client_tries.test.mjs.
//
// Errors that the program can cause come from the program. Others (responses from other servers, bytes cut off at a chosen place) come
// from a server in the test, or from a substitute for `fetch`.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { Arbiter, Incomplete, Problem, Unreachable } from '../../web/arbiter.js';
import { start, withArbiter } from '../server/arbiter.mjs';
import { ENDLESS_OPTIONS, hardBoard, randomFrom } from '../server/bodies.mjs';
import { connect, formatRequest, until } from '../server/client.mjs';
import { holdWaits } from './held_waits.mjs';

const FIELD = { board: ['...', '.*.', '...'] };
/** A case whose search runs until the client disconnects. */
const LONG = { board: hardBoard(randomFrom(1)) };

let program;
let arbiter;
before(async () => {
  program = await start(ENDLESS_OPTIONS);
  arbiter = new Arbiter(`http://127.0.0.1:${program.port}`);
});
after(() => program.stop());

/** Reads a stream until it ends or fails. */
async function readAll(lines) {
  const read = [];
  try {
    for await (const line of lines) read.push(line);
    return { read };
  } catch (error) {
    return { read, error };
  }
}

/** Runs `use` with a client of a server that answers every request with `answer(request, response)`. */
async function withServer(answer, use) {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await use(new Arbiter(`http://127.0.0.1:${server.address().port}`, { retries: 1 }));
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Every method that sends a question; they must all throw the same errors. */
const WAYS = {
  pawn: (client, options) => client.pawn({ board: ['O.O', 'X..'] }, options),
  go: (client, options) => client.go({ moves: [] }, options),
  mine: (client, options) => client.mine(FIELD, options),
  batch: (client, options) => client.batch('mine', [FIELD], options),
  record: (client, options) => client.record('(;)', options),
  stream: (client, options) => client.stream('mine', [FIELD], options).next(),
  text: (client, options) => client.text('mine', FIELD, options),
  picture: (client, options) => client.picture('mine', FIELD, options),
  limits: (client, options) => client.limits(options),
  version: (client, options) => client.version(options),
};

// --- problems ----------------------------------------------------------------

test('a refused question throws a Problem that locates the error', async () => {
  const question = { board: ['O.O', 'O..', '.X.'], turn: 'green' };
  const error = await arbiter.pawn(question).catch((thrown) => thrown);
  assert.ok(error instanceof Problem && error instanceof Error);
  assert.equal(error.name, 'Problem');
  assert.equal(error.type, '/problems/invalid-case');
  assert.equal(error.title, 'Invalid case');
  assert.equal(error.status, 422);
  assert.equal(error.message, error.detail);
  assert.deepEqual(error.errors.map(({ pointer, code }) => [pointer, code]), [['/board', 'count'], ['/turn', 'value']]);
  assert.equal(error.retryAfter, null);
  await until('the log has the request', () => program.log.some((line) => line.request_id === error.requestId));
});

test('every method can throw a Problem', async () => {
  const faults = {
    batch: () => arbiter.batch('pawn', []),
    record: () => arbiter.record('(;SZ[99])'),
    'a stream as a whole': () => arbiter.stream('mine', '').next(),
    'a stream of text': () => arbiter.stream('mine', '1 2', { type: 'text/plain' }).next(),
    text: () => arbiter.text('mine', '1 2'),
    picture: () => arbiter.picture('go', { moves: [['B', 'I1']] }),
    query: () => arbiter.record('(;)', { ko: 'never' }),
  };
  for (const [way, ask] of Object.entries(faults)) {
    const error = await ask().catch((thrown) => thrown);
    assert.ok(error instanceof Problem, `${way}: ${error}`);
    assert.ok(error.status >= 400 && error.detail.length > 0, way);
  }
});

test('an array can only be sent as lines (NDJSON)', async () => {
  await assert.rejects(arbiter.stream('mine', [FIELD], { type: 'text/plain' }).next(), TypeError);
});

// --- no answer ---------------------------------------------------------------

test('without a server, Unreachable is thrown', async () => {
  const gone = await start();
  await gone.stop();
  for (const [way, ask] of Object.entries(WAYS)) {
    const error = await ask(new Arbiter(`http://127.0.0.1:${gone.port}`)).catch((thrown) => thrown);
    assert.ok(error instanceof Unreachable, `${way}: ${error}`);
    assert.equal(error.name, 'Unreachable');
    assert.ok(error.cause instanceof Error);
    assert.match(error.message, new RegExp(`${gone.port}`));
  }
});

test('an answer that does not come from the service throws Unreachable, whatever its status', async () => {
  const answers = [
    [200, 'text/html', '<h1>Sign in</h1>'],
    [200, 'application/json', 'not JSON'],
    [200, 'application/json', 'null'],
    [200, 'application/json', '7'],
    [502, 'text/html', '<h1>Bad gateway</h1>'],
    [503, 'text/html', '<h1>Unavailable</h1>'],
    [404, 'application/json', '{}'],
    [422, 'application/problem+json', 'null'],
    [500, 'application/problem+json', ''],
    [204, undefined, ''],
  ];
  for (const [status, type, body] of answers) {
    const headers = type === undefined ? {} : { 'content-type': type };
    const serve = (_, response) => response.writeHead(status, { ...headers, 'retry-after': '0' }).end(body);
    await withServer(serve, async (client) => {
      for (const [way, ask] of Object.entries(WAYS)) {
        const error = await ask(client).catch((thrown) => thrown);
        assert.ok(error instanceof Unreachable, `${way}, ${status} ${type} ${body}: ${error}`);
      }
    });
  }
});

test('a line that is not an object throws Unreachable', async () => {
  for (const line of ['7', 'null', '{"id":']) {
    const serve = (_, response) => {
      response.setHeader('content-type', 'application/x-ndjson').end(`{"id":1}\n${line}\n{}\n`);
    };
    await withServer(serve, async (client) => {
      const { read, error } = await readAll(client.stream('mine', [FIELD, FIELD, FIELD]));
      assert.deepEqual(read, [{ id: 1 }]);
      assert.ok(error instanceof Unreachable, `${error}`);
    });
  }
});

test('an answer that is cut off throws Unreachable', async () => {
  for (const [status, type] of [[200, 'application/json'], [422, 'application/problem+json']]) {
    const serve = (_, response) => {
      response.writeHead(status, { 'content-type': type, 'content-length': 100 });
      response.write('{"verdict":', () => response.destroy());
    };
    await withServer(serve, async (client) => {
      const error = await client.mine(FIELD).catch((thrown) => thrown);
      assert.ok(error instanceof Unreachable, `${error}`);
    });
  }
});

test('for a file that has changed since it was chosen, the error from reading it is thrown unchanged', { skip: !fs.openAsBlob }, async () => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'arbiter-client-'));
  try {
    const path = join(folder, 'game.sgf');
    fs.writeFileSync(path, '(;SZ[2];B[aa])');
    const file = await fs.openAsBlob(path);
    assert.equal((await arbiter.record(file)).played, 1);
    fs.writeFileSync(path, '(;SZ[2];B[aa];W[bb])');
    await assert.rejects(arbiter.record(file), { name: 'NotReadableError' });
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});

// --- streams that are cut off --------------------------------------------------

/** Replaces `fetch` with one whose response has these chunks. It counts the chunks read, and records whether the rest were cancelled. */
function chunks(t, parts) {
  const state = { asked: 0, left: false };
  const encoder = new TextEncoder();
  t.mock.method(globalThis, 'fetch', async () => {
    const waiting = parts.map((part) => (typeof part === 'string' ? encoder.encode(part) : part));
    const body = new ReadableStream({
      pull(controller) {
        state.asked += 1;
        if (waiting.length === 0) controller.close();
        else controller.enqueue(waiting.shift());
      },
      cancel() {
        state.left = true;
      },
    });
    return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } });
  });
  return state;
}

test('a line can be split between chunks anywhere, even within a character', async (t) => {
  const expected = [{ id: 'é' }, { id: '😀雪' }, {}];
  const bytes = new TextEncoder().encode(expected.map((line) => `${JSON.stringify(line)}\n`).join(''));
  for (let first = 0; first <= bytes.length; first += 1) {
    for (let second = first; second <= bytes.length; second += 1) {
      chunks(t, [bytes.slice(0, first), bytes.slice(first, second), bytes.slice(second)]);
      assert.deepEqual(await readAll(arbiter.stream('mine', '')), { read: expected }, `cut at ${first} and ${second}`);
      t.mock.reset();
    }
  }
});

test('an unterminated line throws Incomplete', async (t) => {
  for (const rest of ['{"id":2}', '{"i', '{', new Uint8Array([0xf0, 0x9f])]) {
    chunks(t, ['{"id":1}\n', rest]);
    const { read, error } = await readAll(arbiter.stream('mine', ''));
    assert.deepEqual(read, [{ id: 1 }]);
    assert.ok(error instanceof Incomplete && error instanceof Error, `${rest}: ${error}`);
    assert.equal(error.name, 'Incomplete');
    assert.equal(error.lines, 1);
    t.mock.reset();
  }
});

test('fewer lines than questions throw Incomplete, even if the answer ends normally', async (t) => {
  chunks(t, ['{"id":1}\n{"id":2}\n']);
  const { read, error } = await readAll(arbiter.stream('mine', [FIELD, FIELD, FIELD]));
  assert.deepEqual(read, [{ id: 1 }, { id: 2 }]);
  assert.ok(error instanceof Incomplete);
  assert.equal(error.lines, 2);
});

test('the client reads no more than it needs, and leaving the loop cancels the rest', async (t) => {
  const state = chunks(t, Array(100).fill('{"id":1}\n{"id":2}\n'));
  const lines = arbiter.stream('mine', '');
  assert.deepEqual((await lines.next()).value, { id: 1 });
  assert.deepEqual((await lines.next()).value, { id: 2 });
  // One chunk has been read, and ReadableStream reads one ahead.
  assert.ok(state.asked <= 2, `${state.asked} chunks`);
  await lines.return();
  assert.ok(state.left);
});

test('a long line is scanned for its end only once, however many chunks it arrives in', async (t) => {
  const part = 'x'.repeat(1000);
  const parts = 500;
  let searched = 0;
  const { split } = String.prototype;
  t.mock.method(String.prototype, 'split', function splitAndCount(...args) {
    searched += this.length;
    return split.apply(this, args);
  });
  chunks(t, ['{"id":"', ...Array(parts).fill(part), '"}\n']);
  const { read, error } = await readAll(arbiter.stream('mine', ''));
  t.mock.reset();
  assert.equal(error, undefined);
  assert.equal(read[0].id, part.repeat(parts));
  assert.ok(searched >= part.length * parts, 'this test counts the search');
  assert.ok(searched < 2 * part.length * parts, `${searched} characters were searched, of ${part.length * parts}`);
});

test('an error in the caller\'s callback is thrown unchanged', async () => {
  const onBytes = () => {
    throw new RangeError('mine');
  };
  const { error } = await readAll(arbiter.stream('mine', [FIELD], { onBytes }));
  assert.equal(`${error}`, 'RangeError: mine');
});

test('if the service is killed, a stream throws Incomplete after all lines that have arrived', async () => {
  await withArbiter(ENDLESS_OPTIONS, async (doomed) => {
    const client = new Arbiter(`http://127.0.0.1:${doomed.port}`);
    const questions = [...Array.from({ length: 100 }, (_, id) => ({ id, ...FIELD })), LONG];
    const lines = client.stream('mine', questions);
    const read = [];
    for (let at = 0; at < 100; at += 1) read.push((await lines.next()).value.id);
    doomed.signal('SIGKILL');
    const error = await lines.next().catch((thrown) => thrown);
    assert.deepEqual(read, Array.from({ length: 100 }, (_, id) => id));
    assert.ok(error instanceof Incomplete, `${error}`);
    assert.equal(error.lines, 100);
    assert.match(error.message, /after 100 lines/);
    assert.ok(error.cause instanceof Error);
    assert.deepEqual(await lines.next(), { value: undefined, done: true });
    await doomed.exit;
  });
});

// --- aborting ----------------------------------------------------------------

test('with a signal that is already aborted, every method throws the signal\'s reason', async () => {
  for (const [way, ask] of Object.entries(WAYS)) {
    const error = await ask(arbiter, { signal: AbortSignal.abort() }).catch((thrown) => thrown);
    assert.equal(error.name, 'AbortError', way);
    const reason = new RangeError('of my own');
    assert.equal(await ask(arbiter, { signal: AbortSignal.abort(reason) }).catch((thrown) => thrown), reason, way);
  }
});

test('a signal aborts a question while it is being solved, and stops the service\'s work on it', async () => {
  const gone = () => program.log.filter(({ reason }) => reason === 'client-gone').length;
  for (const reason of [undefined, new Error('of my own'), 'a word']) {
    const before = gone();
    const control = new AbortController();
    let asked;
    await program.untilBusy(() => {
      asked = arbiter.mine(LONG, { signal: control.signal }).catch((thrown) => thrown);
    });
    control.abort(reason);
    const error = await asked;
    assert.equal(error, control.signal.reason);
    if (reason === undefined) assert.equal(error.name, 'AbortError');
    await until('the program notices it', () => gone() > before);
  }
});

test('a signal from AbortSignal.timeout throws a TimeoutError', async () => {
  await assert.rejects(arbiter.mine(LONG, { signal: AbortSignal.timeout(50) }), { name: 'TimeoutError' });
});

test('a signal ends a stream between two lines that arrived together', async (t) => {
  chunks(t, ['{"id":1}\n{"id":2}\n']);
  const control = new AbortController();
  const lines = arbiter.stream('mine', '', { signal: control.signal });
  assert.deepEqual((await lines.next()).value, { id: 1 });
  control.abort();
  await assert.rejects(lines.next(), { name: 'AbortError' });
});

test('a signal ends a stream that is waiting for its next line', async () => {
  const control = new AbortController();
  const lines = arbiter.stream('mine', [FIELD, LONG], { signal: control.signal });
  assert.equal((await lines.next()).value.verdict, 'Fanglaoshi');
  const next = lines.next();
  control.abort();
  await assert.rejects(next, { name: 'AbortError' });
});

// --- an overloaded service ---------------------------------------------------

/** A record that a service with --max-inflight-bytes 10000 accepts, but not two at the same time. */
const RECORD = `(;SZ[2]C[${'a'.repeat(6000)}];B[aa])`;

/** Runs `use` with a program whose limit on in-flight bytes is used up by another client's body until `release` is called. */
async function withFullProgram(use) {
  await withArbiter(['--max-inflight-bytes', 10_000], async (full) => {
    const other = await connect(full.port);
    const head = { 'Content-Type': 'application/x-go-sgf', 'Content-Length': 8000 };
    await other.write(formatRequest({ method: 'POST', target: '/go', headers: head }));
    await other.write(' '.repeat(7999));
    const refused = () => full.log.filter(({ route, status }) => route === '/go' && status === 503).length;
    const ask = (retries, options) => new Arbiter(`http://127.0.0.1:${full.port}`, { retries }).record(RECORD, options);
    await until('the account is full', () => ask(0).then(() => false, () => true));
    await until('the log has the refusal', () => refused() === 1);
    const release = async () => {
      other.reset();
      await until('the account is free', () => ask(0).then(() => true, () => false));
    };
    await use({ ask, refused, release });
    other.close();
  });
}

test('without retries, the error says how long to wait', async () => {
  await withFullProgram(async ({ ask }) => {
    const error = await ask(0).catch((thrown) => thrown);
    assert.ok(error instanceof Problem);
    assert.equal(error.type, '/problems/overloaded');
    assert.equal(error.status, 503);
    assert.equal(error.retryAfter, 1);
  });
});

test('with retries, the request is sent again after the time that the service asks for', async (t) => {
  const { next: nextWait } = holdWaits(t);
  await withFullProgram(async ({ ask, refused, release }) => {
    const asked = ask(3);
    for (const before of [1, 2]) {
      const wait = await nextWait();
      assert.equal(wait.milliseconds, 1000);
      await until('it is logged', () => refused() === before + 1);
      if (before === 2) await release();
      wait.end();
    }
    assert.equal((await asked).played, 1);
  });
});

test('before each retry, the client waits as long as the previous answer says', async (t) => {
  const { next: nextWait } = holdWaits(t);
  const times = ['7', '0', '1000'];
  let asked = 0;
  const problem = '{"type":"/problems/overloaded","title":"t","status":503,"detail":"d"}';
  t.mock.method(globalThis, 'fetch', async () => {
    asked += 1;
    const headers = { 'content-type': 'application/problem+json', 'retry-after': times[asked - 1] };
    return asked <= times.length ? new Response(problem, { status: 503, headers }) : Response.json({ verdict: 'Tie' });
  });
  const answer = new Arbiter('http://127.0.0.1', { retries: times.length }).pawn({});
  for (const [index, time] of times.entries()) {
    const wait = await nextWait();
    assert.deepEqual([asked, wait.milliseconds], [index + 1, Number(time) * 1000]);
    wait.end();
  }
  assert.deepEqual(await answer, { verdict: 'Tie' });
});

test('after the last retry, the last Problem is thrown', async (t) => {
  const { next: nextWait } = holdWaits(t);
  await withFullProgram(async ({ ask, refused }) => {
    const thrown = assert.rejects(ask(2), { name: 'Problem', status: 503 });
    for (let retry = 0; retry < 2; retry += 1) (await nextWait()).end();
    await thrown;
    await until('the log has all three', () => refused() === 1 + 3);
  });
});

test('a signal ends the wait for the next retry', async () => {
  const control = new AbortController();
  let asked = 0;
  const serve = (_, response) => {
    asked += 1;
    response.writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '1000' });
    response.end('{"type":"/problems/overloaded","title":"t","status":503,"detail":"d"}', () => control.abort());
  };
  await withServer(serve, async (client) => {
    await assert.rejects(client.mine(FIELD, { signal: control.signal }), { name: 'AbortError' });
    assert.equal(asked, 1);
  });
});
