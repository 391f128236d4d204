// How the program reads its options and environment: --check, --memory, --profile, unknown variables, and --refuse-cross-site.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

import { run, start, withArbiter } from './arbiter.mjs';
import { JSON_TYPE, KNOWN } from './bodies.mjs';
import { checkProblem } from './checks.mjs';
import { connect } from './client.mjs';
import { MiB, mostMemoryWithKernel } from './formula.mjs';
import { LIMITS } from './limits.mjs';

/** The reasons given in a log's `variable-ignored` lines. */
const ignoredIn = (text) => text.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line))
  .filter(({ event }) => event === 'variable-ignored')
  .map(({ level, reason }) => (assert.equal(level, 'warn'), reason)).sort();

/** Runs --check. Returns the values that it prints, by name, and the number of lines. */
async function checked(args, { env = {} } = {}) {
  const { code, stdout, stderr } = await run(['--check', ...args], { env });
  assert.equal(code, 0, stderr);
  assert.ok(stdout.endsWith('\n'));
  const lines = stdout.slice(0, -1).split('\n').map((line) => /^([a-z_]+) (.+)$/.exec(line));
  assert.ok(lines.every((line) => line !== null), stdout);
  return { values: Object.fromEntries(lines.map(([, name, value]) => [name, value])), count: lines.length, stderr };
}

test('--check prints each option in force and opens no socket', async () => {
  const { stdout: help } = await run(['--help']);
  const lists = help.split(/^Advanced options/m).map((part) =>
    [...part.matchAll(/^ {2}--([a-z-]+) .*\]$/gm)].map(([, name]) => name.replaceAll('-', '_')));
  const { values, count, stderr } = await checked(['--max-cases', 7, '--trusted-proxy=10.0.0.0/8, ::1', '--workers', 3],
    { env: { ARBITER_QUEUE: '6', ARBITER_MAX_CASES: '5', ARBITER_REFUSE_CROSS_SITE: 'true' } });
  assert.equal(stderr, '');
  assert.equal(count, Object.keys(values).length);
  const memory = Object.keys(values).indexOf('memory_derived');
  const printed = Object.keys(values).slice(0, memory);
  assert.equal(printed.length, lists.flat().length);
  for (const names of lists) assert.deepEqual(printed.filter((name) => names.includes(name)), names, 'in the order of --help');
  const { max_cases, queue, trusted_proxy, workers, long_workers, refuse_cross_site, ops_port, listen, log_level } = values;
  assert.deepEqual({ max_cases, queue, trusted_proxy, workers, long_workers, refuse_cross_site, ops_port, listen, log_level }, {
    max_cases: '7', queue: '6', trusted_proxy: '10.0.0.0/8, ::1', workers: '3', long_workers: '2',
    refuse_cross_site: 'true', ops_port: 'none', listen: '127.0.0.1', log_level: 'info',
  });
  for (const [name, value] of Object.entries(LIMITS))
    if (!['max_cases', 'queue'].includes(name)) assert.equal(values[name], String(value), name);
});

test('--check prints the sum described in docs/sizing.md ("Memory")', async () => {
  for (const args of [[], ['--memory', '300M'], ['--memory', '777M', '--workers', 5], ['--memory', '2G', '--profile', 'public'],
    ['--workers', 5, '--long-workers', 3, '--max-connections', 10], ['--max-moves', 10_000_000],
    ['--max-inflight-bytes', MiB, '--max-search-states', 9_000_000]]) {
    const { values } = await checked(args);
    const numbers = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
    assert.equal(numbers.memory_bytes, mostMemoryWithKernel(numbers), args.join(' '));
    const parts = Object.keys(values).filter((name) => /^memory_.+_bytes$/.test(name));
    assert.equal(parts.reduce((sum, name) => sum + numbers[name], 0), numbers.memory_bytes);
  }
});

const DERIVED = ['workers', 'long_workers', 'max_connections', 'max_body_bytes', 'max_json_values', 'max_search_states', 'max_answer_bytes',
  'max_inflight_bytes'];

