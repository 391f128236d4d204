// The page behind a gateway that requires a token, as docker/haproxy.cfg does if tokens are configured: for each question to the
// service, but not for the files that make up the page.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { assertAccessible, eventually, open, settled, test, until, withPage } from './browser.mjs';

const REFUSAL = readFileSync(new URL('../../docker/errors/401.json', import.meta.url), 'utf8');
/** The browser reports the status of each refused request. */
const expected = ({ kind, text }) => kind === 'console' && text.includes(' 401 ');

/** Simulates a gateway with one valid token. Returns the list of the Authorization headers of the questions so far. */
async function gateway(page, token) {
  const asked = [];
  await page.route(/\/(pawn|go|mine|limits|version)($|\?)/, async (route) => {
    const authorization = (await route.request().allHeaders()).authorization;
    asked.push(authorization);
    if (authorization === `Bearer ${token}`) await route.continue();
    else await route.fulfill({ status: 401, contentType: 'application/problem+json', headers: { 'www-authenticate': 'Bearer' }, body: REFUSAL });
  });
  return asked;
}

for (const [locale, label, button] of [['en-US', 'Token', 'Try again'], ['zh-CN', '令牌', '重试']]) {
  test(`if a token is required, the page asks the user for it, and keeps it while the tab is open: ${locale}`, () =>
    withPage({ path: null, answers: true, locale, expected }, async ({ page }) => {
      const asked = await gateway(page, 'secret-1');
      await open(page, '/#pawn');
      const banner = page.locator('.banner'), field = banner.getByLabel(label);
      await field.waitFor();
      assert.deepEqual(new Set(asked), new Set([undefined]));
      await settled(page);
      await assertAccessible(page);
      await field.fill('wrong');
      await field.press('Enter');
      await until('it was sent', () => asked.at(-1) === 'Bearer wrong');
      await eventually.equal(() => field.inputValue(), '');
      await field.fill(' secret-1 ');
      await banner.getByRole('button', { name: button }).click();
      await eventually.equal(() => banner.isVisible(), false);
      await eventually.match(() => page.locator('.pawn-status .verdict').innerText(), /13/);

      const before = asked.length;
      await page.reload();
      await page.locator('main .playground').waitFor();
      for (const game of ['pawn', 'go', 'mine']) {
        await open(page, `/#${game}`);
        await settled(page);
        assert.equal(await banner.isVisible(), false);
      }
      assert.ok(asked.length > before + 2);
      assert.deepEqual(new Set(asked.slice(before)), new Set(['Bearer secret-1']));
    }));
}

test('a token that cannot be sent in a header is rejected', () =>
  withPage({ path: null, answers: true, expected }, async ({ page }) => {
    const asked = await gateway(page, 'secret-1');
    await open(page, '/#pawn');
    const field = page.locator('.banner').getByLabel('Token');
    await field.fill('雪');
    const before = asked.length;
    await field.press('Enter');
    assert.equal(await field.evaluate(({ validity }) => validity.patternMismatch), true);
    assert.equal(asked.length, before);
  }));

test('without storage, the token is kept until the user leaves the page', () =>
  withPage({ path: null, answers: true, expected }, async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(globalThis, 'sessionStorage', { get: () => { throw new DOMException('no', 'SecurityError'); } });
    });
    await gateway(page, 'secret-1');
    await open(page, '/#pawn');
    const banner = page.locator('.banner'), field = banner.getByLabel('Token');
    await field.fill('secret-1');
    await field.press('Enter');
    await eventually.equal(() => banner.isVisible(), false);
    await eventually.match(() => page.locator('.pawn-status .verdict').innerText(), /13/);
  }));
