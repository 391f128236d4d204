// Measures the page: how fast it opens, and whether it moves smoothly. These are measurements, not tests: they depend on the machine,
// and the browser has no graphics processor.
//
// - Opening: over loopback, with an empty cache. First paint is the browser's own figure; the page is usable when it shows a game;
//   the first verdict counts when its text is on the screen.
// - Stepping: a Go game of 300 moves on 19 x 19, one step per frame, with the slider.
// - A 1000 x 1000 field: painting strokes and scrolling, and the longest task, during which the page can't react.
//
// ARBITER_ROUNDS  how many times each page is opened (default 9)

import { start } from '../tests/server/arbiter.mjs';
import { goMoves, mineBoard, mineList, randomFrom } from '../tests/server/bodies.mjs';
import { launch } from '../tests/browser/chromium.mjs';
import { median, print, quantile } from './measure.mjs';

const ROUNDS = Number(process.env.ARBITER_ROUNDS ?? 9);
const STEPS = 300;
const STROKES = 20;
const TURNS = 60; // of the wheel

/** Text that the page shows once the server has answered for the first time. */
const VERDICTS = { pawn: /wins in \d|A tie/, go: /Area\s*\d/, mine: /(Xiemao|Fanglaoshi) wins/ };

const arbiter = await start(['--log-level', 'warn']);
const url = `http://127.0.0.1:${arbiter.port}`;
const browser = await launch();

/** Runs `body` with a page in a new browser context. */
async function withNewPage(body) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
  try {
    return await body(await context.newPage());
  } finally {
    await context.close();
  }
}

/** Opens a page once, and measures the milliseconds until each stage. */
function opening(game) {
  return withNewPage(async (page) => {
    await page.addInitScript(({ source }) => {
      if (location.protocol === 'http:') localStorage.setItem('arbiter-answers', 'on');
      const verdict = new RegExp(source);
      globalThis.stages = {};
      const look = () => {
        const playground = document.querySelector('main .playground');
        if (playground) globalThis.stages.usable ??= performance.now();
        if (verdict.test(playground?.textContent ?? '')) globalThis.stages.verdict ??= performance.now();
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    }, { source: VERDICTS[game].source });
    await page.goto(`${url}/#${game}`);
    await page.waitForFunction(() => globalThis.stages.verdict && performance.getEntriesByName('first-contentful-paint').length > 0);
    return page.evaluate(() => ({
      paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
      ...globalThis.stages,
      files: performance.getEntriesByType('resource').length + 1,
      bytes: [...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')]
        .reduce((sum, entry) => sum + entry.transferSize, 0),
    }));
  });
}

async function openings() {
  const rows = [['game', 'first paint', 'usable', 'first verdict', 'worst verdict', 'files', 'kB']];
  for (const game of Object.keys(VERDICTS)) {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await opening(game));
    const of = (name) => rounds.map((round) => round[name]);
    rows.push([game, ...['paint', 'usable', 'verdict'].map((name) => median(of(name)).toFixed(0)),
      Math.max(...of('verdict')).toFixed(0), median(of('files')), (median(of('bytes')) / 1e3).toFixed(1)]);
  }
  print('page: milliseconds to open', 'targets: first paint within 300, first verdict within 500', rows);
}

/** Starts recording frames and long tasks: { frames, tasks } since `begin`, in milliseconds. */
async function watch(page) {
  await page.evaluate(() => {
    globalThis.seen = { frames: [], tasks: [] };
    new PerformanceObserver((list) => globalThis.seen.tasks.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: 'longtask' });
    let last = performance.now();
    const frame = (now) => {
      globalThis.seen.frames.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  return {
    begin: () => page.evaluate(() => {
      globalThis.seen.frames.length = 0;
      globalThis.seen.tasks.length = 0;
    }),
    end: () => page.evaluate(() => globalThis.seen),
  };
}

/** A row of the table of frames and tasks. */
function motion(name, { frames, tasks }) {
  return [name, frames.length, median(frames).toFixed(1), quantile(frames, 0.95).toFixed(1), Math.max(...frames).toFixed(1),
    tasks.length, Math.max(0, ...tasks).toFixed(0)];
}

/** Steps through a game from the first move to the last, one move per frame. */
function leafing() {
  const question = { size: 19, moves: goMoves(randomFrom(7), STEPS), rules: { ko: 'simple' } };
  return withNewPage(async (page) => {
    await page.goto(`${url}/#go=${encodeURIComponent(JSON.stringify({ question }))}`);
    const slider = page.locator('main input[type=range]').first();
    await page.waitForFunction((steps) => document.querySelector('main input[type=range]')?.max === String(steps), STEPS);
    const { begin, end } = await watch(page);
    await slider.evaluate((range) => {
      range.value = '0';
      range.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await begin();
    await slider.evaluate(async (range, steps) => {
      for (let step = 1; step <= steps; step += 1) {
        await new Promise(requestAnimationFrame);
        range.value = String(step);
        range.dispatchEvent(new Event('input', { bubbles: true }));
      }
    }, STEPS);
    return motion(`Go, ${STEPS} steps`, await end());
  });
}

/** Paints on a field of a million cells, and scrolls it. */
function largeField() {
  const question = mineList(mineBoard(randomFrom(7), 1000, 1000, 0.2));
  return withNewPage(async (page) => {
    await page.goto(`${url}/#mine`);
    const { begin, end } = await watch(page);
    const rows = [];
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByRole('button', { name: 'Open a file' }).click()]);
    await begin();
    await chooser.setFiles([{ name: 'field.json', mimeType: '', buffer: Buffer.from(JSON.stringify(question)) }]);
    await page.waitForFunction(() => document.querySelector('main [role=grid]')?.getAttribute('aria-rowcount') === '1000');
    await page.getByText(/(Xiemao|Fanglaoshi) wins|Unknown/).first().waitFor({ timeout: 120_000 });
    rows.push(motion('1000 x 1000, opened and solved', await end()));

    await page.getByRole('button', { name: 'Paint', exact: true }).click();
    const { x, y, width, height } = await page.evaluate(() => {
      const grid = document.querySelector('main [role=grid]');
      const { x, y, width, height } = (grid.closest('.mine-pane') ?? grid.parentElement).getBoundingClientRect();
      return { x, y, width: Math.min(width, innerWidth - x), height: Math.min(height, innerHeight - y) };
    });
    await begin();
    for (let stroke = 0; stroke < STROKES; stroke += 1) {
      const level = y + (height * (stroke + 1)) / (STROKES + 2);
      await page.mouse.move(x + 0.1 * width, level);
      await page.mouse.down();
      await page.mouse.move(x + 0.9 * width, level, { steps: 30 });
      await page.mouse.up();
    }
    rows.push(motion(`1000 x 1000, ${STROKES} strokes`, await end()));

    await page.mouse.move(x + width / 2, y + height / 2);
    await begin();
    for (let turn = 0; turn < TURNS; turn += 1) await page.mouse.wheel(turn % 3 === 0 ? 200 : 0, 300);
    rows.push(motion(`1000 x 1000, ${TURNS} turns of the wheel`, await end()));
    return rows;
  });
}

await openings();
print('page: milliseconds of frames, and of tasks of more than 50', 'aim: a frame in 17, no task of more than 100',
  [['what', 'frames', 'median', '95 %', 'worst', 'long tasks', 'worst'], await leafing(), ...await largeField()]);
await browser.close();
await arbiter.stop();
