// Completion of the program's arguments in bash and zsh. The program prints the completion scripts, and the build installs them. The
// scripts run the program whose arguments they complete, so it must be in PATH here.
//
// ARBITER_BINARY  the program

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';

import { Arbiter } from '../server/arbiter.mjs';
import { until } from '../server/client.mjs';

const { ARBITER_BINARY: PROGRAM } = process.env;
const PATH = dirname(PROGRAM) + delimiter + process.env.PATH;
const ENV = { ...process.env, PATH };
let folder;

const print = (...args) => execFileSync(PROGRAM, args, { encoding: 'utf8' });


before(() => {
  folder = mkdtempSync(join(tmpdir(), 'arbiter-completion-'));
  writeFileSync(join(folder, 'arbiter'), print('--completion-bash'));
  writeFileSync(join(folder, '_arbiter'), print('--completion-zsh'));
  mkdirSync(join(folder, 'files'));
  writeFileSync(join(folder, 'files', 'question.json'), '');
});
after(() => rmSync(folder, { recursive: true }));

/** The options in a help text, including --help and -h. */
const optionsIn = (help) => [...help.matchAll(/^ {2}(--[a-z-]+)(?:, (-[a-zA-Z]))?/gm)].flatMap(([, name, letter]) => [name, letter])
  .filter((name) => name !== undefined);
