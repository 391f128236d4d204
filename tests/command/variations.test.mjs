// The variations of records: random trees, whose lines are also answered one by one, each as a record of its own.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { run } from '../server/arbiter.mjs';

/** Random numbers that are the same in every run: mulberry32. */
function random(seed) {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const RULES = ['Japanese', 'Chinese', 'AGA', 'Tromp-Taylor', 'koSIMPLEsui1'];

/** The text of a node: a move or two, or set-up. */
function nodeText(pick, size, depth) {
  const point = () => 'abcdefg'[pick(size)] + 'abcdefg'[pick(size)];
  const color = pick(10) < 8 ? 'BW'[depth % 2] : 'BW'[pick(2)];
  if (pick(14) === 0) return `AE[${point()}]`;
  if (pick(20) === 0) return `AE[aa:${'abcdefg'[size - 1].repeat(2)}]`;
  if (pick(30) === 0) return `A${'BW'[pick(2)]}[${point()}]`;
  if (pick(12) === 0) return `${color}[]`;
  return `${color}[${point()}]${pick(12) === 0 ? `${'WB'[depth % 2]}[${point()}]` : ''}`;
}

/**
 * Builds a tree: its text, and its nodes in the order of the text, each with the text of the line up to it, and whether it is in the main
 * line or has no children. Variations are written in parentheses or, after others, as nodes.
 */
function build(seed) {
  const pick = random(seed), size = 2 + pick(4);
  const root = `SZ[${size}]RU[${RULES[pick(RULES.length)]}]${pick(3) === 0 ? 'AB[aa]AW[bb]' : ''}`;
  const nodes = [];
  let text = '', branches = 0;
  const add = (path, depth, main) => {
    const own = depth === 0 ? root : nodeText(pick, size, depth);
    const line = `${path};${own}`;
    const node = { line, at: text.length + 1, own, main, leaf: false };
    nodes.push(node);
    text += `;${own}`;
    const children = nodes.length > 60 || depth > 25 ? 0 : [1, 1, 1, 1, 1, 1, 2, 2, 3, 0][pick(10)];
    node.leaf = children === 0;
    branches += children > 1;
    for (let child = 0; child < children; child++) {
      const open = children > 1 && !(child === children - 1 && pick(4) === 0);
      text += `${open ? '(' : ''}`;
      add(line, depth + 1, main && child === 0);
      text += `${open ? `)${'\n '.slice(pick(3))}` : ''}`;
    }
  };
  text = '(';
  add('', 0, true);
  return { text: `${text})`, nodes, branches };
}

const answersTo = async (records) => {
  const cases = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const { stdout } = await run(['solve', 'go', '--from', 'ndjson'], { input: cases });
  return stdout.split('\n').slice(0, -1).map((line) => JSON.parse(line));
};

/** The place of an offset. */
function placeOf(text, offset) {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: before.at(-1).length + 1 };
}

test('the misses of all lines are those of each line on its own', async () => {
  const trees = Array.from({ length: 150 }, (_, seed) => build(seed + 1));
  const whole = await answersTo(trees.map(({ text }) => ({ sgf: text, include: 'variations' })));
  const seen = { misses: 0, repetitions: 0, refused: 0, lines: 0 };
  for (const [tree, { text, nodes, branches }] of trees.entries()) {
    const alone = await answersTo(nodes.map(({ line }) => ({ sgf: `(${line})` })));
    const leaves = nodes.filter(({ leaf }) => leaf).length;
    if (nodes.some(({ leaf }, node) => leaf && alone[node].problem)) {
      assert.equal(whole[tree].problem?.errors[0].code, 'liberty', text);
      seen.refused++;
      continue;
    }
    const movesIn = (own) => own.match(/(?<![A-Z])[BW]\[/g)?.length ?? 0;
    const expected = [];
    for (const [node, { own, at, main, line }] of nodes.entries()) {
      if (main) continue;
      const before = movesIn(line) - movesIn(own);
      const values = [...own.matchAll(/(?<![A-Z])[BW]\[/g)].map((match) => at + match.index + 2);
      // A node whose own position is illegal can be part of a legal line: its set-up may go on before the first move.
      for (const miss of alone[node].misses ?? [])
        if (miss.move > before) expected.push({ ...miss, ...placeOf(text, values[miss.move - before - 1]) });
    }
    assert.deepEqual(whole[tree].variations, {
      branches, lines: leaves, moves: nodes.filter(({ main }) => !main).reduce((sum, { own }) => sum + movesIn(own), 0), misses: expected,
    }, text);
    seen.misses += expected.length;
    seen.repetitions += expected.filter(({ code }) => code === 3).length;
    seen.lines += leaves;
  }
  assert.ok(seen.misses > 500 && seen.repetitions > 10 && seen.refused > 5 && seen.refused < 100 && seen.lines > 500, JSON.stringify(seen));
});

test('nesting can be deep, and a node can have many children', async () => {
  const deep = `(;SZ[3]${'(;B[];W[aa]'.repeat(50000)}${')'.repeat(50000)})`;
  const wide = `(;SZ[3];B[aa]${'(;W[aa])(;W[bb])'.repeat(40000)})`;
  const [first, second] = await answersTo([{ sgf: deep, include: 'variations' }, { sgf: wide, include: 'variations' }]);
  assert.deepEqual(first.variations, { branches: 0, lines: 1, moves: 0, misses: [] });
  assert.equal(first.misses.length, 49999);
  const { misses, ...counts } = second.variations;
  assert.deepEqual(counts, { branches: 1, lines: 80000, moves: 79999 });
  assert.equal(misses.length, 39999); // the first child is the main line
  const [refused] = await answersTo([{ sgf: `(;SZ[3];B[aa]${'(;W[aa])'.repeat(100000)})`, include: 'variations' }]);
  assert.match(refused.problem.detail, /^the game and its variations have too many moves; max_moves is 100000$/);
});
