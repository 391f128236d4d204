// Starts and stops the program under test.
//
// ARBITER_BINARY      the program (default: build/arbiter in this repository)
// ARBITER_WRAPPER     a command under which to run it, such as "setarch -R"
// ARBITER_SANITIZER   the sanitizers in the build: address,undefined, thread, none (the default)
// ARBITER_MICROHTTPD  the version of libmicrohttpd (default: the one in Debian 12)
// ARBITER_LOOPS       the number of event loops (default: 1)
//
// The child has a clean environment: of the ARBITER_ variables, it gets only those that the test sets. However the child ends, a
// sanitizer report on its standard error makes the test fail. Only children started here are killed, by their pid.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { GIVE_UP, ask, until } from './client.mjs';
import { TestClock } from './clock.mjs';
import { Leaks } from './leaks.mjs';

/** Whether the program was built with a sanitizer. */
export const SANITIZED = (process.env.ARBITER_SANITIZER ?? 'none') !== 'none';
const BINARY = process.env.ARBITER_BINARY ?? fileURLToPath(new URL('../../build/arbiter', import.meta.url));
const WRAPPER = (process.env.ARBITER_WRAPPER ?? '').split(/\s+/).filter((word) => word !== '');
/** The command that starts the program, and its arguments. */
export const COMMAND = [...WRAPPER, BINARY];
/** The number of event loops if a test doesn't set --io-threads. */
export const LOOPS = Number(process.env.ARBITER_LOOPS ?? 1);
/** The version of libmicrohttpd that the program uses. */
export const MICROHTTPD = process.env.ARBITER_MICROHTTPD ?? '0.9.75';
/** libmicrohttpd 1.0 and later refuses many requests itself, with an HTML page, and may send a 304 without Content-Length. */
export const NEW_MICROHTTPD = !MICROHTTPD.startsWith('0.');
/**
 * Versions from 1.0.3 on refuse more requests: those with more than one length, host or transfer coding, a transfer coding in
 * HTTP/1.0, or a NUL or a lone % in the path. An unknown coding is answered 501. Chunk extensions are parsed. 1.0.10 does all of this;
 * which of the earlier versions do is unknown.
 */
export const STRICT_MICROHTTPD = NEW_MICROHTTPD && !/^1\.0\.[0-2]$/.test(MICROHTTPD);
/** Whether the program closes a connection after a chunked body (see mhd_version_misreads_chunks). */
export const CLOSES_AFTER_CHUNKS = /^1\.0\.\d$/.test(MICROHTTPD);
const REPORT = /AddressSanitizer|ThreadSanitizer|LeakSanitizer|MemorySanitizer|UndefinedBehavior|runtime error:/;

const children = new Set();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

export class Arbiter {
  stdout = '';
  stderr = '';
  /** The log lines, parsed. */
  log = [];
  /** Lines on standard error that aren't JSON. */
  noise = [];
  port = 0;
  address = '';
  opsPort;
  /** The leak check to run before the program is stopped; null: none. */
  leaks = null;
  #rest = '';

  /**
   * If `stdin` is 'pipe', the caller can write to child.stdin. With `stopClock`, the clock that the program uses for its deadlines
   * stands still until `clock` moves it. `program` is the command for a different program to start.
   */
  constructor(args, { env = {}, under = [], stdin = 'ignore', stopClock = false, program = COMMAND } = {}) {
    this.clock = stopClock ? new TestClock() : null;
    const [command, ...before] = [...under, ...program];
    const clean = Object.entries(process.env).filter(([name]) => !name.startsWith('ARBITER_'));
    this.child = spawn(command, [...before, ...args], {
      env: { ...Object.fromEntries(clean), ...(LOOPS > 1 && { ARBITER_IO_THREADS: LOOPS }), ...this.clock?.environment, ...env },
      stdio: [stdin, 'pipe', 'pipe'],
    });
    children.add(this.child);
    this.child.stdout.setEncoding('utf8').on('data', (text) => {
      this.stdout += text;
    });
    this.child.stderr.setEncoding('utf8').on('data', (text) => this.#onStderr(text));
    /** Resolves to { code, signal } when the program has ended and all its output has been read. */
    this.exit = new Promise((resolve, reject) => {
      this.child.on('error', reject);
      this.child.on('close', (code, signal) => {
        children.delete(this.child);
        this.clock?.close();
        this.left = { code, signal };
        resolve(this.left);
      });
    });
    this.exit.catch(() => {});
    this.left = null;
  }

  get pid() {
    return this.child.pid;
  }

  /** A value from /proc/PID/status, such as VmRSS or VmHWM, in MB. */
  memory(line) {
    const status = readFileSync(`/proc/${this.pid}/status`, 'latin1');
    return Number(new RegExp(`^${line}:\\s*(\\d+) kB`, 'm').exec(status)[1]) * 1024 / 1e6;
  }

  #onStderr(text) {
    this.stderr += text;
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop();
    for (const line of lines) {
      try {
        this.log.push(JSON.parse(line));
      } catch {
        this.noise.push(line);
      }
    }
  }

  listeningLines() {
    return this.log.filter((line) => line.event === 'listening');
  }

  async listening() {
    await until('the program says that it listens', () => {
      if (this.left !== null) throw new Error(`it ended (${JSON.stringify(this.left)}) before it listened:\n${this.stderr}`);
      return this.listeningLines().length > 0;
    });
    const [line] = this.listeningLines();
    this.port = line.port;
    this.address = line.address;
    this.opsPort = line.ops_port;
  }

  /** Sends one request on a new connection. */
  ask(request, options) {
    return ask(this.port, request, options);
  }

