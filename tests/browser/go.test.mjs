// The Go page, used as a visitor would use it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';

import { assertAccessible, cursorLabel, eventually, open, shot, test, travel, until, withPage } from './browser.mjs';
import { markTexts, unmarked } from './marks.mjs';

const link = (state) => `/#go=${encodeURIComponent(JSON.stringify(state))}`;

/** The link to the example. */
const EXAMPLE = link({ question: {
  size: 9,
  moves: 'C5 E4 D4 F5 D6 E6 E7 F7 E3 F3 F4 G4 E2 F2 E8 F8 E1 F1 D7 D5 E5 F9 E9 D5'.split(' ').map((name, at) => ['BW'[at % 2], name]),
} });

/** The size of the board, as exposed to screen readers. */
const sizeOf = async (page) => Number(await page.locator('.go .grid').getAttribute('aria-rowcount'));

/** The position in the window of the point with this name. */
async function placeOf(page, name) {
  await page.locator('.go .grid').scrollIntoViewIfNeeded();
  const size = await sizeOf(page), { x, y, width, height } = await page.locator('.go .grid').boundingBox();
  const col = 'ABCDEFGHJKLMNOPQRSTUVWXYZ'.indexOf(name[0]), row = size - Number(name.slice(1));
  return [x + ((col + 0.5) * width) / size, y + ((row + 0.5) * height) / size];
}

const click = async (page, name, options) => page.mouse.click(...await placeOf(page, name), options);
const button = (page, name) => page.getByRole('button', { name, exact: true });
/** The state in the address, as JSON; '' if there is none. */
const linked = (page) => {
  const [, value = ''] = /=(.*)$/.exec(new URL(page.url()).hash) ?? [];
  return value && inflateRawSync(Buffer.from(value, 'base64url')).toString();
};
const word = (page) => page.locator('.go-status').innerText();
const count = (page) => page.locator('.go output').innerText();

/** The prisoners and the score of each colour, from the table. */
const counts = (page) => page.locator('.go .go-count').evaluate((table) => [...table.querySelectorAll('td')].slice(1, 6).map((cell) => cell.textContent));
const result = (page) => page.locator('.go .go-count td').last().innerText();

/** The marks on the board, by kind: the number of points. */
const marks = (page, kind) => page.locator(`.go-marks .go-${kind}`).count();

/** Waits until this text appears below the board. */
const said = (page, text) => until(`the page says ${text}`, async () => (await word(page)).includes(text));

/** Waits for a message. */
const noted = (page, text) => page.locator('.note', { hasText: text }).waitFor();

/** Plays at a point, and waits until the move number is `numberAfter`. */
async function play(page, name, numberAfter) {
  await click(page, name);
  await until(`${name} is move ${numberAfter}`, async () => (await count(page)).startsWith(`${numberAfter} /`));
}

/** The stones on the board, with the names of their points. */
const stones = (page) => page.locator('.go .grid').evaluate((grid) => [...grid.querySelectorAll('.go-stones .go-stone')]
  .filter((stone) => !stone.matches('.go-none, .go-leaving')).map((stone) => {
    const col = Math.floor(stone.getAttribute('cx')), row = Math.floor(stone.getAttribute('cy')), size = Number(grid.getAttribute('aria-rowcount'));
    return `${stone.classList.contains('go-B') ? 'B' : 'W'} ${'ABCDEFGHJKLMNOPQRSTUVWXYZ'[col]}${size - row}`;
  }).sort());

const refused = (trouble) => trouble.kind === 'console' && /status of 422/.test(trouble.text);
const sgf = (name, text) => ({ name, mimeType: '', buffer: Buffer.from(text) });
const openFile = (page, file) => page.locator('.go input[type=file]').setInputFiles(file);

/** A game in which moves 3, 6 and 8 are refused (occupied point, suicide, repetition). */
const RECORD = '(;FF[4]GM[1]SZ[5]RU[Chinese]C[comment]\n;B[ba];W[ca];B[ca];B[ab];W[db];W[aa]\n(;B[bc];W[cc];B[cb];W[bb];B[cb])(;W[ee]))\n';

test('the first view is an empty board; Arbiter is a referee, and there are ways to begin', () => withPage({ path: '/#go' }, async ({ page }) => {
  await page.locator('main').getByText('Arbiter is the referee here, not an opponent').waitFor();
  await said(page, 'Click a point to play there. Black to play.');
  assert.equal(await sizeOf(page), 19);
  assert.deepEqual(await stones(page), []);
  await assertAccessible(page);
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, 'Open a record').click()]);
  await chooser.setFiles(sgf('a.sgf', '(;SZ[9];B[aa])'));
  await said(page, '1. Black A9');
  await button(page, 'Undo').click();
  await button(page, 'Try an example').click();
  await said(page, '24. White D5, captures 1 stone. Black to play.');
  await eventually.match(() => page.locator('[role=status].unseen').textContent(), /^24\. White D5/);
  assert.equal(await page.evaluate(() => document.activeElement?.classList.contains('grid')), true);
  await travel(page, -1);
  await said(page, 'Click a point to play there');
  await play(page, 'Q16', 1);
  await eventually.equal(() => button(page, 'Open a record').count(), 0);
  await page.getByRole('combobox', { name: 'Size' }).selectOption('9');
  await page.locator('.notes').getByText('Press New for a board of this kind.').waitFor();
  assert.equal(await sizeOf(page), 19);
}));

