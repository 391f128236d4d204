// Bad inputs, one row each: what is sent, and what the contract says must come back. bad_inputs.test.mjs sends them.
//
// A row: { name, request, server, expect }.
//   request   method, target, headers, body as in wire.mjs; or `raw`, the very bytes
//   server    'standard', or one of `servers` below, which has smaller limits
//   expect    status, type (the slug; null: the answer of libmicrohttpd itself, only its status counts), headers,
//             errors: a list of { code, and pointer | line, column | parameter }, all of them in order;
//             `first: true`: only the first is fixed by the contract
//
// Where the contract leaves a place open, the row says so in a comment that begins with "Open:", and holds what the
// server does now. A place that may be one of several is a list.

import { NEW_MICROHTTPD, optionsOf } from '../server/arbiter.mjs';
import { chunked, request_bytes } from './wire.mjs';

export const servers = {
  standard: [],
  small: optionsOf({
    max_body_bytes: 600,
    max_json_values: 40,
    max_cases: 3,
    max_moves: 4,
    max_moves_total: 6,
    max_pawn_cells: 12,
    max_pawn_cells_total: 20,
    max_mine_cells: 12,
    max_mine_cells_total: 20,
    max_search_states: 5,
  }),
  terse: optionsOf({ max_answer_bytes: 300 }),
  full: optionsOf({ max_inflight_bytes: 1 }), // has no room for any body of more than 4 KiB
};

export const rows = [];

// --- ways to say a row

const json_type = { 'Content-Type': 'application/json' };
const text_type = { 'Content-Type': 'text/plain' };
const join = (...parts) => Buffer.concat(parts.map((part) => Buffer.from(part)));

// Line and column of what follows `before`.
function place_after(before) {
  const lines = join(before).toString('latin1').split('\n');
  return { line: lines.length, column: lines.at(-1).length + 1 };
}

function row(name, request, expect, server = 'standard') {
  rows.push({ name, server, request, expect });
}

const malformed = (...errors) => ({ status: 400, type: 'malformed', errors });
const invalid = (...errors) => ({ status: 422, type: 'invalid-case', errors });

// A JSON body that cannot be read from where `after` begins.
function broken(name, before, after, path = '/pawn') {
  row(
    name,
    { method: 'POST', target: path, headers: json_type, body: join(before, after) },
    malformed({ code: 'syntax', ...place_after(before) }),
  );
}

// A JSON body with these faults: pairs of code and pointer. { first: true } as the last: others may follow.
function faulty(path, name, body, ...faults) {
  const first = faults.at(-1)?.first === true && faults.pop().first;
  const json = typeof body === 'string' ? body : JSON.stringify(body);
  row(
    name,
    { method: 'POST', target: path, headers: json_type, body: json },
    { ...invalid(...faults.map(([code, pointer]) => ({ code, pointer }))), first },
  );
}

// The same, on the server with small limits.
function over(path, name, body, ...faults) {
  faulty(path, name, body, ...faults);
  rows.at(-1).server = 'small';
}

// A text body that cannot be read (code 'syntax'), or is not allowed, from where `after` begins.
function text(path, name, code, before, after = '') {
  const wanted = code === 'syntax' ? malformed : invalid;
  row(
    name,
    { method: 'POST', target: path, headers: text_type, body: join(before, after) },
    wanted({ code, ...place_after(before) }),
  );
}

// A request that is answered with a problem that has no places.
function refused(name, request, status, type, headers = {}) {
  row(name, request, { status, type, headers });
}

const pawn_body = '{"board":["O.O","X.."]}';
const post = (target, headers = json_type, body = pawn_body) => ({ method: 'POST', target, headers, body });

// --- JSON that is none

const board = '"board":["O.O","X.."]';
const bom = [0xef, 0xbb, 0xbf];

broken('an empty body', '', '');
// Open: the mark is skipped, and does not count in the column.
broken('only a byte order mark', bom, '');
rows.at(-1).expect.errors[0].column = 1;
broken('two byte order marks', bom, join(bom, `{${board}}`));
rows.at(-1).expect.errors[0].column = 1;
broken('only white space', ' \r\n\t', '');
broken('a body in UTF-16', '', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]);
broken('a body that ends within an object', `{${board}`, '');
broken('a body that ends after a name', '{"board"', '');
broken('a body that ends after a colon', '{"board":', '');
broken('a body that ends within an array', '{"board":["O.O"', '');
broken('a body that ends after a comma', '{"board":["O.O",', '');
// Open: the place of a string without an end is its first byte.
broken('a body that ends within a string', '{"board":["O.O",', '"X.');
// Open: a number or a literal that cannot be read is placed at its first byte, as a token of text is.
broken('a body that ends within a literal', `{${board},"id":`, 'tru');
broken('a trailing comma in an object', `{${board},`, '}');
broken('a trailing comma in an array', '{"board":["O.O","X..",', ']}');
broken('a leading comma', '{', `,${board}}`);
broken('two commas', `{${board},`, ',"id":1}');
broken('a value without a comma before it', '{"board":["O.O" ', '"X.."]}');
broken('a member without a comma before it', `{${board} `, '"id":1}');
broken('a name without a colon', '{"board" ', '["O.O","X.."]}');
broken('a member without a value', '{"board":', '}');
broken('a bracket that closes a brace', '{"board":["O.O","X.."]', ']');
broken('a brace that closes a bracket', '{"board":["O.O","X.."', '}}');
broken('a bracket too many', `{${board}}`, '}');
broken('a second value', `{${board}} `, '{}');
broken('a word after the value', `{${board}}\n`, 'x');
broken('a zero byte after the value', `{${board}}`, [0]);
broken('a name without quotes', '{', 'board:["O.O","X.."]}');
broken('a name in single quotes', '{', `'board':["O.O","X.."]}`);
broken('a number as a name', '{', '1:2}');
broken('a comment', `{${board}}`, '/* Red to move */');
broken('a form feed as white space', '', `\f{${board}}`);
broken('a no-break space as white space', '', `\u00a0{${board}}`);
for (const number of [
  '01',
  '-01',
  '00',
  '1.',
  '.5',
  '+1',
  '-',
  '1e',
  '1e+',
  '1.e1',
  '-.5',
  'NaN',
  'Infinity',
  '-Infinity',
  '--1',
]) {
  broken(`${number} as a number`, `{${board},"id":`, `${number}}`);
}
// Open: 0 is a number, so what follows it is what does not fit.
broken('0x10 as a number', `{${board},"id":0`, 'x10}');
for (const word of ['True', 'nul', 'undefined', 'TRUE']) broken(`the word ${word}`, `{${board},"id":`, `${word}}`);
broken('a fault in the third line', '{\r\n  "board": [\n    ', 'O.O]\n}');

