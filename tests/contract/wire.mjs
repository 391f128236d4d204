// The servers under test, one for each set of options, with the client from tests/server. Tests share them. If a request brings one
// down, it is restarted, so that one bug fails only one test.

import { start } from '../server/arbiter.mjs';
import { connect, formatRequest } from '../server/client.mjs';

// Servers are killed when this process ends, also by these signals.
for (const [signal, number] of Object.entries({ SIGHUP: 1, SIGINT: 2, SIGTERM: 15 })) {
  process.once(signal, () => process.exit(128 + number));
}

// The bytes of a request. A POST without a body gets Content-Length: 0.
export const requestBytes = ({ raw, ...request }) =>
  raw ?? formatRequest(request.method === 'POST' ? { ...request, body: request.body ?? '' } : request);

// Send one request over a connection and read its answer.
export function exchange(connection, request) {
  connection.expect(request.method ?? 'GET');
  connection.write(requestBytes(request));
  return connection.answer();
}

export class Servers {
  #running = new Map();

  async get(options = []) {
    const key = JSON.stringify(options);
    if ((await this.#running.get(key))?.left !== null) this.#running.set(key, start(options));
    return this.#running.get(key);
  }

  // Connects to a server with these options. If it has exited unnoticed, connects to its successor.
  async connect(options = []) {
    const server = await this.get(options);
    try {
      return await connect(server.port);
    } catch (error) {
      if (error.code !== 'ECONNREFUSED') throw error;
      await server.exit;
      return connect((await this.get(options)).port);
    }
  }

  // Sends one request on a new connection.
  async ask(request, options = []) {
    const connection = await this.connect(options);
    try {
      return await exchange(connection, request);
    } finally {
      connection.close();
    }
  }

  // All servers must exit with status 0 and without a sanitizer report.
  async stop() {
    const servers = await Promise.all(this.#running.values());
    await Promise.all(servers.map((server) => server.stop()));
  }
}
