// The modules of the Go page that need no browser, tested with the program: points, results move by move, links, records, and the
// session.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { Arbiter } from '../../web/arbiter.js';
import { questionOf, recordOf, textOfRecord } from '../../web/go/ask.js';
import { DEFAULT_RULES, EXAMPLE, gameOf, KO } from '../../web/go/game.js';
import { Line } from '../../web/go/line.js';
import { handicapBoard, LEAST_SIZE, MOST_SIZE, mostHandicap, nameOf, pointOf, starPoints } from '../../web/go/points.js';
import { Session } from '../../web/go/session.js';
import { rulesName, writeSgf } from '../../web/go/sgf.js';
import { readState, writeState } from '../../web/go/link.js';
import { BadLink } from '../../web/page/link.js';
import { Service } from '../../web/page/service.js';
import { start } from '../server/arbiter.mjs';
import { numbers } from '../server/bodies.mjs';
import { until } from '../server/client.mjs';

const program = await start();
after(() => program.stop());
const service = new Arbiter(`http://127.0.0.1:${program.port}/`);
const INCLUDE = ['captured', 'boards', 'score'];

/** A game with this many moves, including many illegal moves and captures. The colours alternate and sometimes pass. */
function randomGame(draw, size, count, rules) {
  const moves = Array.from({ length: count }, (_, at) => {
    const color = at % 2 === 0 ? 'B' : 'W';
    return draw(12) === 0 ? [color, 'pass'] : [color, draw(size), draw(size)];
  });
  return { setup: Array.from({ length: size }, () => '.'.repeat(size)), moves, rules };
}

const answerTo = (game) => service.go({ ...questionOf(game), include: INCLUDE });

test('points have the names that the service reads', async () => {
  for (const size of [1, 8, 9, 19, 25]) {
    const points = Array.from({ length: size * size }, (_, at) => [Math.floor(at / size), at % size]);
    for (const point of points) assert.deepEqual(pointOf(nameOf(point, size), size), point);
    const byName = points.map((point) => ['B', nameOf(point, size)]), byNumber = points.map((point) => ['B', ...point]);
    const [one, two] = await service.batch('go', [byName, byNumber].map((moves) => ({ size, moves, include: ['boards'] })));
    assert.deepEqual(one, two);
  }
  for (const name of ['I5', 'A0', 'A10', 'K9', 'A', '5', '', 'A05']) assert.equal(pointOf(name, 9), null, name);
  assert.deepEqual(pointOf('a1', 9), [8, 0]);
});

test('star points and handicap stones are in the right places', () => {
  const names = (size) => starPoints(size).map((point) => nameOf(point, size)).sort();
  assert.deepEqual(names(19), ['D10', 'D16', 'D4', 'K10', 'K16', 'K4', 'Q10', 'Q16', 'Q4']);
  assert.deepEqual(names(13), ['D10', 'D4', 'G7', 'K10', 'K4']);
  assert.deepEqual(names(9), ['C3', 'C7', 'E5', 'G3', 'G7']);
  for (let size = LEAST_SIZE; size <= MOST_SIZE; size += 1) {
    for (let count = 2; count <= mostHandicap(size); count += 1) {
      const board = handicapBoard(size, count);
      assert.equal(board.join('').replaceAll('.', ''), 'B'.repeat(count), `${count} on ${size}`);
      // A board rotated by 180 degrees stays the same, except with three stones, which leave one corner empty.
      const turned = board.map((row) => [...row].reverse().join('')).reverse();
      if (count !== 3) assert.deepEqual(turned, board, `${count} on ${size}`);
    }
  }
});

test('the answer for a game can be cut to the answer for any of its beginnings', async () => {
  const draw = numbers(9);
  for (let made = 0; made < 12; made += 1) {
    const game = randomGame(draw, 4, 40, { ko: KO[made % 4], suicide: made % 2 === 0 });
    const line = new Line(await answerTo(game), game.moves);
    for (let step = 0; step <= line.length; step += 7) {
      const part = { ...game, moves: game.moves.slice(0, step) }, asked = await answerTo(part), cut = line.cut(step, part.moves);
      assert.deepEqual(line.board(step), asked.board);
      assert.deepEqual(line.prisoners(step), asked.prisoners);
      assert.deepEqual(cut.misses, asked.misses);
      assert.deepEqual([cut.length, cut.boards, cut.prisoners(step)], [step, asked.boards, asked.prisoners]);
    }
  }
});