test('a refused ko, shown and undone', () => withPage({ path: EXAMPLE }, async ({ page }) => {
  await said(page, '24. White D5, captures 1 stone. Black to play.');
  await until('the area is known', async () => (await counts(page)).join() === '1,2,41,40,0');
  await button(page, 'Play E5').click();
  await said(page, 'Black can’t play E5: ko. It would bring back the position after move 23.');
  await eventually.equal(() => page.locator('.go .go-why').innerText(), 'ko');
  await eventually.equal(() => count(page), '24 / 24');
  const now = await stones(page);
  await button(page, 'Show that position').click();
  await page.locator('main').getByText('Position after move 23', { exact: true }).waitFor();
  const earlier = await stones(page);
  assert.ok(earlier.includes('B E5') && !earlier.includes('W D5'));
  await eventually.equal(() => page.locator('.go .go-differs').count(), 2);
  await assertAccessible(page);
  await shot(page, 'go-ko');
  await button(page, 'Show that position').click();
  await eventually.deepEqual(() => stones(page), now);
  await button(page, 'Go back to it').click();
  await said(page, '23. Black E9');
  await eventually.deepEqual(() => stones(page), earlier);
  await button(page, 'Go to the end').click();
  await button(page, 'Play F4').click();
  await said(page, 'Black can’t play F4: suicide.');
  await click(page, 'E9');
  await said(page, 'Black can’t play E9: it’s already occupied.');
}));

test('a game is played to its end by clicks', () => withPage({ path: EXAMPLE }, async ({ page }) => {
  const size = page.getByRole('combobox', { name: 'Size' });
  await eventually.equal(() => size.inputValue(), '9', 'the size is that of the board');
  await size.selectOption('5');
  await button(page, 'New').click();
  await said(page, 'Click a point to play there');
  let number = 0;
  for (const name of ['C3', 'C2', 'B2', 'D2', 'D3', 'E3', 'E4', 'B1', 'C1', 'E2', 'A1']) await play(page, name, number += 1);
  await eventually.match(() => word(page), /^11\. Black A1, captures 1 stone\. White to play\.$/);
  await eventually.ok(async () => !(await stones(page)).includes('W B1'));
  await button(page, 'Pass').click();
  await said(page, '12. White passes');
  await button(page, 'Pass').click();
  await said(page, 'Both players passed. Black wins by 15.');
  await eventually.deepEqual(() => counts(page), ['1', '0', '19', '4', '2']);
  await button(page, 'Undo').click();
  await said(page, '12. White passes');
  await button(page, 'Redo').click();
  await said(page, 'Both players passed');
  await openFile(page, sgf('size.sgf', '(;SZ[13];B[aa])'));
  await eventually.equal(() => size.inputValue(), '13');
  await size.selectOption('7');
  await button(page, 'Pass').click();
  await said(page, '2. White passes');
  assert.equal(await size.inputValue(), '7', 'a choice stays until the board has another size');
}));

test('a game is played to its end with the keyboard only', () => withPage({ path: EXAMPLE }, async ({ page }) => {
  const { keyboard } = page;
  await said(page, '24. White D5');
  await page.getByRole('grid').focus();
  const at = () => cursorLabel(page);
  const press = async (...keys) => {
    for (const key of keys) await keyboard.press(key);
  };
  await press('Control+Home', ...Array(4).fill('ArrowDown'), ...Array(4).fill('ArrowRight'));
  await eventually.equal(() => at(), 'E5, empty');
  await press('Enter');
  await said(page, 'Black can’t play E5: ko');
  await eventually.equal(() => at(), 'E5, empty, illegal: ko');
  await press('Shift+Tab', 'Shift+Tab', 'Enter');
  await page.locator('main').getByText('Position after move 23', { exact: true }).waitFor();
  await press('Tab', 'Enter');
  await said(page, '23. Black E9');
  await page.getByRole('grid').focus();
  await press('>', 'Control+End', ' ');
  await said(page, '25. Black J1');
  await eventually.equal(() => at(), 'J1, black stone, last move');
  await press('ArrowUp', 'Shift+Enter');
  await said(page, '26. Black J2');
  await press('p');
  await said(page, '27. White passes');
  await press(',', 'Shift+ArrowLeft');
  await said(page, '25. Black J1');
  await press('<');
  await said(page, 'Before the first move');
  await press('.');
  await said(page, '1. Black C5');
  await press('>', 'p');
  await said(page, 'Both players passed');
  await press('Control+z');
  await said(page, '27. White passes');
  await press('Control+y');
  await said(page, 'Both players passed');
  await press('c');
  await until('the other colour is next', () => button(page, 'White').getAttribute('aria-pressed').then((is) => is === 'false'));
  await press('e', 'Delete', 'Control+Home', 'ArrowDown', 'Enter', 'w', 'Enter', 'b', 'ArrowRight', 'Enter', 'e');
  await until('the stones are set up', async () => (await stones(page)).includes('W A8'));
  await eventually.ok(async () => (await stones(page)).includes('B B8'));
}));

