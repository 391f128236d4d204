// The arrows between files and between rooms, read off the #include lines: inward only, and no circle anywhere. And what
// the compiled rooms hold: no mutable globals.
//
// ARBITER_LIBRARIES  the static libraries of the build, separated by blanks
//
// A file here is a stem: x.h and x.c are one, since a header declares only what the file of its name defines.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const TOP = fileURLToPath(new URL('../..', import.meta.url));

const LIBRARIES = (process.env.ARBITER_LIBRARIES ?? '').split(' ').filter((path) => path !== '');

const LIBRARY = ['assert.h', 'errno.h', 'limits.h', 'math.h', 'stdalign.h', 'stdarg.h', 'stdatomic.h', 'stdbool.h',
  'stddef.h', 'stdint.h', 'stdlib.h', 'string.h'];
const SPEAKING = [...LIBRARY, 'stdio.h', 'strings.h'];

// A list of the build. So are the games, and what the engine of each shows to its wing.
const list = (file, name) => {
  const [, items] = new RegExp(`^${name} = \\[(.*?)\\]$`, 'ms').exec(readFileSync(join(TOP, file), 'utf8'));
  return [...items.matchAll(/'([^']+)'/g)].map(([, item]) => item);
};
const GAMES = list('meson.build', 'games');
const PUBLIC = Object.fromEntries(
  GAMES.map((game) => [game, list(`src/${game}/meson.build`, 'engine_headers').map((header) => `${game}/${header}`)]),
);

// A room: the rooms that it may use beside itself, and the headers of the system (null: any but those in `never`).
const WING = ['src/base', 'api/fault', 'api/json', 'api/text', 'api/svg', 'api/game'];
const SERVING = ['src/base', 'api', 'api/game', 'api/answer', 'api/request', 'api/job'];
const ROOMS = {
  'src/base': { rooms: [], system: [...LIBRARY, 'stdio.h', 'sys/mman.h', 'sys/queue.h'] },
  ...Object.fromEntries(GAMES.map((game) => [`src/${game}`, { rooms: ['src/base'], system: LIBRARY }])),
  'api/fault': { rooms: ['src/base'], system: SPEAKING },
  'api/json': { rooms: ['src/base', 'api/fault'], system: [...SPEAKING, 'cjson/cJSON.h'] },
  'api/text': { rooms: ['src/base', 'api/fault'], system: SPEAKING },
  'api/svg': { rooms: ['src/base'], system: SPEAKING },
  'api/game': { rooms: ['src/base', 'api/fault', 'api/json', 'api/text'], system: SPEAKING },
  ...Object.fromEntries(GAMES.map((game) => [`api/${game}`, { rooms: [...WING, `src/${game}`], system: SPEAKING }])),
  'api/answer': { rooms: ['src/base', 'api/fault', 'api/json', 'api/game'], system: [...SPEAKING, 'zlib.h'] },
  'api/request': {
    rooms: ['src/base', 'api/fault', 'api/json', 'api/game', 'api/answer', ...GAMES.map((game) => `api/${game}`)],
    system: SPEAKING,
  },
  'api/job': { rooms: [...WING, 'api/answer', 'api/request'], system: SPEAKING },
  api: { rooms: ['api/answer', 'api/request', 'api/job', 'api/game', 'src/base'], system: SPEAKING },
  'api/work': { rooms: SERVING, system: null, never: ['cjson/cJSON.h', 'microhttpd.h'] },
  'api/server': { rooms: [...SERVING, 'api/work'], system: null, never: ['cjson/cJSON.h'] },
  'api/command': { rooms: [...SERVING, 'api/work', 'api/server'], system: null, never: ['cjson/cJSON.h', 'microhttpd.h'] },
  'tests/reference': { rooms: [], system: null, never: ['cjson/cJSON.h', 'microhttpd.h', 'pthread.h'] },
};

