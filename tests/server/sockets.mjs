// The kernel's socket buffers for connections to a program (/proc/net/tcp): unread bytes, and clients whose buffers are full.

import { readFileSync } from 'node:fs';

import { until } from './client.mjs';

const LINE = /^ *\d+: [0-9A-F]+:([0-9A-F]+) [0-9A-F]+:([0-9A-F]+) ([0-9A-F]+) ([0-9A-F]+):([0-9A-F]+) ([0-9A-F]+):/gm;
const [ESTABLISHED, CLOSE_WAIT, LISTEN] = [0x01, 0x08, 0x0a];
const PROBES_WINDOW = 4; // the timer of a socket that has bytes to send, none in flight, and no window

/**
 * All TCP sockets over IPv4. `onTheWay` has the bytes that the peer has not acknowledged, `unread` the bytes that have arrived and
 * are not read. For a listening socket `unread` is the number of connections that are not accepted.
 */
function sockets() {
  return [...readFileSync('/proc/net/tcp', 'latin1').matchAll(LINE)].map(([, ...fields]) => {
    const [local, remote, state, onTheWay, unread, timer] = fields.map((field) => parseInt(field, 16));
    return { local, remote, state, onTheWay, unread, timer };
  });
}

/**
 * The inodes of the server's socket of a connection between these ports, over IPv4 or IPv6; none before it is accepted. If both have
 * the same number, at different addresses, there is the client's socket, too.
 */
export function inodesOf(serverPort, clientPort) {
  const hex = (port) => port.toString(16).toUpperCase().padStart(4, '0');
  const row = new RegExp(`^ *\\d+: [0-9A-F]+:${hex(serverPort)} [0-9A-F]+:${hex(clientPort)}(?: +\\S+){6} +(\\d+)`, 'gm');
  return ['tcp', 'tcp6'].flatMap((name) => [...readFileSync(`/proc/net/${name}`, 'latin1').matchAll(row)].map(([, inode]) => inode))
    .filter((inode) => inode !== '0');
}

/** Waits until the program has accepted all connections, and has read and handled all bytes. */
export async function untilRead(arbiter) {
  const isServed = ({ local, state }) => local === arbiter.port && [ESTABLISHED, CLOSE_WAIT, LISTEN].includes(state);
  const isSent = ({ remote, onTheWay }) => remote === arbiter.port && onTheWay !== 0;
  await until('the program has read all', () => !sockets().some((socket) => isSent(socket) || (isServed(socket) && socket.unread !== 0)));
  await arbiter.ask({ target: '/livez' }); // when the event loop answers this, it has handled what it read before
}

/** Waits until the program has read what this client has sent, or has closed the connection. */
export async function untilTaken(arbiter, connection) {
  const own = connection.localPort;
  await until('the program has read what a client has sent', () => connection.ended !== null || !sockets().some(
    (one) => (one.local === own && one.onTheWay !== 0) || ([arbiter.port, arbiter.opsPort].includes(one.local) && one.remote === own && one.unread !== 0)));
}

/** Waits until the end of what this client sends has arrived at the program, which may not have read it. */
export function untilHalfClosed(arbiter, { localPort }) {
  return until('the end of what the client sends has arrived', () => sockets().some(({ local, remote, state }) =>
    local === arbiter.port && remote === localPort && state === CLOSE_WAIT));
}

/** Waits until the program can send no more on a connection because its client does not read. */
export function untilReaderIsFull({ localPort }) {
  return until('the reader is full', () => sockets().some(({ remote, timer }) => remote === localPort && timer === PROBES_WINDOW));
}

/** For each connection to a program, the bytes in the kernel's buffers that are not sent yet and not read yet. */
export function buffersOf(port) {
  return sockets().filter(({ local, state }) => local === port && state === ESTABLISHED)
    .map(({ onTheWay, unread }) => ({ unsent: onTheWay, unread }));
}
