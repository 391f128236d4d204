// The playground of Go where something fails: what is on the screen, and what its address holds.

import assert from 'node:assert/strict';

import { open, test, until, withPage } from './browser.mjs';

const link = (state) => `/#go=${encodeURIComponent(JSON.stringify(state))}`;

/** A question that the service refuses is told by the browser too. */
const refused = ({ kind, text }) => kind === 'console' && /status of 4\d\d/.test(text);

const code = (page) => page.locator('.share code').innerText();

test('a link to a record that cannot be read stays what it is', () => withPage({ path: null, expected: refused }, async ({ page }) => {
  await open(page, link({ question: { sgf: '(;SZ[5];B[aa];W[bb])', game: 99 }, step: 1 }));
  await page.locator('.go [role=alert]').first().waitFor();
  await until('the address is packed', () => page.evaluate(() => /^#go=[\w-]{20,}$/.test(location.hash)));
  assert.match(await code(page), /"sgf":.*"game":99/);
  const hash = await page.evaluate(() => location.hash);
  await open(page, '/docs');
  await open(page, `/${hash}`);
  await page.locator('.go [role=alert]').first().waitFor();
  await page.getByRole('grid').click();
  await until('a stone stands', async () => /"moves":\[\["B",/.test(await code(page)));
}));
