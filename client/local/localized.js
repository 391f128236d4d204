// Makes the class `Arbiter` that needs no service.

/** @typedef {typeof import('../arbiter.js').Arbiter} Client */

/** The address of an answer that no service gave; it appears only in links. */
const NOWHERE = 'http://localhost/';

/**
 * @param {Client} Client
 * @param {(limits?: Record<string, number>) => import('./pool.js').Pool} makePool
 */
export const localized = (Client, makePool) => class Arbiter extends Client {
  #pool;

  /** @param {{ limits?: Record<string, number>, timeout?: number, base?: string | URL }} [options] */
  constructor({ limits, timeout, base = NOWHERE } = {}) {
    const pool = makePool(limits);
    super(base, { fetch: /** @type {typeof fetch} */ ((url, request) => pool.fetch(/** @type {URL} */ (url), request)), timeout });
    this.#pool = pool;
  }

  /** End the workers that are idle. */
  close() {
    this.#pool.close();
  }
};
