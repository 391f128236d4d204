// The state of the game: the side to move and, if the answers are shown, the verdict and the number of moves; at the end, the winner and the
// reason.

import { h, setContent } from '../page/dom.js';
import { joined, t } from '../page/text.js';
import { pieceOf } from './board.js';
import { icon } from './drawing.js';
import { faultsOf, valueWords } from './words.js';

/** @typedef {import('./session.js').Session} Session */

export class Status {
  #session;
  #turn = h('p', { class: 'pawn-turn' });
  #verdict = h('p', { class: 'verdict' });
  #more = h('p', { class: 'soft' });
  element = h('div', { class: 'status pawn-status' }, this.#turn, h('div', {}, this.#verdict, this.#more));

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
  }

  /** The text shown; '' while waiting for the answer. */
  get words() {
    if (this.#session.awaited) return '';
    return joined('statements', [...this.#turn.querySelectorAll('span'), this.#verdict, this.#more].map((part) => part.textContent));
  }

  /** Until the answer to a move comes, the text about the previous position stays, dimmed, so that nothing jumps. */
  show() {
    const session = this.#session, { ending, result, stale, awaited, asking, problem, position: { board, turn } } = session;
    this.element.classList.toggle('pawn-stale', awaited);
    this.element.setAttribute('aria-busy', String(stale && asking !== 'failed'));
    if (awaited) {
      if (!this.#verdict.hasChildNodes()) setContent(this.#verdict, '…');
      return;
    }
    const refused = problem ? joined('sentences', faultsOf(problem, board).map(({ text }) => text)) || t('pawn.refused') : '';
    const winner = ending?.winner ?? result?.verdict ?? 'none';
    this.element.dataset.winner = winner;
    setContent(this.#turn, icon(pieceOf(ending?.winner ?? turn)), h('span', {}, ending ? overWords(session, ending) : t(`pawn.turn.${turn}`)),
      !ending && session.side !== 'both' && h('span', { class: 'soft' }, t(session.side === turn ? 'play.you' : 'play.program')));
    setContent(this.#verdict, this.#verdictWords(refused));
    setContent(this.#more, refused || (!ending && (session.analysis ? more(session) : t('play.answers-hidden'))));
  }

  /**
   * @param {string} refused
   */
  #verdictWords(refused) {
    const { ending, result, asking, analysis } = this.#session;
    if (ending) return t(`pawn.ended.${ending.winner}.${ending.reason}`);
    if (refused) return t('pawn.not-yet');
    if (result) return analysis ? valueWords(result) : '';
    return t(asking === 'failed' ? 'page.unanswered' : 'page.late');
  }
}

/**
 * @param {Session} session
 * @param {import('./record.js').Ending} ending
 */
function overWords({ side }, { winner }) {
  if (side !== 'Red' && side !== 'Black') return t('pawn.over');
  return t(side === winner ? 'play.you-won' : 'play.you-lost');
}

/**
 * Details: what a tie means, how many moves keep the verdict, and whether the position has repeated.
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
    verdict === 'Tie' ? session.circling && t('pawn.circling') : t('pawn.counted'),
  ]);
}
