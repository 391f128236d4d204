// Files dropped on the page or opened with the button: solving, browsing, stopping, retrying and saving.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { run, start } from '../server/arbiter.mjs';
import { ENDLESS_OPTIONS, hardBoard, randomFrom } from '../server/bodies.mjs';
import { assertAccessible, eventually, settled, shot, test, travel, until, withPage } from './browser.mjs';
import { markTexts, unmarked } from './marks.mjs';

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));
const example = (name) => ({ name, buffer: readFileSync(join(EXAMPLES, name)) });
const textFile = (name, text) => ({ name, buffer: Buffer.from(text) });

/** A file of small fields, one case per line; the cases with the numbers in `wrong` are invalid. */
function fields(count, wrong = []) {
  const board = (k) => [['...', '...'], ['.*.', '...'], ['*..', '..*']][k % 3];
  const lines = Array.from({ length: count }, (_, k) => JSON.stringify({ id: `f${k}`, board: wrong.includes(k) ? ['..', '.'] : board(k) }));
  return textFile('fields.ndjson', `${lines.join('\n')}\n`);
}

/** Three cases that are solved immediately, one that never ends with ENDLESS_OPTIONS, and one more. */
const HARD = textFile('hard.ndjson', [['.'], ['*'], ['..'], hardBoard(randomFrom(1)), ['.']].map((board, id) =>
  `${JSON.stringify({ id, board })}\n`).join(''));

/** Opens files with the button. */
async function choose(page, files, name = /Open file|打开文件/) {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name }).click()]);
  await chooser.setFiles(typeof files === 'string' ? files : [files].flat().map((file) => ({ mimeType: '', ...file })));
}

/** Drops files onto the page. */
async function drop(page, files) {
  const transfer = await page.evaluateHandle((given) => {
    const made = new DataTransfer();
    for (const { name, bytes } of given) made.items.add(new File([new Uint8Array(bytes)], name));
    return made;
  }, files.map(({ name, buffer }) => ({ name, bytes: [...buffer] })));
  for (const event of ['dragover', 'drop']) await page.dispatchEvent('main', event, { dataTransfer: transfer });
}

const partOf = (page, name) => page.getByRole('article', { name });
const rowsOf = (part) => part.locator('.rows-body [role=row]');

/** Waits until all cases have been answered. */
const done = (part) => part.getByText(/ in [\d.]+ (ms|sec)$/).waitFor();

