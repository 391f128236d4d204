// What Arbiter prints, it accepts. Random requests are sent to each route; every board, point, move, miss, click and `case` in the
// answers is sent back wherever it may stand, in each form that a request can have. The answers must agree: the same board has the
// same verdict, a winning click wins, and a `case` sent back is answered byte for byte as before.
//
// ARBITER_SEED    the seed of all random choices (each test prints it)
// ARBITER_ROUNDS  the number of random requests of each route (default 40)

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { run, withArbiter } from '../server/arbiter.mjs';
import { below, goMoves, linkTo, mineBoard, mineList, pawnBoard, pick, randomFrom } from '../server/bodies.mjs';
import { connect } from '../server/client.mjs';

const SEED = Number(process.env.ARBITER_SEED ?? 20240229);
const ROUNDS = Number(process.env.ARBITER_ROUNDS ?? 40);
const JSON_TYPES = ['application/json', 'application/octet-stream', 'application/x-www-form-urlencoded', null];
const DRAWING_TYPES = ['text/plain', ...JSON_TYPES];

const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const chance = (random, share) => random() < share;
const some = (random, list) => list.filter(() => chance(random, 0.5));
const omit = (object, ...names) => Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
const typed = (type) => (type === null ? {} : { 'Content-Type': type });

// --- sending

class Route {
  constructor(connection, path, random) {
    this.connection = connection;
    this.path = path;
    this.random = random;
  }

  // The body of the answer to a request, which must be 200.
  async #text(request) {
    this.connection.send(request);
    const answer = await this.connection.answer();
    assert.equal(answer.status, 200, `${JSON.stringify(request)}\n${answer}`);
    return answer.text();
  }

  post(body, type = pick(this.random, JSON_TYPES)) {
    return this.#text({ method: 'POST', target: this.path, headers: typed(type), body });
  }

  postCase(theCase) {
    return this.post(JSON.stringify(theCase));
  }

  async ask(theCase) {
    return JSON.parse(await this.postCase(theCase));
  }

  // All of these bodies have the same answer, which is returned.
  async alike(bodies) {
    const [first, ...rest] = bodies;
    const answer = await this.post(first);
    for (const body of rest) assert.equal(await this.post(body), answer, `${first}\n${body}`);
    return JSON.parse(answer);
  }

  // The same for cases.
  alikeCases(cases) {
    return this.alike(cases.map((theCase) => JSON.stringify(theCase)));
  }

  // These cases, whose answers are known, have them in links, in batches of every form, and in a stream.
  async everywhere(cases, answers) {
    const texts = cases.map((theCase) => JSON.stringify(theCase));
    const results = `{"results":[${answers.map((answer) => answer.trimEnd()).join(',')}]}\n`;
    for (const [index, text] of texts.entries()) assert.equal(await this.#text({ target: linkTo(this.path, text) }), answers[index], text);
    assert.equal(await this.post(`{"cases":[${texts}]}`), results);
    assert.equal(await this.post(`[${texts}]`), results);
    assert.equal(await this.post(`\ufeff\n[${texts.join('\r\n,')}]`, 'text/plain'), results);
    assert.equal(await this.post(texts.join('\n'), 'application/x-ndjson'), answers.join(''));
    assert.equal((await run(['solve', this.path.slice(1)], { input: texts.join('\n') })).stdout, answers.join(''));
    const [alone] = answers;
    assert.equal((await run(['solve', this.path.slice(1), '--case', texts[0]])).stdout, alone);
  }

  // The `case` of an answer is answered in the same way, byte for byte, by itself and everywhere else.
  async returnCases(answers) {
    const cases = answers.map((answer) => JSON.parse(answer).case);
    for (const [index, theCase] of cases.entries()) assert.equal(await this.postCase(theCase), answers[index]);
    await this.everywhere(cases, answers);
  }

  // What `cases` are answered if these members stand beside them. `case` of each answer then has the members, and can stand alone.
  async withDefaults(cases, defaults) {
    const before = chance(this.random, 0.5) ? { ...defaults, cases } : { cases, ...defaults };
    const text = await this.postCase(before);
    const { results } = JSON.parse(text);
    assert.equal(`{"results":[${results.map((result) => JSON.stringify(result))}]}\n`, text);
    for (const [index, result] of results.entries()) {
      assert.deepEqual(result.case, { ...cases[index], ...omit(defaults, ...Object.keys(cases[index])) });
      assert.equal(await this.postCase(result.case), `${JSON.stringify(result)}\n`);
    }
  }

  // Boards as drawings: the answers of a batch of them, with the program's `--include` those with these parts.
  async drawn(boards, include) {
    const end = pick(this.random, ['\n', '\r\n', ' \n']);
    const drawing = boards.map((board) => board.join(end)).join(end + pick(this.random, [end, ` ${end}\t${end}`]));
    const cases = boards.map((board) => ({ board }));
    const results = JSON.parse(await this.postCase({ cases }));
    const type = pick(this.random, DRAWING_TYPES);
    assert.deepEqual(JSON.parse(await this.post(drawing + pick(this.random, ['', end, end + end]), type)), results, drawing);
    const { stdout } = await run(['solve', this.path.slice(1), '--include', include.join(), '--to', 'ndjson'], { input: drawing });
    for (const [index, line] of stdout.trimEnd().split('\n').entries()) {
      assert.deepEqual(await this.ask({ board: boards[index], include: include.filter((part) => part !== 'case') }), omit(JSON.parse(line), 'case'));
      assert.equal(await this.postCase(JSON.parse(line).case), `${line}\n`);
    }
  }
}

