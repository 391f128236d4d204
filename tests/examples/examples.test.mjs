// The programs in examples/ ask the same questions in several languages: each is run, and prints what is right.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withArbiter } from '../server/arbiter.mjs';

register('../web/http_modules.mjs', import.meta.url);

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));

const refused = 'a row has 1 character; 2 are needed';
const answers = `\
pawn: Red wins after 7 moves, the first from 1,0 to 1,1
go: move 3 is a miss: suicide
go: .B. B.. ...
mine: a is won by Xiemao
mine: b is won by Fanglaoshi
line: Fanglaoshi
line: ${refused}
line: Fanglaoshi
error: 422 at /board: board has 3 red pieces 'O'; exactly 2 are needed
`;

for (const [command, file] of [
  [process.execPath, 'ask.mjs'],
  ['python3', 'ask.py'],
]) {
  test(`${file} asks on every route: a case, a part of it included, a batch, a stream, a mistake`, () =>
    withArbiter([], async ({ port }) => {
      const { stdout } = await promisify(execFile)(command, [EXAMPLES + file, `http://127.0.0.1:${port}`], { cwd: '/' });
      assert.equal(stdout, answers);
    }));
}

test('ask.sh asks the same, and prints what comes', () =>
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

// Of a browser the page needs only the two elements, and modules over HTTP; tests/browser opens it in a real one.
test('page.html asks the same, and shows a picture', () =>
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
