// Framing: where a request ends. No bytes of one request are ever read as another request.
//
// In many of these cases, libmicrohttpd alone would behave differently.

import assert from 'node:assert/strict';

import { NEW_MICROHTTPD, STRICT_MICROHTTPD, withArbiter } from './arbiter.mjs';
import { JSON_TYPE, KNOWN, linkTo, randomFrom } from './bodies.mjs';
import { checkProblem, checkRefusedAndClosed, describeServer, get, port, theServer, withConnection } from './checks.mjs';
import { ask, chunked, connect, formatRequest, until } from './client.mjs';

const [EMPTY_FIELD] = KNOWN;

/**
 * Writes the parts so that the program reads each one separately: between two parts, the program answers two requests on another
 * connection. A single thread reads all connections. It reads the part in the same round as the first of these requests at the
 * latest, and the second request in a later round.
 */
async function writeInReads(connection, parts) {
  await withConnection(async (other) => {
    for (const [index, part] of parts.entries()) {
      for (let round = 0; index > 0 && round < 2; round += 1) {
        other.send({ target: '/livez' });
        assert.equal((await other.answer()).status, 200);
      }
      await connection.write(part);
    }
  });
}

/** libmicrohttpd 1.0.1 takes the line feed after a chunk extension for the first byte of the chunk, and so misses the chunk's end. */
const MISREADS_EXTENSIONS = NEW_MICROHTTPD && !STRICT_MICROHTTPD;

