// Sends a file to the service, and reads the answer line by line.

import { Incomplete, Unreachable } from '../arbiter.js';
import { Answers } from './answers.js';
import { countCases } from './cases.js';
import { SGF } from './kinds.js';
import { Cancelled, isFailure } from './service.js';

/** @typedef {import('./service.js').Service} Service */
/** @typedef {import('./service.js').Game} Game */
/** @typedef {import('./kinds.js').Kind} Kind */

/**
 * `broken`: the connection broke in the middle of the answer. `refused`: the service refused the whole file. `unreadable`: the browser
 * couldn't read the file.
 * @typedef {'waiting' | 'sending' | 'answering' | 'done' | 'stopped' | 'broken' | 'refused' | 'unreadable'} Phase
 */

/** Milliseconds of work before a pause in which the page can handle events. */
const WORK_TIME = 12;

export class Upload {
  #service;
  #file;
  #changed;
  #controller = new AbortController();
  #began = 0;
  #ended = 0;

  /** @type {Phase} */
  phase = 'waiting';
  answers = new Answers();
  /** The number of cases in the file; null if not known. @type {number | null} */
  total = null;
  /** Why the file was refused. @type {import('./service.js').Failure | null} */
  problem = null;

  /**
   * @param {Service} service
   * @param {File} file
   * @param {() => void} changed called after a change of the phase, and after each answer
   */
  constructor(service, file, changed) {
    this.#service = service;
    this.#file = file;
    this.#changed = changed;
  }

  /** Milliseconds from the start of the answer to its end, or until now. */
  get took() {
    return (this.phase === 'answering' ? performance.now() : this.#ended) - this.#began;
  }

  get running() {
    return this.phase === 'sending' || this.phase === 'answering';
  }

  /** Prepare to send the file again. Drops the answers. */
  reset() {
    this.#controller = new AbortController();
    this.answers = new Answers();
    this.total = null;
    this.problem = null;
    this.#setPhase('waiting');
  }

  /** Stop, and keep the answers. */
  stop() {
    this.#controller.abort();
    if (this.phase === 'waiting') this.#setPhase('stopped');
  }

  /**
   * Send the file, unless `stop` was called before. Resolves when `phase` is final.
   * @param {Game} game
   * @param {Kind} kind
   */
  async run(game, kind) {
    const { signal } = this.#controller;
    if (signal.aborted) return;
    this.#setPhase('sending');
    this.#count(kind, signal);
    try {
      await this.#readAnswers(await this.#service.keepAsking((given) => this.#open(game, kind, given), { signal, patient: true }));
      this.#setPhase('done');
    } catch (error) {
      const phase = this.#endOf(error, signal);
      this.problem = phase === 'refused' ? /** @type {import('./service.js').Failure} */ (error) : null;
      this.#setPhase(phase);
    }
  }

  /**
   * @param {unknown} error
   * @param {AbortSignal} signal
   * @returns {Phase}
   */
  #endOf(error, signal) {
    if (signal.aborted || error instanceof Cancelled) return 'stopped';
    if (error instanceof Incomplete || (error instanceof Unreachable && this.answers.count > 0)) return 'broken';
    if (isFailure(error)) return 'refused';
    // The browser can't read the file: it was moved or changed, or is a folder.
    if (error instanceof DOMException) return 'unreadable';
    throw error;
  }

  /**
   * @param {Kind} kind
   * @param {AbortSignal} signal
   */
  #count(kind, signal) {
    countCases(this.#file, kind, signal).then((total) => {
      if (!signal.aborted) this.total = total;
    }, () => {}); // `run` reports an unreadable file
  }

  /**
   * Send the file, and wait for the first answer.
   * @param {Game} game
   * @param {Kind} kind
   * @param {AbortSignal} signal
   */
  async #open(game, kind, signal) {
    this.answers = new Answers(); // the last try may have left a partial line
    const lines = this.#service.arbiter.stream(game, this.#file, {
      type: kind,
      signal,
      onSent: () => {
        this.#began = performance.now();
        this.#setPhase('answering');
      },
      onBytes: (_, bytes) => this.answers.add(bytes),
      ...(kind === SGF ? { game: 'all' } : {}),
    });
    return { lines, first: await lines.next() };
  }

  /** @param {{ lines: AsyncGenerator<any>, first: IteratorResult<any> }} opened */
  async #readAnswers({ lines, first }) {
    let turn = performance.now();
    for (let next = first; !next.done; next = await lines.next()) {
      this.answers.settle('problem' in next.value);
      this.#changed();
      if (performance.now() - turn < WORK_TIME) continue;
      await new Promise((resolve) => setTimeout(resolve));
      turn = performance.now();
    }
  }

  /** @param {Phase} phase */
  #setPhase(phase) {
    if (this.phase === 'answering') this.#ended = performance.now();
    this.phase = phase;
    this.#changed();
  }
}
