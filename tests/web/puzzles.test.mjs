// The puzzles made by script/puzzles: their shapes and size, that no two are the same, and that the program confirms each of them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { PUZZLES as FIELDS } from '../../web/mine/puzzles.js';
import { PUZZLES as BOARDS } from '../../web/pawn/puzzles.js';
import { run } from '../server/arbiter.mjs';

const DAYS = 366;
const MOST_BYTES = 60_000;

const pawnCases = BOARDS.map((text) => {
  const [turn, ...board] = text.split('/');
  return { board, turn, include: ['moves'] };
});
const mineCases = FIELDS.map((text) => ({ board: text.split('/'), include: ['wins'] }));

const flipped = (board) => board.map((row) => [...row].reverse().join(''));
const transposed = (board) => [...board[0]].map((_, col) => board.map((row) => row[col]).join(''));
/** A field in all eight rotations and reflections. */
function symmetries(board) {
  const turned = [board, transposed(board)].flatMap((each) => [each, flipped(each)]);
  return turned.flatMap((each) => [each, [...each].reverse()]);
}

/** Checks that all rows have the same length, and that the numbers of rows and columns are in range. */
function requireShape(board, first, last, text) {
  assert.ok(board.length >= first && board.length <= last, text);
  assert.ok(board[0].length >= first && board[0].length <= last, text);
  assert.ok(board.every((row) => row.length === board[0].length), text);
}

/** The program's answers to the cases, in the same order. */
async function solve(game, cases) {
  const input = cases.map((each) => `${JSON.stringify(each)}\n`).join('');
  const { code, stdout, stderr } = await run(['solve', game, '--from', 'ndjson'], { input });
  assert.deepEqual([code, stderr], [0, '']);
  const answers = stdout.trim().split('\n').map((line) => JSON.parse(line));
  assert.equal(answers.length, cases.length);
  return answers;
}

test('both games have a puzzle for every day of the year, and both files are small', () => {
  assert.equal(BOARDS.length, DAYS);
  assert.equal(FIELDS.length, DAYS);
  const bytes = ['pawn', 'mine'].map((game) =>
    gzipSync(readFileSync(new URL(`../../web/${game}/puzzles.js`, import.meta.url)), { level: 9 }).length);
  assert.ok(bytes[0] + bytes[1] <= MOST_BYTES, `${bytes}`);
});

test('no two puzzles are the same or mirror images of one another', () => {
  const first = (boards) => boards.map((board) => board.join('/')).sort()[0];
  assert.equal(new Set(pawnCases.map(({ board, turn }) => `${turn} ${first([board, flipped(board)])}`)).size, DAYS);
  assert.equal(new Set(mineCases.map(({ board }) => first(symmetries(board)))).size, DAYS);
});

test('in each pawn puzzle, only one move wins for the side to move, and the win takes at least 11 steps', async () => {
  const kinds = new Map();
  for (const [at, { verdict, steps, moves }] of (await solve('pawn', pawnCases)).entries()) {
    const { board, turn } = pawnCases[at];
    requireShape(board, 4, 7, BOARDS[at]);
    assert.equal(verdict, turn, BOARDS[at]);
    assert.ok(steps >= 11, BOARDS[at]);
    assert.ok(moves.length >= (turn === 'Red' ? 4 : 3), BOARDS[at]);
    assert.equal(moves.filter((move) => move.verdict === turn).length, 1, BOARDS[at]);
    const kind = `${board.length} x ${board[0].length}, ${steps} steps`;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  assert.ok(Math.max(...kinds.values()) <= 40, JSON.stringify([...kinds]));
  assert.deepEqual([...new Set(pawnCases.map(({ turn }) => turn))].sort(), ['Black', 'Red']);
});

test('in each Minesweeper puzzle, exactly one first click wins', async () => {
  for (const [at, { verdict, openings, three_bv: least, wins_total: wins }] of (await solve('mine', mineCases)).entries()) {
    requireShape(mineCases[at].board, 6, 9, FIELDS[at]);
    assert.deepEqual({ verdict, wins }, { verdict: 'Xiemao', wins: 1 }, FIELDS[at]);
    assert.ok(openings >= 2 && least >= 6 && least <= 16, FIELDS[at]);
  }
});
