// What the contract's "Common to the three solving routes" promises to accept: lenient where RFC 8259 and RFC 9110 are.
// The refusals are in bad_inputs.mjs.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { chunked, exchange, Servers } from './wire.mjs';

const servers = new Servers();
after(() => servers.stop());

const pawn = '{"board":["O.O","X.."]}';
const red = '{"verdict":"Red","steps":1}\n';
const red_text = 'Red 1\n';
const pawn_text = '1 1\n2 3\nO.O\nX..\n';
const red_batch = '{"results":[{"verdict":"Red","steps":1}]}\n';

const json = 'application/json';
const text = 'text/plain; charset=utf-8';

async function accepted({ method = 'POST', target = '/pawn', headers = {}, body = pawn }, answer, type = json) {
  const got = await servers.ask({ method, target, headers, body });
  assert.equal(got.status, 200, got.body.toString());
  assert.equal(got.headers.get('content-type'), type);
  assert.match(got.headers.get('vary') ?? '', /(^|[ ,])Accept($|[ ,])/i);
  assert.equal(got.body.toString(), answer);
}

for (const type of [
  undefined,
  json,
  'APPLICATION/JSON',
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
  'application/json; version=2',
  'application/json ; a="b;charset=latin1"',
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=UTF-8',
]) {
  test(`JSON is read from a body of type ${type}`, () =>
    accepted({ headers: type ? { 'Content-Type': type } : {} }, red));
}

for (const type of [
  'text/plain',
  'Text/Plain',
  'text/plain; charset=utf-8',
  'text/plain;format=flowed;charset=Utf-8',
]) {
  test(`text is read from a body of type ${type}`, () =>
    accepted({ headers: { 'Content-Type': type }, body: pawn_text }, red_text, text));
}

test('the content coding identity is none', () => accepted({ headers: { 'Content-Encoding': 'identity' } }, red));

// RFC 9110, section 12.5.1: the most specific range counts; quality 0 is a refusal.
for (const [accept, json_answer, text_answer] of [
  ['', json, text],
  ['*/*', json, text],
  ['application/json', json, json],
  ['application/*', json, json],
  ['text/plain', text, text],
  ['text/*', text, text],
  ['TEXT/PLAIN', text, text],
  ['text/plain, application/json', json, text],
  ['text/plain;q=0.9, application/json;q=0.8', text, text],
  ['application/json;q=0.1, */*;q=0.5', text, text],
  ['application/json;q=0, */*', text, text],
  ['text/plain;q=0, */*;q=0.001', json, json],
  ['image/png, text/html;q=0.9, */*;q=0.1', json, text],
  ['image/svg+xml;q=0.4, application/json;q=0.5', json, json],
  ['*/*;q=0, text/plain;q=1.000', text, text],
  ['text/*;q=0.2, text/plain;q=0.8, application/json;q=0.5', text, text],
  ['text/plain ; q=0.4 , application/json ; q=0.3', text, text],
  [', ,application/json,', json, json],
]) {
  test(`Accept: '${accept}' is answered as RFC 9110 says`, async () => {
    const type = { 'Content-Type': 'text/plain' };
    await accepted({ headers: { Accept: accept } }, json_answer === json ? red : red_text, json_answer);
    await accepted(
      { headers: { Accept: accept, ...type }, body: pawn_text },
      text_answer === json ? red_batch : red_text,
      text_answer,
    );
  });
}

test('two Accept headers are one list', () =>
  accepted(
    {
      headers: [
        ['Accept', 'application/json;q=0.2'],
        ['Accept', 'text/plain;q=0.3'],
      ],
    },
    red_text,
    text,
  ));

test('the service ignores Accept', async () => {
  for (const [target, type] of [
    ['/limits', json],
    ['/version', json],
    ['/livez', json],
    ['/openapi.yaml', 'application/yaml'],
    ['/', 'text/html; charset=utf-8'],
  ]) {
    const got = await servers.ask({ target, headers: { Accept: 'image/png' } });
    assert.deepEqual([got.status, got.headers.get('content-type')], [200, type], target);
  }
});

const board = '"board":["O.O","X.."]';
for (const [name, body, answer] of [
  ['a byte order mark before the body', `\ufeff${pawn}`, red],
  ['white space around everything', ` \t\r\n{ "board" : [ "O.O" , "X.." ] } \n`, red],
  ['a name with an escape', '{"b\\u006fard":["O.O","X.."]}', red],
  ['a row with escapes', '{"board":["\\u004f.O","X.\\u002e"]}', red],
  ['an empty include', `{${board},"include":[]}`, red],
  ['id before and after', `{"id":"a",${board}}`, '{"id":"a","verdict":"Red","steps":1}\n'],
  ['an empty id', `{"id":"",${board}}`, '{"id":"","verdict":"Red","steps":1}\n'],
  [
    'an id of 128 bytes',
    `{"id":"${'€'.repeat(42)}xx",${board}}`,
    `{"id":"${'€'.repeat(42)}xx","verdict":"Red","steps":1}\n`,
  ],
  ['a batch of one', `{"cases":[${pawn}]}`, red_batch],
]) {
  test(`accepted: ${name}`, () => accepted({ body }, answer));
}

