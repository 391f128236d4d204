// Which client the log names for a request: --trusted-proxy and X-Forwarded-For. The unit test api/server/peer covers all forms of
// addresses.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { withArbiter } from './arbiter.mjs';
import { connect, until } from './client.mjs';

/** Sends a request with these X-Forwarded-For headers; returns `peer` from its log line. */
async function peerOf(arbiter, forwarded) {
  const id = `r${arbiter.log.length}`;
  const values = [forwarded].flat().map((value) => ['X-Forwarded-For', value]);
  await arbiter.ask({ target: '/livez', headers: [['X-Request-Id', id], ...values] });
  const find = () => arbiter.log.find((line) => line.request_id === id);
  await until('the request is logged', find);
  return find().peer;
}

test('trusted proxies can be given by address in any notation', async () => {
  for (const proxies of ['127.0.0.1', '::FFFF:127.0.0.1', '10.0.0.1,127.0.0.0/8', '::1, ::ffff:7f00:0/104'])
    for (const address of ['127.0.0.1', '::'])
      await withArbiter(['--trusted-proxy', proxies, '--listen', address], async (arbiter) => {
        assert.equal(await peerOf(arbiter, '203.0.113.7'), '203.0.113.7', `${proxies}, ${address}`);
      });
  await withArbiter(['--listen', '::'], async (arbiter) => {
    assert.equal(await peerOf(arbiter, '203.0.113.7'), '::ffff:127.0.0.1');
  });
});

test('the peer is the rightmost untrusted address, and never any other text from the header', async () => {
  await withArbiter(['--trusted-proxy', '127.0.0.1,10.0.0.0/8'], async (arbiter) => {
    const rows = [
      ['203.0.113.7, 10.1.2.3', '203.0.113.7'],
      ['192.0.2.1, 203.0.113.7:4711', '203.0.113.7'],
      ['[2001:DB8:0::7]:4711', '2001:db8::7'],
      ['10.0.0.1, 10.0.0.2', '10.0.0.1'],
      [['203.0.113.7', '10.0.0.2'], '203.0.113.7'],
      ['unknown', '127.0.0.1'],
      ['203.0.113.7, "x"', '127.0.0.1'],
      ['', '127.0.0.1'],
    ];
    for (const [forwarded, peer] of rows) assert.equal(await peerOf(arbiter, forwarded), peer, `${forwarded}`);
  });
});

test('if a request is refused because of its head, its peer is the address of the socket', async () => {
  await withArbiter(['--trusted-proxy', '127.0.0.1'], async (arbiter) => {
    const connection = await connect(arbiter.port);
    connection.write(`GET /${'x'.repeat(25000)} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.113.7\r\n\r\n`);
    assert.equal((await connection.answer()).status, 400);
    await until('the request is logged', () => arbiter.log.some(({ event }) => event === 'request'));
    assert.equal(arbiter.log.find(({ event }) => event === 'request').peer, '127.0.0.1');
    connection.close();
  });
});

test('the log warns only once that a proxy is not trusted', async () => {
  const warnings = (arbiter) => arbiter.log.filter(({ event }) => event === 'untrusted-proxy');
  await withArbiter([], async (arbiter) => {
    for (let n = 0; n < 3; n++) await peerOf(arbiter, '203.0.113.7');
    assert.deepEqual(warnings(arbiter).map(({ level, peer }) => [level, peer]), [['warn', '127.0.0.1']]);
  });
  await withArbiter(['--trusted-proxy', '127.0.0.1'], async (arbiter) => {
    await peerOf(arbiter, '203.0.113.7');
    assert.deepEqual(warnings(arbiter), []);
  });
});
