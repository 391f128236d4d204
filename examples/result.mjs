// The result of a Go record, with the dead stones that you name.
//
//     node examples/result.mjs [--at http://127.0.0.1:8080] [--rules RULES] GAME.sgf [POINT...]
//
// RULES is a name, such as japanese. Komi is the record's. Each POINT, such as D4, is a stone whose chain is dead. Prints who owns each
// point of the final board (B and W are living stones, b and w are points) and the result. The exit status is 1 if a point or the record
// is wrong.

import { readFile } from 'node:fs/promises';

import { Arbiter, Problem } from '../web/arbiter.js';

const words = process.argv.slice(2);
const options = { '--at': 'http://127.0.0.1:8080', '--rules': 'chinese' };
while (words[0] in options) {
  const [name, value] = words.splice(0, 2);
  options[name] = value;
}
const [file, ...dead] = words;

try {
  const sgf = await readFile(file, 'utf8');
  const { score, territory } = await new Arbiter(options['--at']).go({ sgf, rules: options['--rules'], dead, include: ['score', 'territory'] });
  console.log(territory.join('\n'));
  console.log(`Black ${score.B}, White ${score.W}, komi ${score.komi}: ${score.result} (${score.scoring} scoring)`);
  console.log(`dead stones: ${score.dead.B} black, ${score.dead.W} white`);
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
