// The workers of Node.

import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { Worker } from 'node:worker_threads';

const load = async () => WebAssembly.compile(await readFile(new URL('arbiter.wasm', import.meta.url)));

/** @returns {import('./pool.js').Thread} */
function start() {
  const worker = new Worker(new URL('worker.node.js', import.meta.url), { execArgv: [] }); // an option of the program, such as --input-type, may not suit it
  return {
    ask: (message) => new Promise((resolve, reject) => {
      worker.removeAllListeners().once('message', resolve);
      worker.once('error', (cause) => reject(new TypeError('a worker failed', { cause })));
      worker.postMessage(message);
    }),
    hold: (busy) => (busy ? worker.ref() : worker.unref()), // an idle worker doesn't keep the process alive
    end: () => void worker.terminate(),
  };
}

/** @type {import('./pool.js').Host} */
export const host = { load, start, workers: Math.min(availableParallelism?.() ?? cpus().length, 4) };
