// The program's help and version, and its messages about unknown commands.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { COMMAND, run, withArbiter } from '../server/arbiter.mjs';

/** Runs the program, checks that its status is 0 and standard error is empty, and returns standard output. */
async function print(...args) {
  const { code, stdout, stderr } = await run(args);
  assert.deepEqual([code, stderr], [0, ''], args.join(' '));
  return stdout;
}

test('help prints the help for the program, and help COMMAND the help for a command', async () => {
  const all = await print('--help');
  for (const args of [['help'], ['-h'], ['help', 'help'], ['help', '--help'], ['help', '-h']]) assert.equal(await print(...args), all);
  for (const command of ['solve', 'make', 'health']) {
    assert.equal(await print('help', command), await print(command, '--help'));
    assert.equal(await print(command, '-h'), await print(command, '--help'));
    assert.match(all, new RegExp(`^ {2}${command} `, 'm'));
  }
  assert.match(all, /^ {2}help /m);
});

test('-V, --version and version print the version', async () => {
  const line = await print('--version');
  assert.match(line, /^arbiter \d+\.\d+\.\d+\S* \(\S+\)\n$/);
  for (const args of [['-V'], ['version'], ['serve', '--version']]) assert.equal(await print(...args), line);
  for (const args of [['version', 'x'], ['version', '--port', '1']]) assert.equal((await run(args)).code, 2, args.join(' '));
});

test('serve is what the program does without a command', async () => {
  const all = await print('--help');
  for (const args of [['serve', '--help'], ['help', 'serve'], ['help', 'version']]) assert.equal(await print(...args), all);
  assert.equal(await print('serve', '--check'), await print('--check'));
  assert.equal((await run(['serve', 'x'])).stderr, 'arbiter: unexpected argument "x"; see --help\n');
  assert.equal((await run(['serve', '--port', 'x'])).code, 2);
  await withArbiter(['serve', '--port', 0, '--max-cases', 7], async (arbiter) => {
    assert.equal((await arbiter.limits()).max_cases, 7);
  }, { port: null });
});

test('an unknown option is named in the message, with one that is near', async () => {
  for (const [args, words] of [
    [['--prot', '1'], 'unknown option "--prot"; did you mean --port?'],
    [['--max-case', '1'], 'unknown option "--max-case"; did you mean --max-cases?'],
    [['--MAX-CASES=1'], 'unknown option "--MAX-CASES=1"; did you mean --max-cases?'],
    [['serve', '--halp'], 'unknown option "--halp"; did you mean --help?'],
    [['solve', 'pawn', '--include-all'], 'unknown option "--include-all"; see arbiter help solve'],
    [['solve', 'pawn', '--includes', 'line'], 'unknown option "--includes"; did you mean --include?'],
    [['solve', 'pawn', '--port', '1'], 'unknown option "--port"; see arbiter help solve'],
    [['health', '--prot', '1'], 'unknown option "--prot"; did you mean --port?'],
    [['-p', '1'], 'unknown option "-p"; did you mean --port?'],
    [['-v'], 'unknown option "-v"; did you mean --version?'],
    [['solve', 'pawn', '-o', 'file'], 'unknown option "-o"; did you mean --output?'],
    [['-x'], 'unknown option "-x"; see --help'],
    [['--'], 'unknown option "--"; see --help'],
  ]) {
    const { stdout, stderr, code } = await run(args);
    assert.deepEqual([stdout, stderr], ['', `arbiter: ${words}\n`], args.join(' '));
    assert.ok(code === 2 || args[0] === 'health', args.join(' '));
  }
});

test('an unknown game is named in the message, with those that exist', async () => {
  for (const command of ['solve', 'make'])
    for (const [game, meant] of [['paw', 'pawn'], ['Mine', 'mine'], ['minesweeper', 'mine'], ['weiqi', 'go'], ['chess'], ['']]) {
      const { code, stdout, stderr } = await run([command, game]);
      const advice = meant ? `did you mean "${meant}"?` : `it must be pawn, go or mine (see arbiter help ${command})`;
      assert.deepEqual([code, stdout, stderr], [2, '', `arbiter: unknown game "${game}"; ${advice}\n`]);
    }
});

