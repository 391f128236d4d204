// `arbiter solve` with endless pipes, with readers that stop reading, and with progress on a terminal.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { Arbiter, COMMAND, SANITIZED } from '../server/arbiter.mjs';
import { hardBoard, randomFrom } from '../server/bodies.mjs';
import { eventOf, until } from '../server/client.mjs';

const MIB = 1 << 20;

let folder;
before(() => (folder = mkdtempSync(join(tmpdir(), 'arbiter-solve-'))));
after(() => rmSync(folder, { recursive: true }));

/** Starts `solve`, and counts its answers without storing them. The program ends with the test. */
function counting(t, args, { check = () => {}, under = [] } = {}) {
  const arbiter = new Arbiter(['solve', ...args], { under, stdin: 'pipe' });
  t.after(() => arbiter.signal('SIGKILL'));
  arbiter.child.stdout.removeAllListeners('data');
  arbiter.child.stdin.on('error', () => {});
  arbiter.lines = arbiter.bytes = 0;
  arbiter.child.stdout.on('data', (text) => {
    arbiter.bytes += text.length;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) arbiter.lines += 1;
    check(text);
  });
  return arbiter;
}

/** Writes copies of this line, `bytes` bytes in total, as fast as the program reads them. */
async function writeLines(arbiter, line, bytes) {
  const block = Buffer.from(line.repeat(Math.ceil(MIB / line.length)));
  let lines = 0;
  for (let written = 0; written < bytes; written += block.length) {
    lines += Math.ceil(MIB / line.length);
    if (!arbiter.child.stdin.write(block)) await eventOf(arbiter.child.stdin, 'drain', 'the program reads on');
  }
  return lines;
}

/** A value from /proc/PID/io, such as the number of bytes read. */
const bytes = ({ pid }, line) => Number(new RegExp(`^${line}: (\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/io`, 'latin1'))[1]);

/** Whether all threads of the program are asleep. */
function isAsleep({ pid }) {
  const states = readdirSync(`/proc/${pid}/task`).map((thread) =>
    /^State:\s*(\S)/m.exec(readFileSync(`/proc/${pid}/task/${thread}/status`, 'latin1'))[1]);
  return states.every((state) => state === 'S');
}

/**
 * Waits until the program sleeps and has stopped reading, although this process writes whenever it can. Resolves to the number of
 * bytes read so far. Two checks are needed, because in between this process has time to write.
 */
async function untilBlocked(arbiter) {
  let before = null;
  await until('the program sleeps and reads no more', () => {
    const now = isAsleep(arbiter) ? bytes(arbiter, 'rchar') : null;
    const same = now !== null && now === before && arbiter.child.stdin.writableLength > 0;
    before = now;
    return same;
  }, { every: 20 });
  return before;
}

// With two short workers and a long one, up to 6 parts are in flight. Each part needs 64 KiB for its text (twice that while its buffer
// grows), max_stream_bytes for its answers, and about 100 KiB for a window of 256 small results. Each worker keeps 2 x 4 MiB for
// reading and solving. Everything else (program, libraries, stacks, free blocks in the C library) takes up 64 MiB, as in the service
// (docs/sizing.md, "Memory").
const MOST = 6 * (2 * 64 * 1024 + MIB + 100 * 1024) + 3 * 2 * 4 * MIB + 64 * MIB;

// A sanitizer uses extra memory for each block.
if (!SANITIZED) test('an endless pipe is answered with limited memory', async (t) => {
  const arbiter = counting(t, ['pawn', '--from', 'ndjson', '--workers', 2, '--long-workers', 1]);
  const lines = await writeLines(arbiter, `{"board":["OO","X."],"id":"${'x'.repeat(100)}"}\n`, 160 * MIB);
  await until('all lines are answered', () => arbiter.lines === lines);
  const most = arbiter.memory('VmHWM') * 1e6;
  assert.ok(most < MOST, `${most / MIB} MiB, ${MOST / MIB} are the most`);
  arbiter.child.stdin.end();
  await arbiter.leaves();
  assert.equal(arbiter.lines, lines);
  assert.equal(arbiter.stderr, ''); // standard error is not a terminal
});

