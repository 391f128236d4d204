// Decides what a game tells about a position: nothing, the best move if the user asks for it, or all answers: who wins, what each move is
// worth, and how good the moves so far were. Answers are hidden until the user switches them on, and always when a puzzle begins.

import { Puzzle } from './puzzle.js';
import { remember, remembered } from './remember.js';

/** `hint`: the best move. `values`: all answers. @typedef {'nothing' | 'hint' | 'values'} Shows */

const ANSWERS = 'arbiter-answers';

/** Has the user chosen to see the answers? */
export const wantsAnalysis = () => remembered(ANSWERS) === 'on';

/**
 * Show the answers, or hide them. The choice is remembered, except in a puzzle.
 * @param {import('./bar.js').Valued} session
 * @param {boolean} [shown] the opposite of now if absent
 */
export function setAnswers(session, shown = !session.analysis) {
  if (!session.puzzle || session.puzzle.solved) remember(ANSWERS, shown ? 'on' : 'off');
  session.setAnalysis(shown);
}

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
  /** The position for which the user has asked for a hint. @type {Position | null} */
  #hinted = null;

  /**
   * @param {boolean} analysis          are the answers shown?
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

  /** @param {boolean} analysis are the answers shown? */
  setAnalysis(analysis) {
    this.analysis = analysis;
    this.#hinted = null;
    if (analysis) this.help();
  }

  /** The user has seen more than the puzzle: a hint, the answers, or the computer playing the user's side. */
  help() {
    if (this.puzzle && !this.puzzle.solved) this.puzzle.helped = true;
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
    if (this.analysis) return 'values';
    return this.#hinted === position ? 'hint' : 'nothing';
  }

  /**
   * Show the best move of one position.
   * @param {Position} position
   */
  hint(position) {
    this.#hinted = position;
    this.#wrong = null;
    this.help();
  }
}
