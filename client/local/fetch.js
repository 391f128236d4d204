// The `fetch` of browsers and their workers: no bundler is needed, only that this folder is served.

import { Pool } from './pool.js';

const wasm = new URL('arbiter.wasm', import.meta.url);

async function load() {
  const response = await fetch(wasm);
  if (!response.ok) throw new TypeError(`${wasm} can't be loaded: status ${response.status}`);
  // Not compileStreaming, because that requires a media type that some hosts don't send.
  return WebAssembly.compile(await response.arrayBuffer());
}

/** @returns {import('./pool.js').Thread} */
function start() {
  const worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
  /** @type {{ resolve: (reply: any) => void, reject: (error: unknown) => void } | null} */
  let asked = null;
  worker.onmessage = ({ data }) => asked?.resolve(data);
  worker.onerror = (event) => {
    event.preventDefault();
    asked?.reject(new TypeError(`a worker failed: ${event.message ?? 'it could not be loaded'}`));
  };
  return {
    ask: (message) => new Promise((resolve, reject) => {
      asked = { resolve, reject };
      worker.postMessage(message);
    }),
    hold: () => {},
    end: () => worker.terminate(),
  };
}

/** @type {import('./pool.js').Host} */
export const host = { module: load, start, workers: Math.min(navigator.hardwareConcurrency ?? 2, 4) };

/** @param {Record<string, number>} [limits] */
export const makePool = (limits) => new Pool(host, limits);
