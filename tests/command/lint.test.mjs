// `arbiter solve go --to lint`, and directories in place of files.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { file, folder, solve } from './solving.mjs';

const KO = '(;SZ[4]AB[ba][ab][cb][bc]AW[ca][db][cc];W[bb]\n;B[cb]';
const VARIATIONS = '(;SZ[5];B[aa];W[aa]\r\n(;B[bb];W[cc](;B[cc])(;B[dd];W[dd]))\r\n(;W[bb]B[bb](;AE[aa:ee]AB[ab][ba];W[aa])))';

/** A folder with these files: an object of names, and texts or such objects. */
function archive(name, files) {
  mkdirSync(join(folder, name));
  for (const [inner, text] of Object.entries(files))
    if (typeof text === 'string') file(join(name, inner), text);
    else archive(join(name, inner), text);
  return join(folder, name);
}

const lint = async (args, status, options) => {
  const { stdout, stderr } = await solve(['go', '--to', 'lint', ...args], { status, ...options });
  return { found: stdout.split('\n').slice(0, -1), stderr };
};

test('each finding is a line with the file, line and column, and the status is 1', async () => {
  const path = file('ko.sgf', KO);
  assert.deepEqual(await lint([path], 1), { found: [`${path}:2:4: move 2, Black C3: repetition of the starting position`], stderr: '' });
  assert.deepEqual((await lint(['--ko', 'none', path], 0)).found, []);
  const later = file('later.sgf', KO.replace(';W[bb]', ';B[];W[];B[dd];W[bb]').replace('\n;B', ';B[cb]W[ad];W[bb];B[cc]\n;B'));
  assert.match((await lint([later], 1)).found[0], /: move 5, Black C3: repetition of move 3$/);
});

test('a name with a line feed is one line', async () => {
  const path = file('a\nb\x1b\u00e9.sgf', '(;SZ[2];B[aa];W[aa])');
  assert.deepEqual((await lint([path], 1)).found, [`${folder}/a\\u000ab\\u001b\u00e9.sgf:1:17: move 2, White A2: occupied`]);
});

test('only with --include variations are all lines checked', async () => {
  const path = file('variations.sgf', VARIATIONS);
  const main = ['1:17: move 2, White A5: occupied', '2:18: move 5, Black C3: occupied'];
  const others = ['2:32: move 6, White D2: occupied', '3:10: move 4, Black B4: occupied', '3:37: move 5, White A5: suicide'];
  const of = (findings) => findings.map((finding) => `${path}:${finding}`);
  assert.deepEqual((await lint([path], 1)).found, of(main));
  assert.deepEqual((await lint(['--include', 'variations', path], 1)).found, of([...main, ...others]));
  assert.deepEqual((await lint(['--include=variations'], 1, { input: VARIATIONS })).found, [...main, ...others].map((finding) => `-:${finding}`));
});

test('errors in a record are findings', async () => {
  const path = archive('errors', {
    'a.sgf': '(;SZ[9]\n;B[aa];W[zz])', 'b.sgf': 'no game', 'c.sgf': '', 'd.sgf': '(;SZ[2]AB[aa]AW[ab][ba];B[bb])', 'e.sgf': '(;SZ[9]PB[\x95\\]', 'f.sgf': '(;SZ[3];B[aa])',
  });
  assert.deepEqual((await lint([path], 1)).found.map((line) => line.replace(`${path}/`, '')), [
    "a.sgf:2:10: 'zz' is not on the 9 x 9 board",
    'b.sgf:1:1: no game found; an SGF record looks like "(;SZ[19];B[pd];W[dp])"',
    'c.sgf:1:1: the body is empty',
    'd.sgf:1:1: the chain at [0,0] has no liberties',
    "e.sgf:1:10: the value that begins here has no closing ']'",
  ]);
});