// The ways to write the rows of a board as JSON.
const writings = (rows) => [rows, rows.join('\n'), `${rows.join('\n')}\n`, rows.join('\r\n')];

// Runs a test of a route with a connection and a generator of its own.
function roundTrip(path, name, body) {
  test(name, (t) => withArbiter([], async (arbiter) => {
    t.diagnostic(`seed ${SEED}, ${ROUNDS} requests`);
    const connection = await connect(arbiter.port);
    const random = randomFrom(SEED);
    await body(new Route(connection, path, random), random);
    connection.close();
  }));
}

// --- the crossing pawn

const OTHER = { Red: 'Black', Black: 'Red' };
const PAWN_TURNS = { Red: ['Red', 'red', 'RED', 'R', 'r'], Black: ['Black', 'black', 'B', 'b'] };

// The verdict of a position that is this many moves later.
const later = ({ verdict, steps }, moves) => ({ verdict, steps: steps === null ? null : steps - moves });

function afterMove(board, { from, to }) {
  const cells = board.map((row) => [...row]);
  cells[to[0]][to[1]] = cells[from[0]][from[1]];
  cells[from[0]][from[1]] = '.';
  return cells.map((row) => row.join(''));
}

// Sends a board back in every form.
async function askPawn(route, board, turn) {
  const boards = [...writings(board), ...writings(board.map((row) => row.toLowerCase()))];
  const cases = boards.map((one) => ({ board: one, turn: pick(route.random, PAWN_TURNS[turn]) }));
  if (turn === 'Red') cases.push({ board }, board, board.join('\n'));
  return route.alikeCases(cases);
}

