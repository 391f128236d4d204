// Random conversations: every route, every format of bodies, every header that the service reads, valid and wrong. The same seed
// makes the same conversations.

import { below, linkTo, pick } from '../server/bodies.mjs';
import { chunked } from '../server/client.mjs';
import { GAMES, bodyOf, caseOf } from './cases.mjs';
import { spoilBody, spoilField, spoilTarget } from './faults.mjs';
import { idOf } from './normalize.mjs';

const TYPES = {
  json: [
    'application/json', 'application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"',
    'application/x-www-form-urlencoded', undefined,
  ],
  batch: ['application/json', 'application/json', undefined],
  ndjson: ['application/x-ndjson', 'application/x-ndjson', 'application/jsonl', 'application/x-ndjson; charset=utf-8'],
  text: ['text/plain', 'text/plain; charset=UTF-8', 'text/plain;format=flowed'],
  sgf: ['application/x-go-sgf', 'application/x-go-sgf;charset=latin1'],
};
const OTHER_TYPES = [
  'image/png', 'application/json; charset=latin1', 'text/plain; charset=utf-16', 'application/xml', '', 'x',
  'application/',
];
const ACCEPTS = [
  '*/*', 'application/json', 'text/plain', 'image/svg+xml', 'application/x-ndjson', 'application/jsonl', 'text/*',
  'image/*', 'audio/ogg', '',
  'text/plain;q=0.5, application/json;q=0.4', 'application/json;q=0, */*', 'image/svg+xml, */*;q=0.1',
  'application/*;q=0.3, text/plain;q=0.3', 'application/x-ndjson, application/json', '*/*;q=0',
];
const ENCODINGS = [
  'gzip', 'gzip, deflate, br', 'identity', '*', 'gzip;q=0', '*;q=0', 'identity;q=0', 'br',
  'gzip;q=0.001, identity;q=0.5', '',
];
const ORIGINS = ['https://a.example', 'https://b.example', 'https://c.example', 'null'];
const OTHERS = [
  ['If-None-Match', '*'],
  ['If-None-Match', '"x"'],
  ['traceparent', '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01'], ['traceparent', 'x'],
  ['X-Forwarded-For', '10.0.0.1, 10.0.0.2'],
  ['X-Forwarded-For', 'x'], ['Content-Encoding', 'gzip'], ['Content-Encoding', 'identity'], ['Range', 'bytes=0-3'],
  ['Expect', '100-continue'], ['Expect', 'x'], ['Cookie', 'a=b'],
  ['X-Request-Id', 'x'.repeat(64)], ['X-Request-Id', 'x'.repeat(65)], ['X-Request-Id', 'a b'], ['X-Request-Id', ''],
  ['User-Agent', 'x'.repeat(2000)],
];
const PAGES = [
  '/', '/docs', '/web/arbiter.js', '/web/style.css', '/web/icon.svg', '/openapi.yaml', '/openapi.json', '/limits',
  '/version', '/problems',
  '/problems/malformed', '/problems/not-found', '/problems/method-not-allowed', '/problems/not-acceptable',
  '/problems/too-large', '/problems/uri-too-long',
  '/problems/unsupported-media-type', '/problems/invalid-case', '/problems/answer-too-large', '/problems/internal',
  '/problems/overloaded', '/livez', '/readyz',
];
const NO_PAGES = [
  '/nothing', '/web/', '/web/nothing.js', '/problems/', '/problems/nothing', '/pawn/', '/Pawn', '/limits/',
  '/docs/nothing', '/livez/x', '/%6divez', '/favicon.ico',
];
const QUERIES_OF_RECORDS = [
  'game=1', 'game=2', 'game=all', 'game=0', 'game=x', 'ko=simple', 'ko=none', 'ko=x', 'suicide=true', 'suicide=1',
  'include=boards', 'include=captured,score', 'include=x', '_=1', 'y=1', 'game=1&game=1', '',
];
const METHODS = ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PURGE'];

const chance = (random, part) => random() < part;

/** Some headers that any request may have. */
function headersOf(random, id) {
  const headers = [];
  if (chance(random, 0.4)) headers.push(['Accept', pick(random, ACCEPTS)]);
  if (chance(random, 0.25)) headers.push(['Accept-Encoding', pick(random, ENCODINGS)]);
  if (chance(random, 0.2)) headers.push(pick(random, OTHERS));
  if (chance(random, 0.2)) headers.push(['Origin', pick(random, ORIGINS)]);
  if (chance(random, 0.03)) headers.push(['Connection', pick(random, ['close', 'keep-alive', 'Close, x'])]);
  if (chance(random, 0.05) && headers.length > 0) {
    const at = below(random, headers.length);
    headers[at] = [headers[at][0], spoilField(random, headers[at][1])];
  }
  if (chance(random, 0.85) && !headers.some(([name]) => name === 'X-Request-Id')) headers.push(['X-Request-Id', id]);
  return headers;
}