/** The bytes that a button saves. */
async function saved(page, part, button) {
  const [download] = await Promise.all([page.waitForEvent('download'), part.getByRole('button', { name: button, exact: true }).click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

/** The output of `arbiter solve` for the same file. */
async function solved(game, { name, buffer }, to, ...more) {
  const folder = mkdtempSync(join(tmpdir(), 'arbiter-'));
  try {
    writeFileSync(join(folder, name), buffer);
    return Buffer.from((await run(['solve', game, '--to', to, ...more, join(folder, name)])).stdout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('files of each kind are answered one after another, and saved exactly as arbiter solve prints them', () => withPage({}, async ({ page }) => {
  const files = [
    ['mine', example('fields.ndjson'), 'JSON Lines', ['Player 2 wins · nimber 0', 'Too short or too long.', 'Player 2 wins · nimber 0']],
    ['pawn', example('boards.txt'), 'Contest format', ['Red wins in 7 moves', 'Red wins in 5 moves']],
    ['go', example('game.txt'), 'Contest format', ['4 illegal moves: move 3 (suicide), move 4 (suicide), move 7 (occupied), move 9 (repetition)']],
    ['mine', example('fields.txt'), 'Contest format', ['Player 1 wins · nimber 1', 'Player 2 wins · nimber 0']],
    ['go', example('collection.sgf'), 'SGF', ['All moves are legal', 'All moves are legal']],
    ['pawn', textFile('batch.json', '{"cases":[{"id":7,"board":["O.O","...",".X."]},{"board":["O"]}]}'), 'JSON',
      ['Red wins in 5 moves', 'Too short or too long.']],
  ];
  await drop(page, files.map(([, file]) => file));
  for (const [game, file, kind, answers] of files) {
    const part = partOf(page, file.name);
    await done(part);
    await part.getByText(`${kind} · `).waitFor();
    const words = await rowsOf(part).locator('[role=gridcell]:last-child').allInnerTexts();
    assert.deepEqual(words, answers, file.name);
    const { name, bytes } = await saved(page, part, 'Save results');
    assert.match(name, /^\w+\.answers\.ndjson$/);
    const all = kind === 'SGF' ? ['--game', 'all'] : [];
    assert.equal(String(bytes), String(await solved(game, file, 'ndjson', ...all)), file.name);
    if (kind !== 'Contest format') continue;
    const text = await saved(page, part, 'Save in contest format');
    assert.match(text.name, /^\w+\.answers\.txt$/);
    assert.equal(String(text.bytes), String(await solved(game, file, 'text')), file.name);
  }
  await shot(page, 'files', { fullPage: true });
}));

test('of many answers, only the visible ones are in the document, and all can be reached with the keyboard', () => withPage({}, async ({ page }) => {
  const wrong = Array.from({ length: 40 }, (_, k) => 100 * k + 7);
  await choose(page, fields(20_000, wrong));
  const part = partOf(page, 'fields.ndjson');
  await done(part);
  await part.getByText('20,000 results').waitFor();
  const table = part.getByRole('grid', { name: 'Results for fields.ndjson' });
  await eventually.equal(() => table.getAttribute('aria-rowcount'), '20001');
  await eventually.ok(async () => await rowsOf(part).count() < 60);

  await table.focus();
  const current = () => table.locator('[aria-selected=true]');
  for (const [key, number] of [['ArrowDown', '1'], ['ArrowDown', '2'], ['End', '20000'], ['ArrowUp', '19999'], ['Home', '1']]) {
    await page.keyboard.press(key);
    await current().filter({ hasText: new RegExp(`^${number}f${number - 1}`) }).waitFor();
    const id = await table.getAttribute('aria-activedescendant');
    await eventually.equal(() => current().getAttribute('id'), id, key);
    await eventually.equal(() => current().getAttribute('aria-rowindex'), String(Number(number) + 1));
    await until('it is in sight', () => current().evaluate((row) => {
      const { top, bottom } = row.getBoundingClientRect(), around = row.closest('.rows').getBoundingClientRect();
      return top >= around.top && bottom <= around.bottom + 1;
    }));
    await part.locator('.answered-detail').getByText(`"id":"f${number - 1}"`).waitFor();
  }
  await page.keyboard.press('PageDown');
  await eventually.ok(async () => Number((await current().innerText()).split('\n')[0]) > 5);

  await part.getByLabel('Show only 40 errors').check();
  await until('only problems are shown', async () => await table.getAttribute('aria-rowcount') === '41');
  const ids = await rowsOf(part).locator('[role=gridcell]:nth-child(2)').allInnerTexts();
  assert.deepEqual(ids, wrong.slice(0, ids.length).map((k) => `f${k}`));
  await rowsOf(part).nth(2).click();
  await part.locator('.answered-detail .problem').getByText('/board/1').first().waitFor();
  await settled(page);
  await assertAccessible(page);
  await shot(page, 'files-problems');
  await part.getByLabel('Show only 40 errors').uncheck();
  await until('all are shown', async () => await table.getAttribute('aria-rowcount') === '20001');
}));

test('the case in a row can be shown on the board of its game, and Back returns to the list', () => withPage({ path: '/#go' }, async ({ page }) => {
  await choose(page, fields(3));
  const part = partOf(page, 'fields.ndjson');
  await done(part);
  await rowsOf(part).nth(1).click();
  await part.getByRole('button', { name: 'Show on the board' }).click();
  await page.locator('nav [data-game=mine][aria-current=page]').waitFor();
  await until('the question is that of the row', async () => /\[".\*.","..."\]|"mines":\[\[0,1\]\]/.test(
    await page.locator('.share code').innerText()));
  await eventually.equal(() => page.evaluate(() => document.activeElement.id), 'main');
  await travel(page, -1);
  await page.locator('nav [data-game=go][aria-current=page]').waitFor();
  await part.waitFor(); // the answers are still on the page
}));

/** The question that is shown, from the code that sends it. */
const questionShown = async (page) => JSON.parse(/--json '(.*)' /s.exec(await page.locator('.share code').textContent())?.[1] ?? 'null');

/** Text files: the game, the name, the text, and what is to be in the question that each row shows. */
const TEXTS = [
  ['pawn', 'contest.txt', '7 2\n3 3\nO.O\n#..\n.X.\n2 4\n.OO.\n...x\n', [
    { board: ['O.O', '#..', '.X.'], turn: 'Red' },
    { board: ['.OO.', '...X'], turn: 'Red' },
  ]],
  ['pawn', 'drawings.txt', 'O.O\n#..\n.X.\n\n\n.oO.\r\n...x\r\n', [
    { board: ['O.O', '#..', '.X.'], turn: 'Red' },
    { board: ['.OO.', '...X'], turn: 'Red' },
  ]],
  ['go', 'contest.txt', '3\n2\nB 1 19\nW 3 4\n0\n3\nB 2 1 W 2 1 B 1 1\n', [
    { size: 19, moves: [['B', 0, 18], ['W', 2, 3]] },
    { size: 19, moves: [] },
    { size: 19, moves: [['B', 1, 0], ['W', 1, 0], ['B', 0, 0]] },
  ]],
  ['mine', 'contest.txt', '3\n2 3 2\n0 2\n1 0\n1 1 0\n1 2 1 0 1', [{ board: ['..*', '*..'] }, { board: ['.'] }, { board: ['.*'] }]],
  ['mine', 'drawings.txt', '..*\n*..\n \n.*\n1.\n\n\n...\n', [{ board: ['..*', '*..'] }, { board: ['.*', '..'] }, { board: ['...'] }]],
];

for (const [game, name, text, questions] of TEXTS) {
  test(`each row of ${name} for ${game} can be shown on the board`, () => withPage({
    path: game === 'go' ? '/#mine' : '/#go',
  }, async ({ page }) => {
    await drop(page, [textFile(name, text)]);
    const part = partOf(page, name);
    await done(part);
    await part.getByText(name === 'drawings.txt' ? 'Drawing · ' : 'Contest format · ').waitFor();
    await eventually.equal(() => rowsOf(part).count(), questions.length);
    for (const [row, wanted] of [...questions.entries()].reverse()) {
      await rowsOf(part).nth(row).click();
      await part.getByText(`No. ${row + 1}`, { exact: true }).waitFor();
      await part.getByRole('button', { name: 'Show on the board' }).click();
      await page.locator(`nav [data-game=${game}][aria-current=page]`).waitFor();
      await eventually.deepEqual(async () => {
        const question = await questionShown(page);
        return Object.fromEntries(Object.keys(wanted).map((key) => [key, question?.[key]]));
      }, wanted);
      await shot(page, `files-${game}-${name}-${row + 1}`);
    }
  }));
}

test('prose is called text, not contest format', () => withPage({}, async ({ page }) => {
  await choose(page, textFile('letter.txt', 'Dear all,\n\nI Object. See you at X.\nB and W\n'));
  const part = partOf(page, 'letter.txt');
  await part.getByText(/^Text · /).waitFor();
  await part.getByText('Which game is this file for?').waitFor();
}));

test('when a stream is stopped, its answers are kept, and the service notices', () => withPage({ own: ENDLESS_OPTIONS }, async ({ page, arbiter }) => {
  await choose(page, HARD);
  const part = partOf(page, 'hard.ndjson');
  await part.getByText(/^3 of 5 results, /).waitFor();
  const bar = part.getByRole('progressbar', { name: 'Progress' });
  await eventually.deepEqual(() => bar.evaluate(({ value, max }) => [value, max]), [3, 5]);
  await eventually.equal(() => rowsOf(part).count(), 3);
  await settled(page);
  await assertAccessible(page);
  await shot(page, 'files-running');
  await part.getByRole('button', { name: 'Stop' }).click();
  await part.getByText('Stopped after 3 results.').waitFor();
  await eventually.equal(() => bar.isVisible(), false);
  const { bytes } = await saved(page, part, 'Save results');
  assert.deepEqual(String(bytes).trim().split('\n').map((line) => JSON.parse(line).id), [0, 1, 2]);
  await until('the program has noticed', () => arbiter.log.some((line) => line.event === 'request' && line.reason === 'client-gone'));
}));

test('a file waits for the one before it, and can be removed while it waits', () => withPage({ own: ENDLESS_OPTIONS }, async ({ page }) => {
  await choose(page, [HARD, fields(5), example('boards.txt')]);
  const [hard, waits, last] = ['hard.ndjson', 'fields.ndjson', 'boards.txt'].map((name) => partOf(page, name));
  await hard.getByText(/^3 (of \d+ )?results/).waitFor();
  await waits.getByText('Waiting for the previous file.').waitFor();
  await waits.getByRole('button', { name: 'Stop' }).click();
  await waits.getByText('Stopped after 0 results.').waitFor();
  await hard.getByRole('button', { name: 'Close' }).click();
  await done(last);
  await eventually.equal(() => hard.count(), 0);
  await waits.getByRole('button', { name: 'Run again' }).click();
  await done(waits);
  for (const part of [waits, last]) await part.getByRole('button', { name: 'Close' }).click();
  await eventually.equal(() => page.locator('.dropped').isVisible(), false);
  await eventually.equal(() => page.evaluate(() => document.activeElement.id), 'main');
}));

test('if the service stops partway through, the answers so far are kept, and the file can be run again', () => withPage({
  own: ENDLESS_OPTIONS,
  expected: ({ kind, text }) => kind !== 'error' && /net::ERR_(INCOMPLETE_CHUNKED|CONNECTION_(REFUSED|RESET)|EMPTY_RESPONSE)/.test(text),
}, async ({ page, arbiter }) => {
  await choose(page, HARD);
  const part = partOf(page, 'hard.ndjson');
  await part.getByText(/^3 of 5 results/).waitFor();
  arbiter.signal('SIGKILL');
  await part.getByText('The connection broke after 3 results.').waitFor();
  await eventually.equal(() => rowsOf(part).count(), 3);
  const { bytes } = await saved(page, part, 'Save results');
  assert.equal(String(bytes).split('\n').length, 4);
  await shot(page, 'files-broken');

  await arbiter.exit;
  await part.getByRole('button', { name: 'Run again' }).click();
  const banner = page.getByRole('alert').filter({ hasText: 'Can’t reach the server' });
  await banner.waitFor();
  const back = await start(['--listen', arbiter.address, '--max-search-states', '1000'], { port: arbiter.port });
  try {
    // The page also retries by itself, so the button may already be gone.
    await Promise.any([banner.getByRole('button', { name: 'Retry now' }).click(), done(part)]);
    await done(part);
    await part.getByText('5 results in').waitFor();
    await part.getByText('Unknown').waitFor();
  } finally {
    await back.stop();
  }
}));

test('a file for an unknown game is answered after its game is chosen, with the keyboard only', () => withPage({}, async ({ page }) => {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open file' }).focus();
  await page.keyboard.press('Enter');
  await (await chooser).setFiles([{ mimeType: '', ...textFile('plain.ndjson', '{"board":["..",".."]}\n') }]);
  const part = partOf(page, 'plain.ndjson');
  await part.getByText('Which game is this file for?').waitFor();
  await eventually.equal(() => part.evaluate((element) => element === document.activeElement), true);
  await page.keyboard.press('Tab'); // Close
  await page.keyboard.press('Tab');
  await eventually.equal(() => part.getByRole('combobox').evaluate((select) => select === document.activeElement), true);
  await page.keyboard.press('End');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await done(part);
  await rowsOf(part).getByText('Player 1 wins').waitFor();
}));

test('for a file that is refused as a whole, the place of the fault is shown', () => withPage({
  expected: ({ kind, text }) => kind === 'console' && /status of 4(00|13|22)/.test(text),
}, async ({ page }) => {
  await choose(page, textFile('broken.txt', '2 2\nOX\n'));
  const part = partOf(page, 'broken.txt');
  const problem = part.getByRole('alert');
  await problem.getByText('This can’t be read.').waitFor();
  await problem.getByText('Line 2, byte 1: Syntax error.').waitFor();
  await problem.getByText('Details from the server').click();
  await problem.getByText(", found 'OX'").waitFor();
  await eventually.equal(() => part.getByRole('grid').count(), 0);
  await settled(page);
  await assertAccessible(page);
  await part.getByRole('combobox').selectOption('mine');
  await part.getByRole('button', { name: 'Run again' }).click();
  await problem.getByText('Line 2, byte 1:').waitFor();
}));

for (const file of [textFile('broken.sgf', '(;SZ[9];B[zz'), textFile('broken.json', '{"board":["O.O",'), textFile('broken.txt', '2 2\nOX\n')]) {
  test(`when ${file.name} is dropped, the reason why it is refused is visible and has the focus`, () => withPage({
    viewport: { width: 1280, height: 720 }, path: '/#go', expected: ({ kind, text }) => kind === 'console' && /status of 400/.test(text),
  }, async ({ page }) => {
    await settled(page);
    await drop(page, [file]);
    const alert = page.locator('.problem[role=alert]');
    await alert.waitFor();
    await until('the focus is there', () => alert.evaluate((element) => document.activeElement.contains(element)
      && document.activeElement.matches('[tabindex="-1"]:not(main, article)')));
    await until('all of it is in the window', () => alert.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= -1 && bottom <= innerHeight + 1;
    }));
    await shot(page, `files-${file.name}`);
  }));
}

test('the answers are for the chosen game until another is chosen', () => withPage({}, async ({ page }) => {
  await choose(page, textFile('both.ndjson', '{"id":1,"board":["..","X."]}\n{"id":2,"board":["OO",".X"]}\n{"id":3,"board":["..",".."]}\n'));
  const part = partOf(page, 'both.ndjson');
  await done(part);
  const words = () => rowsOf(part).locator('[role=gridcell]:last-child').allInnerTexts();
  await until('the rows are read', async () => (await words()).length === 3);
  const [, asPawn] = await words();
  assert.match(asPawn, /^(Red|Black) wins in \d+ moves?$|^Tie$/);
  await part.getByRole('combobox').selectOption('mine');
  await part.getByLabel('Show only 2 errors').check();
  await part.getByLabel('Show only 2 errors').uncheck();
  await until('all rows are read again', async () => (await words())[1] === asPawn);
  await part.getByRole('button', { name: 'Run again' }).click();
  await part.getByText('Player 1 wins').waitFor();
  const asMine = await words();
  assert.ok(asMine.length === 3 && asMine[1] !== asPawn, asMine.join());
}));

test('a file that has changed since it was chosen is reported as unreadable', () => withPage({
  expected: ({ text }) => /ERR_UPLOAD_FILE_CHANGED|ERR_FILE_NOT_FOUND/.test(text),
}, async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'arbiter-'));
  try {
    const path = join(folder, 'fields.ndjson');
    writeFileSync(path, fields(3).buffer);
    await choose(page, path);
    const part = partOf(page, 'fields.ndjson');
    await done(part);
    rmSync(path);
    await part.getByRole('button', { name: 'Run again' }).click();
    await part.getByText('The browser can’t read this file').waitFor();
  } finally {
    rmSync(folder, { recursive: true });
  }
}));

test('if the case in a row can’t be read, a message says so', () => withPage({
  expected: ({ text }) => /ERR_UPLOAD_FILE_CHANGED|ERR_FILE_NOT_FOUND/.test(text),
}, async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'arbiter-'));
  try {
    const path = join(folder, 'boards.txt');
    writeFileSync(path, example('boards.txt').buffer);
    await choose(page, path);
    const part = partOf(page, 'boards.txt');
    await done(part);
    rmSync(path);
    await rowsOf(part).nth(1).click();
    await part.getByRole('button', { name: 'Show on the board' }).click();
    await page.getByRole('region', { name: 'Messages' }).getByText('This case can’t be read.').waitFor();
  } finally {
    rmSync(folder, { recursive: true });
  }
}));

