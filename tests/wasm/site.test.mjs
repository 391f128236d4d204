// The site that script/site makes, served by a plain file server under a prefix, in a real browser.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { after, before, test as nodeTest } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually, settled, test, theBrowser } from '../browser/browser.mjs';

const TOP = fileURLToPath(new URL('../..', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'arbiter-site-')), SITE = join(root, 'some', 'prefix');
const PAGES = process.env.ARBITER_BUILD ?? join(TOP, 'build');

/** Makes the site with another version, so that all that changes is its start page. */
const make = (version) => execFileSync('python3', ['-B', 'tools/site.py', SITE, PAGES, 'build-wasm/arbiter.wasm', version], { cwd: TOP });

before(() => {
  execFileSync('script/site', [SITE], { cwd: TOP, env: { ...process.env, ARBITER_PAGES: PAGES }, stdio: 'ignore' });
});
after(() => rmSync(root, { recursive: true }));

/** Starts a file server, calls `body` with the address of the site and a function that stops the server. */
async function withServer(body) {
  const server = spawn('python3', ['-u', '-m', 'http.server', '0', '--bind', '127.0.0.1', '--directory', root], { stdio: ['ignore', 'pipe', 'ignore'] });
  const left = new Promise((ended) => server.once('exit', ended));
  const stop = () => {
    server.kill();
    return left;
  };
  try {
    const port = await new Promise((found, failed) => {
      let text = '';
      server.stdout.on('data', (bytes) => {
        text += bytes;
        const [, number] = /port (\d+)/.exec(text) ?? [];
        if (number) found(number);
      });
      server.once('exit', () => failed(new Error(`the file server ended: ${text}`)));
    });
    await body(`http://127.0.0.1:${port}/some/prefix/`, stop);
  } finally {
    await stop();
  }
}

/**
 * Opens the site. Fails if the browser reports an error, or if a request goes anywhere else.
 * @param {(given: { page: import('playwright-core').Page, context: import('playwright-core').BrowserContext, url: string,
 *   stop: () => Promise<unknown> }) => Promise<void>} body `stop` stops the file server
 * @param {(url: string) => boolean} [expected] is an error about this address expected?
 */
async function withSite(body, expected = () => false) {
  await withServer(async (url, stop) => {
    const context = await (await theBrowser()).newContext({ locale: 'en-US' });
    const troubles = [];
    context.on('console', (message) => expected(message.location().url) || troubles.push(`${message.text()} ${message.location().url}`));
    context.on('weberror', (error) => troubles.push(String(error.error().stack)));
    context.on('request', (request) => /^(blob|data):/.test(request.url()) || request.url().startsWith(url) || troubles.push(request.url()));
    try {
      const page = await context.newPage();
      await page.goto(url);
      await page.locator('main .playground').waitFor();
      await body({ page, context, url, stop });
      if (!page.isClosed()) await page.evaluate(() => 0); // all earlier messages have arrived
    } finally {
      await context.close();
    }
    assert.deepEqual(troubles, []);
  });
}

const kept = (page) => page.evaluate(async () => {
  const { active } = await navigator.serviceWorker.ready;
  if (active.state !== 'activated') await new Promise((done) => active.addEventListener('statechange', done));
});

async function playAll(page) {
  for (const [name, verdict] of [['pawn', /wins|tie/i], ['go', /\S/], ['mine', /wins/i]]) {
    await page.locator(`nav [data-game=${name}]`).click();
    await page.locator(`nav [data-game=${name}][aria-current=page]`).waitFor();
    await settled(page);
    await eventually.match(() => page.locator('main').innerText(), verdict);
  }
}

test('all games are answered without a service', () => withSite(async ({ page }) => {
  await playAll(page);
  await page.locator('nav [data-game=pawn]').click();
  await settled(page);
  assert.equal(await page.locator('.banner').isVisible(), false);
  assert.equal(await page.locator('.asking').isVisible(), false, 'there is no code that asks a service');
}));

