// Each game is kept while the user is elsewhere on the page: tabs, the logo, Back and Forward, links, and New with Undo.

import assert from 'node:assert/strict';

import { readLink } from '../../web/page/link.js';
import { eventually, open, settled, shot, test, travel, until, withPage } from './browser.mjs';

const GAMES = ['pawn', 'go', 'mine'];
const OTHER = { pawn: 'go', go: 'mine', mine: 'pawn' };

const tab = (page, game) => page.locator(`nav [data-game=${game}]`);
const logo = (page) => page.locator('header .brand');
const button = (page, name) => page.getByRole('button', { name, exact: true });

/** Waits until this game and its answer are on the page. */
async function isOn(page, game) {
  await page.locator(`main .playground.${game}`).waitFor();
  await until(`${game} has its tab`, async () => await page.locator('nav [aria-current=page]').getAttribute('data-game') === game);
  await settled(page);
}

/** Clicks a tab, and waits for its game. */
async function turnTo(page, game) {
  await tab(page, game).click();
  await isOn(page, game);
}

/** The cells, the controls and the puzzle of the game on the page. */
const screen = (page) => page.evaluate(() => ({
  cells: [...document.querySelectorAll('.grid [role=gridcell]')].map(({ ariaLabel }) => ariaLabel),
  controls: [...document.querySelectorAll('main :is(button, select, input)')].filter((element) => element.checkVisibility())
    .map(({ ariaLabel, textContent, value, checked, disabled, ariaDisabled, ariaPressed }) =>
      [ariaLabel ?? textContent, value, checked, disabled || ariaDisabled === 'true', ariaPressed === 'true'].join(' ')),
  puzzle: document.querySelector('main .puzzle:not([hidden])')?.textContent ?? null,
}));

/** Calls `act`, and waits until the screen has changed and shows the answer. Returns the new screen. */
async function change(page, act) {
  const before = JSON.stringify(await screen(page));
  await act();
  await until('something has changed', async () => JSON.stringify(await screen(page)) !== before);
  await settled(page);
  return screen(page);
}

const press = (page, name) => change(page, () => button(page, name).click());
const choose = (page, label, value) => change(page, () => page.getByLabel(label).selectOption(value));

/** Clicks a cell the way a screen reader does. */
const cell = (page, label) => change(page, () => page.locator(`.grid [role=gridcell][aria-label^="${label}"]`).first().evaluate((one) => one.click()));

/** For each game, a function that plays two moves by hand, one for each side. */
const MOVES = {
  pawn: async (page) => {
    await choose(page, 'You play', 'both');
    for (const name of ['d1', 'c1', 'f5', 'f4']) await cell(page, `${name}:`);
  },
  go: async (page) => {
    for (const name of ['A1', 'B1']) await cell(page, `${name},`);
  },
  mine: async (page) => {
    await choose(page, 'You play', 'both');
    for (const name of ['f4,', 'a6,']) await cell(page, name);
  },
};

for (const game of GAMES) {
  test(`${game} keeps its position, step, mode, side, undo and redo after a click on its own tab, another tab, and New with Undo`, () => withPage({ path: `/#${game}` }, async ({ page }) => {
    await settled(page);
    await MOVES[game](page);
    const moved = await screen(page);
    let left = await press(page, 'Undo');

    // Clicking the current tab does nothing.
    await until('the address has the game', () => page.url().includes(`#${game}=`));
    const entries = await page.evaluate(() => history.length);
    await page.evaluate(() => { globalThis.board = document.querySelector('.grid'); });
    await tab(page, game).click();
    await tab(page, game).press('Enter');
    assert.deepEqual(await screen(page), left);
    assert.equal(await page.evaluate(() => document.querySelector('.grid') === globalThis.board), true);
    assert.equal(await page.evaluate(() => history.length), entries);

    if (game === 'go') left = await press(page, 'Previous move');
    await turnTo(page, OTHER[game]);
    await turnTo(page, game);
    await eventually.deepEqual(() => screen(page), left);
    await press(page, 'Redo');
    await eventually.deepEqual(() => screen(page), moved);

    await press(page, 'New');
    await turnTo(page, OTHER[game]);
    await turnTo(page, game);
    await button(page, 'Undo').click();
    await eventually.deepEqual(async () => (await screen(page)).cells, moved.cells);
    await settled(page);

    const edited = await press(page, 'Edit');
    for (const other of GAMES) await turnTo(page, other);
    await turnTo(page, game);
    await eventually.deepEqual(() => screen(page), edited);
  }));
}