test('--memory derives the options that are not set, and the sum does not exceed it', async () => {
  const before = (await checked(['--workers', 4])).values;
  assert.equal(before.memory, 'none');
  assert.equal(before.memory_derived, 'none');
  for (const [text, bytes] of [['256M', 256 * MiB], ['512Mi', 512 * MiB], ['1g', 1024 * MiB], ['1GiB', 1024 * MiB], [`${600 * MiB}`, 600 * MiB],
    ['524288kB', 512 * MiB]]) {
    const { values } = await checked(['--io-threads', 1, '--memory', text]);
    assert.equal(values.memory, String(bytes));
    assert.deepEqual(values.memory_derived.split(',').sort(), [...DERIVED].sort());
    const sum = Number(values.memory_bytes);
    assert.ok(sum <= bytes && sum > bytes - 4 * MiB, `${text}: ${sum}`);
  }
  const { values: set } = await checked(['--memory', '1G', '--workers', 2, '--max-connections', 100], { env: { ARBITER_MAX_BODY_BYTES: '5000000' } });
  assert.deepEqual([set.workers, set.max_connections, set.max_body_bytes], ['2', '100', '5000000']);
  assert.deepEqual(set.memory_derived.split(',').sort(), DERIVED.filter((name) => !['workers', 'max_connections', 'max_body_bytes'].includes(name)).sort());
  const { values: plenty } = await checked(['--memory', '1T', '--workers', 4]);
  for (const name of Object.keys(before).filter((one) => !['memory', 'memory_derived', 'systemd', 'compose', 'kubernetes'].includes(one))) assert.equal(plenty[name], before[name], name);
});

test('if --memory is too small, the error names the minimum and the option that needs most, and either advice works', async () => {
  const check = (memory, args, env) => run(['--check', '--io-threads', 1, '--memory', memory, ...args], { env });
  for (const [args, greediest] of [[[]], [['--max-connections', 4096], 'max-connections'], [['--max-inflight-bytes', 1e9, '--workers', 3], 'max-inflight-bytes'],
    [['--workers', 9, '--max-connections', 40], 'workers'], [['--max-body-bytes', 5e7]]]) {
    const { code, stderr } = await check('100M', args);
    assert.equal(code, 2);
    const [, least, without, option, variable] =
      /^arbiter: --memory is 100M; with these options, the server needs at least (\d+)M(?:, or (\d+)M without --(\S+) \((\S+)\))?$/m.exec(stderr) ?? assert.fail(stderr);
    assert.equal(option, greediest);
    assert.equal((await check(`${least}M`, args)).code, 0);
    assert.equal((await check(`${least - 1}M`, args)).code, 2);
    if (greediest === undefined) continue;
    assert.equal(variable, `ARBITER_${option.toUpperCase().replaceAll('-', '_')}`);
    const at = args.indexOf(`--${greediest}`), rest = args.toSpliced(at, 2);
    assert.equal((await check(`${without}M`, rest)).code, 0);
    assert.equal((await check(`${without - 1}M`, rest)).code, 2);
    assert.equal((await check('100M', rest, { [variable]: String(args[at + 1]) })).stderr, stderr);
  }
  const { stderr } = await run(['--check', '--memory', 'auto', '--max-inflight-bytes', 1e15]);
  const [, here, least, container] = /^arbiter: --memory is auto \((\d+)M here\); with these options, the server needs at least (\d+)M \(a container of (\d+)M\), or \d+M \(a container of \d+M\) without --max-inflight-bytes/m.exec(stderr) ?? assert.fail(stderr);
  assert.ok(here < least && container - container / 16 >= least && container - container / 16 < Number(least) + 1.5, stderr);
  assert.match((await check('512', [])).stderr, /^arbiter: --memory is 512 bytes;/m);
  for (const text of ['5x', '-1', 'M', '1.5G', '512MM', '0', ' 1G', '99999999T', 'Auto', ''])
    assert.equal((await run(['--check', '--memory', text])).code, 2, text);
  assert.equal((await run(['--check', '--memory', 'none'])).code, 0);
  assert.match((await run(['solve', 'mine', '--memory', '1G'])).stderr, /unknown option "--memory"/);
});

