// The contract cases and the examples of openapi.yaml, answered by the WebAssembly module.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cases, examples } from '../contract/cases.mjs';
import { checkBody, checkHeaders } from '../contract/checks.mjs';
import { ask, newEngine } from './module.mjs';

/** What only a server does: files and probes, limits of connections, HTTP's framing, gzip, and options that aren't limits of a request. */
const OF_A_SERVER = {
  paths: /^\S+ \/(openapi\.\w+|web\/.*|docs.*|livez|readyz|limits|metrics|favicon\.ico|robots\.txt)?$/,
  headers: ['transfer-encoding', 'content-length', 'expect', 'content-encoding'],
  options: /^--(refuse-cross-site|ops-port|body-timeout|max-inflight-bytes|cors-origins)$/,
};

const isOfServer = ({ operation, request: { raw, signal, server = [], headers = {}, method, target }, answer }) =>
  raw || signal || answer.response === undefined || answer.headers?.Connection || answer.headers?.['Content-Encoding']
  || [operation, `${method} ${target.replace(/\?.*/, '')}`].some((one) => OF_A_SERVER.paths.test(one))
  || Object.keys(headers).some((name) => OF_A_SERVER.headers.includes(name.toLowerCase()))
  || server.some((option) => OF_A_SERVER.options.test(option));

const limitsOf = (server) => Object.fromEntries(server.flatMap((option, at) =>
  (at % 2 === 0 ? [[option.slice(2).replaceAll('-', '_'), Number(server[at + 1])]] : [])));

const engines = new Map(); // maps options to an engine with these limits

function engineWith(server) {
  const key = JSON.stringify(server);
  if (!engines.has(key)) engines.set(key, newEngine(limitsOf(server)));
  return engines.get(key);
}

const sent = [...examples, ...cases].filter((one) => !isOfServer(one));

for (const { name, operation, request, answer } of sent) {
  test(name, () => {
    const engine = engineWith(request.server);
    let got = ask(engine, request);
    if (request.revalidate) got = ask(engine, { ...request, headers: { ...request.headers, 'If-None-Match': got.headers.get('etag') } });
    assert.equal(got.status, answer.status, got.text());
    checkHeaders(got, { operation, request, answer }, ['x-request-id', 'date', 'connection', 'retry-after']);
    checkBody(got, request, answer);
  });
}

test('almost all cases of the games were answered', () => {
  const ofGames = ({ operation }) => /^POST|^GET \/(pawn|go|mine)$/.test(operation);
  const all = [...examples, ...cases].filter(ofGames).length, here = sent.filter(ofGames).length;
  assert.ok(here > 1000 && here > 0.9 * all, `${here} of ${all}`);
});
