// Control characters in a file, a file name or an argument do not reach the terminal: they are escaped on standard error, and on
// standard output if it is a terminal.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { COMMAND, run } from '../server/arbiter.mjs';

const CONTROLS = '\x1b[31m\x07\t\n\x7f\u009b2J\u061c\u200e\u202e\u2066';
const ESCAPED = String.raw`\u001b[31m\u0007\u0009\u000a\u007f\u009b2J\u061c\u200e\u202e\u2066`;
const PAWN = '{"board":["OO","X."]}';

let folder;
before(() => (folder = mkdtempSync(join(tmpdir(), 'arbiter-escaping-'))));
after(() => rmSync(folder, { recursive: true }));

/** Fails if a text contains characters that could control a terminal, other than line feeds. */
function requireHarmless(text, about) {
  assert.doesNotMatch(text, /[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/, about);
}

test('file names are escaped in messages', async () => {
  const missing = await run(['solve', 'pawn', join(folder, CONTROLS)]);
  assert.equal(missing.stderr, `arbiter: ${join(folder, ESCAPED)}: No such file or directory\n`);
  const path = join(folder, `${CONTROLS}.json`);
  writeFileSync(path, '{"board":["OO","X"]}');
  const refused = await run(['solve', 'pawn', path]);
  requireHarmless(refused.stderr);
  assert.equal(refused.stderr.split('\n').length, 2);
  assert.equal(JSON.parse(refused.stderr).file, path);
  const stray = await run(['solve', 'pawn', '--ko', 'simple', path]);
  assert.equal(stray.stderr, `arbiter: ${join(folder, ESCAPED)}.json: --ko is only for SGF records; a Go case in JSON has "rules" instead\n`);
});

test('arguments and variables are escaped in messages', async () => {
  const commands = [
    [['solve', CONTROLS]], [['solve', 'pawn', `--${CONTROLS}`]], [['solve', 'pawn', '--from', CONTROLS]],
    [['solve', 'pawn', '--workers', CONTROLS]], [[`--${CONTROLS}`]], [[CONTROLS]], [['--port', CONTROLS]],
    [['--log-level', CONTROLS]], [['--cors-origin', CONTROLS]], [['--trusted-proxy', CONTROLS]], [['--listen', CONTROLS]],
    [['health', CONTROLS]], [['health', '--listen', CONTROLS]], [['--port=0'], { ARBITER_WORKERS: CONTROLS }],
  ];
  for (const [args, env] of commands) {
    const { code, stdout, stderr } = await run(args, { env });
    const about = JSON.stringify({ args, code, stdout, stderr });
    assert.ok(code === 1 || code === 2, about);
    requireHarmless(stdout + stderr, about);
    assert.ok(stderr.includes(String.raw`\u001b[31m\u0007`), about);
    assert.equal(stderr.split('\n').length, 2, about);
  }
});

test('file content is escaped in problems, without changing what it means', async () => {
  for (const body of [`{"board":["OO","X."],"\u009b\u202e\x7f":1}`, '{"board":["OO","\u009b\u202e"]}', '\u009b31m', '\u202e']) {
    const { code, stderr } = await run(['solve', 'pawn'], { input: body });
    assert.equal(code, 3);
    requireHarmless(stderr, body);
    assert.ok(JSON.parse(stderr).detail.includes('\u202e') || JSON.parse(stderr).detail !== '', body);
  }
});

const ID = '\u009b31m\u202e棋\x7f'; // JSON may contain these unescaped
const RESULT = '"verdict":"Red","steps":1}';

/** What `solve` writes to standard output if that is a terminal, as bytes. */
async function onTerminal(args, input) {
  const path = join(folder, 'input');
  writeFileSync(path, input);
  const line = [...COMMAND, 'solve', ...args].map((word) => `'${word}'`).join(' ');
  const { code, stdout } = await run([], { under: ['script', '-qec', `exec ${line} <'${path}'`, '/dev/null'], program: [] });
  assert.equal(code, 0);
  return stdout.replaceAll('\r\n', '\n');
}

test('an answer is escaped only if standard output is a terminal', async () => {
  const question = `{"id":"${ID}","board":["OO","X."]}`;
  const plain = `{"id":"\u009b31m\u202e棋\\u007f",${RESULT}\n`;
  const escaped = String.raw`{"id":"\u009b31m\u202e棋\u007f",` + `${RESULT}\n`;
  assert.equal((await run(['solve', 'pawn'], { input: question })).stdout, plain);
  assert.equal(await onTerminal(['pawn'], question), escaped);
  assert.equal(await onTerminal(['pawn', '--from', 'ndjson'], `${question}\n${PAWN}\n`), `${escaped}{${RESULT}\n`);
  assert.equal(await onTerminal(['pawn', '--to', 'text'], PAWN), 'Red 1\n');
});

test('a line that is written in several pieces is escaped wherever it is cut', async () => {
  const ids = Array.from({ length: 2000 }, (_, at) => `${'x'.repeat(at % 7)}${'\u202e棋\u009b'.repeat(15)}`);
  const lines = ids.map((id) => JSON.stringify({ id, board: ['OO', 'X.'] })).join('\n');
  const shown = await onTerminal(['pawn', '--from', 'ndjson', '--workers', '1'], lines);
  requireHarmless(shown);
  assert.deepEqual(shown.trim().split('\n').map((line) => JSON.parse(line).id), ids);
});
