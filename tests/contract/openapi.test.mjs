// openapi.yaml against the running server.
//
// How an example is run. Its request and its answer stand under the same name in the same operation: `examples.batch`
// of the request body is answered by `examples.batch` of a response. Accept is sent where the answer is of another media
// type than such a request is answered in by itself. The same holds for the parameters of a query: `examples.drawn` of
// `case` and of `format` make up the request that `examples.drawn` of a response answers. A response without a body has
// its examples in x-examples. What a request example cannot say, since it would have to fit the schema, is said beside
// the value of the answer by extensions:
//
//   x-request     the request, or how it differs:
//                   method, target   instead of the operation's
//                   query            put behind the target
//                   target_bytes     the target is filled up with a query to this length
//                   headers          sent besides Host and Content-Length
//                   body             these very characters, as JSON unless headers say otherwise
//                   body_bytes       the body is filled up with blanks to this length
//                   revalidate       true: asked once more, with the tag of the first answer in If-None-Match
//                   server           options of a server started for such examples
//                   signal           sent to a server of its own; then the request is repeated until the answer changes
//                   expect           headers of the answer besides those that the response lists as required
//   x-varies      names of members that may have any value that fits the schema
//   x-contains    words that the answer contains; there is no value then
//   x-same-as     a file of the repository that the answer equals byte for byte
//   x-not-run     true: cannot be brought about from outside; the tests hold the list of these
//
// A request example may also have x-request, for `server`.
//
// How request schemas are held against the decoders. Each request object has `examples`, which use all of its members.
// Every example is changed in one place at a time, as its schema says that it must not be, and sent; the answer must name
// that very place.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { withArbiter } from '../server/arbiter.mjs';
import { until } from '../server/client.mjs';
import { content_type, operations, whole } from './description.mjs';
import { Servers } from './wire.mjs';

const servers = new Servers();
after(() => servers.stop());

const not_run = ['500 internal'];

// --- examples

// Every example of an answer: { name, key, status, type, example, response, request }.
function examples() {
  const list = [];
  for (const [path, method, operation] of operations()) {
    for (const [status, response] of operation.at('responses').entries()) {
      for (const [key, example] of response.at('x-examples')?.entries() ?? []) {
        list.push({
          name: `${method} ${path} ${status} ${key}`,
          operation: `${method} ${path}`,
          key,
          status: Number(status),
          type: null,
          example: example.value,
          response,
          request: request_of(path, method, operation, key, null, example.value['x-request']),
        });
      }
      for (const [type, content] of response.at('content')?.entries() ?? []) {
        for (const [key, example] of content.at('examples').entries()) {
          list.push({
            name: `${method} ${path} ${status} ${type} ${key}`,
            operation: `${method} ${path}`,
            key,
            status: Number(status),
            type,
            schema: content.at('schema'),
            example: example.value,
            response,
            request: request_of(path, method, operation, key, type, example.value['x-request']),
          });
        }
      }
    }
  }
  return list;
}

// What a body of this media type is answered in.
const answered_in = (type) => (type === 'text/plain' ? type : 'application/json');

// The examples of a parameter, which may have a media type of its own.
const parameter_examples = (parameter) =>
  (parameter.value.content ? parameter.at('content', 'application/json', 'examples') : parameter.at('examples'))?.value;

// The query that the example `key` of the parameters makes up; '' where none has one of this name.
function query_of(operation, key) {
  const query = new URLSearchParams();
  for (const [, parameter] of operation.at('parameters')?.entries() ?? []) {
    const example = parameter.value.in === 'query' ? parameter_examples(parameter)?.[key] : undefined;
    if (example) query.set(parameter.value.name, parameter.value.content ? JSON.stringify(example.value) : example.value);
  }
  return query.toString();
}

// The request of the example `key`: what the description says, changed by x-request.
function request_of(path, method, operation, key, answer_type, changes = {}) {
  const headers = {};
  let body;
  for (const [type, content] of operation.at('requestBody', 'content')?.entries() ?? []) {
    const example = content.value.examples?.[key];
    if (!example) continue;
    body = type === 'application/json' ? JSON.stringify(example.value) : example.value;
    headers['Content-Type'] = type;
    if (answered_in(type) !== answer_type) headers.Accept = answer_type;
    changes = { ...example['x-request'], ...changes };
  }
  if (changes.body !== undefined) {
    body = changes.body.padEnd(changes.body_bytes ?? 0);
    headers['Content-Type'] = 'application/json';
  }
  let target =
    changes.target ??
    path.replace(/\{(\w+)\}/g, (_, name) => {
      const parameter = operation.value.parameters.find((one) => one.name === name);
      return (parameter.examples[key] ?? Object.values(parameter.examples)[0]).value;
    });
  const query = changes.query ?? query_of(operation, key);
  if (query !== '') target += `?${query}`;
  if (changes.target_bytes !== undefined) target = `${target}?`.padEnd(changes.target_bytes, 'x');
  return {
    method: changes.method ?? method,
    target,
    headers: { ...headers, ...changes.headers },
    body,
    server: changes.server ?? [],
    signal: changes.signal,
    revalidate: changes.revalidate ?? false,
    expect: changes.expect ?? {},
  };
}

