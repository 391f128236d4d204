// The servers under test, one for each set of options, shared by all tests. They use the client from tests/server. If a request
// crashes a server, it is restarted, so that one bug makes only one test fail.

import { start } from '../server/arbiter.mjs';
import { connect, formatRequest } from '../server/client.mjs';

// Servers are killed when this process exits. This makes it exit when it receives one of these signals, too.
for (const [signal, number] of Object.entries({ SIGHUP: 1, SIGINT: 2, SIGTERM: 15 })) {
  process.once(signal, () => process.exit(128 + number));
}

// Formats a request. A POST without a body gets Content-Length: 0.
export const requestBytes = ({ raw, ...request }) =>
  raw ?? formatRequest(request.method === 'POST' ? { ...request, body: request.body ?? '' } : request);

// Sends one request over a connection and reads the answer.
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

  // Connects to the server with these options. If that server has exited unnoticed, starts a new one and connects to it.
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

  // Stops all servers. Each must exit with status 0 and without a sanitizer report.
  async stop() {
    const servers = await Promise.all(this.#running.values());
    await Promise.all(servers.map((server) => server.stop()));
  }
}
