// Sends questions to the service, for all games and files. After a temporary failure, it retries until there is an answer. A permanent
// failure is shown with a button to try again.

import { ArbiterError, Problem, retryDelay } from '../arbiter.js';
import { CheckedArbiter, errorToReport } from './checked.js';
import { local } from './local.js';
import { fetchWithToken } from './token.js';

/** Statuses of problems that count as an answer: the question is at fault and would be refused again. */
const REFUSED = [400, 413, 422];

/** Milliseconds until an answer counts as late, and until the banner offers to cancel the question. */
const LATE = 500, SLOW = 5000;

/** If the wait for the next try is at least this long, in milliseconds, the banner shows its time. */
const SOON = 5000;

/** For `retryDelay`: a connection that broke is treated as no answer. */
const NO_ANSWER = { status: null, retryAfter: null };

/** The user has cancelled the question. */
export class Cancelled extends Error {}

/** @typedef {'pawn' | 'go' | 'mine'} Game */

/** @typedef {'slow' | 'busy' | 'gone'} Trouble */

/**
 * A question in trouble. `met`: the kind of trouble. `at`: the time of the next try; null: soon. `waits`: it's still waiting.
 * @typedef {{ met: Trouble | null, at: number | null, waits: boolean, cancel: () => void }} Entry
 */

/** @typedef {ArbiterError | Cancelled} Failure why a question has no answer */

/**
 * The state that the banner shows. `slow`: no answer for a while. `busy`: the service asked to try later. `gone`: the service can't be
 * reached. `failed`: nothing is retried until `again` is called. `back`: the service has just answered.
 * @typedef {{ kind: 'well', back: boolean } | { kind: Trouble, at: number | null }
 *   | { kind: 'failed', failure: Failure, again: () => void }} ServiceState
 */

/**
 * The outcome of a question: a result, a problem that refuses it, or a failure.
 * @template [Result=any]
 * @typedef {{ result: Result, problem?: undefined, failure?: undefined } | { result?: undefined, problem: Problem, failure?: undefined }
 *   | { result?: undefined, problem?: undefined, failure: Failure }} Answer
 */

export class Service {
  #arbiter;
  #onState;
  /** The state last passed to `onState`. @type {ServiceState} */
  #lastState = { kind: 'well', back: false };
  /** The questions in trouble. A replaced question stays until the service answers another one. @type {Set<Entry>} */
  #troubles = new Set();
  /** By asker: why its question failed, and how to try again. @type {Map<Asker, { failure: Failure, again: () => void }>} */
  #failures = new Map();
  /** Functions that cut short the pauses before retries. @type {Set<() => void>} */
  #pauses = new Set();

  /**
   * @param {(state: ServiceState) => void} onState called when the state changes
   * @param {import('../arbiter.js').Arbiter} [arbiter]
   */
  constructor(onState, arbiter = new CheckedArbiter(undefined, { fetch: local?.ask ?? fetchWithToken })) {
    this.#onState = onState;
    this.#arbiter = arbiter;
  }

  /** The client, for pictures and streams. */
  get arbiter() {
    return this.#arbiter;
  }

  /** The address of the service: 'http://127.0.0.1:8080/'. */
  get base() {
    return this.#arbiter.base;
  }

