// Tests that `arbiter solve` gives the same answers as the service, and its messages and exit status. Tests that need a lot of memory or
// slow readers are in solve_streams.test.mjs.

import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { casesOf } from '../contract/cases.mjs';
import { SANITIZED, run, withArbiter } from '../server/arbiter.mjs';
import {
  HARD, KNOWN, below, goMoves, goText, mineBoard, mineText, pawnBoard, pawnText, randomFrom,
} from '../server/bodies.mjs';
import { until } from '../server/client.mjs';
import { begin, file, folder, solve } from './solving.mjs';

const SEED = Number(process.env.ARBITER_SEED ?? 20260301);

const TYPES = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  text: 'text/plain',
  sgf: 'application/x-go-sgf',
  svg: 'image/svg+xml',
};
const PAWN = '{"board":["OO","X."]}';
const PAWN_ANSWER = '{"verdict":"Red","steps":1}\n';
const BAD_PAWN = '{"board":["OO","X"]}';

const NO_PICTURE = '--to svg draws a single board, of at most 10,000 cells; use --to json, --to text or --to ndjson, or solve the boards one by one';

/** The lines on standard error, parsed as JSON. */
const problems = ({ stderr }) => stderr.split('\n').slice(0, -1).map((line) => JSON.parse(line));

// --- the same answers as the service

/** Questions for each route, in each format that a body can have. */
function everyFormat(random) {
  const many = (make) => Array.from({ length: 40 }, (_, id) => make(id));
  const field = (id) => ({ id, board: mineBoard(random, 1 + below(random, 12), 9, 0.2), include: ['wins', 'board'] });
  const pawn = (id) => ({ id, board: pawnBoard(random, 4, 5), include: ['moves', 'line'] });
  const game = (id) => ({ id, moves: goMoves(random, 60), include: ['boards', 'captured', 'score'] });
  const lines = (make, bad) => many((id) => (id % 7 === 3 ? bad : JSON.stringify(make(id)))).join('\n');
  const record = `(;SZ[9]${goMoves(random, 50, 9).map(([c, x, y]) => `;${c}[${'abcdefghi'[x]}${'abcdefghi'[y]}]`).join('')})`;
  return [
    ['/mine', 'json', JSON.stringify(field(1))],
    ['/mine', 'json', JSON.stringify({ cases: many(field) })],
    ['/mine', 'ndjson', lines(field, '{"board":["x"]}')],
    ['/mine', 'text', mineText(many(() => mineBoard(random, 9, 9, 0.2)))],
    ['/pawn', 'json', JSON.stringify(pawn(1))],
    ['/pawn', 'json', JSON.stringify({ cases: many(pawn) })],
    ['/pawn', 'ndjson', `\ufeff\r\n \t\n${lines(pawn, '{').replaceAll('\n', '\r\n\n')}`],
    ['/pawn', 'text', pawnText(many(() => pawnBoard(random, 4, 5)))],
    ['/go', 'json', JSON.stringify(game(1))],
    ['/go', 'json', JSON.stringify({ cases: many(game) })],
    ['/go', 'ndjson', `${lines(game, '{"id":"a","moves":[1]}')}\n`],
    ['/go', 'text', goText(many(() => goMoves(random, 80)))],
    ['/go', 'sgf', record],
    ['/go', 'sgf', record.slice(0, -20)],
    ...KNOWN.map(({ request: { target, headers, body } }) =>
      [target, headers['Content-Type'] === 'text/plain' ? 'text' : 'json', body]),
  ];
}

