// `arbiter make`: the bytes that a seed gives, which never change (the files in made/); cases that `arbiter solve` accepts; usage errors.
//
//   ARBITER_RECORD=1 node tests/command/make.test.mjs   writes the files in made/ that are missing

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';

import { run } from '../server/arbiter.mjs';
import { solve } from './solving.mjs';

const FOLDER = new URL('made/', import.meta.url);

async function make(...args) {
  const { code, stdout, stderr } = await run(['make', ...args]);
  assert.deepEqual([code, stderr], [0, ''], args.join(' '));
  return stdout;
}
const linesOf = (text) => text.trimEnd().split('\n').map((line) => JSON.parse(line));

/** The commands that made the files. */
const MADE = {
  'pawn.ndjson': 'pawn --count 4',
  'pawn_turns.ndjson': 'pawn --count 3 --seed 18446744073709551615 --rows 3 --cols 9 --obstacles 40% --turn random',
  'pawn.txt': 'pawn --count 2 --to text --rows 4 --cols 5 --obstacles 3',
  'pawn.drawing': 'pawn --count 2 --to drawing --rows 2 --cols 2 --obstacles 1',
  'mine.ndjson': 'mine --count 2',
  'mine_expert.ndjson': 'mine --seed 7 --rows 16 --cols 30 --mines 99',
  'mine.txt': 'mine --count 3 --to text --rows 3 --cols 4 --mines 20%',
  'mine.drawing': 'mine --count 2 --to drawing --rows 5 --cols 11 --mines 12.5%',
  'go.ndjson': 'go --count 2 --size 9 --moves 20',
  'go_legal.ndjson': 'go --seed 2 --size 2 --moves 30 --legal',
  'go.txt': 'go --count 2 --to text --moves 10',
  'go.sgf': 'go --count 2 --to sgf --size 25 --moves 14 --legal',
};

test('a seed gives the same bytes everywhere, in every version', async () => {
  for (const [name, args] of Object.entries(MADE)) {
    const path = new URL(name, FOLDER), text = await make(...args.split(' '));
    if (process.env.ARBITER_RECORD && !existsSync(path)) writeFileSync(path, text);
    assert.equal(text, readFileSync(path, 'utf8'), name);
  }
  assert.deepEqual(readdirSync(FOLDER).sort(), Object.keys(MADE).sort());
});

test('so do the same options for many and large cases', async () => {
  for (const [args, hash] of Object.entries({
    'pawn --count 1000 --rows 16 --cols 16 --turn random': 'fce7cf50bfeb4d14',
    'mine --rows 1000 --cols 1000 --mines 12%': 'eaa83126eb453566',
    'go --count 20 --size 5 --moves 200 --legal': '62fb2de636c6f73f',
    'go --moves 1000': 'b5f1f2080f4b3238',
  })) assert.equal(createHash('sha256').update(await make(...args.split(' '))).digest('hex').slice(0, 16), hash, args);
});

test('the defaults are those in the help', async () => {
  const help = await make('--help');
  const defaultOf = (name, game) => {
    const [, value] = new RegExp(`^ {2}--${name} .*\\[(.*)\\]$`, 'm').exec(help);
    return new RegExp(`${game}: (\\w+)`).exec(value)?.[1] ?? value;
  };
  for (const [game, names] of [['pawn', ['rows', 'cols', 'obstacles', 'turn']], ['mine', ['rows', 'cols', 'mines']], ['go', ['size', 'moves']]])
    assert.equal(await make(game), await make(game, ...['seed', 'count', 'to', ...names].flatMap((name) => [`--${name}`, defaultOf(name, game)])));
  assert.equal(await make('go'), await make('go', '--legal=false'));
  assert.notEqual(await make('go'), await make('go', '--legal'));
});

test('fewer cases are the beginning of more', async () => {
  for (const args of [['pawn', '--turn', 'random'], ['mine'], ['go', '--moves', '9'], ['go', '--size', '3', '--legal'], ['pawn', '--to', 'drawing'], ['mine', '--to', 'drawing'], ['go', '--to', 'sgf']]) {
    const more = await make(...args, '--count', '10');
    for (const count of ['1', '5']) assert.ok(more.startsWith(await make(...args, '--count', count)), args.join(' '));
  }
  for (const game of ['pawn', 'mine', 'go']) {
    const [five, ten] = await Promise.all(['5', '10'].map((count) => make(game, '--to', 'text', '--count', count)));
    assert.equal(five.split('\n', 1)[0], game === 'pawn' ? '1 5' : '5');
    assert.ok(ten.slice(ten.indexOf('\n')).startsWith(five.slice(five.indexOf('\n'))), game);
  }
});

