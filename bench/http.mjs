// Small requests: Arbiter beside a bare libmicrohttpd server that answers the same bytes under the same headers.
//
// Server and client share one core; short runs on the servers in turns, shuffled, while all are alive. Of the CPU a
// request the least counts, of the throughput the median. A second bare server tells how far two equal ones are apart:
// more than 5 %, and the row is void. What Arbiter must do beyond answering is to solve, so its CPU is compared with
// that of the bare server and the solver together.

import { start } from '../tests/server/arbiter.mjs';
import {
  bodyFile, cpu, JSON_TYPE, load, median, PINNED, print, printNoise, shuffled, smallRequests, startBare, verdict,
} from './measure.mjs';

const ROUNDS = 12;
const REQUESTS = 12_000;
const CLIENTS = 64;
const APART = 0.05;
const LEAST_THROUGHPUT = 0.9;
const MOST_CPU = 1.25;
const OF_THE_SERVER = ['date', 'content-length', 'connection']; // headers that libmicrohttpd adds by itself

/** Throughput and microseconds of CPU a request, of each run. */
class Runs {
  throughputs = [];
  costs = [];
  good = 0;

  constructor(server) {
    this.server = server;
  }

  async once(request) {
    const before = cpu(this.server.pid);
    const { throughput, good } = await load({ ...request, port: this.server.port, requests: REQUESTS,
      clients: CLIENTS, under: PINNED });
    this.costs.push(1e3 * (cpu(this.server.pid) - before) / REQUESTS);
    this.throughputs.push(throughput);
    this.good += good;
  }

  get cost() {
    return Math.min(...this.costs);
  }

  get throughput() {
    return median(this.throughputs);
  }
}

async function row(arbiter, { target, body, solver }) {
  const answer = await arbiter.ask({ target, headers: JSON_TYPE, body });
  const headers = answer.fields.filter(([name]) => !OF_THE_SERVER.includes(name.toLowerCase()));
  const bares = [await startBare(answer.text(), headers), await startBare(answer.text(), headers)];
  const [ours, bare, again] = [arbiter, ...bares].map((server) => new Runs(server));
  const request = { target, file: bodyFile('small.json', body) };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const runs of shuffled([ours, bare, again])) await runs.once(request);
  }
  for (const server of bares) await server.stop();

  const same = { throughput: again.throughput / bare.throughput, cost: again.cost / bare.cost };
  const isVoid = Object.values(same).some((ratio) => Math.abs(ratio - 1) > APART);
  const throughput = ours.throughput / bare.throughput;
  const cost = ours.cost / (bare.cost + solver);
  return [target, body.length, answer.body.length, ours.throughput.toFixed(0), bare.throughput.toFixed(0),
    throughput.toFixed(3), same.throughput.toFixed(3), ours.cost.toFixed(2), bare.cost.toFixed(2), solver.toFixed(2),
    cost.toFixed(3), same.cost.toFixed(3), ours.good === ROUNDS * REQUESTS ? 'all' : ours.good,
    isVoid ? 'void' : verdict(throughput >= LEAST_THROUGHPUT && cost <= MOST_CPU)];
}

const arbiter = await start([], { under: PINNED });
const rows = [['route', 'body', 'answer', 'req/s', 'bare', 'ratio', 'A/A', 'CPU', 'bare', 'solver', 'ratio', 'A/A',
  '2xx', 'target']];
for (const request of await smallRequests()) rows.push(await row(arbiter, request));
await arbiter.stop();
print('http: small requests on one core, Arbiter beside a bare libmicrohttpd server; CPU in us a request',
  `targets: throughput at least ${LEAST_THROUGHPUT} of the bare server's, CPU at most ${MOST_CPU} of bare and solver; ` +
  'A/A: bare beside bare', rows);
printNoise();
