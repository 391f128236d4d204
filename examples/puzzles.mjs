// Find puzzles for the crossing pawn: boards with exactly one winning move, and a long way to the win.
//
//     node examples/puzzles.mjs [COUNT]        set ARBITER to the path of the program (default: build/arbiter)
//
// Writes random boards to a pipe, one per line, without end. `arbiter solve` solves them on all processors and prints one line for
// each. Every puzzle is printed with its solution.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { pipeline, Readable } from 'node:stream';

const ROWS = 5, COLUMNS = 5, LEAST_STEPS = 7;
let wanted = Number(process.argv[2] ?? 3);

const below = (limit) => Math.floor(Math.random() * limit);

/** A board with a few obstacles, two red pieces, and the pawn below the first row. */
function board() {
  const cells = Array.from({ length: ROWS * COLUMNS }, () => (below(5) === 0 ? '#' : '.'));
  cells[COLUMNS + below(cells.length - COLUMNS)] = 'X';
  for (let red = 0; red < 2;) {
    const cell = below(cells.length);
    if (cells[cell] === 'X' || cells[cell] === 'O') continue;
    cells[cell] = 'O';
    red += 1;
  }
  return Array.from({ length: ROWS }, (_, row) => cells.slice(row * COLUMNS, (row + 1) * COLUMNS).join(''));
}

function* lines() {
  for (;;) yield `${JSON.stringify(board())}\n`;
}

const options = ['solve', 'pawn', '--from', 'ndjson', '--include', 'case,moves'];
const arbiter = spawn(process.env.ARBITER ?? 'build/arbiter', options, { stdio: ['pipe', 'pipe', 'inherit'] });
pipeline(Readable.from(lines()), arbiter.stdin, () => {}); // waits while the pipe is full, and ends with the program

for await (const line of createInterface({ input: arbiter.stdout })) {
  const { case: question, steps, moves } = JSON.parse(line); // with "case", each result repeats its board
  const wins = moves.filter(({ verdict }) => verdict === 'Red');
  if (wins.length !== 1 || moves.length === 1 || steps < LEAST_STEPS) continue;
  console.log(`${question.board.join('\n')}\nRed wins in ${steps} moves: ${wins[0].from} to ${wins[0].to}\n`);
  wanted -= 1;
  if (wanted === 0) break;
}
arbiter.kill();