test('a board does not depend on the turn, nor the first moves of a game on how many follow', async () => {
  const boards = await Promise.all(['Red', 'Black', 'random'].map(async (turn) => linesOf(await make('pawn', '--count', '9', '--turn', turn)).map(({ board }) => board)));
  assert.deepEqual(boards, [boards[0], boards[0], boards[0]]);
  for (const more of [[], ['--legal']]) {
    const [few, many] = await Promise.all(['20', '90'].map(async (moves) => linesOf(await make('go', '--count', '9', '--size', '9', '--moves', moves, ...more))));
    assert.deepEqual(few, many.map(({ size, moves }) => ({ size, moves: moves.slice(0, 20) })));
  }
});

test('a seed is not the beginning of another, and variables are not read', async () => {
  const seeds = await Promise.all(['0', '1', '2', '18446744073709551615'].map((seed) => make('mine', '--seed', seed)));
  assert.equal(new Set(seeds).size, seeds.length);
  const { stdout } = await run(['make', 'mine'], { env: { ARBITER_SEED: '2', ARBITER_ROWS: '3', ARBITER_TO: 'x', ARBITER_SIZE: '5' } });
  assert.equal(stdout, seeds[1]);
});

test('solve accepts every case in every format, and answers the same', async () => {
  for (const [game, formats, ...args] of [
    ['pawn', ['text', 'drawing']], ['pawn', ['text', 'drawing'], '--rows', '2', '--cols', '2', '--obstacles', '0'], ['pawn', [], '--turn', 'Random', '--obstacles', '60%'],
    ['mine', ['text', 'drawing']], ['mine', ['text', 'drawing'], '--rows', '1', '--cols', '40', '--mines', '0'], ['mine', ['text', 'drawing'], '--mines', '100%'],
    ['go', ['text', 'sgf']], ['go', ['text', 'sgf'], '--moves', '0'], ['go', ['sgf'], '--size', '25', '--legal'], ['go', ['sgf'], '--size', '1'],
  ]) {
    const all = [game, ...args, '--count', '20'];
    const answers = linesOf((await solve([game, '--from', 'ndjson'], { input: await make(...all) })).stdout);
    assert.equal(answers.length, 20);
    for (const format of formats) {
      const more = format === 'sgf' ? ['--game', 'all'] : [];
      const { stdout } = await solve([game, '--from', format, '--to', 'ndjson', ...more], { input: await make(...all, '--to', format) });
      const plain = linesOf(stdout).map(({ rules, record, ...rest }) => rest);
      assert.deepEqual(plain, answers, `${all.join(' ')} --to ${format}`);
    }
  }
});

test('obstacles, mines, sizes and turns are as ordered', async () => {
  const count = (board, letter) => board.join('').split(letter).length - 1;
  for (const [share, number] of [['0', 0], ['7', 7], ['20%', 8], ['12.5%', 5], ['1.2%', 0], ['1.3%', 1], ['3.7%', 1], ['3.8%', 2], ['0.0%', 0], ['90%', 36]]) {
    for (const { board } of linesOf(await make('pawn', '--rows', '5', '--cols', '8', '--obstacles', share, '--count', '3')))
      assert.deepEqual([board.length, board[0].length, count(board, '#'), count(board, 'O'), count(board, 'X')], [5, 8, number, 2, 1], share);
    for (const { board } of linesOf(await make('mine', '--rows', '8', '--cols', '5', '--mines', share, '--count', '3')))
      assert.deepEqual([board.length, board[0].length, count(board, '*')], [8, 5, number], share);
  }
  for (const [turn, turns] of [['Red', [undefined]], ['BLACK', ['Black']], ['random', [undefined, 'Black']]])
    assert.deepEqual(new Set(linesOf(await make('pawn', '--turn', turn, '--count', '50')).map((one) => one.turn)), new Set(turns));
  const [{ size, moves }] = linesOf(await make('go', '--size', '13', '--moves', '17'));
  assert.deepEqual([size, moves.length, moves.map(([color]) => color).join('')], [13, 17, 'BWBWBWBWBWBWBWBWB']);
});

test('legal games have no misses; other games have misses of every kind', async () => {
  const missesOf = async (...args) => linesOf((await solve(['go', '--from', 'ndjson'], { input: await make('go', '--count', '40', ...args) })).stdout).flatMap(({ misses }) => misses);
  for (const size of ['1', '2', '3', '5', '9', '19']) assert.deepEqual(await missesOf('--legal', '--size', size), []);
  assert.deepEqual([...new Set((await missesOf('--size', '4')).map(({ code }) => code))].sort(), [1, 2, 3]);
});

