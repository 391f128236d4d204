// Tests that an error reported by the browser fails a test.

import assert from 'node:assert/strict';

import { axe, test, withPage } from './browser.mjs';

/** Actions on a page, and the reports they cause. */
const TROUBLES = {
  'a message on the console': [() => console.debug('hello'), /console: debug: hello/],
  'an uncaught error': [() => { setTimeout(() => { throw new Error('lost'); }); }, /error: Error: lost/],
  'an unhandled promise rejection': [() => { Promise.reject(new Error('broken')); }, /error: Error: broken/],
  'a request to another host': [() => fetch('http://127.0.0.2:9/').catch(() => {}), /policy: connect-src .*127\.0\.0\.2/],
  'an inline style': [() => { document.body.innerHTML = '<p style="color: red">'; }, /policy: style-src/],
  'a missing file': [() => fetch('nothing'), /console: error: Failed to load resource.* 404/],
};

for (const [name, [act, message]] of Object.entries(TROUBLES)) {
  test(`${name} fails a test`, () => assert.rejects(
    withPage({}, async ({ page }) => {
      await page.evaluate(act);
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    }), message));
}

test('a page that sends a request to another host fails a test if no policy blocks the request', () => assert.rejects(
  withPage({ path: null }, async ({ page, url }) => {
    await page.route(`${url}/elsewhere`, (route) => route.fulfill({
      contentType: 'text/html', body: '<link rel="icon" href="data:,"><img src="http://arbiter.invalid/a.png">',
    }));
    await page.goto('/elsewhere');
  }), /request: GET http:\/\/arbiter\.invalid\/a\.png/));

test('an expected report does not fail a test', () => withPage({ expected: ({ text }) => text === 'log: as agreed' },
  ({ page }) => page.evaluate(() => console.log('as agreed'))));

test('axe-core runs', () => withPage({}, async ({ page }) => {
  await page.evaluate(() => document.body.append(document.createElement('button')));
  assert.deepEqual((await axe(page)).map(({ id }) => id), ['button-name']);
}));
