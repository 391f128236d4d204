// Makes the class `Arbiter` that needs no service.

import { Arbiter as Client, Unreachable } from '../arbiter.js';
import { Pool } from './pool.js';

/** The address of an answer that no service gave; it appears only in links. */
const NOWHERE = 'http://localhost/';

/** @param {import('./pool.js').Host} host */
export const localized = (host) => class Arbiter extends Client {
  #pool;

  /** @param {{ limits?: Record<string, number>, timeout?: number, base?: string | URL }} [options] */
  constructor({ limits, timeout, base = NOWHERE } = {}) {
    const pool = new Pool(host, limits);
    super(base, { fetch: /** @type {typeof fetch} */ ((url, request) => pool.fetch(/** @type {URL} */ (url), request).catch((cause) => {
      request?.signal?.throwIfAborted();
      throw new Unreachable(`the engine can't answer: ${cause.message}`, { cause });
    })), timeout });
    this.#pool = pool;
  }

  /** End the workers that are idle. */
  close() {
    this.#pool.close();
  }
};
