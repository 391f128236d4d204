// Compares openapi.yaml with the running server. cases.test.mjs sends the examples and the cases; the tests here check that these
// cover everything in the description, and test whatever they don't cover.
//
// The request schemas are compared with the decoders. Each request object has `examples` that use all of its members. The tests
// change each example in one place so that it violates its schema, and send it; the answer must name exactly that place.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { optionsOf } from '../server/arbiter.mjs';
import { operations, targetOf, whole } from './description.mjs';
import { answered, asked, cases, examples, lines } from './cases.mjs';
import { Servers } from './wire.mjs';

const servers = new Servers();
after(() => servers.stop());

// Responses that no single request can trigger: an internal error, too little memory for the small answer to a link, and responses
// from a load balancer in front of the service.
const unreachable = /^.* (500|401|429|502|504) |^GET \/(pawn|go) 503 /;
const isJson = (type) => /[/+]json$/.test(type ?? '');

// --- examples and cases

const all = [...examples, ...cases];

test('the examples and cases cover every status and every media type of every operation', () => {
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

test('every example request has an example answer, and vice versa', () => {
  for (const [path, , operation] of operations()) {
    const bodies = operation.at('requestBody', 'content')?.entries() ?? [];
    const keys = bodies.flatMap(([, content]) => Object.keys(content.value.examples ?? {}));
    assert.equal(new Set(keys).size, keys.length, 'each name belongs to one request');
    const wanted = Object.keys(asked(operation)).sort();
    if (wanted.length === 0) continue;
    const got = answered(operation).map(([key]) => key);
    assert.deepEqual(got.sort(), wanted, path);
  }
});

test('every request that succeeds matches its schema', () => {
  const fits = (schema, text, name) => assert.equal(schema.complaints(JSON.parse(text)), '', name);
  for (const { name, operation, request, answer } of all) {
    if (answer.status !== 200 || lines.includes(answer.type)) continue; // a stream has this status whatever its cases are
    const [, , described] = operations().find(([path, method]) => `${method} ${path}` === operation);
    const { 'Content-Type': type, 'Transfer-Encoding': coding } = request.headers;
    // Other bodies of this type are drawings and records, which are recognized by their content.
    if (type === 'application/json' && !coding && /^\ufeff?\s*[[{"]/.test(request.body))
      fits(described.at('requestBody', 'content', type, 'schema'), request.body.replace(/^\ufeff/, ''), name);
    const caseText = request.target && new URL(request.target, 'http://127.0.0.1').searchParams.get('case');
    if (caseText) {
      const [, parameter] = described.at('parameters').entries().find(([, one]) => one.value.name === 'case');
      fits(parameter.at('schema', 'contentSchema'), caseText, name);
    }
  }
});

test('every example has a value, and every example answer matches its schema', () => {
  for (const { name, answer } of examples) {
    assert.notEqual(answer.body, undefined, name); // Redoc shows nothing if an example has no value
    if (isJson(answer.type)) assert.equal(answer.schema.complaints(answer.body), '', name);
  }
});

test('the examples and cases cover every problem type and every fault code', () => {
  const problems = all.flatMap(({ answer }) => (answer.status >= 400 && answer.body) || []);
  const types = new Set(problems.map(({ type }) => type));
  const codes = new Set(problems.flatMap(({ errors = [] }) => errors.map(({ code }) => code)));
  const schema = whole.at('components', 'schemas');
  const described = schema.at('Problem', 'properties', 'type', 'anyOf', 0).value.enum;
  assert.deepEqual([...types].sort(), described.filter((type) => type !== '/problems/internal').sort());
  assert.deepEqual([...codes].sort(), [...schema.at('Fault', 'properties', 'code').value.enum].sort());
});

test('an optional member has its default in its own schema', () => {
  // If the default is in the member itself, openapi-typescript makes the member required.
  for (const [name, schema] of whole.at('components', 'schemas').entries()) {
    for (const [member, { default: value }] of Object.entries(schema.value.properties ?? {})) {
      assert.ok(value === undefined || schema.value.required?.includes(member), `${name} ${member}`);
    }
  }
});

/** Every schema in the description: [pointer, schema]. */
function* schemasIn(value, pointer = '#') {
  if (value === null || typeof value !== 'object') return;
  if (value.type !== undefined && !pointer.endsWith('/properties')) yield [pointer, value];
  for (const [name, part] of Object.entries(value)) {
    if (!['examples', 'example'].includes(name)) yield* schemasIn(part, `${pointer}/${name}`);
  }
}

test('every array and every string has a maximum length', () => {
  const lacking = [...schemasIn(whole.value)].filter(([, { type, enum: words, ...schema }]) =>
    ([type].flat().includes('array') && schema.maxItems === undefined) ||
    ([type].flat().includes('string') && schema.maxLength === undefined && words === undefined && schema.const === undefined));
  assert.deepEqual(lacking.map(([pointer]) => pointer), []);
});

test('the description contains nothing that code generators cannot handle', () => {
  for (const [pointer, { type, enum: words = [], items }] of schemasIn(whole.value)) {
    assert.ok(!words.includes(null), `${pointer}: a null among words needs its own type`);
    for (const branch of items?.anyOf ?? []) assert.notDeepEqual(branch, {}, `${pointer}: any element at all`);
    if (items !== undefined) assert.ok([type].flat().includes('array'), `${pointer}: items without an array`);
  }
  for (const [path, method, operation] of operations()) {
    const inQuery = operation.at('parameters')?.entries().filter(([, one]) => one.value.in === 'query') ?? [];
    if (method === 'POST') assert.deepEqual(inQuery, [], `${path}: parameters are offered beside every body`);
  }
  assert.doesNotMatch(JSON.stringify(whole.value), /"x-/, 'extensions for tests');
});

// --- requests against decoders

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

// Returns a copy of `value` that is changed at `path`: `change` receives a copy of the value there and returns the new one.
function changed(value, path, change) {
  if (path.length === 0) return change(structuredClone(value));
  const [name, ...rest] = path;
  const copy = structuredClone(value);
  copy[name] = changed(copy[name], rest, change);
  return copy;
}

// The body of an answer without the word that tells where the rules come from.
const effectOf = ({ body }) => body.toString().replaceAll(/"source":"\w+"/g, '');

const pointerOf = (path) => path.map((name) => `/${name}`).join('');

// Calls visit(schema, value, path) for this value and, recursively, for all values in it.
function walk(schema, value, path, visit) {
  for (const word of ['oneOf', 'anyOf']) {
    if (!schema.value[word]) continue;
    for (const [, branch] of schema.at(word).entries()) {
      if (branch.complaints(value) === '') walk(branch, value, path, visit);
    }
    return;
  }
  visit(schema, value, path);
  if (isObject(value)) {
    for (const name of Object.keys(value)) walk(schema.at('properties', name), value[name], [...path, name], visit);
  } else if (Array.isArray(value)) {
    value.forEach((element, index) => {
      walk(schema.at('prefixItems', index) ?? schema.at('items'), element, [...path, index], visit);
    });
  }
}

// Pointers to this schema and to all schemas below it that an example should use.
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

// Bounds that cannot be reached, because another fault comes first: that of cells, of values, of bytes; for clicks, each of which
// uncovers a cell; for words and the notation of a point. The list of moves is here because a validator needs minutes for it: it has a case.
const UNREACHED = ['MineClicks', 'MineList/properties/mines', 'GoRecord/properties/sgf', 'PawnBoard/anyOf/0', 'PawnBoard/anyOf/0/items',
  'PawnBoard/anyOf/1', 'MineBoard/anyOf/1', 'GoSetup/anyOf/1', 'PawnTurn/anyOf/1', 'GoMoveColor/anyOf/1', 'GoMoveName', 'GoMove/anyOf/3',
  'GoGame/properties/moves', 'PawnInclude/anyOf/1', 'GoInclude/anyOf/1', 'MineInclude/anyOf/1', 'GoPreset/anyOf/1', 'GoNext/anyOf/1',
].map((name) => `/components/schemas/${name}`);

// The ways to make `value` invalid: [name, change, fault code, path of the fault within `value`].
function faultsOf({ value: schema, pointer }, value) {
  const isBounded = !UNREACHED.includes(pointer) && !schema.uniqueItems;
  if (Object.keys(schema).every((word) => word === 'description')) return []; // a member that is ignored
  const list = [['null', () => null, 'type', []]];
  if (schema.properties) {
    list.push([
      'a member that is not listed',
      (object) => ({ ...object, no_such_member: 1 }),
      'unknown-member',
      ['no_such_member'],
    ]);
    const ignored = ({ description: _, ...rules }) => Object.keys(rules).length === 0;
    for (const name of Object.keys(schema.properties).filter((one) => !ignored(schema.properties[one]))) {
      list.push([`null as ${name}`, (object) => ({ ...object, [name]: null }), 'type', [name]]);
    }
    for (const name of schema.required ?? []) {
      list.push([`no ${name}`, ({ [name]: _, ...others }) => others, 'missing', []]);
    }
  }
  if (schema.enum) list.push(['another word', () => 'no such word', 'value', []]);
  if (schema.pattern) list.push(['another character', (text) => `?${text.slice(1)}`, 'value', []]);
  if (schema.minLength) list.push(['an empty string', () => '', 'length', []]);
  if (schema.maxLength && isBounded) list.push(['too long a string', (text) => text.repeat(Math.ceil((schema.maxLength + 1) / text.length)), 'length', []]);
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
      if (schema.maxItems && isBounded) {
        list.push(['too many elements', (array) => Array(schema.maxItems + 1).fill(array[0]), 'length', []]);
      }
    }
  }
  return list;
}

// The request schemas of a route, each with its examples: [schema, example].
function requestExamples(operation) {
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
  const pairs = requestExamples(operation);

  test(`every example of a request object for ${path} is accepted`, async () => {
    for (const [, example] of pairs) {
      const answer = await post(path, example);
      assert.equal(answer.status, 200, `${JSON.stringify(example)}\n${answer.body}`);
    }
  });

  test(`the examples of request objects for ${path} use every member`, () => {
    const seen = new Set();
    for (const [schema, example] of pairs) walk(schema, example, [], (part) => seen.add(part.pointer));
    const wanted = reachable(operation.at('requestBody', 'content', 'application/json', 'schema'));
    assert.deepEqual(
      [...wanted].filter((pointer) => !seen.has(pointer)),
      [],
    );
  });

  test(`in a request to ${path}, a default value has the same effect as an absent member`, async () => {
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
        const present = await post(
          path,
          changed(example, where, (object) => ({ ...object, [name]: value })),
        );
        assert.equal(without.status, 200);
        assert.equal(effectOf(present), effectOf(without), `${pointerOf(where)} ${name}`);
      }
    }
  });

  test(`the decoder for ${path} refuses everything that the schema refuses`, async (t) => {
    const done = new Set();
    for (const [root, example] of pairs) {
      const probes = [];
      walk(root, example, [], (schema, value, where) => {
        for (const [what, change, code, below] of faultsOf(schema, value)) {
          probes.push({ what, body: changed(example, where, change), code, pointer: pointerOf([...where, ...below]) });
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

test('every documented limit is an option, and GET /limits shows it', async () => {
  const properties = whole.at('components', 'schemas', 'Limits', 'properties').value;
  const lower = Object.fromEntries(Object.entries(properties).map(([name, limit]) => [name, limit.default - 1]));
  const answer = await servers.ask({ target: '/limits' }, optionsOf(lower));
  assert.deepEqual(JSON.parse(answer.body), lower);
});

test('the description has the same version as the program', async () => {
  const answer = await servers.ask({ target: '/version' });
  assert.equal(JSON.parse(answer.body).version, whole.at('info', 'version').value);
});

test('every problem type has a page', async () => {
  const types = whole.at('components', 'schemas', 'Problem', 'properties', 'type', 'anyOf', 0).value.enum;
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

test('HEAD returns the same headers as GET, without a body', async () => {
  const gets = all.filter(({ operation, answer }) => operation.startsWith('GET ') && answer.status === 200);
  assert.ok(gets.length > 15);
  for (const { request } of gets) {
    const [get, head] = [await servers.ask(request), await servers.ask({ ...request, method: 'HEAD' })];
    assert.equal(head.status, 200, request.target);
    assert.equal(head.body.length, 0, request.target);
    for (const [name, value] of get.headers) {
      const changes = name === 'content-length' && request.target === '/metrics';
      if (changes || ['date', 'x-request-id'].includes(name)) continue;
      assert.equal(head.headers.get(name), value, `${request.target} ${name}`);
    }
    assert.equal(head.headers.size, get.headers.size, request.target);
  }
});

test('OPTIONS answers 204 with Allow, and a preflight is allowed', async () => {
  const described = new Map(); // path -> its methods
  for (const [path, method] of operations()) described.set(path, [...(described.get(path) ?? ['OPTIONS']), method]);
  for (const [path, method] of operations()) {
    const target = targetOf(path);
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

test('answers expose the headers that web pages are allowed to read', async () => {
  for (const target of ['/limits', '/no/such/path']) {
    const exposed = (await servers.ask({ target })).headers
      .get('access-control-expose-headers')
      .toLowerCase()
      .split(/\s*,\s*/);
    assert.deepEqual(exposed.sort(), ['etag', 'retry-after', 'x-request-id']);
  }
});

test('a valid X-Request-Id is kept, an invalid one is replaced', async () => {
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
