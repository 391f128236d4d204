// The crossing pawn page without a browser: boards, records, links, results from the service, random boards, and the list of the
// longest wins. Everything that the page says about a game is compared with the program.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Arbiter } from '../../web/arbiter.js';
import { BadLink } from '../../web/page/link.js';
import { cleared, columns, moved, resized, rowsOf, withCell } from '../../web/pawn/board.js';
import { AT_ONCE, candidate, draw, fitness, MOST_TIMES } from '../../web/pawn/random.js';
import { readState, writeState } from '../../web/pawn/link.js';
import { LONGEST } from '../../web/pawn/longest.js';
import { cellName, columnName } from '../../web/page/grid.js';
import { moveName } from '../../web/pawn/words.js';
import {
  begun, ending, judged, keyOf, MOST_MOVES, playable, played, positions, recordAt, seenBefore, shownPosition,
} from '../../web/pawn/record.js';
import { Session } from '../../web/pawn/session.js';
import { Service } from '../../web/page/service.js';
import { setAnswers } from '../../web/page/values.js';
import { start } from '../server/arbiter.mjs';
import { randomFrom } from '../server/bodies.mjs';
import { until } from '../server/client.mjs';

let program;
let arbiter;
before(async () => {
  program = await start();
  arbiter = new Arbiter(`http://127.0.0.1:${program.port}`);
});
after(() => program.stop());

const BOARD = ['#..O..', '....#.', '.O#...', '..#...', '#....X', '......'];
const FIRST = { record: begun(BOARD, 'Red'), mode: 'play', side: 'Red', analysis: true };

/** Stores the answers for positions, with all members that the program can include. */
class Known {
  #answers = new Map();
  result = (position) => this.#answers.get(keyOf(position));

  async ask(list) {
    const asked = list.filter((position) => !this.result(position));
    const questions = asked.map((position) => ({ ...position, include: ['moves', 'line'] }));
    if (asked.length === 0) return list.map(this.result);
    let index = 0;
    for await (const answer of arbiter.stream('pawn', questions)) {
      if (!answer.problem) this.#answers.set(keyOf(asked[index]), answer);
      index += 1;
    }
    return list.map(this.result);
  }
}

/** A session that is closed after the test. `act` does something, and waits for the answer and for the program's move. */
async function sessionOf(context, first = FIRST) {
  const session = new Session({ service: new Service(() => {}, arbiter) }, first);
  context.after(() => session.close());
  const act = async (doing = () => {}) => {
    doing();
    await until('it is answered', () => session.asking === 'idle' && !session.stale && !session.reply);
  };
  await act();
  return { session, act };
}

test('a board can be painted, resized and read', () => {
  assert.deepEqual(withCell(['..', '..'], [1, 0], '#'), ['..', '#.']);
  assert.deepEqual(withCell(['..', '.'], [1, 2], 'X'), ['..', '..X'], 'a short row is filled up');
  assert.deepEqual(moved(['O..', '..X'], { from: [0, 0], to: [0, 1] }), ['.O.', '..X']);
  assert.deepEqual(moved(['...', '.OX'], { from: [1, 1], to: [1, 2] }), ['...', '..O'], 'the piece there is removed');
  assert.deepEqual(resized(['O.', '.X'], 3, 3), ['O..', '.X.', '...']);
  assert.deepEqual(resized(['O.', '.X'], 2, 1), ['O', '.']);
  assert.deepEqual(cleared(['O#', 'X']), ['..', '..']);
  assert.deepEqual(rowsOf(' O.O\n\t.X.\r\n'), ['O.O', '.X.']);
  assert.equal(columns(['.', '...', '..']), 3);
});

test('cells and moves have names', () => {
  assert.deepEqual([0, 25, 26, 255].map(columnName), ['a', 'z', 'aa', 'iv']);
  assert.equal(cellName([0, 1]), 'b1');
  assert.equal(moveName(['.O', '.X'], { from: [0, 1], to: [0, 0] }), 'b1–a1');
  assert.equal(moveName(['.O', '.X'], { from: [0, 1], to: [1, 1] }), 'b1×b2');
});