// Ask twice, the second time with the tag of the first answer.
async function ask_again(request) {
  const before = await servers.ask(request, request.server);
  assert.equal(before.status, 200, before.body.toString());
  const headers = { ...request.headers, 'If-None-Match': before.headers.get('etag') };
  const again = await servers.ask({ ...request, headers }, request.server);
  assert.equal(again.headers.get('etag'), before.headers.get('etag'));
  assert.equal(again.headers.get('vary'), before.headers.get('vary'));
  return again;
}

// Ask until the server has noticed the signal.
async function ask_after_signal(request) {
  let after;
  await withArbiter(request.server, async (server) => {
    const before = await server.ask(request);
    server.signal(request.signal);
    await until(
      'the answer changes',
      async () => {
        after = await server.ask(request);
        return after.status !== before.status;
      },
      { every: 0 },
    );
    await server.stop({ signal: request.signal, status: 1 }); // the second one: at once
  });
  return after;
}

function check_headers(answer, { response, type, request }) {
  assert.equal(answer.headers.get('content-type'), type === null ? undefined : content_type(type));
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  for (const [name, header] of response.at('headers').entries()) {
    const value = answer.headers.get(name.toLowerCase());
    if (value === undefined) {
      assert.ok(!header.value.required, `${name} is missing`);
    } else {
      assert.equal(header.at('schema').complaints(value), '', `${name}: ${value}`);
    }
  }
  for (const [name, value] of Object.entries(request.expect)) {
    assert.equal(answer.headers.get(name.toLowerCase()), value, name);
  }
}

function check_body(answer, { example, schema, type }) {
  const text = answer.body.toString();
  if (type === null) assert.equal(text, '');
  if (example['x-same-as']) {
    assert.ok(answer.body.equals(readFileSync(new URL(`../../${example['x-same-as']}`, import.meta.url))));
  }
  for (const word of example['x-contains'] ?? []) assert.ok(text.includes(word), `${word} is not in\n${text}`);
  if (!('value' in example)) return;
  if (!type.endsWith('json')) {
    assert.equal(text, example.value);
    return;
  }
  assert.ok(text.endsWith('\n'), 'a JSON answer ends in a line feed');
  const got = JSON.parse(text);
  assert.equal(schema.complaints(got), '', text);
  const wanted = structuredClone(example.value);
  for (const name of example['x-varies'] ?? []) {
    delete got[name];
    delete wanted[name];
  }
  assert.deepEqual(got, wanted);
}

const all = examples();
const run = all.filter(({ example }) => !example['x-not-run']);

for (const one of run) {
  test(`the example ${one.name} is what the server answers`, async () => {
    const ask_it = one.request.signal
      ? ask_after_signal
      : one.request.revalidate
        ? ask_again
        : (request) => servers.ask(request, request.server);
    const answer = await ask_it(one.request);
    assert.equal(answer.status, one.status, answer.body.toString());
    check_headers(answer, one);
    check_body(answer, one);
  });
}

test('only the examples that cannot be brought about are not run', () => {
  const left_out = all.filter((one) => !run.includes(one)).map(({ status, key }) => `${status} ${key}`);
  assert.deepEqual([...new Set(left_out)], not_run);
});

test('every status of every operation has an example', () => {
  for (const [path, method, operation] of operations()) {
    for (const status of Object.keys(operation.value.responses)) {
      const name = `${method} ${path}`;
      assert.ok(
        all.some((one) => one.operation === name && one.status === Number(status)),
        `${name} ${status}`,
      );
    }
  }
});

test('every example of a request has one of an answer, and the other way round', () => {
  for (const [path, method, operation] of operations()) {
    const body = operation.at('requestBody', 'content');
    const the_case = operation.at('parameters')?.entries().find(([, parameter]) => parameter.value.name === 'case');
    if (!body && !the_case) continue;
    const asked = body
      ? body.entries().flatMap(([, content]) => Object.keys(content.value.examples))
      : Object.keys(parameter_examples(the_case[1]));
    assert.equal(new Set(asked).size, asked.length, 'a name stands for one request');
    const answered = all
      .filter((one) => one.operation === `${method} ${path}` && one.status === 200)
      .map((one) => one.key);
    assert.deepEqual([...new Set(answered)].sort(), [...asked].sort(), path);
  }
});