test('a link contains the game and the view', () => {
  const draw = numbers(2);
  const views = [
    { game: gameOf(EXAMPLE), step: 24, mode: 'play', alternate: true, turn: null },
    { game: randomGame(draw, 25, 300, { ko: 'none', suicide: true }), step: 17, mode: 'edit', alternate: false, turn: 'W' },
    { game: { setup: handicapBoard(19, 9), moves: [], rules: { ko: 'simple', suicide: false } }, step: 0, mode: 'play', alternate: true, turn: 'W' },
  ];
  for (const view of views) assert.deepEqual(readState(JSON.parse(JSON.stringify(writeState(view)))), view);
});

test('a link that the page cannot have written is refused', () => {
  const good = writeState({ game: gameOf(EXAMPLE), step: 3, mode: 'play', alternate: true, turn: null });
  const bad = [{ size: 0 }, { size: 26 }, { size: '9' }, { size: 2.5 }, { setup: ['..', '..'] }, { setup: 'B' }, { setup: [1] }, { moves: 'Bd' }, { moves: 'Xdd' },
    { moves: 'Bzz' }, { moves: 'B-a' }, { moves: [] }, { ko: 'superko' }, { suicide: 1 }, { step: -1 }, { step: 99 }, { step: 1.5 }, { mode: 'x' },
    { alternate: 0 }, { turn: 'X' }];
  for (const change of bad) assert.throws(() => readState({ ...good, ...change }), BadLink, JSON.stringify(change));
  assert.throws(() => readState({}), BadLink);
});

test('a case in the format of the API is shown as the service answers it', async () => {
  for (const question of [
    { size: 5, moves: [['B', 1, 0], ['B', 'B5'], ['W', 0, 0], ['W', 'pass']], id: 'x', include: ['score'] },
    { setup: ['..W', '...', 'B..'], moves: [], rules: { suicide: true } },
    { moves: [['B', 'q16']], rules: { ko: 'simple' } },
  ]) {
    const game = gameOf(question), { id, include, ...asked } = question;
    assert.deepEqual(await service.go(questionOf(game)), await service.go(asked));
    assert.deepEqual(readState({ question }).game, game);
  }
  const bad = [null, 3, {}, { moves: 5 }, { size: 0, moves: [] }, { size: 3, setup: ['..', '..'], moves: [] }, { size: 3, moves: [['B', 3, 0]] },
    { moves: [['X', 0, 0]] }, { moves: [['B', 'I5']] }, { moves: [['B']] }, { moves: [], rules: null }, { moves: [], rules: { ko: 'x' } }];
  for (const question of bad) assert.throws(() => readState({ question }), BadLink, JSON.stringify(question));
});

test('a game stays the same when it is saved and read again', async () => {
  const draw = numbers(11);
  for (const ko of KO) {
    for (const suicide of [false, true]) {
      const game = { ...randomGame(draw, 7, 60, { ko, suicide }), setup: ['B......', '.W.....', '.......', '...B...', '.......', '.....W.', '......B'] };
      const { rules, record, ...read } = await service.record(writeSgf(game, 'B'), { include: INCLUDE });
      const applied = { ko: rules.ko, suicide: rules.suicide };
      if (rulesName(game.rules)) {
        assert.deepEqual(applied, game.rules);
        const { rules: _, ...answer } = await answerTo(game);
        assert.deepEqual(read, answer);
      } else assert.deepEqual(applied, DEFAULT_RULES);
    }
  }
  assert.match(writeSgf({ setup: handicapBoard(9, 2), moves: [], rules: DEFAULT_RULES }, 'W'), /HA\[2\]AB\[gc\]\[cg\]PL\[W\]/);
});

/** A session with the program. `news` lists what its listener received. After `hold`, questions are not answered until `release`. */
function sessionOf(game, step = game.moves.length) {
  const news = [];
  let held = Promise.resolve(), release = () => {}, asked = 0;
  const holding = (way) => async (...question) => {
    asked += 1;
    await held;
    return service[way](...question);
  };
  const page = { service: new Service(() => {}, { go: holding('go'), record: holding('record') }) };
  const session = new Session(page, { game, step, mode: 'play', alternate: true, turn: null });
  session.listener = (what) => news.push(what);
  return {
    session, news,
    asked: () => asked,
    settled: () => until('the service has answered', () => !session.stale && session.score !== null),
    hold: () => {
      held = new Promise((resolve) => {
        release = resolve;
      });
    },
    release: () => release(),
  };
}

const at = (name, size = 9) => pointOf(name, size);
const stone = ({ board }, name) => board[at(name)[0]][at(name)[1]];