broken('a line feed in a string', '{"board":["O.O', '\n","X.."]}');
broken('a tab in a string', '{"board":["O.O', '\t","X.."]}');
broken('a zero byte in a string', '{"board":["O.O', join([0], '","X.."]}'));
broken('byte 0x1f in a string', '{"board":["O.O', join([0x1f], '","X.."]}'));
broken('a control character in a name', '{"bo', '\u0001ard":[]}');
broken('an unknown escape', '{"board":["', '\\x4f.O","X.."]}');
broken('an escape of four digits with a letter', '{"board":["', '\\u004G.O","X.."]}');
broken('an escape that is cut short', '{"board":["', '\\u4f","X.."]}');
broken('a backslash at the end', '{"board":["', '\\');
broken('\\u0000 in a string', '{"id":"a', `\\u0000b",${board}}`);
broken('\\u0000 in a name', '{"a', `\\u0000":1,${board}}`);
broken('a lone high surrogate', '{"id":"', `\\ud800",${board}}`);
broken('a lone low surrogate', '{"id":"', `\\udc00",${board}}`);
broken('a high surrogate before another character', '{"id":"', `\\ud800\\u0041",${board}}`);
broken('two high surrogates', '{"id":"', `\\ud83d\\ud83d",${board}}`);
broken('surrogates in the wrong order', '{"id":"', `\\ude00\\ud83d",${board}}`);
broken('a lone surrogate in a name', '{"', `\\udfff":1,${board}}`);
for (const [name, bytes] of [
  ['a byte 0xff', [0xff]],
  ['a byte 0xfe', [0xfe]],
  ['a continuation byte alone', [0x80]],
  ['an overlong slash in two bytes', [0xc0, 0xaf]],
  ['an overlong letter in two bytes', [0xc1, 0x81]],
  ['an overlong character in three bytes', [0xe0, 0x80, 0x80]],
  ['an overlong character in four bytes', [0xf0, 0x80, 0x80, 0x80]],
  ['a surrogate in UTF-8', [0xed, 0xa0, 0x80]],
  ['a character above U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
  ['a sequence of five bytes', [0xf8, 0x88, 0x80, 0x80, 0x80]],
  ['a character that is cut short', [0xe2, 0x82]],
]) {
  broken(`${name} in a string`, '{"id":"', join(bytes, `",${board}}`));
}
broken('a character that the end of the body cuts short', '{"id":"', [0xf0, 0x9f, 0x98]);
broken('invalid UTF-8 in a name', '{"bo', join([0xe9], 'ard":[]}'));
broken('invalid UTF-8 outside of strings', '{', join([0xa0], `${board}}`));
broken('17 levels of arrays and objects', `{"include":${'['.repeat(15)}`, `[${']'.repeat(16)}}`);
broken('a hundred thousand brackets', '['.repeat(16), '['.repeat(99_984));
faulty('/pawn', '16 levels are well-formed', `{${board},"include":${'['.repeat(15)}${']'.repeat(15)}}`, [
  'type',
  '/include/0',
]);

// --- types, members and values, on all routes

for (const [what, body] of [
  ['an array', '[]'],
  ['a string', '"board"'],
  ['a number', '7'],
  ['null', 'null'],
  ['true', 'true'],
]) {
  faulty('/pawn', `${what} as the body`, body, ['type', '']);
}
faulty('/go', 'an array as the body of /go', '[{"moves":[]}]', ['type', '']);
faulty('/mine', 'a string as the body of /mine', '"..."', ['type', '']);

const with_id = (id) => `{${board},"id":${id}}`;
faulty('/pawn', 'an object as id', with_id('{}'), ['type', '/id']);
faulty('/pawn', 'an array as id', with_id('["a"]'), ['type', '/id']);
faulty('/pawn', 'null as id', with_id('null'), ['type', '/id']);
faulty('/pawn', 'true as id', with_id('true'), ['type', '/id']);
faulty('/pawn', '1.5 as id', with_id('1.5'), ['type', '/id']);
faulty('/pawn', '1e-400 as id', with_id('1e-400'), ['type', '/id']);
faulty('/pawn', '1.00000000000000000000001 as id', with_id('1.00000000000000000000001'), ['type', '/id']);
faulty('/pawn', '9007199254740990.5 as id', with_id('9007199254740990.5'), ['type', '/id']);
faulty('/pawn', '1e400 as id', with_id('1e400'), ['range', '/id']);
faulty('/pawn', '-1e400 as id', with_id('-1e400'), ['range', '/id']);
faulty('/pawn', '2^53 as id', with_id('9007199254740992'), ['range', '/id']);
faulty('/pawn', '2^53 + 1 as id', with_id('9007199254740993'), ['range', '/id']);
faulty('/pawn', '-2^53 as id', with_id('-9007199254740992'), ['range', '/id']);
faulty('/pawn', 'an id of 129 bytes', with_id(`"${'x'.repeat(129)}"`), ['length', '/id']);
faulty('/pawn', 'an id of 43 characters of 3 bytes each', with_id(`"${'€'.repeat(43)}"`), ['length', '/id']);

faulty('/pawn', 'no board', '{}', ['missing', '']);
faulty('/go', 'no moves', '{"size":9}', ['missing', '']);
faulty('/mine', 'no field', '{}', ['missing', ''], { first: true }); // Open: how many of the two forms' members are named.
faulty('/mine', 'rows alone', '{"rows":3}', ['missing', ''], ['missing', '']);
faulty('/mine', 'rows and cols, but no mines', '{"rows":3,"cols":3}', ['missing', '']);
faulty(
  '/pawn',
  'a missing member and an unknown one',
  '{"bord":["O.O","X.."]}',
  ['missing', ''],
  ['unknown-member', '/bord'],
);
faulty('/pawn', 'a name in capitals', '{"Board":["O.O","X.."]}', ['missing', ''], ['unknown-member', '/Board']);
faulty('/pawn', 'a name with a blank', `{${board},"turn ":"Red"}`, ['unknown-member', '/turn ']);
faulty('/pawn', 'an empty name', `{${board},"":1}`, ['unknown-member', '/']);
faulty('/pawn', 'a name with a slash and a tilde', `{${board},"a/b~c":1}`, ['unknown-member', '/a~1b~0c']);
faulty('/pawn', 'a name with ~1', `{${board},"~1":1}`, ['unknown-member', '/~01']);
faulty('/pawn', 'a name with a quote and an accent', `{${board},"\\"é":1}`, ['unknown-member', '/"é']);
faulty('/pawn', 'a name of 64 bytes', `{${board},"${'n'.repeat(64)}":1}`, ['unknown-member', `/${'n'.repeat(64)}`]);
faulty('/pawn', 'a name of 65 bytes', `{${board},"${'n'.repeat(65)}":1}`, ['unknown-member', '']);
faulty('/pawn', 'a name of 33 characters and 66 bytes', `{${board},"${'é'.repeat(33)}":1}`, ['unknown-member', '']);
faulty('/go', 'a name of 65 bytes in rules', `{"moves":[],"rules":{"${'n'.repeat(65)}":1}}`, [
  'unknown-member',
  '/rules',
]);
faulty('/pawn', 'a name of 65 bytes in a case', `{"cases":[{${board},"${'n'.repeat(65)}":1}]}`, [
  'unknown-member',
  '/cases/0',
]);
faulty('/pawn', 'a member of another route', `{${board},"size":19}`, ['unknown-member', '/size']);
faulty('/pawn', 'a record of another route', `{${board},"sgf":"(;)"}`, ['unknown-member', '/sgf']);
faulty('/mine', 'a record of a game of Go', '{"board":["."],"sgf":"(;)"}', ['unknown-member', '/sgf']);
faulty('/pawn', 'a member twice', `{${board},"turn":"Red","turn":"Red"}`, ['duplicate-member', '/turn']);
faulty('/pawn', 'a member twice, one of them escaped', `{${board},"b\\u006fard":["O.O","X.."]}`, [
  'duplicate-member',
  '/board',
]);
faulty('/pawn', 'id twice', `{"id":1,${board},"id":1}`, ['duplicate-member', '/id']);
faulty('/go', 'a member of rules twice', '{"moves":[],"rules":{"ko":"none","ko":"none"}}', [
  'duplicate-member',
  '/rules/ko',
]);
faulty('/mine', 'a member of a case twice', '{"cases":[{"board":["."]},{"board":["."],"board":["."]}]}', [
  'duplicate-member',
  '/cases/1/board',
]);
faulty('/pawn', 'an object as include', `{${board},"include":{}}`, ['type', '/include']);
faulty('/pawn', 'a string as include', `{${board},"include":"moves"}`, ['type', '/include']);
faulty('/pawn', 'a number in include', `{${board},"include":[1]}`, ['type', '/include/0']);
for (const [path, start, part, second, foreign] of [
  ['/pawn', board, 'line', 'moves', 'score'],
  ['/go', '"moves":[]', 'captured', 'boards', 'line'],
  ['/mine', '"board":["."]', 'wins', 'board', 'boards'],
]) {
  const including = (...names) => `{${start},"include":${JSON.stringify(names)}}`;
  faulty(path, `a part that ${path} does not know`, including(part, 'everything'), ['value', '/include/1']);
  faulty(path, `a part of another route in ${path}`, including(foreign), ['value', '/include/0']);
  faulty(path, `a part of ${path} twice`, including(part, second, part), ['value', '/include/2']);
  faulty(
    path,
    `a part of ${path} three times`,
    including(part, part, part),
    ['value', '/include/1'],
    ['value', '/include/2'],
  );
  faulty(path, `a part of ${path} in capitals`, including(part.toUpperCase()), ['value', '/include/0']);
  faulty(path, `an empty part of ${path}`, including(''), ['value', '/include/0']);
  faulty(path, `null as a part of ${path}`, including(part, null), ['type', '/include/1']);
  faulty(path, `a part of ${path} with a blank`, including(`${part} `), ['value', '/include/0']);
}
faulty(
  '/mine',
  'totals and reasons are no parts of their own',
  '{"board":["."],"include":["wins_total","reason","board"]}',
  ['value', '/include/0'],
  ['value', '/include/1'],
);
faulty(
  '/pawn',
  'a part that is not known, in a batch',
  `{"cases":[{${board},"include":["line"]},{${board},"include":["lines"]}]}`,
  ['value', '/cases/1/include/0'],
);

// --- batches

const good = `{${board}}`;
const batch = (...cases) => `{"cases":[${cases.join(',')}]}`;
faulty('/pawn', 'a batch without cases', '{"cases":[]}', ['length', '/cases']);
faulty('/pawn', 'an object as cases', '{"cases":{}}', ['type', '/cases']);
faulty('/pawn', 'null as cases', '{"cases":null}', ['type', '/cases']);
faulty('/pawn', 'a string as cases', '{"cases":"all"}', ['type', '/cases']);
faulty('/pawn', 'cases beside turn', `{"cases":[${good}],"turn":"Red"}`, ['unknown-member', '/turn']);
faulty('/pawn', 'cases beside id', `{"id":1,"cases":[${good}]}`, ['unknown-member', '/id']);
faulty('/pawn', 'cases beside include', `{"cases":[${good}],"include":[]}`, ['unknown-member', '/include']);
faulty('/pawn', 'cases beside board', `{${board},"cases":[${good}]}`, ['unknown-member', '/board']);
faulty('/pawn', 'cases twice', `{"cases":[${good}],"c\\u0061ses":[${good}]}`, ['duplicate-member', '/cases']);
faulty(
  '/pawn',
  'cases in a case',
  batch(good, '{"cases":[]}'),
  ['missing', '/cases/1'],
  ['unknown-member', '/cases/1/cases'],
);
faulty('/pawn', 'null as a case', batch(good, 'null'), ['type', '/cases/1']);
faulty('/pawn', 'an array as a case', batch('["O.O","X.."]'), ['type', '/cases/0']);
faulty('/mine', 'an empty case', batch('{"board":["."]}', '{"rows":1,"cols":1}'), ['missing', '/cases/1']);
faulty('/pawn', 'a bad case at index 3', batch(good, good, good, '{"board":["O.O","..."]}', good), [
  'count',
  '/cases/3/board',
]);
faulty('/go', 'a bad point deep in a batch', batch('{"moves":[]}', '{"size":9,"moves":[["B",0,0],["W",9,0]]}'), [
  'range',
  '/cases/1/moves/1/1',
]);
faulty(
  '/pawn',
  'faults of several cases, in their order',
  batch('{"turn":"red","board":["O.O","X..",7]}', good, `{${board},"id":true,"x":1}`, '7', '{"turn":1}'),
  ['value', '/cases/0/turn'],
  ['type', '/cases/0/board/2'],
  ['type', '/cases/2/id'],
  ['unknown-member', '/cases/2/x'],
  ['type', '/cases/3'],
  ['missing', '/cases/4'],
  ['type', '/cases/4/turn'],
);
const many = (count) => Array.from({ length: count }, (_, index) => ['unknown-member', `/m${index}`]);
const members = (count) =>
  `{${board},${many(count)
    .map(([, pointer]) => `"${pointer.slice(1)}":0`)
    .join(',')}}`;
faulty('/pawn', '20 faults', members(20), ...many(20));
faulty('/pawn', '21 faults, of which 20 are listed', members(21), ...many(20));
faulty(
  '/pawn',
  '30 faulty cases, of which 20 are listed',
  batch(...Array(30).fill('{}')),
  ...Array.from({ length: 20 }, (_, index) => ['missing', `/cases/${index}`]),
);

// --- /pawn

const pawn = (...lines) => ({ board: lines });
faulty('/pawn', 'null as board', { board: null }, ['type', '/board']);
faulty('/pawn', 'a string as board', { board: 'O.O' }, ['type', '/board']);
faulty('/pawn', 'a number as a row', { board: ['O.O', 7] }, ['type', '/board/1']);
faulty('/pawn', 'no row', pawn(), ['length', '/board']);
faulty('/pawn', 'one row', pawn('OXO'), ['length', '/board']);
faulty('/pawn', 'empty rows', pawn('', ''), ['length', '/board/0'], ['length', '/board/1']);
faulty('/pawn', 'an empty row before others', pawn('', 'O.O', 'X..'), ['length', '/board/0']);
faulty('/pawn', 'a short row', pawn('O.O', '...', '.X'), ['length', '/board/2']);
faulty('/pawn', 'a long row', pawn('O.O', '....', '.X.'), ['length', '/board/1']);
faulty(
  '/pawn',
  'two rows of wrong length',
  pawn('O.O', '.', '.X.', '....'),
  ['length', '/board/1'],
  ['length', '/board/3'],
);
faulty('/pawn', 'a character that is none of the four', pawn('O.O', '.?.', '.X.'), ['value', '/board/1']);
faulty('/pawn', 'a piece in lower case', pawn('o.O', '...', '.X.'), ['value', '/board/0']);
faulty('/pawn', 'a blank for a free cell', pawn('O O', 'X..'), ['value', '/board/0']);
faulty('/pawn', 'a character of two bytes', pawn('OéO', 'X..'), ['value', '/board/0']);
faulty(
  '/pawn',
  'a faulty row hides the count',
  pawn('O?.', '...', '..?'),
  ['value', '/board/0'],
  ['value', '/board/2'],
);
faulty('/pawn', 'no red piece', pawn('...', 'X..'), ['count', '/board']);
faulty('/pawn', 'one red piece', pawn('..O', 'X..'), ['count', '/board']);
faulty('/pawn', 'three red pieces', pawn('O.O', 'X.O'), ['count', '/board']);
faulty('/pawn', 'no pawn', pawn('O.O', '...'), ['count', '/board']);
faulty('/pawn', 'two pawns', pawn('O.O', 'X.X'), ['count', '/board']);
faulty('/pawn', 'an empty board', pawn('...', '...'), ['count', '/board'], ['count', '/board']);
faulty('/pawn', 'the pawn in the first row', pawn('OXO', '...'), ['value', '/board/0']); // Open: the code, and row or board.
faulty('/pawn', '258 cells', { board: ['OO.', '..X', ...Array(84).fill('...')] }, ['range', '/board']);
faulty('/pawn', 'a board of a million rows', { board: Array(1_000_000).fill('.') }, ['range', '/board']);
faulty('/pawn', 'turn in lower case', { ...pawn('O.O', 'X..'), turn: 'red' }, ['value', '/turn']);
faulty('/pawn', 'an empty turn', { ...pawn('O.O', 'X..'), turn: '' }, ['value', '/turn']);
faulty('/pawn', 'null as turn', { ...pawn('O.O', 'X..'), turn: null }, ['type', '/turn']);

// --- /go

const moves = (...list) => ({ moves: list });
const point = (name) => moves(['W', 'D4'], ['B', name]);
for (const [number, code] of [
  ['0', 'range'],
  ['26', 'range'],
  ['-1', 'range'],
  ['1e2', 'range'],
  ['1e400', 'range'],
  ['-1e400', 'range'],
  ['1.5', 'type'],
  ['1e-400', 'type'],
  ['1.00000000000000000000001', 'type'],
  ['"19"', 'type'],
  ['null', 'type'],
  ['true', 'type'],
]) {
  faulty('/go', `${number} as size`, `{"size":${number},"moves":[]}`, [code, '/size']);
}
faulty('/go', 'an object as moves', { moves: {} }, ['type', '/moves']);
faulty('/go', 'a string as a move', moves('B Q4'), ['type', '/moves/0']);
faulty('/go', 'an empty move', moves([]), ['length', '/moves/0']);
faulty('/go', 'a move of one element', moves(['B', 0, 0], ['W']), ['length', '/moves/1']);
faulty('/go', 'a move of four elements', moves(['B', 0, 0, 0]), ['length', '/moves/0']);
faulty('/go', 'a move with a row but no column', moves(['B', 0]), ['type', '/moves/0/1']); // Open: or length at the move.
faulty('/go', 'a colour in lower case', moves(['b', 0, 0]), ['value', '/moves/0/0']);
faulty('/go', 'a colour in full', moves(['Black', 'Q4']), ['value', '/moves/0/0']);
faulty('/go', 'a number as colour', moves([1, 0, 0]), ['type', '/moves/0/0']);
faulty('/go', 'a string as row', moves(['B', '0', 0]), ['type', '/moves/0/1']);
faulty('/go', 'null as column', moves(['B', 0, null]), ['type', '/moves/0/2']);
faulty('/go', 'half a row', moves(['B', 0.5, 0]), ['type', '/moves/0/1']);
faulty('/go', 'a negative row', moves(['B', -1, 0]), ['range', '/moves/0/1']);
faulty('/go', 'row 19 of 19', moves(['B', 19, 0]), ['range', '/moves/0/1']);
faulty('/go', 'column 19 of 19', moves(['B', 0, 19]), ['range', '/moves/0/2']);
faulty('/go', 'row 1e400', '{"moves":[["B",1e400,0]]}', ['range', '/moves/0/1']);
faulty(
  '/go',
  'row and column off the board',
  { size: 5, moves: [['B', 5, 7]] },
  ['range', '/moves/0/1'],
  ['range', '/moves/0/2'],
);
faulty('/go', 'a bad colour at a bad point', moves(['G', 0, 99]), ['value', '/moves/0/0'], ['range', '/moves/0/2']);
for (const name of ['I5', 'i5', '', 'Q', '5', 'Q4 ', ' Q4', 'Q-1', 'QQ4', '4Q', 'Q4.0', 'tt', 'Pass!', 'É5', 'Q4x']) {
  faulty('/go', `'${name}' as a point`, point(name), ['value', '/moves/1/1']);
}
for (const name of ['A20', 'Q0', 'U1', 'z19', 'T25', 'Q99']) {
  faulty('/go', `'${name}' on 19 x 19`, point(name), ['range', '/moves/1/1']);
}
faulty('/go', 'J10 on 9 x 9', { size: 9, moves: [['B', 'J10']] }, ['range', '/moves/0/1']);
faulty(
  '/go',
  'K1 on 9 x 9',
  {
    size: 9,
    moves: [
      ['B', 'J9'],
      ['W', 'K1'],
    ],
  },
  ['range', '/moves/1/1'],
);
faulty('/go', 'a point off a board whose size the set-up gives', { moves: [['B', 2, 0]], setup: ['..', '..'] }, [
  'range',
  '/moves/0/1',
]);
faulty('/go', 'a string as setup', { setup: '...', moves: [] }, ['type', '/setup']);
faulty('/go', 'a number as a row of setup', { setup: ['..', 3], moves: [] }, ['type', '/setup/1']);
faulty('/go', 'an empty setup', { setup: [], moves: [] }, ['length', '/setup']);
faulty('/go', 'fewer rows than size', { size: 3, setup: ['...', '...'], moves: [] }, ['length', '/setup']);
faulty('/go', 'more rows than size', { setup: ['...', '...', '...', '...'], size: 3, moves: [] }, ['length', '/setup']);
faulty('/go', '26 rows without a size', { setup: Array(26).fill('.'.repeat(26)), moves: [] }, ['length', '/setup'], {
  first: true,
});
faulty('/go', 'a row shorter than size', { size: 3, setup: ['...', '..', '...'], moves: [] }, ['length', '/setup/1']);
faulty('/go', 'a row longer than there are rows', { setup: ['...', '....', '...'], moves: [] }, ['length', '/setup/1']);
faulty('/go', 'a set-up stone in lower case', { setup: ['..', '.b'], moves: [] }, ['value', '/setup/1']);
faulty('/go', 'a set-up stone of the pawn game', { setup: ['X.', '..'], moves: [] }, ['value', '/setup/0']);
// Open: the whole set-up, or the row of the chain's first stone.
faulty('/go', 'a set-up stone without a liberty', { setup: ['WB.', 'B..', '...'], moves: [] }, ['liberty', '/setup']);
faulty('/go', 'a set-up chain without a liberty', { setup: ['BBW', 'WW.', '...'], moves: [] }, ['liberty', '/setup']);
faulty('/go', 'a full set-up', { setup: ['B'], moves: [] }, ['liberty', '/setup']);
faulty('/go', 'an array as rules', { moves: [], rules: [] }, ['type', '/rules']);
faulty('/go', 'an unknown ko', { moves: [], rules: { ko: 'super' } }, ['value', '/rules/ko']);
faulty('/go', 'ko in capitals', { moves: [], rules: { ko: 'Simple' } }, ['value', '/rules/ko']);
faulty('/go', 'null as ko', { moves: [], rules: { ko: null } }, ['type', '/rules/ko']);
faulty('/go', 'a string as suicide', { moves: [], rules: { suicide: 'true' } }, ['type', '/rules/suicide']);
faulty('/go', 'a number as suicide', { moves: [], rules: { suicide: 0 } }, ['type', '/rules/suicide']);
faulty('/go', 'an unknown rule', { moves: [], rules: { komi: 6.5 } }, ['unknown-member', '/rules/komi']);

// --- /mine

faulty('/mine', 'a number as board', { board: 3 }, ['type', '/board']);
faulty('/mine', 'null as a row', { board: ['.', null] }, ['type', '/board/1']);
faulty('/mine', 'a field without rows', { board: [] }, ['length', '/board']);
faulty('/mine', 'a field without columns', { board: [''] }, ['length', '/board/0']);
faulty('/mine', 'rows of unequal length', { board: ['...', '..'] }, ['length', '/board/1']);
faulty('/mine', 'a number drawn on the field', { board: ['...', '.1.'] }, ['value', '/board/1']);
faulty('/mine', 'a mine drawn as X', { board: ['X..'] }, ['value', '/board/0']);
// Open: a side over 1000 is a wrong length where it is drawn, a number out of range where it is said.
faulty('/mine', '1001 rows', { board: Array(1001).fill('.') }, ['length', '/board']);
faulty('/mine', '1001 columns', { board: ['.'.repeat(1001)] }, ['length', '/board/0']);
faulty(
  '/mine',
  'both forms',
  { board: ['...'], rows: 1, cols: 3, mines: [] },
  ['conflict', '/rows'],
  ['conflict', '/cols'],
  ['conflict', '/mines'],
);
faulty('/mine', 'both forms, board last', { mines: [], board: ['...'] }, ['conflict', '/mines']);
faulty('/mine', 'both forms in a batch', batch('{"board":["."]}', '{"cols":1,"board":["."]}'), [
  'conflict',
  '/cases/1/cols',
]);
for (const [number, code] of [
  ['0', 'range'],
  ['1001', 'range'],
  ['-3', 'range'],
  ['1e400', 'range'],
  ['2.5', 'type'],
  ['"3"', 'type'],
]) {
  faulty('/mine', `${number} as rows`, `{"rows":${number},"cols":3,"mines":[]}`, [code, '/rows']);
  faulty('/mine', `${number} as cols`, `{"rows":3,"cols":${number},"mines":[]}`, [code, '/cols']);
}
for (const [number, code] of [
  ['0', 'range'],
  ['-1', 'range'],
  ['1000001', 'range'], // the standard limit is a million
  ['1e30', 'range'],
  ['1.5', 'type'],
  ['"x"', 'type'],
  ['null', 'type'],
  ['[1]', 'type'],
]) {
  faulty('/mine', `${number} as states`, `{"board":["."],"states":${number}}`, [code, '/states']);
  faulty('/mine', `${number} as states in a batch`, batch('{"board":["."]}', `{"board":["."],"states":${number}}`), [
    code,
    '/cases/1/states',
  ]);
}
faulty('/mine', 'states twice', '{"board":["."],"states":1,"states":2}', ['duplicate-member', '/states']);
over('/mine', '6 states of at most 5', { board: ['.'], states: 6 }, ['range', '/states']);
const mines = (...list) => ({ rows: 3, cols: 4, mines: list });
faulty('/mine', 'an object as mines', { ...mines(), mines: {} }, ['type', '/mines']);
faulty('/mine', 'null as a mine', mines([0, 0], null), ['type', '/mines/1']);
faulty('/mine', 'a name as a mine', mines('A1'), ['type', '/mines/0']);
faulty('/mine', 'a mine of one number', mines([1]), ['length', '/mines/0']);
faulty('/mine', 'a mine of three numbers', mines([1, 1, 1]), ['length', '/mines/0']);
faulty('/mine', 'a mine below the field', mines([3, 0]), ['range', '/mines/0/0']);
faulty('/mine', 'a mine right of the field', mines([2, 3], [0, 4]), ['range', '/mines/1/1']);
faulty('/mine', 'a mine above the field', mines([-1, 0]), ['range', '/mines/0/0']);
faulty('/mine', 'half a column', mines([1, 1.5]), ['type', '/mines/0/1']);
faulty('/mine', 'a string as a row of a mine', mines(['1', 1]), ['type', '/mines/0/0']);

// Clicks on   . . . *     which shows   . . 1 *
//             . . . .                   . . 1 1
const clicks = (...list) => ({ board: ['...*', '....'], clicks: list });
faulty('/mine', 'an object as clicks', { ...clicks(), clicks: {} }, ['type', '/clicks']);
faulty('/mine', 'null as a click', clicks([0, 2], null), ['type', '/clicks/1']);
faulty('/mine', 'a click of one number', clicks([1]), ['length', '/clicks/0']);
faulty('/mine', 'a click of three numbers', clicks([1, 1, 1]), ['length', '/clicks/0']);
faulty('/mine', 'a click below the field', clicks([2, 0]), ['range', '/clicks/0/0']);
faulty('/mine', 'a click right of the field', clicks([0, 2], [1, 4]), ['range', '/clicks/1/1']);
faulty('/mine', 'a click above the field', clicks([-1, 0]), ['range', '/clicks/0/0']);
faulty('/mine', 'half a row of a click', clicks([0.5, 1]), ['type', '/clicks/0/0']);
faulty('/mine', 'a click on a mine', clicks([1, 3], [0, 3]), ['value', '/clicks/1']);
faulty('/mine', 'a click on a number that was clicked', clicks([1, 2], [1, 3], [1, 2]), ['value', '/clicks/2']);
faulty('/mine', 'a click on a number that an opening turned over', clicks([0, 0], [1, 2]), ['value', '/clicks/1']);
faulty('/mine', 'a click on the other end of an opening', clicks([0, 0], [1, 1]), ['value', '/clicks/1']);
faulty('/mine', 'more clicks than cells', clicks([1, 3], ...Array(9).fill([0, 2])), ['value', '/clicks/2']);
faulty('/mine', 'two clicks against the rules: the first', clicks([0, 3], [0, 3]), ['value', '/clicks/0']);
faulty('/mine', 'a click on a mine before one off the field', clicks([0, 3], [2, 0], [3, 0]), ['range', '/clicks/1/0'], [
  'range',
  '/clicks/2/0',
]);
faulty('/mine', 'clicks before the mines', '{"clicks":[[0,1],[0,0]],"mines":[[0,0]],"rows":1,"cols":2}', [
  'value',
  '/clicks/1',
]);
faulty('/mine', 'clicks before the board, and a fault behind it', '{"clicks":[[0,0]],"board":["*"],"states":0}', [
  'value',
  '/clicks/0',
], ['range', '/states']);
faulty('/mine', 'clicks on a board with a fault', '{"clicks":[[0,0],[9,9]],"board":["*","x"]}', ['value', '/board/1']);
faulty('/mine', 'clicks on mines with a fault', '{"clicks":[[0,0]],"mines":[[0,0],[5,0]],"rows":1,"cols":2}', [
  'range',
  '/mines/1/0',
]);
faulty('/mine', 'clicks without a field', '{"clicks":[[0,0]]}', ['missing', '']);
faulty('/mine', 'clicks without mines', '{"clicks":[[0,0],[1,0]],"rows":1,"cols":1}', ['missing', ''], [
  'range',
  '/clicks/1/0',
]);
faulty('/mine', 'clicks twice', '{"board":["."],"clicks":[],"clicks":[[7]]}', ['duplicate-member', '/clicks']);
faulty('/mine', 'a click on a mine in the second case', batch('{"board":["."]}', '{"board":["*"],"clicks":[[0,0]]}'), [
  'value',
  '/cases/1/clicks/0',
]);

// --- limits

over('/pawn', '4 cases of at most 3', batch(good, good, good, good), ['length', '/cases']);
faulty('/pawn', '1001 cases', batch(...Array(1001).fill(good)), ['length', '/cases']);
over('/go', '5 moves of at most 4', { moves: Array(5).fill(['B', 'pass']) }, ['length', '/moves']);
// Open: a total may be named at the case or at what is counted in it.
const sum = (pointer, part) => ['range', [pointer, `${pointer}/${part}`]];
over(
  '/go',
  '7 moves in all of at most 6',
  batch('{"moves":[["B","A1"],["B","B1"],["B","C1"],["B","D1"]]}', '{"moves":[["B","A1"],["B","B1"],["B","C1"]]}'),
  sum('/cases/1', 'moves'),
);
over('/pawn', '14 cells of at most 12', pawn('O.O....', 'X......'), ['range', '/board']);
over(
  '/pawn',
  '24 cells in all of at most 20',
  batch(JSON.stringify(pawn('O.O', '...', '...', 'X..')), JSON.stringify(pawn('O.O', '...', '...', 'X..'))),
  sum('/cases/1', 'board'),
);
faulty(
  '/pawn',
  '32896 cells in all of at most 32768',
  batch(...Array(257).fill(JSON.stringify({ board: [`O.O${'.'.repeat(61)}`, `X${'.'.repeat(63)}`] }))),
  sum('/cases/256', 'board'),
);
over('/mine', '15 drawn cells of at most 12', { board: Array(3).fill('.....') }, ['range', '/board']);
over('/mine', '15 listed cells of at most 12', { rows: 3, cols: 5, mines: [] }, ['range', '/rows']);
over(
  '/mine',
  '24 drawn cells in all of at most 20',
  batch('{"board":["....","....","...."]}', '{"board":["....","....","...."]}'),
  sum('/cases/1', 'board'),
);
over(
  '/mine',
  '24 listed cells in all of at most 20',
  batch('{"rows":3,"cols":4,"mines":[]}', '{"rows":3,"cols":4,"mines":[]}'),
  sum('/cases/1', 'rows'),
);
row(
  'a body of 601 bytes of at most 600',
  post('/pawn', json_type, `{${board}}`.padEnd(601)),
  { status: 413, type: 'too-large' },
  'small',
);
row(
  'a body in chunks, of 601 bytes of at most 600',
  post('/pawn', { ...json_type, 'Transfer-Encoding': 'chunked' }, chunked(`{${board}}`.padEnd(601), 60)),
  { status: 413, type: 'too-large' },
  'small',
);
row(
  'an announced body of a terabyte',
  { raw: request_bytes(post('/pawn', { ...json_type, 'Content-Length': '1000000000000', Connection: 'close' }, '{')) },
  { status: 413, type: 'too-large' },
);
row(
  '41 JSON values of at most 40',
  post('/mine', json_type, `{"id":1,"rows":1,"cols":1,"mines":[${Array(12).fill('[0,0]').join(',')}]}`),
  { status: 413, type: 'too-large' },
  'small',
);
row(
  'too many values, and broken thereafter',
  post('/mine', json_type, `{"rows":1,"cols":1,"mines":[${Array(13).fill('[0,0]').join(',')}]`),
  { ...malformed(), first: true },
  'small',
); // Open: which comes first; the contract's order lists 400 before 413 by values.
row(
  'an answer of more than 300 bytes',
  post('/go', json_type, '{"moves":[]}'),
  { status: 422, type: 'answer-too-large' },
  'terse',
);
row(
  'an answer in text of more than 300 bytes',
  post('/go', text_type, '1\n0\n'),
  { status: 422, type: 'answer-too-large' },
  'terse',
);
row(
  'a batch whose answers are too large together',
  post('/mine', json_type, batch(...Array(4).fill('{"board":["."]}'))),
  { status: 422, type: 'answer-too-large' },
  'terse',
);

// --- the text forms

text('/pawn', 'empty text', 'syntax', '');
text('/pawn', 'text of white space', 'syntax', ' \n');
text('/pawn', 'text without T', 'syntax', '1\n');
text('/pawn', 'a word for id', 'syntax', '', 'x 1\n');
text('/pawn', 'a word for T', 'syntax', '1 ', 'x\n');
text('/pawn', 'a fraction for T', 'syntax', '1 ', '1.0\n2 3\nO.O\nX..\n');
text('/pawn', 'a plus before T', 'syntax', '1 ', '+1\n2 3\nO.O\nX..\n');
text('/pawn', 'a minus alone', 'syntax', '', '- 1\n');
text('/pawn', 'an exponent in T', 'syntax', '1 ', '1e0\n');
text('/pawn', 'a vertical tab between tokens', 'syntax', '', '1\v1\n2 3\nO.O\nX..\n');
text('/pawn', 'T of 0', 'range', '1 ', '0\n');
text('/pawn', 'T of -1', 'range', '1 ', '-1\n');
text('/pawn', 'T of 1001', 'range', '1 ', '1001\n2 3\nO.O\nX..\n');
text('/pawn', 'T of 20 digits', 'range', '1 ', '99999999999999999999\n');
text('/pawn', 'one row of text', 'range', '1 1\n', '1 3\nOXO\n');
text('/pawn', 'no column', 'range', '1 1\n2 ', '0\n');
text('/pawn', 'a negative number of rows', 'range', '1 1\n', '-2 3\nO.O\nX..\n');
text('/pawn', 'no size', 'syntax', '1 1\n', '');
text('/pawn', 'no columns', 'syntax', '1 1\n2', '');
text('/pawn', 'no rows', 'syntax', '1 1\n2 3\n', '');
text('/pawn', 'a row too few', 'syntax', '1 1\n3 3\nO.O\nX..\n', '');
text('/pawn', 'a row too many', 'syntax', '1 1\n2 3\nO.O\nX..\n', '...\n');
text('/pawn', 'a number after the last case', 'syntax', '1 1\n2 3\nO.O\nX..\n\n  ', '7');
text('/pawn', 'a short row of text', 'syntax', '1 1\n2 3\nO.O\n', 'X.\n');
text('/pawn', 'a long row of text', 'syntax', '1 1\n2 3\n', 'O..O\nX..\n');
text('/pawn', 'a wrong character', 'value', '1 1\n2 3\nO.O\nX.', '?\n');
text('/pawn', 'a zero byte in a row', 'value', '1 1\n2 3\nO.O\nX.', [0, 0x0a]);
text('/pawn', 'a byte that is not UTF-8 in a row', 'value', '1 1\n2 3\nO', join([0xff], 'O\nX..\n'));
text('/pawn', 'the pawn in the first row of text', 'value', '1 1\n2 3\nO', 'XO\n...\n');
text('/pawn', 'a fault in the second case', 'value', '1 2\r\n2 3\r\nO.O\r\nX..\r\n2 3\r\nO.O\r\n', 'x..\r\n');
text('/pawn', 'a second case that is not there', 'syntax', '1 2\n2 3\nO.O\nX..\n', '');
text('/pawn', 'a word for n, and cases that are not there', 'syntax', '1 900\n', 'x 3\n');
text('/pawn', '258 cells of text', 'range', '1 1\n', '86 3\n'); // Open: at n or at m.
// Open: where a wrong number of pieces stands: it is known when the board is read.
for (const [name, lines] of [
  ['no red piece', '...\nX..\n'],
  ['three red pieces', 'O.O\nX.O\n'],
  ['no pawn', 'O.O\n...\n'],
  ['two pawns', 'O.O\nX.X\n'],
]) {
  text('/pawn', `${name} in text`, 'count', '1 1\n2 3\n', lines);
}

text('/go', 'empty text for /go', 'syntax', '');
text('/go', 'a word for the number of games', 'syntax', '', 'one\n0\n');
text('/go', 'no number of moves', 'syntax', '1\n', '');
text('/go', 'a word for the number of moves', 'syntax', '1\n', 'none\n');
text('/go', 'a negative number of moves', 'range', '1\n', '-1\n');
text('/go', '100001 moves', 'range', '1\n', '100001\nB 1 1\n');
text('/go', 'no game', 'range', '', '0\n');
text('/go', 'a colour in lower case in text', 'value', '1\n1\n', 'b 1 1\n');
text('/go', 'another colour', 'value', '1\n2\nB 1 1\n', 'X 1 1\n');
text('/go', 'a colour of two letters', 'value', '1\n1\n', 'BW 1 1\n');
text('/go', 'a number for a colour', 'value', '1\n1\n', '1 1 1\n');
text('/go', 'row 0', 'range', '1\n1\nB ', '0 1\n');
text('/go', 'row 20', 'range', '1\n1\nB ', '20 1\n');
text('/go', 'column 0', 'range', '1\n1\nB 1 ', '0\n');
text('/go', 'column 20', 'range', '1\n1\nB 19 ', '20\n');
text('/go', 'a negative column', 'range', '1\n1\nB 1 ', '-1\n');
text('/go', 'a row of 30 digits', 'range', '1\n1\nB ', `${'9'.repeat(30)} 1\n`);
text('/go', 'a letter for a row', 'syntax', '1\n1\nB ', 'Q 4\n');
text('/go', 'a pass in text', 'syntax', '1\n1\nB ', 'pass\n');
text('/go', 'a fraction for a column', 'syntax', '1\n1\nB 1 ', '1.5\n');
text('/go', 'a move without a column', 'syntax', '1\n1\nB 1\n', '');
text('/go', 'a move too few', 'syntax', '1\n2\nB 1 1\n', '');
// Reading stops at the first fault, also where the text is too short for the number it begins with.
text('/go', 'a wrong colour, and moves that are not there', 'value', '1\n9\n', 'X 1 1\n');
text('/go', 'a move too many', 'syntax', '1\n1\nB 1 1\n', 'W 1 2\n');

text('/mine', 'empty text for /mine', 'syntax', '');
text('/mine', 'no number of mines', 'syntax', '1\n3 3', '');
text('/mine', 'a word for the number of rows', 'syntax', '1\n', 'three 3 0\n');
text('/mine', 'no fields', 'range', '', '0\n');
text('/mine', '0 rows in text', 'range', '1\n', '0 3 0\n');
text('/mine', '1001 rows in text', 'range', '1\n', '1001 1 0\n');
text('/mine', '0 columns in text', 'range', '1\n3 ', '0 0\n');
text('/mine', '1001 columns in text', 'range', '1\n3 ', '1001 0\n');
text('/mine', 'a negative number of mines', 'range', '1\n3 3 ', '-1\n');
text('/mine', 'a mine in row 3 of 3', 'range', '1\n3 4 2\n0 0\n', '3 0\n');
text('/mine', 'a mine in column 4 of 4', 'range', '1\n3 4 1\n2 ', '4\n');
text('/mine', 'a mine in row -1', 'range', '1\n3 4 1\n', '-1 0\n');
text('/mine', 'a mine without a column', 'syntax', '1\n3 4 1\n2', '');
text('/mine', 'a mine too few', 'syntax', '1\n3 4 2\n2 2\n', '');
text('/mine', 'a mine too many', 'syntax', '1\n3 4 1\n2 2\n', '1 1\n');
text('/mine', 'a drawn field in text', 'syntax', '1\n1 3 1\n', '.*.\n');
text('/mine', 'a fault in the second field', 'range', '2\n3 3 0\n3 3 1\n1 ', '3\n');

for (const [path, name, code, before, after] of [
  ['/pawn', 'T of 4 of at most 3', 'range', '1 ', '4\n'],
  ['/pawn', '14 cells of at most 12 in text', 'range', '1 1\n', '2 7\n'],
  ['/go', '5 moves of at most 4 in text', 'range', '1\n', '5\n'],
  ['/mine', '15 cells of at most 12 in text', 'range', '1\n', '3 5 0\n'],
  // Open: a total is named where the case says its size.
  [
    '/pawn',
    '24 cells in all of at most 20 in text',
    'range',
    '1 2\n4 3\nO.O\n...\n...\nX..\n',
    '4 3\nO.O\n...\n...\nX..\n',
  ],
  [
    '/go',
    '7 moves in all of at most 6 in text',
    'range',
    '2\n4\nB 1 1\nB 1 2\nB 1 3\nB 1 4\n',
    '3\nB 1 1\nB 1 2\nB 1 3\n',
  ],
  ['/mine', '24 cells in all of at most 20 in text', 'range', '2\n3 4 0\n', '3 4 0\n'],
]) {
  text(path, name, code, before, after);
  rows.at(-1).server = 'small';
}

// --- paths and methods

for (const path of [
  '/nothing',
  '/pawn/',
  '//pawn',
  '/PAWN',
  '/pawn.json',
  '/pawn%00',
  '/pawn%00/x',
  '/limits/',
  '/problems/',
  '/problems/no-such-type',
  '/problems/malformed/',
  '/../limits',
  '/problems/Malformed',
]) {
  refused(`GET ${path}`, { target: path }, 404, 'not-found');
}
// The path is checked before the method and the query.
refused('POST to a problem that is not there', post('/problems/no-such-type'), 404, 'not-found');
refused(
  'OPTIONS of a problem that is not there',
  { method: 'OPTIONS', target: '/problems/no-such-type' },
  404,
  'not-found',
);
refused('a parameter of a problem that is not there', { target: '/problems/no-such-type?x=1' }, 404, 'not-found');
refused('POST to an unknown path', post('/chess'), 404, 'not-found');
refused('OPTIONS of an unknown path', { method: 'OPTIONS', target: '/chess' }, 404, 'not-found');
refused('HEAD of an unknown path', { method: 'HEAD', target: '/chess' }, 404, 'not-found');
const solving = 'GET, HEAD, OPTIONS, POST';
for (const path of ['/pawn', '/go', '/mine']) {
  for (const method of ['PUT', 'DELETE', 'PATCH', 'BREW', 'get', 'Head', 'post', 'Post']) {
    refused(`${method} ${path}`, { method, target: path }, 405, 'method-not-allowed', { allow: solving });
  }
}
for (const path of ['/', '/openapi.yaml', '/limits', '/version', '/livez', '/readyz', '/metrics', '/problems/malformed']) {
  for (const method of ['POST', 'DELETE', 'get']) {
    refused(`${method} ${path}`, { method, target: path }, 405, 'method-not-allowed', { allow: 'GET, HEAD, OPTIONS' });
  }
}
refused(
  'PUT with a body',
  { method: 'PUT', target: '/limits', headers: json_type, body: '{"queue":1}' },
  405,
  'method-not-allowed',
  { allow: 'GET, HEAD, OPTIONS' },
);

// --- the query

const unknown = (...names) => malformed(...names.map((parameter) => ({ code: 'unknown-member', parameter })));
row('a parameter on POST', post('/pawn?x=1'), unknown('x'));
row('case on POST', post('/pawn?case=%7B%7D'), unknown('case'));
row('format on POST', post('/go?format=json', json_type, '{"moves":[]}'), unknown('format'));
row('case and format on POST', post('/mine?format=svg&case=1', json_type, '{"board":["."]}'), unknown('format', 'case'));
row('two parameters', post('/go?size=9&ko=none', json_type, '{"moves":[]}'), unknown('size', 'ko'));
row('a parameter with escapes', post('/mine?a%20b+c=1', json_type, '{"board":["."]}'), unknown('a b c'));
row('a parameter without a name', post('/mine?=1', json_type, '{"board":["."]}'), unknown(''));

// --- media types

const unsupported = (name, headers, target = '/pawn') =>
  refused(name, post(target, headers), 415, 'unsupported-media-type', {
    'accept-post': `application/json, text/plain, application/x-ndjson, application/jsonl${target === '/go' ? ', application/x-go-sgf' : ''}`,
  });
for (const type of [
  'application/xml',
  'text/html',
  'application/x-go-sgf',
  'multipart/form-data; boundary=x',
  'application/json5',
  'application/problem+json',
  'text/*',
  '*/*',
  'json',
  'application/octet-stream',
  'application/json, text/plain',
]) {
  unsupported(`a body of type ${type}`, { 'Content-Type': type });
}
unsupported('an SGF record for /mine', { 'Content-Type': 'application/x-go-sgf' }, '/mine');
for (const type of ['application/sgf', 'application/x-sgf', 'text/x-go-sgf', 'image/svg+xml', 'application/json; charset=gbk']) {
  unsupported(`a game of type ${type}`, { 'Content-Type': type }, '/go');
}
unsupported('a record with Content-Encoding gzip', { 'Content-Type': 'application/x-go-sgf', 'Content-Encoding': 'gzip' }, '/go');
for (const type of [
  'application/json; charset=latin1',
  'application/json;charset="iso-8859-1"',
  'text/plain; charset=us-ascii',
  'application/json; a=b; CHARSET=utf-16',
]) {
  unsupported(`a body of type ${type}`, { 'Content-Type': type });
}
for (const coding of ['gzip', 'deflate', 'br', 'identity, gzip', 'x-unknown']) {
  unsupported(`a body with Content-Encoding ${coding}`, { ...json_type, 'Content-Encoding': coding });
  rows.at(-1).expect.headers['accept-encoding'] = 'identity';
}
const lines = ['application/x-ndjson', 'application/jsonl'];
const every_form = ['application/json', 'text/plain', 'image/svg+xml', ...lines];
const without = (...forms) => every_form.filter((form) => !forms.includes(form));
for (const accept of [
  'image/png',
  'image/svg+xml;q=0',
  'image/svg',
  'text/html',
  'application/*;q=0',
  'application/json;q=0',
  'application/json;q=0, text/plain;q=0.0',
  '*/*;q=0',
  'application/problem+json',
  '*/*;q=0, text/html',
  'application/*;q=0, text/*;q=0, image/*;q=0, */*',
]) {
  refused(
    `Accept: ${accept}`,
    post('/mine', { ...json_type, Accept: accept }, '{"board":["."]}'),
    406,
    'not-acceptable',
  );
  rows.at(-1).expect.available = every_form;
}

// No picture of this body.
function undrawn(name, request) {
  refused(name, request, 406, 'not-acceptable');
  const not_offered = request.method === 'POST' ? [] : lines; // links do not offer them
  rows.at(-1).expect.available = without('image/svg+xml', ...not_offered);
}

for (const accept of ['image/png', 'image/svg+xml', 'image/*', 'application/*;q=0, text/plain;q=0, */*']) {
  undrawn(`a text body, Accept: ${accept}`, post('/mine', { ...text_type, Accept: accept }, '1\n1 1 0\n'));
}
const svg_only = { ...json_type, Accept: 'image/svg+xml' };
undrawn('a picture of a batch of boards', post('/pawn', svg_only, batch(good)));
undrawn('a picture of a batch of games', post('/go', svg_only, '{"cases":[{"moves":[]},{"moves":[]}]}'));
undrawn('a picture of a batch of fields', post('/mine', svg_only, '{"cases":[{"board":["."]}]}'));
undrawn('a picture of 10,001 cells', post('/mine', svg_only, '{"rows":73,"cols":137,"mines":[]}'));
undrawn('a picture of 10,001 cells, by any wildcard but those for the others', {
  ...post('/mine', { ...json_type, Accept: '*/*, application/*;q=0, text/*;q=0' }, '{"rows":137,"cols":73,"mines":[]}'),
});

// --- SGF

const sgf_type = { 'Content-Type': 'application/x-go-sgf' };

// A record that cannot be read (code 'syntax'), or is not allowed, from where `after` begins: as a body, and as the
// member of a game, whose place is inside the string.
function record(name, code, before, after = '', server = 'standard') {
  const place = place_after(before);
  row(
    `a record: ${name}`,
    { method: 'POST', target: '/go', headers: sgf_type, body: join(before, after) },
    (code === 'syntax' ? malformed : invalid)({ code, ...place }),
    server,
  );
  row(
    `sgf: ${name}`,
    post('/go', json_type, JSON.stringify({ sgf: before + after })),
    invalid({ code, pointer: '/sgf', ...place }),
    server,
  );
}

row('an empty record', post('/go', sgf_type, ''), malformed({ code: 'syntax', line: 1, column: 1 }));
// Open: where there is no game, the place is the beginning.
record('no game', 'syntax', '', 'Black won.\n');
record('a parenthesis without a node', 'syntax', '', '()');
record('a node without a parenthesis', 'syntax', '', ';B[aa]');
// Open: a value without an end is placed where it begins, a property without a value at its name.
record('an end inside a value', 'syntax', '(;SZ[9]\n;B', '[aa');
record('an escaped bracket as the end of a value', 'syntax', '(;C', '[a\\])');
record('a property without a value', 'syntax', '(;SZ[9];', 'B;W[aa])');
record('a property without a value at the end of a variation', 'syntax', '(;SZ[9]\r\n(;', 'B))');
record('a value without a property', 'syntax', '(;', '[aa])');
record('a name without a capital', 'syntax', '(;', 'b[aa])');
record('a closing bracket too many', 'syntax', '(;B[aa]', '];W[bb])');
record('a comment between properties', 'syntax', '(;B[aa] ', '# a move\n;W[bb])');
record('a digit before a name', 'syntax', '(;SZ[9]\n\n  ', '1B[aa])');

record('a property after a variation', 'syntax', '(;SZ[9](;B[aa])', 'W[bb])');
record('broken behind the main line', 'syntax', '(;B[aa](;W[bb])(;', 'W;B[cc]');
record('broken in the next game', 'syntax', '(;B[aa])\n(;C', '[');
record('a variation of a variation alone', 'syntax', '(;B[aa](', '(;W[bb])))');

record('another game', 'value', '(;FF[4]GM[', '2];W[zz])');
record('another game with an unknown size', 'value', '(;FF[4]SZ[40]GM[', '6])');
record('a game that is no number', 'value', '(;GM[', 'Go])');
record('size 0', 'range', '(;SZ[', '0])');
record('size 26', 'range', '(;SZ[', '26];B[aa])');
record('size 26:26', 'range', '(;SZ[', '26:26])');
record('a board that is not square', 'range', '(;GM[1]\nSZ[', '9:13];B[aa])');
record('a word as size', 'value', '(;SZ[', 'nine])');
record('a negative size', 'value', '(;SZ[', '-9])');
record('two sizes', 'conflict', '(;SZ[9]\nSZ[', '13])');
record('a move off the board', 'range', '(;SZ[9];B[aa]\n;W[', 'ja])');
record('a move in row 10 of 9', 'range', '(;SZ[9];B[', 'aj])');
record('a move in capitals', 'range', '(;SZ[9];B[', 'AA])');
record('tt on 25 x 25 is a point, uu on 20 x 20 is none', 'range', '(;SZ[20];B[tt];W[', 'uu])');
record('a move of one letter', 'value', '(;SZ[9];B[', 'a])');
record('a move of three letters', 'value', '(;SZ[9];B[', 'aaa])');
record('a move by numbers', 'value', '(;SZ[9];B[', '11])');
record('a move as GTP writes it', 'value', '(;SZ[9];B[', 'C3])');
record('a move with a blank', 'value', '(;SZ[9];B[', 'a b])');
record('a stone off the board', 'range', '(;SZ[9]AB[aa][', 'jj];B[bb])');
record('a stone without a point', 'value', '(;SZ[9]AB[', '];B[bb])');
record('a rectangle that leaves the board', 'range', '(;SZ[9]AW[aa:', 'jj])');
record('a rectangle of one corner', 'value', '(;SZ[9]AW[', 'aa:])');
record('a rectangle from its lower corner', 'value', '(;SZ[9]AW[', 'cc:aa])');
record('a stone with a letter on it', 'value', '(;SZ[9]AW[', 'aa:A])');
record('a move off the board, the second of its node', 'range', '(;SZ[9];B[aa]W[', 'jj])');
record('black stones off the board after the first move', 'range', '(;SZ[9];B[aa]\n;AB[', 'jj])');
record('no point to empty after the first move', 'value', '(;SZ[9];B[aa]\n;AE[', '])');
record('a change without liberties', 'liberty', '(;SZ[9];B[aa]\n;C[x]', 'AW[ab]AW[ba])');
record('a change that leaves a chain that was captured alive', 'liberty', '(;SZ[2];B[aa];W[bb];', 'AE[aa]AB[ba][ab]W[aa])');
record('the second of two changes', 'liberty', '(;SZ[9];B[aa]AW[ab]\n;', 'AW[ba])');
record('a column in bytes', 'range', '(;SZ[9]GN[naïve €];B[aa]W[', 'zz])');
// Open: which fault of a list that is too long is named; this one has room for 4.
record('5 moves of at most 4', 'length', '(;SZ[9];B[aa];W[bb];B[cc];W[];', 'B[dd])', 'small');
record('3 moves and 2 changes of at most 4', 'length', '(;SZ[9];B[aa];W[bb];AB[cc];AE[dd];', 'B[dd])', 'small');
row(
  'a record with an overfull board',
  post('/go', sgf_type, '(;SZ[2]AB[aa:bb])'),
  // Open: the place of a chain, which no single value sets up, is the beginning.
  invalid({ code: 'liberty', line: 1, column: 1 }),
);
row(
  'records of a batch',
  post('/go', json_type, JSON.stringify({ cases: [{ sgf: '(;)' }, { sgf: '(' }, { moves: [] }, { sgf: '(;\n;B[zz])' }] })),
  invalid(
    { code: 'syntax', pointer: '/cases/1/sgf', line: 1, column: 1 },
    { code: 'range', pointer: '/cases/3/sgf', line: 2, column: 4 },
  ),
);
for (const [what, value] of [['null', 'null'], ['an array', '["(;)"]'], ['a number', '9'], ['an object', '{}'], ['true', 'true']]) {
  faulty('/go', `${what} as sgf`, `{"sgf":${value}}`, ['type', '/sgf']);
}
row(
  'a byte order mark and a fault in sgf',
  post('/go', json_type, '{"sgf":"\\ufeff(;B[zz])"}'),
  invalid({ code: 'range', pointer: '/sgf', line: 1, column: 5 }),
);
row('an empty sgf', post('/go', json_type, '{"sgf":""}'), invalid({ code: 'syntax', pointer: '/sgf', line: 1, column: 1 }));
faulty('/go', 'sgf twice', '{"sgf":"(;)","sgf":"(;)"}', ['duplicate-member', '/sgf']);
faulty('/go', 'sgf and moves', '{"sgf":"(;)","moves":[]}', ['conflict', '/moves']);
faulty(
  '/go',
  'everything beside sgf',
  '{"id":1,"setup":["."],"moves":[],"sgf":"(;)","size":1,"rules":{},"include":[]}',
  ['conflict', '/setup'],
  ['conflict', '/moves'],
  ['conflict', '/size'],
);
faulty('/go', 'sgf beside an unknown member', '{"sgf":"(;)","komi":6.5}', ['unknown-member', '/komi']);
faulty('/go', 'sgf with a part of another route', '{"sgf":"(;)","include":["line"]}', ['value', '/include/0']);
faulty('/go', 'sgf with a rule that is none', '{"sgf":"(;)","rules":{"ko":"super"}}', ['value', '/rules/ko']);

// --- links

const link = (path, the_case, more = '') =>
  `${path}?case=${encodeURIComponent(typeof the_case === 'string' ? the_case : JSON.stringify(the_case))}${more}`;
const position = { board: ['O.O', 'X..'] };
const missing = { parameter: 'case', code: 'missing' };
for (const path of ['/pawn', '/go', '/mine']) row(`${path} without case`, { target: path }, malformed(missing));
row('an empty query', { target: '/pawn?' }, malformed(missing));
row('only ampersands', { target: '/pawn?&&&' }, malformed(missing));
row('format alone', { target: '/pawn?format=svg' }, malformed(missing));
row('HEAD without case', { method: 'HEAD', target: '/pawn' }, { status: 400, type: 'malformed' });
row('Case in capitals', { target: link('/pawn', position, '&CASE=1') }, unknown('CASE'));
row('another parameter', { target: link('/pawn', position, '&turn=Black') }, unknown('turn'));
row('a NUL in a parameter', { target: '/pawn?case%00=1' }, malformed(missing, { parameter: 'case?', code: 'unknown-member' }));
row('another parameter without a value', { target: link('/pawn', position, '&download') }, unknown('download'));
row('two other parameters, escaped', { target: link('/go', { moves: [] }, '&a%20b=&%63asey=1') }, unknown('a b', 'casey'));
row('case twice', { target: link('/pawn', position, '&case=%7B%7D') }, malformed({ parameter: 'case', code: 'duplicate-member' }));
row(
  'case twice, once escaped',
  { target: link('/pawn', position, `&c%61se=${encodeURIComponent('{}')}`) },
  malformed({ parameter: 'case', code: 'duplicate-member' }),
);
row(
  'format twice',
  { target: link('/pawn', position, '&format=json&format=json') },
  malformed({ parameter: 'format', code: 'duplicate-member' }),
);
for (const format of ['png', 'SVG', '', 'svg+xml', 'image%2Fsvg%2Bxml', '+json', 'json%00', 'x'.repeat(5000)]) {
  row(
    `format=${format.slice(0, 20)}`,
    { target: link('/mine', { board: ['.'] }, `&format=${format}`) },
    malformed({ parameter: 'format', code: 'value' }),
  );
}
row('format without a value', { target: link('/pawn', position, '&format') }, malformed({ parameter: 'format', code: 'value' }));
for (const [name, before, after] of [
  ['an empty case', '', ''],
  ['a case that is no JSON', '', 'board'],
  ['a case that ends early', '{"board":["O.O","X.."]', ''],
  ['a case with something behind it', '{"board":["O.O","X.."]} ', '{}'],
  ['a case with a comma too many', '{\n "board":["O.O","X.."],', '}'],
  ['a case with a lone surrogate', '{"id":"', '\\ud800","board":["O.O","X.."]}'],
]) {
  row(name, { target: link('/pawn', before + after) }, malformed({ parameter: 'case', code: 'syntax', ...place_after(before) }));
}
row('case without a value', { target: '/pawn?case' }, malformed({ parameter: 'case', code: 'syntax', line: 1, column: 1 }));
row(
  'a case with bytes that are no UTF-8',
  { target: '/pawn?case=%7B%22id%22:%22%FF%22%7D' },
  malformed({ parameter: 'case', code: 'syntax', line: 1, column: 8 }),
);
// An invalid escape stays as it is, so these three cases begin with a per cent sign.
for (const escape of ['%', '%7', '%7G', '%G7B', '%%7B']) {
  row(
    `a case that begins with ${escape}`,
    { target: `/pawn?case=${escape}` },
    malformed({ parameter: 'case', code: 'syntax', line: 1, column: 1 }),
  );
}
row(
  'an invalid escape in a row stays as it is',
  { target: '/pawn?case={%22board%22:[%22O.O%zz%22,%22X.....%22]}' },
  invalid({ parameter: 'case', code: 'value', pointer: '/board/0' }),
);
row(
  'a plus is a space',
  { target: '/pawn?case={%22board%22:[%22O+O%22,%22X..%22]}' },
  invalid({ parameter: 'case', code: 'value', pointer: '/board/0' }),
);
row('an invalid escape in a name', { target: link('/pawn', position, '&%zz=1') }, unknown('%zz'));
row('an invalid escape in format', { target: link('/pawn', position, '&format=json%2') }, malformed({ parameter: 'format', code: 'value' }));

// A case in a link with these faults.
function faulty_link(path, name, the_case, ...faults) {
  row(
    `a link: ${name}`,
    { target: link(path, the_case) },
    invalid(...faults.map(([code, pointer]) => ({ parameter: 'case', code, pointer }))),
  );
}
faulty_link('/pawn', 'an array', [], ['type', '']);
faulty_link('/go', 'null', 'null', ['type', '']);
faulty_link('/mine', 'a number', '7', ['type', '']);
faulty_link('/pawn', 'no board', {}, ['missing', '']);
faulty_link('/pawn', 'a bad row', { board: ['O.O', '.?.', 'X..'] }, ['value', '/board/1']);
faulty_link('/pawn', 'three red pieces', { board: ['OOO', 'X..'] }, ['count', '/board']);
faulty_link('/pawn', 'two faults', { turn: 'red', board: ['O.O', 'X'] }, ['value', '/turn'], ['length', '/board/1']);
faulty_link('/pawn', 'cases', { cases: [position] }, ['missing', ''], ['unknown-member', '/cases']);
faulty_link('/pawn', 'cases beside a board', { ...position, cases: [position] }, ['unknown-member', '/cases']);
faulty_link('/go', 'cases of games', { cases: [] }, ['missing', ''], ['unknown-member', '/cases']);
faulty_link('/go', 'a point off the board', { size: 9, moves: [['B', 'A10']] }, ['range', '/moves/0/1']);
faulty_link('/go', 'a part that is none', { moves: [], include: ['moves'] }, ['value', '/include/0']);
faulty_link('/mine', 'two forms', { board: ['.'], rows: 1 }, ['conflict', '/rows']);
faulty_link('/mine', 'a doubled member', '{"board":["."],"board":["."]}', ['duplicate-member', '/board']);
row(
  'a record in a link',
  { target: link('/go', { sgf: '(;SZ[9]\n;B[zz])' }) },
  invalid({ parameter: 'case', code: 'range', pointer: '/sgf', line: 2, column: 4 }),
);
row(
  'a broken record in a link',
  { target: link('/go', { sgf: '(;SZ[9' }) },
  invalid({ parameter: 'case', code: 'syntax', pointer: '/sgf', line: 1, column: 5 }),
);
for (const value of ['*', ' * ', '"nothing"', 'W/"0123456789abcdef", *']) {
  row(
    `a bad case with If-None-Match: ${value}`,
    { target: link('/pawn', { board: [] }), headers: { 'If-None-Match': value } },
    invalid({ parameter: 'case', code: 'length', pointer: '/board' }),
  );
}
refused('a link, Accept: image/png', { target: link('/pawn', position), headers: { Accept: 'image/png' } }, 406, 'not-acceptable', {
  vary: 'Accept',
});
rows.at(-1).expect.available = without(...lines);
undrawn('a link, a picture of 10,001 cells', { target: link('/mine', { rows: 73, cols: 137, mines: [] }, '&format=svg') });
undrawn('a link, a picture of 10,001 cells by Accept', {
  target: link('/mine', { rows: 73, cols: 137, mines: [] }),
  headers: { Accept: 'image/svg+xml' },
});
refused('406 before the query of a link', { target: '/pawn?x=1', headers: { Accept: 'image/png' } }, 406, 'not-acceptable');
row('format stands in for Accept', { target: '/pawn?x=1&format=png', headers: { Accept: 'image/png' } }, {
  status: 400,
  type: 'malformed',
});
for (const [path, the_case] of [['/pawn', position], ['/go', { moves: [] }], ['/mine', { board: ['.'] }]]) {
  refused(`a link of 8193 bytes to ${path}`, { target: link(path, the_case).padEnd(8193, '+') }, 414, 'uri-too-long');
}
row('an answer of a link that is too large', { target: link('/go', { moves: [] }) }, { status: 422, type: 'answer-too-large' }, 'terse');
row(
  'a link that finds no room for its answer',
  { target: link('/mine', { rows: 300, cols: 300, mines: [], include: ['board'] }) },
  { status: 503, type: 'overloaded', headers: { 'retry-after': '1' } },
  'full',
);
row('the query of a link before 503', { target: '/pawn?case=1&x=1' }, unknown('x'), 'full');
row('a body does not make up for the case', { method: 'GET', target: '/pawn', headers: json_type, body: pawn_body }, malformed(missing));
row(
  'a GET with a body is judged by its link',
  { method: 'GET', target: link('/pawn', { board: [] }), headers: { 'Content-Type': 'image/png' }, body: 'x' },
  invalid({ parameter: 'case', code: 'length', pointer: '/board' }),
);

// --- the order of the checks

const xml_for_png = { 'Content-Type': 'application/xml', Accept: 'image/png' };
const long = (path) => `${path}?`.padEnd(8193, 'x');
refused('a target of 8193 bytes', post(long('/pawn')), 414, 'uri-too-long');
refused('a target of 8193 bytes without a query', { target: '/'.padEnd(8193, 'x') }, 414, 'uri-too-long');
refused('414 before 404', post(long('/chess')), 414, 'uri-too-long');
refused('414 before 405', { method: 'DELETE', target: long('/limits') }, 414, 'uri-too-long');
refused(
  '404 before 405 and 415',
  { method: 'BREW', target: '/chess?x=1', headers: xml_for_png, body: 'x' },
  404,
  'not-found',
);
refused(
  '405 before 415, 406 and the query',
  { method: 'PUT', target: '/pawn?x=1', headers: xml_for_png, body: 'x' },
  405,
  'method-not-allowed',
  { allow: solving },
);
row('413 before 415', post('/pawn', xml_for_png, 'x'.repeat(601)), { status: 413, type: 'too-large' }, 'small');
refused('415 before 406', post('/pawn?x=1', xml_for_png), 415, 'unsupported-media-type');
refused('406 before the query', post('/pawn?x=1', { ...json_type, Accept: 'image/png' }), 406, 'not-acceptable');
row('the query before the body', post('/pawn?x=1', json_type, '{'), unknown('x'));
row(
  '503 before the body',
  post('/pawn', json_type, '{'.padEnd(5000)),
  { status: 503, type: 'overloaded', headers: { 'retry-after': '1' } },
  'full',
);
row('404 before 503', { target: '/chess' }, { status: 404, type: 'not-found' }, 'full');
row(
  '405 before 503',
  { method: 'PUT', target: '/pawn' },
  { status: 405, type: 'method-not-allowed', headers: { allow: solving } },
  'full',
);
row('415 before 503', post('/pawn', xml_for_png), { status: 415, type: 'unsupported-media-type' }, 'full');
row(
  '406 before 503',
  post('/pawn', { ...json_type, Accept: 'image/png' }),
  { status: 406, type: 'not-acceptable' },
  'full',
);
row('the query before 503', post('/pawn?x=1'), unknown('x'), 'full');
refused(
  'framing before 414',
  {
    raw: request_bytes(
      post(
        long('/pawn'),
        [
          ['Content-Length', '2'],
          ['Content-Length', '2'],
        ],
        '{}',
      ),
    ),
  },
  400,
  'malformed',
);
refused(
  'framing before 404',
  {
    raw: request_bytes(
      post(
        '/chess',
        [
          ['Content-Length', '2'],
          ['Content-Length', '2'],
        ],
        '{}',
      ),
    ),
  },
  400,
  'malformed',
);

// --- framing

const raw = (...lines) => ({ raw: join(lines.join('\r\n')) });
const host = 'Host: 127.0.0.1';
const length = `Content-Length: ${pawn_body.length}`;
refused(
  'two different Content-Length',
  raw('POST /pawn HTTP/1.1', host, length, 'Content-Length: 5', '', pawn_body),
  400,
  'malformed',
);
refused('two equal Content-Length', raw('POST /pawn HTTP/1.1', host, length, length, '', pawn_body), 400, 'malformed');
// libmicrohttpd 1.0 refuses some of what follows by itself.
const unless_refused_before = NEW_MICROHTTPD ? null : 'malformed';
refused(
  'Content-Length and Transfer-Encoding',
  raw('POST /pawn HTTP/1.1', host, length, 'Transfer-Encoding: chunked', '', `17\r\n${pawn_body}\r\n0\r\n\r\n`),
  400,
  unless_refused_before,
);
refused(
  'Transfer-Encoding and Content-Length',
  raw('POST /pawn HTTP/1.1', host, 'Transfer-Encoding: chunked', length, '', `17\r\n${pawn_body}\r\n0\r\n\r\n`),
  400,
  unless_refused_before,
);
refused(
  'Transfer-Encoding: gzip',
  raw('POST /pawn HTTP/1.1', host, 'Transfer-Encoding: gzip', '', pawn_body),
  400,
  unless_refused_before,
);
refused(
  'Transfer-Encoding: gzip, chunked',
  raw('POST /pawn HTTP/1.1', host, 'Transfer-Encoding: gzip, chunked', '', `17\r\n${pawn_body}\r\n0\r\n\r\n`),
  400,
  unless_refused_before,
);
refused(
  'Transfer-Encoding: chunked, twice',
  raw(
    'POST /pawn HTTP/1.1',
    host,
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: chunked',
    '',
    `17\r\n${pawn_body}\r\n0\r\n\r\n`,
  ),
  400,
  'malformed',
);
// libmicrohttpd 1.0 unfolds them and reads the body by them.
for (const folded of NEW_MICROHTTPD
  ? []
  : [
      ['Content-Length:', ` ${pawn_body.length}`],
      [`Content-Length: ${pawn_body.length}`, '\t0'],
      ['Transfer-Encoding:', ' chunked'],
      ['transfer-encoding: \t', '\tchunked', length],
    ])
  refused(`folded: ${JSON.stringify(folded)}`, raw('POST /pawn HTTP/1.1', host, ...folded, '', pawn_body), 400, 'malformed');
refused('no Host', raw('GET /limits HTTP/1.1', '', ''), 400, unless_refused_before);
refused('no Host on POST', raw('POST /pawn HTTP/1.1', length, '', pawn_body), 400, unless_refused_before);
refused('two Host', raw('GET /limits HTTP/1.1', host, host, '', ''), 400, 'malformed');
refused('two different Host', raw('GET /limits HTTP/1.1', host, 'Host: example.org', '', ''), 400, 'malformed');
refused(
  "white space before a header's colon",
  raw('GET /limits HTTP/1.1', host, 'X-Request-Id : a', '', ''),
  400,
  unless_refused_before,
);
refused(
  "white space in Content-Length's name",
  raw('POST /pawn HTTP/1.1', host, 'Content-Length : 5', '', pawn_body),
  400,
  unless_refused_before,
);
// libmicrohttpd's own answers, or ours; the contract leaves them their form.
refused(
  'a Content-Length that is no number',
  raw('POST /pawn HTTP/1.1', host, 'Content-Length: ten', '', pawn_body),
  400,
  null,
);
refused('a negative Content-Length', raw('POST /pawn HTTP/1.1', host, 'Content-Length: -1', '', pawn_body), 400, null);
refused(
  'a Content-Length in hexadecimal',
  raw('POST /pawn HTTP/1.1', host, 'Content-Length: 0x17', '', pawn_body),
  400,
  null,
);
refused('a header without a colon', raw('GET /limits HTTP/1.1', host, 'nonsense', '', ''), 400, null);
refused(
  'a chunk without a length',
  raw('POST /pawn HTTP/1.1', host, 'Transfer-Encoding: chunked', '', `zz\r\n${pawn_body}\r\n0\r\n\r\n`),
  400,
  null,
);
refused('HTTP/3.0 in the request line', raw('GET /limits HTTP/3.0', host, '', ''), 505, null);