test('every example of a request and of an answer fits its schema', () => {
  for (const { name, schema, example, type } of all) {
    if ('value' in example && type?.endsWith('json')) assert.equal(schema.complaints(example.value), '', name);
  }
  for (const [path, , operation] of operations()) {
    const json = operation.at('requestBody', 'content', 'application/json');
    for (const [key, example] of json?.at('examples').entries() ?? []) {
      assert.equal(json.at('schema').complaints(example.value.value), '', `${path} ${key}`);
    }
    for (const [, parameter] of operation.at('parameters')?.entries() ?? []) {
      const schema = parameter.at('schema') ?? parameter.at('content', 'application/json', 'schema');
      for (const [key, { value }] of Object.entries(parameter_examples(parameter))) {
        assert.equal(schema.complaints(value), '', `${path} ${parameter.value.name} ${key}`);
      }
    }
  }
});

test('every type of problem and every code of a fault has an example', () => {
  const problems = all.filter(({ type }) => type === 'application/problem+json').map(({ example }) => example.value);
  const types = new Set(problems.map(({ type }) => type));
  const codes = new Set(problems.flatMap(({ errors = [] }) => errors.map(({ code }) => code)));
  const schema = whole.at('components', 'schemas');
  assert.deepEqual([...types].sort(), [...schema.at('Problem', 'properties', 'type').value.enum].sort());
  assert.deepEqual([...codes].sort(), [...schema.at('Fault', 'properties', 'code').value.enum].sort());
});

// --- requests against decoders

const is_object = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

// A copy of `whole_value` with `change` done to what stands at `path`; `change` gets a copy and returns what replaces it.
function changed(whole_value, path, change) {
  if (path.length === 0) return change(structuredClone(whole_value));
  const [name, ...rest] = path;
  const copy = structuredClone(whole_value);
  copy[name] = changed(copy[name], rest, change);
  return copy;
}

const pointer_of = (path) => path.map((name) => `/${name}`).join('');

// Call visit(schema, value, path) for this value and all within it, each with the schema that it has to fit.
function walk(schema, value, path, visit) {
  for (const word of ['oneOf', 'anyOf']) {
    if (!schema.value[word]) continue;
    for (const [, branch] of schema.at(word).entries()) {
      if (branch.complaints(value) === '') walk(branch, value, path, visit);
    }
    return;
  }
  visit(schema, value, path);
  if (is_object(value)) {
    for (const name of Object.keys(value)) walk(schema.at('properties', name), value[name], [...path, name], visit);
  } else if (Array.isArray(value)) {
    value.forEach((element, index) => {
      walk(schema.at('prefixItems', index) ?? schema.at('items'), element, [...path, index], visit);
    });
  }
}

// Every schema at and below this one that an example should reach, as pointers.
function reachable(schema, into = new Set()) {
  const { oneOf, anyOf, properties, prefixItems, items } = schema.value;
  if (oneOf || anyOf) {
    for (const [, branch] of schema.at(oneOf ? 'oneOf' : 'anyOf').entries()) reachable(branch, into);
    return into;
  }
  if (into.has(schema.pointer)) return into;
  into.add(schema.pointer);
  if (properties) for (const [, property] of schema.at('properties').entries()) reachable(property, into);
  if (prefixItems) for (const [, item] of schema.at('prefixItems').entries()) reachable(item, into);
  if (items) reachable(schema.at('items'), into);
  return into;
}

