// The side of a worker: answers one request at a time. The other side (pool.js) sends messages, and gets one reply to each:
//
//   { limits }        the first message; the worker runs                replies {}
//   { module }        the second message                                replies {}
//   { request }       begin a request; replaces an unfinished one       replies { head, bytes, done, size }
//   { more: true }    continue with it                                  replies { bytes, done, size }
//
// Any reply can be { failure } instead: the worker can't go on. A worker is cancelled by terminating it.

import { Engine, instantiate } from './engine.js';

/** @param {(reply: any, moved?: ArrayBuffer[]) => void} send */
export function serve(send) {
  /** @type {Engine} */
  let engine;
  /** @type {Record<string, number>} */
  let limits;
  /** @type {ReturnType<Engine['answer']> | undefined} */
  let answer;
  return (/** @type {any} */ message) => {
    try {
      if (message.limits) ({ limits } = message);
      if (message.module) engine = new Engine(instantiate(message.module), limits);
      if (message.limits || message.module) return send({});
      if (message.request) {
        answer?.return();
        answer = engine.answer(message.request);
      }
      const part = /** @type {import('./engine.js').Part} */ (answer?.next().value);
      send({ ...part, size: engine.size }, [part.bytes.buffer]);
    } catch (error) {
      send({ failure: /** @type {Error} */ (error).message });
    }
  };
}
