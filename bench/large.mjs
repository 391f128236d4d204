// Large requests: what they cost the server beside the sum of what they must cost at least.
//
// The sum is measured in process (parts.c): cJSON's parse with memory from a bump allocator, the solver on inputs that
// are decoded already, a copy of the answer's bytes in the place of its encoding. What the server does beyond is in no
// part: the bytes through the socket, the check of the JSON, the decoding of its tree, the digits of the answer. `api`
// is all of that but the socket, in process. Cold is the first time in a process, warm the best of later ones; of
// several processes the least counts.

import { start } from '../tests/server/arbiter.mjs';
import { Asker, body, cpu, parts, print, printNoise, verdict } from './measure.mjs';

const REQUESTS = [
  ['1000 x 1000 as rows, 20 %', '/mine', 'rows'],
  ['500 x 1000, 10^5 mines as pairs', '/mine', 'pairs'],
  ['100 games of 2000 moves', '/go', 'games'],
];
const PROCESSES = 3;
const ROUNDS = 5;
const MOST = 1.5;

/** Milliseconds of the server's CPU: the first request, and each of the later ones. */
async function served(target, content) {
  const arbiter = await start();
  const asker = new Asker(arbiter.port, target, content);
  const costs = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const before = cpu(arbiter.pid);
    await asker.ask();
    costs.push(cpu(arbiter.pid) - before);
  }
  asker.close();
  await arbiter.stop();
  return costs;
}

/** The least of each part over several processes: { parse: [cold, warm], … }. */
async function least(name) {
  const times = [];
  for (let process = 0; process < PROCESSES; process += 1) times.push(await parts('sum', name));
  const of = (part, state) => Math.min(...times.map((time) => time[part][state]));
  return Object.fromEntries(['parse', 'solve', 'encode', 'api'].map((part) => [part, [of(part, 0), of(part, 1)]]));
}

const rows = [['request', 'MB', '', 'HTTP', 'api', 'parse', 'solve', 'encode', 'sum', 'ratio', 'target']];
for (const [title, target, name] of REQUESTS) {
  const content = await body(name);
  const costs = [];
  for (let process = 0; process < PROCESSES; process += 1) costs.push(await served(target, content));
  const part = await least(name);
  for (const [state, word] of ['cold', 'warm'].entries()) {
    const http = Math.min(...costs.flatMap((of) => (state === 0 ? of[0] : of.slice(1))));
    const sum = part.parse[state] + part.solve[state] + part.encode[state];
    rows.push([title, (content.length / 1e6).toFixed(2), word, http.toFixed(1), part.api[state].toFixed(1),
      part.parse[state].toFixed(1), part.solve[state].toFixed(1), part.encode[state].toFixed(2), sum.toFixed(1),
      (http / sum).toFixed(2), verdict(http / sum <= MOST)]);
  }
}
print('large: one request, ms of CPU', `target: HTTP at most ${MOST} of the sum of parse, solve and encode (a copy)`, rows);
printNoise();
