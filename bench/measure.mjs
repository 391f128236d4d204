// Helpers for the benches of the running server: starting programs, processor time, load, and printing.
//
// ARBITER_BINARY  the program to measure (script/bench sets it)
//
// A server's CPU time comes from the scheduler, with nanosecond resolution, summed over all its threads, because elapsed times are too
// noisy on two cores. The share of CPU used by other programs is printed at the end; above 5 %, elapsed times are void.

import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { slowBoards } from '../tests/server/bodies.mjs';
import { connect, formatRequest } from '../tests/server/client.mjs';

const BUILT = fileURLToPath(new URL('../build-bench/bench/', import.meta.url));
const MOST_OUTPUT = 256 << 20;
const run = promisify(execFile);

const files = mkdtempSync(join(tmpdir(), 'arbiter-bench-'));
process.on('exit', () => rmSync(files, { recursive: true }));

/** Put before a command, this pins it to the last core, which server and client can share. */
export const PINNED = ['taskset', '-c', String(availableParallelism() - 1)];
/** The same for the first core. */
export const ELSEWHERE = ['taskset', '-c', '0'];

export const JSON_TYPE = { 'Content-Type': 'application/json' };

// --- numbers --------------------------------------------------------------------------------------------------------

/** The value below which this fraction of the values lies: 0.5 gives the median, 1 the maximum. */
export function quantile(values, fraction) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(fraction * sorted.length))];
}

export const median = (values) => quantile(values, 0.5);

export function shuffled(list) {
  const left = [...list];
  return list.map(() => left.splice(Math.floor(Math.random() * left.length), 1)[0]);
}

// --- processor time -------------------------------------------------------------------------------------------------

const threadCpu = (pid, thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0]) / 1e6;

/** The CPU that a process has used so far, in ms. Threads that have ended don't count. */
export const cpu = (pid) => readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + threadCpu(pid, thread), 0);
/** The CPU that a server's first event loop has used so far, in ms. It runs in the main thread. */
export const loopCpu = (pid) => threadCpu(pid, pid);

/** Clock ticks since the machine booted: all of them, and those used by programs other than this bench. */
function ticks() {
  const machine = readFileSync('/proc/stat', 'latin1').split('\n')[0].split(/ +/).slice(1, 9).map(Number);
  const self = readFileSync('/proc/self/stat', 'latin1');
  const fields = self.slice(self.lastIndexOf(')') + 2).split(' ').map(Number);
  const all = machine.reduce((sum, field) => sum + field, 0);
  const [, , , idle, waiting] = machine;
  const own = fields.slice(11, 15).reduce((sum, field) => sum + field, 0); // includes children that have ended
  return { all, others: all - idle - waiting - own };
}

const atFirst = ticks();

/** The share of the machine used by other programs since this bench started. Its own children must have ended. */
function othersUsed() {
  const now = ticks();
  return Math.max(0, now.others - atFirst.others) / (now.all - atFirst.all);
}

// --- programs -------------------------------------------------------------------------------------------------------

/** Runs a program from bench/ and returns its output. */
async function output(command, under = []) {
  const [program, ...args] = command;
  const [first, ...rest] = [...under, join(BUILT, program), ...args];
  return (await run(first, rest, { maxBuffer: MOST_OUTPUT })).stdout;
}

/** The small requests: target, body, and the microseconds to solve and to parse it. */
export async function smallRequests() {
  const table = await output(['bench', 'small'], PINNED);
  return [...table.matchAll(/^(\/\w+) +(\d+) +(\d+) +(.*)$/gm)].map(([, target, solver, parse, body]) => ({
    target, body, solver: Number(solver) / 1e3, parse: Number(parse) / 1e3,
  }));
}

/** Bodies with fields of 8 KB that take seconds to solve. */
export const slowFields = () => slowBoards().map((board) => JSON.stringify({ board }));

export const body = (name) => output(['parts', 'body', name]);
export const parts = async (table, name) => JSON.parse(await output(['parts', table, name]));

