// A `fetch` that needs no service: each request is answered by a worker with its own copy of arbiter.wasm.
//
// A worker has one request at a time, because the module can't be interrupted: to cancel a request, its worker is terminated. A module
// never gives memory back, so a worker whose memory has grown is replaced. All requests are pure, so one that fails for lack of memory
// is tried once more in a new worker.

/** Memory, in bytes, above which a worker is replaced. */
const MOST_MEMORY = 256 << 20;

/**
 * A worker as the pool uses it: `ask` sends a message and resolves to the reply; it rejects if the worker fails.
 * @typedef {{ ask: (message: any, moved?: ArrayBuffer[]) => Promise<any>, hold: (busy: boolean) => void, end: () => void }} Thread
 */

/** @typedef {{ load: () => Promise<WebAssembly.Module>, start: () => Thread, workers: number }} Host */

export class Pool {
  #host;
  #limits;
  /** Resolves once arbiter.wasm is loaded. @type {Promise<WebAssembly.Module> | null} */
  #module = null;
  /** Workers without a request. @type {Promise<Thread>[]} */
  #idle = [];
  /** Requests that use a processor now. A stream whose reader isn't waiting isn't one, so it holds up nobody. */
  #running = 0;
  /** Requests that wait for a worker. @type {(() => void)[]} */
  #waiting = [];

  /**
   * @param {Host} host
   * @param {Record<string, number>} [limits]
   */
  constructor(host, limits = {}) {
    this.#host = host;
    this.#limits = limits;
  }

  /** Start a worker, so that the first request doesn't wait for it. */
  prepare() {
    if (this.#idle.length + this.#running > 0) return;
    const started = this.#begin();
    this.#idle.push(started);
    started.catch(() => {
      this.#idle = this.#idle.filter((each) => each !== started); // the next request tries again
    });
  }

  /** End all idle workers. */
  close() {
    for (const thread of this.#idle.splice(0)) thread.then(({ end }) => end(), () => {});
  }

  /**
   * Answer a request, like `fetch`. Everything up to the last slash of the path is ignored.
   * @param {URL | string} url
   * @param {RequestInit & { duplex?: string }} [init]
   */
  async fetch(url, { method = 'GET', headers, body, signal } = {}) {
    const { pathname, search } = new URL(url);
    const target = pathname.replace(/^.*\//, '/') + search;
    const request = { method, target, headers: [['host', 'localhost'], ...new Headers(headers)], body: await bytesOf(body, signal) };
    signal?.throwIfAborted();
    if (this.#running >= this.#host.workers) await this.#turn(signal);
    this.#running += 1;
    const exchange = new Exchange(() => this.#idle.pop() ?? this.#begin(), (thread) => this.#leave(thread), (change) => this.#count(change));
    return exchange.answer(request, signal);
  }

  /**
   * Wait until a worker is free.
   * @param {AbortSignal | null} [signal]
   */
  #turn(signal) {
    return new Promise((/** @type {(_: void) => void} */ resolve, reject) => {
      const go = () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const stop = () => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', stop, { once: true });
      this.#waiting.push(go);
    });
  }

  async #begin() {
    const thread = this.#host.start();
    try {
      this.#module ??= this.#host.load().catch((error) => {
        this.#module = null; // the next request tries again
        throw error;
      });
      const [module] = await Promise.all([this.#module, thread.ask({ limits: this.#limits })]); // it starts while the module is loaded
      checked(await thread.ask({ module }));
    } catch (error) {
      thread.end();
      throw error;
    }
    thread.hold(false);
    return thread;
  }

  /**
   * A request has ended.
   * @param {Thread | null} thread null: its worker was terminated
   */
  #leave(thread) {
    if (thread) this.#idle.push(Promise.resolve(thread));
    const next = !thread && this.#waiting.length === 0;
    this.#count(-1);
    if (next) this.prepare(); // the next request needs a worker soon
  }

  /** A request begins to use a processor (1), or ceases to (-1). */
  #count(/** @type {1 | -1} */ change) {
    this.#running += change;
    if (change < 0) this.#waiting.shift()?.();
  }
}

/**
 * The bytes of a body. Node's Response takes seconds for 100 MB, so it reads only streams.
 * @param {BodyInit | null | undefined} body
 * @param {AbortSignal | null} [signal] ends the reading of a stream
 */
async function bytesOf(body, signal) {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (!(body instanceof ReadableStream)) return new Uint8Array(await (body instanceof Blob ? body : new Response(body)).arrayBuffer());
  /** @type {BlobPart[]} */
  const parts = [];
  await body.pipeTo(new WritableStream({ write: (part) => void parts.push(part) }), signal ? { signal } : {});
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/**
 * Throws if the reply of a worker is a failure.
 * @param {any} reply
 */
function checked(reply) {
  if (reply.failure) throw new TypeError(`the engine failed: ${reply.failure}`);
  return reply;
}

/** A request and its worker. */
class Exchange {
  #take;
  #leave;
  #count;
  /** Is the reader of a stream not waiting? */
  #paused = false;
  /** @type {Thread | null} */
  #thread = null;
  /** Aborted once the request has ended, for whatever reason. */
  #over = new AbortController();
  #stopped = new Promise((_, reject) => {
    this.#over.signal.addEventListener('abort', ({ target }) => reject(/** @type {AbortSignal} */ (target).reason));
  });

