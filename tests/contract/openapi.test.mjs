// openapi.yaml against the running server: every example and every case (cases.mjs says what they are) is sent, and
// its answer held to the schema and headers of its response.
//
// How request schemas are held against the decoders. Each request object has `examples`, which use all of its members.
// Every example is changed in one place at a time, as its schema says that it must not be, and sent; the answer must name
// that very place.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { optionsOf, withArbiter } from '../server/arbiter.mjs';
import { until } from '../server/client.mjs';
import { content_type, operations, target_of, whole } from './description.mjs';
import { answered, asked, cases, examples, lines } from './cases.mjs';
import { Servers } from './wire.mjs';

const servers = new Servers();
after(() => servers.stop());

// What no single request brings about: a fault of the server, and no room for an answer by link where none is large.
const unreachable = /^.* 500 |^GET \/(pawn|go) 503 /;
const is_json = (type) => /[/+]json$/.test(type ?? '');

// --- examples and cases

// Ask twice, the second time with the tag of the first answer.
async function ask_again(request) {
  const before = await servers.ask(request, request.server);
  assert.equal(before.status, 200, before.body.toString());
  const headers = { ...request.headers, 'If-None-Match': before.headers.get('etag') };
  const again = await servers.ask({ ...request, headers }, request.server);
  for (const name of ['etag', 'cache-control']) assert.equal(again.headers.get(name), before.headers.get(name), name);
  assert.deepEqual(new Set(again.list('vary')), new Set([...before.list('vary'), 'accept-encoding']));
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

function check_headers(got, { operation, request, answer }) {
  assert.equal(got.headers.get('content-type'), answer.type === null ? undefined : content_type(answer.type));
  assert.equal(got.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(got.headers.get('access-control-allow-origin'), '*');
  for (const [name, header] of answer.response.at('headers').entries()) {
    const value = got.headers.get(name.toLowerCase());
    if (value === undefined) assert.ok(!header.value.required, `${name} is missing`);
    else assert.equal(header.at('schema').complaints(value), '', `${name}: ${value}`);
  }
  for (const [name, value] of Object.entries(answer.headers ?? {})) {
    assert.equal(got.headers.get(name.toLowerCase()), value, name);
  }
  if (operation.startsWith('POST ') && (answer.status === 200 || answer.status === 406)) {
    assert.ok(got.list('vary').includes('accept'), 'the answer depends on Accept');
  }
  if (request.revalidate) assert.ok(got.list('vary').includes('accept-encoding'), 'the tag depends on Accept-Encoding');
}

function check_body(got, { type, schema, body, contains = [], same_as, varies = [] }) {
  const bytes = got.headers.get('content-encoding') === 'gzip' ? gunzipSync(got.body) : got.body;
  const text = bytes.toString();
  if (type === null) assert.equal(text, '');
  if (same_as) assert.ok(bytes.equals(readFileSync(new URL(`../../${same_as}`, import.meta.url))));
  for (const word of contains) assert.ok(text.includes(word), `${word} is not in\n${text}`);
  if (body === undefined) return;
  if (!is_json(type)) {
    assert.equal(text, body);
    for (const one of lines.includes(type) ? text.split('\n').slice(0, -1) : []) {
      assert.equal(schema.at('contentSchema').complaints(JSON.parse(one)), '', one);
    }
    return;
  }
  assert.ok(text.endsWith('\n'), 'a JSON answer ends in a line feed');
  const value = JSON.parse(text);
  assert.equal(schema.complaints(value), '', text);
  for (const fault of value.errors ?? []) {
    const { pointer, line, column, parameter } = fault;
    assert.ok(pointer !== undefined || (line && column) || parameter, `${JSON.stringify(fault)} has a place`);
  }
  const fixed = (object) => Object.fromEntries(Object.entries(object).filter(([name]) => !varies.includes(name)));
  assert.deepEqual(fixed(value), fixed(JSON.parse(JSON.stringify(body))));
}

const all = [...examples, ...cases];

for (const one of all) {
  test(`${one.name} is answered so`, async () => {
    const ask_it = one.request.signal
      ? ask_after_signal
      : one.request.revalidate
        ? ask_again
        : (request) => servers.ask(request, request.server);
    const got = await ask_it(one.request);
    assert.equal(got.status, one.answer.status, got.body.toString());
    check_headers(got, one);
    check_body(got, one.answer);
  });
}

test('a name stands for one case', () => {
  const names = all.map(({ name }) => name);
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});

test('every status and every form of every operation is brought about', () => {
  const done = new Set(all.map(({ operation, answer }) => `${operation} ${answer.status} ${answer.type}`));
  const wanted = operations().flatMap(([path, method, operation]) =>
    operation
      .at('responses')
      .entries()
      .flatMap(([status, response]) =>
        Object.keys(response.at('content')?.value ?? { null: 'no body' }).map((type) => `${method} ${path} ${status} ${type}`),
      ),
  );
  assert.deepEqual(
    wanted.filter((one) => !done.has(one) && !unreachable.test(one)),
    [],
  );
});

test('every example of a request has one of an answer, and the other way round', () => {
  for (const [path, , operation] of operations()) {
    const bodies = operation.at('requestBody', 'content')?.entries() ?? [];
    const keys = bodies.flatMap(([, content]) => Object.keys(content.value.examples ?? {}));
    assert.equal(new Set(keys).size, keys.length, 'a name stands for one request');
    const wanted = Object.keys(asked(operation)).sort();
    if (wanted.length === 0) continue;
    const got = answered(operation).map(([key]) => key);
    assert.deepEqual(got.sort(), wanted, path);
  }
});

test('every request that is answered fits its schema', () => {
  const fits = (schema, text, name) => assert.equal(schema.complaints(JSON.parse(text)), '', name);
  for (const { name, operation, request, answer } of all) {
    if (answer.status !== 200) continue;
    const [, , described] = operations().find(([path, method]) => `${method} ${path}` === operation);
    const type = request.headers['Content-Type'];
    if (type === 'application/json') fits(described.at('requestBody', 'content', type, 'schema'), request.body, name);
    const the_case = new URL(request.target, 'http://127.0.0.1').searchParams.get('case');
    if (the_case) {
      const [, parameter] = described.at('parameters').entries().find(([, one]) => one.value.name === 'case');
      fits(parameter.at('schema', 'contentSchema'), the_case, name);
    }
  }
});

test('every example has a value, and that of an answer fits its schema', () => {
  for (const { name, answer } of examples) {
    assert.notEqual(answer.body, undefined, name); // Redoc shows nothing at all where one has none
    if (is_json(answer.type)) assert.equal(answer.schema.complaints(answer.body), '', name);
  }
});

test('every type of problem and every code of a fault is brought about', () => {
  const problems = all.filter(({ answer }) => answer.status >= 400).map(({ answer }) => answer.body);
  const types = new Set(problems.map(({ type }) => type));
  const codes = new Set(problems.flatMap(({ errors = [] }) => errors.map(({ code }) => code)));
  const schema = whole.at('components', 'schemas');
  const described = schema.at('Problem', 'properties', 'type').value.enum;
  assert.deepEqual([...types].sort(), described.filter((type) => type !== '/problems/internal').sort());
  assert.deepEqual([...codes].sort(), [...schema.at('Fault', 'properties', 'code').value.enum].sort());
});

test('a member that may be left out has its default in a schema of its own', () => {
  // Of one that stands in the member itself openapi-typescript makes a member that must be sent.
  for (const [name, schema] of whole.at('components', 'schemas').entries()) {
    for (const [member, { default: value }] of Object.entries(schema.value.properties ?? {})) {
      assert.ok(value === undefined || schema.value.required?.includes(member), `${name} ${member}`);
    }
  }
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
  else if (items) reachable(schema.at('items'), into);
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
  const lower = Object.fromEntries(Object.entries(properties).map(([name, limit]) => [name, limit.default - 1]));
  const answer = await servers.ask({ target: '/limits' }, optionsOf(lower));
  assert.deepEqual(JSON.parse(answer.body), lower);
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
  const gets = all.filter(({ operation, answer }) => operation.startsWith('GET ') && answer.status === 200);
  assert.ok(gets.length > 15);
  for (const { request } of gets) {
    const [get, head] = [await servers.ask(request), await servers.ask({ ...request, method: 'HEAD' })];
    assert.equal(head.status, 200, request.target);
    assert.equal(head.body.length, 0, request.target);
    for (const [name, value] of get.headers) {
      const changes = name === 'content-length' && request.target === '/metrics';
      if (!changes && !['date', 'x-request-id'].includes(name)) assert.equal(head.headers.get(name), value, `${request.target} ${name}`);
    }
    assert.equal(head.headers.size, get.headers.size, request.target);
  }
});

test('OPTIONS answers 204 with Allow, and a preflight is allowed', async () => {
  const described = new Map(); // path -> its methods
  for (const [path, method] of operations()) described.set(path, [...(described.get(path) ?? ['OPTIONS']), method]);
  for (const [path, method] of operations()) {
    const target = target_of(path);
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
