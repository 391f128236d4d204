// Random cases of the three games, and bodies with them: valid ones, in every format and with every member. They are small, so that
// each is fast.

import {
  below, goMoves, goText, mineBoard, mineList, mineText, pawnBoard, pawnText, pick,
} from '../server/bodies.mjs';

const LETTERS = 'ABCDEFGHJKLMNOPQRSTUVWXYZ';
const SGF_LETTERS = 'abcdefghijklmnopqrs';
const PARTS = {
  pawn: ['moves', 'line', 'boards'],
  go: ['captured', 'boards', 'score'],
  mine: ['wins', 'board', 'face'],
};
const IDS = [
  'a', '', 'x'.repeat(128), 'na\u00efve \u20ac', '"\\/\u0001\n', '\u{1f600}', '</script>', 0, -1, 7, 9007199254740991,
];

export const GAMES = Object.keys(PARTS);

const chance = (random, part) => random() < part;
const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));

/** Some of a list, in any order. */
function someOf(random, list) {
  const mixed = list.map((item) => [random(), item]).sort(([a], [b]) => a - b);
  return mixed.slice(0, below(random, list.length + 1)).map(([, item]) => item);
}

function pawnCase(random) {
  const board = pawnBoard(random, 2 + below(random, 4), 2 + below(random, 4), random() * 0.4);
  return { board, ...(chance(random, 0.5) && { turn: pick(random, ['Red', 'Black']) }) };
}

/** A point in one of its notations. */
function point(random, size) {
  const [row, col] = [below(random, size), below(random, size)];
  const name = `${LETTERS[col]}${size - row}`;
  return pick(random, [[row, col], [row, col], [name], [name.toLowerCase()]]);
}

function goCase(random) {
  // On small boards stones are captured, and positions repeat.
  const size = pick(random, [1, 2, 2, 3, 3, 3, 4, 5, 9, 19]);
  const moves = times(below(random, 60), () =>
    [pick(random, ['B', 'W']), ...(chance(random, 0.05) ? ['pass'] : point(random, size))]);
  const rules = {
    ...(chance(random, 0.7) && { ko: pick(random, ['positional', 'situational', 'simple', 'none']) }),
    ...(chance(random, 0.5) && { suicide: chance(random, 0.5) }),
  };
  const setup = times(size, () => times(size, () => pick(random, [...'........BW'])).join(''));
  return {
    ...(chance(random, 0.8) && { size }),
    moves,
    ...(chance(random, 0.5) && { rules }),
    ...(chance(random, 0.3) && { setup }),
  };
}

/** A record: a collection of games with set-up, variations and comments. */
export function record(random) {
  const stone = (size) => `${pick(random, SGF_LETTERS.slice(0, size))}${pick(random, SGF_LETTERS.slice(0, size))}`;
  const node = (size) => pick(random, [
    `;B[${stone(size)}]`, `;W[${stone(size)}]`, `;B[${stone(size)}]C[a \\] b]`, `;W[${stone(size)}]`, ';B[]', ';W[tt]', ';C[x]',
    `;AE[${stone(size)}]`, `;AB[${stone(size)}]`, `;AW[${stone(size)}][${stone(size)}]`,
  ]);
  const nodes = (size, count) => times(below(random, count), () => node(size)).join('');
  const game = () => {
    const size = pick(random, [2, 3, 5, 9, 19]);
    const rules = pick(random, ['', 'RU[Japanese]', 'RU[NZ]', 'RU[goe]', 'RU[Chinese]', 'RU[?]']);
    const board = size === 19 ? '' : `SZ[${size}]`;
    const branches = chance(random, 0.3) ? `(${nodes(size, 6) || ';C[]'})(${nodes(size, 6) || ';B[]'})` : '';
    return `(;FF[4]GM[1]${board}${rules}${chance(random, 0.3) ? `AB[${stone(size)}]` : ''}${nodes(size, 25)}${branches})`;
  };
  return times(1 + below(random, chance(random, 0.3) ? 3 : 1), game).join(pick(random, ['', '\n', ' ']));
}

function recordCase(random) {
  return {
    sgf: record(random),
    ...(chance(random, 0.3) && { game: pick(random, [1, 1, 2, 3, 'all']) }),
    ...(chance(random, 0.3) && { rules: { ko: pick(random, ['positional', 'simple', 'none']) } }),
  };
}

function mineCase(random) {
  const board = mineBoard(random, 1 + below(random, 8), 1 + below(random, 8), random() * 0.4);
  const free = board.flatMap((line, row) => [...line].flatMap((cell, col) => (cell === '.' ? [[row, col]] : [])));
  const clicks = times(below(random, 3), () => (free.length > 0 ? pick(random, free) : [0, 0]));
  return {
    ...(chance(random, 0.3) ? mineList(board) : { board }),
    ...(chance(random, 0.2) && { states: 1 + below(random, 20) }),
    ...(chance(random, 0.3) && { clicks }),
  };
}

/** A case of a game as an object. Nearly all are valid, but a cell may be clicked twice, or a chain have no liberty. */
export function caseOf(random, game) {
  const makers = { pawn: pawnCase, go: (from) => (chance(from, 0.25) ? recordCase(from) : goCase(from)), mine: mineCase };
  return {
    ...(chance(random, 0.3) && { id: pick(random, IDS) }),
    ...makers[game](random),
    ...(chance(random, 0.5) && { include: someOf(random, PARTS[game]) }),
  };
}

const casesOf = (random, game, most) => times(1 + below(random, most), () => caseOf(random, game));

/** JSON in different layouts. */
function printed(random, value) {
  const text = JSON.stringify(value, null, pick(random, [0, 0, 0, 1, '\t']));
  return chance(random, 0.1) ? text.replace(/[a-z.]/, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`) : text;
}

const smallField = (random) => mineBoard(random, 1 + below(random, 6), 1 + below(random, 6), random() * 0.4);

const judgeTexts = {
  pawn: (random) => pawnText(times(1 + below(random, 4), () => pawnCase(random).board)),
  go: (random) => goText(times(1 + below(random, 3), () => goMoves(random, below(random, 40)))),
  mine: (random) => mineText(times(1 + below(random, 4), () => smallField(random))),
};

function lines(random, game) {
  const end = pick(random, ['\n', '\n', '\r\n', '\n\n', '\n \t\n']);
  const line = (one) => (chance(random, 0.1) ? pick(random, ['{', '[]', '{"cases":[]}', '1']) : JSON.stringify(one));
  const all = casesOf(random, game, 8).map(line);
  return `${all.join(end)}${chance(random, 0.7) ? end : ''}`;
}

/** A body in a format (json, batch, ndjson, text or sgf) for a game. */
export function bodyOf(random, game, form) {
  const body = {
    json: () => printed(random, caseOf(random, game)),
    batch: () => printed(random, { cases: casesOf(random, game, 5) }),
    ndjson: () => lines(random, game),
    text: () => judgeTexts[game](random),
    sgf: () => record(random),
  }[form]();
  return `${chance(random, 0.03) ? '\ufeff' : ''}${body}`;
}