test('--check prints the sum as a limit for systemd, compose and Kubernetes, rounded up to MiB', async () => {
  for (const [args, mebibytes] of [
    [['--workers', 2], 3540], [['--workers', 1, '--max-inflight-bytes', 512 * MiB], 2928],
    // The other rows test the rounding: a connection takes 480 KiB, so 32 of them take exactly 15 MiB, and only the account can add a
    // fraction of a MiB.
    [['--workers', 1, '--max-connections', 32, '--max-search-states', 1, '--max-mine-cells', 1, '--max-moves', 1, '--max-inflight-bytes', MiB], 286],
    [['--workers', 1, '--max-connections', 32, '--max-search-states', 1, '--max-mine-cells', 1, '--max-moves', 1, '--max-inflight-bytes', MiB + 1], 287],
  ]) {
    const { values } = await checked(['--io-threads', 1, ...args]); // additional loops need more memory
    const most = Math.ceil(Number(values.memory_bytes) / MiB);
    assert.equal(most, mebibytes, args.join(' '));
    const { systemd, compose, kubernetes } = values;
    assert.deepEqual({ systemd, compose, kubernetes },
      { systemd: `MemoryMax=${most}M`, compose: `mem_limit: ${most}m`, kubernetes: `limits: {memory: ${most}Mi}` });
  }
});

test('with --memory, that limit includes the extra sixteenth that --memory auto leaves to the kernel', async () => {
  for (const memory of [300, 480, 777]) {
    const { values } = await checked(['--memory', `${memory}M`]);
    const limit = Number(/^MemoryMax=(\d+)M$/.exec(values.systemd)[1]) * MiB;
    assert.ok(limit - limit / 16 >= Number(values.memory_bytes), `${memory}M`);
    assert.ok(limit - limit / 16 - Number(values.memory_bytes) < MiB, `${memory}M`);
  }
});

test('--profile public changes defaults, and options take precedence over it', async () => {
  const trusted = (await checked([])).values, open = (await checked(['--profile', 'public'])).values;
  const differ = Object.keys(trusted).filter((name) => !/^memory_|^(systemd|compose|kubernetes)$/.test(name) && trusted[name] !== open[name]);
  assert.deepEqual(Object.fromEntries(differ.map((name) => [name, open[name]])), {
    max_connections: '1024', max_connections_per_client: '100', max_wait: '5', profile: 'public',
    max_body_bytes: String(MiB), max_json_values: '500000', max_cases: '20', max_search_states: '100000', max_answer_bytes: String(MiB),
    max_inflight_bytes: String(256 * MiB), queue: '256',
  });
  assert.deepEqual((await checked(['--profile', 'trusted'])).values, trusted);
  const chosen = { max_cases: '1000', max_wait: '7', max_connections_per_client: '0' };
  const options = Object.entries(chosen).map(([name, value]) => `--${name.replaceAll('_', '-')}=${value}`);
  const variables = Object.fromEntries(Object.entries(chosen).map(([name, value]) => [`ARBITER_${name.toUpperCase()}`, value]));
  for (const [args, env] of [[['--profile=public', ...options], {}], [[...options, '--profile=public'], {}], [options, { ARBITER_PROFILE: 'public' }],
    [['--profile=public'], variables], [[], { ...variables, ARBITER_PROFILE: 'public' }]])
    assert.deepEqual((await checked(args, { env })).values, { ...open, ...chosen }, args.join(' '));
  assert.deepEqual((await checked(['--profile', 'trusted'], { env: { ARBITER_PROFILE: 'public' } })).values, trusted);
});

test('the service reports its profile and applies it', async () => {
  for (const [options, profile, cases] of [[[], 'trusted', 1000], [['--profile', 'public'], 'public', 20]])
    await withArbiter(options, async (arbiter) => {
      const [{ version, profile: logged }] = arbiter.listeningLines();
      const answer = (await arbiter.ask({ target: '/version' })).json();
      assert.deepEqual([answer.version, answer.profile, logged], [version, profile, profile]);
      assert.equal((await arbiter.limits()).max_cases, cases);
      const batch = { target: '/mine', headers: JSON_TYPE, body: JSON.stringify({ cases: Array(21).fill({ board: ['.'] }) }) };
      assert.equal((await arbiter.ask(batch)).status, cases === 20 ? 422 : 200);
      assert.equal((await arbiter.ask({ target: '/version', headers: CROSS_SITE })).status, 200, 'links from other sites open');
    });
});

