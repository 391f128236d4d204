// Small things on the page that people stumbled over, and pictures and prints of the board.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { assertAccessible, createField, cursorLabel, eventually, open, settled, shot, test, travel, until, withPage } from './browser.mjs';

const GAMES = ['pawn', 'go', 'mine'];
const link = (game, state) => `/#${game}=${encodeURIComponent(JSON.stringify(state))}`;
const button = (page, name) => page.getByRole('button', { name, exact: true });
const note = (page, text) => page.locator('.note', { hasText: text }).waitFor();

/** Pastes a text as the user would with Ctrl+V. */
const paste = (page, text) => page.locator('.grid').evaluate((grid, pasted) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', pasted);
  grid.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}, text);

/** Saves a picture of the board, and returns the file. */
async function saved(page, name) {
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, name).click()]);
  return readFile(await download.path());
}

test('a saved picture looks like the screen, and shows values only if the answers are shown', () => withPage({ path: '/#pawn' }, async ({ page, context }) => {
  await settled(page);
  const hidden = String(await saved(page, 'Save SVG'));
  assert.match(hidden, /^<svg /);
  assert.doesNotMatch(hidden, />R 13<|wins/);
  await page.getByLabel('Show answers').check();
  await page.locator('.pawn-value').first().waitFor();
  const svg = String(await saved(page, 'Save SVG'));
  assert.match(svg, />R 13</);
  assert.match(svg, />a<[^]*>1<|>1<[^]*>a</, 'names of columns and rows');
  for (const game of GAMES) {
    await open(page, `/#${game}`);
    await settled(page);
    const png = await saved(page, 'Save PNG');
    assert.equal(png.toString('latin1', 1, 4), 'PNG', game);
    assert.ok(Math.max(png.readUInt32BE(16), png.readUInt32BE(20)) >= 1024);
    // As many colours as on the screen, so the drawing has not lost its styles.
    const colours = await page.evaluate(async (bytes) => {
      const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
      const canvas = new OffscreenCanvas(image.width, image.height), pen = canvas.getContext('2d');
      pen.drawImage(image, 0, 0);
      const counts = new Map();
      for (const pixel of new Uint32Array(pen.getImageData(0, 0, image.width, image.height).data.buffer)) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
      const [most] = [...counts].sort((one, other) => other[1] - one[1]);
      return { count: [...counts.values()].filter((count) => count > 200).length, light: (most[0] & 255) > 128 };
    }, [...png]);
    assert.ok(colours.count >= (game === 'go' ? 3 : 6) && colours.light, `${game}: ${JSON.stringify(colours)}`);
    await shot(page, `details-${game}`);
  }
}));

test('a picture of a field with a million cells can be saved; a picture cannot be opened, and the page says so', () => withPage({ path: '/#mine' }, async ({ page }) => {
  await settled(page);
  await createField(page, { rows: 1000, cols: 1000, mines: 200_000 });
  await settled(page);
  const png = await saved(page, 'Save PNG');
  assert.equal(png.toString('latin1', 1, 4), 'PNG');
  await page.locator('header input[type=file]').setInputFiles({ name: 'board.png', mimeType: 'image/png', buffer: png });
  await note(page, 'board.png is a picture.');
}));

test('a board, a field and a record can be pasted', () => withPage({ path: '/#go' }, async ({ page }) => {
  await settled(page);
  await paste(page, 'o.O\n...\n.X.\n');
  await page.locator('nav [data-game=pawn][aria-current=page]').waitFor();
  await eventually.match(() => page.locator('.share code').innerText(), /\["O\.O","\.\.\.","\.X\."\]/);
  await paste(page, '*..\r\n.2*\r\n...');
  await page.locator('nav [data-game=mine][aria-current=page]').waitFor();
  await eventually.equal(() => page.locator('.grid').getAttribute('aria-label'), 'Field with 3 rows and 3 columns');
  await paste(page, 'hello');
  await note(page, 'There’s no board, field or record in what you pasted.');
  await travel(page, -1);
  await travel(page, -1);
  await page.locator('.playground.go').waitFor();
  await paste(page, '(;SZ[9];B[aa])');
  await eventually.match(() => page.locator('.go-status').innerText(), /1\. Black A9/);
}));

