// Checks the #include lines: each folder includes only folders that it is allowed to, and there are no cycles between files or folders.
// Checks the symbols in each folder's library: its headers declare all external names, and there are no mutable globals.
//
// ARBITER_BUILD   the build folder, which contains Meson's description of the libraries, and of this test with two variables:
//                 ARBITER_GAMES           the games, separated by spaces
//                 ARBITER_ENGINE_HEADERS  the engine headers that backends may include, separated by spaces, such as go/game.h
//
// In the graph of files, x.h and x.c are one node, because a header declares only names that its C file defines.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const TOP = fileURLToPath(new URL('../..', import.meta.url));

const LIBRARY = ['assert.h', 'errno.h', 'limits.h', 'math.h', 'stdalign.h', 'stdarg.h', 'stdatomic.h', 'stdbool.h',
  'stddef.h', 'stdint.h', 'stdlib.h', 'string.h'];
const LIBRARY_AND_TEXT = [...LIBRARY, 'stdio.h', 'strings.h'];

/** Reads one of Meson's introspection files. */
const readMesonInfo = (name) => JSON.parse(readFileSync(join(process.env.ARBITER_BUILD, `meson-info/intro-${name}.json`), 'utf8'));

const { env: VARIABLES } = readMesonInfo('tests').find(({ name }) => name === 'layout/layout');
const GAMES = VARIABLES.ARBITER_GAMES.split(' ');
const PUBLIC = VARIABLES.ARBITER_ENGINE_HEADERS.split(' ');

// For each folder: the folders that it may include in addition to itself, and the system headers (null: all except `never`).
const BACKEND = ['src/base', 'api/fault', 'api/json', 'api/text', 'api/svg', 'api/game'];
const SERVING = ['src/base', 'api', 'api/game', 'api/answer', 'api/request', 'api/job'];
const FOLDERS = {
  'src/base': { folders: [], system: [...LIBRARY, 'stdio.h', 'sys/mman.h'] },
  ...Object.fromEntries(GAMES.map((game) => [`src/${game}`, { folders: ['src/base'], system: LIBRARY }])),
  'api/fault': { folders: ['src/base'], system: LIBRARY_AND_TEXT },
  'api/json': { folders: ['src/base', 'api/fault'], system: [...LIBRARY_AND_TEXT, 'cjson/cJSON.h'] },
  'api/text': { folders: ['src/base', 'api/fault'], system: LIBRARY_AND_TEXT },
  'api/svg': { folders: ['src/base'], system: LIBRARY_AND_TEXT },
  'api/game': { folders: ['src/base', 'api/fault', 'api/json', 'api/text'], system: LIBRARY_AND_TEXT },
  ...Object.fromEntries(GAMES.map((game) => [`api/${game}`, { folders: [...BACKEND, `src/${game}`], system: LIBRARY_AND_TEXT }])),
  'api/answer': { folders: ['src/base', 'api/fault', 'api/json', 'api/game'], system: [...LIBRARY_AND_TEXT, 'zlib.h'] },
  'api/request': {
    folders: ['src/base', 'api/fault', 'api/json', 'api/game', 'api/answer', ...GAMES.map((game) => `api/${game}`)],
    system: LIBRARY_AND_TEXT,
  },
  'api/job': { folders: [...BACKEND, 'api/answer', 'api/request'], system: LIBRARY_AND_TEXT },
  api: { folders: ['api/answer', 'api/request', 'api/job', 'api/game', 'src/base'], system: LIBRARY_AND_TEXT },
  'api/local': { folders: SERVING, system: LIBRARY_AND_TEXT },
  'api/work': { folders: SERVING, system: null, never: ['cjson/cJSON.h', 'microhttpd.h'] },
  'api/log': { folders: ['src/base', 'api/work'], system: null, never: ['cjson/cJSON.h', 'microhttpd.h'] },
  'api/server': { folders: [...SERVING, 'api/local', 'api/work', 'api/log'], system: null, never: ['cjson/cJSON.h'] },
  'api/command': { folders: [...SERVING, 'api/work', 'api/log', 'api/server'], system: null, never: ['cjson/cJSON.h', 'microhttpd.h'] },
  'tests/reference': { folders: [], system: null, never: ['cjson/cJSON.h', 'microhttpd.h', 'pthread.h'] },
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

/** The includes in a file, as {name, path}. The path is undefined for a system header. */
function includes(file) {
  const text = readFileSync(join(TOP, file), 'utf8');
  return [...text.matchAll(/^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]/gm)].map(([, mark, name]) => ({
    name,
    path: mark === '"' ? [name, `src/${name}`, `tests/${name}`].find((path) => KNOWN.has(path)) ?? 'missing' : undefined,
  }));
}

