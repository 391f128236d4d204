// Arbiter's client for browsers and Node 18 or later, in one file without dependencies. The service itself serves it, so a page on any
// origin can write
//
//   import { Arbiter } from 'http://127.0.0.1:8080/web/arbiter.js';
//   const { verdict, steps } = await new Arbiter().pawn({ board: ['..#.', 'O..O', '....', '.X..'] });
//
// arbiter.d.ts, next to this file, has all types and documents each method.
// @ts-self-types="./arbiter.d.ts"

/**
 * @import { Arbiter as Declared, ArbiterErrorOptions, ArbiterOptions, Body, Limits, Options, ProblemDocument, Progress,
 *   RecordOptions } from './arbiter.d.ts'
 */

/**
 * @typedef {RequestInit & { headers: { accept: string }, body?: Body }} Asked A request. The answer must have the media type in `accept`.
 */

export class ArbiterError extends Error {
  name = 'ArbiterError';

  /**
   * @param {string} [message]
   * @param {ArbiterErrorOptions} [options]
   */
  constructor(message, options = {}) {
    super(message, options);
    this.status = options.status ?? null;
    this.requestId = options.requestId ?? null;
    this.retryAfter = options.retryAfter ?? null;
  }
}

export class Problem extends ArbiterError {
  name = 'Problem';

  /**
   * @param {ProblemDocument} document
   * @param {Headers} [headers] The headers of the answer.
   */
  constructor(document, headers) {
    super(document.detail ?? document.title, headers && about({ headers }));
    this.type = document.type;
    this.title = document.title;
    this.status = document.status;
    this.detail = document.detail;
    // A gateway can send any type of `errors`.
    this.errors = Array.isArray(document.errors) ? document.errors.filter((fault) => fault instanceof Object) : [];
  }
}

export class Unreachable extends ArbiterError {
  name = 'Unreachable';
}

export class Incomplete extends ArbiterError {
  name = 'Incomplete';

  /**
   * @param {number} lines
   * @param {unknown} [cause]
   * @param {ArbiterErrorOptions} [options]
   */
  constructor(lines, cause, { status, requestId, retryAfter } = {}) {
    super(`the stream broke off after ${lines} ${lines === 1 ? 'line' : 'lines'}`, { cause, status, requestId, retryAfter });
    this.lines = lines;
  }
}

/** @type {typeof import('./arbiter.d.ts').retryDelay} */
export function retryDelay({ status, retryAfter }, tries) {
  if (status !== null && !TEMPORARY.includes(status)) return null;
  if (retryAfter !== null) return Math.min(retryAfter * 1000, MOST_TIMER);
  return Math.min(BACKOFF.first * 2 ** tries, BACKOFF.most) * (1 + Math.random()) / 2;
}

const JSON_TYPE = 'application/json';
const LINES_TYPE = 'application/x-ndjson';

/** The longest request target that the service accepts. */
const MOST_TARGET_BYTES = 8192;

/** The limits of a slice of a stream: cases, bytes, and milliseconds without a new case. */
const SLICE = { cases: 256, bytes: 1 << 20, pause: 50 };

/** Statuses after which the client retries: too many requests, or a temporary failure of a gateway or the service. */
const TEMPORARY = [429, 502, 503, 504];

/** The most retries if there is no answer at all. */
const MOST_UNANSWERED = 2;

/** Milliseconds before a retry if the answer has no Retry-After: the first delay, and the longest. */
const BACKOFF = { first: 500, most: 30_000 };

/** A batch of one question can't be split, so it needs no limits. */
const NO_LIMITS = { max_cases: Infinity, max_body_bytes: Infinity };

/** The longest possible timer; a longer one would fire at once. */
const MOST_TIMER = 2 ** 31 - 1;

/** @implements {Declared} */
export class Arbiter {
  /** @type {URL} */
  #base;
  #headers;
  #fetch;
  #timeout;
  #retries;
  /** The limits of the service; null until a batch needs them. @type {Limits | null} */
  #limits = null;