test('a game can be stepped through with the wheel, the slider, the list and the keyboard', () => withPage({ path: EXAMPLE }, async ({ page }) => {
  await said(page, '24. White D5');
  await page.mouse.move(...await placeOf(page, 'C3'));
  await page.setViewportSize({ width: 1000, height: 500 });
  await page.mouse.wheel(0, 100);
  await until('without the focus the page scrolls', async () => await page.evaluate(() => scrollY) > 0);
  await eventually.equal(() => count(page), '24 / 24');
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.evaluate(() => scrollTo(0, 0));
  await page.getByRole('grid').focus();
  await page.mouse.move(...await placeOf(page, 'C3'));
  const wheel = async (delta, step) => {
    await page.mouse.wheel(0, delta);
    await until(`step ${step}`, async () => (await count(page)) === `${step} / 24`);
  };
  await button(page, 'Previous move').click();
  await page.keyboard.press('ArrowLeft');
  await eventually.equal(() => count(page), '22 / 24', 'the arrows step while a button has the focus');
  await page.keyboard.press('End');
  await eventually.equal(() => count(page), '24 / 24');
  await page.getByRole('grid').focus();
  await page.mouse.move(...await placeOf(page, 'C3'));
  await wheel(-100, 23);
  await wheel(-100, 22);
  await wheel(100, 23);
  await eventually.equal(() => page.evaluate(() => scrollY), 0);
  await page.getByRole('slider').focus();
  await page.keyboard.press('Home');
  await said(page, 'Before the first move');
  await until('the area of that board', async () => (await counts(page)).join() === '0,0,0,0,81');
  await page.keyboard.press('ArrowRight');
  await said(page, '1. Black C5');
  const list = page.getByRole('listbox', { name: 'Moves' });
  await list.focus();
  await page.keyboard.press('End');
  await said(page, '24. White D5');
  await page.keyboard.press('ArrowUp');
  await said(page, '23. Black E9');
  await list.getByRole('option', { name: /^21/ }).click();
  await said(page, '21. Black E5, captures 1 stone');
  await page.locator('h1').click();
  await page.keyboard.press('ArrowLeft');
  await said(page, '20. White D5');
}));

test('a position is set up by dragging, and its faults are shown at their points', () => withPage({ path: EXAMPLE, expected: refused }, async ({ page }) => {
  await page.getByRole('combobox', { name: 'Size' }).selectOption('9');
  await button(page, 'New').click();
  await button(page, 'Edit').click();
  const stroke = async (from, to) => {
    await page.mouse.move(...await placeOf(page, from));
    await page.mouse.down();
    await page.mouse.move(...await placeOf(page, to), { steps: 2 });
    await page.mouse.up();
  };
  await stroke('A9', 'A5');
  await eventually.deepEqual(() => stones(page), ['B A5', 'B A6', 'B A7', 'B A8', 'B A9']);
  await button(page, 'White').click();
  await stroke('B9', 'B5');
  await click(page, 'A4');
  await said(page, 'The chain at A9 has no liberties');
  await eventually.equal(() => page.locator('.go .go-fault').count(), 1);
  await assertAccessible(page);
  await shot(page, 'go-liberty');
  await click(page, 'A9', { button: 'right' });
  await said(page, 'Click or drag to set up stones');
  await eventually.ok(async () => !(await stones(page)).includes('B A9'));
  await button(page, 'Undo').click();
  await said(page, 'The chain at A9 has no liberties');
  await button(page, 'Play').click();
  await said(page, 'The chain at A9 has no liberties');
  await button(page, 'Edit').click();
  await button(page, 'Undo').click();
  await said(page, 'Click or drag to set up stones');
  await button(page, 'Clear').click();
  await eventually.deepEqual(() => stones(page), []);
  await button(page, 'Undo').click();
  await button(page, 'Play').click();
  await button(page, 'White').click();
  await play(page, 'A4', 1);
  await said(page, '1. White A4, captures 5 stones. Black to play.');
}));

test('rules can be chosen, and change which moves are refused', () => withPage({ path: EXAMPLE }, async ({ page }) => {
  await page.getByRole('combobox', { name: 'Ko rule' }).selectOption({ label: 'No ko rule' });
  await page.locator('main').getByText('Positions may repeat freely.').waitFor();
  await play(page, 'E5', 25);
  await page.getByRole('combobox', { name: 'Ko rule' }).selectOption({ label: 'Simple ko' });
  await said(page, 'Black can’t play E5: ko. It would bring back the position after move 23.');
  await page.getByRole('heading', { name: '1 illegal move' }).waitFor();
  await page.getByRole('checkbox', { name: 'Allow suicide' }).check();
  await page.locator('main').getByText('A move that leaves its own chain without liberties removes that chain.').waitFor();
  await until('the question follows', async () => (await page.locator('.share code').innerText()).includes('"rules":{"ko":"simple","suicide":true}'));
}));