/** The graph of includes between nodes; `nodeOf` returns the node of a file. */
function graphOf(nodeOf) {
  const graph = new Map();
  for (const file of FILES) {
    const node = nodeOf(file);
    if (!graph.has(node)) graph.set(node, new Set());
    for (const { path } of includes(file)) if (path && nodeOf(path) !== node) graph.get(node).add(nodeOf(path));
  }
  return graph;
}

/** The cycles of a graph: its strongly connected components with more than one node (Tarjan, 1972). */
function cyclesOf(graph) {
  const index = new Map(), low = new Map(), stack = [], cycles = [];
  function visit(node) {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    if (low.get(node) !== index.get(node)) return;
    const cycle = stack.splice(stack.indexOf(node));
    if (cycle.length > 1) cycles.push(cycle.sort());
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return cycles;
}

const folderOf = (file) => dirname(file);

for (const [folder, { folders, system, never = [] }] of Object.entries(FOLDERS)) {
  test(`${folder} includes only headers that it is allowed to include`, () => {
    const wrong = [];
    const files = FILES.filter((file) => folderOf(file) === folder);
    for (const file of files)
      for (const { name, path } of includes(file)) {
        const game = GAMES.find((name) => path?.startsWith(`src/${name}/`));
        const allowed = path === undefined
          ? (system === null || system.includes(name)) && !never.includes(name)
          : [folder, ...folders].includes(folderOf(path)) && (!game || folder === `src/${game}` || PUBLIC.includes(name));
        if (!allowed) wrong.push(`${file} includes ${name}`);
      }
    assert.ok(files.length > 0, `${folder} has no files`);
    assert.deepEqual(wrong, []);
  });
}

/** All headers that a file includes, directly or indirectly. */
function includedBy(file, found = new Set()) {
  for (const { name, path } of includes(file)) {
    if (found.has(path ?? name)) continue;
    found.add(path ?? name);
    if (path) includedBy(path, found);
  }
  return found;
}

test('api/work and api/server do not include cJSON, directly or indirectly', () => {
  const wrong = FILES.filter((file) => FOLDERS[folderOf(file)]?.never?.includes('cjson/cJSON.h') && folderOf(file) !== 'api/command' &&
    includedBy(file).has('cjson/cJSON.h'));
  assert.deepEqual(wrong, []);
});

// The files in the server whose objects are shared between threads. All other objects belong to the thread of one loop.
const SHARED = ['client', 'loop', 'metrics'];

test('objects that belong to a loop have no locks or atomics', () => {
  const found = FILES.filter((file) => folderOf(file) === 'api/server' &&
    /pthread_(mutex|cond|rwlock|spin)|\batomic|_Atomic|stdatomic|\bsem_|__sync/.test(readFileSync(join(TOP, file), 'utf8')));
  const stems = new Set(found.map((file) => basename(file).replace(/\.[ch]$/, '')));
  assert.deepEqual([...stems].sort(), SHARED);
});

test('every source file is in a folder listed in the table', () => {
  assert.deepEqual(FILES.filter((file) => !(folderOf(file) in FOLDERS)), []);
});

test('cyclesOf finds every cycle', () => {
  const graph = new Map(Object.entries({ a: ['b'], b: ['c', 'd'], c: ['a'], d: ['e'], e: ['d'], f: ['a', 'd'] }));
  assert.deepEqual(cyclesOf(graph).sort(), [['a', 'b', 'c'], ['d', 'e']]);
});

test('there are no cycles between files', () => {
  const graph = graphOf((file) => file.replace(/\.[ch]$/, ''));
  assert.ok(graph.size > 50);
  assert.deepEqual(cyclesOf(graph), []);
});

test('there are no cycles between folders', () => {
  const graph = graphOf(folderOf);
  assert.ok(graph.size > 15);
  assert.deepEqual(cyclesOf(graph), []);
});

test('no file has more than 700 lines', () => {
  const sizes = FILES.map((file) => ({ file, lines: readFileSync(join(TOP, file), 'utf8').split('\n').length - 1 }));
  assert.deepEqual(sizes.filter(({ lines }) => lines > 700), []);
});

// The library of each folder, as Meson describes it.
const LIBRARIES = readMesonInfo('targets')
  .filter(({ type }) => type === 'static library')
  .map((target) => ({
    folder: relative(TOP, dirname(target.defined_in)),
    path: target.filename[0],
    files: target.target_sources.flatMap(({ sources }) => sources).map((path) => relative(TOP, path)),
  }))
  .filter(({ folder }) => /^(src|api)\b/.test(folder));

// The symbols in the libraries, from nm: {file, name, external, section}. A generated file counts as part of the library's folder.
const SYMBOLS = LIBRARIES.flatMap(({ folder, path }) => {
  let file;
  return execFileSync('nm', ['--format=sysv', path], { encoding: 'utf8' }).split('\n').flatMap((line) => {
    const [, member] = /^Symbols from .*\[(?:.*\/)?(?:meson-generated_\.\._)?(.+)\.o\]:$/.exec(line) ?? [];
    if (member) file = `${folder}/${member}`;
    // NAME | VALUE | CLASS | TYPE | SIZE | LINE | SECTION
    const [name, , symbol, , , , section] = line.split('|').map((field) => field.trim());
    return section && section !== '*UND*' ? [{ file, name, external: /[A-Z]/.test(symbol), section }] : [];
  });
});

test('each folder is built as one library with all its files', () => {
  for (const folder of Object.keys(FOLDERS).filter((name) => name !== 'tests/reference')) {
    const files = FILES.filter((file) => folderOf(file) === folder && file.endsWith('.c') && file !== 'api/command/main.c');
    const built = LIBRARIES.filter((library) => library.folder === folder).map((library) => library.files.filter((file) => KNOWN.has(file)).sort());
    assert.deepEqual(built, [files.sort()]);
  }
});

// The table of formats declares the job sources, so they need no headers of their own. Files that differ only in a number share one.
const headerOf = (file) => /^api\/job\/source_/.test(file) ? 'api/game/format_rows.h' : file.replace(/(_\d+)?\.c$/, '.h');

test('every file has a header that declares all its external names', () => {
  const external = SYMBOLS.filter((symbol) => symbol.external);
  assert.ok(external.length > 400, `only ${external.length} symbols were found`);
  const wrong = external.filter(({ file, name }) => {
    const header = headerOf(file);
    return !KNOWN.has(header) || !new RegExp(`\\b${name}\\b`).test(readFileSync(join(TOP, header), 'utf8'));
  });
  assert.deepEqual(wrong.map(({ file, name }) => `${file} defines ${name}, which its header does not declare`), []);
});

// The mutable globals, and why each is needed.
const MUTABLE = [
  'api/json/tree.c: parse', // cJSON's hooks have no argument to pass it in; each thread has its own
  // These exist only in builds with tests. All loops in the program share the test clock.
  ...['done_by', 'once', 'slot', 'slots_used', 'test_clock'].map((name) => `api/work/clock.c: ${name}`),
];

test('there are no mutable globals except those in MUTABLE', () => {
  // Constants that contain addresses are in .data.rel.ro, which is read-only once the program has started.
  assert.ok(SYMBOLS.filter(({ section }) => /^\.(rodata|data\.rel\.ro)/.test(section)).length > 100, 'nm shows the constants');
  const found = SYMBOLS.filter(({ section }) => /^(\.t?(data|bss)\b(?!\.rel\.ro)|\*COM\*)/.test(section));
  // The compiler appends a number to the names of static variables in functions.
  assert.deepEqual(found.map(({ file, name }) => `${file}: ${name.replace(/\.\d+$/, '')}`).sort(), MUTABLE);
});
