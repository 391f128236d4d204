// Large requests: what they cost, compared with the sum of the unavoidable parts.
//
// The parts are measured warm and without a server (parts.c): cJSON's parser for each case, with memory from a bump allocator; the
// solver on decoded inputs; and a copy of the answer's bytes in place of encoding it. They don't include the rest of the server's
// work: moving the bytes through the socket, checking the JSON, decoding its tree, formatting the answer's numbers. `api` includes
// everything but the socket. For the server, "cold" is the first request and "warm" the best of the later ones; each is the minimum
// over several processes. There is only one worker because the parts run on one thread: on two cores that are threads of the same
// physical core, 100 games take 70 ms of CPU instead of 43.

import { start } from '../tests/server/arbiter.mjs';
import { Asker, body, cpu, parts, print, printNoise, verdict } from './measure.mjs';

const REQUESTS = [
  ['1000 x 1000 as rows, 20 %', '/mine', 'rows'],
  ['500 x 1000, 10^5 mines as pairs', '/mine', 'pairs'],
  ['100 games of 2000 moves', '/go', 'games'],
  ['100 legal games of 300 moves', '/go', 'legal'],
];
const PROCESSES = 5;
const ROUNDS = 5;
const MOST = 1.3;

/** The server's CPU in ms, for the first request and for each of the later ones. */
async function served(target, content) {
  const arbiter = await start(['--workers', 1]);
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

/** The minimum of each part over several processes: { parse: [cold, warm], … }. */
function least(times) {
  const of = (part, state) => Math.min(...times.map((time) => time[part][state]));
  return Object.fromEntries(['parse', 'solve', 'encode', 'api'].map((part) => [part, [of(part, 0), of(part, 1)]]));
}

const rows = [['request', 'MB', '', 'HTTP', 'api', 'parse', 'solve', 'encode', 'sum', 'ratio', 'target']];
for (const [title, target, name] of REQUESTS) {
  const content = await body(name);
  const costs = [];
  const times = [];
  for (let process = 0; process < PROCESSES; process += 1) {
    costs.push(await served(target, content));
    times.push(await parts('sum', name));
  }
  const part = least(times);
  for (const [state, word] of ['cold', 'warm'].entries()) {
    const http = Math.min(...costs.flatMap((of) => (state === 0 ? of[0] : of.slice(1))));
    const sum = part.parse[1] + part.solve[1] + part.encode[1];
    rows.push([title, (content.length / 1e6).toFixed(2), word, http.toFixed(1), part.api[state].toFixed(1),
      part.parse[1].toFixed(1), part.solve[1].toFixed(1), part.encode[1].toFixed(2), sum.toFixed(1),
      (http / sum).toFixed(2), verdict(http / sum <= MOST)]);
  }
}
print('large: one request, ms of CPU', `target: HTTP at most ${MOST} times the sum of parse, solve and encode (a copy)`, rows);
printNoise();