test('a record: its illegal moves can be reached from the list, it can be continued, and it is saved unchanged', () => withPage({ path: EXAMPLE }, async ({ page }) => {
  const save = async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Save SGF').click()]);
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
  };
  await openFile(page, sgf('mine.sgf', RECORD));
  await page.locator('main').getByText('On the board: mine.sgf').waitFor();
  await page.locator('main').getByText('As named in the record (RU).').waitFor();
  await eventually.equal(() => count(page), '11 / 11');
  await page.getByRole('listbox', { name: 'Illegal moves' }).getByRole('option', { name: /occupied/ }).click();
  await said(page, 'Black can’t play C5: it’s already occupied.');
  await eventually.equal(() => count(page), '3 / 11');
  await assertAccessible(page);
  await shot(page, 'go-record');
  await eventually.deepEqual(() => save(), { name: 'mine.sgf', text: RECORD });
  await button(page, 'Go to the end').click();
  await said(page, ': ko.');
  await page.getByRole('combobox', { name: 'Ko rule' }).selectOption({ label: 'No ko rule' });
  await page.locator('main').getByText('Chosen here instead of the record’s rules.').waitFor();
  await until('it is judged anew', async () => !/: ko/.test(await word(page)));
  await button(page, 'Use the record’s rules').click();
  await said(page, ': ko.');
  await click(page, 'E1');
  await until('it is played', async () => (await count(page)).startsWith('12 / 12'));
  assert.deepEqual(await save(), { name: 'mine.sgf', text: RECORD.replace('B[cb])(', 'B[cb];B[ee])\n(').replace('\n(;B[bc]', '\n\n(;B[bc]') });
  await button(page, 'Undo').click();
  await page.locator('main').getByText('On the board: mine.sgf').waitFor();
  await until('the move is gone', async () => (await count(page)).startsWith('11 / 11'));
  await eventually.deepEqual(() => save(), { name: 'mine.sgf', text: RECORD });
}));

test('a collection shows its games; changing the language keeps the state', () => withPage({ path: EXAMPLE }, async ({ page }) => {
  await openFile(page, sgf('two.sgf', '(;SZ[9]PB[Ada]PW[Bo];B[aa])(;SZ[5]RU[NZ];B[cc];W[])'));
  await said(page, '1. Black A9');
  await noted(page, 'Game 1 of 2');
  await eventually.deepEqual(() => page.getByRole('combobox', { name: 'Game', exact: true }).locator('option').allInnerTexts(), ['1 / 2 Ada – Bo', '2 / 2']);
  await page.getByRole('combobox', { name: 'Game', exact: true }).selectOption('2');
  await said(page, '2. White passes');
  await eventually.equal(() => page.getByRole('combobox', { name: 'Ko rule' }).inputValue(), 'situational');
  await page.getByRole('combobox', { name: 'Language' }).selectOption('zh');
  await page.locator('main').getByText('当前棋谱：two.sgf').waitFor();
  await eventually.equal(() => page.getByRole('combobox', { name: '对局', exact: true }).inputValue(), '2');
  await eventually.equal(() => count(page), '2 / 2');
}));

