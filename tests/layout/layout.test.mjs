// The arrows between the rooms, read off the #include lines: inward only.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const TOP = fileURLToPath(new URL('../..', import.meta.url));

const LIBRARY = ['assert.h', 'errno.h', 'limits.h', 'math.h', 'stdalign.h', 'stdarg.h', 'stdatomic.h', 'stdbool.h', 'stddef.h',
  'stdint.h', 'stdlib.h', 'string.h'];

// A room: where its files are, which headers of ours and which of the system it may include. What is not named here
// belongs to no room, and that is a fault too.
const SOLVERS = ['src/pawn', 'src/go', 'src/mine'];
const ROOMS = [
  { folder: 'src/base', ours: ['base/'], system: [...LIBRARY, 'stdio.h', 'sys/mman.h'] },
  ...SOLVERS.map((folder) => ({ folder, ours: ['base/', `${folder.slice(4)}/`], system: LIBRARY })),
  ...['answer', 'game', 'go', 'json', 'mine', 'pawn', 'request', 'svg', 'text'].map((room) => ({
    folder: `api/${room}`, ours: ['api/', 'base/', 'pawn/', 'go/', 'mine/'],
    system: [...LIBRARY, 'stdio.h', 'strings.h', 'cjson/cJSON.h'],
  })),
  ...['work', 'server', 'command'].map((room) => ({
    folder: `api/${room}`, ours: ['api/', 'base/'], system: null, never: ['cjson/cJSON.h'],
  })),
  { folder: 'tests/reference', ours: ['reference/'], system: null,
    never: ['cjson/cJSON.h', 'microhttpd.h', 'pthread.h'] },
];

// What a solver shows to other rooms.
const PUBLIC = ['pawn/position.h', 'pawn/solve.h', 'go/game.h', 'go/score.h', 'mine/solve.h', 'mine/graph.h'];

function* sources(folder) {
  for (const entry of readdirSync(join(TOP, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.[ch]$/.test(entry.name)) yield path;
  }
}

function includes(path) {
  const text = readFileSync(join(TOP, path), 'utf8');
  return [...text.matchAll(/^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]/gm)].map(([, mark, name]) => ({
    name, ours: mark === '"',
  }));
}

for (const room of ROOMS) {
  test(`${room.folder} includes only what it may`, () => {
    const wrong = [];
    let files = 0;
    for (const path of sources(room.folder)) {
      if (path === 'tools/embed.c') continue; // a build tool, not part of the room
      files += 1;
      for (const { name, ours } of includes(path)) {
        const allowed = ours
          ? room.ours.some((start) => name.startsWith(start))
          : (room.system === null || room.system.includes(name)) && !(room.never ?? []).includes(name);
        const hidden = ours && room.folder.startsWith('api/') && /^(pawn|go|mine)\//.test(name) && !PUBLIC.includes(name);
        if (!allowed || hidden) wrong.push(`${path} includes ${name}`);
      }
    }
    assert.ok(files > 0, `${room.folder} has no files`);
    assert.deepEqual(wrong, []);
  });
}

test('every source of the program is in a room', () => {
  const stray = [...sources('src'), ...sources('api')].filter(
    (path) => !/^api\/[a-z]+\.[ch]$/.test(path) && !ROOMS.some(({ folder }) => !relative(folder, path).startsWith('..')),
  );
  assert.deepEqual(stray, []);
});

test('solvers and api keep no mutable globals but the one that cJSON needs', () => {
  const found = [];
  for (const { folder } of ROOMS.filter((room) => room.system !== null))
    for (const path of sources(folder)) {
      if (path === 'tools/embed.c') continue;
      for (const [line] of readFileSync(join(TOP, path), 'utf8').matchAll(/^[ \t]*(static|_Thread_local)\b[^;{(]*[;=]/gm))
        if (!/\bconst\b/.test(line)) found.push(`${path}: ${line.trim()}`);
    }
  assert.deepEqual(found, ['api/json/tree.c: static _Thread_local struct arena *parse_arena;']);
});
