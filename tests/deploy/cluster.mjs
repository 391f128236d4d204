// Replicas behind our balancer: the program, HAProxy with docker/haproxy.cfg, and a name server.
//
// The environment sets ports, paths, addresses and the per-address limits, because all clients here have the same address. As in
// containers, the replicas listen on the same port at different addresses, but on the loopback network. Each cluster has its own
// network (claimNetwork), and HAProxy inherits its listening sockets, so several clusters can run at the same time.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { start } from '../server/arbiter.mjs';
import { until } from '../server/client.mjs';
import { OPS_PORT, PORT, claimNetwork } from '../server/network.mjs';
import { serveNames } from './names.mjs';

export const DOCKER = fileURLToPath(new URL('../../docker/', import.meta.url));
const NO_LIMIT = String(2 ** 31 - 1);
/** The drain delay in seconds, as in docker/compose.cluster.yaml. */
export const DRAIN_DELAY = 3;

/** Options for a test that needs these programs: if one is missing, the test is skipped, and the reason names it. */
export function missing(...programs) {
  const not = programs.filter((program) => spawnSync('which', [program]).status !== 0);
  return not.length === 0 ? {} : { skip: `there is no ${not.join(' and no ')} here` };
}

/** A socket that listens on a port chosen by the kernel. */
function listening() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject).listen(0, '127.0.0.1', () => resolve(server));
  });
}

/** HAProxy with our configuration. Its log lines are JSON. */
class Balancer {
  log = [];
  noise = '';
  left = null;
  #rest = '';

  /** `sockets` are the listening sockets for clients and for Prometheus. This process closes its copies of them. */
  constructor(env, sockets) {
    this.child = spawn('haproxy', ['-db', '-f', join(DOCKER, 'haproxy.cfg')], {
      env: { PATH: process.env.PATH, BALANCER_LISTEN: 'fd@3', BALANCER_METRICS: 'fd@4', ...env },
      stdio: ['ignore', 'pipe', 'pipe', ...sockets.map(({ _handle: { fd } }) => fd)],
    });
    for (const socket of sockets) socket.close();
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

  /** Sends a command to HAProxy's operator socket, and returns the answer. */
  ask(command) {
    return new Promise((resolve, reject) => {
      let answer = '';
      const socket = connect(this.socket, () => socket.write(`${command}\n`)).setEncoding('utf8');
      socket.on('data', (text) => { answer += text; }).on('end', () => resolve(answer)).on('error', reject);
    });
  }

  /** The state of the replicas: rows from "show stat", as objects with the column names as keys. */
  async replicas() {
    return (await this.#statistics()).filter(({ pxname, svname }) => pxname === 'replicas' && /^replica\d/.test(svname));
  }

  /** The number of requests that the balancer retried. */
  get sentTwice() {
    return this.log.filter(({ retries }) => retries !== '0').length;
  }

  async #statistics() {
    const [head, ...rows] = (await this.ask('show stat')).replace(/^# /, '').trim().split('\n').map((line) => line.split(','));
    return rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at]])));
  }

  async stop() {
    process.off('exit', this.kill);
    this.kill();
    await this.exit;
  }
}

export class Cluster {
  /** The replicas, by address. */
  replicas = new Map();
  #next = 2;

  /**
   * Starts the balancer and `count` replicas with these options, and waits until the balancer has found the replicas. With
   * `stopClock`, the replicas' clocks are stopped (tests/server/clock.mjs).
   */
  static async start({ count = 3, options = [], env = {}, stopClock = false } = {}) {
    const cluster = new Cluster();
    cluster.options = options;
    cluster.stopClock = stopClock;
    cluster.network = await claimNetwork();
    cluster.folder = mkdtempSync(join(tmpdir(), 'arbiter-cluster-'));
    cluster.addresses = new Set();
    cluster.names = await serveNames(cluster.addresses);
    execFileSync(join(DOCKER, 'certificate'), [cluster.folder], { stdio: 'ignore' });
    cluster.certificate = readFileSync(join(cluster.folder, 'certificate.pem'), 'utf8');
    for (let n = 0; n < count; n += 1) await cluster.add();
    const sockets = [await listening(), await listening()];
    [cluster.port, cluster.metrics] = sockets.map((socket) => socket.address().port);
    cluster.balancer = new Balancer({
      ARBITER_REPLICAS: `arbiter.test:${PORT}`,
      ARBITER_OPS_PORT: String(OPS_PORT),
      BALANCER_DNS: `127.0.0.1:${cluster.names.port}`,
      BALANCER_SOCKET: join(cluster.folder, 'socket'),
      BALANCER_CERTIFICATE: join(cluster.folder, 'arbiter.pem'),
      BALANCER_ERRORS: join(DOCKER, 'errors'),
      BALANCER_MOST_CONNECTIONS: NO_LIMIT,
      BALANCER_MOST_IN_FLIGHT: NO_LIMIT,
      BALANCER_MOST_REQUESTS: NO_LIMIT,
      BALANCER_MOST_BYTES_IN: NO_LIMIT,
      BALANCER_MOST_BYTES_OUT: NO_LIMIT,
      ...env,
    }, sockets);
    await cluster.up(count);
    return cluster;
  }

  /** The first replica, as [address, program]. */
  one() {
    return this.replicas.entries().next().value;
  }

  /** Starts another replica, which the balancer will find, and returns its address. */
  async add() {
    const address = this.network.address(this.#next);
    this.#next += 1;
    await this.start(address);
    this.addresses.add(address);
    return address;
  }

  /** Starts the replica with this address. */
  async start(address) {
    this.replicas.set(address, await start(
      ['--listen', address, '--ops-port', OPS_PORT, '--trusted-proxy', '127.0.0.1', ...this.options],
      { port: PORT, stopClock: this.stopClock }));
  }

  /** Sends SIGTERM to a replica. If its clock is stopped, its drain delay ends once the balancer sends it no more requests. */
  async leave(address) {
    const replica = this.replicas.get(address);
    replica.signal('SIGTERM');
    if (replica.clock !== null) {
      await this.up(this.replicas.size - 1);
      replica.clock.run(DRAIN_DELAY * 1000);
    }
    await replica.leaves();
  }

  /** Sends SIGTERM to a replica, waits until it has exited, and starts it again, as a rolling restart does. */
  async restart(address) {
    await this.leave(address);
    await this.start(address);
  }

  /** Removes a replica, starting with its name, as an orchestrator does. */
  async remove(address) {
    this.addresses.delete(address);
    await this.leave(address);
    this.replicas.delete(address);
  }

  /** Waits until the balancer sends requests to exactly this many replicas, none of which has a failed check (such as "UP 1/3"). */
  up(count) {
    return until(`${count} replicas are up`, async () => {
      if (this.balancer.left !== null) throw new Error(`the balancer has ended:\n${this.balancer.noise}`);
      const states = (await this.balancer.replicas().catch(() => [])).filter(({ status }) => status.startsWith('UP'));
      return states.length === count && states.every(({ status }) => status === 'UP');
    }, { every: 50 });
  }

  /** Ends all programs immediately with SIGKILL, because these tests are not about how the programs exit. */
  async stop() {
    await this.balancer.stop();
    for (const replica of this.replicas.values()) {
      replica.signal('SIGKILL');
      await replica.exit;
      replica.checkReports();
    }
    this.names.close();
    this.network.release();
    rmSync(this.folder, { recursive: true });
  }
}
