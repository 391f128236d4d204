// The objects of docker/kubernetes, as `kubectl apply -k` makes them.
//
// The tests need no kustomize: this file does the same for the fields that our kustomizations have, and refuses all others.
// Where there is a kubectl, kubernetes.test.mjs compares both.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseAllDocuments } from 'yaml';

import { DOCKER } from './cluster.mjs';

/** The objects in a file. A warning of the parser, a name that is there twice, and an empty document are errors. */
export function readObjects(text) {
  return parseAllDocuments(text, { strict: true, uniqueKeys: true }).map((document) => {
    const [problem] = [...document.errors, ...document.warnings];
    if (problem) throw problem;
    const object = document.toJS();
    if (typeof object?.apiVersion !== 'string' || typeof object.kind !== 'string') throw new Error(`no object: ${JSON.stringify(object)}`);
    return object;
  });
}

/** The objects of the kustomization in a folder, by kind: there is one of each. */
export function kustomize(folder) {
  const [{ apiVersion, kind, resources, ...rest }] = readObjects(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'));
  if (apiVersion !== 'kustomize.config.k8s.io/v1beta1' || kind !== 'Kustomization') throw new Error(`${folder} has no kustomization`);
  if (Object.keys(rest).length > 0) throw new Error(`fields that this test cannot resolve: ${Object.keys(rest)}`);
  const objects = {};
  for (const object of resources.flatMap((name) => readObjects(readFileSync(join(folder, name), 'utf8')))) {
    if (object.kind in objects) throw new Error(`a second ${object.kind}`);
    objects[object.kind] = object;
  }
  return objects;
}

/** The folders of docker/ that an operator applies. */
export const FOLDERS = ['kubernetes/base'];
export const KUBERNETES = Object.fromEntries(FOLDERS.map((name) => [name, kustomize(join(DOCKER, name))]));

/** A size as Kubernetes writes it. */
export function bytes(text) {
  const [, number, unit] = /^(\d+)(Mi|Gi)$/.exec(text);
  return Number(number) * { Mi: 2 ** 20, Gi: 2 ** 30 }[unit];
}