roundTrip('/pawn', 'boards and moves of /pawn can be sent back, and have the same verdict', async (route, random) => {
  const answers = [], drawings = [];
  for (let round = 0; round < ROUNDS; round++) {
    const turn = pick(random, ['Red', 'Black']);
    const board = pawnBoard(random, 2 + below(random, 4), 1 + below(random, 5), 0.15);
    const theCase = { board, turn, include: ['moves', 'line', 'boards', 'case'], ...(chance(random, 0.5) && { id: round }) };
    const answer = await route.ask(theCase);
    const { moves, line, boards, reason } = answer;
    assert.deepEqual(answer.case, theCase);
    assert.deepEqual(boards[0], board);
    assert.equal(boards.length, line.length + 1);

    const visited = boards.slice(0, 12);
    for (const [index, one] of visited.entries()) {
      if (index > 0) assert.deepEqual(one, afterMove(boards[index - 1], line[index - 1]));
      const got = await askPawn(route, one, index % 2 === 0 ? turn : OTHER[turn]);
      assert.deepEqual(got, later(answer, index), JSON.stringify({ theCase, index }));
    }
    if (answer.steps !== null) {
      const last = await route.ask({
        board: boards.at(-1), turn: line.length % 2 === 0 ? turn : OTHER[turn], include: ['moves', 'line', 'boards'],
      });
      assert.deepEqual(last, { verdict: answer.verdict, steps: 0, moves: [], line: [], reason, boards: [boards.at(-1)] });
    }
    for (const move of moves) {
      const got = await askPawn(route, afterMove(board, move), OTHER[turn]);
      assert.deepEqual(got, later(move, 1), JSON.stringify({ theCase, move }));
    }
    answers.push(await route.postCase({ ...theCase, include: [...some(random, ['moves', 'line', 'boards']), 'case'] }));
    drawings.push(boards.at(-1));
  }
  await route.returnCases(answers);
  await route.withDefaults(drawings.map((board, index) => ({ board, ...(index % 3 === 0 && { turn: 'Red' }), id: `board ${index}` })),
    { turn: 'b', include: ['case', 'line'] });
  await route.drawn(drawings, ['line', 'case']);
});

// --- Go

const COLORS = { B: ['B', 'b', 'Black', 'black'], W: ['W', 'w', 'White', 'WHITE'] };
const LETTERS = 'ABCDEFGHJKLMNOPQRST';
const nameOf = ([row, col], size) => `${LETTERS[col]}${size - row}`;

// The ways to write a move: an array of three, as requests had it in 1.0, comes first.
function moveWritings(random, { color, at, name }) {
  const word = pick(random, COLORS[color]);
  return [
    [color, ...at], [word, name], [word, name.toLowerCase()], `${word} ${name}`, { color: word, at }, { name, color },
    { color, at, name },
  ];
}

// Replays a list of moves in every form. With no word about colours they alternate; they do here if `alternates`.
async function replay(route, theCase, moves, alternates = false) {
  const rows = moves.map((move) => moveWritings(route.random, move));
  const lists = [...times(rows[0]?.length ?? 1, (form) => rows.map((row) => row[form])), rows.map((row) => pick(route.random, row))];
  if (alternates) lists.push(moves.map(({ at }) => at), moves.map(({ name }) => name), moves.map(({ at, name }) => ({ at, name })));
  return route.alikeCases(lists.map((list) => ({ ...theCase, moves: list })));
}

// What a referee says about a position: chains' stones and points with nobody's stones can be sent back as dead or in seki, legal points as
// moves, and repetitions as the moves they were.
async function referee(route, { board, ...game }) {
  const { size, rules } = game;
  const include = ['legal', 'chains', 'score', 'territory', 'alive'];
  const { legal, chains, score, territory } = await route.ask({ ...game, include });
  const points = legal.board.flatMap((row, r) => [...row].map((mark, c) => ({ at: [r, c], name: nameOf([r, c], size), mark })));
  assert.equal(points.filter(({ mark }) => mark === '.').length, legal.count);
  for (const [r, row] of legal.board.entries()) assert.equal(row.replace(/[23]/g, '.'), board[r]);
  for (const { at, name, mark } of some(route.random, points).slice(0, 5)) {
    const move = pick(route.random, moveWritings(route.random, { color: legal.color, at, name }));
    const { misses } = await route.ask({ ...game, moves: [...game.moves, move] });
    const miss = misses.find((one) => one.move === game.moves.length + 1);
    assert.equal(miss === undefined ? '.' : `${miss.code}`, { B: '1', W: '1' }[mark] ?? mark);
  }

  // With all chains dead, the board is neutral. Each stone stands for its chain.
  const written = ({ color, stones }, form) => stones.map((at) => moveWritings(route.random, { color, at, name: nameOf(at, size) })[form]);
  const stones = chains.map((chain, index) => written(chain, index % 7));
  const all = await route.alikeCases([stones.flat(), stones.map((list) => pick(route.random, list)), chains.flatMap((chain) => chain.stones)]
    .map((dead) => ({ ...game, dead, include })));
  assert.equal(all.score.neutral, size * size);
  assert.deepEqual(all.legal, legal);
  const dead = chains.reduce((sum, chain) => ({ ...sum, [chain.color]: sum[chain.color] + chain.stones.length }), { B: 0, W: 0 });
  assert.deepEqual(all.score.dead, dead);

  // With all owned regions in seki, only living stones count.
  const seki = points.filter(({ at: [r, c] }) => /[bw]/.test(territory[r][c])).map(({ at, name }) => pick(route.random, [at, name]));
  const none = await route.ask({ ...game, seki, include });
  assert.equal(none.score.B + none.score.W + none.score.neutral, size * size);
  assert.deepEqual(none.territory, board);
  assert.equal(none.score.neutral, score.neutral + seki.length);

  // Repetitions are the moves that they were.
  const reported = await route.ask({ ...game, rules: { ...rules, repetition: 'report' } });
  for (const { move, color, at } of reported.repetitions) assert.deepEqual(game.moves[move - 1], [color, ...at]);
  const again = game.moves.map((move, index) => reported.repetitions.find((one) => one.move === index + 1) ?? move);
  assert.deepEqual(await route.ask({ ...game, moves: again, rules: reported.rules }), { ...reported, rules: { ...reported.rules, source: 'request' } });
}