test('--profile accepts trusted or public, and solve has no such option', async () => {
  for (const [args, env] of [[['--profile', 'open'], {}], [['--profile='], {}], [[], { ARBITER_PROFILE: 'publik' }]]) {
    const { code, stderr } = await run(['--check', ...args], { env });
    assert.equal(code, 2);
    assert.match(stderr, /^arbiter: (--profile|ARBITER_PROFILE) is (empty; leave it out to get the default$|"\w+"; it must be trusted or public$)/m);
  }
  assert.match((await run(['solve', 'mine', '--profile', 'public'])).stderr, /unknown option "--profile"/);
  const { code, stdout } = await run(['solve', 'mine'], { env: { ARBITER_PROFILE: 'public' }, input: JSON.stringify({ cases: Array(21).fill({ board: ['.'] }) }) });
  assert.deepEqual([code, JSON.parse(stdout).results.length], [0, 21]);
});

test('if the limit on open files is low, a warning says how many connections it allows', async () => {
  const { stdout, stderr } = spawnSync('prlimit', ['--nofile=100:100', process.env.ARBITER_BINARY, '--check'], { encoding: 'utf8' });
  const [, connections] = /^max_connections (\d+)$/m.exec(stdout);
  assert.ok(Number(connections) < 100);
  assert.ok(stderr.includes(`the limit on open files allows only ${connections} connections instead of 4096`), stderr);
  assert.equal((await checked([])).stderr, '');
});

test('--port and --ops-port must be different', async () => {
  const { code, stderr } = await run(['--check', '--port', 9000, '--ops-port', 9000]);
  assert.deepEqual([code, stderr], [2, 'arbiter: --port and --ops-port are both 9000; they must be different\n']);
  assert.equal((await run(['--check', '--port', 0, '--ops-port', 0])).code, 0);
});

test('--check exits with status 2 if the program would', async () => {
  for (const [args, env] of [[['--port', 'x'], {}], [['--nothing'], {}], [[], { ARBITER_QUEUE: '0' }], [['x'], {}]]) {
    const { code, stdout, stderr } = await run(['--check', ...args], { env });
    assert.equal(code, 2, stderr);
    assert.equal(stdout, '');
    assert.match(stderr, /^arbiter: /);
  }
});

test('an unknown variable causes a warning, with a name that is near, and the program starts', async () => {
  const env = { ARBITER_MAX_CASE: '5', ARBITER_WORKER: 'many', ARBITER_: '1', ARBITER_FROM: 'json', ARBITER_QUEUE: '6',
    ['ARBITER_"\n']: 'x' };
  const none = 'is ignored, because no option uses this variable';
  const expected = [`ARBITER_ ${none}`, `ARBITER_"\n ${none}`, `ARBITER_MAX_CASE ${none}; did you mean ARBITER_MAX_CASES?`,
    `ARBITER_WORKER ${none}; did you mean ARBITER_WORKERS?`].sort();
  await withArbiter([], async (arbiter) => {
    assert.equal((await arbiter.limits()).max_cases, LIMITS.max_cases);
    await arbiter.stop();
    assert.deepEqual(ignoredIn(arbiter.stderr), expected);
  }, { env });
  assert.deepEqual(ignoredIn((await checked([], { env })).stderr), expected);
});

test('variables that Kubernetes sets for a Service called arbiter are ignored with a single warning', async () => {
  const env = { ARBITER_PORT: 'tcp://10.0.0.1:80', ARBITER_OPS_PORT: 'udp://10.0.0.2:80', ARBITER_PORT_80_SCTP: 'sctp://10.0.0.1:80',
    ARBITER_PORT_80_TCP_ADDR: '10.0.0.1', ARBITER_SERVICE_HOST: '10.0.0.1', ARBITER_SERVICE_PORT_HTTP: '80',
    ARBITER_CORS_ORIGIN: 'https://a.example' };
  const { values, stderr } = await checked([], { env });
  assert.equal(values.port, '8080');
  assert.equal(values.ops_port, 'none');
  assert.equal(values.cors_origin, 'https://a.example');
  const [warning, ...more] = ignoredIn(stderr);
  assert.match(warning, /^ARBITER_(OPS_PORT|PORT|SERVICE)\w* and similar variables are ignored; Kubernetes sets them/);
  assert.deepEqual(more, []);
});

