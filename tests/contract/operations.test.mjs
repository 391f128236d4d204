// OPERATIONS.md by hand: its options are those of --help with their defaults, its metrics those that the service tells,
// its events those that the sources log.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import { run, withArbiter } from '../server/arbiter.mjs';

const page = readFileSync(new URL('../../OPERATIONS.md', import.meta.url), 'utf8');

/** The rows of the table whose head begins so, as lists of cells. */
function table(head) {
  const lines = page.split('\n');
  const from = lines.findIndex((line) => line.startsWith(`| ${head} |`));
  assert.ok(from >= 0, `there is a table of ${head}`);
  const rows = lines.slice(from + 2);
  return rows.slice(0, rows.findIndex((line) => !line.startsWith('|'))).map((row) => row.split('|').slice(1, -1).map((cell) => cell.trim()));
}

const bare = (cell) => cell.replaceAll('`', '');

test('every option stands there with its default, in the order of --help', async () => {
  const { stdout } = await run(['--help']);
  const told = [...stdout.matchAll(/^ {2}(--[a-z-]+) +.* \[(.*)\]$/gm)].map(([, name, standard]) => [name, standard]);
  assert.ok(told.length > 25);
  assert.deepEqual(table('option').map(([name, , standard]) => [bare(name), bare(standard)]), told);
});

test('every metric stands there with its type and labels, and no other', async () => {
  await withArbiter([], async (arbiter) => {
    await arbiter.ask({ target: '/livez' });
    const text = (await arbiter.ask({ target: '/metrics' })).text();
    const told = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => {
      const [, labels = ''] = new RegExp(`^${name}(?:_bucket)?\\{(.*)\\} `, 'm').exec(text) ?? [];
      return [name, type, [...labels.matchAll(/([a-z]+)=/g)].map(([, label]) => label).filter((label) => label !== 'le').join(', ')];
    });
    const written = table('metric').map(([name, type, labels]) => [bare(name), type, bare(labels)]);
    assert.deepEqual(written.sort(), told.sort());
  });
});

test('every event of the log stands there, and no other', () => {
  const folder = new URL('../../api/', import.meta.url);
  const sources = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.c'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
  // The words that stand where an event is named, in a call or in a line that is begun by hand.
  const told = [...sources.matchAll(/\b(?:log_event|log_limited|log_announce|log_text|begin_line)\([^;]*?"([a-z-]+)"/g)].map(([, event]) => event);
  assert.ok(told.length >= 9, told.join());
  assert.deepEqual(table('event').flatMap(([events]) => bare(events).split(', ')).sort(), [...new Set(told)].sort());
});

test('the version is the same wherever it stands', async () => {
  const text = (name) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
  const [, version] = /^ {2}version: '(.+)',$/m.exec(text('meson.build'));
  const places = {
    'openapi.yaml': /^ {2}version: (.+)$/m, 'docker/Dockerfile': /^ARG VERSION=(.+)$/m, 'docker/kubernetes.yaml': /image: arbiter:(.+)$/m,
    'CHANGELOG.md': /^## (\d\S*) - \d{4}-\d\d-\d\d$/m,
  };
  for (const [name, place] of Object.entries(places)) assert.equal(place.exec(text(name))?.[1], version, name);
  assert.match((await run(['--version'])).stdout, new RegExp(`\\b${version.replaceAll('.', '\\.')}\\b`));
});