test('a record can be played, stepped through, and continued elsewhere', () => {
  const a = { from: [2, 1], to: [1, 1] }, b = { from: [4, 5], to: [3, 5] }, c = { from: [1, 1], to: [2, 1] };
  const record = played(begun(BOARD, 'Red'), [a, b, c]);
  assert.equal(record.at, 1);
  assert.deepEqual(positions(record).map(({ turn }) => turn), ['Red', 'Black', 'Red', 'Black']);
  assert.equal(shownPosition(recordAt(record, 2)).board[3], '..#..X');
  assert.equal(recordAt(record, 9).at, 3);
  assert.deepEqual(played(record, [c]).moves, [a, c], 'the moves after it are removed');
  assert.deepEqual(record.moves, [a, b, c], 'a record is never changed');
});

test('a record drops its oldest moves without changing what it shows', () => {
  const there = { from: [0, 3], to: [0, 4] }, back = { from: [0, 4], to: [0, 3] };
  const up = { from: [4, 5], to: [4, 4] }, down = { from: [4, 4], to: [4, 5] };
  let record = begun(BOARD, 'Red');
  for (let round = 0; round < MOST_MOVES / 4 + 1; round += 1) {
    for (const move of [there, up, back, down]) record = played(record, [move]);
  }
  assert.equal(record.moves.length, MOST_MOVES);
  assert.equal(record.at, MOST_MOVES);
  assert.deepEqual(shownPosition(record), { board: BOARD, turn: 'Red' });
  assert.ok(seenBefore(record) >= 0);
  assert.equal(seenBefore(recordAt(record, 1)), -1);
});

test('a link contains the state shown', () => {
  const record = recordAt(played(begun(BOARD, 'Red'), [{ from: [2, 1], to: [1, 1] }, { from: [4, 5], to: [3, 5] }]), 1);
  const first = { record, mode: 'play', side: 'Black', analysis: false };
  assert.deepEqual(readState(JSON.parse(JSON.stringify(writeState(first)))), first);
});

test('a case in the format of the API is shown', () => {
  const question = { id: 7, board: ['O.O', '.X.'], turn: 'Black', include: ['boards'] };
  const { record, side } = readState({ question });
  assert.deepEqual([record.board, record.turn, side], [['O.O', '.X.'], 'Black', 'both']);
  const wrong = readState({ question: { board: ['O?', 'abc'] } }).record;
  assert.deepEqual(wrong.board, ['O?', 'abc'], 'the service reports faults');
});

test('a link of any other kind is refused', () => {
  const good = writeState(FIRST);
  const bad = [
    {}, { question: null }, { question: {} }, { question: { board: ['O.O'], turn: 'red' } },
    ...['O.O', [], [''], [1], ['.'.repeat(1025)]].map((board) => ({ question: { board } })),
    ...['board', 'turn', 'moves', 'at', 'mode', 'plays', 'values'].flatMap((name) =>
      [undefined, null, 7.5, -1, 'x', [], {}].map((value) => ({ ...good, [name]: value }))),
    { ...good, at: 1 }, { ...good, moves: '0203010' }, { ...good, moves: '02030600' }, { ...good, moves: '06030103' },
    { ...good, moves: '02030106' }, { ...good, moves: '02010101'.repeat(MOST_MOVES + 1) },
    { ...good, board: Array(300).fill('....') },
  ];
  for (const state of bad) assert.throws(() => readState(state), BadLink, JSON.stringify(state)?.slice(0, 100));
});

test('a move is judged by the answer for the position before it', () => {
  const moves = [['Red', 3], ['Red', 5], ['Tie', null], ['Black', 4]].map(([verdict, steps], at) =>
    ({ from: [0, 0], to: [0, at], verdict, steps }));
  const of = (index, mover, verdict = moves[0].verdict, steps = moves[0].steps) =>
    judged({ verdict, steps, moves }, moves[index], mover);
  assert.deepEqual([0, 1, 2, 3].map((index) => of(index, 'Red')), ['best', 'slower', 'win-lost', 'win-lost']);
  assert.equal(of(3, 'Red', 'Tie', null), 'tie-lost');
  assert.equal(of(3, 'Red', 'Black', 6), 'sooner');
});