test('Back and Forward move between the games in their current state, with undo and redo', () => withPage({ path: '/#pawn' }, async ({ page }) => {
  await settled(page);
  await MOVES.pawn(page);
  const undone = await press(page, 'Undo');
  await turnTo(page, 'go');
  await MOVES.go(page);
  const go = await press(page, 'Undo');
  await travel(page, -1);
  await isOn(page, 'pawn');
  await eventually.deepEqual(() => screen(page), undone);
  const redone = await press(page, 'Redo');
  await travel(page, 1);
  await isOn(page, 'go');
  await eventually.deepEqual(() => screen(page), go);
  await turnTo(page, 'pawn');
  const again = await press(page, 'Undo');
  for (const by of [-1, -1]) await travel(page, by);
  await isOn(page, 'pawn');
  await eventually.deepEqual(() => screen(page), again);
  await press(page, 'Redo');
  await eventually.deepEqual(() => screen(page), redone);
}));

for (const game of GAMES) {
  test(`${game}: Back returns from a new board, and what was shown is there after a reload and on the next visit`, () => withPage({ path: `/#${game}` }, async ({ page, context }) => {
    const shows = (on, cells) => eventually.deepEqual(async () => (await screen(on)).cells, cells);
    await settled(page);
    await MOVES[game](page);
    const { cells } = await screen(page), next = await press(page, 'New');
    await travel(page, -1);
    await shows(page, cells);
    await travel(page, 1);
    await shows(page, next.cells);
    await travel(page, -1);
    await shows(page, cells);
    await button(page, 'Undo').click();
    await settled(page);
    const undone = await screen(page);
    await page.reload();
    await isOn(page, game);
    await shows(page, undone.cells);
    const other = await context.newPage();
    await page.goto('about:blank');
    await open(other, '/');
    await isOn(other, game);
    await shows(other, undone.cells);
  }));
}

test('a link that is ready only after another game was opened changes neither the address nor what is remembered', () => withPage({ path: null }, async ({ page }) => {
  await page.addInitScript(() => {
    const whole = Blob.prototype.arrayBuffer;
    globalThis.waiting = [];
    Blob.prototype.arrayBuffer = async function arrayBuffer() {
      const bytes = await whole.call(this);
      if (globalThis.holding) await new Promise((resolve) => { globalThis.waiting.push(resolve); });
      return bytes;
    };
  });
  await open(page, '/#pawn');
  await settled(page);
  await page.evaluate(() => { globalThis.holding = true; });
  await MOVES.pawn(page);
  const moved = await screen(page);
  await until('a link waits', () => page.evaluate(() => globalThis.waiting.length > 0));
  await page.evaluate(() => { globalThis.holding = false; });
  await turnTo(page, 'go');
  await until('the address has the game', () => page.url().includes('#go='));
  const seen = () => page.evaluate(() => [location.hash, localStorage.getItem('arbiter-shown-go')]), before = await seen();
  await page.evaluate(async () => {
    for (const resolve of globalThis.waiting) resolve();
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  });
  assert.deepEqual(await seen(), before);
  await travel(page, -1);
  await isOn(page, 'pawn');
  await eventually.deepEqual(() => screen(page), moved);
}));

test('without storage, and with what another version has left there, the page works', () => withPage({ path: null }, async ({ page }) => {
  await page.addInitScript(() => {
    if (location.protocol === 'about:') return;
    localStorage.setItem('arbiter-game', 'chess');
    localStorage.setItem('arbiter-shown-pawn', '{');
    Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
  });
  await open(page, '/');
  await isOn(page, 'pawn');
  await MOVES.pawn(page);
}));

const LINK = `#pawn=${encodeURIComponent(JSON.stringify({ question: { board: ['O.O', '...', '.X.'], turn: 'Red' } }))}`;
const rows = (page) => page.locator('.grid').getAttribute('aria-rowcount');

test('a link with a state shows that state, and Back returns to the previous game, with undo and redo', () => withPage({ path: '/#pawn' }, async ({ page }) => {
  await settled(page);
  await MOVES.pawn(page);
  const left = await press(page, 'Undo');
  await turnTo(page, 'go');
  await page.evaluate((link) => { location.hash = link; }, LINK);
  await until('the board of the link is shown', async () => await rows(page) === '3');
  await turnTo(page, 'go');
  await turnTo(page, 'pawn');
  await eventually.equal(() => rows(page), '3', 'the tab leads to what was shown last');
  for (const game of ['go', 'pawn', 'go', 'pawn']) {
    await travel(page, -1);
    await isOn(page, game);
  }
  await eventually.deepEqual(() => screen(page), left);
  await press(page, 'Redo');
}));

