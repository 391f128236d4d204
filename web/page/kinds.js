// What a file holds and which game it is about, told as far as its name and its beginning tell it.

/** @typedef {import('./service.js').Game} Game */
/** @typedef {import('../arbiter.js').BodyType} Kind */

/**
 * What a file is known to be. No game: it may be any's. `single`: it may be meant for the board, and not as one of many cases.
 * @typedef {{ kind: Kind, game: Game | null, single: boolean }} Told
 */

export const JSON_KIND = 'application/json', LINES = 'application/x-ndjson', TEXT = 'text/plain', SGF = 'application/x-go-sgf';

/** @type {Record<string, Kind>} */
const ENDINGS = { json: JSON_KIND, ndjson: LINES, jsonl: LINES, txt: TEXT, sgf: SGF };

/** How much of a file is looked at. */
const HEAD_BYTES = 64 << 10;

/** Members that only cases of one game have. @type {[Game, RegExp][]} */
const MEMBERS = [['go', /"(?:moves|setup|sgf|size|rules)"\s*:/], ['mine', /"(?:mines|clicks|rows|cols|states)"\s*:/]];

/** Characters that only boards of one game have. @type {[Game, RegExp][]} */
const CHARACTERS = [['pawn', /[OX#]/], ['mine', /\*/]];

/**
 * The one game that something is a sign of; null where that is none, or more than one.
 * @param {[Game, RegExp][]} signs
 * @param {string} text
 */
function only(signs, text) {
  const games = new Set(signs.filter(([, sign]) => sign.test(text)).map(([game]) => game));
  return games.size === 1 ? [...games][0] : null;
}

/**
 * The kind of a file by the ending of its name, else by its first byte, as `arbiter solve` tells it.
 * @param {string} name
 * @param {string} head its beginning
 * @returns {Kind}
 */
export function kindOf(name, head) {
  const [, ending] = /\.([^.]*)$/.exec(name.toLowerCase()) ?? ['', ''];
  const first = head.trimStart()[0];
  return ENDINGS[ending] ?? (first === '{' ? JSON_KIND : first === '(' ? SGF : TEXT);
}

/**
 * The game of a file; null where its beginning is no sign of one.
 * @param {Kind} kind
 * @param {string} head
 * @returns {Game | null}
 */
export function gameOf(kind, head) {
  if (kind === SGF) return 'go';
  if (kind === TEXT) {
    // The judges' texts: boards in rows; moves with their colours; numbers alone.
    if (/^\s*[BW] /m.test(head)) return 'go';
    return /[OX#]/.test(head) ? 'pawn' : /^[\d\s]*\d[\d\s]*$/.test(head) ? 'mine' : null;
  }
  const boards = [...head.matchAll(/"board"\s*:\s*\[([^\]]*)/g)].map(([, rows]) => rows).join('');
  const games = new Set([only(MEMBERS, head), only(CHARACTERS, boards)].filter((game) => game !== null));
  return games.size === 1 ? [...games][0] : null;
}

/**
 * Look at a file's beginning. Rejects where the browser cannot read it.
 * @param {File} file
 * @returns {Promise<Told>}
 */
export async function look(file) {
  const bytes = await file.slice(0, HEAD_BYTES).arrayBuffer();
  const head = new TextDecoder().decode(bytes);
  const kind = kindOf(file.name, head), game = gameOf(kind, head);
  return { kind, game, single: isSingle(kind, game, head) };
}

/**
 * @param {Kind} kind
 * @param {Game | null} game
 * @param {string} head
 */
function isSingle(kind, game, head) {
  if (kind === JSON_KIND) return !/"cases"\s*:/.test(head);
  return kind === SGF || (kind === TEXT && game === 'mine' && /^\s*1\s/.test(head)); // a text of fields begins with their number
}
