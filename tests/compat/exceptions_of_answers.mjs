// Exceptions (exceptions.mjs describes the rows) for answers: new members, bodies that 1.0.0 did not read, and bugs of 1.0.0.

import { isDeepStrictEqual } from 'node:util';

import { chunked } from '../server/client.mjs';

const TEXT = { 'Content-Type': 'text/plain' };

const MISS = '{"size":2,"moves":[["B","A1"],["W","A1"]]}';

/** Answers of at least this many bytes are compressed if Accept-Encoding allows it, and have Vary. */
const LEAST_PACKED = 1024;

const NAME_OF_A_MISS = /(?<=\{"move":\d+,"color":"[BW]","at":\[\d+,\d+\]),"name":"[A-HJ-Z]\d+"/g;
const CASE_AMONG_PARTS = /(?<=there are (\\"\w+\\", ){2}\\"\w+\\"), \\"case\\"/g;
const POLICY_OF_PAGES = /^(default-src 'none'; )(script-src 'self'; )(style-src 'self')(; img-src 'self')( blob: data:; connect-src 'self')(?=; )/;
const CELL_OF_A_FAULT = /,"at":\[\d+,\d+\](?=\}[,\]])/g;

/** Removes the matches of `member` from the output of a command. */
const cutOut = (member) => (now) => ({
  ...now,
  stdout: now.stdout.replace(member, ''),
  stderr: now.stderr.replace(member, ''),
});

