// Sends every example in openapi.yaml and every case in cases/ (see cases.mjs), and compares the answer with the expected one and
// with the schema and headers of the response in openapi.yaml. After each refusal, checks that a valid request is answered, on
// the same connection if the server has left it open.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { withArbiter } from '../server/arbiter.mjs';
import { until } from '../server/client.mjs';
import { cases, examples } from './cases.mjs';
import { checkBody, checkHeaders } from './checks.mjs';
import { exchange, Servers } from './wire.mjs';

const servers = new Servers();
const connections = new Map(); // maps the options of a server to the open connection to it
after(async () => {
  connections.forEach((connection) => connection.close());
  await servers.stop();
});

// --- sending

// Sends a request, on the open connection if there is one.
async function ask(request) {
  const key = JSON.stringify(request.server);
  let connection = connections.get(key);
  if (connection === undefined || connection.ended !== null) {
    connection = await servers.connect(request.server);
    connections.set(key, connection);
  }
  try {
    const got = await exchange(connection, request);
    if (got.list('connection').includes('close')) drop(request.server);
    return got;
  } catch (error) {
    drop(request.server);
    throw error;
  }
}

function drop(server) {
  const key = JSON.stringify(server);
  connections.get(key)?.close();
  connections.delete(key);
}

// Sends a request twice, the second time with the ETag of the first answer.
async function askAgain(request) {
  const before = await ask(request);
  assert.equal(before.status, 200, before.body.toString());
  const headers = { ...request.headers, 'If-None-Match': before.headers.get('etag') };
  const again = await ask({ ...request, headers });
  for (const name of ['etag', 'cache-control']) assert.equal(again.headers.get(name), before.headers.get(name), name);
  assert.deepEqual(new Set(again.list('vary')), new Set([...before.list('vary'), 'accept-encoding']));
  return again;
}

// Sends a signal to the server, then repeats the request until the answer changes.
async function askAfterSignal(request) {
  let after;
  await withArbiter(request.server, async (server) => {
    const before = await server.ask(request);
    server.signal(request.signal);
    await until(
      'the answer changes',
      async () => {
        after = await server.ask(request);
        return after.status !== before.status;
      },
      { every: 0 },
    );
    await server.stop({ signal: request.signal, status: 1 }); // the second signal ends the program immediately
  });
  return after;
}

// One of these is sent after each refusal. They are small enough for servers with low limits.
const good = [
  { target: '/pawn', type: 'application/json', body: '{"board":["O.O","X.."]}', answer: '{"verdict":"Red","steps":1}\n' },
  {
    target: '/go',
    type: 'application/json',
    body: '{"size":1,"moves":[["B",0,0]]}',
    answer:
      '{"misses":[{"move":1,"color":"B","at":[0,0],"name":"A1","code":2,"reason":"suicide"}],' +
      '"board":["."],"played":0,"prisoners":{"B":0,"W":0}}\n',
  },
  { target: '/mine', type: 'text/plain', body: '1\n3 3 1\n1 1\n', answer: 'Case #1: Fanglaoshi\n' },
];
let turn = 0;

// The lowest limits that still let a server answer the requests in `good`.
const needed = { '--max-inflight-bytes': 2 ** 20, '--max-answer-bytes': 200, '--max-json-values': 10 };
const solves = (server) => server.every((option, at) => !(Number(server[at + 1]) < needed[option]));

async function checkGood(server) {
  const alive = { method: 'GET', target: '/livez', answer: '{"status":"ok"}\n' };
  const { answer, type, ...request } = solves(server) ? good[turn++ % good.length] : alive;
  const got = await ask({ method: 'POST', headers: type ? { 'Content-Type': type } : {}, ...request, server });
  assert.deepEqual({ status: got.status, body: got.text() }, { status: 200, body: answer }, 'the good request');
}

// --- the cases

const all = [...examples, ...cases];

for (const { name, operation, request, answer } of all) {
  test(name, async () => {
    const send = request.signal ? askAfterSignal : request.revalidate ? askAgain : ask;
    const got = await send(request);
    assert.equal(got.status, answer.status, got.body.toString());
    if (answer.response) {
      checkHeaders(got, { operation, request, answer });
      checkBody(got, request, answer);
    }
    if (answer.status >= 400 && !request.signal) await checkGood(request.server);
  });
}

test('no two cases have the same name', () => {
  const names = all.map(({ name }) => name);
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});

test('results are in the order of the cases, each with its id', async () => {
  const fields = Array.from({ length: 1000 }, (_, id) => ({ id, rows: 1, cols: 1, mines: id % 3 ? [] : [[0, 0]] }));
  const got = await servers.ask({ method: 'POST', target: '/mine', body: JSON.stringify({ cases: fields }) });
  assert.deepEqual(
    JSON.parse(got.body).results.map(({ id, verdict }) => [id, verdict]),
    fields.map(({ id }) => [id, id % 3 ? 'Xiemao' : 'Fanglaoshi']),
  );
});

test('one connection serves a hundred requests', async () => {
  const connection = await servers.connect();
  try {
    for (let count = 0; count < 100; count++) {
      const { answer, type, ...request } = good[count % good.length];
      const got = await exchange(connection, { method: 'POST', headers: { 'Content-Type': type }, ...request });
      assert.equal(got.text(), answer);
    }
  } finally {
    connection.close();
  }
});
