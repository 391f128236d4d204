// The page for the crossing pawn, used with the mouse, the keyboard and touch.

import assert from 'node:assert/strict';

import { assertAccessible, cursorLabel, eventually, open, settled, shot, test, travel, until, withPage } from './browser.mjs';

/** The program replies immediately, without animation. */
const QUIET = { reducedMotion: 'reduce' };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** The first board, after a move that throws away the win. */
const TIE = ['#..O..', '....#.', 'O.#...', '..#...', '#....X', '......'];

/** A link from version 1.0 to the first board, with all values shown. */
const SHOWN = `/#pawn=${encodeURIComponent(JSON.stringify({
  board: ['#..O..', '....#.', '.O#...', '..#...', '#....X', '......'], turn: 'Red', moves: '', at: 0, mode: 'play', plays: 'Red', values: true,
}))}`;

/** A link to a case, as a person would write it. */
const linkTo = (board, turn = 'Red') => `/#pawn=${encodeURIComponent(JSON.stringify({ question: { board, turn }, answers: true }))}`;

/** Accessors for the parts of the page that the tests use. */
function partsOf(page) {
  const text = (selector) => async () => (await page.locator(selector).innerText()).replace(/\s+/g, ' ').trim();
  const name = (key) => page.getByRole('button', { name: key, exact: true });
  return {
    grid: page.locator('.grid'),
    verdict: text('.pawn-status .verdict'),
    turn: text('.pawn-turn'),
    readout: text('.pawn-readout p'),
    rows: () => page.locator('.pawn-moves tbody tr:not([hidden])').allInnerTexts(),
    signs: () => page.locator('.pawn-value').allInnerTexts(),
    played: async () => (await page.locator('.pawn-track li:not(.pawn-further)').allInnerTexts()).join(' '),
    fixed: () => page.locator('.pawn-status[aria-busy=false]').waitFor(),
    name,
  };
}

/** The middle of a square; b3 is in the second column and the third row. */
async function middle(page, cell) {
  const { x, y, width, height } = await page.locator('.grid').boundingBox();
  const [rows, cols] = await page.locator('.grid').evaluate(({ ariaRowCount, ariaColCount }) =>
    [Number(ariaRowCount), Number(ariaColCount)]);
  const col = cell.charCodeAt(0) - 97, row = Number(cell.slice(1)) - 1;
  return [x + ((col + 0.5) * width) / cols, y + ((row + 0.5) * height) / rows];
}

const click = async (page, ...cells) => {
  for (const cell of cells) await page.mouse.click(...await middle(page, cell));
};

/** The squares of the move in the first row of the table. */
async function best(page) {
  const [first] = await partsOf(page).rows();
  return /([a-z]\d+)[–×]([a-z]\d+)/.exec(first).slice(1);
}

/** Moves the board's cursor to a square with the arrow keys. The board must have the focus. */
async function walkTo(page, cell) {
  const at = /^([a-z])(\d+)/.exec(await cursorLabel(page));
  const right = cell.charCodeAt(0) - at[1].charCodeAt(0), down = Number(cell.slice(1)) - Number(at[2]);
  const press = async (key, times) => {
    for (let time = 0; time < times; time += 1) await page.keyboard.press(key);
  };
  await press(right > 0 ? 'ArrowRight' : 'ArrowLeft', Math.abs(right));
  await press(down > 0 ? 'ArrowDown' : 'ArrowUp', Math.abs(down));
  await eventually.match(() => cursorLabel(page), new RegExp(`^${cell}\\b`));
}