function* sources(folder) {
  for (const entry of readdirSync(join(TOP, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.[ch]$/.test(entry.name)) yield path;
  }
}

const FILES = [...sources('src'), ...sources('api'), ...sources('tests/reference')];
const KNOWN = new Set(FILES);

/** What a file includes: {name, path}, where the path is that of a file of ours, else undefined. */
function includes(file) {
  const text = readFileSync(join(TOP, file), 'utf8');
  return [...text.matchAll(/^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]/gm)].map(([, mark, name]) => ({
    name,
    path: mark === '"' ? [name, `src/${name}`, `tests/${name}`].find((path) => KNOWN.has(path)) ?? 'missing' : undefined,
  }));
}

/** The graph of includes between the nodes that `nodeOf` gives for files. */
function graphOf(nodeOf) {
  const graph = new Map();
  for (const file of FILES) {
    const node = nodeOf(file);
    if (!graph.has(node)) graph.set(node, new Set());
    for (const { path } of includes(file)) if (path && nodeOf(path) !== node) graph.get(node).add(nodeOf(path));
  }
  return graph;
}

/** The circles of a graph: its strongly connected components of more than one node (Tarjan, 1972). */
function circlesOf(graph) {
  const index = new Map(), low = new Map(), stack = [], circles = [];
  function visit(node) {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    if (low.get(node) !== index.get(node)) return;
    const circle = stack.splice(stack.indexOf(node));
    if (circle.length > 1) circles.push(circle.sort());
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return circles;
}

const roomOf = (file) => dirname(file);

for (const [room, { rooms, system, never = [] }] of Object.entries(ROOMS)) {
  test(`${room} includes only what it may`, () => {
    const wrong = [];
    const files = FILES.filter((file) => roomOf(file) === room);
    for (const file of files)
      for (const { name, path } of includes(file)) {
        const game = GAMES.find((name) => path?.startsWith(`src/${name}/`));
        const allowed = path === undefined
          ? (system === null || system.includes(name)) && !never.includes(name)
          : [room, ...rooms].includes(roomOf(path)) && (!game || room === `src/${game}` || PUBLIC[game].includes(name));
        if (!allowed) wrong.push(`${file} includes ${name}`);
      }
    assert.ok(files.length > 0, `${room} has no files`);
    assert.deepEqual(wrong, []);
  });
}

/** Every header that a file sees, directly or through others. */
function seenBy(file, seen = new Set()) {
  for (const { name, path } of includes(file)) {
    if (seen.has(path ?? name)) continue;
    seen.add(path ?? name);
    if (path) seenBy(path, seen);
  }
  return seen;
}

test('threads, libmicrohttpd and what a person types do not see cJSON, not even through others', () => {
  const wrong = FILES.filter((file) => ROOMS[roomOf(file)]?.never?.includes('cjson/cJSON.h') && roomOf(file) !== 'api/command' &&
    seenBy(file).has('cjson/cJSON.h'));
  assert.deepEqual(wrong, []);
});

// What other threads may touch of the server: all else belongs to the thread of a loop.
const SHARED = ['gauges', 'holdings', 'log', 'mailbox', 'meter', 'metrics'];

test('what a loop owns has no lock and no atomic', () => {
  const found = FILES.filter((file) => roomOf(file) === 'api/server' &&
    /pthread_(mutex|cond|rwlock|spin)|\batomic|_Atomic|stdatomic|\bsem_|__sync/.test(readFileSync(join(TOP, file), 'utf8')));
  const stems = new Set(found.map((file) => basename(file).replace(/\.[ch]$/, '')));
  assert.deepEqual([...stems].sort(), SHARED);
});

test('every source is in a room', () => {
  assert.deepEqual(FILES.filter((file) => !(roomOf(file) in ROOMS)), []);
});

test('every circle is found', () => {
  const graph = new Map(Object.entries({ a: ['b'], b: ['c', 'd'], c: ['a'], d: ['e'], e: ['d'], f: ['a', 'd'] }));
  assert.deepEqual(circlesOf(graph).sort(), [['a', 'b', 'c'], ['d', 'e']]);
});

test('there is no circle between files', () => {
  const graph = graphOf((file) => file.replace(/\.[ch]$/, ''));
  assert.ok(graph.size > 50);
  assert.deepEqual(circlesOf(graph), []);
});

test('there is no circle between rooms', () => {
  const graph = graphOf(roomOf);
  assert.ok(graph.size > 15);
  assert.deepEqual(circlesOf(graph), []);
});

test('no function has more than 50 lines, and no file more than 700', () => {
  const long = [];
  let functions = 0;
  for (const file of FILES) {
    const lines = readFileSync(join(TOP, file), 'utf8').split('\n');
    if (lines.length > 701) long.push(`${file} has ${lines.length - 1} lines`);
    for (const [start, line] of lines.entries()) {
      if (!/^[a-z_].*\)( \{| const \{)$|^ +.*\) \{$/.test(line) || /^ +(if|for|while|switch|else|do|FOR_|cJSON_|\})/.test(line)) continue;
      const end = lines.indexOf('}', start);
      const first = lines.findLastIndex((text, at) => at <= start && /^[a-z_]/.test(text));
      if (end < 0 || lines.slice(start + 1, end).some((text) => /^[a-z_#]/.test(text) && !/^[a-z_]+:$/.test(text))) continue;
      functions += 1;
      if (end - first + 1 > 50) long.push(`${file}:${first + 1} has a function of ${end - first + 1} lines`);
    }
  }
  assert.ok(functions > 400, `only ${functions} functions were found`);
  assert.deepEqual(long, []);
});

test('a header declares only what the file of its name defines, and every file has one', () => {
  const wrong = [];
  let symbols = 0;
  for (const library of LIBRARIES) {
    let file;
    for (const line of execFileSync('nm', ['--defined-only', '--extern-only', library], { encoding: 'utf8' }).split('\n')) {
      // "go_board.c.o:" of libgo.a is src/go/board.c, of libapi.a api/go/board.c.
      const [, member] = /^(?:.*[/(:])?([\w.-]+)\.o\)?:$/.exec(line) ?? [];
      if (member) file = FILES.find((path) => path.startsWith(library.includes('/src/') ? 'src/' : 'api/') &&
        path.replace(/^(src|api)\//, '').replaceAll('/', '_') === member);
      const [, name] = /^[0-9a-f]+ [A-Z] (\w+)$/.exec(line) ?? [];
      if (!name || !file) continue;
      symbols += 1;
      const header = file.replace(/c$/, 'h');
      if (!KNOWN.has(header) || !new RegExp(`\\b${name}\\b`).test(readFileSync(join(TOP, header), 'utf8')))
        wrong.push(`${file} defines ${name}, which ${header} does not declare`);
    }
  }
  assert.ok(symbols > 100, `only ${symbols} symbols were found`);
  assert.deepEqual(wrong, []);
});

test('src and api keep no mutable globals but the one that cJSON needs', () => {
  assert.ok(LIBRARIES.length >= 2 + GAMES.length, 'no libraries to look at');
  const found = [];
  let constants = 0;
  for (const library of LIBRARIES) {
    // NAME | VALUE | CLASS | TYPE | SIZE | LINE | SECTION, a symbol a line; constants with addresses in them stand in
    // .data.rel.ro, which is read-only once the program has started.
    for (const line of execFileSync('nm', ['--format=sysv', library], { encoding: 'utf8' }).split('\n')) {
      const [name, , , , , , section] = line.split('|').map((field) => field.trim());
      constants += /^\.(rodata|data\.rel\.ro)/.test(section ?? '');
      if (/^(\.t?(data|bss)\b(?!\.rel\.ro)|\*COM\*)/.test(section ?? '') && !/^\.t?(data|bss)$/.test(name)) found.push(name);
    }
  }
  assert.ok(constants > 20, 'nm shows no constants either');
  assert.deepEqual(found, ['parse']);
});
