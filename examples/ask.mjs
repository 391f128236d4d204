// Asking Arbiter from Node, with nothing but what Node has: node examples/ask.mjs [http://127.0.0.1:8080]

import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';

const arbiter = process.argv[2] ?? 'http://127.0.0.1:8080';

// One question, one answer. What is refused comes as a problem document, which says what is wrong, and where.
async function ask(route, question) {
  const response = await fetch(arbiter + route, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
  });
  const answer = await response.json();
  if (response.ok) return answer;
  throw Object.assign(new Error(answer.detail), answer);
}

// Who wins, and how? Without `include` there is only the verdict.
const board = ['..#.', 'O..O', '....', '.X..'];
const { verdict, steps, line } = await ask('/pawn', { board, turn: 'Red', include: ['line'] });
console.log(`pawn: ${verdict} wins after ${steps} moves, the first from ${line[0].from} to ${line[0].to}`);

// Which moves were not possible? A point is [row, column] from the top left, or a name such as C3.
const moves = [['B', 1, 0], ['B', 'B3'], ['W', 0, 0]];
const game = await ask('/go', { size: 3, moves });
for (const { move, reason } of game.misses) console.log(`go: move ${move} is a miss: ${reason}`);
console.log(`go: ${game.board.join(' ')}`);

// Many fields at once. The ids are yours; answers come in the order of the cases.
const cases = [{ id: 'a', board: ['...'] }, { id: 'b', rows: 1, cols: 3, mines: [[0, 1]] }];
const { results } = await ask('/mine', { cases });
for (const { id, verdict } of results) console.log(`mine: ${id} is won by ${verdict}`);

// As many as you like, a case a line. Each answer can be read as soon as it is known, and a bad case spoils nothing.
const stream = await fetch(`${arbiter}/mine`, {
  method: 'POST',
  headers: { 'content-type': 'application/x-ndjson' },
  body: await readFile(new URL('fields.ndjson', import.meta.url)),
});
for await (const line of createInterface({ input: Readable.fromWeb(stream.body) })) {
  const { verdict, problem } = JSON.parse(line);
  console.log(`line: ${problem ? problem.detail : verdict}`);
}

// A mistake: the place is a JSON Pointer into the question.
try {
  await ask('/pawn', { board: ['OOO', 'X..'] });
} catch ({ status, message, errors }) {
  console.log(`error: ${status} at ${errors[0].pointer}: ${message}`);
}
