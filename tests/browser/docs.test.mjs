// The guides and the pages about limits and errors: what they show, what they run, and what the browser reports.
// The reference is tested in reference.test.mjs.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { assertAccessible, eventually, shot, test, withPage } from './browser.mjs';

const WRITTEN = 'http://127.0.0.1:8080';
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** Each language is tested with each window size and each colour scheme, but not with every combination: they are independent. */
const LOOKS = {
  en: [['desktop-light', {}], ['phone-dark', { ...PHONE, colorScheme: 'dark' }]],
  zh: [['desktop-dark', { colorScheme: 'dark' }], ['phone-light', PHONE]],
};

/** The programs from examples/ that the guides show. */
const PROGRAMS = ['referee', 'puzzles', 'bot'].flatMap((name) => ['py', 'mjs', 'sh'].map((ending) => `${name}.${ending}`));

/** Checks that nothing extends beyond the right edge of the page. */
const assertFits = (page) => eventually.equal(() => page.evaluate(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth - clientWidth;
}), 0);

for (const [language, path, title] of [['en', '/docs/guides', 'Guides'], ['zh', '/docs/guides.zh', '指南']]) {
  for (const [look, options] of LOOKS[language]) {
    test(`${path} is accessible: ${look}`, () => withPage({ path, ...options }, async ({ page }) => {
      await eventually.equal(() => page.getByRole('heading', { level: 1 }).innerText(), title);
      for (const link of await page.getByRole('navigation').last().getByRole('link').all()) {
        await eventually.ok(async () => await page.locator(await link.getAttribute('href')).locator('> :is(h2, h3)').count() === 1);
      }
      await eventually.ok(async () => await page.locator('img').last().evaluate((image) => image.decode().then(() => image.naturalWidth)) > 100);
      await assertFits(page);
      await shot(page, `docs-${path.slice(6)}-${look}`, { fullPage: true });
      await page.locator('.program:not([open]) summary').evaluateAll((all) => all.forEach((summary) => summary.click()));
      await eventually.equal(() => page.locator('.program[open] pre').count(), PROGRAMS.length);
      await assertFits(page);
      await assertAccessible(page);
    }));
  }
}

test('the first program in each group of three is open; a link to another program opens it; keys scroll its lines', () => withPage({
  path: null, ...PHONE,
}, async ({ page }) => {
  for (const path of ['/docs/guides', '/docs/guides.zh']) {
    await page.goto(path);
    assert.deepEqual(await page.locator('.program[open] pre').evaluateAll((all) => all.map(({ id }) => id)), ['referee.py', 'puzzles.py', 'bot.py']);
    await page.goto(`${path}#referee.mjs`);
    const program = page.getByRole('group', { name: 'referee.mjs', exact: true });
    await program.waitFor();
    await program.focus();
    await page.keyboard.press('ArrowRight');
    await eventually.ok(async () => await program.evaluate(({ scrollLeft }) => scrollLeft) > 0);
  }
}));

/** Checks that the page shows each program, with this address of the service. */
async function assertPrograms(page, address) {
  for (const name of PROGRAMS) {
    const text = readFileSync(new URL(`../../examples/${name}`, import.meta.url), 'utf8');
    await eventually.equal(() => page.locator(`pre[id="${name}"] > code`).textContent(), text.replaceAll(WRITTEN, address));
  }
}

for (const [language, path, title] of [['en', '/docs/limits', 'Limits'], ['zh', '/docs/limits.zh', '限额'], ['en', '/docs/errors', 'Errors'],
  ['zh', '/docs/errors.zh', '错误']]) {
  for (const [look, options] of LOOKS[language]) {
    test(`${path} is accessible: ${look}`, () => withPage({ path, ...options }, async ({ page }) => {
      await eventually.equal(() => page.getByRole('heading', { level: 1 }).innerText(), title);
      if (title === 'Limits') await page.locator('#queue td', { hasText: '1,024' }).waitFor();
      await assertFits(page);
      await assertAccessible(page);
      await shot(page, `docs-${path.slice(6)}-${look}`, { fullPage: true });
    }));
  }
}

