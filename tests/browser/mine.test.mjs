// The page for two-player Minesweeper, used as a visitor would use it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { mineBoard, randomFrom } from '../server/bodies.mjs';
import { assertAccessible, createField, cursorLabel, eventually, open, settled as drawn, shot, test, travel, until, withPage } from './browser.mjs';

/** A field with one opening that takes at least five clicks. Xiemao wins it. */
const SMALL = ['...*', '*...', '....'];

/** A field with four openings, 3BV 17, and three winning clicks. */
const FIELD = ['........*', '.........', '......*..', '.*...*..*', '......**.', '..*......', '.......*.', '.....*...', '.........'];

/** A field that needs a search. */
const SEARCHED = ['..*...**', '........', '*...*...'];

const link = (state) => `/#mine=${encodeURIComponent(JSON.stringify(state))}`;
const linkTo = (board, more = {}) => link({ question: { board, ...more }, answers: true });

/** Waits until the page shows an answer, and it is the one for the current position. */
async function settled(page) {
  await until('there is an answer', () => page.evaluate(() =>
    [...document.querySelectorAll('.mine-known, .mine .problem')].some((element) => element.checkVisibility())));
  await drawn(page);
}

/** Scrolls to a cell, and returns its position in the window. */
async function placeOf(page, row, col) {
  await page.locator('.mine-box').scrollIntoViewIfNeeded();
  const [{ x, y, width, height }, rows, cols] = await page.locator('.grid').evaluate((grid) => [
    grid.getBoundingClientRect().toJSON(), Number(grid.getAttribute('aria-rowcount')), Number(grid.getAttribute('aria-colcount'))]);
  return [x + ((col + 0.5) * width) / cols, y + ((row + 0.5) * height) / rows];
}

const click = async (page, row, col, options) => page.mouse.click(...await placeOf(page, row, col), options);
const verdict = (page) => page.locator('.mine .verdict').textContent();
const listed = (page) => page.locator('.mine-clicks button').allTextContents();
const cells = (page) => page.locator('.mine-clicks button > :first-child').allTextContents();
const button = (page, name) => page.getByRole('button', { name, exact: true });
const strip = async (page) => `${await page.locator('.mine-status').innerText()} ${await page.locator('.mine-remarks').innerText()}`;
const side = (page, name) => page.getByLabel('You play').selectOption(name);

/** The position on the screen, read from the command shown on the page. */
async function question(page) {
  await until('the command holds what is shown', async () => (await page.locator('.share code').textContent()).includes('"clicks"'));
  return page.locator('.share code').evaluate((code) => JSON.parse(/'(\{.*\})'/s.exec(code.textContent)[1]));
}

/** The service's answer for a position. */
const ask = (page, asked) => page.evaluate(async (body) => (await fetch('mine', {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ ...body, include: ['wins', 'face', 'board'] }),
})).json(), asked);

/** Waits until it is the user's turn again, or the game is over. */
const turned = (page, before) => until('the opponent has clicked, or the game is over', async () =>
  !(await page.locator('.mine .mine-stale').count())
  && (await page.locator('.mine-ended').count() > 0 || (await listed(page)).length >= before + 2));

/** Plays to the end using `act`, choosing winning clicks if there are any. */
async function playOut(page, act) {
  for (let turn = 0; turn < 30; turn += 1) {
    await settled(page);
    if (await page.locator('.mine-ended').count() > 0) return turn;
    const clicks = (await listed(page)).length;
    await until('the command is as far as the game', async () => (await question(page)).clicks.length === clicks);
    const { wins, face, board } = await ask(page, await question(page));
    const row = face.findIndex((line, at) => [...line].some((cell, col) => cell === '#' && board[at][col] !== '*'));
    const col = [...face[row]].findIndex((cell, at) => cell === '#' && board[row][at] !== '*');
    await act(...(wins[0] ?? [row, col]));
    await turned(page, clicks);
  }
  throw new Error('the game does not end');
}

