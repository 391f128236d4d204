// The requests that the contract test sends, each with the answer that it must get: the examples of openapi.yaml, and the
// cases in cases/*.yaml, which would teach a reader of openapi.yaml nothing new.
//
// An example of a request and that of its answer stand under the same name in the same operation: `examples.many` of the
// request body (or of the parameter `case`) is answered by `examples.many` of a response. Accept is sent where the answer
// is of another media type than such a request is answered in by itself. Examples of problems say in `x-request` what
// brings them about, in the words of a case's `request`.
//
// A case:
//
//   name       a sentence
//   on         METHOD /path, or a list of them, each of which is asked; or `solvers`, `links`, `pages`, `all`
//   request    all of it may be absent:
//     body           a string as it is, anything else as JSON
//     type, accept   Content-Type (application/json where there is a body) and Accept
//     headers        others
//     query          parameters by name, JSON unless they are strings; or a string as it is
//     method, target instead of the operation's
//     target_bytes   the target is filled up with a query to this length
//     body_bytes     the body is filled up with blanks to this length
//     revalidate     true: asked once more, with the tag of the first answer in If-None-Match
//     server         options of a server started for such requests
//     signal         sent to a server of its own; then the request is repeated until the answer changes
//   answer
//     status, type   200, and application/json or what the request accepts or, of text and lines, is itself
//     body           a string as it is, anything else as JSON
//     problem        or the last part of a problem's type, with `errors`, `detail` (of a single fault it is that of the
//                    fault) and any other member
//     headers        those that must be so, besides what openapi.yaml says of the response
//     varies         names of members that may have any value that fits the schema
//     contains       words in the body
//     same_as        a file of the repository that the body equals byte for byte

import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { operations, target_of, whole } from './description.mjs';

export const lines = ['application/x-ndjson', 'application/jsonl'];

// What a body of this media type is answered in.
const answered_in = (type) => (type === 'text/plain' || lines.includes(type) ? type : 'application/json');

// slug: [status, title]. Titles are part of what is promised: they never change within a major version.
const problems = {
  malformed: [400, 'The request cannot be read'],
  'not-found': [404, 'There is no such path'],
  'method-not-allowed': [405, 'The path does not know this method'],
  'not-acceptable': [406, 'No form of the answer is acceptable'],
  'too-large': [413, 'The body is too large'],
  'uri-too-long': [414, 'The request target is too long'],
  'unsupported-media-type': [415, "The body's media type is not supported"],
  'invalid-case': [422, 'The case breaks a rule of the route'],
  'answer-too-large': [422, 'The answer would be too large'],
  overloaded: [503, 'The service cannot take the request now'],
};

const named = ([path, method]) => `${method} ${path}`;
const solvers = operations().filter(([, method]) => method === 'POST').map(named);
const links = solvers.map((name) => name.replace('POST', 'GET'));
const all = operations().map(named);
const groups = { solvers, links, all, pages: all.filter((name) => !solvers.includes(name) && !links.includes(name)) };

// The operation that a request for this target is; by the description, not by the program.
const operation_of = Object.fromEntries(operations().map((one) => [named(one), one[2]]));

function query_string(query) {
  if (typeof query === 'string') return query;
  const values = Object.entries(query).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
  return new URLSearchParams(values).toString();
}

// What is sent to this operation.
function request_to(name, { headers = {}, ...how }) {
  const [method, path] = name.split(' ');
  let { body } = how;
  const wanted = { ...headers };
  if (body !== undefined) {
    if (typeof body !== 'string') body = JSON.stringify(body);
    body = body.padEnd(how.body_bytes ?? 0);
    wanted['Content-Type'] = how.type ?? 'application/json';
  }
  if (how.accept) wanted.Accept = how.accept;
  let target = how.target ?? target_of(path);
  if (how.query !== undefined) target += `?${query_string(how.query)}`;
  if (how.target_bytes) target = `${target}?`.padEnd(how.target_bytes, 'x');
  const { server = [], signal, revalidate = false } = how;
  return { method: how.method ?? method, target, headers: wanted, body, server, signal, revalidate };
}

function problem_of({ problem, status, type, headers, varies, ...members }) {
  const [usual, title] = problems[problem];
  const detail = members.detail ?? members.errors?.[0].detail;
  return { type: `/problems/${problem}`, title, status: usual, detail, ...members };
}

// What must come: { status, type, body, headers, varies, contains, same_as } and the `response` of the description.
function answer_to(name, request, answer) {
  const body = answer.problem ? problem_of(answer) : answer.body;
  const status = answer.problem ? body.status : (answer.status ?? 200);
  const response = operation_of[name].at('responses', String(status));
  if (!response) throw new Error(`openapi.yaml has no ${status} for ${name}`);
  let type = answer.type ?? request.headers.Accept ?? answered_in(request.headers['Content-Type']);
  if (status === 304) type = null;
  else if (status >= 400) type = 'application/problem+json';
  const content = response.at('content', type);
  if (type !== null && !content) throw new Error(`openapi.yaml has no ${type} for ${name} ${status}`);
  return { ...answer, body, status, type, response, schema: content?.at('schema') };
}

// { name, operation, request, answer }
function run_of(name, operation, how, answer) {
  const request = request_to(operation, how);
  return { name: `${operation}: ${name}`, operation, request, answer: answer_to(operation, request, answer) };
}

export const cases = readdirSync(new URL('cases/', import.meta.url)).flatMap((file) =>
  parse(readFileSync(new URL(`cases/${file}`, import.meta.url), 'utf8')).flatMap(({ name, on, request = {}, answer }) =>
    (groups[on] ?? [on].flat()).map((operation) => run_of(name, operation, request, answer)),
  ),
);

// --- openapi.yaml

const examples_of = (part) => part?.at('examples')?.entries().map(([key, example]) => [key, example.value]) ?? [];

// Of an operation's examples of requests: key -> request.
export function asked(operation) {
  const found = {};
  for (const [type, content] of operation.at('requestBody', 'content')?.entries() ?? []) {
    for (const [key, { value }] of examples_of(content)) found[key] = { type, body: value };
  }
  for (const [, parameter] of operation.at('parameters')?.entries() ?? []) {
    for (const [key, { value }] of examples_of(parameter)) found[key] = { query: { [parameter.value.name]: value } };
  }
  return found;
}

// Of an operation's examples of good answers: [key, type, example].
export const answered = (operation) =>
  operation
    .at('responses', '200', 'content')
    .entries()
    .flatMap(([type, content]) => examples_of(content).map(([key, example]) => [key, type, example]));

const good = operations().flatMap((one) =>
  answered(one[2]).map(([key, type, { value }]) => {
    const request = asked(one[2])[key] ?? {};
    if (answered_in(request.type) !== type) request.accept = type;
    return run_of(`the example ${key}`, named(one), request, { type, body: value });
  }),
);

const refused = whole
  .at('components', 'responses')
  .entries()
  .flatMap(([kind, response]) =>
    examples_of(response.at('content', 'application/problem+json')).map(([key, { value, 'x-request': how }]) => {
      const operation = `${how.method ?? 'POST'} ${how.target}`;
      const known = operation_of[operation] ? operation : all.find((name) => name.endsWith(` ${how.target}`));
      return run_of(`the example ${kind} ${key}`, known ?? 'GET /problems/{name}', how, { status: value.status, body: value });
    }),
  );

export const examples = [...good, ...refused];