function postOf(random, id) {
  const game = pick(random, GAMES);
  const records = game === 'go' ? ['sgf', 'sgf'] : [];
  const form = pick(random, ['json', 'json', 'json', 'batch', 'ndjson', 'ndjson', 'text', ...records]);
  const good = bodyOf(random, game, form);
  const body = chance(random, 0.55) ? good : spoilBody(random, good);
  let target = `/${game}`;
  if (form === 'sgf' && chance(random, 0.6)) target += `?${pick(random, QUERIES_OF_RECORDS)}`;
  if (chance(random, 0.05)) target = spoilTarget(random, target);
  const headers = headersOf(random, id);
  const type = chance(random, 0.95) ? pick(random, TYPES[form]) : pick(random, [...OTHER_TYPES, ...Object.values(TYPES).flat()]);
  if (type !== undefined) headers.push(['Content-Type', type]);
  if (!chance(random, 0.15)) return { target, headers, body: Buffer.from(body) };
  const size = pick(random, [1, 7, 100, 5000]);
  return { target, headers: [...headers, ['Transfer-Encoding', 'chunked']], body: chunked(body, size) };
}

/** A GET of this target, or a HEAD with this probability; some targets have a fault, and some are sent again with their tag. */
function readingOf(random, id, target, head) {
  return {
    method: chance(random, head) ? 'HEAD' : 'GET',
    target: chance(random, 0.15) ? spoilTarget(random, target) : target,
    headers: Object.fromEntries(headersOf(random, id)),
    revalidate: chance(random, 0.4),
  };
}

function linkOf(random, id) {
  const game = pick(random, GAMES);
  const body = JSON.stringify(caseOf(random, game));
  const format = pick(random, ['', '', '&format=json', '&format=text', '&format=svg', '&_=1', '&format=pdf']);
  const sent = chance(random, 0.7) ? body : spoilBody(random, body).replace(/[\ud800-\udfff]/g, '?');
  return readingOf(random, id, linkTo(`/${game}`, sent, format), 0.1);
}

function pageOf(random, id) {
  return readingOf(random, id, chance(random, 0.75) ? pick(random, PAGES) : pick(random, NO_PAGES), 0.2);
}

/** A method that the path may not have, or a preflight. */
function methodOf(random, id) {
  const target = pick(random, [...PAGES, ...NO_PAGES, '/pawn', '/go', '/mine']);
  const headers = headersOf(random, id);
  if (!chance(random, 0.4)) return { method: pick(random, METHODS), target, headers };
  headers.push(['Access-Control-Request-Method', pick(random, ['POST', 'GET', 'PUT', ''])]);
  const wanted = pick(random, ['content-type', 'x-request-id, traceparent', 'x', '']);
  if (chance(random, 0.6)) headers.push(['Access-Control-Request-Headers', wanted]);
  if (chance(random, 0.8)) headers.push(['Origin', pick(random, ORIGINS)]);
  return { method: 'OPTIONS', target, headers };
}

function requestOf(random, id) {
  const part = random();
  if (part < 0.62) return postOf(random, id);
  if (part < 0.78) return linkOf(random, id);
  return part < 0.9 ? pageOf(random, id) : methodOf(random, id);
}

/** Sometimes HTTP/1.0. */
const inVersion = (random, request) => (chance(random, 0.04) ? { ...request, version: 'HTTP/1.0' } : request);

/**
 * Can other requests be sent before it is answered? Not if the connection ends with the answer, because some of them would be lost.
 */
function canBePipelined({ revalidate, version, headers }) {
  const pairs = Array.isArray(headers) ? headers : Object.entries(headers);
  return !revalidate && version === undefined && !pairs.some(([name]) => name === 'Connection');
}

/** This many conversations; each request has an id by which its log line is found. */
export function randomConversations(random, count, about) {
  return Array.from({ length: count }, (_, number) => {
    const length = chance(random, 0.6) ? 1 : 2 + below(random, 4);
    const requests = Array.from({ length }, (_unused, index) => inVersion(random, requestOf(random, idOf(number, index))));
    const pipelined = length > 1 && chance(random, 0.3) && requests.every(canBePipelined);
    return { about: `${about}, conversation ${number}`, requests, pipelined };
  });
}
