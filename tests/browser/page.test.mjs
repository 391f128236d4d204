// Tests what the games on the page have in common: tabs, links, languages, and a service that stops and starts.

import assert from 'node:assert/strict';

import { start } from '../server/arbiter.mjs';
import { assertAccessible, eventually, open, settled, shot, test, travel, until, withPage } from './browser.mjs';

const GAMES = ['pawn', 'go', 'mine'];

/** Waits until this game is on the page. */
async function isOn(page, game) {
  await until(`${game} is on the page`, async () =>
    (await page.locator('nav [aria-current=page]').getAttribute('data-game')) === game);
}

/** Clicks a tab, and waits for its game and the answer to it. */
async function turnTo(page, game) {
  await page.locator(`nav [data-game=${game}]`).click();
  await page.locator(`main .playground.${game}`).waitFor();
  await settled(page);
}

test('each game opens from its link, without any report from the browser', () => withPage({ path: null }, async ({ page }) => {
  for (const game of GAMES) {
    await open(page, `/#${game}`);
    await isOn(page, game);
    const name = await page.locator(`nav [data-game=${game}]`).innerText();
    await eventually.equal(() => page.title(), `${name} · Arbiter`);
    await settled(page);
    await shot(page, `page-${game}`);
  }
}));

test('one line says what the page is and who it is for; search engines, messengers and phones get a description and pictures', () => withPage({}, async ({ page, url }) => {
  await page.locator('header').getByText('for players and coders').waitFor();
  const content = (name) => page.locator(`meta[name="${name}"], meta[property="${name}"]`).getAttribute('content');
  for (const name of ['description', 'og:title', 'og:description']) assert.match(await content(name), /three games|crossing pawn/, name);
  for (const path of [await content('og:image'), await page.locator('link[rel=apple-touch-icon]').getAttribute('href')]) {
    const response = await page.request.get(`${url}/${path}`);
    assert.deepEqual([response.status(), response.headers()['content-type']], [200, 'image/png'], path);
  }
}));

test('a tab shows its game and changes the address, and Back returns to the previous game', () => withPage({}, async ({ page, url }) => {
  await isOn(page, 'pawn');
  for (const game of ['go', 'mine', 'pawn', 'go']) {
    await page.locator(`nav [data-game=${game}]`).click();
    await isOn(page, game);
    await until('the address follows', () => page.url().startsWith(`${url}/#${game}=`));
  }
  for (const game of ['pawn', 'mine', 'go', 'pawn']) {
    await travel(page, -1);
    await isOn(page, game);
  }
  await travel(page, 1);
  await isOn(page, 'go');
}));

test('a game can be reached from the top of the page with the keyboard', () => withPage({}, async ({ page }) => {
  await page.keyboard.press('Tab');
  await eventually.equal(() => page.evaluate(() => document.activeElement.className), 'skip');
  await page.keyboard.press('Enter');
  await eventually.equal(() => page.evaluate(() => document.activeElement.role), 'grid');
  await page.locator('.skip').focus();
  await page.keyboard.press('Tab'); // the logo
  await page.keyboard.press('Tab'); // the first game
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await isOn(page, 'go');
}));

test('the address of a game opens the same screen', () => withPage({}, async ({ page, context, url }) => {
  for (const game of GAMES) {
    await page.goto(`${url}/#${game}`);
    await until('the address follows', () => page.url().startsWith(`${url}/#${game}=`));
    const address = page.url();
    const other = await context.newPage();
    await open(other, address);
    await isOn(other, game);
    await eventually.equal(() => other.locator('.note.bad').count(), 0);
    await until('the address is the same', () => other.url() === address);
    await other.close();
  }
}));

test('a link that cannot be read is reported, and its game is shown', () => withPage({ path: null }, async ({ page }) => {
  for (const [link, game] of [['#go=AAAA', 'go'], ['#mine=[1]', 'mine'], ['#constructor={"a":', 'pawn']]) {
    await open(page, `/${link}`);
    await page.locator('.note.bad').getByText('This link can’t be opened').waitFor();
    await isOn(page, game);
  }
  await open(page, '/#constructor');
  await isOn(page, 'pawn');
  await eventually.equal(() => page.locator('.note.bad').count(), 0);
}));

for (const [locale, lang, words] of [['en-GB', 'en', 'Open file'], ['zh-CN', 'zh-Hans', '打开文件'], ['fr-FR', 'en', 'Open file']]) {
  test(`with ${locale} the page is in ${lang}`, () => withPage({ locale }, async ({ page }) => {
    await eventually.equal(() => page.locator('html').getAttribute('lang'), lang);
    await page.getByRole('button', { name: words }).waitFor();
    await shot(page, `page-${locale}`);
  }));
}

