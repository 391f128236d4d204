// Records of Go on the page: trees of nodes that are read, changed and written, and a session that keeps them.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, test } from 'node:test';

import { Arbiter } from '../../web/arbiter.js';
import { recordOf, textOfRecord } from '../../web/go/ask.js';
import { DEFAULT_RULES } from '../../web/go/game.js';
import { readState } from '../../web/go/link.js';
import { Line } from '../../web/go/line.js';
import { emptyBoard } from '../../web/go/points.js';
import { Session } from '../../web/go/session.js';
import { decoded, grown, indexOf, lineFrom, lineThrough, movesOf, propertiesOf, readGames, textOf, waysOf, writeGame } from '../../web/go/sgf.js';
import { Service } from '../../web/page/service.js';
import { start } from '../server/arbiter.mjs';
import { numbers } from '../server/bodies.mjs';
import { until } from '../server/client.mjs';

const program = await start();
after(() => program.stop());
const service = new Arbiter(`http://127.0.0.1:${program.port}/`);

/** A tree without the places and the layout of its nodes. */
const plain = ({ text, kids }) => ({ properties: propertiesOf({ text }), kids: kids.map(plain) });

const draw = numbers(7);
const pick = (list) => list[draw(list.length)];
const point = () => pick(['[]', ...Array.from({ length: 8 }, () => `[${'abcdefghi'[draw(9)]}${'abcdefghi'[draw(9)]}]`)]);

/** The text of a random subtree, as programs write it: with comments, escapes, set-up, unknown properties and white space. */
function randomTree(depth) {
  const extra = ['', '', '', 'C[a \\] (;B[aa\\]) \\\\]', 'LB[aa:x][bb:(]', 'ZZ [ raw ; \\: ]', 'Comment[old]', `${depth > 0 ? '' : 'SZ[9]'}`, 'AE[aa][bb:cc]', 'N[日本]'];
  let text = `;${depth === 0 ? 'SZ[9]' : `${pick(['B', 'W', 'Black'])}${point()}`}${pick(extra)}${pick(['', '\n', ' '])}`;
  const kids = depth > 7 ? 0 : pick([0, 1, 1, 1, 1, 2, 3]);
  for (let kid = 0; kid < kids; kid += 1) text += kids === 1 && draw(3) > 0 ? randomTree(depth + 1) : `(${randomTree(depth + 1)})${pick(['', '\n'])}`;
  return text;
}

test('a record that is read and written has the same nodes, properties and variations', () => {
  const folder = new URL('../../examples/', import.meta.url);
  const examples = readdirSync(folder).filter((name) => name.endsWith('.sgf')).map((name) => readFileSync(new URL(name, folder), 'utf8'));
  const mails = ['see [1] (no game)\n(;SZ[9]C[a];B[aa](;W[bb])(;W[cc]))\r\nbye (SZ[5];B[aa];W[bb', '(;B[aa](;W[bb]);W[cc]()(;W[dd]))'];
  const random = Array.from({ length: 300 }, () => `(${randomTree(0)})`);
  for (const text of [...examples, ...mails, ...random]) {
    const games = readGames(text), again = readGames(games.map(({ root }) => writeGame(root)).join('\n'));
    assert.ok(games.length > 0, text);
    assert.deepEqual(again.map(({ root }) => plain(root)), games.map(({ root }) => plain(root)), text);
    for (const { root } of games) {
      const nodes = (node) => [node, ...node.kids.flatMap(nodes)];
      for (const { text: own, at } of nodes(root)) {
        const read = text[at] === ';' ? own : own.slice(1); // the semicolon of a first node can be missing
        assert.equal(text.slice(at, at + read.length), read);
      }
    }
  }
});

test('the moves of a line, its set-up and its variations are those of the service', async () => {
  for (let made = 0; made < 120; made += 1) {
    const text = `(${randomTree(0)})`, { root } = readGames(text)[0], path = lineFrom([root]);
    const result = await service.record(text, { include: ['boards', 'captured', 'variations'] }).catch((error) => {
      assert.equal(error.status, 422, String(error)); // such as a chain without liberties
    });
    if (!result) continue;
    const { moves, changed, ends } = movesOf(path, 9), line = new Line(result, moves, changed);
    assert.equal(moves.length, line.length, text);
    assert.deepEqual(result.misses.map(({ move, color, at }) => [move, color, ...at]), result.misses.map(({ move }) => [move, ...moves[move - 1]]), text);
    moves.forEach(([color, row, col], at) => {
      const { miss, taken } = line.entry(at + 1);
      if (row !== 'pass' && !miss && taken.length === 0 && !changed.has(at + 1)) assert.equal(line.board(at + 1)[row][col], color, text);
    });
    assert.deepEqual([ends.length, ends.at(-1)], [moves.length + 1, path.length - 1]);
    const branches = (node) => (node.kids.length > 1 ? 1 : 0) + node.kids.reduce((sum, kid) => sum + branches(kid), 0);
    assert.equal(result.record.variations, branches(root), text);
    for (const miss of result.variations.misses) {
      const through = lineThrough(root, indexOf(text, miss).at), [color, ...at] = movesOf(through, 9).moves[miss.move - 1];
      assert.deepEqual([color, at], [miss.color, miss.at], text);
      assert.deepEqual(lineFrom([root], waysOf(through)), through);
    }
  }
});

