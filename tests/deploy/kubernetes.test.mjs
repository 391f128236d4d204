// docker/kubernetes: the objects are valid for Kubernetes, and the pods are restricted.
//
// The tests need no Kubernetes. Objects are checked by the TypeScript compiler against the npm package kubernetes-types, made
// from the OpenAPI description of Kubernetes 1.30: unlike validators made from the same, the compiler also refuses names
// that it does not know.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { missing } from './cluster.mjs';
import { BASE, kustomize, readObjects } from './kubernetes.mjs';

const TOP = fileURLToPath(new URL('../../', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'arbiter-kubernetes-'));
after(() => rmSync(folder, { recursive: true }));

const objects = kustomize(BASE);
const pod = objects.Deployment.spec.template.spec;
const [container] = pod.containers;

test('kustomize makes the same objects', missing('kubectl'), () => {
  const made = readObjects(execFileSync('kubectl', ['kustomize', BASE], { encoding: 'utf8' }));
  assert.deepEqual(Object.fromEntries(made.map((object) => [object.kind, object])), objects);
});

test('the objects have the types of Kubernetes', () => {
  const TYPES = { Deployment: 'apps/v1', Service: 'core/v1', HorizontalPodAutoscaler: 'autoscaling/v2', PodDisruptionBudget: 'policy/v1' };
  assert.deepEqual(Object.keys(objects), Object.keys(TYPES));
  const write = (file, list) => writeFileSync(join(folder, file), list.map((object, at) =>
    `import type { ${object.kind} as T${at} } from 'kubernetes-types/${TYPES[object.kind]}.d.ts';\n` +
    `export const o${at}: T${at} = ${JSON.stringify(object, null, 1)};\n`).join(''));
  // A wrong name and a wrong type are refused, also deep inside.
  const wrong = [(probe) => { probe.periodSecond = 1; }, (probe) => { probe.periodSeconds = '1'; }].map((change) => {
    const object = structuredClone(objects.Deployment);
    change(object.spec.template.spec.containers[0].readinessProbe);
    return object;
  });
  write('right.ts', Object.values(objects));
  write('wrong.ts', wrong);
  const { stdout } = spawnSync(join(TOP, 'node_modules/.bin/tsc'), ['--noEmit', '--strict', '--module', 'esnext', '--moduleResolution', 'bundler',
    '--allowImportingTsExtensions', '--baseUrl', join(TOP, 'node_modules'), 'right.ts', 'wrong.ts'], { cwd: folder, encoding: 'utf8' });
  assert.deepEqual(stdout.match(/^\S+\.ts\(\d+,\d+\): error TS\d+/gm)?.map((line) => line.replace(/\(.*\)/, '')),
    ['wrong.ts: error TS2353', 'wrong.ts: error TS2322'], stdout);
});

test('the pods fit the restricted security level of Kubernetes', () => {
  const { runAsNonRoot, runAsUser, seccompProfile } = pod.securityContext;
  assert.deepEqual([runAsNonRoot, seccompProfile], [true, { type: 'RuntimeDefault' }]);
  assert.deepEqual(container.securityContext, { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
  assert.ok(runAsUser > 0);
  assert.equal(pod.automountServiceAccountToken, false);
  for (const probe of [container.readinessProbe, container.livenessProbe]) assert.equal(probe.httpGet.port, 'ops');
  assert.deepEqual([container.readinessProbe.httpGet.path, container.livenessProbe.httpGet.path], ['/readyz', '/livez']);
});
