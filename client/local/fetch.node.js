// The `fetch` of Node.

import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Pool } from './pool.js';

const load = async () => WebAssembly.compile(await readFile(new URL('arbiter.wasm', import.meta.url)));

/** @returns {import('./pool.js').Thread} */
function start() {
  const worker = new Worker(new URL('worker.node.js', import.meta.url));
  /** @type {{ resolve: (reply: any) => void, reject: (error: unknown) => void } | null} */
  let asked = null;
  worker.on('message', (reply) => asked?.resolve(reply));
  worker.on('error', (error) => asked?.reject(new TypeError('a worker failed', { cause: error })));
  return {
    ask: (message) => new Promise((resolve, reject) => {
      asked = { resolve, reject };
      worker.postMessage(message);
    }),
    hold: (busy) => (busy ? worker.ref() : worker.unref()), // an idle worker doesn't keep the process alive
    end: () => void worker.terminate(),
  };
}

/** @type {import('./pool.js').Host} */
export const host = { module: load, start, workers: Math.min(availableParallelism?.() ?? cpus().length, 4) };

/** @param {Record<string, number>} [limits] */
export const makePool = (limits) => new Pool(host, limits);