test('solve and health ignore such variables without a warning', async () => {
  const env = { ARBITER_PORT: 'tcp://10.0.0.1:80', ARBITER_MAX_CASE: '5', ARBITER_MAX_CASES: 'udp://10.0.0.1:80' };
  const solved = await run(['solve', 'pawn'], { env, input: '{"board":["O.O","X.."]}' });
  assert.equal(solved.code, 0, solved.stderr);
  assert.equal(solved.stderr, '');
  const arbiter = await start(['--ops-port', 0]);
  const asked = await run(['health', '--ops-port', arbiter.opsPort], { env });
  assert.deepEqual({ code: asked.code, stderr: asked.stderr }, { code: 0, stderr: '' });
  await arbiter.stop();
});

const CROSS_SITE = { 'Sec-Fetch-Site': 'cross-site' };
const [{ request: FIELD }] = KNOWN;

test('--refuse-cross-site refuses all requests from pages on other sites', async () => {
  await withArbiter(['--refuse-cross-site'], async ({ port }) => {
    const requests = [{ target: '/' }, { target: '/mine?case=%7B%22board%22:[%22.%22]%7D&format=svg' }, { target: '/livez' },
      { target: '/metrics' }, { target: '/nowhere' }, { method: 'HEAD', target: '/' }, FIELD,
      { target: '/mine', headers: { 'Content-Type': 'text/plain' }, body: '1 1 0\n' },
      { method: 'OPTIONS', target: '/mine', headers: { Origin: 'https://a.example', 'Access-Control-Request-Method': 'POST' } },
      { target: `/mine?x=${'a'.repeat(9000)}` }];
    for (const request of requests) {
      const connection = await connect(port);
      connection.send({ ...request, headers: { ...request.headers, ...CROSS_SITE } });
      const answer = await connection.answer();
      assert.equal(answer.status, 403, `${request.target}\n${answer}`);
      if (request.method !== 'HEAD') checkProblem(answer, 403, 'cross-site');
      connection.close();
    }
  });
});

test('requests with other values of Sec-Fetch-Site, or without it, are allowed', async () => {
  await withArbiter(['--refuse-cross-site'], async (arbiter) => {
    for (const value of ['same-origin', 'same-site', 'none', '', 'cross', 'cross-sites', 'x cross-site'])
      assert.equal((await arbiter.ask({ target: '/version', headers: { 'Sec-Fetch-Site': value } })).status, 200, value);
    assert.equal((await arbiter.ask({ target: '/mine', headers: JSON_TYPE, body: '{"board":["."]}' })).status, 200);
    const twice = [['Sec-Fetch-Site', 'cross-site '], ['Sec-Fetch-Site', 'none']];
    assert.equal((await arbiter.ask({ target: '/version', headers: twice })).status, 403);
  });
  for (const off of [[], ['--refuse-cross-site=false']])
    await withArbiter(off, async (arbiter) => {
      assert.equal((await arbiter.ask({ target: '/version', headers: CROSS_SITE })).status, 200);
    });
});

test('a flag can be given alone, or with the value true or false', async () => {
  const flagged = async (...how) => (await checked(...how)).values.refuse_cross_site;
  assert.equal(await flagged(['--refuse-cross-site', '--max-cases', 3]), 'true');
  assert.equal(await flagged(['--refuse-cross-site=true']), 'true');
  assert.equal(await flagged(['--refuse-cross-site', '--refuse-cross-site=false']), 'false');
  assert.equal(await flagged([], { env: { ARBITER_REFUSE_CROSS_SITE: '1' } }), 'true');
  assert.equal(await flagged([], { env: { ARBITER_REFUSE_CROSS_SITE: '0' } }), 'false');
  assert.equal(await flagged(['--refuse-cross-site=0'], { env: { ARBITER_REFUSE_CROSS_SITE: 'true' } }), 'false');
  for (const [args, env] of [[['--refuse-cross-site=yes'], {}], [['--refuse-cross-site='], {}], [['--refuse-cross-site', 'true'], {}],
    [[], { ARBITER_REFUSE_CROSS_SITE: 'on' }]]) assert.equal((await run(['--check', ...args], { env })).code, 2, args.join(' '));
});
