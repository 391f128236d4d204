// Streams: JSON cases go in, one per line; results come out, one per line, each as soon as it and all results before it are known.
//
// To hold up a stream, a test either sends a case that keeps a worker busy until the client hangs up, and waits for the line before
// that case, or it reads nothing, and waits until the program can't send anything more.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { CLOSES_AFTER_CHUNKS, NO_IDLE_END, start, withArbiter, withStoppedClock } from './arbiter.mjs';
import {
  ENDLESS, ENDLESS_OPTIONS, HARD, JSON_TYPE, KNOWN, SGF_TYPE, TEXT_TYPE, goMoves, linkTo, mineBoard, mineText, pawnBoard, pawnText,
  randomFrom,
} from './bodies.mjs';
import { ask, chunked, connect, until } from './client.mjs';
import { beginEndless } from './long_worker.mjs';
import { areWorkersIdle, metricsAt, untilMetrics, untilWorkersIdle } from './samples.mjs';
import { untilRead, untilReaderIsFull } from './sockets.mjs';

const NDJSON = 'application/x-ndjson';
const JSONL = 'application/jsonl';
const FORMS = ['application/json', 'text/plain', NDJSON, JSONL];

const FIELD = { board: ['...', '.*.', '...'] };
const FIELD_RESULT = { verdict: 'Fanglaoshi', nimber: 0, openings: 0, three_bv: 8, shared_numbers: 0, turn: 'Xiemao' };
/** With ENDLESS_OPTIONS, this case keeps a long worker busy until its client hangs up. */
const LONG = JSON.parse(ENDLESS.body);
/** A field whose search takes between 4,000 and 40,000 states. */
const DEEP = { board: mineBoard(randomFrom(1), 300, 300, 0.085) };
/** A game with a long answer that takes little work: 1.4 kB in, 44 kB out. */
const LONG_ANSWER = JSON.stringify({ moves: goMoves(randomFrom(5), 100), include: ['boards'] });

let arbiter;
before(async () => {
  arbiter = await start([], { leaks: true });
});
after(() => arbiter.stop());

const linesOf = (cases) => cases.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('');
const request = (target, body, headers = {}) => ({ target, headers: { 'Content-Type': NDJSON, ...headers }, body });
const post = (target, body, headers) => arbiter.ask(request(target, body, headers));
const resultsOf = (answer) => answer.text().split('\n').slice(0, -1).map((line) => JSON.parse(line));

/** Checks the headers of a stream and that it is complete, and returns its results. */
function checkStream(answer, type = NDJSON) {
  assert.equal(answer.status, 200, `${answer}`);
  assert.equal(answer.header('content-type'), type, `${answer}`);
  assert.equal(answer.header('transfer-encoding'), 'chunked', `${answer}`);
  assert.equal(answer.header('content-encoding'), undefined, `${answer}`);
  assert.deepEqual(answer.list('vary'), ['accept'], `${answer}`);
  assert.match(answer.header('x-request-id') ?? '', /^[A-Za-z0-9._-]{1,64}$/);
  assert.equal(answer.header('x-content-type-options'), 'nosniff');
  assert.ok(answer.text() === '' || answer.text().endsWith('\n'));
  return resultsOf(answer);
}

function checkProblem(answer, status, name) {
  assert.equal(answer.status, status, `${answer}`);
  assert.equal(answer.header('content-type'), 'application/problem+json');
  assert.equal(answer.header('cache-control'), 'no-store');
  const problem = answer.json();
  assert.equal(problem.type, `/problems/${name}`);
  return problem;
}

/** Sends a single case. Returns the status, and the result or problem document. */
async function alone(target, theCase, server = arbiter) {
  const answer = await server.ask({ target, headers: JSON_TYPE, body: typeof theCase === 'string' ? theCase : JSON.stringify(theCase) });
  return { status: answer.status, document: answer.json() };
}

// --- the form of a stream -----------------------------------------------------------

test('the results in a stream are in the order of the cases, each the same as if the case were sent alone', async () => {
  const random = randomFrom(31);
  const many = (count, make) => Array.from({ length: count }, (_, index) => make(index));
  for (const [target, cases] of [
    // A small stream for the event loop, then streams of more than 4 KiB for the workers, with more cases than fit into the window.
    ['/pawn', many(3, (id) => ({ id, board: pawnBoard(random, 4, 4) }))],
    ['/pawn', many(300, (id) => ({ id, board: pawnBoard(random, 8, 2 + (id % 8)), include: ['line'] }))],
    ['/go', many(270, (id) => ({ id: `${id}`, size: 9, moves: goMoves(random, id % 50, 9), include: id % 3 === 0 ? ['boards', 'captured'] : [] }))],
    ['/mine', many(600, (id) => ({ id, board: mineBoard(random, 1 + (id % 16), 30, 0.2), include: ['wins'] }))],
  ]) {
    const batch = await alone(target, { cases });
    assert.equal(batch.status, 200, target);
    const results = checkStream(await post(target, linesOf(cases)));
    assert.deepEqual(results, batch.document.results, target);
  }
});

