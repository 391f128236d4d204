// Tests of the comparison itself: the differences that it finds, its messages, and the rows of exceptions. They need no program.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Comparison } from './comparison.mjs';

const FIELDS = [['Content-Type', 'application/json'], ['Content-Length', '<length>']];

const answer = (body, start = 'HTTP/1.1 200 OK') => ({ start, fields: [...FIELDS], body });

/** Compares two answers to a request, with these rows. */
async function compare(rows, old, now, { request = { target: '/go', body: '{}' }, ask } = {}) {
  const comparison = new Comparison(['answer'], rows);
  await comparison.check('answer', { about: 'a test', sent: () => `POST ${request.target}`, request, old, now, ask });
  return comparison;
}

const row = (name, toOld) => ({ name, reason: 'for a test', kind: 'answer', examples: [], toOld });

const placeOfErrors = row('an error names the cell', (now) => ({
  ...now,
  body: now.body.replace(/,"at":\[\d+,\d+\](?=\}[,\]])/g, ''),
}));

const nameOfMiss = row('a miss has the name of its point', (now) => ({
  ...now,
  body: now.body.replace(/("at":\[\d+,\d+\]),"name":"[A-HJ-Z]\d+"/g, '$1'),
}));

const jsonAsText = row('a text that begins with { is JSON', async (now, { request, old, ask }) => {
  if (!request.body.startsWith('{') || request.headers?.['Content-Type'] !== 'text/plain') return undefined;
  const same = await ask({ ...request, headers: { 'Content-Type': 'application/json' } });
  return now.body === same.body ? old : undefined;
});

test('equal answers differ in nothing', async () => {
  (await compare([], answer('{"a":1}'), answer('{"a":1}'))).requireEqual();
});

test('a difference is shown with the request, both answers and the first place', async () => {
  const comparison = await compare([], answer('{"detail":"board has 3 pieces"}'), answer('{"detail":"board had 3 pieces"}'));
  assert.throws(() => comparison.requireEqual(), ({ message }) => {
    for (const part of [
      '1 of 1 differ from the last release', '--- answer: a test\nsent:\n    POST /go',
      'the release says:\n    start: HTTP/1.1 200 OK\n    fields:',
      'body: {"detail":"board had 3 pieces"}', 'first difference, in line 5',
      'board has 3 pieces"}\n    this build: ', '--- and 0 more',
    ]) assert.ok(message.includes(part), `${part}\nis not in\n${message}`);
    return true;
  });
});

test('the order of headers is compared', async () => {
  const now = answer('');
  now.fields.reverse();
  const comparison = await compare([], answer(''), now);
  assert.throws(() => comparison.requireEqual(), /first difference, in line 3/);
});

test('a row removes a new member, and the rest is still compared', async () => {
  const old = answer('{"errors":[{"pointer":"/board","detail":"a"}]}');
  const explained = await compare([placeOfErrors], old, answer('{"errors":[{"pointer":"/board","detail":"a","at":[1,2]}]}'));
  explained.requireEqual();
  explained.requireUse();
  const other = await compare([placeOfErrors], old, answer('{"errors":[{"pointer":"/board","detail":"b","at":[1,2]}]}'));
  assert.throws(() => other.requireEqual(), /taken back before by the exception "an error names the cell"/);
  assert.throws(() => other.requireUse(), /the exception is not used: an error names the cell/);
});

test('several rows remove their members', async () => {
  const old = answer('{"misses":[{"at":[1,2],"code":1}],"errors":[{"detail":"a"}]}');
  const now = answer('{"misses":[{"at":[1,2],"name":"C4","code":1}],"errors":[{"detail":"a","at":[1,2]}]}');
  const comparison = await compare([placeOfErrors, nameOfMiss], old, now);
  comparison.requireEqual();
  comparison.requireUse();
});

test('a row may send one more request to explain an answer that the release refused', async () => {
  const request = { target: '/pawn', headers: { 'Content-Type': 'text/plain' }, body: '{"board":["OO","X."]}' };
  const old = answer('{"status":400}', 'HTTP/1.1 400 Bad Request');
  const ask = async ({ headers }) => answer(headers['Content-Type'] === 'application/json' ? '{"verdict":"Red"}' : '');
  (await compare([jsonAsText], old, answer('{"verdict":"Red"}'), { request, ask })).requireEqual();
  const wrong = await compare([jsonAsText], old, answer('{"verdict":"Tie"}'), { request, ask });
  assert.throws(() => wrong.requireEqual(), /"verdict":"Tie"/);
});

test('a row that is not used is a failure, and one of another kind is not', async () => {
  const comparison = await compare([placeOfErrors, { ...nameOfMiss, kind: 'log' }], answer('{}'), answer('{}'));
  assert.throws(() => comparison.requireUse(), { message: 'the exception is not used: an error names the cell' });
});

test('compressed bytes are compared, and may differ where a row explains their text', async () => {
  const packed = (body, digest) => ({ ...answer(body), packed: digest });
  const same = await compare([placeOfErrors], packed('{"errors":[]}', '1'), packed('{"errors":[]}', '2'));
  assert.throws(() => same.requireEqual(), /packed: 2/);
  (await compare([placeOfErrors], packed('[{"a":1}]', '1'), packed('[{"a":1,"at":[0,0]}]', '2'))).requireEqual();
});