test('every move has its value on the board and in the table, and pointing at either marks both', () =>
  withPage({ ...QUIET, path: SHOWN }, async ({ page }) => {
    const { verdict, signs, rows, readout } = partsOf(page);
    await until('it is known', async () => await verdict() === 'Red wins in 13 moves');
    await eventually.deepEqual(() => signs(), ['R 13', 'R 17', '=', '=', 'B 8', 'B 8']);
    await eventually.equal(async () => (await rows()).length, 6);
    await page.mouse.move(...await middle(page, 'd1'));
    await until('the moves of the other piece step back', async () => await page.locator('.pawn-value.pawn-dim').count() === 3);
    await eventually.equal(() => page.locator('.pawn-moves .pawn-highlight').count(), 3);
    await eventually.equal(() => readout(), 'd1–e1 R 17 d1–c1 B 8 d1–d2 B 8');
    await page.mouse.move(...await middle(page, 'e1'));
    await eventually.equal(() => readout(), 'd1–e1 Red wins in 17 moves');
    await page.getByRole('button', { name: 'Play b3–a3: Tie' }).hover();
    await until('all others step back', async () => await page.locator('.pawn-value.pawn-dim').count() === 5);
    await eventually.equal(() => page.locator('.pawn-value:not(.pawn-dim)').innerText(), '=');
    await page.getByRole('button', { name: 'Play b3–b2: Red wins in 13 moves' }).focus();
    await eventually.equal(() => page.locator('.pawn-value:not(.pawn-dim)').innerText(), 'R 13');
    await shot(page, 'pawn-values');
  }));

test('a game is played to its end by clicks, and each position has its exact verdict', () =>
  withPage({ ...QUIET, path: SHOWN }, async ({ page }) => {
    const { verdict, turn, played, fixed, name } = partsOf(page);
    await until('it is known', async () => await verdict() === 'Red wins in 13 moves');
    for (let steps = 13; steps > 1; steps -= 2) {
      await click(page, ...await best(page));
      const next = `Red wins in ${steps - 2} move${steps > 3 ? 's' : ''}`;
      await until('the program has replied', async () => await verdict() === next);
      await fixed();
    }
    await click(page, ...await best(page));
    await until('it is over', async () => await verdict() === 'Red won: the pawn was captured');
    await eventually.equal(() => turn(), 'You won!');
    await eventually.equal(async () => (await played()).split(/ (?=\d)/).length, 13);
    await shot(page, 'pawn-over');
    await assertAccessible(page);
    await name('Restart').click();
    await until('it begins anew', async () => await verdict() === 'Red wins in 13 moves');
    await name('Undo').click();
    await until('that is undone too', async () => await turn() === 'You won!');
  }));

test('a game is played to its end as Black with the keyboard only', () =>
  withPage({ ...QUIET, path: SHOWN }, async ({ page }) => {
  const { verdict, turn, fixed } = partsOf(page);
  const focus = async (role, name) => {
    for (let key = 0; key < 60; key += 1) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(([wanted, label]) => {
        const { role, tagName, ariaLabel, textContent } = document.activeElement;
        return (role ?? tagName.toLowerCase()) === wanted && (ariaLabel ?? textContent).startsWith(label);
      }, [role, name])) return;
    }
    assert.fail(`the ${role} ${name} cannot be reached`);
  };
  await focus('select', '');
  while (await page.evaluate(() => !document.activeElement.closest('label')?.textContent.startsWith('You play'))) await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await until('the program has begun', async () => await verdict() === 'Red wins in 12 moves');
  await eventually.equal(() => turn(), 'Black to move you');
  while (await page.evaluate(() => document.activeElement.role !== 'grid')) await page.keyboard.press('Shift+Tab');
  for (let steps = 12; steps > 0; steps -= 2) {
    const [from, to] = await best(page);
    await walkTo(page, from);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab'); // to the first square that the piece can reach
    await walkTo(page, to);
    assert.match(await cursorLabel(page), new RegExp(`${to}.*Red wins in ${steps} moves`));
    await page.keyboard.press('Enter');
    await until('the program has replied', async () => (steps > 2
      ? await verdict() === `Red wins in ${steps - 2} moves` : await turn() === 'You lost'));
    await fixed();
  }
  await eventually.equal(() => verdict(), 'Red won: the pawn was captured');
  await page.keyboard.press('Control+z');
  await until('the last move is undone with the reply', async () => await verdict() === 'Red wins in 2 moves');
  await page.keyboard.press('Control+Shift+z');
  await until('and done again', async () => await turn() === 'You lost');
}));

