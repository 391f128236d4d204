// Commands in the last release and in this build have the same output and exit status for the same files, options and variables.
// programs.mjs explains how to run the test, exceptions.mjs lists the allowed differences, normalize.mjs says what is not compared.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { withArbiter } from '../server/arbiter.mjs';
import { below, pick, randomFrom } from '../server/bodies.mjs';
import { Comparison } from './comparison.mjs';
import { exceptions } from './exceptions.mjs';
import { commandText, helpTexts } from './normalize.mjs';
import { SEED, TEST_OPTIONS, inParallel, runBoth } from './programs.mjs';
import { groups, knownBodies, randomBody } from './requests.mjs';

const RUNS = 250, AT_ONCE = 4;
const comparison = new Comparison(['command']);
const ENDINGS = { 'application/json': '.json', 'text/plain': '.txt', 'application/x-go-sgf': '.sgf', 'application/x-ndjson': '.ndjson' };

let folder, count = 0, understood = 0;
before(() => (folder = mkdtempSync(join(tmpdir(), 'arbiter-compat-'))));
after(() => rmSync(folder, { recursive: true }));

/** Writes a body to a file, with the extension for its type. */
function file({ headers, body }) {
  const path = join(folder, `body-${count += 1}${ENDINGS[headers['Content-Type']] ?? ''}`);
  writeFileSync(path, body, 'latin1');
  return { path, body };
}

