// The cards: the facts about the field and who wins, the game, and a field of the user's own. The elements are created once and then
// updated, so that the focus isn't lost.

import { h, save, setContent } from '../page/dom.js';
import { cellName } from '../page/grid.js';
import { problemShown } from '../page/problem.js';
import { joined, number, t } from '../page/text.js';
import { button, checkbox } from '../page/ui.js';
import { Field, MOST_SIDE } from './field.js';
import { jsonOf, textOf } from './link.js';
import { tintAt } from './openings.js';
import { PLAYERS } from './position.js';
import { meaningText, playerText } from './words.js';

/** @typedef {import('../arbiter.js').MineResult} MineResult */
/** @typedef {import('./session.js').Session} Session */

/** Only the last clicks of a long game are listed. */
const MOST_LISTED = 200;

/** Only the first parts of a nimber are listed, and only sums of so many terms are written out. */
const MOST_PARTS = 100, MOST_TERMS = 20;

/** @type {import('../page/problem.js').Wording} */
const WORDING = {
  cell: cellName,
  words: ({ at }) => (at ? t('mine.not-clicked') : null),
};

const FACTS = /** @type {const} */ (['nimber', 'openings', 'three_bv', 'shared_numbers']);

/**
 * Where a nimber comes from: the values of the clusters of openings and of the lone numbers, and their xor. It is made when it is first
 * visible.
 */
class Parts {
  #session;
  #showCell;
  /** @type {MineResult | null} */
  #result = null;
  #list = h('ul', { class: 'mine-parts' });
  #more = h('p', { class: 'soft' });
  #sum = h('p', { class: 'mine-sum' });
  /** The result that is listed. @type {MineResult | null} */
  #listed = null;

