// The number of bytes that a browser loads for `/` with one game in one language, and for the reference. The other games and languages
// are loaded only when needed. Most of the reference is text from openapi.yaml.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { start } from '../server/arbiter.mjs';

const MOST = 117_000;
const MOST_OF_REFERENCE = 60_000;

let arbiter;
before(async () => {
  arbiter = await start();
});
after(() => arbiter.stop());

/** The paths of the files that a file needs: those that an HTML page loads, or those that a JavaScript module imports. */
function parts(path, type, text) {
  const found = [];
  if (type === 'text/html') {
    for (const [tag] of text.matchAll(/<(?:link|script|img)\b(?! rel="apple-touch-icon")[^>]*>/g)) found.push(/(?:href|src)="([^"]+)"/.exec(tag)?.[1]);
  } else if (type === 'text/javascript') {
    for (const [, all, some] of text.matchAll(/^import\b[^'"]*'([^']+)'|^\} from '([^']+)'/gm)) found.push(all ?? some);
    for (const [, name] of text.matchAll(/new URL\('([^']+)', import\.meta\.url\)/g)) found.push(name);
  } else if (type === 'text/css') {
    for (const [, name] of text.matchAll(/(?:url\(|@import )["']?([^"')]+)/g)) found.push(name);
  }
  return found.filter((name) => name && /[.]\w+$/.test(name)).map((name) => new URL(name, `http://page${path}`).pathname);
}

/** Fetches a file with compression; returns { packed, text, type }, where `packed` is its compressed size. */
async function fetchPacked(path) {
  const answer = await arbiter.ask({ method: 'GET', target: path, headers: { 'Accept-Encoding': 'gzip' } });
  assert.equal(answer.status, 200, `${path}:\n${answer}`);
  const packed = answer.header('content-encoding') === 'gzip';
  assert.ok(packed || answer.body.length < 1024, `${path} is not compressed`);
  const text = (packed ? gunzipSync(answer.body) : answer.body).toString();
  return { packed: answer.body.length, text, type: answer.header('content-type').split(';')[0] };
}

/** The compressed sizes, by path, of these files and all the files that they need. */
async function sizesOf(paths) {
  const sizes = new Map();
  const all = [...paths];
  for (const path of all) {
    const { packed, text, type } = await fetchPacked(path);
    sizes.set(path, packed);
    for (const next of parts(path, type, text)) if (!all.includes(next)) all.push(next);
  }
  return sizes;
}

const sum = (sizes) => [...sizes.values()].reduce((total, size) => total + size, 0);

/** The modules that the page tells the browser to preload. */
const preloadedBy = (html) => [...html.matchAll(/<link rel="modulepreload" href="([^"]+)">/g)].map(([, name]) => `/${name}`);

/** Prints the size of each file, and fails unless their total is less than `most`. */
function assertLight(t, sizes, most) {
  for (const [path, size] of [...sizes].sort((a, b) => b[1] - a[1])) t.diagnostic(`${String(size).padStart(7)} ${path}`);
  t.diagnostic(`${String(sum(sizes)).padStart(7)} in ${sizes.size} files`);
  assert.ok(sum(sizes) < most, `${sum(sizes)} bytes`);
}

for (const game of ['pawn', 'go', 'mine']) {
  test(`${game} needs every module that the page preloads`, async () => {
    const preloaded = preloadedBy((await fetchPacked('/')).text);
    assert.ok(preloaded.length > 5);
    const needed = await sizesOf(['/web/page/main.js', `/web/${game}/${game}.js`]);
    assert.deepEqual(preloaded.filter((path) => !needed.has(path)), []);
  });

  for (const language of ['en', 'zh']) {
    test(`/ with ${game} in ${language} loads less than ${MOST} compressed bytes`, async (t) => {
      const sizes = await sizesOf(['/', `/web/${game}/${game}.js`, `/web/${game}/${game}.css`, `/web/text/${language}.js`]);
      for (const path of ['/web/page/main.js', '/web/style.css', '/web/arbiter.js']) assert.ok(sizes.has(path), path);
      assert.ok(!sizes.has('/web/arbiter.d.ts'), 'types are not loaded');
      assertLight(t, sizes, MOST);
    });
  }
}

test(`the reference loads less than ${MOST_OF_REFERENCE} compressed bytes`, async (t) => {
  const sizes = await sizesOf(['/docs']);
  for (const path of ['/docs/reference.js', '/docs/docs.css', '/web/style.css', '/web/page/token.js']) assert.ok(sizes.has(path), path);
  assertLight(t, sizes, MOST_OF_REFERENCE);
});
