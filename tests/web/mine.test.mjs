// The modules of the Minesweeper page that need no browser: fields, links, files, undo, and the opponent.

import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { after, test } from 'node:test';

import { Arbiter } from '../../web/arbiter.js';
import { Field } from '../../web/mine/field.js';
import { backTo, clicked, judged, positionOf } from '../../web/mine/position.js';
import { jsonOf, readState, shownOf, textOf, writeState } from '../../web/mine/link.js';
import { findOpenings, openingAt, tintAt } from '../../web/mine/openings.js';
import { reply } from '../../web/mine/opponent.js';
import { why } from '../../web/mine/why.js';
import { BadLink } from '../../web/page/link.js';
import { Undo } from '../../web/page/undo.js';
import { start } from '../server/arbiter.mjs';
import { below, mineBoard, numbers, randomFrom } from '../server/bodies.mjs';

globalThis.crypto ??= webcrypto; // Node 18

const program = await start();
after(() => program.stop());
const service = new Arbiter(`http://127.0.0.1:${program.port}/`);

/** Generates fields of many shapes and densities, the same ones for the same seed. */
function* fields(count, seed) {
  const random = randomFrom(seed);
  for (let made = 0; made < count; made += 1) {
    const rows = 1 + below(random, 14), cols = 1 + below(random, 14);
    yield Field.asked({ board: mineBoard(random, rows, cols, 0.3 * random()) });
  }
}

const shown = (field, more = {}) => ({ field, clicks: [], mode: 'play', side: 'both', analysis: false, ...more });

test('a random field has the right number of mines, and every cell is equally likely to have one', () => {
  const counts = new Array(35).fill(0);
  for (let drawn = 0; drawn < 4000; drawn += 1) {
    const field = Field.random(5, 7, 10);
    assert.equal(field.mines, 10);
    for (const [row, col] of field.mineCells()) counts[row * 7 + col] += 1;
  }
  // The mean is 1143 and the standard deviation 29. A deviation of six times that happens about once in ten million runs.
  assert.ok(counts.every((count) => Math.abs(count - 40000 / 35) < 6 * 29), String(counts));
  assert.equal(Field.random(3, 3, 9).mines, 9);
  assert.equal(Field.random(1000, 1000, 160_000).mines, 160_000);
});

test('a field stays the same when written and read again, as rows, packed, or as a file', async () => {
  for (const field of fields(200, 1)) {
    const board = field.board();
    assert.deepEqual(Field.asked({ board }).board(), board);
    assert.deepEqual(Field.asked({ rows: field.rows, cols: field.cols, mines: field.mineCells() }).board(), board);
    assert.deepEqual(Field.unpacked(field.rows, field.cols, field.packed()).board(), board);
    for (const text of [jsonOf({ field, clicks: [] }), textOf({ field, clicks: [] })]) assert.deepEqual((await shownOf(new Blob([text]))).field.board(), board);
    assert.equal(await service.text('mine', textOf({ field, clicks: [] })), await service.text('mine', { board }));
  }
  const { clicks } = await shownOf(new Blob([jsonOf({ field: new Field(2, 3), clicks: [[1, 2]] })]));
  assert.deepEqual(clicks, [[1, 2]]);
});

test('painting changes all views of a field, but not a copy of it', () => {
  const field = Field.random(6, 9, 12), copy = field.copy(), before = field.board();
  assert.equal(field.mines, 12);
  const mine = !field.isMine(2, 3);
  field.set(2, 3, mine);
  assert.deepEqual(field.differences(copy, 5), [[2, 3]]);
  assert.equal(field.differences(copy, 0), null);
  assert.equal(field.differences(Field.random(9, 6, 3), 5), null);
  assert.equal(field.board()[2][3], mine ? '*' : '.');
  assert.equal(field.mines, mine ? 13 : 11);
  assert.deepEqual(copy.board(), before);
  assert.notEqual(field.packed(), copy.packed());
});

test('a link stays the same when written and read again', () => {
  for (const field of fields(50, 2)) {
    const state = shown(field, { clicks: [[0, 0], [field.rows - 1, field.cols - 1]], mode: 'edit', side: 'Fanglaoshi', analysis: true });
    const read = readState(JSON.parse(JSON.stringify(writeState(state))));
    assert.deepEqual({ ...read, field: read.field.board() }, { ...state, field: field.board() });
  }
});

