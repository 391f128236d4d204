// The line above the board: the legend of the game; during a puzzle its task, the number of tries, and the result to share.

import { h, put } from './dom.js';
import { puzzleLink } from './link.js';
import { COUNT, numberOfDay } from './puzzle.js';
import { copy } from './share.js';
import { joined, t } from './text.js';
import { button, legend } from './ui.js';

/** @typedef {import('./puzzle.js').Puzzle} Puzzle */
/** @typedef {import('./service.js').Game} Game */

export class PuzzleLine {
  #game;
  #session;
  #legend;
  #line;
  #title = h('b');
  #words = h('span');
  #share;

  /**
   * @param {Game} game
   * @param {{ puzzle: Puzzle | null }} session
   * @param {(number?: number) => void} open another puzzle; that of today if absent
   */
  constructor(game, session, open) {
    this.#game = game;
    this.#session = session;
    this.#legend = legend(game);
    this.#share = button(t('puzzle.share'), () => this.#shareResult(), { class: 'main' });
    const other = () => open(1 + Math.floor(Math.random() * COUNT));
    this.#line = h('div', { class: 'puzzle row' }, h('p', {}, this.#title, ' ', this.#words), this.#share,
      button(t('puzzle.other'), other));
    this.elements = [this.#legend, this.#line];
  }

  show() {
    const { puzzle } = this.#session;
    this.#legend.hidden = puzzle !== null;
    this.#line.hidden = puzzle === null;
    if (!puzzle) return;
    const { number, tries, solved } = puzzle, today = number === numberOfDay(Date.now());
    put(this.#title, t(today ? 'puzzle.title-today' : 'puzzle.title', { number }));
    put(this.#words, joined('sentences', solved ? [resultText(puzzle)] : [t(`${this.#game}.puzzle`), tries > 0 && t('puzzle.tries', { tries })]));
    this.#share.hidden = !solved;
  }

  #shareResult() {
    const { puzzle } = this.#session;
    if (!puzzle) return;
    const url = new URL(puzzleLink(this.#game, puzzle.number), location.href).href;
    void copy(t('puzzle.line', { game: t(`${this.#game}.name`), number: puzzle.number, result: resultText(puzzle), url }));
  }
}

/** @param {Puzzle} puzzle */
export const resultText = ({ tries, helped }) => t(helped ? 'puzzle.solved-helped' : 'puzzle.solved', { tries });
