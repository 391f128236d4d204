// Checks the tables in OPERATIONS.md and docs/: options against --help, memory sums against --check, metrics against GET /metrics,
// and log events against the calls in the source code.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import { askAllKinds } from '../server/all_kinds.mjs';
import { run, withArbiter } from '../server/arbiter.mjs';
import { MiB } from '../server/formula.mjs';

const text = (name) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const page = ['OPERATIONS.md', ...['options', 'sizing', 'observing'].map((name) => `docs/${name}.md`)].map(text).join('\n');

const cellsOf = (line) => line.split('|').slice(1, -1).map((cell) => cell.trim().replaceAll('`', ''));

/** The rows of the table whose first column has this name, as objects keyed by column name. */
function table(first) {
  const blocks = page.split('\n\n').map((block) => block.split('\n'));
  const found = blocks.filter(([head]) => head.startsWith(`| ${first} |`));
  assert.equal(found.length, 1, `there is one table of ${first}`);
  const [head, , ...rows] = found[0].map(cellsOf);
  return rows.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at]])));
}

test('every option has a row with its default, in the order of --help', async () => {
  const { stdout } = await run(['--help']);
  for (const [head, part] of [['option', 0], ['advanced option', 1]]) {
    const lines = stdout.split(/^Advanced options/m)[part];
    const options = [...lines.matchAll(/^ {2}--([a-z-]+) +.* \[(.*)\]$/gm)].map(([, name, value]) => [`--${name}`, value]);
    assert.ok(options.length > 5);
    assert.deepEqual(table(head).map((row) => [row[head], row.default]), options);
  }
  assert.match(stdout, /^ {2}--max-cases .* \[\d+; public \d+\]$/m);
});

/** The options for each column of the memory table. */
const SIZES = {
  'at the defaults': [],
  'with an account of 512 MiB': ['--max-inflight-bytes', 512 * MiB],
  '--profile public': ['--profile', 'public'],
};

test('the memory table and the advice on replicas show the same sums as --check', async () => {
  const rows = table('processors (workers, long)');
  assert.deepEqual(rows.map((row) => row['processors (workers, long)'].split(' ')[0]), ['1', '2', '4', '8', '16', '32', '64']);
  for (const { 'processors (workers, long)': processors, ...sums } of rows) {
    const [, workers] = /^(\d+) /.exec(processors);
    assert.deepEqual(Object.keys(sums), Object.keys(SIZES));
    for (const [column, sum] of Object.entries(sums)) {
      const { stdout } = await run(['--check', '--io-threads', 1, '--workers', workers, ...SIZES[column]]);
      const [, longWorkers] = /^long_workers (\d+)$/m.exec(stdout);
      const [, most] = /^systemd MemoryMax=(\d+)M$/m.exec(stdout);
      assert.deepEqual([processors, sum.replace(',', '')], [`${workers} (${workers}, ${longWorkers})`, most], column);
    }
  }
  const [{ 'with an account of 512 MiB': one }] = rows;
  assert.ok(page.replace(/\s+/g, ' ').includes(`with an account of 512 MiB, a replica needs at most ${one} MiB`));
});

test('the container table shows the values that --memory derives', async () => {
  const rows = table('container limit');
  assert.ok(rows.length >= 5);
  for (const row of rows) {
    const [container, inflight, connections, body, states] = Object.values(row).map((cell) => Number(cell.replaceAll(/,| MiB/g, '')));
    const { stdout } = await run(['--check', '--workers', 1, '--io-threads', 1, '--memory', `${container * 15 / 16}M`]);
    const value = (name) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(stdout)[1]);
    assert.deepEqual([inflight, connections, body, states], [value('max_inflight_bytes') / MiB, value('max_connections'),
      Number((value('max_body_bytes') / MiB).toFixed(1)), value('max_search_states')], row['container limit']);
  }
});