test('an invalid link is refused', () => {
  const state = writeState(shown(Field.asked({ board: ['..*', '...', '*..'] }), { clicks: [[0, 0]] }));
  const bad = [
    { rows: 0 }, { rows: 1001 }, { rows: 2.5 }, { rows: '3' }, { cols: null }, { rows: 6 }, { field: 'AAAA' }, { field: '__8' }, { field: '****' },
    { field: 5 }, { clicks: null }, { clicks: [-1] }, { clicks: [9] }, { clicks: ['0'] }, { clicks: [0.5] }, { clicks: [null] },
    { clicks: new Array(10).fill(0) }, { mode: 'edit' }, { side: 'me' }, { wins: 1 },
  ];
  assert.ok(readState(state));
  for (const change of bad) assert.throws(() => readState({ ...state, ...change }), BadLink, JSON.stringify(change));
  const questions = [
    null, 5, {}, { board: [] }, { board: [''] }, { board: ['..', '.'] }, { board: ['.x'] }, { board: '...' }, { board: [5] },
    { rows: 2, cols: 2 }, { rows: 2, cols: 2, mines: [[0, 2]] }, { rows: 2, cols: 2, mines: [[0]] }, { rows: 1e9, cols: 1e9, mines: [] },
    { board: ['..'], clicks: [[0, 2]] }, { board: ['..'], clicks: 'all' },
  ];
  for (const question of questions) assert.throws(() => readState({ question }), BadLink, JSON.stringify(question));
});

test('a file is not shown unless it contains a single field', async () => {
  for (const text of ['', 'x', '{', '[]', '{"cases":[{"board":["."]}]}', '2\n1 1 0\n1 1 0\n', '1\n1 1 1\n0', '1\n1 1 1\n0 -1', '1\n2000 1 0\n']) {
    assert.equal(await shownOf(new Blob([text])), null, text);
  }
});

test('undo reverts the user\'s clicks together with the opponent\'s replies', () => {
  const field = Field.random(2, 2, 0), history = new Undo(positionOf(field), 499);
  assert.equal(history.canUndo, false);
  const click = (cell, by) => history[by === 'hand' ? 'change' : 'amend'](clicked(history.now, cell, by, null));
  const clicks = () => history.now.clicks.length;
  click([0, 0], 'opponent');
  assert.equal(history.canUndo, false, 'no click to undo');
  click([0, 1], 'hand');
  click([1, 0], 'opponent');
  history.undo();
  assert.equal(clicks(), 1);
  assert.equal(history.canUndo, false);
  history.redo();
  assert.equal(clicks(), 3);
  assert.equal(history.canRedo, false);
  history.change(backTo(history.now, 1));
  history.undo();
  assert.equal(clicks(), 3);
  for (let at = 0; at < 2000; at += 1) history.change(positionOf(field));
  for (let at = 0; at < 499; at += 1) history.undo();
  assert.equal(history.canUndo, false);
});

test('a click is judged by comparing the winner before and after it', () => {
  const after = (verdict, turn) => clicked(positionOf(Field.random(1, 1, 0)), [0, 0], 'hand', { verdict, turn });
  assert.equal(judged(after('Xiemao', 'Xiemao'), 'Xiemao'), 'kept');
  assert.equal(judged(after('Xiemao', 'Xiemao'), 'Fanglaoshi'), 'lost');
  assert.equal(judged(after('Xiemao', 'Fanglaoshi'), 'Xiemao'), null);
  assert.equal(judged(after('Unknown', 'Xiemao'), 'Xiemao'), null);
  assert.equal(judged(after('Xiemao', 'Xiemao'), 'Unknown'), null);
});

test('openings and shared numbers match the service\'s, and two openings that share a number have different colours', async () => {
  const all = [...fields(400, 3)];
  const results = await service.batch('mine', all.map((field) => ({ board: field.board(), include: ['board'] })));
  let pairs = 0;
  for (const { board, openings: count, shared_numbers: shared } of results) {
    const openings = findOpenings(board), seen = new Set();
    let found = 0;
    board.forEach((line, row) => [...line].forEach((cell, col) => {
      const tint = cell === '*' ? 0 : tintAt(openings, row, col);
      if (cell === '.') seen.add(openingAt(openings, row, col));
      else if (cell !== '*') assert.equal(openingAt(openings, row, col), 0);
      if (tint <= 15) return;
      found += 1;
      assert.notEqual(tint & 15, tint >> 4);
    }));
    assert.equal(seen.size, count, board.join('\n'));
    assert.equal(found, shared, board.join('\n'));
    pairs += found;
  }
  assert.ok(pairs > 50, `only ${pairs} shared numbers were seen`);
});

/**
 * The answer for a position, and the opponent's click in it (with its kind, `how`).
 * @param {Field} field
 * @param {[number, number][]} clicks
 */
