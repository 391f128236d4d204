// Opens pages from the program under test in a real browser, and fails a test if the browser reports an error.
//
//     import { assertAccessible, eventually, test, until, withPage } from './browser.mjs';
//
//     test('the pawn can be moved with the keyboard', () => withPage({ path: '/#pawn', locale: 'zh-CN' }, async ({ page }) => {
//       await page.keyboard.press('Enter');
//       await until('the pawn has moved', async () => …);
//       await eventually.match(() => page.locator('.verdict').innerText(), /Red wins/);
//       await assertAccessible(page);
//     }));
//
// ARBITER_CHROMIUM  the browser (see chromium.mjs); without it the tests are skipped
// ARBITER_PICTURES  the folder where `shot` saves its screenshots; without it none are taken
//
// All tests in a file share one program and one browser, which are started by the first test that needs them. Each test has its own
// context, with empty storage and an empty cache.
//
// Texts are looked up in `main`: what is announced is, for a moment or longer, a second time in the live region outside it.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, test as nodeTest } from 'node:test';

import { start } from '../server/arbiter.mjs';
import { GIVE_UP, until as untilTrue } from '../server/client.mjs';
import { PORT, claimNetwork } from '../server/network.mjs';
import { launch, missing } from './chromium.mjs';

/** Calls `look` until it returns a truthy value. Inspecting a page costs processor time, so it is called only twenty times a second. */
export const until = (what, look) => untilTrue(what, look, { every: 50 });

/**
 * The assertions of node:assert, for a page. A page reacts to a click or a response with a delay, so `look` is called until the
 * assertion holds: `await eventually.equal(() => title.innerText(), 'Go')`.
 */
export const eventually = Object.fromEntries(['deepEqual', 'doesNotMatch', 'equal', 'match', 'notEqual', 'ok'].map((name) => [
  name,
  async (look, ...rest) => {
    let failure;
    const holds = async () => {
      const seen = await look();
      try {
        assert[name](seen, ...rest);
        return true;
      } catch (error) {
        failure = error;
        return false;
      }
    };
    await until('the page shows it', holds).catch((error) => {
      throw failure ?? error;
    });
  },
]));

const PICTURES = process.env.ARBITER_PICTURES ?? '';
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Node's `test`, skipped if there is no browser. */
export function test(name, body) {
  return nodeTest(name, { skip: missing ?? false }, body);
}

/** @type {Promise<import('playwright-core').Browser> | null} */
let browser = null;
/** @type {Promise<import('../server/arbiter.mjs').Arbiter> | null} */
let program = null;

after(async () => {
  await (await browser)?.close();
  await (await program)?.stop();
});

/** The browser shared by the tests in this file. */
export function theBrowser() {
  browser ??= launch();
  return browser;
}

/**
 * A report from the browser. `kind` is 'console' for a console message of any level, 'error' for an uncaught error, 'request' for a
 * request to another host, 'failed' for a request without a response, and 'policy' for a violation of the Content-Security-Policy.
 * @typedef {{ kind: 'console' | 'error' | 'request' | 'failed' | 'policy', text: string, url: string }} Trouble
 */

/**
 * Reports everything that goes wrong, including in frames that a page opens.
 * @param {import('playwright-core').BrowserContext} context
 * @param {string} origin the program's origin
 * @param {(trouble: Trouble) => void} tell
 */
async function listen(context, origin, tell) {
  context.on('console', (message) => {
    tell({ kind: 'console', text: `${message.type()}: ${message.text()}`, url: message.location().url });
  });
  context.on('weberror', (error) => tell({ kind: 'error', text: String(error.error().stack), url: error.page()?.url() ?? '' }));
  context.on('request', (request) => {
    const url = new URL(request.url());
    const own = url.origin === origin || ['blob:', 'data:'].includes(url.protocol);
    if (!own) tell({ kind: 'request', text: request.method(), url: request.url() });
  });
  context.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? '';
    // A request that the page itself aborted is not a failure: a newer request replaces an older one.
    if (why !== 'net::ERR_ABORTED') tell({ kind: 'failed', text: why, url: request.url() });
  });
  await context.exposeBinding('tellOfPolicy', (_, text, url) => tell({ kind: 'policy', text, url }));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      globalThis.tellOfPolicy(`${event.effectiveDirective} at ${event.sourceFile}:${event.lineNumber}`, event.blockedURI);
    });
  });
}

/**
 * The options of a test. All other options are passed to playwright's `newContext`: viewport, locale, colorScheme, hasTouch,
 * isMobile, reducedMotion, forcedColors, contrast, permissions, and more.
 * @typedef {object} Options
 * @property {string | null} [path]  the path to open (default: `/`); with null, the test itself opens a page with `page.goto`
 * @property {string[]} [own]      starts a program with these options for this test only, which the test may stop and restart; by
 * default, the test uses the program shared by the file
 * @property {boolean} [answers]   whether the visitor has switched the answers on before
 * @property {(trouble: Trouble) => boolean} [expected]  whether the test expects this report; any other report fails the test
 */

/**
 * Opens a page, runs `body` with it, and fails if the browser reports anything unexpected.
 * @param {Options & import('playwright-core').BrowserContextOptions} options
 * @param {(given: { page: import('playwright-core').Page, context: import('playwright-core').BrowserContext,
 *   arbiter: import('../server/arbiter.mjs').Arbiter, url: string }) => Promise<void>} body `url` is the program's URL,
 *   without a trailing slash
 */
