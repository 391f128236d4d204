// Tests the files that `arbiter solve --output` writes.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { until } from '../server/client.mjs';
import { begin, folder, solve } from './solving.mjs';

const PAWN = '{"board":["O.O","X.."]}', ANSWER = '{"verdict":"Red","steps":1}\n';

/** A folder for one test. */
function within(name) {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

/** Solves one case, with the answer in the file. */
const write = (output, options) => solve(['pawn', '--case', PAWN, '--output', output], options);

test('a file that exists is replaced once the new one is complete, and gives it its permissions', async (t) => {
  const place = within('replaced'), output = join(place, 'answers');
  writeFileSync(output, 'old');
  chmodSync(output, 0o640);
  const arbiter = begin(t, ['pawn', '--from', 'ndjson', '--output', output]);
  arbiter.child.stdin.write(`${PAWN}\n`);
  await until('the answer is in the new file', () => readdirSync(place).some((name) => name !== 'answers' && statSync(join(place, name)).size > 0));
  assert.equal(readFileSync(output, 'utf8'), 'old');
  arbiter.child.stdin.end();
  await arbiter.leaves({ status: 0 });
  assert.deepEqual(readdirSync(place), ['answers']);
  assert.equal(readFileSync(output, 'utf8'), ANSWER);
  assert.equal(statSync(output).mode & 0o777, 0o640);
});

test('two runs with the same file are both complete, and so is what is there in between', async (t) => {
  const place = within('two'), output = join(place, 'answers');
  const runs = [1, 2].map(() => begin(t, ['pawn', '--from', 'ndjson', '--output', output]));
  for (const [index, { child }] of runs.entries()) child.stdin.write(`${PAWN}\n`.repeat(1 + index));
  await until('both have begun', () => readdirSync(place).filter((name) => statSync(join(place, name)).size > 0).length === 2);
  for (const [index, { child }] of runs.entries()) {
    child.stdin.end();
    await runs[index].leaves({ status: 0 });
    assert.equal(readFileSync(output, 'utf8'), ANSWER.repeat(1 + index));
  }
  assert.deepEqual(readdirSync(place), ['answers']);
});

test('a run that fails leaves no file, and a case that is refused does not count as a failure', async () => {
  const place = within('failed'), output = join(place, 'answers');
  await solve(['pawn', join(folder, 'nowhere'), '--output', output], { status: 1 });
  assert.deepEqual(readdirSync(place), []);
  await solve(['pawn', '--from', 'ndjson', '--output', output], { status: 3, input: '{"board":["?"]}\n' });
  assert.match(readFileSync(output, 'utf8'), /invalid-case/);
  const { stderr } = await write(join(place, 'none', 'answers'), { status: 1 });
  assert.match(stderr, /none\/answers\.[0-9a-f]{8}\.part: No such file or directory/);
  assert.match((await write(place, { status: 1 })).stderr, /failed: Is a directory/);
});

test('a file that only looks like the unfinished one is left alone', async () => {
  const place = within('inputs'), input = join(place, 'in.part');
  writeFileSync(input, `${PAWN}\n`);
  await solve(['pawn', '--from', 'ndjson', input, '--output', join(place, 'in')]);
  assert.equal(readFileSync(input, 'utf8'), `${PAWN}\n`);
  assert.equal(readFileSync(join(place, 'in'), 'utf8'), ANSWER);
  await solve(['pawn', '--from', 'ndjson', input, '--output', input]);
  assert.equal(readFileSync(input, 'utf8'), ANSWER, 'the input can be the output');
});

test('a symbolic link stays, and the file that it points to is replaced', async () => {
  const place = within('links'), link = join(place, 'link');
  writeFileSync(join(place, 'file'), 'old');
  symlinkSync('file', link);
  await write(link);
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.equal(readFileSync(join(place, 'file'), 'utf8'), ANSWER);
});

test('a pipe and a device are written directly', async () => {
  const pipe = join(within('direct'), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const [bytes] = await Promise.all([readFile(pipe, 'utf8'), write(pipe)]);
  assert.equal(bytes, ANSWER);
  assert.ok(statSync(pipe).isFIFO());
  await write('/dev/null');
  assert.ok(statSync('/dev/null').isCharacterDevice());
  assert.match((await write('/dev/full', { status: 1 })).stderr, /No space left/);
  const { stdout } = await write('/dev/stdout', { under: ['sh', '-c', '"$@" | cat', 'sh'] });
  assert.equal(stdout, ANSWER);
});

test('standard output may be closed', async () => {
  const output = join(folder, 'closed');
  await write(output, { under: ['sh', '-c', 'exec "$@" >&-', 'sh'] });
  assert.equal(readFileSync(output, 'utf8'), ANSWER);
});
