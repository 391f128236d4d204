// `arbiter solve --with-file`: each answer begins with the file name, and a refused file also has a line in the output.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import { run } from '../server/arbiter.mjs';
import { file, folder, solve as solvePlainly } from './solving.mjs';

const PAWN = '{"board":["OO","X."]}';
const RESULT = '"verdict":"Red","steps":1}\n';
const BAD = '{"id":"b","board":["OO","X"]}';

const solve = (args, options) => solvePlainly([...args, '--with-file'], options);
const linesOf = (text) => text.split('\n').slice(0, -1).map((line) => JSON.parse(line));

test('each answer begins with its file name, in every file format', async () => {
  const record = file('a.sgf', '(;SZ[2];B[aa])');
  const games = file('b.json', `{"id":7,"moves":[]}`);
  const batch = file('c.json', '{"cases":[{"moves":[]},{"moves":[]}]}');
  const lines = file('d.ndjson', '{"id":1,"moves":[]}\n{"id":2}\n');
  const { stdout } = await solve(['go', record, games, batch, lines], { status: 3 });
  const plain = (await run(['solve', 'go', record, games, batch, lines])).stdout.split('\n');
  const names = [record, games, batch, lines, lines];
  assert.equal(stdout, names.map((name, at) => `{"file":"${name}",${plain[at].slice(1)}\n`).join(''));
  assert.deepEqual(linesOf(stdout).map((line) => line.id), [undefined, 7, undefined, 1, 2]);
  const text = file('e.txt', '0 2\n2 2\nOO\nX.\n2 2\nOO\nX.\n');
  assert.equal((await solve(['pawn', '--to', 'json', text])).stdout,
    `{"file":"${text}","results":[{"verdict":"Red","steps":1},{"verdict":"Red","steps":1}]}\n`);
  assert.equal((await solve(['pawn', '--to', 'ndjson', text])).stdout, `{"file":"${text}",${RESULT}`.repeat(2));
});

test('standard input is named "-" in each of its lines', async () => {
  assert.equal((await solve(['pawn'], { input: PAWN })).stdout, `{"file":"-",${RESULT}`);
  assert.equal((await solve(['pawn'], { input: `${PAWN}\n${PAWN}\n` })).stdout, `{"file":"-",${RESULT}`.repeat(2));
});

test('a refused file has a line in order, with its id, and its problem also goes to standard error', async () => {
  const good = file('good.json', PAWN), bad = file('bad.json', BAD), broken = file('broken.json', '{'), none = join(folder, 'none');
  const record = file('r.sgf', '(;SZ[2])'), empty = file('empty', '');
  const { stdout, stderr } = await solve(['pawn', good, bad, none, broken, record, empty, good], { status: 1 });
  const lines = linesOf(stdout);
  assert.deepEqual(lines.map((line) => line.file), [good, bad, broken, record, empty, good]);
  assert.deepEqual(lines.map((line) => line.problem?.status), [undefined, 422, 400, 415, 400, undefined]);
  assert.deepEqual(Object.keys(lines[1]), ['file', 'id', 'problem']);
  assert.equal(lines[1].id, 'b');
  const [missing, ...problems] = stderr.split('\n').slice(0, -1).sort();
  assert.match(missing, /none: No such file/);
  const said = problems.map((line) => JSON.parse(line));
  for (const { file: name, problem } of lines.filter((line) => line.problem))
    assert.deepEqual(said.filter((one) => one.file === name), [{ file: name, ...problem }]);
  assert.equal(said.length, 4);
});

test('a refused first line has exactly one line in the output', async () => {
  for (const to of [[], ['--to', 'json'], ['--to', 'ndjson']]) {
    const { stdout, stderr } = await solve(['pawn', ...to], { input: `${BAD}\n${PAWN}\n`, status: 3 });
    assert.deepEqual(linesOf(stdout).map((line) => [line.file, line.id, line.problem?.status]), [['-', 'b', 422], ['-', undefined, undefined]]);
    assert.equal(stderr === '', to[1] === 'ndjson');
  }
});

test('the file name is written as a JSON string, and only once even in a long answer', async () => {
  const path = file('a "name"\n\\ \u00e9.json', JSON.stringify({ size: 25, moves: Array(500).fill(['B', 'pass']), include: ['boards'] }));
  const { stdout } = await solve(['go', path]);
  assert.ok(stdout.length > 100_000);
  const [line, ...others] = linesOf(stdout);
  assert.deepEqual([others, Object.keys(line)[0], line.file, line.boards.length], [[], 'file', path, 501]);
  const lines = `${'{"moves":[],"include":["boards"]}\n'.repeat(300)}`;
  const answers = linesOf((await solve(['go', '--from', 'ndjson'], { input: lines })).stdout);
  assert.equal(answers.length, 300);
  for (const answer of answers) assert.deepEqual([answer.file, answer.boards.length], ['-', 1]);
});

test('--with-file with text or pictures is incorrect usage', async () => {
  const text = file('a.txt', '0 1\n2 2\nOO\nX.\n'), unknown = file('unknown', '0 1\n2 2\nOO\nX.\n'), json = file('a.json', PAWN);
  for (const [args, name] of [
    [['--to', 'text', json], json], [['--to', 'svg', json], json], [[text], text], [[json, text], text],
    [['--to', 'text'], '-'], [[unknown], unknown], [['--from', 'text'], '-'],
  ]) {
    const { stdout, stderr } = await solve(['pawn', ...args], { status: 2, input: PAWN });
    assert.equal(stderr, `arbiter: ${name}: --with-file needs answers in JSON; use --to json or --to ndjson\n`);
    assert.equal(stdout, '');
  }
});

test('--with-file is a flag, and can be set with a variable', async () => {
  const env = { ARBITER_WITH_FILE: 'true' };
  const plain = { input: PAWN };
  assert.equal((await run(['solve', 'pawn'], { ...plain, env })).stdout, `{"file":"-",${RESULT}`);
  assert.equal((await run(['solve', 'pawn', '--with-file=false'], { ...plain, env })).stdout, `{${RESULT}`);
  assert.equal((await run(['solve', 'pawn', '--with-file=true'], plain)).stdout, `{"file":"-",${RESULT}`);
  const json = file('after.json', PAWN);
  assert.equal((await run(['solve', '--with-file', 'pawn', json])).stdout, `{"file":"${json}",${RESULT}`);
  const wrong = await run(['solve', 'pawn', '--with-file=x'], plain);
  assert.deepEqual([wrong.code, wrong.stderr], [2, 'arbiter: --with-file is "x"; it must be true or false\n']);
});
