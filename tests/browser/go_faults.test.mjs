// Tests what the Go page shows, and its address, when something fails.

import assert from 'node:assert/strict';

import { eventually, open, test, until, withPage } from './browser.mjs';

const link = (state) => `/#go=${encodeURIComponent(JSON.stringify(state))}`;

/** The browser also reports refused requests. */
const refused = ({ kind, text }) => kind === 'console' && /status of 4\d\d/.test(text);

const code = (page) => page.locator('.share code').innerText();

test('a link to a record that cannot be read stays unchanged', () => withPage({ path: null, expected: refused }, async ({ page, context }) => {
  await open(page, link({ question: { sgf: '(;SZ[5];B[aa];W[bb])', game: 99 }, step: 1 }));
  await page.locator('.go [role=alert]').first().waitFor();
  await until('the address is packed', () => page.evaluate(() => /^#go=[\w-]{20,}$/.test(location.hash)));
  await eventually.match(() => code(page), /"sgf":.*"game":99/);
  const hash = await page.evaluate(() => location.hash);
  const other = await context.newPage();
  await open(other, `/${hash}`);
  await other.locator('.go [role=alert]').first().waitFor();
  await other.getByRole('grid').click();
  await until('a stone stands', async () => /"moves":\[\["B",/.test(await code(other)));
}));

test('the question about a record is the list of its moves, as long as it sets up no stones among them', () => withPage({ path: '/#go' }, async ({ page }) => {
  await page.locator('.go input[type=file]').setInputFiles({ name: 'p.sgf', mimeType: '', buffer: Buffer.from('(;SZ[9]RU[AGA];B[cc];B[];W[dd]AB[aa]C[x];W[ee])') });
  await until('the question is a record', async () => /"sgf":"\(;SZ\[9\]RU\[AGA\];B\[cc\];B\[\];W\[dd\]AB\[aa\]C\[x\];W\[ee\]\)"/.test(await code(page)));
  for (let step = 0; step < 2; step += 1) await page.getByRole('button', { name: 'Previous move' }).click();
  await until('it is a list', async () => /"moves":\[\["B",2,2\],\["B","pass"\]\]/.test(await code(page)));
}));
