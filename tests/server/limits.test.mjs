// Checks that every limit is reported, can be set, and is enforced.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SANITIZED, optionsOf, withArbiter, withStoppedClock } from './arbiter.mjs';
import {
  HARD, JSON_TYPE, KNOWN, REFUSED, TEXT_TYPE, goMoves, linkTo, mineBoard, mineList, mineText, pawnBoard, pawnText,
  randomFrom,
} from './bodies.mjs';
import { chunked, connect, formatRequest, until } from './client.mjs';
import { LIMITS } from './limits.mjs';
import { ONE_LONG_WORKER, beginEndless, fillQueue } from './long_worker.mjs';
import { untilMetrics } from './samples.mjs';

const [EMPTY_FIELD] = KNOWN;

const option = (name) => `--${name.replaceAll('_', '-')}`;
const variable = (name) => `ARBITER_${name.toUpperCase()}`;

function checkProblem(answer, status, slug) {
  assert.equal(answer.status, status, `${answer}`);
  assert.equal(answer.header('content-type'), 'application/problem+json');
  const problem = answer.json();
  assert.equal(problem.type, `/problems/${slug}`);
  assert.equal(problem.status, status);
  if (status === 503) assert.equal(answer.header('retry-after'), '1');
  return problem;
}

/** Checks that the answer reports exactly one fault, with these members. */
function checkFault(answer, expected) {
  const { errors } = checkProblem(answer, 422, 'invalid-case');
  assert.equal(errors.length, 1, `one fault: ${answer}`);
  for (const [name, value] of Object.entries(expected)) {
    if (value instanceof Array) assert.ok(value.includes(errors[0][name]), `${name} of ${JSON.stringify(errors[0])}`);
    else assert.equal(errors[0][name], value, `${name} of ${JSON.stringify(errors[0])}`);
  }
}

function post(arbiter, target, body) {
  const json = typeof body !== 'string';
  return arbiter.ask({ target, headers: json ? JSON_TYPE : TEXT_TYPE, body: json ? JSON.stringify(body) : body });
}

async function checkGood(arbiter, target, body) {
  const answer = await post(arbiter, target, body);
  assert.equal(answer.status, 200, `${target} ${JSON.stringify(body)}: ${answer}`);
  return answer;
}

/** Sends only the head, and calls `use` with the connection. */
async function withHead(arbiter, { target = '/mine', headers }, use) {
  const connection = await connect(arbiter.port);
  try {
    connection.expect('POST');
    await connection.write(formatRequest({ method: 'POST', target, headers: { ...JSON_TYPE, ...headers } }));
    await use(connection);
  } finally {
    connection.close();
  }
}

// --- shown and set -----------------------------------------------------------

test('GET /limits has every limit with its default', async () => {
  await withArbiter([], async (arbiter) => {
    const limits = await arbiter.limits();
    for (const [name, value] of Object.entries(LIMITS)) assert.equal(limits[name], value, name);
    for (const [name, value] of Object.entries(limits)) assert.ok(Number.isSafeInteger(value), `${name} is ${value}`);
  });
});

test('each limit can be set by an option or an environment variable, and the option takes precedence', async () => {
  // A different value for each limit, none above its default.
  const values = Object.fromEntries(Object.keys(LIMITS).map((name, index) => [name, 101 + index]));
  const options = optionsOf(values);
  const env = Object.fromEntries(Object.entries(values).map(([name, value]) => [variable(name), String(value)]));
  const other = Object.fromEntries(Object.keys(LIMITS).map((name) => [variable(name), '77']));
  const checkValues = async (arbiter) => {
    const limits = await arbiter.limits();
    for (const [name, value] of Object.entries(values)) assert.equal(limits[name], value, name);
  };
  await withArbiter(options, checkValues);
  await withArbiter([], checkValues, { env });
  await withArbiter(options, checkValues, { env: other });
});

test('any limit can be set to 1, and the program still answers', async () => {
  for (const name of Object.keys(LIMITS)) {
    await withArbiter([option(name), 1], async (arbiter) => {
      assert.equal((await arbiter.limits())[name], 1);
      const { status } = await arbiter.ask(EMPTY_FIELD.request);
      assert.ok([200, 413, 422, 503].includes(status), `${name}: ${status}`);
      assert.equal((await arbiter.ask({ target: '/livez' })).status, 200);
    });
  }
});

// --- bytes ------------------------------------------------------------------

const paddedBody = (bytes) => `{"board":["."]}${' '.repeat(bytes - 15)}`;

