// Tests of Go records against the running program: in the forms that Go programs write, as bodies and as members of a case.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { withArbiter } from './arbiter.mjs';
import { JSON_TYPE, SGF_TYPE } from './bodies.mjs';
import { LONG_DEADLINES } from './checks.mjs';
import { ask } from './client.mjs';

const example = (name) => readFileSync(new URL(`../../examples/${name}.sgf`, import.meta.url));
const utf16 = (text, big = false) => {
  const units = Buffer.from(`\ufeff${text}`, 'utf16le');
  return big ? units.swap16() : units;
};

/** Sends a record as the body; returns the answer. */
async function post(port, body, query = '', headers = {}) {
  return ask(port, { method: 'POST', target: `/go${query && `?${query}`}`, headers: { ...SGF_TYPE, ...headers }, body });
}

/** Sends a JSON case that contains a record; returns the answer. */
async function postCase(port, value) {
  return ask(port, { method: 'POST', target: '/go', headers: JSON_TYPE, body: JSON.stringify(value) });
}

async function result(answer) {
  assert.equal(answer.status, 200, `${answer}`);
  return JSON.parse(answer.body);
}

// The rules of an answer without their source and the scoring, which are in the contract cases.
const ruled = ({ rules: { ko, suicide } }) => ({ ko, suicide });

const DEFAULTS = { ko: 'positional', suicide: false };
const SIMPLE = { ko: 'simple', suicide: false };
const NEW_ZEALAND = { ko: 'situational', suicide: true };
const TROMP_TAYLOR = { ko: 'positional', suicide: true };

// Records, each with the expected values of some members of its answer.
const RECORDS = [
  ['a game under Japanese rules has no misses', example('ko'), { misses: [], rules: SIMPLE, played: 10 }],
  ['the first of two games', example('collection'),
    { rules: SIMPLE, record: { game: 1, games: 2, variations: 0 }, board: ['..WB.', 'WWWB.', 'BBB..', '.....', '.....'] }],
  ['a handicap game begins with White', example('handicap'),
    { played: 8, rules: { ko: 'situational', suicide: false } }],
  ['a lesson sets up stones on the board', example('lesson'),
    { misses: [], board: ['.W...', 'WB...', '.....', '.....', '.....'], played: 4, prisoners: { B: 1, W: 1 } }],
  ['a record from an old program begins without a semicolon, has several moves in a node, and lacks the end', example('old-program'),
    { played: 5, record: { game: 1, games: 1, variations: 1 },
      board: ['.........', '.........', '..B...W..', '.........', '....B....', '.........', '..B...W..', '.........', '.........'] }],
  ['UTF-16, the low byte first', utf16('(;SZ[3]PB[本因坊];B[bb])'), { board: ['...', '.B.', '...'] }],
  ['UTF-16, the high byte first', utf16('(;SZ[3]PB[本因坊 🙂];B[bb])', true), { board: ['...', '.B.', '...'] }],
  ['GB18030', Buffer.concat([Buffer.from('(;CA[gb18030]SZ[3]PB['), Buffer.from([0x81, 0x5d, 0x81, 0x5c]), Buffer.from('];B[bb])')]),
    { board: ['...', '.B.', '...'] }],
  ['a byte order mark of UTF-8', '\ufeff(;SZ[3];B[bb])', { board: ['...', '.B.', '...'] }],
  ['a byte order mark of UTF-8 and a CA that is not so', '\ufeff(;SZ[3]CA[GB18030]PB[中];B[aa];W[bb])', { board: ['B..', '.W.', '...'] }],
  ['rules with letters of their own', '(;SZ[3]RU[日本Korean];B[bb])', { rules: { ko: 'positional', suicide: false } }],
  ['rules spelled out', '(;SZ[3]RU[New Zealand (NZ)];B[bb])', { rules: { ko: 'situational', suicide: true } }],
  ['an empty size and blanks around one', '(;SZ[]SZ[ 3 ];B[bb])', { board: ['...', '.B.', '...'] }],
  ['a mail around the game', 'From: you (me)\n\n(;SZ[3];B[bb])\n\nBye (for now; see you)\n', { record: { game: 1, games: 1, variations: 0 } }],
  ['empty variations, and a node behind variations', '(;SZ[3]()(;B[bb])(;B[aa]);B[cc])',
    { board: ['...', '.B.', '...'], record: { game: 1, games: 1, variations: 1 } }],
  ['what is set up after the last move', '(;SZ[2];B[aa];AE[aa]AB[bb])', { board: ['..', '.B'], played: 1, prisoners: { B: 0, W: 0 } }],
  ['a move after what is set up in its node, and one before', '(;SZ[2]AW[aa]B[aa]AE[aa]AB[bb]W[aa])',
    { board: ['W.', '.B'], misses: [{ move: 1, color: 'B', at: [0, 0], name: 'A2', code: 1, reason: 'occupied' }] }],
  ...[['Japanese', SIMPLE], ['JAPANESE', SIMPLE], ['Korean', SIMPLE], ['jp', SIMPLE], ['Chinese', DEFAULTS],
    ['AGA', { ko: 'situational', suicide: false }], ['New Zealand', NEW_ZEALAND], ['NZ', NEW_ZEALAND],
    ['Tromp-Taylor', TROMP_TAYLOR], ['GOE', TROMP_TAYLOR], ['Ing', TROMP_TAYLOR], ['French', DEFAULTS], ['', DEFAULTS],
  ].map(([name, rules]) => [`the rules called '${name}'`, `(;RU[${name}];RU[NZ])`, { rules }]),
];