test('a chosen language takes effect immediately and is remembered', () => withPage({ path: '/#mine' }, async ({ page }) => {
  await page.getByLabel('Language').selectOption('zh');
  await page.getByRole('button', { name: '打开文件' }).waitFor();
  await eventually.equal(() => page.locator('html').getAttribute('lang'), 'zh-Hans');
  await isOn(page, 'mine');
  await eventually.match(() => page.title(), /双人扫雷/);
  await settled(page);
  await assertAccessible(page);
  await page.reload();
  await page.getByRole('button', { name: '打开文件' }).waitFor();
  await page.getByLabel('语言').selectOption('en');
  await page.getByRole('button', { name: 'Open file' }).waitFor();
}));

/** For each game, an action that can be undone, and a function that returns where its effect shows. */
const ACTS = {
  pawn: [async (page) => {
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Remove a row' }).click();
  }, (page) => page.locator('.grid').getAttribute('aria-rowcount')],
  go: [(page) => page.getByRole('button', { name: 'Pass' }).click(), (page) => page.locator('.go output').innerText()],
  mine: [(page) => page.getByRole('button', { name: 'Create empty' }).click(), (page) => page.getByRole('spinbutton').last().inputValue()],
};

for (const game of GAMES) {
  test(`changing the language keeps the focus and the undo history in ${game}`, () => withPage({ path: `/#${game}` }, async ({ page }) => {
    const [act, look] = ACTS[game];
    await settled(page);
    const before = await look(page);
    await act(page);
    await until('it is done', async () => await look(page) !== before);
    await settled(page);
    const after = await look(page);
    await page.getByLabel('Language').focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('button', { name: '打开文件' }).waitFor();
    await eventually.equal(() => page.evaluate(() => document.activeElement.getAttribute('aria-label')), '语言');
    await until('the same is on the board', async () => await look(page) === after);
    await page.getByRole('button', { name: '撤销' }).click();
    await until('it is undone', async () => await look(page) === before);
  }));
}

/** Whether the browser may report this while the program is stopped. axe fetches the style sheet again to check the contrast. */
const gone = ({ kind, text }) =>
  /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_SOCKET_NOT_CONNECTED|ERR_EMPTY_RESPONSE|load preload assets/.test(text)
  && (kind === 'console' || kind === 'failed');

test('the page reports that the service has stopped, retries, and reports that it is back', () =>
  withPage({ own: [], expected: gone }, async ({ page, arbiter }) => {
    await settled(page); // otherwise the game on the page would wait for its answer forever
    arbiter.signal('SIGKILL');
    await arbiter.exit;
    await page.locator('nav [data-game=go]').click(); // its module has not been loaded yet
    const banner = page.getByRole('alert').filter({ hasText: 'Can’t reach the server' });
    await banner.waitFor();
    await settled(page);
    await assertAccessible(page);
    await shot(page, 'page-gone');
    await isOn(page, 'pawn');

    // The page also retries by itself, so the service is started only when the button is pressed.
    const button = banner.getByRole('button', { name: 'Retry now' });
    await button.evaluate((element) => element.addEventListener('click', () => { globalThis.pressed = true; }, { capture: true }));
    await page.route('**', async (route) => {
      if (await page.evaluate(() => globalThis.pressed === true)) await route.continue();
      else await route.abort('connectionrefused');
    });
    const back = await start(['--listen', arbiter.address], { port: arbiter.port });
    try {
      await button.click();
      await page.locator('.note').getByText('The server is responding again').waitFor();
      await isOn(page, 'go');
      await eventually.equal(() => banner.isVisible(), false);
    } finally {
      await back.stop();
    }
  }));

test('a message covers no control, and stays until it is dismissed', () => withPage({ path: null, viewport: { width: 390, height: 700 } }, async ({ page, context }) => {
  await context.addInitScript(() => { // messages never disappear by themselves here, because the machine may be slow
    const { setTimeout } = globalThis;
    globalThis.setTimeout = (act, wait, ...rest) => (wait === 10_000 ? 0 : setTimeout(act, wait, ...rest));
  });
  await open(page, '/#go=AAAA');
  const note = page.locator('.note.bad');
  await note.waitFor();
  await settled(page);
  const covered = () => page.evaluate(() => {
    const message = document.querySelector('.note').getBoundingClientRect();
    return [...document.querySelectorAll('button, select, a, .grid')].filter((element) => {
      const { top, bottom, left, right, width } = element.getBoundingClientRect();
      const apart = bottom <= message.top || top >= message.bottom || right <= message.left || left >= message.right;
      return width > 0 && !apart && !element.closest('.note');
    }).map((element) => element.outerHTML.slice(0, 80));
  });
  await eventually.deepEqual(covered, []);
  await assertAccessible(page);
  await shot(page, 'page-note');
  const top = () => page.locator('.grid').evaluate((grid) => grid.getBoundingClientRect().top + scrollY), before = await top();
  await page.mouse.wheel(0, 2000);
  await until('it floats', () => note.evaluate((element) => element.getBoundingClientRect().top >= 0 && scrollY > 100));
  await note.getByRole('button', { name: 'Dismiss' }).click();
  await eventually.equal(() => note.count(), 0);
  assert.equal(await top(), before, 'the board does not move when the message goes');
}));

