// Tests of the comparison itself: it finds differences, and undoes those that a row of the exceptions allows. They need no program.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Answer } from '../server/client.mjs';
import { Comparison } from './comparison.mjs';
import { header, member, metric, option } from './exceptions.mjs';
import { answerText, commandText, helpTexts } from './normalize.mjs';

/** Compares two answers with a row of exceptions. Returns { equal, used }: `equal` fails if they still differ, `used` if the row was not used. */
function compare(old, now, row) {
  const comparison = new Comparison(['answer'], row ? [{ kind: 'answer', reason: 'a reason', ...row }] : []);
  comparison.check('answer', { about: 'a test', sent: 'POST /go', old, now });
  return { equal: () => comparison.requireEqual(), used: () => comparison.requireUse() };
}

test('a difference is shown with the request and both texts', () => {
  compare('{"a":1}', '{"a":1}').equal();
  assert.throws(compare('X: 1\n{"steps":3}', 'X: 1\n{"steps":4}').equal, { message: '1 differences:\n--- answer: a test\nsent:\n    POST /go\n' +
    'line 2 differs; the release:\n    X: 1\n    {"steps":3}\nthis build:\n    X: 1\n    {"steps":4}' });
});

test('a row undoes an addition or a change, and the rest is still compared', () => {
  for (const [is, old, now, was] of [
    [member('ko'), '{"a":{"b":1}}', '{"a":{"ko":[1,[2]],"b":1},"ko":{"x":["]",{"y":null}],"z":"\\""}}'],
    [member('profile'), '{"event":"x","ms":<ms>}', '{"event":"x","profile":"public","ms":<ms>}'],
    [header('Server-Timing'), 'A: b\nC: d\n', 'A: b\nServer-Timing: x\nC: d\n'],
    [metric('x_seconds'), 'y 1\n', '# HELP x_seconds <words>\n# TYPE x_seconds histogram\nx_seconds_bucket{le="1"} 0\nx_seconds_sum 0\ny 1\n'],
    [option('--new'), '--newest 1\n', '--new 3\n--newest 1\n'],
    [/"Not found"/g, '{"title":"No such path"}', '{"title":"Not found"}', '"No such path"'],
    [/^HTTP\/1.1 200 OK\n[^]*"Red"\}$/g, 'HTTP/1.1 400 Bad Request\n', 'HTTP/1.1 200 OK\n\n{"verdict":"Red"}', (release) => release],
  ]) {
    const explained = compare(old, now, { is, was });
    explained.equal();
    explained.used();
    assert.throws(compare(old, `${now}x`, { is, was }).equal);
    assert.throws(compare(old, now, { is, was, at: /^POST \/mine/ }).equal);
    assert.throws(compare(old, old, { is, was }).used, { message: 'the exception is not used: a reason' });
  }
});

test('the wording of a problem can differ, but must not be missing', () => {
  const text = (body) => {
    const answer = new Answer('HTTP/1.1', 422, 'Unprocessable Content', [['Content-Length', String(body.length)]]);
    answer.body = Buffer.from(body);
    return answerText(answer, { target: '/go' });
  };
  const old = text('{"title":"A","detail":"a","errors":[{"code":"type","detail":"a \\"b\\""}]}');
  assert.equal(text('{"title":"B","detail":"c","errors":[{"code":"type","detail":"d"}]}'), old);
  for (const other of ['{"title":"B","detail":"c","errors":[{"code":"type"}]}',
    '{"title":"B","detail":"","errors":[{"code":"type","detail":"d"}]}', '{"detail":"c","errors":[{"code":"type","detail":"d"}]}']) {
    assert.notEqual(text(other), old);
  }
  const run = (stderr, code = 2) => commandText({ code, stdout: '', stderr });
  assert.equal(run('arbiter: one\n'), run('arbiter: another\nand more\n'));
  for (const other of [run(''), run('arbiter: one\n', 1), run('{"file":"x"}\n')]) assert.notEqual(other, run('arbiter: one\n'));
});

test('help can be reworded, but must name all options and defaults', () => {
  const release = { code: 0, stdout: '  --port   TCP port; 0 takes a free one [8080]\n  --level  error or info [info; public 12]\n' };
  for (const [stdout, isSame] of [
    ['  --port PORT   listen here (8080)\n  --level LEVEL   info, or public: 12.\n', true],
    ['  --port [8080]\n', false],
    ['  --port [80]\n  --level [info; 12]\n', false],
    ['  --port [8080]\n  --level [info; 12]\n  --new [1]\n', false],
  ]) {
    const { old, now } = helpTexts(release, { code: 0, stdout });
    assert.equal(now === old, isSame, stdout);
  }
});