test('lines end in LF or CRLF (optional after the last line), and blank lines are skipped', async () => {
  const text = JSON.stringify(FIELD);
  for (const [body, count] of [
    [text, 1], [`${text}\n`, 1], [`${text}\r\n`, 1], [`${text}\n${text}`, 2], [`${text}\r\n${text}\r\n`, 2], [`${text}\r\n${text}\r`, 2],
    [`\n\r\n \t \n${text}\n\n \n\t\r\n${text}\n \t`, 2], [` \t${text}\t \n`, 1], [`\ufeff${text}\n${text}\n`, 2], [`\ufeff\n${text}`, 1],
  ]) {
    const results = checkStream(await post('/mine', body));
    assert.deepEqual(results, Array(count).fill(FIELD_RESULT), JSON.stringify(body));
  }
});

test('a stream without a case is answered 400', async () => {
  for (const body of ['', '\n', ' \t', '\r\n\r\n', '\ufeff', '\ufeff \n\t\n', ' '.repeat(10_000), '\n'.repeat(100_000)]) {
    for (const accept of [null, NDJSON, 'application/json', 'text/plain']) {
      const { errors } = checkProblem(await post('/go', body, { Accept: accept }), 400, 'malformed');
      assert.equal(errors.length, 1);
      assert.equal(errors[0].code, 'syntax');
    }
  }
});

test('a carriage return alone does not end a line', async () => {
  const text = JSON.stringify(FIELD);
  const [{ problem }] = checkStream(await post('/mine', `${text}\r${text}\n`));
  assert.deepEqual(problem.errors.map(({ line, column, code }) => [line, column, code]), [[1, text.length + 2, 'syntax']]);
});

test('a stream can have more than max_cases cases, and exceed every limit on totals', async () => {
  const options = ['--max-cases', 2, '--max-pawn-cells-total', 8, '--max-moves-total', 2, '--max-mine-cells-total', 9];
  await withArbiter(options, async (other) => {
    for (const [target, theCase] of [
      ['/pawn', { board: ['O.O', 'X..'] }], ['/go', { size: 2, moves: [['B', 0, 0], ['W', 0, 1]] }], ['/mine', FIELD],
    ]) {
      const { document } = await alone(target, theCase, other);
      for (const count of [3, 1500]) {
        const stream = await other.ask(request(target, linesOf(Array(count).fill(theCase))));
        assert.deepEqual(checkStream(stream), Array(count).fill(document), target);
      }
      const tooMany = await other.ask({ target, headers: JSON_TYPE, body: JSON.stringify({ cases: [theCase, theCase] }) });
      checkProblem(tooMany, 422, 'invalid-case');
    }
  });
});

test('each case has its own max_search_states', async () => {
  const cases = [...Array(999).fill({ board: ['.'] }), DEEP];
  await withArbiter(['--max-search-states', 40_000], async (other) => {
    const batch = (await alone('/mine', { cases }, other)).document.results;
    assert.equal(batch[999].nimber, null, 'in a batch its share is 4,000');
    const { document } = await alone('/mine', DEEP, other);
    assert.notEqual(document.nimber, null);
    assert.deepEqual(resultsOf(await other.ask(request('/mine', linesOf(cases))))[999], document);
  });
});

test('only max_body_bytes limits the whole stream', async () => {
  const body = linesOf(Array(100).fill(FIELD));
  await withArbiter(['--max-body-bytes', body.length], async (other) => {
    assert.equal(checkStream(await other.ask(request('/mine', body))).length, 100);
    checkProblem(await other.ask(request('/mine', `${body}\n`)), 413, 'too-large');
  });
});

// --- cases that are refused -------------------------------------------------------

const BAD = [
  ['/mine', { board: ['..', '.'] }], ['/mine', {}], ['/mine', { id: 'a', board: ['x'], states: 0 }], ['/mine', { id: 7, board: [] }],
  ['/mine', { id: {}, board: ['.'] }], ['/mine', { id: 'x'.repeat(129), board: 1 }], ['/mine', { id: '\u{1f600}"\\', board: [''] }],
  ['/mine', 'null'], ['/mine', 'true'], ['/mine', '-1.5'], ['/mine', { board: ['.'], board2: 1, ['x'.repeat(70)]: 1 }],
  ['/mine', '{"id":1,"id":2,"board":["."]}'], ['/mine', { cases: [FIELD] }], ['/mine', { id: 'c', cases: [FIELD] }],
  ['/mine', { rows: 1001, cols: 1, mines: [] }], ['/mine', { board: Array(30).fill('?') }],
  ['/pawn', { id: -1, board: ['OOO', 'X..'] }], ['/pawn', { board: ['OO', 'X.'], turn: 'Blue', include: ['line', 'line'] }],
  ['/go', { id: 's', sgf: '(;SZ[3];B[zz])' }], ['/go', { sgf: '(', moves: [] }], ['/go', { moves: [['B', 'I5']] }],
];

