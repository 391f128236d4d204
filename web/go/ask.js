// Asks the service about a game, a record, or the position that is shown.

import { MOST_BOARDS } from './line.js';
import { DEFAULT_RULES } from './game.js';
import { isEmpty } from './points.js';
import { decoded, readGames, textOf, writeGame } from './sgf.js';

/** @typedef {import('../arbiter.js').GoResult} GoResult */
/** @typedef {import('./game.js').Game} Game */
/** @typedef {import('./sgf.js').Node} Node */
/** @typedef {import('../arbiter.js').GoInclude[number]} Part */
/**
 * A record. It isn't changed: a record with another line or another move is a new one.
 * @typedef {object} Opened
 * @property {Blob | string} body       as it was opened
 * @property {string} text              the same as text; '' until the service has answered
 * @property {string} name              the name of the file, or ''
 * @property {number} game              the number of the game in a collection, counted from 1
 * @property {Partial<import('./game.js').Rules>} chosen    rules that replace those of the record
 * @property {Partial<import('./game.js').Rules>} named     what the name of its rules (RU) says about the score, which the service leaves to its clients
 * @property {readonly number[]} [ways]   the line to show (see `lineFrom`)
 * @property {readonly import('./points.js').Point[]} [dead]  in a line to show: a stone of each dead chain
 * @property {number} games             number of games in the record; 0 until the service has answered
 * @property {readonly string[]} names    the players of each game
 * @property {readonly Node[]} path     the nodes of the line that is shown; empty until the service has answered
 * @property {Node | null} root         the game as it was opened: another first node in `path` means that moves were added
 * @property {{ start: number, end: number }} place    of the game in the text
 * @property {import('../arbiter.js').GoMiss[]} misses  the refused moves in its variations
 * @property {'request' | 'record' | 'default'} source        of its rules
 */

/** A longer collection isn't part of a link, or of what is kept for a reload; only the game that is shown is. */
const MOST_KEPT = 1 << 20;

/** Milliseconds that a board must stay on the screen before the page asks for its area, so that quick stepping asks nothing. */
const REST = 80;

/**
 * The question to the service about a game.
 * @param {Game} game
 * @returns {import('../arbiter.js').GoGame}
 */
export function questionOf({ setup, moves, rules, dead = [] }) {
  const { ko, suicide, scoring, komi } = rules;
  return {
    size: setup.length,
    ...(!isEmpty(setup) && { setup: [...setup] }),
    moves: /** @type {import('../arbiter.js').GoMove[]} */ (/** @type {unknown} */ (moves)),
    ...((ko !== DEFAULT_RULES.ko || suicide || scoring) && { rules: { ko, suicide, ...(scoring && { scoring }) } }),
    ...(komi && { komi }),
    ...deadOf(dead),
  };
}

/** @param {readonly import('./points.js').Point[]} dead */
const deadOf = (dead) => dead.length > 0 && { dead: /** @type {import('../arbiter.js').GoMove[]} */ (/** @type {unknown} */ (dead)) };

/**
 * A record that the service hasn't read yet.
 * @param {Blob | string} body
 * @param {string} [name]
 * @returns {Opened}
 */
export const recordOf = (body, name = '') => ({
  body, name, text: '', game: 1, chosen: {}, named: {}, games: 0, names: [], path: [], root: null, place: { start: 0, end: 0 }, misses: [], source: 'record',
});

/** Does the record have moves that it didn't have when it was opened? @param {Opened} record */
const hasGrown = ({ path, root }) => root !== null && path[0] !== root;

/**
 * The text of a record, with the moves that were added.
 * @param {Opened} record
 */
export const textOfRecord = (record) => (hasGrown(record)
  ? record.text.slice(0, record.place.start) + writeGame(record.path[0]) + record.text.slice(record.place.end) : record.text);

/** The record as it was opened or, if moves were added, as text with them. @param {Opened} record */
export const bodyOf = (record) => (hasGrown(record) ? textOfRecord(record) : record.body);

/** The record of a line alone. @param {readonly Node[]} path */
const textOfLine = (path) => `(${path.map(({ text }) => text).join('')})`;

/** The members of a question that rules need. @param {Opened['chosen']} chosen */
const rulesOf = ({ komi, ...rules }) => ({ ...(Object.keys(rules).length > 0 && { rules }), ...(komi !== undefined && { komi }) });

/** Does the name of these rules mean that territory is counted? @param {Node} root @returns {Opened['named']} */
const namedIn = (root) => (/^(jap|jp|kor|kr)/i.test(textOf(root, 'RU')) ? { scoring: 'territory' } : {});

/** The rules to ask with. Rules that were chosen say how to count, so the record's name for its rules no longer matters. @param {Pick<Opened, 'chosen' | 'named'>} record */
const rulesFor = ({ chosen, named }) => ('ko' in chosen ? chosen : { ...named, ...chosen });

