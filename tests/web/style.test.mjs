// The style sheets of the page: the classes of a game have its prefix, and none is unused.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const WEB = new URL('../../web/', import.meta.url);
const GAMES = ['pawn', 'go', 'mine'];

const read = (name) => readFileSync(new URL(name, WEB), 'utf8');
const files = readdirSync(WEB, { recursive: true }).filter((name) => !name.startsWith('docs/'));
const styleOf = (name) => read(name).replace(/\/\*[^]*?\*\//g, '');
const styles = files.filter((name) => name.endsWith('.css')).map(styleOf).join('\n');
const modules = files.filter((name) => name.endsWith('.js')).map(read).join('\n');

/** All first groups of a pattern in a text, each once. */
const found = (text, pattern) => [...new Set([...text.matchAll(pattern)].map(([, name]) => name))].sort();
const classesOf = (style) => found([...style.matchAll(/[^{}]+(?=\{)/g)].join('\n'), /[.]([a-zA-Z][\w-]*)/g);

/** Does a quoted text contain this word? */
const isQuoted = (word, flags = '') => new RegExp(`['" \`]${word}['" \`]`, flags).test(modules);

/** Does a module make this class, as it is or from a value: `go-${color}`, where `color` is 'B'? */
const isMade = (name) => isQuoted(name)
  || found(modules, /([\w-]+-)\$\{/g).some((start) => name.startsWith(start) && isQuoted(name.slice(start.length), 'i'));

test('a class of a game begins with the name of the game', () => {
  const shared = classesOf(styleOf('style.css'));
  for (const game of GAMES) {
    const others = classesOf(styleOf(`${game}/${game}.css`)).filter((name) =>
      name !== game && !name.startsWith(`${game}-`) && !shared.includes(name));
    assert.deepEqual(others, [], game);
  }
});

test('every class that has a style is made by a module', () => {
  assert.ok(classesOf(styles).length > 100);
  assert.deepEqual(classesOf(styles).filter((name) => !isMade(name)), []);
});

test('every variable is used', () => {
  const names = found(styles, /(--[\w-]+):/g);
  assert.ok(names.length > 50);
  // The canvas of Minesweeper reads its colours by their names (web/mine/cells.js).
  const unused = names.filter((name) => !name.startsWith('--mine-') && !styles.includes(`var(${name})`));
  assert.deepEqual(unused, []);
});