test('a record opens on the Go board, and all games in a collection are answered on request', () => withPage({}, async ({ page }) => {
  await drop(page, [example('collection.sgf')]);
  await page.locator('nav [data-game=go][aria-current=page]').waitFor();
  const card = page.getByRole('region', { name: 'Record' });
  await card.getByText('collection.sgf').waitFor();
  await eventually.equal(() => page.locator('.dropped').isVisible(), false);
  await card.getByRole('button', { name: 'Check all games' }).click();
  const part = partOf(page, 'collection.sgf');
  await done(part);
  await rowsOf(part).nth(1).click();
  await part.getByRole('button', { name: 'Show on the board' }).click();
  const chosen = card.getByRole('combobox', { name: 'Game', exact: true });
  await until('the second game is on the board', async () => await chosen.inputValue() === '2');
  await travel(page, -1);
  await page.locator('main').getByText('9 / 9').waitFor(); // the first game has nine moves, the second four
}));

test('a single case opens on the board of its game', () => withPage({ path: '/#go' }, async ({ page }) => {
  await drop(page, [textFile('case.json', '{"id":1,"board":["O.O","...",".X."]}')]);
  await page.locator('nav [data-game=pawn][aria-current=page]').waitFor();
  await until('the case is on the board', async () => (await page.locator('.share code').innerText()).includes('["O.O","...",".X."]'));
  await eventually.equal(() => page.locator('.dropped').isVisible(), false);
}));