test('all games of a file are checked, however many, and go on after one with an error', async () => {
  const games = Array.from({ length: 1000 }, (_, game) => (game === 3 ? '(;SZ[2];B[xx])' : game === 998 ? '(;SZ[2];B[aa];W[aa])' : '(;SZ[2];B[aa])'));
  const path = file('many.sgf', `${games.join('\n')}\n`);
  assert.deepEqual((await lint([path], 1)).found, [`${path}:4:11: 'xx' is not on the 2 x 2 board`, `${path}:999:17: move 2, White A2: occupied`]);
  assert.deepEqual((await lint(['--game', '2', path], 0)).found, []);
});

test('what cannot be read has the status 3, even if there are findings', async () => {
  const path = file('found.sgf', KO), missing = join(folder, 'missing.sgf');
  const { found, stderr } = await lint([missing, path], 3);
  assert.equal(found.length, 1);
  assert.equal(stderr, `arbiter: ${missing}: No such file or directory\n`);
  const empty = archive('empty', { 'notes.txt': 'x' });
  assert.match((await lint([empty], 3)).stderr, /this directory has no records, which are files with names that end in \.sgf$/m);
  if (process.getuid() !== 0) {
    const closed = archive('closed', { 'a.sgf': KO, 'b': { 'c.sgf': KO } });
    chmodSync(join(closed, 'b'), 0);
    assert.equal((await lint([closed], 3)).found.length, 1);
    chmodSync(join(closed, 'b'), 0o700);
  }
});

test('--to lint is refused for other games, formats and parts', async () => {
  const json = file('case.json', '{"moves":[]}');
  assert.match((await solve(['pawn', '--to', 'lint'], { status: 2 })).stderr, /--to lint checks records of Go/);
  assert.match((await lint([json], 2)).stderr, /this is not one/);
  assert.match((await lint([], 2, { input: '{"moves":[]}' })).stderr, /this is not one/);
  assert.match((await lint(['--include', 'score'], 2)).stderr, /--include can only be variations/);
  for (const option of ['--dead', '--seki']) assert.match((await lint([option, 'A1'], 2)).stderr, /are about one/);
  assert.match((await lint(['--with-file'], 2)).stderr, /--with-file needs answers in JSON/);
});

test('--output has the findings once all files were read', async () => {
  const path = file('output.sgf', KO), output = join(folder, 'findings');
  await lint(['--output', output, path], 1);
  assert.match(readFileSync(output, 'utf8'), /^[^\n]+output\.sgf:2:4: move 2,[^\n]+\n$/);
  await lint(['--output', `${output}2`, path, join(folder, 'nowhere')], 3);
  assert.deepEqual(readdirSync(folder).filter((name) => name.startsWith('findings')), ['findings']);
});

test('the records in a directory are read recursively and in order, whatever the format of the answers', async () => {
  const path = archive('tree', { 'b.sgf': '(;SZ[1])', 'a': { 'z.SGF': '(;SZ[2])', 'y': { 'x.sgf': '(;SZ[3])' }, 'no.json': '{}' }, 'c.txt': 'x', '.sgf': '(;SZ[4])' });
  symlinkSync(path, join(path, 'circle'));
  symlinkSync(join(path, 'b.sgf'), join(path, 'link.sgf'));
  symlinkSync(join(path, 'a'), join(path, 'folder.sgf')); // neither a link to a directory nor a pipe is a record
  execFileSync('mkfifo', [join(path, 'pipe.sgf')]);
  const { stdout } = await solve(['go', '--to', 'ndjson', '--with-file', path, join(path, 'b.sgf')]);
  assert.deepEqual(stdout.split('\n').slice(0, -1).map((line) => JSON.parse(line)).map((answer) => [answer.file.slice(path.length + 1), answer.board.length]),
    [['.sgf', 4], ['a/y/x.sgf', 3], ['a/z.SGF', 2], ['b.sgf', 1], ['link.sgf', 1], ['b.sgf', 1]]);
  assert.equal((await solve(['go', '--to', 'text', `${path}/`])).stdout, '....\n'.repeat(4) + '...\n'.repeat(3) + '..\n..\n' + '.\n.\n');
  assert.match((await solve(['mine', path], { status: 1 })).stderr, /Is a directory/);
});