for (const [name, body, members] of RECORDS)
  test(`a record is read: ${name}`, () => withArbiter([], async ({ port }) => {
    const answers = [await post(port, body)];
    if (typeof body === 'string') answers.push(await postCase(port, { sgf: body }));
    for (const answer of answers) {
      const got = await result(answer);
      for (const [member, value] of Object.entries(members)) assert.deepEqual(member === 'rules' ? ruled(got) : got[member], value, member);
    }
  }));

test('each rule given in the query takes precedence over that rule in the record', () => withArbiter([], async ({ port }) => {
  const sgf = '(;SZ[2]RU[New Zealand])';
  for (const [rules, query, applied] of [
    [{}, '', NEW_ZEALAND],
    [{ ko: 'none' }, 'ko=none', { ko: 'none', suicide: true }],
    [{ suicide: false }, 'suicide=false', { ko: 'situational', suicide: false }],
    [{ ko: 'simple', suicide: false }, 'suicide=false&ko=simple', SIMPLE],
  ]) {
    assert.deepEqual(ruled(await result(await post(port, sgf, query))), applied);
    assert.deepEqual(ruled(await result(await postCase(port, { sgf, rules }))), applied);
    assert.deepEqual(ruled(await result(await postCase(port, { rules, sgf }))), applied);
  }
}));

test('the same record finds repetitions under other rules', () => withArbiter([], async ({ port }) => {
  const answer = await result(await post(port, example('ko'), 'ko=positional'));
  const { misses } = answer;
  assert.deepEqual(ruled(answer), DEFAULTS);
  assert.deepEqual(misses, [{ move: 10, color: 'B', at: [0, 1], name: 'B9', code: 3, reason: 'repetition', repeats: 7 }]);
}));

test('boards[k] is the board before the next move', () => withArbiter([], async ({ port }) => {
  const { boards, board } = await result(await post(port, '(;SZ[2]AB[aa];W[bb];AE[aa];AB[ba];W[];AW[aa]AE[ba])', 'include=boards'));
  assert.deepEqual(boards, [['B.', '..'], ['.B', '.W'], ['W.', '.W']]);
  assert.deepEqual(board, boards.at(-1));
}));

test('a record gives the same answers as a body and as a member, for one game and for all', () => withArbiter([], async ({ port }) => {
  const sgf = `${example('collection')}`;
  const include = ['score', 'captured'];
  const all = await result(await post(port, sgf, 'game=all&include=score,captured'));
  assert.equal(all.results.length, 2);
  assert.deepEqual(await result(await postCase(port, { include, game: 'all', sgf })), all);
  for (const game of [1, 2]) {
    assert.deepEqual(await result(await post(port, sgf, `include=score%2Ccaptured&game=${game}`)), all.results[game - 1]);
    assert.deepEqual(await result(await postCase(port, { sgf, game, include })), all.results[game - 1]);
  }
  const named = await result(await postCase(port, { id: 'x', include, game: 'all', sgf }));
  assert.deepEqual(named.results, all.results.map((one) => ({ id: 'x', ...one })));
}));

