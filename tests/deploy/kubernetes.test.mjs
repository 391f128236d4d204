// docker/kubernetes: its objects are valid for Kubernetes, the pods are restricted, and everything agrees with the program's options
// and memory use.
//
// The tests don't need Kubernetes. The TypeScript compiler checks the objects against the npm package kubernetes-types, which is
// generated from the OpenAPI description of Kubernetes 1.30. Unlike validators generated from it, the compiler also rejects unknown
// names. PodMonitor belongs to the Prometheus operator; its type here has the members of monitoring.coreos.com/v1 that we use.
//
// ARBITER_BINARY  the program, for its options

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { parse } from 'yaml';

import { MiB, mostMemoryWithKernel } from '../server/formula.mjs';
import { DOCKER } from './cluster.mjs';
import { inForce } from './in_force.mjs';
import { BULK, KUBERNETES, bytes, optionsOf } from './kubernetes.mjs';

const TOP = fileURLToPath(new URL('../../', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'arbiter-kubernetes-'));
after(() => rmSync(folder, { recursive: true }));

const CONFIGURATIONS = Object.entries(KUBERNETES);
const podOf = ({ Deployment: { spec: { template } } }) => template.spec;

const POD_MONITOR = `{
  apiVersion: 'monitoring.coreos.com/v1', kind: 'PodMonitor', metadata: import('kubernetes-types/meta/v1.d.ts').ObjectMeta,
  spec: { jobLabel?: string, selector: import('kubernetes-types/meta/v1.d.ts').LabelSelector,
    podMetricsEndpoints?: { port?: string, path?: string, interval?: string }[] } }`;

test('the objects have the types that Kubernetes defines', () => {
  const TYPES = { Deployment: 'apps/v1', Service: 'core/v1', HorizontalPodAutoscaler: 'autoscaling/v2', PodDisruptionBudget: 'policy/v1',
    NetworkPolicy: 'networking/v1', PodMonitor: null, Job: 'batch/v1' };
  for (const [name, objects] of CONFIGURATIONS) assert.deepEqual([...Object.keys(objects), 'Job'], Object.keys(TYPES), name);
  const type = ({ kind }) => (TYPES[kind] === null ? POD_MONITOR : `import('kubernetes-types/${TYPES[kind]}.d.ts').${kind}`);
  const write = (file, list) => writeFileSync(join(folder, file), list.map((object, at) =>
    `export const o${at}: ${type(object)} = ${JSON.stringify(object, null, 1)};\n`).join(''));
  // Wrong names and wrong types are rejected, even deep inside an object.
  const changed = (kind, change) => {
    const object = structuredClone(KUBERNETES['kubernetes/base'][kind]);
    change(object.spec);
    return object;
  };
  const wrong = [
    changed('Deployment', ({ template }) => { template.spec.containers[0].readinessProbe.periodSecond = 1; }),
    changed('Deployment', ({ template }) => { template.spec.containers[0].readinessProbe.periodSeconds = '1'; }),
    { ...BULK.Job, spec: { ...BULK.Job.spec, completionModes: 'Indexed' } },
    changed('PodMonitor', ({ podMetricsEndpoints: [endpoint] }) => { endpoint.targetport = 'ops'; }),
  ];
  write('right.ts', [...CONFIGURATIONS.flatMap(([, objects]) => Object.values(objects)), ...Object.values(BULK)]);
  write('wrong.ts', wrong);
  const { stdout } = spawnSync(join(TOP, 'node_modules/.bin/tsc'), ['--noEmit', '--strict', '--module', 'esnext', '--moduleResolution', 'bundler',
    '--allowImportingTsExtensions', '--baseUrl', join(TOP, 'node_modules'), 'right.ts', 'wrong.ts'], { cwd: folder, encoding: 'utf8' });
  assert.deepEqual(stdout.match(/^\S+\.ts\(\d+,\d+\): error TS\d+/gm)?.map((line) => line.replace(/\(.*\)/, '')),
    ['wrong.ts: error TS2353', 'wrong.ts: error TS2322', 'wrong.ts: error TS2353', 'wrong.ts: error TS2353'], stdout);
});

