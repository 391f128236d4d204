// A Minesweeper session while answers are pending, cancelled or refused. The service is real; the page is a stub.

import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { after, test } from 'node:test';

import { Arbiter, Problem } from '../../web/arbiter.js';
import { Field } from '../../web/mine/field.js';
import { Session } from '../../web/mine/session.js';
import { Service } from '../../web/page/service.js';
import { start } from '../server/arbiter.mjs';
import { hardBoard, randomFrom } from '../server/bodies.mjs';
import { until } from '../server/client.mjs';

globalThis.crypto ??= webcrypto; // Node 18

const running = [];
after(() => Promise.all(running.map((program) => program.stop())));

/** Starts a program with these options, and returns a client for it. */
async function serviceOf(...options) {
  const program = await start(options);
  running.push(program);
  return new Arbiter(`http://127.0.0.1:${program.port}/`);
}

const ordinary = await serviceOf();

/** A page whose questions are answered only if they are sent while `gate.open` is true. */
async function pageOf(arbiter, gate, states) {
  const gated = {
    mine: (...asked) => (gate.open ? arbiter.mine(...asked) : new Promise(() => {})),
    batch: (...asked) => arbiter.batch(...asked),
  };
  return { service: new Service((state) => states.push(state), gated), limits: await arbiter.limits(), changed() {} };
}

/** A session that has received its first answer. */
async function sessionOf(board, more = {}, arbiter = ordinary) {
  const gate = { open: true }, news = [], states = [];
  const shown = { field: Field.asked({ board }), clicks: [], mode: 'play', side: 'both', analysis: false, ...more };
  const session = new Session(await pageOf(arbiter, gate, states), shown);
  session.listener = (what) => news.push(what);
  await until('the first answer', () => session.result !== null);
  return { session, gate, news, states };
}

const begin = { stroke: false, second: false, keyboard: false }, further = { ...begin, stroke: true };

test('when a wait is cancelled, the answer for the old field is not used for the new one, which has more mines', async () => {
  const { session, gate, states } = await sessionOf(['....', '....', '....', '....'], { mode: 'edit' });
  session.paint(0, 0, begin);
  await until('the first mine is answered', () => session.result !== null);
  gate.open = false;
  for (const [row, col] of [[0, 1], [1, 1], [2, 2]]) session.paint(row, col, further);
  session.cancel();
  await until('the wait is cancelled', () => states.at(-1)?.kind === 'failed');
  assert.equal(session.field.mines, 4);
  assert.equal(session.result, null);
  assert.ok(session.stale);
  session.undo();
  assert.equal(session.field.mines, 0, 'a stroke is undone as a whole');
  session.redo();
  assert.equal(session.field.mines, 4);
  session.close();
});

test('a stroke that is undone before it ends continues as a new stroke', async () => {
  const { session } = await sessionOf(['....', '....'], { mode: 'edit' });
  session.paint(0, 0, begin);
  session.undo();
  session.paint(0, 1, further);
  assert.deepEqual(session.field.board(), ['.*..', '....']);
  session.undo();
  assert.deepEqual(session.field.board(), ['....', '....']);
  session.close();
});

test('when clicks follow in quick succession, a cell that may already be uncovered cannot be clicked', async () => {
  const { session, gate, states } = await sessionOf(['.....*', '......', '......', '......', '*.....', '......']);
  gate.open = false;
  assert.equal(session.click(0, 4), 'done', 'a number');
  assert.equal(session.click(3, 0), 'done', 'another, because numbers are uncovered alone');
  assert.equal(session.click(3, 0), 'up');
  assert.equal(session.click(2, 2), 'done', 'a blank');
  assert.equal(session.click(2, 3), 'waiting', 'the service must say what its opening uncovers');
  assert.equal(session.position.clicks.length, 3);
  session.cancel();
  await until('the question is cancelled', () => states.at(-1)?.kind === 'failed');
  gate.open = true;
  states.at(-1).again();
  await until('the clicks are answered', () => session.result !== null);
  assert.equal(session.problem, null);
  assert.equal(session.click(2, 3), 'up');
  session.close();
});

/** A field with four openings. */
const FIRST = ['........*', '.........', '......*..', '.*...*..*', '......**.', '..*......', '.......*.', '.....*...', '.........'];

