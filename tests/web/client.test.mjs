// The client web/arbiter.js: the requests and results of each method, against the program. Errors are tested in client_faults.test.mjs.

import assert from 'node:assert/strict';
import { Blob, File } from 'node:buffer';
import { once } from 'node:events';
import { createServer, request as ask } from 'node:http';
import { register } from 'node:module';
import { after, before, test } from 'node:test';

import { Arbiter, Problem } from '../../web/arbiter.js';
import { start } from '../server/arbiter.mjs';
import { ENDLESS_OPTIONS, goMoves, hardBoard, mineBoard, mineText, pawnBoard, randomFrom } from '../server/bodies.mjs';
import { until } from '../server/client.mjs';

const COLLECTION = '(;SZ[2]RU[Japanese];B[aa];W[aa])(;SZ[3];B[bb])';

register('./http_modules.mjs', import.meta.url);

let program;
let origin;
let arbiter;
before(async () => {
  program = await start(ENDLESS_OPTIONS); // on a hard board, the search runs until the client disconnects
  origin = `http://127.0.0.1:${program.port}`;
  arbiter = new Arbiter(origin);
});
after(() => program.stop());

/** A question for each game that includes all optional members. */
const random = randomFrom(1);
const QUESTIONS = {
  pawn: { id: 'é', board: pawnBoard(random, 4, 4), turn: 'Black', include: ['moves', 'line', 'boards'] },
  go: { id: 7, size: 5, moves: goMoves(random, 40, 5), include: ['captured', 'boards', 'score'] },
  mine: { board: mineBoard(random, 5, 5, 0.2), clicks: [], include: ['wins', 'board', 'face'] },
};

/** The program's answer to a body, without using the client. */
async function plain(game, body, headers = {}) {
  const types = { 'Content-Type': 'application/json', ...headers };
  const answer = await program.ask({ target: `/${game}`, headers: types, body });
  assert.equal(answer.status, 200, `${answer}`);
  return answer;
}

async function all(lines) {
  const read = [];
  for await (const line of lines) read.push(line);
  return read;
}

/** The same body in each JavaScript type that the client accepts. */
function bodies(text) {
  const bytes = new TextEncoder().encode(text);
  return {
    string: text,
    Blob: new Blob([bytes.subarray(0, 3), bytes.subarray(3)]),
    File: new File([text], 'a.file', { type: 'image/png' }),
    bytes,
    'part of a buffer': new TextEncoder().encode(`xx${text}xx`).subarray(2, bytes.length + 2),
    ArrayBuffer: bytes.buffer,
  };
}

// --- single questions and batches --------------------------------------------

test('pawn, go and mine return answers, and ask does the same given the name of the game', async () => {
  for (const [game, question] of Object.entries(QUESTIONS)) {
    const answer = (await plain(game, JSON.stringify(question))).json();
    assert.deepEqual(await arbiter[game](question), answer);
    assert.deepEqual(await arbiter.ask(game, question), answer);
  }
});

test('if all games in a record are requested, the result is an array', async () => {
  const games = await arbiter.go({ id: 'c', sgf: COLLECTION, game: 'all' });
  assert.deepEqual(games.map(({ id, board, rules }) => [id, board, rules.ko]), [
    ['c', ['B.', '..'], 'simple'],
    ['c', ['...', '.B.', '...'], 'positional'],
  ]);
  assert.equal((await arbiter.go({ sgf: COLLECTION, game: 2 })).record.game, 2);
});

test('a batch returns its results in order', async () => {
  for (const [game, question] of Object.entries(QUESTIONS)) {
    const { id, include, ...bare } = question;
    const answer = (await plain(game, JSON.stringify({ cases: [question, bare] }))).json();
    assert.deepEqual(await arbiter.batch(game, [question, bare]), answer.results);
    assert.equal(answer.results.length, 2);
  }
});

// --- records -----------------------------------------------------------------

test('a record can be a string, a Blob, a File or bytes', async () => {
  const expected = await arbiter.go({ sgf: COLLECTION });
  assert.equal(expected.misses.length, 1);
  for (const [form, body] of Object.entries(bodies(COLLECTION))) {
    assert.deepEqual(await arbiter.record(body), expected, form);
  }
});

