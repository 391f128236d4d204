// The reference and the guides: what they show, what they run, and what a browser says of it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { parse } from 'yaml';

import { assertAccessible, eventually, shot, test, until, withPage } from './browser.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const LOOKS = [
  ['desktop-light', {}],
  ['desktop-dark', { colorScheme: 'dark' }],
  ['phone-light', PHONE],
  ['phone-dark', { ...PHONE, colorScheme: 'dark' }],
];

const { paths } = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'));
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { summary }]) => ({ path, method, summary })));

/** The part of the reference about an operation, when it is there. */
async function operation(page, method, path) {
  const part = page.locator(`rapi-doc [id="${method}-${path.replaceAll(/[{}]/g, '-')}"]`);
  await part.waitFor();
  return part;
}

/** A test of the reference. It is skipped where the reference is not built in: there /docs has no such element. */
const testReference = (name, options, body) => test(name, (t) => withPage({ path: '/docs', ...options }, async (given) => {
  if (await given.page.locator('rapi-doc').count() === 1) return body(given);
  assert.notEqual(process.env.CI, 'true', 'CI has npm, so the reference must be built in');
  t.skip('the reference is not built in');
}));

/** No part of the page is beyond its right edge. */
const assertFits = async (page) => assert.deepEqual(await page.evaluate(() => {
  const scrolled = document.querySelector('rapi-doc')?.shadowRoot.querySelector('.main-content') ?? document.documentElement;
  return [document.documentElement, scrolled].map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
}), [0, 0]);

testReference('the reference shows every operation, each can be tried as it stands, and this service answers', {}, async ({ page, url }) => {
  assert.ok(operations.length > 12);
  for (const { method, path, summary } of operations) {
    const part = await operation(page, method, path);
    await eventually.equal(() => part.getByRole('heading', { level: 2 }).innerText(), summary);
    await eventually.ok(async () => (await part.innerText()).includes(path));
    const asked = page.waitForResponse((response) => response.request().resourceType() === 'fetch');
    await part.getByRole('button', { name: 'TRY' }).click();
    const response = await asked;
    assert.ok(response.url().startsWith(`${url}${path.replace(/\{.*/, '')}`), response.url());
    assert.equal(response.status(), 200, response.url());
    await part.getByText('Response Status: OK:200').waitFor();
  }
  const verdict = (await operation(page, 'post', '/pawn')).locator('pre', { hasText: '"verdict"' }).first();
  await eventually.match(() => verdict.innerText(), /"verdict": "Red",\s+"steps": 7/);
});

testReference('a picture that is tried in the reference is shown', {}, async ({ page }) => {
  const part = await operation(page, 'get', '/pawn');
  await part.getByLabel('case (query)').fill('{"board":["O.O","...",".X."]}');
  await part.getByLabel('format (query)').fill('svg');
  await part.getByRole('button', { name: 'TRY' }).click();
  const picture = part.locator('img[src^="blob:"]');
  await picture.waitFor();
  await eventually.ok(async () => await picture.evaluate((image) => image.decode().then(() => image.naturalWidth)) > 100);
});

testReference('a fault that is tried in the reference is told in words', { expected: ({ kind, text }) => kind === 'console' && text.includes('status of 422') }, async ({ page }) => {
  const part = await operation(page, 'post', '/mine');
  await part.getByLabel('Body of the request').fill('{"board":["...","."]}');
  await part.getByRole('button', { name: 'TRY' }).click();
  await part.getByText('a row has 1 character; 3 are needed').first().waitFor();
});

testReference('a link of the reference leads to its operation, and the list of a narrow page too', { ...PHONE, path: '/docs#get-/limits' }, async ({ page }) => {
  const scrolledTo = async (part) => {
    const { y } = await part.boundingBox();
    return y >= 0 && y < PHONE.viewport.height / 2;
  };
  const limits = await operation(page, 'get', '/limits');
  await until('the limits have been scrolled to', () => scrolledTo(limits));
  await page.locator('rapi-doc').evaluate((element) => element.scrollToPath('overview'));
  await page.locator('summary').click();
  await page.getByRole('link', { name: 'POST /go' }).click();
  const go = await operation(page, 'post', '/go');
  await until('the route of Go has been scrolled to', () => scrolledTo(go));
});

testReference('the reference says so where the contract cannot be had', { expected: ({ kind, text }) => kind === 'console' && text.includes('status of 503') }, async ({ page }) => {
  await page.route('**/openapi.json', (route) => route.fulfill({ status: 503, body: '' }));
  await page.reload();
  await page.getByRole('alert').filter({ hasText: 'openapi.json, cannot be had: status 503' }).waitFor();
});

for (const [look, options] of LOOKS.slice(0, 3)) { // the narrow page has no colour of its own
  testReference(`the reference can be used by everybody: ${look}`, options, async ({ page }) => {
    const part = await operation(page, 'post', '/pawn');
    await shot(page, `docs-reference-${look}`);
    await part.getByRole('button', { name: 'TRY' }).click();
    await part.getByText('Response Status: OK:200').waitFor();
    await shot(page, `docs-tried-${look}`);
    await assertFits(page);
    await assertAccessible(page);
  });
}

for (const [look, options] of LOOKS) {
  for (const [path, title] of [['/docs/guides', 'Guides'], ['/docs/guides.zh', '指南']]) {
    test(`${path} can be used by everybody: ${look}`, () => withPage({ path, ...options }, async ({ page }) => {
      await eventually.equal(() => page.getByRole('heading', { level: 1 }).innerText(), title);
      for (const link of await page.getByRole('navigation').last().getByRole('link').all()) {
        await eventually.equal(async () => await page.locator(await link.getAttribute('href')).getByRole('heading', { level: 2 }).count(), 1);
      }
      await eventually.ok(async () => await page.locator('img').last().evaluate((image) => image.decode().then(() => image.naturalWidth)) > 100);
      await assertFits(page);
      await assertAccessible(page);
      await shot(page, `docs-${path.slice(6)}-${look}`, { fullPage: true });
    }));
  }
}

test('what the reference and the guides link to is there', () => withPage({ path: null }, async ({ page, context }) => {
  for (const path of ['/docs', '/docs/guides', '/docs/guides.zh']) {
    await page.goto(path);
    const links = await page.locator('a[href]:not([href^="#"]), link[href]').evaluateAll((all) => all.map(({ href }) => href));
    assert.ok(links.length > 3);
    for (const link of links) assert.equal((await context.request.get(link)).status(), 200, `${path} links to ${link}`);
  }
}));
