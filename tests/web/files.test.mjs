// How the page handles files, tested without a browser: file formats, cases, and stored answers.

import assert from 'node:assert/strict';
import { File } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Answers } from '../../web/page/answers.js';
import { caseAt, countCases } from '../../web/page/cases.js';
import { detect, JSON_KIND, LINES, SGF, TEXT } from '../../web/page/kinds.js';

const file = (text, name = 'file') => new File([text], name);
const example = (name) => file(readFileSync(fileURLToPath(new URL(`../../examples/${name}`, import.meta.url))), name);
const bytes = (text) => new TextEncoder().encode(text);

test('the format of a file is determined by its name, or else by its first byte', async () => {
  const kindOf = async (name, text) => (await detect(file(text, name))).kind;
  assert.equal(await kindOf('a.JSON', '(;)'), JSON_KIND);
  assert.equal(await kindOf('a.ndjson', ''), LINES);
  assert.equal(await kindOf('a.b.jsonl', ''), LINES);
  assert.equal(await kindOf('a.txt', '{'), TEXT);
  assert.equal(await kindOf('a.sgf', '{'), SGF);
  assert.equal(await kindOf('a.dat', ' \r\n{'), JSON_KIND);
  assert.equal(await kindOf('json', '\ufeff(;'), SGF);
  assert.equal(await kindOf('a', 'json'), TEXT);
  assert.equal(await kindOf('', ''), TEXT);
});

test('the game is recognised for each example', async () => {
  for (const [name, kind, game, single] of [
    ['boards.txt', TEXT, 'pawn', false],
    ['game.txt', TEXT, 'go', false],
    ['fields.txt', TEXT, 'mine', false],
    ['fields.ndjson', LINES, 'mine', false],
    ['game.sgf', SGF, 'go', true],
    ['collection.sgf', SGF, 'go', true],
  ]) assert.deepEqual(await detect(example(name)), { kind, game, single, drawing: false }, name);
});

test('drawings are recognised, and those with one board', async () => {
  for (const [text, game, single] of [
    ['*...\n....\n', 'mine', true], ['*..\n..2\n\n.*\n..\n', 'mine', false], ['o.O\r\n...\r\n.x.', 'pawn', true], ['...\n...\n', null, true],
  ]) assert.deepEqual(await detect(file(text, 'a.txt')), { kind: TEXT, game, single, drawing: true }, text);
  assert.equal((await detect(file('0*\n', 'a.txt'))).game, 'mine');
  for (const text of ['1\n3 3 0\n', '111\n1*1\n', 'hello']) assert.equal((await detect(file(text, 'a.txt'))).drawing, false, text);
});

test('the game of contest format is recognised by the first word that is not a number, and prose is for no game', async () => {
  for (const [text, game] of [
    ['2\n0\n1\nB 1 1\n', 'go'], ['1 1 W 3 3', 'go'],
    ['-7 1\r\n2 2\r\noo\r\n.x', 'pawn'], ['2 2\nOX\n', 'pawn'],
    ['\n1\n3 3 1\n0 0\n', 'mine'],
    ['Dear all,\n\nI Object.\nB follows.\n', null], ['12 October 2024', null], ['3 x 4', null], ['42', null], ['10 12 people', null],
  ]) assert.equal((await detect(file(text, 'a.txt'))).game, game, text);
});

test('for a case in JSON, the game is determined by its members and its board', async () => {
  const gameOf = async (text) => (await detect(file(text, 'a.json'))).game;
  assert.equal(await gameOf('{"moves":[]}'), 'go');
  assert.equal(await gameOf('{"sgf" : "(;B[aa])"}'), 'go');
  assert.equal(await gameOf('{"rows":1,"cols":1,"mines":[]}'), 'mine');
  assert.equal(await gameOf('{"board":["..",".*"]}'), 'mine');
  assert.equal(await gameOf('{"id":"*","board":["OO",".X"]}'), 'pawn');
  assert.equal(await gameOf('{"cases":[{"board":["..","OO",".X"]}]}'), 'pawn');
});