  /**
   * @param {() => Promise<Thread>} take gets a worker
   * @param {(thread: Thread | null) => void} leave gives it back; null: it was terminated
   * @param {(change: 1 | -1) => void} count says whether the request uses a processor
   */
  constructor(take, leave, count) {
    this.#take = take;
    this.#leave = leave;
    this.#count = count;
    this.#stopped.catch(() => {});
  }

  /**
   * @param {any} request
   * @param {AbortSignal | null} [signal]
   */
  async answer(request, signal) {
    signal?.addEventListener('abort', () => this.#end(false, signal.reason), { signal: this.#over.signal });
    try {
      signal?.throwIfAborted(); // since its turn came
      let part = await this.#begin(request);
      if (part.head.status === 503) {
        this.#thread?.end();
        this.#thread = null;
        part = await this.#begin(request);
      }
      const { status, headers } = part.head;
      if (part.done) this.#end(part.size <= MOST_MEMORY);
      return new Response([204, 304].includes(status) ? null : part.done ? part.bytes : this.#rest(part.bytes), { status, headers });
    } catch (error) {
      this.#end(false);
      throw error;
    }
  }

  /** @param {any} request */
  async #begin(request) {
    const taking = this.#take();
    taking.then((thread) => this.#over.signal.aborted && thread !== this.#thread && thread.end(), () => {}); // aborted while it was being started
    this.#thread = await Promise.race([taking, this.#stopped]);
    this.#thread?.hold(true);
    return this.#ask({ request });
  }

  /** @param {any} message */
  async #ask(message) {
    return checked(await Promise.race([/** @type {Thread} */ (this.#thread).ask(message), this.#stopped]));
  }

  /**
   * The body of an answer that isn't complete yet.
   * @param {Uint8Array} first its first bytes
   */
  #rest(first) {
    let bytes = first, done = false, size = 0;
    this.#pause(true);
    return new ReadableStream({
      pull: async (controller) => {
        try {
          this.#pause(false);
          while (bytes.length === 0 && !done) ({ bytes, done, size } = await this.#ask({ more: true }));
          if (bytes.length > 0) controller.enqueue(bytes);
          bytes = new Uint8Array();
          if (!done) return this.#pause(true);
          this.#end(size <= MOST_MEMORY);
          controller.close();
        } catch (error) {
          this.#end(false);
          controller.error(error);
        }
      },
      cancel: (reason) => this.#end(false, reason),
    }, { highWaterMark: 0 });
  }

  /** Between two reads, a stream keeps its worker, but uses no processor, and doesn't keep the program alive. */
  #pause(/** @type {boolean} */ paused) {
    if (this.#paused === paused || this.#over.signal.aborted) return;
    this.#paused = paused;
    this.#thread?.hold(!paused);
    this.#count(paused ? -1 : 1);
  }

  /**
   * @param {boolean} usable can the worker answer another request?
   * @param {unknown} [reason] what those who wait for the worker get as an error
   */
  #end(usable, reason) {
    if (this.#over.signal.aborted) return;
    this.#pause(false);
    this.#over.abort(reason);
    if (!usable) this.#thread?.end();
    this.#thread?.hold(false);
    this.#leave(usable ? this.#thread : null);
  }
}