test('what cannot be made is a usage error that says why', async () => {
  for (const [args, message] of [
    ['', 'missing game: pawn, go or mine (see arbiter help make)'],
    ['mime', 'unknown game "mime"; did you mean "mine"?'],
    ['chess', 'unknown game "chess"; it must be pawn, go or mine (see arbiter help make)'],
    ['mine field', 'unexpected argument "field"; see arbiter help make'],
    ['mine --seeds 2', 'unknown option "--seeds"; did you mean --seed?'],
    ['mine --width 2', 'unknown option "--width"; did you mean --cols?'],
    ['mine --bombs 2', 'unknown option "--bombs"; did you mean --mines?'],
    ['mine --max-cases 2', 'unknown option "--max-cases"; see --help'],
    ['go --rows 9', '--rows is not for go; see arbiter help make'],
    ['mine --turn Red', '--turn is not for mine; see arbiter help make'],
    ['pawn --legal', '--legal is not for pawn; see arbiter help make'],
    ['go --mines 0', '--mines is not for go; see arbiter help make'],
    ['mine --count 0', '--count is "0"; it must be an integer between 1 and 1000000000'],
    ['mine --seed -1', '--seed is "-1"; it must be an integer between 0 and 18446744073709551615'],
    ['mine --rows 1001', '--rows is "1001"; it must be an integer between 1 and 1000'],
    ['go --size 26', '--size is "26"; it must be an integer between 1 and 25'],
    ['go --moves 100001', '--moves is "100001"; it must be an integer between 0 and 100000'],
    ['pawn --turn White', '--turn is "White"; it must be Red, Black or random'],
    ['pawn --to svg', '--to is "svg"; it must be ndjson, text, sgf or drawing'],
    ...['', 'x', '%', '-1', '1.5', '101%', '100.1%', '.5%', '5.%', '5%%', '5 %', '1.25%', '12345678901'].filter((share) => share !== '' && !share.includes(' '))
      .map((share) => [`mine --mines ${share}`, `--mines is "${share}"; it must be a number, or a percentage up to 100%, such as 20.6%`]),
    ['mine --mines 82', '82 mines are too many for the 81 cells of a 9 x 9 field'],
    ['mine --mines 9999999999', '9999999999 mines are too many for the 81 cells of a 9 x 9 field'],
    ['pawn --obstacles 34', '34 obstacles and 3 pieces are too many for the 36 squares of a 6 x 6 board'],
    ['pawn --obstacles 100%', '36 obstacles and 3 pieces are too many for the 36 squares of a 6 x 6 board'],
    ['pawn --rows 1', 'the board is 1 x 6; it must have at least 2 rows, and 3 to 256 squares'],
    ['pawn --rows 2 --cols 1', 'the board is 2 x 1; it must have at least 2 rows, and 3 to 256 squares'],
    ['pawn --rows 1000 --cols 1000', 'the board is 1000 x 1000; it must have at least 2 rows, and 3 to 256 squares'],
    ['pawn --to text --turn Black', 'in contest format, Red always moves first; use --to ndjson with --turn'],
    ['pawn --to drawing --turn random', 'in a drawing, Red always moves first; use --to ndjson with --turn'],
    ['go --to text --size 9', 'in contest format, boards are 19 x 19; use --to ndjson or sgf with --size'],
    ['go --to drawing', 'go has no drawings; use --to ndjson, text or sgf'],
    ['mine --to sgf', 'only go can be written as SGF, not mine'],
    ['mine --to text --count 1001', '--count is 1001, but a file in this format can have at most 1000 such cases; use --to ndjson'],
    ['mine --to drawing --count 1001', '--count is 1001, but a file in this format can have at most 1000 such cases; use --to ndjson'],
    ['pawn --to text --rows 16 --cols 16 --count 129', '--count is 129, but a file in this format can have at most 128 such cases; use --to ndjson'],
    ['go --to sgf --moves 100000 --count 21', '--count is 21, but a file in this format can have at most 20 such cases; use --to ndjson'],
  ]) {
    const { code, stdout, stderr } = await run(['make', ...args.split(' ').filter((word) => word !== '')]);
    assert.deepEqual([code, stdout, stderr], [2, '', `arbiter: ${message}\n`], args);
  }
  assert.equal((await run(['make', 'mine', '--mines', ''])).stderr, 'arbiter: --mines is empty; leave it out to get the default\n');
  assert.equal((await run(['make', 'mine', '--seed'])).stderr, 'arbiter: --seed needs a value\n');
});

test('a file with as many cases as a format can have is read', async () => {
  for (const args of [['pawn', '--to', 'text', '--rows', '16', '--cols', '16', '--count', '128'], ['mine', '--to', 'drawing', '--rows', '1', '--cols', '1', '--count', '1000'],
    ['go', '--to', 'text', '--moves', '0', '--count', '1000']]) {
    const { stdout } = await solve([args[0], '--from', args[2], '--to', 'ndjson'], { input: await make(...args) });
    assert.equal(linesOf(stdout).length, Number(args.at(-1)));
  }
});

test('an error of standard output is reported', async () => {
  const { code, stderr } = await run(['make', 'mine', '--count', '1000'], { under: ['sh', '-c', 'exec "$@" >/dev/full', 'sh'] });
  assert.deepEqual([code, stderr], [1, 'arbiter: standard output: No space left on device\n']);
});
