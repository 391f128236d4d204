// How the program reacts to the version of libmicrohttpd that it finds when it starts. A preloaded library (LD_PRELOAD) makes it see a
// different version.
//
// ARBITER_OTHER_VERSION  the path of the library (tests/server/versions)

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MICROHTTPD, run, withArbiter } from './arbiter.mjs';
import { chunked, connect } from './client.mjs';

const env = (version) => ({ LD_PRELOAD: process.env.ARBITER_OTHER_VERSION, OTHER_VERSION: version });
const MAJOR = Number(MICROHTTPD.split('.')[0]);
const OTHERS = MAJOR === 0 ? ['1.0.0', '1.0.10', '2.0.0'] : ['0.9.75', '0.9.77', '2.0.0'];

test('a program built for another major version of libmicrohttpd does not start, and opens no socket', async () => {
  // The port is already in use. If the program opened a socket before checking the version, it would report that error instead.
  await withArbiter([], async ({ port }) => {
    for (const version of OTHERS) {
      const { code, stderr } = await run(['--port', port], { env: env(version) });
      const lines = stderr.trimEnd().split('\n').map((line) => JSON.parse(line));
      assert.deepEqual(lines.map(({ level, event }) => [level, event]), [['error', 'cannot-start']]);
      assert.match(lines[0].reason,
        new RegExp(`^arbiter was built for libmicrohttpd ${MAJOR}\\.\\d+\\.\\d+, but ${version} is installed; rebuild arbiter`));
      assert.equal(code, 1);
    }
  });
});

test('--check reports another major version of libmicrohttpd', async () => {
  for (const version of OTHERS) {
    const { code, stdout, stderr } = await run(['--check'], { env: env(version) });
    assert.deepEqual([code, stdout, JSON.parse(stderr).event], [1, '', 'cannot-start']);
  }
});

test('another version from the same series is accepted, and the `listening` line names it', async () => {
  const version = `${MAJOR}.${MAJOR === 0 ? 9 : 0}.88`;
  await withArbiter([], async (arbiter) => {
    assert.equal(arbiter.listeningLines()[0].libmicrohttpd, version);
    assert.equal((await arbiter.ask({ target: '/livez' })).status, 200);
  }, { env: env(version) });
  await withArbiter([], async (arbiter) => assert.equal(arbiter.listeningLines()[0].libmicrohttpd, MICROHTTPD));
});

test('the connection is closed after a chunked body exactly for those versions of libmicrohttpd that may misread its end', async () => {
  // With another major version, the program wouldn't start. tests/api/server/test_mhd_version.c covers more versions.
  const versions = MAJOR === 0 ? [['0.9.88', false]] : [['1.0.0', true], ['1.0.5', true], ['1.0.9', true], ['1.0.10', false]];
  const body = chunked(JSON.stringify({ board: ['.'] }), 5);
  const chunks = { 'Transfer-Encoding': 'chunked' };
  const requests = [
    { target: '/mine', headers: chunks, body },
    { target: '/mine', headers: { ...chunks, 'Content-Type': 'application/x-ndjson' }, body }, // answered with a stream
  ];
  for (const [version, closes] of versions) {
    await withArbiter([], async (arbiter) => {
      for (const request of requests) {
        const connection = await connect(arbiter.port);
        connection.send({ target: '/mine', body: JSON.stringify({ board: ['.'] }) });
        assert.equal((await connection.answer()).header('connection'), undefined, 'a body with a length keeps the connection');
        connection.send(request);
        const answer = await connection.answer();
        assert.deepEqual([answer.status, answer.header('connection')], [200, closes ? 'close' : undefined], `${version}: ${answer}`);
        connection.send({ target: '/livez' });
        assert.equal((await connection.answerOrNothing())?.status, closes ? undefined : 200, version);
        connection.close();
      }
    }, { env: env(version) });
  }
});
