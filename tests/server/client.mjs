// A small HTTP/1.1 client on a raw socket.
//
// Node's client can't send a broken head, stop halfway, half-close, reset, write slowly, or pipeline. So a test writes the bytes
// itself (`formatRequest` produces correct ones), and this client parses the answers strictly: if an answer violates RFC 9112, the
// test fails.
//
//     const connection = await connect(port);
//     connection.send({ target: '/version' });
//     const answer = await connection.answer();      // the next final answer
//     await connection.closed();                     // the server has hung up
//
// Every wait fails after GIVE_UP, so a test fails if the server doesn't answer. No test uses GIVE_UP to measure time.

import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readSync } from 'node:fs';
import net from 'node:net';

/** Milliseconds after which a wait fails: long enough for the slowest machine. Set ARBITER_GIVE_UP lower to see failures sooner. */
export const GIVE_UP = Number(process.env.ARBITER_GIVE_UP ?? 120_000);
const SLICE = 64 * 1024;
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/;

/** The open client sockets of this process, including those opened by `fetch`. */
const open = new Set();

function register(socket) {
  open.add(socket);
  socket.once('close', () => open.delete(socket));
}
subscribe('net.client.socket', ({ socket }) => register(socket));

/** Closes all connections from this process to a port, except these. */
export function hangUpAll(port, except = []) {
  const kept = new Set(except.map((connection) => connection.socket));
  for (const socket of open) if (socket.remotePort === port && !kept.has(socket)) socket.destroy();
}

/** The connection ended before the expected bytes arrived. */
export class ConnectionEnded extends Error {}

export class Answer {
  constructor(version, status, reason, fields) {
    this.version = version;
    this.status = status;
    this.reason = reason;
    this.fields = fields; // [name, value] as received
    this.headers = new Map(); // lower-case name -> values joined by ", "
    this.interim = []; // the 1xx answers that preceded it
    this.body = Buffer.alloc(0);
    for (const [name, value] of fields) {
      const key = name.toLowerCase();
      this.headers.set(key, this.headers.has(key) ? `${this.headers.get(key)}, ${value}` : value);
    }
  }

  header(name) {
    return this.headers.get(name.toLowerCase());
  }

  /** The items of a comma-separated field, in lower case. */
  list(name) {
    const value = this.header(name) ?? '';
    return value.split(',').map((word) => word.trim().toLowerCase()).filter((word) => word !== '');
  }

  text() {
    return this.body.toString('utf8');
  }

  json() {
    return JSON.parse(this.text());
  }

  toString() {
    const head = this.fields.map(([name, value]) => `${name}: ${value}`).join('\n');
    const text = this.text();
    const shown = text.length > 2000 ? `${text.slice(0, 2000)}… (${this.body.length} bytes)` : text;
    return `${this.version} ${this.status} ${this.reason}\n${head}\n\n${shown}`;
  }
}

/**
 * A server may answer and close the connection while the client is still writing. The write then fails (EPIPE), and Node discards
 * the received bytes that haven't been read yet, including the answer. This socket reads them first.
 */
class PatientSocket extends net.Socket {
  _destroy(error, done) {
    if (error?.syscall === 'write') this.#readTheRest(this._handle?.fd);
    super._destroy(error, done);
  }

  #readTheRest(descriptor) {
    if (!(descriptor >= 0)) return;
    try {
      for (;;) {
        const part = Buffer.alloc(SLICE);
        const count = readSync(descriptor, part);
        if (count === 0) return;
        this.emit('data', part.subarray(0, count));
      }
    } catch {
      // EAGAIN or ECONNRESET: nothing is left to read.
    }
  }
}

export class Connection {
  #socket;
  #pending = Buffer.alloc(0); // bytes that haven't been parsed yet
  #state = 'head';
  #answer = null; // the answer being read
  #parts = []; // pieces of its body
  #left = 0; // bytes of the body or chunk that haven't arrived yet
  #interim = [];
  #methods = []; // of the requests that haven't been answered yet
  #answers = [];
  #waiters = [];
  #quota = Infinity; // the number of bytes to read before reading stops

  /** How the connection ended: null, 'end', or an error code. */
  ended = null;
  /** Describes how the server has violated the protocol, if it has. */
  fault = null;

