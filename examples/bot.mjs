// A bot for two-player Minesweeper.
//
//     node examples/bot.mjs [--at http://127.0.0.1:8080] FIELD.json [Xiemao|Fanglaoshi]
//
// The last argument says which player the bot plays; Xiemao, the default, clicks first. FIELD.json is a case: {"board": [...]}.
// Type your clicks as "ROW COLUMN", counting from 0 at the top left. The list of clicks is the only state: each question sends all of
// them, and the answer says whose turn it is, which clicks win, and what the players can see of the field.

import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

import { Arbiter, Problem } from '../web/arbiter.js';

const words = process.argv.slice(2);
const [address] = words[0] === '--at' ? words.splice(0, 2).slice(1) : ['http://127.0.0.1:8080'];
const arbiter = new Arbiter(address);
const { board } = JSON.parse(await readFile(words[0], 'utf8'));
const me = words[1] ?? 'Xiemao';
const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

const ask = (clicks) => arbiter.mine({ board, clicks, include: ['wins', 'face'] });

/** The safe cells that are still covered. */
const covered = (face) => face.flatMap((row, r) => [...row].flatMap((cell, c) => (cell === '#' && board[r][c] !== '*' ? [[r, c]] : [])));

const clicks = [];
let answer = await ask(clicks);
for (let cells; (cells = covered(answer.face)).length > 0;) {
  let click;
  if (answer.turn === me) {
    // `wins` is empty in a lost position, and null if the winning clicks aren't known.
    click = answer.wins?.[0] ?? cells[0];
    console.log(`${me} clicks ${click[0]} ${click[1]}`);
  } else {
    const { value, done } = await input.next();
    if (done) throw new Error('the game is not over');
    click = value.trim().split(/\s+/).map(Number);
  }
  try {
    answer = await ask([...clicks, click]);
    clicks.push(click);
  } catch (error) { // this cell can't be clicked
    if (!(error instanceof Problem)) throw error;
    console.error(error.message);
  }
}
console.log(`${answer.face.join('\n')}\n${answer.turn === 'Xiemao' ? 'Fanglaoshi' : 'Xiemao'} wins`);
process.exit();
