// The container image, as script/image has built it, run by runc as a cluster would: another user, a read-only root, no
// capabilities, no new privileges, the seccomp profile that container engines ship.
//
// ARBITER_IMAGE  its name
//
// Here is no cgroup to limit memory or processors with, and the network is the host's.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { parse } from 'yaml';

import { ask } from '../server/client.mjs';

const IMAGE = process.env.ARBITER_IMAGE;
const MOST_BYTES = 12e6;
const NOBODY = 65532;
const SECCOMP = '/usr/share/containers/seccomp.json';

const output = (command, ...args) => execFileSync(command, args, { encoding: 'utf8' }).trim();

let container, root, config;

/** A port that is free now. */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** What a profile in the format of container engines comes to for a process without capabilities, in that of runc. */
function seccompOf(profile) {
  const arch = { x64: 'amd64', arm64: 'arm64' }[process.arch];
  const applies = ({ includes = {}, excludes = {} }) =>
    !includes.caps?.length && (!includes.arches?.length || includes.arches.includes(arch)) && !excludes.arches?.includes(arch);
  const map = profile.archMap.find(({ architecture }) => architecture === { amd64: 'SCMP_ARCH_X86_64', arm64: 'SCMP_ARCH_AARCH64' }[arch]);
  return {
    defaultAction: profile.defaultAction,
    defaultErrnoRet: profile.defaultErrnoRet,
    architectures: [map.architecture, ...(map.subArchitectures ?? [])],
    syscalls: profile.syscalls.filter(applies).map(({ names, action, args, errnoRet }) => ({
      names, action, ...(args?.length ? { args } : {}), ...(errnoRet === undefined ? {} : { errnoRet }),
    })),
  };
}