test('keys on the board select pieces, show values, and step through the game', () =>
  withPage({ ...QUIET, path: SHOWN }, async ({ page }) => {
  const { grid, signs, verdict, fixed, readout } = partsOf(page);
  await fixed();
  const label = () => cursorLabel(page);
  await grid.focus();
  await page.keyboard.press('Tab');
  await eventually.equal(() => label(), 'd1: red piece. can move');
  await page.keyboard.press('Tab');
  await eventually.equal(() => label(), 'b3: red piece. can move');
  await page.keyboard.press('Enter');
  await eventually.equal(() => label(), 'b3: red piece. selected');
  await page.keyboard.press('Tab');
  await eventually.equal(() => label(), 'b2: empty. b3–b2: Red wins in 13 moves');
  await page.getByLabel('Show answers').uncheck();
  await grid.focus();
  await eventually.equal(() => label(), 'b2: empty. b3–b2');
  await eventually.deepEqual(() => signs(), ['', '', ''], 'where it can go is shown');
  await eventually.equal(() => page.locator('.pawn-moves').isVisible(), false);
  await page.keyboard.press('h');
  await eventually.equal(() => page.locator('.pawn-value.pawn-hint').count(), 1);
  await page.keyboard.press('Escape');
  await eventually.equal(() => readout(), 'b3–b2');
  await page.keyboard.press('v');
  await eventually.equal(() => label(), 'b2: empty. b3–b2: Red wins in 13 moves');
  await page.keyboard.press('.');
  await until('the best move is on the board', async () => await verdict() === 'Red wins in 12 moves');
  await page.keyboard.press(',');
  await until('and is not', async () => await verdict() === 'Red wins in 13 moves');
  await page.keyboard.press('Tab');
  for (let key = 0; key < 4; key += 1) await page.keyboard.press('Tab');
  await eventually.notEqual(() => page.evaluate(() => document.activeElement.role), 'grid', 'the board lets go of the focus');
}));

test('after a reload, Undo takes back the last move of the user, and the reply to it', () => withPage({ path: '/#pawn' }, async ({ page }) => {
  const pieces = () => page.locator('.grid').evaluate((grid) => [...grid.querySelectorAll('[role=gridcell]')].map(({ ariaLabel }) => ariaLabel.slice(0, 8)));
  await settled(page);
  const first = await pieces();
  await page.getByRole('button', { name: 'Hint' }).click();
  for (const name of ['b3', 'b2']) await page.locator(`.grid [role=gridcell][aria-label^="${name}:"]`).evaluate((cell) => cell.click());
  const place = () => page.locator('.controls').innerText();
  await eventually.match(place, /2 \/ 2/);
  await page.reload();
  await eventually.match(place, /2 \/ 2/);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await eventually.deepEqual(pieces, first);
}));

test('the page reports a move that throws away a win', () => withPage({ ...QUIET, path: SHOWN }, async ({ page }) => {
  const { verdict, readout, turn } = partsOf(page);
  await until('it is known', async () => await verdict() === 'Red wins in 13 moves');
  await page.mouse.move(...await middle(page, 'd1'));
  await page.mouse.down();
  await page.mouse.move(...await middle(page, 'c1'), { steps: 4 });
  await page.mouse.up();
  await until('the program has replied', async () => await verdict() === 'Black wins in 6 moves');
  await eventually.equal(() => readout(),
    'd1–c1 threw away the win. Best: b3–b2 (Red wins in 13 moves); this move: Black wins in 8 moves. Both count the move itself.');
  await eventually.match(() => page.locator('.pawn-track .bad').innerText(), /1\. d1–c1\?\?/);
  await assertAccessible(page);
  await shot(page, 'pawn-thrown-away');
  const fixed = () => page.locator('.pawn .grid').evaluate((grid) => grid.getBoundingClientRect().top), place = await fixed();
  await page.getByRole('button', { name: 'Take it back' }).focus();
  await page.keyboard.press('Enter');
  await eventually.equal(() => page.evaluate(() => document.activeElement.className.split(' ')[0]), 'grid');
  assert.equal(await fixed(), place);
  await until('undone', async () => await verdict() === 'Red wins in 13 moves');
  await eventually.equal(() => turn(), 'Red to move you');
  await eventually.equal(() => readout(), 'Select a red piece. The computer replies with the best move.', 'the bad move does not stand out');
}));

test('impossible actions are explained', () => withPage({ ...QUIET, path: SHOWN }, async ({ page }) => {
  const { readout, fixed } = partsOf(page);
  await fixed();
  await click(page, 'f6');
  await eventually.equal(() => readout(), 'There’s nothing to move on f6.');
  await click(page, 'b3', 'f1');
  await eventually.equal(() => readout(), 'The piece on b3 can’t move to f1.');
  await eventually.match(() => page.locator('[role=status]').innerText(), /on b3 can’t move/);
}));

