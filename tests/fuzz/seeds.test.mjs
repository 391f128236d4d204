// The fuzz targets hold for all requests of the contract tests: what a target says of answers is true of every kind of answer.
//
// ARBITER_BUILD   the build folder

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { seedsOf, targets } from './seeds.mjs';

const folder = mkdtempSync(join(tmpdir(), 'arbiter-seeds-'));
after(() => rmSync(folder, { recursive: true }));

/** A line as replay.c reads it. */
const lineOf = (input) => `${[...input].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}\n`;

for (const target of targets) {
  test(`${target}: the requests of the contract tests`, () => {
    const seeds = seedsOf(target), file = join(folder, target);
    writeFileSync(file, seeds.map(lineOf).join(''));
    const output = execFileSync(join(process.env.ARBITER_BUILD, 'tests/fuzz', `replay_${target}`), [file], { encoding: 'utf8', stdio: 'pipe' });
    assert.ok(output.includes(`ok 1 - every input of ${target} holds (${seeds.length})`), output);
  });
}