/** A problem from the service as `solve` words it: formats are named by options, and curl is not mentioned. */
function problemInSolve({ detail, errors, ...problem }) {
  const said = (text) => text
    .replace(/send Content-Type: (\S+?)(?= \(|$)/, (_, type) => `use --from ${Object.keys(TYPES).find((name) => TYPES[name] === type)}`)
    .replace(/ \(curl -d strips line ends; .*$/, '')
    .replace(/^(Accept rules out all available media types: |a picture shows a single board).*$/, NO_PICTURE);
  return { ...problem, detail: said(detail), ...(errors && { errors: errors.map((fault) => ({ ...fault, detail: said(fault.detail) })) }) };
}

/** Checks that a result of `solve` matches the service's answer. */
function sameAs({ status, body }, ended, about) {
  const text = body.toString();
  if (status === 200) {
    assert.equal(ended.stdout, text, about);
    assert.equal(ended.stderr, '', about);
    assert.equal(ended.code, /"problem":\{/.test(text) ? 3 : 0, about);
    return;
  }
  assert.equal(ended.stdout, '', about);
  const [{ file: name, ...problem }, ...others] = problems(ended);
  assert.deepEqual([others, problem], [[], problemInSolve(JSON.parse(text))], about);
  assert.equal(name, '-', about);
  assert.equal(ended.code, 3, about);
}

test('a body from a file or a pipe gets the same answer as from the service, in every format', async () => {
  const random = randomFrom(SEED);
  await withArbiter([], async (arbiter) => {
    for (const [target, from, body] of everyFormat(random))
      // A program built with a sanitizer takes half a second to start.
      for (const to of SANITIZED ? [undefined] : [undefined, 'json', 'ndjson', 'text', 'svg']) {
        const headers = { 'Content-Type': TYPES[from], ...(to && { Accept: TYPES[to] }) };
        const answer = await arbiter.ask({ target, headers, body });
        const args = ['solve', target.slice(1), '--from', from, ...(to ? ['--to', to] : [])];
        const about = `${args.join(' ')}, seed ${SEED}:\n${body.slice(0, 500)}`;
        sameAs(answer, await run(args, { input: body }), about);
        // The redirection makes standard input a regular file.
        const under = ['sh', '-c', 'path=$1; shift; exec "$@" <"$path"', 'sh', file('body', body)];
        sameAs(answer, await run(args, { under }), about);
      }
  });
});

test('a small --queue does not change any answer, for files, lines and standard input', async () => {
  const random = randomFrom(SEED);
  // A hard case keeps the only short worker busy, so that the files after it have to wait in the queue.
  const bodies = [['/mine', 'json', HARD.body], ...everyFormat(random)].filter(([target]) => target === '/mine');
  const files = bodies.map(([, from, body], at) => file(`queued${at}.${from === 'text' ? 'txt' : from}`, body));
  const [, , lines] = bodies.find(([, from]) => from === 'ndjson');
  for (const [args, input] of [[files], [['--from', 'ndjson'], lines.repeat(30)]]) {
    const expected = await solve(['mine', ...args], { input, status: 3 });
    for (const limit of [1, 2]) {
      const ended = await solve(['mine', '--queue', limit, '--workers', 1, ...args], { input, status: 3 });
      assert.deepEqual([ended.stdout, ended.stderr], [expected.stdout, expected.stderr], `--queue ${limit}`);
    }
  }
});

test('input that the service refuses is refused with the same problem, printed with the file name', async () => {
  const types = Object.values(TYPES);
  const plain = (path) => casesOf(path).filter(({ request: { method, target, headers, body, server }, answer }) =>
    method === 'POST' && target === path && server.length === 0 && body?.length > 0 && answer.status >= 400 &&
    types.includes(headers['Content-Type']) && Object.keys(headers).length === 1 &&
    // The service looks at a body of type text or JSON; with --from, a file is what the option says.
    !(headers['Content-Type'] === TYPES.text && /^\ufeff?\s*([{["(]|[.#OoXx*1-8]+\s)/.test(body.toString())) &&
    !(headers['Content-Type'] === TYPES.json && /^\ufeff?\s*(\(|[.#OoXx*1-8]+\s)/.test(body.toString())));
  let count = 0;
  await withArbiter([], async (arbiter) => {
    for (const target of ['/pawn', '/go', '/mine'])
      for (const from of ['json', 'text', 'sgf', 'ndjson']) {
        const asked = plain(target).filter(({ request }) => request.headers['Content-Type'] === TYPES[from]);
        count += asked.length;
        if (asked.length === 0) continue;
        const expected = [], files = [];
        for (const [number, { request, name }] of asked.entries()) {
          const answer = await arbiter.ask(request);
          const path = file(`${target.slice(1)}-${from}-${number}`, request.body);
          files.push(path);
          assert.ok(answer.status >= 400, name);
          expected.push({ file: path, ...problemInSolve(answer.json()) });
        }
        const ended = await solve([target.slice(1), '--from', from, ...files], { status: 3 });
        assert.equal(ended.stdout, '');
        assert.deepEqual(problems(ended), expected);
      }
  });
  assert.ok(count > 200, `only ${count} cases`);
});

test('--game, --ko, --suicide, --include and so on work like the query parameters of a POST', async () => {
  const records = '(;SZ[2]RU[Japanese];B[aa];W[ab];B[bb];W[ba])(;SZ[3]C[é];B[bb]AW[aa];W[ab];B[ab])';
  await withArbiter([], async (arbiter) => {
    for (const options of [
      {}, { game: '2' }, { ko: 'none' }, { suicide: 'true', game: '1' }, { include: 'score,boards' }, { game: 'all', include: 'captured' },
      { scoring: 'territory', komi: '0.5', next: 'W', dead: 'A2', seki: 'A1', include: 'score,legal' }, { repetition: 'report', seki: 'A1', dead: 'Z1' },
      { scoring: 'x', repetition: 'x', komi: 'x', next: 'x', dead: 'x', seki: 'x' }, { game: '3' }, { game: '0' }, { ko: 'a b&c=d%é' }, { suicide: 'yes', include: 'x,score' },
    ])
      for (const to of ['json', 'text', 'ndjson']) {
        const target = `/go?${new URLSearchParams(options)}`;
        const answer = await arbiter.ask({ target, headers: { 'Content-Type': TYPES.sgf, Accept: TYPES[to] }, body: records });
        const args = ['go', '--to', to, ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])];
        sameAs(answer, await run(['solve', ...args], { input: records }), args.join(' '));
      }
  });
});

test('the number of workers does not change the output', async () => {
  const random = randomFrom(SEED);
  const body = Array.from({ length: 3000 }, (_, id) => JSON.stringify({ id, board: mineBoard(random, 6, 9, 0.15) })).join('\n');
  const [one, four] = await Promise.all([[1, 1], [4, 2]].map(([workers, long]) =>
    solve(['mine', '--from', 'ndjson', '--workers', workers, '--long-workers', long], { input: body })));
  assert.equal(one.stdout.split('\n').length, 3001);
  assert.equal(one.stdout, four.stdout);
});

// --- files and formats

test('files are answered in order, including - for standard input and names after --', async () => {
  const names = ['Red 1\n', 'Black 1\n'];
  const red = file('red.txt', '0 1\n2 2\nOO\nX.\n'), black = file('black', '0 1\n2 2\nO.\nXO\n');
  const [first, second] = [(await solve(['pawn', red])).stdout, (await solve(['pawn', black])).stdout];
  assert.equal(first, names[0]);
  const { stdout } = await solve(['pawn', black, '-', red, '--', red, black], { input: PAWN });
  assert.equal(stdout, second + PAWN_ANSWER + first + first + second);
  const dashed = await solve(['pawn', '--', '--from'], { under: ['sh', '-c', `cd ${folder}; echo '${PAWN}' >--from; exec "$@"`, 'sh'] });
  assert.equal(dashed.stdout, PAWN_ANSWER);
});

test('a hundred files are answered in order', async () => {
  const files = Array.from({ length: 100 }, (_, id) => file(`case${id}.json`, JSON.stringify({ id, board: ['OO', 'X.'] })));
  const { stdout } = await solve(['pawn', '--workers', 2, ...files]);
  assert.deepEqual(stdout.trim().split('\n').map((line) => JSON.parse(line).id), files.map((_, id) => id));
});

test('the format is detected from the file name extension, or else from the first non-blank byte; --from takes precedence', async () => {
  const text = '0 1\n2 2\nOO\nX.\n';
  const cases = [
    ['a.json', PAWN, PAWN_ANSWER], ['a.JSON', PAWN, PAWN_ANSWER],
    ['a.ndjson', `${PAWN}\n${PAWN}`, PAWN_ANSWER + PAWN_ANSWER], ['a.jsonl', `${PAWN}\n${PAWN}`, PAWN_ANSWER + PAWN_ANSWER],
    ['a.txt', text, 'Red 1\n'], ['a', text, 'Red 1\n'], ['b', `\n\t \r\n${PAWN}`, PAWN_ANSWER], ['c', `\ufeff ${PAWN}`, PAWN_ANSWER],
    ['a.b/c.json', null], ['d.dat', PAWN, PAWN_ANSWER],
  ];
  for (const [name, body, answer] of cases.filter(([, body]) => body !== null)) {
    assert.equal((await solve(['pawn', file(name, body)])).stdout, answer, name);
    if (!name.includes('json')) assert.equal((await solve(['pawn'], { input: body })).stdout, answer, name);
  }
  const record = '(;SZ[2];B[aa])';
  const board = '{"misses":[],"board":["B.",".."]';
  for (const name of ['e.sgf', 'e', 'e.SGF']) assert.ok((await solve(['go', file(name, record)])).stdout.startsWith(board), name);
  assert.ok((await solve(['go'], { input: ` ${record}` })).stdout.startsWith(board));
  for (const [name, body] of [['f.txt', PAWN], ['f.sgf', PAWN], ['f.ndjson', PAWN]])
    assert.equal((await solve(['pawn', '--from=json', file(name, body)])).stdout, PAWN_ANSWER);
  // With --from, nothing is detected, though the service reads JSON that is sent as text.
  for (const [from, input] of [['text', PAWN], ['text', 'OO\nX.\n'], ['json', 'OO\nX.\n'], ['json', text], ['drawing', PAWN]])
    assert.equal((await solve(['pawn', '--from', from], { input, status: 3 })).stdout, '', `${from}: ${input}`);
  for (const name of ['i.ndjson', 'i.jsonl']) { // as JSON the whole file would be refused
    const { stdout } = await solve(['pawn', file(name, `{\n${PAWN}\n`)], { status: 3 });
    assert.ok(stdout.endsWith(PAWN_ANSWER), name);
  }
  const wrong = problems(await solve(['pawn', file('g.json', text)], { status: 3 }));
  assert.deepEqual(wrong.map(({ type, status }) => [type, status]), [['/problems/malformed', 400]]);
});

test('empty input is refused like an empty body', async () => {
  for (const args of [['pawn'], ['pawn', '--from', 'ndjson'], ['pawn', file('empty', '')], ['pawn', file('empty.ndjson', '')]]) {
    const [problem] = problems(await solve(args, { status: 3, input: '' }));
    assert.equal(problem.detail, 'the body is empty', args.join(' '));
  }
  const blank = problems(await solve(['pawn', '--from', 'ndjson'], { status: 3, input: '\n\t\r\n \n  ' }));
  assert.deepEqual(blank[0].errors, [{ line: 4, column: 3, code: 'syntax', detail: 'the body has no cases, only blank lines' }]);
});

test('a file can be larger than max_body_bytes', async () => {
  const path = file('large.txt', '1\n3 3 1\n1 1\n');
  truncateSync(path, 12); // the rest of the file is blanks, more than max_body_bytes
  writeFileSync(path, Buffer.alloc(65 << 20, ' '), { flag: 'a' });
  assert.equal((await solve(['mine', path])).stdout, 'Case #1: Fanglaoshi\n');
  assert.equal((await solve(['mine', path], { env: { ARBITER_MAX_BODY_BYTES: 'x' } })).stdout, 'Case #1: Fanglaoshi\n');
});

test('standard input is read from its current position, and only once', async () => {
  const path = file('two', `first line\n${PAWN}`);
  const under = ['sh', '-c', 'exec <"$1"; shift; read -r line; exec "$@"', 'sh', path];
  assert.equal((await solve(['pawn'], { under })).stdout, PAWN_ANSWER);
  const twice = await solve(['pawn', '-', '-'], { under, status: 3 });
  assert.equal(twice.stdout, PAWN_ANSWER);
  assert.equal(problems(twice)[0].detail, 'the body is empty');
});

// --- streams

test('a line is answered before the next one is written', async (t) => {
  const arbiter = begin(t, ['pawn', '--from', 'ndjson']);
  let expected = '';
  for (let id = 0; id < 20; id += 1) {
    arbiter.child.stdin.write(`{"id":${id},"board":["OO","X."]}${id % 2 ? '\n' : '\r\n\n'}`);
    expected += `{"id":${id},${PAWN_ANSWER.slice(1)}`;
    await until(`line ${id} is answered`, () => arbiter.stdout === expected);
  }
  arbiter.child.stdin.end();
  await arbiter.leaves();
  assert.equal(arbiter.stdout, expected);
});

test('an answer waits for the answers to earlier cases, but not to later ones', async () => {
  const hard = JSON.stringify({ id: 'hard', board: mineBoard(randomFrom(1), 300, 300, 0.1), states: 300 });
  const easy = (id) => JSON.stringify({ id, board: ['...'] });
  const { stdout } = await solve(['mine', '--from', 'ndjson'], { input: [easy(1), hard, easy(2), hard, easy(3)].join('\n') });
  assert.deepEqual(stdout.trim().split('\n').map((line) => JSON.parse(line).id), [1, 'hard', 2, 'hard', 3]);
});

test('wherever a stream is cut, its answers and the line numbers of its faults stay the same', async (t) => {
  const lines = ['\ufeff', '\t', PAWN, '', '{"board":["ОO","X."]}', '{"id":"é","board":["OO","X."]}\r', '{,', '   ', '  x', BAD_PAWN, ' ', PAWN];
  for (const end of ['', '\n', '\n \n\t']) {
    const body = Buffer.from(lines.join('\n').replace('\n', '') + end);
    const whole = (await solve(['pawn', file('whole.ndjson', body)], { status: 3 })).stdout;
    assert.deepEqual(whole.trim().split('\n').map((line) => JSON.parse(line).problem?.errors[0].line ?? null).filter(Boolean), [6, 8]);
    for (let at = 1; at < body.length; at += SANITIZED ? 17 : 1 + (at % 3)) {
      const arbiter = begin(t, ['pawn', '--from', 'ndjson']);
      const { stdin } = arbiter.child;
      const known = whole.split('\n').slice(0, body.subarray(0, at).toString('latin1').split('\n').slice(0, -1)
        .filter((line) => !/^(\u00ef\u00bb\u00bf)?[ \t\r]*$/.test(line)).length).map((line) => `${line}\n`).join('');
      stdin.write(body.subarray(0, at));
      await until('complete lines are answered', () => arbiter.stdout === known);
      stdin.end(body.subarray(at));
      await arbiter.leaves({ status: 3 });
      assert.equal(arbiter.stdout, whole, `cut at ${at}`);
      assert.equal(arbiter.stderr, '');
    }
  }
});

test('a stream with --to json or text is a batch', async () => {
  const body = `${PAWN}\n${PAWN}\n`;
  assert.equal((await solve(['pawn', '--from', 'ndjson', '--to', 'text'], { input: body })).stdout, 'Red 1\nRed 1\n');
  assert.equal((await solve(['pawn', '--from', 'ndjson', '--to', 'json'], { input: body })).stdout,
    '{"results":[{"verdict":"Red","steps":1},{"verdict":"Red","steps":1}]}\n');
  const [problem] = problems(await solve(['pawn', '--from', 'ndjson', '--to', 'json', '--max-cases', 1], { input: body, status: 3 }));
  assert.deepEqual(problem.errors.map(({ line, code }) => [line, code]), [[2, 'length']]);
});

test('a document that looks like lines is refused, and the problem suggests --from ndjson', async () => {
  for (const body of [`{"cases":[${PAWN}]}\n${PAWN}\n`, `\n{"cases":[]}\r\n\r\n  ${PAWN}`, `{,}\n${PAWN}\n`]) {
    for (const ended of [await solve(['pawn'], { input: body, status: 3 }), await solve(['pawn', file('lines', body)], { status: 3 })]) {
      const [problem] = problems(ended);
      assert.equal(ended.stdout, '');
      assert.equal(problem.status, 400);
      assert.match(problem.detail, /for one case per line, use --from ndjson$/);
    }
  }
  for (const body of [`{\n${PAWN}`.slice(0, -1).replace('\n{', '\n"'), `${PAWN}x`])
    assert.doesNotMatch(problems(await solve(['pawn'], { input: body, status: 3 }))[0].detail, /--from ndjson/, body);
  assert.equal((await solve(['pawn'], { input: `${PAWN.slice(0, 1)}\n${PAWN.slice(1)}` })).stdout, PAWN_ANSWER);
});

// --- options

test('limits and workers can be set with options and variables, except max_body_bytes', async () => {
  const body = JSON.stringify({ board: ['....'] });
  for (const options of [{ args: ['--max-mine-cells', 3] }, { args: [], env: { ARBITER_MAX_MINE_CELLS: '3' } }]) {
    const [problem] = problems(await solve(['mine', ...options.args], { input: body, status: 3, env: options.env ?? {} }));
    assert.deepEqual([problem.status, problem.errors[0].code], [422, 'range']);
  }
  const { stdout: help } = await solve(['--help']);
  const { stdout: all } = await run(['--help']);
  const listed = (text) => [...text.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, name]) => name);
  const limits = listed(all).filter((name) => /^--(max-(?!connections|wait)|queue)/.test(name) && name !== '--max-body-bytes');
  assert.ok(limits.length >= 12);
  // Accepted, so that variables can be shared with a server, but without a meaning.
  const ofServers = ['--queue', '--max-link-answer-bytes'];
  const ofSolve = ['--workers', '--long-workers', '--from', '--to', '--game', '--ko', '--suicide', '--scoring', '--repetition', '--komi', '--next', '--dead', '--seki', '--include', '--case'];
  for (const name of [...limits.filter((one) => !ofServers.includes(one)), ...ofSolve]) assert.ok(listed(help).includes(name), name);
  for (const name of ['--max-body-bytes', '--port', '--log-level', ...ofServers]) assert.ok(!listed(help).includes(name), name);
  assert.equal((await solve(['pawn', ...ofServers.flatMap((name) => [name, 1])], { input: PAWN })).stdout, PAWN_ANSWER);
  assert.match(all, /^ {2}solve /m);
});

const UNADJUSTED = { scoring: 'area', komi: 0, dead: { B: 0, W: 0 } };
test('variables for records are ignored when reading other files', async () => {
  const env = { ARBITER_KO: 'simple', ARBITER_INCLUDE: 'score' };
  assert.equal((await solve(['pawn'], { input: PAWN, env })).stdout, PAWN_ANSWER);
  const { stdout } = await solve(['go', file('v.json', '{"moves":[]}'), file('v.sgf', '(;SZ[2];B[aa])')], { env });
  const [plain, record] = stdout.trim().split('\n').map((text) => JSON.parse(text));
  assert.equal(plain.score, undefined);
  assert.deepEqual([record.rules.ko, record.score], ['simple', { B: 4, W: 0, neutral: 0, ...UNADJUSTED, winner: 'B', margin: 4, result: 'B+4' }]);
});

test('blanks before a body from a pipe are scanned only once', async () => {
  const { stdout } = await solve(['pawn'], { input: ' '.repeat(40e6) + PAWN });
  assert.equal(stdout, PAWN_ANSWER);
});

test('incorrect usage is reported, with status 2 and no standard output', async () => {
  const record = file('r.sgf', '(;SZ[2])');
  for (const [args, words] of [
    [[], /pawn, go or mine/], [['chess'], /"chess"/], [['/pawn'], /"\/pawn"/], [['pawn', '--from', 'svg'], /--from is "svg"/],
    [['pawn', '--to', 'sgf'], /--to is "sgf"/], [['pawn', '--to'], /--to needs a value/], [['pawn', '--port', '1'], /"--port"/],
    [['pawn', '--max-body-bytes', '1'], /"--max-body-bytes"/], [['pawn', '-x'], /"-x"/], [['pawn', '--workers', '0'], /--workers/],
    [['pawn', '--ko', 'simple'], /--ko is only for SGF/], [['pawn', '--include', 'line', '--to', 'text'], /--include needs answers in JSON/],
    [['go', '--include', 'score', '--from', 'text'], /--include needs answers in JSON/], [['pawn', '--include', '"line"'], /words separated by commas/],
    [['pawn', '--include', 'line,'.repeat(200)], /at most 240 characters/], [['pawn', '--from', 'drawings'], /--from is "drawings"/],
    [['go', '--game', '2', record, file('r.json', '{}')], /r\.json: --game is only for SGF/], [['--version'], /solve has no such option/],
    [['go', '--suicide', 'true', file('r', '{"moves":[]}')], /--suicide is only for SGF/],
    ...['scoring', 'repetition', 'komi', 'next', 'dead', 'seki'].map((name) => [['go', `--${name}`, '1', file('r', '{"moves":[]}')], RegExp(`--${name} is only for SGF`)]),
  ]) {
    const ended = await solve(args, { status: 2, input: PAWN });
    assert.match(ended.stderr, words);
    assert.equal(ended.stdout, '', args.join(' '));
  }
  const { stderr } = await solve(['go', '--include', 'score'], { status: 2, input: '1\n0\n' });
  assert.match(stderr, /--include needs answers in JSON/);
});

// --- problems and exit statuses

test('problems go to standard error with the file name, except in a stream, where they only go to the output', async () => {
  const name = 'a "name"\n\\ \u00e9.json';
  const [problem] = problems(await solve(['pawn', file(name, BAD_PAWN)], { status: 3 }));
  assert.deepEqual([problem.file, problem.status, problem.errors[0].pointer], [join(folder, name), 422, '/board/1']);
  const stream = await solve(['pawn', file('s.ndjson', `${PAWN}\n${BAD_PAWN}\n${PAWN}`)], { status: 3 });
  assert.equal(stream.stderr, '');
  assert.deepEqual(stream.stdout.trim().split('\n').map((line) => JSON.parse(line).problem?.status), [undefined, 422, undefined]);
});

test('the exit status is the most serious one: 1 takes precedence over 3, and 3 over 0', async () => {
  const good = file('good.json', PAWN), bad = file('bad.json', BAD_PAWN), none = join(folder, 'none.json');
  const worst = async (files, status, answers) =>
    assert.equal((await solve(['pawn', ...files], { status })).stdout, PAWN_ANSWER.repeat(answers), files.join(' '));
  await worst([good, good], 0, 2);
  await worst([bad, good], 3, 1);
  await worst([good, bad, good], 3, 2);
  await worst([good, none, bad, good], 1, 2);
  await worst([bad, none], 1, 0);
  assert.match((await solve(['pawn', none], { status: 1 })).stderr, /none\.json: No such file/);
  assert.match((await solve(['pawn', folder], { status: 1 })).stderr, /Is a directory/);
});

test('requesting an unavailable format results in status 3', async () => {
  const batch = JSON.stringify({ cases: [{ board: ['OO', 'X.'] }] });
  for (const [args, input, status] of [
    [['pawn', '--to', 'svg'], batch, 406], [['pawn', '--to', 'svg', '--from', 'ndjson'], PAWN, 406],
    [['pawn', '--to', 'svg'], '0 1\n2 2\nOO\nX.\n', 406], [['pawn', '--from', 'sgf'], '(;SZ[2])', 415],
    [['mine', '--to', 'svg'], '{"rows":200,"cols":200,"mines":[]}', 406],
  ])
    assert.equal(problems(await solve(args, { input, status: 3 }))[0].status, status);
  assert.match((await solve(['pawn', '--to', 'svg'], { input: PAWN })).stdout, /^<svg /);
});

test('a game without drawings reads none', async () => {
  for (const input of ['O.O\n', '']) {
    const { stderr } = await solve(['go', '--from', 'drawing'], { input, status: 2 });
    assert.match(stderr, /this game has no drawings; use --from json/);
  }
});

test('a case that does not fit the account is not a fault of the case: status 1', async () => {
  const small = ['--max-inflight-bytes', 100_000];
  const long = `{"board":["OO","X."]${' '.repeat(300_000)}}`;
  const piped = problems(await solve(['pawn', ...small], { input: long, status: 1 }));
  assert.deepEqual([piped[0].status, piped.length], [503, 1]);
  assert.match(piped[0].detail, /^the input is too large; max_inflight_bytes is 100000 /);
  assert.equal((await solve(['pawn', ...small, file('long.json', long)])).stdout, PAWN_ANSWER);
  const stream = await solve(['pawn', ...small, '--from', 'ndjson'], { input: `${PAWN}\n${long}\n`, status: 1 });
  assert.equal(stream.stdout, PAWN_ANSWER);
  assert.match(problems(stream)[0].detail, /^a line is too long; max_inflight_bytes is /);
  const little = ['--max-inflight-bytes', 4_000_000, '--workers', 2, '--from', 'ndjson'];
  assert.equal((await solve(['pawn', ...little], { input: `${PAWN}\n`.repeat(400_000) })).stdout, PAWN_ANSWER.repeat(400_000));
});

test('if writing to standard output fails, the status is 1, and a message is printed unless the reader has closed the pipe', async (t) => {
  const full = await solve(['pawn'], { input: PAWN, status: 1, under: ['sh', '-c', 'exec "$@" >/dev/full', 'sh'] });
  assert.match(full.stderr, /standard output: No space left/);
  const closed = await solve(['pawn'], { input: PAWN, status: 1, under: ['sh', '-c', 'exec "$@" >&-', 'sh'] });
  assert.match(closed.stderr, /standard output: /);
  const unread = await solve(['pawn'], { status: 1, under: ['sh', '-c', 'exec "$@" <&-', 'sh'] });
  assert.match(unread.stderr, /-: Bad file descriptor/);
  const arbiter = begin(t, ['pawn', '--from', 'ndjson']);
  arbiter.child.stdin.on('error', () => {}); // the program exits before everything is written
  arbiter.child.stdin.write(`${PAWN}\n`);
  await until('the first line has come', () => arbiter.stdout !== '');
  arbiter.child.stdout.destroy(); // the program notices this although it has nothing to write
  await arbiter.leaves({ status: 1 });
  assert.equal(arbiter.stderr, '');
});

test('a signal ends the program immediately', async (t) => {
  const body = JSON.stringify({ board: mineBoard(randomFrom(1), 300, 300, 0.1) });
  for (const name of ['SIGINT', 'SIGTERM']) {
    const arbiter = begin(t, ['mine', '--max-search-states', 1_000_000_000]);
    arbiter.child.stdin.end(body);
    await arbiter.untilBusy(() => {});
    arbiter.signal(name);
    assert.deepEqual(await arbiter.exit, { code: null, signal: name });
    assert.equal(arbiter.stdout + arbiter.stderr, '');
  }
});