test('a record can be pasted, and the place of a fault is shown', () => withPage({ path: EXAMPLE, expected: refused }, async ({ page }) => {
  await page.locator('main').getByText('Paste a record').click();
  const area = page.getByRole('textbox', { name: 'Record in SGF' });
  await area.fill('(;SZ[9]\n;B[aa]C[黑];W[zz])');
  await button(page, 'Load').click();
  await page.locator('.go .problem').getByText('Line 2, byte').waitFor();
  await eventually.equal(() => page.locator('.go mark').innerText(), 'z');
  await button(page, 'Show the error').click();
  await eventually.deepEqual(() => area.evaluate(({ selectionStart, value }) => [document.activeElement.localName, value.slice(selectionStart, selectionStart + 2)]),
    ['textarea', 'zz']);
  await assertAccessible(page);
  await area.fill('(;SZ[9];B[aa];W[bb])');
  await button(page, 'Load').click();
  await said(page, '2. White B8');
  await eventually.equal(() => page.locator('.go .problem').count(), 0);
  const paste = (text) => page.evaluate((given) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', given);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
  await paste('no game');
  await noted(page, 'There’s no board, field or record in what you pasted.');
  await paste('Look at this:\n(;SZ[5];B[cc])');
  await said(page, '1. Black C3');
}));

test('a record that sets up stones partway through can be stepped through', () => withPage({ path: EXAMPLE }, async ({ page }) => {
  await openFile(page, sgf('lesson.sgf', '(;SZ[9];B[aa];W[bb]AE[aa]AB[cc][dd];B[ee])'));
  await said(page, '3. Black E5');
  const address = () => page.evaluate(() => location.hash);
  await until('the link holds the record', async () => await address() !== '#go');
  const before = await address();
  await button(page, 'Previous move').click();
  await said(page, '2. White B8, then the record sets up stones');
  await eventually.deepEqual(() => stones(page), ['B C7', 'B D6', 'W B8']);
  await until('the link holds the record at this step', async () => await address() !== before);
  const hash = await address();
  await open(page, '/');
  await open(page, `/${hash}`);
  await said(page, '2. White B8, then the record sets up stones');
}));

test('a file in another character set is sent as bytes', () => withPage({ path: EXAMPLE }, async ({ page }) => {
  const head = Buffer.from('(;SZ[9]CA[GBK]C['), tail = Buffer.from('];B[aa])');
  const body = Buffer.concat([head, Buffer.from([0xd2, 0x5d, 0x81, 0x5c]), tail]); // two-byte characters whose second bytes look like ] and \
  await openFile(page, { name: 'gbk.sgf', mimeType: '', buffer: body });
  await said(page, '1. Black A9');
}));

test('the address is a link to what the screen shows', () => withPage({ path: EXAMPLE, permissions: ['clipboard-read', 'clipboard-write'] }, async ({ page, context }) => {
  await play(page, 'A1', 25);
  await play(page, 'B1', 26);
  await button(page, 'Previous move').click();
  await page.getByRole('checkbox', { name: 'Allow suicide' }).check();
  await said(page, '25. Black A1');
  const seen = async (on) => [await count(on), await word(on), await stones(on), await on.getByRole('checkbox', { name: 'Allow suicide' }).isChecked()];
  await until('the link follows', async () => (await page.locator('.share code').innerText()).includes('"suicide":true'));
  await button(page, 'Copy link').click();
  await noted(page, 'Copied.');
  const url = await page.evaluate(() => navigator.clipboard.readText());
  const other = await context.newPage();
  await open(other, url.slice(url.indexOf('/#')));
  await said(other, '25. Black A1');
  await eventually.deepEqual(() => seen(other), await seen(page));
}));

test('a case in the format of the API is shown; a link that cannot be read is reported', () => withPage({ path: null }, async ({ page }) => {
  await open(page, link({ question: { size: 5, moves: [['B', 'C3'], ['W', 'C3'], ['W', 'pass']], rules: { ko: 'none' }, include: ['score'], id: 7 } }));
  await said(page, '3. White passes');
  await eventually.equal(() => count(page), '3 / 3');
  await open(page, '/');
  await open(page, link({ question: { sgf: '(;SZ[5];B[aa])(;SZ[7];B[gg])', game: 2 } }));
  await said(page, '1. Black G1');
  await page.evaluate((hash) => {
    location.hash = hash;
  }, link({ size: 99, moves: '' }).slice(1));
  await noted(page, 'This link can’t be opened. It may have been cut off.');
  await eventually.match(() => word(page), /1. Black G1/, 'the game on the page stays');
}));

test('for a game with thousands of moves only the end is shown, for one with hundreds every step', () => withPage({ path: EXAMPLE }, async ({ page }) => {
  const long = (moves) => `(;SZ[19]${Array.from({ length: moves }, (_, at) => `;${at % 2 ? 'W' : 'B'}[${String.fromCharCode(97 + at % 19, 97 + Math.floor(at / 19) % 19)}]`).join('')})`;
  await openFile(page, sgf('long.sgf', long(3500)));
  await said(page, '3,500 moves: too many to step through. This is the final position.');
  await openFile(page, sgf('less.sgf', long(600)));
  await until('all steps are there', async () => (await count(page)) === '600 / 600');
  await eventually.ok(async () => await page.locator('.go [role=option]').count() < 60, 'only what is in sight is in the document');
}));

test('the page works on a phone, by touch, in Chinese and in dark mode', () => withPage({
  path: EXAMPLE, viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, locale: 'zh-CN', colorScheme: 'dark',
}, async ({ page }) => {
  await said(page, '第 24 手：白 D5，提 1 子。轮到黑方。');
  const tap = async (name) => page.touchscreen.tap(...await placeOf(page, name));
  await page.getByRole('grid').scrollIntoViewIfNeeded();
  await tap('E5');
  await said(page, '黑不能下 E5：打劫，');
  await button(page, '查看那个局面').tap();
  await page.locator('main').getByText('第 23 手之后的局面', { exact: true }).waitFor();
  await assertAccessible(page);
  await shot(page, 'go-phone');
  await tap('A9');
  await said(page, '第 25 手：黑 A9');
  await button(page, '编辑').tap();
  await button(page, '白子').tap();
  await tap('C9');
  await until('a stone is set up', async () => (await stones(page)).includes('W C9'));
  await eventually.equal(() => page.evaluate(() => document.documentElement.scrollWidth), 360);
}));

test('on a large board, a first tap aims, and a second tap or a button plays', () => withPage({
  path: '/#go', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true,
}, async ({ page }) => {
  await said(page, 'Click a point to play there');
  const tap = async (name) => page.touchscreen.tap(...await placeOf(page, name));
  await tap('Q16');
  await button(page, 'Play Q16').waitFor();
  assert.deepEqual(await stones(page), []);
  await eventually.equal(() => page.locator('.go-aim').count(), 1);
  await eventually.match(() => page.locator('[role=status].unseen').textContent(), /Tap Q16 again/);
  await assertAccessible(page);
  await shot(page, 'go-aim');
  await tap('R16');
  await button(page, 'Play R16').waitFor();
  await tap('R16');
  await said(page, '1. Black R16');
  await eventually.equal(() => page.locator('.go-aim').count(), 0);
  await tap('D4');
  await button(page, 'Play D4').tap();
  await said(page, '2. White D4');
  await button(page, 'Pass').tap();
  await said(page, '3. Black passes');
  for (const left of ['2. White D4', '1. Black R16']) {
    await button(page, 'Undo').tap();
    await said(page, left);
  }
  await button(page, 'Pass').waitFor();
  assert.equal(await page.locator('.go-aim').count(), 0);
}));

test('all text comes from the text tables', () => withPage({ path: null, expected: refused }, async ({ page, context }) => {
  await markTexts(context);
  await open(page, EXAMPLE);
  const check = async () => assert.deepEqual(await unmarked(page, /mine\.sgf|Ctrl|SGF/g), []);
  await said(page, 'D5');
  await button(page, '⟦Play ⟧E5⟦⟧').click();
  await said(page, 'E5');
  await check();
  await openFile(page, sgf('mine.sgf', `${RECORD}${RECORD}`));
  await page.locator('main').getByText('mine.sgf').waitFor();
  await check();
  await openFile(page, sgf('mine.sgf', '(;B[zz])'));
  await page.locator('.go mark').waitFor();
  await check();
}));

test('illegal moves in variations are in the list, and a click shows their line', () => withPage({ path: '/#go' }, async ({ page }) => {
  await openFile(page, sgf('tree.sgf', '(;SZ[5];B[aa](;W[aa];B[bb])\n(;W[bb];B[cc](;W[cc])(;W[dd]B[dd])))'));
  const misses = page.getByRole('listbox', { name: 'Illegal moves' });
  await eventually.deepEqual(() => misses.getByRole('option').allInnerTexts().then((rows) => rows.map((row) => row.replace(/\s+/g, ' ').trim())),
    ['2 White A5 ✕ occupied', '4 White C3 ✕ occupied (variation, line 2)', '5 Black D2 ✕ occupied (variation, line 2)']);
  await page.getByRole('heading', { name: '3 illegal moves' }).waitFor();
  await misses.getByRole('option').nth(2).click();
  await until('the fifth move of the line is shown', async () => (await count(page)).startsWith('5 / 5'));
  await said(page, 'D2');
  await eventually.equal(() => misses.getByRole('option').count(), 3); // that of this line, and both of the record's variations
  await assertAccessible(page);
  await button(page, 'Previous move').click();
  await said(page, '4. White D2');
  await button(page, 'Previous move').click();
  const choices = page.getByRole('region', { name: 'Comment and variations' }).getByRole('button');
  await choices.first().click();
  await said(page, 'White can’t play C3');
}));

test('starting a new game after a record clears the list of illegal moves', () => withPage({ path: EXAMPLE }, async ({ page }) => {
  await openFile(page, sgf('game.sgf', RECORD));
  const misses = page.getByRole('listbox', { name: 'Illegal moves' });
  await eventually.equal(() => misses.getByRole('option').count(), 3);
  await page.getByRole('combobox', { name: 'Size' }).selectOption('9');
  await button(page, 'New').click();
  await play(page, 'C3', 1);
  await eventually.equal(() => misses.isVisible(), false);
}));

test('before the first move of a record, its colour is to play', () => withPage({ path: EXAMPLE }, async ({ page }) => {
  await openFile(page, sgf('white.sgf', '(;SZ[9];W[cc]AE[cc]AB[dd][gg];W[ee];B[cc])'));
  await said(page, '3. Black C7');
  await button(page, 'Go to the start').click();
  await said(page, 'White to play');
}));

test('a repetition that does not undo the previous move is called superko', () => withPage({ path: null }, async ({ page }) => {
  const moves = [['B', 1, 2], ['B', 2, 2], ['W', 1, 0], ['B', 2, 0], ['W', 1, 1], ['W', 0, 2], ['B', 0, 0], ['B', 0, 1]];
  await open(page, link({ question: { size: 3, moves } }));
  await said(page, '8. Black B3');
  await click(page, 'C3');
  await said(page, 'White can’t play C3: superko. It would repeat the position after move 6.');
}));

test('when the rules change, the refused move is checked again, and offered if it is legal now', () => withPage({ path: EXAMPLE }, async ({ page }) => {
  await said(page, '24. White D5');
  await button(page, 'Play E5').click();
  await said(page, 'Black can’t play E5: ko.');
  const ko = page.getByRole('combobox', { name: 'Ko rule' });
  await ko.selectOption({ label: 'Simple ko' });
  await noted(page, 'The move is illegal under these rules too. Black can’t play E5: ko.');
  await button(page, 'Show that position').waitFor();
  await said(page, 'Black can’t play E5: ko. It would bring back the position after move 23.');
  await ko.selectOption({ label: 'No ko rule' });
  await said(page, 'Black may play E5 under these rules.');
  await eventually.equal(() => count(page), '24 / 24');
  await assertAccessible(page);
  await page.locator('.go-status').getByRole('button', { name: 'Play E5' }).click();
  await said(page, '25. Black E5, captures 1 stone.');
  await ko.selectOption({ label: 'Positional superko' });
  await said(page, 'Black can’t play E5: ko.');
  await eventually.equal(() => page.locator('.note').count(), 0, 'no message is about the rules before');
  await ko.selectOption({ label: 'No ko rule' });
  await said(page, '25. Black E5, captures 1 stone.');
  await button(page, 'Restart').click();
  await said(page, 'Click a point to play there. Black to play.'.slice(0, 29));
  await eventually.deepEqual(() => stones(page), []);
  await button(page, 'Undo').click();
  await said(page, '25. Black E5');
}));

/** A record with names, comments and variations. */
const COMMENTED = '(;SZ[9]KM[6.5]PB[Ada]BR[3d]PW[Bo]RE[W+2.5]C[Welcome];B[cc]C[A <b>corner</b>\\]]\n(;W[gg]C[main];B[gc])\n(;W[dd]N[close];B[dc]))\n';

test('a record shows its names and comments, its variations can be walked, and new moves are saved in it', () => withPage({ path: '/#go' }, async ({ page }) => {
  await openFile(page, sgf('club.sgf', COMMENTED));
  await said(page, '3. Black G7');
  const facts = page.locator('.go-facts');
  await eventually.equal(async () => (await facts.innerText()).replace(/\s+/g, ' '), 'Black Ada 3d White Bo Result W+2.5 Komi 6.5');
  const comment = page.locator('.go-comment');
  await button(page, 'Go to the start').click();
  await eventually.equal(() => comment.innerText(), 'Welcome');
  await button(page, 'Next move').click();
  await eventually.equal(() => comment.innerText(), 'A <b>corner</b>]');
  const choices = page.getByRole('region', { name: 'Comment and variations' }).getByRole('button');
  await eventually.deepEqual(() => choices.allInnerTexts().then((all) => all.map((text) => text.trim())), ['G3', 'D6']);
  await assertAccessible(page);
  await shot(page, 'go-comment');
  await choices.nth(1).click();
  await said(page, '2. White D6');
  await eventually.equal(() => comment.innerText(), 'close');
  await play(page, 'E5', 3);
  await noted(page, 'Added to the record as a variation. Its other moves stay.');
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Save SGF').click()]);
  const saved = await readFile(await download.path(), 'utf8');
  assert.equal(saved.replace(/\n/g, ''), COMMENTED.replace(';B[dc]', '(;B[dc])(;B[ee])').replace(/\n/g, ''));
  await button(page, 'Undo').click();
  await said(page, '2. White D6');
  await eventually.equal(() => facts.isVisible(), true, 'undo takes back the move, not the record');
  await button(page, 'Edit').click();
  await click(page, 'A1');
  await noted(page, 'Undo brings the record back.');
  await button(page, 'Undo').click();
  await facts.waitFor();
  await button(page, 'Undo').click();
  await noted(page, 'Redo brings the record back.');
  await button(page, 'Redo').click();
  await facts.waitFor();
}));

test('legal points, territory and sure life are shown on demand', () => withPage({ path: EXAMPLE }, async ({ page }) => {
  await said(page, '24. White D5');
  const toggle = (name) => button(page, name).click();
  await toggle('Legal points');
  await page.locator('main').getByText('Black may play at').waitFor();
  await eventually.equal(() => marks(page, 'repeats'), 1);
  await eventually.ok(async () => await marks(page, 'legal') > 10 && await marks(page, 'cross') > 0);
  await page.getByRole('grid').focus();
  for (const key of ['Control+Home', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  await eventually.equal(() => cursorLabel(page), 'E5, empty, would repeat a position');
  await assertAccessible(page);
  await shot(page, 'go-legal');
  await toggle('Territory');
  await eventually.ok(async () => await marks(page, 'point-B') > 0 && await marks(page, 'legal') === 0);
  await toggle('Sure life');
  await page.locator('main').getByText('unconditionally alive').waitFor();
  await toggle('Sure life');
  await eventually.equal(() => marks(page, 'mark'), 0);
}));

test('after two passes, dead stones are marked by clicks, and the result follows the rules and the komi', () => withPage({ path: '/#go' }, async ({ page }) => {
  await page.getByRole('combobox', { name: 'Rule set' }).selectOption({ label: 'Japanese, Korean' });
  await eventually.equal(() => page.getByRole('combobox', { name: 'Ko rule' }).inputValue(), 'simple');
  await page.getByRole('spinbutton', { name: 'Komi' }).fill('6.5');
  await page.getByRole('spinbutton', { name: 'Komi' }).press('Enter');
  await page.getByRole('combobox', { name: 'Size' }).selectOption('5');
  await button(page, 'New').click();
  let number = 0;
  for (const name of ['C5', 'A1', 'C4', 'D4', 'C3', 'D3', 'C2', 'D2', 'C1', 'D1', 'A5', 'D5']) await play(page, name, number += 1);
  for (const said of ['13. Black passes', 'Both players passed']) {
    await button(page, 'Pass').click();
    await until(said, async () => (await word(page)).includes(said));
  }
  await eventually.equal(() => result(page), 'White wins by 11.5');
  await click(page, 'A1');
  await page.locator('main').getByText('1 dead stone removed').waitFor();
  await eventually.equal(() => result(page), 'White wins by 1.5');
  await click(page, 'A1');
  await click(page, 'C5'); // Black's wall: the region is nobody's
  await eventually.ok(() => page.locator('.go .grid [role=gridcell][aria-label="C5, black stone, dead"]').count());
  await click(page, 'C5');
  await click(page, 'A1');
  await eventually.equal(() => result(page), 'White wins by 1.5');
  const [saved] = await Promise.all([page.waitForEvent('download'), button(page, 'Save SGF').click()]);
  assert.match(await readFile(await saved.path(), 'utf8'), /KM\[6\.5\]RE\[W\+1\.5\][^]*\nTB(\[\w\w\]){9}\nTW(\[\w\w\]){5}\)/);
  const again = await page.context().newPage();
  await open(again, '/#go');
  await openFile(again, sgf('counted.sgf', await readFile(await saved.path(), 'utf8')));
  await eventually.equal(() => result(again), 'White wins by 1.5', 'the territory of the record marks the dead stones');
  await again.close();
  await eventually.equal(() => marks(page, 'point-B'), 8);
  await eventually.equal(() => marks(page, 'dead-B'), 1);
  await assertAccessible(page);
  await shot(page, 'go-dead');
  const seen = await word(page);
  await until('the address has the dead stone', () => linked(page).includes('"dead"'));
  await page.reload();
  await eventually.equal(() => word(page), seen);
  await click(page, 'A1');
  await eventually.equal(() => result(page), 'White wins by 11.5');
  await button(page, 'Undo').click();
  await eventually.equal(() => result(page), 'White wins by 1.5');
}));

test('labels and figures of a record are drawn at their step, and described', () => withPage({
  path: '/#go', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true,
}, async ({ page }) => {
  await openFile(page, sgf('lesson.sgf', '(;SZ[9]LB[aa:start];B[ee];W[ce]C[Look.]LB[cd:A][ce:1\\]]TR[ee]SQ[gc:hd];B[cd])'));
  await said(page, '3. Black C6');
  const described = (name) => page.locator('.go .grid').evaluate((grid, at) => [...grid.querySelectorAll('[role=gridcell]')]
    .map((cell) => cell.ariaLabel).find((label) => label?.startsWith(`${at},`)), name);
  assert.equal(await page.locator('.go-figure').count(), 0);
  await button(page, 'Previous move').tap();
  await eventually.deepEqual(() => page.locator('.go-figure text').allTextContents(), ['A', '1]']);
  assert.equal(await page.locator('.go-figure path').count(), 1 + 4);
  for (const [name, text] of [['E5', 'black stone, triangle'], ['C6', 'empty, label A'], ['H6', 'empty, square'], ['G7', 'empty, square']]) {
    await eventually.equal(() => described(name), `${name}, ${text}`);
  }
  const place = async (locator) => (await locator.boundingBox()).y;
  const comment = await place(page.locator('.go-comment'));
  assert.ok(comment > await place(page.locator('.go .steps')) && comment < await place(button(page, 'Pass')), 'the comment is below the steps');
  await assertAccessible(page);
  await shot(page, 'go-figures');
  await button(page, 'Go to the start').tap();
  await eventually.deepEqual(() => page.locator('.go-figure text').allTextContents(), ['start']);
}));

test('Undo takes back the last move after a reload, too', () => withPage({ path: EXAMPLE }, async ({ page }) => {
  await play(page, 'A1', 25);
  await page.reload();
  await eventually.equal(() => count(page), '25 / 25');
  for (const left of ['24 / 24', '23 / 23']) {
    await button(page, 'Undo').click();
    await eventually.equal(() => count(page), left);
  }
  await button(page, 'Redo').click();
  await eventually.equal(() => count(page), '24 / 24');
}));

test('before the first move, another size is chosen for this board', () => withPage({ path: '/#go' }, async ({ page }) => {
  await page.getByLabel('Size', { exact: true }).selectOption('9');
  await eventually.equal(() => page.locator('.grid').getAttribute('aria-rowcount'), '9');
  await play(page, 'A1', 1);
  await page.getByLabel('Size', { exact: true }).selectOption('13');
  await said(page, '1. Black A1');
  assert.equal(await page.locator('.grid').getAttribute('aria-rowcount'), '9');
}));

test('a record whose rules are named Japanese is scored by territory, with its komi, and the choice of area is kept', () => withPage({ path: '/#go' }, async ({ page }) => {
  await openFile(page, sgf('club.sgf', '(;SZ[9]KM[6.5]RU[Japanese];B[ee];W[cc];B[];W[])'));
  await page.locator('main').getByText('by territory:').waitFor();
  await eventually.equal(() => page.getByLabel('Rule set').inputValue(), 'Japanese');
  await page.locator('main').getByText('As named in the record (RU).').waitFor();
  await page.getByLabel('Score by').selectOption('area');
  await page.locator('main').getByText('by area:').waitFor();
  await page.reload();
  await page.locator('main').getByText('by area:').waitFor();
}));

test('Shift and the arrows go between the variations of a move, and a chosen variation keeps the focus', () => withPage({ path: '/#go' }, async ({ page }) => {
  await openFile(page, sgf('club.sgf', COMMENTED));
  await said(page, '3. Black G7');
  await page.locator('.grid').focus();
  await page.keyboard.press(',');
  await said(page, '2. White G3');
  await page.keyboard.press('Shift+ArrowDown');
  await said(page, '2. White D6');
  await page.keyboard.press('Shift+ArrowUp');
  await said(page, '2. White G3');
  await page.keyboard.press(',');
  await page.keyboard.press('Shift+ArrowDown');
  await eventually.match(() => page.locator('.notes').innerText(), /There’s no other variation of this move\./);
  await button(page, 'D6').focus();
  await page.keyboard.press('Enter');
  await said(page, '2. White D6');
  assert.notEqual(await page.evaluate(() => document.activeElement.localName), 'body');
}));

test('games survive a reload and a closed tab; Back and Forward go between them', () => withPage({ path: EXAMPLE }, async ({ page, context }) => {
  await play(page, 'A1', 25);
  await page.reload(); // at once
  await eventually.equal(() => count(page), '25 / 25');
  await button(page, 'New').click();
  await said(page, 'Click a point to play there');
  await openFile(page, sgf('club.sgf', COMMENTED));
  await said(page, '3. Black G7');
  await play(page, 'A9', 4);
  await travel(page, -1);
  await said(page, 'Click a point to play there');
  await travel(page, -1);
  await eventually.equal(() => count(page), '25 / 25');
  await travel(page, 1);
  await travel(page, 1);
  await said(page, '4. White A9');
  await until('the address has the move', async () => page.url().length > 100);
  await page.reload();
  await said(page, '4. White A9');
  await travel(page, -1);
  await said(page, 'Click a point to play there');
  await travel(page, 1);
  await said(page, '4. White A9');
  await page.locator('.go-facts').getByText('Ada').waitFor();
  const other = await context.newPage();
  await page.goto('about:blank');
  await open(other, '/');
  await said(other, '4. White A9');
  await other.locator('.go-facts').getByText('Ada').waitFor();
}));
