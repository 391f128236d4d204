// The playground of the crossing pawn: what is done on it goes to the session, what is not known yet to the service,
// and what is known then onto the page.

import { h } from '../page/dom.js';
import { listenForKeys, undoKeys } from '../page/keys.js';
import { PuzzleLine, resultText } from '../page/puzzle-line.js';
import { note, say } from '../page/say.js';
import { joined, t } from '../page/text.js';
import { heading, select, Toggle } from '../page/ui.js';
import { wantsAnalysis } from '../page/values.js';
import { Ask, questionOf } from './ask.js';
import { Editor, GameCard, MovesCard } from './cards.js';
import { Controls, NewBoard } from './controls.js';
import { readState, writeState } from './link.js';
import { begun, looked, playable, played, positions } from './record.js';
import { Session } from './session.js';
import { Status } from './status.js';
import { View } from './view.js';
import { faultsOf, moveName } from './words.js';

/** @typedef {import('../page/main.js').Page} Page */
/** @typedef {import('../page/main.js').Playground} Playground */
/** @typedef {import('./board.js').Move} Move */
/** @typedef {import('./link.js').Shown} Shown */

/** What a newcomer sees: two moves win, two keep a tie, two lose. */
const FIRST = ['#..O..', '....#.', '.O#...', '..#...', '#....X', '......'];

/** Milliseconds before the program moves. */
const PACES = { 'at-once': 0, quick: 600, calm: 1800 };

/** @type {keyof typeof PACES} the pace that was chosen, for as long as the page is open */
let pace = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'at-once' : 'quick';

/**
 * @param {Page} page
 * @param {any} state
 * @param {Session} [before] the session that goes on, in another language
 * @returns {Playground}
 */
export function open(page, state, before) {
  const first = () => /** @type {Shown} */ ({ record: begun(FIRST, 'Red'), mode: 'play', plays: 'Red', values: wantsAnalysis() });
  const pawn = new Pawn(page, state ? readState(state) : first(), before);
  return {
    memory: pawn.session,
    element: pawn.element,
    state: () => writeState(pawn.session.shown),
    question: () => questionOf(pawn.askable),
    close: () => pawn.close(),
  };
}

class Pawn {
  #page;
  #ask;
  #view;
  #status;
  #controls;
  #moves;
  #game;
  #editor;
  #newBoard;
  #puzzle;
  #mode = new Toggle(t('play.mode'), [['play', t('play.play')], ['edit', t('pawn.edit.mode')]],
    (mode) => this.#setMode(/** @type {'play' | 'edit'} */ (mode)));
  /** @type {ReturnType<typeof setTimeout> | undefined} until the program moves */
  #timer;
  #said = '';
  #closed = new AbortController();