roundTrip('/go', 'boards, misses and stones of /go can be sent back, and are the same', async (route, random) => {
  const answers = [];
  for (let round = 0; round < ROUNDS; round++) {
    const size = 1 + below(random, chance(random, 0.8) ? 6 : 19);
    const suicide = chance(random, 0.5);
    const rules = { ko: pick(random, ['positional', 'situational', 'simple', 'none']), suicide };
    const list = goMoves(random, below(random, Math.min(3 * size * size, 150)), size);
    const moves = list.map(([color, ...at]) => ({ color, at, name: nameOf(at, size) }));
    const theCase = { size, rules, include: ['captured', 'boards', 'score', 'case'] };
    const { misses, board, captured, boards, score, played, rules: given } = await route.ask({ ...theCase, moves: list });
    assert.equal(played, moves.length - misses.length);
    assert.deepEqual(boards.at(-1), board);
    const replayed = await replay(route, { size, rules }, moves, true);
    assert.deepEqual({ misses: replayed.misses, board: replayed.board }, { misses, board });

    // A board is the set-up of the rest of the game, and its rules, which are then those of the request, stay the same.
    for (const setup of writings(board)) {
      const empty = await route.ask({ setup, moves: [], rules: given, include: ['score'], ...(chance(random, 0.5) && { size }) });
      assert.deepEqual(empty, { misses: [], board, played: 0, prisoners: { B: 0, W: 0 }, rules: given, score });
    }
    await referee(route, { size, rules, moves: list, board });
    const missed = new Map(misses.map((miss) => [miss.move, miss]));
    for (const number of new Set(times(Math.min(moves.length, 8), () => 1 + below(random, moves.length)))) {
      const miss = missed.get(number);
      const setup = pick(random, writings(boards[number - 1]));
      const got = await replay(route, { setup, rules: { ko: 'none', suicide } }, [moves[number - 1]]);
      if (miss === undefined) assert.deepEqual(got.board, boards[number]);
      else if (miss.reason !== 'repetition') assert.deepEqual(got.misses, [{ ...miss, move: 1 }]);
    }

    // Misses are moves as they are.
    for (const miss of misses) assert.deepEqual(omit(miss, 'code', 'reason', 'repeats'), { move: miss.move, ...moves[miss.move - 1] });
    const plain = misses.map(({ color, at }) => [color, ...at]);
    await route.alikeCases([{ size, rules, moves: plain }, { size, rules, moves: misses }]);

    // Captured stones stood on the board before the move, and a move there is a miss.
    for (const { move, stones } of captured) {
      const { color } = moves[move - 1];
      const points = stones.map((at) => ({ color, at, name: nameOf(at, size) }));
      const occupied = points.map((point, index) => ({ move: index + 1, ...point, code: 1, reason: 'occupied' }));
      const setup = pick(random, writings(boards[move - 1]));
      const asked = occupied.filter(({ at }) => !(at[0] === moves[move - 1].at[0] && at[1] === moves[move - 1].at[1]));
      const got = await replay(route, { setup }, asked);
      assert.deepEqual(got.misses, asked.map((miss, index) => ({ ...miss, move: index + 1 })));
    }
    answers.push(await route.postCase({ ...theCase, moves: moves.map((move) => pick(random, moveWritings(random, move))) }));
  }
  await route.returnCases(answers);
  const boards = answers.map((answer) => JSON.parse(answer).board);
  await route.withDefaults(boards.map((setup, index) => ({ setup: pick(random, writings(setup)), moves: [[0, 0], 'pass', { name: 'A1' }], id: index })),
    { rules: { ko: 'simple' }, include: ['boards', 'case'] });
});

