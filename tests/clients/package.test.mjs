// The client's npm package: the tarball that `npm pack` makes in client/ can be installed, imported, and compiled with its types, and
// the client's tests pass with the oldest supported version of Node.

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withArbiter } from '../server/arbiter.mjs';
import { ENDLESS } from '../server/bodies.mjs';

const TOP = fileURLToPath(new URL('../..', import.meta.url));
const NODE_18 = join(TOP, 'node_modules/node/bin/node');
const packageOf = JSON.parse(readFileSync(join(TOP, 'client/package.json'), 'utf8'));

const run = (command, args, cwd) => promisify(execFile)(command, args, { cwd }).catch((error) => {
  assert.fail(`${command} ${args.join(' ')}: ${error.stdout}${error.stderr}`);
});

const folder = mkdtempSync(join(tmpdir(), 'arbiter-package-'));
after(() => rmSync(folder, { recursive: true }));

const noNode18 = !existsSync(NODE_18) && 'there is no node_modules/node: script/modules all gets Node 18 where there is a network';

/** The package, as `npm pack` describes it. */
let packed;
before(async () => {
  const { stdout } = await run('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', folder], join(TOP, 'client'));
  [packed] = JSON.parse(stdout.slice(stdout.indexOf('[')));
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', join(folder, packed.filename)], folder);
});

const LOCAL = ['arbiter.d.ts', 'arbiter.js', 'arbiter.node.js', 'arbiter.wasm', 'engine.js', 'host.js', 'host.node.js', 'localized.js', 'pool.js',
  'serve.js', 'worker.js', 'worker.node.js'];

test('the package contains only the client, the engine, types, README, package.json and licence', () => {
  assert.deepEqual(packed.files.map(({ path }) => path).sort(),
    ['LICENSE', 'README.md', 'arbiter.d.ts', 'arbiter.js', ...LOCAL.map((name) => `local/${name}`), 'package.json']);
  for (const [file, source] of [['arbiter.js', 'web/arbiter.js'], ['arbiter.d.ts', 'web/arbiter.d.ts'], ['LICENSE', 'LICENSE']]) {
    const installed = readFileSync(join(folder, 'node_modules/arbiter-client', file), 'utf8');
    assert.equal(installed, readFileSync(join(TOP, source), 'utf8'), file);
  }
  assert.deepEqual([packageOf.dependencies, packageOf.engines], [undefined, { node: '>=18' }]);
  for (const file of ['arbiter.js', 'arbiter.d.ts', 'LICENSE', 'local/arbiter.wasm']) assert.ok(!existsSync(join(TOP, 'client', file)), `${file} was not removed`);
});

test('the package has the same version as the project', () => {
  const [, version] = /^ {2}version: '(.+)',$/m.exec(readFileSync(join(TOP, 'meson.build'), 'utf8'));
  assert.equal(packageOf.version, version);
});

test('the example in the package\'s README prints what its comments say', () => withArbiter([], async ({ port }) => {
  const [program, , options] = [...readFileSync(join(TOP, 'client/README.md'), 'utf8').matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code);
  writeFileSync(join(folder, 'program.mjs'), program.replace('127.0.0.1:8080', `127.0.0.1:${port}`));
  const { stdout } = await run(process.execPath, ['program.mjs'], folder);
  assert.equal(stdout, 'Red 7\na 1\nb 0\n');
  writeFileSync(join(folder, 'options.mjs'), `import { Arbiter } from 'arbiter-client';\n${options}`);
  await run(process.execPath, ['options.mjs'], folder);
}));

for (const [node, version] of [[process.execPath, 'this Node'], [NODE_18, 'Node 18']]) {
  test(`without a service, the three lines in README print the answer in ${version}`, { skip: node === NODE_18 && process.env.CI !== 'true' && noNode18 }, async () => {
    const local = [...readFileSync(join(TOP, 'client/README.md'), 'utf8').matchAll(/^```js\n(.*?)^```$/gms)][1][1];
    assert.equal(local.trim().split('\n').filter((line) => line !== '').length, 3);
    writeFileSync(join(folder, 'local.mjs'), local);
    assert.equal((await run(node, ['local.mjs'], folder)).stdout, 'Red 7\n'); // the program ends, although there is an idle worker
  });
}

