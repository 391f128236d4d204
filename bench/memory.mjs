// Memory: what the server holds at the start, after a hundred bodies of 20 MB, and after many clients at once, each time
// with small requests behind.
//
// The start is after the first few small requests, which touch what every request needs. The bodies, by turns: a batch
// of fields as rows; a batch of games with almost as many values as may be, padded with blanks; `[1,1,…]` with as many
// values as fill it, which is refused once they are counted; and `[1,1,…]` with almost as many as may be, whose tree is
// built before it is refused.

import { start } from '../tests/server/arbiter.mjs';
import { Asker, body, bodyFile, load, print, printNoise, verdict } from './measure.mjs';

const SIZE = 20e6;
const BODIES = 100;
const MOST_VALUES = 3_990_000; // max_json_values is 4,000,000
const MOST_MOVES = 100_000; // of a game
const MOST_GROWTH = 20; // MB
const CROWD = 24; // clients at once
const CROWD_ROUNDS = 4;
const SMALL = '{"board":["...",".*.","..."]}';
const SMALL_SECONDS = 2;
const SMALL_RATE = 2000;

const batch = (cases) => `{"cases":[${cases.join(',')}]}`;
const ones = (count) => `[${'1,'.repeat(count - 1)}1]`;

async function fields() {
  const field = await body('rows');
  return batch(Array(Math.floor(SIZE / (field.length + 1))).fill(field));
}

/** Games of one move again and again: each move is four values. */
function games() {
  const game = `{"moves":[${Array(MOST_MOVES).fill('["B",16,3]').join(',')}]}`;
  return batch(Array(Math.floor(MOST_VALUES / (4 * MOST_MOVES))).fill(game));
}

const kinds = [
  { ofTen: 4, target: '/mine', content: await fields(), status: 200 },
  { ofTen: 1, target: '/go', content: games(), status: 200 },
  { ofTen: 4, target: '/mine', content: ones(SIZE / 2), status: 413 },
  { ofTen: 1, target: '/mine', content: ones(MOST_VALUES), status: 422 },
];

const arbiter = await start();
const askSmall = new Asker(arbiter.port, '/mine', SMALL);
for (let request = 0; request < 10; request += 1) await askSmall.ask();
const first = arbiter.memory('VmRSS');
const rows = [['when', 'VmRSS', 'growth', 'target'], ['start', first.toFixed(1), '', '']];
const note = (when) => {
  const held = arbiter.memory('VmRSS');
  rows.push([when, held.toFixed(1), (held - first).toFixed(1), verdict(held - first <= MOST_GROWTH)]);
};

const turns = kinds.flatMap(({ ofTen, target, content, status }) => Array(ofTen).fill(
  { asker: new Asker(arbiter.port, target, content.padEnd(SIZE)), status }));
for (let request = 0; request < BODIES; request += 1) {
  const { asker, status } = turns[request % turns.length];
  await asker.ask({ status });
}
note(`after ${BODIES} bodies of ${SIZE / 1e6} MB`);
const small = { target: '/mine', file: bodyFile('small.json', SMALL), port: arbiter.port,
  requests: SMALL_SECONDS * SMALL_RATE, clients: 4, rate: SMALL_RATE };
const afterwards = async (what) => {
  const { good } = await load(small);
  note(`after ${what} and ${SMALL_SECONDS} s of small requests (${good} 2xx)`);
};
await afterwards('these');
const game = await body('games');
const crowd = Array.from({ length: CROWD }, () => new Asker(arbiter.port, '/go', game));
for (let round = 0; round < CROWD_ROUNDS; round += 1) await Promise.all(crowd.map((asker) => asker.ask()));
await afterwards(`${CROWD} clients at once, ${CROWD_ROUNDS} times 100 games`);
rows.push(['most at any time (VmHWM)', arbiter.memory('VmHWM').toFixed(1), '', '']);
for (const asker of [askSmall, ...crowd, ...turns.map((turn) => turn.asker)]) asker.close();
await arbiter.stop();
print('memory: what the server holds, MB', `target: at most ${MOST_GROWTH} MB more than at the start`, rows);
printNoise();