  constructor(socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#onData(chunk));
    socket.on('end', () => this.#onEnd('end'));
    socket.on('error', (error) => this.#onEnd(error.code ?? 'error'));
    socket.on('close', () => this.#onEnd('end'));
  }

  get socket() {
    return this.#socket;
  }

  get remotePort() {
    return this.#socket.remotePort;
  }

  get localPort() {
    return this.#socket.localPort;
  }

  /** The number of bytes received. */
  get received() {
    return this.#socket.bytesRead;
  }

  /** Registers the method of a request, because the answer to HEAD has no body. Call it once for each answer to come, in order. */
  expect(method) {
    this.#methods.push(method);
  }

  /** Sends one complete request; resolves when the kernel has accepted it. */
  send(request) {
    this.expect(request.method ?? (request.body === undefined ? 'GET' : 'POST'));
    return this.write(formatRequest(request));
  }

  /** Writes bytes in slices, until all are written or the connection has ended. */
  async write(bytes) {
    const data = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes, 'latin1');
    for (let at = 0; at < data.length && this.ended === null; at += SLICE) {
      await new Promise((resolve) => {
        const timer = setTimeout(() => {
          this.fault = `the server took no byte for ${GIVE_UP} ms`;
          this.#onEnd('stuck');
        }, GIVE_UP);
        this.#socket.write(data.subarray(at, at + SLICE), () => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }

  /** The next final answer. */
  answer({ within = GIVE_UP } = {}) {
    return this.#wait(
      () => {
        if (this.#answers.length > 0) return this.#answers.shift();
        if (this.ended !== null) {
          throw new ConnectionEnded(`the connection ended (${this.fault ?? this.ended}) before an answer`);
        }
        return undefined;
      },
      within,
      'an answer',
    );
  }

  /** The next answer, or null if the connection ends without a complete one. */
  async answerOrNothing(options) {
    try {
      return await this.answer(options);
    } catch (error) {
      if (error instanceof ConnectionEnded && this.fault === null) return null;
      throw error;
    }
  }

  /** Waits for 100 Continue; fails if a final answer arrives instead. */
  continued({ within = GIVE_UP } = {}) {
    return this.#wait(
      () => {
        if (this.#interim.length > 0) return this.#interim[0];
        if (this.#answers.length > 0) {
          throw new Error(`a final answer came instead of 100 Continue:\n${this.#answers[0]}`);
        }
        if (this.ended !== null) throw new ConnectionEnded(`the connection ended (${this.ended}) before 100 Continue`);
        return undefined;
      },
      within,
      '100 Continue',
    );
  }

  /** Waits until the server has hung up; resolves to the way it did (see `ended`). */
  closed({ within = GIVE_UP } = {}) {
    return this.#wait(() => this.ended ?? undefined, within, 'the end of the connection');
  }

  /** The next answer as soon as its head has arrived; its body may still be arriving. */
  head({ within = GIVE_UP } = {}) {
    return this.#wait(
      () => {
        const next = this.#answers[0] ?? this.#answer;
        if (next === null && this.ended !== null) throw new ConnectionEnded(`the connection ended (${this.ended}) before a head`);
        return next ?? undefined;
      },
      within,
      'the head of an answer',
    );
  }

  /** The part of the next answer's body that has arrived so far. */
  get soFar() {
    return this.#answers[0]?.body ?? Buffer.concat(this.#parts);
  }

  /** Waits until `count` complete lines of the next answer's body have arrived; resolves to all complete lines so far. */
  lines(count, { within = GIVE_UP } = {}) {
    return this.#wait(
      () => {
        const lines = this.soFar.toString('utf8').split('\n').slice(0, -1);
        if (lines.length >= count) return lines;
        if (this.ended !== null) throw new ConnectionEnded(`the connection ended (${this.ended}) after ${lines.length} lines`);
        return undefined;
      },
      within,
      `${count} lines`,
    );
  }

  /** The number of answers that have arrived but haven't been read with `answer`. */
  get unread() {
    return this.#answers.length;
  }

  stopReading() {
    this.#socket.pause();
  }

  goOnReading() {
    this.#quota = Infinity;
    this.#socket.resume();
  }

  /** Reads at least this many bytes, or until the end of the answer, then stops reading again. */
  readSome(bytes, { within = GIVE_UP } = {}) {
    this.#quota = bytes;
    this.#socket.resume();
    const isOver = () => this.#quota <= 0 || this.#answers.length > 0 || this.ended !== null;
    return this.#wait(() => isOver() || undefined, within, `${bytes} bytes`);
  }

  /**
   * How the connection ended while nothing was being read. Reads the remaining bytes directly from the descriptor, because Node
   * reports a reset that follows data as a normal end.
   */
  endAfterData() {
    try {
      while (readSync(this.#socket._handle.fd, Buffer.alloc(SLICE)) > 0);
      return 'end';
    } catch (error) {
      return error.code;
    }
  }

  halfClose() {
    this.#socket.end();
  }

  reset() {
    this.#socket.resetAndDestroy();
  }

  close() {
    this.#socket.destroy();
  }

  #wait(look, within, what) {
    return new Promise((resolve, reject) => {
      const waiter = () => {
        let found;
        try {
          found = look();
        } catch (error) {
          clearTimeout(timer);
          reject(error);
          return true;
        }
        if (found === undefined) return false;
        clearTimeout(timer);
        resolve(found);
        return true;
      };
      const timer = setTimeout(() => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        reject(new Error(`waited ${within} ms in vain for ${what}`));
      }, within);
      if (!waiter()) this.#waiters.push(waiter);
    });
  }

  #changed() {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) {
      if (!waiter()) this.#waiters.push(waiter);
    }
  }

  #onEnd(how) {
    if (this.ended === null) {
      if (this.#state === 'until-close' && how === 'end') this.#finish();
      else if (this.#state !== 'head' || this.#pending.length > 0) {
        this.fault ??= `cut off in the middle of an answer (${how})`;
      }
      this.ended = how;
      this.#socket.destroy();
    }
    this.#changed();
  }

  #onData(chunk) {
    this.#quota -= chunk.length;
    if (this.#quota <= 0) this.#socket.pause();
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    try {
      while (this.#step());
    } catch (error) {
      this.fault = error.message;
      this.ended = 'fault';
      this.#socket.destroy();
    }
    this.#changed();
  }

  /** Parses the next element of the pending bytes; returns false if more bytes are needed. */
  #step() {
    switch (this.#state) {
      case 'head': {
        const end = this.#pending.indexOf('\r\n\r\n');
        if (end < 0) {
          if (this.#pending.length > 64 * 1024) throw new Error('an answer head without an end');
          return false;
        }
        const lines = this.#take(end + 4).subarray(0, end).toString('latin1').split('\r\n');
        this.#onHead(lines);
        return true;
      }
      case 'length':
        if (!this.#takeBody()) return false;
        if (this.#left === 0) this.#finish();
        return true;
      case 'until-close':
        this.#left = this.#pending.length;
        return this.#takeBody();
      case 'chunk-size': {
        const line = this.#takeLine();
        if (line === null) return false;
        const size = /^([0-9A-Fa-f]+)[ \t]*(;.*)?$/.exec(line);
        if (size === null) throw new Error(`a broken chunk size: ${JSON.stringify(line)}`);
        this.#left = parseInt(size[1], 16);
        this.#state = this.#left === 0 ? 'trailer' : 'chunk';
        return true;
      }
      case 'chunk':
        if (!this.#takeBody()) return false;
        if (this.#left === 0) this.#state = 'chunk-end';
        return true;
      case 'chunk-end': {
        const line = this.#takeLine();
        if (line === null) return false;
        if (line !== '') throw new Error('a chunk longer than it said');
        this.#state = 'chunk-size';
        return true;
      }
      case 'trailer': {
        const line = this.#takeLine();
        if (line === null) return false;
        if (line === '') this.#finish();
        return true;
      }
      default:
        throw new Error(`no such state: ${this.#state}`);
    }
  }

  #take(count) {
    const taken = this.#pending.subarray(0, count);
    this.#pending = this.#pending.subarray(count);
    return taken;
  }

  #takeLine() {
    const end = this.#pending.indexOf('\r\n');
    if (end < 0) return null;
    return this.#take(end + 2).subarray(0, end).toString('latin1');
  }

  #takeBody() {
    if (this.#pending.length === 0 || this.#left === 0) return false;
    const part = this.#take(Math.min(this.#left, this.#pending.length));
    this.#left -= part.length;
    this.#parts.push(part);
    return true;
  }

  #onHead([first, ...rest]) {
    const status = /^(HTTP\/1\.[01]) (\d{3})(?: (.*))?$/.exec(first);
    if (status === null) throw new Error(`a broken status line: ${JSON.stringify(first)}`);
    const fields = rest.map((line) => {
      const field = FIELD.exec(line);
      if (field === null) throw new Error(`a broken header line: ${JSON.stringify(line)}`);
      return [field[1], field[2]];
    });
    const answer = new Answer(status[1], Number(status[2]), status[3] ?? '', fields);
    if (answer.status < 200) {
      this.#interim.push(answer);
      return;
    }
    answer.interim = this.#interim;
    this.#interim = [];
    this.#answer = answer;
    const method = this.#methods.shift() ?? 'GET';
    const coding = answer.header('transfer-encoding');
    const length = answer.header('content-length');
    if (coding !== undefined && length !== undefined) throw new Error('an answer with both framings');
    if (length !== undefined && !/^\d+$/.test(length)) throw new Error(`a broken Content-Length: ${length}`);
    if (method === 'HEAD' || answer.status === 204 || answer.status === 304) {
      this.#finish();
    } else if (coding !== undefined) {
      if (coding.toLowerCase() !== 'chunked') throw new Error(`an unknown Transfer-Encoding: ${coding}`);
      this.#state = 'chunk-size';
    } else if (length !== undefined) {
      this.#left = Number(length);
      this.#state = 'length';
      if (this.#left === 0) this.#finish();
    } else {
      this.#state = 'until-close';
    }
  }

  #finish() {
    this.#answer.body = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#answers.push(this.#answer);
    this.#answer = null;
    this.#state = 'head';
  }
}

/** Opens a connection to `address`, from `localAddress` if given; rejects with the system's error (ECONNREFUSED, …). */
export function connect(port, { address = '127.0.0.1', localAddress, within = GIVE_UP } = {}) {
  return new Promise((resolve, reject) => {
    const socket = new PatientSocket({ allowHalfOpen: true }).connect({ host: address, localAddress, port });
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no connection within ${within} ms`));
    }, within);
    socket.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.removeAllListeners('error');
      register(socket);
      resolve(new Connection(socket));
    });
  });
}

/**
 * Formats a request. `Host` and `Content-Length` are added unless given. `headers` is an object or a list of pairs; a header whose
 * value is null is left out.
 */
export function formatRequest({ method, target = '/', version = 'HTTP/1.1', headers = [], body }) {
  const pairs = Array.isArray(headers) ? [...headers] : Object.entries(headers);
  const has = (name) => pairs.some(([other]) => other.toLowerCase() === name);
  if (!has('host')) pairs.unshift(['Host', '127.0.0.1']);
  const content = body === undefined ? Buffer.alloc(0) : Buffer.from(body);
  if (body !== undefined && !has('content-length') && !has('transfer-encoding')) {
    pairs.push(['Content-Length', String(content.length)]);
  }
  const lines = pairs.filter(([, value]) => value !== null).map(([name, value]) => `${name}: ${value}\r\n`);
  const verb = method ?? (body === undefined ? 'GET' : 'POST');
  const head = Buffer.from(`${verb} ${target} ${version}\r\n${lines.join('')}\r\n`, 'latin1');
  return Buffer.concat([head, content]);
}

/** A body in chunks of the given size. */
export function chunked(body, size = 1000, { extension = '', trailer = '' } = {}) {
  const content = Buffer.from(body);
  const parts = [];
  for (let at = 0; at < content.length; at += size) {
    const part = content.subarray(at, at + size);
    parts.push(Buffer.from(`${part.length.toString(16)}${extension}\r\n`), part, Buffer.from('\r\n'));
  }
  parts.push(Buffer.from(`0\r\n${trailer}\r\n`));
  return Buffer.concat(parts);
}

/** Sends one request on a new connection. */
export async function ask(port, request, options = {}) {
  const connection = await connect(port, options);
  try {
    connection.send(request);
    return await connection.answer(options);
  } catch (error) {
    error.message += ` (${formatRequest(request).subarray(0, 300).toString('latin1')})`;
    throw error;
  } finally {
    connection.close();
  }
}

export function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Waits for an event on a socket or stream; fails after GIVE_UP. */
export async function eventOf(emitter, name, what) {
  const signal = AbortSignal.timeout(GIVE_UP);
  try {
    return await once(emitter, name, { signal });
  } catch (error) {
    throw signal.aborted ? new Error(`waited ${GIVE_UP} ms in vain until ${what}`) : error;
  }
}

/** Calls `look` repeatedly until it returns something truthy; fails after `within` milliseconds. */
export async function until(what, look, { within = GIVE_UP, every = 10 } = {}) {
  const deadline = performance.now() + within;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`waited ${within} ms in vain until ${what}`);
    await pause(every);
  }
}