test('the first view is a small field with a sentence about the game; its answers are hidden until they are switched on', () => withPage({ path: '/#mine' }, async ({ page }) => {
  await settled(page);
  await page.locator('main').getByText('Take turns revealing safe cells; whoever makes the last reveal wins.').waitFor();
  const text = () => page.locator('.playground').innerText();
  await eventually.match(() => strip(page), /Player 1\s+you[^]*Your turn[^]*Answers are hidden/);
  assert.doesNotMatch(await text(), /Nimber|Player 1 wins|win\./);
  assert.ok((await question(page)).board.length < 8);
  await shot(page, 'mine-first');
  await page.getByRole('switch', { name: 'Show answers' }).check();
  await eventually.equal(() => verdict(page), 'You can force a win.');
  await eventually.match(text, /3 cells or openings win\.[^]*Nimber\s+1/);
  await assertAccessible(page);
}));

/** A field with three parts and lone numbers, and its parts in words. */
const PARTS = ['....*...', '..*.....', '........', '*.....*.', '....*...'];
const partsOf = async (page) => (await page.locator('.mine-parts li').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());

test('the nimber opens into its parts, with their colours and values', () => withPage({ path: linkTo(PARTS) }, async ({ page }) => {
  await settled(page);
  assert.equal(await page.locator('.mine-parts').isVisible(), false);
  await page.locator('.mine-fact summary').first().click();
  await eventually.deepEqual(() => partsOf(page), [
    '2 linked openings, 2 numbers after cancelling a1 0', '1 opening, 1 number after cancelling g1 2', '1 opening, 0 numbers after cancelling e3 1',
    '7 numbers next to no opening 1',
  ]);
  assert.match(await page.locator('.mine-sum').innerText(), /0 ⊕ 2 ⊕ 1 ⊕ 1 = 2 /);
  const colours = await page.locator('.mine-tint').evaluateAll((tints) => tints.map((tint) => getComputedStyle(tint).backgroundColor));
  assert.equal(colours.length, 3);
  assert.equal(new Set(colours).size, 3);
  await assertAccessible(page);
  await shot(page, 'mine-parts');
  await page.getByRole('button', { name: /e3/ }).click();
  await eventually.match(() => cursorLabel(page), /^e3/);
  await click(page, 2, 4);
  await settled(page);
  await eventually.equal(async () => (await partsOf(page)).some((part) => part.includes('e3')), false);
}));

test('a part whose value is unknown has none, and there is no sum', () => withPage(
  { path: linkTo(SEARCHED), own: ['--max-search-states', '1'] }, async ({ page }) => {
    await settled(page);
    await page.locator('.mine-fact summary').first().click();
    await eventually.deepEqual(() => partsOf(page), ['4 linked openings, 6 numbers after cancelling a1 unknown']);
    assert.equal(await page.locator('.mine-sum').isVisible(), false);
    await assertAccessible(page);
  }));

test('a winning position can be won by clicking, and the result is shown', () => withPage({ path: linkTo(SMALL) }, async ({ page }) => {
  await settled(page);
  await side(page, 'Xiemao');
  await playOut(page, (row, col) => click(page, row, col));
  await eventually.match(() => strip(page), /You won! The computer has nothing left to click\./);
  await eventually.deepEqual(() => page.locator('.mine-clicks .mine-mark.mine-lost').count(), 0);
  await eventually.ok(async () => await page.locator('.mine-clicks .mine-mark.mine-kept').count() > 1);
  await assertAccessible(page);
  await shot(page, 'mine-won');
  await button(page, 'Restart').click();
  await side(page, 'Fanglaoshi');
  await turned(page, -1);
  await eventually.match(() => strip(page), /Player 2\s+you/);
  await eventually.equal(async () => (await listed(page)).length, 1, 'the program clicks first then');
}));