test('the options for a record are sent in the query', async () => {
  const sgf = '(;SZ[2]RU[Japanese];B[aa])(;SZ[2];B[aa];B[ab];B[ba];B[bb])';
  const include = ['captured', 'boards', 'score'];
  for (const suicide of [false, true]) {
    assert.deepEqual(
      await arbiter.record(sgf, { game: 2, ko: 'none', suicide, include }),
      await arbiter.go({ sgf, game: 2, rules: { ko: 'none', suicide }, include }),
    );
  }
  assert.deepEqual(await arbiter.record(sgf, { game: 'all' }), await arbiter.go({ sgf, game: 'all' }));
  assert.deepEqual(await arbiter.record(sgf, { include: [], game: undefined }), await arbiter.go({ sgf }));
});

// --- streams -----------------------------------------------------------------

test('an array is answered line by line, with a problem in place of each refused case', async () => {
  for (const [game, question] of Object.entries(QUESTIONS)) {
    const bad = { id: 'bad', board: ['?'] };
    const [good, refused, again] = await all(arbiter.stream(game, [question, bad, question]));
    assert.deepEqual(good, await arbiter.ask(game, question));
    assert.deepEqual(again, good);
    const problem = await arbiter.ask(game, bad).catch((error) => error);
    assert.equal(refused.id, 'bad');
    assert.deepEqual(new Problem(refused.problem).errors, problem.errors);
  }
});

test('bodies of every type are answered line by line', async () => {
  const boards = Array.from({ length: 20 }, () => mineBoard(random, 6, 6, 0.2));
  const results = await arbiter.batch('mine', boards.map((board) => ({ board })));
  const lines = boards.map((board) => JSON.stringify({ board })).join('\r\n');
  for (const [form, body] of Object.entries(bodies(lines))) {
    assert.deepEqual(await all(arbiter.stream('mine', body)), results, form);
  }
  for (const [form, body] of Object.entries(bodies(mineText(boards)))) {
    assert.deepEqual(await all(arbiter.stream('mine', body, { type: 'text/plain' })), results, form);
  }
  for (const [form, body] of Object.entries(bodies(COLLECTION))) {
    const asked = { game: 'all', include: ['score'] };
    const games = await all(arbiter.stream('go', body, { type: 'application/x-go-sgf', ...asked }));
    assert.deepEqual(games, await arbiter.go({ sgf: COLLECTION, ...asked }), form);
  }
});

test('onSent is called with the number of bytes when the body has been read, before the first line', async () => {
  const control = new AbortController();
  const long = { board: hardBoard(randomFrom(1)) };
  const onSent = () => control.abort('it has been read');
  await assert.rejects(
    all(arbiter.stream('mine', [long], { onSent, signal: control.signal })),
    (reason) => reason === 'it has been read',
  );

  const questions = Array.from({ length: 2000 }, (_, id) => ({ ...QUESTIONS.mine, id: `é${id}` }));
  const bytes = [], chunks = [];
  let sent = 0;
  const callbacks = { onBytes: (count, chunk) => bytes.push(count) && chunks.push(chunk), onSent: () => (sent += 1) };
  const lines = await all(arbiter.stream('mine', questions, callbacks));
  const whole = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  assert.equal(sent, 1);
  assert.equal(bytes.at(-1), whole.length);
  assert.ok(Buffer.concat(chunks).equals(whole));
  assert.ok(bytes.every((count, at) => at === 0 || count >= bytes[at - 1]), `${bytes}`);
});

test('leaving the loop stops the service\'s work', async () => {
  const long = { board: hardBoard(randomFrom(1)) };
  for await (const line of arbiter.stream('mine', [QUESTIONS.mine, ...Array(50).fill(long)])) {
    assert.equal(line.verdict, (await arbiter.mine(QUESTIONS.mine)).verdict);
    break;
  }
  await until('the program notices that its client has gone', () =>
    program.log.some(({ event, reason }) => event === 'request' && reason === 'client-gone'));
});

// --- text, pictures, links ---------------------------------------------------