  /**
   * @param {string | URL} [base]
   * @param {ArbiterOptions} [options]
   */
  constructor(base = new URL('..', import.meta.url), { headers, fetch, timeout, retries = 0 } = {}) {
    this.#base = new URL(base, globalThis.location?.href);
    if (this.#base.username || this.#base.password) {
      throw new TypeError('a URL with credentials cannot be fetched; send a header instead: { headers: { authorization } }');
    }
    if (!/^https?:$/.test(this.#base.protocol)) {
      throw new TypeError(`${this.#base} isn't an HTTP address; use one like http://127.0.0.1:8080`);
    }
    if (!this.#base.pathname.endsWith('/')) this.#base.pathname += '/';
    this.#base.search = '';
    this.#base.hash = '';
    this.#headers = Object.fromEntries(new Headers(headers));
    // A browser's `fetch` fails if it is called as a method of another object.
    this.#fetch = (/** @type {URL} */ url, /** @type {RequestInit} */ request) => (fetch ?? globalThis.fetch)(url, request);
    if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0)) {
      throw wrongOption('timeout', timeout, 'a positive number');
    }
    if (!(Number.isInteger(retries) && retries >= 0) && retries !== Infinity) {
      throw wrongOption('retries', retries, 'a non-negative integer or Infinity');
    }
    this.#timeout = timeout;
    this.#retries = retries;
  }

  get base() {
    return this.#base.href;
  }

  /** @type {Declared['pawn']} */
  pawn(question, options) {
    return this.ask('pawn', question, options);
  }

  /**
   * @param {any} question
   * @param {Options} [options]
   * @returns {Promise<any>}
   */
  go(question, options) {
    return this.ask('go', question, options);
  }

  /** @type {Declared['mine']} */
  mine(question, options) {
    return this.ask('mine', question, options);
  }