export async function withPage({ path = '/', own, answers = false, expected = () => false, ...options }, body) {
  program ??= own ? null : start();
  const network = own ? await claimNetwork() : null;
  const arbiter = own ? await start(['--listen', network.address(2), ...own], { port: PORT }) : await program;
  const url = `http://${arbiter.address}:${arbiter.port}`;
  const storage = answers && { storageState: { cookies: [], origins: [{ origin: url, localStorage: [{ name: 'arbiter-answers', value: 'on' }] }] } };
  const context = await (await theBrowser()).newContext({ locale: 'en-US', baseURL: url, ...storage, ...options });
  const troubles = [];
  try {
    context.setDefaultTimeout(GIVE_UP);
    await listen(context, url, (trouble) => troubles.push(trouble));
    const page = await context.newPage();
    if (path !== null) await open(page, path);
    await body({ page, context, arbiter, url });
    await page.evaluate(() => 0); // when this returns, all earlier messages from the page have arrived
  } catch (error) {
    if (troubles.length > 0) error.message += `\n(the browser complains:\n${list(troubles)})`;
    throw error;
  } finally {
    // A route's callback may still be running; it is not a failure if it uses a closed page.
    for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
    if (own && arbiter.left === null) await arbiter.stop();
    network?.release();
  }
  const unexpected = troubles.filter((trouble) => !expected(trouble));
  assert.equal(unexpected.length, 0, `the browser complains:\n${list(unexpected)}`);
}

/** @param {Trouble[]} troubles */
const list = (troubles) => troubles.map(({ kind, text, url }) => `${kind}: ${text} ${url}`).join('\n');

/**
 * Opens a path on the program. If it leads to the page with the games, waits until a game is shown.
 * @param {import('playwright-core').Page} page
 * @param {string} path
 */
export async function open(page, path) {
  await page.goto('about:blank'); // changing only the fragment would not reload the page
  await page.goto(path);
  if (/^\/([#?]|$)/.test(path)) await page.locator('main .playground').waitFor();
}

/**
 * Waits until the answer for the game on the page has arrived, is drawn, and all animations have ended. A board is drawn in the frame after
 * its answer.
 * @param {import('playwright-core').Page} page
 */
export function settled(page) {
  return until('the answer is drawn', () => page.evaluate(async () => {
    const still = () => !document.querySelector('main [aria-busy=true]') && document.getAnimations().every(({ playState }) => playState !== 'running');
    for (let frame = 0; still() && frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    return still();
  }));
}

/**
 * Goes back (-1) or forward (1) in the page's history, and waits until the page knows it. Unlike playwright's `goBack`, this can't overtake an
 * entry that the page has just added.
 * @param {import('playwright-core').Page} page
 * @param {number} by
 */
export async function travel(page, by) {
  await page.evaluate((steps) => new Promise((resolve) => {
    addEventListener('popstate', resolve, { once: true });
    history.go(steps);
  }), by);
}

/**
 * Creates a random field of this size on the page of Minesweeper. Doesn't wait for its answer.
 * @param {import('playwright-core').Page} page
 * @param {{ rows: number, cols: number, mines: number }} size
 */
export async function createField(page, { rows, cols, mines }) {
  for (const [name, value] of [['Columns', cols], ['Rows', rows], ['Mines', mines]]) await page.getByRole('spinbutton', { name }).fill(String(value));
  await page.getByRole('button', { name: 'Create random', exact: true }).click();
  await until('the field is there', async () => await page.locator('.grid').getAttribute('aria-rowcount') === String(rows));
}

/**
 * The label of the cell under the board's cursor.
 * @param {import('playwright-core').Page} page
 */
export const cursorLabel = (page) => page.locator('.grid').evaluate((grid) =>
  document.getElementById(grid.getAttribute('aria-activedescendant')).getAttribute('aria-label'));

/**
 * Runs all rules of axe-core on this page.
 * @param {import('playwright-core').Page} page
 * @param {object} [options] the options for `axe.run`
 * @returns {Promise<{ id: string, help: string, nodes: { html: string, target: string[], failureSummary: string }[] }[]>}
 */
export async function axe(page, options = {}) {
  // Code run through the debugger is not subject to the page's Content-Security-Policy.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(readFileSync(AXE, 'utf8'));
  const { violations } = await page.evaluate(
    (asked) => globalThis.axe.run(document, { resultTypes: ['violations'], ...asked }), options);
  return violations;
}

/**
 * Fails if axe finds a violation that does not go away. While an answer is pending or something fades, the contrast is briefly too low.
 * @param {import('playwright-core').Page} page
 * @param {object} [options]
 */
export async function assertAccessible(page, options) {
  const told = ({ id, help, nodes }) =>
    [`${id}: ${help}`, ...nodes.map((node) => `  ${node.target.join(' ')}: ${node.html}\n  ${node.failureSummary}`)].join('\n');
  await eventually.deepEqual(async () => (await axe(page, options)).map(told), []);
}

/**
 * Takes a screenshot if ARBITER_PICTURES is set.
 * @param {import('playwright-core').Page} page
 * @param {string} name the file name without its extension
 * @param {import('playwright-core').PageScreenshotOptions} [options]
 */
export async function shot(page, name, options = {}) {
  if (PICTURES === '') return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), ...options });
}
