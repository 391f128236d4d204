// The README by hand: every command in it is run, and answers what stands below it; every program in it is run, and
// prints what stands behind its `console.log`.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { withArbiter } from '../server/arbiter.mjs';

register('../web/http_modules.mjs', import.meta.url);

const TOP = fileURLToPath(new URL('../..', import.meta.url));
const README = readFileSync(`${TOP}/README.md`, 'utf8');

const commands = [...README.matchAll(/^```console\n([\s\S]*?)^```/gm)].flatMap(([, block]) =>
  block.split(/^\$ /m).slice(1).map((part) => {
    const end = part.indexOf('\n');
    return { command: part.slice(0, end), answer: part.slice(end + 1) };
  }),
);

test('the README has a command for each route, in both forms', () => {
  for (const route of ['/pawn', '/go', '/mine'])
    for (const form of ['--json', 'text/plain'])
      assert.ok(commands.some(({ command }) => command.includes(form) && command.endsWith(route)), `${form} ${route}`);
});

for (const { command, answer } of commands)
  test(command.slice(0, 100), () => withArbiter([], async (arbiter) => {
    const here = command.replace('http://127.0.0.1:8080', `http://127.0.0.1:${arbiter.port}`);
    const program = process.env.ARBITER_BINARY ?? `${TOP}/build/arbiter`;
    const line = here.replace(/^curl /, 'curl -s ').replace('build/arbiter', program);
    assert.notEqual(line, here, 'it asks the program');
    const { stdout } = await promisify(execFile)('bash', ['-c', line], { cwd: TOP });
    assert.equal(stdout, answer);
  }));

const programs = [...README.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, program]) => program);

test('the README has a program with the client, and one without', () => {
  assert.deepEqual(programs.map((program) => program.includes('/web/arbiter.js')), [true, false]);
});

for (const program of programs)
  test(program.slice(0, program.indexOf('\n')), (t) => withArbiter([], async (arbiter) => {
    const printed = [];
    t.mock.method(console, 'log', (...words) => printed.push(words.join(' ')));
    const here = program.replaceAll('http://127.0.0.1:8080', `http://127.0.0.1:${arbiter.port}`);
    await import(`data:text/javascript,${encodeURIComponent(here)}`);
    const promised = [...program.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].flatMap(([, text]) => text.split(', '));
    assert.deepEqual(printed, promised);
  }));