describeServer('framing', () => {
  theServer('a chunked body can be split anywhere across writes', async () => {
    const body = '{"rows":3,"cols":3,"mines":[[1,1]]}';
    const bytes = formatRequest({
      target: '/mine',
      headers: { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' },
      body: chunked(body, 9, { extension: MISREADS_EXTENSIONS ? '' : ';a=b', trailer: 'X-Trailer: yes\r\n' }),
    });
    const check = (answer, at) => {
      assert.equal(answer.status, 200, `cut at ${at}: ${answer}`);
      assert.equal(answer.json().verdict, 'Fanglaoshi');
    };
    for (let at = 1; at < bytes.length; at += 1) {
      await withConnection(async (connection) => {
        connection.expect('POST');
        await writeInReads(connection, [bytes.subarray(0, at), bytes.subarray(at)]);
        check(await connection.answer(), at);
      });
    }
    await withConnection(async (connection) => {
      connection.expect('POST');
      await writeInReads(connection, [...bytes].map((byte) => Buffer.of(byte)));
      check(await connection.answer(), 'every byte');
    });
  });

  theServer('a chunk can have any size, written with upper-case digits or leading zeros', async () => {
    const content = `{"board":["..."]}${' '.repeat(300)}`;
    const hex = content.length.toString(16);
    for (const size of [hex, hex.toUpperCase(), `000${hex}`]) {
      for (const coding of ['chunked', 'Chunked', 'CHUNKED']) {
        const body = `${size}\r\n${content}\r\n0\r\n\r\n`;
        const answer = await ask(port, { target: '/mine', headers: { 'Transfer-Encoding': coding }, body });
        assert.equal(answer.status, 200, `${coding} ${size}: ${answer}`);
      }
    }
    for (let size = 1; size <= content.length; size += 13) {
      const headers = { 'Transfer-Encoding': 'chunked' };
      assert.equal((await ask(port, { target: '/mine', headers, body: chunked(content, size) })).status, 200);
    }
  });

  theServer('broken chunks are refused and the connection is closed', async () => {
    const head = 'POST /mine HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
    const extended = MISREADS_EXTENSIONS ? ['3;a=b\r\nabc\r\n0\r\n\r\n'] : [];
    for (const chunks of [...extended, 'x\r\n', '-1\r\n', '5\r\n{"boa\rd', '3\r\nabcdef\r\n0\r\n\r\n', 'fffffffffffffffff\r\n', ' 3\r\nabc\r\n']) {
      await withConnection(async (connection) => {
        connection.expect('POST');
        await connection.write(`${head}${chunks}GET /version HTTP/1.1\r\nHost: a\r\n\r\n`);
        const answer = await connection.answerOrNothing();
        // If the size exceeds 64 bits, libmicrohttpd answers 413.
        if (answer !== null) assert.ok([400, 413].includes(answer.status), `${JSON.stringify(chunks)}: ${answer}`);
        await connection.closed();
        assert.equal(connection.unread, 0, `one answer only after ${JSON.stringify(chunks)}`);
      });
      assert.equal((await get('/livez')).status, 200);
    }
  });

  theServer('Expect: 100-continue without a body has no effect, and the request that follows is answered', async () => {
    for (const headers of [{}, { 'Content-Length': '0' }]) {
      await withConnection(async (connection) => {
        const requests = [{ target: '/version', headers: { ...headers, Expect: '100-continue' } }, { target: '/livez' }];
        for (const _ of requests) connection.expect('GET');
        await connection.write(Buffer.concat(requests.map(formatRequest)));
        for (const { target } of requests) {
          const answer = await connection.answer();
          assert.equal(answer.status, 200, target);
          assert.deepEqual(answer.interim, []);
        }
      });
    }
  });

  theServer('a request with Expect: 100-continue gets 100 and then the answer', async () => {
    for (const expect of ['100-continue', '100-Continue']) {
      await withConnection(async (connection) => {
        const { target, headers, body } = EMPTY_FIELD.request;
        const bytes = formatRequest({ target, headers: { ...headers, Expect: expect }, body });
        const begin = bytes.indexOf('\r\n\r\n') + 4;
        connection.expect('POST');
        await connection.write(bytes.subarray(0, begin));
        await connection.continued();
        await connection.write(bytes.subarray(begin));
        const answer = await connection.answer();
        assert.deepEqual(answer.json(), EMPTY_FIELD.json);
        assert.equal(answer.interim.length, 1);
      });
    }
  });

  theServer('a request that is refused because of its head gets no 100 Continue', async () => {
    const heads = [
      ['POST', '/nowhere', {}, 404],
      ['PUT', '/mine', {}, 405],
      ['POST', '/mine', { 'Content-Length': String(2 ** 27) }, 413],
      ['POST', '/mine', { 'Content-Type': 'image/png' }, 415],
      ['POST', '/mine', { Accept: 'audio/ogg' }, 406],
      ['POST', '/mine?x=1', {}, 400],
      ['POST', '/mine', { 'Transfer-Encoding': 'gzip', 'Content-Length': null }, STRICT_MICROHTTPD ? 501 : 400],
    ];
    for (const [method, target, headers, status] of heads) {
      await withConnection(async (connection) => {
        connection.send({ method, target, headers: { 'Content-Length': '100', Expect: '100-continue', ...headers } });
        const answer = await connection.answer();
        assert.equal(answer.status, status, `${method} ${target}: ${answer}`);
        assert.equal(answer.interim.length, 0, `${method} ${target}: ${answer}`);
      });
    }
  });

  theServer('a 404 reaches a client that is still sending 30 MB', async () => {
    const body = Buffer.alloc(30_000_000, ' ');
    for (let round = 0; round < 10; round += 1) {
      await withConnection(async (connection) => {
        connection.send({ target: '/nowhere', headers: JSON_TYPE, body });
        checkProblem(await connection.answer(), 404, 'not-found');
        await connection.closed();
      });
      assert.equal((await get('/livez')).status, 200);
    }
  });

  theServer('HTTP/1.0 requests are served, even without Host, and the connection is closed', async () => {
    const requests = [
      ['GET /version HTTP/1.0\r\n\r\n', (answer) => assert.equal(answer.json().name, 'arbiter')],
      ['GET /version HTTP/1.0\r\nHost: a\r\n\r\n', (answer) => assert.equal(answer.json().name, 'arbiter')],
      [
        `POST /mine HTTP/1.0\r\nContent-Length: ${EMPTY_FIELD.request.body.length}\r\n\r\n${EMPTY_FIELD.request.body}`,
        (answer) => assert.deepEqual(answer.json(), EMPTY_FIELD.json),
      ],
    ];
    for (const [bytes, check] of requests) {
      await withConnection(async (connection) => {
        await connection.write(bytes);
        const answer = await connection.answer();
        assert.equal(answer.status, 200, `${answer}`);
        assert.equal(answer.header('transfer-encoding'), undefined, 'no chunks for HTTP/1.0');
        check(answer);
        await connection.closed();
      });
    }
  });

  theServer('an HTTP/1.0 connection can be kept alive', async () => {
    await withConnection(async (connection) => {
      for (let round = 0; round < 2; round += 1) {
        connection.expect('GET');
        await connection.write('GET /version HTTP/1.0\r\nConnection: keep-alive\r\n\r\n');
        const answer = await connection.answer();
        assert.equal(answer.status, 200);
        if (!answer.list('connection').includes('keep-alive')) return; // keep-alive is optional
      }
    });
  });

  theServer('an HTTP/1.0 request with Transfer-Encoding is answered and its connection closed, even with keep-alive', async () => {
    const { target, headers } = EMPTY_FIELD.request;
    for (const body of [EMPTY_FIELD.request.body, 'not JSON']) {
      const connection = await connect(port);
      connection.expect('POST');
      const request = { target, version: 'HTTP/1.0', body: chunked(body, 3),
        headers: { ...headers, Connection: 'keep-alive', 'Transfer-Encoding': 'chunked' } };
      await connection.write(Buffer.concat([formatRequest(request), Buffer.from(SMUGGLED)]));
      const answer = await connection.answer();
      assert.equal(answer.status, body === 'not JSON' || STRICT_MICROHTTPD ? 400 : 200);
      assert.deepEqual(answer.list('connection'), ['close']);
      await connection.closed();
      assert.equal(connection.unread, 0, 'the rest is not read as a request');
    }
  });

  theServer('a request target in absolute form is accepted', async () => {
    for (const origin of [`http://127.0.0.1:${port}`, 'http://a', 'http://a:80', 'http://user@a', 'HTTP://A', 'http://[::1]:8080']) {
      const version = await get(`${origin}/version`);
      assert.equal(version.status, 200, `${origin}: ${version}`);
      assert.equal(version.json().name, 'arbiter');
      const solved = await ask(port, { ...EMPTY_FIELD.request, target: `${origin}/mine` });
      assert.deepEqual(solved.json(), EMPTY_FIELD.json, origin);
      assert.equal((await get(`${origin}/nowhere`)).status, 404, origin);
      assert.equal((await get(`${origin}/mine?x=1`)).status, 400, origin);
    }
    assert.equal((await get('http://a')).status, 200, 'an empty path is /');
    assert.equal((await get('http://a/')).status, 200);
    // A proxy that compares paths would see a different path in these.
    for (const target of ['*://y/metrics', 'a/b://y/metrics', 'ftp://y/metrics', '://y/metrics', 'httpx://y/metrics', '?x=http://y/metrics']) {
      const { detail } = checkProblem(await get(target), 400, 'malformed');
      assert.equal(detail, `the request target "${target}" is neither a path nor an http or https URL`);
      checkProblem(await ask(port, { ...EMPTY_FIELD.request, target: target.replace('metrics', 'mine') }), 400, 'malformed');
    }
    assert.equal((await get('/problems?x=a://b')).status, 200, 'a query may contain it');
  });

  theServer('the request target can have up to 8 KiB', async () => {
    for (const make of [(length) => '/'.padEnd(length, 'a'), (length) => '/nowhere?x='.padEnd(length, 'a')]) {
      checkProblem(await get(make(8192)), 404, 'not-found');
      checkProblem(await get(make(8193)), 414, 'uri-too-long');
      checkProblem(await get(make(10_000)), 414, 'uri-too-long');
      assert.ok([414, 431].includes((await get(make(100_000))).status));
    }
    checkProblem(await ask(port, { target: '/mine?x='.padEnd(8193, 'a'), body: '{}' }), 414, 'uri-too-long');
    assert.equal((await get('/livez')).status, 200);
  });

  theServer('a head that is too long is refused', async () => {
    for (const headers of [
      { 'X-Filler': 'a'.repeat(200_000) },
      Array.from({ length: 20_000 }, (_, index) => [`X-Filler-${index}`, 'a']),
    ]) {
      await withConnection(async (connection) => {
        connection.send({ target: '/version', headers });
        const answer = await connection.answerOrNothing();
        if (answer !== null) assert.ok([400, 413, 431].includes(answer.status), `${answer}`);
        await connection.closed();
      });
      assert.equal((await get('/livez')).status, 200);
    }
  });

  const SMUGGLED = 'GET /version HTTP/1.1\r\nHost: a\r\n\r\n';
  const OWN_REFUSALS = {
    'two equal Content-Length headers': 'Content-Length: 5\r\nContent-Length: 5\r\n\r\nabcde',
    'two different Content-Length headers': 'Content-Length: 5\r\nContent-Length: 0\r\n\r\nabcde',
    'Content-Length before Transfer-Encoding': 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding before Content-Length': 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: gzip': 'Transfer-Encoding: gzip\r\n\r\n',
    'Transfer-Encoding: identity': 'Transfer-Encoding: identity\r\n\r\n',
    'Transfer-Encoding: chunked, gzip': 'Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: gzip, chunked': 'Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: xchunked': 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
    'an empty Transfer-Encoding': 'Transfer-Encoding: \r\n\r\n0\r\n\r\n',
    'two Transfer-Encoding headers': 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'two different Transfer-Encoding headers': 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n',
    'white space before the colon': 'Content-Length : 5\r\n\r\nabcde',
    'a tab before the colon': 'X-Filler\t: a\r\n\r\n',
    'white space inside a name': 'X Filler: a\r\n\r\n',
    'two Host headers': 'Host: b\r\n\r\n',
  };

  // With libmicrohttpd 1.0 and later, the program never sees these requests.
  const REFUSED_BEFORE_US = [
    'Content-Length before Transfer-Encoding', 'Transfer-Encoding before Content-Length',
    'Transfer-Encoding: gzip', 'Transfer-Encoding: identity', 'Transfer-Encoding: chunked, gzip',
    'Transfer-Encoding: gzip, chunked', 'Transfer-Encoding: xchunked', 'an empty Transfer-Encoding',
    'white space before the colon', 'a tab before the colon', 'white space inside a name',
    ...(STRICT_MICROHTTPD
      ? ['two equal Content-Length headers', 'two different Content-Length headers', 'two Transfer-Encoding headers',
        'two different Transfer-Encoding headers', 'two Host headers']
      : []),
  ];

  for (const [name, rest] of Object.entries(OWN_REFUSALS)) {
    theServer(`framing: ${name}: the request is malformed, and the connection is closed`, async () => {
      const check = NEW_MICROHTTPD && REFUSED_BEFORE_US.includes(name)
        ? (answer) => assert.ok(answer.status === 400 || (STRICT_MICROHTTPD && answer.status === 501), `${answer}`)
        : (answer) => checkProblem(answer, 400, 'malformed');
      for (const request of ['POST /mine', 'GET /version', 'POST /nowhere']) {
        await checkRefusedAndClosed(`${request} HTTP/1.1\r\nHost: a\r\n${rest}${SMUGGLED}`, check);
      }
    });
  }

  theServer('a body that a route does not expect is never read as the next request', async () => {
    const heads = [
      ['GET', '/version', {}, 200], ['HEAD', '/limits', {}, 200], ['OPTIONS', '/mine', {}, 204], ['GET', '/nowhere', {}, 404],
      ['POST', '/nowhere', {}, 404], ['DELETE', '/mine', {}, 405], ['GET', '/go', {}, 400],
      ['GET', '/mine?case=%7B%22board%22:%5B%22.%22%5D%7D', {}, 200], ['PUT', '/go', {}, 405],
      ['POST', '/livez', {}, 405], ['GET', linkTo('/mine', { board: ['.'] }), {}, 200], ['GET', linkTo('/mine', {}), {}, 422],
      ['HEAD', linkTo('/mine', { board: ['.'] }, '&format=svg'), {}, 200], ['GET', '/pawn?x=1', {}, 400],
      ['POST', '/mine', { 'Content-Type': 'image/png' }, 415], ['POST', '/mine', { Accept: 'audio/ogg' }, 406],
      ['POST', '/mine?x=1', {}, 400], ['POST', '/mine', {}, 400],
    ];
    const framings = [
      [{ 'Content-Length': String(SMUGGLED.length) }, SMUGGLED],
      [{ 'Transfer-Encoding': 'chunked' }, chunked(SMUGGLED, 10)],
    ];
    for (const [method, target, headers, status] of heads) {
      for (const [framing, body] of framings) {
        for (const together of [true, false]) {
          await withConnection(async (connection) => {
            connection.expect(method);
            const bytes = formatRequest({ method, target, headers: { ...headers, ...framing }, body });
            const begin = bytes.indexOf('\r\n\r\n') + 4;
            await writeInReads(connection, together ? [bytes] : [bytes.subarray(0, begin), bytes.subarray(begin)]);
            const label = `${method} ${target} ${JSON.stringify(framing)}`;
            const answer = await connection.answer();
            assert.equal(answer.status, status, `${label}: ${answer}`);
            // The server either hangs up, or answers the next request.
            connection.send({ target: '/livez' });
            const next = await connection.answerOrNothing();
            if (next !== null) assert.equal(next.text(), '{"status":"ok"}\n', `${label}: ${next}`);
          });
        }
      }
    }
  });

  // libmicrohttpd may answer these itself. If Content-Length is invalid, version 0.9.75 sends the head of its answer twice and closes
  // the connection, so a repeated 400 is accepted.
  const ANY_REFUSALS = {
    'no Host': `GET /version HTTP/1.1\r\n\r\n${SMUGGLED}`,
    'no Host on a POST': `POST /mine HTTP/1.1\r\nContent-Length: 5\r\n\r\nabcde${SMUGGLED}`,
    'a list as Content-Length': `POST /mine HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 5\r\n\r\nabcde${SMUGGLED}`,
    'a negative Content-Length': `POST /mine HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\n${SMUGGLED}`,
    'a signed Content-Length': `POST /mine HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\nabcde${SMUGGLED}`,
    'a hexadecimal Content-Length': `POST /mine HTTP/1.1\r\nHost: a\r\nContent-Length: 0x5\r\n\r\nabcde${SMUGGLED}`,
    'an empty Content-Length': `POST /mine HTTP/1.1\r\nHost: a\r\nContent-Length: \r\n\r\n${SMUGGLED}`,
    'a Content-Length of two words': `POST /mine HTTP/1.1\r\nHost: a\r\nContent-Length: 5 5\r\n\r\nabcde${SMUGGLED}`,
    'a header line without a colon': `GET /version HTTP/1.1\r\nHost: a\r\nX-Filler\r\n\r\n${SMUGGLED}`,
    'an extension of the last chunk, followed by a request':
      `POST /mine HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0;a=b\r\n${SMUGGLED}`,
    // A line that begins with a colon isn't tested here: libmicrohttpd 0.9.75 takes it for the end of the head and doesn't pass it on
    // (api/server/request.h).
  };

  for (const [name, bytes] of Object.entries(ANY_REFUSALS)) {
    theServer(`framing: ${name}: the answer is 400, and the connection is closed`, async () => {
      await checkRefusedAndClosed(bytes, (answer) => assert.equal(answer.status, 400, `${answer}`), { whole: false });
    });
  }

  theServer('several heads that are refused in the same round are each answered once', async () => {
    await withArbiter([], async (other) => {
      const heads = [`X-Filler: ${'a'.repeat(100_000)}`, 'X-Filler'].map((line) => `GET /version HTTP/1.1\r\nHost: a\r\n${line}\r\n\r\n`);
      const connections = await Promise.all([...heads, ...heads].map(() => connect(other.port)));
      other.signal('SIGSTOP'); // so that all heads are read in one round
      const written = connections.map((connection, index) => {
        connection.expect('GET');
        connection.expect('GET');
        return connection.write(heads[index % 2]);
      });
      await Promise.all(written.filter((_, index) => index % 2 === 1));
      other.signal('SIGCONT');
      for (const connection of connections) {
        assert.ok([400, 431].includes((await connection.answer()).status));
        assert.equal(await connection.answerOrNothing(), null);
      }
    });
  });

  theServer('if bytes are not valid HTTP, they are refused or the connection is closed, and the program keeps running', async () => {
    const random = randomFrom(13);
    const noise = Buffer.from(Array.from({ length: 5000 }, () => Math.floor(random() * 256)));
    const nonsense = [
      '\r\n'.repeat(1000), 'GET /version\r\n\r\n', 'GET /version HTTP/9.9\r\nHost: a\r\n\r\n', 'GET  /version HTTP/1.1\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '\0'.repeat(5000), noise,
      'GET /ver\0sion HTTP/1.1\r\nHost: a\r\n\r\n', 'GET /version HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n', 'A'.repeat(100_000),
      'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', 'GET version HTTP/1.1\r\nHost: a\r\n\r\n',
    ];
    await withArbiter([], async (other) => {
      for (const bytes of nonsense) {
        const connection = await connect(other.port);
        connection.expect('GET');
        await connection.write(bytes);
        connection.halfClose();
        // Any answer must be valid HTTP, and the connection ends at the head timeout at the latest.
        await until('the connection has ended', async () => {
          await other.clock.advance(1000);
          return connection.ended !== null;
        });
        assert.equal(connection.fault, null);
        assert.equal((await other.ask({ target: '/livez' })).status, 200, JSON.stringify(bytes.toString('latin1').slice(0, 40)));
      }
    }, { stopClock: true, leaks: false }); // the default head timeout would also close the idle connections of the leak check
  });
});
