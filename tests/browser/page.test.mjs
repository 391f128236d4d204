// The frame of the page: games, languages, sizes, the service that goes and comes.

import assert from 'node:assert/strict';

import { assertAccessible, shot, test, until, withPage } from './browser.mjs';

for (const game of ['pawn', 'go', 'mine']) {
  test(`${game} opens by its link, without a complaint of the browser or of axe`, () =>
    withPage({ path: `/#${game}` }, async ({ page }) => {
      await until('its tab is the current one', async () =>
        (await page.locator('nav [aria-current=page]').getAttribute('data-game')) === game);
      assert.match(await page.title(), /Arbiter/);
      await assertAccessible(page);
      await shot(page, `page-${game}`);
    }));
}