/** Runs both with these arguments, files and variables, and `input` on standard input, and compares the results. Their `status` may be known. */
async function compare(args, { about = 'a command', input = '', env = {}, files = [], status } = {}) {
  const isHelp = args.some((arg) => /^--(help|man)$/.test(arg));
  const { old, now } = await runBoth([...args, ...files.map(({ path }) => path)], { input: Buffer.from(input, 'latin1'), env });
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value} `).join('');
  const sent = [`${variables}arbiter ${args.join(' ')}`, input, ...files.map(({ path, body }) => `${path}: ${body}`)].join('\n');
  const texts = isHelp ? helpTexts(old, now) : { old: commandText(old), now: commandText(now) };
  if (status !== undefined && old.code !== status) throw new Error(`the release ends with ${old.code}: ${sent}`);
  // This build may understand bodies that the release refuses, at least in part.
  if (old.code === 3 && [0, 3].includes(now.code) && texts.old !== texts.now) understood += 1;
  else comparison.check('command', { about, sent, ...texts });
}

/** Does the same for command lines written as you would type them, with variables first. */
const compareLines = (lines, input, status) => inParallel(AT_ONCE, lines.map((line) => line.split(' ')), (words) => {
  const variables = words.filter((word) => word.startsWith('ARBITER_')).map((word) => word.split('='));
  return compare(words.slice(variables.length), { input, env: Object.fromEntries(variables), status });
});

// If a build accepted one of these, it would start listening, so it is given a free port.
const SERVING = [
  'nothing', '-x', '--', '--nothing 1', '--port', '--port=', '--port x', '--port 65536', '--port 0 x', '--workers 0', '--from json', '--help=1',
  '--max-body-bytes 1e3', '--listen 256.0.0.1', '--trusted-proxy 10.0.0.0/33', '--cors-origin https://a.example/', '--log-level x',
].map((line) => `ARBITER_PORT=0 ${line}`);
const OTHERS = [
  'ARBITER_PORT=x', 'ARBITER_PORT=0 ARBITER_LOG_LEVEL=loud', 'ARBITER_FROM=x solve pawn', 'ARBITER_TO=text solve pawn',
  'ARBITER_MAX_CASES=1 solve pawn', 'ARBITER_KO=none solve pawn', 'solve', 'solve chess', 'solve pawn --port 1', 'solve pawn --from',
  'solve pawn --from svg', 'solve pawn --to sgf', 'solve go --from json --ko simple', 'solve mine --from sgf', 'solve pawn -- --from',
  'solve pawn /nothing/here', 'solve pawn /', 'solve pawn - -', 'health x', 'health --workers 1', 'health --port 1',
  'version', '--check', '--memory 512M --check', '--memory x --check',
];

// Each gives the same cases in every 1.x.
const MAKING = [
  'pawn --count 40 --turn random', 'pawn --rows 9 --cols 4 --obstacles 30% --to text', 'pawn --obstacles 7 --to drawing',
  'go --count 20', 'go --size 9 --moves 300 --legal --to sgf', 'go --moves 40 --to text',
  'mine --count 40', 'mine --rows 30 --cols 70 --mines 20.6% --to text', 'mine --mines 10 --to drawing',
].flatMap((line) => [`make ${line}`, `make ${line} --count 3 --seed 18446744073709551615`]);

const RECORD = '(;SZ[9]RU[Japanese]KM[6.5];B[ee];W[cc](;B[cc];W[dd])(;B[gg];W[]))(;SZ[5];B[aa];W[aa])';
const OF_RECORD = [
  '--scoring territory --komi 7 --next W --include score,legal,territory', '--dead E5 --include score', '--seki A1 --include chains,alive',
  '--repetition report', '--to lint', '--include variations --game all', '--to svg --include territory', '--output /dev/stdout --game 2',
].map((options) => `solve go ${options}`);

test('help, incorrect usage, made cases, health and a port in use are the same as in the last release', TEST_OPTIONS, async () => {
  await compareLines(['--help', '--man', 'solve --help', 'solve pawn --help', 'make --help', 'health --help', '--version']);
  await withArbiter(['--ops-port', '0'], async ({ port, opsPort }) => {
    const inUse = [`--port ${port}`, `--port 0 --ops-port ${opsPort}`];
    const health = [`health --port ${port}`, `health --ops-port ${opsPort}`, `ARBITER_PORT=${port} health`];
    await compareLines([...SERVING, ...OTHERS, ...inUse, ...health], '{"cases":[{"board":["OO","X."]},{"board":["OO","X."]}]}');
    await compareLines([...MAKING, 'solve pawn --case {"board":["OO","X."]}'], '', 0);
    await compareLines(OF_RECORD, RECORD);
  });
  comparison.requireEqual();
});

const OPTIONS = [
  '--from json', '--from text', '--from ndjson', '--to json', '--to ndjson', '--to text', '--to svg', '--max-json-values 30', '--max-cases 2',
  '--max-moves 12', '--max-pawn-cells-total 20', '--max-mine-cells 20', '--max-search-states 5', '--game all', '--game 2', '--ko simple',
  '--ko x', '--suicide true', '--include boards,score', '--from drawing', '--include legal,chains', '--include clusters',
];

/** A random command, as [arguments, files or standard input]. */
function randomRun(random) {
  const [first, ...more] = Array.from({ length: 1 + below(random, 12) }, () => randomBody(random));
  const options = random() < 0.6 ? pick(random, OPTIONS).split(' ') : [];
  const bodies = random() < 0.3 ? { input: first.body } : { files: [first, ...more.filter(({ game }) => game === first.game)].map(file) };
  return [['solve', first.game, ...options], bodies];
}

test('the bodies in the contract tests, and random ones, are answered as by the last release', TEST_OPTIONS, async () => {
  const known = groups(knownBodies, ({ game, body }) => `${game} ${body.length % 12}`)
    .map(([, bodies]) => [['solve', bodies[0].game], { files: bodies.map(file) }]);
  const random = randomFrom(SEED);
  const runs = [...known, ...Array.from({ length: RUNS }, () => randomRun(random))];
  await inParallel(AT_ONCE, runs, ([args, how], number) => compare(args, { about: `run ${number}, ARBITER_SEED=${SEED}`, ...how }));
  if (understood > runs.length / 50) throw new Error(`this build understands something in ${understood} of ${runs.length} refused runs`);
  comparison.requireEqual();
});

test('the examples in the exceptions for commands differ only as described, and each row is used', TEST_OPTIONS, async () => {
  for (const { kind, reason, example: { args, ...how } } of exceptions) if (kind === 'command') await compare(args, { about: reason, ...how });
  comparison.requireEqual();
  comparison.requireUse();
});