for (const [number, value] of [
  ['0', 0],
  ['-0', 0],
  ['1.0', 1],
  ['1e0', 1],
  ['-1E+0', -1],
  ['10e-1', 1],
  ['0.01e2', 1],
  ['1.50e1', 15],
  ['0e999999999999', 0],
  ['0.000', 0],
  ['9007199254740991', 9007199254740991],
  ['-9007199254740991', -9007199254740991],
  ['9.007199254740991e15', 9007199254740991],
  ['1000000000000000000000000e-24', 1],
  [`1.${'0'.repeat(400)}`, 1],
  [`1${'0'.repeat(400)}e-400`, 1],
]) {
  test(`${number.slice(0, 40)} is the integer ${value}`, () =>
    accepted({ body: `{"id":${number},${board}}` }, `{"id":${value},"verdict":"Red","steps":1}\n`));
}

test('an id comes back as the same string', async () => {
  for (const id of ['a"b\\c/d', '\u0001\u001f\u007f\n', 'naïve €', '\u{1f600}', '\u2028', '</script>']) {
    const got = await servers.ask({
      method: 'POST',
      target: '/pawn',
      body: JSON.stringify({ id, board: ['O.O', 'X..'] }),
    });
    assert.equal(JSON.parse(got.body).id, id);
  }
  const escaped = await servers.ask({
    method: 'POST',
    target: '/pawn',
    body: `{"id":"\\ud83d\\ude00\\/\\b",${board}}`,
  });
  assert.equal(JSON.parse(escaped.body).id, '\u{1f600}/\b');
});

test('results stand in the order of the cases, each with its id', async () => {
  const cases = Array.from({ length: 1000 }, (_, id) => ({ id, rows: 1, cols: 1, mines: id % 3 ? [] : [[0, 0]] }));
  const got = await servers.ask({ method: 'POST', target: '/mine', body: JSON.stringify({ cases }) });
  const { results } = JSON.parse(got.body);
  assert.deepEqual(
    results.map(({ id }) => id),
    cases.map(({ id }) => id),
  );
  for (const { id, verdict } of results) assert.equal(verdict, id % 3 ? 'Xiemao' : 'Fanglaoshi');
});

for (const [name, body, answer] of [
  ['a byte order mark', `\ufeff${pawn_text}`, red_text],
  ['any white space', '\r\n 1\t1\r\n2\n\n3 O.O\tX..', red_text],
  ['a negative id', '-7 1\n2 3\nO.O\nX..\n', red_text],
  ['an id of 40 digits', `${'9'.repeat(40)} 1\n2 3\nO.O\nX..\n`, red_text],
  ['leading zeros', '0001 01\n02 03\nO.O\nX..\n', red_text],
]) {
  test(`text with ${name}`, () => accepted({ headers: { 'Content-Type': 'text/plain' }, body }, answer, text));
}

test('points have two spellings, and letters two cases', async () => {
  for (const point of ['"Q4"', '"q4"', '15,15', '15.0,1.5e1']) {
    const { body } = await servers.ask({ method: 'POST', target: '/go', body: `{"moves":[["B",${point}]]}` });
    assert.equal(JSON.parse(body).board[15], `${'.'.repeat(15)}B...`, point);
  }
});

test('a body may come in chunks, or be awaited with 100-continue', async () => {
  await accepted({ headers: { 'Transfer-Encoding': 'chunked' }, body: chunked(pawn) }, red);
  await accepted({ headers: { 'Transfer-Encoding': 'chunked' }, body: chunked(pawn, 1) }, red);
  await accepted({ headers: { Expect: '100-continue' } }, red);
});

test('a target may be in absolute form', async () => {
  for (const target of ['http://127.0.0.1/limits', 'http://another.example:8080/limits', 'HTTP://127.0.0.1/limits']) {
    assert.equal((await servers.ask({ target })).status, 200, target);
  }
});

test('a target of 8192 bytes is not too long', async () => {
  const got = await servers.ask({ target: '/'.padEnd(8192, 'x') });
  assert.equal(got.status, 404);
});

test('a limit may be reached', async () => {
  const reached = async (target, body, ...options) => {
    const got = await servers.ask({ method: 'POST', target, body }, options);
    assert.equal(got.status, 200, `${options}\n${got.body}`);
  };
  const list = '{"rows":1,"cols":1,"mines":[[0,0],[0,0]]}'; // 10 values
  await reached('/mine', list, '--max-json-values', '10');
  await reached('/mine', list, '--max-body-bytes', String(list.length));
  await reached('/mine', '{"rows":1,"cols":4,"mines":[]}', '--max-mine-cells', '4', '--max-mine-cells-total', '4');
  await reached(
    '/pawn',
    `{"cases":[${pawn},${pawn}]}`,
    '--max-cases',
    '2',
    '--max-pawn-cells',
    '6',
    '--max-pawn-cells-total',
    '12',
  );
  await reached('/go', '{"moves":[["B","A1"],["W","pass"]]}', '--max-moves', '2', '--max-moves-total', '2');
  await reached('/pawn', pawn, '--max-answer-bytes', String(red.length));
  await reached('/pawn', `{"board":["OO","X.",${Array(62).fill('".."').join()}]}`);
});

test('a hundred requests go over one connection', async () => {
  const connection = await servers.connect();
  try {
    for (let count = 0; count < 100; count++) {
      const got = await exchange(connection, { method: 'POST', target: '/pawn', body: pawn });
      assert.equal(got.text(), red);
    }
  } finally {
    connection.close();
  }
});
