// The client of Arbiter for browsers and Node from 18 on, in one file without dependencies. The service itself hands it
// out, so that a page anywhere can say
//
//   import { Arbiter } from 'http://127.0.0.1:8080/web/arbiter.js';
//   const { verdict, steps } = await new Arbiter().pawn({ board: ['..#.', 'O..O', '....', '.X..'] });
//
// Their types stand in contract.js, and are exported here too.

/**
 * @typedef {import('./contract.js').Cell} Cell
 * @typedef {import('./contract.js').Id} Id
 * @typedef {import('./contract.js').PawnCase} PawnCase
 * @typedef {import('./contract.js').PawnMove} PawnMove
 * @typedef {import('./contract.js').PawnRankedMove} PawnRankedMove
 * @typedef {import('./contract.js').PawnResult} PawnResult
 * @typedef {import('./contract.js').GoMove} GoMove
 * @typedef {import('./contract.js').GoKo} GoKo
 * @typedef {import('./contract.js').GoInclude} GoInclude
 * @typedef {import('./contract.js').GoRules} GoRules
 * @typedef {import('./contract.js').GoGame} GoGame
 * @typedef {import('./contract.js').GoRecord} GoRecord
 * @typedef {import('./contract.js').GoCollection} GoCollection
 * @typedef {import('./contract.js').GoCase} GoCase
 * @typedef {import('./contract.js').GoMiss} GoMiss
 * @typedef {import('./contract.js').GoResult} GoResult
 * @typedef {import('./contract.js').MineInclude} MineInclude
 * @typedef {import('./contract.js').MineDrawing} MineDrawing
 * @typedef {import('./contract.js').MineList} MineList
 * @typedef {import('./contract.js').MineCase} MineCase
 * @typedef {import('./contract.js').MineResult} MineResult
 * @typedef {import('./contract.js').Questions} Questions
 * @typedef {import('./contract.js').Results} Results
 * @typedef {import('./contract.js').Game} Game
 * @typedef {import('./contract.js').Fault} Fault
 * @typedef {import('./contract.js').ProblemType} ProblemType
 * @typedef {import('./contract.js').ProblemDocument} ProblemDocument
 * @typedef {import('./contract.js').Refused} Refused
 * @typedef {import('./contract.js').Limits} Limits
 * @typedef {import('./contract.js').Version} Version
 */

/**
 * What any method takes: a signal that ends it. Its reason is what is thrown then, an AbortError if it has no other.
 * @typedef {{ signal?: AbortSignal }} Options
 *
 * What can be said beside a record.
 * @typedef {{ game?: number | 'all', ko?: GoKo, suicide?: boolean, include?: GoInclude }} RecordOptions
 *
 * How far a stream is. `onSent` is called when the service has read the whole body and begins to answer, `onBytes` with
 * the bytes of the answer that have come so far.
 * @typedef {{ onSent?: () => void, onBytes?: (received: number) => void }} Progress
 *
 * A body that is sent as it is. A Blob or File is read while it is sent, and never held whole.
 * @typedef {string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer>} Body
 *
 * @typedef {'application/json' | 'application/x-ndjson' | 'text/plain' | 'application/x-go-sgf'} BodyType
 */

/** The service refused. `message` is `detail`, this very fault in words; `errors` names the places. */
export class Problem extends Error {
  name = 'Problem';

