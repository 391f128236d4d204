// The workers of browsers (and of their workers). No bundler is needed, only that this folder is served.

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
  return {
    ask: (message) => new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new TypeError(`a worker failed: ${event.message ?? 'it could not be loaded'}`));
      };
      worker.postMessage(message);
    }),
    hold: () => {},
    end: () => worker.terminate(),
  };
}

/** @type {import('./pool.js').Host} */
export const host = { load, start, workers: Math.min(navigator.hardwareConcurrency ?? 2, 4) };
