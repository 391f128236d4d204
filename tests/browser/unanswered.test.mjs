// The page when a question gets no answer because of a temporary fault, a permanent fault, or a server that hangs. The game stays
// unchanged, and no heading shows an outdated verdict.

import assert from 'node:assert/strict';

import { assertAccessible, eventually, open, settled, shot, test, until, withPage } from './browser.mjs';

/** Whether a report is expected: the browser reports the faults that a test sends in place of answers. */
const isExpected = ({ kind, text }) => kind === 'console' && /status of \d+|ERR_FAILED|ERR_CONNECTION/.test(text) || kind === 'failed';

const problem = (status, title, detail) => ({
  status, contentType: 'application/problem+json', body: JSON.stringify({ type: 'about:blank', title, status, detail }),
});

const OTHER = { en: 'This response isn’t from Arbiter.', zh: '收到的响应不是 Arbiter 发出的' };

/** Responses from a load balancer or another program in front of the service, each with the texts that the page shows for it. */
const LASTING = [
  { fault: problem(401, 'Unauthorized', 'a bearer token is needed that is known here'), shown: ['Unauthorized', 'a bearer token is needed'] },
  { fault: problem(408, 'Request Timeout', 'the request did not come in time'), shown: ['Request Timeout', 'the request did not come'] },
  { fault: { ...problem(500), body: '{"type":"/problems/internal","title":"x","status":500,"detail":"the balancer failed"}' },
    shown: [{ en: 'Something went wrong on the server.', zh: '服务器出错了。' }, 'the balancer failed'] },
  { fault: { status: 403, contentType: 'text/html', body: '<h1>Sign in</h1>' },
    shown: [{ en: 'This response (status 403)', zh: '（状态码 403）' }] },
  { fault: { status: 200, contentType: 'text/html', body: '<h1>Sign in</h1>' }, shown: [OTHER] },
  { fault: { status: 200, contentType: 'application/json', body: 'null' }, shown: [OTHER] },
  { fault: { status: 200, contentType: 'application/x-ndjson', body: 'null\n' }, shown: [OTHER] },
  { fault: problem(418, 'A teapot', 'it is short'), shown: ['A teapot', 'it is short'] },
];