  /**
   * @param {string} game
   * @param {any} question
   * @param {Options} [options]
   * @returns {Promise<any>}
   */
  async ask(game, question, { signal } = {}) {
    return unwrapped(await this.#json(game, json(question, signal)));
  }

  /** @type {Declared['batch']} */
  async batch(game, questions, { signal } = {}) {
    /** @type {any[]} */
    const results = [];
    const limits = questions.length > 1 ? this.#limits ??= await this.limits({ signal }) : NO_LIMITS;
    for (const part of partsOf(questions, limits)) {
      const answer = await this.#json(game, post(`{"cases":[${part}]}`, JSON_TYPE, JSON_TYPE, signal)).catch((error) => {
        this.#limits = null; // they may have changed
        throw withShiftedPointers(error, results.length);
      });
      if (answer.results?.length !== part.length) {
        throw new Unreachable('the answer isn\'t from Arbiter: the number of results is wrong', { status: 200 });
      }
      for (const result of answer.results) results.push(result);
    }
    return results;
  }

  /**
   * @param {Body} sgf
   * @param {Options & RecordOptions} [options]
   * @returns {Promise<any>}
   */
  async record(sgf, { signal, ...asked } = {}) {
    return unwrapped(await this.#json(`go${query(asked)}`, post(sgf, 'application/x-go-sgf', JSON_TYPE, signal)));
  }

  /**
   * @param {string} game
   * @param {unknown} body
   * @param {Options & RecordOptions & Progress & { type?: string }} [options]
   * @returns {AsyncGenerator<any, void, undefined>}
   */
  async *stream(game, body, { type = LINES_TYPE, signal, onSent, onBytes, ...asked } = {}) {
    const path = `${game}${query(asked)}`;
    const progress = { lines: 0, bytes: 0 };
    let sent = false;
    for await (const slice of isBody(body) ? [{ body, cases: 0, last: true }] : slicesOf(body, type, signal)) {
      const response = await this.#send(path, post(slice.body, type, LINES_TYPE, signal)).catch((error) => {
        throw progress.lines > 0 && error instanceof ArbiterError ? new Incomplete(progress.lines, error, error) : error;
      });
      sent = slice.last;
      if (sent) onSent?.();
      const expected = progress.lines + slice.cases;
      for await (const line of linesOf(response, signal, progress, onBytes)) {
        yield parsed(line, response);
        progress.lines += 1;
      }
      if (progress.lines < expected) throw new Incomplete(progress.lines, undefined, about(response));
    }
    if (!sent) onSent?.();
  }

  /** @type {Declared['text']} */
  async text(game, question, { type = 'text/plain', signal, ...asked } = {}) {
    const request = isBody(question)
      ? post(question, type, 'text/plain', signal)
      : json(Array.isArray(question) ? { cases: question } : question, signal, 'text/plain');
    return this.#text(`${game}${query(asked)}`, request);
  }

  /** @type {Declared['picture']} */
  async picture(game, question, { signal } = {}) {
    return this.#text(game, json(question, signal, 'image/svg+xml'));
  }

  /** @type {Declared['link']} */
  link(game, question, format) {
    const url = new URL(`${game}${query({ format, case: JSON.stringify(question) })}`, this.#base);
    const bytes = url.pathname.length + url.search.length;
    if (bytes <= MOST_TARGET_BYTES) return url;
    throw new RangeError(`the question is too long for a link: ${bytes} bytes, more than ${MOST_TARGET_BYTES}`);
  }

  /** @type {Declared['limits']} */
  limits({ signal } = {}) {
    return this.#json('limits', { headers: { accept: JSON_TYPE }, signal });
  }

  /** @type {Declared['version']} */
  version({ signal } = {}) {
    return this.#json('version', { headers: { accept: JSON_TYPE }, signal });
  }

  /**
   * @param {string} path
   * @param {Asked} request
   * @returns {Promise<any>}
   */
  async #json(path, request) {
    const response = await this.#send(path, request);
    return parsed(await whole(response, request.signal), response);
  }

  /**
   * @param {string} path
   * @param {Asked} request
   */
  async #text(path, request) {
    return whole(await this.#send(path, request), request.signal);
  }

  /**
   * Sends a request, and retries if that can help and retries are left. Returns the successful answer, with its body not yet read.
   * @param {string} path
   * @param {Asked} request
   */
  async #send(path, request) {
    const url = new URL(path, this.#base);
    /** @type {unknown[]} */
    const faults = []; // errors of the stream that is the request body
    for (let tries = 0, unanswered = 0; ; tries += 1) {
      try {
        if (request.body instanceof ReadableStream) request = await streaming(request, request.body, faults);
        return await this.#try(url, request);
      } catch (error) {
        request.signal?.throwIfAborted();
        if (faults.length > 0 && !(error instanceof Problem)) throw faults[0];
        if (!(error instanceof ArbiterError)) throw error;
        unanswered += error.status === null ? 1 : 0;
        const delay = unanswered > MOST_UNANSWERED ? null : retryDelay(error, tries);
        // A stream can be read only once.
        if (delay === null || !(tries < this.#retries) || request.body instanceof ReadableStream) throw error;
        await within(null, delay, request.signal);
      }
    }
  }

  /**
   * Sends a request once. Returns the successful answer, with its body not yet read.
   * @param {URL} url
   * @param {Asked} request
   */
  async #try(url, request) {
    const { signal, body } = request;
    signal?.throwIfAborted();
    const control = new AbortController();
    const headers = { ...this.#headers, ...request.headers };
    let response;
    try {
      response = await within(this.#fetch(url, { ...request, headers, signal: control.signal }), this.#timeout, signal);
      if (!response) throw new DOMException(`no answer within ${this.#timeout} ms`, 'TimeoutError');
    } catch (cause) {
      control.abort(cause);
      signal?.throwIfAborted();
      // If the file was deleted or changed, this throws the actual error.
      if (body instanceof Blob) await body.slice(-1).arrayBuffer();
      if (cause instanceof Unreachable) throw cause; // it says what is wrong
      throw new Unreachable(cause instanceof DOMException && cause.name === 'TimeoutError' ? cause.message : `no answer from ${url.origin}`, { cause });
    }
    if (response.ok && typeOf(response) === request.headers.accept) return response;
    throw await refusal(response, signal);
  }
}

/**
 * @param {Body} body
 * @param {string} type
 * @param {string} accept
 * @param {AbortSignal} [signal]
 * @returns {Asked}
 */
function post(body, type, accept, signal) {
  return { method: 'POST', headers: { 'content-type': type, accept }, body: /** @type {BodyInit & Body} */ (body), signal };
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
 * The error for a wrong value of an option.
 * @param {string} name
 * @param {unknown} value
 * @param {string} expected
 */
function wrongOption(name, value, expected) {
  return new (typeof value === 'number' ? RangeError : TypeError)(`${name} must be ${expected}, not ${String(value)}`);
}

/**
 * A request with a stream as its body. Browsers send streams only over HTTP/2, or not at all, so in a browser the whole stream is read
 * first. `fetch` doesn't tell errors of the stream from network errors, so errors of the stream are added to `faults`.
 * @param {Asked} request
 * @param {ReadableStream} body
 * @param {unknown[]} faults
 */
async function streaming(request, body, faults) {
  const reader = body.getReader();
  const bytes = new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error) => {
        faults.push(error);
        throw error;
      });
      if (done) return controller.close();
      if (value instanceof Uint8Array) return controller.enqueue(value);
      faults.push(new TypeError('the chunks of a stream body must be bytes (Uint8Array)'));
      reader.cancel(faults[0]).catch(() => {});
      throw faults[0];
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
  if (globalThis.location) return { ...request, body: await within(new Response(bytes).blob(), undefined, request.signal) };
  return { ...request, body: bytes, duplex: 'half' };
}

/**
 * The query of a URL, without undefined values. Items of a list are separated by commas.
 * @param {Record<string, unknown>} asked
 */
function query(asked) {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? '' : `?${search}`;
}

/**
 * Is this a body to send unchanged?
 * @param {unknown} question
 * @returns {question is Body}
 */
function isBody(question) {
  return typeof question === 'string' || question instanceof Blob || question instanceof ArrayBuffer
    || ArrayBuffer.isView(question) || question instanceof ReadableStream;
}

/** @param {string} text */
const bytesOf = (text) => new TextEncoder().encode(text).length;

/**
 * The questions of a batch as JSON, split into parts within the limits. A question that exceeds them becomes a part of its own.
 * @param {unknown[]} questions
 * @param {{ max_cases: number, max_body_bytes: number }} limits
 */
function* partsOf(questions, { max_cases, max_body_bytes }) {
  const frame = bytesOf('{"cases":[]}') - 1; // no comma before the first question
  let part = [];
  let bytes = frame;
  for (const question of questions) {
    const text = JSON.stringify([question]).slice(1, -1);
    const more = bytesOf(text) + 1;
    if (part.length > 0 && (part.length >= max_cases || bytes + more > max_body_bytes)) {
      yield part;
      part = [];
      bytes = frame;
    }
    part.push(text);
    bytes += more;
  }
  yield part;
}

/**
 * Shifts the pointers of a problem so that they count from the first question of the batch.
 * @param {unknown} error
 * @param {number} before Number of questions before the refused part.
 */
function withShiftedPointers(error, before) {
  if (error instanceof Problem) {
    for (const fault of error.errors) {
      if (fault.pointer) fault.pointer = fault.pointer.replace(/^\/cases\/(\d+)/, (_, at) => `/cases/${Number(at) + before}`);
    }
  }
  return error;
}

/**
 * The cases from a source as lines, in slices. `last`: the source is known to have ended.
 * @param {any} source An iterable or an async iterable.
 * @param {string} type
 * @param {AbortSignal} [signal]
 */
async function* slicesOf(source, type, signal) {
  const waits = typeof source?.[Symbol.asyncIterator] === 'function';
  if (!waits && typeof source?.[Symbol.iterator] !== 'function') throw new TypeError('a stream takes a body or an iterable of questions');
  if (type !== LINES_TYPE) throw new TypeError(`questions can only be sent as ${LINES_TYPE}, not as ${type}`);
  const cases = waits ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  const lineOf = (/** @type {IteratorResult<unknown>} */ { done, value }) => {
    const text = done ? '' : `${JSON.stringify(value)}\n`;
    return { text, bytes: bytesOf(text) };
  };
  /** @type {any} */
  let next = null; // the next line, which isn't in a slice yet; a promise if the source is async
  let last = false;
  try {
    for (let first = true; !last; first = false) {
      const slice = { body: '', cases: 0, last: false };
      for (let bytes = 0; ;) {
        // Don't ask an async source for a case that may not fit, because that could block.
        if (waits && (slice.cases === SLICE.cases || bytes >= SLICE.bytes)) break;
        next ??= waits ? (async () => lineOf(await cases.next()))() : lineOf(cases.next());
        const line = waits ? await within(next, slice.cases > 0 ? SLICE.pause : undefined, signal) : next;
        last = line?.text === '';
        if (!line || last || slice.cases === SLICE.cases || (bytes > 0 && bytes + line.bytes > SLICE.bytes)) break;
        next = null;
        slice.body += line.text;
        slice.cases += 1;
        bytes += line.bytes;
      }
      slice.last = last;
      if (first || slice.cases > 0) yield slice;
    }
  } finally {
    const closed = Promise.resolve(last || cases.return?.());
    if (next === null) await closed;
    else closed.catch(() => {});
  }
}

/**
 * @param {any} answer
 * @returns {any} the results of a collection, or the single result
 */
function unwrapped(answer) {
  return answer.results ?? answer;
}

/**
 * Parses a JSON object. Throws if it is anything else, because then it isn't from the service.
 * @param {string} text
 * @param {Response} response
 * @returns {any}
 */
function parsed(text, response) {
  let cause;
  try {
    const value = JSON.parse(text);
    if (value instanceof Object) return value;
  } catch (error) {
    cause = error;
  }
  throw new Unreachable(`the answer isn't from Arbiter: not ${cause ? 'JSON' : 'an object'}`, { cause, ...about(response) });
}

/** @param {Response} response */
function typeOf(response) {
  return response.headers.get('content-type')?.split(';')[0].trim().toLowerCase();
}

/**
 * The properties of an answer that go into an error.
 * @param {{ status?: number, headers: Headers }} response
 */
function about({ status, headers }) {
  return { status, requestId: headers.get('x-request-id'), retryAfter: secondsOf(headers.get('retry-after') ?? '') };
}

/**
 * The seconds of `Retry-After`; null if it is neither a number nor a date.
 * @param {string} after
 */
function secondsOf(after) {
  if (/^\d+$/.test(after)) return Number(after);
  // The oldest date format has no time zone; it means GMT.
  const date = /^[A-Z][a-z]{2}/.test(after) ? Date.parse(after.endsWith('GMT') ? after : `${after} GMT`) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

/**
 * The error for an unsuccessful answer: a Problem, or Unreachable if the answer isn't from the service.
 * @param {Response} response
 * @param {AbortSignal | null} [signal]
 */
async function refusal(response, signal) {
  const type = typeOf(response);
  if (type === 'application/problem+json') {
    const document = parsed(await whole(response, signal), response);
    return new Problem({ type: 'about:blank', title: `status ${response.status}`, ...document, status: response.status }, response.headers);
  }
  response.body?.cancel().catch(() => {});
  const message = `the answer isn't from Arbiter: status ${response.status}, ${type ?? 'no content type'}`;
  return new Unreachable(message, about(response));
}

/**
 * The bytes of an answer, read on demand. Leaving the iteration ends the request; aborting the signal ends it at once.
 * @param {Response} response
 * @param {AbortSignal | null | undefined} signal
 * @param {(cause: unknown) => ArbiterError} broken Makes the error for an answer that breaks off.
 */
async function* chunksOf(response, signal, broken) {
  const reader = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (response.body ?? new Blob().stream()).getReader();
  const leave = () => void reader.cancel().catch(() => {});
  signal?.addEventListener('abort', leave);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await reader.read().catch((cause) => {
        signal?.throwIfAborted();
        throw broken(cause);
      });
      signal?.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    signal?.removeEventListener('abort', leave);
    leave();
  }
}

/**
 * @param {Response} response
 * @param {AbortSignal | null} [signal]
 */
async function whole(response, signal) {
  const decoder = new TextDecoder();
  let text = '';
  const broken = (/** @type {unknown} */ cause) => new Unreachable('the answer broke off', { cause, ...about(response) });
  for await (const bytes of chunksOf(response, signal, broken)) text += decoder.decode(bytes, { stream: true });
  return text + decoder.decode();
}

/**
 * The lines of an answer, read on demand. Each chunk is searched for line ends only once.
 * @param {Response} response
 * @param {AbortSignal | undefined} signal
 * @param {{ lines: number, bytes: number }} progress The number of lines that the caller has received, and of bytes that have arrived.
 * @param {(received: number, bytes: Uint8Array<ArrayBuffer>) => void} [onBytes]
 */
async function* linesOf(response, signal, progress, onBytes) {
  const decoder = new TextDecoder();
  let rest = ''; // the beginning of an incomplete line
  const broken = (/** @type {unknown} */ cause) => new Incomplete(progress.lines, cause, about(response));
  for await (const bytes of chunksOf(response, signal, broken)) {
    progress.bytes += bytes.length;
    onBytes?.(progress.bytes, bytes);
    const [first, ...others] = decoder.decode(bytes, { stream: true }).split('\n');
    rest += first;
    for (const next of others) {
      signal?.throwIfAborted();
      yield rest;
      rest = next;
    }
  }
  if (rest + decoder.decode() !== '') throw broken(undefined);
}

/**
 * Waits for a promise, but at most this many milliseconds; after that, returns undefined. Without a promise, this is a pause. If the signal
 * is aborted, throws its reason.
 * @template T
 * @param {Promise<T> | null} promise
 * @param {number | undefined} milliseconds
 * @param {AbortSignal | null} [signal]
 * @returns {Promise<T | undefined>}
 */
function within(promise, milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    };
    const stop = () => {
      leave();
      reject(signal?.reason);
    };
    const end = (/** @type {T | undefined} */ value) => {
      leave();
      resolve(value);
    };
    const timer = milliseconds === undefined ? undefined : setTimeout(end, Math.min(milliseconds, MOST_TIMER));
    signal?.addEventListener('abort', stop);
    promise?.then(end, (error) => {
      leave();
      reject(error);
    });
    if (signal?.aborted) stop();
  });
}
