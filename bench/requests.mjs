// Counts the instructions per request in the running server with callgrind: all threads, from the socket to the log.
//
// For each kind of request, the server is started twice, with one event loop, one short worker and log level info. One client sends
// requests one at a time on a single connection, and then SIGTERM ends the server. The two runs send different numbers of requests;
// dividing the difference in instructions by the difference in requests cancels out startup and shutdown. Each figure is the median
// of some rounds, and the scatter is their range. It is below 0.5 % for requests that the event loop answers. For requests in the
// queue it is a few percent, because threads interleave differently each time, and the loop runs more or fewer rounds.
//
//     node bench/requests.mjs            print the figures next to those in bench/request_instructions
//     node bench/requests.mjs --check    fail if one is too high: by 2 %, or 5 % for requests in the queue
//     node bench/requests.mjs --count    write them to bench/request_instructions
//
// libmicrohttpd clears a connection's memory after each request. libc uses `rep stosb` for that, and callgrind counts one instruction
// for each byte: 49,000, while the rest of the request takes 18,000. A real processor needs less than half a microsecond, so libc is
// told to use loops here. Set GLIBC_TUNABLES= in the environment to count the bytes.
//
// The figures include libmicrohttpd and libc, whose string functions also depend on the processor. The file records the versions that
// it was written with; with any others, nothing is compared.
//
// ARBITER_KINDS   the kinds to count, separated by commas (default: all)
// ARBITER_ROUNDS  number of rounds (default: 3, and 5 for requests in the queue)

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
/** The number of rounds, and the allowed ratio to the stored figure, by lane; probes have no lane. */
const LOOP = { rounds: 3, most: 1.02 }, QUEUE = { rounds: 5, most: 1.05 };
const ON_THE_LOOP = 4096; // bytes; a longer body goes straight to the queue
const PACKAGES = ['libmicrohttpd12', 'libc6', 'libcjson1', 'zlib1g', 'valgrind', 'gcc'];

// --- the requests ---------------------------------------------------------------------------------------------------

const json = JSON.stringify;
const post = (target, body, type = 'application/json') => ({ method: 'POST', target, headers: { 'Content-Type': type }, body });

const field = { board: ['*.', '..'] };
const board = { board: ['..#.', 'O..O', '....', '.X..'] }; // from README.md
const boardOf9 = ['.'.repeat(9), 'O.......O', `X${'.'.repeat(8)}`, ...Array(6).fill('.'.repeat(9))];

/** Each kind of request, with the lane that the log must report, and the number of requests in each of the two runs. */
const KINDS = {
  livez: { request: { method: 'GET', target: '/livez' } },
  mine: { request: post('/mine', json(field)), lane: 'io' },
  pawn: { request: post('/pawn', json(board)), lane: 'io' },
  // Padded with blanks, so that it is too long for the event loop and goes straight to the queue.
  'pawn-queued': { request: post('/pawn', json({ ...board, include: ['moves'] }) + ' '.repeat(ON_THE_LOOP)), lane: 'short' },
  // The event loop starts it, then passes it to the queue.
  'pawn-tried': { request: post('/pawn', json({ board: boardOf9 })), lane: 'short' },
  'mine-stream': {
    request: post('/mine', `${json(field)}\n`.repeat(100), 'application/x-ndjson'), lane: 'short', counts: [20, 120],
  },
};

const scatterOf = ({ lane }) => (lane === 'short' ? QUEUE : LOOP);

// --- counting -------------------------------------------------------------------------------------------------------

const files = mkdtempSync(join(tmpdir(), 'arbiter-requests-'));
process.on('exit', () => rmSync(files, { recursive: true }));

/** The instructions that a server executes while it answers this many requests. */
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

/** Instructions per request, in each round. */
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
print('requests: instructions per request, all threads',
  isComparable ? now : `stored with ${before.made}\nnow         ${now}`, rows);
if (mode === '--check' && isMore) process.exitCode = 1;
