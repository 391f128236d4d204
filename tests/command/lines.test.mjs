// `arbiter solve` when the format is detected from the first byte. If the first line is a case, it is answered as soon as it ends, and
// the lines after it are also cases. Any other input is a single document, as in 1.0.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SANITIZED } from '../server/arbiter.mjs';
import { until } from '../server/client.mjs';
import { begin, file, solve } from './solving.mjs';

const PAWN = '{"board":["OO","X."]}';
const ANSWER = '{"verdict":"Red","steps":1}\n';
const BAD = '{"id":"b","board":["OO","X"]}';
const FORMS = [[], ['--to', 'json'], ['--to', 'ndjson']];

const problemOf = (line) => JSON.parse(line).problem;
/** The problem on standard error, without the file name. */
function problemOnStderr({ stderr }, name = '-') {
  assert.equal(stderr.split('\n').length, 2, stderr);
  const { file: about, ...problem } = JSON.parse(stderr);
  assert.equal(about, name);
  return problem;
}

test('a program that writes one question at a time gets each answer immediately', async (t) => {
  for (const args of FORMS) {
    const arbiter = begin(t, ['pawn', ...args]);
    let expected = '';
    for (let id = 0; id < 5; id += 1) {
      arbiter.child.stdin.write(`{"id":${id},"board":["OO","X."]}${id % 2 ? '\n' : '\r\n\n'}`);
      expected += `{"id":${id},${ANSWER.slice(1)}`;
      await until(`line ${id} is answered`, () => arbiter.stdout === expected);
    }
    arbiter.child.stdin.write(BAD);
    arbiter.child.stdin.end();
    await arbiter.leaves({ status: 3 });
    assert.ok(arbiter.stdout.startsWith(expected));
    assert.equal(JSON.parse(arbiter.stdout.slice(expected.length)).id, 'b');
    assert.equal(arbiter.stderr, '');
  }
});

test('lines from a pipe or a file are answered as with --from ndjson, wherever the input is cut', async (t) => {
  const lines = [`\ufeff \t`, '', `  ${PAWN}\r`, '', BAD, '{,', '   ', PAWN.replace('{', '{"id":"é",'), ' ', '{"cases":[]}', PAWN];
  for (const end of ['', '\n \n\t']) {
    const body = Buffer.from(lines.join('\n') + end);
    const whole = (await solve(['pawn', '--from', 'ndjson'], { input: body, status: 3 })).stdout;
    assert.deepEqual(whole.trim().split('\n').map((line) => problemOf(line)?.errors[0].line), [undefined, undefined, 6, undefined, undefined, undefined]);
    const path = file('lines', body);
    const from = ['sh', '-c', 'exec <"$1"; shift; exec "$@"', 'sh', path];
    for (const args of FORMS) {
      for (const ended of [await solve(['pawn', ...args, path], { status: 3 }), await solve(['pawn', ...args], { under: from, status: 3 })]) {
        assert.equal(ended.stdout, whole);
        assert.equal(ended.stderr, '');
      }
    }
    const step = SANITIZED ? 9 : 3;
    for (let at = 1; at < body.length; at += step) {
      const arbiter = begin(t, ['pawn']);
      arbiter.child.stdin.write(body.subarray(0, at));
      const first = body.indexOf(PAWN) + PAWN.length + 2; // including its line feed
      if (at >= first) await until('the first line is answered', () => arbiter.stdout.startsWith(ANSWER));
      arbiter.child.stdin.end(body.subarray(at));
      await arbiter.leaves({ status: 3 });
      assert.equal(arbiter.stdout, whole, `cut at ${at}`);
      assert.equal(arbiter.stderr, '');
    }
  }
});

test('if the first line is refused, its problem goes to standard error when the line ends, and to the output before the second answer', async (t) => {
  for (const args of [[], ['--to', 'json']]) {
    const arbiter = begin(t, ['pawn', ...args]);
    arbiter.child.stdin.write(`${BAD}\n`);
    await until('the problem is printed', () => arbiter.stderr.endsWith('\n'));
    const problem = problemOnStderr(arbiter);
    assert.deepEqual([problem.status, problem.errors[0].pointer], [422, '/board/1']);
    arbiter.child.stdin.write(`\n \n${PAWN}\n`);
    await until('the second line is answered', () => arbiter.stdout.endsWith(ANSWER));
    const [line, ...others] = arbiter.stdout.split('\n');
    assert.deepEqual(JSON.parse(line), { id: 'b', problem });
    assert.equal(others.join('\n'), ANSWER);
    arbiter.child.stdin.end(BAD);
    await arbiter.leaves({ status: 3 });
    assert.equal(arbiter.stdout, `${line}\n${ANSWER}${line}\n`);
    assert.deepEqual(problemOnStderr(arbiter), problem);
  }
  const lines = await solve(['pawn', '--to', 'ndjson'], { input: `${BAD}\n${PAWN}\n`, status: 3 });
  assert.equal(lines.stderr, '');
  assert.deepEqual(lines.stdout.trim().split('\n').map((line) => problemOf(line)?.status), [422, undefined]);
});

test('if the only line is refused, it counts as a refused document', async () => {
  for (const input of [BAD, `${BAD}\n`, `\n${BAD}\r\n\n \t`]) {
    for (const args of [['pawn'], ['pawn', file('refused', input)]]) {
      const ended = await solve(args, { input, status: 3 });
      assert.equal(ended.stdout, '');
      assert.equal(problemOnStderr(ended, args[1] ?? '-').status, 422);
    }
    const line = await solve(['pawn', '--to', 'ndjson'], { input, status: 3 });
    assert.deepEqual([line.stderr, JSON.parse(line.stdout).id], ['', 'b']);
  }
});

