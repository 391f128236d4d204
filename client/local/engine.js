// Runs arbiter.wasm (api/local/module.h): the bytes of a request go in, the bytes of its answer come out. Knows nothing of workers, so
// a long case blocks the thread.

/**
 * @typedef {{ method: string, target: string, headers: [string, string][], body: Uint8Array }} Request
 * @typedef {{ head?: { status: number, headers: [string, string][] }, bytes: Uint8Array<ArrayBuffer>, done: boolean }} Part a part of an
 *   answer; the first one has its head
 * @typedef {Record<string, (...values: any[]) => any> & { memory: WebAssembly.Memory }} Exports
 */

/** The states of a request (enum local_state). */
const WORKING = 0, DONE = 1, BROKEN = 2;

/** Bytes that are read from the module at once; more than any head of an answer. */
const BLOCK = 1 << 16;

const LINE_FEED = 10;

/** The C library of the module writes to standard error only if it aborts. */
const imports = { wasi_snapshot_preview1: { fd_close: () => 8, fd_seek: () => 8, fd_write: () => 8 } };

/** @param {WebAssembly.Module} module */
export const instantiate = (module) => new WebAssembly.Instance(module, imports);

/** The module could not go on: it is out of memory, or has trapped. Don't use the engine any more. */
export class EngineError extends Error {
  name = 'EngineError';
}

export class Engine {
  /** @type {Exports} */
  #c;
  #instance;
  /** Where the module writes the answer. */
  #block;

  /**
   * @param {WebAssembly.Instance} instance made by `instantiate`, for this engine only
   * @param {Record<string, number>} [limits] limits that differ from the defaults, by name
   */
  constructor(instance, limits = {}) {
    this.#c = /** @type {any} */ (instance.exports);
    this.#c._initialize();
    this.#instance = this.#c.module_new(globalThis.crypto ? crypto.getRandomValues(new BigUint64Array(1))[0] : BigInt(Date.now()));
    for (const [name, value] of Object.entries(limits)) {
      const text = this.#copy(new TextEncoder().encode(`${name}\0`));
      const known = Number.isSafeInteger(value) && value > 0 && this.#c.module_set_limit(this.#instance, text, BigInt(value));
      this.#c.free(text);
      if (!known) throw new RangeError(`the limit ${name} can't be ${value}: docs/options.md lists the names and the largest values`);
    }
    this.#block = this.#c.malloc(BLOCK);
    if (!this.#instance || !this.#block || !this.#c.module_start(this.#instance)) throw new EngineError('out of memory');
  }

  /** The size of the module's memory, in bytes. It never shrinks. */
  get size() {
    return this.#c.memory.buffer.byteLength;
  }

  /**
   * Answer a request: yields each part of the answer as soon as it is ready. Leaving the iteration ends the request. Throws EngineError if
   * the answer can't be completed.
   * @param {Request} request
   * @returns {Generator<Part, void, undefined>}
   */
  *answer({ method, target, headers, body }) {
    const c = this.#c, size = body.length > 0 || method === 'POST' ? [`content-length: ${body.length}`] : [];
    const lines = [`${method} ${target}`, ...size, ...headers.map(([name, value]) => `${name}: ${value}`)];
    const at = this.#copy(body), text = this.#copy(new TextEncoder().encode(`${lines.join('\n')}\n\0`));
    const request = c.module_ask(this.#instance, text, at, body.length);
    if (!request) throw new EngineError('out of memory');
    try {
      for (let state = WORKING, length = 0, begun = false, done = false; !done; begun = true) {
        do {
          if (state === WORKING && length < BLOCK) state = c.module_step(request); // otherwise, more may be ready
          length = c.module_read(request, this.#block, BLOCK);
        } while (state === WORKING && length === 0);
        if (length === 0 && (state === BROKEN || !begun)) throw new EngineError('out of memory');
        done = state === DONE && length < BLOCK;
        const bytes = new Uint8Array(c.memory.buffer, this.#block, length).slice();
        yield { ...(begun ? { bytes } : split(bytes)), ...(method === 'HEAD' && { bytes: new Uint8Array() }), done };
      }
    } finally {
      c.module_free(request);
    }
  }

  /**
   * Copy bytes into the module.
   * @param {Uint8Array} bytes
   */
  #copy(bytes) {
    const at = this.#c.malloc(bytes.length + 1);
    if (!at) throw new EngineError('out of memory');
    new Uint8Array(this.#c.memory.buffer).set(bytes, at);
    return at;
  }
}

/**
 * Split the beginning of an answer into its head, which is ASCII, and the rest.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
function split(bytes) {
  let end = 0;
  while (bytes[end] !== LINE_FEED || bytes[end + 1] !== LINE_FEED) end += 1;
  const [status, ...lines] = new TextDecoder().decode(bytes.subarray(0, end)).split('\n');
  const headers = lines.map((line) => /** @type {[string, string]} */ (line.split(/: (.*)/).slice(0, 2)));
  return { head: { status: Number(status), headers }, bytes: bytes.slice(end + 2) };
}
