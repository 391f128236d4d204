// Counts the instructions of a request in the running service, with callgrind: all threads, from the socket to the log.
//
// For each kind of request the server is started twice, with one event loop, one short worker and a log at level info. One client
// sends some requests on one connection, each after the answer to the one before; then SIGTERM ends the server. The difference of
// both runs, divided by the difference of their numbers of requests, has no part of the start and the end. Each figure is the
// median of some rounds; the scatter is their range. It is below 0.5 % for what the event loop answers. Requests in the queue
// scatter by some percent, because threads meet in a different order each time, and the loop goes round more or less often.
//
//     node bench/requests.mjs            print the figures beside those of bench/request_instructions
//     node bench/requests.mjs --check    fail if one is too far above: 2 %, or 5 % for requests in the queue
//     node bench/requests.mjs --count    write them to bench/request_instructions
//
// libmicrohttpd clears the memory of a connection after each request. libc does that with `rep stosb`, and callgrind counts an
// instruction for each byte: 49,000, for a request with 18,000 others. A real processor needs less than half a microsecond. So
// libc has to use loops here. GLIBC_TUNABLES= in the environment counts the bytes.
//
// The figures include libmicrohttpd and libc, whose functions for strings depend on the processor, too. The file has the versions
// that it was written with. With others nothing is compared.
//
// ARBITER_KINDS   the kinds to count, with commas (default: all)
// ARBITER_ROUNDS  how often (default: 3, and 5 for requests in the queue)

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { start } from '../tests/server/arbiter.mjs';
import { connect, formatRequest } from '../tests/server/client.mjs';
import { median, print } from './measure.mjs';

const STORED = fileURLToPath(new URL('request_instructions', import.meta.url));
const OPTIONS = ['--io-threads', 1, '--workers', 1, '--long-workers', 1, '--log-level', 'info'];
const TUNABLES = process.env.GLIBC_TUNABLES ??
  ['stosb', 'movsb'].map((one) => `glibc.cpu.x86_rep_${one}_threshold=100000000`).join(':');
/** How often, and the most times the stored figure, by lane; a probe has none. */
const LOOP = { rounds: 3, most: 1.02 }, QUEUE = { rounds: 5, most: 1.05 };
const ON_THE_LOOP = 4096; // bytes: a longer body goes to the queue without a try
const PACKAGES = ['libmicrohttpd12', 'libc6', 'libcjson1', 'zlib1g', 'valgrind', 'gcc'];

// --- the requests ---------------------------------------------------------------------------------------------------

const json = JSON.stringify;
const post = (target, body, type = 'application/json') => ({ method: 'POST', target, headers: { 'Content-Type': type }, body });

const field = { board: ['*.', '..'] };
const board = { board: ['..#.', 'O..O', '....', '.X..'] }; // that of README.md
const boardOf9 = ['.'.repeat(9), 'O.......O', `X${'.'.repeat(8)}`, ...Array(6).fill('.'.repeat(9))];

/** Each kind: the request, where it is solved by the log, and the numbers of requests of both runs. */
const KINDS = {
  livez: { request: { method: 'GET', target: '/livez' } },
  mine: { request: post('/mine', json(field)), lane: 'io' },
  pawn: { request: post('/pawn', json(board)), lane: 'io' },
  // Too long for the event loop because of its blanks, so the queue has it at once.
  'pawn-queued': { request: post('/pawn', json({ ...board, include: ['moves'] }) + ' '.repeat(ON_THE_LOOP)), lane: 'short' },
  // The event loop begins with it, and gives it to the queue.
  'pawn-tried': { request: post('/pawn', json({ board: boardOf9 })), lane: 'short' },
  'mine-stream': {
    request: post('/mine', `${json(field)}\n`.repeat(100), 'application/x-ndjson'), lane: 'short', counts: [20, 120],
  },
};

const scatterOf = ({ lane }) => (lane === 'short' ? QUEUE : LOOP);

// --- counting -------------------------------------------------------------------------------------------------------

const files = mkdtempSync(join(tmpdir(), 'arbiter-requests-'));
process.on('exit', () => rmSync(files, { recursive: true }));

/** The instructions of a server that answers this many requests. */
async function instructions({ request, lane }, count) {
  const file = join(files, 'callgrind');
  const arbiter = await start(OPTIONS, {
    under: ['valgrind', '--tool=callgrind', `--callgrind-out-file=${file}`], env: { GLIBC_TUNABLES: TUNABLES },
  });
  const connection = await connect(arbiter.port);
  const bytes = formatRequest(request);
  for (let sent = 0; sent < count; sent += 1) {
    connection.expect(request.method);
    await connection.write(bytes);
    const answer = await connection.answer();
    if (answer.status !== 200) throw new Error(`${request.target}: ${answer}`);
  }
  connection.close();
  await arbiter.stop();
  const other = arbiter.log.find((line) => line.event === 'request' && line.lane !== lane);
  if (other !== undefined) throw new Error(`not solved in the lane ${lane}: ${json(other)}`);
  return Number(/^totals: (\d+)/m.exec(readFileSync(file, 'latin1'))[1]);
}

/** Instructions of a request: the figures of all rounds. */
async function figures(kind) {
  const [few, many] = kind.counts ?? [200, 2200];
  const rounds = Number(process.env.ARBITER_ROUNDS ?? scatterOf(kind).rounds);
  const all = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = await instructions(kind, few);
    all.push((await instructions(kind, many) - before) / (many - few));
  }
  return all;
}

// --- the stored figures ---------------------------------------------------------------------------------------------

function versions() {
  const text = execFileSync('dpkg-query', ['-W', '-f', '${Package} ${Version}, ', ...PACKAGES], { encoding: 'utf8' });
  return `# ${text.replace(/, $/, '')}`;
}

function stored() {
  const [first, ...lines] = readFileSync(STORED, 'utf8').trim().split('\n');
  return { made: first, figures: new Map(lines.map((line) => line.split(/ +/)).map(([name, figure]) => [name, Number(figure)])) };
}

function verdictOf(ratio, most) {
  if (ratio === undefined) return 'not compared';
  if (ratio > most) return 'MORE';
  return ratio < 2 - most ? 'less: script/bench --count requests' : 'ok';
}

// --- the table ------------------------------------------------------------------------------------------------------

const [mode] = process.argv.slice(2);
const names = process.env.ARBITER_KINDS?.split(',') ?? Object.keys(KINDS);
const now = versions();
const results = new Map();
for (const name of names) results.set(name, await figures(KINDS[name]));

if (mode === '--count') {
  const lines = [...results].map(([name, all]) => `${name.padEnd(14)} ${median(all).toFixed(0)}`);
  writeFileSync(STORED, `${[now, ...lines].join('\n')}\n`);
}
const before = stored();
const isComparable = before.made === now;
const rows = [['request', 'stored', 'instructions', 'ratio', 'scatter', '']];
let isMore = false;
for (const [name, all] of results) {
  const figure = before.figures.get(name), ratio = isComparable && figure ? median(all) / figure : undefined;
  const { most } = scatterOf(KINDS[name]);
  isMore ||= ratio > most;
  rows.push([name, figure ?? '-', median(all).toFixed(0), ratio?.toFixed(3) ?? '-',
    `${(100 * (Math.max(...all) - Math.min(...all)) / median(all)).toFixed(2)} %`, verdictOf(ratio, most)]);
}
print('requests: instructions of all threads for a request',
  isComparable ? now : `stored with ${before.made}\nnow         ${now}`, rows);
if (mode === '--check' && isMore) process.exitCode = 1;
