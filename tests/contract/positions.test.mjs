// 100 positions whose results come from the slow models of Go (tests/reference), without the program: see tests/go/write_positions.c.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { withArbiter } from '../server/arbiter.mjs';

const POSITIONS = readFileSync(new URL('positions.ndjson', import.meta.url), 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line));

test('the results of 100 positions are those of the slow models', () => withArbiter([], async (arbiter) => {
  const body = JSON.stringify({ cases: POSITIONS.map((position) => position.case) });
  const answer = await arbiter.ask({ target: '/go', headers: { 'Content-Type': 'application/json' }, body });
  assert.equal(answer.status, 200, `${answer}`);
  const { results } = JSON.parse(answer.body);
  assert.equal(results.length, 100);
  for (const [index, { case: theCase, score, ...right }] of POSITIONS.entries()) {
    const result = results[index];
    for (const [name, value] of Object.entries(right)) assert.deepEqual(result[name], value, `${name}: ${JSON.stringify(theCase)}`);
    for (const [name, value] of Object.entries(score)) assert.deepEqual(result.score[name], value, `score.${name}: ${JSON.stringify(theCase)}`);
  }
}));
