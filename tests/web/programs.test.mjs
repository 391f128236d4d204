// The programs from examples/ that tools/programs.py inserts into the guides: each page contains the full text of each program.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { withArbiter } from '../server/arbiter.mjs';

const top = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const read = (name) => readFileSync(top(name), 'utf8');

const NAMES = ['referee', 'puzzles', 'bot'];
const ENDINGS = ['py', 'mjs', 'sh'];

const folder = mkdtempSync(join(tmpdir(), 'arbiter-programs-'));
after(() => rmSync(folder, { recursive: true }));

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const ENTITIES = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** The programs on a page, each as [file, text]. */
const programsOf = (html) => [...html.matchAll(/<pre id="([^"]+)"[^>]*><code>([^<]*)<\/code><\/pre>/g)]
  .map(([, file, text]) => [file, text.replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? assert.fail(entity))]);

const pageOf = async (arbiter, language) => {
  const { status, body } = await arbiter.ask({ method: 'GET', target: `/docs/guides${language}` });
  assert.equal(status, 200);
  return body.toString();
};

for (const language of ['', '.zh']) {
  test(`/docs/guides${language} contains each program byte for byte, and otherwise matches its template`, () => withArbiter([], async (arbiter) => {
    const page = await pageOf(arbiter, language);
    const files = NAMES.flatMap((name) => ENDINGS.map((ending) => `${name}.${ending}`));
    assert.deepEqual(programsOf(page), files.map((file) => [file, read(`examples/${file}`)]));
    const template = page.replace(/(?:<details class="program"[^]*?<\/details>\n){3}/g, (parts) => `@${/id="(\w+)/.exec(parts)[1]}@\n`);
    assert.equal(template, read(`web/docs/guides${language}.html.in`));
  }));
}

// As the page tells its readers to do, the test copies the program from the page and downloads the client from the service.
for (const [name, words, output] of [
  ['referee', [top('examples/ko.sgf')], `${top('examples/ko.sgf')}, game 1: 10 moves, all legal under simple ko (source: record)\n`],
  ['bot', [join(folder, 'field.json')], 'Xiemao clicks 0 0\n.\nXiemao wins\n'],
]) {
  test(`${name}.mjs runs in its own folder, with the client downloaded from the service`, () => withArbiter([], async (arbiter) => {
    const [, program] = programsOf(await pageOf(arbiter, '')).find(([file]) => file === `${name}.mjs`);
    const { body: client } = await arbiter.ask({ method: 'GET', target: '/web/arbiter.js' });
    assert.ok(program.includes("'../web/arbiter.js'"));
    writeFileSync(join(folder, 'arbiter.mjs'), client);
    writeFileSync(join(folder, 'field.json'), '{"board":["."]}');
    writeFileSync(join(folder, `${name}.mjs`), program.replace("'../web/arbiter.js'", "'./arbiter.mjs'"));
    const { stdout } = await promisify(execFile)(process.execPath, [`${name}.mjs`, '--at', `http://127.0.0.1:${arbiter.port}`, ...words], { cwd: folder });
    assert.equal(stdout, output);
  }));
}

/** What the tool makes from a template and programs (an object from file names to texts): { page }, or { refusal }. */
function made(template, programs) {
  const inputs = Object.entries({ 'page.html.in': template, ...programs }).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
  const output = join(folder, 'page.html');
  return new Promise((resolve) => {
    execFile('python3', ['-B', top('tools/programs.py'), output, ...inputs], (error, _, said) =>
      resolve(error ? { refusal: said } : { page: readFileSync(output, 'utf8') }));
  });
}

test('the text of a program is escaped, and line endings and placeholders in it are kept', async () => {
  const text = '\n<b>&amp;\t"\\1"\r\n@b@\n</code></pre>é\n';
  const { page, refusal } = await made('<main>\n@a@\n@b@\n</main>\n', { 'a.py': text, 'a.sh': 'sh', 'b.mjs': 'node' });
  assert.equal(refusal, undefined);
  assert.ok(page.includes(`<code>${escaped(text)}</code></pre>`), page);
  assert.deepEqual(page.match(/<details[^>]*>|<summary>\w+/g), [
    '<details class="program" open>', '<summary>Python', '<details class="program">', '<summary>Shell',
    '<details class="program" open>', '<summary>Node',
  ]);
});

for (const [what, template, programs] of [
  ['a program that the page does not show', '@a@\n', { 'a.py': '', 'b.py': '' }],
  ['a placeholder for a program that does not exist', '@a@\n@b@\n', { 'a.py': '' }],
  ['two placeholders for one program', '@a@\n@a@\n', { 'a.py': '' }],
  ['an unknown language', '@a@\n', { 'a.rb': '' }],
]) test(`the tool refuses ${what}`, async () => {
  assert.match((await made(template, programs)).refusal ?? '', /\w+Error: /);
});
