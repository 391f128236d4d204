// Normalizes answers, logs, metrics and commands for the comparison. The results have everything, byte for byte (as Latin-1
// strings), except values that differ from program to program or from run to run. The form of these is checked, and they are
// replaced by a word in <>.

import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';

const DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
const ID = /^[0-9a-f]{16}$/;
const TAG = /^"[0-9a-f]{16}(-gz)?"$/;

/** The path of a target, in absolute form, too. */
const pathOf = (target) => target.replace(/^https?:\/\/[^/]*/i, '').split('?')[0];

/**
 * Is this the target of a page or file whose text is not promised? Of its answer all except the text is compared. (/problems lists
 * the types of problems; there may be new ones.)
 */
const isDocument = (target) => /^(\/|\/problems|\/docs|\/docs\/.*|\/web\/.*|\/openapi\.(yaml|json))$/.test(pathOf(target));

/** Does the answer contain the version or the commit? */
const isVersion = (target) => pathOf(target) === '/version';

/** May the length of the answer differ? */
export const hasFreeLength = ({ target = '' }) => isDocument(target) || isVersion(target);

/** The values of a header of a request. */
export function sentValues({ headers = {} }, name) {
  const pairs = Array.isArray(headers) ? headers : Object.entries(headers);
  return pairs.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value);
}

function normalizeField([name, value], { request, answer, free, ownTag }) {
  switch (name.toLowerCase()) {
    case 'date':
      return DATE.test(value) ? '<date>' : value;
    case 'x-request-id':
      return ID.test(value) && !sentValues(request, 'x-request-id').includes(value) ? '<id>' : value;
    case 'etag':
      if (value === ownTag) return '<the tag of before>';
      return value.replace(TAG, '"<tag>$1"');
    case 'content-length':
      return free || (answer.body.length > 0 && Number(value) === answer.body.length) ? '<length>' : value;
    default:
      return value;
  }
}

/**
 * Normalizes an answer: `body` is uncompressed, `packed` a digest of the compressed bytes. `ownTag` is the tag of an earlier
 * answer, if it was sent.
 */
export function normalizeAnswer(answer, request, ownTag) {
  const { target = '' } = request;
  const document = answer.status === 200 && isDocument(target);
  const free = answer.status === 200 && hasFreeLength(request);
  const packed = answer.header('content-encoding') === 'gzip' && answer.body.length > 0;
  let body = (packed ? gunzipSync(answer.body) : answer.body).toString('latin1');
  if (document && body !== '') body = '<document>';
  if (isVersion(target)) body = body.replace(/"(version|commit)":"[^"]+"/g, '"$1":"<$1>"');
  const fields = answer.fields.map((field) => [field[0], normalizeField(field, { request, answer, free, ownTag })]);
  return {
    ...(answer.interim.length > 0 && { interim: answer.interim.map(({ status, reason }) => `${status} ${reason}`) }),
    start: `${answer.version} ${answer.status} ${answer.reason}`,
    fields,
    body,
    ...(packed && !document && { packed: createHash('sha256').update(answer.body).digest('hex') }),
  };
}

/** The id of a request of a conversation, by which its log line is found. */
export const idOf = (conversation, number) => `conversation${conversation}-${number}`;
const OUR_ID = /^conversation\d+-\d+$/;

/**
 * Normalizes a log: the lines by conversation. Those of requests with our id are in their order; all others about requests are
 * sorted, under "others"; those about the service are in their order, under "service". `documents` has the ids of requests for
 * documents, whose length is not promised.
 */
export function normalizeLog(text, documents) {
  const conversations = new Map();
  const add = (key, line) => conversations.set(key, [...(conversations.get(key) ?? []), line]);
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, event] = /"event":"([^"]*)"/.exec(line) ?? [];
    const [, id = ''] = /"request_id":"([^"]*)"/.exec(line) ?? [];
    let normalized = line
      .replace(/^\{"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/, '{"time":"<time>"')
      .replace(/"(waited_ms|worked_ms)":\d+\.\d{3}/g, '"$1":<ms>');
    if (ID.test(id)) normalized = normalized.replace(id, '<id>');
    if (documents.has(id) || !OUR_ID.test(id)) normalized = normalized.replace(/"bytes_out":\d+/, '"bytes_out":<bytes>');
    if (event !== 'request') {
      normalized = normalized.replace(/"(port|ops_port)":\d+/g, '"$1":<port>').replace(/"version":"[^"]+"/, '"version":"<version>"');
      add('service', normalized);
    } else {
      add(OUR_ID.test(id) ? id.split('-')[0] : 'others', normalized);
    }
  }
  conversations.get('others')?.sort();
  return conversations;
}

// Values that depend on time, on the machine, or on the build.
const BUILD = /^arbiter_build_info\{version="[^"]+",commit="[^"]+"\}/;
const VALUES = /^((?:process_\w+|arbiter_log_lines_dropped_total|arbiter_loop_\w+_seconds\w*\{.*\}|arbiter_sent_bytes_total\{route="\/(?:docs[^"]*|web\/[^"]*|openapi[^"]*|version|problems)?"\}|\w+_seconds_sum(?:\{.*\})?|\w+_seconds_bucket\{.*\})) \S+$/;

/** The lines of metrics: names, types, help texts, labels, and the values that depend on the requests. */
export function normalizeMetrics(text) {
  const lines = text.split('\n').map((line) =>
    line.replace(VALUES, '$1 <value>').replace(BUILD, 'arbiter_build_info{version="<version>",commit="<commit>"}'));
  return { lines };
}

/** Normalizes the result of a command: `stdout` and `stderr` unchanged, except the version. */
export function normalizeCommand({ code, signal, stdout, stderr }) {
  const latin1 = (text) => Buffer.from(text).toString('latin1')
    .replace(/^(arbiter )[\w.-]+ \([\w.-]+\)$/m, '$1<version> (<commit>)')
    .replace(/"arbiter [\w.-]+"/, '"arbiter <version>"')
    .replace(/"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g, '"time":"<time>"');
  return { status: `${code ?? signal}`, stdout: latin1(stdout), stderr: latin1(stderr) };
}
