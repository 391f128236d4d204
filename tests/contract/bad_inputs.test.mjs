// Every row of bad_inputs.mjs: the refusal, and then a good request that must be answered rightly, on the same connection
// if the server left it open.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { rows, servers as options } from './bad_inputs.mjs';
import { whole } from './description.mjs';
import { exchange, Servers } from './wire.mjs';

const servers = new Servers();
const connections = new Map(); // server -> its open connection
after(async () => {
  connections.forEach((connection) => connection.close());
  await servers.stop();
});

const problem = whole.at('components', 'schemas', 'Problem');

// What must still work, whatever was sent before; in turn. Small enough for every server.
const good = [
  {
    target: '/pawn',
    type: 'application/json',
    body: '{"board":["O.O","X.."]}',
    answer: '{"verdict":"Red","steps":1}\n',
  },
  {
    target: '/go',
    type: 'application/json',
    body: '{"size":1,"moves":[["B",0,0]]}',
    answer:
      '{"misses":[{"move":1,"color":"B","at":[0,0],"code":2,"reason":"suicide"}],"board":["."],"played":0,"prisoners":{"B":0,"W":0}}\n',
  },
  { target: '/mine', type: 'text/plain', body: '1\n3 3 1\n1 1\n', answer: 'Case #1: Fanglaoshi\n' },
];

// All that a server without room can be asked.
const alive = { method: 'GET', target: '/livez', answer: '{"status":"ok"}\n' };

// Is `got` the place, or one of the places?
function check_fault(got, wanted, about) {
  const seen = { code: got.code };
  const hoped = { code: wanted.code };
  for (const name of ['pointer', 'line', 'column', 'parameter']) {
    seen[name] = got[name];
    const place = wanted[name];
    hoped[name] = Array.isArray(place) ? (place.find((one) => one === got[name]) ?? place) : place;
  }
  assert.deepEqual(seen, hoped, about);
}

function check_problem(answer, { status, type, errors, first, headers = {}, available }, bodiless) {
  const about = answer.body.toString();
  assert.equal(answer.status, status, about);
  if (type === null) return;
  assert.equal(answer.headers.get('content-type'), 'application/problem+json');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  assert.match(answer.headers.get('x-request-id') ?? '', /^[A-Za-z0-9._-]{1,64}$/);
  for (const [name, value] of Object.entries(headers)) {
    const got = answer.headers.get(name) ?? '';
    assert.ok(value instanceof RegExp ? value.test(got) : value === got, `${name}: ${got}`);
  }
  if (bodiless) {
    assert.equal(answer.body.length, 0);
    return;
  }
  assert.ok(about.endsWith('}\n'));
  const body = JSON.parse(about);
  assert.equal(problem.complaints(body), '', about);
  assert.equal(body.type, `/problems/${type}`);
  assert.equal(body.status, status);
  if (available) assert.deepEqual(body.available, available);
  if (!errors) return;
  if (first) {
    assert.ok(body.errors.length >= errors.length, about);
  } else {
    assert.equal(body.errors.length, errors.length, about);
  }
  errors.forEach((wanted, index) => check_fault(body.errors[index], wanted, about));
  if (body.errors.length === 1) assert.equal(body.detail, body.errors[0].detail);
  else assert.ok(/^\d+ /.test(body.detail) && body.detail.includes(body.errors[0].detail), about);
}

function drop(server) {
  connections.get(server)?.close();
  connections.delete(server);
}

// Over the connection that is open, if there is one.
async function ask(server, request) {
  let connection = connections.get(server);
  if (connection === undefined || connection.ended !== null) {
    connection = await servers.connect(options[server]);
    connections.set(server, connection);
  }
  const answer = await exchange(connection, request);
  if (answer.list('connection').includes('close')) drop(server);
  return answer;
}

let turn = 0;

async function check_good(server) {
  const { method = 'POST', target, type, body, answer } = server === 'full' ? alive : good[turn++ % good.length];
  const got = await ask(server, { method, target, headers: type ? { 'Content-Type': type } : {}, body });
  assert.deepEqual({ status: got.status, body: got.text() }, { status: 200, body: answer }, 'the good request');
}

test('no two rows have the same name', () => {
  const names = rows.map(({ name, request }) => `${name} ${request.target}`);
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});

for (const { name, server, request, expect } of rows) {
  test(`refused: ${request.target ?? 'raw'}: ${name}`.slice(0, 110), async () => {
    try {
      check_problem(await ask(server, request), expect, request.method === 'HEAD');
    } catch (error) {
      drop(server);
      throw error;
    }
    await check_good(server);
  });
}
