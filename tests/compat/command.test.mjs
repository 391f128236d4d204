// Compares commands of the last release and of this build: they have the same standard output, standard error and exit status for the
// same files, options and variables. programs.mjs says how to run it, exceptions.mjs which differences are allowed.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { withArbiter } from '../server/arbiter.mjs';
import { below, pick, randomFrom } from '../server/bodies.mjs';
import { GAMES, bodyOf } from './cases.mjs';
import { Comparison } from './comparison.mjs';
import { spoilBody } from './faults.mjs';
import { knownBodies } from './known_requests.mjs';
import { TEST_OPTIONS, SEED, runBoth } from './programs.mjs';
import { normalizeCommand } from './normalize.mjs';

const comparison = new Comparison(['command']);
const RUNS = 500;
const ENDINGS = {
  json: ['.json', ''],
  batch: ['.json', ''],
  ndjson: ['.ndjson', '.jsonl', ''],
  text: ['.txt', ''],
  sgf: ['.sgf', ''],
};
const FORMATS = { json: 'json', batch: 'json', ndjson: 'ndjson', text: 'text', sgf: 'sgf' };
const TYPES = {
  'application/json': '.json',
  'text/plain': '.txt',
  'application/x-go-sgf': '.sgf',
  'application/x-ndjson': '.ndjson',
  'application/jsonl': '.jsonl',
};
const LIMITS = [
  ['--max-json-values', '30'], ['--max-cases', '2'], ['--max-moves', '12'], ['--max-moves-total', '15'],
  ['--max-pawn-cells', '9'],
  ['--max-pawn-cells-total', '20'], ['--max-mine-cells', '20'], ['--max-mine-cells-total', '30'],
  ['--max-search-states', '5'],
  ['--max-answer-bytes', '300'], ['--max-stream-bytes', '100'],
];
const OF_RECORDS = [
  ['--game', 'all'], ['--game', '2'], ['--game', 'x'], ['--ko', 'simple'], ['--ko', 'x'], ['--suicide', 'true'],
  ['--suicide', '1'],
  ['--include', 'boards,score'], ['--include', 'x'],
];

let folder;
before(() => (folder = mkdtempSync(join(tmpdir(), 'arbiter-compat-'))));
after(() => rmSync(folder, { recursive: true }));

