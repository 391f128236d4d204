// Runs every command and every program of the README, of examples/README.md and of the pages at /docs, and compares their output
// with the text. The pictures of the README are answers to its questions.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { withArbiter } from '../server/arbiter.mjs';
import { at, commandsOfGuides, commandsOfMarkdown, run } from './commands.mjs';

const readme = commandsOfMarkdown('README.md');
const examples = commandsOfMarkdown('examples/README.md');
// The guides are templates for tools/programs.py, which adds the programs of examples/; tests/examples runs these.
const PAGES = [['guides.html.in', 'guides.zh.html.in'], ['limits.html', 'limits.zh.html'], ['errors.html', 'errors.zh.html']];
const guides = PAGES.flatMap(([page]) => commandsOfGuides(page));

test('the READMEs and each page have commands, and a page has the same ones in both languages', () => {
  const languages = (commands) => [...new Set(commands.map(({ language }) => language))].sort();
  assert.deepEqual(languages(readme), ['js', 'sh']);
  assert.deepEqual(languages(examples), ['sh']);
  assert.deepEqual(languages(guides), ['js', 'python', 'sh']);
  for (const [page, chinese] of PAGES) {
    const commands = commandsOfGuides(page);
    assert.ok(commands.length > 0, page);
    assert.deepEqual(commandsOfGuides(chinese), commands, page);
  }
});

/** The form of boards and numbers: each cell is `.` and each number 0. */
const formOf = (text) => text.replace(/[#OX]/g, '.').replace(/\d+/g, '0').trimEnd();

for (const command of [...readme, ...examples, ...guides])
  test(command.code.slice(0, 100), () => withArbiter([], async ({ port }) => {
    const form = command.varies ? formOf : String;
    assert.equal(form(await run(command, port)), form(at(command.answer, port)));
  }));

// The first question to each game is also sent for a picture. To update a picture, send the command of the README with this header.
for (const game of ['pawn', 'go', 'mine'])
  test(`docs/${game}.svg is the picture of the README's question to ${game}`, () => withArbiter([], async ({ port }) => {
    const question = readme.find(({ code }) => code.startsWith('curl ') && code.endsWith(`/${game}`));
    const drawn = await run({ ...question, code: `${question.code} -H 'accept: image/svg+xml'` }, port);
    assert.equal(readFileSync(new URL(`../../docs/${game}.svg`, import.meta.url), 'utf8'), drawn);
  }));
