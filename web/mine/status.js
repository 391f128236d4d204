// The state of the game: the players, the turn, the end of the game and, if the answers are shown, the verdict. The line below the field:
// remarks about the last clicks.

import { clearContent, h, setContent } from '../page/dom.js';
import { cellName } from '../page/grid.js';
import { joined, t } from '../page/text.js';
import { button } from '../page/ui.js';
import { PLAYERS } from './position.js';
import { hintText, missingText, playerText, reasonText, verdictText } from './words.js';

/** @typedef {import('./session.js').Session} Session */

export class Status {
  #session;
  #players = PLAYERS.map((player) => ({ player, element: h('p', { class: 'mine-player', 'data-player': player }) }));
  #now = h('p', { class: 'mine-now' });
  #verdict = h('p');
  #words = h('p');
  #takeBack;

  /**
   * @param {Session} session
   * @param {() => void} onButtonGone called when the focused button is removed
   */
  constructor(session, onButtonGone) {
    this.#session = session;
    this.#takeBack = button(t('play.take-back'), () => {
      session.undo();
      onButtonGone();
    });
    this.versus = h('div', { class: 'mine-versus' }, this.#players.map(({ element }) => element));
    /** Always has space for the button, so that nothing moves when it appears. */
    this.remarks = h('div', { class: 'mine-remarks' }, this.#words, this.#takeBack);
    this.element = h('section', { class: 'status mine-status', 'aria-label': t('mine.turn') }, this.versus, this.#now, this.#verdict);
  }

  /** All its text. */
  get words() {
    return joined('sentences', [this.#now, this.#words, this.#verdict].map((line) => line.textContent));
  }

  show() {
    const session = this.#session, { mode, result, over, awaited } = session;
    this.element.classList.toggle('mine-stale', awaited && mode === 'play');
    this.element.classList.toggle('mine-ended', over);
    this.element.classList.toggle('mine-beaten', over && session.side === result?.turn);
    this.versus.hidden = mode === 'edit';
    this.#showVerdict();
    if (mode === 'edit') {
      setContent(this.#now, t('mine.edit-note'));
      clearContent(this.#words);
      this.#takeBack.hidden = true;
      return;
    }
    if (awaited && this.#now.textContent) return; // keep the text about the previous position, dimmed
    for (const { player, element } of this.#players) this.#player(element, player, session);
    setContent(this.#now, nowOf(session));
    const { wrong, lastMark } = session;
    this.#takeBack.hidden = lastMark !== 'lost' || over || wrong !== null;
    setContent(this.#words, result && !over && remarksOf(session));
  }

  #showVerdict() {
    const { verdict: { result, last, problem }, analysis, over } = this.#session, shown = result ?? last;
    this.#verdict.className = analysis ? 'verdict' : 'soft';
    this.#verdict.dataset.player = analysis && shown ? shown.verdict : '';
    setContent(this.#verdict, shown && !problem && !over && (analysis ? verdictText(shown, this.#session) : t('play.answers-hidden')));
  }

  /**
   * @param {HTMLElement} element
   * @param {typeof PLAYERS[number]} player
   * @param {Session} session
   */
  #player(element, player, { side, result, over }) {
    const role = side === 'both' ? '' : t(side === player ? 'play.you' : 'play.program');
    const turns = !over && result?.turn === player, won = over && result?.verdict === player;
    element.classList.toggle('mine-turn', turns || won);
    setContent(element, h('span', { class: 'mine-token', 'aria-hidden': 'true' }, won ? '★' : turns ? '▶' : '●'), ' ', h('b', {}, playerText(player)), role && [' ', h('span', {}, role)]);
  }
}

/**
 * The text above the field: the player to move, or the winner, or why there is no answer.
 * @param {Session} session
 */
function nowOf(session) {
  const { side, result, over, programsTurn } = session, missing = missingText(session);
  if (missing || !result) return missing;
  const { verdict, turn: player } = result;
  if (over) {
    return side === 'both' ? t('mine.over', { winner: playerText(verdict), loser: playerText(player) }) : t(side === verdict ? 'mine.you-won' : 'mine.you-lost');
  }
  if (programsTurn) return t('play.thinking');
  return side === 'both' ? t('mine.turn-of', { player: playerText(player) }) : t('mine.your-turn');
}

/**
 * The text below the field: the hint, else the mark of the last click by hand, how the computer chose its click, and why the player to
 * move loses.
 * @param {Session} session
 */
function remarksOf(session) {
  const { position: { clicks, by }, lastMark, how, why, whyKept, wrong, shows, analysis } = session;
  if (wrong) return h('span', { class: 'mine-mark mine-lost' }, t('mine.wrong', { cell: cellName(wrong) }));
  if (shows === 'hint') return hintText(session);
  if (!analysis) return '';
  const reason = (/** @type {typeof why} */ given, /** @type {'because' | 'loses'} */ key) => given && t(`mine.${key}`, { reason: reasonText(given) });
  return [
    lastMark && h('span', { class: `mine-mark mine-${lastMark}` }, `${lastMark === 'kept' ? '✓' : '✗'} ${t(`mine.coach-${lastMark}`)}`),
    h('span', {}, joined('sentences', [lastMark && ' ', reason(whyKept, 'because'),
      by === 'opponent' && how && t(`mine.how-${how}`), clicks.length > 0 && reason(why, 'loses')])),
  ];
}