test('after a reload, Back shows the positions in the links', () => withPage({ path: '/#pawn' }, async ({ page }) => {
  await settled(page);
  await MOVES.pawn(page);
  const { cells } = await screen(page);
  const address = async () => readLink(await page.evaluate(() => location.hash));
  await until('the address has both moves', async () => (await address())?.moves?.length === 16);
  await turnTo(page, 'go');
  await until('the address has the game', async () => (await address())?.size === 19);
  await page.reload();
  await isOn(page, 'go');
  await travel(page, -1);
  await isOn(page, 'pawn');
  await eventually.deepEqual(async () => (await screen(page)).cells, cells);
}));

test('the logo leads home: to the first game as a visitor sees it first; Back returns to all games', () => withPage({ path: '/#pawn' }, async ({ page }) => {
  await settled(page);
  const first = await screen(page);
  await MOVES.pawn(page);
  const pawn = await press(page, 'Undo');
  await logo(page).click();
  await eventually.deepEqual(() => screen(page), first);
  await travel(page, -1);
  await eventually.deepEqual(() => screen(page), pawn);
  await turnTo(page, 'go');
  await MOVES.go(page);
  const go = await press(page, 'Undo');
  await logo(page).click();
  await isOn(page, 'pawn');
  await eventually.deepEqual(() => screen(page), first);
  await travel(page, -1);
  await isOn(page, 'go');
  await eventually.deepEqual(() => screen(page), go);
  await press(page, 'Redo');
}));

test('Ctrl or the middle mouse button opens a tab or the logo in a new browser tab, and nothing changes in this one', () =>
  withPage({ path: '/#pawn' }, async ({ page, context }) => {
    await settled(page);
    await MOVES.pawn(page);
    const left = await press(page, 'Undo');
    for (const [link, how] of [[tab(page, 'pawn'), { modifiers: ['Control'] }], [tab(page, 'go'), { button: 'middle' }], [logo(page), { modifiers: ['Control'] }]]) {
      const [other] = await Promise.all([context.waitForEvent('page'), link.click(how)]);
      await other.locator('main .playground').waitFor();
      await other.close();
      assert.deepEqual(await screen(page), left);
    }
    await press(page, 'Redo');
  }));

test('when a tab is opened with the keyboard, it keeps the focus, and the game is the same in another language', () => withPage({ path: '/#pawn' }, async ({ page }) => {
  await settled(page);
  await MOVES.pawn(page);
  await press(page, 'Undo');
  await tab(page, 'go').press('Enter');
  await isOn(page, 'go');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.game), 'go');
  await page.getByLabel('Language').selectOption('zh');
  await button(page, '打开文件').waitFor();
  await tab(page, 'pawn').press('Enter');
  await isOn(page, 'pawn');
  assert.equal(await page.evaluate(() => document.activeElement.dataset.game), 'pawn');
  await eventually.match(() => page.locator('.pawn-track').innerText(), /d1–c1/);
  await press(page, '重做');
  await shot(page, 'tabs-zh');
}));

/** The cells to click for a try that does not solve the puzzle. */
async function wrongTry(page, game) {
  const body = await page.locator('.share code').evaluate(({ textContent }) => /'(\{.*\})'/.exec(textContent)[1]);
  const question = { ...JSON.parse(body), include: game === 'pawn' ? ['moves'] : ['wins', 'board'] };
  const answer = await (await page.request.post(game, { data: question })).json();
  if (game === 'pawn') {
    const { from, to } = answer.moves.at(-1);
    return [from, to].map(([row, col]) => `${'abcdefghij'[col]}${row + 1}:`);
  }
  const numbers = answer.board.flatMap((line, row) => [...line.matchAll(/\d/g)].map(({ index }) => [row, index]));
  const [row, col] = numbers.find((one) => !answer.wins.some((win) => String(win) === String(one)));
  return [`${'abcdefghijklmnopqrst'[col]}${row + 1},`];
}

