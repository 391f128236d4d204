// Runs every command and every program from the README, examples/README.md and the pages at /docs, and compares their output with
// the documented output. Also checks that the pictures in the README are the answers to its example requests.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { withArbiter } from '../server/arbiter.mjs';
import { at, commandsOfGuides, commandsOfMarkdown, run } from './commands.mjs';

const readme = commandsOfMarkdown('README.md');
const examples = commandsOfMarkdown('examples/README.md');
// The guides are templates for tools/programs.py, which adds the programs from examples/; tests/examples runs those.
const PAGES = [['guides.html.in', 'guides.zh.html.in'], ['limits.html', 'limits.zh.html'], ['errors.html', 'errors.zh.html']];
const guides = PAGES.flatMap(([page]) => commandsOfGuides(page));

test('the READMEs and each page contain commands, and both language versions of a page contain the same ones', () => {
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

/** The form of an output, regardless of its values: replaces each cell with `.` and each number with 0. */
const formOf = (text) => text.replace(/[#OX]/g, '.').replace(/\d+/g, '0').trimEnd();

for (const command of [...readme, ...examples, ...guides])
  test(command.code.slice(0, 100), () => withArbiter([], async ({ port }) => {
    const form = command.varies ? formOf : String;
    assert.equal(form(await run(command, port)), form(at(command.answer, port)));
  }));

// The first request for each game is also sent with an Accept header that asks for a picture. To update a picture, add this header
// to the command in the README.
for (const game of ['pawn', 'go', 'mine'])
  test(`docs/${game}.svg is the picture for the README's ${game} request`, () => withArbiter([], async ({ port }) => {
    const question = readme.find(({ code }) => code.startsWith('curl ') && code.endsWith(`/${game}`));
    const drawn = await run({ ...question, code: `${question.code} -H 'accept: image/svg+xml'` }, port);
    assert.equal(readFileSync(new URL(`../../docs/${game}.svg`, import.meta.url), 'utf8'), drawn);
  }));
