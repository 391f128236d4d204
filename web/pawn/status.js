// How it stands, above the board: who is to move, who wins and in how many moves; at the end of a game who has won, and
// how.

import { h, put } from '../page/dom.js';
import { joined, t } from '../page/text.js';
import { pieceOf } from './board.js';
import { icon } from './drawing.js';
import { valueWords } from './words.js';

/** @typedef {import('./session.js').Session} Session */

export class Status {
  #session;
  #turn = h('p', { class: 'pawn-turn' });
  #verdict = h('p', { class: 'verdict' });
  #more = h('p', { class: 'soft' });
  element = h('div', { class: 'pawn-status' }, this.#turn, h('div', {}, this.#verdict, this.#more));

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
  }

  /**
   * What was said of another position stays, dimmed, for a moment, until it is known how this one stands: nothing jumps then.
   * @param {string} refused why this is no position; '' where it is one
   * @returns {string} what stands there now; '' for the moment before the answer
   */
  show(refused) {
    const session = this.#session;
    const { ending, result, asking, position: { turn } } = session, stale = session.stale && refused === '';
    const known = Boolean(ending ?? result) || refused !== '' || asking === 'failed';
    this.element.classList.toggle('pawn-stale', stale);
    this.element.setAttribute('aria-busy', String(!known));
    if (stale) {
      if (!this.#verdict.hasChildNodes()) put(this.#verdict, '…');
      return '';
    }
    const winner = ending?.winner ?? result?.verdict ?? 'none';
    this.element.dataset.winner = winner;
    put(this.#turn, icon(pieceOf(ending?.winner ?? turn)), h('span', {}, ending ? t('pawn.over') : t(`pawn.turn.${turn}`)),
      !ending && session.plays !== 'both' && h('span', { class: 'soft' }, t(session.plays === turn ? 'play.you' : 'play.program')));
    put(this.#verdict, this.#verdictWords(refused));
    put(this.#more, refused || (ending ? '' : more(session)));
    if (!known && asking !== 'late') return '';
    return joined('statements', [...this.#turn.querySelectorAll('span'), this.#verdict, this.#more].map((part) => part.textContent));
  }

  /**
   * @param {string} refused
   */
  #verdictWords(refused) {
    const { ending, result, asking } = this.#session;
    if (ending) return t(`pawn.ended.${ending.winner}.${ending.reason}`);
    if (refused) return t('pawn.not-yet');
    if (result) return valueWords(result);
    return t(asking === 'failed' ? 'page.unanswered' : 'page.late');
  }
}

/**
 * What a tie is, how many of the moves are as good as the verdict, and that a game goes in circles.
 * @param {Session} session
 */
function more(session) {
  const { result, position: { turn } } = session;
  if (!result) return '';
  const { verdict, moves = [] } = result, count = moves.filter((move) => move.verdict === verdict).length;
  const kind = verdict === 'Tie' ? 'holding' : verdict === turn ? 'winning' : null;
  return joined('sentences', [
    verdict === 'Tie' && t('pawn.endless'),
    kind && count < moves.length && t(`pawn.${kind}`, { count, total: moves.length }),
    verdict === 'Tie' && session.circling && t('pawn.circling'),
  ]);
}