test('a game is played to its end with the keyboard only', () => withPage({ path: linkTo(SMALL) }, async ({ page }) => {
  await settled(page);
  await page.locator('#main').focus();
  const grid = page.locator('.grid'), focused = () => page.evaluate(() => document.activeElement?.className);
  for (let tabs = 0; tabs < 20 && await focused() !== 'grid'; tabs += 1) await page.keyboard.press('Tab');
  await eventually.equal(() => focused(), 'grid');
  const cell = () => cursorLabel(page);
  await page.keyboard.press('v');
  await eventually.equal(() => cell(), 'a1, covered, number 1');
  await page.keyboard.press('v');
  await eventually.equal(() => cell(), 'a1, covered, number 1, winning click');
  const go = async (row, col) => {
    await page.keyboard.press('Control+Home');
    for (let at = 0; at < row; at += 1) await page.keyboard.press('ArrowDown');
    for (let at = 0; at < col; at += 1) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
  };
  await side(page, 'Xiemao');
  await grid.focus();
  await playOut(page, go);
  await eventually.match(() => page.locator('[role=status]').textContent(), /You won! /);
  const clicks = (await listed(page)).length;
  await page.keyboard.press('Control+z');
  await settled(page);
  await eventually.ok(async () => (await listed(page)).length < clicks);
  await page.keyboard.press('Control+y');
  await until('the clicks are back', async () => (await listed(page)).length === clicks);
  await page.keyboard.press('Control+z');
  await settled(page);
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Shift+Enter');
  await eventually.match(() => page.locator('.mine-words').textContent(), /^a1, /);
  await page.keyboard.press('n');
  await until('there is a new field', async () => (await listed(page)).length === 0);
  await page.keyboard.press('e');
  await settled(page);
  const mines = () => page.getByRole('spinbutton', { name: 'Mines' }).inputValue();
  const before = Number(await mines());
  await page.keyboard.press('Control+End');
  await page.keyboard.press(' ');
  await until('a mine was put there or taken away', async () => Math.abs(Number(await mines()) - before) === 1);
}));

test('the coach reports a click that throws away a win; it can be undone, and the game continued', () => withPage({ path: linkTo(FIELD) },
  async ({ page }) => {
    await settled(page);
    await side(page, 'Xiemao');
    await settled(page);
    await page.getByLabel('Show answers').uncheck();
    await button(page, 'Hint').click();
    await eventually.equal(() => page.locator('.mine-remarks p').textContent(),
      'Hint: d5. After this click, no reply wins: the nimber is 0.');
    await page.getByLabel('Show answers').check();
    await click(page, 0, 0);
    await turned(page, 0);
    await eventually.equal(() => page.locator('.mine-words').textContent(), 'a1, revealed, blank, part of an opening');
    await eventually.match(() => strip(page), /✗ That click threw away the win\. The computer found a winning click\./);
    await eventually.equal(() => verdict(page), 'The computer can force a win.');
    await button(page, 'Take it back').click();
    await settled(page);
    await eventually.deepEqual(async () => [await verdict(page), await listed(page)], ['You can force a win.', []]);
    await click(page, 4, 3);
    await turned(page, 0);
    await eventually.match(() => strip(page), /✓ That click keeps the win\. The computer is losing, and leaves you as few winning clicks as possible\./);
    await eventually.equal(async () => (await listed(page))[0], 'd5✓Player 1 clicks d5, keeps the win');
    await click(page, 0, 8);
    await eventually.equal(() => page.locator('.mine-words').textContent(), 'That’s a mine. Click a safe cell.');
    await click(page, 4, 3);
    await eventually.equal(() => page.locator('.mine-words').textContent(), 'This cell is already revealed.');
    await button(page, 'Restart').click();
    await settled(page);
    await eventually.deepEqual(() => listed(page), []);
  }));