/** Starts a minimal server, pinned to the last core, that answers with these bytes and headers. `stop` ends it. */
export async function startBare(answer, headers) {
  const [first, ...rest] = [...PINNED, join(BUILT, 'bare'), answer, ...headers.flat()];
  const child = spawn(first, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  const kill = () => child.kill('SIGKILL');
  process.on('exit', kill);
  const left = new Promise((resolve) => child.on('close', resolve));
  const port = await new Promise((resolve, reject) => {
    child.stdout.once('data', (line) => resolve(Number(line)));
    left.then(() => reject(new Error('the bare server exited')));
  });
  return {
    port,
    pid: child.pid,
    async stop() {
      process.off('exit', kill);
      kill();
      await left;
    },
  };
}

// --- load -----------------------------------------------------------------------------------------------------------

/** Writes a body to a file for h2load. */
export function bodyFile(name, content) {
  const path = join(files, name);
  writeFileSync(path, content);
  return path;
}

/**
 * Runs h2load over HTTP/1.1 with one thread: sends `requests` requests on `clients` connections, as fast as possible or `rate` per
 * second. Resolves to the throughput, the number of 2xx, and, if there is a rate, the time of each request in ms.
 */
export async function load({ port, target, file, requests, clients, rate, under = [] }) {
  const log = join(files, 'times');
  const timed = rate === undefined ? [] : ['--rps', String(rate / clients), '--log-file', log];
  const command = [...under, 'h2load', '--h1', '-n', String(requests), '-c', String(clients), '-t', '1', ...timed,
    '-d', file, '-H', 'content-type: application/json', `http://127.0.0.1:${port}${target}`];
  rmSync(log, { force: true });
  const { stdout } = await run(command[0], command.slice(1), { timeout: 60_000 });
  const lines = rate === undefined ? [] : readFileSync(log, 'latin1').trim().split('\n');
  return {
    throughput: Number(/finished in [^,]+, ([\d.]+) req\/s/.exec(stdout)[1]),
    good: Number(/status codes: (\d+) 2xx/.exec(stdout)[1]),
    times: lines.map((line) => Number(line.split('\t')[2]) / 1e3),
  };
}

/**
 * Runs h2load for some seconds. Each connection sends its next request as soon as it gets a response, and reconnects if it is cut
 * off. Resolves to the numbers of 2xx and 5xx.
 */
export async function crowd({ port, target, file, clients, seconds, warmUp, under = [] }) {
  const command = [...under, 'prlimit', '--nofile=8192', 'h2load', '--h1', '-D', String(seconds),
    '--warm-up-time', String(warmUp), '-c', String(clients), '-t', '1', '-d', file,
    '-H', 'content-type: application/json', `http://127.0.0.1:${port}${target}`];
  const { stdout } = await run(command[0], command.slice(1), { timeout: 60_000 });
  const [, good, refused] = /status codes: (\d+) 2xx, \d+ 3xx, \d+ 4xx, (\d+) 5xx/.exec(stdout).map(Number);
  return { good, refused };
}

/**
 * Sends the same request repeatedly on a connection of its own. The bytes are prepared once, and timing starts when the kernel has
 * accepted the last of them.
 */
export class Asker {
  constructor(port, target, content) {
    this.port = port;
    this.bytes = formatRequest({ target, headers: JSON_TYPE, body: content });
  }

  /** Resolves to the response, and the ms from the end of the body to the end of the response. */
  async ask({ status = 200 } = {}) {
    this.connection ??= await connect(this.port);
    this.connection.expect('POST');
    await this.connection.write(this.bytes);
    const sent = performance.now();
    const answer = await this.connection.answer();
    if (answer.status !== status) throw new Error(`answered with ${answer}`);
    return { wall: performance.now() - sent, answer };
  }

  close() {
    this.connection?.close();
  }
}

// --- printing -------------------------------------------------------------------------------------------------------

/** Prints a title, the targets and a table. The first column is left-aligned, the others right-aligned. */
export function print(title, targets, rows) {
  console.log(`\n${title}\n${targets}`);
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? String(cell).padEnd(widths[column]) : String(cell).padStart(widths[column]));
    console.log(cells.join('  ').trimEnd());
  }
}

export const verdict = (met) => (met ? 'met' : 'MISSED');

/** The verdict on an elapsed time, which is void if other programs used much CPU. */
export const wallVerdict = (met) => (othersUsed() > 0.05 ? 'void' : verdict(met));

/** Prints the last line of a bench: how much CPU other programs used. */
export function printNoise() {
  console.log(`other programs used ${(100 * othersUsed()).toFixed(0)} % of the machine meanwhile`);
}
