// For the same requests, the last release and this build give the same answers, metrics and log. programs.mjs explains how to run the
// test, exceptions.mjs lists the differences that are allowed, and normalize.mjs defines what is not compared.

import { test } from 'node:test';

import { requestBytes } from '../contract/wire.mjs';
import { optionsOf } from '../server/arbiter.mjs';
import { randomFrom } from '../server/bodies.mjs';
import { ask, connect, until } from '../server/client.mjs';
import { Comparison } from './comparison.mjs';
import { exceptions } from './exceptions.mjs';
import { answerText, logTexts, metricsText } from './normalize.mjs';
import { SEED, TEST_OPTIONS, inParallel, withBoth } from './programs.mjs';
import { knownRequests, randomRequests } from './requests.mjs';

const comparison = new Comparison(['answer', 'log', 'metrics']);
const REQUESTS = 3000, REFUSALS = [400, 404, 406, 413, 415, 422];
const AT_ONCE = 800; // with this number no log line is dropped, even if its writer and its reader are slow
const SERVERS = {
  'its usual options': [],
  // Limits on the size of answers are left out, because answers can have new members; the contract cases cover them.
  'small limits': [
    ...optionsOf({ max_body_bytes: 300, max_json_values: 30, max_cases: 2, max_moves: 12, max_moves_total: 20, max_pawn_cells: 12 }),
    ...optionsOf({ max_pawn_cells_total: 20, max_mine_cells: 20, max_mine_cells_total: 30, max_search_states: 5, log_level: 'warn' }),
  ],
  'origins and a proxy': ['--cors-origin', 'https://a.example,https://b.example', '--trusted-proxy', '127.0.0.1'],
};

/**
 * Sends a request to a program, and with `revalidate` again on the same connection, with the ETag in If-None-Match. Resolves to
 * { answers, end }, where `end` says how the connection ended. Adds the lengths of the answers to `program.sent`, by request id.
 */
async function askProgram(program, { revalidate, ...request }) {
  const connection = await connect(program.port);
  const sent = program.sent ??= new Map();
  const answers = [];
  let end = '';
  async function exchange(headers) {
    connection.expect(request.method ?? (request.body === undefined ? 'GET' : 'POST'));
    connection.write(requestBytes({ ...request, headers }));
    const answer = await connection.answer();
    answers.push(answer);
    const id = answer.header('x-request-id');
    sent.set(id, (sent.get(id) ?? new Set()).add(Number(answer.header('content-length') ?? answer.body.length)));
    const persists = answer.version === 'HTTP/1.1' || answer.list('connection').includes('keep-alive');
    const isLast = !persists || answer.list('connection').includes('close');
    if (isLast) end = `the connection ends: ${await connection.closed()}`;
    return isLast ? undefined : answer.header('etag');
  }
  try {
    const tag = await exchange(request.headers);
    if (revalidate && tag !== undefined) await exchange({ ...request.headers, 'If-None-Match': `"other", ${tag}` });
  } catch (error) {
    end = `it fails: ${error.message}`;
  } finally {
    connection.close();
  }
  return { answers, end };
}

/** Sends each { about, request } to both programs, several at a time, and compares the answers. */
async function compareAnswers(both, list) {
  await inParallel(6, list, async ({ about, request }) => {
    const [old, now] = await Promise.all([both.old, both.now].map((program) => askProgram(program, request)));
    const textOf = ({ answers, end }, other) =>
      [...answers.map((answer, index) => answerText(answer, request, other.answers[index])), end].join('\n');
    const sent = requestBytes(request).toString('latin1').replaceAll('\r\n', '\n');
    comparison.check('answer', { about, sent, old: textOf(old, now), now: textOf(now, old) });
  });
}

/** Waits until no request is in flight, and returns the metrics from the ops port. */
const metricsOf = async ({ opsPort }) => metricsText(await until('nothing is in flight', async () => {
  const text = (await ask(opsPort, { target: '/metrics' })).text();
  return /^arbiter_requests_in_flight 0$/m.test(text) && /^arbiter_connections 0$/m.test(text) && text;
}));

function compareLogs(both, about) {
  const [old, now] = [both.old, both.now].map(({ stderr, sent }) => logTexts(stderr, sent));
  for (const id of Object.keys({ ...old, ...now })) {
    comparison.check('log', { about, sent: id, old: old[id]?.join('') ?? '', now: now[id]?.join('') ?? '' });
  }
}

