// The heading of a game: its name, the rules, and a line of text, which shows the goal of the game, the legend of the values, or the puzzle.
// A message covers it for a while. The line has a fixed place, so that nothing around it moves.

import { h, setContent } from './dom.js';
import { puzzleLink } from './link.js';
import { COUNT, numberOfDay } from './puzzle.js';
import { notes } from './say.js';
import { copy } from './share.js';
import { joined, list, t } from './text.js';
import { button } from './ui.js';

/** @typedef {import('./puzzle.js').Puzzle} Puzzle */
/** @typedef {import('./service.js').Game} Game */

/**
 * The part of a session that the heading uses.
 * @typedef {object} Headed
 * @property {'play' | 'edit'} mode
 * @property {import('./values.js').Shows} [shows]
 * @property {Puzzle | null} [puzzle]
 */

export class Heading {
  #game;
  #session;
  #line = h('p', { class: 'soft' });
  #puzzle;
  #title = h('b');
  #task = h('span', { class: 'task' });
  #words = h('span', { class: 'tries' });
  #share;

  /**
   * @param {Game} game
   * @param {Headed} session
   * @param {(number?: number) => void} [open] show the puzzle with this number; by default, today's
   */
  constructor(game, session, open) {
    this.#game = game;
    this.#session = session;
    this.#share = button(t('puzzle.share'), () => this.#shareResult(), { class: 'main' });
    const other = () => {
      const now = session.puzzle?.number ?? COUNT, number = 1 + Math.floor(Math.random() * (COUNT - 1));
      open?.(number < now ? number : number + 1); // never the current one
    };
    this.#puzzle = h('div', { class: 'puzzle row' }, h('p', {}, this.#title, ' ', this.#task, ' ', this.#words),
      button(t('puzzle.other'), other), this.#share);
    this.element = h('div', { class: 'heading' }, h('h1', {}, t(`${game}.name`)), help(game),
      h('div', { class: 'line' }, this.#line, this.#puzzle, notes));
  }

  show() {
    const { puzzle = null, shows } = this.#session;
    this.#line.hidden = puzzle !== null;
    this.#puzzle.hidden = puzzle === null;
    if (!puzzle) return setContent(this.#line, t(`${this.#game}.${shows === 'values' ? 'legend' : 'goal'}`));
    const { tries, solved } = puzzle;
    setContent(this.#title, titleText(puzzle));
    this.#puzzle.classList.toggle('solved', solved);
    setContent(this.#task, t(`${this.#game}.puzzle`));
    setContent(this.#words, solved ? resultText(puzzle) : tries > 0 && t('puzzle.tries', { tries }));
    this.#share.style.visibility = solved ? '' : 'hidden'; // while hidden, it still takes up its space
  }

  #shareResult() {
    const { puzzle } = this.#session;
    if (!puzzle) return;
    const url = new URL(puzzleLink(this.#game, puzzle.number), location.href).href;
    void copy(t('puzzle.line', { game: t(`${this.#game}.name`), number: puzzle.number, result: resultText(puzzle), url }));
  }
}

/** @param {Puzzle} puzzle */
const titleText = ({ number }) => t(number === numberOfDay(Date.now()) ? 'puzzle.title-today' : 'puzzle.title', { number });

/**
 * The title and the task of a puzzle, for screen readers.
 * @param {Game} game
 * @param {Puzzle} puzzle
 */
export const taskText = (game, puzzle) => joined('words', [titleText(puzzle), t(`${game}.puzzle`)]);

/** @param {Puzzle} puzzle */
export const resultText = ({ tries, helped }) => t(helped ? 'puzzle.solved-helped' : 'puzzle.solved', { tries });

/** @param {readonly string[]} texts */
const bullets = (texts) => h('ul', {}, texts.map((text) => h('li', {}, text)));

/** @param {readonly { keys: string, does: string }[]} rows */
const keyTable = (rows) => h('dl', {}, rows.map(({ keys, does }) => [h('dt', {}, h('kbd', {}, keys)), h('dd', {}, does)]));

/**
 * A dialog with the rules and the keys of a game, and the button that opens it.
 * @param {import('./service.js').Game} game
 */
function help(game) {
  const close = () => dialog.close();
  const dialog = h('dialog', { class: 'help', 'aria-label': t(`${game}.name`), onclick: (/** @type {Event} */ event) => {
    if (event.target === dialog) close(); // a click outside the contents
  } }, h('div', {},
    h('div', { class: 'row' }, h('h2', {}, t('play.rules')), button(t('page.close'), close, { class: 'end' })),
    bullets(list(`${game}.help.rules`)), h('div', { class: 'keys' }, h('h2', {}, t('play.keys')), keyTable(list(`${game}.help.keys`)))));
  return [button(t('play.rules'), () => dialog.showModal(), { 'aria-haspopup': 'dialog' }), dialog];
}