test('a game is over when the service says so, and its end follows from the board', async () => {
  const random = randomFrom(3), known = new Known();
  const side = () => 2 + Math.floor(random() * 3);
  const all = Array.from({ length: 600 }, () => candidate(side(), side(), 'any', random));
  const seen = { 'first-row': 0, capture: 0, 'no-move': 0 };
  const answers = await known.ask(all);
  answers.forEach((answer, at) => {
    if (answer.steps !== 1) return;
    const end = ending(played(begun(all[at].board, all[at].turn), [answer.line[0]]), known.result);
    assert.deepEqual(end, { winner: answer.verdict, reason: answer.reason }, JSON.stringify(all[at]));
    seen[answer.reason] += 1;
  });
  assert.ok(Object.values(seen).every((count) => count >= 5), JSON.stringify(seen));
  const stuck = begun(['O.O', '##.', 'X#.'], 'Black');
  await known.ask([shownPosition(stuck)]);
  const end = ending(stuck, known.result);
  assert.deepEqual(end, { winner: 'Red', reason: 'no-move' }, 'it is over before the first move');
});

test('a link with an impossible move is played up to that move', async () => {
  const known = new Known();
  const moves = [{ from: [2, 1], to: [1, 1] }, { from: [4, 5], to: [5, 5] }, { from: [1, 1], to: [2, 1] }];
  const record = played(begun(BOARD, 'Red'), moves, 3);
  await known.ask(positions(record));
  assert.equal(playable(record, known.result), 1, 'the pawn never moves down');
  assert.equal(playable(recordAt({ ...record, moves: record.moves.slice(0, 1) }, 1), known.result), 1);
});

test('the program replies to a move, and both are undone together', async (context) => {
  const { session, act } = await sessionOf(context);
  assert.deepEqual([session.reply, session.record.at], [undefined, 0], 'Red is the reader');
  await act(() => session.play(session.result.moves[0]));
  assert.equal(session.record.at, 2);
  assert.equal(session.position.turn, 'Red');
  await act(() => session.undo());
  assert.equal(session.record.at, 0);
  assert.equal(session.canUndo, false);
  await act(() => session.redo());
  assert.equal(session.record.at, 2);
});

test('a closed session stays silent, and the program does not move until the session is reopened', async (context) => {
  const { session, act } = await sessionOf(context), news = [];
  session.listener = (what) => news.push(what);
  session.play(session.result.moves[0]);
  session.close();
  assert.deepEqual(news, ['act']);
  const other = await sessionOf(context);
  await other.act(() => other.session.play(other.session.result.moves[0])); // it asks the same question, and gets its answer and the reply
  assert.deepEqual([news, session.record.moves.length, session.stale], [['act'], 1, true]);
  session.listener = (what) => news.push(what);
  await act(() => session.reopen());
  assert.deepEqual([session.record.moves.length, session.canUndo], [2, true]);
  assert.ok(news.includes('program'));
});

test('Undo after a new board restores the side that the user played, and Redo restores the new one', async (context) => {
  const { session, act } = await sessionOf(context);
  await act(() => session.play(session.result.moves[0]));
  await act(() => session.beginDrawn({ board: ['O.O', '...', '.X.'], turn: 'Black' }));
  assert.equal(session.side, 'Black');
  await act(() => session.undo());
  assert.deepEqual([session.side, session.record.board, session.record.moves.length], ['Red', BOARD, 2]);
  await act(() => session.redo());
  assert.equal(session.side, 'Black');
  await act(() => session.setSide('both'));
  await act(() => session.play(session.result.moves[0]));
  await act(() => session.undo());
  assert.equal(session.side, 'both', 'a move does not change it');
  await act(() => session.undo());
  assert.equal(session.side, 'Red');
});

test('against best play, a lost game is lost in the predicted number of moves', async (context) => {
  const { session, act } = await sessionOf(context, { ...FIRST, side: 'Black', record: begun(BOARD, 'Red') });
  while (!session.over) {
    assert.equal(session.result.steps, 13 - session.record.at);
    await act(() => session.play(session.result.moves[0]));
  }
  assert.equal(session.record.at, 13);
  assert.deepEqual(session.ending, { winner: 'Red', reason: 'capture' });
  assert.equal(session.result, undefined);
  assert.equal(session.reply, undefined);
});

