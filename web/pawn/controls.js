// The controls: the bar, the hints, and the steps through the game and the best line.

import { Bar, Hints } from '../page/bar.js';
import { h, setContent } from '../page/dom.js';
import { failureText } from '../page/problem.js';
import { note, say } from '../page/say.js';
import { isFailure } from '../page/service.js';
import { t } from '../page/text.js';
import { button, select, Steps } from '../page/ui.js';
import { columns } from './board.js';
import { SIDE_CHOICES } from './link.js';
import { LONGEST } from './longest.js';
import { KINDS } from './random.js';
import { valueSign } from './words.js';

/** @typedef {import('./session.js').Session} Session */
/** @typedef {typeof KINDS[number]} Kind */

export class Controls {
  #session;
  #bar;
  #hints;
  #newBoard;
  #side;
  #resume;
  #steps;

  /**
   * @param {Session} session
   * @param {() => void} puzzle show a puzzle
   */
  constructor(session, puzzle) {
    this.#session = session;
    this.#side = select(SIDE_CHOICES.map((side) => [side, t(`pawn.side.${side}`)]),
      (side) => session.setSide(/** @type {import('./link.js').SideChoice} */ (side)));
    const newBoard = this.#newBoard = new NewBoard(session), hints = this.#hints = new Hints(session);
    this.#bar = new Bar(session, {
      begin: () => newBoard.draw(), kinds: newBoard.kinds, puzzle, more: hints.hint,
      sides: [hints.answers, h('label', {}, t('play.side'), this.#side)],
    });
    this.#resume = button(t('pawn.track.resume'), () => session.resume(), { class: 'main' });
    this.#steps = new Steps(t('pawn.track.walk'), (step) => session.goTo(step));
    this.elements = [this.#resume, this.#steps.element, this.#bar.element, newBoard.progress];
  }

  show() {
    const { record, visible, canResume, mode, side } = this.#session;
    this.#bar.show();
    this.#hints.show();
    this.#side.value = side;
    this.#steps.element.hidden = mode === 'edit';
    this.#resume.hidden = !canResume;
    this.#steps.show(record.at, visible.length, t('play.step-of', { step: record.at, length: visible.length }));
  }

  /** Stop searching for a new board. */
  close() {
    this.#newBoard.stop();
  }
}

/** The controls in the bar that find a new board of a kind. */
class NewBoard {
  #session;
  /** @type {AbortController | null} of the current search */
  #search = null;
  #kind;
  #known;
  #words = h('span');
  #stop = button(t('play.stop'), () => this.stop(), { hidden: true });
  /** A description of the kind, or the state of the search. */
  progress = h('p', { class: 'soft' }, this.#words, ' ', this.#stop);

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    this.#kind = select(KINDS.map((kind) => [kind, t(`pawn.draw.${kind}`)]), () => this.#chosen(), { 'aria-label': t('pawn.draw.kind') });
    this.#known = select(LONGEST.map(({ board, ...value }, at) => [at, t('pawn.draw.entry',
      { rows: board.length, cols: columns(board), value: valueSign(value) })]), () => this.draw(), { 'aria-label': t('pawn.draw.known') });
    this.kinds = [this.#kind, this.#known];
    this.#chosen();
  }

  /** Stop searching. */
  stop() {
    this.#search?.abort();
  }

  /** @returns {Kind} */
  get #what() {
    return /** @type {Kind} */ (this.#kind.value);
  }

  #chosen() {
    this.stop();
    this.#known.hidden = this.#what !== 'longest';
    setContent(this.#words, this.#what === 'any' ? '' : t(`pawn.draw.hint.${this.#what}`));
  }

  async draw() {
    this.stop();
    const kind = this.#what;
    if (kind === 'longest') return this.#begin(LONGEST[Number(this.#known.value)]);
    const search = this.#search = new AbortController();
    this.#stop.hidden = false;
    this.#words.ariaBusy = 'true';
    setContent(this.#words, t('pawn.draw.searching'));
    try {
      const { position, tried } = await this.#session.search(kind, search.signal);
      this.#tell(t(position ? 'pawn.draw.found' : 'pawn.draw.none', { tried }));
      if (position) this.#begin(position);
    } catch (error) {
      if (search.signal.aborted) setContent(this.#words, t('pawn.draw.stopped'));
      else if (isFailure(error)) this.#tell(failureText(error));
      else throw error;
    } finally {
      if (this.#search === search) {
        this.#stop.hidden = true;
        this.#words.ariaBusy = 'false';
      }
    }
  }

  /** @param {import('./record.js').Position} position */
  #begin(position) {
    const { side } = this.#session;
    this.#session.beginDrawn(position);
    if (this.#session.side !== side) note(t('pawn.side-changed', { side: t(`pawn.side.${position.turn}`) }));
  }

  /** @param {string} text */
  #tell(text) {
    setContent(this.#words, text);
    say(text);
  }
}