test('a single drawing opens on the board of its game', () => withPage({ path: '/#go' }, async ({ page }) => {
  await drop(page, [textFile('drawing.txt', '\no.O \r\n...\r\n.x.\r\n')]);
  await page.locator('nav [data-game=pawn][aria-current=page]').waitFor();
  await eventually.deepEqual(async () => (await questionShown(page))?.board, ['O.O', '...', '.X.']);
  await eventually.equal(() => page.locator('.dropped').isVisible(), false);
}));

test('the panel fits on a phone, is available in Chinese, and can change its language', () =>
  withPage({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, locale: 'zh-CN', colorScheme: 'dark' }, async ({ page }) => {
    await choose(page, [fields(50, [3, 7]), example('boards.txt'), example('game.txt')]);
    const part = partOf(page, 'fields.ndjson');
    await part.getByText('50 个结果，用时').waitFor();
    await partOf(page, 'game.txt').getByText('1 个结果，用时').waitFor();
    await rowsOf(part).nth(3).tap();
    await part.locator('.answered-detail .problem').getByText('太短或太长。').waitFor();
    await rowsOf(part).getByText('太短或太长。').first().waitFor();
    await eventually.equal(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
    await settled(page);
    await assertAccessible(page);
    await shot(page, 'files-phone', { fullPage: true });
    await page.getByLabel('语言').selectOption('en');
    await done(part);
    await rowsOf(part).getByText('Player 1 wins · nimber 1').first().waitFor();
    await partOf(page, 'game.txt').getByText('4 illegal moves').first().waitFor();
  }));

test('all text in the panel comes from the text tables', () => withPage({ path: null }, async ({ page, context }) => {
  await markTexts(context);
  await page.goto('/');
  await page.locator('main .playground').waitFor();
  await choose(page, [fields(5, [1]), example('boards.txt'), example('game.txt'), textFile('what.txt', 'hello')], '⟦Open file⟧');
  await partOf(page, 'game.txt').locator('.rows-body').getByText('⟦').first().waitFor();
  await partOf(page, 'what.txt').getByText('⟦Which game').waitFor();
  await rowsOf(partOf(page, 'fields.ndjson')).nth(1).click();
  await page.locator('.answered-detail pre').first().waitFor();
  // File names and ids that come from the user, and units.
  const own = /\b(fields|boards|game|what)\.\w+|\bf\d+|kB|bytes?|\bms\b|\bsec\b/g;
  await eventually.deepEqual(() => unmarked(page, own), []);
}));