test('the line of a refused case has the same problem as if the case were sent alone, and the case\'s id if it is valid', async () => {
  for (const [target, theCase] of BAD) {
    const label = `${target} ${JSON.stringify(theCase)}`;
    const { status, document } = await alone(target, theCase);
    const good = { '/mine': FIELD, '/pawn': { board: ['OO', 'X.'] }, '/go': { moves: [] } }[target];
    // If the line has `cases`, it would be a batch when sent alone as JSON, so there is nothing to compare with.
    const expected = theCase.cases === undefined ? document : undefined;
    if (expected !== undefined) assert.equal(status, 422, label);
    for (const body of [linesOf([theCase]), linesOf([good, theCase, good]), linesOf([...Array(300).fill(good), theCase, good])]) {
      const results = checkStream(await post(target, body));
      const at = results.findIndex(({ problem }) => problem !== undefined);
      assert.ok(at >= 0, label);
      const { id, problem, ...more } = results[at];
      assert.deepEqual(more, {}, label);
      const hasGoodId = [-1, 'a', 7, '\u{1f600}"\\', 'c', 's'].includes(theCase.id);
      if (typeof theCase !== 'string') assert.deepEqual(id, hasGoodId ? theCase.id : undefined, label);
      if (expected !== undefined) assert.deepEqual(problem, expected, label);
      for (const { pointer } of problem.errors) assert.ok(!pointer.startsWith('/cases/'), `${label}: ${pointer} is inside the case`);
      assert.equal(results.filter((result) => result.problem !== undefined).length, 1, 'the other cases are solved');
      assert.equal(results.length, body.split('\n').length - 1);
    }
  }
});

test('`cases` in a line is an unknown member', async () => {
  const [{ problem }] = checkStream(await post('/mine', linesOf([{ cases: [FIELD], ...FIELD }])));
  assert.deepEqual(problem.errors.map(({ pointer, code }) => [pointer, code]), [['/cases', 'unknown-member']]);
});

test('a JSON fault in a line is reported with its line and column in the body, and the other lines are answered', async () => {
  const text = JSON.stringify(FIELD);
  for (const [lines, line, column] of [
    [['{"board":["."],}'], 1, 16], [['x'], 1, 1], [['  \tx'], 1, 4], [['\ufeff{"board":["."]}x'], 1, 16], [[text, '{'], 2, 2],
    [[text, '', ' ', `${text}${text}`, text], 4, text.length + 1], [[text, '{"board":["\xff"]}'], 2, 12], [[text, '{"board":[".\n"]}'], null, null],
    [['['.repeat(17) + ']'.repeat(17), text], 1, 17], [[text, '\ufeff{}'], 2, 1], [[text, '{"id":"\\ud800"}'], 2, 8],
  ]) {
    const body = Buffer.from(lines.map((one) => `${one}\r\n`).join(''), lines.join('').includes('\xff') ? 'latin1' : 'utf8');
    const results = checkStream(await post('/mine', body));
    const problems = results.filter(({ problem }) => problem !== undefined);
    for (const { id, problem } of problems) {
      assert.equal(id, undefined);
      assert.equal(problem.status, 400);
      assert.equal(problem.type, '/problems/malformed');
      assert.equal(problem.errors.length, 1);
    }
    if (line === null) continue;
    assert.equal(problems.length, 1, JSON.stringify(lines));
    const { errors } = problems[0].problem;
    assert.deepEqual([errors[0].line, errors[0].column, errors[0].code], [line, column, 'syntax'], `${JSON.stringify(lines)}: ${errors[0].detail}`);
    for (const result of results.filter(({ problem }) => problem === undefined)) assert.deepEqual(result, FIELD_RESULT);
  }
});

test('max_json_values and max_answer_bytes apply to each line', async () => {
  const few = { rows: 1, cols: 9, mines: [[0, 0]] }; // seven values
  const many = { rows: 1, cols: 9, mines: [[0, 0], [0, 2]] }; // ten values
  await withArbiter(['--max-json-values', 9], async (other) => {
    const { status, document } = await alone('/mine', many, other);
    assert.equal(status, 413);
    const good = (await alone('/mine', few, other)).document;
    for (const [headers, body] of [
      [{ 'Content-Type': NDJSON }, linesOf([few, many, few, few])],
      [{ ...JSON_TYPE, Accept: NDJSON }, JSON.stringify({ cases: [few, many, few, few] })],
    ]) {
      const results = checkStream(await other.ask({ target: '/mine', headers, body }));
      assert.deepEqual(results, [good, { problem: document }, good, good]);
    }
    checkProblem(await other.ask(request('/mine', linesOf([few, few]), { Accept: 'application/json' })), 413, 'too-large');
  });
  const small = { size: 1, moves: [] };
  const large = { id: 'l', size: 19, moves: [] };
  const text = (await alone('/go', large)).document;
  const length = JSON.stringify(text).length + 1; // with the line feed
  for (const [most, fits] of [[length, true], [length - 1, false], [300, false], [120, false]]) {
    await withArbiter(['--max-answer-bytes', most], async (other) => {
      const { status, document } = await alone('/go', large, other);
      assert.equal(status, fits ? 200 : 422);
      const good = (await alone('/go', small, other)).document;
      const results = checkStream(await other.ask(request('/go', linesOf([large, small, large, small, small]))));
      const line = fits ? document : { id: 'l', problem: document };
      assert.deepEqual(results, [line, good, line, good, good]);
    });
  }
});

// --- answers as lines -------------------------------------------------------------