  /**
   * @param {ProblemDocument} document
   * @param {Headers} [headers] Those of the answer that it came with.
   */
  constructor(document, headers) {
    super(document.detail);
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

/** The longest target of a request that the service takes. */
const MOST_TARGET_BYTES = 8192;

/** A service of Arbiter. It holds no connection and no state: make as many as you like. */
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
   * @throws {Problem | Unreachable}
   */
  async ask(game, question, { signal } = {}) {
    return unwrapped(await this.#json(game, post(JSON.stringify(question), 'application/json', signal)));
  }

  /**
   * Many questions at once, answered in their order. One that is refused refuses all.
   * @template {Game} G
   * @param {G} game
   * @param {Questions[G][]} questions
   * @param {Options} [options]
   * @returns {Promise<Results[G][]>}
   * @throws {Problem | Unreachable}
   */
  async batch(game, questions, { signal } = {}) {
    return unwrapped(await this.#json(game, post(JSON.stringify({ cases: questions }), 'application/json', signal)));
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
   * @throws {Problem | Unreachable}
   */
  async record(sgf, { signal, ...asked } = {}) {
    return unwrapped(await this.#json(`go${query(asked)}`, post(sgf, 'application/x-go-sgf', signal)));
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
   * @throws {Problem | Unreachable | Incomplete} a Problem where the whole is refused
   */
  async *stream(game, body, { type = 'application/x-ndjson', signal, onSent, onBytes, ...asked } = {}) {
    if (Array.isArray(body) && type !== 'application/x-ndjson') throw new TypeError(`an array is not sent as ${type}`);
    const sent = Array.isArray(body) ? body.map((question) => `${JSON.stringify(question)}\n`).join('') : body;
    const request = post(sent, type, signal, 'application/x-ndjson');
    const response = await this.#send(`${game}${query(asked)}`, request);
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
   * @throws {Problem | Unreachable}
   */
  async text(game, question, { type = 'text/plain', signal, ...asked } = {}) {
    const json = () => JSON.stringify(Array.isArray(question) ? { cases: question } : question);
    const request = isBody(question)
      ? post(question, type, signal, 'text/plain')
      : post(json(), 'application/json', signal, 'text/plain');
    return this.#text(`${game}${query(asked)}`, request);
  }

  /**
   * The board that results, drawn as SVG.
   * @template {Game} G
   * @param {G} game
   * @param {Questions[G]} question
   * @param {Options} [options]
   * @returns {Promise<string>}
   * @throws {Problem | Unreachable}
   */
  async picture(game, question, { signal } = {}) {
    return this.#text(game, post(JSON.stringify(question), 'application/json', signal, 'image/svg+xml'));
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
   * @throws {Problem | Unreachable}
   */
  limits({ signal } = {}) {
    return this.#json('limits', { signal });
  }

  /**
   * Which program answers.
   * @param {Options} [options]
   * @returns {Promise<Version>}
   * @throws {Problem | Unreachable}
   */
  version({ signal } = {}) {
    return this.#json('version', { signal });
  }

  /**
   * @param {string} path
   * @param {RequestInit} request
   * @returns {Promise<any>}
   */
  async #json(path, request) {
    const response = await this.#send(path, request, 'application/json');
    return parsed(await whole(response, request.signal));
  }

  /**
   * @param {string} path
   * @param {RequestInit} request
   */
  async #text(path, request) {
    return whole(await this.#send(path, request), request.signal);
  }

  /**
   * Sends a request until it is answered, or may be tried no more, and gives the head of a good answer.
   * @param {string} path
   * @param {RequestInit} request
   * @param {string} [accept] The one type of a good answer; if absent that which the request asks for.
   */
  async #send(path, request, accept = new Headers(request.headers).get('accept') ?? '') {
    for (let left = this.#retries; ; left -= 1) {
      const response = await answered(new URL(path, this.#base), request);
      const type = response.headers.get('content-type')?.split(';')[0];
      if (response.ok && type === accept) return response;
      const problem = await problemOf(response, type, request.signal);
      if (left === 0 || problem.status !== 503 || problem.retryAfter === null) throw problem;
      await pause(problem.retryAfter, request.signal);
    }
  }
}

/**
 * @param {Body} body
 * @param {BodyType} type
 * @param {AbortSignal} [signal]
 * @param {string} [accept]
 * @returns {RequestInit}
 */
function post(body, type, signal, accept = 'application/json') {
  return { method: 'POST', headers: { 'content-type': type, accept }, body, signal };
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
 * @param {string} text
 * @returns {any}
 */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Unreachable('the answer is no JSON, so it is not the service\'s', { cause });
  }
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
    if (request.signal?.aborted) throw request.signal.reason;
    throw new Unreachable(`no answer from ${url.origin}`, { cause });
  }
}

/**
 * @param {Response} response
 * @param {AbortSignal | null} [signal]
 */
async function whole(response, signal) {
  try {
    return await response.text();
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw new Unreachable('the answer broke off', { cause });
  }
}

/**
 * What a bad answer says. One that is no problem document is not the service's.
 * @param {Response} response
 * @param {string | undefined} type
 * @param {AbortSignal | null} [signal]
 */
async function problemOf(response, type, signal) {
  if (type !== 'application/problem+json') {
    await response.body?.cancel();
    throw new Unreachable(`the answer is not the service's: ${response.status} ${type ?? 'without a type'}`);
  }
  return new Problem(parsed(await whole(response, signal)), response.headers);
}

/**
 * The lines of an answer, each when it is asked for. A line is searched for its end once, however many chunks it has.
 * @param {Response} response
 * @param {AbortSignal} [signal]
 * @param {(received: number) => void} [onBytes]
 */
async function* linesOf(response, signal, onBytes) {
  const decoder = new TextDecoder();
  let rest = ''; // of a line whose end has not come yet
  let lines = 0;
  let received = 0;
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const read = () => reader.read().catch((cause) => {
    throw signal?.aborted ? signal.reason : new Incomplete(lines, cause);
  });
  try {
    for (let { done, value } = await read(); !done; { done, value } = await read()) {
      received += value?.length ?? 0;
      onBytes?.(received);
      const [first, ...others] = decoder.decode(value, { stream: true }).split('\n');
      rest += first;
      for (const next of others) {
        yield rest;
        lines += 1;
        rest = next;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
  if (rest !== '') throw new Incomplete(lines);
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