/** Waits until a program that logs every request has written its log up to this id. */
async function untilLogged(program, id) {
  await ask(program.port, { target: '/livez', headers: { 'X-Request-Id': id } });
  await until('the log is written', () => program.log.some(({ request_id: logged }) => logged === id));
}

/** Leaves out the requests that the release refuses, at least in part, and this build understands or refuses for less. They are few. */
async function withoutUnderstood(options, requests) {
  const left = new Set();
  await withBoth(options, (both) => inParallel(6, requests, async (one) => {
    const [old, now] = await Promise.all([both.old, both.now].map(async (program) => (await askProgram(program, one.request)).answers[0]));
    const isRefused = REFUSALS.includes(old?.status) || (old?.status === 200 && old.text().includes('"problem":{'));
    const isNew = isRefused && [200, 308, ...REFUSALS].includes(now?.status);
    if (isNew && answerText(old, one.request, now) !== answerText(now, one.request, old)) left.add(one);
  }));
  if (left.size > requests.length / 50) throw new Error(`this build understands ${left.size} of ${requests.length} that the release refuses`);
  return requests.filter((one) => !left.has(one));
}

/** Starts both, sends the requests, and compares the answers, the metrics and the logs. */
const compareWith = (options, requests, what) => withBoth(options, async (both) => {
  const programs = [both.old, both.now];
  for (let first = 0; first < requests.length; first += AT_ONCE) {
    await compareAnswers(both, requests.slice(first, first + AT_ONCE));
    if (!options.includes('warn')) await Promise.all(programs.map((program) => untilLogged(program, `written-after-${first}`)));
  }
  const [old, now] = await Promise.all(programs.map(metricsOf));
  comparison.check('metrics', { about: `the metrics after: ${what}`, sent: 'the same requests', old, now });
  await Promise.all(programs.map((program) => program.stop()));
  compareLogs(both, `the log after: ${what}`);
});

test('the requests in the contract tests are answered as by the last release', TEST_OPTIONS, async () => {
  await inParallel(3, knownRequests, async ([options, requests]) =>
    compareWith(options, await withoutUnderstood(options, requests), `the known requests, ${options.join(' ')}`));
  comparison.requireEqual();
});

for (const [index, [name, options]] of Object.entries(SERVERS).entries()) {
  test(`random requests are answered as by the last release, with ${name}`, TEST_OPTIONS, async () => {
    const what = `random requests with ${name}, ARBITER_SEED=${SEED}`;
    await compareWith(options, await withoutUnderstood(options, randomRequests(randomFrom(SEED + index), REQUESTS, what)), what);
    comparison.requireEqual();
  });
}

test('the ops port answers as in the last release, even while the program drains', TEST_OPTIONS, async () => {
  const requests = ['/livez', '/readyz', '/nothing', '/limits', '/pawn', '/livez?x=1'].flatMap((target) =>
    ['GET', 'HEAD', 'POST', 'OPTIONS'].map((method) => ({ about: `${method} ${target}`, request: { method, target } })));
  const isLeaving = async (port) => (await ask(port, { target: '/readyz' })).status === 503;
  await withBoth(['--drain-delay', '600'], async (both) => {
    const atOps = { old: { port: both.old.opsPort }, now: { port: both.now.opsPort } };
    await compareAnswers(atOps, requests);
    for (const program of [both.old, both.now]) {
      program.signal('SIGTERM');
      await until('it is not ready', () => isLeaving(program.opsPort));
      await until('it is not ready on its own port, too', () => isLeaving(program.port));
    }
    for (const programs of [atOps, both]) await compareAnswers(programs, requests);
    // A second signal makes it exit immediately.
    await Promise.all([both.old, both.now].map((program) => program.stop({ status: 1 })));
    compareLogs(both, 'the log of a program that has left');
  });
  comparison.requireEqual();
});

test('the answers to the examples in the exceptions differ only as described, and each row is used', TEST_OPTIONS, async () => {
  const examples = (kind) => exceptions.filter((row) => row.kind === kind).map(({ reason, example }) => ({ about: reason, request: example }));
  await compareWith([], [...examples('log'), ...examples('metrics')], 'the examples of the exceptions');
  // Only the answers are compared, because if the status differs, so do the log and the metrics.
  await withBoth([], (both) => compareAnswers(both, examples('answer')));
  comparison.requireEqual();
  comparison.requireUse();
});
