// The Go page with links from other people, and with actions while a question is pending.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { Arbiter, Problem } from '../../web/arbiter.js';
import { recordOf } from '../../web/go/ask.js';
import { DEFAULT_RULES, MOST_MOVES } from '../../web/go/game.js';
import { emptyBoard } from '../../web/go/points.js';
import { Session } from '../../web/go/session.js';
import { readState } from '../../web/go/link.js';
import { BadLink } from '../../web/page/link.js';
import { Service } from '../../web/page/service.js';
import { start } from '../server/arbiter.mjs';
import { until } from '../server/client.mjs';

const program = await start();
after(() => program.stop());
const service = new Arbiter(`http://127.0.0.1:${program.port}/`);

const emptyGame = (size) => ({ setup: emptyBoard(size), moves: [], rules: DEFAULT_RULES });

/** A session that uses `client` and is closed after the test. `states` collects what the page's banner would show. */
function sessionOf(context, game, client = service, states = []) {
  const page = { service: new Service((state) => states.push(state), client) };
  const session = new Session(page, { game, step: game.moves.length, mode: 'play', alternate: true, turn: null });
  context.after(() => session.close());
  return session;
}

test('a move while a record is being read is not delayed', async (context) => {
  const session = sessionOf(context, emptyGame(9));
  await until('the first answer', () => session.line);
  session.open(recordOf('(;SZ[5];B[aa])'));
  session.play([2, 2]);
  assert.equal(session.opening, null);
  await until('the answer', () => !session.stale);
  assert.deepEqual([session.size, session.length, session.board[2][2], session.record], [9, 1, 'B', null]);
});

test('in a link to a record, unknown rules are dropped and invalid ones refused', () => {
  const sgf = '(;SZ[9];B[aa])';
  const read = (question) => {
    const { body, game, chosen } = readState({ question: { sgf, ...question } }).record;
    return { body, game, chosen };
  };
  assert.deepEqual(read({ rules: { game: 'all', suicide: true, signal: 1 } }), { body: sgf, game: 1, chosen: { suicide: true } });
  assert.deepEqual(read({ game: 'all', rules: { ko: 'none' } }), { body: sgf, game: 1, chosen: { ko: 'none' } });
  for (const bad of [{ rules: null }, { rules: 'none' }, { rules: { ko: 'all' } }, { rules: { suicide: 0 } }, { game: 0 }, { game: '1' }, { game: 1.5 }]) {
    assert.throws(() => read(bad), BadLink, JSON.stringify(bad));
  }
});

test('a link with more moves than a page can show is refused', () => {
  const passes = (count) => ({ size: 5, moves: 'BaaW--'.repeat(count / 2) });
  assert.equal(readState(passes(MOST_MOVES)).game.moves.length, MOST_MOVES);
  assert.throws(() => readState(passes(MOST_MOVES + 2)), BadLink);
  assert.throws(() => readState({ question: { size: 5, moves: Array(MOST_MOVES + 1).fill(['B', 'pass']) } }), BadLink);
});

/** An error like the one that a load balancer sends when its service fails. */
const failing = () => new Problem({ type: 'about:blank', title: 'Internal', status: 500, detail: 'it failed' });

test('if a stone or a record gets no answer, the game stays unchanged, and the question can be sent again', async (context) => {
  const states = [];
  let broken = false;
  const ask = (way) => async (...question) => {
    if (broken) throw failing();
    return service[way](...question);
  };
  const session = sessionOf(context, emptyGame(9), { go: ask('go'), record: ask('record') }, states);
  await until('the first answer', () => session.score);
  for (const [act, after] of [
    [() => session.play([2, 2]), () => session.board[2][2] === 'B'],
    [() => session.open(recordOf('(;SZ[5];B[aa])')), () => session.size === 5],
  ]) {
    const { board, step } = session;
    broken = true;
    act();
    await until('it has failed', () => states.at(-1)?.kind === 'failed');
    assert.deepEqual([session.board, session.step, session.pending, session.opening, session.stale], [board, step, null, null, false]);
    broken = false;
    states.at(-1).again();
    await until('it is answered', after);
    assert.equal(states.at(-1).kind, 'well');
  }
});

test('if a game has no answer at all, the whole game can be sent again', async (context) => {
  const states = [];
  let broken = true;
  const go = async (...question) => {
    if (broken) throw failing();
    return service.go(...question);
  };
  const session = sessionOf(context, emptyGame(9), { go }, states);
  await until('it has failed', () => states.at(-1)?.kind === 'failed');
  assert.deepEqual([session.asking, session.line], ['failed', null]);
  broken = false;
  states.at(-1).again();
  await until('it is answered', () => session.line);
  assert.equal(session.asking, 'idle');
});

test('a chain without liberties is marked where the fault says, whatever its text', async (context) => {
  const errors = [{ pointer: '/setup', code: 'liberty', detail: 'at [7,7] or elsewhere', at: [3, 4] }, { pointer: '/setup', code: 'value', detail: '' }];
  const go = async () => {
    throw new Problem({ type: '/problems/invalid-case', title: '', status: 422, detail: '', errors });
  };
  const session = sessionOf(context, emptyGame(9), { go });
  await until('it is refused', () => session.problem);
  assert.deepEqual(session.faults, [[3, 4]]);
});
