// The look and the text of the page: it works at every size and in every colour scheme, and all its text comes from the text tables.

import assert from 'node:assert/strict';

import { assertAccessible, eventually, open, settled, shot, test, withPage } from './browser.mjs';
import { markTexts, unmarked } from './marks.mjs';

const GAMES = ['pawn', 'go', 'mine'];
/** The two Minesweeper players have these names in every language. */
const NAMES = /Xiemao|Fanglaoshi/g;
const WIDTHS = [360, 390, 768, 1280, 1920, 3840];

for (const locale of ['en-US', 'zh-CN']) {
  test(`the page never scrolls sideways: ${locale}`, () => withPage({ locale }, async ({ page }) => {
    for (const game of GAMES) {
      await open(page, `/#${game}`);
      await settled(page);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: Math.max(640, Math.round(width * 9 / 16)) });
        const wide = await page.evaluate(async () => {
          // After two frames, the page has reacted to the new window size.
          for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
          const { scrollWidth, clientWidth } = document.documentElement;
          const beyond = [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > clientWidth);
          return scrollWidth > clientWidth ? beyond.map((element) => element.outerHTML.slice(0, 100)) : [];
        });
        assert.deepEqual(wide, [], `${game} at ${width}`);
        await shot(page, `${game}-${width}-${locale}`);
      }
    }
  }));
}

/** The colour schemes and contrast settings that a visitor may prefer. */
const SCHEMES = {
  light: {},
  dark: { colorScheme: 'dark' },
  contrast: { contrast: 'more' },
  forced: { forcedColors: 'active' },
};

for (const game of GAMES) {
  test(`axe finds nothing in any colour scheme: ${game}`, () => withPage({ path: `/#${game}` }, async ({ page }) => {
    for (const [scheme, media] of Object.entries(SCHEMES)) {
      await page.emulateMedia({ colorScheme: 'light', contrast: 'no-preference', forcedColors: 'none', ...media });
      await settled(page);
      await assertAccessible(page);
      await shot(page, `${game}-${scheme}`, { fullPage: true });
    }
  }));
}

test('all text on the page comes from the text tables', () => withPage({ path: null }, async ({ page, context }) => {
  await markTexts(context);
  for (const game of GAMES) {
    await open(page, `/#${game}`);
    await settled(page);
    await eventually.deepEqual(() => unmarked(page, NAMES), [], game);
  }
  await page.evaluate(() => document.querySelector('h1').append('Hello'));
  await eventually.deepEqual(() => unmarked(page, NAMES), ['h1: Hello']);
}));

test('with reduced motion, nothing moves', () => withPage({ path: null, reducedMotion: 'reduce' }, async ({ page }) => {
  await open(page, '/#pawn=AAAA');
  await page.locator('.note').waitFor();
  // Fading is allowed.
  const moved = await page.evaluate(() => document.getAnimations().flatMap((animation) => animation.effect.getKeyframes())
    .flatMap((frame) => Object.keys(frame)).filter((name) => !['opacity', 'offset', 'computedOffset', 'easing', 'composite'].includes(name)));
  assert.deepEqual(moved, []);
}));