test('the page shows that a win was thrown away until the next move, even after the program\'s reply', async (context) => {
  const { session, act } = await sessionOf(context);
  await act(() => session.play({ from: [0, 3], to: [0, 2] }));
  assert.equal(session.record.at, 2);
  const { judgement, before, after } = session.lastVerdict;
  assert.equal(judgement, 'win-lost');
  assert.deepEqual([before.verdict, before.steps, after.verdict, after.steps], ['Red', 13, 'Black', 8]);
});

test('the best line can be stepped through, and becomes the record', async (context) => {
  const { session, act } = await sessionOf(context);
  assert.equal(session.track.length, 13);
  await act(() => session.goTo(5));
  assert.deepEqual([session.record.at, session.record.moves.length, session.result.steps], [5, 13, 8]);
  assert.equal(session.reply, undefined, 'the program does not move while the reader looks around');
  await act(() => session.goTo(2));
  assert.equal(session.canMove, true);
  await act(() => session.cutMoves());
  assert.deepEqual([session.record.moves.length, session.track.length], [2, 13]);
  await act(() => session.undo());
  assert.equal(session.record.moves.length, 13);
  await act(() => session.goTo(Infinity));
  assert.deepEqual(session.ending, { winner: 'Red', reason: 'capture' });
  await act(() => session.restart());
  assert.equal(session.record.moves.length, 0);
});

test('answers are hidden until they are shown, and a hint is for one position', async (context) => {
  const { session, act } = await sessionOf(context, { ...FIRST, analysis: false });
  assert.deepEqual([session.shows, session.visible.length], ['nothing', 0]);
  await act(() => session.goTo(1));
  assert.equal(session.record.at, 0, 'no step goes along the best line while it is hidden');
  session.showHint();
  assert.deepEqual([session.shows, session.visible.length], ['hint', 0]);
  await act(() => session.play(session.result.moves.at(-1)));
  assert.deepEqual([session.shows, session.judgementAt(0)], ['nothing', null]);
  setAnswers(session);
  assert.equal(session.shows, 'values');
  assert.equal(session.judgementAt(0).judgement, 'win-lost');
  setAnswers(session);
  assert.equal(session.shows, 'nothing');
});

test('two programs play on from the position shown', async (context) => {
  const { session, act } = await sessionOf(context);
  await act(() => session.play(session.result.moves[1]));
  await act(() => session.goTo(1));
  assert.equal(session.record.moves.length, 2);
  await act(() => session.setSide('none'));
  assert.equal(session.over, true);
  await act(() => session.undo());
  assert.deepEqual([session.record.at, session.record.moves.length], [1, 2], 'one undo reverts their moves');
});

test('two programs stop when positions repeat', async (context) => {
  const tie = moved(BOARD, { from: [2, 1], to: [2, 0] });
  const { session } = await sessionOf(context, { ...FIRST, side: 'none', record: begun(tie, 'Black') });
  assert.equal(session.paused, true);
  assert.equal(session.circling, true);
  assert.equal(session.canResume, true);
  assert.equal(session.result.verdict, 'Tie');
});

test('cells are painted in strokes, pieces are dragged, and a stroke is undone as a whole', async (context) => {
  const { session } = await sessionOf(context, { ...FIRST, mode: 'edit', record: begun(['...', '...', '.X.'], 'Red') });
  const board = () => session.position.board;
  const stroke = (what, first, ...others) => {
    session.setTool(what);
    session.beginStroke(first);
    others.forEach((cell) => session.continueStroke(cell));
    session.endStroke();
  };
  stroke('#', [0, 0], [0, 1]);
  assert.deepEqual(board(), ['##.', '...', '.X.']);
  stroke('O', [1, 1], [1, 2]);
  assert.deepEqual(board(), ['##.', '..O', '.X.'], 'a stroke sets one piece');
  stroke('O', [2, 1], [2, 0], [1, 0]);
  assert.deepEqual(board(), ['##.', 'X.O', '...'], 'the piece there is dragged');
  stroke('#', [1, 1], [1, 2]);
  assert.deepEqual(board(), ['##.', 'X#O', '...'], 'a stroke of blocks leaves pieces alone');
  for (const rows of [['##.', 'X.O', '...'], ['##.', '..O', '.X.'], ['##.', '...', '.X.'], ['...', '...', '.X.']]) {
    session.undo();
    assert.deepEqual(board(), rows);
  }
  session.begin(['...', '...', '.X.'], 'Red');
  assert.equal(session.canRedo, true, 'what changes nothing is nothing that was done');
});