test('names, numbers and comments are read without their escapes', () => {
  const node = { text: ';PB[A \\] B]C[one\\\ntwo\n\\\\three]Comment[x]KM[ 6.5 ]LB[aa:1][bb:2]' };
  assert.deepEqual(['PB', 'C', 'KM', 'LB', 'PW'].map((name) => textOf(node, name)), ['A ] B', 'onetwo\n\\three\nx', '6.5', 'aa:1\nbb:2', '']);
});

test('moves are added as the last variation, and everything else stays', () => {
  const text = '(;SZ[9]ZZ[1];B[aa]C[\\]](;W[bb];B[cc])(;W[dd]))', { root } = readGames(text)[0], path = lineFrom([root]);
  assert.equal(writeGame(grown(path.slice(0, 2), [['W', 4, 4], ['B', 'pass']])[0]), '(;SZ[9]ZZ[1];B[aa]C[\\]]\n(;W[bb];B[cc])\n(;W[dd])\n(;W[ee];B[]))');
  assert.equal(writeGame(grown(path, [['W', 0, 8]])[0]), '(;SZ[9]ZZ[1];B[aa]C[\\]]\n(;W[bb];B[cc];W[ia])\n(;W[dd]))');
  assert.equal(writeGame(root), '(;SZ[9]ZZ[1];B[aa]C[\\]]\n(;W[bb];B[cc])\n(;W[dd]))', 'the tree itself has not changed');
  const deep = readGames(`${'(;B[aa]'.repeat(50_000)}(;W[bb])`)[0].root;
  assert.equal(lineFrom([deep]).length, 50_001);
  assert.equal(readGames(writeGame(deep))[0].root.kids.length, 1);
});

test('a file is decoded as the service does it', async () => {
  const bytes = (...parts) => new Blob(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : new Uint8Array(part)))).arrayBuffer();
  assert.equal(decoded(await bytes('(;CA[GBK]PB[', [0xba, 0xda], '])')), '(;CA[UTF-8]PB[黑])');
  assert.equal(decoded(await bytes('(;CA[cp936]PB[', [0x81, 0x5c], '])')), '(;CA[UTF-8]PB[乗])');
  assert.equal(decoded(await new Blob(['(;CA[GBK]PB[黑])']).arrayBuffer()), '(;CA[GBK]PB[黑])');
  assert.equal(decoded(await bytes('(;PB[Jos\xe9])')), '(;PB[José])');
  assert.equal(decoded(await bytes([0xff, 0xfe], Buffer.from('(;PB[黑])', 'utf16le'))), '(;PB[黑])');
});

/** A session on an empty board, with the news that it tells. */
async function sessionOf(context, record) {
  const news = [], page = { service: new Service(() => {}, service) };
  const session = new Session(page, { game: { setup: emptyBoard(9), moves: [], rules: DEFAULT_RULES }, step: 0, mode: 'play', alternate: true, turn: null });
  context.after(() => session.close());
  session.listener = (what) => news.push(what);
  const settled = () => until('the service has answered', () => !session.stale && session.score !== null);
  await settled();
  if (record) await session.open(recordOf(record));
  return { session, news, settled };
}

const TREE = '(;SZ[9]KM[6.5]PB[A];B[aa]C[first](;W[bb];B[cc](;W[dd])(;W[ee]C[leaf]))(;W[cc];B[bb]))';

test('the variations of a record can be walked, and its comments are found', async (context) => {
  const { session, settled } = await sessionOf(context, TREE);
  assert.deepEqual([session.length, session.game.rules.komi, session.canUndo], [4, 6.5, true]);
  const shown = () => session.choices.map(({ move, shown: is }) => [...move.slice(1), is]);
  session.goTo(1);
  assert.deepEqual(session.nodes.map((node) => textOf(node, 'C')), ['first']);
  assert.deepEqual(shown(), [[1, 1, true], [2, 2, false]]);
  session.goTo(3);
  session.choose(session.choices[1].node);
  await settled();
  assert.deepEqual([session.step, session.board[4][4], session.nodes.map((node) => textOf(node, 'C')).join()], [4, 'W', 'leaf']);
  session.goTo(1);
  session.play([2, 2]); // it is in the record
  await settled();
  assert.deepEqual([session.step, session.length, textOfRecord(session.record)], [2, 3, TREE]);
  session.undo();
  assert.equal(session.record, null, 'showing is not a change, so undo takes back the opening');
  session.redo();
  assert.equal(session.record.name, '');
});

