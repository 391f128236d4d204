// The client in a real browser: imported by a page that is not the program's own, and where engines differ, in how they
// tell the end of an answer, an abort and a file that cannot be read. All else of it is tested in Node (tests/web).

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  // The page's own address is no host's; and the browser says of a mistake, which the page shows, its status too.
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
    assert.match(lines[8], /^error: 422 at \/board: board has 3 red pieces/);
    const width = () => page.locator('#picture').evaluate(({ naturalWidth }) => naturalWidth);
    await until('the picture is there', async () => (await width()) > 0);
  });
});

/** Reads a stream in the page, and tells what came and how it ended; `then` is what the page does at a line. */
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

test('a stream comes whole, is left, or is aborted while it waits', () =>
  withPage({ own: ENDLESS_OPTIONS }, async ({ page, arbiter }) => {
    const gone = () => arbiter.log.filter(({ reason }) => reason === 'client-gone').length;
    assert.deepEqual(await streamed(page, Array(1000).fill(FIELD)), { lines: 1000 });
    assert.deepEqual(await streamed(page, [FIELD, LONG], 'leave'), { lines: 1 });
    await until('the program knows that its client left', () => gone() === 1);
    assert.deepEqual(await streamed(page, [FIELD, LONG], 'abort'), { lines: 1, error: 'AbortError', told: null });
    await until('the program knows that its client left', () => gone() === 2);
  }));

test('a program that is killed leaves a stream Incomplete, and is Unreachable then', () =>
  withPage({ own: ENDLESS_OPTIONS, expected: ({ kind }) => ['console', 'failed'].includes(kind) }, async ({ page, arbiter }) => {
    const reading = streamed(page, [FIELD, FIELD, LONG]);
    await until('two lines have come', async () => (await page.title()) === '2 lines');
    arbiter.signal('SIGKILL');
    assert.deepEqual(await reading, { lines: 2, error: 'Incomplete', told: 2 });
    await arbiter.exit;
    const { error } = await streamed(page, [FIELD]);
    assert.equal(error, 'Unreachable');
  }));

test('a file is sent, and says so itself when it has changed since it was chosen', () =>
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
