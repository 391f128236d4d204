// The client in a real browser: when imported by a page on another origin, and where browsers behave differently from Node (the end
// of a response, aborting a request, and unreadable files). All other tests of the client run in Node (tests/web).

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after } from 'node:test';

import { ENDLESS, ENDLESS_OPTIONS } from '../server/bodies.mjs';
import { test, until, withPage } from './browser.mjs';

const FIELD = { board: ['...', '.*.', '...'] };
const LONG = JSON.parse(ENDLESS.body);

const folder = mkdtempSync(join(tmpdir(), 'arbiter-browser-'));
after(() => rmSync(folder, { recursive: true }));

test('examples/page.html, opened as a file, imports the client from the program and shows its answers', async () => {
  const file = join(folder, 'page.html');
  const address = pathToFileURL(file).href;
  // A page opened as a file has no host. The browser also reports the status of the faulty request, which the page shows.
  const expected = ({ kind, url, text }) =>
    (kind === 'request' && url === address) || (kind === 'console' && text.includes(' 422 ') && url.endsWith('/pawn'));
  await withPage({ path: null, expected }, async ({ page, url }) => {
    const html = readFileSync(new URL('../../examples/page.html', import.meta.url), 'utf8');
    writeFileSync(file, html.replace('http://127.0.0.1:8080', url));
    await page.goto(address);
    await until('all is asked', async () => (await page.locator('#answers').innerText()).includes('error: '));
    const lines = (await page.locator('#answers').innerText()).split('\n');
    assert.deepEqual(lines.map((line) => line.split(':')[0]),
      ['pawn', 'go', 'go', 'mine', 'mine', 'line', 'line', 'line', 'error', '']);
    assert.match(lines[8], /^error: 422 at \/board: the board has 3 red pieces/);
    const width = () => page.locator('#picture').evaluate(({ naturalWidth }) => naturalWidth);
    await until('the picture is there', async () => (await width()) > 0);
  });
});