const OF_PACKING = [['Content-Encoding', 'gzip'], ['Vary', 'Accept-Encoding']];
const isOfPacking = (field) => OF_PACKING.some((one) => isDeepStrictEqual(field, one));
/** The headers of a compressed answer as if it were not compressed; its tag as a link would differ. */
const withoutPacking = (fields) => fields.filter((field) => !isOfPacking(field))
  .map(([name, value]) => [name, name === 'ETag' ? value.replace(/-gz"$/, '"') : value]);

/** An answer to a HEAD, with the length of 1.0.0; GET shows other differences. */
function withOldLengthOfHead(now, old) {
  const [length, oldLength] = [now, old].map(({ fields }) => new Map(fields).get('Content-Length'));
  const isPackedNow = !old.fields.some(isOfPacking) && now.fields.some(isOfPacking);
  if (!isPackedNow && !(Number(length) > Number(oldLength))) return undefined;
  const fields = now.fields.map(([name, value]) => [name, name === 'Content-Length' ? oldLength : value]);
  return { ...now, fields: isPackedNow ? withoutPacking(fields) : fields };
}

/** Removes the matches of `member` from an answer. If it is compressed only because it is longer now, that is taken back, too. */
const cutOutOfAnswer = (member) => (now, { request, old }) => {
  if (request.method === 'HEAD') return withOldLengthOfHead(now, old);
  const body = now.body?.replace(member, '');
  if (body === now.body) return undefined;
  const isPackedNow = body.length < LEAST_PACKED && now.body.length >= LEAST_PACKED;
  return { ...now, fields: isPackedNow ? withoutPacking(now.fields) : now.fields, body };
};

const BYTES_OUT = /"bytes_out":(\d+)/;

/** A line of the log with the length of 1.0.0, if it is longer now, or compressed. The bodies are compared separately. */
function withOldLength(line, old = '') {
  const [, length] = BYTES_OUT.exec(line) ?? [], [oldPart, oldLength] = BYTES_OUT.exec(old) ?? [];
  return Number(length) > Number(oldLength) || Number(oldLength) < LEAST_PACKED ? line.replace(BYTES_OUT, oldPart) : line;
}

/** @type {{ name: string, reason: string, kind: string, examples: object[], toOld: Function }[]} */
export const exceptionsOfAnswers = [
  {
    name: 'a text that begins as JSON is JSON',
    reason: 'fetch and some generated clients send JSON as text/plain, which 1.0.0 refused.',
    kind: 'answer',
    examples: [
      { target: '/pawn', headers: TEXT, body: '{"board":["O.O","X.."]}' },
      { target: '/go', headers: { ...TEXT, Accept: 'text/plain' }, body: '\ufeff {"size":1,"moves":[["B","A1"]]}' },
      { target: '/mine', headers: { ...TEXT, Accept: 'application/jsonl' }, body: '{"cases":[{"board":["."]},{}]}' },
      { target: '/pawn', headers: { ...TEXT, Accept: 'image/svg+xml' }, body: '{"board":["O.O","X.."]}' },
      { target: '/mine', headers: TEXT, body: '{"board":[1,' },
    ],
    toOld: async (now, { request, old, ask }) => {
      if (!/^\ufeff?[ \t\r\n]*\{/.test(request.body ?? '') || !isDeepStrictEqual(request.headers, { ...request.headers, ...TEXT })) {
        return undefined;
      }
      const asJson = await ask({ ...request, headers: { ...request.headers, 'Content-Type': 'application/json' } });
      return isDeepStrictEqual(now, asJson) ? old : undefined;
    },
  },
  {
    name: 'a fault names the cell that it is about',
    reason: 'A fault about exactly one cell of the board has the new member `at`, the row and column of that cell.',
    kind: 'answer',
    examples: [
      { target: '/pawn', body: '{"board":["O.O",".?.",".X."]}' },
      { target: '/mine', body: '{"cases":[{"board":["x"]},{"board":["y"]},{"board":["z"]},{"board":["x"]},{"board":["y"]}]}',
        headers: { 'Accept-Encoding': 'gzip' } },
      { method: 'HEAD', target: '/mine?case=%7B%22board%22:%5B%22x%22%5D%7D' },
    ],
    toOld: cutOutOfAnswer(CELL_OF_A_FAULT),
  },
  {
    name: 'a fault names the cell that it is about, without a server, too',
    reason: 'A fault about exactly one cell of the board has the new member `at`, the row and column of that cell.',
    kind: 'command',
    examples: [{ args: ['solve', 'mine'], input: '{"board":["x"]}' }],
    toOld: cutOut(CELL_OF_A_FAULT),
  },
  {
    name: 'the version names the profile',
    reason: '--profile is a new option, and /version has its value.',
    kind: 'answer',
    examples: [{ target: '/version' }, { method: 'HEAD', target: '/version' }],
    toOld: cutOutOfAnswer(/(?<=^\{"name":"arbiter","version":"<version>","commit":"<commit>"),"profile":"trusted"(?=\}\n$)/),
  },
  {
    name: 'a fault of `include` lists `case`',
    reason: '`include` may have `case`: the result then has the case as it was sent.',
    kind: 'answer',
    examples: ['/pawn', '/go', '/mine'].map((target) => ({ target, body: '{"include":["x"]}' })),
    toOld: cutOutOfAnswer(CASE_AMONG_PARTS),
  },
  {
    name: 'a result has the case if `include` has `case`',
    reason: '`include` may have `case`: the result then has the case as it was sent.',
    kind: 'answer',
    examples: [
      { target: '/pawn', body: '{"id":"a b","include":["case"],"board":["O.O","X.."]}' },
      { target: '/go', body: '{"include":["case"],"size":1,"moves":[["B","A1"]]}' },
      { target: '/mine', headers: { Accept: 'application/x-ndjson' }, body: '{"board":["."],"include":["case"]}' },
    ],
    toOld: async (now, { request, old, ask }) => {
      if (typeof request.body !== 'string') return undefined;
      const body = request.body.replace('"include":["case"]', '"include":[]');
      if (body === request.body) return undefined;
      const without = await ask({ ...request, body });
      const cut = { ...now, body: now.body.replace(`"case":${request.body},`, '') };
      return cut.body !== now.body && isDeepStrictEqual(cut, without) ? old : undefined;
    },
  },
  {
    name: 'a fault of `include` lists `case`, without a server, too',
    reason: '`include` may have `case`: the result then has the case as it was sent.',
    kind: 'command',
    examples: [{ args: ['solve', 'mine'], input: '{"board":["."],"include":["x"]}' }],
    toOld: cutOut(CASE_AMONG_PARTS),
  },
  {
    name: 'a miss has the name of its point',
    reason: 'A miss of /go has the new member `name`, the point as Go players say it.',
    kind: 'answer',
    examples: [
      { target: '/go', body: MISS },
      { target: '/go', headers: { Accept: 'application/x-ndjson' }, body: `{"cases":[${MISS},${MISS}]}` },
    ],
    toOld: cutOutOfAnswer(NAME_OF_A_MISS),
  },
  {
    name: 'a miss has the name of its point, without a server, too',
    reason: 'A miss of /go has the new member `name`, the point as Go players say it.',
    kind: 'command',
    examples: [{ args: ['solve', 'go'], input: MISS }],
    toOld: cutOut(NAME_OF_A_MISS),
  },
  {
    name: 'the log counts the bytes of members that are new',
    reason: 'Answers have new members, so they are longer, or long enough to be compressed.',
    kind: 'log',
    examples: [],
    toOld: ({ lines }, { old }) => ({ lines: lines.map((line, index) => withOldLength(line, old.lines[index])) }),
  },
  {
    name: '/problems/cross-site is a page',
    reason: '--refuse-cross-site is a new option, and this page describes the problem of its refusals.',
    kind: 'answer',
    examples: [{ target: '/problems/cross-site' }],
    toOld: ({ start, body }, { request: { target }, old }) => {
      const isPage = start === 'HTTP/1.1 200 OK' && body.includes('<code>/problems/cross-site</code>, status 403');
      return target === '/problems/cross-site' && isPage ? old : undefined;
    },
  },
  {
    name: '/docs/limits and /docs/errors are pages, in Chinese too',
    reason: 'These pages are new: the limits in force, all errors, and what to do about each.',
    kind: 'answer',
    examples: [{ target: '/docs/limits' }, { target: '/docs/errors.zh' }],
    toOld: ({ start, body }, { request: { target = '' }, old }) => {
      const isPage = start === 'HTTP/1.1 200 OK' && body === '<document>';
      return /^\/docs\/(limits|errors)(\.zh)?$/.test(target) && isPage ? old : undefined;
    },
  },
  {
    name: 'the pages at /docs have the policy of the playground',
    reason: 'The reference needs no inline styles any more, and scripts of the other pages show the limits in force and the address.',
    kind: 'answer',
    examples: [{ target: '/docs' }, { target: '/docs/guides' }, { method: 'HEAD', target: '/docs/docs.css' }],
    toOld: (now, { request: { target = '' } }) => !target.includes('/docs') ? undefined : {
      ...now,
      fields: now.fields?.map(([name, value]) => [name, name === 'Content-Security-Policy'
        ? value.replace(POLICY_OF_PAGES, target.includes('/docs/') ? '$1$3$4' : "$1$2$3 'unsafe-inline'$4$5") : value]),
    },
  },
  {
    name: 'a request target with "://" is one of http or https',
    reason: '1.0.0 answered *://host/path, which passed the path rules of proxies; that is a bug.',
    kind: 'answer',
    examples: [{ target: '*://y/version' }, { target: 'a/b://y/version' }],
    toOld: ({ start, body }, { request: { target = '/' }, old }) => {
      const wrong = !target.startsWith('/') && target.includes('://') && !/^https?:\/\//i.test(target);
      return wrong && start === 'HTTP/1.1 400 Bad Request' && body.includes('/problems/malformed') ? old : undefined;
    },
  },
  {
    name: 'after an HTTP/1.0 request with a Transfer-Encoding the connection is closed',
    reason: '1.0.0 kept the connection open if the client asked for it, which is a bug.',
    kind: 'answer',
    examples: [{
      target: '/mine', version: 'HTTP/1.0', body: chunked('{"board":["."]}', 4),
      headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked', Connection: 'keep-alive' },
    }],
    toOld: (now, { request: { version, headers = {} }, old }) => {
      if (version !== 'HTTP/1.0' || headers['Transfer-Encoding'] === undefined) return undefined;
      if (now.start === 'the connection ends') return old;
      const others = now.fields.filter(([name]) => name !== 'Connection');
      const kept = old.fields.find(([name]) => name === 'Connection');
      return { ...now, fields: old.fields.map((field) => (field === kept ? field : others.shift())) };
    },
  },
];