test('the best line can be stepped through with the buttons, the keyboard, the slider and the list', () =>
  withPage({ ...QUIET, path: SHOWN }, async ({ page }) => {
  const { verdict, name, played } = partsOf(page);
  const becomes = (text) => until(text, async () => await verdict() === text);
  await becomes('Red wins in 13 moves');
  await name('Next move').click();
  await becomes('Red wins in 12 moves');
  await page.keyboard.press('ArrowRight');
  await becomes('Red wins in 11 moves');
  await page.keyboard.press('ArrowLeft');
  await becomes('Red wins in 12 moves');
  const slider = page.getByRole('slider');
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await becomes('Red wins in 10 moves');
  await eventually.equal(() => slider.getAttribute('aria-valuetext'), 'Move 3 of 13');
  await page.locator('.pawn-track li').nth(10).locator('button').click();
  await becomes('Red wins in 2 moves');
  await eventually.equal(() => page.locator('[aria-current=step]').innerText(), '11. c2–d2');
  await name('Go to the end').click();
  await becomes('Red won: the pawn was captured');
  await eventually.equal(() => page.locator('.pawn-track .pawn-further').count(), 0);
  await name('Go to the start').click();
  await becomes('Red wins in 13 moves');
  await name('Best line from here').click();
  await eventually.equal(() => played(), '');
  await name('Undo').click();
  await eventually.equal(() => page.locator('.pawn-track .pawn-further').count(), 0, 'what was played is there again');
}));

test('on a phone, the numbers of a line that goes back and forth are on the board, apart from each other and from the values', () =>
  withPage({ ...QUIET, ...PHONE, path: null }, async ({ page }) => {
  for (const board of [['O##.', '#...', 'O.#.', '..X.'], ['##.#O.', '....##', '.##...', '...##.', '.#....', '..X.O.']]) {
    await open(page, linkTo(board));
    await page.locator(`.grid[aria-rowcount="${board.length}"]`).waitFor();
    await until('the line is drawn', async () => await page.locator('.pawn-line-number').count() > 9);
    const [[[, edge]], numbers, values] = await page.evaluate(() => ['.pawn-picture', '.pawn-line-number', '.pawn-value'].map((part) =>
      Array.from(document.querySelectorAll(part), (element) => [element.textContent, element.getBoundingClientRect().toJSON()])));
    assert.equal(numbers.length, await page.locator('.pawn-line').count(), 'every arrow has a number');
    numbers.forEach(([text, box], at) => {
      assert.ok(box.left >= edge.left && box.right <= edge.right && box.top >= edge.top && box.bottom <= edge.bottom, `${text} is on the board`);
      assert.ok(box.width <= edge.width / board[0].length, `${text} is not wider than a square`);
      for (const [other, { left, right, top, bottom }] of [...numbers.slice(at + 1), ...values]) {
        assert.ok(box.left >= right || left >= box.right || box.top >= bottom || top >= box.bottom, `${text} and ${other} are apart`);
      }
    });
    assert.ok(numbers.some(([text]) => text.endsWith('…')), 'a long list is shortened');
  }
}));

test('the program can play, even against itself, and stops when positions repeat', () =>
  withPage({ ...QUIET, path: linkTo(TIE, 'Black') }, async ({ page }) => {
    const { verdict, name, fixed } = partsOf(page);
    await until('a tie', async () => await verdict() === 'Tie');
    await page.getByLabel('You play').selectOption('none');
    await name('Continue').waitFor();
    await eventually.match(() => page.locator('.pawn-status').innerText(), /has occurred before/);
    await name('Undo').click();
    await page.getByLabel('You play').selectOption('Red');
    await fixed();
    await until('the program has moved', async () => await page.locator('.pawn-track li').count() === 1);
  }));