for (const game of ['pawn', 'mine']) {
  test(`a puzzle in ${game} is kept with its number of tries, and Undo brings it back after New`, () => withPage({ path: `/#${game}=puzzle-1` }, async ({ page }) => {
    await settled(page);
    const puzzle = () => page.locator('main .puzzle').innerText();
    for (const name of await wrongTry(page, game)) await page.locator(`.grid [role=gridcell][aria-label^="${name}"]`).evaluate((one) => one.click());
    await eventually.match(puzzle, /1 try so far/);
    await turnTo(page, 'go');
    await turnTo(page, game);
    await eventually.match(puzzle, /1 try so far/);
    await press(page, 'New');
    await eventually.equal(() => page.locator('main .puzzle').isVisible(), false);
    await press(page, 'Undo');
    await eventually.match(puzzle, /1 try so far/);
    await until('the address names it again', () => page.url().endsWith(`#${game}=puzzle-1`));
  }));
}

test('opening a puzzle, or a file for another game, loses nothing: Back or Undo returns to the previous game', () => withPage({ path: '/#go' }, async ({ page }) => {
  await settled(page);
  await MOVES.go(page);
  const go = await press(page, 'Undo');
  await turnTo(page, 'pawn');
  await MOVES.pawn(page);
  const pawn = await press(page, 'Undo');
  await button(page, 'Puzzle').click();
  await page.locator('main .puzzle').getByText('Puzzle of the day').waitFor();
  await travel(page, -1);
  await page.locator('main .puzzle').waitFor({ state: 'hidden' });
  await settled(page);
  await eventually.deepEqual(() => screen(page), pawn);
  await page.locator('header input[type=file]').setInputFiles({ name: 'game.sgf', mimeType: '', buffer: Buffer.from('(;SZ[5];B[aa])') });
  await until('the file is shown', async () => await rows(page) === '5');
  await button(page, 'Undo').click();
  await isOn(page, 'go');
  await eventually.deepEqual(async () => (await screen(page)).cells, go.cells);
}));

test('a game does nothing while it is not shown: its answer is dropped, and the program waits', () => withPage({ path: null }, async ({ page }) => {
  let held = false, asked = 0;
  const waiting = [];
  await page.route(/\/pawn$/, (route) => {
    asked += 1;
    if (!held) return route.continue();
    return new Promise((resolve) => { waiting.push(() => resolve(route.continue().catch(() => {}))); });
  });
  await open(page, '/#pawn');
  await settled(page);
  held = true;
  for (const name of ['d1:', 'c1:']) await page.locator(`.grid [role=gridcell][aria-label^="${name}"]`).evaluate((one) => one.click());
  await until('the answer is awaited', () => waiting.length === 1);
  // Until Go has been loaded, the pawn is still there, and may say this later.
  await until('it is said', async () => /Waiting/.test(await page.locator('[role=status].unseen').textContent()));
  await tab(page, 'go').evaluate((one) => {
    const region = document.querySelector('[role=status].unseen');
    window.said = [];
    new MutationObserver(() => window.said.push(region.textContent)).observe(region, { childList: true });
    one.click();
  });
  await isOn(page, 'go');
  await page.locator('.playground.go [role=gridcell][aria-label^="A1,"]').waitFor({ state: 'attached' });
  await settled(page);
  const before = asked, go = await screen(page);
  held = false;
  await Promise.all(waiting.map((release) => release()));
  await MOVES.go(page); // two more answers, so that a late one for the pawn would have arrived too
  await press(page, 'Undo');
  await press(page, 'Undo');
  assert.equal(asked, before, 'the program has not moved');
  assert.deepEqual((await screen(page)).cells, go.cells);
  const said = await page.evaluate(() => window.said);
  assert.ok(said.every((text) => !/Red|pawn/.test(text)), JSON.stringify(said));
  await tab(page, 'pawn').click();
  await until('the program has moved', async () => await page.locator('.pawn-track li:not(.pawn-further)').count() === 2);
}));

for (const [name, viewport, colorScheme] of [['phone', { width: 390, height: 844 }, 'dark'], ['window', { width: 1280, height: 900 }, 'light']]) {
  test(`a game looks the same after another tab has been shown: ${name}, ${colorScheme}`, () => withPage({ path: '/#mine', viewport, colorScheme, reducedMotion: 'reduce' }, async ({ page }) => {
    await settled(page);
    await MOVES.mine(page);
    const top = async () => {
      await page.mouse.move(1, 1);
      await page.evaluate(() => scrollTo(0, 0));
    };
    await top();
    const before = await page.locator('main').screenshot({ animations: 'disabled' });
    await turnTo(page, 'pawn');
    await turnTo(page, 'mine');
    await top();
    await eventually.equal(async () => (await page.locator('main').screenshot({ animations: 'disabled' })).equals(before), true);
    await shot(page, `tabs-${name}-${colorScheme}`);
  }));
}
