// Decides which move values a game shows: those that the user asks for in a position, or always all of them. An unsolved puzzle shows
// them only on request.

import { Puzzle } from './puzzle.js';
import { remember, remembered } from './remember.js';

/** `hint`: the best move. `values`: the values of all moves. @typedef {'nothing' | 'hint' | 'values'} Shows */

const ANALYSIS = 'arbiter-analysis';

/** Has the user chosen to always see all values? */
export const wantsAnalysis = () => remembered(ANALYSIS) === 'on';

/** @param {boolean} analysis */
export const rememberAnalysis = (analysis) => remember(ANALYSIS, analysis ? 'on' : 'off');

/**
 * Show all values of the position, or hide them.
 * @param {import('./bar.js').Valued} session
 */
export const toggleValues = (session) => session.showValues(session.shows === 'values' ? 'nothing' : 'values');

/**
 * Positions are compared by `===`.
 * @template Position
 * @template Move
 */
export class Values {
  /** Returns the board of the game. @type {() => object} */
  #board;
  /** The puzzle and its board. @type {{ puzzle: Puzzle, board: object } | null} */
  #puzzle;
  /** The last move that didn't solve the puzzle, and where it was tried. @type {{ position: Position, move: Move } | null} */
  #wrong = null;
  /** The user's last request, and the position it was for. */
  #asked = { position: /** @type {Position | null} */ (null), shows: /** @type {Shows} */ ('nothing') };

  /**
   * @param {boolean} analysis      are all values always shown?
   * @param {number | undefined} puzzle the number of the puzzle on the board
   * @param {() => object} board        returns the board of the game; boards are compared by `===`
   */
  constructor(analysis, puzzle, board) {
    this.analysis = analysis;
    this.#board = board;
    this.#puzzle = puzzle ? { puzzle: new Puzzle(puzzle), board: board() } : null;
  }

  /** The puzzle on the board; null while there is another board. */
  get puzzle() {
    return this.#puzzle?.board === this.#board() ? this.#puzzle.puzzle : null;
  }

  /**
   * Always show all values, or show none until the user asks for them.
   * @param {boolean} analysis
   */
  setAnalysis(analysis) {
    this.analysis = analysis;
    this.#asked.shows = 'nothing';
  }

  /** The number of the puzzle on the board; undefined if it is solved or there is none. */
  get unsolved() {
    return this.puzzle && !this.puzzle.solved ? this.puzzle.number : undefined;
  }

  /**
   * Try a move. Returns false if it doesn't solve the puzzle and so must not be played.
   * @param {Position} position
   * @param {Move} move
   * @param {boolean} right does it win?
   */
  attempt(position, move, right) {
    const stands = !this.puzzle || this.puzzle.attempt(right);
    this.#wrong = stands ? null : { position, move };
    return stands;
  }

  /**
   * The wrong move that was tried last in this position; null if there is none.
   * @param {Position} position
   */
  wrongAt(position) {
    return this.puzzle && this.#wrong?.position === position ? this.#wrong.move : null;
  }

  /**
   * @param {Position} position
   * @returns {Shows}
   */
  at(position) {
    if (this.analysis && this.unsolved === undefined) return 'values';
    return this.#asked.position === position ? this.#asked.shows : 'nothing';
  }

  /**
   * Show this in one position, and nothing in any other.
   * @param {Position} position
   * @param {Shows} shows
   */
  show(position, shows) {
    this.#asked = { position, shows };
    if (this.puzzle && !this.puzzle.solved && shows !== 'nothing') this.puzzle.helped = true;
  }
}
