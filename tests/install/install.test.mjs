// The files installed by `meson install`, and the hardening of the program.
//
// ARBITER_BUILD   the build folder
// ARBITER_BINARY  the program

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

const { ARBITER_BUILD: BUILD, ARBITER_BINARY: PROGRAM } = process.env;
let root;

const output = (command, ...args) => execFileSync(command, args, { encoding: 'utf8' });

/** Skips the test if a tool is missing; with CI=true, a missing tool is a failure. */
function needs(t, tool) {
  if (spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0) return true;
  assert.notEqual(process.env.CI, 'true', `${tool} is not installed`);
  t.skip(`${tool} is not installed`);
  return false;
}

function* files(folder, below = '') {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true }))
    if (entry.isDirectory()) yield* files(folder, join(below, entry.name));
    else yield join(below, entry.name);
}

before(() => {
  root = mkdtempSync(join(tmpdir(), 'arbiter-install-'));
  output('meson', 'install', '-C', BUILD, '--no-rebuild', '--destdir', root);
});

after(() => rmSync(root, { recursive: true }));

test('only the program, manual page, completion scripts, units and licence are installed under DESTDIR', () => {
  assert.deepEqual([...files(root)].sort(), [
    'usr/local/bin/arbiter',
    'usr/local/lib/systemd/system/arbiter.service',
    'usr/local/lib/systemd/system/arbiter.socket',
    'usr/local/lib/systemd/system/arbiter@.service',
    'usr/local/share/bash-completion/completions/arbiter',
    'usr/local/share/doc/arbiter/LICENSE',
    'usr/local/share/man/man1/arbiter.1',
    'usr/local/share/zsh/site-functions/_arbiter',
  ]);
});

test('the installed program is the one that was built, and runs', () => {
  const installed = join(root, 'usr/local/bin/arbiter');
  assert.equal(statSync(installed).mode & 0o777, 0o755);
  assert.equal(output(installed, '--version'), output(PROGRAM, '--version'));
});

test('the installed manual page is the output of --man, and mandoc finds no errors in it', (t) => {
  const page = join(root, 'usr/local/share/man/man1/arbiter.1');
  assert.equal(readFileSync(page, 'utf8'), output(PROGRAM, '--man'));
  if (!needs(t, 'mandoc')) return;
  assert.equal(output('mandoc', '-T', 'lint', '-W', 'error', page), '');
  const text = output('mandoc', '-T', 'ascii', page).replace(/.\x08/g, '');
  for (const line of output(PROGRAM, '--help').matchAll(/^ {2}(--[a-z-]+)/gm)) assert.ok(text.includes(line[1]), line[1]);
});

const unitFile = (name) => join(root, 'usr/local/lib/systemd/system', name);

test('systemd finds no errors in the units', (t) => {
  if (!needs(t, 'systemd-analyze')) return;
  const folder = mkdtempSync(join(root, 'units-'));
  const units = ['arbiter.service', 'arbiter.socket', 'arbiter@.service'].map((name) => {
    // systemd-analyze checks that the program and the manual page exist.
    const text = readFileSync(unitFile(name), 'utf8').replaceAll('/usr/local/bin/', join(root, 'usr/local/bin/'))
      .replace(/^Documentation=.*\n/m, '');
    const path = join(folder, name.replace('@', '@8081'));
    writeFileSync(path, text);
    return path;
  });
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], { encoding: 'utf8' });
  assert.equal(stdout + stderr, '');
  assert.equal(status, 0);
});

for (const [name, command] of [
  ['arbiter.service', 'arbiter'],
  ['arbiter@.service', 'arbiter --port %i --ops-port 1%i'],
]) {
  test(`${name} starts the installed program, and systemd rates its exposure at no more than 2.0`, (t) => {
    const text = readFileSync(unitFile(name), 'utf8');
    assert.match(text, new RegExp(`^ExecStart=/usr/local/bin/${command}$`, 'm'));
    assert.doesNotMatch(text, /^@/m);
    if (!needs(t, 'systemd-analyze')) return;
    const { status, stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', unitFile(name)], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout.split('\n').slice(-2).join('\n'));
    assert.match(stdout, /Overall exposure level for arbiter[@\w-]*\.service: [01]\.\d/);
  });
}

// The following tests check the hardening options that all tested compilers support.
const dynamic = () => output('readelf', '--wide', '--dynamic', PROGRAM);
const segments = () => output('readelf', '--wide', '--segments', PROGRAM);
const imports = () => output('readelf', '--wide', '--dyn-syms', PROGRAM);

test('the program is a position-independent executable', () => {
  assert.match(output('readelf', '--wide', '--file-header', PROGRAM), /Type: +DYN/);
  assert.match(dynamic(), /FLAGS_1\).*\bPIE\b/);
});

test('the program binds all symbols at startup and makes their table read-only', () => {
  assert.match(dynamic(), /\bBIND_NOW\b/);
  assert.match(segments(), /^ *GNU_RELRO /m);
});

test('no segment of the program is both writable and executable, and the stack is not executable', () => {
  assert.match(segments(), /^ *GNU_STACK .* RW +0x/m);
  assert.doesNotMatch(segments(), /^ *[A-Z_]+ .* RWE /m);
});

test('the program has stack protectors and fortified calls', () => {
  assert.match(imports(), /__stack_chk_fail/);
  assert.match(imports(), /__(vsnprintf|snprintf|memcpy|printf)_chk/);
});

test('on processors that support it, functions begin with a landing pad for indirect calls', (t) => {
  if (process.arch !== 'x64') return t.skip(`not on ${process.arch}`);
  assert.match(output('objdump', '--disassemble=main', PROGRAM), /<main>:\n.*endbr64/);
});