test('a batch with Accept: application/x-ndjson is answered as a stream of its cases', async () => {
  const cases = [{ id: 1, ...FIELD }, { id: 2, board: ['?'] }, FIELD];
  const asLines = (body, accept = NDJSON, server = arbiter) =>
    server.ask({ target: '/mine', headers: { ...JSON_TYPE, Accept: accept }, body: typeof body === 'string' ? body : JSON.stringify(body) });
  assert.deepEqual(checkStream(await asLines({ cases })), resultsOf(await post('/mine', linesOf(cases))));
  const [{ problem }] = checkStream(await asLines({ cases: [{ cases: [] }] }));
  assert.equal(problem.errors[0].pointer, '', 'inside the case');
  // The batch as a whole is refused only for faults outside the cases.
  for (const body of [{ cases, more: 1 }, { cases: {} }, { cases: [] }, '{"cases":[{}],"cases":[{}]}', '[]x']) {
    const answer = await asLines(body);
    checkProblem(answer, body === '[]x' ? 400 : 422, body === '[]x' ? 'malformed' : 'invalid-case');
  }
  await withArbiter(['--max-cases', 2, '--max-mine-cells-total', 10], async (other) => {
    const answer = await asLines({ cases: Array(700).fill(FIELD) }, JSONL, other);
    assert.deepEqual(checkStream(answer, JSONL), Array(700).fill(FIELD_RESULT));
    checkProblem(await asLines({ cases: Array(700).fill(FIELD) }, 'application/json', other), 422, 'invalid-case');
  });
});

test('a single case with Accept: application/x-ndjson is answered by one line', async () => {
  const ofJson = (body) => arbiter.ask({ target: '/mine', headers: { ...JSON_TYPE, Accept: NDJSON }, body });
  assert.deepEqual(checkStream(await ofJson(JSON.stringify({ id: 'a', ...FIELD }))), [{ id: 'a', ...FIELD_RESULT }]);
  const { document } = await alone('/mine', { id: 'a', board: ['?'] });
  assert.deepEqual(checkStream(await ofJson('{"id":"a","board":["?"]}')), [{ id: 'a', problem: document }]);
  checkProblem(await ofJson('{"board":["?"]'), 400, 'malformed');
  const record = await arbiter.ask({ target: '/go', headers: { ...SGF_TYPE, Accept: NDJSON }, body: '(;SZ[3];B[bb];W[bb])' });
  assert.deepEqual(checkStream(record).map(({ board }) => board), [['...', '.B.', '...']]);
});

test('contest format with Accept: application/x-ndjson is answered line by line, or refused as a whole', async () => {
  const random = randomFrom(37);
  const boards = Array.from({ length: 300 }, () => mineBoard(random, 3, 9, 0.3));
  const asLines = (target, body) => arbiter.ask({ target, headers: { ...TEXT_TYPE, Accept: NDJSON }, body });
  const results = checkStream(await asLines('/mine', mineText(boards)));
  assert.deepEqual(results, checkStream(await post('/mine', linesOf(boards.map((board) => ({ board }))))));
  const pawns = Array.from({ length: 20 }, () => pawnBoard(random, 6, 6));
  assert.deepEqual(
    checkStream(await asLines('/pawn', pawnText(pawns))),
    checkStream(await post('/pawn', linesOf(pawns.map((board) => ({ board }))))),
  );
  checkProblem(await asLines('/mine', `${mineText(boards)}1`), 400, 'malformed');
  checkProblem(await asLines('/mine', mineText(boards).replace(/\d+ \d+\n$/, '9 9\n')), 422, 'invalid-case');
  checkProblem(await asLines('/mine', mineText(boards).replace(/\n$/, 'x\n')), 400, 'malformed');
});

test('a stream with Accept: application/json or text/plain is treated as a batch with all its limits; faults have a line and a pointer', async () => {
  const cases = [{ id: 'a', ...FIELD }, { board: ['*'] }];
  const json = await post('/mine', linesOf(cases), { Accept: 'application/json' });
  assert.deepEqual(json.json(), (await alone('/mine', { cases })).document);
  assert.equal(json.header('content-type'), 'application/json');
  const text = await post('/mine', linesOf(cases), { Accept: 'text/plain' });
  assert.equal(text.text(), 'Case #1: Fanglaoshi\nCase #2: Fanglaoshi\n');
  for (const accept of ['application/json', 'text/plain']) {
    const placesOf = async (lines, status, name) => {
      const { errors } = checkProblem(await post('/mine', lines.join('\n'), { Accept: accept }), status, name);
      return errors.map(({ id, line, column, pointer, code }) => [line, column, pointer, code].concat(id === undefined ? [] : [id]));
    };
    const good = JSON.stringify(FIELD);
    assert.deepEqual(await placesOf(['', good, '{"board":["?"]}', '\r', '{}'], 422, 'invalid-case'), [
      [3, undefined, '/board/0', 'value'], [5, undefined, '', 'missing'],
    ]);
    assert.deepEqual(await placesOf([good, '{"board":["?"]}', ' {,', '{}'], 400, 'malformed'), [[3, 3, undefined, 'syntax']]);
    assert.deepEqual(await placesOf([good, '{"cases":[]}'], 422, 'invalid-case'), [
      [2, undefined, '', 'missing'], [2, undefined, '/cases', 'unknown-member'],
    ]);
  }
  const limits = ['--max-cases', 3, '--max-mine-cells-total', 20, '--max-answer-bytes', 240];
  await withArbiter(limits, async (other) => {
    const asBatch = (lines, accept) => other.ask(request('/mine', linesOf(lines), { Accept: accept }));
    for (const accept of ['application/json', 'text/plain']) {
      assert.equal((await asBatch([FIELD, FIELD], accept)).status, 200);
      const over = checkProblem(await asBatch([FIELD, FIELD, FIELD], accept), 422, 'invalid-case');
      assert.deepEqual(over.errors.map(({ line, pointer, code }) => [line, pointer, code]), [[3, '/board', 'range']]);
      const small = { board: ['*'] };
      const tooMany = checkProblem(await asBatch([small, small, '', small, small], accept), 422, 'invalid-case');
      assert.deepEqual(tooMany.errors.map(({ line, code }) => [line, code]), [[5, 'length']]);
      // Syntax errors are reported first, wherever they are.
      for (const lines of [['{', small, small, small], [small, small, small, small, small, '{']]) {
        const malformed = checkProblem(await asBatch(lines, accept), 400, 'malformed');
        assert.deepEqual(malformed.errors.map(({ line, code }) => [line, code]), [[lines.indexOf('{') + 1, 'syntax']]);
      }
    }
    checkProblem(await asBatch([{ board: ['.'] }, { board: ['.'] }, { board: ['.'] }], 'application/json'), 422, 'answer-too-large');
  });
});

