// The README and the guides by hand: every command and every program in them is run, and prints what is said to come of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { withArbiter } from '../server/arbiter.mjs';
import { at, commandsOfGuides, commandsOfReadme, run } from './commands.mjs';

const readme = commandsOfReadme();
const guides = commandsOfGuides('guides.html');

test('the README has a command for each route, in both forms', () => {
  for (const route of ['/pawn', '/go', '/mine'])
    for (const form of ['--json', 'text/plain'])
      assert.ok(readme.some(({ code }) => code.includes(form) && code.endsWith(route)), `${form} ${route}`);
});

test('the README has a program with the client, and one without', () => {
  const programs = readme.filter(({ language }) => language === 'js');
  assert.deepEqual(programs.map(({ code }) => code.includes('/web/arbiter.js')), [true, false]);
});

test('the guides show each thing in a shell, in JavaScript and in Python, and in both languages the same', () => {
  for (const language of ['sh', 'js', 'python'])
    assert.ok(guides.filter((command) => command.language === language).length >= 4, language);
  assert.deepEqual(commandsOfGuides('guides.zh.html'), guides);
});

for (const command of [...readme, ...guides])
  test(command.code.slice(0, 100), () => withArbiter([], async ({ port }) => {
    assert.equal(await run(command, port), at(command.answer, port));
  }));
