// The files that are built in, as the program serves them: those of web/, the reference, and the contract; and the policies of the
// pages. Of the guides it is tools/programs.py that makes the page; tests/web/programs.test.mjs says what it adds.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

import { start } from './arbiter.mjs';
import { ask, until } from './client.mjs';

const TOP = new URL('../../', import.meta.url);
const GZIP = { 'Accept-Encoding': 'gzip' };
const TYPES = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
  ts: 'text/plain; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  yaml: 'application/yaml',
};
const NO_OTHERS = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const BARE = `default-src 'none'; ${NO_OTHERS}`;
const OWN =
  `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; ${NO_OTHERS}`;

const folder = mkdtempSync(join(tmpdir(), 'arbiter-pages-'));
const arbiter = await start();
after(async () => {
  await arbiter.stop();
  rmSync(folder, { recursive: true });
});

const get = (target, headers, method) => ask(arbiter.port, { method, target, headers });

// Every file of a folder except those read by the build or an editor: all others are built in.
const filesOf = (folder) => readdirSync(new URL(folder, TOP), { recursive: true }).filter((name) =>
  !/(^|\/)(meson\.build|jsconfig\.json)$/.test(name) && statSync(new URL(folder + name, TOP)).isFile());
const web = filesOf('web/').filter((name) => name !== 'docs/reference.html.in'); // read by tools/reference.py

/** Where a file of web/ is served. */
const targetOf = (name) => name === 'index.html.in' ? '/' : name.startsWith('docs/') ? `/${name.replace(/\.html(\.in)?$/, '')}` : `/web/${name}`;

// {target, file, policy}
const FILES = [
  ...web.map((name) => ({ target: targetOf(name), file: `web/${name}`, policy: OWN })),
  { target: '/openapi.yaml', file: 'openapi.yaml' },
];
const PROBLEMS = ['/problems', '/problems/malformed', '/problems/overloaded'];
const PAGES = [...FILES.map(({ target }) => target), '/docs', '/openapi.json', '/limits', '/version', ...PROBLEMS];

/** The headers that a page has for browsers: [policy, referrer, cache]. */
const guards = (answer) => ['content-security-policy', 'referrer-policy', 'cache-control'].map((name) => answer.header(name));

test('the playground has a page, a style and modules', () => {
  for (const ending of ['html.in', 'css', 'js']) assert.ok(web.some((name) => name.endsWith(`.${ending}`)), ending);
});

const PROGRAMS = ['referee', 'puzzles', 'bot'].flatMap((name) => ['py', 'mjs', 'sh'].map((ending) => `examples/${name}.${ending}`));

/** A file as it is served. Meson writes the modules into the page that the browser loads at once, and the programs into the guides. */
function servedOf(file) {
  if (file.startsWith('web/docs/guides.')) {
    const page = join(folder, 'guides.html');
    execFileSync('python3', ['-B', 'tools/programs.py', page, file, ...PROGRAMS], { cwd: fileURLToPath(TOP) });
    return readFileSync(page);
  }
  const bytes = readFileSync(new URL(file, TOP));
  if (!file.endsWith('.in')) return bytes;
  const [, modules] = /preloaded = \[([^\]]*)\]/.exec(readFileSync(new URL('web/meson.build', TOP), 'utf8'));
  const lines = [...modules.matchAll(/'([^']+)'/g)].map(([, name]) => `<link rel="modulepreload" href="web/${name}">`);
  return Buffer.from(bytes.toString().replace('@MODULEPRELOAD@', lines.join('\n')));
}

