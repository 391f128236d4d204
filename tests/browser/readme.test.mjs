// The pictures that the README opens with. They are taken anew by
//
//     ARBITER_PICTURES=docs ARBITER_BINARY=build/arbiter node --test tests/browser/readme.test.mjs
//
// and made smaller by ImageMagick: convert page-go.png -strip -dither None -colors 255 png8:page-go.png

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { settled, shot, test, withPage } from './browser.mjs';

const WIDTH = 1280, HEIGHT = 800;

/** What each game shows: by what it is known that its answer has come, and what is done before the picture is taken. */
const PICTURES = {
  pawn: { ready: '.pawn-status:not(.stale)' },
  go: { ready: '.go .go-stone' },
  mine: { ready: '.mine .verdict', key: 'w' },
};

for (const [game, { ready, key }] of Object.entries(PICTURES))
  test(`the README's picture of ${game} is there, of a page that can be had`, () =>
    withPage({ path: `/#${game}`, viewport: { width: WIDTH, height: HEIGHT } }, async ({ page }) => {
      await page.locator(ready).first().waitFor();
      await settled(page);
      if (key) {
        await page.locator('[role=grid]').first().press(key);
        await settled(page);
        await page.locator('h1').first().click(); // the picture has no cursor
      }
      await shot(page, `page-${game}`);
      const name = `docs/page-${game}.png`;
      assert.match(readFileSync(new URL('../../README.md', import.meta.url), 'utf8'), new RegExp(`src="${name}"`));
      const png = readFileSync(new URL(`../../${name}`, import.meta.url));
      assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [WIDTH, HEIGHT]);
    }));