test('while nobody reads the answers, the program stops reading its input', async (t) => {
  const arbiter = counting(t, ['go', '--from', 'ndjson', '--workers', 2, '--long-workers', 1]);
  arbiter.child.stdout.pause();
  const block = '{"moves":[],"include":["boards","score"]}\n'.repeat(100_000); // 4 MB of questions, whose answers are ten times as long
  const blocks = SANITIZED ? 2 : 3;
  for (let count = 0; count < blocks; count += 1) arbiter.child.stdin.write(block);
  const read = await untilBlocked(arbiter);
  assert.ok(read < 4 * MIB, `${read} bytes were read`);
  const most = arbiter.memory('VmHWM') * 1e6;
  if (!SANITIZED) assert.ok(most < MOST, `${most / MIB} MiB, ${MOST / MIB} are the most`);
  arbiter.child.stdout.resume();
  arbiter.child.stdin.end();
  await arbiter.leaves();
  assert.equal(arbiter.lines, blocks * 100_000);
});

test('the program waits for file descriptors that have O_NONBLOCK set', async (t) => {
  const perl = 'fcntl(STDIN, F_SETFL, O_RDONLY | O_NONBLOCK); fcntl(STDOUT, F_SETFL, O_WRONLY | O_NONBLOCK); exec @ARGV';
  const arbiter = counting(t, ['go', '--from', 'ndjson'], { under: ['perl', '-MFcntl', '-e', perl] });
  arbiter.child.stdout.pause();
  arbiter.child.stdin.write('{"moves":[],"include":["boards","score"]}\n'.repeat(100_000));
  await untilBlocked(arbiter); // because its output pipe is full
  arbiter.child.stdout.resume();
  await until('it has caught up', () => arbiter.lines === 100_000 || arbiter.left !== null); // and then waits for input
  arbiter.child.stdin.end();
  await arbiter.leaves();
  assert.equal(arbiter.lines, 100_000);
});

test('if the reader closes the output, the program exits with status 1 and without a message', async (t) => {
  const arbiter = counting(t, ['pawn', '--from', 'ndjson'], { check: () => arbiter.child.stdout.destroy() });
  arbiter.child.stdin.write('{"board":["OO","X."]}\n'.repeat(500_000));
  await arbiter.leaves({ status: 1 });
  assert.equal(arbiter.stderr, '');
});

test('the program also exits if the output is a socket that its reader closes with bytes unread', async (t) => {
  const arbiter = counting(t, ['go', '--from', 'ndjson']);
  arbiter.child.stdout.pause();
  arbiter.child.stdin.write('{"moves":[],"include":["boards","score"]}\n'.repeat(100_000));
  await untilBlocked(arbiter);
  arbiter.child.stdout.destroy();
  await arbiter.leaves({ status: 1 });
  assert.equal(arbiter.stderr, '');
});

// --- the terminal

/**
 * Runs `solve` with standard error on a terminal; `shell.stdout` is what appears on the terminal. The input comes from a FIFO. `to`
 * is a shell redirection for the answers; if it is empty, they go to the terminal too.
 */
function onTerminal(t, args, { to = `>'${join(folder, 'answers')}'`, ...options } = {}) {
  const fifo = join(folder, `fifo${Math.random()}`);
  execFileSync('mkfifo', [fifo]);
  const words = [...COMMAND, 'solve', ...args].map((word) => `'${word}'`).join(' ');
  const line = `${to.startsWith('|') ? '' : 'exec'} ${words} <'${fifo}' ${to}`;
  const shell = new Arbiter([], { under: ['sh', '-c', 'exec script -qec "$0" /dev/null', line], ...options });
  t.after(() => shell.signal('SIGKILL'));
  const signal = (name) => {
    const [child] = readFileSync(`/proc/${shell.pid}/task/${shell.pid}/children`, 'latin1').trim().split(' ');
    process.kill(Number(child), name);
  };
  return { shell, fifo, signal, answers: () => readFileSync(join(folder, 'answers'), 'utf8') };
}

const WIPE = '\r\x1b[K';