for (const [game, first, text, label] of [
  ['pawn', 'Board with 6 rows and 6 columns', 'o.O\n...\n.X.\n', 'Board with 3 rows and 3 columns'],
  ['mine', 'Field with 6 rows and 6 columns', '*..\n.2*\n...\n', 'Field with 3 rows and 3 columns'],
]) {
  test(`a ${game} board that is pasted over another keeps the focus; Undo and Back return to the other`, () => withPage({ path: `/#${game}` }, async ({ page }) => {
    const shown = () => page.locator('.grid').getAttribute('aria-label');
    await settled(page);
    await page.locator('.grid').focus();
    for (const leave of [() => button(page, 'Undo').click(), () => travel(page, -1)]) {
      const entry = () => page.evaluate(() => history.state?.part), before = await entry();
      await paste(page, text);
      await eventually.equal(shown, label);
      await settled(page);
      await until('the history has an entry for it', async () => await entry() !== before);
      assert.equal(await page.evaluate(() => document.activeElement.className.includes('grid')), true);
      await leave();
      await eventually.equal(shown, first);
      await settled(page);
      await page.locator('.grid').focus();
    }
  }));
}

test('a drawing is called a drawing, and a plain ko is called a ko', () => withPage({}, async ({ page }) => {
  await page.locator('header input[type=file]').setInputFiles([
    { name: 'fields.txt', mimeType: '', buffer: Buffer.from('*...\n....\n\n.*..\n....\n') },
    { name: 'ko.json', mimeType: '', buffer: Buffer.from(JSON.stringify({ cases: [{
      size: 5, setup: ['.BW..', 'B.BW.', '.BW..', '.....', '.....'], moves: [['W', 1, 1], ['B', 1, 2]],
    }] })) },
  ]);
  await page.locator('.answered', { hasText: 'fields.txt' }).getByText('Drawing · ').waitFor();
  await page.locator('.answered', { hasText: 'ko.json' }).getByText('move 2 (ko)').waitFor();
}));

test('in Edit, a finished position is not called playable', () => withPage({ path: link('pawn', { question: { board: ['O#.', '#X#', 'O#.'], turn: 'Red' } }) }, async ({ page }) => {
  await page.locator('.verdict', { hasText: 'Black won: Red can’t move' }).waitFor();
  await button(page, 'Edit').click();
  const editor = page.locator('.pawn-editor');
  await editor.getByText('Restart, go back').waitFor();
  assert.doesNotMatch(await editor.innerText(), /ready to play/);
}));

test('the hint for the last click says why it wins', () => withPage({ path: link('mine', { question: { board: ['...'] } }) }, async ({ page }) => {
  await settled(page);
  await button(page, 'Hint').click();
  await eventually.equal(() => page.locator('.mine-remarks p').innerText(), 'Hint: a1. After this click, nothing is left to click.');
}));

test('a key that can do nothing says so', () => withPage({ path: '/#pawn' }, async ({ page }) => {
  await settled(page);
  await page.locator('.grid').focus();
  await page.keyboard.press('Control+z');
  await note(page, 'There’s nothing to undo');
  await page.keyboard.press('Control+y');
  await note(page, 'There’s nothing to redo');
  await page.keyboard.press('v');
  await page.keyboard.press('h');
  await note(page, 'The answers are shown already.');
  await page.locator('nav [data-game=go]').click();
  await page.locator('.playground.go').waitFor();
  await page.locator('.grid').focus();
  await page.keyboard.press('m');
  await note(page, 'no more illegal moves');
}));

for (const [name, viewport] of [['window', { width: 1280, height: 720 }], ['phone', { width: 390, height: 844 }]]) {
  test(`a message never covers the board: ${name}`, () => withPage({ path: '/#go', viewport }, async ({ page }) => {
    await settled(page);
    for (const down of [0, 400, 10_000]) {
      await page.evaluate((top) => scrollTo(0, top), down);
      await page.keyboard.press('Control+z');
      await note(page, 'There’s nothing to undo');
      await eventually.equal(() => page.evaluate(() => {
        const [one, two] = ['.note', '.go-table'].map((selector) => document.querySelector(selector).getBoundingClientRect());
        return one.right <= two.left || one.left >= two.right || one.bottom <= two.top || one.top >= two.bottom;
      }), true, `scrolled ${down}`);
    }
  }));
}