test('without a service, errors, streams, batches, texts and pictures are as with one', async () => {
  writeFileSync(join(folder, 'all.mjs'), `
    import { Arbiter, Problem, ArbiterError } from 'arbiter-client/local';
    import { Arbiter as Client } from 'arbiter-client';
    const arbiter = new Arbiter({ limits: { max_cases: 2, max_search_states: 100000000 } }), board = ['O.O', 'X..'];
    const error = await arbiter.pawn({ board: ['x'] }).catch((error) => error);
    const lines = [];
    for await (const line of arbiter.stream('mine', [{ id: 1, board: ['...'] }, { id: 2, board: ['*.'] }])) lines.push(line.id);
    const control = new AbortController();
    const aborted = arbiter.mine(${JSON.stringify(JSON.parse(ENDLESS.body))}, { signal: control.signal }).catch(({ name }) => name);
    setImmediate(() => control.abort());
    console.log(JSON.stringify([arbiter instanceof Client, error instanceof Problem && error instanceof ArbiterError, error.status, lines,
      (await arbiter.batch('pawn', [{ board }, { board }, { board }])).length, await arbiter.text('pawn', { board }),
      (await arbiter.picture('pawn', { board })).slice(0, 4), (await arbiter.record('(;SZ[3];B[bb])')).played, (await arbiter.limits()).max_cases,
      await aborted, await new Arbiter({ limits: { max_case: 5 } }).pawn({ board }).catch(({ message }) => message),
      await new Arbiter({ timeout: 1 }).pawn({ board }).catch(({ message }) => message)]));
    arbiter.close();
  `);
  const { stdout } = await run(process.execPath, ['all.mjs'], folder);
  assert.deepEqual(JSON.parse(stdout), [true, true, 422, [1, 2], 3, 'Red 1\n', '<svg', 1, 2, 'AbortError',
    "the engine can't answer: the engine failed: the limit max_case can't be 5: docs/options.md lists the names and the largest values",
    'no answer within 1 ms']);
});

/** Starts examples/mcp.mjs next to the installed package, and calls the function with a client of it. */
async function withTools(use) {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  const sdk = join(folder, 'node_modules/@modelcontextprotocol');
  if (!existsSync(sdk)) symlinkSync(join(TOP, 'node_modules/@modelcontextprotocol'), sdk);
  copyFileSync(join(TOP, 'examples/mcp.mjs'), join(folder, 'mcp.mjs'));
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: ['mcp.mjs'], cwd: folder }));
  try {
    await use(client, (name, question, options) => client.callTool({ name, arguments: question }, undefined, options));
  } finally {
    await client.close();
  }
}

/** All schemas in a schema. */
const schemasIn = (schema) => [schema, ...[...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])].flatMap(schemasIn)];

test('mcp.mjs offers three tools that only read, with plain schemas', () => withTools(async (client) => {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name), ['solve_pawn', 'check_go', 'solve_mine']);
  for (const { name, description, annotations, inputSchema } of tools) {
    assert.equal(annotations.readOnlyHint, true, name);
    assert.equal(inputSchema.type, 'object', name);
    assert.equal(description.split(/\.(?= [A-Z]|$)/).length - 1, 4, `${name} is described in four sentences`);
    for (const schema of schemasIn(inputSchema)) {
      assert.equal(typeof schema.type, 'string', `${name}: ${JSON.stringify(schema)}`);
      for (const word of ['oneOf', 'anyOf', 'allOf', 'prefixItems']) assert.ok(!(word in schema), `${name}: ${word}`);
      assert.ok(schema.type !== 'array' || typeof schema.items?.type === 'string', `${name}: an array without items`);
    }
    assert.ok(!JSON.stringify(inputSchema).includes('boards'), name);
  }
}));