test('Accept determines the media type of the answer, and NDJSON ranks after pictures', async () => {
  const lines = linesOf([FIELD]);
  const one = JSON.stringify(FIELD);
  for (const [type, accept, expected] of [
    [NDJSON, null, NDJSON], [JSONL, null, JSONL], [`${JSONL}; charset=utf-8`, null, JSONL], [NDJSON, '*/*', NDJSON], [JSONL, '*/*', JSONL],
    [NDJSON, JSONL, JSONL], [JSONL, NDJSON, NDJSON], [NDJSON, `${NDJSON};q=0.5, ${JSONL}`, JSONL], [JSONL, `${JSONL};q=0.4, ${NDJSON};q=0.5`, NDJSON],
    ['Application/X-NDJSON', 'Application/JSONL', JSONL], [NDJSON, 'application/*', NDJSON], [NDJSON, 'text/plain, application/json', 'application/json'],
    [NDJSON, `application/json, ${NDJSON}`, NDJSON], [NDJSON, `application/json;q=0.9, ${NDJSON};q=0.8`, 'application/json'],
    [NDJSON, 'image/svg+xml, */*;q=0.1', NDJSON], [NDJSON, `image/svg+xml, ${JSONL};q=0.1`, JSONL], [NDJSON, `${NDJSON};q=0, */*`, JSONL],
    ['application/json', NDJSON, NDJSON], ['application/json', JSONL, JSONL], ['application/json', `${NDJSON}, image/svg+xml`, 'image/svg+xml'],
    ['application/json', `${NDJSON}, text/plain`, 'text/plain'], ['application/json', `${JSONL}, text/plain;q=0.9`, JSONL],
    ['application/json', 'application/json;q=0, text/*;q=0, image/*;q=0, */*', NDJSON], ['application/json', '*/*', 'application/json'],
  ]) {
    const answer = await arbiter.ask({ target: '/mine', headers: { 'Content-Type': type, Accept: accept }, body: type === 'application/json' ? one : lines });
    assert.equal(answer.status, 200, `${type}, Accept ${accept}: ${answer}`);
    assert.equal(answer.header('content-type').replace(/;.*/, ''), expected, `${type}, Accept ${accept}`);
    if ([NDJSON, JSONL].includes(expected)) checkStream(answer, expected);
  }
  for (const accept of ['image/svg+xml', 'audio/ogg', `${NDJSON};q=0, ${JSONL};q=0`]) {
    const { available } = checkProblem(await post('/mine', lines, { Accept: accept }), 406, 'not-acceptable');
    assert.deepEqual(available, FORMS);
  }
  assert.equal((await post('/mine', lines, { 'Content-Type': `${NDJSON}; charset=latin1` })).status, 200);
  for (const type of ['application/ndjson', 'application/x-jsonl', 'application/json-seq']) {
    const answer = await post('/mine', lines, { 'Content-Type': type });
    checkProblem(answer, 415, 'unsupported-media-type');
    assert.deepEqual(answer.list('accept-post'), FORMS);
  }
});

test('links do not offer NDJSON', async () => {
  for (const accept of [NDJSON, JSONL]) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await ask(arbiter.port, { method, target: linkTo('/mine', FIELD), headers: { Accept: accept } });
      assert.equal(answer.status, 406);
      if (method === 'GET') assert.deepEqual(answer.json().available, ['application/json', 'text/plain', 'image/svg+xml']);
    }
    const answer = await arbiter.ask({ target: linkTo('/mine', FIELD), headers: { Accept: `${accept}, */*;q=0.1` } });
    assert.equal(answer.header('content-type'), 'application/json');
  }
  checkProblem(await arbiter.ask({ target: linkTo('/mine', FIELD, '&format=ndjson') }), 400, 'malformed');
});

test('streams are never compressed, and HEAD is not supported for them', async () => {
  for (const cases of [[FIELD], Array(1000).fill(FIELD)]) {
    const answer = await post('/mine', linesOf(cases), { 'Accept-Encoding': 'gzip, *;q=0.5' });
    assert.equal(checkStream(answer).length, cases.length);
  }
  const head = await arbiter.ask({ method: 'HEAD', ...request('/mine', linesOf([FIELD])) });
  assert.equal(head.status, 400, 'a link without a case');
});

