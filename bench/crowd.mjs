// Many connections: responses per second on 400 connections and on 4,000. Each connection sends its next request as soon as it gets
// a response.
//
// The server has one core and h2load the other; short runs alternate. The event loop answers small requests itself. Requests of
// about 6 KB go to the queue, which holds at most 1,024: on 4,000 connections, most are refused and sent again at once. Only 2xx
// count. If a refusal cost as much as an answer, an eighth of the throughput would be left.
//
// ARBITER_CROWD  seconds per run (default 2)

import { start } from '../tests/server/arbiter.mjs';
import {
  bodyFile, cpu, crowd, JSON_TYPE, median, ELSEWHERE, PINNED, print, printNoise, smallRequests, wallVerdict,
} from './measure.mjs';

const SECONDS = Number(process.env.ARBITER_CROWD ?? 2);
const WARM_UP = 1; // seconds, not counted
const ROUNDS = 5;
const FEW = 400;
const MANY = 4000;
const LEAST = 0.8;
const LARGE_BODY = 6_000;

/** A batch in a body of about 6 KB: too long for the event loop. */
function queued(request) {
  const one = JSON.parse(request.body);
  const count = Math.ceil(LARGE_BODY / request.body.length);
  return { ...request, body: JSON.stringify({ cases: Array(count).fill(one) }) };
}

async function row(arbiter, name, { target, body }) {
  const answer = await arbiter.ask({ target, headers: JSON_TYPE, body });
  if (answer.status !== 200) throw new Error(`${name}: ${answer}`);
  const file = bodyFile(`${name.replaceAll(/\W/g, '-')}.json`, body);
  const runs = { [FEW]: [], [MANY]: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const clients of [FEW, MANY]) {
      const before = cpu(arbiter.pid);
      const { good, refused } = await crowd({ port: arbiter.port, target, file, clients,
        seconds: SECONDS, warmUp: WARM_UP, under: ELSEWHERE });
      const used = (cpu(arbiter.pid) - before) / (SECONDS + WARM_UP) / 10;
      runs[clients].push({ good: good / SECONDS, refused: refused / SECONDS, used });
    }
  }
  const middle = (clients, member) => median(runs[clients].map((run) => run[member]));
  const ratio = middle(MANY, 'good') / middle(FEW, 'good');
  return [name, body.length, middle(FEW, 'good').toFixed(0), middle(MANY, 'good').toFixed(0),
    middle(FEW, 'refused').toFixed(0), middle(MANY, 'refused').toFixed(0),
    `${middle(FEW, 'used').toFixed(0)} %`, `${middle(MANY, 'used').toFixed(0)} %`, ratio.toFixed(2),
    wallVerdict(ratio >= LEAST)];
}

const arbiter = await start(['--max-connections', MANY + 96, '--log-level', 'warn'], { under: PINNED });
const rows = [['request', 'body', `2xx/s at ${FEW}`, `at ${MANY}`, `5xx/s at ${FEW}`, `at ${MANY}`,
  `CPU at ${FEW}`, `at ${MANY}`, 'ratio', 'target']];
for (const request of await smallRequests()) {
  rows.push(await row(arbiter, `${request.target} small`, request));
  rows.push(await row(arbiter, `${request.target} queued`, queued(request)));
}
await arbiter.stop();
print(`crowd: successful responses per second on ${FEW} and on ${MANY} connections`,
  `target: on ${MANY}, at least ${LEAST} times as many as on ${FEW}`, rows);
printNoise();