test('a body whose Content-Length exceeds max_body_bytes is refused before it is sent', async () => {
  await withArbiter(['--max-body-bytes', 1000], async (arbiter) => {
    for (const target of ['/mine', '/go', '/pawn']) {
      for (const length of ['1001', '2000', '67108864', '9223372036854775807']) {
        await withHead(arbiter, { target, headers: { 'Content-Length': length } }, async (connection) => {
          checkProblem(await connection.answer(), 413, 'too-large');
        });
      }
    }
    await withHead(arbiter, { headers: { 'Content-Length': '99999999999999999999999' } }, async (connection) => {
      const { status } = await connection.answer();
      assert.ok(status === 400 || status === 413, `a length beyond 64 bits: ${status}`);
    });
    const answer = await arbiter.ask({ target: '/mine', headers: JSON_TYPE, body: paddedBody(1000) });
    assert.equal(answer.status, 200, `exactly the limit: ${answer}`);
    checkProblem(await arbiter.ask({ target: '/mine', headers: JSON_TYPE, body: paddedBody(1001) }), 413, 'too-large');
  });
});

test('a request whose body exceeds max_body_bytes gets no 100 Continue', async () => {
  await withArbiter(['--max-body-bytes', 1000], async (arbiter) => {
    const expecting = (length) => ({ headers: { 'Content-Length': length, Expect: '100-continue' } });
    await withHead(arbiter, expecting(1001), async (connection) => {
      const answer = await connection.answer();
      checkProblem(answer, 413, 'too-large');
      assert.equal(answer.interim.length, 0, 'interim answers');
    });
    await withHead(arbiter, expecting(1000), async (connection) => {
      await connection.continued();
      connection.write(paddedBody(1000));
      assert.equal((await connection.answer()).status, 200);
    });
  });
});