test('with any tool, a drag that starts on a piece moves it, and a click paints over it', async (context) => {
  for (const tool of ['#', '.', 'O', 'X']) {
    const { session } = await sessionOf(context, { ...FIRST, mode: 'edit', record: begun(['O#.', 'O..', '.X.'], 'Red') });
    const board = () => session.position.board;
    session.setTool(tool);
    session.beginStroke([2, 1]);
    assert.deepEqual(board(), ['O#.', 'O..', '.X.'], 'it is not known yet whether it is dragged');
    session.continueStroke([1, 1]);
    session.continueStroke([0, 1]);
    session.continueStroke([0, 2]);
    session.endStroke();
    assert.deepEqual(board(), ['O#X', 'O..', '...'], `dragged with ${tool}`);
    session.beginStroke([1, 0]);
    session.endStroke();
    const expected = { '#': ['O#X', '#..', '...'], '.': ['O#X', '...', '...'], O: ['O#X', 'O..', '...'], X: ['O#.', 'X..', '...'] };
    assert.deepEqual(board(), expected[tool], `clicked with ${tool}`);
  }
});

test('random boards are valid positions, of all sizes', async () => {
  const random = randomFrom(5);
  const sizes = [[2, 2], [2, 16], [16, 2], [6, 6], [16, 16]];
  for (const kind of ['any', 'late', 'escape']) {
    const all = sizes.flatMap(([rows, cols]) => Array.from({ length: 10 }, () => candidate(rows, cols, kind, random)));
    const answers = await arbiter.batch('pawn', all); // the whole batch is refused if any case in it is refused
    assert.equal(answers.length, 50);
  }
});

test('a random board is of the requested kind', async () => {
  const known = new Known();
  for (const kind of ['any', 'late', 'escape']) {
    const { position, tried } = await draw(6, 6, kind, (list) => known.ask(list));
    assert.ok(position, `${kind}: none among ${tried}`);
    const { verdict, steps, moves } = known.result(position);
    const good = moves.filter((move) => move.verdict === verdict).length;
    const right = {
      any: () => moves.length > 0,
      late: () => verdict === 'Red' && steps > 12,
      escape: () => position.turn === 'Black' && verdict !== 'Red' && good === 1 && moves.length > 1 && (steps === null || steps >= 5),
    };
    assert.ok(right[kind](), `${kind}: ${JSON.stringify(position)}`);
  }
});

test('a pawn that reaches the first row with its first move is not an escape', () => {
  const position = { board: ['...', '.X.', 'O.O'], turn: 'Black' };
  const move = (to, verdict, steps) => ({ from: [1, 1], to, verdict, steps });
  const lost = move([1, 0], 'Red', 2);
  for (const [verdict, steps, fits] of [['Black', 1, false], ['Black', 3, false], ['Black', 5, true], ['Tie', null, true]]) {
    const result = { verdict, steps, moves: [move([0, 1], verdict, steps), lost] };
    assert.equal(fitness('escape', position, result) > 0, fits, `${verdict} ${steps}`);
  }
});

test('if no board is suitable, the search gives up', async () => {
  let asked = 0;
  const none = await draw(4, 4, 'escape', async (list) => {
    asked += list.length;
    return list.map(() => ({ verdict: 'Red', steps: 3, moves: [] }));
  });
  assert.deepEqual(none, { position: null, tried: asked });
  assert.equal(asked, AT_ONCE * MOST_TIMES);
  const over = fitness('any', { board: ['O'], turn: 'Red' }, { verdict: 'Red', steps: 0, moves: [] });
  assert.equal(over, 0, 'a finished game is not a puzzle');
});

test('the longest wins are as long as the list says', async () => {
  const answers = await arbiter.batch('pawn', LONGEST.map(({ board, turn }) => ({ board, turn })));
  answers.forEach(({ verdict, steps }, at) => {
    const { board, ...known } = LONGEST[at];
    assert.deepEqual({ verdict, steps, turn: known.turn }, known, board.join('\n'));
  });
  const sizes = LONGEST.map(({ board, verdict }) => `${verdict} ${board.length} ${board[0].length}`);
  assert.equal(new Set(sizes).size, sizes.length, 'one for each size and winner');
});
