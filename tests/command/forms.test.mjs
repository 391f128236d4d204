// `arbiter solve`: --case, --include and drawings, in every format; files whose names do not tell what they contain. And what
// `arbiter serve` says on a terminal.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { Arbiter, COMMAND, run, withArbiter } from '../server/arbiter.mjs';
import { until } from '../server/client.mjs';
import { begin, file, solve } from './solving.mjs';

const PAWN = '{"board":["O.O","X.."]}';
const RED = '{"verdict":"Red","steps":1}\n';
const TIE = '{"verdict":"Tie","steps":null}\n';
const DRAWINGS = 'O.O\nX..\n\nO.O\n###\nX..\n';
const BOTH = `{"results":[${RED.trim()},${TIE.trim()}]}\n`;
const LINE = '"line":[{"from":[0,0],"to":[1,0]}],"reason":"capture"';
const RECORD = '(;SZ[1];B[aa])';
const GAME = '{"misses":[{"move":1,"color":"B","at":[0,0],"name":"A1","code":2,"reason":"suicide"}],"board":["."],"played":0,"prisoners":{"B":0,"W":0}';
const SCORE = ',"score":{"B":0,"W":0,"neutral":1,"scoring":"area","komi":0,"dead":{"B":0,"W":0},"winner":null,"margin":0,"result":"Draw"}';
const RULES = '"rules":{"ko":"positional","suicide":false,"scoring":"area","source":"default"},"record":{"game":1,"games":1,"variations":0}';

const problemsOf = ({ stderr }) => stderr.split('\n').slice(0, -1).map((line) => JSON.parse(line));

test('a case in place of a file is answered with a hint at --case', async () => {
  for (const text of [PAWN, '["OO","X."]'])
    assert.equal((await solve(['pawn', text], { status: 1 })).stderr,
      `arbiter: ${text}: there is no such file; to solve a case without a file, use --case\n`);
});

test('--case is a case in any format, and standard input is not read', async () => {
  for (const [game, text, answer] of [
    ['pawn', PAWN, RED], ['pawn', ` ${PAWN}\n`, RED], ['pawn', '["O.O","X.."]', RED], ['pawn', '"O.O\\nX.."', RED],
    ['pawn', `{"cases":[${PAWN}]}`, `{"results":[${RED.trim()}]}\n`], ['pawn', `[${PAWN}]`, `{"results":[${RED.trim()}]}\n`],
    ['pawn', `${PAWN}\n${PAWN}`, RED + RED], ['pawn', 'O.O\nX..', `{"results":[${RED.trim()}]}\n`], ['pawn', DRAWINGS, BOTH],
    ['pawn', '1 1\n2 3\nO.O\nX..\n', 'Red 1\n'], ['go', RECORD, `${GAME},${RULES}}\n`], ['go', '{"size":1,"moves":["A1"]}', `${GAME}}\n`],
  ]) {
    const { stdout, stderr } = await solve([game, '--case', text], { input: 'not a case' });
    assert.deepEqual([stdout, stderr], [answer, ''], text);
    assert.equal((await solve([game, `--case=${text}`], { input: 'not a case' })).stdout, answer, text);
    assert.equal((await solve([game], { env: { ARBITER_CASE: text }, input: 'not a case' })).stdout, answer, text);
  }
});

test('--case comes before files, is converted like them, and has its name in messages', async () => {
  const tie = file('tie.json', '{"board":"O.O\\n###\\nX.."}');
  assert.equal((await solve(['pawn', '--case', PAWN, tie])).stdout, RED + TIE);
  assert.equal((await solve(['pawn', '--case', PAWN, '-'], { input: 'O.O\n###\nX..' })).stdout, `${RED}{"results":[${TIE.trim()}]}\n`);
  assert.equal((await solve(['pawn', '--case', DRAWINGS, '--to', 'text'])).stdout, 'Red 1\nTie\n');
  assert.equal((await solve(['pawn', '--case', DRAWINGS, '--to', 'ndjson', '--with-file'])).stdout,
    [RED, TIE].map((line) => line.replace('{', '{"file":"--case",')).join(''));
  assert.match((await solve(['pawn', '--case', PAWN, '--to', 'svg'])).stdout, /^<svg /);
  const ended = await solve(['pawn', '--case', 'O.O\nX.'], { status: 3 });
  const [{ file: name, errors }] = problemsOf(ended);
  assert.deepEqual([name, errors.map(({ line, column, code }) => [line, column, code])], ['--case', [[2, 1, 'length']]]);
  assert.match((await solve(['pawn', '--case', ''], { status: 2, input: PAWN })).stderr, /--case is empty/);
  assert.equal((await solve(['pawn', '--case', ' \n'], { status: 3, input: PAWN })).stdout, '');
  assert.match((await run(['solve', 'pawn', '--case'])).stderr, /--case needs a value/);
});

