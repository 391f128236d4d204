// Runs one program for all tests in a file, and checks its answers.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { start } from './arbiter.mjs';
import { ask, connect, until } from './client.mjs';

/** Deadlines long enough that no test depends on the speed of the machine. */
export const LONG_DEADLINES = ['--head-timeout', 3600, '--body-timeout', 3600, '--send-timeout', 3600, '--max-wait', 3600];
export const PAGES = ['/', '/openapi.yaml', '/openapi.json', '/limits', '/version', '/problems', '/problems/malformed'];
export const GET_TARGETS = [...PAGES, '/livez', '/readyz'];
export const GAME_ROUTES = ['/pawn', '/go', '/mine'];
export const LINES = 'application/x-ndjson, application/jsonl';

export let arbiter;
export let port;

async function startShared() {
  arbiter = await start([...LONG_DEADLINES, '--workers', 2, '--max-search-states', 500], { leaks: true });
  ({ port } = arbiter);
}

/** Waits for the shared program to exit. */
const untilLeft = () => until('the program has ended', () => arbiter.left !== null).catch(() => {});

/** A test that uses the shared program. If the program exits, the test fails, and the next test starts a new program. */
export function theServer(name, body) {
  it(name, async (t) => {
    if (arbiter.left !== null) await startShared();
    let failure = null;
    try {
      await body(t);
    } catch (error) {
      failure = error;
    }
    // If the program no longer answers, it is exiting. Wait, so that the report can include its exit status.
    if (failure !== null && !(failure instanceof assert.AssertionError)) await get('/livez').catch(() => untilLeft());
    if (arbiter.left !== null) {
      const left = `the program left: ${JSON.stringify(arbiter.left)}\n${arbiter.stderr.slice(-2000)}`;
      throw new Error(`${left}\n${failure ?? ''}`);
    }
    if (failure !== null) throw failure;
  });
}

export const get = (target, headers) => ask(port, { target, headers });

/** Checks that Vary lists these names and, for an answer of 1 KiB or more, Accept-Encoding, whether it is compressed or not. */
export function checkVary(answer, names) {
  const packable = answer.body.length >= 1024 ? ['accept-encoding'] : [];
  assert.deepEqual(answer.list('vary'), [...names, ...packable], `${answer}`);
}

/** Checks the headers that every answer must have. */
export function checkEveryAnswer(answer, text = '') {
  const message = `${text}\n${answer}`;
  assert.match(answer.header('x-request-id') ?? '', /^[A-Za-z0-9._-]{1,64}$/, message);
  assert.equal(answer.header('x-content-type-options'), 'nosniff', message);
  assert.equal(answer.header('access-control-allow-origin'), '*', message);
  assert.equal(answer.header('access-control-allow-credentials'), undefined, message);
  assert.deepEqual(answer.list('access-control-expose-headers').sort(), ['etag', 'retry-after', 'x-request-id'], message);
}

export function checkProblem(answer, status, slug) {
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

export async function withConnection(use) {
  const connection = await connect(port);
  try {
    return await use(connection);
  } finally {
    connection.close();
  }
}

/** Sends bytes; expects a single refusal and the end of the connection. Then checks that the next client is served. */
export async function checkRefusedAndClosed(bytes, check, { whole = true } = {}) {
  await withConnection(async (connection) => {
    connection.expect('POST');
    connection.write(bytes);
    check(await connection.answer());
    await connection.closed();
    assert.equal(connection.unread, 0, `only one answer, although the bytes were:\n${bytes}`);
    if (whole) assert.equal(connection.fault, null);
  });
  assert.equal((await get('/livez')).status, 200, 'the next connection is served');
}

/** A group of tests that share one program. The last test checks how the program exits. */
export function describeServer(name, body) {
  describe(name, () => {
    before(startShared);

    after(() => {
      if (arbiter.left === null) arbiter.signal('SIGKILL');
    });

    body();

    it('after all tests, the program exits with status 0 and without a sanitizer report', async () => {
      assert.deepEqual(arbiter.noise, [], 'every line of the log is JSON');
      await arbiter.stop();
    });
  });
}