test('the first view: both moves are refused as described, and the centre decides the game', async (context) => {
  const { session, settled, news } = sessionOf(gameOf(EXAMPLE));
  context.after(() => session.close());
  await settled();
  const { B, W, neutral } = session.score;
  assert.deepEqual({ B, W, neutral }, { B: 41, W: 40, neutral: 0 });
  assert.equal(session.next, 'B');
  session.play(at('E5'));
  await until('an answer', () => session.refusal);
  assert.deepEqual([session.refusal.code, session.refusal.repeats, session.length, stone(session, 'E5')], [3, 23, 24, '.']);
  session.play(at('F4'));
  await until('an answer', () => session.refusal?.code === 2);
  assert.equal(session.length, 24);
  session.play(at('F4'), 'W');
  await until('an answer', () => session.length === 25);
  assert.deepEqual(news.filter((what) => what !== 'act' && what !== 'answer'), ['refused', 'refused', 'played']);
});

test('clicks in quick succession are played in order, up to the first illegal move', async (context) => {
  const { session, settled, hold, release } = sessionOf(gameOf(EXAMPLE));
  context.after(() => session.close());
  await settled();
  hold();
  for (const name of ['A1', 'B1', 'A1', 'C1']) session.play(at(name));
  assert.deepEqual(session.pending.moves.map(([color]) => color), ['B', 'W', 'B', 'W']);
  assert.equal(stone(session, 'A1'), '.', 'only legal stones are shown');
  release();
  await until('an answer', () => session.refusal);
  assert.deepEqual([session.length, session.step, session.refusal.move, session.refusal.code], [26, 26, 27, 1]);
  assert.equal(session.next, 'B');
});

test('a closed session stays silent; when reopened, it repeats the questions that were not answered', async (context) => {
  const { session, settled, hold, release, news } = sessionOf(gameOf(EXAMPLE));
  context.after(() => session.close());
  hold();
  session.close();
  session.reopen();
  release();
  await settled();
  hold();
  session.play(at('A1'));
  session.close();
  const told = news.length;
  release();
  const other = sessionOf(gameOf(EXAMPLE));
  context.after(() => other.session.close());
  await other.settled();
  assert.deepEqual([news.length, session.length, session.stale], [told, 24, true]);
  session.listener = (what) => news.push(what);
  session.reopen();
  await settled();
  assert.deepEqual([session.length, news.includes('played')], [25, true]);
  hold();
  void session.open(recordOf('(;SZ[5];B[aa])'));
  session.close();
  session.reopen();
  release();
  await settled();
  assert.deepEqual([session.size, session.canUndo], [5, true]);
});

test('changes can be undone and redone', async (context) => {
  const { session, settled, asked } = sessionOf(gameOf(EXAMPLE));
  context.after(() => session.close());
  await settled();
  const first = session.board;
  session.play(at('A1'));
  await settled();
  session.play(at('B1'));
  await settled();
  const questions = asked();
  session.undo();
  session.undo();
  assert.deepEqual([session.board, session.length, session.stale], [first, 24, false]);
  assert.equal(asked(), questions, 'the beginning of what was answered is known');
  session.redo();
  session.redo();
  await settled();
  assert.deepEqual([session.length, stone(session, 'B1'), session.canRedo], [26, 'W', false]);
  session.goTo(10);
  session.play(at('J9'));
  await settled();
  assert.deepEqual([session.length, session.step], [11, 11]);
  session.undo();
  await settled();
  assert.deepEqual([session.length, session.step], [26, 10]);
});

test('trying an illegal move partway through a game does not remove the later moves', async (context) => {
  const { session, settled } = sessionOf(gameOf(EXAMPLE), 13);
  context.after(() => session.close());
  await settled();
  session.play(at('E4'));
  await until('an answer', () => session.refusal);
  assert.deepEqual([session.refusal.code, session.length, session.step], [1, 24, 13]);
  session.play(at('F2'));
  assert.deepEqual([session.length, session.step], [24, 14], 'the move of the list is stepped to');
});

test('when the rules change, the whole game is checked again, and illegal moves stay in the list', async (context) => {
  const { session, settled } = sessionOf(gameOf(EXAMPLE));
  context.after(() => session.close());
  session.judge({ ko: 'none', suicide: true });
  await settled();
  session.play(at('E5'));
  await settled();
  session.play(at('A1'));
  await settled();
  session.play(at('F4'));
  await settled();
  assert.equal(session.length, 27);
  assert.deepEqual(session.line.entry(27).taken.map((point) => nameOf(point, 9)), ['E4']);
  session.judge(DEFAULT_RULES);
  await settled();
  assert.deepEqual(session.line.misses.map(({ move, code }) => [move, code]), [[25, 3], [27, 2]]);
  assert.equal(session.refused.code, 2);
  session.toMiss(-1);
  assert.deepEqual([session.step, session.refused.repeats], [25, 23]);
  session.toMiss(-1);
  assert.equal(session.step, 25, 'there is none before');
  session.toMiss(1);
  assert.equal(session.step, 27);
});

