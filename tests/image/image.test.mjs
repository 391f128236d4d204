// The container image built by script/image, run by runc the way a cluster would: as another user, with a read-only root, no
// capabilities, no new privileges, and the seccomp profile that container engines ship.
//
//   ARBITER_IMAGE         the name of the image
//   ARBITER_IMAGE_COMMIT  the commit that it was built from
//   ARBITER_IMAGE_TIME    the time of that commit, in seconds
//   ARBITER_IMAGE_SOURCE  the expected value of the label for the source code
//   ARBITER_IMAGE_URL     the expected value of the label for the documentation
//   ARBITER_IMAGE_AGAIN   the name of a second build of the same commit, to compare the two (optional)
//
// The container uses the host's network, and no cgroup limits its memory or processors.

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import Ajv from 'ajv';
import { parse } from 'yaml';

import { ask, connect, formatRequest, until } from '../server/client.mjs';
import { metricsAt } from '../server/samples.mjs';
import { SPDX } from './spdx.mjs';

const IMAGE = process.env.ARBITER_IMAGE;
const MOST_BYTES = 14.5e6;
const NOBODY = 65532;
const COMMIT_TIME = Number(process.env.ARBITER_IMAGE_TIME);
const SECCOMP = '/usr/share/containers/seccomp.json';

const output = (command, ...args) => execFileSync(command, args, { encoding: 'utf8' }).trim();

let container, root, config, created;

/** Converts a seccomp profile from the format of container engines to runc's, for a process without capabilities. */
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

/** For each container, the milliseconds from "runc run" to the first answer. */
const starts = [];
let containers = 0;

/** Runs the image in a container that ends with the test. Resolves to { port, opsPort, pid, name, kill, ended, log }. */
async function run(t, change = () => {}, { reachable = true, command = ['runc'] } = {}) {
  const name = `arbiter-test-${process.pid}-${containers += 1}`;
  const folder = mkdtempSync(join(tmpdir(), 'arbiter-bundle-'));
  output('runc', 'spec', '--bundle', folder);
  const spec = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
  spec.root = { path: root, readonly: true };
  spec.process.terminal = false;
  spec.process.user = { uid: NOBODY, gid: NOBODY };
  spec.process.args = config.Entrypoint;
  // The container uses the host's network, so the kernel chooses its ports, which are read from the log.
  spec.process.env = [...config.Env.filter((value) => !/^ARBITER_(OPS_)?PORT=/.test(value)), 'ARBITER_PORT=0', 'ARBITER_OPS_PORT=0'];
  spec.process.capabilities = { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] };
  spec.process.noNewPrivileges = true;
  spec.linux.namespaces = spec.linux.namespaces.filter(({ type }) => type !== 'network');
  delete spec.linux.resources;
  spec.linux.seccomp = seccompOf(JSON.parse(readFileSync(SECCOMP, 'utf8')));
  change(spec);
  writeFileSync(join(folder, 'config.json'), JSON.stringify(spec));
  t.after(() => {
    spawnSync('runc', ['delete', '--force', name]);
    rmSync(folder, { recursive: true, force: true });
  });
  const began = performance.now();
  const child = spawn(command[0], [...command.slice(1), 'run', '--bundle', folder, name], { stdio: ['ignore', 'inherit', 'pipe'] });
  let log = '';
  const ended = new Promise((resolve) => child.on('close', (code) => resolve({ code, log })));
  const listening = new Promise((resolve, reject) => {
    child.stderr.on('data', (data) => {
      log += data;
      const [line] = /^.*"event":"listening".*$/m.exec(log.slice(0, log.lastIndexOf('\n') + 1)) ?? [];
      if (line) resolve(JSON.parse(line));
    });
    ended.then(() => reject(new Error(`the container ended: ${log}`)), reject);
  });
  const { port, ops_port: opsPort } = await listening;
  if (reachable) {
    assert.equal((await ask(port, { target: '/readyz' })).status, 200);
    starts.push(performance.now() - began);
  }
  const { pid } = JSON.parse(output('runc', 'state', name));
  return { port, opsPort, pid, name, ended, log: () => log, kill: (signal) => output('runc', 'kill', name, signal) };
}

