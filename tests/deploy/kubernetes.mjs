// The objects in docker/kubernetes, as `kubectl apply -k` creates them.
//
// The tests don't need kustomize: this file does the same for the fields that our kustomizations use, and rejects all others.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseAllDocuments } from 'yaml';

import { DOCKER } from './cluster.mjs';

/** The YAML documents in a text. Parser warnings and duplicate names are errors. */
const readDocuments = (text) => parseAllDocuments(text, { strict: true, uniqueKeys: true }).map((document) => {
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) throw problem;
  return document.toJS();
});

const read = (...path) => readFileSync(join(...path), 'utf8');
const fail = (message) => { throw new Error(message); };

/** The objects in a text. A document that is not an object is an error. */
export function readObjects(text) {
  const objects = readDocuments(text);
  for (const object of objects)
    if (typeof object?.apiVersion !== 'string' || typeof object.kind !== 'string') fail(`no object: ${JSON.stringify(object)}`);
  return objects;
}

/** The lists in our patches that Kubernetes merges by `name`. It replaces any other list as a whole. */
const MERGED_BY_NAME = ['containers', 'env'];

/**
 * Performs a strategic merge. Maps are merged, null removes a member, and `$patch: delete` removes an item from a list. Lists with
 * names other than those above are rejected.
 */
function merge(object, patch) {
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) {
      if (!(name in object)) fail(`there is no ${name} to remove`);
      delete object[name];
    } else if (Array.isArray(value)) {
      if (!MERGED_BY_NAME.includes(name)) fail(`this test cannot merge ${name}`);
      const list = object[name] ??= [];
      for (const { $patch, ...item } of value) {
        const at = list.findIndex((one) => one.name === item.name);
        if ($patch !== undefined && ($patch !== 'delete' || at < 0)) fail(`this test cannot ${$patch} ${item.name}`);
        if ($patch !== undefined) list.splice(at, 1);
        else if (at < 0) list.push(item);
        else merge(list[at], item);
      }
    } else if (typeof value === 'object') {
      merge(object[name] ??= {}, value);
    } else {
      object[name] = value;
    }
  }
}

/** Applies a JSON patch (RFC 6902) with `add`, the only operation that we use. */
function add(object, { op, path, value, ...rest }) {
  if (op !== 'add' || Object.keys(rest).length > 0) fail(`this test cannot do ${op}`);
  const [last, ...way] = path.slice(1).split('/').reverse();
  const parent = way.reverse().reduce((place, name) => place?.[name], object);
  if (typeof parent !== 'object' || Array.isArray(parent)) fail(`${path} has no object before its last part`);
  parent[last] = value;
}

function applyPatch(objects, text, target) {
  const [patch, ...more] = readDocuments(text);
  if (more.length > 0) fail('more than one patch in a file');
  const { kind, name } = target ?? { kind: patch.kind, name: patch.metadata.name };
  const object = objects[kind];
  if (object?.metadata.name !== name) fail(`there is no ${kind} ${name} to patch`);
  if (Array.isArray(patch)) {
    for (const operation of patch) add(object, operation);
  } else {
    if (patch.apiVersion !== object.apiVersion) fail(`${kind} is of ${object.apiVersion}`);
    merge(object, patch);
  }
}

/** The objects of the kustomization in a folder, by kind. There is only one object of each kind. */
function kustomize(folder) {
  const [{ apiVersion, kind, resources, patches = [], ...rest }] = readObjects(read(folder, 'kustomization.yaml'));
  if (apiVersion !== 'kustomize.config.k8s.io/v1beta1' || kind !== 'Kustomization') fail(`${folder} has no kustomization`);
  if (Object.keys(rest).length > 0) fail(`this test cannot resolve ${Object.keys(rest)}`);
  const objects = {};
  for (const name of resources) {
    const path = join(folder, name);
    for (const object of name.endsWith('.yaml') ? readObjects(read(path)) : Object.values(kustomize(path))) {
      if (object.kind in objects) fail(`a second ${object.kind}`);
      objects[object.kind] = object;
    }
  }
  for (const { path, target } of patches) applyPatch(objects, read(folder, path), target);
  return objects;
}

/** The objects in each folder of docker/ that is meant for `kubectl apply -k`. */
export const KUBERNETES = Object.fromEntries(['kubernetes/base', 'kubernetes/overlays/public'].map((name) => [name, kustomize(join(DOCKER, name))]));

/** The objects for the bulk work Job. */
export const BULK = kustomize(join(DOCKER, 'kubernetes/bulk'));

/** The number of bytes in a size written in Kubernetes notation. */
export function bytes(text) {
  const [, number, unit] = /^(\d+)(Mi|Gi)$/.exec(text);
  return Number(number) * { Mi: 2 ** 20, Gi: 2 ** 30 }[unit];
}

/** The environment variables of the container in the pods. */
export const optionsOf = ({ Deployment: { spec: { template } } }) =>
  Object.fromEntries(template.spec.containers[0].env.map(({ name, value }) => [name, value]));