test('at Fit, all row and column numbers can be read', () => withPage({ path: '/#mine' }, async ({ page }) => {
  await settled(page);
  for (const [name, value] of [['Columns', '1000'], ['Rows', '1000'], ['Mines', '200000']]) await page.getByRole('spinbutton', { name }).fill(value);
  await page.evaluate(() => {
    globalThis.cut = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
      const half = this.measureText(text).width / 2, { width, height } = this.canvas, scale = devicePixelRatio;
      if (this.canvas.closest('.grid') === null && this.canvas.isConnected
        && (x - half < -0.01 || x + half > width / scale + 0.01 || y < 5 || y > height / scale - 5)) globalThis.cut.push([text, x, y]);
      fillText.call(this, text, x, y);
    };
  });
  await button(page, 'Create random').click();
  await until('it is there', async () => await page.locator('.grid').getAttribute('aria-rowcount') === '1000');
  await settled(page);
  await page.evaluate(() => { globalThis.cut = []; });
  await button(page, 'Fit').click();
  await eventually.ok(() => button(page, 'Fit').isDisabled());
  assert.deepEqual(await page.evaluate(() => globalThis.cut), []);
}));

test('forced colours keep the tints of the openings', () => withPage({ path: '/#mine', forcedColors: 'active' }, async ({ page }) => {
  await settled(page);
  const tints = () => page.locator('.mine').evaluate((mine) => {
    const style = getComputedStyle(mine);
    return new Set([1, 2, 3, 4, 5].map((tint) => style.getPropertyValue(`--mine-down-${tint}`))).size;
  });
  assert.equal(await tints(), 5);
  await assertAccessible(page);
  await shot(page, 'details-forced');
}));

for (const [name, viewport] of [['window', { width: 1280, height: 720 }], ['phone', { width: 390, height: 844 }]]) {
  for (const game of GAMES) {
    test(`nothing shifts while a game loads and is played: ${game}, ${name}`, () => withPage({ path: null, viewport, reducedMotion: 'reduce' }, async ({ page, context }) => {
      await context.addInitScript(() => {
        globalThis.shifts = [];
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            globalThis.shifts.push([entry.value, ...entry.sources.map(({ node, previousRect, currentRect }) =>
              `${node?.className ?? node?.nodeName} ${JSON.stringify(previousRect)} ${JSON.stringify(currentRect)}`)]);
          }
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await open(page, `/#${game}`);
      await settled(page);
      const label = { pawn: ['b3:', 'b2:'], go: ['K10,'], mine: ['f4,', 'f4,'] }[game];
      for (const one of label) await page.locator(`.grid [role=gridcell][aria-label^="${one}"]`).evaluateAll(([cell]) => cell?.click());
      await until('something was played', () => page.evaluate(() => document.querySelector('.pawn-track li, .mine-clicks li, .go output:not(:empty)') !== null));
      await settled(page);
      const shifts = await page.evaluate(() => globalThis.shifts.filter(([value]) => value > 0.01));
      assert.deepEqual(shifts, []);
    }));
  }
}

test('texts are typed in a monospaced font, at a size that phones do not zoom into', () => withPage({ path: '/#pawn' }, async ({ page }) => {
  await settled(page);
  await button(page, 'Edit').click();
  const style = await page.getByLabel('Board as text').evaluate((area) => [getComputedStyle(area).fontFamily, parseFloat(getComputedStyle(area).fontSize)]);
  assert.match(style[0], /mono/);
  assert.ok(style[1] >= 16);
}));

test('the best line is drawn as numbered arrows while the answers are shown', () => withPage({ path: '/#pawn', answers: true, reducedMotion: 'reduce' }, async ({ page }) => {
  await settled(page);
  await page.mouse.move(1, 1);
  const numbers = async () => (await page.locator('.pawn-line-number').allTextContents()).flatMap((text) => text.split(' ')).map(Number).sort((a, b) => a - b);
  await eventually.deepEqual(numbers, Array.from({ length: 13 }, (_, at) => at + 1));
  await assertAccessible(page);
  await shot(page, 'details-line');
  await page.locator('.grid [role=gridcell][aria-label^="b3:"]').evaluate((cell) => cell.click());
  await eventually.deepEqual(numbers, [], 'the moves of a selected piece are shown without it');
  await page.keyboard.press('Escape');
  await page.getByLabel('Show answers').uncheck();
  await eventually.deepEqual(numbers, []);
}));

test('a print has the board, the state of play and the question, and no controls', () => withPage({ path: null }, async ({ page }) => {
  for (const [path, question] of [['/#pawn=puzzle-3', /only one move wins/], ['/#go', /Black to play/], ['/#mine', /makes the last reveal wins/]]) {
    await page.emulateMedia({ media: 'screen' });
    await open(page, path);
    await settled(page);
    await page.emulateMedia({ media: 'print' });
    assert.match(await page.locator('body').innerText(), question);
    assert.ok(await page.locator('.grid').isVisible());
    assert.equal(await page.locator('button:visible, select:visible, input:visible, a:visible').count(), 0, path);
    await shot(page, `details-print-${path.slice(2, 4)}`);
  }
}));
