// The last release and this build have the same answers to the same requests, byte for byte, the same metrics and the same log.
// programs.mjs says how to run it, exceptions.mjs which differences are allowed.

import { test } from 'node:test';

import { randomFrom } from '../server/bodies.mjs';
import { ask, until } from '../server/client.mjs';
import { Comparison } from './comparison.mjs';
import { knownConversations } from './known_requests.mjs';
import { TEST_OPTIONS, SEED, startBoth } from './programs.mjs';
import { randomConversations } from './requests.mjs';
import { hasFreeLength, normalizeLog, normalizeMetrics, sentValues } from './normalize.mjs';
import { compareConversations, firstLine } from './conversations.mjs';

const comparison = new Comparison(['answer', 'log', 'metrics']);
const CONVERSATIONS = 4000;
const AT_ONCE = 400; // with this number no log line is dropped, even if its writer and its reader are slow
const SMALL = [
  '--max-body-bytes', '300', '--max-json-values', '30', '--max-cases', '2', '--max-moves', '12', '--max-moves-total', '20',
  '--max-pawn-cells', '12', '--max-pawn-cells-total', '20', '--max-mine-cells', '20', '--max-mine-cells-total', '30',
  '--max-search-states', '5', '--max-answer-bytes', '600', '--max-link-answer-bytes', '200', '--log-level', 'warn',
];
// Without --max-stream-bytes: a stream goes to a worker when its lines exceed it, and lines have new members.
const OPEN = ['--cors-origin', 'https://a.example,https://b.example', '--trusted-proxy', '127.0.0.1'];

const about = (what) => `${what}, ARBITER_SEED=${SEED}`;

/** The text of the metrics when no request is in flight, from the ops port. */
async function metricsOf({ opsPort }) {
  let text;
  await until('nothing is in flight', async () => {
    text = (await ask(opsPort, { target: '/metrics' })).text();
    return /^arbiter_requests_in_flight 0$/m.test(text) && /^arbiter_connections 0$/m.test(text);
  });
  return text;
}

async function compareMetrics(both, what) {
  const [old, now] = await Promise.all([metricsOf(both.old), metricsOf(both.now)]);
  const sent = () => 'GET /metrics at the ops port, after the same requests';
  await comparison.check('metrics', { about: `the metrics after: ${what}`, sent, old: normalizeMetrics(old), now: normalizeMetrics(now) });
}

async function compareLogs(both, conversations, what) {
  const requests = conversations.flatMap((conversation) => conversation.requests);
  const documents = new Set(requests.filter(hasFreeLength)
    .flatMap((request) => sentValues(request, 'x-request-id')));
  const old = normalizeLog(both.old.stderr, documents), now = normalizeLog(both.now.stderr, documents);
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    await comparison.check('log', {
      about: `the log after: ${what}, ${key}`,
      sent: () => conversations[Number(/\d+$/.exec(key) ?? NaN)]?.requests.map(firstLine).join('\n') ?? 'the same requests',
      old: { lines: old.get(key) ?? [] },
      now: { lines: now.get(key) ?? [] },
    });
  }
}

/** Waits until a program that logs every request has written its log up to this id. */
async function untilLogged(program, id) {
  await ask(program.port, { target: '/livez', headers: { 'X-Request-Id': id } });
  await until('the log is written', () => program.log.some(({ request_id: logged }) => logged === id));
}

/** Starts both, sends the conversations, and compares the answers, the metrics and the logs. */
async function compareWith(options, conversations, what, atOnce) {
  const both = await startBoth(options);
  try {
    for (let first = 0; first < conversations.length; first += AT_ONCE) {
      await compareConversations(comparison, both, conversations.slice(first, first + AT_ONCE), atOnce);
      if (options.includes('--log-level')) continue; // few lines
      await Promise.all([both.old, both.now].map((program) => untilLogged(program, `written-after-${first}`)));
    }
    await compareMetrics(both, what);
    await Promise.all([both.old.stop(), both.now.stop()]);
    await compareLogs(both, conversations, what);
  } finally {
    for (const program of [both.old, both.now]) if (program.left === null) program.signal('SIGKILL');
  }
  comparison.requireEqual();
}

test('the requests of the contract tests are answered as by the last release', TEST_OPTIONS, async () => {
  for (const [options, conversations] of knownConversations()) {
    await compareWith(options, conversations, `the known requests, ${options.join(' ')}`);
  }
});

const SERVERS = { 'its usual options': [], 'small limits': SMALL, 'origins and a proxy': OPEN };
for (const [index, [name, options]] of Object.entries(SERVERS).entries()) {
  test(`random requests are answered as by the last release, with ${name}`, TEST_OPTIONS, async () => {
    const what = about(`random requests with ${name}`);
    await compareWith(options, randomConversations(randomFrom(SEED + index), CONVERSATIONS, what), what);
  });
}

test('the ops port answers as in the last release, also while the program drains', TEST_OPTIONS, async () => {
  const both = await startBoth(['--drain-delay', '600']);
  const conversationsOf = (when, targets) => targets.flatMap((target) => ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT'].map((method) =>
    ({ about: `${method} ${target}, ${when}`, requests: [{ method, target }] })));
  const atOps = { old: { port: both.old.opsPort }, now: { port: both.now.opsPort } };
  const targets = ['/livez', '/readyz', '/nothing', '/limits', '/pawn', '/livez?x=1', '/livez/'];
  const isLeaving = async (port) => (await ask(port, { target: '/readyz' })).status === 503;
  try {
    await compareConversations(comparison, atOps, conversationsOf('at the port for probes', targets));
    for (const program of [both.old, both.now]) {
      program.signal('SIGTERM');
      await until('it is not ready', () => isLeaving(program.opsPort));
      await until('it is not ready on its own port, too', () => isLeaving(program.port));
    }
    await compareConversations(comparison, atOps, conversationsOf('at the port for probes, of a program that leaves', targets));
    await compareConversations(comparison, both, conversationsOf('of a program that leaves', targets));
    // A second signal ends it at once.
    await Promise.all([both.old, both.now].map((program) => program.stop({ status: 1 })));
    await compareLogs(both, [], 'leaving');
  } finally {
    for (const program of [both.old, both.now]) if (program.left === null) program.signal('SIGKILL');
  }
  comparison.requireEqual();
});

test('the examples of the exceptions are answered as described', TEST_OPTIONS, async () => {
  const conversationsOf = (kind) => comparison.rowsOf(kind).flatMap(({ name, examples }) =>
    examples.map((request) => ({ about: name, requests: [request] })));
  await compareWith([], [...conversationsOf('log'), ...conversationsOf('metrics')], 'the examples of the exceptions');
  // Only the answers are compared: if the status differs, the log and the metrics differ, too.
  const both = await startBoth([]);
  try {
    await compareConversations(comparison, both, conversationsOf('answer'));
    await Promise.all([both.old.stop(), both.now.stop()]);
  } finally {
    for (const program of [both.old, both.now]) if (program.left === null) program.signal('SIGKILL');
  }
  comparison.requireEqual();
});

test('each exception is used', TEST_OPTIONS, () => comparison.requireUse());
