// The requests sent by the contract tests, each with its expected answer: the examples in openapi.yaml, and the cases in
// cases/*.yaml. A case belongs in cases/ if it would teach a reader of openapi.yaml nothing new.
//
// In openapi.yaml, an example request and its example answer have the same name within an operation: `examples.many` in the
// request body (or in the parameter `case`) is answered by `examples.many` in a response. An Accept header is sent if the
// answer's media type isn't the default for the request. The requests that cause the example problems are in
// examples_of_problems.yaml.
//
// The format of a case, whether valid or invalid:
//
//   name       a sentence
//   on         METHOD /path, or a list of these, to which the case is sent one by one; or one of the groups `solvers`, `links`,
//              `pages` and `all`
//   each       a list of cases that inherit the members of this one; `request` and `answer` are merged, other members replaced
//   since      the first version that answers this way; tests/compat doesn't send the case to the latest release
//   microhttpd `old`: sent only if libmicrohttpd is older than 1.0
//   also_as    the name of a member: the case is sent a second time, with its body as this member of a JSON case. The same
//              faults are expected, with a pointer to this member
//   errors     short for `errors` in `answer`
//   request    every member is optional and can also be given directly in the case, where `body` means the request body:
//     body           a string or bytes are sent unchanged, anything else as JSON
//     type           Content-Type; the default is application/json if there is a body; null: no Content-Type
//     accept         Accept
//     headers        other headers
//     query          parameters by name (strings, or values that are converted to JSON); or the whole query as a string
//     method, target replace those of the operation
//     target_bytes   the target is padded to this length with a query
//     body_bytes     the body is padded to this length with spaces
//     chunks         the body is sent in chunks of this size
//     raw            replaces all of the above: the lines of the request, joined with CRLF
//     revalidate     true: sent a second time, with the ETag of the first answer in If-None-Match
//     server         options for the program; requests with the same options share one program
//     signal         sent to a separate program; the request is then repeated until the answer changes
//   answer
//     status         200 by default
//     type           the media type; the default is the one in Accept, or else the request's own type if it is text or lines,
//                    or else application/json
//     body           a string: compared byte for byte; anything else: compared as JSON
//     problem        replaces `status`, `type` and `body`: the last part of a problem's type, with `errors`, `detail` and
//                    its other members. If `detail` is absent, in the problem or in a fault, any value is accepted
//     by_library     the status if libmicrohttpd itself answers; nothing else is then compared. An object whose member says when
//                    it does so: `always`, `new` (since 1.0), or `strict` (if STRICT_MICROHTTPD in server/arbiter.mjs)
//     headers        headers with their values, in addition to those that openapi.yaml requires in the response
//     varies         names of members that can have any value that fits the schema
//     contains       strings that the body contains
//     same_as        a file in the repository that is identical to the body
//
// A fault in `errors` is an object, or a string `CODE PLACE...` for short. A place is a JSON pointer (`whole` is the empty
// pointer), `LINE:COLUMN`, `?PARAMETER`, or `@ROW:COL` for the cell at fault. A comment that begins with "Open:" marks a place
// that the contract leaves open; the case then expects the place that the program reports today.
//
// Two tags are for strings that plain YAML can't show legibly:
//
//   !bytes "..."              bytes: each character is one byte, for example \xff
//   !join [TEXT, [TEXT, N]]   the concatenated parts; a pair is a text repeated N times

import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { NEW_MICROHTTPD, STRICT_MICROHTTPD } from '../server/arbiter.mjs';
import { chunked } from '../server/client.mjs';
import { operations, targetOf, whole } from './description.mjs';

export const lines = ['application/x-ndjson', 'application/jsonl'];

const bareType = (type) => (type ?? '').split(';')[0].trim().toLowerCase();

// The default media type of the answer to a request body of this type.
const answeredIn = (type) => (['text/plain', ...lines].includes(bareType(type)) ? bareType(type) : 'application/json');

// slug: [status, title]. All problems of a type have the same title, but its wording isn't part of the contract.
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

// Maps "METHOD /path" to the operation in openapi.yaml.
const operationOf = Object.fromEntries(operations().map((one) => [named(one), one[2]]));

function queryString(query) {
  if (typeof query === 'string') return query;
  return Object.entries(query)
    .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&');
}

// Builds a request to this operation: { method, target, headers, body } or { raw }, and options for sending it.
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

// The expected answer: { status, type, body, headers, varies, contains, same_as } and its `response` in openapi.yaml; or only
// { status } for an answer from libmicrohttpd.
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
  else if (status >= 400) type = answer.type ?? 'application/problem+json';
  const content = response.at('content', type);
  if (type !== null && !content) throw new Error(`openapi.yaml has no ${type} for ${name} ${status}`);
  return { ...answer, body, status, type, response, schema: content?.at('schema') };
}

// Returns { name, operation, since, request, answer }.
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

// The same request and answer, with the body as a member of a JSON case.
function asMember(name, { type: _, body, ...request }, answer) {
  const errors = answer.errors.map((fault) => ({ ...faultOf(fault), pointer: `/${name}` }));
  return { request: { ...request, body: { [name]: body } }, answer: { ...answer, problem: 'invalid-case', errors } };
}

// The members allowed in a case's request and answer, as listed at the top of this file.
const known = {
  request: ['body', 'type', 'accept', 'headers', 'method', 'target', 'query', 'target_bytes', 'body_bytes', 'chunks', 'raw', 'revalidate',
    'server', 'signal'],
  answer: ['status', 'type', 'body', 'problem', 'errors', 'detail', 'available', 'by_library', 'headers', 'varies', 'contains', 'same_as'],
};

function checkMembers(name, what, members) {
  const unknown = Object.keys(members).filter((member) => !known[what].includes(member));
  if (unknown.length > 0) throw new Error(`the case "${name}" has unknown members in its ${what}: ${unknown.join(', ')}`);
}

// Expands an entry in a file to its cases: a single one, or those in `each`.
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

/** The cases from all files in cases/. */
export const cases = readdirSync(folder)
  .flatMap((file) => parse(readFileSync(new URL(file, folder), 'utf8'), { customTags }))
  .flatMap((entry) => [...casesIn(entry)])
  .flatMap(({ name, on, since, request, answer }) =>
    (groups[on] ?? [on].flat()).map((operation) => runOf(name, operation, request, answer, since)),
  );

/**
 * The cases and examples for a route, as they are sent: for tests that need many valid and invalid requests.
 * @param {string} path `/pawn`, `/go` or `/mine`
 * @returns {{ name: string, operation: string, request: { method: string, target: string, headers: object,
 *   body?: string | Buffer, server: string[] }, answer: { status: number } }[]} `server` are options for the program. Cases
 *   that use `signal`, `revalidate` or `raw` are left out
 */
export const casesOf = (path) =>
  [...examples, ...cases].filter(({ operation, request: { raw, signal, revalidate } }) =>
    operation.endsWith(` ${path}`) && !raw && !signal && !revalidate);

// --- openapi.yaml

const examplesOf = (part) => part?.at('examples')?.entries().map(([key, example]) => [key, example.value]) ?? [];

// The example requests of an operation: key -> request.
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

// The example answers of an operation with status 200: [key, type, example].
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
