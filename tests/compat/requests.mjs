// The requests that are sent to both programs: those in tests/contract and tests/server, and random ones, which combine parts of these
// (bodies, targets, headers) with random cases and corrupt some of them. The same seed produces the same requests.
//
// Framing is never corrupted, because a program would wait for more data; the contract cases cover incorrect framing.

import { cases, examples } from '../contract/cases.mjs';
import { JSON_TYPE, KNOWN, REFUSED, below, goMoves, mineBoard, mineList, pawnBoard, pick } from '../server/bodies.mjs';
import { chunked } from '../server/client.mjs';
import { idOf } from './normalize.mjs';

/**
 * The known requests, as { about, options, request }. Left out are requests that need a signal or the ops port, raw bytes, requests
 * that the release answers differently, and /metrics, which is compared separately.
 */
const known = [...examples, ...cases, ...KNOWN, ...REFUSED]
  .map(({ name, since, request: { server = [], ...request } }) => ({ about: name ?? 'refused', since, options: server, request }))
  .filter(({ since, options, request: { target, raw, signal } }) =>
    !since && !raw && !signal && !options.includes('--ops-port') && !/^\/metrics\b/.test(target));
/** The items of a list by a key: a list of [key, items]. */
export const groups = (list, keyOf) => [...new Set(list.map(keyOf))].map((key) => [key, list.filter((item) => keyOf(item) === key)]);
/** The known requests by the options of the program: a list of [options, list of { about, request }]. */
export const knownRequests = groups(known, ({ options }) => options.join(' ')).map(([, list]) => [list[0].options, list]);
/** The known bodies for games: { game, query, headers, body }. */
export const knownBodies = known.flatMap(({ request: { target, headers = {}, body } }) => {
  const [, game, query = ''] = /^\/(pawn|go|mine)(\?.*)?$/.exec(target) ?? [];
  if (game === undefined || body === undefined || body === '' || headers['Transfer-Encoding'] !== undefined) return [];
  return [{ game, query, headers, body: Buffer.from(body).toString('latin1') }];
});
const smallBodies = knownBodies.filter(({ body, query }) => body.length < 4000 && query.length < 1000);
const maybe = (random, part, members) => (random() < part ? members : {});
const times = (count, make) => Array.from({ length: count }, make);

/** Returns small random cases. On small Go boards, captures and repeated positions are frequent. */
const randomCase = {
  pawn(random) {
    const board = pawnBoard(random, 2 + below(random, 4), 2 + below(random, 4), random() * 0.4);
    return { board, ...maybe(random, 0.5, { turn: 'Black' }), ...maybe(random, 0.5, { include: ['line', 'moves', 'boards'] }) };
  },
  go(random) {
    const size = pick(random, [1, 2, 2, 3, 3, 4, 5, 9, 19]);
    const moves = goMoves(random, below(random, 60), size).map((move) => (random() < 0.05 ? [move[0], 'pass'] : move));
    const setup = times(size, () => times(size, () => pick(random, [...'........BW'])).join(''));
    const rules = { ko: pick(random, ['positional', 'situational', 'simple', 'none']), suicide: random() < 0.5 };
    const include = ['score', 'captured', 'boards', 'legal', 'chains', 'territory', 'alive'].filter(() => random() < 0.4);
    const named = { rules: pick(random, ['chinese', 'japanese', 'aga', { preset: 'korean', repetition: 'report' }]), komi: below(random, 20) / 2 };
    return { size, moves, ...pick(random, [{}, { rules }, named]), ...maybe(random, 0.3, { setup }), ...maybe(random, 0.5, { include }) };
  },
  mine(random) {
    const board = mineBoard(random, 1 + below(random, 8), 1 + below(random, 8), random() * 0.4);
    const clicks = times(below(random, 3), () => [below(random, board.length), below(random, board[0].length)]);
    const parts = { clicks, include: ['wins', 'clusters', 'board', 'face'].slice(below(random, 4)), states: 1 + below(random, 20) };
    return { ...(random() < 0.3 ? mineList(board) : { board }), ...maybe(random, 0.4, parts) };
  },
};

const BYTES = [...'{}[]",:01-.eEn\\ \t\r\n();*#OXBWpq/', '\0', '\x7f', '\xff', '\xe2\x82', '\xef\xbb\xbf', 'null', '1e21', '[]', '{}'];
const tokensOf = (text) => text.match(/"[^"]*"|[\w.-]+|[^]/g) ?? [];