/** The image's process in a container: { port, pid, kill, ended, started }. */
async function run(extra = []) {
  const port = await freePort();
  const name = `arbiter-test-${process.pid}-${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'arbiter-bundle-'));
  output('runc', 'spec', '--bundle', folder);
  const spec = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
  spec.root = { path: root, readonly: true };
  spec.process.terminal = false;
  spec.process.user = { uid: NOBODY, gid: NOBODY };
  spec.process.args = [...config.Entrypoint, ...extra];
  spec.process.env = [...config.Env.filter((value) => !value.startsWith('ARBITER_PORT=')), `ARBITER_PORT=${port}`];
  spec.process.capabilities = { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] };
  spec.process.noNewPrivileges = true;
  spec.linux.namespaces = spec.linux.namespaces.filter(({ type }) => type !== 'network');
  delete spec.linux.resources;
  spec.linux.seccomp = seccompOf(JSON.parse(readFileSync(SECCOMP, 'utf8')));
  writeFileSync(join(folder, 'config.json'), JSON.stringify(spec));
  const began = performance.now();
  const child = spawn('runc', ['run', '--bundle', folder, name], { stdio: ['ignore', 'inherit', 'pipe'] });
  let log = '';
  const ended = new Promise((resolve) => child.on('close', (code) => {
    rmSync(folder, { recursive: true });
    resolve({ code, log });
  }));
  const listening = new Promise((resolve, reject) => {
    child.stderr.on('data', (data) => {
      log += data;
      if (log.includes('"event":"listening"')) resolve();
    });
    ended.then(() => reject(new Error(`the container ended: ${log}`)));
  });
  await listening;
  const answer = await ask(port, { target: '/readyz' });
  assert.equal(answer.status, 200);
  const started = performance.now() - began;
  const { pid } = JSON.parse(output('runc', 'state', name));
  return { port, pid, name, ended, started, kill: (signal) => output('runc', 'kill', name, signal) };
}

function* files(folder, below = '') {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = join(below, entry.name);
    yield path;
    if (entry.isDirectory()) yield* files(folder, path);
  }
}

before(() => {
  container = output('buildah', 'from', '--pull-never', IMAGE);
  root = output('buildah', 'mount', container);
  config = JSON.parse(output('buildah', 'inspect', '--type', 'image', IMAGE)).Docker.config;
});

after(() => {
  output('buildah', 'umount', container);
  output('buildah', 'rm', container);
});

test('the image runs the program as nobody, tells its port and its health, and is labelled', () => {
  assert.equal(config.User, `${NOBODY}:${NOBODY}`);
  assert.deepEqual(config.Entrypoint, ['/usr/bin/arbiter']);
  assert.deepEqual(Object.keys(config.ExposedPorts), ['8080/tcp']);
  assert.deepEqual(config.Healthcheck.Test, ['CMD', '/usr/bin/arbiter', 'health']);
  assert.equal(config.StopSignal, 'SIGTERM');
  const program = output('chroot', root, '/usr/bin/arbiter', '--version');
  const { 'org.opencontainers.image.version': version, 'org.opencontainers.image.revision': commit } = config.Labels;
  assert.equal(program, `arbiter ${version} (${commit})`);
  assert.equal(commit, output('git', 'describe', '--always', '--dirty', '--abbrev=12'));
});

test('the image is small', () => {
  const sizes = {};
  for (const path of files(root)) {
    const stat = lstatSync(join(root, path));
    const part = path.startsWith('usr/share/doc') ? 'licences' : path;
    if (stat.isFile()) sizes[part] = (sizes[part] ?? 0) + stat.size;
  }
  const all = Object.values(sizes).reduce((sum, size) => sum + size);
  for (const [part, size] of Object.entries(sizes).sort(([, a], [, b]) => b - a))
    console.log(`size: ${(size / 1e6).toFixed(2).padStart(6)} MB  ${part}`);
  console.log(`size: ${(all / 1e6).toFixed(2).padStart(6)} MB  in all`);
  assert.ok(all <= MOST_BYTES, `${all} bytes`);
});

test('everything belongs to root, and nothing is writable, set-uid or a device', () => {
  for (const path of ['', ...files(root)]) {
    const stat = lstatSync(join(root, path));
    assert.ok(stat.isFile() || stat.isDirectory(), path);
    assert.equal(stat.uid + stat.gid, 0, path);
    if (path !== '') assert.equal(stat.mode & 0o7222, 0, `${path} has mode ${(stat.mode & 0o7777).toString(8)}`);
  }
});

test('nothing is there for nothing: the program, what the loader loads for it, and their licences', () => {
  const there = [...files(root)].filter((path) => lstatSync(join(root, path)).isFile()).map((path) => `/${path}`);
  const loaded = [...output('chroot', root, ...loader(), '--list', '/usr/bin/arbiter').matchAll(/(\/\S+) \(0x/g)];
  const needed = new Set(['/usr/bin/arbiter', ...loader(), ...loaded.map(([, path]) => path)]);
  for (const path of there)
    assert.ok(needed.has(path) || /^\/usr\/share\/doc\/[^/]+\/copyright$/.test(path), `${path} is there for nothing`);
  for (const path of needed) assert.ok(there.includes(path), `${path} is missing`);
  assert.ok(there.filter((path) => path.endsWith('/copyright')).length >= 10);
});

/** The dynamic loader that the program names. */
function loader() {
  const [, path] = /\[Requesting program interpreter: (.*)\]/.exec(output('readelf', '-lW', join(root, 'usr/bin/arbiter')));
  return [path];
}

test('two builds of a commit give the same program', (t) => {
  const second = process.env.ARBITER_IMAGE_AGAIN;
  if (!second) return t.skip('there is no second build');
  const other = output('buildah', 'from', '--pull-never', second);
  const digest = (folder) => createHash('sha256').update(readFileSync(join(folder, 'usr/bin/arbiter'))).digest('hex');
  try {
    assert.equal(digest(output('buildah', 'mount', other)), digest(root));
  } finally {
    output('buildah', 'rm', other);
  }
});

test('compose.yaml runs the image as the image wants to be run, with options that there are', () => {
  const { services: { arbiter } } = parse(readFileSync(new URL('../../docker/compose.yaml', import.meta.url), 'utf8'));
  assert.equal(arbiter.user, config.User);
  assert.deepEqual(arbiter.healthcheck.test, config.Healthcheck.Test);
  assert.deepEqual([arbiter.read_only, arbiter.cap_drop, arbiter.security_opt], [true, ['ALL'], ['no-new-privileges:true']]);
  const help = output('chroot', root, '/usr/bin/arbiter', '--help');
  const plain = (text) => String(text).replace(/\$\{\w+:-([^}]*)\}/g, '$1');
  for (const name of Object.keys(arbiter.environment))
    assert.ok(help.includes(`  --${name.replace('ARBITER_', '').toLowerCase().replaceAll('_', '-')} `), name);
  const { ARBITER_DRAIN_DELAY: delay, ARBITER_DRAIN_TIMEOUT: drain, ARBITER_MAX_INFLIGHT_BYTES: inflight } = arbiter.environment;
  assert.ok(Number(plain(delay)) + Number(drain) < parseInt(arbiter.stop_grace_period, 10));
  assert.ok(Number(inflight) * 4 <= parseInt(arbiter.mem_limit, 10) * 2 ** 30);
  assert.equal(plain(arbiter.ports[0]), '127.0.0.1:8080:8080');
});

test('as process 1 it answers every route, and knows its health', async () => {
  const arbiter = await run();
  const post = (target, value) => ask(arbiter.port, { target, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) });
  assert.deepEqual((await post('/pawn', { board: ['..#.', 'O..O', '....', '.X..'] })).json(), { verdict: 'Red', steps: 7 });
  assert.equal((await post('/go', { size: 2, moves: [['B', 0, 0], ['W', 0, 0]] })).json().misses.length, 1);
  assert.equal((await post('/mine', { board: ['...', '.*.', '...'] })).json().verdict, 'Fanglaoshi');
  for (const target of ['/', '/openapi.yaml', '/limits', '/version', '/livez', '/readyz', '/problems/malformed'])
    assert.equal((await ask(arbiter.port, { target })).status, 200, target);
  const health = spawnSync('runc', ['exec', arbiter.name, '/usr/bin/arbiter', 'health'], { encoding: 'utf8' });
  assert.equal(health.status, 0, health.stderr);
  arbiter.kill('TERM');
  assert.equal((await arbiter.ended).code, 0);
});

test('it has no capability, cannot get one, is filtered, and cannot write', async () => {
  const arbiter = await run();
  const status = Object.fromEntries(
    readFileSync(`/proc/${arbiter.pid}/status`, 'utf8').split('\n').map((line) => line.split(/:\s+/)));
  for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) assert.match(status[set], /^0+$/, set);
  assert.equal(status.NoNewPrivs, '1');
  assert.equal(status.Seccomp, '2');
  assert.match(status.Uid, new RegExp(`^(${NOBODY}\\s*){4}$`));
  assert.match(readFileSync(`/proc/${arbiter.pid}/mountinfo`, 'utf8'), / \/ ro,/);
  assert.match(status.NSpid, /\b1$/, 'it is process 1');
  // The profile lets workers take a higher nice value, or not: both are fine, and worth knowing.
  const nice = readdirSync(`/proc/${arbiter.pid}/task`).map(
    (task) => Number(readFileSync(`/proc/${arbiter.pid}/task/${task}/stat`, 'utf8').replace(/^.*\) /, '').split(' ')[16]));
  console.log(`start: the nice values of its threads are ${nice.join(', ')}`);
  arbiter.kill('TERM');
  await arbiter.ended;
});

test('SIGTERM lets what is in flight be answered, and the status is 0', async () => {
  const arbiter = await run();
  const cells = [...Array(1000)].map(() => Array.from({ length: 100 }, () => (Math.random() < 0.2 ? '*' : '.')).join(''));
  const body = JSON.stringify({ cases: Array(200).fill({ board: cells.slice(0, 100) }) });
  const answer = ask(arbiter.port, { target: '/mine', headers: { 'Content-Type': 'application/json' }, body });
  await ask(arbiter.port, { target: '/livez' });
  arbiter.kill('TERM');
  assert.equal((await answer).status, 200);
  const { code, log } = await arbiter.ended;
  assert.equal(code, 0, log);
  assert.match(log, /"event":"stopped","cut_off":0/);
});

test('a container that is gone is not healthy', async () => {
  const port = await freePort();
  const health = spawnSync('chroot', [root, '/usr/bin/arbiter', 'health', '--port', String(port)], { encoding: 'utf8' });
  assert.equal(health.status, 1);
  assert.match(health.stderr, /cannot be reached/);
});

test('how soon the first request is answered', async () => {
  const times = [];
  for (let round = 0; round < 5; round += 1) {
    const arbiter = await run();
    times.push(arbiter.started);
    arbiter.kill('TERM');
    await arbiter.ended;
  }
  times.sort((a, b) => a - b);
  console.log(`start: ${times[0].toFixed(0)} ms from "runc run" to the first answer, ${times[2].toFixed(0)} in the middle of five`);
});
