// Turns results into texts that can be compared (in Latin-1, so that each byte is a character). They include everything except values that
// differ between programs or runs (their format is checked, and a word in <> replaces them), and what isn't promised: wording (titles,
// details, messages, reasons in log events about the server, help texts), which only has to be present, and the look of pages and pictures.

import { gunzipSync } from 'node:zlib';

const DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
const ID = /^[0-9a-f]{16}$/;
const TAG = /^"[0-9a-f]{16}(-gz)?"$/;
const PAGES = /^(\/|\/problems(\/.*)?|\/docs(\/.*)?|\/web\/.*|\/openapi\.(yaml|json))$/;
/** Only problems have the members `title` and `detail`. */
const withoutWords = (text) => text.replace(/"(title|detail)":"(?:[^"\\]|\\.)+"/g, '"$1":"<words>"');

function fieldText([name, value], answer, { method, headers }) {
  const isLength = /^\d+$/.test(value) && (method === 'HEAD' || Number(value) === answer.body.length);
  const word = {
    Date: DATE.test(value) && '<date>',
    'X-Request-Id': ID.test(value) && value !== headers?.['X-Request-Id'] && '<id>',
    ETag: value.replace(TAG, '"<tag>"'),
    'Content-Length': isLength && '<length>',
  }[name];
  return `${name}: ${word || value}\n`;
}
const unpacked = (answer) => (answer.header('content-encoding') === 'gzip' && answer.body.length > 0 ? gunzipSync(answer.body) : answer.body);

/** An answer as text: its status line, its headers in order, and its uncompressed body. `other` is the other program's answer. */
export function answerText(answer, request, other = answer) {
  const path = request.target.replace(/^https?:\/\/[^/]*/i, '').split('?')[0];
  let body = withoutWords(unpacked(answer).toString('latin1'));
  // A difference of a few bytes can decide whether the answer is compressed (PACK_MIN).
  const isAtLimit = request.method === 'HEAD' || [answer, other].map(unpacked).some(({ length }) => length > 512 && length < 2048);
  const isPicture = answer.header('content-type') === 'image/svg+xml';
  if (body !== '' && answer.status === 200 && (isPicture || PAGES.test(path))) body = '<document>';
  if (path === '/version') body = body.replace(/"(version|commit)":"[^"]+"/g, '"$1":"<$1>"');
  const fields = answer.fields.filter(([name, value]) => !isAtLimit || (name !== 'Content-Encoding' && value !== 'Accept-Encoding'))
    .map((field) => fieldText(field, answer, request));
  const start = [...answer.interim, answer].map(({ version, status, reason }) => `${version} ${status} ${reason}\n`);
  return `${start.join('')}${fields.join('')}\n${body}`;
}

function lineText(line) {
  const text = withoutWords(line)
    .replace(/"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/, '"time":"<time>"')
    .replace(/"(waited_ms|worked_ms)":\d+\.\d{3}/g, '"$1":<ms>');
  if (line.includes('"event":"request"')) return text;
  return text.replace(/"(port|ops_port)":\d+/g, '"$1":<port>').replace(/"version":"[^"]+"/, '"version":"<version>"')
    .replace(/"reason":"(?:[^"\\]|\\.)+"/, '"reason":"<words>"');
}

/** The id of a request, which is used to find its log lines. */
export const idOf = (number) => `request-${number}`;

/**
 * A log, as texts by request id. Lines for requests without one of our ids are sorted, under "others"; lines about the service are in
 * their original order, under "service". `sent` contains the lengths of the answers that arrived, by id.
 */
export function logTexts(log, sent = new Map()) {
  const texts = { others: [] };
  for (const line of log.split('\n').filter((one) => one !== '')) {
    const [, id = ''] = /"request_id":"([^"]*)"/.exec(line) ?? [];
    const text = lineText(line).replace(`"request_id":"${ID.test(id) ? id : ''}"`, '"request_id":"<id>"')
      .replace(/"bytes_out":(\d+)/, (all, bytes) => (sent.get(id)?.has(Number(bytes)) ? '"bytes_out":<as sent>'
        : bytes !== '0' && /"status":[45]/.test(line) ? '"bytes_out":<words>' : all));
    const key = line.includes('"event":"request"') ? /^request-\d+$/.exec(id)?.[0] ?? 'others' : 'service';
    (texts[key] ??= []).push(`${text}\n`);
  }
  texts.others.sort();
  return texts;
}

// Values that depend on timing, on the machine, on wording or on how much memory or work a solver needs, and so on the lane.
const VALUES = /^(process_\w+|arbiter_memory_limit_bytes|arbiter_log_lines_dropped_total|arbiter_loop_\w+_seconds\w*\{.*\}|arbiter_sent_bytes_total\{.*\}|\w+_seconds_sum(?:\{.*\})?|\w+_seconds_bucket\{.*\}|\w+_seconds_count\{.*lane=.*\}) \S+$/gm;

/** Metrics as text: names, types, labels, and the values that depend only on the requests. */
export const metricsText = (text) => text.replace(VALUES, '$1 <value>').replace(/^(# HELP \w+) .+$/gm, '$1 <words>')
  .replace(/^arbiter_build_info\{version="[^"]+",commit="[^"]+"\}/m, 'arbiter_build_info{version="<version>",commit="<commit>"}');

/** The result of a command as text. On standard error, lines that are not JSON are messages. */
export function commandText({ code, signal, stdout, stderr }) {
  const out = withoutWords(stdout).replace(/<svg[^]*?<\/svg>/g, '<picture>').replace(/^arbiter \S+ \(\S+\)$/m, 'arbiter <version> (<commit>)');
  const errors = stderr.replace(/(^(?!\{).*\n)+/gm, '<message>\n').split('\n').map(lineText).join('\n');
  return Buffer.from(`status ${code ?? signal}\n${errors}\n${out}`).toString('latin1');
}

/** The variables and options in a help text or a manual page, each with the text of its entry. */
function entriesIn(help) {
  const plain = help.replaceAll('\\', '');
  const variables = [...plain.matchAll(/ARBITER_[A-Z_]+/g)].map(([name]) => [name, '']);
  const options = plain.split(/^(?:\.B )? *(?:-\w, )?(?=--[a-z])/m).slice(1).map((entry) => [/^[a-z-]+/.exec(entry)[0], entry]);
  return new Map([...variables, ...options].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Two help texts, as lists of options and variables with the defaults that the release gives in brackets. In this build's text, a
 * default can be anywhere in the entry for its option.
 */
export function helpTexts(old, now) {
  const before = entriesIn(old.stdout);
  const defaultsOf = (name) => [...(before.get(name) ?? '').matchAll(/\[([^\]]*)\]/g)].flatMap(([, text]) => text.split(/[;, ]+/))
    .filter((word) => /^([\d.]+|\*|true|false|info|auto|trusted)$/.test(word));
  const textOf = ({ code, stdout }) => [...entriesIn(stdout)].map(([name, entry]) => {
    const words = entry.split(/[^\w.*]+/).map((word) => word.replace(/\.$/, ''));
    return `${name} ${defaultsOf(name).filter((word) => words.includes(word)).join(' ')}`.trimEnd();
  }).reduce((text, line) => `${text}${line}\n`, `status ${code}\n`);
  return { old: textOf(old), now: textOf(now) };
}