test('a chunked body over the limit is answered 413 when it ends, or cut off once it exceeds twice the limit', async () => {
  await withArbiter(['--max-body-bytes', 1000], async (arbiter) => {
    const inChunks = async (bytes, size) => {
      const connection = await connect(arbiter.port);
      try {
        const headers = { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' };
        connection.send({ target: '/mine', headers, body: chunked(paddedBody(bytes), size) });
        return await connection.answerOrNothing();
      } finally {
        connection.close();
      }
    };
    for (const size of [1, 100, 999, 5000]) {
      assert.equal((await inChunks(1000, size)).status, 200, `1000 bytes in chunks of ${size}`);
      for (const bytes of [1001, 1500, 2000]) checkProblem(await inChunks(bytes, size), 413, 'too-large');
      for (const bytes of [2001, 100_000, 5_000_000]) {
        const answer = await inChunks(bytes, Math.max(size, 100));
        if (answer !== null) checkProblem(answer, 413, 'too-large');
      }
    }
    assert.equal((await arbiter.ask(EMPTY_FIELD.request)).status, 200);
  });
});

test('an endless chunked body is cut off', async () => {
  await withArbiter(['--max-body-bytes', 1000, '--body-timeout', 60], async (arbiter) => {
    const connection = await connect(arbiter.port);
    connection.expect('POST');
    await connection.write(formatRequest({ method: 'POST', target: '/mine', headers: { 'Transfer-Encoding': 'chunked' } }));
    const block = chunked(' '.repeat(10_000)).subarray(0, -5);
    let blocks = 0;
    while (connection.ended === null && blocks < 20_000) {
      await connection.write(block);
      blocks += 1;
    }
    assert.notEqual(connection.ended, null, `still read after ${blocks * 10_000} bytes`);
    const answer = await connection.answerOrNothing();
    if (answer !== null) checkProblem(answer, 413, 'too-large');
    connection.close();
  });
});

test('a request with more than max_json_values JSON values is refused with 413', async () => {
  const field = { rows: 3, cols: 3, mines: [[1, 1]] }; // seven values: object, 3, 3, array, array, 1, 1
  await withArbiter(['--max-json-values', 7], (arbiter) => checkGood(arbiter, '/mine', field));
  await withArbiter(['--max-json-values', 6], async (arbiter) => {
    checkProblem(await post(arbiter, '/mine', field), 413, 'too-large');
    await checkGood(arbiter, '/mine', { board: ['...', '...', '...'] }); // member names do not count
    // A syntax error before the limit is reached is reported as such.
    const broken = { target: '/mine', headers: JSON_TYPE, body: '{"rows":3,,"mines":[1,2,3,4,5,6,7]}' };
    checkProblem(await arbiter.ask(broken), 400, 'malformed');
  });
});

test('ten million small values are refused, and other requests are served in the meantime', async () => {
  await withArbiter([], async (arbiter) => {
    const body = `{"rows":1,"cols":1,"mines":[${'1,'.repeat(9_999_999)}1]}`;
    const refused = arbiter.ask({ target: '/mine', headers: JSON_TYPE, body });
    assert.equal((await arbiter.ask(EMPTY_FIELD.request)).status, 200);
    checkProblem(await refused, 413, 'too-large');
  });
});

test('a request whose answer would exceed max_answer_bytes is refused with 422; an answer of exactly that size is sent', async () => {
  const requests = [
    ['/go', { moves: [['B', 0, 0]] }],
    ['/go', '2\n0\n1\nB 1 1\n'],
    ['/mine', { cases: [{ board: ['...'] }, { board: ['.*.'] }] }],
    ['/mine', '2\n3 3 0\n3 3 1\n1 1\n'],
    ['/pawn', { board: ['OO', 'X.'] }],
  ];
  const sizes = [];
  await withArbiter([], async (arbiter) => {
    for (const [target, body] of requests) sizes.push((await checkGood(arbiter, target, body)).body.length);
  });
  for (const [index, [target, body]] of requests.entries()) {
    await withArbiter(['--max-answer-bytes', sizes[index]], (arbiter) => checkGood(arbiter, target, body));
    await withArbiter(['--max-answer-bytes', sizes[index] - 1], async (arbiter) => {
      checkProblem(await post(arbiter, target, body), 422, 'answer-too-large');
    });
  }
});

test('a link whose answer would exceed max_link_answer_bytes is refused with 422; an answer of exactly that size is sent', async () => {
  const links = [
    ['/go', { moves: [['B', 0, 0]], include: ['boards'] }],
    ['/mine', { board: ['...', '.*.'], include: ['wins', 'board'] }],
    ['/pawn', { board: ['OO', 'X.'], include: ['moves'] }],
  ].flatMap(([path, theCase]) => ['json', 'text', 'svg'].map((format) => linkTo(path, theCase, `&format=${format}`)));
  const sizes = [];
  await withArbiter([], async (arbiter) => {
    for (const target of links) {
      const answer = await arbiter.ask({ target });
      assert.equal(answer.status, 200, `${target}: ${answer}`);
      sizes.push(answer.body.length);
    }
  });
  for (const [index, target] of links.entries()) {
    for (const [name, other] of [['--max-link-answer-bytes', '--max-answer-bytes'], ['--max-answer-bytes', '--max-link-answer-bytes']]) {
      // The smaller of the two limits applies.
      await withArbiter([name, sizes[index], other, sizes[index] + 1], async (arbiter) => {
        const answer = await arbiter.ask({ target });
        assert.equal(answer.status, 200, `${name} ${target}: ${answer}`);
        assert.equal(answer.body.length, sizes[index]);
      });
      await withArbiter([name, sizes[index] - 1, other, sizes[index]], async (arbiter) => {
        checkProblem(await arbiter.ask({ target }), 422, 'answer-too-large');
        checkProblem(await arbiter.ask({ method: 'POST', target, body: '' }), 400, 'malformed');
        assert.equal((await arbiter.ask({ method: 'HEAD', target })).status, 422);
      });
    }
  }
});

test('the answer to a link can have up to 256 KiB, the answer to a POST more', async () => {
  await withArbiter([], async (arbiter) => {
    // A 25 x 25 board takes about 700 bytes: 350 boards are below the limit, 400 above it.
    const game = (moves) => ({ sgf: `(;SZ[25]${';B[]'.repeat(moves)})`, include: ['boards'] });
    const small = await arbiter.ask({ target: linkTo('/go', game(350)) });
    assert.equal(small.status, 200, `${small}`);
    assert.ok(small.body.length > 240_000 && small.body.length <= 256 * 1024, `${small.body.length}`);
    checkProblem(await arbiter.ask({ target: linkTo('/go', game(400)) }), 422, 'answer-too-large');
    const posted = await checkGood(arbiter, '/go', game(400));
    assert.ok(posted.body.length > 256 * 1024, `${posted.body.length}`);
    checkProblem(await arbiter.ask({ target: linkTo('/go', { moves: Array(1000).fill(0) }) }), 422, 'invalid-case');
  });
});

test('the answer to a POST is limited by max_answer_bytes, not by max_link_answer_bytes', async () => {
  await withArbiter(['--max-link-answer-bytes', 1], async (arbiter) => {
    await checkGood(arbiter, '/mine', { board: ['...'] });
    checkProblem(await arbiter.ask({ target: linkTo('/mine', { board: ['...'] }) }), 422, 'answer-too-large');
  });
});

// --- numbers ----------------------------------------------------------------

test('max_cases limits a batch', async () => {
  const field = { board: ['.'] };
  await withArbiter(['--max-cases', 2], async (arbiter) => {
    await checkGood(arbiter, '/mine', { cases: [field, field] });
    checkFault(await post(arbiter, '/mine', { cases: [field, field, field] }), { pointer: '/cases', code: 'length' });
    checkFault(await post(arbiter, '/mine', { cases: [] }), { pointer: '/cases', code: 'length' });
    await checkGood(arbiter, '/go', '2\n0\n0\n');
    checkFault(await post(arbiter, '/go', '3\n0\n0\n0\n'), { line: 1, column: 1, code: 'range' });
    checkFault(await post(arbiter, '/pawn', '0 3\n'), { line: 1, column: 3, code: 'range' });
    checkFault(await post(arbiter, '/mine', '0\n'), { line: 1, column: 1, code: 'range' });
  });
});

test('max_moves limits a game', async () => {
  const stones = goMoves(randomFrom(3), 4);
  await withArbiter(['--max-moves', 3], async (arbiter) => {
    await checkGood(arbiter, '/go', { moves: stones.slice(1) });
    checkFault(await post(arbiter, '/go', { moves: stones }), { pointer: '/moves', code: 'length' });
    const batch = { cases: [{ moves: [] }, { moves: stones }] };
    checkFault(await post(arbiter, '/go', batch), { pointer: '/cases/1/moves', code: 'length' });
    await checkGood(arbiter, '/go', '1\n3\nB 1 1\nB 1 2\nB 1 3\n');
    checkFault(await post(arbiter, '/go', '1\n4\nB 1 1\nB 1 2\nB 1 3\nB 1 4\n'), { line: 2, column: 1, code: 'range' });
  });
});

test('max_moves_total limits all games in a request together', async () => {
  const moves = goMoves(randomFrom(3), 3);
  await withArbiter(['--max-moves-total', 6], async (arbiter) => {
    await checkGood(arbiter, '/go', { cases: [{ moves }, { moves }] });
    const batch = { cases: [{ moves }, { moves }, { moves }, { moves }] };
    checkFault(await post(arbiter, '/go', batch), { pointer: '/cases/2/moves', code: 'range' });
    const text = '3\n3\nB 1 1\nB 1 2\nB 1 3\n3\nB 1 1\nB 1 2\nB 1 3\n1\nB 1 1\n';
    checkFault(await post(arbiter, '/go', text), { line: 10, column: 1, code: 'range' });
  });
});

test('max_pawn_cells limits a board', async () => {
  const board = ['OO.', '...', '...', 'X..'];
  await withArbiter(['--max-pawn-cells', 12], (arbiter) => checkGood(arbiter, '/pawn', { board }));
  await withArbiter(['--max-pawn-cells', 11], async (arbiter) => {
    checkFault(await post(arbiter, '/pawn', { board }), { pointer: '/board', code: 'range' });
    checkFault(await post(arbiter, '/pawn', pawnText([board])), { line: 2, code: 'range' });
  });
  await withArbiter([], async (arbiter) => {
    const wide = (cols) => ['OO'.padEnd(cols, '.'), 'X'.padEnd(cols, '.')];
    await checkGood(arbiter, '/pawn', { board: wide(128) });
    checkFault(await post(arbiter, '/pawn', { board: wide(129) }), { pointer: '/board', code: 'range' });
  });
});

test('max_pawn_cells_total limits all boards in a request together', async () => {
  const board = ['OO', 'X.'];
  await withArbiter(['--max-pawn-cells-total', 8], async (arbiter) => {
    await checkGood(arbiter, '/pawn', { cases: [{ board }, { board }] });
    const batch = { cases: [{ board }, { board }, { board }, { board }] };
    checkFault(await post(arbiter, '/pawn', batch), { pointer: '/cases/2/board', code: 'range' });
    checkFault(await post(arbiter, '/pawn', pawnText([board, board, board])), { line: 8, code: 'range' });
  });
  await withArbiter([], async (arbiter) => {
    const full = { board: pawnBoard(randomFrom(4), 10, 10) };
    const batch = { cases: Array(328).fill(full) };
    checkFault(await post(arbiter, '/pawn', batch), { pointer: '/cases/327/board', code: 'range' });
  });
});

test('max_mine_cells limits a field, and no side can be longer than 1000', async () => {
  await withArbiter(['--max-mine-cells', 12], async (arbiter) => {
    await checkGood(arbiter, '/mine', { rows: 3, cols: 4, mines: [] });
    checkFault(await post(arbiter, '/mine', { rows: 13, cols: 1, mines: [] }), { pointer: '/rows', code: 'range' });
    checkFault(await post(arbiter, '/mine', { board: Array(13).fill('.') }), { pointer: '/board', code: 'range' });
    checkFault(await post(arbiter, '/mine', '1\n13 1 0\n'), { line: 2, code: 'range' });
  });
  await withArbiter([], async (arbiter) => {
    await checkGood(arbiter, '/mine', { rows: 1000, cols: 1000, mines: [] });
    checkFault(await post(arbiter, '/mine', { rows: 1001, cols: 1, mines: [] }), { pointer: '/rows' });
    checkFault(await post(arbiter, '/mine', { rows: 1, cols: 1001, mines: [] }), { pointer: '/cols' });
    checkFault(await post(arbiter, '/mine', { board: Array(1001).fill('.') }), { pointer: '/board' });
    checkFault(await post(arbiter, '/mine', { board: ['.'.repeat(1001)] }), { pointer: ['/board', '/board/0'] });
    checkFault(await post(arbiter, '/mine', '1\n1001 1 0\n'), { line: 2, column: 1, code: 'range' });
    checkFault(await post(arbiter, '/mine', '1\n1 1001 0\n'), { line: 2, column: 3, code: 'range' });
  });
});

test('there can be as many clicks as cells, and `clicks` can come before or after the field', async () => {
  // The mines are so close together that there are no blank cells, so each number needs a click of its own.
  const side = 300, mines = [], numbers = [];
  for (let row = 0; row < side; row++)
    for (let col = 0; col < side; col++) (row % 3 === 1 && col % 3 === 1 ? mines : numbers).push([row, col]);
  const list = { rows: side, cols: side, mines };
  const drawn = { board: Array.from({ length: side }, (_, row) => (row % 3 === 1 ? '.*.' : '...').repeat(side / 3)) };
  const left = numbers.slice(-3), clicks = numbers.slice(0, -3);
  assert.equal(clicks.length, 79_997);
  await withArbiter([], async (arbiter) => {
    for (const field of [list, drawn])
      for (const clicked of [(given) => ({ ...field, clicks: given }), (given) => ({ clicks: given, ...field })]) {
        const answer = await checkGood(arbiter, '/mine', { ...clicked(clicks), include: ['wins'] });
        assert.deepEqual(answer.json(), {
          verdict: 'Fanglaoshi', nimber: 1, openings: 0, three_bv: 3, shared_numbers: 0, turn: 'Fanglaoshi',
          wins: left, wins_total: 3,
        });
        const again = [...clicks, ...left, clicks[7], mines[0]];
        checkFault(await post(arbiter, '/mine', clicked(again)), { pointer: '/clicks/80000', code: 'value' });
      }
  });
});

test('max_mine_cells_total limits all fields in a request together', async () => {
  const field = { board: ['..', '..'] };
  const list = { rows: 2, cols: 2, mines: [] };
  await withArbiter(['--max-mine-cells-total', 8], async (arbiter) => {
    await checkGood(arbiter, '/mine', { cases: [field, list] });
    checkFault(await post(arbiter, '/mine', { cases: [list, field, field] }), { pointer: '/cases/2/board', code: 'range' });
    checkFault(await post(arbiter, '/mine', { cases: [field, field, list, list] }), {
      pointer: ['/cases/2', '/cases/2/rows'],
      code: 'range',
    });
    checkFault(await post(arbiter, '/mine', '3\n2 2 0\n2 2 0\n1 1 0\n'), { line: 4, code: 'range' });
  });
});

test('`states` in a case limits its search', async () => {
  const random = randomFrom(11);
  const boards = Array.from({ length: 200 }, () => mineBoard(random, 30, 30, 0.12));
  const cases = boards.map((board) => ({ board }));
  let short;
  await withArbiter(['--max-search-states', 1], async (arbiter) => {
    short = (await checkGood(arbiter, '/mine', { cases })).json().results;
  });
  await withArbiter([], async (arbiter) => {
    const asked = { cases: cases.map((one) => ({ ...one, states: 1 })) };
    assert.deepEqual((await checkGood(arbiter, '/mine', asked)).json().results, short);
    const full = (await checkGood(arbiter, '/mine', { cases })).json().results;
    const most = { cases: cases.map((one) => ({ ...one, states: 1_000_000 })) };
    assert.deepEqual((await checkGood(arbiter, '/mine', most)).json().results, full);
    assert.notDeepEqual(full, short);
    // The same for a single case, given as a board or as a list of mines.
    const at = short.findIndex(({ verdict }) => verdict === 'Unknown');
    const mines = boards[at].flatMap((row, r) => [...row].flatMap((cell, c) => (cell === '*' ? [[r, c]] : [])));
    assert.deepEqual((await checkGood(arbiter, '/mine', { board: boards[at], states: 1 })).json(), short[at]);
    assert.deepEqual((await checkGood(arbiter, '/mine', { rows: 30, cols: 30, mines, states: 1 })).json(), short[at]);
  });
});

test('a case that exceeds max_search_states is Unknown, and the answer names the unsolved openings', async () => {
  const random = randomFrom(11);
  const boards = Array.from({ length: 200 }, () => mineBoard(random, 30, 30, 0.12));
  const body = { cases: boards.map((board) => ({ board })) };
  let short;
  await withArbiter(['--max-search-states', 1], async (arbiter) => {
    short = (await checkGood(arbiter, '/mine', body)).json().results;
    const at = short.findIndex(({ verdict }) => verdict === 'Unknown');
    assert.ok(at >= 0, 'one of 200 fields needs a search');
    assert.equal((await checkGood(arbiter, '/mine', mineText([boards[at]]))).text(), 'Case #1: Unknown\n');
    // A case gets the same answer alone as in a batch, as long as its share of the batch's states is at least the limit.
    assert.deepEqual((await checkGood(arbiter, '/mine', { board: boards[at] })).json(), short[at]);
  });
  for (const result of short) {
    if (result.verdict !== 'Unknown') {
      assert.ok(!('unsolved' in result), JSON.stringify(result));
      assert.ok(result.nimber !== null || result.verdict === 'Xiemao', 'a lost field is worth 0');
      continue;
    }
    assert.equal(result.nimber, null);
    const { at, openings, numbers } = result.unsolved;
    assert.ok(at.length === 2 && at.every((index) => Number.isInteger(index) && index >= 0 && index < 30));
    assert.ok(Number.isInteger(openings) && openings >= 2 && Number.isInteger(numbers) && numbers >= 1);
  }
  await withArbiter([], async (arbiter) => {
    const full = (await checkGood(arbiter, '/mine', body)).json().results;
    full.forEach((result, index) => {
      assert.ok(['Xiemao', 'Fanglaoshi'].includes(result.verdict), 'solved with the default limit');
      assert.ok(!('unsolved' in result));
      if (short[index].verdict === 'Unknown') return;
      assert.deepEqual(short[index], { ...result, nimber: short[index].nimber === null ? null : result.nimber });
    });
  });
});

test('if only the winner is known, the answer has no nimber, no clicks and no unsolved openings', async () => {
  const board = ['...*.....', '.........', '..*......', '.........', '......*..', '...*.....', '........*', '.........', '.........'];
  await withArbiter(['--max-search-states', 1], async (arbiter) => {
    assert.deepEqual((await checkGood(arbiter, '/mine', { board, include: ['wins'] })).json(), {
      verdict: 'Xiemao',
      nimber: null,
      openings: 2,
      three_bv: 2,
      shared_numbers: 1,
      turn: 'Xiemao',
      wins: null,
      wins_total: null,
    });
    assert.equal((await checkGood(arbiter, '/mine', mineText([board]))).text(), 'Case #1: Xiemao\n');
  });
  await withArbiter([], async (arbiter) => {
    const { verdict, nimber, wins } = (await checkGood(arbiter, '/mine', { board, include: ['wins'] })).json();
    assert.equal(verdict, 'Xiemao');
    assert.ok(nimber > 0 && wins.length > 0);
  });
});

// --- memory and queue -------------------------------------------------------

test('a body that exceeds max_inflight_bytes is refused with 503 before it is sent', async () => {
  await withArbiter(['--max-inflight-bytes', 100_000], async (arbiter) => {
    for (const expect of [null, '100-continue']) {
      await withHead(arbiter, { headers: { 'Content-Length': 200_000, Expect: expect } }, async (connection) => {
        const answer = await connection.answer();
        checkProblem(answer, 503, 'overloaded');
        assert.equal(answer.interim.length, 0, 'no 100 Continue');
      });
    }
    assert.equal((await arbiter.ask(EMPTY_FIELD.request)).status, 200);
  });
});

/** Starts a server with max_inflight_bytes set to 100,000, and sends all but the last byte of a body of 60,000 bytes. */
async function withBodyHalfWay(use) {
  const head = { headers: { 'Content-Length': 60_000, Expect: '100-continue' } };
  await withArbiter(['--max-inflight-bytes', 100_000], async (arbiter) => {
    const fits = async () => {
      let fitted;
      await withHead(arbiter, head, async (connection) => {
        fitted = await connection.continued().then(() => true, () => false);
      });
      return fitted;
    };
    await withHead(arbiter, head, async (connection) => {
      await connection.continued();
      assert.ok(await fits(), 'a head alone is not charged');
      await connection.write(paddedBody(60_000).slice(0, -1));
      await until('the bytes are charged', async () => !(await fits()));
      await use(arbiter, connection, head);
    });
    await until('the bytes are freed', fits);
  });
}

test('the bytes of all bodies together count towards max_inflight_bytes, from their arrival until the answer', async () => {
  await withBodyHalfWay(async (arbiter, first, head) => {
    await withHead(arbiter, head, async (second) => checkProblem(await second.answer(), 503, 'overloaded'));
    await first.write(' ');
    assert.equal((await first.answer()).status, 200);
  });
});

test('the bytes of a body are freed when its client hangs up', async () => {
  await withBodyHalfWay(async (arbiter, first) => first.reset());
});

test('small bodies are not charged, and neither are answers to them of up to 64 KiB', async () => {
  const games = (count) => ({ cases: Array(count).fill({ moves: [] }) }); // 14 bytes each, with an answer of about 450 bytes
  await withArbiter(['--max-inflight-bytes', 1], async (arbiter) => {
    const good = await checkGood(arbiter, '/go', games(120));
    assert.ok(good.body.length > 50_000 && good.body.length <= 65_536, `${good.body.length} bytes`);
    assert.ok(JSON.stringify(games(200)).length < 4096);
    checkProblem(await post(arbiter, '/go', games(200)), 503, 'overloaded');
    for (const { request } of KNOWN) assert.equal((await arbiter.ask(request)).status, 200);
    const largest = { target: '/mine', headers: JSON_TYPE, body: paddedBody(4096) };
    assert.equal((await arbiter.ask(largest)).status, 200);
    checkProblem(await arbiter.ask({ ...largest, body: paddedBody(4097) }), 503, 'overloaded');
    const pieces = { target: '/mine', headers: { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' } };
    assert.equal((await arbiter.ask({ ...pieces, body: chunked(paddedBody(4096)) })).status, 200);
    checkProblem(await arbiter.ask({ ...pieces, body: chunked(paddedBody(4097)) }), 503, 'overloaded');
  });
});

test('chunks count towards max_inflight_bytes as they arrive', async () => {
  await withArbiter(['--max-inflight-bytes', 100_000], async (arbiter) => {
    const connection = await connect(arbiter.port);
    const headers = { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' };
    connection.send({ target: '/mine', headers, body: chunked(paddedBody(200_000)) });
    const answer = await connection.answerOrNothing();
    if (answer !== null) checkProblem(answer, 503, 'overloaded');
    connection.close();
    await until('the bytes are freed', async () => {
      const again = { target: '/mine', headers, body: chunked(paddedBody(60_000)) };
      return (await arbiter.ask(again)).status === 200;
    });
  });
});

test('answers count towards max_inflight_bytes', async () => {
  await withArbiter(['--max-inflight-bytes', 100_000], async (arbiter) => {
    const batch = { cases: Array(1000).fill({ moves: [] }) }; // 13 kB, with an answer of 450 kB
    checkProblem(await post(arbiter, '/go', batch), 503, 'overloaded');
    assert.equal((await arbiter.ask(EMPTY_FIELD.request)).status, 200);
  });
});

// With a sanitizer, freed memory isn't returned to the system.
if (!SANITIZED) test('memory is returned to the system a second after many large requests', () => withStoppedClock(
  [],
  async (arbiter) => {
    await checkGood(arbiter, '/go', { moves: [] });
    const before = arbiter.memory('VmRSS');
    const random = randomFrom(7);
    const body = JSON.stringify({ cases: Array.from({ length: 100 }, () => ({ moves: goMoves(random, 200) })) });
    const answers = await Promise.all(Array.from({ length: 24 }, () => arbiter.ask({ target: '/go', headers: JSON_TYPE, body })));
    assert.deepEqual(answers.map(({ status }) => status), Array(24).fill(200));
    await untilMetrics(arbiter, 'all have ended', (at) => at('arbiter_requests_in_flight') === 0);
    await arbiter.ask({ target: '/livez' }); // by now, the event loop has recorded when the last one ended
    const held = arbiter.memory('VmRSS'), most = arbiter.memory('VmHWM');
    const message = `${[before, most, held].map((size) => size.toFixed(1)).join(' MB, ')} MB before, at most, and at the end`;
    assert.ok(most - before > 4, `they used much memory: ${message}`);
    await arbiter.clock.advance(1000); // a worker now trims its memory
    await until(`most of it is returned (${message})`, () => {
      const after = arbiter.memory('VmRSS');
      return held - after > 0.5 && after - before < (most - before) / 2;
    });
  },
));

test('when the queue is full, requests are refused with 503, and the others are answered', () => withStoppedClock(
  [...ONE_LONG_WORKER, '--queue', 1],
  async (arbiter) => {
    const { busy, connections, refused } = await fillQueue(arbiter);
    busy.reset();
    for (const connection of connections) {
      const answer = await connection.answer();
      if (refused.includes(connection)) assert.equal(checkProblem(answer, 503, 'overloaded').detail, 'the queue is full');
      else assert.equal(answer.json().verdict, 'Unknown');
      assert.notEqual(answer.header('connection'), 'close');
    }
    const after = await arbiter.ask(HARD);
    assert.equal(after.status, 200, 'when the queue is empty again');
    connections.forEach((connection) => connection.close());
  },
));

test('a request that is dropped from the queue to make room for another client\'s is also refused', () => withStoppedClock(
  [...ONE_LONG_WORKER, '--queue', 1, '--trusted-proxy', '127.0.0.1'],
  async (arbiter) => {
    // The queue holds a single request, so each client's request replaces the other client's.
    const { busy, connections, refused } = await fillQueue(arbiter, ['192.0.2.1', '192.0.2.2']);
    busy.reset();
    for (const connection of connections) {
      const answer = await connection.answer();
      if (refused.includes(connection)) assert.equal(checkProblem(answer, 503, 'overloaded').detail, 'the queue is full');
      else assert.equal(answer.status, 200);
    }
    connections.forEach((connection) => connection.close());
  },
));

test('small requests and probes are answered without a worker, while other requests wait', () => withStoppedClock(
  [...ONE_LONG_WORKER, '--queue', 1],
  async (arbiter) => {
    const { busy, connections, refused } = await fillQueue(arbiter);
    const waiting = [busy, ...connections.filter((connection) => !refused.includes(connection))];
    const small = KNOWN.filter((known) => known.json !== undefined);
    for (const [index, { request, json }] of small.entries()) {
      const answer = await arbiter.ask({ ...request, headers: { ...request.headers, 'X-Request-Id': `small-${index}` } });
      assert.equal(answer.status, 200, `${answer}`);
      assert.deepEqual(answer.json(), json);
    }
    for (const target of ['/livez', '/readyz', '/version', '/limits']) {
      assert.equal((await arbiter.ask({ target })).status, 200, target);
    }
    const lines = await until('all are logged', () => {
      const logged = arbiter.log.filter(({ request_id: id }) => id?.startsWith('small-'));
      return logged.length === small.length && logged;
    });
    for (const { lane, waited_ms: waited } of lines) assert.deepEqual([lane, waited], ['io', 0]);
    assert.deepEqual(waiting.filter(({ unread }) => unread !== 0), [], 'the others are not answered');
    [busy, ...connections].forEach((connection) => connection.close());
  },
));

// --- the same answers -----------------------------------------------------------------

test('one worker and four workers give the same answers', async () => {
  const random = randomFrom(5);
  const times = (count, make) => Array.from({ length: count }, make);
  const batches = [
    ['/mine', times(60, () => ({ board: mineBoard(random, 60, 60, 0.11) }))],
    ['/mine', [...times(3, () => mineList(mineBoard(random, 300, 300, 0.1))), { board: ['.'] }]],
    ['/pawn', times(60, () => ({ board: pawnBoard(random, 10, 10), turn: 'Black' }))],
    ['/go', times(60, (_, id) => ({ id, moves: goMoves(random, 400) }))],
    // More faults than an answer lists, found by several threads: the answer has the first twenty.
    ['/mine', times(200, (_, id) => ({ id, board: id % 2 === 0 ? mineBoard(random, 20, 20, 0.1) : ['x', '.'] }))],
    ['/go', times(50, (_, id) => ({ moves: [['B', 0, 0], ['B', 0, 19 + id]] }))],
  ].map(([target, cases]) => ({ target, headers: JSON_TYPE, body: JSON.stringify({ cases }) }));
  const requests = [...KNOWN.map((known) => known.request), ...REFUSED.map((refused) => refused.request), ...batches];
  const answersOf = async (workers) => {
    const answers = [];
    await withArbiter(['--workers', workers, '--max-search-states', 200], async (arbiter) => {
      for (const request of requests) {
        const answer = await arbiter.ask(request);
        answers.push({ request: `${request.target} ${request.body ?? ''}`.slice(0, 80), status: answer.status, text: answer.text() });
      }
    });
    return answers;
  };
  const one = await answersOf(1);
  const four = await answersOf(4);
  assert.deepEqual(four, one);
  const faults = JSON.parse(one.at(-2).text).errors;
  assert.deepEqual(
    faults.map(({ pointer }) => pointer),
    times(20, (_, index) => `/cases/${2 * index + 1}/board/0`),
    'the first twenty faults in the order of the document',
  );
});