test('a board can be painted: missing pieces are reported until it is complete, then the verdict is shown', () =>
  withPage({ ...QUIET, path: SHOWN }, async ({ page }) => {
  const { verdict, name, fixed } = partsOf(page);
  await fixed();
  await name('Edit').click();
  await eventually.equal(() => name('Undo').isVisible(), true);
  await name('Clear').click();
  await page.locator('.pawn-editor').getByText('Needs two red pieces (now 0).').waitFor();
  await eventually.equal(() => verdict(), 'Not a valid position yet');
  await page.locator('.pawn-status').getByText('Needs one black pawn (now 0).').waitFor();
  await page.locator('.grid').press('e');
  await eventually.equal(() => page.locator('[role=status].unseen').textContent(), 'Not a valid position yet');
  await assertAccessible(page);
  await shot(page, 'pawn-edit');
  for (let press = 0; press < 2; press += 1) await name('Remove a column').click();
  await name('Remove a row').click();
  await page.locator('.grid[aria-rowcount="5"][aria-colcount="4"]').waitFor();
  const stroke = async (from, to) => {
    await page.mouse.move(...await middle(page, from));
    await page.mouse.down();
    await page.mouse.move(...await middle(page, to), { steps: 3 });
    await page.mouse.up();
  };
  await stroke('a3', 'c3');
  await name('Red piece').click();
  await click(page, 'a1', 'd1', 'b1');
  await name('Pawn').click();
  await stroke('a5', 'b1'); // across the pieces, starting on one
  const first = page.locator('.pawn-editor').getByText('b1: The pawn can’t start in the top row.');
  await first.waitFor();
  await page.locator('.pawn-marks .pawn-fault').waitFor({ state: 'attached' });
  await page.locator('.grid').focus();
  await page.keyboard.press('Control+Home');
  await eventually.match(() => cursorLabel(page), /^a1: red piece$/, 'the fault is that of one cell');
  await page.keyboard.press('ArrowRight');
  await eventually.match(() => cursorLabel(page), /The pawn can’t start in the top row/);
  await name('Obstacle').click();
  await stroke('b1', 'b2');
  await first.waitFor({ state: 'detached' });
  await name('Erase').click();
  await stroke('b2', 'a5'); // with any tool, dragging a piece moves it
  await until('it is a position', async () => /^(Red|Black) wins|^Tie/.test(await verdict()));
  await eventually.equal(() => page.getByLabel('Board as text').inputValue(), 'O..O\n....\n###.\n....\nX...');
  await name('Play').click();
  await until('and is played', async () => await page.locator('.pawn-value').count() > 0);
}));

test('a board can be edited with the keyboard only, and as text', () =>
  withPage({ ...QUIET, path: linkTo(['...', '...', '...']) }, async ({ page }) => {
  const { grid, verdict, turn } = partsOf(page);
  await until('it is to be edited', async () => await verdict() === 'Not a valid position yet');
  await grid.focus();
  await page.keyboard.press('Control+Home');
  const keys = ['O', 'ArrowRight', '#', 'ArrowRight', 'o', 'Control+End', 'x', 'ArrowLeft', '#', '.'];
  for (const key of keys) await page.keyboard.press(key);
  await until('it is a position', async () => await verdict() === 'Red wins in 5 moves');
  await eventually.equal(() => cursorLabel(page), 'b3: empty');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await eventually.equal(() => page.getByLabel('Board as text').inputValue(), 'O#O\n...\n..X');
  await page.locator('main').getByText('Board as text').click();
  await page.getByLabel('Board as text').fill('O.O\n...\n.XX');
  await page.locator('.pawn-editor').getByText('Needs one black pawn (now 2).').waitFor();
  await page.getByLabel('Board as text').fill('..\nOO\nXY');
  await page.locator('.pawn-editor').getByText('b3: “Y” isn’t allowed on the board.').waitFor();
  await page.getByLabel('Board as text').fill('..\n.X\nOO');
  await page.getByRole('group', { name: 'Moves first' }).getByRole('button', { name: 'Black' }).click();
  await until('Black wins', async () => await verdict() === 'Black wins in 1 move');
  await eventually.equal(() => turn(), 'Black to move');
}));

test('faults in a board are shown where they occur', () =>
  withPage({ ...QUIET, path: null }, async ({ page }) => {
  for (const [board, text] of [
    [['OX.', '.O.', '...'], 'b1: The pawn can’t start in the top row.'],
    [['OOO', '...', '.X.'], 'Needs two red pieces (now 3).'],
    [['O.O', '..', '.X.'], 'Row 2 isn’t as long as the first one.'],
    [['O.O' + '.'.repeat(126), 'X'.padEnd(129, '.')], 'The board has too few rows or columns, or too many squares.'],
  ]) {
    await page.goto('about:blank');
    await open(page, linkTo(board));
    await page.locator('.problem').getByText(text).waitFor();
    await eventually.equal(() => page.getByRole('button', { name: 'Edit', exact: true }).getAttribute('aria-pressed'), 'true');
  }
}));

