// What the playground of Go makes of links from strangers.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MOST_MOVES } from '../../web/go/game.js';
import { readState, recordOfQuestion, viewOfQuestion } from '../../web/go/state.js';
import { BadLink } from '../../web/page/link.js';

test('of the rules of a record in a link no more is asked than they are', () => {
  const sgf = '(;SZ[9];B[aa])';
  assert.deepEqual(recordOfQuestion({ sgf, rules: { game: 'all', suicide: true, signal: 1 } }), { sgf, game: 1, chosen: { suicide: true } });
  assert.deepEqual(recordOfQuestion({ sgf, game: 'all', rules: { ko: 'none' } }), { sgf, game: 1, chosen: { ko: 'none' } });
  for (const bad of [{ rules: null }, { rules: 'none' }, { rules: { ko: 'all' } }, { rules: { suicide: 0 } }, { game: 0 }, { game: '1' }, { game: 1.5 }]) {
    assert.throws(() => recordOfQuestion({ sgf, ...bad }), BadLink, JSON.stringify(bad));
  }
});

test('a link holds no more moves than a page can show', () => {
  const passes = (count) => ({ size: 5, moves: 'BaaW--'.repeat(count / 2) });
  assert.equal(readState(passes(MOST_MOVES)).game.moves.length, MOST_MOVES);
  assert.throws(() => readState(passes(MOST_MOVES + 2)), BadLink);
  assert.throws(() => viewOfQuestion({ size: 5, moves: Array(MOST_MOVES + 1).fill(['B', 'pass']) }), BadLink);
});