async function replied(field, clicks, { states = 20_000, most = 1000 } = {}) {
  const answer = await service.mine({ board: field.board(), clicks, include: ['board', 'face', 'wins'], states });
  if (answer.three_bv === 0) return { answer, choice: null };
  const asked = [];
  const choice = await reply({
    field: field.board(), board: answer.board, openings: findOpenings(answer.board), clicks, answer, most,
  }, (questions) => {
    asked.push(...questions);
    return service.batch('mine', questions);
  });
  return { answer, choice, asked };
}

test('if no number is shared, the page explains why a position is lost exactly when it is lost', async () => {
  const twins = ['.1*1.', '.1*1.'];
  assert.deepEqual(why(twins, ['#####', '#####'], findOpenings(twins)), { kind: 'halves', ones: 2, twos: 0 });
  const draw = numbers(11), seen = { numbers: 0, halves: 0, pairs: 0, none: 0, shared: 0 };
  for (const field of fields(60, 6)) {
    for (let clicks = [], left = true; left;) {
      const { face, board, nimber, shared_numbers: shared } = await service.mine({ board: field.board(), clicks, include: ['board', 'face'] });
      const cells = face.flatMap((line, row) => [...line].flatMap((cell, col) => (cell === '#' && board[row][col] !== '*' ? [[row, col]] : [])));
      const said = why(board, face, findOpenings(board));
      left = cells.length > 0;
      if (shared > 0) seen.shared += 1;
      else if (left) assert.equal(said !== null, nimber === 0, JSON.stringify({ board: field.board(), clicks }));
      if (said) {
        seen[said.kind] += 1;
        assert.equal((said.ones % 2) + (said.twos % 2), 0);
        if (said.kind === 'numbers') assert.equal(said.ones, cells.length);
      } else seen.none += 1;
      if (left) clicks = [...clicks, cells[draw(cells.length)]];
    }
  }
  assert.ok(Object.values(seen).every((count) => count > 10), JSON.stringify(seen));
});

test('the opponent wins every won position, and plays lost positions to the end with legal clicks', async () => {
  const draw = numbers(4);
  let won = 0;
  let lost = 0;
  for (const field of fields(25, 5)) {
    let clicks = [];
    let sure = null; // the side that can no longer lose, because as the opponent it had a winning click
    for (;;) {
      const { answer, choice } = await replied(field, clicks);
      const opponent = answer.turn;
      if (!choice) {
        assert.notEqual(sure, opponent);
        break;
      }
      assert.equal(choice.how, answer.verdict === opponent ? 'wins' : 'lost');
      if (answer.verdict === opponent) sure = opponent;
      won += choice.how === 'wins';
      lost += choice.how === 'lost';
      clicks = [...clicks, choice.cell];
      // The other side plays at random.
      const { face, board } = await service.mine({ board: field.board(), clicks, include: ['board', 'face'] });
      const cells = face.flatMap((line, row) => [...line].flatMap((cell, col) => (cell === '#' && board[row][col] !== '*' ? [[row, col]] : [])));
      if (cells.length === 0) break;
      clicks = [...clicks, cells[draw(cells.length)]];
    }
  }
  assert.ok(won > 20 && lost > 2, `${won} clicks that win, ${lost} that do not`);
});

test('in a lost position, the opponent picks the click that leaves the fewest winning replies', async () => {
  const field = Field.asked({ board: ['........*', '.........', '......*..', '.*...*..*', '......**.', '..*......', '.......*.', '.....*...', '.........'] });
  const { answer, choice, asked } = await replied(field, [[4, 3]]);
  assert.equal(answer.verdict, 'Xiemao');
  assert.equal(choice.how, 'lost');
  assert.ok(asked.length > 20);
  const totals = (await service.batch('mine', asked)).map((result) => result.wins_total);
  const [chosen] = await service.batch('mine', [{ board: field.board(), clicks: [[4, 3], choice.cell], include: ['wins'] }]);
  assert.equal(chosen.wins_total, Math.min(...totals));
  const { asked: few } = await replied(field, [[4, 3]], { most: 3 });
  assert.equal(few.length, 3);
});

test('if the opponent does not know the winner, it finds a winning click, or guesses and says so', async () => {
  const field = Field.asked({ board: ['..*...**', '........', '*...*...'] });
  const { answer, choice } = await replied(field, [], { states: 1 });
  assert.equal(answer.verdict, 'Unknown');
  const { verdict } = await service.mine({ board: field.board(), clicks: [choice.cell] });
  assert.ok(choice.how === 'guess' || (choice.how === 'wins' && verdict === 'Xiemao'), JSON.stringify({ choice, verdict }));
});