test('no game is wider than a phone', () => withPage({ hasTouch: true, isMobile: true }, async ({ page }) => {
  for (const game of GAMES) {
    await turnTo(page, game);
    for (const width of [320, 360, 375, 390, 393, 412]) {
      await page.setViewportSize({ width, height: 800 });
      assert.ok(await page.evaluate(async () => {
        // After two frames, the page has reacted to the new window size.
        for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
        return document.documentElement.scrollWidth <= innerWidth;
      }), `${game} at ${width}`);
    }
  }
}));

/** The state of play, the whole board, and what is needed to play, in one window. */
for (const [name, view] of Object.entries({
  'a window of 1280 x 720': { viewport: { width: 1280, height: 720 } },
  'a phone': { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
})) {
  for (const locale of ['en-US', 'zh-CN']) {
    test(`on ${name}, everything needed for playing is visible without scrolling: ${locale}`, () => withPage({ locale, ...view }, async ({ page }) => {
      const places = [];
      for (const game of GAMES) {
        await turnTo(page, game);
        await page.evaluate(() => scrollTo(0, 0));
        const seen = await page.evaluate(() => {
          const board = document.querySelector('.go-table, .mine-frame, .pawn .grid').getBoundingClientRect();
          const needed = [...document.querySelectorAll('.status, .grid, .controls :is(button, select, input)')];
          const out = needed.filter((element) => element.checkVisibility() && element.getBoundingClientRect().bottom > innerHeight);
          const { left, top } = document.querySelector('.status').getBoundingClientRect();
          return { count: needed.length, out: out.map((element) => element.outerHTML.slice(0, 90)), board: Math.min(board.width, board.height), place: [left, top].map(Math.round).join() };
        });
        assert.deepEqual(seen.out, [], game);
        assert.ok(seen.count > 5, game);
        assert.ok(seen.board > (view.hasTouch ? 320 : 560), `${game}: the board takes the window: ${seen.board}`);
        places.push(seen.place);
        if (!view.hasTouch) continue;
        assert.ok(await page.locator('header').evaluate((header) => new Set([...header.querySelectorAll('a, button, select')]
          .filter((element) => element.checkVisibility()).map((element) => Math.round(element.getBoundingClientRect().top / 8))).size) <= 2, 'one header row');
        const small = await page.evaluate(() => [...document.querySelectorAll('header a, main button, main select, main summary, header button, header select, footer a')]
          .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 44)
          .map((element) => `${element.getBoundingClientRect().height} ${element.outerHTML.slice(0, 100)}`));
        assert.deepEqual(small, [], `${game}: buttons for a thumb are 44 px high`);
        const zoomed = await page.evaluate(() => [...document.querySelectorAll('select, input, textarea')]
          .filter((element) => element.checkVisibility() && parseFloat(getComputedStyle(element).fontSize) < 16).map(({ outerHTML }) => outerHTML.slice(0, 100)));
        assert.deepEqual(zoomed, [], `${game}: iOS zooms into a smaller font`);
      }
      assert.equal(new Set(places).size, 1, `the state of play is at the same place in all games: ${places}`);
    }));
  }
}

test('letter keys act only on the board', () => withPage({ path: '/#go' }, async ({ page }) => {
  await page.getByRole('button', { name: 'Pass' }).click();
  await eventually.equal(() => page.locator('.go output').innerText(), '1 / 1');
  const count = () => page.locator('.go output').innerText(), before = await count();
  await page.locator('h1').click();
  for (const key of [',', 'm', '<', 'p', 'u', 'v']) await page.keyboard.press(key);
  await eventually.equal(count, before);
  await page.locator('.grid').focus();
  await page.keyboard.press(',');
  await eventually.notEqual(count, before);
}));

test('screen readers can read and click all cells in each game', () => withPage({ reducedMotion: 'reduce' }, async ({ page }) => {
  for (const game of GAMES) {
    await turnTo(page, game);
    const [rows, cols] = await page.locator('.grid').evaluate((grid) => ['aria-rowcount', 'aria-colcount'].map((name) => Number(grid.getAttribute(name))));
    await eventually.equal(() => page.locator('.grid [role=row] [role=gridcell][aria-label]').count(), rows * cols);
    const labels = () => page.locator('.grid [role=gridcell]').evaluateAll((all) => all.map((cell) => cell.getAttribute('aria-label')));
    const before = await labels();
    // Screen readers click without a pointer.
    await page.locator('.grid [role=gridcell]').evaluateAll((all) => all.find((cell) => /can move|A1, empty|number 1/.test(cell.ariaLabel)).click());
    await until('something has happened', async () => (await labels()).join() !== before.join());
  }
}));

for (const game of GAMES) {
  test(`an empty answer is reported in ${game}`, () => withPage({ path: null }, async ({ page }) => {
    await page.route(new RegExp(`/${game}$`), (route) => route.fulfill({
      status: 200, contentType: route.request().headers().accept, body: '{}\n',
    }));
    await open(page, `/#${game}`);
    await page.getByRole('alert').getByText('This response isn’t from Arbiter.').first().waitFor();
  }));
}
