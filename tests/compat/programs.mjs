// The two programs that are compared: the last release and the build under test.
//
// ARBITER_RELEASE  the program of the last release; `script/release` builds it and prints its path
// ARBITER_BINARY   the build under test (tests/server/arbiter.mjs)
// ARBITER_SEED     a different seed for the random requests

import { run, start } from '../server/arbiter.mjs';

const RELEASE = process.env.ARBITER_RELEASE ?? '';
export const SEED = Number(process.env.ARBITER_SEED ?? 20260923);

/** The options for each test, which is skipped if there is no release to compare with. */
export const TEST_OPTIONS = {
  skip: RELEASE === '' && 'ARBITER_RELEASE names no program of the last release; script/release builds one and prints its path',
  timeout: 600_000,
};

const ofBoth = (make) => Promise.all([make({ program: [RELEASE] }), make({})]).then(([old, now]) => ({ old, now }));

/** Runs both with the same arguments until they exit. Resolves to { old, now }, each { code, signal, stdout, stderr }. */
export const runBoth = (args, options) => ofBoth((program) => run(args, { ...options, ...program }));

/** Starts both with the same options, calls `use` with { old, now }, and kills any program that is still running afterwards. */
export async function withBoth(options, use) {
  // By default, the number of threads would depend on the machine, and the ops port could be in use.
  const both = await ofBoth((program) => start(['--workers', '2', '--long-workers', '1', '--ops-port', '0', ...options], program));
  try {
    await use(both);
  } finally {
    for (const program of [both.old, both.now]) if (program.left === null) program.signal('SIGKILL');
  }
}

/** Calls `work` with each item in a list and its index, processing `count` items at a time. */
export async function inParallel(count, list, work) {
  const waiting = list.entries();
  await Promise.all(Array.from({ length: count }, async () => {
    for (const [index, item] of waiting) await work(item, index);
  }));
}
