// The two text tables have the same keys, and their texts use the same values.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import en from '../../web/text/en.js';
import zh from '../../web/text/zh.js';

/** The texts in a table as [key, text], with the complete key, such as `game.word`. */
function textsOf(table, before = '') {
  return Object.entries(table).flatMap(([name, value]) =>
    typeof value === 'object' ? textsOf(value, `${before}${name}.`) : [[before + name, value]]);
}

/** The names of the values that are inserted into a text; for a function, the values that it reads. */
function valuesOf(text) {
  if (typeof text === 'string') return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort();
  const seen = new Set();
  // Try counts for zero, one and many, because a text may read some of its values only for certain counts.
  for (const count of [0, 1, 2]) {
    text(new Proxy({}, {
      get: (_, name) => {
        seen.add(name);
        return count;
      },
    }));
  }
  return [...seen].sort();
}

test('both tables have the same keys', () => {
  assert.deepEqual(textsOf(zh).map(([key]) => key).sort(), textsOf(en).map(([key]) => key).sort());
});

test('each text uses the same values in both tables', () => {
  const chinese = new Map(textsOf(zh));
  for (const [key, text] of textsOf(en)) assert.deepEqual(valuesOf(chinese.get(key)), valuesOf(text), key);
});

test('no text is empty or begins or ends with a space', () => {
  for (const [key, text] of [...textsOf(en), ...textsOf(zh)]) {
    if (typeof text !== 'string') continue;
    assert.notEqual(text, '', key);
    assert.equal(text, text.trim(), key);
  }
});
