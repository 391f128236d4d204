// Prints the test results. Called by script/test.
//
//     node tests/report.mjs part NAME SECONDS STATUS   prints failures, skips, and one line each for the part and its suites;
//                                                      STATUS is the exit status of the part
//     node tests/report.mjs total NAME...              prints the ten slowest tests and the totals for these parts
//
// Reads build-test/results/NAME.log.tap if it exists, otherwise NAME.log.json (a Meson log whose tests write TAP).

import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const RESULTS = 'build-test/results';
const SLOWEST = 10;
const SHOWN_LINES = 60; // lines of output shown for a failed test

/**
 * Reads the TAP output of one test file. Node's tests can be nested, so the numbers come from Node's summary: the last one in the
 * output, because a test can print similar lines. For cmocka and for scripts that print TAP, the lines are counted. cmocka reports a
 * skipped test as "not ok".
 */
function readTap(text) {
  const summary = (word) => Number([...text.matchAll(new RegExp(`^# ${word} (\\d+)$`, 'gm'))].at(-1)?.[1] ?? 0);
  const node = /^# pass \d+$/m.test(text);
  const skips = [...text.matchAll(/^ *(?:not )?ok \d+.*(?<!\\)# (?:SKIP|TODO) *(.*)$/gm)].map(([, reason]) => reason || 'no reason');
  const lines = text.split('\n').filter((line) => /^(not )?ok \d+/.test(line) && !/(?<!\\)# (SKIP|TODO)/.test(line));
  const passed = node ? summary('pass') : lines.filter((line) => line.startsWith('ok')).length;
  const failed = node ? summary('fail') + summary('cancelled') : lines.filter((line) => line.startsWith('not')).length;
  const [, planned] = /^1\.\.(\d+)$/m.exec(text) ?? [];
  const times = [...text.matchAll(/^ *(?:not )?ok \d+ - (.*)\n *---\n *duration_ms: ([\d.]+)\n(?! *type: 'suite')/gm)];
  // A program that ends early hasn't run all the tests in its plan. If a file ends before its first test, or contains no tests,
  // Node reports a single test named after the file.
  const isComplete = node ? !/\.test\.mjs$/.test(times[0]?.[1] ?? '') : planned === undefined || lines.length + skips.length === Number(planned);
  return { passed, failed, isComplete, reasons: skips, tests: times.map(([, name, duration]) => ({ name, seconds: Number(duration) / 1000 })) };
}

/** The test files in a log, each with its suite, duration and results. */
function readLog(part, seconds) {
  const [log, tap] = ['json', 'tap'].map((kind) => `${RESULTS}/${part}.log.${kind}`);
  if (existsSync(tap)) {
    const text = readFileSync(tap, 'utf8');
    return [{ suite: part, file: part, seconds, good: true, text, ...readTap(text) }];
  }
  const text = existsSync(log) ? readFileSync(log, 'utf8') : '';
  return text.split('\n').filter((line) => line !== '').map((line) => {
    const { name, duration, result: ended, returncode, stdout, stderr } = JSON.parse(line);
    const file = name.split(' / ').at(-1);
    const read = readTap(stdout);
    const good = returncode === 0 && read.isComplete && read.passed + read.reasons.length > 0;
    const result = { suite: file.split('/')[0], file, seconds: duration, good, text: `${stdout}${stderr ?? ''}`, ...read };
    result.ended = `${ended}, status ${returncode}${read.isComplete ? '' : ', not all of its tests ran'}`;
    if (!good && result.failed === 0) result.failed = 1; // it ended before it could report a failure
    if (result.tests.length === 0) result.tests.push({ name: 'all tests', seconds: duration });
    return result;
  });
}

const sum = (list, of) => list.reduce((total, item) => total + of(item), 0);

const row = (name, { passed, failed, skipped, seconds }) =>
  `${name.padEnd(26)} ${String(passed).padStart(5)} passed ${String(failed).padStart(3)} failed ${String(skipped).padStart(3)} skipped ${seconds.toFixed(seconds < 10 ? 1 : 0).padStart(6)} s`;

const count = (files) => ({
  passed: sum(files, ({ passed }) => passed),
  failed: sum(files, ({ failed }) => failed),
  skipped: sum(files, ({ reasons }) => reasons.length),
  seconds: sum(files, ({ seconds }) => seconds),
});

/** The output that shows why a test file failed, starting at the first failure, or at the beginning if no test failed. */
function failureOf(text) {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => /^ *not ok|^# .*Error|Sanitizer|runtime error|Assertion/.test(line));
  const shown = lines.slice(Math.max(0, first));
  const failures = lines.filter((line) => /^not ok/.test(line));
  const names = failures.length > 1 ? `\nall that failed:\n${failures.join('\n')}` : '';
  return `${shown.slice(0, SHOWN_LINES).join('\n')}${names}`;
}

function reportPart(name, seconds, status) {
  const files = readLog(name, seconds);
  for (const { file, ended = '', text } of files.filter(({ good, failed }) => !good || failed > 0)) {
    console.log(`--- ${file} failed: ${ended}\n${failureOf(text)}`);
  }
  const total = { ...count(files), seconds };
  const nothing = total.passed + total.failed + total.skipped === 0;
  if (total.failed === 0 && (status !== 0 || nothing)) {
    console.log(`--- ${name} ended with status ${status}${nothing ? ', and no test ran' : ''}`);
    total.failed = 1;
  }
  console.log(row(name, total));
  const suites = [...new Set(files.map(({ suite }) => suite))];
  if (suites.length > 1) for (const suite of suites) console.log(row(`  ${suite}`, count(files.filter((file) => file.suite === suite))));
  const reasons = files.flatMap((file) => file.reasons);
  for (const reason of new Set(reasons)) console.log(`  ${reason}: ${reasons.filter((other) => other === reason).length} skipped`);
  const slow = files.flatMap(({ file, tests }) => tests.map((test) => ({ name: `${name}: ${file}: ${test.name}`, seconds: test.seconds })));
  slow.sort((one, other) => other.seconds - one.seconds);
  writeFileSync(`${RESULTS}/${name}.part.json`, JSON.stringify({ ...total, slow: slow.slice(0, SLOWEST) }));
}

function reportTotal(names) {
  const parts = names.map((name) => {
    const path = `${RESULTS}/${name}.part.json`;
    if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8'));
    console.log(`--- ${name} failed without a report: see build-test/${name}.out`);
    return { passed: 0, failed: 1, skipped: 0, slow: [] };
  });
  const slow = parts.flatMap((part) => part.slow).sort((one, other) => other.seconds - one.seconds).slice(0, SLOWEST);
  if (slow.length > 0) console.log('the slowest tests:');
  for (const { name, seconds } of slow) console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
  const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map((what) => sum(parts, (part) => part[what]));
  const forbidden = process.env.CI === 'true' && skipped > 0;
  if (forbidden) console.log('with CI=true a skip is a failure');
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exitCode = failed > 0 || forbidden ? 1 : 0;
}

const [command, ...rest] = process.argv.slice(2);
if (command === 'part') reportPart(rest[0], Number(rest[1]), Number(rest[2]));
else reportTotal(rest);
