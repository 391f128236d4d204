// The two programs that are compared: the last release and the build under test.
//
// ARBITER_RELEASE  the program of the last release; `script/release` builds it and prints its path
// ARBITER_BINARY   the build under test (tests/server/arbiter.mjs)
// ARBITER_SEED     another seed for the random requests
//
//     ARBITER_RELEASE=$(script/release) node --test tests/compat/
//
// Without ARBITER_RELEASE these tests are skipped.

import { run, start } from '../server/arbiter.mjs';

const RELEASE = process.env.ARBITER_RELEASE ?? '';

export const SEED = Number(process.env.ARBITER_SEED ?? 20260923);

/** The options of each test: it is skipped if there is no release to compare with. */
export const TEST_OPTIONS = {
  skip: RELEASE === '' && 'ARBITER_RELEASE names no program of the last release; script/release builds one and prints its path',
  timeout: 600_000,
};

// The numbers of threads would depend on the machine, and the ports must be free.
const USUAL = ['--workers', '2', '--long-workers', '1', '--ops-port', '0'];

/** Starts both with the same options: { old, now }. */
export async function startBoth(options = []) {
  const [old, now] = await Promise.all([
    start([...USUAL, ...options], { program: [RELEASE] }),
    start([...USUAL, ...options]),
  ]);
  return { old, now };
}

/** Runs both until they end, with the same arguments: { old, now }, each { code, signal, stdout, stderr }. */
export async function runBoth(args, options) {
  const [old, now] = await Promise.all([run(args, { ...options, program: [RELEASE] }), run(args, options)]);
  return { old, now };
}