test('the page about limits shows the values in force', () => withPage({
  path: null, own: ['--max-cases', '12345', '--max-body-bytes', '1536', '--max-answer-bytes', '3145728'],
}, async ({ page, context }) => {
  const limits = await (await context.request.get('/limits')).json();
  for (const [path, tag] of [['/docs/limits', 'en'], ['/docs/limits.zh', 'zh-Hans']]) {
    await page.goto(path);
    const cell = (name) => page.locator(`[data-limit="${name}"]`);
    await eventually.equal(() => cell('max_cases').innerText(), '12,345');
    await eventually.equal(() => cell('max_body_bytes').innerText(), '1,536');
    await eventually.equal(() => cell('max_answer_bytes').innerText(), '3,145,728 (3 MiB)');
    for (const [name, value] of Object.entries(limits)) {
      await eventually.equal(async () => (await cell(name).innerText()).split(' ')[0], value.toLocaleString(tag));
    }
    await eventually.equal(() => page.getByRole('alert').count(), 0);
  }
}));

test('the page says so if it cannot get the limits', () => withPage({
  path: null, expected: ({ kind, text }) => kind === 'console' && text.includes('status of 401'),
}, async ({ page }) => {
  await page.route('**/limits', (route) => (route.request().resourceType() === 'fetch' ? route.fulfill({ status: 401, body: '' }) : route.continue()));
  await page.goto('/docs/limits');
  await page.getByRole('alert').filter({ hasText: "Can't load the values: status 401." }).waitFor();
  await page.goto('/docs/limits.zh');
  await page.getByRole('alert').filter({ hasText: 'status 401' }).waitFor();
}));

const GUIDE_PAGES = ['guides', 'limits', 'errors'].flatMap((name) => [`/docs/${name}`, `/docs/${name}.zh`]);

/** The number of times a text occurs on a page, including in its collapsed parts. */
const countOf = async (page, text) => (await page.locator('main').textContent()).split(text).length - 1;

test('a guide and its programs show the address that the guide was opened at, and every link leads to a page', () => withPage({ path: null }, async ({ page, context, url }) => {
  for (const path of GUIDE_PAGES) {
    const written = (await (await context.request.get(path)).text()).split(WRITTEN).length - 1;
    assert.ok(written > 0, path);
    await page.goto(`${path}#limits`);
    await eventually.equal(() => countOf(page, WRITTEN), 0);
    await eventually.equal(() => countOf(page, url), written);
    if (path.startsWith('/docs/guides')) await assertPrograms(page, url);
    const links = await page.locator('a[href]:not([href^="#"]), link[href]').evaluateAll((all) => all.map(({ href }) => href));
    assert.ok(links.length > 3);
    for (const link of links) assert.equal((await context.request.get(link)).status(), 200, `${path} links to ${link}`);
  }
}));

test('behind a proxy that adds a path prefix, the pages show the prefix, and their links use it', () => withPage({ path: null }, async ({ page, url }) => {
  await page.route(`${url}/some/path/**`, (route) => route.continue({ url: route.request().url().replace('/some/path', '') }));
  for (const path of GUIDE_PAGES) {
    await page.goto(`/some/path${path}`);
    await eventually.ok(async () => await countOf(page, `${url}/some/path`) > 0);
    await eventually.equal(() => countOf(page, WRITTEN), 0);
    const links = await page.locator('a[href]:not([href^="#"]), link[href], img').evaluateAll((all) => all.map(({ href, src }) => href ?? src));
    assert.deepEqual(links.filter((link) => !link.startsWith(`${url}/some/path`)), [], path);
  }
  await page.goto('/some/path/docs/limits');
  await page.locator('#queue td', { hasText: '1,024' }).waitFor();
}));

test('without JavaScript, the pages and their programs show the default address and say where to find the limits', () => withPage({
  path: null, javaScriptEnabled: false,
}, async ({ page, context }) => {
  for (const path of GUIDE_PAGES) {
    await page.goto(path);
    await eventually.ok(async () => await countOf(page, WRITTEN) > 0);
    if (path.startsWith('/docs/guides')) await assertPrograms(page, WRITTEN);
  }
  await page.goto('/docs/limits');
  const words = page.locator('noscript p'); // playwright's text locators ignore noscript
  await eventually.match(() => words.innerText(), /^Turn on JavaScript to see the values in this table\./);
  const { href } = await words.locator('a').evaluate((link) => ({ href: link.href }));
  assert.equal((await (await context.request.get(href)).json()).max_cases, 1000);
}));
