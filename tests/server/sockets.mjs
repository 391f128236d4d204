// Reads the state of the kernel's socket buffers for connections to a program from /proc/net/tcp: bytes not yet read, and clients whose
// buffers are full.

import { readFileSync } from 'node:fs';

import { until } from './client.mjs';

const LINE = /^ *\d+: [0-9A-F]+:([0-9A-F]+) [0-9A-F]+:([0-9A-F]+) ([0-9A-F]+) ([0-9A-F]+):([0-9A-F]+) ([0-9A-F]+):/gm;
const [ESTABLISHED, CLOSE_WAIT, LISTEN] = [0x01, 0x08, 0x0a];
const PROBES_WINDOW = 4; // the timer that is active if a socket has bytes to send, none in flight, and a closed window

/**
 * All IPv4 TCP sockets. `onTheWay` is the number of bytes that the peer hasn't acknowledged yet, `unread` the number of bytes that have
 * arrived but haven't been read. For a listening socket, `unread` is the number of connections waiting to be accepted.
 */
function sockets() {
  return [...readFileSync('/proc/net/tcp', 'latin1').matchAll(LINE)].map(([, ...fields]) => {
    const [local, remote, state, onTheWay, unread, timer] = fields.map((field) => parseInt(field, 16));
    return { local, remote, state, onTheWay, unread, timer };
  });
}

/**
 * The inodes of the server's socket for a connection between these ports, over IPv4 or IPv6; empty until it is accepted. If the two
 * port numbers are equal (on different addresses), the client's socket is included.
 */
export function inodesOf(serverPort, clientPort) {
  const hex = (port) => port.toString(16).toUpperCase().padStart(4, '0');
  const row = new RegExp(`^ *\\d+: [0-9A-F]+:${hex(serverPort)} [0-9A-F]+:${hex(clientPort)}(?: +\\S+){6} +(\\d+)`, 'gm');
  return ['tcp', 'tcp6'].flatMap((name) => [...readFileSync(`/proc/net/${name}`, 'latin1').matchAll(row)].map(([, inode]) => inode))
    .filter((inode) => inode !== '0');
}

/** Waits until the program has accepted all connections, and has read and processed everything sent to it. */
export async function untilRead(arbiter) {
  const isServed = ({ local, state }) => local === arbiter.port && [ESTABLISHED, CLOSE_WAIT, LISTEN].includes(state);
  const isSent = ({ remote, onTheWay }) => remote === arbiter.port && onTheWay !== 0;
  await until('the program has read all', () => !sockets().some((socket) => isSent(socket) || (isServed(socket) && socket.unread !== 0)));
  await arbiter.ask({ target: '/livez' }); // once the event loop answers this, it has processed everything that it read before
}

/** Finds the socket with these two ports. One is not enough: connections of other programs can have the same local port. */
const withPorts = (localPort, remotePort) => ({ local, remote }) => local === localPort && remote === remotePort;

/** Waits until the program has read everything that this client has sent, or has closed the connection. */
export async function untilTaken(connection) {
  const { localPort, remotePort } = connection, isOwn = withPorts(localPort, remotePort), isPrograms = withPorts(remotePort, localPort);
  await until('the program has read what a client has sent', () => connection.ended !== null || !sockets().some(
    (socket) => (isOwn(socket) && socket.onTheWay !== 0) || (isPrograms(socket) && socket.unread !== 0)));
}

/** Waits until this client's half-close has reached the program's socket, though the program may not have noticed it yet. */
export function untilHalfClosed({ localPort, remotePort }) {
  const isPrograms = withPorts(remotePort, localPort);
  return until('the end of what the client sends has arrived', () => sockets().some((socket) => isPrograms(socket) && socket.state === CLOSE_WAIT));
}

/** Waits until the program can send nothing more on a connection because its client isn't reading. */
export function untilReaderIsFull({ localPort, remotePort }) {
  const isPrograms = withPorts(remotePort, localPort);
  return until('the reader is full', () => sockets().some((socket) => isPrograms(socket) && socket.timer === PROBES_WINDOW));
}

/** For each connection to a program, the number of bytes in the kernel's buffers that haven't been sent, and that haven't been read. */
export function buffersOf(port) {
  return sockets().filter(({ local, state }) => local === port && state === ESTABLISHED)
    .map(({ onTheWay, unread }) => ({ unsent: onTheWay, unread }));
}