test('a move in the middle of a record becomes a variation of it; undo takes back the move only', async (context) => {
  const { session, news, settled } = await sessionOf(context, TREE);
  session.goTo(2);
  session.play([8, 8]);
  await settled();
  session.play([7, 7]);
  await settled();
  const text = textOfRecord(session.record);
  assert.deepEqual(news.filter((what) => what === 'kept'), ['kept']);
  assert.equal(text, '(;SZ[9]KM[6.5]PB[A];B[aa]C[first]\n(;W[bb]\n(;B[cc]\n(;W[dd])\n(;W[ee]C[leaf]))\n(;B[ii];W[hh]))\n(;W[cc];B[bb]))');
  session.play([7, 7]);
  await until('a refusal', () => session.refusal);
  assert.equal(textOfRecord(session.record), text, 'a refused move is not kept');
  session.undo();
  assert.equal(session.length, 3);
  session.undo();
  assert.deepEqual([session.length, textOfRecord(session.record) === TREE], [4, true]);
  session.redo();
  session.redo();
  await settled();
  assert.equal(textOfRecord(session.record), text);
  await session.judge({ ko: 'simple', suicide: false });
  await settled();
  assert.deepEqual([session.length, session.step, session.game.rules.ko, textOfRecord(session.record)], [4, 4, 'simple', text], 'other rules keep the moves');
  session.undo();
  await settled();
  assert.deepEqual([session.length, session.game.rules.ko], [4, 'positional']);
  session.restart();
  assert.deepEqual([session.step, textOfRecord(session.record)], [0, text], 'the start is shown, and nothing is removed');
});

test('the line of a refused move is found after moves were added before it', async (context) => {
  const { session, settled } = await sessionOf(context, '(;SZ[9];B[aa];W[bb](;B[cc])(;B[dd];W[dd]))');
  session.goTo(1);
  session.play([8, 8]);
  await settled();
  session.showVariation(session.missesInVariations[0]);
  await settled();
  assert.deepEqual([session.step, session.length, session.refused.name], [4, 4, 'D6']);
  await session.open(recordOf(new Blob(['(;SZ[9]CA[GBK]PB[', new Uint8Array([0x81, 0x5c, 0x81, 0x5c]), '];B[aa](;W[bb])(;W[cc];B[cc]))'])));
  session.showVariation(session.missesInVariations[0]);
  await settled();
  assert.deepEqual([session.step, session.refused.name, textOf(session.record.path[0], 'PB')], [3, 'C7', '乗乗']);
});

test('a link to a record has its text, its line, its step and its dead stones', async (context) => {
  const { session, settled } = await sessionOf(context, TREE);
  session.goTo(3);
  session.choose(session.choices[1].node);
  await settled();
  session.play(null);
  session.play(null);
  await settled();
  await until('two passes', () => session.over && session.found?.chains);
  session.toggleDead([0, 0]);
  await settled();
  assert.deepEqual([session.score.dead, session.found.territory[0][0]], [{ B: 1, W: 0 }, '.']);
  const shown = readState(JSON.parse(JSON.stringify(session.state())));
  const other = new Session({ service: new Service(() => {}, service) }, shown);
  context.after(() => other.close());
  await until('the link is read', () => !other.stale && other.score);
  assert.deepEqual([other.board, other.step, other.length, other.score, textOfRecord(other.record)],
    [session.board, session.step, session.length, session.score, textOfRecord(session.record)]);
  session.toggleDead([0, 0]);
  await settled();
  assert.deepEqual(session.score.dead, { B: 0, W: 0 });
});

test('the marks and the score of a position follow the rules, the komi and the captures', async (context) => {
  const { session, settled } = await sessionOf(context);
  for (const at of [[0, 1], [0, 0], [1, 0]]) {
    session.play(at);
    await settled();
  }
  session.setMarks('legal');
  await until('the legal points', () => session.found?.legal);
  assert.deepEqual([session.found.legal.color, session.found.legal.board[0][0]], ['W', '2']);
  session.setMarks('alive');
  await until('what is alive', () => session.found?.alive);
  session.setMarks(null);
  await session.judge({ ko: 'simple', suicide: false, scoring: 'territory', komi: 6.5 });
  await settled();
  const { B, scoring, result } = session.score;
  assert.deepEqual([B, scoring, result], [80, 'territory', 'B+73.5']);
  session.undo();
  await settled();
  assert.equal(session.score.scoring, 'area');
});

test('Back and Forward find the games of a session', async (context) => {
  const { session, settled } = await sessionOf(context);
  const first = session.part;
  session.play([0, 0]);
  await settled();
  assert.equal(session.part, first, 'a move stays in its game');
  session.begin(13, 0);
  const second = session.part;
  session.play([0, 0]);
  await settled();
  await session.open(recordOf(TREE));
  const third = session.part;
  assert.equal(new Set([first, second, third]).size, 3);
  assert.equal(session.toPart(first), true);
  await settled();
  assert.deepEqual([session.size, session.length, session.part], [9, 1, first]);
  assert.equal(session.toPart(third), true);
  assert.deepEqual([session.record.text, session.part], [TREE, third]);
  assert.equal(session.toPart(second), true);
  assert.deepEqual([session.size, session.length], [13, 1]);
  assert.equal(session.toPart(0), false);
});
