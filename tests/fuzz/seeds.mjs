// The initial inputs for a fuzz target: the requests from the contract test, in the target's format.
//
//     node tests/fuzz/seeds.mjs TARGET FOLDER     writes each input to a file in the folder
//
// seeds.test.mjs runs the targets with them, so that they know every kind of answer.
//
// `pawn`, `go` and `mine` have no seeds. Their inputs are a few letters, which the fuzzer finds by itself.

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cases, examples } from '../contract/cases.mjs';

const LONGEST = 3000; // -max_len in script/fuzz
const GAMES = ['/pawn', '/go', '/mine'];
const [JSON_TYPE, TEXT, LINES, SGF] = ['application/json', 'text/plain', 'application/x-ndjson', 'application/x-go-sgf'];

const requests = [...cases, ...examples].map(({ request }) => request).filter(({ target }) => target !== undefined);

// The requests to the games, each with the letter for the game (ask_by_letter), the query and the body.
const games = requests
  .map(({ target, headers, body }) => ({ cut: target.split('?'), type: headers['Content-Type'], body }))
  .filter(({ cut: [path] }) => GAMES.includes(path))
  .map(({ cut: [path, ...query], ...rest }) => ({ letter: 'abc'[GAMES.indexOf(path)], query: query.join('?'), ...rest }));

const bodies = (...types) => games.filter(({ type, body }) => types.includes(type) && body !== undefined);

function headOf({ method, target, headers }) {
  const lines = Object.entries({ Host: 'test', ...headers }).map(([name, value]) => `${name}: ${value}\n`);
  return `${method} ${target} HTTP/1.1\n${lines.join('')}\n`;
}

// For each target, its inputs. Each input is a list of parts to concatenate.
const parts = {
  json: () => bodies(JSON_TYPE).map(({ letter, body }) => [letter, body]),
  text: () => bodies(TEXT).map(({ letter, body }) => [letter, body]),
  stream: () => bodies(JSON_TYPE, LINES).map(({ letter, body }) => [letter, body]),
  sgf: () => bodies(SGF).map(({ letter, body }) => ['a', letter, body]),
  link: () => [
    ...games.map(({ letter, query }) => [letter, 'a', query]),
    ...bodies(JSON_TYPE).map(({ letter, body }) => [letter, 'acase=', encodeURIComponent(body)]),
  ],
  head: () => requests.map((request) => [headOf(request), request.body ?? '']),
};

/** The targets that have seeds. */
export const targets = Object.keys(parts);

/**
 * The seeds for a target.
 * @param {string} target
 */
export function seedsOf(target) {
  const inputs = (parts[target]?.() ?? []).map((input) => Buffer.concat(input.map((part) => Buffer.from(part))));
  return inputs.filter(({ length }) => length <= LONGEST);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [target, folder] = process.argv.slice(2);
  for (const input of seedsOf(target)) writeFileSync(join(folder, createHash('sha1').update(input).digest('hex')), input);
}