/** The nice values of a process's threads. */
function nicesOf(pid) {
  return readdirSync(`/proc/${pid}/task`).map(
    (task) => Number(readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8').replace(/^.*\) /, '').split(' ')[16]));
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
  ({ config, created } = JSON.parse(output('buildah', 'inspect', '--type', 'image', IMAGE)).Docker);
});

after(() => {
  console.log(`start: ${Math.min(...starts).toFixed(0)} ms from "runc run" to the first answer, the shortest of ${starts.length}`);
  output('buildah', 'umount', container);
  output('buildah', 'rm', container);
});

test('the image runs the program without privileges, and has a port, a health check and labels', () => {
  assert.equal(config.User, `${NOBODY}:${NOBODY}`);
  assert.deepEqual(config.Entrypoint, ['/usr/bin/arbiter']);
  assert.deepEqual(Object.keys(config.ExposedPorts), ['8080/tcp', '9090/tcp']);
  assert.deepEqual(config.Cmd ?? [], []);
  assert.deepEqual(Object.keys(config.Volumes ?? {}), []);
  assert.deepEqual(config.Healthcheck.Test, ['CMD', '/usr/bin/arbiter', 'health']);
  assert.ok(config.Healthcheck.Interval <= 30e9 && config.Healthcheck.Timeout >= 2e9);
  assert.deepEqual(config.Env.filter((value) => !value.startsWith('PATH=')).sort(),
    ['ARBITER_DRAIN_TIMEOUT=8', 'ARBITER_LISTEN=0.0.0.0,::', 'ARBITER_MEMORY=auto', 'ARBITER_OPS_PORT=9090', 'ARBITER_PORT=8080']);
  assert.equal(config.StopSignal, 'SIGTERM');
  const program = output('chroot', root, '/usr/bin/arbiter', '--version');
  const labels = Object.fromEntries(Object.entries(config.Labels).map(([name, value]) => [name.replace('org.opencontainers.image.', ''), value]));
  assert.equal(program, `arbiter ${labels.version} (${labels.revision})`);
  assert.equal(labels.revision, process.env.ARBITER_IMAGE_COMMIT);
  assert.match(labels.created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.equal(Date.parse(labels.created), COMMIT_TIME * 1000);
  assert.equal(Date.parse(created), COMMIT_TIME * 1000);
  assert.equal(labels.source, process.env.ARBITER_IMAGE_SOURCE);
  assert.equal(labels.url, process.env.ARBITER_IMAGE_URL);
  for (const name of ['title', 'description', 'licenses']) assert.ok(labels[name], name);
});

test('the image is small', () => {
  const sizes = {};
  for (const path of files(root)) {
    const stat = lstatSync(join(root, path));
    const part = /^usr\/share\/(doc|common-licenses)/.test(path) ? 'licences' : /^var\/lib\/dpkg/.test(path) ? 'packages' : path;
    if (stat.isFile()) sizes[part] = (sizes[part] ?? 0) + stat.size;
  }
  const all = Object.values(sizes).reduce((sum, size) => sum + size);
  for (const [part, size] of Object.entries(sizes).sort(([, a], [, b]) => b - a))
    console.log(`size: ${(size / 1e6).toFixed(2).padStart(6)} MB  ${part}`);
  console.log(`size: ${(all / 1e6).toFixed(2).padStart(6)} MB  in all`);
  assert.ok(all <= MOST_BYTES, `${all} bytes`);
});

test('every file belongs to root and has the commit\'s time, and none is writable, set-uid or a device', () => {
  for (const path of ['', ...files(root)]) {
    const stat = lstatSync(join(root, path));
    assert.ok(stat.isFile() || stat.isDirectory(), path);
    assert.equal(stat.uid + stat.gid, 0, path);
    const mode = (stat.mode & 0o7777).toString(8);
    if (path === '') continue; // the mount point itself
    assert.equal(stat.mtimeMs, COMMIT_TIME * 1000, path);
    if (stat.isDirectory()) assert.equal(mode, '755', path);
    else assert.ok(mode === '555' || mode === '444', `${path} has mode ${mode}`);
  }
});

const LIST = '/usr/share/doc/arbiter/sbom.spdx.json';
const STATUS = 'var/lib/dpkg/status.d';
// These files tell scanners which Debian release the packages come from.
const RELEASE = ['/etc/debian_version', '/usr/lib/os-release'];

test('the image contains only the program, the libraries that it loads, their licences, and lists for scanners', () => {
  const there = [...files(root)].filter((path) => lstatSync(join(root, path)).isFile()).map((path) => `/${path}`);
  const needed = new Set(['/usr/bin/arbiter', ...libraries(), ...RELEASE]);
  const licences = there.filter((path) => !needed.has(path) && path !== LIST && !path.startsWith(`/${STATUS}/`));
  for (const path of needed) assert.ok(there.includes(path), `${path} is missing`);
  // Each package comes with its licence, and with every licence text that the licence refers to.
  const named = new Set();
  const packages = [];
  for (const path of licences) {
    const text = readFileSync(join(root, path), 'latin1');
    assert.ok(text.length > 500 && !text.startsWith('\x7fELF'), path);
    const [, name] = /^\/usr\/share\/doc\/([^/]+)\/copyright$/.exec(path) ?? [];
    if (name) packages.push(name);
    else assert.match(path, /^\/usr\/share\/common-licenses\/[^/]+$/);
    for (const [other] of name ? text.matchAll(/\/usr\/share\/common-licenses\/[\w.-]*\w/g) : []) named.add(other);
  }
  for (const text of named) assert.ok(there.includes(text), `${text} is named and missing`);
  for (const text of licences.filter((path) => path.includes('/common-licenses/')))
    assert.ok(named.has(text), `${text} is there for nothing`);
  assert.deepEqual(packages.sort(), ['arbiter', ...dpkg().map(({ name }) => name)].sort());
  const parents = new Set(there.flatMap((path) => path.split('/').slice(1, -1).map((_, n, all) => all.slice(0, n + 1).join('/'))));
  assert.deepEqual([...files(root)].filter((path) => lstatSync(join(root, path)).isDirectory()).sort(), [...parents].sort());
});

/** The libraries that the loader loads for the program, and the loader itself. */
function libraries() {
  const loaded = [...output('chroot', root, ...loader(), '--list', '/usr/bin/arbiter').matchAll(/(\/\S+) \(0x/g)];
  return new Set([...loader(), ...loaded.map(([, path]) => path)]);
}

/**
 * The packages in the image as dpkg reads them: [{ name, version, architecture, source, sourceVersion }]. dpkg cannot read status.d,
 * so this converts it to a folder that dpkg can read. `use` is called with the dpkg options for that folder.
 */
function dpkg(use = () => {}) {
  const admin = mkdtempSync(join(tmpdir(), 'arbiter-dpkg-'));
  try {
    for (const name of ['info', 'updates']) mkdirSync(join(admin, name));
    let entries = '';
    for (const file of readdirSync(join(root, STATUS))) {
      const path = join(root, STATUS, file);
      const name = file.replace(/\.md5sums$/, '');
      if (name === file) {
        entries += `${readFileSync(path, 'utf8')}\n`;
        continue;
      }
      copyFileSync(path, join(admin, 'info', file));
      writeFileSync(join(admin, 'info', `${name}.list`), readFileSync(path, 'utf8').replace(/^[0-9a-f]{32} {2}/gm, '/'));
    }
    writeFileSync(join(admin, 'status'), entries);
    const options = [`--root=${root}`, `--admindir=${admin}`];
    use(options);
    const format = ['Package', 'Version', 'Architecture', 'source:Package', 'source:Version', 'db:Status-Status'];
    const shown = output('dpkg-query', options[1], '-W', `-f=${format.map((field) => `\${${field}}`).join(' ')}\n`);
    return shown.split('\n').map((line) => {
      const [name, version, architecture, source, sourceVersion, status] = line.split(' ');
      assert.equal(status, 'installed', line);
      return { name, version, architecture, source, sourceVersion };
    });
  } finally {
    rmSync(admin, { recursive: true });
  }
}

test('dpkg can read the packages in the image, and every file that is not ours belongs to one, unchanged', () => {
  const owners = new Map();
  const packages = dpkg((options) => {
    const verified = spawnSync('dpkg', [...options, '--verify'], { encoding: 'utf8' });
    assert.deepEqual([verified.stdout, verified.stderr, verified.status], ['', '', 0]);
    const foreign = [...files(root)].filter((path) => lstatSync(join(root, path)).isFile()).map((path) => `/${path}`)
      .filter((path) => !/^\/(usr\/bin\/arbiter|usr\/share\/doc\/arbiter\/[^/]+|var\/lib\/dpkg\/status\.d\/[^/]+)$/.test(path));
    for (const line of output('dpkg-query', options[1], '-S', ...foreign).split('\n')) {
      const [, owner, path] = /^([^:, ]+)(?::\w+)?: (.*)$/.exec(line);
      owners.set(path, owner);
    }
    assert.deepEqual([...owners.keys()].sort(), foreign.sort());
  });
  // Every package except base-files contains a library.
  const used = new Set([...libraries()].map((path) => owners.get(path)));
  for (const path of RELEASE) assert.equal(owners.get(path), 'base-files');
  assert.deepEqual(packages.map(({ name }) => name).sort(), [...used, 'base-files'].sort());
  console.log(`packages: ${packages.map(({ name, version }) => `${name} ${version}`).join(', ')}`);
});

test('the list of packages is valid SPDX 2.3, and contains the program and the packages that dpkg reads', () => {
  const document = JSON.parse(readFileSync(join(root, LIST), 'utf8'));
  const validate = new Ajv({ allErrors: true }).compile(SPDX);
  assert.ok(validate(document), JSON.stringify(validate.errors));
  const wrong = structuredClone(document);
  delete wrong.packages[0].downloadLocation;
  assert.ok(!validate(wrong), 'a package without a member that must be there is refused');

  const { version, commit } = /^arbiter (?<version>\S+) \((?<commit>.*)\)$/.exec(output('chroot', root, '/usr/bin/arbiter', '--version')).groups;
  assert.ok(document.documentNamespace.includes(`/arbiter-${version}-${commit}-`));
  assert.equal(Date.parse(document.creationInfo.created), COMMIT_TIME * 1000);
  const [, release] = /^VERSION_ID="(\d+)"$/m.exec(readFileSync(join(root, 'usr/lib/os-release'), 'utf8'));
  const byName = new Map(document.packages.map((each) => [each.name, each]));
  const purl = (name) => byName.get(name).externalRefs[0].referenceLocator;
  const debian = dpkg();
  for (const { name, version: one, architecture, source, sourceVersion } of debian) {
    assert.equal(byName.get(name).versionInfo, one);
    assert.equal(purl(name), `pkg:deb/debian/${name.replaceAll('+', '%2B')}@${one.replaceAll('+', '%2B')}?arch=${architecture}&distro=debian-${release}`);
    assert.equal(byName.get(name).sourceInfo, `built from ${source} ${sourceVersion} of Debian`);
  }
  assert.equal(byName.get('arbiter').versionInfo, version);
  assert.deepEqual(document.packages.map(({ name }) => name).sort(), ['arbiter', ...debian.map(({ name }) => name)].sort());

  // The document describes every package, and the program depends on every package except base-files.
  const ids = document.packages.map(({ SPDXID }) => SPDXID);
  assert.equal(new Set(ids).size, ids.length);
  const related = document.relationships.map((each) => [each.spdxElementId, each.relationshipType, each.relatedSpdxElement].join(' '));
  assert.deepEqual(related.sort(), [
    ...['arbiter', ...debian.map(({ name }) => name)].map((name) => `SPDXRef-DOCUMENT DESCRIBES ${byName.get(name).SPDXID}`),
    ...debian.filter(({ name }) => name !== 'base-files').map(({ name }) => `${byName.get('arbiter').SPDXID} DEPENDS_ON ${byName.get(name).SPDXID}`),
  ].sort());
});

/** The dynamic loader that the program requests. */
function loader() {
  const [, path] = /\[Requesting program interpreter: (.*)\]/.exec(output('readelf', '-lW', join(root, 'usr/bin/arbiter')));
  return [path];
}

if (process.env.ARBITER_IMAGE_AGAIN) {
  test('two builds of a commit produce the same layers, byte for byte, and the same configuration', () => {
    const [one, other] = [IMAGE, process.env.ARBITER_IMAGE_AGAIN].map((name) => {
      const { Docker: image } = JSON.parse(output('buildah', 'inspect', '--type', 'image', name));
      // Ignore the names that buildah made up for the build container.
      delete image.container;
      for (const part of [image.config, image.container_config]) delete part.Hostname;
      return image;
    });
    assert.match(one.rootfs.diff_ids[0], /^sha256:[0-9a-f]{64}$/);
    assert.deepEqual(other, one);
  });
}

test('compose.yaml runs the image with its restrictions, and with options that exist', () => {
  const { services: { arbiter } } = parse(readFileSync(new URL('../../docker/compose.yaml', import.meta.url), 'utf8'));
  assert.equal(arbiter.user, config.User);
  assert.deepEqual(arbiter.healthcheck.test, config.Healthcheck.Test);
  assert.deepEqual([arbiter.read_only, arbiter.cap_drop, arbiter.security_opt], [true, ['ALL'], ['no-new-privileges:true']]);
  const help = output('chroot', root, '/usr/bin/arbiter', '--help');
  const plain = (text) => String(text).replace(/\$\{\w+:-([^}]*)\}/g, '$1');
  for (const name of Object.keys(arbiter.environment))
    assert.ok(help.includes(`  --${name.replace('ARBITER_', '').toLowerCase().replaceAll('_', '-')} `), name);
  const { ARBITER_DRAIN_DELAY: delay, ARBITER_DRAIN_TIMEOUT: drain, ARBITER_MEMORY: memory } = arbiter.environment;
  assert.ok(Number(plain(delay)) + Number(plain(drain)) < parseInt(plain(arbiter.stop_grace_period), 10));
  assert.equal(memory, 'auto');
  assert.equal(plain(arbiter.ports[0]), '127.0.0.1:8080:8080');
});

test('the program answers every route when it runs as process 1', async (t) => {
  const arbiter = await run(t);
  const post = (target, value) => ask(arbiter.port, { target, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) });
  assert.deepEqual((await post('/pawn', { board: ['..#.', 'O..O', '....', '.X..'] })).json(), { verdict: 'Red', steps: 7 });
  assert.equal((await post('/go', { size: 2, moves: [['B', 0, 0], ['W', 0, 0]] })).json().misses.length, 1);
  assert.equal((await post('/mine', { board: ['...', '.*.', '...'] })).json().verdict, 'Fanglaoshi');
  for (const target of ['/', '/docs', '/docs/guides', '/openapi.yaml', '/limits', '/version', '/livez', '/readyz', '/problems/malformed'])
    assert.equal((await ask(arbiter.port, { target })).status, 200, target);
  arbiter.kill('TERM');
  assert.equal((await arbiter.ended).code, 0);
});

test('the process has no capabilities and cannot gain any, its system calls are filtered, and it cannot write files', async (t) => {
  const arbiter = await run(t);
  const status = Object.fromEntries(
    readFileSync(`/proc/${arbiter.pid}/status`, 'utf8').split('\n').map((line) => line.split(/:\s+/)));
  for (const set of ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb']) assert.match(status[set], /^0+$/, set);
  assert.equal(status.NoNewPrivs, '1');
  assert.equal(status.Seccomp, '2');
  assert.match(status.Uid, new RegExp(`^(${NOBODY}\\s*){4}$`));
  assert.match(readFileSync(`/proc/${arbiter.pid}/mountinfo`, 'utf8'), / \/ ro,/);
  assert.match(status.NSpid, /\b1$/, 'it is process 1');
  // The seccomp profile may or may not allow workers to raise their nice value. Either is fine, but worth reporting.
  console.log(`start: the nice values of its threads are ${nicesOf(arbiter.pid).join(', ')}`);
  arbiter.kill('TERM');
  await arbiter.ended;
});

test('after SIGTERM, requests in flight are answered, and the exit status is 0', async (t) => {
  const arbiter = await run(t);
  const connection = await connect(arbiter.port);
  const bytes = formatRequest({ target: '/mine', headers: { 'Content-Type': 'application/json' }, body: '{"board":["...",".*.","..."]}' });
  connection.expect('POST');
  await connection.write(bytes.subarray(0, bytes.length - 5));
  await until('it is in flight', async () => (await metricsAt(arbiter.opsPort)).get('arbiter_requests_in_flight') === 1);
  arbiter.kill('TERM');
  await until('it is draining', () => arbiter.log().includes('"event":"draining"'));
  await connection.write(bytes.subarray(bytes.length - 5));
  assert.equal((await connection.answer()).json().verdict, 'Fanglaoshi');
  connection.close();
  const { code, log } = await arbiter.ended;
  assert.equal(code, 0, log);
  assert.match(log, /"event":"stopped","cut_off":0/);
});

test('without options, the program listens on port 8080 on all addresses, and the health check succeeds', async (t) => {
  // Run it in its own network namespace, where no other program uses the port.
  const arbiter = await run(t, (spec) => {
    spec.linux.namespaces.push({ type: 'network' });
    spec.process.env = config.Env;
  }, { reachable: false });
  assert.match(arbiter.log(), /"addresses":\["0\.0\.0\.0","::"\],"port":8080/);
  const health = spawnSync('runc', ['exec', arbiter.name, ...config.Healthcheck.Test.slice(1)], { encoding: 'utf8' });
  assert.equal(health.status, 0, health.stderr);
  arbiter.kill('TERM');
  assert.equal((await arbiter.ended).code, 0);
});

/** The numbers of short and long workers in a process. Workers have higher nice values than other threads, and long workers the highest. */
const workersOf = (pid) => {
  const nices = nicesOf(pid).filter((nice) => nice > 0);
  const short = nices.filter((nice) => nice === Math.min(...nices)).length;
  return [short, nices.length - short];
};

test('the program starts no more workers than its processor mask and cgroup quota allow', async (t) => {
  const masked = await run(t, (spec) => { spec.process.args = config.Entrypoint; }, { command: ['taskset', '-c', '0', 'runc'] });
  assert.deepEqual(workersOf(masked.pid), [1, 1]);
  masked.kill('TERM');
  await masked.ended;
  if (spawnSync('sh', ['-c', 'test -w /sys/fs/cgroup/cpu/tasks']).status !== 0) {
    console.log('start: there is no cgroup here that could be limited; the mask was');
    return;
  }
  const limited = await run(t, (spec) => { spec.linux.resources = { cpu: { quota: 50000, period: 100000 } }; });
  assert.deepEqual(workersOf(limited.pid), [1, 1]);
  limited.kill('TERM');
  await limited.ended;
});

test('the health check fails if no program is running', () => {
  // No program listens on port 1.
  const health = spawnSync('chroot', [root, '/usr/bin/arbiter', 'health', '--port', '1'], { encoding: 'utf8' });
  assert.equal(health.status, 1);
  assert.match(health.stderr, /cannot be reached/);
});
