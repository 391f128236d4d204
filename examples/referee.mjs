// A referee for Go records: which moves break the rules given in the record?
//
//     node examples/referee.mjs [--at http://127.0.0.1:8080] GAME.sgf...
//
// Prints a line for each legal game and for each illegal move. The exit status is 1 if a move is illegal or a record can't be read.

import { readFile } from 'node:fs/promises';

import { Arbiter, Problem } from '../web/arbiter.js';

const words = process.argv.slice(2);
const [address] = words[0] === '--at' ? words.splice(0, 2).slice(1) : ['http://127.0.0.1:8080'];
const arbiter = new Arbiter(address);

let good = true;
for (const name of words) {
  let number = 0;
  try {
    // `all` asks for every game of a collection. A stream gives each its own answer, even if another one can't be read.
    for await (const { problem, misses, played, rules } of arbiter.stream('go', await readFile(name), { type: 'application/x-go-sgf', game: 'all' })) {
      number += 1;
      const game = `${name}, game ${number}`;
      if (problem) console.log(`${game}: ${problem.detail}`);
      else if (misses.length === 0) console.log(`${game}: ${played} moves, all legal under ${rules.ko} ko (source: ${rules.source})`);
      else for (const { move, color, name: point, reason } of misses) console.log(`${game}: move ${move}, ${color} ${point}: ${reason}`);
      good = good && misses?.length === 0;
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    console.log(`${name}: ${error.message}`); // the whole file was refused
    good = false;
  }
}
process.exitCode = good ? 0 : 1;
