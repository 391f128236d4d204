// Compares an answer with the one that a case (cases.mjs) expects, and with the schema and headers of the response in openapi.yaml.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { lines } from './cases.mjs';
import { contentType } from './description.mjs';

/**
 * Checks the headers of an answer, except those in `absent`.
 * @param {{ status: number, headers: Map<string, string>, list: (name: string) => string[], body: Buffer }} got
 * @param {{ operation: string, request: object, answer: object }} sent a case from cases.mjs
 * @param {string[]} [absent] names of headers that the host doesn't add
 */
export function checkHeaders(got, { operation, request, answer }, absent = []) {
  assert.equal(got.headers.get('content-type'), answer.type === null ? undefined : contentType(answer.type));
  assert.equal(got.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(got.headers.get('access-control-allow-origin'), '*');
  for (const [name, header] of answer.response.at('headers').entries()) {
    const value = got.headers.get(name.toLowerCase());
    if (value === undefined) assert.ok(!header.value.required || absent.includes(name.toLowerCase()), `${name} is missing`);
    else assert.equal(header.at('schema').complaints(value), '', `${name}: ${value}`);
  }
  for (const [name, value] of Object.entries(answer.headers ?? {})) {
    assert.equal(got.headers.get(name.toLowerCase()), value, name);
  }
  if (answer.status >= 400) {
    assert.equal(got.headers.get('cache-control'), 'no-store');
    if (!absent.includes('x-request-id')) assert.match(got.headers.get('x-request-id') ?? '', /^[A-Za-z0-9._-]{1,64}$/);
  }
  if (operation.startsWith('POST ') && (answer.status === 200 || answer.status === 406)) {
    assert.ok(got.list('vary').includes('accept'), 'the answer depends on Accept');
  }
  if (request.revalidate) assert.ok(got.list('vary').includes('accept-encoding'), 'the tag depends on Accept-Encoding');
}

// Every fault has a place. The problem's `detail` is that of its only fault, or the number of faults followed by the first one.
function checkFaults({ errors = [], detail }, text) {
  for (const { pointer, line, column, parameter } of errors)
    assert.ok(pointer !== undefined || (line && column) || parameter !== undefined, `every fault has a place: ${text}`);
  if (errors.length === 1) assert.equal(detail, errors[0].detail);
  if (errors.length > 1) assert.ok(/^\d+ /.test(detail) && detail.includes(errors[0].detail), text);
}

const without = (object, names) => Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

// The problem without each `detail` that the case doesn't specify.
const comparable = (problem, wanted) => ({
  ...without(problem, wanted.detail === undefined ? ['detail'] : []),
  ...(problem.errors && { errors: problem.errors.map((fault, at) =>
    (wanted.errors?.[at]?.detail === undefined ? without(fault, ['detail']) : fault)) }),
});

function checkJson(text, { status, schema, body, varies = [] }) {
  assert.ok(text.endsWith('\n'), 'a JSON answer ends in a line feed');
  const value = JSON.parse(text);
  assert.equal(schema.complaints(value), '', text);
  if (typeof body === 'string') {
    assert.equal(text, body);
    return;
  }
  const wanted = JSON.parse(JSON.stringify(body));
  if (status >= 400) checkFaults(value, text);
  const seen = status >= 400 ? comparable(value, wanted) : value;
  assert.deepEqual(without(seen, varies), without(wanted, varies), text);
}

/**
 * Checks the body of an answer.
 * @param {{ headers: Map<string, string>, body: Buffer }} got
 * @param {{ method: string }} request
 * @param {object} answer
 */
export function checkBody(got, request, { type, schema, body, contains = [], same_as: sameAs, ...more }) {
  const bytes = got.headers.get('content-encoding') === 'gzip' ? gunzipSync(got.body) : got.body;
  const text = bytes.toString();
  if (type === null || request.method === 'HEAD') {
    assert.equal(text, '');
    return;
  }
  if (sameAs) assert.ok(bytes.equals(readFileSync(new URL(`../../${sameAs}`, import.meta.url))));
  for (const word of contains) assert.ok(text.includes(word), `${word} is not in\n${text}`);
  if (body === undefined) return;
  if (/[/+]json$/.test(type)) {
    checkJson(text, { schema, body, ...more });
    return;
  }
  assert.equal(text, body);
  for (const one of lines.includes(type) ? text.split('\n').slice(0, -1) : []) {
    assert.equal(schema.at('contentSchema').complaints(JSON.parse(one)), '', one);
  }
}
