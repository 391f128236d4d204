// Use Arbiter from Node, with its client: node examples/ask.mjs [http://127.0.0.1:8080]

import { readFile } from 'node:fs/promises';

import { Arbiter, Problem } from '../web/arbiter.js';

const arbiter = new Arbiter(process.argv[2] ?? 'http://127.0.0.1:8080');

// Who wins, and how? Without `include`, you get only the verdict.
const board = ['..#.', 'O..O', '....', '.X..'];
const { verdict, steps, line } = await arbiter.pawn({ board, turn: 'Red', include: ['line'] });
console.log(`pawn: ${verdict} wins after ${steps} moves, the first from ${line[0].from} to ${line[0].to}`);

// Which moves are illegal, who may play where, and what is the score? Points are [row, column] from the top left, or names.
const moves = [['B', 1, 0], 'B B3', ['W', 0, 0]];
const game = await arbiter.go({ size: 3, moves, rules: 'japanese', komi: 0.5, include: ['legal', 'score'] });
for (const { move, reason } of game.misses) console.log(`go: move ${move} is a miss: ${reason}`);
console.log(`go: ${game.legal.board.join(' ')}, ${game.legal.color} may play on ${game.legal.count} points, ${game.score.result}`);

// Many minefields at once. You choose the ids; answers come in the order of the questions.
const fields = [{ id: 'a', board: ['...'] }, { id: 'b', rows: 1, cols: 3, mines: [[0, 1]] }];
for (const { id, verdict } of await arbiter.batch('mine', fields)) console.log(`mine: ${id} is won by ${verdict}`);

// A stream: any number of questions, one per line. Each answer arrives as soon as it is known, and a bad question doesn't stop it.
const file = await readFile(new URL('fields.ndjson', import.meta.url));
for await (const { verdict, problem } of arbiter.stream('mine', file)) {
  console.log(`line: ${problem ? problem.detail : verdict}`);
}

// An error: a Problem says what is wrong, and a JSON Pointer says which part of the question.
try {
  await arbiter.pawn({ board: ['OOO', 'X..'] });
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  console.log(`error: ${error.status} at ${error.errors[0].pointer}: ${error.message}`);
}
