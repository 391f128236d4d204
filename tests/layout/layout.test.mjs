// The arrows between files and between rooms, read off the #include lines: inward only, and no circle anywhere. And what
// the library of each room holds: names that its headers declare, and no mutable globals.
//
// ARBITER_BUILD           the build folder, where Meson describes the libraries
// ARBITER_GAMES           the games, separated by blanks
// ARBITER_ENGINE_HEADERS  the headers of engines that backends may include, separated by blanks: go/game.h
//
// A file here is a stem: x.h and x.c are one, since a header declares only what the file of its name defines.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const TOP = fileURLToPath(new URL('../..', import.meta.url));

const LIBRARY = ['assert.h', 'errno.h', 'limits.h', 'math.h', 'stdalign.h', 'stdarg.h', 'stdatomic.h', 'stdbool.h',
  'stddef.h', 'stdint.h', 'stdlib.h', 'string.h'];
const SPEAKING = [...LIBRARY, 'stdio.h', 'strings.h'];

const GAMES = process.env.ARBITER_GAMES.split(' ');
const PUBLIC = process.env.ARBITER_ENGINE_HEADERS.split(' ');

// A room: the rooms that it may use beside itself, and the headers of the system (null: any but those in `never`).
const BACKEND = ['src/base', 'api/fault', 'api/json', 'api/text', 'api/svg', 'api/game'];
const SERVING = ['src/base', 'api', 'api/game', 'api/answer', 'api/request', 'api/job'];
const ROOMS = {
  'src/base': { rooms: [], system: [...LIBRARY, 'stdio.h', 'sys/mman.h', 'sys/queue.h'] },
  ...Object.fromEntries(GAMES.map((game) => [`src/${game}`, { rooms: ['src/base'], system: LIBRARY }])),
  'api/fault': { rooms: ['src/base'], system: SPEAKING },
  'api/json': { rooms: ['src/base', 'api/fault'], system: [...SPEAKING, 'cjson/cJSON.h'] },
  'api/text': { rooms: ['src/base', 'api/fault'], system: SPEAKING },
  'api/svg': { rooms: ['src/base'], system: SPEAKING },
  'api/game': { rooms: ['src/base', 'api/fault', 'api/json', 'api/text'], system: SPEAKING },
  ...Object.fromEntries(GAMES.map((game) => [`api/${game}`, { rooms: [...BACKEND, `src/${game}`], system: SPEAKING }])),
  'api/answer': { rooms: ['src/base', 'api/fault', 'api/json', 'api/game'], system: [...SPEAKING, 'zlib.h'] },
  'api/request': {
    rooms: ['src/base', 'api/fault', 'api/json', 'api/game', 'api/answer', ...GAMES.map((game) => `api/${game}`)],
    system: SPEAKING,
  },
  'api/job': { rooms: [...BACKEND, 'api/answer', 'api/request'], system: SPEAKING },
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
          : [room, ...rooms].includes(roomOf(path)) && (!game || room === `src/${game}` || PUBLIC.includes(name));
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
const SHARED = ['gauges', 'held_bytes', 'log', 'mailbox', 'meter', 'metrics'];

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

test('no file has more than 700 lines', () => {
  const sizes = FILES.map((file) => ({ file, lines: readFileSync(join(TOP, file), 'utf8').split('\n').length - 1 }));
  assert.deepEqual(sizes.filter(({ lines }) => lines > 700), []);
});

// The libraries of the rooms, as Meson describes them.
const LIBRARIES = JSON.parse(readFileSync(join(process.env.ARBITER_BUILD, 'meson-info/intro-targets.json'), 'utf8'))
  .filter(({ type }) => type === 'static library')
  .map((target) => ({
    room: relative(TOP, dirname(target.defined_in)),
    path: target.filename[0],
    files: target.target_sources.flatMap(({ sources }) => sources).map((path) => relative(TOP, path)),
  }))
  .filter(({ room }) => /^(src|api)\b/.test(room));

// What nm shows of the libraries: {file, name, external, section}. A file that is made by the build counts as one of the
// room that it belongs to.
const SYMBOLS = LIBRARIES.flatMap(({ room, path }) => {
  let file;
  return execFileSync('nm', ['--format=sysv', path], { encoding: 'utf8' }).split('\n').flatMap((line) => {
    const [, member] = /^Symbols from .*\[(?:.*\/)?(?:meson-generated_\.\._)?(.+)\.o\]:$/.exec(line) ?? [];
    if (member) file = `${room}/${member}`;
    // NAME | VALUE | CLASS | TYPE | SIZE | LINE | SECTION
    const [name, , symbol, , , , section] = line.split('|').map((field) => field.trim());
    return section && section !== '*UND*' ? [{ file, name, external: /[A-Z]/.test(symbol), section }] : [];
  });
});

test('each room is one library, of all its files', () => {
  for (const room of Object.keys(ROOMS).filter((name) => name !== 'tests/reference')) {
    const files = FILES.filter((file) => roomOf(file) === room && file.endsWith('.c') && file !== 'api/command/main.c');
    const built = LIBRARIES.filter((library) => library.room === room).map((library) => library.files.filter((file) => KNOWN.has(file)).sort());
    assert.deepEqual(built, [files.sort()]);
  }
});

test('a header declares only what the file of its name defines, and every file has one', () => {
  const external = SYMBOLS.filter((symbol) => symbol.external);
  assert.ok(external.length > 400, `only ${external.length} symbols were found`);
  const wrong = external.filter(({ file, name }) => {
    const header = file.replace(/c$/, 'h');
    return !KNOWN.has(header) || !new RegExp(`\\b${name}\\b`).test(readFileSync(join(TOP, header), 'utf8'));
  });
  assert.deepEqual(wrong.map(({ file, name }) => `${file} defines ${name}, which its header does not declare`), []);
});

// The globals that change, and why there is no way without them.
const MUTABLE = [
  'api/json/tree.c: parse', // the hooks of cJSON get no other argument; each thread has its own
  // Only in builds with the tests, whose clock all loops of the program share.
  ...['done_by', 'once', 'slot', 'slots_used', 'test_clock'].map((name) => `api/work/clock.c: ${name}`),
];

test('there are no mutable globals but those that are listed here', () => {
  // Constants with addresses in them are in .data.rel.ro, which is read-only once the program has started.
  assert.ok(SYMBOLS.filter(({ section }) => /^\.(rodata|data\.rel\.ro)/.test(section)).length > 100, 'nm shows no constants either');
  const found = SYMBOLS.filter(({ section }) => /^(\.t?(data|bss)\b(?!\.rel\.ro)|\*COM\*)/.test(section));
  // The compiler adds a number to the name of what is static in a function.
  assert.deepEqual(found.map(({ file, name }) => `${file}: ${name.replace(/\.\d+$/, '')}`).sort(), MUTABLE);
});