test('mines are painted by dragging and removed with the right mouse button, and both can be undone', () => withPage({ path: linkTo(new Array(6).fill('......')) },
  async ({ page }) => {
    await settled(page);
    await button(page, 'Edit').click();
    await settled(page);
    const mines = () => page.getByRole('spinbutton', { name: 'Mines' }).inputValue();
    await page.mouse.move(...await placeOf(page, 1, 0));
    await page.mouse.down();
    await page.mouse.move(...await placeOf(page, 1, 5));
    await page.mouse.up();
    await until('a row of mines', async () => await mines() === '6');
    await settled(page);
    await eventually.match(() => page.locator('.mine-known').nth(1).innerText(), /Openings\s+1\s/);
    await click(page, 1, 2, { button: 'right' });
    await click(page, 3, 3, { button: 'right' });
    await until('one less, and none where there was none', async () => await mines() === '5');
    await assertAccessible(page);
    await button(page, 'Undo').click();
    await until('the mine is back', async () => await mines() === '6');
    await button(page, 'Undo').click();
    await until('the stroke is undone as one', async () => await mines() === '0');
    await eventually.ok(() => button(page, 'Undo').isDisabled());
    await page.keyboard.press('Control+y');
    await until('and done again', async () => await mines() === '6');
  }));

test('on request, frames mark the winning clicks at their places on the canvas', () => withPage({ path: linkTo(FIELD), deviceScaleFactor: 2 }, async ({ page }) => {
  await settled(page);
  const edge = (row, col) => page.evaluate(([down, right]) => {
    const canvas = document.querySelector('.mine .grid canvas'), size = canvas.width / 9, copy = document.createElement('canvas');
    [copy.width, copy.height] = [1, 1];
    const context = copy.getContext('2d', { willReadFrequently: true });
    context.drawImage(canvas, -Math.round((right + 0.5) * size), -Math.round(down * size) - 3);
    return [...context.getImageData(0, 0, 1, 1).data].join();
  }, [row, col]);
  const frame = async (row, col) => {
    await page.evaluate(() => new Promise((drawn) => { requestAnimationFrame(() => requestAnimationFrame(drawn)); }));
    return await edge(row, col) === '10,125,54,255';
  };
  await page.getByLabel('Show answers').uncheck();
  await until('no frames', async () => !(await frame(4, 3)));
  await page.getByLabel('Show answers').check();
  await until('the numbers that win are framed', () => frame(4, 3));
  await eventually.deepEqual(async () => [await frame(4, 4), await frame(5, 0), await frame(0, 0)], [true, true, false]);
  await page.locator('.grid').focus();
  await page.keyboard.press('v');
  await until('they are framed no more', async () => !(await frame(4, 3)));
  await button(page, 'Hint').click();
  await eventually.match(() => page.locator('.mine-remarks p').textContent(), /^Hint: [a-i]\d\. After this click/);
  await eventually.equal(async () => [await frame(4, 3), await frame(4, 4), await frame(5, 0)].filter(Boolean).length, 1);
}));

test('a link opens the same game, in the other language too', () => withPage({ path: linkTo(SMALL) }, async ({ page, context }) => {
  await settled(page);
  await side(page, 'Xiemao');
  await settled(page);
  await page.getByLabel('Show answers').check();
  await click(page, 0, 0);
  await turned(page, 0);
  const clicks = await cells(page);
  await until('the address holds both clicks', async () => {
    const other = await context.newPage();
    await open(other, new URL(page.url()).hash.replace(/^/, '/'));
    await settled(other);
    const same = JSON.stringify(await cells(other)) === JSON.stringify(clicks);
    if (same) {
      await eventually.equal(() => verdict(other), await verdict(page));
      await eventually.equal(() => other.getByLabel('You play').inputValue(), 'Xiemao');
      await eventually.equal(() => other.getByLabel('Show answers').isChecked(), true);
    }
    await other.close();
    return same;
  });
  await page.getByRole('combobox', { name: 'Language' }).selectOption('zh');
  await until('the page speaks Chinese', async () => /必胜/.test(await verdict(page)));
  await settled(page);
  await eventually.deepEqual(() => cells(page), clicks);
  await assertAccessible(page);
}));

test('an impossible click is reported and marked, and can be undone', () => withPage({
  path: linkTo(['..*', '...', '*..'], { clicks: [[0, 0], [0, 1]] }), expected: ({ text }) => text.includes('422'),
}, async ({ page }) => {
  await page.locator('.mine .problem').waitFor();
  await eventually.match(() => page.locator('.mine .problem').innerText(), /b1: This cell can’t be clicked/);
  await assertAccessible(page);
  await button(page, 'Take it back').click();
  await until('the first click stands', async () => (await listed(page)).length === 1 && await page.locator('.mine .problem:visible').count() === 0);
}));

