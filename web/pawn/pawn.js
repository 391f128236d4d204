// The playground of the crossing pawn: what is done on it goes to the session, what is not known yet to the service,
// and what is known then onto the page.

import { h } from '../page/dom.js';
import { note, say } from '../page/say.js';
import { language, t } from '../page/text.js';
import { Answers, questionOf } from './ask.js';
import { BoardView } from './view.js';
import { Choice } from './choice.js';
import { Draws } from './draws.js';
import { Editor } from './editor.js';
import { faultsOf } from './faults.js';
import { PLAYS, readState, writeState } from './link.js';
import { Moves } from './moves.js';
import { moveName } from './words.js';
import { begun, looked, playable, played, positions } from './record.js';
import { keysShown, rulesShown } from './rules.js';
import { Session } from './session.js';
import { Standing } from './status.js';
import { Track } from './controls.js';

/** @typedef {import('../page/main.js').Page} Page */
/** @typedef {import('../page/main.js').Playground} Playground */
/** @typedef {import('./board.js').Move} Move */
/** @typedef {import('./link.js').Shown} Shown */

/** What a newcomer sees: two moves win, two keep a tie, two lose. */
const FIRST = /** @type {Shown} */ ({
  record: begun(['#..O..', '....#.', '.O#...', '..#...', '#....X', '......'], 'Red'),
  mode: 'play',
  plays: 'Red',
  values: true,
});

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
  const pawn = new Pawn(page, state ? readState(state) : FIRST, before);
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
  #answers;
  #view;
  #standing = new Standing();
  #moves;
  #track;
  #editor;
  #draws;
  #plays = new Choice(t('pawn.plays.title'), PLAYS.map((plays) => [plays, t(`pawn.plays.${plays}`)]),
    (plays) => this.#choose(plays));
  #mode = new Choice(t('pawn.mode.title'), [['play', t('pawn.mode.play')], ['edit', t('pawn.mode.edit')]],
    (mode) => this.#setMode(/** @type {'play' | 'edit'} */ (mode)));
  /** @type {ReturnType<typeof setTimeout> | undefined} until the program moves */
  #timer;
  #said = '';
  #keys = (/** @type {KeyboardEvent} */ event) => this.#key(event);

  /**
   * @param {Page} page
   * @param {Shown} first
   * @param {Session} [before]
   */
  constructor(page, first, before) {
    this.#page = page;
    this.#answers = new Answers(page.service, () => this.#update());
    this.session = new Session(first, this.#answers.result, before);
    const act = (/** @type {(...given: any[]) => void} */ doing) => (/** @type {any[]} */ ...given) => {
      doing(...given);
      this.#changed();
    };
    const session = this.session, play = act((move) => session.play(move));
    this.#editor = new Editor(session, act((board, turn) => session.begin(board, turn)));
    this.#moves = new Moves({
      play,
      mean: (moves) => this.#view.mean(moves),
      showValues: (values) => this.#showValues(values),
    });
    this.#view = new BoardView(session, {
      play,
      paint: act((cell, what) => session.paint(cell, what ?? this.#editor.tool)),
      press: act((cell) => session.press(cell, this.#editor.tool)),
      drag: act((cell) => session.drag(cell)),
      lift: act(() => session.lift()),
      step: act((by) => session.look(session.record.at + by)),
      toggleValues: () => this.#showValues(!session.values),
      pointed: (moves) => this.#moves.mark(moves),
    });
    this.#track = new Track({
      undo: act(() => session.undo()),
      redo: act(() => session.redo()),
      restart: act(() => session.restart()),
      forget: act(() => session.forget()),
      resume: act(() => (session.paused = false)),
      look: act((at) => session.look(at)),
    });
    this.#draws = new Draws(session, this.#answers, (position, kind) => this.#take(position, kind));
    this.element = this.#build();
    document.addEventListener('keydown', this.#keys);
    this.#ask();
    this.#update();
    this.#check();
  }

  /** What is on the screen, as the service can be asked: of a board on which a piece was taken, the one before. */
  get askable() {
    const { ending, before, position } = this.session;
    return ending && ending.reason !== 'no-move' ? before : position;
  }

  close() {
    this.#draws.stop();
    this.#answers.close();
    clearTimeout(this.#timer);
    document.removeEventListener('keydown', this.#keys);
  }

  #build() {
    const paces = h('select', { onchange: () => {
      pace = /** @type {keyof typeof PACES} */ (paces.value);
      this.#schedule();
    } }, Object.keys(PACES).map((key) => h('option', { value: key, selected: key === pace }, t(`pawn.pace.${key}`))));
    return h('div', { class: 'playground pawn' },
      h('div', { class: 'heading pawn-head' },
        h('h1', {}, t('pawn.name')), h('p', { class: 'soft' }, t('pawn.tagline')), this.#mode.element),
      h('div', { class: 'board' },
        this.#standing.element, this.#view.element, this.#editor.palette, this.#track.controls),
      h('div', { class: 'side' }, this.#editor.element, this.#moves.element,
        h('section', { class: 'card', 'aria-label': t('pawn.plays.title') },
          h('h2', {}, t('pawn.plays.title')), this.#plays.element, h('label', {}, t('pawn.pace.title'), paces)),
        this.#track.element, this.#draws.element, rulesShown(), keysShown()));
  }

  /** Something was done: show it, and ask what is not known of it. */
  #changed() {
    this.#page.changed();
    this.#ask();
    this.#update();
  }

  async #ask() {
    if (!await this.#answers.want(this.session.wanted, () => this.#changed())) return;
    if (this.session.mode === 'play' && this.#problem?.status === 422) {
      this.session.mode = 'edit'; // nothing can be played on such a board
    }
    this.#page.changed(); // whether the game is over decides what can be asked
    this.#update();
  }

  /** What the service says against the board. */
  get #problem() {
    return this.session.ending ? undefined : this.#answers.get(this.session.position)?.problem;
  }

  /** A record from a link: are all of its moves possible? */
  async #check() {
    const { session } = this, { record } = session;
    if (record.moves.length === 0 || !await this.#answers.all(positions(record), () => this.#check())) return;
    if (!positions(record).every((position) => this.#answers.get(position))) return;
    const good = playable(record, this.#answers.result);
    if (session.record.moves === record.moves && good < record.moves.length) {
      session.history.now = played(looked(record, good), [], Math.min(good, record.at));
      note(t('pawn.broken', { move: good + 1 }), 'bad');
      return this.#changed();
    }
    this.#track.forget(); // all that was played can be judged now
    this.#update();
  }

  #update() {
    const { session } = this, problem = this.#problem;
    session.asking = this.#answers.state;
    this.#mode.show(session.mode);
    this.#plays.show(session.plays);
    const faults = faultsOf(problem, session.position.board), refused = faults.map(({ text }) => text).join(language() === 'zh' ? '' : ' ');
    const words = this.#standing.show(session, problem ? refused || t('pawn.refused') : '');
    this.#view.show(faults);
    this.#moves.show(session);
    this.#track.show(session);
    this.#editor.show(session, problem, faults);
    if (words !== '') this.#tell(words);
    this.#schedule();
  }

  /**
   * Say how it stands, with the move that led there and what that was worth.
   * @param {string} words
   */
  #tell(words) {
    const { last, before, told, mode } = this.session;
    const moved = () => t('pawn.moved', { side: t(`pawn.side.${before.turn}`), move: moveName(before.board, last) });
    const move = last && mode === 'play' ? [moved()] : [];
    const worth = told && told.judgement !== 'best' ? [t(`pawn.mark.${told.judgement}`)] : [];
    const said = [...move, ...worth, words].join('. ');
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

  /** @param {import('./link.js').Plays} plays */
  #choose(plays) {
    this.session.choose(plays);
    this.#changed();
  }

  /** @param {'play' | 'edit'} mode */
  #setMode(mode) {
    this.session.mode = mode;
    this.#changed();
  }

  /** @param {boolean} values */
  #showValues(values) {
    this.session.values = values;
    this.#changed();
  }

  /**
   * @param {import('./record.js').Position} position
   * @param {import('./draws.js').Kind} kind
   */
  #take({ board, turn }, kind) {
    const { session } = this;
    session.begin(board, turn);
    session.mode = 'play';
    session.values = kind !== 'puzzle'; // which they would solve
    if (session.plays === 'Red' || session.plays === 'Black') session.plays = turn;
    this.#changed();
  }

  /**
   * Keys for the whole page: undo and redo, and the arrows where nothing else takes them.
   * @param {KeyboardEvent} event
   */
  #key(event) {
    const { session } = this, target = /** @type {Element} */ (event.target);
    const control = event.ctrlKey || event.metaKey;
    if (event.defaultPrevented || event.altKey) return;
    if (target.closest(control ? 'textarea' : 'input, textarea, select, .grid')) return;
    const key = `${control ? 'Control ' : ''}${event.shiftKey ? 'Shift ' : ''}${event.key}`.toLowerCase();
    if (key === 'control z') session.undo();
    else if (key === 'control y' || key === 'control shift z') session.redo();
    else if (key === 'arrowleft' && session.mode === 'play') session.look(session.record.at - 1);
    else if (key === 'arrowright' && session.mode === 'play') session.look(session.record.at + 1);
    else return;
    event.preventDefault();
    this.#changed();
  }
}