test('a stream can be sent in chunks, and its connection can stay open', async () => {
  const body = linesOf(Array(500).fill(FIELD));
  const expected = Array(500).fill(FIELD_RESULT);
  const inChunks = request('/mine', chunked(body, 777), { 'Transfer-Encoding': 'chunked' });
  assert.deepEqual(checkStream(await arbiter.ask(inChunks)), expected);
  const connection = await connect(arbiter.port);
  for (let round = 0; round < 5; round += 1) {
    connection.send(CLOSES_AFTER_CHUNKS ? request('/mine', body) : inChunks);
    connection.send(request('/mine', body));
    for (const { request: known } of KNOWN) connection.send(known);
    for (let stream = 0; stream < 2; stream += 1) assert.deepEqual(checkStream(await connection.answer()), expected);
    for (const { json, text } of KNOWN) {
      const answer = await connection.answer();
      if (json !== undefined) assert.deepEqual(answer.json(), json);
      else assert.equal(answer.text(), text);
    }
  }
  connection.close();
});

test('no line is answered before the whole body has arrived', async () => {
  const connection = await connect(arbiter.port);
  const body = chunked(linesOf([FIELD, FIELD]));
  connection.send(request('/mine', body.subarray(0, -5), { 'Transfer-Encoding': 'chunked' })); // all but the last chunk
  await untilRead(arbiter);
  assert.equal(connection.received, 0);
  await connection.write(body.subarray(-5));
  assert.equal(checkStream(await connection.answer()).length, 2);
  connection.close();
});

// --- results as soon as they are known ---------------------------------------------------------

/**
 * Calls `use` while a stream is being solved: the lines for `cases` have arrived, and the case after them keeps the long worker busy
 * until the client hangs up. The program's clock is stopped.
 */
async function withRunning(use, { version = 'HTTP/1.1', cases = [FIELD], options = [] } = {}) {
  await withStoppedClock([...ENDLESS_OPTIONS, '--workers', 1, '--long-workers', 1, ...options], async (other) => {
    const connection = await connect(other.port);
    connection.send({ ...request('/mine', linesOf([...cases, LONG, FIELD])), version });
    const lines = await connection.lines(cases.length);
    await untilMetrics(other, 'it is at the long case', (at) => at('arbiter_workers_busy{lane="long"}') === 1);
    await use(other, connection, lines);
    connection.close();
  });
}

/** Waits until at least `count` requests to the games are logged; returns their log lines. */
async function endsOf(other, count) {
  const ends = () => other.log.filter(({ event, method }) => event === 'request' && method === 'POST');
  await until(`${count} requests have ended`, () => ends().length >= count);
  return ends();
}

/** Checks that a client can tell that its answer is incomplete, even if it reads the rest only later. */
async function checkCutOff(connection, byReset) {
  if (byReset) {
    assert.equal(connection.endAfterData(), 'ECONNRESET');
    connection.close();
    return;
  }
  connection.goOnReading();
  await connection.closed();
  assert.match(connection.fault ?? '', /^cut off in the middle/);
}

test('the first line is sent while the second case is still being solved', async () => {
  await withRunning(async (other, connection, lines) => {
    assert.deepEqual(lines.map((line) => JSON.parse(line)), [FIELD_RESULT]);
    connection.reset();
    await endsOf(other, 1);
  });
});

test('a result waits only for the results before it', async () => {
  // 300 cases follow the hard one, more than fit into the window. When the hard case is solved, almost all of them have been solved.
  const options = ['--max-search-states', 3000, '--workers', 2];
  await withArbiter(options, async (other) => {
    const cases = [FIELD, { id: 'hard', ...LONG }, ...Array.from({ length: 300 }, (_, id) => ({ id, ...FIELD }))];
    const results = checkStream(await other.ask(request('/mine', linesOf(cases))));
    assert.deepEqual(results[0], FIELD_RESULT);
    assert.deepEqual(results[1], { id: 'hard', ...(await alone('/mine', LONG, other)).document });
    assert.deepEqual(results.slice(2), Array.from({ length: 300 }, (_, id) => ({ id, ...FIELD_RESULT })));
  });
  await withRunning(async (other, connection) => {
    // By then, the short worker has done everything that it can do before the result of the hard case is known.
    await untilMetrics(other, 'the short worker is idle', (at) => at('arbiter_workers_busy{lane="short"}') === 0 &&
      at('arbiter_queue_jobs{lane="short"}') === 0);
    await other.ask({ target: '/livez' }); // by now, everything that the program has sent has arrived
    assert.equal(connection.soFar.toString(), linesOf([FIELD_RESULT]), 'no result comes before that of the hard case');
  });
});

// --- readers ------------------------------------------------------------------------

/** A stream with an answer of 22 MB, several times the size of the buffers of the two sockets. */
const LONG_ANSWERS = linesOf(Array(500).fill(LONG_ANSWER));
const WHOLE_OPTIONS = ['--max-answer-bytes', 1e9, '--max-cases', 5000, ...NO_IDLE_END];
const SEND = 30_000; // milliseconds, the default of --send-timeout
const CHECKS = 4; // the number of checks of a reader's speed within that time

const KINDS = [['a stream', {}], ['a whole answer', { Accept: 'application/json' }]];

/** Sends a request without reading the answer, and waits until the program can't do anything more for it. */
async function beginUnread(other, asked) {
  const connection = await connect(other.port);
  connection.stopReading();
  connection.send(asked);
  await untilReaderIsFull(connection);
  await untilMetrics(other, 'the rest waits for the reader', (at) => at('arbiter_requests_in_flight') === 1 && areWorkersIdle(at));
  return connection;
}

