// The requests of the contract tests, each with its expected answer: the examples of openapi.yaml, and the cases in
// cases/*.yaml. A case is in cases/ if it would teach a reader of openapi.yaml nothing new.
//
// In openapi.yaml an example of a request and the one of its answer have the same name in the same operation:
// `examples.many` of the request body (or of the parameter `case`) is answered by `examples.many` of a response. Accept is
// sent if the answer's media type isn't the default for such a request. The requests for the examples of problems are in
// examples_of_problems.yaml.
//
// The format of a case, good or bad:
//
//   name       a sentence
//   on         METHOD /path, or a list of them, each of which is asked; or `solvers`, `links`, `pages`, `all`
//   each       a list of cases that share the members of this one. `request` and `answer` are merged, others replaced
//   since      the first version that answers this way; tests/compat does not send it to the last release
//   microhttpd `old`: sent only if libmicrohttpd is older than 1.0
//   also_as    the name of a member: the case is sent a second time, its body as this member of a JSON case. The faults are
//              the same, with the pointer to this member
//   errors     the member of `answer`, in short
//   request    every member is optional, and may stand in the case itself instead, where `body` is that of the request:
//     body           a string or bytes as they are, anything else as JSON
//     type           Content-Type; without it application/json if there is a body; null: none
//     accept         Accept
//     headers        other headers
//     query          parameters by name, JSON unless they are strings; or a string as it is
//     method, target instead of those of the operation
//     target_bytes   the target is extended to this length by a query
//     body_bytes     the body is extended to this length by blanks
//     chunks         the body is sent in chunks of this size
//     raw            instead of all these: the lines of the request, joined by CR LF
//     revalidate     true: sent a second time, with the tag of the first answer in If-None-Match
//     server         options of the program; it runs for all requests with the same ones
//     signal         sent to a program of its own; then the request is repeated until the answer changes
//   answer
//     status         200 by default
//     type           the media type; by default the one of Accept, or that of a text or of lines, or application/json
//     body           a string: compared byte for byte; anything else: compared as JSON
//     problem        instead of `status`, `type` and `body`: the last part of a problem's type, with `errors`, `detail` and
//                    its other members. A `detail` that is absent, in the problem or in a fault, may have any value
//     by_library     the status if libmicrohttpd answers by itself, and then only this is compared: `always`; `new`: from 1.0 on;
//                    `strict`: if STRICT_MICROHTTPD (server/arbiter.mjs)
//     headers        headers with their values, besides those that openapi.yaml requires of the response
//     varies         names of members that may have any value that fits the schema
//     contains       words in the body
//     same_as        a file of the repository that the body equals byte for byte
//
// A fault in `errors` is an object, or in short a string `CODE PLACE...`. A place is a JSON pointer (`whole` is the empty
// one), `LINE:COLUMN`, `?PARAMETER`, or `@ROW:COL` for the cell that it is about. A comment that begins with "Open:" marks a place that the contract leaves open; the
// case then has the place that the program names today.
//
// Two tags stand for strings that YAML cannot show in a readable way:
//
//   !bytes "..."              bytes: each character is one byte, for example \xff
//   !join [TEXT, [TEXT, N]]   the parts in a row; a pair is a text that is repeated N times

import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { NEW_MICROHTTPD, STRICT_MICROHTTPD } from '../server/arbiter.mjs';
import { chunked } from '../server/client.mjs';
import { operations, targetOf, whole } from './description.mjs';

export const lines = ['application/x-ndjson', 'application/jsonl'];

const bareType = (type) => (type ?? '').split(';')[0].trim().toLowerCase();

// The media type of the answer to a body of this media type.
const answeredIn = (type) => (['text/plain', ...lines].includes(bareType(type)) ? bareType(type) : 'application/json');

// slug: [status, title]. A title is the same for all problems of a type, but its wording is not promised.
const problems = {
  malformed: [400, 'Malformed request'],
  'cross-site': [403, 'Cross-site request refused'],
  'not-found': [404, 'Not found'],
  'method-not-allowed': [405, 'Method not allowed'],
  'not-acceptable': [406, 'Not acceptable'],
  'body-timeout': [408, 'Body timeout'],
  'too-large': [413, 'Body too large'],
  'uri-too-long': [414, 'Request target too long'],
  'unsupported-media-type': [415, 'Unsupported media type'],
  'invalid-case': [422, 'Invalid case'],
  'answer-too-large': [422, 'Answer too large'],
  overloaded: [503, 'Temporarily unavailable'],
};

