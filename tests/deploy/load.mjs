// Puts mixed load on a balancer: small questions, batches, searches, and bodies larger than its buffer. This process sends HTTP/1.1
// requests and compares each answer with the first one of its kind, while h2load sends HTTP/2 requests.

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { hardBoard, mineBoard, randomFrom } from '../server/bodies.mjs';
import { GIVE_UP, pause } from '../server/client.mjs';

const PAWN = { board: ['..#.', 'O..O', '....', '.X..'] };
const GO = { size: 5, moves: [['B', 1, 0], ['W', 0, 0], ['B', 0, 1], ['W', 1, 1]] };
const MINE = { board: ['...*', '*...', '....'] };

/** The questions. `share` is how many out of a hundred requests ask it; `fits`, whether it fits into the buffer and can be retried. */
const QUESTIONS = [
  { name: 'pawn', share: 30, fits: true, target: '/pawn', body: PAWN },
  { name: 'go', share: 25, fits: true, target: '/go', body: GO },
  { name: 'mine', share: 25, fits: true, target: '/mine', body: MINE },
  { name: 'link', share: 8, fits: true, target: `/mine?case=${encodeURIComponent(JSON.stringify(MINE))}` },
  { name: 'batch', share: 6, fits: true, target: '/go', body: { cases: Array(100).fill(GO) } },
  { name: 'search', share: 3, fits: true, target: '/mine', body: { board: mineBoard(randomFrom(1), 170, 170, 0.1), states: 2000 } },
  { name: 'large', share: 3, fits: false, target: '/mine', body: { board: hardBoard(randomFrom(1)), states: 500 } },
].map((question) => ({ ...question, body: question.body && JSON.stringify(question.body) }));

/** The settings for one run of h2load. */
const HTTP2 = { connections: 4, rate: 50, requests: 100 };

/**
 * Runs h2load over TLS, with HTTP/2 unless `http1` is set. Sends `requests` requests on `connections` connections, `rate` a second on
 * each connection (default: without pauses). Returns the status and time of each answer, and h2load's output. `within` is the time
 * limit in milliseconds.
 */
export async function loadWithTls(port, { requests, connections, rate, streams = 4, http1 = false, body, within = GIVE_UP }) {
  const folder = mkdtempSync(join(tmpdir(), 'arbiter-load-'));
  const file = join(folder, 'body'), log = join(folder, 'times');
  writeFileSync(file, body);
  const command = [...(http1 ? ['--h1'] : []), ...(rate === undefined ? [] : ['--rps', rate]), '-n', requests, '-c', connections,
    '-t', 1, '-m', streams, '--log-file', log, '-d', file, '-H', 'content-type: application/json',
    `https://127.0.0.1:${port}/pawn`].map(String);
  try {
    const { stdout } = await promisify(execFile)('h2load', command, { timeout: within });
    const rows = readFileSync(log, 'latin1').trim().split('\n').map((line) => line.split('\t').map(Number));
    return { rows: rows.map(([, status, microseconds]) => ({ status, milliseconds: microseconds / 1e3 })), stdout };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Sends one request, and resolves to { status, headers, text, milliseconds }. Rejects if there is no complete answer. */
export function askOnce(port, { target, body, headers, method = body === undefined ? 'GET' : 'POST' }, { agent, ca, localAddress }) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const asked = request({
      host: '127.0.0.1', port, path: target, method, agent, ca, localAddress,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }), ...headers },
    }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => { text += part; });
      answer.on('error', reject).on('end', () =>
        resolve({ status: answer.statusCode, headers: answer.headers, text, milliseconds: performance.now() - began }));
    });
    asked.on('error', reject).end(body);
  });
}

/** Load that runs until it is stopped. `count` is the number of results so far. */
export class Load {
  /** The results over HTTP/1.1 and HTTP/2: { name, fits, milliseconds, failed: null or the reason }. */
  results = [];
  #stopped = false;
  #turn = 0;

  /** Starts the load. Each client sends its next request `pace` milliseconds after the answer to the previous one. */
  static async start(cluster, { clients = 4, pace = 0 } = {}) {
    const load = new Load();
    load.port = cluster.port;
    load.ca = cluster.certificate;
    load.agent = new Agent({ keepAlive: true, maxSockets: clients, ca: load.ca });
    load.expected = new Map();
    for (const question of QUESTIONS) {
      const { status, text } = await askOnce(load.port, question, load);
      if (status !== 200) throw new Error(`${question.name} was answered ${status}: ${text}`);
      load.expected.set(question.name, text);
    }
    load.running = [...Array.from({ length: clients }, () => load.#ask(pace)), load.#askInHttp2()];
    return load;
  }

  #next() {
    // Because 37 and 100 have no common divisor, this visits all hundred in a mixed order.
    this.#turn = (this.#turn + 37) % 100;
    let left = this.#turn;
    return QUESTIONS.find(({ share }) => (left -= share) < 0);
  }

  async #ask(pace) {
    while (!this.#stopped) {
      const question = this.#next();
      const began = performance.now();
      let failed = null;
      try {
        const { status, text } = await askOnce(this.port, question, this);
        if (status !== 200) failed = `${status} ${text}`;
        else if (text !== this.expected.get(question.name)) failed = `another answer: ${text}`;
      } catch (error) {
        failed = error.code ?? error.message;
      }
      this.results.push({ name: question.name, fits: question.fits, milliseconds: performance.now() - began, failed });
      if (pace > 0) await pause(pace);
    }
  }

  async #askInHttp2() {
    while (!this.#stopped) {
      const { rows, stdout } = await loadWithTls(this.port, { ...HTTP2, body: QUESTIONS[0].body });
      for (const { status, milliseconds } of rows)
        this.results.push({ name: 'http2', fits: true, milliseconds, failed: status === 200 ? null : `status ${status}` });
      // h2load prints no row for a request that got no answer.
      for (let n = rows.length; n < HTTP2.requests; n += 1) this.results.push({ name: 'http2', fits: true, milliseconds: 0, failed: stdout });
    }
  }

  /** Stops sending, waits for the requests in flight, and returns all results. */
  async stop() {
    this.#stopped = true;
    await Promise.all(this.running);
    this.agent.destroy();
    const fit = this.results.filter(({ fits }) => fits);
    const large = this.results.filter(({ fits }) => !fits);
    const failed = (list) => list.filter((result) => result.failed !== null);
    return {
      requests: fit.length,
      failed: failed(fit),
      large: large.length,
      largeFailed: failed(large),
      times: fit.map(({ milliseconds }) => milliseconds),
    };
  }
}