test('if a file could be for several games, none is recognised', async () => {
  const gameOf = async (text, name) => (await detect(file(text, name))).game;
  assert.equal(await gameOf('{"board":["..",".."]}', 'a.json'), null);
  assert.equal(await gameOf('{"board":["*O"]}', 'a.json'), null);
  assert.equal(await gameOf('{"clicks":[],"moves":[]}', 'a.json'), null);
  assert.equal(await gameOf('', 'a.ndjson'), null);
  assert.equal(await gameOf('hello', 'a.txt'), null);
  assert.equal(await gameOf('', 'a.txt'), null);
});

test('one case in JSON or one field as text counts as a single case; a batch does not', async () => {
  assert.equal((await detect(file('1\n2 2 0\n', 'a.txt'))).single, true);
  assert.equal((await detect(file('12\n2 2 0\n', 'a.txt'))).single, false);
  assert.equal((await detect(file('1\nB 1 1\n', 'a.txt'))).single, false);
  assert.equal((await detect(file('{"board":["."]}'))).single, true);
  assert.equal((await detect(file('{ "cases" : [{"board":["."]}]}'))).single, false);
});

test('blank lines are not counted, even if the file is read in several pieces', async () => {
  assert.equal(await countCases(file(''), LINES), 0);
  assert.equal(await countCases(file('\n\r\n \t\n'), LINES), 0);
  assert.equal(await countCases(file('{}\n\n{}\r\n  {}'), LINES), 3);
  const slice = 1 << 20;
  for (const before of [slice - 2, slice - 1, slice, slice + 1, 3 * slice]) {
    const text = `${'x'.repeat(before)}\n${' '.repeat(slice)}\n{"a":1}\n`;
    assert.equal(await countCases(file(text), LINES), 2, `${before}`);
    assert.deepEqual(await caseAt(file(text), LINES, 1), { a: 1 }, `${before}`);
  }
  assert.equal(await countCases(file('{}\n'), TEXT), null);
});

test('the case in a given row is found in each kind of file', async () => {
  const lines = file('\ufeff{"id":0}\n\n{"id":"é"}\r\n{"id":2}', 'a.ndjson');
  for (const [row, id] of [0, 'é', 2].entries()) assert.deepEqual(await caseAt(lines, LINES, row), { id });
  assert.deepEqual(await caseAt(file('{"cases":[{"id":0},{"id":1}]}'), JSON_KIND, 1), { id: 1 });
  assert.deepEqual(await caseAt(file('{"cases":[{"id":0},{"id":1,"turn":"Red"}],"turn":"Black","include":["line"]}'), JSON_KIND, 1), { id: 1, turn: 'Red', include: ['line'] });
  assert.deepEqual(await caseAt(file('[{"id":0},{"id":1}]'), JSON_KIND, 1), { id: 1 });
  assert.deepEqual(await caseAt(file('{"id":0}'), JSON_KIND, 0), { id: 0 });
  assert.deepEqual(await caseAt(file('(;)(;)'), SGF, 1), { sgf: '(;)(;)', game: 2 });
  await assert.rejects(caseAt(file('{}\nnothing\n'), LINES, 1), SyntaxError);
  await assert.rejects(caseAt(file('{}\n'), LINES, 1), RangeError);
  assert.deepEqual(await caseAt(file('\ufeff\n{"id":0}\n'), LINES, 0), { id: 0 });
});

