/**
 * Arbiter without a service: the same class, with the same answers and types. The answers are computed in workers, by a WebAssembly
 * module that contains the same code as the service.
 */

import { Arbiter as Client, type Limits } from '../arbiter.js';

export * from '../arbiter.js';

export interface LocalOptions {
  /** Limits that differ from the defaults, by name. If a name or a value isn't possible, all questions are rejected. */
  limits?: Partial<Omit<Limits, 'queue'>>;
  /**
   * The longest wait for an answer, in milliseconds. After that, its worker is ended. Loading the module and waiting for a worker count;
   * the lines of a stream after the first don't: to end a stream, use its `signal`.
   */
  timeout?: number;
  /** The address of a service. It appears only in the links that `link` makes. */
  base?: string | URL;
}

/**
 * At most as many questions are computed at once as there are processors (four at most). A stream that nobody reads from at the moment
 * doesn't count. A body that is a stream is read whole before it's answered.
 */
export class Arbiter extends Client {
  constructor(options?: LocalOptions);
  /**
   * Ends the idle workers; the next question starts a new one. In Node, they don't keep the program running. In a browser, they exist
   * until the page is left.
   */
  close(): void;
}