test('progress on a terminal takes up one line, which is removed at the end', async (t) => {
  const { shell, fifo, answers } = onTerminal(t, ['pawn', '--from', 'ndjson']);
  const input = openSync(fifo, 'w');
  writeSync(input, '{"board":["OO","X."]}\n');
  await until('it says so', () => shell.stdout.includes('1 case, '));
  assert.match(shell.stdout, /^(\r\x1b\[K\d cases?, \d+ per second)+$/); // the size of a pipe is unknown, so no remaining time is shown
  writeSync(input, '{"board":["OO","X."]}\n{"board":["OO","X"]}\n');
  await until('it says so', () => shell.stdout.includes('3 cases, '));
  closeSync(input);
  await shell.leaves({ status: 3 });
  assert.ok(shell.stdout.endsWith(WIPE), JSON.stringify(shell.stdout));
  assert.equal(answers().split('\n').length, 4);
});

test('the remaining time is shown if the size of the input is known', async (t) => {
  const { shell, fifo, signal } = onTerminal(t, ['mine', '--from', 'ndjson', '--max-search-states', 1_000_000_000]);
  const input = openSync(fifo, 'w');
  const easy = `${JSON.stringify({ board: ['...', '.*.'] })}\n`;
  writeSync(input, easy.repeat(1000) + JSON.stringify({ board: hardBoard(randomFrom(1)) }));
  closeSync(input);
  await until('it says so', () => /1000 cases, \d+ per second, \d+ s left/.test(shell.stdout));
  signal('SIGTERM');
  await shell.exit;
});

test('on a terminal, progress does not share a line with problems or answers', async (t) => {
  const { shell, fifo } = onTerminal(t, ['pawn', '--from', 'ndjson', '--progress', 'always', '-', join(folder, 'none')], { to: '' });
  const input = openSync(fifo, 'w');
  writeSync(input, '{"board":["OO","X."]}\n');
  await until('it says so', () => shell.stdout.includes('1 case, '));
  writeSync(input, '{"board":["OO","X."]}\n');
  closeSync(input);
  await shell.leaves({ status: 1 });
  const seen = shell.stdout.split('\n').map((line) => line.slice(line.lastIndexOf(WIPE) < 0 ? 0 : line.lastIndexOf(WIPE) + WIPE.length));
  assert.deepEqual(seen.map((line) => line.replace(/\r$/, '')), [
    '{"verdict":"Red","steps":1}', '{"verdict":"Red","steps":1}',
    `arbiter: ${join(folder, 'none')}: No such file or directory`, '',
  ]);
});

const QUESTION = '{"board":["OO","X."]}\n';
const PROGRESS = /\d cases?, \d+ per second/;

test('by default, progress is shown if standard error is a terminal and the answers go to a file or to /dev/null', async (t) => {
  const file = `>'${join(folder, 'answers')}'`;
  for (const [options, to] of [
    [[], file], [[], '>/dev/null'], [['--progress', 'auto'], file], [['--progress', 'always'], `| cat ${file}`],
    [['--progress', 'always'], ''],
  ]) {
    const { shell, fifo } = onTerminal(t, ['pawn', '--from', 'ndjson', ...options], { to });
    const input = openSync(fifo, 'w');
    writeSync(input, QUESTION);
    await until('it says so', () => PROGRESS.test(shell.stdout));
    closeSync(input);
    await shell.leaves();
  }
});

test('progress is not shown if the answers go to a pipe or the terminal, if standard error is no terminal, or with --progress=never', async (t) => {
  const file = `>'${join(folder, 'quiet')}'`;
  const written = () => readFileSync(join(folder, 'quiet'), 'utf8');
  for (const [options, { to, env }] of [
    [[], { to: `| cat ${file}` }], [[], { to: '' }], [[], { to: `${file} 2>'${join(folder, 'errors')}'` }],
    [['--progress=never'], { to: file }], [[], { to: file, env: { ARBITER_PROGRESS: 'never' } }],
  ]) {
    writeFileSync(join(folder, 'quiet'), '');
    const { shell, fifo } = onTerminal(t, ['pawn', '--from', 'ndjson', ...options], { to, env, stopClock: true });
    const input = openSync(fifo, 'w');
    writeSync(input, QUESTION);
    await until('the first one is answered', () => (shell.stdout + written()).includes('verdict'));
    shell.clock.run(1000);
    writeSync(input, QUESTION); // progress would appear after the answer to this
    closeSync(input);
    await shell.leaves();
    assert.equal((shell.stdout + written()).replaceAll('\r\n', '\n'), '{"verdict":"Red","steps":1}\n'.repeat(2));
  }
});
