// Controls the timers of web/arbiter.js, so that no test waits for a clock.

import { until } from '../server/client.mjs';

/** Passes each timer that web/arbiter.js starts to `begin`, as { milliseconds, end }. Calling `end` on a cleared timer does nothing. */
function catchTimers(t, begin) {
  const { setTimeout, clearTimeout } = globalThis;
  const timers = new Set();
  t.mock.method(globalThis, 'setTimeout', (call, milliseconds, ...args) => {
    if (!new Error().stack.includes('/web/arbiter.js')) return setTimeout(call, milliseconds, ...args);
    const timer = { milliseconds, end: () => timers.delete(timer) && (call(), true) };
    timers.add(timer);
    begin(timer);
    return timer;
  });
  t.mock.method(globalThis, 'clearTimeout', (timer) => timers.delete(timer) || clearTimeout(timer));
  return timers;
}

/**
 * Holds the client's timers. Returns two functions: `next()` resolves to the next timer (its `milliseconds` and `end`), and
 * `running()` returns the milliseconds of all timers that have been neither ended nor cleared.
 */
export function holdWaits(t) {
  const begun = [];
  const timers = catchTimers(t, (timer) => begun.push(timer));
  const next = async () => {
    await until('the client waits', () => begun.length > 0);
    return begun.shift();
  };
  return { next, running: () => [...timers].map(({ milliseconds }) => milliseconds) };
}

/** Ends each of the client's timers once nothing else is left to do. Returns a list of the milliseconds of the timers that have ended. */
export function skipWaits(t) {
  const ended = [];
  catchTimers(t, ({ milliseconds, end }) => setImmediate(() => end() && ended.push(milliseconds)));
  return ended;
}