  /**
   * @param {Page} page
   * @param {Shown} first
   * @param {Session} [before]
   */
  constructor(page, first, before) {
    this.#page = page;
    this.#ask = new Ask(page.service, () => this.#update());
    this.session = new Session(first, this.#ask.result, before);
    const act = (/** @type {(...given: any[]) => void} */ doing) => (/** @type {any[]} */ ...given) => {
      doing(...given);
      this.#changed();
    };
    const session = this.session, play = act((move) => session.play(move));
    this.#editor = new Editor(session, act((board, turn) => session.begin(board, turn)));
    this.#status = new Status(session);
    this.#moves = new MovesCard({
      play,
      highlight: (moves) => this.#view.highlight(moves),
    });
    const look = act((at) => session.look(at)), undo = act(() => session.undo()), redo = act(() => session.redo());
    const reveal = act((shows) => session.reveal(shows));
    this.#view = new View(session, {
      play,
      paint: act((cell, what) => session.paint(cell, what ?? this.#editor.tool)),
      beginStroke: act((cell) => session.beginStroke(cell, this.#editor.tool)),
      continueStroke: act((cell) => session.continueStroke(cell)),
      endStroke: act(() => session.endStroke()),
      step: act((by) => session.look(session.record.at + by)),
      undo,
      reveal,
      highlighted: (moves) => this.#moves.mark(moves),
    });
    this.#puzzle = new PuzzleLine('pawn', page.puzzle);
    this.#newBoard = new NewBoard(session, this.#ask, act((position) => session.takeUp(position)));
    this.#controls = new Controls(session, {
      look, undo, redo, reveal,
      restart: act(() => session.restart()),
      resume: act(() => (session.paused = false)),
      puzzle: () => page.puzzle(),
      choose: act((plays) => session.choose(plays)),
      analyse: act((always) => (session.analysis = always)),
    }, this.#newBoard);
    this.#game = new GameCard(session, { look, cut: act(() => session.cutMoves()) }, this.#paces());
    this.element = this.#build();
    listenForKeys(({ target, ctrlKey, metaKey }) => {
      if (ctrlKey || metaKey) return target.closest('textarea') ? {} : undoKeys(undo, redo);
      const walks = session.mode === 'play' && !target.closest('input, textarea, select, .grid');
      return walks ? { arrowleft: () => look(session.record.at - 1), arrowright: () => look(session.record.at + 1) } : {};
    }, this.#closed.signal);
    this.#want();
    this.#update();
    this.#check();
  }

  /** What is on the screen, as the service can be asked: of a board on which a piece was taken, the one before. */
  get askable() {
    const { ending, before, position } = this.session;
    return ending && ending.reason !== 'no-move' ? before : position;
  }

  close() {
    this.#newBoard.stop();
    this.#ask.close();
    clearTimeout(this.#timer);
    this.#closed.abort();
  }

  #paces() {
    const paces = select(Object.keys(PACES).map((key) => [key, t(`pawn.pace.${key}`)]), (chosen) => {
      pace = /** @type {keyof typeof PACES} */ (chosen);
      this.#schedule();
    });
    paces.value = pace;
    return h('label', {}, t('pawn.pace.title'), paces);
  }

  #build() {
    return h('div', { class: 'playground pawn' }, heading('pawn', this.#mode),
      h('div', { class: 'board' }, this.#puzzle.elements,
        this.#status.element, this.#view.element, this.#view.readout, this.#editor.palette, this.#controls.element),
      h('div', { class: 'side' }, this.#editor.element, this.#moves.element, this.#game.element));
  }

  /** Something was done: show it, and ask what is not known of it. */
  #changed() {
    this.#page.changed();
    this.#want();
    this.#update();
  }

  async #want() {
    if (!await this.#ask.want(this.session.wanted, () => this.#changed())) return;
    if (this.session.mode === 'play' && this.#problem?.status === 422) {
      this.session.mode = 'edit'; // nothing can be played on such a board
    }
    this.#page.changed(); // whether the game is over decides what can be asked
    this.#update();
  }

  /** What the service says against the board. */
  get #problem() {
    return this.session.ending ? undefined : this.#ask.get(this.session.position)?.problem;
  }

  /** A record from a link: are all of its moves possible? */
  async #check() {
    const { session } = this, { record } = session;
    if (record.moves.length === 0 || !await this.#ask.check(positions(record), () => this.#check())) return;
    if (!positions(record).every((position) => this.#ask.get(position))) return;
    const good = playable(record, this.#ask.result);
    if (session.record.moves === record.moves && good < record.moves.length) {
      session.history.now = played(looked(record, good), [], Math.min(good, record.at));
      note(t('pawn.broken', { move: good + 1 }), 'bad');
      return this.#changed();
    }
    this.#game.renew(); // all that was played can be judged now
    this.#update();
  }

  #update() {
    const { session } = this, problem = this.#problem;
    session.asking = this.#ask.state;
    this.#mode.show(session.mode);
    this.#puzzle.show(session.puzzle);
    const faults = faultsOf(problem, session.position.board), refused = joined('sentences', faults.map(({ text }) => text));
    const words = this.#status.show(problem ? refused || t('pawn.refused') : '');
    this.#view.show(faults);
    const focused = this.#moves.element.contains(document.activeElement);
    this.#moves.show(session);
    if (focused && this.#moves.element.hidden) this.#view.grid.element.focus();
    this.#controls.show();
    this.#game.show();
    this.#editor.show(session, problem, faults);
    if (words !== '') this.#tell(words);
    this.#schedule();
  }

  /**
   * Say how it stands, with the move that led there and what that was worth.
   * @param {string} words
   */
  #tell(words) {
    const { last, before, lastVerdict, mode, puzzle, wrong, position: { board } } = this.session;
    const moved = () => t('pawn.moved', { side: t(`pawn.side.${before.turn}`), move: moveName(before.board, last) });
    const worth = lastVerdict && lastVerdict.judgement !== 'best' && t(`pawn.mark.${lastVerdict.judgement}`);
    const solving = puzzle && (wrong ? t('puzzle.wrong', { move: moveName(board, wrong) }) : puzzle.solved && resultText(puzzle));
    const said = joined('statements', [solving, last && mode === 'play' && moved(), worth, words]);
    if (said !== this.#said) say(said);
    this.#said = said;
  }

  /** Have the program move in a while, if it is its turn. */
  #schedule() {
    clearTimeout(this.#timer);
    if (!this.session.reply) return;
    this.#timer = setTimeout(() => {
      this.session.answer();
      this.#changed();
    }, PACES[pace]);
  }

  /** @param {'play' | 'edit'} mode */
  #setMode(mode) {
    this.session.mode = mode;
    this.#changed();
  }
}
