// The service, as the page asks it: what is gone is said and asked again, what is overloaded is waited for, and of questions that
// follow one another only the last is answered.

import { Arbiter, Problem, Unreachable } from '../arbiter.js';

/** Milliseconds before each further try; the last holds for all that follow. */
const PAUSES = [500, 1000, 2000, 4000, 8000];

/** @typedef {'well' | 'gone' | 'busy'} ServiceState */

/** @typedef {'pawn' | 'go' | 'mine'} Game */

/**
 * What came of a question: an answer or a problem.
 * @typedef {{ result: any, problem?: undefined } | { result?: undefined, problem: Problem }} Answer
 */

export class Service {
  #arbiter = new Arbiter();
  #onState;
  /** @type {ServiceState} what was told last */
  #state = 'well';
  /** @type {Set<{ met: 'gone' | 'busy', waits: boolean }>} what those have met who ask again, or did until they were stopped */
  #troubles = new Set();
  /** @type {Set<() => void>} what ends the pauses between tries */
  #pauses = new Set();

  /** @param {(state: ServiceState) => void} onState told when the service goes, is busy, and is well again */
  constructor(onState) {
    this.#onState = onState;
    addEventListener('online', () => this.hurry());
  }

  /** The client below: for pictures, links and streams. */
  get arbiter() {
    return this.#arbiter;
  }

  /** Where the service is: 'http://127.0.0.1:8080/'. */
  get base() {
    return this.#arbiter.base;
  }

  /** Do not wait any longer before the next try. */
  hurry() {
    for (const end of this.#pauses) end();
  }

  /**
   * Do what asks the service, until it answers. A problem is an answer, but for 503; that the signal was given is thrown.
   * @template Result
   * @param {() => Promise<Result>} asking
   * @param {AbortSignal} [signal]
   * @returns {Promise<Result>}
   */
  async keepAsking(asking, signal) {
    /** @type {{ met: 'gone' | 'busy', waits: boolean }} */
    const trouble = { met: 'gone', waits: true };
    try {
      for (let failures = 0; ; failures += 1) {
        try {
          const result = await asking();
          this.#answered(trouble);
          return result;
        } catch (error) {
          const busy = error instanceof Problem && error.status === 503;
          if (!busy && !(error instanceof Unreachable)) {
            if (error instanceof Problem) this.#answered(trouble);
            throw error;
          }
          trouble.met = busy ? 'busy' : 'gone';
          this.#troubles.add(trouble);
          this.#tell();
          await this.#pause(busy ? (error.retryAfter ?? 1) * 1000 : PAUSES[Math.min(failures, PAUSES.length - 1)], signal);
        }
      }
    } finally {
      trouble.waits = false;
    }
  }

  /**
   * The service has answered one: what those met who wait no more is over, and those who found it gone need not wait.
   * @param {{ met: 'gone' | 'busy', waits: boolean }} trouble
   */
  #answered(trouble) {
    trouble.waits = false;
    const gone = [...this.#troubles].some(({ met, waits }) => waits && met === 'gone');
    for (const one of this.#troubles) if (!one.waits) this.#troubles.delete(one);
    this.#tell();
    if (gone) this.hurry();
  }

  /**
   * A way to ask in which a new question takes the place of the one before: that one comes back as null. A question may be a function
   * that asks by itself, for what is no question in JSON; it is given the signal.
   * @param {Game} game
   * @returns {((question: any) => Promise<Answer | null>) & { stop: () => void }}
   */
  latest(game) {
    let controller = new AbortController();
    const ask = async (/** @type {any} */ question) => {
      controller.abort();
      const mine = controller = new AbortController();
      try {
        const asking = typeof question === 'function' ? () => question(mine.signal) : () => this.#arbiter.ask(game, question, mine);
        return { result: await this.keepAsking(asking, mine.signal) };
      } catch (error) {
        if (mine.signal.aborted) return null;
        if (error instanceof Problem) return { problem: error };
        throw error;
      }
    };
    return Object.assign(ask, { stop: () => controller.abort() });
  }

  /** Say what it is now, if that is something else: gone while somebody finds it gone, well when nobody waits. */
  #tell() {
    const met = [...this.#troubles].map((trouble) => trouble.met);
    const state = met.includes('gone') ? 'gone' : met[0] ?? 'well';
    if (state === this.#state) return;
    this.#state = state;
    this.#onState(state);
  }

  /**
   * @param {number} milliseconds
   * @param {AbortSignal} [signal]
   */
  #pause(milliseconds, signal) {
    return new Promise((/** @type {(_: void) => void} */ resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        this.#pauses.delete(end);
        signal?.removeEventListener('abort', stop);
      };
      const end = () => {
        leave();
        resolve();
      };
      const stop = () => {
        leave();
        reject(signal?.reason);
      };
      const timer = setTimeout(end, milliseconds);
      this.#pauses.add(end);
      if (signal?.aborted) stop();
      signal?.addEventListener('abort', stop, { once: true });
    });
  }
}
