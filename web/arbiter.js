// The client of Arbiter for browsers and Node from 18 on, in one file without dependencies. The service itself hands it
// out, so that a page anywhere can say
//
//   import { Arbiter } from 'http://127.0.0.1:8080/web/arbiter.js';
//   const { verdict, steps } = await new Arbiter().pawn({ board: ['..#.', 'O..O', '....', '.X..'] });
//
// The types of questions and answers stand in contract.js.

/**
 * @import { Game, GoCase, GoCollection, GoInclude, GoKo, GoResult, Limits, MineCase, PawnCase, ProblemDocument,
 *   Questions, Refused, Results, Version } from './contract.js'
 */

/**
 * @typedef {{ signal?: AbortSignal }} Options What any method takes: a signal that ends it. Its reason is what is
 *   thrown then, an AbortError if it has no other.
 *
 * @typedef {{ game?: number | 'all', ko?: GoKo, suicide?: boolean, include?: GoInclude }} RecordOptions What can be
 *   said beside a record.
 *
 * @typedef {{ onSent?: () => void, onBytes?: (received: number, bytes: Uint8Array<ArrayBuffer>) => void }} Progress How far a
 *   stream is. `onSent` is called when the service has read the whole body and begins to answer, `onBytes` with the bytes
 *   of the answer as they come, and with how many have come so far; a line is handed on after its bytes.
 *
 * @typedef {string | Blob | BufferSource} Body A body that is sent as it is. A Blob or File is read while it is sent,
 *   and never held whole.
 *
 * @typedef {'application/json' | 'application/x-ndjson' | 'text/plain' | 'application/x-go-sgf'} BodyType
 *
 * @typedef {RequestInit & { headers: { accept: string } }} Asked A request whose answer is good when it has the one
 *   type that is asked for.
 */

/** The service refused. `message` is `detail`, this very fault in words; `errors` names the places. */
export class Problem extends Error {
  name = 'Problem';

  /**
   * @param {ProblemDocument} document
   * @param {Headers} [headers] Those of the answer that it came with.
   */
  constructor(document, headers) {
    super(document.detail ?? document.title);
    this.type = document.type;
    this.title = document.title;
    this.status = document.status;
    this.detail = document.detail;
    this.errors = document.errors ?? [];
    /** Names the request in the service's log; null in a line of a stream. */
    this.requestId = headers?.get('x-request-id') ?? null;
    const seconds = headers?.get('retry-after') ?? '';
    /** In how many seconds it may be tried again; null where the service does not say. */
    this.retryAfter = /^\d+$/.test(seconds) ? Number(seconds) : null;
  }
}

/** There was no answer, or one that is not the service's. `cause` tells more. */
export class Unreachable extends Error {
  name = 'Unreachable';
}

/** A stream broke off. Each line that came whole was handed on; `lines` tells how many. */
export class Incomplete extends Error {
  name = 'Incomplete';

  /**
   * @param {number} lines
   * @param {unknown} [cause]
   */
  constructor(lines, cause) {
    super(`the stream broke off after ${lines} ${lines === 1 ? 'line' : 'lines'}`, { cause });
    this.lines = lines;
  }
}

const JSON_TYPE = 'application/json';

/** The longest target of a request that the service takes. */
const MOST_TARGET_BYTES = 8192;

/**
 * A service of Arbiter. It holds no connection: make as many as you like. Whatever asks the service rejects with a
 * Problem where that refuses, with Unreachable where there is no answer, with the signal's reason where that ends it.
 */
export class Arbiter {
  /** @type {URL} */
  #base;
  /** @type {number} */
  #retries;

