// Bulk work (docs/bulk.md): the commands in the document, run with GNU parallel, and the Indexed Job, with processes instead of pods.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { COMMAND } from '../server/arbiter.mjs';
import { until } from '../server/client.mjs';
import { missing } from './cluster.mjs';
import { BULK } from './kubernetes.mjs';

const top = mkdtempSync(join(tmpdir(), 'arbiter-bulk-'));
after(() => rmSync(top, { recursive: true }));
const env = { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ARBITER_'))),
  PATH: `${dirname(COMMAND.at(-1))}${delimiter}${process.env.PATH}` };

/** A board with two columns. Each has a different id, so that the order of the answers can be checked. */
const board = (number) => ({ board: Array.from({ length: 3 + number % 5 }, (_, row) => (row === 0 ? 'OO' : row === 2 ? '.X' : '..')), id: `b${number}` });
const lines = (from, count) => Array.from({ length: count }, (_, at) => `${JSON.stringify(board(from + at))}\n`).join('');
const answersTo = (input) => execFileSync(COMMAND[0], [...COMMAND.slice(1), 'solve', 'pawn', '--from', 'ndjson', '-'], { input, env, encoding: 'utf8', maxBuffer: Infinity });

/** The commands in a section of the document, which are its indented lines. */
const document = readFileSync(fileURLToPath(new URL('../../docs/bulk.md', import.meta.url)), 'utf8');
const commandsOf = (heading) => document.split(`\n## ${heading}`)[1].split('\n## ')[0].match(/^ {4}\S.*$/gm).map((line) => line.trim());

test('the commands with GNU parallel answer all lines in order, and repeat only unfinished parts', missing('parallel'), () => {
  const folder = join(top, 'parallel');
  mkdirSync(folder);
  const input = lines(0, 25_000);
  writeFileSync(join(folder, 'boards.ndjson'), input);
  const commands = commandsOf('Several machines').join('\n');
  assert.match(commands, /^split .*\nparallel .*--output.*\ncat /m);
  const run = (script) => execFileSync('bash', ['-ec', script], { cwd: folder, env, encoding: 'utf8' });
  run(commands);
  assert.equal(readFileSync(join(folder, 'answers.ndjson'), 'utf8'), answersTo(input));
  const times = () => readdirSync(join(folder, 'out')).sort().map((name) => [name, statSync(join(folder, 'out', name)).mtimeMs]);
  const before = times();
  assert.equal(before.length, 3);
  // Delete one part, as if its machine had died before finishing it. The other parts must not be solved again.
  rmSync(join(folder, 'out', before[1][0]));
  const log = join(folder, 'jobs.log');
  writeFileSync(log, readFileSync(log, 'utf8').split('\n').filter((line) => !line.includes(before[1][0])).join('\n'));
  run(commands.split('\n').filter((line) => !/^(mkdir|split)/.test(line)).join('\n'));
  assert.equal(readFileSync(join(folder, 'answers.ndjson'), 'utf8'), answersTo(input));
  assert.deepEqual(times().filter((_, at) => at !== 1), before.filter((_, at) => at !== 1));
});

/** Runs the container for an index as a process, with `folder` as its volume. */
function pod(folder, index) {
  const [{ args }] = BULK.Job.spec.template.spec.containers;
  const [{ mountPath }] = BULK.Job.spec.template.spec.containers[0].volumeMounts;
  const resolved = args.map((one) => one.replace('$(JOB_COMPLETION_INDEX)', index).replace(mountPath, folder));
  return spawn(COMMAND[0], [...COMMAND.slice(1), ...resolved], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}
const ended = (child) => new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })));

/** Acts like the Job controller for one index: retries it while it fails, up to the limit, unless a rule says not to. */
async function runIndex(folder, index, onStart = () => {}) {
  const { backoffLimitPerIndex, podFailurePolicy: { rules } } = BULK.Job.spec;
  for (let attempt = 0; attempt <= backoffLimitPerIndex; attempt += 1) {
    const child = pod(folder, index);
    onStart(child, attempt);
    const { code } = await ended(child);
    if (code === 0) return { attempts: attempt + 1, good: true };
    const rule = rules.find(({ onExitCodes: { operator, values } }) => operator === 'In' && values.includes(code));
    if (rule !== undefined) return { attempts: attempt + 1, good: false, action: rule.action };
  }
  return { good: false };
}

test('the Job solves each part once; if its pod dies, the part is solved again, and incomplete output never becomes visible', async () => {
  const { completionMode, template } = BULK.Job.spec;
  assert.deepEqual([completionMode, template.spec.restartPolicy], ['Indexed', 'Never']);
  const folder = join(top, 'job');
  for (const name of ['in', 'out']) mkdirSync(join(folder, name), { recursive: true });
  const parts = [lines(0, 2000), lines(2000, 200_000), lines(300_000, 10), `${JSON.stringify(board(1))}\n{"board":["?"]}\n`];
  parts.forEach((part, index) => writeFileSync(join(folder, 'in', `${index}.ndjson`), part));
  const kill = async (child, attempt) => {
    if (attempt > 0) return;
    await until('it has written something', () => {
      const names = readdirSync(join(folder, 'out'));
      assert.ok(!names.includes('1.ndjson'));
      return names.some((name) => /^1\.ndjson\..*\.part$/.test(name) && statSync(join(folder, 'out', name)).size > 0) || child.exitCode !== null;
    }, { every: 2 });
    child.kill('SIGKILL');
  };
  const results = await Promise.all(parts.map((_, index) => runIndex(folder, index, index === 1 ? kill : undefined)));
  assert.deepEqual(results, [{ attempts: 1, good: true }, { attempts: 2, good: true }, { attempts: 1, good: true },
    { attempts: 1, good: false, action: 'FailIndex' }]);
  const [left, ...others] = readdirSync(join(folder, 'out')).filter((name) => name.endsWith('.part'));
  assert.match(left, /^1\.ndjson\.[0-9a-f]{8}\.part$/, 'the killed pod has left its own file');
  assert.deepEqual(others, []);
  assert.deepEqual(readdirSync(join(folder, 'out')).filter((name) => name !== left).sort(), parts.map((_, index) => `${index}.ndjson`));
  for (const index of [0, 1, 2])
    assert.ok(readFileSync(join(folder, 'out', `${index}.ndjson`), 'utf8') === answersTo(parts[index]), `part ${index}`);
  const { stdout, status } = spawnSync(COMMAND[0], [...COMMAND.slice(1), 'solve', 'pawn', '--from', 'ndjson', '-'], { input: parts[3], env, encoding: 'utf8' });
  assert.deepEqual([status, stdout], [3, readFileSync(join(folder, 'out', '3.ndjson'), 'utf8')], 'refused cases have their lines');
});