test('text returns the contest format for a single question, a batch and a file', async () => {
  for (const [game, question] of Object.entries(QUESTIONS)) {
    const expected = (await plain(game, JSON.stringify(question), { Accept: 'text/plain' })).text();
    assert.equal(await arbiter.text(game, question), expected);
    const many = (await plain(game, JSON.stringify({ cases: [question, question] }), { Accept: 'text/plain' })).text();
    assert.equal(await arbiter.text(game, [question, question]), many);
  }
  for (const [form, body] of Object.entries(bodies('2\n3 3 0\n3 3 1\n1 1\n'))) {
    assert.equal(await arbiter.text('mine', body), 'Case #1: Xiemao\nCase #2: Fanglaoshi\n', form);
  }
  for (const [form, body] of Object.entries(bodies(COLLECTION))) {
    const text = await arbiter.text('go', body, { type: 'application/x-go-sgf', game: 'all' });
    assert.equal(text, 'miss 1\nB.\n..\n...\n.B.\n...\n', form);
  }
});

test('a link returns the answer to its question as JSON, as text or as a picture', async () => {
  for (const [game, { id, ...question }] of Object.entries(QUESTIONS)) {
    const read = async (format) => (await fetch(arbiter.link(game, question, format))).text();
    assert.deepEqual(JSON.parse(await read('json')), await arbiter.ask(game, question));
    assert.equal(await read(undefined), await read('json'));
    assert.equal(await read('text'), await arbiter.text(game, question));
    assert.equal(await read('svg'), await arbiter.picture(game, question));
    assert.match(await read('svg'), /^<svg /);
  }
});

test('a link can be as long as the service allows, and no longer', async () => {
  const empty = { sgf: '(;SZ[2]C[])' };
  const record = (letters) => ({ sgf: `(;SZ[2]C[${'a'.repeat(letters)}])` });
  const shortest = arbiter.link('go', empty, 'json');
  const most = 8192 - shortest.pathname.length - shortest.search.length;
  const longest = arbiter.link('go', record(most), 'json');
  assert.equal((await fetch(longest)).status, 200);
  assert.throws(() => arbiter.link('go', record(most + 1), 'json'), { name: 'RangeError', message: /8193 bytes/ });
  assert.equal((await fetch(longest.href.replace('aaa', 'aaaa'))).status, 414);
});

// --- the service -------------------------------------------------------------

test('limits and version return the service\'s values', async () => {
  assert.deepEqual(await arbiter.limits(), await program.limits());
  assert.deepEqual(await arbiter.version(), (await program.ask({ target: '/version' })).json());
});

test('a base address can have a path, with or without a trailing slash; a query and a fragment are ignored', async () => {
  for (const base of [origin, `${origin}/`, new URL(`${origin}/?a=b#c`)]) {
    assert.equal(new Arbiter(base).base, `${origin}/`);
  }
  assert.equal(new Arbiter(`${origin}/a/b`).base, `${origin}/a/b/`);
  assert.equal(new Arbiter(`${origin}/a/b`).link('mine', { board: ['.'] }).pathname, '/a/b/mine');
  for (const base of ['file:///tmp/', 'localhost:8080', undefined]) {
    assert.throws(() => new Arbiter(base), { name: 'TypeError', message: /like http:/ }, `${base}`);
  }
});

test('by default, the client uses the service that it was imported from, even under a path', async () => {
  const served = await import(`${origin}/web/arbiter.js`);
  assert.equal(new served.Arbiter().base, `${origin}/`);
  assert.deepEqual(await new served.Arbiter().version(), await arbiter.version());

  const proxy = createServer((incoming, outgoing) => {
    const target = incoming.url.replace(/^\/games\/arbiter/, '');
    const { method, headers } = incoming;
    incoming.pipe(ask(origin + target, { method, headers }, (answer) => {
      outgoing.writeHead(target === incoming.url ? 404 : answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    }));
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  try {
    const base = `http://127.0.0.1:${proxy.address().port}/games/arbiter/`;
    const behind = new (await import(`${base}web/arbiter.js`)).Arbiter();
    assert.equal(behind.base, base);
    assert.deepEqual(await behind.pawn(QUESTIONS.pawn), await arbiter.pawn(QUESTIONS.pawn));
  } finally {
    proxy.close();
    proxy.closeAllConnections();
  }
});