test('a collection, like a batch, can be answered as text or NDJSON', () => withArbiter([], async ({ port }) => {
  const sgf = example('collection');
  const { results } = await result(await post(port, sgf, 'game=all'));
  const text = await post(port, sgf, 'game=all', { Accept: 'text/plain' });
  assert.equal(`${text.body}`, results.map(({ board }) => board.map((row) => `${row}\n`).join('')).join(''));
  const lines = await post(port, sgf, 'game=all', { Accept: 'application/x-ndjson' });
  assert.equal(`${lines.body}`, results.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const picture = await post(port, sgf, 'game=all', { Accept: 'image/svg+xml' });
  assert.equal(picture.status, 406);
  const next = await post(port, sgf, 'game=all', { Accept: 'image/svg+xml, text/plain;q=0.5' });
  assert.deepEqual(next.body, text.body);
}));

test('a large collection is solved by all workers, and can be read line by line', () => withArbiter([...LONG_DEADLINES, '--workers', 3], async ({ port }) => {
  const moves = Array.from({ length: 300 }, (_, k) => `;${'BW'[k % 2]}[${String.fromCharCode(97 + (k * 7) % 19, 97 + (k * 11) % 19)}]`);
  const sgf = Array.from({ length: 900 }, (_, k) => `(;SZ[19]GN[${k}]${moves.slice(k % 100).join('')})`).join('\n');
  const { results } = await result(await post(port, sgf, 'game=all'));
  assert.deepEqual(results.map(({ record }) => record.game), Array.from({ length: 900 }, (_, k) => k + 1));
  const lines = await post(port, sgf, 'game=all', { Accept: 'application/x-ndjson' });
  assert.equal(`${lines.body}`, results.map((one) => `${JSON.stringify(one)}\n`).join(''));
  assert.deepEqual((await result(await postCase(port, { sgf, game: 'all' }))).results, results);
  assert.deepEqual(await result(await post(port, sgf, 'game=900')), results[899]);
}));

test('game=all is not allowed in a batch or stream', () => withArbiter([], async ({ port }) => {
  const one = { sgf: '(;)(;)', game: 'all' };
  const batch = await postCase(port, { cases: [{ moves: [] }, one] });
  assert.equal(batch.status, 422);
  assert.equal(JSON.parse(batch.body).errors[0].pointer, '/cases/1/game');
  const stream = await ask(port, {
    method: 'POST', target: '/go', headers: { 'Content-Type': 'application/x-ndjson' }, body: `${JSON.stringify(one)}\n`,
  });
  assert.equal(JSON.parse(stream.body).problem.errors[0].code, 'value');
}));

test('the limits of a batch apply to a collection', () => withArbiter(
  ['--max-cases', '3', '--max-moves', '4', '--max-moves-total', '6', '--max-answer-bytes', '1500'],
  async ({ port }) => {
    const game = (moves, more = '') => `(;SZ[9]${';B[]'.repeat(moves)}${more})`;
    const errors = async (sgf, query = 'game=all') => {
      const answer = await post(port, sgf, query);
      assert.equal(answer.status, 422, `${answer}`);
      return JSON.parse(answer.body).errors?.map(({ line, column, code }) => `${code} ${line}:${column}`);
    };
    assert.equal((await result(await post(port, game(2).repeat(3), 'game=all'))).results.length, 3);
    assert.deepEqual(await errors(`${game(0)}\n`.repeat(4)), ['length 4:1']);
    assert.deepEqual(await errors(`${game(3)}\n`.repeat(3)), ['range 3:1']);
    assert.deepEqual(await errors(`${game(2)}\n${game(4, ';AB[aa]')}`), ['length 2:25']);
    assert.deepEqual(await errors(`${game(0)}${game(4, ';AB[aa]')}`, 'game=2'), ['length 1:33']);
    assert.deepEqual(await errors(game(1).repeat(3), 'game=all&include=boards,score'), undefined); // answer-too-large
    assert.deepEqual((await result(await post(port, `${game(0)}${game(9)}`, 'game=1'))).record.games, 2);
  },
));
