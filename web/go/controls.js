// Above the board, what a click does: play a stone of the next colour, or set one up. Below it the acts of a player, and the steps of
// the game.

import { h, s } from '../page/dom.js';
import { t } from '../page/text.js';
import { button, checkbox, enable, Steps, Toggle } from '../page/ui.js';
import { COLORS } from './game.js';
import { dot, entryText } from './words.js';

/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./game.js').Color} Color */
/** @typedef {import('./line.js').Line} Line */

const MODES = /** @type {const} */ (['play', 'setup']);

const SIGNS = { first: 'M6 5h2v14H6zM19 5v14l-10-7z', back: 'M16 5v14L6 12z', forward: 'M8 5v14l10-7z', last: 'M16 5h2v14h-2zM5 5v14l10-7z' };

export class Controls {
  #session;
  #changed;
  #modes;
  #next;
  #brushes;
  #alternate;
  #playing;
  #setting;
  #buttons;
  #steps;
  #misses = s('path', {});
  /** @type {Line | null} */
  #marked = null;

  /** What the set-up sets now; null erases. @type {Color | null} */
  brush = 'B';

  /**
   * @param {Session} session
   * @param {() => void} changed another brush or mode was chosen
   */
  constructor(session, changed) {
    this.#session = session;
    this.#changed = changed;
    this.#modes = new Toggle(t('go.modes'), MODES.map((mode) => [mode, t(`go.mode.${mode}`)]), (mode) => this.setMode(mode));
    this.#next = new Toggle(t('go.next'), COLORS.map((color) => [color, dot(color), ' ', t(`go.color.${color}`)]),
      (color) => session.choose(color));
    this.#brushes = new Toggle(t('go.brushes'), [
      ...COLORS.map((color) => /** @type {[Color | null, ...any[]]} */ ([color, dot(color), ' ', t(`go.brush.${color}`)])),
      [null, t('go.brush.erase')],
    ], (brush) => this.setBrush(brush));
    this.#alternate = checkbox((checked) => session.setAlternate(checked));
    this.#playing = h('div', { class: 'row' }, h('label', {}, this.#alternate, t('go.alternate')), this.#next.element);
    this.#setting = h('div', { class: 'row' }, this.#brushes.element);
    this.tools = h('div', { class: 'row end go-tools' }, this.#playing, this.#setting, this.#modes.element);

    const { pass, undo, redo } = this.#buttons = {
      pass: button(t('go.pass'), () => session.play(null)),
      undo: button(t('play.undo'), () => session.undo()),
      redo: button(t('play.redo'), () => session.redo()),
    };
    const mark = s('svg', { viewBox: '0 0 1 1', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, this.#misses);
    this.#steps = new Steps({
      label: t('go.steps'), kind: 'go-steps', signs: SIGNS, show: (step) => session.to(step),
      names: { first: t('go.first'), back: t('go.back'), forward: t('go.forward'), last: t('go.last'), step: t('go.step') },
      middle: (slider) => h('div', { class: 'go-track' }, slider, mark),
    });
    this.#steps.count.setAttribute('aria-hidden', 'true');
    this.element = h('div', { class: 'row' }, h('div', { class: 'joined' }, pass, undo, redo), this.#steps.count, this.#steps.element);
  }

  show() {
    const { mode, next, alternate, history, pending } = this.#session, playing = mode === 'play', { pass, undo, redo } = this.#buttons;
    this.#modes.show(mode);
    this.#playing.hidden = !playing;
    this.#setting.hidden = playing;
    this.#next.show(next);
    this.#brushes.show(this.brush);
    this.#alternate.checked = alternate;
    enable(pass, playing);
    enable(undo, history.canUndo || pending !== null);
    enable(redo, history.canRedo);
    this.#showSteps();
  }

  #showSteps() {
    const { step, length, line, size } = this.#session, place = t('go.step-of', { step, length });
    const words = line && step > 0 ? t('go.step-happened', { step: place, happened: entryText(line.entry(step), size) }) : place;
    this.#steps.show(step, length, words, length > 0 && (line === null || line.boards !== null));
    if (!line || line === this.#marked) return;
    this.#marked = line; // where in the game moves were refused
    this.#misses.setAttribute('d', line.misses.map(({ move }) => `M${move / line.length} 0V1`).join(''));
  }

  /** Give the slider the focus. */
  focus() {
    this.#steps.focus();
  }

  /** @param {'play' | 'setup'} mode */
  setMode(mode) {
    this.#session.mode = mode;
    this.#session.clearFeedback();
    this.#changed();
  }

  /** @param {Color | null} brush */
  setBrush(brush) {
    this.brush = brush;
    this.#changed();
  }
}