test('--include adds parts to the results of every format', async () => {
  const red = `{"verdict":"Red","steps":1,${LINE}}\n`;
  for (const [game, input, answer, include = 'line', args = []] of [
    ['pawn', PAWN, red], ['pawn', `${PAWN}\n${PAWN}\n`, red + red], ['pawn', '"O.O\\nX.."', red], ['pawn', '["O.O","X.."]', red],
    ['pawn', `[${PAWN}]`, `{"results":[${red.trim()}]}\n`], ['pawn', `{"cases":[${PAWN}]}`, `{"results":[${red.trim()}]}\n`],
    ['pawn', 'O.O\nX..\n', `{"results":[${red.trim()}]}\n`], ['pawn', '1 1\n2 3\nO.O\nX..\n', red, 'line', ['--to', 'ndjson']],
    ['pawn', '1 1\n2 3\nO.O\nX..\n', `{"results":[${red.trim()}]}\n`, 'line', ['--to', 'json']],
    ['pawn', 'O.O\nX..', red, 'line', ['--to', 'ndjson']],
    // A case's own member, or that beside the cases of a batch, takes precedence.
    ['pawn', '{"include":[],"board":["O.O","X.."]}', RED], ['pawn', `{"include":[],"cases":[${PAWN}]}`, `{"results":[${RED.trim()}]}\n`],
    ['pawn', PAWN, `{"case":{"board":["O.O","X.."],"include":["case"]},${RED.slice(1)}`, 'case'],
    ['pawn', '"O.O\\nX.."', `{"case":{"board":"O.O\\nX..","include":["case"]},${RED.slice(1)}`, 'case'],
    ['mine', '.', '{"results":[{"verdict":"Xiemao","nimber":1,"openings":1,"three_bv":1,"shared_numbers":0,"turn":"Xiemao","wins":[[0,0]],"wins_total":1,"board":["."]}]}\n', 'wins,board'],
    ['go', RECORD, `${GAME},${RULES}${SCORE}}\n`, 'score'],
    ['go', '{"size":1,"moves":[["B","A1"]]}', `${GAME},${RULES.split(',"record"')[0]}${SCORE}}\n`, 'score'],
  ]) {
    const { stdout, stderr } = await solve([game, '--include', include, ...args], { input });
    assert.deepEqual([stdout, stderr], [answer, ''], `${include}: ${input}`);
  }
  // The case of a drawing is JSON that means the same.
  const { stdout } = await solve(['pawn', '--include', 'case'], { input: 'o.O\r\nX..\n\nO.O\n###\nX..' });
  const cases = JSON.parse(stdout).results.map((result) => result.case);
  assert.deepEqual(cases, [{ board: 'o.O\nX..', include: ['case'] }, { board: 'O.O\n###\nX..', include: ['case'] }]);
  const again = await solve(['pawn', '--case', JSON.stringify(cases), '--include', 'moves']);
  assert.deepEqual(JSON.parse(again.stdout), JSON.parse(stdout));
});

test('a part that the game does not have is refused once for each file, whatever the format', async () => {
  const files = [['json', PAWN], ['ndjson', `${PAWN}\n${PAWN}\n`], ['drawing', DRAWINGS]].map(([name, body]) => file(`part.${name}`, body));
  const ended = await solve(['pawn', '--include', 'line, score', ...files], { status: 3 });
  assert.equal(ended.stdout, '');
  assert.deepEqual(problemsOf(ended).map(({ file: name, status, errors }) => [name, status, errors.map(({ code }) => code)]),
    files.map((name) => [name, 422, ['value']]));
});

test('a file is read as what it contains if its name is vague, and as what its name says otherwise', async () => {
  const text = '1 1\n2 3\nO.O\nX..\n';
  for (const [game, name, body, answer] of [
    ['pawn', 'json.txt', PAWN, RED], ['pawn', 'batch.txt', `[${PAWN}]`, `{"results":[${RED.trim()}]}\n`], ['pawn', 'drawing.txt', DRAWINGS, BOTH],
    ['pawn', 'drawing.json', DRAWINGS, BOTH], ['pawn', 'drawing', DRAWINGS, BOTH], ['pawn', 'drawing.dat', `\ufeff\r\n${DRAWINGS.replaceAll('\n', '\r\n')}`, BOTH],
    ['pawn', 'contest.txt', text, 'Red 1\n'], ['go', 'record.txt', RECORD, `${GAME},${RULES}}\n`], ['go', 'record.json', ` ${RECORD}`, `${GAME},${RULES}}\n`],
    ['pawn', 'lines.txt', `${PAWN}\n${PAWN}\n`, RED + RED],
  ]) {
    const path = file(name, body);
    assert.equal((await solve([game, path])).stdout, answer, name);
    assert.equal((await solve([game], { input: body })).stdout, answer, `${name}, from a pipe`);
  }
  for (const [game, name, body] of [
    ['go', 'json.sgf', '{"moves":[]}'], ['pawn', 'contest.json', text], ['go', 'drawing.txt', '.X.\n'],
    ['mine', 'digits', '11\n1*\n'],
  ])
    assert.equal((await solve([game, file(name, body)], { status: 3 })).stdout, '', name);
  const { stdout } = await solve(['pawn', file('drawing.ndjson', 'OO\nX.\n')], { status: 3 });
  assert.deepEqual(stdout.trim().split('\n').map((line) => JSON.parse(line).problem.detail),
    ['expected a JSON value; for a drawing, use --from drawing', 'expected a JSON value']);
});

