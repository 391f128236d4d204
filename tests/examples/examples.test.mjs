// Runs the programs in examples/, which do the same in several languages, and compares their output.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withArbiter } from '../server/arbiter.mjs';

register('../web/http_modules.mjs', import.meta.url);

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));
const PROGRAM = process.env.ARBITER_BINARY ?? fileURLToPath(new URL('../../build/arbiter', import.meta.url));

const refused = 'the row has 1 character; it must have 2';
const answers = `\
pawn: Red wins after 7 moves, the first from 1,0 to 1,1
go: move 3 is a miss: suicide
go: 2B. B.. ..., W may play on 6 points, B+6.5
mine: a is won by Xiemao
mine: b is won by Fanglaoshi
line: Fanglaoshi
line: ${refused}
line: Fanglaoshi
error: 422 at /board: the board has 3 red pieces ('O'); it must have 2, or 1 if the pawn has captured the other
`;

for (const [command, file] of [
  [process.execPath, 'ask.mjs'],
  ['python3', 'ask.py'],
]) {
  test(`${file} sends a case, a case with include, a batch, a stream and an invalid case`, () =>
    withArbiter([], async ({ port }) => {
      const { stdout } = await promisify(execFile)(command, [EXAMPLES + file, `http://127.0.0.1:${port}`], { cwd: '/' });
      assert.equal(stdout, answers);
    }));
}

test('ask.sh sends the same questions, and prints the answers', () =>
  withArbiter([], async ({ port }) => {
    const { stdout } = await promisify(execFile)(`${EXAMPLES}ask.sh`, [`http://127.0.0.1:${port}`], { cwd: '/' });
    const [pawn, winner, go, batch, ...lines] = stdout.split('\n');
    assert.deepEqual(JSON.parse(pawn).line[0], { from: [1, 0], to: [1, 1] });
    assert.equal(winner, 'Red wins after 7 moves');
    assert.deepEqual(JSON.parse(go).board, ['.B.', 'B..', '...']);
    assert.deepEqual(
      JSON.parse(batch).results.map(({ id, verdict }) => [id, verdict]),
      [['a', 'Xiemao'], ['b', 'Fanglaoshi']],
    );
    assert.deepEqual(
      lines.slice(0, 3).map((line) => JSON.parse(line).verdict ?? JSON.parse(line).problem.detail),
      ['Fanglaoshi', refused, 'Fanglaoshi'],
    );
    assert.equal(JSON.parse(lines[3]).errors[0].pointer, '/board');
    assert.deepEqual(lines.slice(4), ['status 22', '']);
  }));

// Here the page's script runs in Node, with a document that contains only the two elements it uses. tests/browser opens the page in
// Chromium.
test('page.html sends the same questions, and shows a picture', () =>
  withArbiter([], async ({ port }) => {
    const elements = { '#answers': { text: '', append(more) { this.text += more; } }, '#picture': {} };
    globalThis.document = { querySelector: (name) => elements[name] };
    const page = readFileSync(`${EXAMPLES}page.html`, 'utf8');
    for (const name of Object.keys(elements)) assert.ok(page.includes(`id="${name.slice(1)}"`), name);
    const [, script] = /<script type="module">([^]*)<\/script>/.exec(page);
    await import(`data:text/javascript,${encodeURIComponent(script.replace(':8080/', `:${port}/`))}`);
    assert.equal(elements['#answers'].text, answers);
    const picture = await fetch(elements['#picture'].src);
    assert.equal(picture.headers.get('content-type'), 'image/svg+xml');
    assert.match(await picture.text(), /Red wins in 7 moves/);
  }));

/** A program from examples/ in each of its languages, as [file, command]. */
const inEachLanguage = (name) => [
  [`${name}.py`, ['python3', `${EXAMPLES}${name}.py`]],
  [`${name}.mjs`, [process.execPath, `${EXAMPLES}${name}.mjs`]],
  [`${name}.sh`, [`${EXAMPLES}${name}.sh`]],
];

/**
 * Runs a program until it exits.
 * @returns {Promise<{ status: number, stdout: string, stderr: string }>}
 */
function runToEnd([command, ...words], input = '', options = {}) {
  return new Promise((resolve) => {
    const child = execFile(command, words, { cwd: EXAMPLES, ...options }, (error, stdout, stderr) =>
      resolve({ status: error ? error.code : 0, stdout, stderr }));
    child.stdin.on('error', () => {}); // the program may exit before it has read all its input
    child.stdin.end(input);
  });
}

