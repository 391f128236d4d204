// Helpers for the tests of `arbiter solve`: a folder for files, and functions that run the program.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

import { Arbiter, run } from '../server/arbiter.mjs';

/** A folder that is removed after the tests in the file. */
export const folder = mkdtempSync(join(tmpdir(), 'arbiter-solve-'));
after(() => rmSync(folder, { recursive: true }));

/** Writes a file with these bytes, and returns its path. */
export function file(name, bytes) {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** Runs `solve` until it ends, and checks its status. */
export async function solve(args, { status = 0, ...options } = {}) {
  const ended = await run(['solve', ...args], options);
  assert.deepEqual({ code: ended.code, signal: ended.signal }, { code: status, signal: null }, ended.stderr);
  return ended;
}

/** Starts `solve` with a pipe as its input. The program ends with the test. */
export function begin(t, args) {
  const arbiter = new Arbiter(['solve', ...args], { stdin: 'pipe' });
  t.after(() => arbiter.signal('SIGKILL'));
  return arbiter;
}
