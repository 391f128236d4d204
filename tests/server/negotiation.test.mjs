// Media types and Accept: which types of body are accepted, and in which format the answer is sent.

import assert from 'node:assert/strict';

import { JSON_TYPE, TEXT_TYPE } from './bodies.mjs';
import { LINES, checkProblem, describeServer, port, theServer } from './checks.mjs';
import { ask } from './client.mjs';

describeServer('media types', () => {
  theServer('media types are accepted or refused as described in the contract', async () => {
    const body = '{"board":["..."]}';
    const statusOf = async (headers) => (await ask(port, { target: '/mine', headers, body })).status;
    for (const type of [
      null, 'application/json', 'APPLICATION/JSON', 'application/json; charset=utf-8', 'application/json;charset="UTF-8"',
      'application/json; a=b', 'application/x-www-form-urlencoded', 'application/octet-stream', 'application/json; charset=latin1',
      'text/plain; charset=utf-16',
    ]) {
      assert.equal(await statusOf({ 'Content-Type': type }), 200, `${type}`);
    }
    for (const type of [
      'application/jsonx', 'text/html', 'application/x-go-sgf', 'application/sgf',
    ]) {
      for (const target of ['/mine', '/pawn']) {
        const answer = await ask(port, { target, headers: { 'Content-Type': type }, body });
        checkProblem(answer, 415, 'unsupported-media-type');
        assert.equal(answer.header('accept-post'), `application/json, text/plain, ${LINES}`, `${answer}`);
      }
    }
    for (const type of ['application/jsonx', 'application/x-go-sgfx', 'text/sgf']) {
      const answer = await ask(port, { target: '/go', headers: { 'Content-Type': type }, body: '(;)' });
      checkProblem(answer, 415, 'unsupported-media-type');
      assert.equal(answer.header('accept-post'), `application/json, text/plain, ${LINES}, application/x-go-sgf`, `${answer}`);
    }
    // The charset that the head names is of no account, as long as the bytes are UTF-8.
    for (const type of ['application/json; charset=latin1', 'text/plain; charset=utf-16', 'application/octet-stream; charset=x']) {
      const latin1 = Buffer.from('{"id":"\xe9","board":["..."]}', 'latin1');
      const answer = await ask(port, { target: '/mine', headers: { 'Content-Type': type }, body: latin1 });
      checkProblem(answer, 415, 'unsupported-media-type');
      assert.equal(answer.header('accept-post'), `application/json, text/plain, ${LINES}`, `${answer}`);
    }
    // A record may have any bytes, and names its character set itself.
    for (const type of ['application/x-go-sgf', 'Application/X-Go-SGF', 'application/x-go-sgf; charset=gb2312', 'application/x-go-sgf;charset=utf-8']) {
      const record = Buffer.from('\ufeff(;CA[x]SZ[3]C[\xff\xfe\x80];B[bb];W[bb])', 'latin1');
      const answer = await ask(port, { target: '/go', headers: { 'Content-Type': type }, body: record });
      assert.equal(answer.status, 200, `${type}: ${answer}`);
      assert.equal(answer.header('content-type'), 'application/json');
      const { board, misses } = answer.json();
      assert.deepEqual(board, ['...', '.B.', '...']);
      assert.deepEqual(misses.map(({ move, code }) => [move, code]), [[2, 1]]);
    }
    assert.equal(await statusOf({ 'Content-Encoding': 'identity' }), 200);
    for (const coding of [', ,', 'identity,', 'Identity, identity']) assert.equal(await statusOf({ 'Content-Encoding': coding }), 200, coding);
    for (const coding of ['gzip', 'identity, gzip', 'br', ',gzip']) {
      checkProblem(await ask(port, { target: '/mine', headers: { 'Content-Encoding': coding }, body }), 415, 'unsupported-media-type');
    }
  });

  theServer('JSON is parsed strictly according to RFC 8259', async () => {
    const statusOf = async (body) => (await ask(port, { target: '/mine', headers: JSON_TYPE, body })).status;
    const field = (rows) => `{"rows":${rows},"cols":1,"mines":[]}`;
    for (const good of [
      field('1.0'), field('1e0'), field('10E-1'), '\ufeff{"board":["."]}', ' \t\r\n{ "board" : [ "." ] } \r\n',
      '{"b\\u006fard":["\\u002e"]}', '{"id":"\\ud83d\\ude00 \\"\\\\","board":["."]}', '{"id":"\u{1f600}","board":["."]}',
    ]) {
      assert.equal(await statusOf(good), 200, good);
    }
    const id = (text) => Buffer.concat([Buffer.from('{"id":"'), Buffer.from(text, 'latin1'), Buffer.from('","board":["."]}')]);
    for (const bad of [
      field('01'), field('1.'), field('.1'), field('+1'), field('0x1'), field('NaN'), field('1e'), field('-'),
      '{"board":["."]}x', '{"board":["."]}{}', '{"board":["."],}', "{'board':['.']}", '{"board":["."]', '{"board":["."]}\0',
      '{"board":["\\x2e"]}', '\v{"board":["."]}', '// a\n{"board":["."]}', '{board:["."]}', 'True', '\ufeff\ufeff{"board":["."]}',
      id('a\u0001'), id('a\n'), id('\xff'), id('\xc0\xaf'), id('\xed\xa0\x80'), id('\xf4\x90\x80\x80'), id('\xe2\x82'),
      id('\\u0000'), id('\\ud800'), id('\\udc00\\ud800'), id('\\u12g4'), '['.repeat(17) + ']'.repeat(17), '['.repeat(1_000_000),
    ]) {
      checkProblem(await ask(port, { target: '/mine', headers: JSON_TYPE, body: bad }), 400, 'malformed');
    }
    for (const wrong of [field('1.5'), field('1e400'), field('"1"'), field('-1'), '[]', 'null', '{"board":["."],"b\\u006fard":["."]}']) {
      checkProblem(await ask(port, { target: '/mine', headers: JSON_TYPE, body: wrong }), 422, 'invalid-case');
    }
  });

  theServer('Accept selects JSON, text or a picture', async () => {
    const body = '{"board":["..."]}';
    const typeFor = async (headers, content = body) => {
      const answer = await ask(port, { target: '/mine', headers, body: content });
      assert.equal(answer.status, 200, `${JSON.stringify(headers)}: ${answer}`);
      assert.ok(answer.list('vary').includes('accept'));
      return answer.header('content-type').replace(/;.*/, '');
    };
    for (const [accept, type] of [
      [null, 'application/json'], ['', 'application/json'], ['*/*', 'application/json'], ['text/plain', 'text/plain'],
      ['text/*', 'text/plain'], ['application/*', 'application/json'], ['text/plain, application/json', 'application/json'],
      ['text/plain, application/json;q=0.9', 'text/plain'], ['application/json;q=0, */*', 'text/plain'],
      ['TEXT/PLAIN', 'text/plain'], ['text/html, */*;q=0.1', 'application/json'],
      ['image/svg+xml', 'image/svg+xml'], ['image/*', 'image/svg+xml'], ['IMAGE/SVG+XML;q=0.001', 'image/svg+xml'],
      ['image/svg+xml, application/json', 'application/json'], ['image/svg+xml, text/plain', 'text/plain'],
      ['image/svg+xml, */*;q=0.9', 'image/svg+xml'], ['application/json;q=0, text/*;q=0, */*', 'image/svg+xml'],
      ['image/avif,image/webp,image/svg+xml,image/*,*/*;q=0.8', 'image/svg+xml'],
    ]) {
      assert.equal(await typeFor({ Accept: accept }), type, `Accept: ${accept}`);
    }
    const text = '1\n1 3 0\n';
    assert.equal(await typeFor(TEXT_TYPE, text), 'text/plain');
    assert.equal(await typeFor({ ...TEXT_TYPE, Accept: '*/*' }, text), 'text/plain');
    assert.equal(await typeFor({ ...TEXT_TYPE, Accept: 'application/json' }, text), 'application/json');
    assert.equal(await typeFor({ ...TEXT_TYPE, Accept: 'image/svg+xml, application/json;q=0.1' }, text), 'application/json');
    for (const accept of ['audio/ogg', 'application/json;q=0', 'text/html', 'image/svg']) {
      const answer = await ask(port, { target: '/mine', headers: { Accept: accept }, body });
      const { available } = checkProblem(answer, 406, 'not-acceptable');
      assert.deepEqual(available, ['application/json', 'text/plain', 'image/svg+xml', ...LINES.split(', ')], `${answer}`);
      const ofText = await ask(port, { target: '/mine', headers: { ...TEXT_TYPE, Accept: accept }, body: text });
      assert.deepEqual(checkProblem(ofText, 406, 'not-acceptable').available, ['application/json', 'text/plain', ...LINES.split(', ')], `${ofText}`);
    }
    assert.equal((await ask(port, { target: '/limits', headers: { Accept: 'audio/ogg' } })).status, 200, 'ignored there');
  });
});
