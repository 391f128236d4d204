// The screenshot at the top of the README. To take it again:
//
//     ARBITER_PICTURES=docs ARBITER_BINARY=build/arbiter node --test tests/browser/readme.test.mjs
//
// Then make it smaller with ImageMagick: convert page-pawn.png -strip -dither None -colors 255 png8:page-pawn.png

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { settled, shot, test, withPage } from './browser.mjs';

const WIDTH = 1280, HEIGHT = 800;

test("the screenshot in the README exists, and the page that it shows still opens", () =>
  withPage({ path: '/#pawn', answers: true, viewport: { width: WIDTH, height: HEIGHT } }, async ({ page }) => {
    await page.locator('.pawn-status:not(.pawn-stale)').first().waitFor();
    await page.locator('.pawn-value').first().waitFor();
    await page.evaluate(() => scrollTo(0, 0));
    await page.mouse.move(5, 5);
    await settled(page);
    await shot(page, 'page-pawn');
    const name = 'docs/page-pawn.png';
    assert.match(readFileSync(new URL('../../README.md', import.meta.url), 'utf8'), new RegExp(`]\\(${name}\\)`));
    const png = readFileSync(new URL(`../../${name}`, import.meta.url));
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [WIDTH, HEIGHT]);
  }));