/** The question to the service about a record; of a long collection, about the game that is shown. @param {Opened} record */
export function recordQuestion(record) {
  const { text, path, body, game, chosen } = record, long = text.length > MOST_KEPT;
  return { sgf: long ? writeGame(path[0]) : textOfRecord(record) || String(body), game: long ? 1 : game, ...rulesOf(chosen) };
}

/**
 * The question to the service about the line of a record.
 * @param {Opened} record
 * @param {readonly Node[]} path
 * @param {readonly import('./points.js').Point[]} [dead]
 */
export const lineQuestion = (record, path, dead = []) => ({ sgf: textOfLine(path), ...rulesOf(rulesFor(record)), ...deadOf(dead) });

/**
 * The optional members to ask for.
 * @param {number} moves number of moves of the game
 * @returns {Part[]}
 */
const including = (moves) => (moves > MOST_BOARDS ? ['captured', 'score'] : ['captured', 'score', 'boards']);

/**
 * The first stone of each chain in the setup that has no liberties.
 * @param {import('../arbiter.js').Problem | null} problem
 * @returns {import('./points.js').Point[]}
 */
export const chainsWithoutLiberty = (problem) =>
  problem?.errors.flatMap(({ code, at }) => (code === 'liberty' && at ? [at] : [])) ?? [];

export class Ask {
  #arbiter;
  /** Questions about a game or a record. */
  #games;
  /** Questions about the position that is shown. */
  #positions;
  /** Answers about positions, by question. @type {Map<string, GoResult>} */
  #known = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} timer of the next question about a position */
  #timer;

  /**
   * @param {import('../page/service.js').Service} service
   * @param {() => void} late called when the answer about a game is late
   */
  constructor(service, late) {
    this.#arbiter = service.arbiter;
    this.#games = service.latest(late);
    this.#positions = service.latest();
  }

  /** The state of the question about a game or a record. */
  get state() {
    return this.#games.state;
  }

  /**
   * Ask about a game, or the line of a record. A new question about a game or a record replaces the previous one.
   * @param {import('../arbiter.js').GoGame | import('../arbiter.js').GoRecord} question
   * @param {number} moves number of moves
   * @param {() => void} again asks again after a failure
   */
  game(question, moves, again) {
    return this.#games.ask((signal) => this.#arbiter.go({ ...question, include: including(moves) }, { signal }), again);
  }

  /**
   * Ask about a record. The first answer gives its length. If it isn't too long, a second question asks for the boards, and for all lines
   * of a record that has several. If something in a variation is wrong, the main line is shown all the same.
   * @param {Opened} opened
   * @param {() => void} again
   */
  record({ body, game, chosen }, again) {
    return this.#games.ask(async (signal) => {
      /** @type {Opened['named']} */
      let named = {};
      const about = (/** @type {Part[]} */ include, /** @type {Opened['body']} */ sgf = text) => this.#arbiter.record(sgf, {
        game, ...rulesFor({ chosen, named }), signal, include: /** @type {import('../arbiter.js').GoRecordInclude} */ (include),
      });
      const text = typeof body === 'string' ? body : decoded(await body.arrayBuffer());
      let result = await about(including(Infinity), body); // as bytes; then as text, so that places are those in the text
      const games = readGames(text), tree = games[game - 1];
      named = namedIn(tree.root);
      const length = result.played + result.misses.length;
      if (length <= MOST_BOARDS && result.record?.variations) {
        result = await about([...including(length), 'variations']).catch((error) => {
          if (error.status !== 422) throw error;
          return about(including(length));
        });
      } else if (length <= MOST_BOARDS || named.scoring) result = await about(including(length));
      return { result, text, tree, named, names: games.map(({ root }) => ['PB', 'PW'].map((name) => textOf(root, name)).filter(Boolean).join(' – ')) };
    }, again);
  }

  /** Drop the question about a game or a record. */
  stop() {
    this.#games.stop();
  }

  /** What is known about a position. @param {string} question in JSON */
  known(question) {
    return this.#known.get(question) ?? null;
  }

  /**
   * Ask about a position, unless another one is shown soon. This replaces a question about another position.
   * @param {string} question in JSON
   * @param {() => void} then called when the answer is known
   */
  want(question, then) {
    clearTimeout(this.#timer);
    if (this.known(question)) return this.#positions.stop();
    this.#timer = setTimeout(async () => {
      const answer = await this.#positions.ask((signal) => this.#arbiter.go(/** @type {import('../arbiter.js').GoGame} */ (JSON.parse(question)), { signal }), () => this.want(question, then));
      if (!answer?.result) return;
      this.#known.set(question, answer.result);
      then();
    }, REST);
  }

  /** Drop all questions. */
  close() {
    clearTimeout(this.#timer);
    this.#games.stop();
    this.#positions.stop();
  }
}
