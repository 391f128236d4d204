// Clients generated from openapi.yaml compile with --strict and work with the service.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withArbiter } from '../server/arbiter.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const TOP = fileURLToPath(new URL('../..', import.meta.url));
const OPENAPI = join(TOP, 'openapi.yaml');

// Generated files and build output go into a separate folder, which uses the packages installed here.
const folder = await mkdtemp(join(tmpdir(), 'arbiter-clients-'));
after(() => rm(folder, { recursive: true }));

async function run(command, ...args) {
  try {
    await promisify(execFile)(join(TOP, 'node_modules/.bin', command), args, { cwd: folder });
  } catch (error) {
    assert.fail(`${command}: ${error.stdout}${error.stderr}`);
  }
}

before(async () => {
  await symlink(join(TOP, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type":"commonjs"}');
  for (const file of ['tsconfig.json', 'openapi_fetch.ts', 'hey_api.ts']) await cp(join(HERE, file), join(folder, file));
});

// The order matters: each test needs the files from the previous ones.
test('openapi-typescript reads the description', () => run('openapi-typescript', OPENAPI, '-o', 'openapi_typescript/schema.ts'));
test('@hey-api/openapi-ts reads the description', () => run('openapi-ts', '-s', '-i', OPENAPI, '-o', 'hey_api'));
test('the clients compile with --strict; deliberate mistakes do not', () => run('tsc', '-p', 'tsconfig.json'));

const answers = [
  'Red 7',
  'Red 1,Tie null',
  '422 count /board',
  '2 occupied B./..',
  ' B./.., B./.W',
  '422 value /moves/0/1',
  'Fanglaoshi 0',
  'Fanglaoshi 0,Xiemao 1',
  '422 length /board/1',
  'Xiemao 1',
  '422 length /board',
  '1000',
];

for (const client of ['openapi_fetch', 'hey_api']) {
  test(`${client} gets answers on every route: for a case, a batch, an error and a link`, () =>
    withArbiter([], async ({ port }) => {
      const { ask } = createRequire(import.meta.url)(join(folder, 'built', `${client}.js`));
      assert.deepEqual(await ask(`http://127.0.0.1:${port}`), answers);
    }));
}