for (const { target, file, policy } of FILES) {
  const bytes = servedOf(file);
  const long = bytes.length >= 1024;

  test(`${target} is the file ${file}, with its type and its policy`, async () => {
    const answer = await get(target);
    assert.equal(answer.status, 200, `${answer}`);
    assert.ok(answer.body.equals(bytes));
    assert.equal(answer.header('content-type'), TYPES[file.replace(/[.]in$/, '').split('.').at(-1)]);
    assert.equal(answer.header('content-length'), String(bytes.length));
    assert.equal(answer.header('content-encoding'), undefined);
    assert.deepEqual(guards(answer), policy ? [policy, 'no-referrer', 'no-cache'] : [undefined, undefined, undefined]);
    assert.equal(answer.header('x-content-type-options'), 'nosniff');
  });

  test(`${target} is ${long ? '' : 'not '}compressed for a client that accepts gzip`, async () => {
    const [plain, packed] = [await get(target), await get(target, GZIP)];
    assert.equal(packed.header('content-encoding'), long ? 'gzip' : undefined);
    assert.ok((long ? gunzipSync(packed.body) : packed.body).equals(bytes));
    for (const answer of [plain, packed]) assert.deepEqual(answer.list('vary'), long ? ['accept-encoding'] : []);
    assert.deepEqual(guards(packed), guards(plain));
    assert.equal(packed.header('etag') !== plain.header('etag'), long, 'a form has a tag of its own');
  });
}

for (const target of PAGES) {
  test(`${target} is not sent again to a client that has it in either form`, async () => {
    const [plain, packed] = [await get(target), await get(target, GZIP)];
    for (const tag of [plain.header('etag'), packed.header('etag')]) {
      assert.match(tag, /^"[0-9a-f]{16}"$/);
      for (const headers of [{}, GZIP]) {
        const answer = await get(target, { ...headers, 'If-None-Match': tag });
        assert.equal(answer.status, 304, `${answer}`);
        assert.equal(answer.body.length, 0);
        assert.equal(answer.header('etag'), tag);
        assert.equal(answer.header('cache-control'), plain.header('cache-control'));
        assert.deepEqual(answer.list('vary'), ['accept-encoding']);
      }
    }
    assert.equal((await get(target, { 'If-None-Match': '"0123456789abcdef"' })).status, 200);
  });

  test(`HEAD of ${target} answers as GET does, OPTIONS names the methods`, async () => {
    const fixed = ({ headers }) => [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
    for (const headers of [{}, GZIP]) {
      const [whole, head] = [await get(target, headers), await get(target, headers, 'HEAD')];
      assert.deepEqual(fixed(head), fixed(whole));
      assert.equal(head.body.length, 0);
    }
    const options = await get(target, {}, 'OPTIONS');
    assert.equal(options.status, 204);
    assert.equal(options.header('allow'), 'GET, HEAD, OPTIONS');
    assert.equal((await get(target, {}, 'DELETE')).status, 405);
  });
}

/** The cells of each row of the tables on a page, in HTML without attributes and hints to break a line. */
const rowsOf = (page) => [...page.matchAll(/<tr id="([^"]+)">([^]*?)<\/tr>/g)].map(([, id, row]) =>
  ({ id, cells: [...row.replaceAll('<wbr>', '').matchAll(/<t[hd][^>]*>([^]*?)<\/t[hd]>/g)].map(([, cell]) => cell) }));

test('the pages about errors have every type and every code, in their order', async () => {
  const list = (await get('/problems')).text();
  const types = [...list.matchAll(/<a href="\/problems\/([^"]+)">.*<\/a>, status (\d+): (.*)<\/li>/g)].map(([, ...type]) => type);
  assert.ok(types.length > 10);
  const codes = [...readFileSync(new URL('api/fault/fault.c', TOP), 'utf8').matchAll(/\[FAULT_\w+\] = "(.*)"/g)].map(([, code]) => code);
  assert.ok(codes.length > 10);
  for (const page of ['/docs/errors', '/docs/errors.zh']) {
    const rows = rowsOf((await get(page)).text());
    assert.equal(rows.length, types.length + codes.length, page);
    for (const [at, [slug, status, title]] of types.entries()) {
      const { id, cells: [link, ...cells] } = rows[at];
      assert.equal(id, slug, page);
      assert.equal(link, `<a href="../problems/${slug}"><code>/problems/${slug}</code></a>`, page);
      assert.deepEqual(cells.slice(0, 2), [status, title], `${page}: ${slug}`);
      assert.ok(cells.length === 3 && cells[2].length > 10, `${page}: ${slug}`);
    }
    for (const [at, code] of codes.entries()) {
      const { id, cells: [name, words] } = rows[types.length + at];
      assert.deepEqual([id, name], [`code-${code}`, `<code>${code}</code>`], page);
      assert.ok(words.length > 10, `${page}: ${code}`);
    }
  }
});

