// The cards beside the board: counts, comments and variations, moves, rules, and record.

import { h, save, setContent } from '../page/dom.js';
import { problemShown } from '../page/problem.js';
import { note } from '../page/say.js';
import { number, t } from '../page/text.js';
import { button, checkbox, optionsOf, select, Toggle } from '../page/ui.js';
import { VirtualList } from '../page/virtual-list.js';
import { bodyOf, recordOf } from './ask.js';
import { COLORS, KO, placeOf, presetOf, PRESETS, sameItems } from './game.js';
import { nameOf } from './points.js';
import { indexOf, rulesName, textOf, writeSgf } from './sgf.js';
import { dot, reasonText, resultText, scoreText } from './words.js';

/** @typedef {import('./ask.js').Opened} Opened */
/** @typedef {import('./game.js').Color} Color */
/** @typedef {import('./game.js').Rules} Rules */
/** @typedef {import('./line.js').Entry} Entry */
/** @typedef {import('./line.js').Line} Line */
/** @typedef {import('./session.js').Session} Session */

/** The height of a list row in rem; larger for touch. */
const ROW = matchMedia('(pointer: coarse)').matches ? 2.75 : 2;

/** @type {readonly (import('./session.js').Marks | null)[]} */
const MARKS = ['legal', 'territory', 'alive'];

/** Shows the prisoners and the score, and chooses the marks on the board. */
export class CountsCard {
  #session;
  /** @type {Record<Color, { prisoners: HTMLElement, area: HTMLElement }>} */
  #cells = { B: { prisoners: h('td'), area: h('td') }, W: { prisoners: h('td'), area: h('td') } };
  #neutral = h('td', { colspan: 2 });
  #result = h('td', { colspan: 2 });
  #last = h('tr', {}, h('th', { scope: 'row' }, t('go.result')), this.#result);
  #kind = h('th', { scope: 'row' });
  #table;
  #marks;
  #note = h('p', { class: 'soft' });

