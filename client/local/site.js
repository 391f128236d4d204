// Stands in for the service on a static page (web/page/local.js).

import { host } from './host.js';
import { Pool } from './pool.js';

const pool = new Pool(host);
pool.prepare();

/**
 * Answers a question to a service.
 * @param {URL} url
 * @param {RequestInit} request
 */
export const ask = (url, request) => pool.fetch(url, request);

/** The version of the site, which script/site has put into the page. */
export const version = /** @type {HTMLMetaElement | null} */ (document.querySelector('meta[name=arbiter-version]'))?.content ?? '';

/**
 * The file of a page of the documentation.
 * @param {string} name as a service has it: `docs/guides`, or `docs` for the reference
 */
export const pageOf = (name) => (name === 'docs' ? 'reference.html' : `${name}.html`);

// The site starts without a network next time. This fails over plain HTTP, except on this machine, and if the browser stores nothing.
navigator.serviceWorker?.register('service-worker.js').catch(() => {});
