// Small requests: Arbiter compared with a minimal libmicrohttpd server that sends the same bytes and headers.
//
// Server and client either share one core, or have one each. All servers run the whole time, and get short runs in random order. The
// table shows the minimum CPU per request and the median throughput. A second minimal server shows how much two identical servers
// differ: if the difference is more than 5 %, the row is void.
//
// Arbiter also has to parse and solve, so its CPU is compared with the sum for the minimal server, cJSON's parser (with memory from a
// bump allocator) and the solver. The rest is Arbiter's own overhead.

import { start } from '../tests/server/arbiter.mjs';
import {
  bodyFile, cpu, ELSEWHERE, JSON_TYPE, load, median, PINNED, print, printNoise, shuffled, smallRequests, startBare,
  verdict,
} from './measure.mjs';

const ROUNDS = 12;
const REQUESTS = 12_000;
const CLIENTS = 64;
const APART = 0.05;
const LEAST_THROUGHPUT = { '/pawn': 0.75, '/go': 0.64, '/mine': 0.9 }; // with two cores
const MOST_CPU = 1.15;
const OF_THE_SERVER = ['date', 'content-length', 'connection']; // headers that libmicrohttpd adds

/** The throughput and the CPU per request (us) of each run. */
class Runs {
  throughputs = [];
  costs = [];
  good = 0;

  constructor(server) {
    this.server = server;
  }

  async once(request, under) {
    const before = cpu(this.server.pid);
    const { throughput, good } = await load({ ...request, port: this.server.port, requests: REQUESTS,
      clients: CLIENTS, under });
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

async function row(arbiter, [arrangement, under], { target, body, solver, parse }) {
  const answer = await arbiter.ask({ target, headers: JSON_TYPE, body });
  const headers = answer.fields.filter(([name]) => !OF_THE_SERVER.includes(name.toLowerCase()));
  const bares = [await startBare(answer.text(), headers), await startBare(answer.text(), headers)];
  const [ours, bare, again] = [arbiter, ...bares].map((server) => new Runs(server));
  const request = { target, file: bodyFile('small.json', body) };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const runs of shuffled([ours, bare, again])) await runs.once(request, under);
  }
  for (const server of bares) await server.stop();

  const same = { throughput: again.throughput / bare.throughput, cost: again.cost / bare.cost };
  const isVoid = Object.values(same).some((ratio) => Math.abs(ratio - 1) > APART);
  const throughput = ours.throughput / bare.throughput;
  const sum = bare.cost + parse + solver;
  const cost = ours.cost / sum;
  const met = cost <= MOST_CPU && (arrangement === 'one core' || throughput >= LEAST_THROUGHPUT[target]);
  return [target, arrangement, body.length, answer.body.length, ours.throughput.toFixed(0), bare.throughput.toFixed(0),
    throughput.toFixed(3), same.throughput.toFixed(3), ours.cost.toFixed(2), bare.cost.toFixed(2), parse.toFixed(2),
    solver.toFixed(2), sum.toFixed(2), cost.toFixed(3), same.cost.toFixed(3),
    ours.good === ROUNDS * REQUESTS ? 'all' : ours.good, isVoid ? 'void' : verdict(met)];
}

const arbiter = await start(['--log-level', 'warn'], { under: PINNED });
const rows = [['route', 'client on', 'body', 'answer', 'req/s', 'bare', 'ratio', 'A/A', 'CPU', 'bare', 'cJSON', 'solver',
  'sum', 'ratio', 'A/A', '2xx', 'target']];
for (const request of await smallRequests()) {
  for (const arrangement of [['one core', PINNED], ['another', ELSEWHERE]]) {
    rows.push(await row(arbiter, arrangement, request));
  }
}
await arbiter.stop();
const targets = Object.entries(LEAST_THROUGHPUT).map(([target, least]) => `${target} ${least}`).join(', ');
print('http: small requests, Arbiter compared with a bare libmicrohttpd server; CPU in us per request',
  `targets: CPU at most ${MOST_CPU} of bare, cJSON and solver; with the client on another core throughput at least ` +
  `${targets} of the bare server's; A/A: bare beside bare`, rows);
printNoise();
