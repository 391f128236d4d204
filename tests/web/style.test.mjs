// The style sheets of the page: each game's classes start with its prefix, and no class is unused.

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

/** What the first group of a pattern matches in a text, sorted and without duplicates. */
const found = (text, pattern) => [...new Set([...text.matchAll(pattern)].map(([, name]) => name))].sort();
const classesOf = (style) => found([...style.matchAll(/[^{}]+(?=\{)/g)].join('\n'), /[.]([a-zA-Z][\w-]*)/g);

/** Whether a string in a module is this word or contains it between spaces. */
const isQuoted = (word, flags = '') => new RegExp(`['" \`]${word}['" \`]`, flags).test(modules);

/** Whether a module creates this class, either literally or from a value, such as `go-${color}` where `color` is 'B'. */
const isMade = (name) => isQuoted(name)
  || found(modules, /([\w-]+-)\$\{/g).some((start) => name.startsWith(start) && isQuoted(name.slice(start.length), 'i'));

test('each game\'s classes begin with the name of the game', () => {
  const shared = classesOf(styleOf('style.css'));
  for (const game of GAMES) {
    const others = classesOf(styleOf(`${game}/${game}.css`)).filter((name) =>
      name !== game && !name.startsWith(`${game}-`) && !shared.includes(name));
    assert.deepEqual(others, [], game);
  }
});

test('every class in the style sheets is created by a module', () => {
  assert.ok(classesOf(styles).length > 100);
  assert.deepEqual(classesOf(styles).filter((name) => !isMade(name)), []);
});

test('every variable is used', () => {
  const names = found(styles, /(--[\w-]+):/g);
  assert.ok(names.length > 50);
  // The Minesweeper canvas reads its colours from variables by name (web/mine/cells.js).
  const unused = names.filter((name) => !name.startsWith('--mine-') && !styles.includes(`var(${name})`));
  assert.deepEqual(unused, []);
});