const named = ([path, method]) => `${method} ${path}`;
const solvers = operations().filter(([, method]) => method === 'POST').map(named);
const links = solvers.map((name) => name.replace('POST', 'GET'));
const all = operations().map(named);
const groups = { solvers, links, all, pages: all.filter((name) => !solvers.includes(name) && !links.includes(name)) };

// The operation of a request for this target, by the description, not by the program.
const operationOf = Object.fromEntries(operations().map((one) => [named(one), one[2]]));

function queryString(query) {
  if (typeof query === 'string') return query;
  return Object.entries(query)
    .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&');
}

// The request to this operation: { method, target, headers, body } or { raw }, and options for sending it.
function requestTo(name, { headers = {}, ...how }) {
  const { server = [], signal, revalidate = false } = how;
  if (how.raw) return { raw: Buffer.from(how.raw.join('\r\n')), headers, server };
  const [method, path] = name.split(' ');
  let { body } = how;
  const wanted = { ...headers };
  if (body !== undefined) {
    if (typeof body !== 'string' && !Buffer.isBuffer(body)) body = JSON.stringify(body);
    if (how.body_bytes) body = body.padEnd(how.body_bytes);
    if (how.type !== null) wanted['Content-Type'] = how.type ?? 'application/json';
  }
  if (how.chunks) {
    body = chunked(body, how.chunks);
    wanted['Transfer-Encoding'] = 'chunked';
  }
  if (how.accept !== undefined) wanted.Accept = how.accept;
  let target = how.target ?? targetOf(path);
  if (how.query !== undefined) target += `?${queryString(how.query)}`;
  if (how.target_bytes) target = `${target}?`.padEnd(how.target_bytes, 'x');
  return { method: how.method ?? method, target, headers: wanted, body, server, signal, revalidate };
}

function faultOf(fault) {
  if (typeof fault !== 'string') return fault;
  const [code, ...places] = fault.split(' ');
  const found = { code };
  for (const place of places) {
    const [, line, column] = /^(\d+):(\d+)$/.exec(place) ?? [];
    if (line) Object.assign(found, { line: Number(line), column: Number(column) });
    else if (place.startsWith('?')) found.parameter = place.slice(1);
    else if (place.startsWith('@')) found.at = place.slice(1).split(':').map(Number);
    else found.pointer = place === 'whole' ? '' : place;
  }
  return found;
}

function problemOf({ problem, status, type, headers, varies, by_library: _, ...members }) {
  const [usual, title] = problems[problem];
  const errors = members.errors?.map(faultOf);
  const detail = members.detail ?? (errors?.length === 1 ? errors[0].detail : undefined);
  return { type: `/problems/${problem}`, title, status: usual, ...members, detail, errors };
}

// The expected answer: { status, type, body, headers, varies, contains, same_as } and the `response` of the description; or only {
// status } for an answer of libmicrohttpd.
function answerTo(name, request, answer) {
  const body = answer.problem ? problemOf(answer) : answer.body;
  const status = answer.problem ? body.status : (answer.status ?? 200);
  const { always, new: ofNew, strict } = answer.by_library ?? {};
  const own = (STRICT_MICROHTTPD && strict) || (NEW_MICROHTTPD && ofNew) || always;
  if (own) return { status: own };
  const response = operationOf[name].at('responses', String(status));
  if (!response) throw new Error(`openapi.yaml has no ${status} for ${name}`);
  let type = answer.type ?? request.headers.Accept ?? answeredIn(request.headers['Content-Type']);
  if (status === 304) type = null;
  else if (status >= 400) type = 'application/problem+json';
  const content = response.at('content', type);
  if (type !== null && !content) throw new Error(`openapi.yaml has no ${type} for ${name} ${status}`);
  return { ...answer, body, status, type, response, schema: content?.at('schema') };
}

// { name, operation, since, request, answer }
function runOf(name, operation, how, answer, since) {
  const request = requestTo(operation, how);
  return { name: `${operation}: ${name}`, operation, since, request, answer: answerTo(operation, request, answer) };
}

const customTags = [
  { tag: '!bytes', resolve: (text) => Buffer.from(text, 'latin1') },
  {
    tag: '!join',
    collection: 'seq',
    resolve: (parts) => parts.toJSON().map((part) => (Array.isArray(part) ? part[0].repeat(part[1]) : part)).join(''),
  },
];

// The same with the body as a member of a JSON case.
function asMember(name, { type: _, body, ...request }, answer) {
  const errors = answer.errors.map((fault) => ({ ...faultOf(fault), pointer: `/${name}` }));
  return { request: { ...request, body: { [name]: body } }, answer: { ...answer, problem: 'invalid-case', errors } };
}