const COMMANDS = [...print('--help').matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
const ROUTES = ['pawn', 'go', 'mine'];
const sorted = (words) => [...words].sort();

function needs(t, tool) {
  if (spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0) return true;
  assert.notEqual(process.env.CI, 'true', `${tool} is not installed`);
  t.skip(`${tool} is not installed`);
  return false;
}

/** The completions that bash offers for the last of these words, sorted, or "FILES" if it offers files. */
function bash(...words) {
  const script = `
    compopt() { [[ $* == "-o default" ]] && echo FILES; }
    source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _arbiter; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ['--norc', '-c', script, join(folder, 'arbiter'), 'arbiter', ...words];
  const { stdout, stderr } = spawnSync('bash', args, { encoding: 'utf8', env: ENV, stdio: ['ignore', 'pipe', 'pipe'] });
  assert.equal(stderr, '');
  return sorted(stdout.split('\n').filter((word) => word !== ''));
}

test('bash completes commands, and the options that the help lists for each command', () => {
  assert.deepEqual(bash(''), sorted([...COMMANDS, ...optionsIn(print('--help'))]));
  assert.deepEqual(bash('so'), ['solve']);
  assert.deepEqual(bash('--max-pawn'), ['--max-pawn-cells', '--max-pawn-cells-total']);
  assert.deepEqual(bash('--port', '0', '--lis'), ['--listen']);
  assert.deepEqual(bash('solve', '-'), sorted([...optionsIn(print('solve', '--help')), '-h']));
  assert.deepEqual(bash('health', ''), sorted(['--listen', '--port', '--ops-port', '--help', '-h']));
  assert.deepEqual(bash('help', ''), sorted(COMMANDS));
  assert.deepEqual(bash('solve', '--completion'), []);
});

test('bash completes the values of an option, after a blank or an equals sign', () => {
  assert.deepEqual(bash('solve', '--from', ''), ['drawing', 'json', 'ndjson', 'sgf', 'text']);
  assert.deepEqual(bash('solve', 'pawn', '--to', '=', 's'), ['svg']);
  assert.deepEqual(bash('solve', 'pawn', '--to', '='), ['json', 'lint', 'ndjson', 'svg', 'text']);
  assert.deepEqual(bash('solve', '--progress', 'a'), ['always', 'auto']);
  assert.deepEqual(bash('--log-level', ''), ['debug', 'error', 'info', 'warn']);
  assert.deepEqual(bash('--port', ''), []);
  assert.deepEqual(bash('solve', '--game', '=', '1'), []);
});

test('bash completes the values of every option with a fixed set of values', () => {
  for (const command of [[], ['solve'], ['make', 'go']])
    for (const option of optionsIn(print(...command.slice(0, 1), '--help')).filter((name) => name.startsWith('--'))) {
      const { stderr } = spawnSync(PROGRAM, [...command, option, '?', '--port', 'x'], { encoding: 'utf8' });
      const [, words] = /^arbiter: --[a-z-]+ is "\?"; it must be (\w+(?:, \w+)* or \w+)$/m.exec(stderr) ?? [];
      if (words !== undefined && words !== 'true or false') assert.deepEqual(bash(...command, option, ''), sorted(words.split(/, | or /)), option);
    }
});

test('bash completes the game for solve and then files, before and after options', () => {
  const options = [[], ['--to', 'json'], ['--to', '=', 'json'], ['--with-file'], ['--with-file', '--from', 'sgf']];
  for (const before of options) {
    assert.deepEqual(bash('solve', ...before, ''), sorted(ROUTES), before.join(' '));
    assert.deepEqual(bash('solve', ...before, 'p'), ['pawn'], before.join(' '));
    assert.deepEqual(bash('solve', 'go', ...before, ''), ['FILES'], before.join(' '));
    assert.deepEqual(bash('solve', 'go', 'a.sgf', ...before, 'b'), ['FILES'], before.join(' '));
  }
  assert.deepEqual(bash('make', '--count', '3', ''), sorted(ROUTES));
  assert.deepEqual(bash('make', 'pawn', '--turn', ''), ['Black', 'Red', 'random']);
  assert.deepEqual(bash('make', 'pawn', ''), []);
});

/**
 * Types a line into an interactive shell in which `arbiter` is a function that prints each of its arguments in <>. Resolves to what it
 * prints.
 */
async function type(t, shell, line) {
  const under = ['script', '-qec', `cd '${folder}/files' && exec ${shell}`, '/dev/null'];
  const env = { PATH, ZDOTDIR: folder, TERM: 'dumb', INPUTRC: '/dev/null', HOME: folder };
  const terminal = new Arbiter([], { under, env, program: [], stdin: 'pipe' });
  t.after(() => terminal.signal('SIGKILL'));
  await until('the shell is ready', () => terminal.stdout.includes('ready>'));
  terminal.child.stdin.write(`${line}\r`);
  await until('the line was taken', () => /^<.*>\r$/m.test(terminal.stdout), { about: line });
  terminal.child.stdin.write('exit\r');
  await terminal.leaves();
  return /^(<.*>)\r$/m.exec(terminal.stdout)[1];
}

const TYPED = [
  ['arbiter sol\tpaw\t--fr\tnd\tques\t', '<solve><pawn><--from><ndjson><question.json>'],
  ['arbiter solve --prog\tnev\tmi\tques\t', '<solve><--progress><never><mine><question.json>'],
  ['arbiter solve go --to=sv\t', '<solve><go><--to=svg>'],
  ['arbiter --log-l\tdeb\t--drain-d\t3', '<--log-level><debug><--drain-delay><3>'],
  ['arbiter help hea\t', '<help><health>'],
  ['arbiter mak\tpaw\t--tu\tBl\t', '<make><pawn><--turn><Black>'],
];

test('bash completes what is typed', async (t) => {
  const rc = join(folder, 'bashrc');
  writeFileSync(rc, `arbiter() { printf '<%s>' "$@"; echo; }\nsource ${folder}/arbiter\nPS1='ready>'\n`);
  for (const [line, words] of TYPED) assert.equal(await type(t, `bash --noprofile --rcfile ${rc} -i`, line), words, line);
});

test('zsh completes what is typed', async (t) => {
  if (!needs(t, 'zsh')) return;
  writeFileSync(join(folder, '.zshrc'), `unsetopt zle_bracketed_paste prompt_sp\nfpath=(${folder} $fpath)
autoload -U compinit && compinit -D -u\narbiter() { printf '<%s>' "$@"; echo }\nPS1='ready>'\n`);
  // When zsh completes an option that takes its value after an equals sign, it inserts that sign.
  const typed = TYPED.map(([line, words]) => [line, words.replaceAll(/(--[a-z-]+)><(?!-|mine)/g, '$1=')]);
  for (const [line, words] of typed) assert.equal(await type(t, 'zsh -i', line), words, line);
});

test('for each command, zsh shows every option in the help with its description', (t) => {
  if (!needs(t, 'zsh')) return;
  for (const command of ['', 'solve', 'make', 'health']) {
    const script = '_arguments() { shift; print -rl -- "$@" }; words=(arbiter ${@}); CURRENT=$#words; source "$0"';
    const args = ['-f', '-c', script, join(folder, '_arbiter'), ...(command === '' ? [] : [command]), '-'];
    const { stdout, stderr } = spawnSync('zsh', args, { encoding: 'utf8', env: ENV, stdio: ['ignore', 'pipe', 'pipe'] });
    assert.equal(stderr, '');
    const options = [...stdout.matchAll(/^(?:\(- \*\))?(--?[a-zA-Z-]+)=?\[(.+)\]/gm)].map(([, name]) => name);
    const help = command === '' ? print('--help') : print(command, '--help');
    const expected = command === '' ? optionsIn(help) : [...optionsIn(help), ...(command === 'health' ? ['--help'] : []), '-h'];
    assert.deepEqual(sorted(options), sorted(expected), command);
  }
});