test('a refused file has no line in the output, even if the next file is read as lines', async () => {
  const [bad, lines] = [file('one', `${BAD}\n`), file('two.ndjson', `${PAWN}\n${PAWN}\n`)];
  const ended = await solve(['pawn', bad, lines, bad], { status: 3 });
  assert.equal(ended.stdout, ANSWER + ANSWER);
  assert.deepEqual(ended.stderr.trim().split('\n').map((line) => JSON.parse(line).file), [bad, bad]);
});

test('the output line for a refused first line includes the id if the case has a valid one', async () => {
  const game = '{"id":7,"moves":[["B",0,0],["W",0,1],["B",0,2]]';
  const cases = [
    ['go', [], `${game},"x":1}`, 7, 422], ['go', ['--max-moves-total', 2], `${game}}`, 7, 422],
    ['go', ['--max-answer-bytes', 100], `${game}}`, 7, 422], ['go', ['--max-json-values', 5], `${game}}`, undefined, 413],
    ['go', [], '{"id":1.5,"moves":[]}', undefined, 422], ['go', [], '{}', undefined, 422],
    ['go', [], '{"id":"\u202e\\u0001","moves":1}', '\u202e\u0001', 422],
  ];
  for (const [route, args, bad, id, status] of cases) {
    const ended = await solve([route, ...args], { input: `${bad}\n\n{,\n`, status: 3 });
    const [first, second] = ended.stdout.split('\n').map((line) => line && JSON.parse(line));
    assert.equal(first.id, id, bad);
    assert.equal(first.problem.status, status, bad);
    assert.deepEqual(first.problem, problemOnStderr(ended), bad);
    assert.deepEqual([second.id, second.problem.errors[0].line], [undefined, 3], bad);
  }
});

test('the first line can be a collection of games', async () => {
  const sgf = '(;SZ[2];B[aa])(;SZ[2])';
  const input = `${JSON.stringify({ sgf, game: 'all' })}\n${JSON.stringify({ sgf, game: 'all' })}\n${JSON.stringify({ sgf, game: 2 })}\n`;
  const { stdout } = await solve(['go'], { input, status: 3 });
  const [all, again, second] = stdout.trim().split('\n').map((line) => JSON.parse(line));
  assert.equal(all.results.length, 2);
  assert.equal(again.problem.errors[0].code, 'value'); // as in a stream
  assert.equal(second.record.game, 2);
});

test('a document whose first line is not a case is read to its end', async () => {
  const inputs = [
    ['{\n"board":["OO","X."]}', ANSWER], ['\ufeff\n{"board":\r\n["OO","X."]}\n', ANSWER],
    [`{"cases":[${PAWN}]}\n`, `{"results":[${ANSWER.trim()}]}\n`], [`{"cases":\n[${PAWN}]}`, `{"results":[${ANSWER.trim()}]}\n`],
  ];
  for (const [input, answer] of inputs) {
    assert.equal((await solve(['pawn'], { input })).stdout, answer);
    assert.equal((await solve(['pawn', file('document', input)])).stdout, answer);
  }
  const refused = [`{"cases":[${PAWN}]}\n${PAWN}\n`, `{"\\u0063ases":1}\n${PAWN}`, `${PAWN}x\n${PAWN}\n`, `${PAWN}${PAWN}\n${PAWN}\n`, `{"a":"\xff"}\n`];
  for (const input of refused)
    for (const args of [['pawn'], ['pawn', file('refused', Buffer.from(input, 'latin1'))]]) {
      const ended = await solve(args, { input: Buffer.from(input, 'latin1'), status: 3 });
      assert.equal(ended.stdout, '', input);
      assert.equal(problemOnStderr(ended, args[1] ?? '-').status, 400, input);
    }
});

test('with --from, or if the output is text or a picture, the input is not read as a stream of lines', async () => {
  const input = `${PAWN}\n${PAWN}\n`;
  for (const args of [['--from', 'json'], ['--to', 'text'], ['--to', 'svg'], [file('lines.json', input)]]) {
    const ended = await solve(['pawn', ...args], { input, status: 3 });
    assert.equal(ended.stdout, '');
    assert.match(ended.stderr, /unexpected text after the JSON value; for one case per line, use --from ndjson/);
  }
});

test('the first line and the lines after it get the memory that they need, or are refused', async () => {
  const small = ['--max-inflight-bytes', 200_000];
  const long = `{"board":["OO","X."]${' '.repeat(300_000)}}\n`;
  for (const args of [[], [file('long', long + PAWN)]]) {
    const ended = await solve(['pawn', ...small, ...args], { input: long + PAWN, status: 1 });
    assert.equal(ended.stdout, '');
    assert.match(problemOnStderr(ended, args[0] ?? '-').detail,
      args.length === 0 ? /^the input is too large; max_inflight_bytes is 200000/ : /^a line is too long; max_inflight_bytes is 200000/);
  }
  const after = await solve(['pawn', ...small], { input: `${PAWN}\n${long}`, status: 1 });
  assert.equal(after.stdout, ANSWER);
  assert.match(problemOnStderr(after).detail, /^a line is too long;/);
  const many = `${PAWN}\n`.repeat(SANITIZED ? 20_000 : 200_000);
  const answers = ANSWER.repeat(many.length / (PAWN.length + 1));
  const little = ['--max-inflight-bytes', 4_000_000, '--workers', 2];
  assert.ok((await solve(['pawn', ...little], { input: many })).stdout === answers);
  assert.ok((await solve(['pawn', ...little, file('many', many)])).stdout === answers);
});