const PASSING = [
  { ...problem(429, 'Too Many Requests', 'more than one address may have'), headers: { 'retry-after': '0' } },
  { ...problem(502, 'Bad Gateway', 'the replica broke off'), headers: { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' } },
  { ...problem(504, 'Gateway Timeout', 'no replica answered') },
  { status: 503, contentType: 'text/html', body: '<h1>503 Service Unavailable</h1>' },
  'connectionreset',
];

const WORDS = {
  en: { again: 'Try again', cancel: 'Cancel', unanswered: 'No result for this position.', late: 'Waiting for the server…', slow: /Still waiting/ },
  zh: { again: '重试', cancel: '取消', unanswered: '没有得到这个局面的结果。', late: '正在等待服务器响应……', slow: /仍在等待/ },
};

const pawn = (page) => page.locator('.pawn-status .verdict');
const field = async (page, row, col) => {
  const { x, y, width, height } = await page.locator('.grid').boundingBox();
  const side = Number(await page.locator('.grid').getAttribute('aria-rowcount'));
  await page.mouse.click(x + ((col + 0.5) * width) / side, y + ((row + 0.5) * height) / side);
};

/**
 * For each game: `act` asks a question, `place` is where the verdict is shown, and `answered` waits for the new verdict. `kept` is
 * the text that stays while there is no answer; for games without it, `place` says that there is no answer.
 */
const GAMES = {
  pawn: {
    act: async (page) => {
      await field(page, 2, 1);
      await field(page, 1, 1);
    },
    place: pawn,
    answered: (page) => eventually.match(() => pawn(page).innerText(), /11/),
  },
  go: {
    act: (page) => field(page, 8, 8),
    place: (page) => page.locator('.go-status'),
    kept: (page) => page.locator('.go .controls output').innerText(),
    answered: (page) => eventually.match(() => page.locator('.go-status').innerText(), /J11/),
  },
  mine: {
    act: (page) => field(page, 0, 0),
    place: (page) => page.locator('.mine-now'),
    answered: (page) => eventually.equal(() => page.locator('.mine-clicks li').count(), 2),
  },
};

/** Answers each question with `gate.fault`, if it is set. */
async function gated(page, game) {
  const gate = { fault: null, asked: 0 };
  await page.route(`**/${game}`, async (route) => {
    gate.asked += 1;
    if (typeof gate.fault === 'string') await route.abort(gate.fault);
    else if (gate.fault) await route.fulfill(gate.fault);
    else await route.continue();
  });
  return gate;
}

/** The text announced to screen readers. */
const spoken = (page) => page.locator('[role=status].unseen').textContent();

const banner = (page) => page.locator('.banner');

// The banner is the same in all games, so its Chinese texts are tested in only one.
for (const [locale, language, games] of [['en-US', 'en', Object.keys(GAMES)], ['zh-CN', 'zh', ['pawn']]]) {
  const words = WORDS[language];
  for (const game of games) {
    const { act, place, kept, answered } = GAMES[game];
    test(`${game}, ${language}: a permanent fault is shown, and a button sends the question again`, () =>
      withPage({ path: `/#${game}`, answers: true, locale, reducedMotion: 'reduce', expected: isExpected }, async ({ page }) => {
        await settled(page);
        const before = await place(page).innerText(), was = await kept?.(page), gate = await gated(page, game);
        const again = banner(page).getByRole('button', { name: words.again });
        for (const [index, { fault, shown }] of LASTING.entries()) {
          gate.fault = fault;
          if (index === 0) await act(page);
          else await again.click();
          for (const text of shown) await banner(page).getByText(text[language] ?? text).waitFor();
          await settled(page); // nothing is pending
          if (kept) assert.equal(await kept(page), was);
          else {
            await eventually.equal(() => place(page).innerText(), words.unanswered);
            await eventually.ok(async () => (await spoken(page)).includes(words.unanswered));
          }
          assert.equal(await page.locator('.go-pending, .go-asking, .problem:visible, .pawn-good:visible').count(), 0);
          if (!kept) assert.notEqual(await place(page).innerText(), before);
        }
        await assertAccessible(page);
        await shot(page, `unanswered-${game}-${language}`);
        gate.fault = null;
        await again.click();
        await answered(page);
        await eventually.equal(() => banner(page).isVisible(), false);
      }));
  }
}

for (const [game, { act, answered }] of Object.entries(GAMES)) {
  test(`${game}: after a temporary fault, the question is sent again`, () =>
    withPage({ path: `/#${game}`, answers: true, reducedMotion: 'reduce', expected: isExpected }, async ({ page }) => {
      await settled(page);
      const faults = [...PASSING];
      await page.route(`**/${game}`, async (route) => {
        const fault = faults.shift();
        if (typeof fault === 'string') await route.abort(fault);
        else if (fault) await route.fulfill(fault);
        else await route.continue();
      });
      await act(page);
      await answered(page);
      assert.deepEqual(faults, []);
      await eventually.equal(() => banner(page).isVisible(), false);
    }));

  test(`${game}: if the service hangs, the page says so, hides the old verdict, and lets the user cancel the question`, () =>
    withPage({ path: null, answers: true, own: [], reducedMotion: 'reduce', expected: isExpected }, async ({ page, arbiter }) => {
      const words = WORDS.en;
      await page.clock.install();
      await open(page, `/#${game}`);
      await page.clock.runFor(1000);
      await until('the game is answered', async () => await page.locator('main [aria-busy=true]').count() === 0);
      const { place, kept } = GAMES[game], was = await kept?.(page);
      arbiter.signal('SIGSTOP');
      try {
        await act(page);
        await page.clock.runFor(2000);
        if (!kept) {
          await eventually.equal(() => place(page).innerText(), words.late);
          await eventually.ok(async () => (await spoken(page)).includes(words.late));
        }
        assert.equal(await page.locator('.mine .verdict:not(:empty), .pawn-moves:visible').count(), 0);
        assert.equal(await banner(page).isVisible(), false);
        await page.clock.runFor(3000);
        await banner(page).getByText(words.slow).waitFor();
        await banner(page).getByRole('button', { name: words.cancel }).click();
        await banner(page).getByRole('button', { name: words.again }).waitFor();
        if (kept) assert.equal(await kept(page), was);
        else await eventually.equal(() => place(page).innerText(), words.unanswered);
      } finally {
        arbiter.signal('SIGCONT');
      }
      await banner(page).getByRole('button', { name: words.again }).click();
      await page.clock.runFor(1000);
      await answered(page);
    }));
}

for (const game of ['go', 'mine']) {
  test(`${game}: the page copes with a problem whose errors are not a list`, () =>
    withPage({ path: `/#${game}`, answers: true, reducedMotion: 'reduce', expected: isExpected }, async ({ page }) => {
      await settled(page);
      const { act } = GAMES[game], gate = await gated(page, game);
      gate.fault = { ...problem(422), body: '{"title":"t","errors":"x"}' };
      await act(page);
      await page.getByRole('alert').getByText('t', { exact: true }).first().waitFor();
      await settled(page);
      assert.equal(await page.locator('.mine .verdict:not(:empty)').count(), 0);
    }));
}

for (const [locale, after, words] of [['en-US', '600', /Retrying in 10 minutes, at /], ['zh-CN', '100', /(100|9\d) 秒后（/]]) {
  test(`the page shows when it will retry, as given in Retry-After: ${locale}`, () =>
    withPage({ path: '/#go', locale, reducedMotion: 'reduce', expected: isExpected }, async ({ page }) => {
      await settled(page);
      const gate = await gated(page, 'go');
      gate.fault = { ...PASSING[0], headers: { 'retry-after': after } };
      await GAMES.go.act(page);
      await banner(page).getByText(words).waitFor();
    }));
}

test('a file is retried after too many requests; if it is refused for lack of a token, the page says so', () =>
  withPage({ expected: isExpected }, async ({ page }) => {
    const faults = [PASSING[0], PASSING[3]];
    await page.route('**/pawn', async (route) => {
      const fault = faults.shift();
      if (fault) await route.fulfill(fault);
      else await route.continue();
    });
    const files = page.locator('header input[type=file]'), part = page.locator('.answered');
    const file = { name: 'boards.ndjson', mimeType: '', buffer: Buffer.from('{"board":["O.O","...",".X."]}\n{"board":["OO.","...",".X."]}\n') };
    await files.setInputFiles(file);
    await part.getByText(/2 results in/).waitFor();
    assert.deepEqual(faults, []);
    faults.push(LASTING[0].fault);
    await part.getByRole('button', { name: 'Run again' }).click();
    await part.getByRole('alert').getByText('a bearer token is needed').waitFor();
    await part.getByRole('button', { name: 'Run again' }).click();
    await part.getByText(/2 results in/).waitFor();
  }));