test('a field that is too hard is reported with the reason, and can be searched further', () => withPage({ path: null }, async ({ page }) => {
  const asked = [];
  // At first the field is too hard, because the page's limit of 20,000 positions is lowered to 1.
  await page.route('**/mine', async (route) => {
    const body = route.request().postDataJSON();
    asked.push(body.states);
    await route.continue({ postData: JSON.stringify({ ...body, states: body.states === 20_000 ? 1 : body.states }) });
  });
  await open(page, linkTo(SEARCHED));
  await settled(page);
  await eventually.equal(() => verdict(page), 'Unknown');
  const told = page.locator('.mine-known').last();
  await eventually.match(() => told.innerText(), /Not solved within 20,000 positions\. .* a1: 4 linked openings/);
  await assertAccessible(page);
  await button(page, 'Try harder: 200,000 positions').click();
  await settled(page);
  await eventually.match(() => verdict(page), /can force a win$/);
  assert.deepEqual(asked, [20_000, 200_000]);
  await eventually.equal(() => told.isVisible(), false);
}));

test('a wait can be cancelled and started again', () => withPage({ path: null }, async ({ page }) => {
  let held = null;
  await page.route('**/mine', (route) => {
    if (held) return route.continue();
    held = route;
  });
  await open(page, linkTo(FIELD));
  await button(page, 'Stop').click();
  await button(page, 'Try again').click();
  await settled(page);
  await eventually.equal(() => verdict(page), 'Player 1 can force a win');
}));

test('a field is saved as a file, and opened from one', () => withPage({ path: linkTo(SMALL) }, async ({ page }) => {
  await settled(page);
  const saved = async (name) => {
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, name).click()]);
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
  };
  await eventually.deepEqual(() => saved('Save game'), { name: 'mine-4x3-2.json', text: '{"rows":3,"cols":4,"mines":[[0,3],[1,0]]}\n' });
  await eventually.deepEqual(() => saved('Save in contest format'), { name: 'mine-4x3-2.txt', text: '1\n3 4 2\n0 3\n1 0\n' });
  await page.locator('input[type=file]').setInputFiles({ name: 'f.json', mimeType: 'application/json', buffer: Buffer.from('{"rows":2,"cols":5,"mines":[[0,0]]}') });
  await until('the file is on the board', async () => await page.locator('.grid').getAttribute('aria-label') === 'Field with 2 rows and 5 columns');
  await page.locator('.note', { hasText: 'Opened f.json: 5 × 2, 1 mine.' }).waitFor();
  const chosen = (name) => page.getByLabel(name).evaluate((select) => select.selectedOptions[0].textContent);
  assert.deepEqual(await Promise.all(['Field size', 'Number of mines'].map(chosen)), ['5 × 2', 'few mines'], 'New offers another like it');
  await page.locator('input[type=file]').setInputFiles({ name: 'f.json', mimeType: 'application/json', buffer: Buffer.from('{"rows":2,"cols":5,"mines":[[0,0],[0,1],[0,2]]}') });
  await eventually.equal(() => chosen('Number of mines'), '3 mines');
  await page.getByLabel('Field size').selectOption({ label: 'Medium, 16 × 16' }); // before the first click, it's for this field
  await eventually.equal(() => chosen('Number of mines'), 'some mines', 'three mines are for the small field');
  await settled(page);
}));