// The client only splits a batch that has too many bytes or cases, so the service refuses batches that exceed these limits.
for (const [option, value] of [['--max-answer-bytes', '2000'], ['--max-json-values', '60']]) {
  test(`the opponent clicks even if the service has small limits: ${option} ${value}`, async () => {
    const arbiter = await serviceOf(option, value);
    let refused = 0;
    const batch = arbiter.batch.bind(arbiter);
    arbiter.batch = (...asked) => batch(...asked).catch((error) => {
      refused += error instanceof Problem;
      throw error;
    });
    const { session } = await sessionOf(FIRST, { side: 'Xiemao' }, arbiter);
    const [[row, col]] = session.result.wins;
    assert.equal(session.click(row, col), 'done');
    await until('the opponent has clicked', () => session.position.clicks.length === 2);
    assert.ok(refused > 0, 'everything was asked at once, so this test shows nothing');
    assert.ok(['lost', 'any'].includes(session.how));
    await until('its click is answered', () => session.result !== null);
    assert.equal(session.result.verdict, 'Xiemao');
    session.close();
  });
}

test('a closed session stays silent, and the program does not click until the session is reopened', async () => {
  const { session, gate, news } = await sessionOf(FIRST, { side: 'Xiemao' });
  const [[row, col]] = session.result.wins;
  gate.open = false;
  session.click(row, col);
  session.close();
  gate.open = true;
  const told = news.length;
  const other = await sessionOf(FIRST, { side: 'Xiemao' });
  other.session.click(row, col);
  await until('the program has clicked in another game', () => other.session.position.clicks.length === 2);
  assert.deepEqual([news.length, session.position.clicks.length, session.stale], [told, 1, true]);
  session.listener = (what) => news.push(what);
  session.reopen();
  await until('the program has clicked', () => session.position.clicks.length === 2);
  assert.ok(news.includes('program'));
  for (const one of [session, other.session]) one.close();
});

test('if a session is closed between the answer and the program\'s click, the program clicks when it is reopened, without asking again', async () => {
  const { session, gate } = await sessionOf(FIRST, { side: 'Xiemao' });
  session.click(...session.result.wins[0]);
  await until('it is the turn of the program', () => session.programsTurn);
  session.close();
  gate.open = false; // the session must not ask about the position again
  session.reopen();
  await until('the program has clicked', () => session.position.clicks.length === 2);
  session.close();
});

test('a session that is closed during a longer search restarts the search when it is reopened', async () => {
  const { session, gate } = await sessionOf(hardBoard(randomFrom(1)), {}, await serviceOf('--max-search-states', '30000'));
  assert.equal(session.result.verdict, 'Unknown');
  const { next } = session.verdict.effort;
  gate.open = false;
  session.harder();
  session.close();
  gate.open = true;
  session.reopen();
  assert.equal(session.stale, true);
  await until('it is answered', () => !session.stale);
  assert.equal(session.verdict.effort.now, next);
  session.close();
});

test('if the opponent gets no answer, it asks the same question again', async () => {
  const faults = [429, 500].map((status) => new Problem({ type: 'about:blank', title: '', status, detail: '' }, new Headers({ 'retry-after': '0' })));
  const asked = [], arbiter = {
    limits: () => ordinary.limits(),
    mine: (...question) => ordinary.mine(...question),
    batch: async (game, questions, options) => {
      asked.push(questions.length);
      const fault = faults.shift();
      if (fault) throw fault;
      return ordinary.batch(game, questions, options);
    },
  };
  const { session, states } = await sessionOf(FIRST, { side: 'Xiemao' }, arbiter);
  const [[row, col]] = session.result.wins;
  session.click(row, col);
  await until('it has failed', () => states.at(-1)?.kind === 'failed');
  assert.deepEqual([session.asking, session.position.clicks.length, session.programsTurn], ['failed', 1, true]);
  states.at(-1).again();
  await until('the opponent has clicked', () => session.position.clicks.length === 2);
  assert.deepEqual(asked, [asked[0], asked[0], asked[0]], 'no click is missing');
  assert.equal(session.how, 'lost');
  session.close();
});