test('the pages about limits have every limit, in the order of /limits', async () => {
  const limits = Object.keys((await get('/limits')).json());
  for (const page of ['/docs/limits', '/docs/limits.zh']) {
    const text = (await get(page)).text();
    const rows = rowsOf(text);
    assert.deepEqual(rows.map(({ id }) => id), limits, page);
    assert.deepEqual([...text.matchAll(/ data-limit="([^"]+)"/g)].map(([, name]) => name), limits, page);
    for (const { id, cells: [name, value, words] } of rows) {
      assert.deepEqual([name, value], [`<code>${id}</code>`, ''], page);
      assert.ok(words.length > 10, `${page}: ${id}`);
    }
  }
});

test('the reference is a page under the policy of all pages, without markup that this would forbid', async () => {
  const [plain, packed] = [await get('/docs'), await get('/docs', GZIP)];
  assert.equal(plain.header('content-type'), TYPES.html);
  assert.deepEqual(guards(plain), [OWN, 'no-referrer', 'no-cache']);
  assert.ok(gunzipSync(packed.body).equals(plain.body));
  assert.doesNotMatch(plain.text(), /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
});

test('pages about problems may load nothing at all', async () => {
  for (const target of PROBLEMS) {
    const answer = await get(target);
    assert.deepEqual(guards(answer), [BARE, 'no-referrer', 'no-cache'], target);
    assert.doesNotMatch(answer.text(), /<(script|style|link|img)\b|\bstyle=/, target);
  }
});

test('pages of other origins may import the modules', async () => {
  for (const target of FILES.map((one) => one.target).filter((name) => name.endsWith('.js'))) {
    const answer = await get(target, { Origin: 'https://a.example', 'Sec-Fetch-Mode': 'cors' });
    assert.equal(answer.status, 200);
    assert.equal(answer.header('access-control-allow-origin'), '*', target);
    assert.equal(answer.header('cross-origin-resource-policy'), undefined, target);
  }
});

test('with a list of allowed origins, others may not import the modules', async () => {
  const other = await start(['--cors-origin', 'https://a.example']);
  try {
    for (const [origin, allowed] of [['https://a.example', 'https://a.example'], ['https://b.example', undefined]]) {
      const answer = await other.ask({ target: '/web/page/main.js', headers: { Origin: origin } });
      assert.equal(answer.status, 200);
      assert.equal(answer.header('access-control-allow-origin'), allowed);
      assert.ok(answer.list('vary').includes('origin'));
    }
  } finally {
    await other.stop();
  }
});

for (const target of ['/web', '/web/', '/web/no-such-file.js', '/web/index.html', '/web/meson.build', '/web/jsconfig.json', '/web/../openapi.yaml', '/web/page', '/index.html',
  '/docs/', '/docs/guides.html', '/docs/reference', '/docs/reference.html', '/docs/rapidoc.js', '/docs/meson.build', '/web/docs/docs.css']) {
  test(`${target} does not exist`, async () => {
    const answer = await get(target);
    assert.equal(answer.status, 404, `${answer}`);
    assert.equal(answer.json().type, '/problems/not-found');
    for (const path of ['/pawn', ' /, ', '/web/NAME', '/docs,', '/docs/NAME', '/openapi.yaml', '/problems/NAME']) {
      assert.ok(answer.json().detail.includes(path), `${path} in: ${answer.json().detail}`);
    }
    assert.deepEqual(guards(answer), [undefined, undefined, 'no-store']);
  });
}

test('the log has the family, not the file', async () => {
  await get('/web/style.css?a=1');
  const line = () => arbiter.log.find(({ event, route }) => event === 'request' && route?.startsWith('/web'));
  await until('the request is logged', () => line() !== undefined);
  assert.equal(line().route, '/web/');
});