// What must not be sent in place of `value`: [what, change, code, place below it].
function faults_of({ value: schema }, value) {
  const list = [['null', () => null, 'type', []]];
  if (schema.properties) {
    list.push([
      'a member that is not listed',
      (object) => ({ ...object, no_such_member: 1 }),
      'unknown-member',
      ['no_such_member'],
    ]);
    for (const name of Object.keys(schema.properties)) {
      list.push([`null as ${name}`, (object) => ({ ...object, [name]: null }), 'type', [name]]);
    }
    for (const name of schema.required ?? []) {
      list.push([`no ${name}`, ({ [name]: _, ...others }) => others, 'missing', []]);
    }
  }
  if (schema.enum) list.push(['another word', () => 'no such word', 'value', []]);
  if (schema.pattern) list.push(['another character', (text) => `?${text.slice(1)}`, 'value', []]);
  if (schema.minLength) list.push(['an empty string', () => '', 'length', []]);
  if (schema.maxLength) list.push(['too long a string', (text) => text[0].repeat(schema.maxLength + 1), 'length', []]);
  if (schema.type === 'integer') {
    list.push(['a half', () => 0.5, 'type', []]);
    if (schema.minimum !== undefined) list.push(['too small a number', () => schema.minimum - 1, 'range', []]);
    if (schema.maximum !== undefined) list.push(['too large a number', () => schema.maximum + 1, 'range', []]);
  }
  if (schema.type === 'array') {
    if (schema.prefixItems) {
      list.push(['one element', (array) => array.slice(0, 1), 'length', []]);
      list.push(['more elements', (array) => [...array, 0, 0], 'length', []]);
    } else {
      if (schema.uniqueItems && value.length > 0)
        list.push(['an element twice', (array) => [...array, array[0]], 'value', [value.length]]);
      if (schema.minItems)
        list.push(['too few elements', (array) => array.slice(0, schema.minItems - 1), 'length', []]);
      if (schema.maxItems) {
        list.push(['too many elements', (array) => Array(schema.maxItems + 1).fill(array[0]), 'length', []]);
      }
    }
  }
  return list;
}

// The request schemas of a route, each with its examples: [schema, example].
function request_examples(operation) {
  const list = [];
  const visit = (schema) => {
    if (schema.value.oneOf)
      schema
        .at('oneOf')
        .entries()
        .forEach(([, branch]) => visit(branch));
    else schema.value.examples.forEach((example) => list.push([schema, example]));
  };
  visit(operation.at('requestBody', 'content', 'application/json', 'schema'));
  return list;
}

const post = (path, value) =>
  servers.ask({
    method: 'POST',
    target: path,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(value),
  });

for (const [path, method, operation] of operations()) {
  if (method !== 'POST') continue;
  const pairs = request_examples(operation);

  test(`every example of a request object of ${path} is accepted`, async () => {
    for (const [, example] of pairs) {
      const answer = await post(path, example);
      assert.equal(answer.status, 200, `${JSON.stringify(example)}\n${answer.body}`);
    }
  });

  test(`the examples of request objects of ${path} reach every member`, () => {
    const seen = new Set();
    for (const [schema, example] of pairs) walk(schema, example, [], (part) => seen.add(part.pointer));
    const wanted = reachable(operation.at('requestBody', 'content', 'application/json', 'schema'));
    assert.deepEqual(
      [...wanted].filter((pointer) => !seen.has(pointer)),
      [],
    );
  });

  test(`a default of ${path} is what an absent member means`, async () => {
    for (const [root, example] of pairs) {
      const probes = [];
      walk(root, example, [], (schema, value, where) => {
        for (const [name, property] of schema.at('properties')?.entries() ?? []) {
          if (property.value.default !== undefined) probes.push([where, name, property.value.default]);
        }
      });
      for (const [where, name, value] of probes) {
        const without = await post(
          path,
          changed(example, where, ({ [name]: _, ...others }) => others),
        );
        const with_it = await post(
          path,
          changed(example, where, (object) => ({ ...object, [name]: value })),
        );
        assert.equal(without.status, 200);
        assert.deepEqual(with_it.body, without.body, `${pointer_of(where)} ${name}`);
      }
    }
  });

  test(`the decoder of ${path} refuses what the schema does`, async (t) => {
    const done = new Set();
    for (const [root, example] of pairs) {
      const probes = [];
      walk(root, example, [], (schema, value, where) => {
        for (const [what, change, code, below] of faults_of(schema, value)) {
          probes.push({ what, body: changed(example, where, change), code, pointer: pointer_of([...where, ...below]) });
        }
      });
      for (const { what, body, code, pointer } of probes) {
        const text = JSON.stringify(body);
        if (done.has(text)) continue;
        done.add(text);
        await t.test(`${what} at '${pointer}' of ${JSON.stringify(example).slice(0, 60)}`, async () => {
          assert.notEqual(root.complaints(body), '', 'the schema refuses it');
          const answer = await post(path, body);
          assert.equal(answer.status, 422, `${text.slice(0, 300)}\n${answer.body}`);
          const [first] = JSON.parse(answer.body).errors;
          assert.deepEqual(
            { code: first.code, pointer: first.pointer },
            { code, pointer },
            `${text.slice(0, 300)}\n${answer.body}`,
          );
        });
      }
    }
  });
}

// --- the rest of the service