/** A text in which some tokens or characters have been removed, repeated, or replaced with tokens from other bodies. */
function spoil(random, text) {
  const tokens = random() < 0.7 ? tokensOf(text) : [...text];
  const from = below(random, tokens.length + 1);
  const piece = tokens.slice(from, from + 1 + below(random, random() < 0.7 ? 2 : 20));
  const other = pick(random, [[], [...piece, ...piece], [pick(random, BYTES)], [pick(random, tokensOf(pick(random, smallBodies).body))]]);
  return tokens.toSpliced(from, piece.length, ...other).join('');
}

/** A body for a game, as { game, query, headers, body }. Many are corrupted. */
export function randomBody(random) {
  const game = pick(random, Object.keys(randomCase));
  const some = () => times(1 + below(random, 5), () => ({ ...maybe(random, 0.3, { id: below(random, 9) }), ...randomCase[game](random) }));
  const made = pick(random, [
    () => ({ headers: JSON_TYPE, body: JSON.stringify(some()[0]) }),
    () => ({ headers: JSON_TYPE, body: JSON.stringify({ cases: some() }) }),
    () => ({ headers: { 'Content-Type': 'application/x-ndjson' }, body: some().map((one) => `${JSON.stringify(one)}\n`).join('') }),
  ])();
  const found = random() < 0.5 ? pick(random, smallBodies) : { game, query: '', ...made };
  return random() < 0.5 ? found : { ...found, body: spoil(random, found.body) };
}

const valuesOf = (name) => [...new Set(known.flatMap(({ request: { headers } }) => headers?.[name] ?? []))];
const TARGETS = [...new Set(known.filter(({ request: { body } }) => body === undefined).map(({ request: { target } }) => target))];
const HEADERS = Object.entries({
  Accept: valuesOf('Accept'),
  'Content-Type': valuesOf('Content-Type'),
  'Content-Encoding': valuesOf('Content-Encoding'),
  'If-None-Match': valuesOf('If-None-Match'),
  'Accept-Encoding': ['gzip', 'gzip, deflate, br', '*', 'gzip;q=0', 'identity;q=0', 'gzip;q=0.001, identity;q=0.5'],
  'Access-Control-Request-Headers': ['content-type', 'x'],
  'X-Forwarded-For': ['10.0.0.1, 10.0.0.2', 'x'],
  traceparent: ['00-0123456789abcdef0123456789abcdef-0123456789abcdef-01', 'x'],
  'X-Request-Id': ['x'.repeat(64), 'x'.repeat(65), 'a b', ''],
  Expect: ['100-continue', 'x'],
  Connection: ['close', 'keep-alive'],
});

/** Some random headers; a few values are corrupted. */
function randomHeaders(random, id) {
  const pairs = times(below(random, 3), () => pick(random, HEADERS)).map(([name, values]) => [name, pick(random, values)])
    .map(([name, value]) => [name, random() < 0.05 ? spoil(random, value).replace(/[^ -~]/g, '?').trim() : value]);
  const Accept = pick(random, ['application/json', 'text/plain', 'application/x-ndjson', 'image/svg+xml']);
  const Origin = pick(random, ['https://a.example', 'https://c.example', 'null']);
  const asked = maybe(random, 0.5, { 'Access-Control-Request-Method': pick(random, ['POST', 'PUT', '']) });
  const usual = [maybe(random, 0.85, { 'X-Request-Id': id }), maybe(random, 0.4, { Accept }), maybe(random, 0.2, { Origin, ...asked })];
  return Object.assign({}, ...usual, Object.fromEntries(pairs));
}

function randomRequest(random, id) {
  const version = random() < 0.04 ? 'HTTP/1.0' : 'HTTP/1.1';
  if (random() < 0.35) {
    const target = pick(random, TARGETS);
    const spoilt = random() < 0.15 ? `/${spoil(random, target).slice(1).replace(/[^!-~]/g, '%')}` : target;
    const method = random() < 0.25 ? pick(random, ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PURGE']) : 'GET';
    return { method, target: spoilt, version, headers: randomHeaders(random, id), revalidate: method === 'GET' && random() < 0.4 };
  }
  const { game, query, headers, body } = randomBody(random);
  const bytes = Buffer.from(body, 'latin1');
  const request = { method: 'POST', target: `/${game}${query}`, version, headers: { ...headers, ...randomHeaders(random, id) } };
  if (random() > 0.15 || version === 'HTTP/1.0') return { ...request, body: bytes };
  return { ...request, headers: { ...request.headers, 'Transfer-Encoding': 'chunked' }, body: chunked(bytes, pick(random, [1, 7, 100, 5000])) };
}

/** Returns `count` random requests, as a list of { about, request }. Each has an id, which is used to find its log lines. */
export const randomRequests = (random, count, about) => Array.from({ length: count }, (_, number) =>
  ({ about: `${about}, request ${number}`, request: randomRequest(random, idOf(number)) }));