for (const [file, command] of inEachLanguage('result').slice(0, 2))
  test(`${file} prints the result of a record with dead stones`, () => withArbiter([], async ({ port }) => {
    const result = (...words) => runToEnd([...command, '--at', `http://127.0.0.1:${port}`, ...words]);
    const rows = ['bbbbbbbbb', 'bbbbbbbbb', 'bbbbbbbbb', 'BBBBBBBBB', 'BWBWBWBWB', 'WWWWWWWWW', 'wwwwwwwww', 'wwwwwwwww', 'wwwwwwwww'];
    const good = await result('--rules', 'japanese', 'finished.sgf', 'G2', 'C8');
    assert.deepEqual(good, { status: 0, stderr: '', stdout:
      `${rows.join('\n')}\nBlack 28, White 28, komi 6.5: W+6.5 (territory scoring)\ndead stones: 1 black, 1 white\n` });
    const bad = await result('finished.sgf', 'A1');
    assert.deepEqual(bad, { status: 1, stdout: '', stderr: 'there is no stone on A1 at the end of the game\n' });
  }));

for (const [file, command] of inEachLanguage('referee'))
  test(`${file} lists the illegal moves in records, and says what is wrong with a record that cannot be read`, () =>
    withArbiter([], async ({ port }) => {
      const folder = mkdtempSync(join(tmpdir(), 'arbiter-referee-')), bad = join(folder, 'bad.sgf');
      try {
        writeFileSync(bad, '(;SZ[3];B[aa];W[aa];W[ba];B[ca];W[ab];B[aa])(;SZ[9];B[zz])');
        const referee = (...files) => runToEnd([...command, '--at', `http://127.0.0.1:${port}`, ...files]);
        const wrong = await referee('collection.sgf', 'game.sgf', bad);
        assert.equal(wrong.stdout, `\
collection.sgf, game 1: 9 moves, all legal under simple ko (source: record)
collection.sgf, game 2: 4 moves, all legal under situational ko (source: record)
game.sgf, game 1: move 8, W E5: occupied
${bad}, game 1: move 2, W A3: occupied
${bad}, game 1: move 6, B A3: suicide
${bad}, game 2: 'zz' is not on the 9 x 9 board
`);
        assert.deepEqual([wrong.status, wrong.stderr], [1, '']);
        const { status, stdout } = await referee('ko.sgf');
        assert.deepEqual([status, stdout], [0, 'ko.sgf, game 1: 10 moves, all legal under simple ko (source: record)\n']);
      } finally {
        rmSync(folder, { recursive: true });
      }
    }));

for (const [file, command] of inEachLanguage('puzzles'))
  test(`${file} finds boards on which exactly one move wins, and the win takes at least seven moves`, () =>
    withArbiter([], async (arbiter) => {
      const { status, stdout } = await runToEnd([...command, '3'], '', { env: { ...process.env, ARBITER: PROGRAM } });
      const puzzles = stdout.split('\n\n').filter((text) => text !== '');
      assert.deepEqual([status, puzzles.length], [0, 3]);
      for (const puzzle of puzzles) {
        const board = puzzle.split('\n'), [, steps, from, to] = /^Red wins in (\d+) moves: (\d,\d) to (\d,\d)$/.exec(board.pop());
        const answer = await arbiter.ask({ method: 'POST', target: '/pawn', body: JSON.stringify({ board, include: ['moves'] }) });
        const { moves } = JSON.parse(answer.body), wins = moves.filter(({ verdict }) => verdict === 'Red');
        assert.deepEqual(wins.map((win) => [win.from.join(), win.to.join(), String(win.steps)]), [[from, to, steps]], puzzle);
        assert.ok(moves.length > 1 && Number(steps) >= 7, puzzle);
      }
    }));

/** Clicks on all cells of the field, row by row; the service refuses some of them. */
const EVERY_CELL = Array.from({ length: 5 * 8 }, (_, cell) => `${Math.floor(cell / 8)} ${cell % 8}\n`).join('');

for (const [file, command] of inEachLanguage('bot'))
  test(`${file} wins two-player Minesweeper if it can, and otherwise plays to the end`, () =>
    withArbiter([], async ({ port }) => {
      const bot = (side, input) => runToEnd([...command, '--at', `http://127.0.0.1:${port}`, 'field.json', ...side], input);
      const won = await bot([], EVERY_CELL);
      assert.deepEqual(won.stdout.split('\n').slice(0, 2), ['Xiemao clicks 0 1', 'Xiemao clicks 0 5']);
      assert.deepEqual(won.stdout.split('\n').slice(-7), ['.112#1..', '.1#211..', '1211.111', '#1.112#1', '11.1#211', 'Xiemao wins', '']);
      assert.match(won.stderr, /^the cell at \[0,1\] is already revealed/);
      assert.equal(won.status, 0);
      const other = await bot(['Fanglaoshi'], EVERY_CELL);
      assert.match(other.stdout, /^Fanglaoshi clicks \d \d\n[^]*\n(Xiemao|Fanglaoshi) wins\n$/);
      assert.deepEqual([(await bot([], '')).status], [1]);
    }));
