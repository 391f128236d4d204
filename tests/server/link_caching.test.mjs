// Links: their ETags, how long they can be cached, and 304 responses.

import assert from 'node:assert/strict';

import { withArbiter } from './arbiter.mjs';
import { JSON_TYPE, linkTo, mineBoard, pawnBoard, randomFrom } from './bodies.mjs';
import { checkEveryAnswer, checkProblem, checkVary, describeServer, get, port, theServer, withConnection } from './checks.mjs';
import { ask, chunked } from './client.mjs';

describeServer('links', () => {
  const LINKED = [
    ['/pawn', { id: 'a&b=c+d %41', board: ['O.O', 'X..'], include: ['line'] }],
    ['/go', { size: 3, moves: [['B', 1, 1], ['W', 1, 1]] }],
    ['/mine', { board: ['..*', '...', '*..'], include: ['board'] }],
  ];
  const DAY = 'public, max-age=86400';

  theServer('a link gives the same answer as a POST of its case, can be cached, and varies with Accept only if it has no format', async () => {
    for (const [path, theCase] of LINKED) {
      for (const [format, accept] of [['json', 'application/json'], ['text', 'text/plain'], ['svg', 'image/svg+xml']]) {
        const posted = await ask(port, { target: path, headers: { ...JSON_TYPE, Accept: accept }, body: JSON.stringify(theCase) });
        assert.equal(posted.header('cache-control'), undefined, 'a POST is not cached');
        const byAccept = await get(linkTo(path, theCase), { Accept: accept });
        const byFormat = await get(linkTo(path, theCase, `&format=${format}`), { Accept: 'audio/ogg' });
        const formatFirst = await get(linkTo(path, theCase).replace('?', `?format=${format}&&`));
        for (const answer of [byAccept, byFormat, formatFirst]) {
          assert.equal(answer.status, 200, `${answer}`);
          checkEveryAnswer(answer);
          assert.ok(answer.body.equals(posted.body), `${path} ${format}`);
          assert.equal(answer.header('content-type'), posted.header('content-type'));
          assert.equal(answer.header('cache-control'), DAY);
          assert.match(answer.header('etag') ?? '', /^"[!#-~]+"$/, 'a strong tag');
        }
        checkVary(byAccept, ['accept']);
        for (const answer of [byFormat, formatFirst]) checkVary(answer, []);
      }
      const standard = await get(linkTo(path, theCase));
      assert.equal(standard.header('content-type'), 'application/json');
      const plus = await get(linkTo(path, JSON.stringify(theCase).replaceAll(',', ', ')).replaceAll('%20', '+'));
      if (path !== '/pawn') assert.ok(plus.body.equals(standard.body), '+ is a space');
    }
  });

  theServer('HEAD of a link returns the same headers as GET, without the body', async () => {
    const fixed = ({ headers }) => [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
    for (const [path, theCase] of [...LINKED, ['/mine', {}]]) {
      for (const more of ['', '&format=json', '&format=text', '&format=svg', '&format=png']) {
        await withConnection(async (connection) => {
          const target = linkTo(path, theCase, more);
          connection.send({ target });
          const whole = await connection.answer();
          connection.send({ method: 'HEAD', target });
          const head = await connection.answer();
          assert.equal(head.status, whole.status, target);
          assert.deepEqual(fixed(head), fixed(whole), target);
          assert.equal(head.header('content-length'), String(whole.body.length), target);
          connection.send({ target: '/livez' });
          assert.equal((await connection.answer()).text(), '{"status":"ok"}\n', target);
        });
      }
    }
  });

  theServer('a request with a matching If-None-Match is answered 304, and the connection stays open', async () => {
    for (const [path, theCase] of LINKED) {
      for (const more of ['', '&format=json', '&format=text', '&format=svg']) {
        const target = linkTo(path, theCase, more);
        const whole = await get(target);
        const tag = whole.header('etag');
        for (const list of [tag, `W/${tag}`, `"a", ${tag}`, `W/"a",W/${tag} , "b"`, `"",${tag}`]) {
          for (const method of ['GET', 'HEAD']) {
            await withConnection(async (connection) => {
              connection.send({ method, target, headers: { 'If-None-Match': list } });
              const answer = await connection.answer();
              assert.equal(answer.status, 304, `${method} ${target} ${list}: ${answer}`);
              checkEveryAnswer(answer);
              for (const name of ['etag', 'cache-control']) assert.equal(answer.header(name), whole.header(name), name);
              assert.deepEqual(answer.list('vary'), more === '' ? ['accept', 'accept-encoding'] : ['accept-encoding']);
              assert.equal(answer.header('content-type'), undefined);
              connection.send({ target: '/livez' });
              assert.equal((await connection.answer()).text(), '{"status":"ok"}\n', 'and no body before it');
            });
          }
        }
        const headers = [['If-None-Match', '"a"'], ['If-None-Match', tag]];
        assert.equal((await ask(port, { target, headers })).status, 304, 'two headers are one list');
        for (const list of ['*', ' * ', '', '"a"', tag.slice(1, -1), `"${tag.slice(1, -1)}x"`, tag.toUpperCase() === tag ? '"x"' : tag.toUpperCase()]) {
          const answer = await get(target, { 'If-None-Match': list });
          assert.equal(answer.status, 200, `${target} ${list}`);
          assert.ok(answer.body.equals(whole.body));
        }
        const posted = await ask(port, { target: path, headers: { ...JSON_TYPE, 'If-None-Match': tag }, body: JSON.stringify(theCase) });
        assert.equal(posted.status, 200, 'it does not count for POST');
      }
    }
    // Faults in the query are reported even if the tag matches.
    const tag = (await get(linkTo('/pawn', LINKED[0][1]))).header('etag');
    checkProblem(await get('/pawn', { 'If-None-Match': tag }), 400, 'malformed');
    checkProblem(await get('/pawn?case=1&x=1', { 'If-None-Match': tag }), 400, 'malformed');
    checkProblem(await get(linkTo('/pawn', LINKED[0][1]), { 'If-None-Match': tag, Accept: 'audio/ogg' }), 406, 'not-acceptable');
  });

  theServer('a link that is refused gets its 422 whatever If-None-Match contains', async () => {
    await withArbiter(['--max-link-answer-bytes', 120], async (other) => {
      for (const [path, theCase, large] of [
        ['/pawn', { board: ['O.O', 'X..'] }, { board: ['O.O', '...', '...', '.X.'], include: ['moves', 'line', 'boards'] }],
        ['/go', { size: 3, moves: [] }, { size: 9, moves: Array(40).fill(['B', 'pass']), include: ['boards'] }],
        ['/mine', { board: ['...'] }, { board: Array(9).fill('.........'), include: ['wins', 'board'] }],
      ]) {
        const solved = await other.ask({ target: linkTo(path, theCase) });
        const tag = solved.header('etag');
        for (const [refused, slug] of [[large, 'answer-too-large'], [{}, 'invalid-case']]) {
          const headers = { 'If-None-Match': tag };
          checkProblem(await other.ask({ target: linkTo(path, refused), headers }), 422, slug);
        }
        assert.equal((await other.ask({ target: linkTo(path, theCase), headers: { 'If-None-Match': tag } })).status, 304);
      }
    });
  });

  theServer('different links have different tags, and the same case has a single tag, however it is encoded', async () => {
    const [path, theCase] = LINKED[2];
    const tagOf = async (target) => (await get(target)).header('etag');
    const plain = await tagOf(linkTo(path, JSON.stringify(theCase)));
    const encoded = [...JSON.stringify(theCase)].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('');
    assert.equal(await tagOf(`${path}?case=${encoded}`), plain);
    assert.notEqual(await tagOf(linkTo(path, { ...theCase, id: 1 })), plain);
    const board = { board: ['O.O', 'X..'] };
    assert.notEqual(await tagOf(linkTo('/pawn', board)), await tagOf(linkTo('/pawn', { ...board, include: ['line'] })));
  });

  theServer('a 304 is sent without solving', async () => {
    const costly = [
      linkTo('/pawn', { board: pawnBoard(randomFrom(3), 10, 16, 0.02), include: ['moves', 'line', 'boards'] }),
      linkTo('/mine', { board: mineBoard(randomFrom(3), 60, 60, 0.1) }),
    ];
    await withArbiter(['--workers', 1], async (other) => {
      for (const target of costly) {
        const solved = await other.ask({ target });
        assert.equal(solved.status, 200, `${solved}`);
        const unchanged = await other.ask({ target, headers: { 'If-None-Match': solved.header('etag') } });
        assert.equal(unchanged.status, 304, `${unchanged}`);
      }
      await other.stop();
      const lanes = other.log.filter(({ event }) => event === 'request').map(({ status, lane }) => [status, lane]);
      assert.deepEqual(lanes, costly.flatMap(() => [[200, 'short'], [304, 'io']]), 'only cases that must be solved get a worker');
    }, { leaks: false }); // the leak check's request for metrics would appear in the log
  });

  theServer('tags differ between formats, and between servers whose answers may differ', async () => {
    const target = linkTo('/mine', { board: ['...'] });
    const tagsOf = async (server) => {
      const tags = [];
      for (const format of ['json', 'text', 'svg']) tags.push((await server.ask({ target: `${target}&format=${format}` })).header('etag'));
      return tags;
    };
    const seen = new Map();
    const standard = ['--max-search-states', 500];
    for (const options of [
      standard, ['--max-search-states', 501], [...standard, '--max-mine-cells', 999], [...standard, '--max-link-answer-bytes', 262_143],
      [...standard, '--max-answer-bytes', 60_000],
    ]) {
      await withArbiter(options, async (other) => {
        for (const tag of await tagsOf(other)) {
          assert.ok(!seen.has(tag), `${tag} of ${options}, and of ${seen.get(tag)}`);
          seen.set(tag, options);
        }
      });
    }
    assert.equal(seen.size, 15);
    // Servers with the same limits give the same tags, and a format chosen with Accept has the same tag as one chosen with `format`.
    await withArbiter([...standard, '--workers', 1, '--port', 0], async (other) => {
      for (const tag of await tagsOf(other)) assert.equal(seen.get(tag), standard);
      const byAccept = await other.ask({ target, headers: { Accept: 'image/svg+xml' } });
      assert.equal(byAccept.header('etag'), (await tagsOf(other))[2]);
    });
  });

  theServer('error responses to links must not be cached and have no tag', async () => {
    const tooLong = linkTo('/pawn', LINKED[0][1]).padEnd(8193, '+');
    for (const [target, status] of [
      ['/pawn', 400], ['/pawn?case=%7B', 400], [linkTo('/pawn', {}), 422], [linkTo('/mine', { rows: 73, cols: 137, mines: [] }, '&format=svg'), 406],
      [tooLong, 414],
    ]) {
      const answer = await get(target);
      assert.equal(answer.status, status, `${answer}`);
      assert.equal(answer.header('cache-control'), 'no-store');
      assert.equal(answer.header('etag'), undefined);
      assert.equal(answer.header('content-type'), 'application/problem+json');
    }
    assert.equal((await get(tooLong.slice(0, 8192))).status, 200, 'exactly 8 KiB');
  });

  theServer('many links are answered on one connection; if a request has a body, it is ignored', async () => {
    await withConnection(async (connection) => {
      for (let round = 0; round < 50; round += 1) {
        const [path, theCase] = LINKED[round % 3];
        connection.send({ target: linkTo(path, theCase) });
        connection.send({ method: 'GET', target: linkTo(path, {}) });
      }
      for (let round = 0; round < 50; round += 1) {
        assert.equal((await connection.answer()).status, 200);
        assert.equal((await connection.answer()).status, 422);
      }
    });
    const expected = await get(linkTo(...LINKED[2]));
    for (const [headers, body] of [
      [JSON_TYPE, '{"board":["."]}'], [{ 'Content-Type': 'image/png' }, 'x'.repeat(100_000)], [{ 'Content-Encoding': 'gzip' }, '\x1f\x8b'],
      [{ 'Transfer-Encoding': 'chunked' }, chunked('GET /version HTTP/1.1\r\nHost: a\r\n\r\n', 7)],
    ]) {
      await withConnection(async (connection) => {
        connection.send({ method: 'GET', target: linkTo(...LINKED[2]), headers, body });
        const answer = await connection.answer();
        assert.equal(answer.status, 200, `${answer}`);
        assert.ok(answer.body.equals(expected.body));
        connection.send({ target: '/livez' });
        const next = await connection.answerOrNothing();
        if (next !== null) assert.equal(next.text(), '{"status":"ok"}\n');
      });
    }
  });
});