test('when the rules change, the refused move is checked again', async (context) => {
  const { session, settled, news } = sessionOf(gameOf(EXAMPLE));
  context.after(() => session.close());
  await settled();
  session.play(at('E5'));
  await until('an answer', () => session.refusal);
  session.judge({ ko: 'simple', suicide: false });
  await until('it is refused by these, too', () => news.includes('refused-again'));
  assert.deepEqual([session.refusal.code, session.length], [3, 24]);
  session.judge({ ko: 'none', suicide: false });
  await until('it is allowed', () => news.includes('allowed'));
  assert.deepEqual([session.refusal, session.length, stone(session, 'E5'), session.offer], [null, 24, '.', ['B', ...at('E5')]]);
  session.play(at('E5'), 'B');
  await settled();
  assert.deepEqual([session.offer, session.length, stone(session, 'E5')], [null, 25, 'B']);
  session.undo();
  session.undo();
  await settled();
  assert.deepEqual([session.length, session.game.rules.ko], [24, 'simple'], 'a change of the rules is undone by itself');
  session.judge(DEFAULT_RULES);
  await settled();
  assert.equal(news.filter((what) => what === 'allowed' || what === 'refused-again').length, 2, 'nothing was refused before');
});

test('playing a move before the end of the game removes the later moves, and the page says so', async (context) => {
  const { session, settled, news } = sessionOf(gameOf(EXAMPLE));
  context.after(() => session.close());
  await settled();
  session.goTo(22);
  session.play(at('H8'));
  await until('it is played', () => news.includes('cut'));
  assert.equal(session.length, 23);
  session.undo();
  await settled();
  session.goTo(24);
  session.play(at('A1'));
  await until('it is played', () => news.includes('played') && session.length === 25);
  assert.equal(news.filter((what) => what === 'cut').length, 1, 'at the end of the game nothing is cut');
});

test('a game can restart with the same first colour', async (context) => {
  const { session, settled } = sessionOf({ ...gameOf(EXAMPLE), setup: handicapBoard(9, 2), moves: [['W', 'pass'], ['B', ...at('A1')]] });
  context.after(() => session.close());
  await settled();
  session.restart();
  await settled();
  assert.deepEqual([session.length, session.next, stone(session, 'G7')], [0, 'W', 'B']);
  session.undo();
  assert.equal(session.length, 2);
});

test('setting up starts from the board shown, later moves are kept, and faults are named', async (context) => {
  const { session, settled } = sessionOf(gameOf(EXAMPLE), 20);
  context.after(() => session.close());
  await settled();
  const board = session.board;
  session.beginStroke(at('A1'), 'W');
  session.paint(at('A1'));
  session.paint(at('B2'));
  assert.deepEqual([session.step, stone(session, 'B2')], [0, 'W']);
  await settled();
  assert.equal(session.length, 4);
  session.undo();
  await settled();
  assert.deepEqual([session.board, session.step, session.length], [board, 20, 24]);
  session.begin(9, 0);
  for (const [name, color] of [['A1', 'B'], ['A2', 'W'], ['B1', 'W']]) {
    session.beginStroke(at(name), color);
    session.paint(at(name));
  }
  await until('a fault', () => session.problem);
  assert.deepEqual(session.faults, [at('A1')]);
  assert.equal(session.score, null, 'a board that breaks a rule has no score');
  session.undo();
  await settled();
  assert.deepEqual(session.faults, []);
});

test('handicap stones are set up, and White begins', async (context) => {
  const { session, settled } = sessionOf(gameOf(EXAMPLE));
  context.after(() => session.close());
  session.begin(19, 9);
  await settled();
  assert.deepEqual([session.size, session.next], [19, 'W']);
  session.play([0, 0]);
  await settled();
  assert.deepEqual([session.line.entry(1).color, session.next], ['W', 'B']);
  session.goTo(0);
  assert.equal(session.next, 'W');
});

const COLLECTION = '(;SZ[9]RU[Japanese];B[aa](;W[bb])(;W[cc]))(;SZ[5]RU[NZ];B[cc];W[cc];B[];W[])';