test('everything works by touch on a phone, in Chinese', () => withPage({
  path: '/#mine', viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, locale: 'zh-CN', colorScheme: 'dark',
}, async ({ page, context }) => {
  await settled(page);
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
  await eventually.equal(() => wide(), 360);
  await page.touchscreen.tap(...await placeOf(page, 4, 3));
  await turned(page, 0);
  await assertAccessible(page);
  await shot(page, 'mine-phone');
  await page.getByLabel('雷区大小').selectOption('large');
  await page.getByLabel('雷的数量').selectOption('many');
  await button(page, '新局').tap();
  await settled(page);
  await eventually.equal(() => wide(), 360);
  const side = async () => (await page.locator('.grid').boundingBox()).width / 30;
  await eventually.ok(async () => await side() >= 26);
  const before = await side(), session = await context.newCDPSession(page);
  let box = await page.locator('.mine-box').boundingBox();
  const touch = (type, spread) => session.send('Input.dispatchTouchEvent', {
    type, touchPoints: type === 'touchEnd' ? [] : [-1, 1].map((way, id) => ({ x: box.x + 150 + way * spread, y: box.y + 100, id })),
  });
  await touch('touchStart', 30);
  for (const spread of [40, 50, 60]) await touch('touchMove', spread);
  await touch('touchEnd', 60);
  await until('two fingers make the cells larger', async () => await side() > before * 1.5);
  await eventually.equal(async () => (await listed(page)).length, 0, 'and click nothing');
  await button(page, '适合窗口').tap();
  await until('and all of them are in sight', async () => await side() * 30 <= 360 && await side() > 9);
  await button(page, '编辑').tap();
  await settled(page);
  const mines = () => page.getByRole('spinbutton', { name: '雷数' }).inputValue();
  await page.locator('.mine-box').scrollIntoViewIfNeeded();
  box = await page.locator('.mine-box').boundingBox();
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: box.x + 80, y: box.y + 60, id: 0 }] });
  await until('a finger paints', async () => await mines() !== '101');
  await touch('touchStart', 30);
  await until('two do not', async () => await mines() === '101');
  await touch('touchEnd', 30);
}));

test('in a field with a million cells, only the visible part is drawn', () => withPage({ path: '/#mine' }, async ({ page }) => {
  await settled(page);
  await createField(page, { rows: 1000, cols: 1000, mines: 200_000 });
  await settled(page);
  const { drawn, seen } = await page.evaluate(() => {
    const canvas = document.querySelector('.mine .grid canvas'), box = document.querySelector('.mine-box');
    return { drawn: canvas.width * canvas.height, seen: box.clientWidth * box.clientHeight };
  });
  assert.equal(drawn, seen);
  await eventually.ok(async () => await page.locator('.mine *').count() < 1100);
  await page.locator('.grid').focus();
  await page.keyboard.press('Control+End');
  await eventually.match(() => cursorLabel(page), /^all1000, /);
  await eventually.ok(() => page.locator('.mine-box').evaluate((box) => box.scrollTop > 10_000 && box.scrollLeft > 10_000));
  await button(page, 'Zoom out').click();
  await button(page, 'Edit').click();
  await settled(page);
  const mines = Number(await page.getByRole('spinbutton', { name: 'Mines' }).inputValue());
  await page.locator('.grid').focus();
  await page.keyboard.press('Enter');
  await until('a mine more or less', async () => Math.abs(Number(await page.getByRole('spinbutton', { name: 'Mines' }).inputValue()) - mines) === 1);
  await settled(page);
}));

