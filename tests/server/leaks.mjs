// Checks that a program has released all of its clients' connections, requests, descriptors and bytes after they have disconnected.
//
// An idle connection to each event loop stays open throughout, and is older than every other connection in the test. libmicrohttpd
// searches for closed connections starting from the oldest, and stops at the first open one. Without the idle connection, this search
// could find closed connections in a test that it would never find in production.

import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

import { connect, hangUpAll, until } from './client.mjs';
import { areWorkersIdle, describe, metricsAt } from './samples.mjs';
import { inodesOf } from './sockets.mjs';

/** The pid of the process that serves: under a service manager, that of the manager's child. */
function processOf({ pid }) {
  return Number(/^\d+/.exec(readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1'))?.[0] ?? pid);
}

/** The open descriptors of a process, each in the form "7 socket:[123]". */
function descriptorsOf(pid) {
  return readdirSync(`/proc/${pid}/fd`).flatMap((number) => {
    try {
      return [`${number} ${readlinkSync(`/proc/${pid}/fd/${number}`)}`];
    } catch (error) {
      if (error.code === 'ENOENT') return []; // closed in the meantime
      throw error;
    }
  });
}

/** Whether the program has accepted this connection. (The connection could have reached another program on the same port.) */
function isAccepted({ pid, port }, connection) {
  const inodes = inodesOf(port, connection.localPort).map((inode) => `socket:[${inode}]`);
  return descriptorsOf(processOf({ pid })).some((descriptor) => inodes.includes(descriptor.split(' ')[1]));
}

export class Leaks {
  #arbiter;
  #before; // the descriptors that stay open

  /** The idle connections, one for each event loop. */
  idle = [];

  constructor(arbiter) {
    this.#arbiter = arbiter;
  }

  /** Opens the idle connections to a program that has this many event loops and no other clients yet. */
  static async watch(arbiter, loops) {
    const leaks = new Leaks(arbiter);
    const { address } = arbiter;
    // They come from a separate address, so that they don't count towards the limits of any client in the test.
    const from = address.startsWith('127.') ? { address, localAddress: '127.111.111.111' } : {};
    for (let loop = 0; loop < loops; loop += 1) leaks.idle.push(await connect(arbiter.port, from));
    try {
      await until('the idle connections are accepted', () => leaks.idle.every((connection) => isAccepted(arbiter, connection)));
    } catch (error) {
      const ports = leaks.idle.map(({ localPort, ended }) => `${localPort} (${ended ?? 'open'})`).join(', ');
      error.message += ` (to port ${arbiter.port} from ${ports})\n${readFileSync('/proc/net/tcp', 'latin1')}${descriptorsOf(processOf(arbiter)).join(', ')}`;
      throw error;
    }
    leaks.#before = new Set(descriptorsOf(processOf(arbiter)));
    return leaks;
  }

  /** Closes all other connections from this process to the program, and waits until the program has released everything. */
  async check({ hangUp = true } = {}) {
    const left = {};
    if (hangUp) hangUpAll(this.#arbiter.port, this.idle);
    try {
      // Check the descriptors first: unlike a request, this doesn't wake an event loop that has missed an event.
      await until('every descriptor is closed', () => this.#descriptors(left));
      await until('nothing is left', () => this.#metrics(left));
    } catch (error) {
      if (left.metrics === undefined) await this.#metrics(left).catch(() => {});
      error.message += `\n(left: ${Object.entries(left).map(([what, value]) => `${what}: ${value}`).join('\n')})`;
      throw error;
    }
  }

  close() {
    for (const connection of this.idle) connection.close();
  }

  #descriptors(left) {
    const more = descriptorsOf(processOf(this.#arbiter)).filter((descriptor) => !this.#before.has(descriptor));
    left.descriptors = more.join(', ');
    return more.length === 0;
  }

  /** Checks the metrics. The request for them is itself included in the counts, unless it goes to the ops port. */
  async #metrics(left) {
    const { opsPort, port, address } = this.#arbiter;
    const self = opsPort === undefined ? 1 : 0;
    const samples = await metricsAt(opsPort ?? port, opsPort === undefined ? { address } : {});
    left.metrics = describe(samples);
    const at = (key) => samples.get(key);
    const idle = this.idle.filter(({ ended }) => ended === null).length;
    return at('arbiter_connections') === idle + self && at('arbiter_requests_in_flight') === self &&
      at('arbiter_streams_open') === 0 && at('arbiter_inflight_bytes') === 0 && areWorkersIdle(at);
  }
}