test('work on a stream stops while its client does not read; when it reads again, it gets everything', async () => {
  const most = 100_000;
  await withStoppedClock(['--max-stream-bytes', most, ...NO_IDLE_END], async (other) => {
    const whole = await other.ask(request('/go', LONG_ANSWERS));
    for (const goesOn of [true, false]) {
      const connection = await beginUnread(other, request('/go', LONG_ANSWERS));
      // Results that are solved but not sent are charged. Of the 22 MB, these may be as much as the option allows, plus a few cases that
      // are being read or solved when the limit is reached, at 44 kB each.
      const held = (await metricsAt(other.opsPort)).get('arbiter_inflight_bytes') - LONG_ANSWERS.length;
      assert.ok(held < most + 2e6, `${held} bytes are solved and wait for the reader`);
      if (goesOn) {
        connection.goOnReading();
        assert.ok((await connection.answer()).body.equals(whole.body));
      } else {
        connection.reset();
      }
      const [end] = (await endsOf(other, goesOn ? 2 : 3)).slice(-1);
      if (goesOn) assert.equal(end.bytes_out, whole.body.length);
      else assert.equal(end.reason, 'client-gone');
      if (!goesOn) assert.ok(end.bytes_out < whole.body.length / 2, JSON.stringify(end));
      connection.close();
      await untilMetrics(other, 'nothing of it is left', (at) => at('arbiter_inflight_bytes') === 0);
    }
  });
});

for (const [what, headers] of KINDS) {
  for (const version of ['HTTP/1.1', 'HTTP/1.0']) {
    test(`a client that does not read ${what} over ${version} is cut off`, async () => {
      await withStoppedClock(WHOLE_OPTIONS, async (other) => {
        const connection = await beginUnread(other, { ...request('/go', LONG_ANSWERS, headers), version });
        // The program averages the speed over CHECKS checks, after a first one that starts the measurement. If the kernel buffers more
        // bytes for the client after its buffers seemed full, the measurement starts over.
        let checks = 0;
        for (; checks < 10 * CHECKS && (await metricsAt(other.opsPort)).get('arbiter_requests_in_flight') === 1; checks += 1) {
          await other.clock.advance(SEND / CHECKS);
        }
        assert.ok(checks > CHECKS, `after ${checks} checks: the average is of the whole time`);
        const [end] = await endsOf(other, 1);
        assert.equal(end.reason, 'send-timeout', JSON.stringify(end));
        assert.equal(end.level, 'warn');
        await checkCutOff(connection, version === 'HTTP/1.0' && what === 'a stream');
        await untilMetrics(other, 'its memory is given back', (at) => at('arbiter_inflight_bytes') === 0);
      });
    });
  }

  test(`a client that reads ${what} at 1 KiB a second is not cut off`, async () => {
    await withStoppedClock(WHOLE_OPTIONS, async (other) => {
      const whole = await other.ask(request('/go', LONG_ANSWERS, headers));
      const connection = await beginUnread(other, request('/go', LONG_ANSWERS, headers));
      // For three averaging periods, read enough at once that the TCP window opens again.
      for (let turn = 0; turn < 3; turn += 1) {
        await connection.readSome(500_000);
        await untilReaderIsFull(connection);
        for (let look = 0; look < CHECKS; look += 1) await other.clock.advance(SEND / CHECKS);
      }
      assert.equal(connection.unread, 0, 'the answer goes on');
      connection.goOnReading();
      assert.ok((await connection.answer()).body.equals(whole.body));
      connection.close();
    });
  });
}

// --- clients that leave ---------------------------------------------------------------

for (const [how, leave] of [
  ['hangs up', (connection) => connection.close()], ['resets', (connection) => connection.reset()], ['half-closes', (connection) => connection.halfClose()],
]) {
  test(`work is cancelled when a client ${how} in the middle of a stream`, async () => {
    await withRunning(async (other, connection) => {
      leave(connection);
      // A client that has half-closed may still want the rest, so work continues for a second.
      if (how !== 'resets') await other.clock.advanceUntil('it is over', 1000, () => other.log.some(({ event }) => event === 'request'));
      const [end] = await endsOf(other, 1);
      assert.equal(end.reason, 'client-gone', JSON.stringify(end));
      assert.equal(end.status, 200);
      await untilWorkersIdle(other);
      if (how !== 'half-closes') return;
      await connection.closed();
      assert.match(connection.fault ?? '', /cut off in the middle/);
    });
  });
}

test('work is cancelled when a client that is not reading hangs up', async () => {
  await withStoppedClock(['--max-stream-bytes', 1], async (other) => {
    const connection = await beginUnread(other, request('/go', LONG_ANSWERS));
    connection.reset();
    assert.equal((await endsOf(other, 1))[0].reason, 'client-gone');
    await untilMetrics(other, 'nothing of it is left', (at) => at('arbiter_inflight_bytes') === 0);
  });
});

// --- shutdown --------------------------------------------------------------------------

const DRAIN_TIMEOUT = 10_000; // milliseconds, the default of --drain-timeout

/** Sends SIGTERM, and waits until the drain timeout has begun. */
async function beginDraining(other) {
  other.signal('SIGTERM');
  await until('the log has `draining`', () => other.log.some(({ event }) => event === 'draining'));
  await other.clock.advance(1);
}