test('an unknown command is named in the message', async () => {
  for (const args of [['slove'], ['slove', 'pawn'], ['help', 'slove']]) {
    const { code, stdout, stderr } = await run(args);
    assert.deepEqual([code, stdout, stderr], [2, '', 'arbiter: unknown command "slove"; did you mean "solve"?\n']);
  }
  for (const [name, meant] of [['Serve', 'serve'], ['versoin', 'version'], ['helth', 'health'], ['hepl', 'help'], ['pawn', 'solve'], ['sol'], ['x'.repeat(500)]]) {
    const { code, stdout, stderr } = await run([name]);
    const advice = meant ? `did you mean "${meant}"?` : 'see arbiter --help';
    assert.deepEqual([code, stdout, stderr], [2, '', `arbiter: unknown command "${name}"; ${advice}\n`]);
  }
  const two = await run(['help', 'solve', 'health']);
  assert.deepEqual([two.code, two.stdout, two.stderr], [2, '', 'arbiter: help takes only one command; see arbiter --help\n']);
  assert.equal((await run(['--port', '0', 'x'])).stderr, 'arbiter: unexpected argument "x"; see --help\n');
});

test('bash and zsh can read the completion scripts', async () => {
  const bash = await print('--completion-bash');
  assert.equal(spawnSync('bash', ['-n'], { input: bash, encoding: 'utf8' }).stderr, '');
  const zsh = await print('--completion-zsh');
  assert.ok(zsh.startsWith('#compdef arbiter\n'));
});

test('the manual page contains every route, command, and option of solve and make, and all its placeholders are replaced', async () => {
  const page = await print('--man');
  const optionsOf = async (command) => [...(await print(command, '--help')).matchAll(/^ {2}(--[a-z-]+) .*\]$/gm)].map(([, name]) => name.replaceAll('-', '\\-'));
  for (const name of ['POST /pawn', 'POST /go', 'POST /mine', 'serve', 'solve', 'make', 'health', 'version', 'help']) assert.ok(page.includes(`.B ${name}\n`), name);
  for (const command of ['solve', 'make'])
    for (const name of await optionsOf(command))
      assert.match(page.slice(page.indexOf(`.SH OPTIONS OF ${command.toUpperCase()}`)), new RegExp(`${name.replaceAll('\\', '\\\\')}\\b`));
  assert.doesNotMatch(page, /^@/m);
});

/** The example commands on the manual page. */
function examplesIn(page) {
  const [, section] = /^\.SH EXAMPLES\n([^]*?)^\.SH /m.exec(page);
  return [...section.matchAll(/^\.RS\n(.*)$/gm)].map(([, line]) =>
    line.replaceAll('\\(aq', '\'').replace(/\\([-\\])/g, '$1'));
}

test('every example on the manual page is a valid command', async () => {
  const examples = examplesIn(await print('--man'));
  assert.ok(examples.length >= 5);
  const folder = mkdtempSync(join(tmpdir(), 'arbiter-examples-'));
  const script = (name, text) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  cpSync(fileURLToPath(new URL('../../examples/', import.meta.url)), folder, { recursive: true });
  script('arbiter', `exec ${COMMAND.map((word) => `'${word}'`).join(' ')} "$@"`);
  script('generator', 'printf "%s\\n" \'{"id":1,"board":["OO","X."]}\' \'{"id":2,"board":["OO","X."]}\'');
  const options = await print('--help');
  try {
    await withArbiter([], ({ port }) => {
      for (const example of examples) {
        if (/^arbiter --/.test(example)) { // not run, because it would listen on a port that another program may be using
          for (const [name] of example.matchAll(/--[a-z-]+/g)) assert.ok(options.includes(`  ${name} `), example);
          continue;
        }
        const line = example.replace('127.0.0.1:8080', `127.0.0.1:${port}`).replace(/^curl/, 'curl -sS --fail');
        const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
          cwd: folder, env: { PATH: `${folder}:${process.env.PATH}` }, encoding: 'utf8',
        });
        assert.deepEqual([status, stderr], [0, ''], example);
        const [, target] = / > (\S+)$/.exec(example) ?? [];
        assert.notEqual(target === undefined ? stdout : readFileSync(join(folder, target), 'utf8'), '', example);
      }
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a text that can’t be written is an error with a reason', async () => {
  for (const args of [['help'], ['help', 'solve'], ['make', '--help'], ['version'], ['--check'], ['--man'], ['--completion-bash']]) {
    const { code, stderr } = await run(args, { under: ['sh', '-c', 'exec "$@" >/dev/full', 'sh'] });
    assert.deepEqual([code, stderr], [1, 'arbiter: standard output: No space left on device\n'], args.join(' '));
  }
});
