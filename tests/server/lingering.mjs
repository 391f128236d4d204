// Clients that are refused before they have sent their body, and stay connected. Their connections linger (see connection_linger in
// api/server/connection.h).

import assert from 'node:assert/strict';
import net from 'node:net';

import { JSON_TYPE } from './bodies.mjs';
import { eventOf, formatRequest } from './client.mjs';

const HEAD = formatRequest({ method: 'POST', target: '/mine', headers: { ...JSON_TYPE, 'Content-Length': 1e9 } });

/** Connects a client and waits until it has read its refusal. It keeps its side of the connection open until it is destroyed. */
export async function beginLingering(arbiter) {
  const socket = net.connect({ port: arbiter.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {}); // when it stops lingering, the program resets the connection
  socket.write(HEAD);
  let text = '';
  socket.on('data', (data) => (text += data));
  await eventOf(socket, 'end', 'its answer ends');
  assert.match(text, /^HTTP\/1.1 413 /);
  return socket;
}
