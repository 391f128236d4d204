// Replicas behind the balancer that we ship: the program, HAProxy with docker/haproxy.cfg as it stands, a name server.
//
// What is put in by the environment are ports, paths, addresses, and the limits by address, for here all clients have one.
// The replicas listen on the same port of different addresses of loopback, as containers do: 127.0.0.2 and so on.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { start } from '../server/arbiter.mjs';
import { freePort, until } from '../server/client.mjs';
import { serveNames } from './names.mjs';

export const DOCKER = fileURLToPath(new URL('../../docker/', import.meta.url));
const NO_LIMIT = String(2 ** 31 - 1);

/** Options of a test that needs these programs: where one is missing it is skipped, and says so. */
export function missing(...programs) {
  const not = programs.filter((program) => spawnSync('which', [program]).status !== 0);
  return not.length === 0 ? {} : { skip: `there is no ${not.join(' and no ')} here` };
}

/** HAProxy with the configuration that we ship. Its log are lines of JSON. */
class Balancer {
  log = [];
  noise = '';
  left = null;
  #rest = '';

  constructor(env) {
    this.child = spawn('haproxy', ['-db', '-f', join(DOCKER, 'haproxy.cfg')],
      { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    this.exit = new Promise((resolve) => this.child.on('close', (code, signal) => {
      this.left = { code, signal };
      resolve(this.left);
    }));
    this.kill = () => this.child.kill('SIGKILL');
    process.on('exit', this.kill);
    this.child.stderr.setEncoding('utf8').on('data', (text) => { this.noise += text; });
    this.child.stdout.setEncoding('utf8').on('data', (text) => this.#onLog(text));
    this.socket = env.BALANCER_SOCKET;
  }

  #onLog(text) {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop();
    for (const line of lines) {
      if (line.startsWith('{')) this.log.push(JSON.parse(line));
      else this.noise += `${line}\n`;
    }
  }

  /** What the operator's socket answers. */
  ask(command) {
    return new Promise((resolve, reject) => {
      let answer = '';
      const socket = connect(this.socket, () => socket.write(`${command}\n`)).setEncoding('utf8');
      socket.on('data', (text) => { answer += text; }).on('end', () => resolve(answer)).on('error', reject);
    });
  }

  /** What it knows of its servers: rows of "show stat", by the names of its columns. */
  async replicas() {
    return (await this.#statistics()).filter(({ pxname, svname }) => pxname === 'replicas' && /^replica\d/.test(svname));
  }

  /** How many requests it has asked twice. */
  get askedTwice() {
    return this.log.filter(({ retries }) => retries !== '0').length;
  }

  async #statistics() {
    const [head, ...rows] = (await this.ask('show stat')).replace(/^# /, '').trim().split('\n').map((line) => line.split(','));
    return rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at]])));
  }

  async stop() {
    process.off('exit', this.kill);
    this.child.kill('SIGTERM');
    const timer = setTimeout(this.kill, 30_000);
    await this.exit;
    clearTimeout(timer);
  }
}

export class Cluster {
  /** By address. */
  replicas = new Map();
  #next = 2;

  /** Starts `count` replicas with these options, and the balancer, and waits until it has found them. */
  static async start({ count = 3, options = [], env = {} } = {}) {
    const cluster = new Cluster();
    cluster.options = options;
    cluster.folder = mkdtempSync(join(tmpdir(), 'arbiter-cluster-'));
    cluster.addresses = new Set();
    cluster.inside = await freePort();
    cluster.ops = await freePort();
    cluster.port = await freePort();
    cluster.metrics = await freePort();
    cluster.names = await serveNames(cluster.addresses);
    execFileSync(join(DOCKER, 'certificate'), [cluster.folder], { stdio: 'ignore' });
    cluster.certificate = readFileSync(join(cluster.folder, 'arbiter.pem'), 'utf8');
    for (let n = 0; n < count; n += 1) await cluster.add();
    cluster.balancer = new Balancer({
      ARBITER_REPLICAS: `arbiter.test:${cluster.inside}`,
      ARBITER_OPS_PORT: String(cluster.ops),
      BALANCER_DNS: `127.0.0.1:${cluster.names.port}`,
      BALANCER_LISTEN: `127.0.0.1:${cluster.port}`,
      BALANCER_METRICS: `127.0.0.1:${cluster.metrics}`,
      BALANCER_SOCKET: join(cluster.folder, 'socket'),
      BALANCER_CERTIFICATE: join(cluster.folder, 'arbiter.pem'),
      BALANCER_MOST_CONNECTIONS: NO_LIMIT,
      BALANCER_MOST_REQUESTS: NO_LIMIT,
      BALANCER_MOST_BYTES_IN: NO_LIMIT,
      BALANCER_MOST_BYTES_OUT: NO_LIMIT,
      ...env,
    });
    await cluster.up(count);
    return cluster;
  }

  /** The first replica: [address, program]. */
  one() {
    return this.replicas.entries().next().value;
  }

  /** Starts one more replica, which the balancer then finds by itself: its address. */
  async add() {
    const address = `127.0.0.${this.#next}`;
    this.#next += 1;
    await this.start(address);
    this.addresses.add(address);
    return address;
  }

  /** Starts the replica that has this address. */
  async start(address) {
    this.replicas.set(address, await start(
      ['--listen', address, '--ops-port', this.ops, '--trusted-proxy', '127.0.0.1', ...this.options], { port: this.inside }));
  }

  /** SIGTERM, and again as it was: what a rolling restart does to each. */
  async restart(address) {
    await this.replicas.get(address).stop();
    await this.start(address);
  }

  /** Takes one away for good: its name first, as an orchestrator does. */
  async remove(address) {
    this.addresses.delete(address);
    await this.replicas.get(address).stop();
    this.replicas.delete(address);
  }

  /** Waits until the balancer sends requests to exactly so many replicas, and doubts none of them ("UP 1/3"). */
  up(count) {
    return until(`${count} replicas are up`, async () => {
      if (this.balancer.left !== null) throw new Error(`the balancer left:\n${this.balancer.noise}`);
      const states = (await this.balancer.replicas().catch(() => [])).filter(({ status }) => status.startsWith('UP'));
      return states.length === count && states.every(({ status }) => status === 'UP');
    }, { every: 50 });
  }

  /** Ends it all, at once: how replicas leave is not what these tests are about. */
  async stop() {
    await this.balancer.stop();
    for (const replica of this.replicas.values()) {
      replica.signal('SIGKILL');
      await replica.exit;
      replica.checkReports();
    }
    this.names.close();
    rmSync(this.folder, { recursive: true });
  }
}