test('mcp.mjs answers the examples in its descriptions, as text and as an object', () => withTools(async (client, call) => {
  const { tools } = await client.listTools(), results = {};
  for (const { name, description } of tools) {
    const questions = [...description.matchAll(/\{".*?\}(?=[, .]|$)/g)].map(([json]) => JSON.parse(json));
    results[name] = await Promise.all(questions.map(async (question) => {
      const { isError, structuredContent, content } = await call(name, question);
      assert.ok(!isError, content[0].text);
      assert.deepEqual([content.length, JSON.parse(content[0].text)], [1, structuredContent]);
      return structuredContent;
    }));
  }
  const [pawn] = results.solve_pawn, [moves, sgf] = results.check_go, [mine] = results.solve_mine;
  assert.deepEqual([pawn.verdict, pawn.steps, pawn.moves[0].from, pawn.moves[0].to], ['Red', 7, [1, 0], [1, 1]]);
  assert.deepEqual([moves.misses, moves.played, typeof moves.score.B, sgf.played], [[], 3, 'number', 2]);
  assert.deepEqual([mine.verdict, mine.wins[0]], ['Xiemao', [0, 0]]);
}));

test('mcp.mjs reports what is wrong, one line for each fault', () => withTools(async (client, call) => {
  const board = ['O.O', 'X..'];
  for (const [name, question, expected] of [
    ['solve_pawn', { board: ['O.O', 'O..', '.X.'], turn: 'White' }, [/^\/board: the board has 3 red pieces/, /^\/turn: "turn" is "White"/]],
    ['solve_pawn', { board, include: ['boards', 'line'], cases: [] }, [/^\/cases: unknown; use board, turn, include$/, /^\/include: "boards" isn't one of moves, line$/]],
    ['solve_pawn', {}, [/"board"/]],
    ['check_go', { sgf: '(;)', game: 'all' }, [/^\/game: must be a number$/]],
    ['check_go', { moves: Array(2000).fill('B D4') }, [/65,?536|64 KiB/]],
    ['solve_chess', {}, [/^there is no tool solve_chess; use solve_pawn, check_go, solve_mine$/]],
  ]) {
    const { isError, structuredContent, content: [{ text }] } = await call(name, question), lines = text.split('\n');
    assert.deepEqual([isError, structuredContent, lines.length], [true, undefined, expected.length], text);
    expected.forEach((pattern, at) => assert.match(lines[at], pattern));
  }
}));

test('mcp.mjs limits its searches, and ends one that is cancelled', () => withTools(async (client, call) => {
  const { board } = JSON.parse(ENDLESS.body), control = new AbortController();
  const cancelled = assert.rejects(call('solve_mine', { board }, { signal: control.signal }), /enough/);
  control.abort(new Error('enough'));
  await cancelled;
  assert.equal((await call('solve_mine', { board })).structuredContent.verdict, 'Unknown');
}));

const CONSUMER = `
import { Arbiter, ArbiterError, Incomplete, Problem, Unreachable, type PawnCase, type Result } from 'arbiter-client';
import { Arbiter as Local, type LocalOptions } from 'arbiter-client/local';

const options: LocalOptions = { limits: { max_cases: 3 } };
export const local: Arbiter = new Local(options);
export const close = () => new Local().close();

export async function ask(position: PawnCase): Promise<number> {
  const arbiter = new Arbiter('http://127.0.0.1:8080', { headers: { authorization: 'Bearer x' }, fetch, timeout: 1000, retries: 2 });
  const { line } = await arbiter.pawn({ board: position.board, include: ['line'] });
  const score: Result<'go', { include: ['score'] }>['score'] = (await arbiter.go({ moves: [], include: ['score'] })).score;
  // @ts-expect-error it was not included
  (await arbiter.pawn({ board: position.board })).line.length;
  return line.length + score.B;
}
export const isOurs = (error: unknown) =>
  error instanceof ArbiterError ? [error.status, error instanceof Problem, error instanceof Unreachable, error instanceof Incomplete] : null;
`;

for (const [module, moduleResolution] of [['es2022', 'bundler'], ['nodenext', 'nodenext'], ['es2022', 'node10']]) {
  test(`the package and its types can be imported with moduleResolution ${moduleResolution}`, async () => {
    writeFileSync(join(folder, 'consumer.mts'), CONSUMER);
    const options = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom'];
    const tsc = join(TOP, 'node_modules/.bin/tsc');
    await run(tsc, [...options, '--module', module, '--moduleResolution', moduleResolution, 'consumer.mts'], folder);
  });
}

test('the client\'s tests pass in Node 18', { skip: process.env.CI !== 'true' && noNode18 }, (t) => {
  const version = spawnSync(NODE_18, ['--version'], { encoding: 'utf8' });
  assert.match(version.stdout ?? '', /^v18\./, `${noNode18}`);
  const files = ['client', 'client_faults', 'client_slices', 'client_tries'].map((name) => join(TOP, `tests/web/${name}.test.mjs`));
  // With this variable set, the nested test run would report to the outer one.
  const { NODE_TEST_CONTEXT, ...env } = process.env;
  const { stdout, status } = spawnSync(NODE_18, ['--test', '--test-reporter=tap', ...files], { encoding: 'utf8', env, maxBuffer: 1 << 26 });
  const [, passed] = /^# pass (\d+)$/m.exec(stdout) ?? [];
  t.diagnostic(`${passed} tests in ${version.stdout}`);
  assert.equal(status, 0, stdout);
  assert.ok(Number(passed) > 80, stdout);
});
