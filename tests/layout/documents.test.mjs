// Checks the documents: their links, and the names of files and functions in them.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const TOP = fileURLToPath(new URL('../..', import.meta.url));
const read = (path) => readFileSync(join(TOP, path), 'utf8');

const DOCUMENTS = ['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'OPERATIONS.md', 'README.md', 'SECURITY.md',
  'client/README.md', 'examples/README.md', 'tests/README.md',
  ...readdirSync(join(TOP, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];

function* filesIn(folder) {
  for (const entry of readdirSync(join(TOP, folder), { withFileTypes: true })) {
    if (entry.isDirectory()) yield* filesIn(`${folder}/${entry.name}`);
    else yield `${folder}/${entry.name}`;
  }
}
const SOURCES = ['src', 'api', 'web', 'tests', 'bench', 'script', 'tools', 'docker'].flatMap((folder) => [...filesIn(folder)]);

/** A text without its code blocks. */
const prose = (text) => text.replace(/^```[^]*?^```$/gm, '');

/** The fragment that GitHub uses in links to a heading. */
const anchorOf = (heading) => heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
const anchorsIn = (text) => [...prose(text).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading));

test('every link between documents leads to a file and a heading that exist', () => {
  const bad = [];
  let count = 0;
  for (const name of DOCUMENTS)
    for (const [, target] of [...prose(read(name)).matchAll(/\]\(([^)\s]+)\)/g), ...read(name).matchAll(/src="([^"]+)"/g)]) {
      if (/^https?:/.test(target)) continue;
      const [path, anchor] = target.split('#'), file = path === '' ? name : join(dirname(name), path);
      count += 1;
      if (!existsSync(join(TOP, file)) || (anchor && !anchorsIn(read(file)).includes(anchor))) bad.push(`${name}: ${target}`);
    }
  assert.ok(count > 20);
  assert.deepEqual(bad, []);
});

test('every section named in parentheses after a document exists', () => {
  const reference = /\b(docs\/[\w-]+\.md|OPERATIONS\.md) \(("[^)]+")\)/g;
  const headings = (name) => read(name).match(/^#+ .+$|^\*\*[^*]+\.\*\*/gm).map((line) => line.replace(/^[#*]+ ?|[.*]+$/g, ''));
  const found = [...SOURCES, ...DOCUMENTS].filter((file) => file !== 'CHANGELOG.md').flatMap((file) =>
    [...read(file).matchAll(reference)].flatMap(([, document, names]) => [...names.matchAll(/"([^"]+)"/g)]
      .map(([, name]) => [file, document, name.replace(/\s+/g, ' ').replace(/,$/, '')])));
  assert.ok(found.length > 5);
  assert.deepEqual(found.filter(([, document, name]) => !existsSync(join(TOP, document)) || !headings(document).includes(name)), []);
});

const NAMES = new Set(SOURCES.filter((name) => /\.(c|h|js|mjs)$/.test(name)).flatMap((name) => read(name).match(/[A-Za-z_]\w*/g) ?? []));

// Names with the placeholders GAME and NAME are not checked.
test('ARCHITECTURE.md names files and functions that exist', () => {
  const quoted = [...read('ARCHITECTURE.md').matchAll(/`([^`\n]+)`/g)].map(([, name]) => name).filter((name) => !/GAME|NAME/.test(name));
  const bad = quoted.filter((name) => {
    if (/^[\w.-]+\/[\w./-]*$/.test(name)) return !existsSync(join(TOP, name)) && !existsSync(join(TOP, 'web', name));
    if (/^[\w-]+\.(c|h|js|mjs)$/.test(name)) return !SOURCES.some((path) => path.endsWith(`/${name}`));
    return /^[a-z]+(_[a-z0-9]+)+$/i.test(name) && !NAMES.has(name);
  });
  assert.ok(quoted.length > 150);
  assert.deepEqual(bad, []);
});

test('each block in docs/measurements.md names a bench that exists, and contains figures', () => {
  const [usage] = read('script/bench').split(/^set /m);
  const blocks = [...read('docs/measurements.md').matchAll(/<!-- bench ([a-z-]+)(?:, long)? -->\n([^]*?)<!-- end -->/g)];
  assert.ok(blocks.length > 5);
  for (const [, name, text] of blocks) {
    assert.match(usage, new RegExp(`(^|[ :])${name}( |$)`, 'm'));
    assert.match(text, /^\*Commit [0-9a-f]{7}/, name);
  }
});