test('the page shows its version, and says that the browser computes', () => withSite(async ({ page }) => {
  const { version } = JSON.parse(readFileSync(join(TOP, 'client/package.json'), 'utf8'));
  const text = await page.locator('footer').innerText();
  assert.match(text, /in your browser/);
  assert.ok(text.includes(`Arbiter ${version} (`), text);
}));

test('once it has been opened, the site starts and answers without a network', () => withSite(async ({ page, context, stop }) => {
  await kept(page);
  await stop();
  await context.setOffline(true);
  await page.reload();
  await page.locator('main .playground').waitFor();
  await playAll(page);
  await page.goto(new URL('docs/guides.html', page.url()).href);
  assert.match(await page.locator('h1').innerText(), /\S/);
  await page.goto(new URL('../index.html', page.url()).href);
  await page.locator('main .playground').waitFor();
  assert.equal(await page.locator('.late').count(), 0);
  await page.goto(new URL('docs/limits.html', page.url()).href);
  assert.deepEqual((await page.locator('[data-limit]').allInnerTexts()).filter((text) => !/^[\d,]+$/.test(text)), [], 'the limits have their values');
}, (url) => url.endsWith('/service-worker.js'))); // the browser looks for a new version

test('the site can be installed', () => withSite(async ({ page, context }) => {
  await kept(page);
  const session = await context.newCDPSession(page);
  const { errors, url } = await session.send('Page.getAppManifest');
  assert.match(url, /manifest\.webmanifest$/);
  assert.deepEqual(errors, []);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  assert.deepEqual(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito'), []);
}));

test('a new version replaces the old one completely', () => withSite(async ({ page, context, url }) => {
  await kept(page);
  await page.reload(); // from now on, the page comes from the service worker
  await page.locator('main .playground').waitFor();
  make('9.9.9 (new)');
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration.update();
    const next = registration.installing ?? registration.waiting;
    if (next.state !== 'installed') await new Promise((done) => next.addEventListener('statechange', done, { once: true }));
  });
  await page.reload();
  assert.doesNotMatch(await page.locator('footer').innerText(), /9\.9\.9/, 'the page that is open keeps its version');
  await page.close();
  await eventually.match(async () => {
    const again = await context.newPage();
    await again.goto(url);
    await again.locator('footer').waitFor();
    const text = await again.locator('footer').innerText();
    await again.close();
    return text;
  }, /9\.9\.9/);
}));

function* filesIn(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) yield* filesIn(join(folder, entry.name));
    else yield join(folder, entry.name);
  }
}

nodeTest('every link and every address in a page leads to a file of the site', () => {
  let links = 0;
  const lost = [];
  for (const file of filesIn(SITE)) {
    if (!file.endsWith('.html')) continue;
    for (const [, address] of readFileSync(file, 'utf8').matchAll(/\b(?:href|src)="([^"#]*)/g)) {
      if (address === '' || /^(https?|data|mailto):/.test(address)) continue;
      const target = resolve(dirname(file), address), found = existsSync(target) && (!statSync(target).isDirectory() || existsSync(join(target, 'index.html')));
      links += 1;
      if (!found || !target.startsWith(SITE)) lost.push(`${relative(SITE, file)}: ${address}`);
    }
  }
  assert.deepEqual(lost, []);
  assert.ok(links > 100);
});

nodeTest('the service worker keeps every file of the site', () => {
  const [, list] = /^const FILES = (.*);$/m.exec(readFileSync(join(SITE, 'service-worker.js'), 'utf8'));
  const all = [...filesIn(SITE)].map((file) => relative(SITE, file)).filter((file) => file !== 'service-worker.js');
  assert.deepEqual(JSON.parse(list).map((name) => (name === './' ? 'index.html' : name)).sort(), all.sort());
});

nodeTest('no page of the site has a form', () => {
  for (const file of filesIn(SITE)) if (file.endsWith('.html')) assert.doesNotMatch(readFileSync(file, 'utf8'), /<form\b/, file);
});