/** Writes a file with these bytes, and returns its path. */
function file(name, bytes) {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** Runs both with these arguments, `input` on standard input and these variables, and compares the results. */
async function compare(args, { about = 'a command', input = '', env = {}, files = [] } = {}) {
  const { old, now } = await runBoth(args, { input, env });
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value} `).join('');
  const shown = files.map(([path, bytes]) => `\n${path}: ${bytes.toString('latin1')}`).join('');
  const sent = () => `${variables}arbiter ${args.join(' ')}\nstandard input: ${Buffer.from(input).toString('latin1')}${shown}`;
  const request = { args, input, env, files };
  await comparison.check('command', { about, sent, request, old: normalizeCommand(old), now: normalizeCommand(now) });
}

const HELP = [
  ['--help'], ['--version'], ['--man'], ['solve', '--help'], ['health', '--help'], ['solve', 'pawn', '--help'],
  ['--help', '--version'],
];
const BAD_USAGE = [
  ['nothing'], ['nothing', '--help'], ['-x'], ['--'], ['-'], [''], ['--nothing'], ['--nothing', '1'], ['--nothing=1'],
  ['--prot', '1'], ['--port'],
  ['--port='], ['--port', 'x'], ['--port', '-1'], ['--port', '65536'], ['--port', '1', '--port', '2', '--port', 'x'],
  ['--port', '0', 'x'], ['--port=0x10'], ['--workers', '0'],
  ['--workers', '100000'], ['--queue', '0'], ['--max-body-bytes', '0'], ['--max-body-bytes', '1e3'],
  ['--max-body-bytes', '99999999999999999999'],
  ['--listen', 'x'], ['--listen', '256.0.0.1'], ['--listen', ''], ['--trusted-proxy', 'x'],
  ['--trusted-proxy', '10.0.0.0/33'], ['--cors-origin', 'x'],
  ['--cors-origin', ''], ['--cors-origin', 'https://a.example/'], ['--log-level', 'x'], ['--log-level', ''],
  ['--drain-delay', '86401'],
  ['--head-timeout', '0'], ['--max-pawn-cells', '1000000'], ['--max-connections', '0'], ['--from', 'json'], ['--Help'],
  ['--help=1'],
  ['solve'], ['solve', '--from', 'json'], ['solve', 'chess'], ['solve', '/pawn'], ['solve', 'Pawn'],
  ['solve', 'pawn', '--port', '1'], ['solve', 'pawn', '--from'],
  ['solve', 'pawn', '--from', 'x'], ['solve', 'pawn', '--from', 'svg'], ['solve', 'pawn', '--to', 'sgf'],
  ['solve', 'pawn', '--to', ''], ['solve', 'pawn', '--ko', 'simple'],
  ['solve', 'go', '--from', 'json', '--ko', 'simple'], ['solve', 'mine', '--from', 'sgf'],
  ['solve', 'mine', '--max-body-bytes', '1'], ['solve', 'pawn', '--nothing'],
  ['solve', 'pawn', '-x'], ['solve', 'pawn', '--', '--from'], ['solve', 'pawn', '/nothing/here'], ['solve', 'pawn', '/'],
  ['solve', 'pawn', '-', '-'], ['solve', 'pawn', ''],
  ['health', 'x'], ['health', '--workers', '1'], ['health', '--port', '0'], ['health', '--port', '1'],
  ['health', '--port', 'x'], ['health', '--listen', 'x'],
];
const VARIABLES = [
  { ARBITER_PORT: 'x' }, { ARBITER_PORT: '' }, { ARBITER_WORKERS: '0' }, { ARBITER_LOG_LEVEL: 'loud' },
  { ARBITER_LISTEN: 'x' }, { ARBITER_MAX_CASES: '-1' },
  { ARBITER_CORS_ORIGIN: 'x' }, { ARBITER_TRUSTED_PROXY: 'x' },
];

test('help and options are those of the last release', TEST_OPTIONS, async () => {
  for (const args of HELP) await compare(args);
  comparison.requireEqual();
});

test('bad usage ends as in the last release', TEST_OPTIONS, async () => {
  // If a build accepts one of these options, it listens: on a free port.
  const port = { ARBITER_PORT: '0' };
  for (const args of BAD_USAGE) await compare(args, { env: ['solve', 'health'].includes(args[0]) ? {} : port });
  for (const env of VARIABLES) await compare([], { env: { ...port, ...env } });
  for (const env of [{ ARBITER_FROM: 'x' }, { ARBITER_TO: 'text' }, { ARBITER_MAX_CASES: '1' }, { ARBITER_KO: 'none' }]) {
    await compare(['solve', 'pawn'], { env, input: '{"cases":[{"board":["OO","X."]},{"board":["OO","X."]}]}' });
  }
  comparison.requireEqual();
});

test('a port in use ends as in the last release', TEST_OPTIONS, async () => {
  const server = net.createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await compare(['--port', String(server.address().port)]);
    await compare(['--port', '0', '--ops-port', String(server.address().port)]);
  } finally {
    server.close();
  }
  comparison.requireEqual();
});

test('health prints the same as the last release', TEST_OPTIONS, async () => {
  await withArbiter(['--ops-port', '0'], async ({ port, opsPort }) => {
    await compare(['health', '--port', String(port)]);
    await compare(['health', '--ops-port', String(opsPort)]);
    await compare(['health'], { env: { ARBITER_PORT: String(port) } });
  });
  comparison.requireEqual();
});

test('files with the bodies of the contract tests are answered as by the last release', TEST_OPTIONS, async () => {
  const bodies = knownBodies().filter(({ type }) => Object.hasOwn(TYPES, type));
  const groups = new Map();
  for (const [number, { route, type, body }] of bodies.entries()) {
    const key = `${route} ${number % 12}`;
    groups.set(key, [...(groups.get(key) ?? []), [file(`known-${number}${TYPES[type]}`, body), body]]);
  }
  for (const [key, files] of groups) {
    await compare(['solve', key.split(' ')[0], ...files.map(([path]) => path)], { about: 'known bodies', files });
  }
  comparison.requireEqual();
});

/** A body; half of them are valid. */
function anyBody(random, game, form) {
  const good = bodyOf(random, game, form);
  return Buffer.from(random() < 0.5 ? good : spoilBody(random, good));
}

/** Options of `solve` for a body of a form. */
function optionsFor(random, form) {
  const options = [];
  if (random() < 0.4) options.push('--from', random() < 0.8 ? FORMATS[form] : pick(random, Object.values(FORMATS)));
  if (random() < 0.5) options.push('--to', pick(random, ['json', 'ndjson', 'text', 'svg']));
  if (random() < 0.2) options.push(...pick(random, LIMITS));
  if (random() < (form === 'sgf' ? 0.5 : 0.03)) options.push(...pick(random, OF_RECORDS));
  return options;
}

test('random files and standard input are answered as by the last release', TEST_OPTIONS, async () => {
  const random = randomFrom(SEED);
  for (let number = 0; number < RUNS; number += 1) {
    const about = `run ${number} of random bodies, ARBITER_SEED=${SEED}`;
    const game = pick(random, GAMES);
    const forms = Object.keys(ENDINGS).filter((form) => game === 'go' || form !== 'sgf');
    const form = pick(random, forms);
    const input = random() < 0.5 ? anyBody(random, game, form) : '';
    const files = input !== '' ? [] : Array.from({ length: 1 + below(random, 12) }, (_, index) => {
      const other = random() < 0.8 ? form : pick(random, forms);
      const bytes = anyBody(random, game, other);
      return [file(`random-${number}-${index}${pick(random, ENDINGS[other])}`, bytes), bytes];
    });
    await compare(['solve', game, ...optionsFor(random, form), ...files.map(([path]) => path)], { about, input, files });
  }
  comparison.requireEqual();
});

test('the examples of the exceptions for commands are as described', TEST_OPTIONS, async () => {
  for (const { name, examples } of comparison.rowsOf('command'))
    for (const { args, ...more } of examples) await compare(args, { about: name, ...more });
  comparison.requireEqual();
});

test('each exception is used', TEST_OPTIONS, () => comparison.requireUse());