test('GET /limits has the documented limits with the documented defaults, and no others', async () => {
  const properties = whole.at('components', 'schemas', 'Limits', 'properties').value;
  const documented = Object.fromEntries(Object.entries(properties).map(([name, limit]) => [name, limit.default]));
  const answer = await servers.ask({ target: '/limits' });
  assert.deepEqual(JSON.parse(answer.body), documented);
});

test('every documented limit is an option that GET /limits shows', async () => {
  const properties = whole.at('components', 'schemas', 'Limits', 'properties').value;
  const lower = Object.entries(properties).map(([name, limit]) => [name, limit.default - 1]);
  const options = lower.flatMap(([name, value]) => [`--${name.replaceAll('_', '-')}`, String(value)]);
  const answer = await servers.ask({ target: '/limits' }, options);
  assert.deepEqual(JSON.parse(answer.body), Object.fromEntries(lower));
});

test('the description has the version of the program', async () => {
  const answer = await servers.ask({ target: '/version' });
  assert.equal(JSON.parse(answer.body).version, whole.at('info', 'version').value);
});

test('every type of problem has a page', async () => {
  const types = whole.at('components', 'schemas', 'Problem', 'properties', 'type').value.enum;
  const names = operations()
    .find(([path]) => path === '/problems/{name}')[2]
    .at('parameters', 0, 'schema').value.enum;
  assert.deepEqual(
    names.map((name) => `/problems/${name}`),
    types,
  );
  for (const type of types) {
    const answer = await servers.ask({ target: type });
    assert.equal(answer.status, 200, type);
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(answer.body.toString(), /^<!doctype html>/i);
  }
});

test('HEAD answers as GET does, without the body', async () => {
  const asked = all.filter(({ operation, status }) => operation.startsWith('GET ') && status === 200);
  assert.ok(asked.length > 15);
  for (const { request } of asked) {
    const [get, head] = [await servers.ask(request), await servers.ask({ ...request, method: 'HEAD' })];
    assert.equal(head.status, 200, request.target);
    assert.equal(head.body.length, 0, request.target);
    for (const [name, value] of get.headers) {
      if (!['date', 'x-request-id'].includes(name)) assert.equal(head.headers.get(name), value, `${request.target} ${name}`);
    }
    assert.equal(head.headers.size, get.headers.size, request.target);
  }
});

test('OPTIONS answers 204 with Allow, and a preflight is allowed', async () => {
  const described = new Map(); // path -> its methods
  for (const [path, method] of operations()) described.set(path, [...(described.get(path) ?? ['OPTIONS']), method]);
  for (const [path, method] of operations()) {
    const target = path.replace('{name}', 'malformed');
    const headers = { Origin: 'https://a.example', 'Access-Control-Request-Method': method };
    const { status, headers: got } = await servers.ask({ method: 'OPTIONS', target, headers });
    assert.equal(status, 204, path);
    const allow = described.get(path).flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]));
    assert.equal(got.get('allow'), allow.sort().join(', '), path);
    assert.equal(got.get('access-control-allow-origin'), '*');
    assert.ok(got.get('access-control-allow-methods').includes(method), path);
    const allowed = got
      .get('access-control-allow-headers')
      .toLowerCase()
      .split(/\s*,\s*/);
    for (const name of ['content-type', 'x-request-id', 'traceparent']) assert.ok(allowed.includes(name), name);
    assert.equal(got.get('access-control-max-age'), '86400');
    assert.ok(!got.has('access-control-allow-credentials'));
  }
});

test('an answer exposes the headers that a web page may read', async () => {
  for (const target of ['/limits', '/no/such/path']) {
    const exposed = (await servers.ask({ target })).headers
      .get('access-control-expose-headers')
      .toLowerCase()
      .split(/\s*,\s*/);
    assert.deepEqual(exposed.sort(), ['etag', 'retry-after', 'x-request-id']);
  }
});

test('a fit X-Request-Id is kept, another is replaced', async () => {
  for (const id of ['a', 'A-Z_0.9', 'x'.repeat(64)]) {
    for (const target of ['/livez', '/no/such/path']) {
      const answer = await servers.ask({ target, headers: { 'X-Request-Id': id } });
      assert.equal(answer.headers.get('x-request-id'), id);
    }
  }
  for (const id of ['', 'a b', 'x'.repeat(65), 'a;b', 'é']) {
    const got = (await servers.ask({ target: '/livez', headers: { 'X-Request-Id': id } })).headers.get('x-request-id');
    assert.notEqual(got, id);
    assert.match(got, /^[A-Za-z0-9._-]{1,64}$/);
  }
});