test('faults are shown in Chinese, and marked on their squares', () => withPage({ ...QUIET, path: null, locale: 'zh-CN' }, async ({ page }) => {
  const marked = () => page.locator('.pawn-marks .pawn-fault').evaluateAll((all) => all.map((mark) => ['x', 'y', 'width'].map((name) => mark.getAttribute(name)).join()));
  for (const [board, text, marks] of [
    [['O..', '...', '.X.'], '需要两枚红子（现有 1 枚）。', []],
    [['OO.', '...', '...'], '需要一枚黑卒（现有 0 枚）。', []],
    [['O.X', '.O.', '...'], 'c1：卒不能一开始就在最上面一行。', ['203,3,94']],
    [['O.O', '..Z', '.X.'], 'c2：棋盘上不能有“Z”。', ['203,103,94']],
    [['O.O', '..', '.X.'], '第 2 行和第一行不一样长。', ['3,103,294']],
  ]) {
    await page.goto('about:blank');
    await open(page, linkTo(board));
    await page.locator('.problem').getByText(text).waitFor();
    await page.locator('.pawn-status').getByText(text).waitFor();
    await eventually.deepEqual(marked, marks);
    await eventually.doesNotMatch(() => page.locator('main .playground').innerText(), /needed|column \d|[/]board/);
  }
  await assertAccessible(page);
  await shot(page, 'pawn-faults-zh');
}));

test('the address is a link to what the screen shows: the same game, step and side', () =>
  withPage({ ...QUIET, path: SHOWN }, async ({ page, context }) => {
    const { verdict, name, fixed } = partsOf(page);
    await fixed();
    await page.getByLabel('You play').selectOption('Black');
    await until('the program has begun', async () => await verdict() === 'Red wins in 12 moves');
    await click(page, ...await best(page));
    await until('the program has replied', async () => await verdict() === 'Red wins in 10 moves');
    await name('Previous move').click();
    await until('one looks back', async () => await verdict() === 'Red wins in 11 moves');
    await until('the address follows', () => page.evaluate(async () => {
      const { readLink } = await import('/web/page/link.js');
      return (await readLink(location.hash))?.at === 2;
    }));
    const other = await context.newPage();
    await open(other, page.url());
    const parts = partsOf(other);
    await until('it shows the same', async () => await parts.verdict() === 'Red wins in 11 moves');
    await eventually.equal(() => parts.played(), await partsOf(page).played());
    await eventually.equal(() => other.getByLabel('You play').inputValue(), 'Black');
    const current = (shown) => shown.locator('[aria-current=step]').innerText();
    await eventually.equal(() => current(other), await current(page));
    await eventually.match(() => other.locator('.share code').innerText(), /"turn":"Red"/);
  }));

test('a link with an impossible move is reported', () => withPage({ ...QUIET, path: null }, async ({ page }) => {
  const board = ['#..O..', '....#.', '.O#...', '..#...', '#....X', '......'];
  const moves = ['02010101', '04050505', '01010201'].join('');
  const state = { board, turn: 'Red', moves, at: 3, mode: 'play', plays: 'both', values: true };
  await open(page, `/#pawn=${encodeURIComponent(JSON.stringify(state))}`);
  await page.locator('main').getByText('Move 2 in this link is illegal').first().waitFor();
  const { verdict, played } = partsOf(page);
  await until('it is shown up to there', async () => await verdict() === 'Red wins in 12 moves');
  await eventually.equal(() => played(), '1. b3–b2');
}));

test('old values are never shown for a new position', () =>
  withPage({ ...QUIET, path: SHOWN }, async ({ page }) => {
  const { verdict, fixed } = partsOf(page);
  await fixed();
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await page.route('**/pawn', async (route) => {
    await held;
    await route.continue();
  });
  await click(page, ...await best(page));
  await page.locator('.pawn-status[aria-busy=true].pawn-stale').waitFor();
  await eventually.equal(() => page.locator('.pawn-value').count(), 0);
  await eventually.equal(() => page.locator('.pawn-moves.pawn-stale').count(), 1);
  await eventually.equal(() => page.locator('.pawn-pieces .pawn-red').count(), 2, 'the piece has moved at once');
  release();
  await until('the answer has come', async () => await verdict() === 'Red wins in 11 moves');
}));

