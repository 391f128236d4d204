// Adds faults to valid input: bytes of a body, members of a case, a target, a field of a head. Never to the framing of a request,
// because a program would wait for more; the known requests have wrong framings.

import { below, pick } from '../server/bodies.mjs';

const BYTES = [
  ...'{}[]",:0123456789-+.eEtfn\\ \t\r\n(); *#OXBWbwpq/', '\0', '\x7f', '\x80', '\xff', '\xc3', '\xe2\x82', '\ufeff',
];
const VALUES = [
  null, true, false, '', 'x', '\u0000', 0, -1, 1.5, 1e21, 19, 25, 26, 257, 1001, 2 ** 53, [], {}, [[]], ['.'], [0, 0],
  'pass', 'A1', 'I5', 'T20',
];
const NAMES = [
  'board', 'turn', 'include', 'id', 'moves', 'size', 'setup', 'rules', 'ko', 'suicide', 'sgf', 'game', 'rows', 'cols',
  'mines', 'clicks',
  'states', 'cases', 'nothing', '', 'x'.repeat(64), 'x'.repeat(65), 'na\u00efve', 'a"b',
];
const NUMBERS = [
  '0', '-1', '-0', '1.0', '1.5', '1e400', '1e-400', '01', '9007199254740993', '999999999999999999999', '3e0', '.5', '1.',
  '-',
];

/** A value of any type; a copy, so that no value contains itself. */
const anyValue = (random) => structuredClone(pick(random, VALUES));

/** A place in a text, and a length from there. */
function slice(random, text) {
  const from = below(random, text.length + 1);
  return [from, Math.min(text.length, from + 1 + below(random, random() < 0.7 ? 3 : 40))];
}

const ofBytes = [
  (random, text) => {
    const [from, to] = slice(random, text);
    return text.slice(0, from) + text.slice(to);
  },
  (random, text) => {
    const at = below(random, text.length + 1);
    return text.slice(0, at) + pick(random, BYTES) + text.slice(at);
  },
  (random, text) => {
    const [from, to] = slice(random, text);
    return text.slice(0, to) + text.slice(from);
  },
  (random, text) => {
    const [from] = slice(random, text);
    return text.slice(0, from) + pick(random, BYTES) + text.slice(from + 1);
  },
  (random, text) => text.slice(0, below(random, text.length + 1)),
  (random, text) => {
    const numbers = [...text.matchAll(/-?\d+/g)];
    if (numbers.length === 0) return text;
    const { 0: number, index } = pick(random, numbers);
    return text.slice(0, index) + pick(random, NUMBERS) + text.slice(index + number.length);
  },
];

/** The objects and arrays in a value. */
function placesIn(value) {
  if (value === null || typeof value !== 'object') return [];
  return [value, ...Object.values(value).flatMap(placesIn)];
}

/** Changes a value in one place: a member or element is removed, replaced, gets another type, or is doubled. */
function spoilValue(random, value) {
  const place = pick(random, placesIn(value));
  if (place === undefined) return;
  const keys = Object.keys(place);
  const key = keys.length > 0 ? pick(random, keys) : undefined;
  switch (below(random, 5)) {
    case 0:
      if (Array.isArray(place)) place.splice(below(random, place.length + 1), 1);
      else delete place[key];
      return;
    case 1:
      if (Array.isArray(place)) place.push(anyValue(random));
      else place[pick(random, NAMES)] = anyValue(random);
      return;
    case 2:
      if (Array.isArray(place)) place.push(...structuredClone(place.slice(0, 30)));
      else place[pick(random, NAMES)] = structuredClone(place);
      return;
    default:
      if (key !== undefined) place[key] = anyValue(random);
  }
}

/** A JSON text with a member twice, or with faults in its values; other text is unchanged. */
function spoilJson(random, text) {
  if (random() < 0.2) {
    const members = [...text.matchAll(/"\w+":/g)];
    if (members.length === 0) return text;
    const { 0: member, index } = pick(random, members);
    return `${text.slice(0, index)}${member}${JSON.stringify(anyValue(random))},${text.slice(index)}`;
  }
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  for (let count = 1 + below(random, 3); count > 0; count -= 1) spoilValue(random, value);
  return JSON.stringify(value);
}

/** A body with one fault or several. Lines can have separate faults. */
export function spoilBody(random, body) {
  if (random() < 0.5 && /^\s*\{/.test(body)) {
    if (!body.includes('\n{')) return spoilJson(random, body);
    return body.split('\n').map((line) => (random() < 0.5 ? spoilJson(random, line) : line)).join('\n');
  }
  let spoilt = body;
  for (let count = 1 + below(random, 3); count > 0; count -= 1) spoilt = pick(random, ofBytes)(random, spoilt);
  return spoilt;
}

const QUERIES = [
  'x=1', '_x=1', 'format=png', 'format=json&format=json', 'case={}', 'case=', 'case', '&', '=', 'case=%7B%7D&x',
  '%63ase={}', 'format=',
];

/** Another target: a query that is too long, an escape, a longer or another path. Without blanks and control characters. */
export function spoilTarget(random, target) {
  const [path] = target.split('?');
  const spoilt = pick(random, [
    () => `${target}${target.includes('?') ? '&' : '?'}${pick(random, QUERIES)}`,
    () => `${path}?${pick(random, QUERIES)}`,
    () => path,
    () => `${path}/`,
    () => `/${target}`,
    () => `${path}/../x`,
    () => target.toUpperCase(),
    () => target.replace(/[a-z]/, (c) => `%${c.charCodeAt(0).toString(16)}`),
    () => `http://example.org${target}`,
    () => ofBytes[below(random, 5)](random, target),
    () => target.replaceAll('%22', '%2'),
    () => target.padEnd(8190 + below(random, 5), '?&x'),
  ])();
  return `/${spoilt}`.slice(/^(\/|http:\/\/)/.test(spoilt) ? 1 : 0).replace(/[^!-~]/g, '%');
}

/** The value of a header with some bytes added, removed or changed; without line ends and control characters. */
export function spoilField(random, value) {
  return pick(random, ofBytes)(random, value).replace(/[^ -~]/g, '?').trim();
}