/** An empty page on another origin. */
async function withOrigin(use) {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Elsewhere</title><link rel="icon" href="data:,">');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await use(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

test('a page on another origin can use the whole client if the service allows that origin', () => withOrigin((origin) => {
  // The browser reports the status of each refused request, and requests to hosts other than the program.
  const expected = ({ kind, text, url }) => kind === 'request' || (kind === 'console' && / 4\d\d /.test(text) && url.endsWith('/mine'));
  return withPage({ own: ['--cors-origin', origin, '--max-cases', '2'], path: null, expected }, async ({ page, url }) => {
    await page.goto(origin);
    const seen = await page.evaluate(async (service) => {
      const { Arbiter, ArbiterError, Problem } = await import(`${service}/web/arbiter.js`);
      const arbiter = new Arbiter(undefined, { headers: { 'x-request-id': 'mine' }, fetch: window.fetch, timeout: 60_000, retries: 2 });
      const field = (id) => ({ id, board: ['...', '.*.', '...'] });
      const text = '{"id":0,"board":["."]}\n{"id":1,"board":["."]}\n';
      const read = async (body, options) => {
        let lines = 0;
        for await (const { id } of arbiter.stream('mine', body, options)) lines += id === lines ? 1 : NaN;
        return lines;
      };
      async function* fields(count) {
        for (let id = 0; id < count; id += 1) yield field(id);
      }
      const error = await arbiter.mine({ board: ['?'] }).catch((thrown) => thrown);
      const batch = await arbiter.batch('mine', [0, 1, 2].map(field));
      const failing = new ReadableStream({ pull: (part) => part.error(new RangeError('disk')) });
      const objects = new ReadableStream({ start: (part) => part.enqueue(field(0)) });
      const locked = new Blob([text]).stream();
      locked.getReader();
      const late = await arbiter.batch('mine', [field(0), field(1), {}]).catch((thrown) => thrown);
      return {
        base: arbiter.base,
        mine: (await arbiter.mine(field(0))).verdict,
        error: [error instanceof Problem && error instanceof ArbiterError, error.status, error.requestId],
        batch: batch.map(({ id }) => id),
        late: late.errors[0].pointer,
        lines: [
          await read([field(0), field(1)]), await read(new Set([field(0)])), await read(fields(300)), await read(text),
          await read(new Blob([text])), await read(new Blob([text]).stream()),
        ],
        faults: await Promise.all([failing, objects, locked].map((body) => read(body).catch(({ name }) => name))),
        record: (await arbiter.record(new Blob(['(;SZ[2];B[aa])']).stream())).played,
        text: await arbiter.text('mine', field(0)),
        picture: (await arbiter.picture('mine', field(0))).slice(0, 5),
        link: await (await fetch(arbiter.link('mine', field(0), 'text'))).text(),
        version: (await arbiter.version()).name,
      };
    }, url);
    assert.deepEqual(seen, {
      base: `${url}/`,
      mine: 'Fanglaoshi',
      error: [true, 422, 'mine'],
      batch: [0, 1, 2],
      late: '/cases/2',
      lines: [2, 1, 300, 2, 2, 2],
      faults: ['RangeError', 'TypeError', 'TypeError'],
      record: 1,
      text: 'Case #1: Fanglaoshi\n',
      picture: '<svg ',
      link: 'Case #1: Fanglaoshi\n',
      version: 'arbiter',
    });
  });
}));

test('if the service allows only another origin, the client throws Unreachable', () => withOrigin((origin) =>
  withPage({ own: ['--cors-origin', 'https://a.example'], path: null, expected: () => true }, async ({ page, url }) => {
    await page.goto(origin);
    const client = readFileSync(new URL('../../web/arbiter.js', import.meta.url), 'utf8');
    const name = await page.evaluate(async ([source, service]) => {
      const { Arbiter } = await import(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
      return new Arbiter(service).mine({ board: ['.'] }).catch((error) => error.name);
    }, [client, url]);
    assert.equal(name, 'Unreachable');
  })));

/** Reads a stream in the page, and returns its lines and how it ended. `then` is what the page does after a line. */
function streamed(page, questions, then = 'go on') {
  return page.evaluate(async ([asked, act]) => {
    const { Arbiter } = await import('/web/arbiter.js');
    const control = new AbortController();
    let lines = 0;
    try {
      for await (const line of new Arbiter().stream('mine', asked, { signal: control.signal })) {
        if (line.verdict) lines += 1;
        document.title = `${lines} lines`;
        if (act === 'abort') setTimeout(() => control.abort());
        if (act === 'leave') break;
      }
      return { lines };
    } catch (error) {
      return { lines, error: error.name, told: error.lines ?? null };
    }
  }, [questions, then]);
}

test('a stream can be read to its end, abandoned, or aborted while it waits', () =>
  withPage({ own: ENDLESS_OPTIONS }, async ({ page, arbiter }) => {
    const gone = () => arbiter.log.filter(({ reason }) => reason === 'client-gone').length;
    assert.deepEqual(await streamed(page, Array(1000).fill(FIELD)), { lines: 1000 });
    assert.deepEqual(await streamed(page, [FIELD, LONG], 'leave'), { lines: 1 });
    await until('the program knows that its client left', () => gone() === 1);
    assert.deepEqual(await streamed(page, [FIELD, LONG], 'abort'), { lines: 1, error: 'AbortError', told: null });
    await until('the program knows that its client left', () => gone() === 2);
  }));

test('if the program is killed, the stream throws Incomplete, and the next request throws Unreachable', () =>
  withPage({ own: ENDLESS_OPTIONS, expected: ({ kind }) => ['console', 'failed'].includes(kind) }, async ({ page, arbiter }) => {
    const reading = streamed(page, [FIELD, FIELD, LONG]);
    await until('two lines have come', async () => (await page.title()) === '2 lines');
    arbiter.signal('SIGKILL');
    assert.deepEqual(await reading, { lines: 2, error: 'Incomplete', told: 2 });
    await arbiter.exit;
    const { error } = await streamed(page, [FIELD]);
    assert.equal(error, 'Unreachable');
  }));

test('a file is sent; if it has changed since it was chosen, the browser\'s own error is thrown', () =>
  withPage({ expected: ({ kind }) => ['console', 'failed'].includes(kind) }, async ({ page }) => {
    const file = join(folder, 'game.sgf');
    writeFileSync(file, '(;SZ[2];B[aa])');
    await page.evaluate(() => {
      document.body.innerHTML = '<label>A record <input type="file"></label>';
    });
    await page.locator('input').setInputFiles(file);
    const played = () => page.locator('input').evaluate(async ({ files }) => {
      const { Arbiter } = await import('/web/arbiter.js');
      return new Arbiter().record(files[0]).then((answer) => answer.played, (error) => error.name);
    });
    assert.equal(await played(), 1);
    writeFileSync(file, '(;SZ[2];B[aa];W[bb];B[ab])');
    assert.equal(await played(), 'NotReadableError');
  }));