  /**
   * @param {string | URL} [base] Where the service is. If absent, where this module came from.
   * @param {{ retries?: number }} [options] How often a request is sent again that found the service overloaded (503),
   *   each time after as many seconds as the service asks for; 0 if absent.
   * @throws {TypeError} where base is no address of http or https
   */
  constructor(base = new URL('..', import.meta.url), { retries = 0 } = {}) {
    this.#base = new URL(base, globalThis.location?.href);
    if (!/^https?:$/.test(this.#base.protocol)) {
      throw new TypeError(`${this.#base} is no service; give its address, such as http://127.0.0.1:8080`);
    }
    if (!this.#base.pathname.endsWith('/')) this.#base.pathname += '/';
    this.#base.search = '';
    this.#base.hash = '';
    this.#retries = retries;
  }

  /** Where the service is; it ends in a slash. */
  get base() {
    return this.#base.href;
  }

  /**
   * Who wins a position of the crossing pawn, and in how many moves?
   * @param {PawnCase} question
   * @param {Options} [options]
   */
  pawn(question, options) {
    return this.ask('pawn', question, options);
  }

  /**
   * Plays a game of Go through: which moves were not possible, and what board results?
   * @overload
   * @param {GoCollection} question
   * @param {Options} [options]
   * @returns {Promise<GoResult[]>}
   */
  /**
   * Plays a game of Go through: which moves were not possible, and what board results?
   * @overload
   * @param {GoCase} question
   * @param {Options} [options]
   * @returns {Promise<GoResult>}
   */
  /**
   * @param {any} question
   * @param {Options} [options]
   * @returns {Promise<any>}
   */
  go(question, options) {
    return this.ask('go', question, options);
  }

  /**
   * Who wins Minesweeper played by two?
   * @param {MineCase} question
   * @param {Options} [options]
   */
  mine(question, options) {
    return this.ask('mine', question, options);
  }

  /**
   * One question, by the name of the game. All games of a Go record are answered by an array.
   * @overload
   * @param {'go'} game
   * @param {GoCollection} question
   * @param {Options} [options]
   * @returns {Promise<GoResult[]>}
   */
  /**
   * One question, by the name of the game.
   * @template {Game} G
   * @overload
   * @param {G} game
   * @param {Questions[G]} question
   * @param {Options} [options]
   * @returns {Promise<Results[G]>}
   */
  /**
   * @param {Game} game
   * @param {any} question
   * @param {Options} [options]
   * @returns {Promise<any>}
   */
  async ask(game, question, { signal } = {}) {
    return unwrapped(await this.#json(game, json(question, signal)));
  }

  /**
   * Many questions at once, answered in their order. One that is refused refuses all.
   * @template {Game} G
   * @param {G} game
   * @param {Questions[G][]} questions
   * @param {Options} [options]
   * @returns {Promise<Results[G][]>}
   */
  async batch(game, questions, { signal } = {}) {
    return unwrapped(await this.#json(game, json({ cases: questions }, signal)));
  }

  /**
   * All games of a Go record, as a file has it.
   * @overload
   * @param {Body} sgf
   * @param {Options & RecordOptions & { game: 'all' }} options
   * @returns {Promise<GoResult[]>}
   */
  /**
   * A Go record, as a file has it: its first game, or the one of that number.
   * @overload
   * @param {Body} sgf
   * @param {Options & RecordOptions & { game?: number }} [options]
   * @returns {Promise<GoResult>}
   */
  /**
   * @param {Body} sgf
   * @param {Options & RecordOptions} [options]
   * @returns {Promise<any>}
   */
  async record(sgf, { signal, ...asked } = {}) {
    return unwrapped(await this.#json(`go${query(asked)}`, post(sgf, 'application/x-go-sgf', JSON_TYPE, signal)));
  }

  /**
   * As many questions as you like, answered line by line, each as soon as it and those before it are known. A question
   * that is refused has its problem in its line. The next line is read when it is asked for, and the service waits
   * meanwhile; to leave the loop ends the work.
   * @template {Game} G
   * @param {G} game
   * @param {Questions[G][] | Body} body
   * @param {Options & RecordOptions & Progress & { type?: BodyType }} [options] `type` is that of a body that is no
   *   array, lines if absent.
   * @returns {AsyncGenerator<Results[G] | Refused, void, undefined>}
   * @throws {Incomplete} where the answer broke off, when all lines before that have been handed on
   */
  async *stream(game, body, { type = 'application/x-ndjson', signal, onSent, onBytes, ...asked } = {}) {
    if (Array.isArray(body) && type !== 'application/x-ndjson') throw new TypeError(`an array is not sent as ${type}`);
    const sent = Array.isArray(body) ? body.map((question) => `${JSON.stringify(question)}\n`).join('') : body;
    const response = await this.#send(`${game}${query(asked)}`, post(sent, type, 'application/x-ndjson', signal));
    onSent?.();
    let lines = 0;
    for await (const line of linesOf(response, signal, onBytes)) {
      yield parsed(line);
      lines += 1;
    }
    if (Array.isArray(body) && lines < body.length) throw new Incomplete(lines);
  }

  /**
   * The answer as the judges print it.
   * @template {Game} G
   * @param {G} game
   * @param {Questions[G] | Questions[G][] | Body} question A question, many, or a body.
   * @param {Options & RecordOptions & { type?: BodyType }} [options] `type` is that of a body, text if absent.
   * @returns {Promise<string>}
   */
  async text(game, question, { type = 'text/plain', signal, ...asked } = {}) {
    const request = isBody(question)
      ? post(question, type, 'text/plain', signal)
      : json(Array.isArray(question) ? { cases: question } : question, signal, 'text/plain');
    return this.#text(`${game}${query(asked)}`, request);
  }

  /**
   * The board that results, drawn as SVG.
   * @template {Game} G
   * @param {G} game
   * @param {Questions[G]} question
   * @param {Options} [options]
   * @returns {Promise<string>}
   */
  async picture(game, question, { signal } = {}) {
    return this.#text(game, json(question, signal, 'image/svg+xml'));
  }

  /**
   * The address of an answer, for a link or an image.
   * @template {Game} G
   * @param {G} game
   * @param {Questions[G]} question
   * @param {'json' | 'text' | 'svg'} [format] JSON if absent, or what the reader asks for.
   * @returns {URL}
   * @throws {RangeError} where the question is too long for a link
   */
  link(game, question, format) {
    const url = new URL(`${game}${query({ format, case: JSON.stringify(question) })}`, this.#base);
    const bytes = url.pathname.length + url.search.length;
    if (bytes <= MOST_TARGET_BYTES) return url;
    throw new RangeError(`the question is too long for a link: ${bytes} bytes, of at most ${MOST_TARGET_BYTES}`);
  }

  /**
   * The limits in force.
   * @param {Options} [options]
   * @returns {Promise<Limits>}
   */
  limits({ signal } = {}) {
    return this.#json('limits', { headers: { accept: JSON_TYPE }, signal });
  }

  /**
   * Which program answers.
   * @param {Options} [options]
   * @returns {Promise<Version>}
   */
  version({ signal } = {}) {
    return this.#json('version', { headers: { accept: JSON_TYPE }, signal });
  }

  /**
   * @param {string} path
   * @param {Asked} request
   * @returns {Promise<any>}
   */
  async #json(path, request) {
    return parsed(await this.#text(path, request));
  }

  /**
   * @param {string} path
   * @param {Asked} request
   */
  async #text(path, request) {
    return whole(await this.#send(path, request), request.signal);
  }

  /**
   * Sends a request, again where the service asks for that and there are retries left; gives the head of a good answer.
   * @param {string} path
   * @param {Asked} request
   */
  async #send(path, request) {
    for (let left = this.#retries; ; left -= 1) {
      const response = await answered(new URL(path, this.#base), request);
      if (response.ok && typeOf(response) === request.headers.accept) return response;
      const problem = await problemOf(response, request.signal);
      if (left === 0 || problem.status !== 503 || problem.retryAfter === null) throw problem;
      await pause(problem.retryAfter, request.signal);
    }
  }
}

/**
 * @param {Body} body
 * @param {string} type
 * @param {string} accept
 * @param {AbortSignal} [signal]
 */
function post(body, type, accept, signal) {
  return { method: 'POST', headers: { 'content-type': type, accept }, body, signal };
}

/**
 * @param {unknown} question
 * @param {AbortSignal} [signal]
 * @param {string} [accept]
 */
function json(question, signal, accept = JSON_TYPE) {
  return post(JSON.stringify(question), JSON_TYPE, accept, signal);
}

/**
 * The query that says what is given; a list is joined by commas.
 * @param {Record<string, unknown>} asked
 */
function query(asked) {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? '' : `?${search}`;
}

/**
 * Is it sent as it is?
 * @param {unknown} question
 * @returns {question is Body}
 */
function isBody(question) {
  return typeof question === 'string' || question instanceof Blob || question instanceof ArrayBuffer
    || ArrayBuffer.isView(question);
}

/**
 * @param {any} answer
 * @returns {any} the results of a batch, or the one result
 */
function unwrapped(answer) {
  return answer.results ?? answer;
}

/**
 * The object that a text holds; the service answers with nothing else.
 * @param {string} text
 * @returns {any}
 */
function parsed(text) {
  try {
    const value = JSON.parse(text);
    if (value instanceof Object) return value;
  } catch (cause) {
    throw new Unreachable('the answer is not the service\'s: it is no JSON', { cause });
  }
  throw new Unreachable('the answer is not the service\'s: it is no object');
}

/** @param {Response} response */
function typeOf(response) {
  return response.headers.get('content-type')?.split(';')[0].trim();
}

/**
 * The answer's head. What the signal ends is thrown as its reason, here and where answers are read.
 * @param {URL} url
 * @param {RequestInit} request
 */
async function answered(url, request) {
  try {
    return await fetch(url, request);
  } catch (cause) {
    request.signal?.throwIfAborted();
    // A file that is gone or has changed since it was chosen says so itself.
    if (request.body instanceof Blob) await request.body.slice(-1).arrayBuffer();
    throw new Unreachable(`no answer from ${url.origin}`, { cause });
  }
}

/**
 * @param {Response} response
 * @param {AbortSignal | null} [signal]
 */
async function whole(response, signal) {
  const text = await response.text().catch((cause) => {
    signal?.throwIfAborted();
    throw new Unreachable('the answer broke off', { cause });
  });
  signal?.throwIfAborted(); // Node 18 takes the end that a signal makes for the answer's own.
  return text;
}

/**
 * Why an answer is not the one asked for.
 * @param {Response} response
 * @param {AbortSignal | null} [signal]
 * @throws {Unreachable} where it is not the service that says so
 */
async function problemOf(response, signal) {
  const type = typeOf(response);
  if (type === 'application/problem+json') return new Problem(parsed(await whole(response, signal)), response.headers);
  response.body?.cancel().catch(() => {});
  throw new Unreachable(`the answer is not the service's: status ${response.status}, ${type ?? 'without a type'}`);
}

/**
 * The lines of an answer, each when it is asked for. A line is searched for its end once, however many chunks it has.
 * @param {Response} response
 * @param {AbortSignal} [signal]
 * @param {(received: number, bytes: Uint8Array<ArrayBuffer>) => void} [onBytes]
 */
async function* linesOf(response, signal, onBytes) {
  const decoder = new TextDecoder();
  let rest = ''; // of a line whose end has not come yet
  let lines = 0;
  let received = 0;
  const reader = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (response.body).getReader();
  const read = () => reader.read().catch((cause) => {
    signal?.throwIfAborted();
    throw new Incomplete(lines, cause);
  });
  try {
    for (let chunk = await read(); !chunk.done; chunk = await read()) {
      received += chunk.value.length;
      onBytes?.(received, chunk.value);
      const [first, ...others] = decoder.decode(chunk.value, { stream: true }).split('\n');
      rest += first;
      for (const next of others) {
        signal?.throwIfAborted();
        yield rest;
        lines += 1;
        rest = next;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
  signal?.throwIfAborted(); // as in whole()
  if (rest + decoder.decode() !== '') throw new Incomplete(lines);
}

/**
 * @param {number} seconds
 * @param {AbortSignal | null} [signal]
 * @returns {Promise<void>}
 */
function pause(seconds, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
  });
}
