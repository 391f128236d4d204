// The client's types agree with openapi.yaml, and are available to users of the package.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const TOP = fileURLToPath(new URL('../..', import.meta.url));
const OPTIONS = {
  strict: true,
  noEmit: true,
  allowJs: true,
  skipLibCheck: true,
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
  module: 'es2022',
  moduleResolution: 'bundler',
  types: [],
};

test('types.ts compiles: the types match the contract, and incorrect uses are errors', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'arbiter-types-'));
  const run = (command, ...args) =>
    promisify(execFile)(join(TOP, 'node_modules/.bin', command), args, { cwd: folder }).catch((error) => {
      assert.fail(`${command}: ${error.stdout}${error.stderr}`);
    });
  try {
    await symlink(join(TOP, 'web'), join(folder, 'web'));
    await cp(join(HERE, 'types.ts'), join(folder, 'types.ts'));
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files: ['types.ts'] }));
    await run('openapi-typescript', join(TOP, 'openapi.yaml'), '-o', 'schema.ts');
    await run('tsc', '-p', '.');
  } finally {
    await rm(folder, { recursive: true });
  }
});