  /**
   * @param {Session} session
   * @param {(row: number, col: number) => void} showCell
   */
  constructor(session, showCell) {
    this.#session = session;
    this.#showCell = showCell;
    this.element = h('div', { class: 'mine-known' }, this.#list, this.#more, this.#sum);
  }

  /** @param {MineResult | null} result  null: the last one */
  show(result) {
    this.#result = result ?? this.#result;
    const details = /** @type {HTMLDetailsElement | null} */ (this.element.closest('details'));
    if (!this.#result || this.#result === this.#listed || !details?.open) return; // a focused button isn't replaced without need
    const { nimber, clusters = [], clusters_total: total = 0, lone_numbers: lone = 0 } = this.#listed = this.#result;
    const rest = total - Math.min(clusters.length, MOST_PARTS), values = clusters.map((cluster) => cluster.nimber);
    setContent(this.#list, [
      ...clusters.slice(0, MOST_PARTS).map((cluster) => this.#part(cluster)),
      lone > 0 && h('li', {}, h('span', {}, t('mine.lone', { count: lone })), h('b', {}, number(lone % 2))),
    ]);
    this.#more.hidden = rest === 0;
    if (rest > 0) setContent(this.#more, t('mine.more-parts', { count: rest }));
    const terms = lone > 0 ? [...values, lone % 2] : values;
    this.#sum.hidden = nimber === null || total !== clusters.length || terms.length < 2 || terms.length > MOST_TERMS;
    if (!this.#sum.hidden) setContent(this.#sum, t('mine.xor', { terms: terms.join(' ⊕ '), nimber }));
  }

  /** @param {import('../arbiter.js').MineCluster} cluster */
  #part({ at: [row, col], openings, numbers, nimber }) {
    const { openings: known } = this.#session.scene;
    const tint = h('span', { class: 'mine-tint', 'data-tint': known ? tintAt(known, row, col) : 0 });
    return h('li', {}, button([tint, t('mine.cluster', { openings, numbers }), h('span', { class: 'soft' }, cellName([row, col]))],
      () => this.#showCell(row, col), { title: t('mine.show-place') }), h('b', {}, nimber === null ? t('mine.not-known') : number(nimber)));
  }
}

export class VerdictCard {
  #session;
  #parts;
  #who = h('p', { class: 'soft' });
  #wait = h('p', { class: 'wait' });
  #problem = h('div');
  #where = h('p');
  #wins = h('p');
  #facts = FACTS.map((name) => ({ name, value: h('b'), element: h('details', { class: 'mine-fact', ontoggle: () => this.#parts.show(null) }) }));
  #known = h('div', { class: 'mine-known' });

  /**
   * @param {Session} session
   * @param {() => void} showPlace scroll to the unsolved part
   * @param {(row: number, col: number) => void} showCell scroll to a cell
   */
  constructor(session, showPlace, showCell) {
    this.#session = session;
    this.#parts = new Parts(session, showCell);
    this.waiting = h('div', { class: 'row' }, this.#wait, button(t('play.stop'), () => session.cancel()));
    this.unanswered = h('p', { class: 'wait' }, t('page.unanswered'));
    this.harder = button('', () => session.harder(), { class: 'main' });
    this.unsolved = h('div', { class: 'mine-known' }, this.#where,
      h('div', { class: 'row' }, this.harder, button(t('mine.show-place'), showPlace)));
    this.refused = h('div', { class: 'mine-known' }, this.#problem, button(t('play.take-back'), () => session.takeBack()));
    for (const { name, value, element } of this.#facts) {
      setContent(element, h('summary', {}, h('span', {}, t(`mine.${name}`)), value), h('p', { class: 'soft' }, t(`mine.${name}-means`)),
        name === 'nimber' && this.#parts.element);
    }
    setContent(this.#known, this.#who, this.#wins, h('div', {}, this.#facts.map(({ element }) => element)));
    this.element = h('section', { class: 'card', 'aria-label': t('mine.verdict') }, this.refused, this.#known, this.unsolved,
      this.waiting, this.unanswered);
  }

  /**
   * Until the answer about this position comes, the last one stays, dimmed. While the answers are hidden, only the facts about the field are
   * shown.
   */
  show() {
    const { analysis } = this.#session;
    const { result, last, problem, seconds, effort } = this.#session.verdict, shown = result ?? last;
    this.refused.hidden = !problem;
    if (problem) setContent(this.#problem, problemShown(problem, WORDING));
    this.#known.hidden = !shown || Boolean(problem);
    this.#known.classList.toggle('mine-stale', !result);
    this.#known.setAttribute('aria-busy', String(!result && seconds !== null));
    if (shown) this.#showResult(shown);
    this.unsolved.hidden = !result?.unsolved || !analysis;
    if (result?.unsolved) this.#unsolved(result.unsolved, effort);
    this.waiting.hidden = seconds === null || seconds < 0.4;
    this.unanswered.hidden = Boolean(result || problem) || seconds !== null;
    if (seconds !== null) setContent(this.#wait, t('mine.thinking', { seconds: Math.floor(seconds) }));
  }

  /** @param {MineResult} result */
  #showResult(result) {
    const { verdict, nimber, wins_total: total } = result, { analysis, over } = this.#session;
    this.#who.hidden = this.#facts[0].element.hidden = !analysis;
    setContent(this.#who, meaningText(this.#session));
    for (const { name, value } of this.#facts) setContent(value, result[name] === null ? '' : number(/** @type {number} */ (result[name])));
    if (nimber === null) setContent(this.#facts[0].value, t(verdict === 'Unknown' ? 'mine.not-known' : 'mine.not-zero'));
    this.#parts.show(result);
    this.#wins.hidden = over || !analysis;
    setContent(this.#wins, total === null || total === undefined ? t('mine.wins-unknown') : t('mine.wins-total', { count: total }));
  }

  /**
   * @param {NonNullable<MineResult['unsolved']>} unsolved
   * @param {Session['verdict']['effort']} effort
   */
  #unsolved({ at: [row, col], openings, numbers }, { now, next }) {
    setContent(this.#where, t('mine.unsolved', {
      states: now === undefined ? '' : number(now), cell: cellName([row, col]), openings: number(openings), numbers: number(numbers),
    }));
    this.harder.hidden = next === null;
    if (next !== null) setContent(this.harder, t('mine.harder', { states: number(next ?? 0) }));
  }
}

export class GameCard {
  #session;
  #clicks = h('ol', { class: 'mine-clicks scroll' });
  #none = h('p', { class: 'soft' }, t('mine.no-clicks'));
  #earlier = h('p', { class: 'soft' });
  #rule = h('p', { class: 'soft' }, t('mine.rule-of-opponent'));
  #xray;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    this.#xray = checkbox((xray) => session.setXray(xray));
    this.element = h('section', { class: 'card', 'aria-label': t('mine.game') },
      h('h2', {}, t('mine.clicks')), h('label', {}, this.#xray, t('mine.xray')), this.#none, this.#earlier, this.#clicks,
      this.#rule);
  }

  show() {
    const { position: { clicks, marks }, mode, xray, side, analysis } = this.#session;
    this.element.hidden = mode !== 'play';
    this.#rule.hidden = side === 'both';
    this.#xray.checked = xray;
    this.#none.hidden = clicks.length > 0;
    this.#clicks.hidden = clicks.length === 0;
    const first = Math.max(0, clicks.length - MOST_LISTED);
    this.#earlier.hidden = first === 0;
    if (first > 0) setContent(this.#earlier, t('mine.earlier', { count: first }));
    this.#clicks.start = first + 1;
    const focused = Array.prototype.indexOf.call(this.#clicks.children, document.activeElement?.closest('li'));
    setContent(this.#clicks, clicks.slice(first).map((click, at) => this.#click(click, first + at, analysis ? marks[first + at] : null)));
    if (focused >= 0) /** @type {HTMLElement | null | undefined} */ (this.#clicks.children[focused]?.firstElementChild)?.focus();
    this.#clicks.scrollTop = this.#clicks.scrollHeight;
  }

  /**
   * @param {readonly [number, number]} cell
   * @param {number} at
   * @param {import('./position.js').Mark} mark
   */
  #click(cell, at, mark) {
    const player = PLAYERS[at % 2], name = cellName(cell);
    const words = joined('clauses', [t('mine.click', { player: playerText(player), cell: name }), mark && t(`mine.mark-${mark}`)]);
    return h('li', {}, button([
      h('span', {}, name), mark && h('span', { class: `mine-mark mine-${mark}`, 'aria-hidden': 'true' }, mark === 'kept' ? '✓' : '✗'),
      h('span', { class: 'unseen' }, words),
    ], () => this.#session.goTo(at + 1), { 'data-player': player, title: t('mine.back-to') }));
  }
}

export class FieldCard {
  #session;
  #form;
  #inputs;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    const input = (/** @type {string} */ name, /** @type {number} */ min, /** @type {number} */ max) =>
      h('input', { type: 'number', name, min, max, required: true, inputmode: 'numeric', oninput: () => this.#limitMines() });
    this.#inputs = { cols: input('cols', 1, MOST_SIDE), rows: input('rows', 1, MOST_SIDE), mines: input('mines', 0, 1) };
    const { cols, rows, mines } = this.#inputs;
    const draw = () => session.begin(Field.random(rows.valueAsNumber, cols.valueAsNumber, mines.valueAsNumber));
    const empty = () => {
      session.begin(new Field(rows.valueAsNumber || 9, cols.valueAsNumber || 9));
      session.setMode('edit');
    };
    this.#form = h('form', { class: 'mine-form', onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      draw();
    } }, Object.entries(this.#inputs).map(([name, of]) => h('label', {}, h('span', {}, t(`mine.${name}`)), of)),
    h('button', {}, t('mine.draw')));
    this.element = h('section', { class: 'card', 'aria-label': t('mine.field') },
      h('h2', {}, t('mine.own-size')),
      this.#form,
      h('div', { class: 'row' }, button(t('mine.empty'), empty), button(t('mine.save-json'), () => this.#save('json', jsonOf, 'application/json')),
        button(t('mine.save-text'), () => this.#save('txt', textOf, 'text/plain'))));
  }

  /**
   * @param {string} extension
   * @param {(position: import('./position.js').Position) => string} written
   * @param {string} type
   */
  #save(extension, written, type) {
    const { field, position } = this.#session;
    save(new Blob([written(position)], { type }), `mine-${field.cols}x${field.rows}-${field.mines}.${extension}`);
  }

  show() {
    const { rows, cols, mines } = this.#session.field;
    if (this.#form.contains(document.activeElement) && document.activeElement instanceof HTMLInputElement) return; // the user is typing
    this.#inputs.rows.value = String(rows);
    this.#inputs.cols.value = String(cols);
    this.#inputs.mines.value = String(mines);
    this.#limitMines();
  }

  /** Limit the number of mines to the number of cells. */
  #limitMines() {
    const cells = this.#inputs.rows.valueAsNumber * this.#inputs.cols.valueAsNumber;
    this.#inputs.mines.max = String(cells || 0);
  }
}