  async limits() {
    const answer = await this.ask({ target: '/limits' });
    assert.equal(answer.status, 200, `GET /limits:\n${answer}`);
    return answer.json();
  }

  signal(name) {
    this.child.kill(name);
  }

  /** Waits for the program to exit, and checks its exit status and its standard error. */
  async leaves({ status = 0 } = {}) {
    let timer;
    const late = new Promise((_, reject) => {
      const say = () => reject(new Error(`the program has not left within ${GIVE_UP} ms; its log:\n${this.stderr}`));
      timer = setTimeout(say, GIVE_UP);
    });
    const left = await Promise.race([this.exit, late]).finally(() => clearTimeout(timer));
    this.checkReports();
    assert.deepEqual(left, { code: status, signal: null }, `exit status; its log:\n${this.stderr}`);
  }

  /** Closes all of the test's connections, and waits until the program has released everything that it held for them. */
  async checkLeaks() {
    this.clock?.run();
    await this.leaks?.check();
  }

  /** The number of idle connections that `start` opened for the leak check. */
  get idle() {
    return this.leaks?.idle.length ?? 0;
  }

  /** Stops the program with a signal. Before SIGTERM, closes all connections and checks for leaks (leaks.mjs). */
  async stop({ signal = 'SIGTERM', ...options } = {}) {
    try {
      if (signal === 'SIGTERM') await this.checkLeaks();
    } catch (error) {
      this.signal('SIGKILL'); // because Node doesn't exit while a child is running
      throw error;
    }
    this.clock?.run();
    this.signal(signal);
    await this.leaves(options);
  }

  checkReports() {
    assert.ok(!REPORT.test(this.stderr), `a sanitizer reports:\n${this.stderr}`);
  }

  /** The CPU time used so far by all threads of the program, in milliseconds. */
  processorTime() {
    const stat = readFileSync(`/proc/${this.pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  }

  /** Runs `begin`, then waits until the program has used this much more CPU time. */
  async untilBusy(begin, milliseconds = 100) {
    const before = this.processorTime();
    await begin();
    await until('the program is busy', () => this.processorTime() >= before + milliseconds, { every: 5 });
  }
}

/** Converts limits to command-line options: { max_cases: 3 } becomes --max-cases 3. */
export function optionsOf(values) {
  return Object.entries(values).flatMap(([name, value]) => [`--${name.replaceAll('_', '-')}`, String(value)]);
}

/**
 * Starts the program on a free port, optionally `under` another command, and waits until it listens. With `stopClock`, the clock
 * for its deadlines is stopped (clock.mjs).
 *
 * With `leaks`, the program must have released everything when it is stopped (leaks.mjs). For this check, an idle connection to each
 * event loop stays open until then, so the default head timeout is raised.
 */
export async function start(options = [], { port = 0, leaks = false, env = {}, ...more } = {}) {
  const args = [...(port === null ? [] : ['--port', port]), ...options].map(String);
  const arbiter = new Arbiter(args, { ...more, env: { ...(leaks && { ARBITER_HEAD_TIMEOUT: 3600 }), ...env } });
  const loops = args.includes('--io-threads') ? args[args.lastIndexOf('--io-threads') + 1] : env.ARBITER_IO_THREADS ?? LOOPS;
  try {
    await arbiter.listening();
    if (leaks) arbiter.leaks = await Leaks.watch(arbiter, Number(loops));
  } catch (error) {
    error.message += `\n(it ${arbiter.left === null ? 'runs' : `left: ${JSON.stringify(arbiter.left)}`}; its log:\n${arbiter.stderr})`;
    arbiter.signal('SIGKILL'); // because Node doesn't exit while a child is running
    throw error;
  }
  return arbiter;
}

/**
 * Starts the program, calls `body` with it, and stops it unless `body` has already done so. The program must exit with status 0 and
 * without a sanitizer report. Unless the test passes `leaks: false`, it must have released everything before it is stopped.
 */
export async function withArbiter(options, body, more) {
  const arbiter = await start(options, { leaks: true, ...more });
  try {
    await body(arbiter);
    if (arbiter.left === null) await arbiter.stop();
  } catch (error) {
    arbiter.checkReports();
    if (arbiter.left !== null) error.message += `\n(the program left: ${JSON.stringify(arbiter.left)})`;
    const unread = arbiter.stderr.slice(-2000);
    if (unread !== '') error.message += `\n(the end of its log:\n${unread})`;
    throw error;
  } finally {
    arbiter.leaks?.close();
    if (arbiter.left === null) arbiter.signal('SIGKILL');
  }
}

/**
 * libmicrohttpd has its own clock, and closes an inactive connection after the longest of the program's deadlines. With this option,
 * that takes an hour.
 */
export const NO_IDLE_END = ['--body-timeout', 3600];

/** Like withArbiter, with a stopped clock (clock.mjs) and a separate port for metrics. */
export function withStoppedClock(options, body, more) {
  return withArbiter([...options, '--ops-port', 0], body, { stopClock: true, ...more });
}

/** Runs the program, optionally `under` another command and with `input` on its standard input, and waits for it to exit. */
export async function run(args, { input, ...more } = {}) {
  const arbiter = new Arbiter(args.map(String), { ...more, stdin: input === undefined ? 'ignore' : 'pipe' });
  arbiter.child.stdin?.on('error', () => {}); // the program may exit before it has read everything
  arbiter.child.stdin?.end(input);
  const timer = setTimeout(() => arbiter.signal('SIGKILL'), GIVE_UP);
  const left = await arbiter.exit.finally(() => clearTimeout(timer));
  arbiter.checkReports();
  return { ...left, stdout: arbiter.stdout, stderr: arbiter.stderr };
}