test('the pods meet the level `restricted` of the Pod Security Standards', () => {
  for (const [name, pod] of [...CONFIGURATIONS.map(([name, objects]) => [name, podOf(objects)]), ['kubernetes/bulk', BULK.Job.spec.template.spec]]) {
    const { runAsNonRoot, runAsUser, seccompProfile } = pod.securityContext;
    assert.deepEqual([runAsNonRoot, seccompProfile], [true, { type: 'RuntimeDefault' }], name);
    assert.ok(runAsUser > 0, name);
    assert.equal(pod.automountServiceAccountToken, false, name);
    const [container] = pod.containers;
    assert.deepEqual(container.securityContext,
      { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } }, name);
  }
});

test('the probes use the ops port, and the other probes wait for the startup probe', () => {
  for (const [name, objects] of CONFIGURATIONS) {
    const [{ startupProbe: startup, readinessProbe: readiness, livenessProbe: liveness }] = podOf(objects).containers;
    for (const [probe, path] of [[startup, '/livez'], [readiness, '/readyz'], [liveness, '/livez']]) {
      assert.deepEqual(probe.httpGet, { path, port: 'ops' }, name);
      assert.equal(probe.initialDelaySeconds, undefined, name);
      // When the CPU quota is used up, answers take 0.2 s longer (docs/sizing.md).
      assert.ok(probe.timeoutSeconds >= 2, name);
    }
    assert.equal(startup.periodSeconds, 1, 'a replica gets requests as soon as it is ready');
    const patience = ({ periodSeconds, failureThreshold }) => periodSeconds * failureThreshold;
    assert.ok(patience(startup) > patience(liveness), 'a slow start may take longer than a hang');
  }
});

test('the log of the busiest replica fits into the ephemeral storage limit', () => {
  const [LINE, REQUESTS_A_SECOND, SECONDS_TO_ROTATE] = [300, 60_000, 10];
  const FILES = 5 * 10 * MiB;
  for (const [name, objects] of CONFIGURATIONS) {
    const pod = podOf(objects);
    const { requests, limits } = pod.containers[0].resources;
    assert.equal(pod.volumes, undefined, 'there is no other writable folder');
    assert.ok(bytes(requests['ephemeral-storage']) > FILES, name);
    assert.ok(bytes(limits['ephemeral-storage']) > FILES + 2 * LINE * REQUESTS_A_SECOND * SECONDS_TO_ROTATE, name);
  }
});

const THREADS = ['ARBITER_WORKERS', 'ARBITER_LONG_WORKERS', 'ARBITER_IO_THREADS'];

/** The container's options, with the number of threads that the program starts for its CPU quota. */
function optionsInForce(objects) {
  const options = optionsOf(objects);
  const { cpu } = podOf(objects).containers[0].resources.limits;
  if (cpu === undefined) {
    for (const name of THREADS) assert.match(options[name] ?? '', /^[1-9]\d*$/, `without a quota ${name} would depend on the node`);
    return options;
  }
  assert.match(cpu, /^[1-9]\d*$/, 'whole processors');
  return { ARBITER_WORKERS: cpu, ARBITER_LONG_WORKERS: String(Math.max(1, Math.floor(cpu / 2))), ARBITER_IO_THREADS: '1', ...options };
}

test('the program adapts to the memory limits', () => {
  for (const [name, objects] of CONFIGURATIONS) {
    const { ARBITER_MEMORY: memory, ...options } = optionsInForce(objects);
    const { requests, limits } = podOf(objects).containers[0].resources;
    assert.equal(memory, 'auto', name);
    const values = inForce({ ...options, ARBITER_MEMORY: String(bytes(limits.memory) * 15 / 16) }); // as if in a container with this limit
    const most = mostMemoryWithKernel(Object.fromEntries(Object.entries(values).map(([option, value]) => [option, Number(value)])));
    assert.equal(Number(values.memory_bytes), most, name);
    assert.ok(most <= bytes(limits.memory) * 15 / 16, `${name}: ${most / MiB} MiB in ${limits.memory}`);
    assert.ok(Number(values.max_connections) > 200 && Number(values.max_inflight_bytes) > 100 * MiB, name);
    assert.ok(bytes(requests.memory) < bytes(limits.memory), name);
    for (const [variable, value] of Object.entries(options))
      assert.equal(values[variable.replace('ARBITER_', '').toLowerCase()], value, variable);
  }
});