for (const [rows, cols] of [[300, 300], [1000, 1000]]) {
  test(`Fit fits a field of ${rows} x ${cols} into the window`, () => withPage({ path: '/#mine', viewport: { width: 1280, height: 720 } }, async ({ page }) => {
    await settled(page);
    await createField(page, { rows, cols, mines: rows * cols / 5 });
    await settled(page);
    await button(page, 'Fit').click();
    await eventually.equal(() => button(page, 'Fit').isDisabled(), true);
    const seen = () => page.evaluate(() => {
      const box = document.querySelector('.mine-box'), { width, height } = box.getBoundingClientRect();
      box.scrollBy(1000, 1000);
      return { left: box.scrollLeft, top: box.scrollTop, fits: width <= innerWidth && height <= innerHeight };
    });
    await eventually.deepEqual(seen, { left: 0, top: 0, fits: true });
    const colours = await page.locator('.mine .grid canvas').evaluate((canvas) => {
      const { width, height } = canvas, { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
      return { cells: width * height, colours: new Set(new Uint32Array(data.buffer)).size };
    });
    assert.ok(colours.cells >= rows * cols, 'a pixel for each cell at least');
    assert.ok(colours.colours > 3, 'mines, numbers and openings differ');
    await shot(page, `mine-fit-${rows}`);
    await button(page, 'Zoom in').click();
    await eventually.equal(() => button(page, 'Fit').isDisabled(), false);
    await button(page, 'Fit').click();
    await eventually.equal(() => button(page, 'Fit').isDisabled(), true);
  }));
}

test('a field that is too large for a link is restored after a reload and when going back', () => withPage({ path: '/#mine' }, async ({ page }) => {
  await settled(page);
  await createField(page, { rows: 1000, cols: 1000, mines: 200_000 });
  await settled(page);
  const facts = () => page.locator('.mine-fact b').allTextContents(), before = await facts();
  const kept = () => until('it is saved', () => page.evaluate(() => Number.isInteger(history.state?.kept)));
  await kept();
  await page.reload();
  await eventually.deepEqual(facts, before);
  await kept();
  await page.locator('nav [data-game=go]').click();
  await page.locator('.playground.go').waitFor();
  await travel(page, -1);
  await eventually.deepEqual(facts, before);
  await page.locator('nav [data-game=go]').click();
  await page.locator('.playground.go').waitFor();
  await page.locator('nav [data-game=mine]').click();
  await eventually.deepEqual(facts, before);
  await kept();
  await page.reload();
  await eventually.deepEqual(facts, before);
}));

test('two fields that are too large for a link, and a puzzle after them, can be reached with Back and Forward', () => withPage({ path: '/#mine' }, async ({ page }) => {
  await settled(page);
  const rows = () => page.locator('.grid').getAttribute('aria-rowcount');
  const kept = () => until('it is saved', () => page.evaluate(() => Number.isInteger(history.state?.kept)));
  const random = randomFrom(1);
  const line = (side) => JSON.stringify({ board: mineBoard(random, side, side, 0.2) });
  const lines = [300, 301].map(line).join('\n');
  await page.locator('header input[type=file]').setInputFiles({ name: 'fields.ndjson', mimeType: '', buffer: Buffer.from(lines) });
  for (const [row, side] of [[1, '300'], [2, '301']]) {
    await page.locator(`.answered [role=row][aria-rowindex="${row + 1}"]`).click();
    await button(page, 'Show on the board').click();
    await until(`the field with ${side} rows is there`, async () => await rows() === side);
    await kept();
  }
  await button(page, 'Puzzle').click();
  await page.locator('main').getByText('Puzzle of the day').first().waitFor();
  for (const reload of [false, true]) {
    await until('the address names the puzzle', () => /puzzle-/.test(page.url()));
    if (reload) await page.reload();
    for (const [by, side] of [[-1, '301'], [-1, '300'], [1, '301']]) {
      await travel(page, by);
      await until(`${side} rows after ${by}`, async () => await rows() === side);
    }
    await travel(page, 1);
    await page.locator('main').getByText('Puzzle of the day').first().waitFor();
  }
}));

test('a puzzle counts the tries until it is solved', () => withPage({ path: '/#mine=puzzle-1' }, async ({ page }) => {
  await settled(page);
  await page.locator('main').getByText('only one click wins').first().waitFor();
  const { wins, board } = await ask(page, { ...await question(page), clicks: [] });
  assert.doesNotMatch(await page.locator('.playground').innerText(), /opening wins|Nimber/);
  // Find a number that does not win.
  const row = board.findIndex((line, at) => [...line].some((cell, col) => /\d/.test(cell) && !(at === wins[0][0] && col === wins[0][1])));
  const col = [...board[row]].findIndex((cell, at) => /\d/.test(cell) && !(row === wins[0][0] && at === wins[0][1]));
  await click(page, row, col);
  await eventually.match(() => page.locator('.mine-remarks').textContent(), /doesn’t win\. Try another cell\./);
  await eventually.match(() => page.locator('.puzzle').innerText(), /1 try so far/);
  await assertAccessible(page);
  await button(page, 'Hint').click();
  await click(page, ...wins[0]);
  await eventually.match(() => page.locator('.puzzle').innerText(), /Solved in 2 tries, with hints\./);
  await assertAccessible(page);
  await shot(page, 'mine-puzzle');
}));

test('the page explains why a click wins if the parts of the field prove it', () => withPage({ path: linkTo(['..*..*.']) }, async ({ page }) => {
  await settled(page);
  await click(page, 0, 1);
  await settled(page);
  await eventually.match(() => page.locator('.mine-remarks').innerText(), /^✓ That click keeps the win\. Whoever clicks next loses: what’s left is 2 pairs of numbers or openings, so each click can be answered within its pair\./);
  await shot(page, 'mine-why');
}));

test('a field that is larger than its box can be dragged with the mouse without clicking a cell', () => withPage({ path: '/#mine' }, async ({ page }) => {
  await settled(page);
  await createField(page, { rows: 300, cols: 300, mines: 9000 });
  await settled(page);
  const box = page.locator('.mine-box'), { x, y } = await box.boundingBox();
  const scrolled = () => box.evaluate(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop]);
  const [left, top] = await scrolled();
  await page.mouse.move(x + 200, y + 200);
  await page.mouse.down();
  await page.mouse.move(x + 140, y + 160, { steps: 6 });
  await page.mouse.up();
  await eventually.deepEqual(scrolled, [left + 60, top + 40]);
  assert.deepEqual(await listed(page), []);
}));