/** Converts a value from the limits table to the form that --check prints. */
function valueOf(text) {
  const [, number, unit] = /^([\d,]+)(?: (MiB|GiB|s))?$/.exec(text) ?? assert.fail(`a value of another form: ${text}`);
  return String(Number(number.replaceAll(',', '')) * { MiB, GiB: 1024 * MiB, s: 1, [undefined]: 1 }[unit]);
}

test('the limits table lists all options that differ between the profiles', async () => {
  const profiles = [];
  for (const profile of ['trusted', 'public']) {
    const { stdout } = await run(['--check', '--profile', profile]);
    profiles.push(Object.fromEntries(stdout.split('\n').map((line) => line.split(' '))));
  }
  const [trusted, open] = profiles;
  const isOption = (name) => !/^memory_|^(profile|systemd|compose|kubernetes)$/.test(name);
  const differ = Object.keys(trusted).filter((name) => isOption(name) && trusted[name] !== open[name]);
  const rows = table('limit').map((row) => [row.limit.slice(2).replaceAll('-', '_'), row.trusted, row.public]
    .map((cell) => (/^\d/.test(cell) ? valueOf(cell) : cell)));
  assert.deepEqual(rows.sort(), differ.map((name) => [name, trusted[name], open[name]]).sort());
});

/** Each metric in a Prometheus text as { name, type, labels }. */
function metricsIn(text) {
  return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => {
    const [, sample = ''] = new RegExp(`^${name}(?:_bucket)?\\{(.*)\\} `, 'm').exec(text) ?? [];
    const labels = [...sample.matchAll(/([a-z]+)=/g)].map(([, label]) => label).filter((label) => label !== 'le');
    return { name, type, labels: labels.join(', ') };
  });
}

test('every metric has a row with its type and labels, and there are no other rows', async () => {
  await withArbiter([], async (arbiter) => {
    await askAllKinds(arbiter); // a histogram without values has no lines
    const byName = (one, other) => one.name.localeCompare(other.name);
    const written = table('metric').map(({ metric, type, labels }) => ({ name: metric, type, labels }));
    const metrics = metricsIn((await arbiter.ask({ target: '/metrics' })).text());
    assert.ok(metrics.length > 0);
    assert.deepEqual(written.sort(byName), metrics.sort(byName));
  });
});

test('every log event has a row, and there are no other rows', () => {
  const folder = new URL('../../api/', import.meta.url);
  const sources = readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.c'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'));
  // The event is the first string literal in a call that writes a log line.
  const calls = /\b(?:log_event|log_limited|log_announce|log_text|log_begin)\([^;]*?"([a-z-]+)"/g;
  const events = new Set([...sources.join('\n').matchAll(calls)].map(([, event]) => event));
  assert.ok(events.size > 0);
  assert.deepEqual(table('event').flatMap(({ event }) => event.split(', ')).sort(), [...events].sort());
});

test('every file that contains a version has the same one as the program', async () => {
  const [, version] = /^ {2}version: '(.+)',$/m.exec(text('meson.build'));
  const places = {
    'openapi.yaml': /^ {2}version: (.+)$/m,
    'docker/Dockerfile': /^ARG VERSION=(.+)$/m,
    'docker/kubernetes/base/deployment.yaml': /image: arbiter:(.+)$/m,
  };
  for (const [name, place] of Object.entries(places)) assert.equal(place.exec(text(name))?.[1], version, name);
  // Between releases, the version is that of the next release with -dev appended, and isn't in the changelog yet.
  const [, released] = /^## (\d\S*) - \d{4}-\d\d-\d\d$/m.exec(text('CHANGELOG.md'));
  if (version.endsWith('-dev')) assert.notEqual(released, version.slice(0, -'-dev'.length), 'it is released');
  else assert.equal(released, version, 'CHANGELOG.md');
  assert.match((await run(['--version'])).stdout, new RegExp(`\\b${version.replaceAll('.', '\\.')}\\b`));
});