test('a drawing that arrives in pieces is the drawing as a whole, wherever it is cut', async (t) => {
  const text = '\r\n*1.\n11.\n\n1*\n11\n';
  const expected = (await solve(['mine'], { input: text })).stdout;
  assert.equal(expected.match(/verdict/g).length, 2);
  for (let at = 1; at < text.length; at += 1) {
    const solving = begin(t, ['mine']);
    solving.child.stdin.write(text.slice(0, at), () => solving.child.stdin.end(text.slice(at)));
    assert.equal((await solving.exit).code, 0, solving.stderr);
    assert.equal(solving.stdout, expected, `cut at ${at}`);
  }
});

test('the answers to drawings are those of the service', async () => {
  await withArbiter([], async (arbiter) => {
    for (const [game, body] of [
      ['pawn', DRAWINGS], ['pawn', 'OXO\n...\n\n..O\nO..\n'], ['pawn', 'O.O\nX.\n\n?\n'], ['mine', '*.\n..\n\n*1\n11\n'], ['mine', '*2\n11\n'],
    ])
      for (const [to, accept] of [['json', 'application/json'], ['text', 'text/plain'], ['ndjson', 'application/x-ndjson']]) {
        const answer = await arbiter.ask({ target: `/${game}`, headers: { 'Content-Type': 'text/plain', Accept: accept }, body });
        const { code, stdout, stderr } = await run(['solve', game, '--from', 'drawing', '--to', to], { input: body });
        if (answer.status === 200) {
          assert.deepEqual([stdout, stderr], [answer.text(), ''], body);
          assert.equal(code, answer.text().includes('"problem"') ? 3 : 0);
        } else {
          const { file: name, ...problem } = JSON.parse(stderr);
          assert.deepEqual([code, stdout, name, problem], [3, '', '-', answer.json()]);
        }
      }
  });
});

test('--to svg explains itself where there is no picture', async () => {
  for (const input of [DRAWINGS, `[${PAWN},${PAWN}]`, '1 1\n2 3\nO.O\nX..\n']) {
    const [{ status, detail }] = problemsOf(await solve(['pawn', '--to', 'svg'], { input, status: 3 }));
    assert.equal(status, 406);
    assert.equal(detail, '--to svg draws a single board, of at most 10,000 cells; use --to json, --to text or --to ndjson, or solve the boards one by one');
  }
  const large = '{"rows":101,"cols":100,"mines":[]}';
  assert.match(problemsOf(await solve(['mine', '--to', 'svg'], { input: large, status: 3 }))[0].detail, /^--to svg draws a single board/);
});

test('the help of solve names its formats and options', async () => {
  const { stdout } = await solve(['--help']);
  for (const words of ['drawing', 'ndjson', 'sgf', '--case', '--include', '--from', '--to']) assert.ok(stdout.includes(words), words);
  assert.doesNotMatch(stdout, /SGF files only\) \[none\]/);
});

test('on a terminal, the first line has the address of the page; elsewhere, there are only lines of the log', async (t) => {
  const line = [...COMMAND, 'serve', '--port', '0'].map((word) => `'${word}'`).join(' ');
  const shell = new Arbiter([], { under: ['script', '-qec', `exec ${line}`, '/dev/null'], program: [] });
  t.after(() => shell.signal('SIGKILL'));
  await until('it listens', () => shell.stdout.includes('"event":"listening"'));
  const [first] = shell.stdout.split(/\r?\n/);
  const [, port] = /"port":(\d+)/.exec(shell.stdout);
  assert.equal(first, `Open http://127.0.0.1:${port}/ in a browser, or press Ctrl-C to stop.`);
  const [child] = readFileSync(`/proc/${shell.child.pid}/task/${shell.child.pid}/children`, 'latin1').trim().split(' ');
  process.kill(Number(child), 'SIGTERM');
  await shell.exit;
  await withArbiter([], async (arbiter) => assert.deepEqual(arbiter.noise, []));
});