test('on SIGTERM, open streams are sent to the end', async () => {
  await withStoppedClock(['--max-stream-bytes', 1], async (other) => {
    const expected = await other.ask(request('/go', LONG_ANSWERS));
    const unread = [];
    for (const version of ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0']) {
      const connection = await connect(other.port);
      connection.stopReading();
      connection.send({ ...request('/go', LONG_ANSWERS), version });
      await untilReaderIsFull(connection);
      unread.push(connection);
    }
    await beginDraining(other);
    for (const connection of unread) connection.goOnReading();
    for (const connection of unread) assert.ok((await connection.answer()).body.equals(expected.body));
    await other.leaves();
  });
});

for (const [version, how] of [['HTTP/1.1', 'without the last chunk'], ['HTTP/1.0', 'by a reset']]) {
  test(`a stream over ${version} that is not complete within the drain timeout is cut off ${how}`, async () => {
    await withRunning(async (other, connection) => {
      await beginDraining(other);
      await other.clock.advance(DRAIN_TIMEOUT - 2);
      assert.equal(connection.ended, null);
      await other.clock.advance(2);
      await other.leaves({ status: 1 });
      const how = await connection.closed();
      assert.match(connection.fault ?? '', /cut off in the middle/);
      if (version === 'HTTP/1.0') assert.equal(how, 'ECONNRESET');
      const [end] = await endsOf(other, 1);
      assert.equal(end.reason, 'leaving', JSON.stringify(end));
      assert.equal(other.log.at(-1).cut_off, 1);
    }, { version });
  });

  test(`a stream over ${version} that is solved but not read within the drain timeout is cut off ${how}`, async () => {
    await withStoppedClock(['--max-stream-bytes', 1e9], async (other) => {
      const connection = await beginUnread(other, { ...request('/go', LONG_ANSWERS), version });
      await beginDraining(other);
      await other.clock.advance(DRAIN_TIMEOUT);
      await other.leaves({ status: 1 });
      await checkCutOff(connection, version === 'HTTP/1.0');
      assert.equal((await endsOf(other, 1))[0].reason, 'leaving');
    });
  });
}

for (const [signal, status] of [['SIGTERM', { code: 1, signal: null }], ['SIGKILL', { code: null, signal: 'SIGKILL' }]]) {
  test(`a stream over HTTP/1.0 is cut off by a reset when ${signal} ends the program immediately`, async () => {
    await withRunning(async (other, connection) => {
      await beginDraining(other);
      other.signal(signal);
      assert.deepEqual(await other.exit, status);
      assert.equal(await connection.closed(), 'ECONNRESET');
    }, { version: 'HTTP/1.0' });
  });
}

test('for HTTP/1.0 clients, a stream ends when the connection is closed', async () => {
  for (const cases of [[FIELD], Array(2000).fill(FIELD), [{ board: ['?'] }]]) {
    const connection = await connect(arbiter.port);
    connection.send({ ...request('/mine', linesOf(cases)), version: 'HTTP/1.0' });
    const answer = await connection.answer();
    assert.equal(answer.status, 200);
    assert.equal(answer.header('content-type'), NDJSON);
    for (const name of ['transfer-encoding', 'content-length']) assert.equal(answer.header(name), undefined, name);
    assert.equal(answer.text(), (await post('/mine', linesOf(cases))).text());
    assert.equal(await connection.closed(), 'end');
    assert.equal(connection.fault, null);
  }
});

// --- the queue ------------------------------------------------------------------------

test('streams take turns, case by case', async () => {
  await withRunning(async (other) => {
    // While the long worker is busy with one stream, the short worker solves the other.
    const answer = await other.ask(request('/mine', linesOf(Array(300).fill(FIELD))));
    assert.equal(checkStream(answer).length, 300);
  }, { cases: Array(301).fill(FIELD) });
});

test('a stream is not refused after --max-wait once the head of its answer has been sent', async () => {
  // A stream small enough to be started immediately, with a second case that the event loop can't solve.
  const heavy = { board: pawnBoard(randomFrom(41), 16, 16, 0), include: ['line'] };
  const lines = linesOf([{ board: ['OO', 'X.'] }, heavy]);
  assert.ok(lines.length <= 4096);
  const { document } = await alone('/pawn', heavy);
  await withStoppedClock([...ENDLESS_OPTIONS, '--workers', 1, '--long-workers', 1, '--max-wait', 10], async (other) => {
    const busy = await beginEndless(other); // so that no other hard case is solved
    // Each request in `before` keeps the only short worker busy for a moment, and all of them together for longer than the program needs
    // to read the rest. In the queue, `first` comes after them and before the streams.
    const count = 200;
    const [first, ...connections] = await Promise.all(Array.from({ length: count + 9 }, () => connect(other.port)));
    const [before, streams] = [connections.slice(0, count), connections.slice(count)];
    for (const connection of before) connection.send(HARD);
    await untilMetrics(other, 'they are in hand', (at) => at('arbiter_requests_in_flight') === 1 + count);
    first.send(HARD);
    await untilMetrics(other, 'it is in hand', (at) => at('arbiter_requests_in_flight') === 1 + count + 1);
    for (const connection of streams) connection.send(request('/pawn', lines));
    for (const connection of streams) await connection.lines(1);
    await other.clock.advance(10_001);
    for (const connection of before) connection.reset();
    for (const connection of streams) {
      assert.deepEqual(resultsOf(await connection.answer()), [{ verdict: 'Red', steps: 1 }, document]);
      connection.close();
    }
    // `first` had no turn before the clock was moved, so neither had the streams behind it.
    assert.equal((await first.answer()).status, 503);
    first.close();
    busy.close();
  });
});
