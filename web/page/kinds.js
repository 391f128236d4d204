// Detects the kind and the game of a file from its name and its beginning.

/** @typedef {import('./service.js').Game} Game */
/** @typedef {import('../arbiter.js').BodyType} Kind */

/**
 * The detected kind of a file. `game`: null if unknown. `single`: it may be a single position or record, which the board can show.
 * `drawing`: it consists of boards, as they are drawn.
 * @typedef {{ kind: Kind, game: Game | null, single: boolean, drawing: boolean }} Detected
 */

export const JSON_KIND = 'application/json', LINES = 'application/x-ndjson', TEXT = 'text/plain', SGF = 'application/x-go-sgf';

/** @type {Record<string, Kind>} */
const ENDINGS = { json: JSON_KIND, ndjson: LINES, jsonl: LINES, txt: TEXT, sgf: SGF };

/** The number of bytes to read from a file. */
const HEAD_BYTES = 64 << 10;

/** Members that only cases of one game have. @type {[Game, RegExp][]} */
const MEMBERS = [['go', /"(?:moves|setup|sgf|size|rules)"\s*:/], ['mine', /"(?:mines|clicks|rows|cols|states)"\s*:/]];

/** Characters that only boards of one game have. @type {[Game, RegExp][]} */
const CHARACTERS = [['pawn', /[OX#]/], ['mine', /\*/]];

/** The beginning of a drawing: its first row isn't a number. As in the service. */
const DRAWING = /^\s*(?!\d+(\s|$))[.#OoXx*0-8]+(\s|$)/;

/** The beginning of contest format: two or more numbers, and then the first word that isn't a number, if there is one. */
const CONTEST = /^\s*-?\d+\s+(?:\d+\s+)*\d+(?:\s+(\S+)|\s*$)/;

/** @param {string} head the beginning of a text */
export const isDrawing = (head) => DRAWING.test(head);

/**
 * The beginning of a file.
 * @param {Blob} file
 */
export const headOf = (file) => file.slice(0, HEAD_BYTES).text();

/**
 * The game whose pattern matches the text; null if none or several do.
 * @param {[Game, RegExp][]} signs
 * @param {string} text
 */
function only(signs, text) {
  const games = new Set(signs.filter(([, sign]) => sign.test(text)).map(([game]) => game));
  return games.size === 1 ? [...games][0] : null;
}

/**
 * The kind of a file: by its extension, else by its first character. `arbiter solve` does the same.
 * @param {string} name
 * @param {string} head the beginning of the file
 * @returns {Kind}
 */
export function kindOf(name, head) {
  const [, ending] = /\.([^.]*)$/.exec(name.toLowerCase()) ?? ['', ''];
  const first = head.trimStart()[0];
  return ENDINGS[ending] ?? (first === '{' ? JSON_KIND : first === '(' ? SGF : TEXT);
}

/**
 * The game of a file; null if the beginning of the file doesn't tell.
 * @param {Kind} kind
 * @param {string} head
 * @returns {Game | null}
 */
export function gameOf(kind, head) {
  if (kind === SGF) return 'go';
  if (kind === TEXT) {
    if (isDrawing(head)) return only([['pawn', /[OoXx#]/], ['mine', /[*0-8]/]], head);
    // In contest format, Go has moves with colours, the crossing pawn has rows of a board, and Minesweeper has only numbers.
    const [found, word] = CONTEST.exec(head) ?? [];
    if (found === undefined) return null;
    return word === undefined ? 'mine' : /^[BW]$/.test(word) ? 'go' : /^[.#OoXx]([.#OoXx]|$)/.test(word) ? 'pawn' : null;
  }
  const boards = [...head.matchAll(/"board"\s*:\s*\[([^\]]*)/g)].map(([, rows]) => rows).join('');
  const games = new Set([only(MEMBERS, head), only(CHARACTERS, boards)].filter((game) => game !== null));
  return games.size === 1 ? [...games][0] : null;
}

/**
 * Read the beginning of a file and detect what it is. Rejects if the browser can't read it.
 * @param {File} file
 * @returns {Promise<Detected>}
 */
export async function detect(file) {
  const head = await headOf(file);
  const kind = kindOf(file.name, head), game = gameOf(kind, head), drawing = kind === TEXT && isDrawing(head);
  return { kind, game, single: isSingle(kind, game, head), drawing };
}

/**
 * @param {Kind} kind
 * @param {Game | null} game
 * @param {string} head
 */
function isSingle(kind, game, head) {
  if (kind === JSON_KIND) return !/"cases"\s*:/.test(head);
  if (kind === TEXT && isDrawing(head)) return !/\S\s*\n\s*\n\s*\S/.test(head);
  return kind === SGF || (kind === TEXT && game === 'mine' && /^\s*1\s/.test(head)); // the text begins with the number of fields
}
