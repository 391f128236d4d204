// Restarts under load: a program that gets SIGTERM loses no request that it has accepted, and after a SIGKILL another program can use
// its port immediately.
//
// The signal is sent after a random number of answers.
//
// ARBITER_ROUNDS  the number of rounds (default 3)

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { start } from './arbiter.mjs';
import { JSON_TYPE, below, goMoves, mineBoard, pawnBoard, randomFrom } from './bodies.mjs';
import { connect, until } from './client.mjs';
import { PORT, claimNetwork } from './network.mjs';

const ROUNDS = Number(process.env.ARBITER_ROUNDS ?? 3);
const CLIENTS = 16;

const random = randomFrom(9);
const BODIES = [
  ['/pawn', { board: pawnBoard(random, 5, 5) }],
  ['/go', { moves: goMoves(random, 600) }],
  ['/mine', { board: mineBoard(random, 100, 100, 0.2) }],
].map(([target, body]) => ({ target, headers: JSON_TYPE, body: JSON.stringify(body) }));

/**
 * Sends requests one after another, each with its own id, until the program stops answering. Records the outcome of each id in `fates`.
 */
async function askUntilGone({ port, address }, client, fates) {
  for (let index = 0; ; index += 1) {
    const connection = await connect(port, { address }).catch(() => null);
    if (connection === null) return;
    for (; connection.ended === null; index += 1) {
      const id = `${client}-${index}`;
      const { headers, ...request } = BODIES[index % BODIES.length];
      connection.send({ ...request, headers: { ...headers, 'X-Request-Id': id } });
      const answer = await connection.answerOrNothing();
      fates.set(id, answer === null ? 'nothing' : answer.status);
      if (answer?.status === 503) await connection.closed();
    }
    connection.close();
  }
}

test('a program that gets SIGTERM under load loses no request that it has accepted', async (t) => {
  let answered = 0, late = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const arbiter = await start(['--drain-delay', 1], { stopClock: true });
    const fates = new Map();
    const clients = Array.from({ length: CLIENTS }, (_, client) => askUntilGone(arbiter, client, fates));
    const count = 50 + below(random, 150);
    await until('it is busy', () => fates.size >= count);
    arbiter.signal('SIGTERM');
    await until('the drain delay begins', () => arbiter.log.some(({ event }) => event === 'draining'));
    const before = fates.size;
    await until('requests are taken during the drain delay', () => fates.size >= before + 4 * CLIENTS);
    assert.deepEqual([...fates.values()].filter((fate) => fate !== 200), []);
    await arbiter.clock.advance(1000); // past the drain delay, but not past the drain timeout
    await Promise.all(clients);
    await arbiter.leaves(); // with status 0
    const ended = arbiter.log.filter(({ event }) => event === 'request');
    const taken = new Map(ended.map(({ request_id: id, status }) => [id, status]));
    for (const [id, fate] of fates) {
      if (fate === 'nothing') assert.ok(!taken.has(id), `${id} was taken (${taken.get(id)}) and not answered`);
      else assert.ok([200, 503].includes(fate), `${id} was answered ${fate}`);
    }
    assert.equal(arbiter.log.find(({ event }) => event === 'stopped').cut_off, 0);
    assert.deepEqual(ended.filter(({ status }) => status === 0), []);
    answered += [...fates.values()].filter((fate) => fate === 200).length;
    late += [...fates.values()].filter((fate) => fate !== 200).length;
  }
  t.diagnostic(`${ROUNDS} rounds: ${answered} answered 200, ${late} came too late`);
});

test('after a SIGKILL, another program can use the port immediately, despite open connections', async (t) => {
  const network = await claimNetwork(); // so that no other test gets the port in the meantime
  const again = () => start(['--listen', network.address(2)], { port: PORT });
  let arbiter = await again();
  let answered = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const fates = new Map();
    const clients = Array.from({ length: CLIENTS }, (_, client) => askUntilGone(arbiter, client, fates));
    const count = 50 + below(random, 150);
    await until('it is busy', () => fates.size >= count);
    arbiter.signal('SIGKILL');
    await arbiter.exit;
    await Promise.all(clients);
    arbiter = await again();
    const answer = await arbiter.ask({ target: '/livez' }, { address: arbiter.address });
    assert.equal(answer.status, 200);
    answered += [...fates.values()].filter((fate) => fate === 200).length;
    assert.deepEqual([...new Set(fates.values())].filter((fate) => fate !== 200 && fate !== 'nothing'), []);
  }
  await arbiter.stop();
  network.release();
  t.diagnostic(`${ROUNDS} rounds: ${answered} answered before the kills`);
});
