// A quick check, run by script/test, that each game basically works in a browser. The full browser tests are in the part `browser`.

import { eventually, test, withPage } from '../browser/browser.mjs';

const link = (game, question) => `/#${game}=${encodeURIComponent(JSON.stringify({ question, answers: true }))}`;

test('in the pawn game, a winning move from the list is played, and the computer replies', () => withPage({
  path: link('pawn', { board: ['..#.', 'O..O', '....', '.X..'] }), reducedMotion: 'reduce',
}, async ({ page }) => {
  const verdict = () => page.locator('.pawn-status .verdict').innerText();
  await eventually.equal(verdict, 'Red wins in 7 moves');
  await page.getByLabel('You play').selectOption('Red');
  await page.getByRole('button', { name: /: Red wins in 7 moves$/ }).first().click();
  await eventually.equal(verdict, 'Red wins in 5 moves');
}));

test('a ko in Go is refused', () => withPage({ path: '/#go' }, async ({ page }) => {
  const says = (text) => eventually.ok(async () => (await page.locator('.go-status').innerText()).includes(text));
  await page.getByRole('button', { name: 'Try an example' }).click();
  await says('24. White D5, captures 1 stone. Black to play.');
  await page.getByRole('button', { name: 'Play E5', exact: true }).click();
  await says('Black can’t play E5: ko.');
}));

test('a Minesweeper field shows its verdict, and the computer replies to a click', () => withPage({
  path: link('mine', { board: ['...*', '*...', '....'] }),
}, async ({ page }) => {
  await eventually.equal(() => page.locator('.mine .verdict').textContent(), 'Xiemao wins');
  await page.getByLabel('You play').selectOption('Xiemao');
  const { x, y, width, height } = await page.locator('.mine .grid').boundingBox();
  await page.mouse.click(x + width / 8, y + height / 6); // the first cell
  await eventually.equal(() => page.locator('.mine-clicks button').count(), 2);
}));