test('the overlay `public` changes only the profile and site-specific values', () => {
  // The other differences are in threads, resources and the network.
  const { NetworkPolicy, Deployment, ...same } = structuredClone(KUBERNETES['kubernetes/overlays/public']);
  const base = KUBERNETES['kubernetes/base'];
  for (const [kind, object] of Object.entries(same)) assert.deepEqual(object, base[kind]);
  const others = optionsOf(base);
  const threads = Object.fromEntries(THREADS.map((name) => [name, '1']));
  assert.deepEqual(optionsOf({ Deployment }),
    { ...others, ARBITER_PROFILE: 'public', ARBITER_CORS_ORIGIN: 'https://arbiter.example', ...threads });
  const [container] = podOf({ Deployment }).containers;
  const [{ env, resources }] = podOf(base).containers;
  Object.assign(container, { env, resources });
  assert.deepEqual(Deployment, base.Deployment);
});

/** Returns these fields of an object, which must not have any others. */
function fields(object, ...names) {
  for (const name of Object.keys(object)) assert.ok(names.includes(name), `unknown field ${name}`);
  return names.map((name) => object[name]);
}

/** Whether the selector matches these labels. An empty selector matches all labels; without a selector, the result is `missing`. */
function selects(selector, labels, missing) {
  if (selector === undefined) return missing;
  const [wanted = {}] = fields(selector, 'matchLabels');
  return Object.entries(wanted).every(([name, value]) => labels[name] === value);
}

/** Whether the policy allows this pod in another namespace to connect to the named port. */
function allows({ spec }, port, { namespace, labels }) {
  const [podSelector, policyTypes, ingress, egress] = fields(spec, 'podSelector', 'policyTypes', 'ingress', 'egress');
  assert.deepEqual([podSelector, policyTypes, egress], [{ matchLabels: LABELS }, ['Ingress', 'Egress'], undefined]);
  return ingress.some((rule) => {
    const [ports, from] = fields(rule, 'ports', 'from');
    return (ports === undefined || ports.some((one) => fields(one, 'port')[0] === port)) &&
      (from === undefined || from.some((peer) => {
        const [namespaceSelector, podSelector] = fields(peer, 'namespaceSelector', 'podSelector');
        return selects(namespaceSelector, { 'kubernetes.io/metadata.name': namespace }, namespace === OWN) && selects(podSelector, labels, true);
      }));
  });
}

const OWN = 'arbiter';
const LABELS = { 'app.kubernetes.io/name': 'arbiter' };
const PODS = {
  prometheus: { namespace: 'monitoring', labels: { 'app.kubernetes.io/name': 'prometheus' } },
  grafana: { namespace: 'monitoring', labels: { 'app.kubernetes.io/name': 'grafana' } },
  ingress: { namespace: 'ingress-nginx', labels: { 'app.kubernetes.io/name': 'ingress-nginx' } },
  impostor: { namespace: 'default', labels: { 'app.kubernetes.io/name': 'prometheus' } },
  neighbour: { namespace: OWN, labels: LABELS },
};
/** The pods that can reach each port. The kubelet needs no rule, because a node can always reach its own pods. */
const REACH = {
  'kubernetes/base': { http: Object.keys(PODS), ops: ['prometheus'] },
  'kubernetes/overlays/public': { http: ['ingress'], ops: ['prometheus'] },
};

test('the network policy opens the ops port to Prometheus only, and allows no outgoing connections', () => {
  for (const [name, { NetworkPolicy: policy, Deployment: { spec: { template } } }] of CONFIGURATIONS) {
    assert.deepEqual(template.metadata.labels, LABELS, name);
    assert.deepEqual(template.spec.containers[0].ports.map((port) => port.name), Object.keys(REACH[name]), name);
    for (const [port, callers] of Object.entries(REACH[name]))
      assert.deepEqual(Object.keys(PODS).filter((caller) => allows(policy, port, PODS[caller])), callers, `${port} of ${name}`);
  }
});

test('Prometheus scrapes the pods the same way as under compose', () => {
  const { global, scrape_configs: [{ job_name: job }] } = parse(readFileSync(join(DOCKER, 'prometheus.yml'), 'utf8'));
  for (const [name, { PodMonitor: { spec }, Deployment: { spec: { template } } }] of CONFIGURATIONS) {
    const { labels, annotations } = template.metadata;
    assert.ok(selects(spec.selector, labels, false), name);
    assert.equal(labels[spec.jobLabel], job, name);
    assert.deepEqual(spec.podMetricsEndpoints, [{ port: 'ops', path: '/metrics', interval: global.scrape_interval }], name);
    assert.equal(annotations, undefined, 'a second job would scrape the same pods');
    const alerts = readFileSync(join(DOCKER, 'alerts.yml'), 'utf8');
    assert.ok(alerts.includes(`up{job="${job}"}`), name);
  }
});
