// The controls: the bar, with the choice of the stone to play or to set up, and the slider of the steps.

import { Bar } from '../page/bar.js';
import { h, s, setContent } from '../page/dom.js';
import { note } from '../page/say.js';
import { t } from '../page/text.js';
import { button, checkbox, enable, optionsOf, select, Steps, Toggle } from '../page/ui.js';
import { COLORS } from './game.js';
import { handicapOf, isEmpty, LEAST_SIZE, MOST_SIZE, mostHandicap, nameOf } from './points.js';
import { dot, entryText } from './words.js';

/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./game.js').Color} Color */
/** @typedef {import('./line.js').Line} Line */

export class Controls {
  #session;
  #view;
  #next;
  #tools;
  #clear;
  #alternate;
  #playing;
  #pass;
  #size;
  #handicap = select([], () => this.#chosen(), { 'aria-label': t('go.handicap') });
  /** The first board of the game that `#size` and `#handicap` were last set to. @type {readonly string[]} */
  #setup = [];
  #bar;
  #steps;
  #misses = s('path', {});
  /** @type {Line | null} */
  #marked = null;

  /**
   * @param {Session} session
   * @param {import('./view.js').View} view
   */
  constructor(session, view) {
    this.#session = session;
    this.#view = view;
    this.#next = new Toggle(t('go.next'), COLORS.map((color) => [color, dot(color), ' ', t(`go.color.${color}`)]),
      (color) => session.setNext(color));
    this.#tools = new Toggle(t('go.tools'), [
      ...COLORS.map((color) => /** @type {[Color | null, ...any[]]} */ ([color, dot(color), ' ', t(`go.tool.${color}`)])),
      [null, t('go.tool.erase')],
    ], (tool) => session.setTool(tool));
    this.#clear = button(t('play.clear'), () => session.begin(session.size, 0));
    this.#alternate = checkbox((checked) => session.setAlternate(checked));
    this.#playing = h('div', { class: 'row' }, h('span', {}, t('go.next')), this.#next.element, h('label', {}, this.#alternate, t('go.alternate')));
    this.#pass = button(t('go.pass'), () => session.play(view.aimed));
    const sizes = Array.from({ length: MOST_SIZE - LEAST_SIZE + 1 }, (_, at) => LEAST_SIZE + at);
    this.#size = select(sizes.map((side) => [side, `${side} × ${side}`]), () => {
      this.#offerHandicap();
      this.#chosen();
    }, { 'aria-label': t('go.size') });
    this.#bar = new Bar(session, {
      begin: () => this.#begin(),
      kinds: [this.#size, this.#handicap], sides: [this.#playing, this.#tools.element, this.#clear], more: this.#pass,
    });
    const mark = s('svg', { viewBox: '0 0 1 1', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, this.#misses);
    this.#steps = new Steps(t('go.steps'), (step) => session.goTo(step), mark);
    this.bar = this.#bar.element;
    this.steps = this.#steps.element;
  }

  show() {
    const { mode, next, tool, alternate, game: { setup } } = this.#session, playing = mode === 'play';
    this.#playing.hidden = this.#pass.hidden = !playing;
    this.#tools.element.hidden = this.#clear.hidden = playing;
    const { aimed } = this.#view;
    setContent(this.#pass, aimed ? t('go.try-point', { point: nameOf(aimed, setup.length) }) : t('go.pass'));
    this.#pass.classList.toggle('main', aimed !== null);
    this.#next.show(next);
    this.#tools.show(tool);
    this.#alternate.checked = alternate;
    this.#bar.show();
    if (setup !== this.#setup) this.#follow(setup);
    this.#showSteps();
  }

  #begin() {
    this.#session.begin(Number(this.#size.value), Number(this.#handicap.value));
  }

  /** Another size or handicap was chosen: before the first move, it's for this board. */
  #chosen() {
    const { record, length, game: { setup } } = this.#session;
    if (!record && length === 0 && (handicapOf(setup) > 0 || isEmpty(setup))) this.#begin();
    else note(t('play.with-new'));
  }

  /**
   * Offer the size and the handicap of this board for the next one.
   * @param {readonly string[]} setup
   */
  #follow(setup) {
    this.#setup = setup;
    this.#size.value = String(Math.max(LEAST_SIZE, setup.length));
    this.#offerHandicap(handicapOf(setup));
  }

  /**
   * Offer the numbers of handicap stones that are possible on a board of the chosen size.
   * @param {number} [wanted] the number to select; the selected one if absent
   */
  #offerHandicap(wanted = Number(this.#handicap.value)) {
    const most = mostHandicap(Number(this.#size.value)), chosen = Math.min(most, wanted);
    const stones = Array.from({ length: Math.max(0, most - 1) }, (_, at) => at + 2);
    setContent(this.#handicap, optionsOf([[0, t('go.no-handicap')],
      ...stones.map((count) => /** @type {const} */ ([count, t('go.handicap-stones', { count })]))]));
    if (stones.includes(chosen)) this.#handicap.value = String(chosen);
    enable(this.#handicap, most > 0);
  }

  #showSteps() {
    const { step, length, line } = this.#session, place = t('play.step-of', { step, length });
    const words = line && step > 0 ? t('go.step-happened', { step: place, happened: entryText(line.entry(step), this.#session) }) : place;
    this.#steps.show(step, length, words, length > 0 && (line === null || line.boards !== null));
    if (!line || line === this.#marked) return;
    this.#marked = line; // marks on the slider show the refused moves
    this.#misses.setAttribute('d', line.misses.map(({ move }) => `M${move / line.length} 0V1`).join(''));
  }

  /** Focus the slider. */
  focus() {
    this.#steps.focus();
  }
}