test('the case in a given row of contest format is found with any white space, even if the file is read in several pieces', async () => {
  const pawn = ['-7 2', '3 2 OO .# .x', '2 3 o.O .X.'], boards = [['OO', '.#', '.X'], ['O.O', '.X.']];
  const go = ['3', '2 B 1 19 W 19 1', '0', '1 W 2 3'], moves = [[['B', 0, 18], ['W', 18, 0]], [], [['W', 1, 2]]];
  const mine = ['3', '2 3 2 0 2 1 0', '1 1 0', '1 2 1 0 1'], fields = [[2, 3, [[0, 2], [1, 0]]], [1, 1, []], [1, 2, [[0, 1]]]];
  const contests = [['pawn', pawn, boards.map((board) => ({ board }))], ['go', go, moves.map((list) => ({ size: 19, moves: list }))],
    ['mine', mine, fields.map(([rows, cols, mines]) => ({ rows, cols, mines }))]];
  for (const [game, parts, cases] of contests) {
    const text = parts.join('\n'), words = text.split(/\s/), slice = 1 << 20;
    const pieces = [1, 2, 3, words.length].map((count) => {
      const start = words.slice(0, count).join(' ');
      return ' '.repeat(slice - start.length + 1) + words.join(' '); // the slice ends just before the last character of a word
    });
    for (const written of [text, `\ufeff\n ${words.join('\r\n \t\n')}\n\n`, words.join('\t'), ...pieces]) {
      for (const [row, wanted] of cases.entries()) {
        assert.deepEqual(await caseAt(file(written), TEXT, row, game), wanted, `${game} ${row}`);
      }
      await assert.rejects(caseAt(file(written), TEXT, cases.length, game), RangeError);
    }
  }
  await assert.rejects(caseAt(file('1\n1\nB 1 x\n'), TEXT, 0, 'go'), SyntaxError);
  await assert.rejects(caseAt(file('1\n-1 1 0\n'), TEXT, 0, 'mine'), SyntaxError);
  await assert.rejects(caseAt(file(''), TEXT, 0, 'mine'), RangeError);
});

test('the drawing in a given row is found between blank lines', async () => {
  const drawings = [['*.', '1.'], ['.'], ['..', ' x', 'Q']], cases = [['*.', '1.'], ['.'], ['..', ' X', 'Q']];
  for (const [end, blank] of [['\n', '\n'], ['\r\n', '\r\n'], [' \t\n', ' \n\r\n\t\n']]) {
    const text = drawings.map((lines) => lines.map((line) => line + end).join('')).join(blank);
    for (const written of [text, `\ufeff\n\n${text}\n`, text.trimEnd()]) {
      for (const [row, board] of cases.entries()) {
        assert.deepEqual(await caseAt(file(written), TEXT, row, 'mine'), { board }, JSON.stringify(written));
      }
      await assert.rejects(caseAt(file(written), TEXT, 3, 'mine'), RangeError);
    }
  }
});

test('JSON in a text file is read as JSON, as in the service', async () => {
  assert.deepEqual(await caseAt(file(' {"cases":[{"id":0},{"id":1}]}'), TEXT, 1, 'pawn'), { id: 1 });
});

test('answers are kept byte for byte, however they arrived', async () => {
  const texts = Array.from({ length: 3000 }, (_, row) => (row % 10 === 3 ? `{"problem":"é${row}"}` : `{"row":${row}}`));
  const all = bytes(texts.map((text) => `${text}\n`).join(''));
  for (const chunk of [1, 7, 1000, all.length]) {
    const answers = new Answers();
    for (let at = 0; at < all.length; at += chunk) answers.add(all.slice(at, at + chunk));
    for (const text of texts) answers.settle(text.includes('problem'));
    assert.equal(answers.count, 3000);
    assert.deepEqual(answers.problems.slice(0, 3), [3, 13, 23]);
    assert.deepEqual(await answers.read([0, 1, 2, 3, 13, 14, 2999]), [0, 1, 2, 3, 13, 14, 2999].map((row) => texts[row]));
    assert.ok(Buffer.from(await answers.blob().arrayBuffer()).equals(Buffer.from(all)));
  }
});

test('only complete lines are kept for saving', async () => {
  const answers = new Answers();
  assert.equal(answers.blob().size, 0);
  answers.add(bytes('{"a":1}\n{"b":2}\n{"c'));
  answers.settle(false);
  assert.equal(await answers.blob().text(), '{"a":1}\n');
  answers.settle(false);
  assert.deepEqual(await answers.read([1]), ['{"b":2}']);
  answers.add(bytes('":3}\n'));
  answers.settle(false);
  assert.deepEqual(await answers.read([0, 1, 2]), ['{"a":1}', '{"b":2}', '{"c":3}']);
});
