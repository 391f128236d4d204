// Where answers come from. Normally the service that served the page gives them. On a static host, script/site has put this into the page:
//
//   <meta name="arbiter-engine" content="web/local/fetch.js">     a module whose `makePool` gives a `fetch` that needs no service
//   <meta name="arbiter-version" content="1.2.0 (0123456789ab)">

import { fetchWithToken } from './token.js';

/** @param {string} name */
const meta = (name) => /** @type {HTMLMetaElement | null} */ (document.querySelector(`meta[name=arbiter-${name}]`))?.content;

const engine = meta('engine');

/** Is there no service? */
export const isLocal = engine !== undefined;

/** The version of a page without a service. */
export const version = meta('version');

/** Loads the engine and starts its first worker. */
const loading = engine === undefined ? null : import(new URL(engine, document.baseURI).href).then(({ makePool }) => {
  const pool = makePool();
  pool.prepare();
  return pool;
});
loading?.catch(() => {}); // each question reports it

/** `fetch` for questions to the service. @type {(url: URL, request: RequestInit) => Promise<Response>} */
export const ask = loading ? async (url, request) => (await loading).fetch(url, request) : fetchWithToken;

/**
 * The address of a page of the documentation.
 * @param {string} name the name in `docs/`, or `docs` for the reference
 */
export const pageOf = (name) => (!isLocal ? name : name === 'docs' ? 'reference.html' : `${name}.html`);

/** Let the page start without a network next time. */
export function keepOffline() {
  if (isLocal) navigator.serviceWorker?.register('service-worker.js').catch(() => {}); // over plain HTTP, or in a private window
}
