// What the page weighs on the way to a browser: all that `/` can come to load, of three games and two languages.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { start } from '../server/arbiter.mjs';

const MOST = 100_000;

let arbiter;
before(async () => {
  arbiter = await start();
});
after(() => arbiter.stop());

/** The paths that a file names, as a browser would ask for them: of HTML what it links to as a part of itself, of JavaScript its imports. */
function named(path, type, text) {
  const found = [];
  if (type === 'text/html') {
    for (const [tag] of text.matchAll(/<(?:link|script|img)\b[^>]*>/g)) found.push(/(?:href|src)="([^"]+)"/.exec(tag)?.[1]);
  } else if (type === 'text/javascript') {
    for (const [, name] of text.matchAll(/^import\b[^'"]*'([^']+)'|^\} from '([^']+)'/gm)) found.push(name);
    for (const [, name] of text.matchAll(/(?<!@\w+ \{.*)\bimport\('([^']+)'\)(?!\.)/g)) found.push(name);
    for (const [, name] of text.matchAll(/new URL\('([^']+)', import\.meta\.url\)/g)) found.push(name);
  } else if (type === 'text/css') {
    for (const [, name] of text.matchAll(/(?:url\(|@import )["']?([^"')]+)/g)) found.push(name);
  }
  const base = `http://page${path}`;
  return found.filter((name) => name && /[.]\w+$/.test(name)).map((name) => new URL(name, base).pathname);
}

/** Asks for a file packed: { packed, text, type }. */
async function fetchPacked(path) {
  const answer = await arbiter.ask({ method: 'GET', target: path, headers: { 'Accept-Encoding': 'gzip' } });
  assert.equal(answer.status, 200, `${path}:\n${answer}`);
  const packed = answer.header('content-encoding') === 'gzip';
  assert.ok(packed || answer.body.length < 1024, `${path} comes unpacked`);
  const text = (packed ? gunzipSync(answer.body) : answer.body).toString();
  return { packed: answer.body.length, text, type: answer.header('content-type').split(';')[0] };
}

test(`the page weighs less than ${MOST} bytes packed, with all games and languages`, async (t) => {
  const weights = new Map();
  const paths = ['/'];
  for (const path of paths) {
    const { packed, text, type } = await fetchPacked(path);
    weights.set(path, packed);
    for (const next of named(path, type, text)) if (!paths.includes(next)) paths.push(next);
  }
  for (const path of ['/web/pawn/pawn.js', '/web/go/go.js', '/web/mine/mine.js', '/web/text/zh.js', '/web/style.css', '/web/arbiter.js']) {
    assert.ok(weights.has(path), `${path} was not found among ${paths}`);
  }
  assert.ok(!weights.has('/web/contract.js'), 'types are not loaded');
  const sum = [...weights.values()].reduce((total, weight) => total + weight);
  for (const [path, weight] of [...weights].sort((a, b) => b[1] - a[1])) t.diagnostic(`${String(weight).padStart(7)} ${path}`);
  t.diagnostic(`${String(sum).padStart(7)} in ${weights.size} files`);
  assert.ok(sum < MOST, `${sum} bytes`);
});