test('random boards are of the chosen kind, and the search for one can be stopped', () =>
  withPage({ ...QUIET, path: SHOWN }, async ({ page }) => {
  const { verdict, name, turn } = partsOf(page);
  await until('it is known', async () => await verdict() === 'Red wins in 13 moves');
  const kind = page.getByLabel('Kind of board');
  await kind.selectOption('escape');
  await name('New').click();
  await page.locator('main').getByText(/^Chosen from \d+ random boards?\.$/).first().waitFor();
  await until('Black does not lose', async () => /^Black to move/.test(await turn()) && !/^Red/.test(await verdict()));
  await eventually.match(() => page.locator('.pawn-status').innerText(), /1 of \d moves/);
  await kind.selectOption('longest');
  await name('New').click();
  await eventually.match(() => verdict(), /^Red wins in \d+ moves/);
  await page.getByLabel('Board', { exact: true }).selectOption('6');
  await until('the longest', async () => /^Red wins in 1,?\d{3} moves/.test(await verdict()));
  await shot(page, 'pawn-longest');
  await kind.selectOption('late');
  await page.route('**/pawn', () => {}); // requests are never answered
  await name('New').click();
  await page.locator('main').getByText('Searching…').waitFor();
  await name('Stop').click();
  await page.locator('main').getByText('Stopped.').waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await name('New').click();
  await page.locator('main').getByText(/^Chosen from/).first().waitFor();
}));

test('the game can be played by touch on a phone, in Chinese', () =>
  withPage({ ...QUIET, ...PHONE, locale: 'zh-CN', path: SHOWN }, async ({ page }) => {
  const { verdict, turn, readout } = partsOf(page);
  await until('it is known', async () => await verdict() === '红方 13 步胜');
  const tap = async (cell) => page.touchscreen.tap(...await middle(page, cell));
  await tap('b3');
  await until('where it can go is shown', async () => await readout() === 'b3–b2 红 13 b3–a3 和 b3–b4 和');
  await shot(page, 'pawn-phone-chosen');
  await assertAccessible(page);
  await tap('b2');
  await until('the program has replied', async () => await verdict() === '红方 11 步胜');
  await eventually.equal(() => turn(), '轮到红方 你');
  await page.getByRole('button', { name: '编辑' }).tap();
  await page.getByRole('button', { name: '清空' }).tap();
  await until('nothing is on it', async () => await verdict() === '局面还不完整');
  await tap('c3');
  await page.locator('.pawn-ground .pawn-block').waitFor({ state: 'attached' });
  await assertAccessible(page);
  await shot(page, 'pawn-phone-edit', { fullPage: true });
}));

test('axe finds nothing in the dark scheme, with a selected piece', () =>
  withPage({ ...QUIET, colorScheme: 'dark', path: SHOWN }, async ({ page }) => {
  await partsOf(page).fixed();
  await click(page, 'b3');
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Rules' }).click();
  await page.getByRole('dialog').getByText('Red moves one of its two pieces').waitFor();
  await assertAccessible(page);
  await shot(page, 'pawn-dark', { fullPage: true });
  await page.keyboard.press('Escape');
  await eventually.equal(() => page.getByRole('dialog').isVisible(), false);
}));

test('a finished game is shared as the position before its end', () => withPage({ path: SHOWN }, async ({ page }) => {
  await page.locator('main').getByText('Red wins in 13 moves').first().waitFor();
  await page.getByRole('button', { name: 'Go to the end' }).click();
  await page.locator('main').getByText('Red won').first().waitFor();
  const command = async () => /'(\{.*\})'/.exec(await page.locator('.share code').innerText())?.[1] ?? '{}';
  await until('it has a pawn again', async () => JSON.parse(await command()).board?.join('').includes('X'));
}));

