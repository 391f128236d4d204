// Memory: the server's memory at the start, after a hundred bodies of 20 MB, after many clients at once, and after clients have hung
// up during long searches, each followed by some small requests. Also its peak, compared with the sum in docs/sizing.md ("Memory").
//
// "The start" is after the first small requests, when everything that any request needs has been allocated. The bodies alternate
// between a batch of fields as rows and a batch of games with almost as many values as allowed, both padded with blanks; `[1,1,…]`
// with as many values as fit, which is refused once they are counted; and `[1,1,…]` with almost as many as allowed, which is refused
// only after its tree has been built.

import { setTimeout as sleep } from 'node:timers/promises';

import { start } from '../tests/server/arbiter.mjs';
import { connect } from '../tests/server/client.mjs';
import { Asker, body, bodyFile, JSON_TYPE, load, print, printNoise, slowFields, verdict } from './measure.mjs';

const WORKERS = 2;
const LONG_WORKERS = 1;
const CONNECTIONS = 256;
const SIZE = 20e6;
const BODIES = 100;
const MOST_VALUES = 3_990_000; // max_json_values is 4,000,000
const MOST_MOVES = 100_000; // of a game
const MOST_GROWTH = 20; // MB
const CROWD = 24; // clients at once
const CROWD_ROUNDS = 4;
const SEARCHED = 3000; // milliseconds until the clients of slow fields hang up
const SMALL = '{"board":["...",".*.","..."]}';
const SMALL_SECONDS = 2;
const SMALL_RATE = 2000;

const batch = (cases) => `{"cases":[${cases.join(',')}]}`;
const ones = (count) => `[${'1,'.repeat(count - 1)}1]`;

async function fields() {
  const field = await body('rows');
  return batch(Array(Math.floor(SIZE / (field.length + 1))).fill(field));
}

/** Games that repeat the same move. Each move has four values. */
function games() {
  const game = `{"moves":[${Array(MOST_MOVES).fill('["B",16,3]').join(',')}]}`;
  return batch(Array(Math.floor(MOST_VALUES / (4 * MOST_MOVES))).fill(game));
}

/** The sum in docs/sizing.md, in MB. */
function bound(limits) {
  const KiB = 1024;
  const MiB = KiB * KiB;
  const long = Math.max(96 * MiB, 16 * MiB + 640 * limits.max_moves,
    16 * MiB + 64 * limits.max_mine_cells + 256 * limits.max_search_states);
  return (limits.max_inflight_bytes + 96 * MiB * (WORKERS + 1) + long * LONG_WORKERS +
    4 * MiB * (WORKERS + LONG_WORKERS + 1) + 208 * KiB * CONNECTIONS + 64 * MiB) / 1e6;
}

/** Sends each slow field twice, from clients that hang up after some seconds. */
async function hangUp(arbiter) {
  const fields = slowFields();
  const connections = await Promise.all([...fields, ...fields].map(async (field) => {
    const connection = await connect(arbiter.port);
    connection.send({ method: 'POST', target: '/mine', headers: JSON_TYPE, body: field });
    return connection;
  }));
  await sleep(SEARCHED);
  for (const connection of connections) connection.close();
  return connections.length;
}

const kinds = [
  { ofTen: 4, target: '/mine', content: await fields(), status: 200 },
  { ofTen: 1, target: '/go', content: games(), status: 200 },
  { ofTen: 4, target: '/mine', content: ones(SIZE / 2), status: 413 },
  { ofTen: 1, target: '/mine', content: ones(MOST_VALUES), status: 422 },
];

const arbiter = await start(['--workers', WORKERS, '--long-workers', LONG_WORKERS, '--max-connections', CONNECTIONS]);
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
await afterwards(`${await hangUp(arbiter)} slow fields whose clients hung up`);
const [most, atMost] = [arbiter.memory('VmHWM'), bound(await arbiter.limits())];
rows.push([`peak (VmHWM); target: at most ${atMost.toFixed(0)}`, most.toFixed(1), '', verdict(most <= atMost)]);
for (const asker of [askSmall, ...crowd, ...turns.map((turn) => turn.asker)]) asker.close();
await arbiter.stop();
print('memory: resident memory of the server, MB', `target: at most ${MOST_GROWTH} MB more than at the start`, rows);
printNoise();
