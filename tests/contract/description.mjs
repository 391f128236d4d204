// Reads openapi.yaml once, resolves references between its parts, and compiles its schemas.

import { readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

const description = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'));

const ajv = new Ajv2020.default({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
addFormats.default(ajv);
ajv.addVocabulary(Object.keys(description)); // otherwise the strict mode reports 'openapi' as an unknown keyword
ajv.addSchema(description, 'openapi.yaml', false, false);

const escape = (name) => String(name).replaceAll('~', '~0').replaceAll('/', '~1');

// A part of the description: its path (the names and indexes that lead to it from the root) and its value.
export class Part {
  constructor(path = [], value = description) {
    this.path = path;
    this.value = value;
  }

  get pointer() {
    return this.path.map((name) => `/${escape(name)}`).join('');
  }

  // The part at this path, relative to this one, with references resolved; undefined if there is none.
  at(...names) {
    let part = this;
    for (const name of names) {
      if (part.value?.[name] === undefined) return undefined;
      part = new Part([...part.path, name], part.value[name]).#followed();
    }
    return part;
  }

  // Each member or element as [name, part].
  entries() {
    return Object.keys(this.value).map((name) => [name, this.at(name)]);
  }

  #followed() {
    const reference = this.value?.$ref;
    if (reference === undefined) return this;
    const names = reference
      .replace(/^#\//, '')
      .split('/')
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
    return new Part().at(...names);
  }

  // A function that validates a value against this schema.
  validator() {
    const uri = `openapi.yaml#${encodeURI(this.pointer).replaceAll('#', '%23')}`;
    return ajv.getSchema(uri) ?? ajv.compile({ $ref: uri });
  }

  // The validation errors for a value, as text; empty if the value matches this schema.
  complaints(value) {
    const validate = this.validator();
    return validate(value) ? '' : ajv.errorsText(validate.errors, { separator: '\n' });
  }
}

export const whole = new Part();

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

// Each operation as [path, METHOD, operation].
export function operations() {
  return whole
    .at('paths')
    .entries()
    .flatMap(([path, item]) =>
      methods.filter((method) => item.value[method]).map((method) => [path, method.toUpperCase(), item.at(method)]),
    );
}

// A path in which each parameter is replaced with its example.
export const targetOf = (path) =>
  path.replace(/\{(\w+)\}/g, (_, name) => whole.value.paths[path].get.parameters.find((one) => one.name === name).example);

// The media type as the server writes it in Content-Type.
export const contentType = (type) => (type.startsWith('text/') ? `${type}; charset=utf-8` : type);
