// Every command and every program of the README and of the guides is run, and prints what the text says.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { withArbiter } from '../server/arbiter.mjs';
import { at, commandsOfGuides, commandsOfReadme, run } from './commands.mjs';

const readme = commandsOfReadme();
const guides = commandsOfGuides('guides.html');

test('the README and the guides have commands, and the guides the same ones in both languages', () => {
  const languages = (commands) => [...new Set(commands.map(({ language }) => language))].sort();
  assert.deepEqual(languages(readme), ['js', 'sh']);
  assert.deepEqual(languages(guides), ['js', 'python', 'sh']);
  assert.deepEqual(commandsOfGuides('guides.zh.html'), guides);
});

for (const command of [...readme, ...guides])
  test(command.code.slice(0, 100), () => withArbiter([], async ({ port }) => {
    assert.equal(await run(command, port), at(command.answer, port));
  }));