// --- two-player Minesweeper

roundTrip('/mine', 'boards and clicks of /mine can be sent back, and winning clicks win', async (route, random) => {
  const answers = [], boards = [];
  for (let round = 0; round < ROUNDS; round++) {
    const plain = mineBoard(random, 1 + below(random, 7), 1 + below(random, 9), pick(random, [0.05, 0.15, 0.3]));
    const include = ['wins', 'clusters', 'board', 'face', 'case'];
    const theCase = { ...(chance(random, 0.5) ? { board: plain } : mineList(plain)), include };
    const clicks = [];
    for (let turn = 0; turn < 4; turn++) {
      const answer = await route.ask({ ...theCase, clicks });
      const { case: _, ...rest } = answer;
      const { board, wins, nimber, face, clusters, lone_numbers: lone } = answer;
      assert.equal(answer.wins_total, wins.length);
      assert.equal(answer.verdict === answer.turn, nimber !== 0);
      assert.equal(wins.length === 0, nimber === 0);

      // Its digits may stay, or some of them.
      const partly = board.map((row) => row.replace(/\d/g, (digit) => (chance(random, 0.5) ? digit : '.')));
      const cases = [...writings(board), partly, plain].map((one) => ({ board: one, clicks, include: include.slice(0, 4) }));
      assert.deepEqual(await route.alikeCases(cases), rest);

      // The clusters explain the nimber, and each begins with an opening, which is one click.
      assert.equal(answer.clusters_total, clusters.length);
      assert.equal(clusters.reduce((total, cluster) => total ^ cluster.nimber, lone % 2), nimber, JSON.stringify(answer));
      assert.equal(clusters.reduce((total, cluster) => total + cluster.openings, 0), answer.openings);
      assert.equal(lone, answer.three_bv - answer.openings);
      for (const { at } of clusters) {
        const after = await route.ask({ board, clicks: [...clicks, at], include: ['clusters'] });
        assert.deepEqual([after.openings, after.lone_numbers], [answer.openings - 1, lone]);
      }

      for (const win of wins) {
        const after = await route.ask({ board, clicks: [...clicks, win] });
        assert.deepEqual({ nimber: after.nimber, verdict: after.verdict }, { nimber: 0, verdict: answer.turn }, JSON.stringify({ board, win }));
      }
      if (clicks.length === 0) {
        const alone = await route.alikeCases([{ board }, board, board.join('\n'), { board, clicks: [] }]);
        assert.equal(alone.nimber, nimber);
        boards.push(board);
        if (wins.length !== 0) assert.equal((await route.ask({ ...theCase, clicks: wins.slice(0, 1) })).nimber, 0);
      }
      answers.push(await route.postCase({ ...theCase, clicks, include: [...some(random, include.slice(0, 4)), 'case'] }));
      const closed = face.flatMap((row, r) => [...row].flatMap((cell, c) => (cell === '#' && board[r][c] !== '*' ? [[r, c]] : [])));
      if (closed.length === 0) break;
      clicks.push(wins.length !== 0 && chance(random, 0.5) ? pick(random, wins) : pick(random, closed));
    }
  }
  await route.returnCases(answers);
  await route.withDefaults(boards.map((board, id) => ({ board, id, ...(id % 4 === 0 && { include: ['case', 'face'] }) })),
    { states: 5000, include: ['wins', 'case'] });
  // A drawing cannot begin with a row of digits only, because contest format begins with a number.
  await route.drawn(boards.filter(([row]) => /[.*]/.test(row)), ['wins', 'board', 'case']);
});