test('a record can be opened and continued, and its game and rules can be changed', async (context) => {
  const { session, settled, news } = sessionOf(gameOf(EXAMPLE));
  context.after(() => session.close());
  await settled();
  await session.open(recordOf(new Blob([COLLECTION])));
  assert.deepEqual([session.record.games, session.choices.length, session.game.rules, session.step], [2, 0, { ko: 'simple', suicide: false, scoring: 'territory' }, 2]);
  await session.open({ ...session.record, game: 2 });
  assert.deepEqual([session.size, session.length, session.refused, session.line.misses.length], [5, 4, null, 1]);
  assert.deepEqual(session.game.rules, { ko: 'situational', suicide: true });
  await session.judge({ ko: 'none', suicide: false });
  assert.deepEqual([session.record.chosen, session.game.rules.ko, session.step], [{ ko: 'none', suicide: false }, 'none', 4]);
  await session.judgeAsRecorded();
  assert.deepEqual([session.record.chosen, session.game.rules.ko], [{}, 'situational']);
  session.play([0, 0]);
  await settled();
  assert.deepEqual([session.record.game, session.length, textOfRecord(session.record)], [2, 5, COLLECTION.replace(/\)$/, ';B[aa])')]);
  assert.ok(!news.includes('kept'), 'it is no variation');
  session.undo();
  assert.deepEqual([session.record.game, session.length, session.stale, textOfRecord(session.record)], [2, 4, false, COLLECTION]);
});

test('the refused moves of variations are known, and the line of each can be shown', async (context) => {
  const { session, settled } = sessionOf(gameOf(EXAMPLE));
  context.after(() => session.close());
  await settled();
  const text = '(;SZ[5]RU[NZ];B[aa](;W[aa];B[bb])(;W[bb];B[cc](;W[cc];B[dd])(;W[dd]B[dd])))';
  await session.open(recordOf(text));
  const whole = session.missesInVariations;
  assert.deepEqual(whole.map(({ move, name, column }) => [move, name, column]), [[4, 'C3', 51], [5, 'D2', 70]]);
  assert.deepEqual(session.line.misses.map(({ move }) => move), [2]);
  await session.judge({ ko: 'none', suicide: true });
  session.showVariation(whole[1]);
  await settled();
  assert.deepEqual([session.step, session.refused.name, session.game.rules.ko, session.missesInVariations], [5, 'D2', 'none', whole]);
  session.showVariation(whole[0]);
  await settled();
  assert.deepEqual([session.step, session.refused.name, session.length], [4, 'C3', 5]);
  await session.open(recordOf('(;SZ[5];B[aa](;W[bb])(;W[zz]))')); // what is wrong in a variation does not keep the main line from being shown
  assert.deepEqual([session.unread, session.length, session.missesInVariations], [null, 2, []]);
});

test('a record that cannot be read changes nothing', async (context) => {
  const { session, settled } = sessionOf(gameOf(EXAMPLE));
  context.after(() => session.close());
  await settled();
  await session.open(recordOf('(;SZ[9];B[zz])'));
  assert.equal(session.unread.problem.errors[0].column, 11);
  assert.deepEqual([session.length, session.record, session.stale], [24, null, false]);
});

test('in a record that sets up stones partway through, moves can be added', async (context) => {
  const { session, settled } = sessionOf(gameOf(EXAMPLE));
  context.after(() => session.close());
  const text = '(;SZ[9];B[aa];AW[bb][cc]C[x];W[dd];B[ee])';
  await session.open(recordOf(text));
  assert.deepEqual([1, 2, 3].map((step) => session.line.entry(step).changed), [true, false, false]);
  session.goTo(2);
  session.play([8, 8]);
  await settled();
  assert.deepEqual([session.board[8][8], session.board[1][1], session.length], ['B', 'W', 3]);
  assert.equal(textOfRecord(session.record), '(;SZ[9];B[aa];AW[bb][cc]C[x];W[dd]\n(;B[ee])\n(;B[ii]))');
});

test('for a game with too many moves for `boards`, only the end is shown', async (context) => {
  const moves = Array.from({ length: 3001 }, (_, move) => [move % 2 === 0 ? 'B' : 'W', 'pass']);
  const { session, settled } = sessionOf({ ...gameOf(EXAMPLE), moves });
  context.after(() => session.close());
  await settled();
  session.goTo(100);
  assert.equal(session.step, 3001);
  session.play(at('E5'));
  await settled();
  assert.deepEqual([session.length, stone(session, 'E5')], [3002, 'W']);
  session.play(at('E5'));
  await until('an answer', () => session.refusal);
  assert.equal(session.length, 3002);
});
