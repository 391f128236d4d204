// How puzzles are chosen and solved: the puzzle for each day, and right and wrong tries in each game.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { Arbiter } from '../../web/arbiter.js';
import * as mineLink from '../../web/mine/link.js';
import { Session as MineSession } from '../../web/mine/session.js';
import { BadLink, readLink, writeLink } from '../../web/page/link.js';
import { COUNT, numberOfDay, puzzleOf } from '../../web/page/puzzle.js';
import { Service } from '../../web/page/service.js';
import * as pawnLink from '../../web/pawn/link.js';
import { Session as PawnSession } from '../../web/pawn/session.js';
import { start } from '../server/arbiter.mjs';
import { until } from '../server/client.mjs';

const program = await start();
after(() => program.stop());
const arbiter = new Arbiter(`http://127.0.0.1:${program.port}/`);

test('each day has a puzzle, and each puzzle has a day', () => {
  const days = (year, month, day, hour = 0) => numberOfDay(Date.UTC(year, month - 1, day, hour));
  assert.deepEqual([days(2026, 1, 1), days(2026, 1, 1, 23), days(2026, 1, 2), days(2027, 1, 1)], [1, 1, 2, 366]);
  assert.deepEqual([days(2027, 1, 2), days(2025, 12, 31), days(2024, 12, 31)], [1, COUNT, 1]);
});

test('a link names a puzzle, and an invalid one is refused', async () => {
  assert.equal(await writeLink('pawn', { puzzle: 17 }), '#pawn=puzzle-17');
  assert.deepEqual(await readLink('#pawn=puzzle-17'), { puzzle: 17 });
  for (const [game, number] of [['pawn', 0], ['pawn', COUNT + 1], ['mine', 1.5], ['mine', '3'], ['go', 1], ['mine', null]]) {
    await assert.rejects(puzzleOf(game, number), BadLink, `${game} ${number}`);
  }
  for (const link of ['#pawn=puzzle-', '#pawn=puzzle-x', '#pawn=puzzle-0', '#pawn=puzzle-12345']) await assert.rejects(readLink(link), BadLink, link);
});

/** A session with a crossing pawn puzzle, after the answer for its board has arrived. */
async function pawnPuzzle(context) {
  const shown = pawnLink.readState({ puzzle: 5, board: await puzzleOf('pawn', 5) });
  const session = new PawnSession({ service: new Service(() => {}, arbiter) }, shown);
  context.after(() => session.close());
  await until('it is known', () => session.result !== undefined);
  return session;
}

test('a crossing pawn puzzle counts wrong tries without playing them', async (context) => {
  const session = await pawnPuzzle(context), [right, ...wrong] = session.result.moves;
  assert.deepEqual([session.side, session.state(), session.shows], [session.position.turn, { puzzle: 5 }, 'nothing']);
  for (const move of wrong) session.play(move);
  assert.deepEqual([session.puzzle.tries, session.record.moves.length, session.puzzle.solved], [wrong.length, 0, false]);
  assert.deepEqual(session.wrong, { from: wrong.at(-1).from, to: wrong.at(-1).to });
  assert.deepEqual(session.state(), { puzzle: 5 });
  session.play(right);
  assert.deepEqual([session.puzzle.tries, session.puzzle.solved, session.puzzle.helped], [wrong.length + 1, true, false]);
  assert.deepEqual([session.record.moves.length, session.wrong, session.state().puzzle], [1, null, undefined]);
  session.begin(['O.O', '...', '.X.'], 'Red');
  assert.equal(session.puzzle, null, 'another board is not a puzzle');
  session.undo();
  assert.deepEqual([session.puzzle?.tries, session.puzzle?.solved], [wrong.length + 1, true]);
});

test('the verdict on a wrong try is not shown for another board', async (context) => {
  const session = await pawnPuzzle(context);
  session.play(session.result.moves.at(-1));
  assert.ok(session.wrong);
  session.begin(['O.O', '...', '.X.'], 'Red');
  assert.equal(session.wrong, null);
});

test('a puzzle remembers that the user had help', async (context) => {
  const session = await pawnPuzzle(context);
  session.setAnalysis(false);
  assert.equal(session.puzzle.helped, false);
  session.showHint();
  assert.deepEqual([session.shows, session.puzzle.helped], ['hint', true]);
  const other = await pawnPuzzle(context);
  other.setAnalysis(true);
  assert.deepEqual([other.shows, other.puzzle.helped, other.visible.length], ['values', true, 0]);
  const third = await pawnPuzzle(context);
  third.setSide('both');
  assert.equal(third.puzzle.helped, false);
  third.setSide(third.position.turn === 'Red' ? 'Black' : 'Red'); // now the computer plays the solution
  assert.equal(third.puzzle.helped, true);
});

test('a Minesweeper puzzle counts wrong tries without clicking them', async (context) => {
  const shown = mineLink.readState({ puzzle: 10, board: await puzzleOf('mine', 10) });
  const page = { service: new Service(() => {}, arbiter), limits: await arbiter.limits(), changed() {} };
  const session = new MineSession(page, shown);
  context.after(() => session.close());
  await until('it is known', () => session.result !== null);
  const { field, result: { wins } } = session;
  assert.deepEqual([session.result.wins_total, session.side, session.scene.wins], [1, 'Xiemao', []]);
  assert.deepEqual(session.state(), { puzzle: 10 });
  let wrong = 0;
  for (let row = 0; row < field.rows; row += 1) {
    for (let col = 0; col < field.cols; col += 1) {
      const came = session.puzzle.solved || session.click(row, col);
      if (came === 'wrong') wrong += 1;
      else if (came === 'done') assert.ok(session.puzzle.solved);
      else if (came !== true) assert.equal(came, 'mine');
    }
  }
  assert.deepEqual([session.puzzle.solved, session.puzzle.tries], [true, wrong + 1]);
  assert.equal(session.position.clicks.length, 1);
  assert.ok(wrong > 0 && wins.length === 1);
  session.begin(field.copy());
  assert.equal(session.puzzle, null);
  session.undo();
  assert.equal(session.puzzle?.tries, wrong + 1);
});