  /** Skip all pauses and retry now. */
  hurry() {
    for (const end of this.#pauses) end();
  }

  /** Cancel all questions that are in trouble. */
  cancel() {
    const troubles = [...this.#troubles];
    this.#troubles.clear();
    for (const { waits, cancel } of troubles) if (waits) cancel();
    this.#notify();
  }

  /**
   * Ask the service, and retry as long as failures are temporary. Throws a permanent failure, Cancelled, or the signal's reason.
   * @template Result
   * @param {(signal: AbortSignal) => Promise<Result>} asking
   * @param {{ signal?: AbortSignal, patient?: boolean }} [options] `patient`: don't report slowness, because the caller shows progress
   * @returns {Promise<Result>}
   */
  async keepAsking(asking, { signal, patient = false } = {}) {
    const ended = new AbortController();
    const stop = () => ended.abort(signal?.reason);
    const stopped = new Promise((_, reject) => {
      ended.signal.addEventListener('abort', () => reject(ended.signal.reason));
    });
    stopped.catch(() => {});
    /** @type {Entry} */
    const trouble = { met: null, at: null, waits: true, cancel: () => ended.abort(new Cancelled()) };
    const slow = patient ? undefined : setTimeout(() => this.#report(trouble, trouble.met ?? 'slow'), SLOW);
    signal?.addEventListener('abort', stop, { once: true }); // kept after the first answer, because a stream goes on
    if (signal?.aborted) stop();
    try {
      for (let failures = 0; ; failures += 1) {
        try {
          ended.signal.throwIfAborted();
          const result = await Promise.race([asking(ended.signal), stopped]);
          this.#answered(trouble);
          return result;
        } catch (caught) {
          ended.signal.throwIfAborted();
          const error = errorToReport(caught);
          if (!(error instanceof ArbiterError)) throw error;
          const broken = !(error instanceof Problem) && !(error.status && error.status >= 400);
          const delay = retryDelay(broken ? NO_ANSWER : error, failures);
          if (delay === null) {
            this.#answered(trouble);
            throw error;
          }
          trouble.at = broken || delay < SOON ? null : Date.now() + delay;
          this.#report(trouble, broken ? 'gone' : 'busy');
          await this.#pause(delay, ended.signal);
        }
      }
    } finally {
      clearTimeout(slow);
      trouble.waits = false;
      if (ended.signal.reason instanceof Cancelled && this.#troubles.delete(trouble)) this.#notify();
    }
  }

  /**
   * Make an Asker, which asks one question at a time.
   * @param {() => void} [changed] called when the answer is late
   * @param {readonly number[]} [refused] statuses of problems that count as an answer
   */
  latest(changed = () => {}, refused = REFUSED) {
    return new Asker(this, changed, refused);
  }

  /**
   * Set or remove the failure of an asker's question.
   * @param {Asker} asker
   * @param {{ failure: Failure, again: () => void } | null} failed null: remove it
   */
  fail(asker, failed) {
    if (failed) this.#failures.set(asker, failed);
    else if (!this.#failures.delete(asker)) return;
    this.#notify();
  }

  /**
   * @param {Entry} trouble
   * @param {Trouble} met
   */
  #report(trouble, met) {
    trouble.met = met;
    this.#troubles.add(trouble);
    this.#notify();
  }

  /**
   * The service has answered. Forget questions in trouble that have ended, and retry those that couldn't reach it.
   * @param {Entry} trouble
   */
  #answered(trouble) {
    trouble.waits = false;
    const gone = [...this.#troubles].some(({ met, waits }) => waits && met === 'gone');
    for (const one of this.#troubles) if (!one.waits) this.#troubles.delete(one);
    this.#notify(true);
    if (gone) this.hurry();
  }

  /**
   * @param {boolean} back
   * @returns {ServiceState}
   */
  #state(back) {
    const [failed] = this.#failures.values();
    if (failed) return { kind: 'failed', failure: failed.failure, again: () => this.#askAgain() };
    const met = [...this.#troubles].map((trouble) => trouble.met);
    const kind = /** @type {const} */ (['gone', 'busy', 'slow']).find((one) => met.includes(one));
    if (!kind) return { kind: 'well', back };
    const times = [...this.#troubles].filter((trouble) => trouble.met === kind && trouble.waits).map(({ at }) => at);
    return { kind, at: times.length > 0 ? Math.min(...times.map(Number)) || null : null };
  }

  #askAgain() {
    for (const [asker, { again }] of [...this.#failures]) {
      asker.stop();
      again();
    }
  }

  /**
   * Call `onState` if the state has changed.
   * @param {boolean} [back] has the service just answered?
   */
  #notify(back = false) {
    const now = this.#state(back), before = this.#lastState;
    const failure = (/** @type {ServiceState} */ state) => state.kind === 'failed' && state.failure;
    const at = (/** @type {ServiceState} */ state) => 'at' in state && state.at;
    if (now.kind === before.kind && failure(now) === failure(before) && at(now) === at(before)) return;
    this.#lastState = now;
    this.#onState(now);
  }

  /**
   * @param {number} milliseconds
   * @param {AbortSignal} signal
   */
  #pause(milliseconds, signal) {
    return new Promise((/** @type {(_: void) => void} */ resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        this.#pauses.delete(end);
        signal.removeEventListener('abort', stop);
      };
      const end = () => {
        leave();
        resolve();
      };
      const stop = () => {
        leave();
        reject(signal.reason);
      };
      const timer = setTimeout(end, milliseconds);
      this.#pauses.add(end);
      signal.addEventListener('abort', stop, { once: true });
    });
  }
}

/** Asks one question at a time: a new question replaces the previous one. */
export class Asker {
  #service;
  #changed;
  #refused;
  #controller = new AbortController();

  /** The state of the last question. `idle`: it is answered, or there is none. @type {'idle' | 'asked' | 'late' | 'failed'} */
  state = 'idle';

  /**
   * @param {Service} service
   * @param {() => void} changed
   * @param {readonly number[]} refused
   */
  constructor(service, changed, refused) {
    this.#service = service;
    this.#changed = changed;
    this.#refused = refused;
  }

  /**
   * Ask. If it fails, the banner shows why, and its button calls `again`.
   * @template Result
   * @param {(signal: AbortSignal) => Promise<Result>} asking
   * @param {() => void} again
   * @returns {Promise<Answer<Result> | null>} null: another question has replaced it, or `stop` was called
   */
  async ask(asking, again) {
    this.stop();
    const mine = this.#controller = new AbortController();
    this.state = 'asked';
    const lateTimer = setTimeout(() => {
      this.state = 'late';
      this.#changed();
    }, LATE);
    const settled = (/** @type {'idle' | 'failed'} */ state, /** @type {Answer<Result>} */ answer) => {
      this.state = state;
      return answer;
    };
    try {
      return settled('idle', { result: await this.#service.keepAsking(asking, { signal: mine.signal }) });
    } catch (error) {
      if (mine !== this.#controller || mine.signal.aborted && !(error instanceof Cancelled)) return null;
      if (refuses(error, this.#refused)) return settled('idle', { problem: error });
      if (!isFailure(error)) throw error;
      this.#service.fail(this, { failure: error, again });
      return settled('failed', { failure: error });
    } finally {
      clearTimeout(lateTimer);
    }
  }

  /** Cancel the question. The banner offers to ask it again. */
  cancel() {
    this.#controller.abort(new Cancelled());
  }

  /** Drop the question and its failure. */
  stop() {
    this.#controller.abort();
    this.state = 'idle';
    this.#service.fail(this, null);
  }
}

/**
 * Does this error count as an answer, because the question is at fault?
 * @param {unknown} error
 * @param {readonly number[]} [refused]
 * @returns {error is Problem}
 */
export const refuses = (error, refused = REFUSED) => error instanceof Problem && refused.includes(error.status);

/**
 * Is this an error to show to the user? Any other is a bug in the page.
 * @param {unknown} error
 * @returns {error is Failure}
 */
export const isFailure = (error) => error instanceof ArbiterError || error instanceof Cancelled;