  /**
   * @param {Session} session
   * @param {HTMLElement} lead the invitation to try a move
   */
  constructor(session, lead) {
    this.#session = session;
    const head = (/** @type {string} */ key) => h('th', { scope: 'row' }, t(key));
    const row = (/** @type {HTMLElement} */ first, /** @type {'prisoners' | 'area'} */ of) => h('tr', {}, first, COLORS.map((color) => this.#cells[color][of]));
    this.#table = h('table', { class: 'go-count', 'aria-label': t('go.counts') },
      h('thead', {}, h('tr', {}, h('td'),
        COLORS.map((color) => h('th', { scope: 'col' }, dot(color), t(`go.color.${color}`))))),
      h('tbody', {}, row(head('go.prisoners'), 'prisoners'), row(this.#kind, 'area'),
        h('tr', {}, head('go.neutral'), this.#neutral), this.#last));
    this.#marks = new Toggle(t('go.marks'), MARKS.map((kind) => [kind, t(`go.mark.${kind}`)]),
      (kind) => session.setMarks(session.marks === kind ? null : kind));
    this.element = h('section', { class: 'card', 'aria-label': t('go.counts') }, lead, this.#table, this.#marks.element, this.#note);
  }

  show() {
    const { stale, asking, score, step, lastLine, line, marks, found, game, over } = this.#session, failed = asking === 'failed';
    this.#table.classList.toggle('go-stale', stale);
    this.#table.setAttribute('aria-busy', String(stale && !failed));
    const prisoners = (line ?? (failed ? null : lastLine))?.prisoners(step);
    for (const color of COLORS) {
      write(this.#cells[color].prisoners, prisoners?.[color]);
      write(this.#cells[color].area, score?.[color]);
    }
    write(this.#neutral, score?.neutral);
    this.#last.hidden = !over && marks !== 'territory';
    write(this.#result, score ? resultText(score) : undefined);
    const kind = game.rules.scoring ?? 'area';
    setContent(this.#kind, t(`go.${kind}`));
    this.#marks.show(marks);
    const legal = found?.legal;
    setContent(this.#note, marks === 'legal' && legal ? t('go.mark-note.legal', { ...legal, color: t(`go.color.${legal.color}`) })
      : marks === 'alive' ? t('go.mark-note.alive') : over && score ? scoreText(score) : t(`go.${kind}-note`));
  }
}

/**
 * @param {HTMLElement} cell
 * @param {number | string | undefined} count undefined if it isn't known
 */
function write(cell, count) {
  const text = count === undefined ? '–' : typeof count === 'string' ? count : number(count);
  if (cell.textContent !== text) cell.textContent = text;
}

/** Shows the comment of the record at this step, and its variations. */
export class NodeCard {
  #session;
  #choices = h('div', { class: 'row' });
  #comment = h('p', { class: 'go-comment' });
  /** @type {unknown[]} */
  #shown = [];

  #onButtonGone;

  /**
   * @param {Session} session
   * @param {() => void} onButtonGone called when a variation was chosen: its button is removed
   */
  constructor(session, onButtonGone) {
    this.#session = session;
    this.#onButtonGone = onButtonGone;
    this.element = h('section', { class: 'card go-node', 'aria-label': t('go.comment'), hidden: true }, this.#comment, this.#choices);
  }

  show() {
    const { choices, comment, size } = this.#session;
    const key = [comment, ...choices.flatMap(({ node, shown }) => [node, shown])];
    if (sameItems(key, this.#shown)) return;
    this.#shown = key;
    this.element.hidden = comment === '' && choices.length === 0;
    this.#comment.hidden = comment === '';
    setContent(this.#comment, comment);
    const one = (/** @type {typeof choices[0]} */ { node, move, shown }) => {
      const at = move && placeOf(move), words = !move ? t('go.record-sets') : at ? nameOf(at, size) : t('go.pass');
      return button([move && dot(move[0]), ' ', words], () => {
        this.#session.choose(node);
        this.#onButtonGone();
      }, { 'aria-pressed': String(shown) });
    };
    setContent(this.#choices, choices.length > 0 && [h('span', {}, t('go.variations')), choices.map(one)]);
  }
}

/** Lists all moves, and the refused moves. Clicking a move or pressing a key shows its step. */
export class MovesCard {
  #session;
  #moves;
  #misses;
  #missesTitle = h('h2');
  /** @type {Line | null} */
  #line = null;
  /** @type {import('../arbiter.js').GoMiss[]} */
  #inVariations = [];

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    this.#moves = this.#list(t('go.moves'), '', () => (this.#line?.length ?? 0) + 1, (place) => this.#row(place), (place) => session.goTo(place));
    this.#misses = this.#list(t('go.misses-list'), ' go-short', () => this.#missCount, (place) => this.#missRow(place), (place) => this.#chooseMiss(place));
    this.element = h('section', { class: 'card', 'aria-label': t('go.moves') },
      h('h2', {}, t('go.moves')), this.#moves.element, this.#missesTitle, this.#misses.element);
    this.element.style.setProperty('--row', `${ROW}rem`);
  }

  /**
   * @param {string} label
   * @param {string} kind a further class, after a space
   * @param {() => number} count number of rows
   * @param {(place: number) => any[]} row the content of a row
   * @param {(place: number) => void} choose
   */
  #list(label, kind, count, row, choose) {
    return new VirtualList({
      properties: { class: `go-list${kind}`, role: 'listbox', 'aria-label': label },
      body: { class: 'go-all', role: 'presentation' },
      rem: ROW,
      make: (place) => h('div', { role: 'option', 'aria-posinset': place + 1, 'aria-setsize': count() }, row(place)),
      choose,
    });
  }

  /** The number of refused moves: those of this line, then those in variations. */
  get #missCount() {
    return (this.#line?.misses.length ?? 0) + this.#inVariations.length;
  }

  /** @param {number} place in the list of refused moves */
  #missRow(place) {
    const own = this.#line?.misses ?? [];
    if (place < own.length) return this.#row(own[place].move);
    const miss = this.#inVariations[place - own.length], { move, color, at } = miss;
    return [
      h('span', { class: 'go-number' }, move), dot(color), h('span', { class: 'unseen' }, t(`go.color.${color}`)),
      h('span', {}, nameOf(at, this.#session.size)),
      h('span', { class: 'go-more go-refused' }, `✕ ${t('go.in-variation', { reason: this.#reason(miss), line: miss.line })}`),
    ];
  }

  /** @param {number} place in the list of refused moves */
  #chooseMiss(place) {
    const own = this.#line?.misses ?? [];
    if (place < own.length) this.#session.goTo(own[place].move);
    else void this.#session.showVariation(this.#inVariations[place - own.length]);
  }

  /** @param {number} number of the move; 0 for the start */
  #row(number) {
    if (number === 0) return [h('span', { class: 'go-number' }, 0), t('go.start')];
    const { color, at, miss, taken, changed } = /** @type {Line} */ (this.#line).entry(number);
    return [
      h('span', { class: 'go-number' }, number), dot(color), h('span', { class: 'unseen' }, t(`go.color.${color}`)),
      h('span', {}, at ? nameOf(at, this.#session.size) : t('go.pass')),
      miss ? h('span', { class: 'go-more go-refused' }, `✕ ${this.#reason(miss)}`)
        : (changed || taken.length > 0) && h('span', { class: 'go-more' }, changed ? t('go.record-sets') : t('go.takes', { count: taken.length })),
    ];
  }

  /** @param {import('../arbiter.js').GoMiss} miss */
  #reason(miss) {
    const reason = reasonText(miss, this.#session);
    return miss.repeats === undefined ? reason : t('go.miss-when', { reason, step: miss.repeats });
  }

  show() {
    const { lastLine, line, step } = this.#session;
    this.element.hidden = !lastLine?.boards || lastLine.length === 0;
    if (!lastLine || this.element.hidden) return;
    const { missesInVariations } = this.#session;
    const changed = lastLine !== this.#line || missesInVariations.length !== this.#inVariations.length;
    this.#line = lastLine;
    this.#inVariations = missesInVariations;
    if (changed) for (const list of [this.#moves, this.#misses]) list.clear();
    this.element.classList.toggle('go-stale', line === null);
    this.#moves.show(lastLine.length + 1, line ? step : -1);
    const { misses } = lastLine, count = this.#missCount;
    this.#missesTitle.hidden = this.#misses.element.hidden = count === 0;
    if (changed) setContent(this.#missesTitle, t('go.misses', { count }));
    this.#misses.show(count, misses.findIndex(({ move }) => move === step));
  }
}

/** The choice of the rules: by name, or each with an explanation. */
export class RulesCard {
  #session;
  #preset;
  #ko;
  #suicide;
  #scoring;
  #komi;
  #koNote = h('p', { class: 'soft', id: 'go-ko-note' });
  #suicideNote = h('p', { class: 'soft', id: 'go-suicide-note' });
  #source = h('p', { class: 'row', hidden: true });
  #recordedRules;
  /** @type {unknown[]} */
  #shown = [];

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    const judge = (/** @type {Partial<Rules>} */ change) => {
      const { record, game: { rules } } = session, { scoring, ...rest } = { ...(record ? record.chosen : rules), ...change };
      void session.judge(/** @type {Rules} */ ({ ...rest, ...(scoring && { scoring }) }));
    };
    const byRules = () => judge({
      ko: /** @type {Rules['ko']} */ (this.#ko.value), suicide: this.#suicide.checked, scoring: this.#scoring.value === 'territory' ? 'territory' : undefined,
    });
    this.#preset = select([...PRESETS.map(([name]) => /** @type {const} */ ([name, t(`go.preset.${name}`)])), ['', t('go.preset.other')]], (name) => {
      const [, rules] = PRESETS.find(([known]) => known === name) ?? [];
      if (rules) judge({ scoring: undefined, ...rules });
    });
    this.#ko = select(KO.map((ko) => [ko, t(`go.ko-name.${ko}`)]), byRules, { 'aria-describedby': 'go-ko-note' });
    this.#suicide = checkbox(byRules, { 'aria-describedby': 'go-suicide-note' });
    this.#scoring = select(['area', 'territory'].map((kind) => [kind, t(`go.scoring-name.${kind}`)]), byRules);
    this.#komi = h('input', { type: 'number', step: 0.5, min: -625, max: 625, onchange: () => {
      const komi = Math.round(2 * Number(this.#komi.value)) / 2;
      if (Math.abs(komi) <= session.size ** 2) judge({ komi });
      else this.#komi.value = String(session.game.rules.komi ?? 0);
    } });
    this.#recordedRules = button(t('go.rules-back'), () => session.judgeAsRecorded());
    const choice = (/** @type {string} */ key, /** @type {HTMLElement} */ control, /** @type {HTMLElement | false} */ more = false) =>
      h('div', { class: 'go-choice' }, h('label', {}, h('span', {}, t(key)), control), more);
    this.element = h('section', { class: 'card', 'aria-label': t('go.rules') },
      h('h2', {}, t('go.rules')), this.#source, choice('go.named', this.#preset), choice('go.komi', this.#komi),
      choice('go.ko', this.#ko, this.#koNote),
      h('div', { class: 'go-choice' }, h('label', {}, this.#suicide, t('go.suicide')), this.#suicideNote), choice('go.scoring', this.#scoring));
  }

  show() {
    const { game, record, opening } = this.#session, { ko, suicide, scoring, komi = 0 } = { ...game.rules, ...opening?.chosen };
    const chosen = record !== null && Object.keys(record.chosen).length > 0;
    const key = [ko, suicide, scoring, komi, record];
    if (sameItems(key, this.#shown)) return;
    this.#shown = key;
    this.#preset.value = presetOf({ ko, suicide, scoring }) ?? '';
    this.#ko.value = ko;
    this.#suicide.checked = suicide;
    this.#scoring.value = scoring ?? 'area';
    this.#komi.value = String(komi);
    setContent(this.#koNote, t(`go.ko-note.${ko}`));
    setContent(this.#suicideNote, t(`go.suicide-note.${suicide}`));
    this.#source.hidden = record === null;
    const source = chosen ? 'chosen' : record?.source === 'default' ? 'absent' : 'read';
    setContent(this.#source, h('span', {}, t(`go.rules-${source}`)), chosen && this.#recordedRules);
  }
}

/** The text of a larger file isn't shown. */
const MOST_TEXT_BYTES = 1 << 20;

/** Number of characters to show before and after a fault in a line. */
const AROUND = 40;

/**
 * Is this text a record? There can be other text before it, such as an email, and the first semicolon can be missing.
 * @param {string} text
 */
export const isRecord = (text) => /\(\s*(;|[A-Za-z]+\s*\[)/.test(text);

/** The properties of a record that are shown. */
const FACTS = ['PB', 'PW', 'RE', 'KM', 'HA', 'DT', 'EV', 'RO', 'PC', 'GN', 'TM', 'US', 'SO', 'AN', 'GC'];

/** Opens, pastes and saves records, chooses a game of a collection, and shows the fault of a record. */
export class RecordCard {
  #session;
  #page;
  #area = h('textarea', { rows: 5, spellcheck: 'false', 'aria-label': t('go.paste-label') });
  #paste;
  #remarks = h('div', { class: 'go-choice' });
  #problem = h('div', { class: 'go-choice', tabindex: -1 });
  #games = select([], () => this.#chooseGame());
  /** The names in `#games`. @type {readonly string[]} */
  #names = [];
  /** @type {unknown[]} */
  #shown = [];

  /**
   * @param {Session} session
   * @param {import('../page/main.js').Page} page
   */
  constructor(session, page) {
    this.#session = session;
    this.#page = page;
    const files = h('input', { type: 'file', accept: '.sgf,.mgt,application/x-go-sgf', hidden: true, onchange: () => {
      if (files.files?.[0]) this.take(files.files[0]);
      files.value = '';
    } });
    this.#paste = h('details', {}, h('summary', {}, t('go.paste')), this.#area,
      button(t('go.read'), () => this.read(this.#area.value)));
    this.element = h('section', { class: 'card', 'aria-label': t('go.record') },
      h('h2', {}, t('go.record')), this.#remarks, this.#problem,
      h('div', { class: 'row' }, button(t('go.open'), () => files.click()), files,
        button(t('go.save'), () => this.#save())),
      this.#paste);
  }

  /** @param {File} file */
  async take(file) {
    this.#area.value = file.size > MOST_TEXT_BYTES ? '' : await file.text();
    void this.#session.open(recordOf(file, file.name));
  }

  /** @param {string} text */
  read(text) {
    this.#area.value = text;
    void this.#session.open(recordOf(text));
  }

  show() {
    const { record, opening, unread, line } = this.#session, key = [record, opening, unread, line];
    if (sameItems(key, this.#shown)) return;
    if (this.#shown[0] && !record) this.#area.value = ''; // it contained the text of the previous record
    this.#shown = key;
    setContent(this.#remarks, opening ? h('p', { class: 'wait' }, t('go.reading')) : record && this.#remarksOf(record));
    setContent(this.#problem, unread && this.#problemOf(unread));
    if (unread) this.#paste.open = true;
  }

  /** @param {Opened} record */
  #remarksOf(record) {
    const { name, game, games, names, body, path: [root] } = record;
    if (names !== this.#names) {
      this.#names = names;
      setContent(this.#games, optionsOf(Array.from({ length: games }, (_, at) => [at + 1, `${number(at + 1)} / ${number(games)} ${names[at] ?? ''}`.trim()])));
    }
    this.#games.value = String(game);
    const facts = FACTS.map((fact) => [fact, textOf(root, fact)]).filter(([, text]) => text);
    const rank = (/** @type {string} */ fact) => (/^P[BW]$/.test(fact) ? textOf(root, `${fact[1]}R`) : '');
    return [
      h('p', {}, t('go.record-name', { name: name || t('go.pasted') })),
      games > 1 && h('div', { class: 'row go-narrow' }, h('label', {}, t('go.which-game'), this.#games),
        button(t('go.all-games'), () => this.#answerAll(body, name))),
      facts.length > 0 && h('dl', { class: 'go-facts' }, facts.map(([fact, text]) => [h('dt', {}, t(`go.fact.${fact}`)), h('dd', {}, [text, rank(fact)].join(' '))])),
    ];
  }

  /** @param {{ opened: Opened, problem: import('../arbiter.js').Problem }} unread */
  #problemOf({ problem }) {
    const [fault] = problem.errors, text = this.#area.value;
    const place = fault?.line && fault.column && text ? indexOf(text, { line: fault.line, column: fault.column }) : null;
    return [problemShown(problem), place && [
      h('pre', {}, place.row.slice(Math.max(0, place.before - AROUND), place.before),
        h('mark', {}, place.row[place.before] ?? ' '), place.row.slice(place.before + 1, place.before + AROUND)),
      button(t('go.show'), () => this.#showPlace(place.at))]];
  }

  /** Scroll to the reason why the record couldn't be opened. */
  showProblem() {
    this.#problem.focus({ preventScroll: true });
    this.#problem.scrollIntoView({ block: 'center' });
  }

  /** @param {number} at */
  #showPlace(at) {
    this.#paste.open = true;
    this.#area.focus();
    this.#area.setSelectionRange(at, at + 1);
  }

  #chooseGame() {
    const { record } = this.#session;
    if (record) void this.#session.open({ ...record, body: bodyOf(record), game: Number(this.#games.value), ways: [], dead: [] });
  }

  /**
   * @param {Blob | string} body
   * @param {string} name
   */
  #answerAll(body, name) {
    this.#page.drop([new File([body], name || 'record.sgf', { type: 'application/x-go-sgf' })], { asTable: true });
  }

  /** Save the record with the moves that were added, or write a new one if the game was played here. */
  #save() {
    const { record, game, next, line, over, found } = this.#session;
    if (record) {
      if (Object.keys(record.chosen).length > 0) note(t('go.saved-as-it-came'));
      return save(new Blob([bodyOf(record)], { type: 'application/x-go-sgf' }), record.name || 'game.sgf');
    }
    if (!rulesName(game.rules)) note(t('go.rules-unnamed'));
    const misses = line?.misses.length ?? 0;
    if (misses > 0) note(t('go.misses-saved', { count: t('go.misses', { count: misses }) }));
    save(new Blob([writeSgf(game, next, over ? found : null)], { type: 'application/x-go-sgf' }), 'game.sgf');
  }
}
