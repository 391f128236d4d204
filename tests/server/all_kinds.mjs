// Sends requests of every kind, so that every metric has a sample.

import { JSON_TYPE, TEXT_TYPE, goMoves, hardBoard, linkTo, mineBoard, mineText, pawnBoard, randomFrom } from './bodies.mjs';

const post = (arbiter, target, body) => arbiter.ask({ target, headers: JSON_TYPE, body: JSON.stringify(body) });

/** Sends one request of every kind, and one for each reason for refusal that does not depend on timing or load. */
export async function askAllKinds(arbiter) {
  const random = randomFrom(7);
  await post(arbiter, '/pawn', { board: pawnBoard(random, 4, 4) });
  await post(arbiter, '/go', { moves: goMoves(random, 3000) });
  await post(arbiter, '/mine', { board: hardBoard(random), states: 2000 });
  await post(arbiter, '/mine', { board: ['.', '.x'] });
  await arbiter.ask({ target: linkTo('/mine', { board: mineBoard(random, 30, 16, 0.2) }) });
  await arbiter.ask({ target: '/mine', headers: TEXT_TYPE, body: mineText([mineBoard(random, 9, 9, 0.1)]) });
  const lines = `${JSON.stringify({ board: ['.'] })}\n`.repeat(3);
  await arbiter.ask({ target: '/mine', headers: { 'Content-Type': 'application/x-ndjson' }, body: lines });
  for (const target of ['/', '/limits', '/problems/malformed', '/web/style.css', '/no/such/"path"', '/livez', '/metrics']) {
    await arbiter.ask({ target });
  }
  await arbiter.ask({ target: '/pawn', method: 'PUT' });
  await arbiter.ask({ target: '/limits', method: 'HEAD' });
  await arbiter.ask({ target: '/limits', headers: [['Host', 'a'], ['Host', 'b']] });
}