// The members that a case's request and answer may have, as the head of this file lists them.
const known = {
  request: ['body', 'type', 'accept', 'headers', 'method', 'target', 'query', 'target_bytes', 'body_bytes', 'chunks', 'raw', 'revalidate',
    'server', 'signal'],
  answer: ['status', 'type', 'body', 'problem', 'errors', 'detail', 'available', 'by_library', 'headers', 'varies', 'contains', 'same_as'],
};

function checkMembers(name, what, members) {
  const unknown = Object.keys(members).filter((member) => !known[what].includes(member));
  if (unknown.length > 0) throw new Error(`the case "${name}" has unknown members in its ${what}: ${unknown.join(', ')}`);
}

// The cases of an entry of a file: one, or those in `each`.
function* casesIn({ name, on, each, since, microhttpd, also_as: member, errors, request, answer, ...short }, group = {}) {
  const one = {
    name,
    on: on ?? group.on,
    since: since ?? group.since,
    microhttpd: microhttpd ?? group.microhttpd,
    also_as: member ?? group.also_as,
    request: { ...group.request, ...request, ...short },
    answer: { ...group.answer, ...answer, ...(errors && { errors }) },
  };
  checkMembers(name, 'request', one.request);
  checkMembers(name, 'answer', one.answer);
  if (each) {
    if (each.length === 0) throw new Error(`the case "${name}" has an empty list`);
    for (const entry of each) yield* casesIn(entry, one);
  } else if (one.microhttpd !== 'old' || !NEW_MICROHTTPD) {
    yield one;
    if (one.also_as)
      yield { ...one, name: `${name}, as the member ${one.also_as}`, ...asMember(one.also_as, one.request, one.answer) };
  }
}

const folder = new URL('cases/', import.meta.url);

/** The cases of every file in cases/. */
export const cases = readdirSync(folder)
  .flatMap((file) => parse(readFileSync(new URL(file, folder), 'utf8'), { customTags }))
  .flatMap((entry) => [...casesIn(entry)])
  .flatMap(({ name, on, since, request, answer }) =>
    (groups[on] ?? [on].flat()).map((operation) => runOf(name, operation, request, answer, since)),
  );

/**
 * The cases and examples of a route, as they are sent: for tests that need many requests, good and bad.
 * @param {string} path `/pawn`, `/go` or `/mine`
 * @returns {{ name: string, operation: string, request: { method: string, target: string, headers: object,
 *   body?: string | Buffer, server: string[] }, answer: { status: number } }[]} `server` are options of the program; those
 *   with a signal, a repetition or bytes of their own are left out
 */
export const casesOf = (path) =>
  [...examples, ...cases].filter(({ operation, request: { raw, signal, revalidate } }) =>
    operation.endsWith(` ${path}`) && !raw && !signal && !revalidate);

// --- openapi.yaml

const examplesOf = (part) => part?.at('examples')?.entries().map(([key, example]) => [key, example.value]) ?? [];

// The examples of an operation's requests: key -> request.
export function asked(operation) {
  const found = {};
  for (const [type, content] of operation.at('requestBody', 'content')?.entries() ?? []) {
    for (const [key, { value }] of examplesOf(content)) found[key] = { type, body: value };
  }
  for (const [, parameter] of operation.at('parameters')?.entries() ?? []) {
    for (const [key, { value }] of examplesOf(parameter)) found[key] = { query: { [parameter.value.name]: value } };
  }
  return found;
}

// The examples of an operation's good answers: [key, type, example].
export const answered = (operation) =>
  operation
    .at('responses', '200', 'content')
    .entries()
    .flatMap(([type, content]) => examplesOf(content).map(([key, example]) => [key, type, example]));

const good = operations().flatMap((one) =>
  answered(one[2]).map(([key, type, { value }]) => {
    const request = asked(one[2])[key] ?? {};
    if (answeredIn(request.type) !== type) request.accept = type;
    return runOf(`the example ${key}`, named(one), request, { type, body: value });
  }),
);

const requestsOfProblems = parse(readFileSync(new URL('examples_of_problems.yaml', import.meta.url), 'utf8'));

const refused = whole
  .at('components', 'responses')
  .entries()
  .flatMap(([kind, response]) =>
    examplesOf(response.at('content', 'application/problem+json')).map(([key, { value }]) => {
      const how = requestsOfProblems[kind]?.[key];
      if (how === undefined) throw new Error(`examples_of_problems.yaml has no request for ${kind} ${key}`);
      const operation = `${how.method ?? 'POST'} ${how.target}`;
      const known = operationOf[operation] ? operation : all.find((name) => name.endsWith(` ${how.target}`));
      return runOf(`the example ${kind} ${key}`, known ?? 'GET /problems/{name}', how, { status: value.status, body: value });
    }),
  );

export const examples = [...good, ...refused];