test('a visitor sees no answers until they are switched on; the choice is remembered, and a hint shows only the best move', () =>
  withPage({ ...QUIET, path: '/#pawn' }, async ({ page }) => {
    const { verdict, name, signs, fixed, readout } = partsOf(page), text = () => page.locator('.playground').innerText();
    await fixed();
    await eventually.match(text, /Answers are hidden/);
    assert.doesNotMatch(await text(), /wins in|moves win/);
    await eventually.deepEqual(() => signs(), []);
    await eventually.equal(() => page.locator('.pawn-moves').isVisible(), false);
    await eventually.equal(() => page.getByRole('slider').getAttribute('max'), '0', 'the best line is not listed');
    await name('Hint').click();
    await eventually.equal(() => readout(), 'Hint: b3–b2.');
    await eventually.equal(() => page.locator('.pawn-value.pawn-hint').count(), 1);
    assert.doesNotMatch(await text(), /wins in|moves win/);
    await assertAccessible(page);
    await shot(page, 'pawn-hint');
    await click(page, 'b3', 'b4');
    await fixed();
    await eventually.doesNotMatch(text, /threw away|\?/, 'mistakes are not marked');
    await page.getByRole('switch', { name: 'Show answers' }).check();
    await eventually.equal(() => verdict(), 'Tie');
    await eventually.ok(async () => (await signs()).length > 1);
    await eventually.match(text, /b3–b4 threw away the win/);
    await assertAccessible(page);
    const { length } = await signs();
    await open(page, '/');
    await until('the game is shown again', async () => await verdict() === 'Tie');
    await eventually.equal(async () => (await signs()).length, length, 'the switch is remembered');
    await page.getByRole('switch', { name: 'Show answers' }).uncheck();
    await open(page, '/');
    await fixed();
    await eventually.deepEqual(() => signs(), []);
  }));

test('a puzzle counts the tries until it is solved, and the result can be shared', () =>
  withPage({ ...QUIET, path: '/#pawn', permissions: ['clipboard-read', 'clipboard-write'] }, async ({ page, context, url }) => {
    const { name, readout, fixed, played, signs } = partsOf(page);
    await fixed();
    await page.getByLabel('Show answers').check();
    await name('Puzzle').click();
    await page.locator('main').getByText('Puzzle of the day').waitFor();
    await until('the address names it', () => /#pawn=puzzle-\d+$/.test(page.url()));
    const [, number] = /puzzle-(\d+)$/.exec(page.url());
    await fixed();
    await eventually.deepEqual(() => signs(), [], 'analysis does not show its answer');
    await assertAccessible(page);
    await shot(page, 'pawn-puzzle');
    const moves = await page.evaluate(async () => {
      const { board, turn } = JSON.parse(/'(\{.*\})'/.exec(document.querySelector('.share code').textContent)[1]);
      const body = JSON.stringify({ board, turn, include: ['moves'] });
      const { moves: all } = await (await fetch('pawn', { method: 'POST', headers: { 'content-type': 'application/json' }, body })).json();
      const name = ([row, col]) => 'abcdefghij'[col] + (row + 1);
      return all.map(({ from, to }) => [name(from), name(to)]);
    });
    await click(page, ...moves.at(-1));
    await eventually.match(() => readout(), / doesn’t win\. Try another move\.$/);
    await eventually.match(() => page.locator('.puzzle').innerText(), /1 try so far/);
    await eventually.equal(() => played(), '');
    await click(page, ...moves[0]);
    await eventually.match(() => page.locator('.puzzle').innerText(), /Solved in 2 tries!/);
    await eventually.match(() => page.locator('[role=status]').innerText(), /Solved in 2 tries/);
    await assertAccessible(page);
    await shot(page, 'pawn-puzzle-solved');
    await name('Copy result').click();
    await page.locator('.note', { hasText: 'Copied.' }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()),
      `Arbiter · Crossing pawn · puzzle ${number} · Solved in 2 tries! ${url}/#pawn=puzzle-${number}`);
    const other = await context.newPage();
    await open(other, `/#pawn=puzzle-${number}`);
    await other.getByText('only one move wins').first().waitFor();
    await other.close();
    await name('Another puzzle').click();
    await until('it is another', () => /puzzle-\d+$/.test(page.url()) && !page.url().endsWith(`-${number}`));
    await travel(page, -1);
    await until('the one before is there', async () => /Puzzle of the day|Puzzle \d+|hunt it|R 13/.test(await page.locator('.heading').innerText()));
    await open(page, '/#pawn=puzzle-999');
    await page.locator('main').getByText('This link can’t be opened').first().waitFor();
  }));