test('releasing the button outside the cell cancels the click', () => withPage({ path: linkTo(SMALL) }, async ({ page }) => {
  await settled(page);
  await page.mouse.move(...await placeOf(page, 2, 0));
  await page.mouse.down();
  await page.mouse.move(...await placeOf(page, 0, 1), { steps: 4 });
  await page.mouse.up();
  await click(page, 0, 2);
  await until('one cell is clicked', async () => (await cells(page)).join() === 'c1');
}));

test('over a field that fits into its box, the wheel scrolls the page', () => withPage({ path: '/#mine', viewport: { width: 800, height: 500 } }, async ({ page }) => {
  await settled(page);
  await page.mouse.move(...await placeOf(page, 1, 1));
  const before = await page.evaluate(() => scrollY);
  await page.mouse.wheel(0, 60);
  await until('the page has moved', async () => await page.evaluate(() => scrollY) > before);
}));

/** A field with 60 columns, 40 rows and a single opening, so a click on any blank wins. */
const LARGE = [`*${'.'.repeat(59)}`, ...Array(39).fill('.'.repeat(60))];

test('on a large field, a hint moves the cursor to the suggested cell', () => withPage({ path: link({ question: { board: LARGE } }) }, async ({ page }) => {
  await settled(page);
  await page.locator('.grid').focus();
  await page.keyboard.press('h');
  await until('there is a hint', async () => (await page.locator('.mine-remarks p').innerText()).startsWith('Hint: '));
  const cell = /[a-z]+\d+/.exec(await page.locator('.mine-remarks p').innerText())[0];
  assert.ok((await cursorLabel(page)).startsWith(`${cell},`), `${cell}: ${await cursorLabel(page)}`);
}));

test('the wheel scrolls the page unless the field has the focus', () => withPage({ path: '/#mine', viewport: { width: 800, height: 600 } }, async ({ page }) => {
  await settled(page);
  await page.getByLabel('Field size').selectOption('huge');
  await button(page, 'New').click();
  await settled(page);
  await page.mouse.move(...await placeOf(page, 2, 2));
  const tops = () => page.evaluate(() => [scrollY, document.querySelector('.mine-box').scrollTop]);
  const [, before] = await tops();
  await page.mouse.wheel(0, 50);
  await until('the page has moved', async () => (await tops())[0] > 0);
  await eventually.equal(async () => (await tops())[1], before);
  await page.locator('.grid').focus();
  await page.mouse.wheel(0, 50);
  await until('the field has moved', async () => (await tops())[1] > before);
}));
