// One file in the panel: its progress, the table of its answers, and its buttons.

import { Problem } from '../arbiter.js';
import { caseAt } from './cases.js';
import { h, save, setContent } from './dom.js';
import { detect, JSON_KIND, LINES, SGF, TEXT } from './kinds.js';
import { failureText, faultText, problemShown } from './problem.js';
import { note, say } from './say.js';
import { isFailure } from './service.js';
import { joined, language, number, t } from './text.js';
import { button, checkbox, enable, select } from './ui.js';
import { Upload } from './upload.js';
import { VirtualList } from './virtual-list.js';

/** @typedef {import('./service.js').Game} Game */
/** @typedef {import('./service.js').Service} Service */

/** Milliseconds between two updates of the progress. */
const UPDATE_INTERVAL = 100;

/** The most characters to show of the chosen answer. */
const MOST_SHOWN = 20_000;

/** The most refused moves listed in a row of the table. */
const MOST_MISSES = 5;

/** @type {readonly Game[]} */
const GAMES = ['pawn', 'go', 'mine'];

/**
 * The parts of the panel that a file uses.
 * @typedef {object} Panel
 * @property {Service} service
 * @property {(game: Game, question: object) => void} show  show a case on its board
 * @property {(file: AnsweredFile) => void} ask             queue the file for the service
 * @property {(file: AnsweredFile) => void} close           remove the file from the panel
 */

/**
 * A quantity, formatted for the page's language: 1.2 MB, 340 ms.
 * @param {number} value
 * @param {string} unit
 */
const measure = (value, unit) => new Intl.NumberFormat(language(), {
  style: 'unit', unit, unitDisplay: unit === 'byte' ? 'long' : 'short', maximumFractionDigits: 1,
}).format(value);

/** @param {number} bytes */
function sizeText(bytes) {
  if (bytes < 1e3) return measure(bytes, 'byte');
  return bytes < 1e6 ? measure(bytes / 1e3, 'kilobyte') : measure(bytes / 1e6, 'megabyte');
}

/** @param {number} milliseconds */
const duration = (milliseconds) =>
  (milliseconds < 1000 ? measure(Math.ceil(milliseconds), 'millisecond') : measure(milliseconds / 1000, 'second'));

/**
 * The name of the file for the answers: game.txt gives game.answers.ndjson.
 * @param {string} name
 * @param {string} ending
 */
const savedAs = (name, ending) => `${name.replace(/\.[^.]*$/, '')}.answers.${ending}`;

export class AnsweredFile {
  #panel;
  #file;
  #upload;
  #head = h('div', { role: 'row', class: 'rows-row rows-head', 'aria-rowindex': 1 });
  #list = new VirtualList({
    properties: { class: 'rows', role: 'grid', hidden: true },
    body: { class: 'rows-body', role: 'rowgroup' },
    rem: 2.25,
    head: this.#head,
    make: (place) => this.#row(place),
    made: (places, rows) => void this.#fill(places, rows),
    choose: (place) => this.#choose(place),
    act: (place) => void this.#showCase(this.#caseOf(place)),
  });
  /** The cases in the list, by number; null: all cases. @type {readonly number[] | null} */
  #listed = null;
  #count = 0;
  /** The list position of the chosen case; -1: none. */
  #current = -1;
  /** @type {import('./kinds.js').Kind} */
  #kind = TEXT;
  /** The format, as a key of `dropped.kind`. */
  #format = 'plain';
  /** The game selected for the file. @type {Game} */
  #selectedGame;
  /** The game of the answers. @type {Game} */
  #game;
  /** Is the game known? If not, the file waits until the user selects one. */
  #gameKnown = true;
  #onlyProblems = false;
  /** The timer of the next update. @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #name = h('h3');
  #facts = h('p', { class: 'soft' });
  #closeButton = button('', () => this.#panel.close(this), { class: 'end' });
  #buttons = h('div', { class: 'row' });
  #bar = h('progress');
  #status = h('div', { tabindex: -1 });
  #filter = h('div', { hidden: true });
  #detail = h('div', { class: 'answered-detail', hidden: true });

  /**
   * @param {File} file
   * @param {Game} game the game on the page: the default if the file's game can't be detected
   * @param {Panel} panel
   */
  constructor(file, game, panel) {
    this.#file = file;
    this.#selectedGame = this.#game = game;
    this.#panel = panel;
    this.#upload = new Upload(panel.service, file, () => this.#changed());
    this.element = h('article', { class: 'answered', tabindex: -1, 'aria-label': file.name },
      h('div', { class: 'row answered-name' }, this.#name, this.#facts, this.#closeButton), this.#buttons, this.#bar, this.#status,
      this.#filter, this.#list.element, this.#detail);
  }

  /** Can the cases have an `id`? Only cases in JSON can. */
  get #named() {
    return this.#kind === LINES || this.#kind === JSON_KIND;
  }

  /** Detect the kind and the game of the file. Queue it, unless the user has to select the game first. */
  async begin() {
    try {
      const { kind, game, drawing } = await detect(this.#file);
      this.#kind = kind;
      this.#format = drawing ? 'drawing' : kind === TEXT && game === null ? 'text' : kind.replace(/^.*[/]/, '');
      this.#gameKnown = game !== null;
      this.#selectedGame = game ?? this.#selectedGame;
    } catch {
      // The file is unreadable; the upload will report that.
    }
    this.translate();
    if (this.#gameKnown) this.#panel.ask(this);
    else say(`${this.#file.name}: ${t('dropped.unclear')}`);
  }

  /** Upload the file. The panel calls this when it's this file's turn. */
  async run() {
    this.#game = this.#selectedGame;
    await this.#upload.run(this.#game, this.#kind);
    say(`${this.#file.name}: ${this.#progressWords()}`);
    if (this.#status.querySelector('.problem')) this.#showStatus();
  }

  /** Scroll to the error message, unless the user has moved the focus since opening the file. */
  #showStatus() {
    if (document.activeElement !== this.element) return;
    this.#status.focus({ preventScroll: true });
    this.#status.scrollIntoView({ block: 'center' });
  }

  stop() {
    this.#upload.stop();
  }

  /** Write all texts in the current language. */
  translate() {
    setContent(this.#name, this.#file.name);
    setContent(this.#closeButton, t('page.close'));
    this.#drawHead();
    setContent(this.#facts, joined('facts', [t(`dropped.kind.${this.#format}`), sizeText(this.#file.size)]));
    this.#detail.hidden = true;
    this.#draw();
  }

  #changed() {
    if (this.#upload.phase !== 'answering') return this.#draw();
    this.#timer ??= setTimeout(() => this.#draw(), UPDATE_INTERVAL);
  }

  #draw() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { phase, running, answers, total, problem } = this.#upload;
    this.#bar.hidden = !running;
    this.#bar.setAttribute('aria-label', t('dropped.progress'));
    if (phase === 'answering' && total) Object.assign(this.#bar, { max: total, value: answers.count });
    else this.#bar.removeAttribute('value');
    const bad = phase === 'broken' || phase === 'unreadable';
    setContent(this.#status, problem ? problemShown(problem) : h('p', { class: bad ? 'problem' : 'soft' }, this.#progressWords()));
    this.#drawButtons();
    this.#drawFilter();
    this.#drawList();
  }

  /** Rebuild the buttons only if they change, because one of them may have the focus. */
  #drawButtons() {
    const { phase, running, answers } = this.#upload;
    const before = this.#buttons.dataset.of;
    const of = `${language()} ${phase} ${this.#gameKnown} ${answers.count > 0}`;
    if (of === before) return;
    const had = this.#buttons.contains(document.activeElement);
    this.#buttons.dataset.of = of;
    const actionButton = (/** @type {string} */ key, /** @type {() => void} */ doing, name = '') =>
      button(t(`dropped.${key}`), doing, { class: name });
    const waits = phase === 'waiting' && this.#gameKnown;
    setContent(this.#buttons,
      this.#chooser(running || waits),
      running || waits
        ? button(t('play.stop'), () => this.stop())
        : actionButton(this.#gameKnown ? 'again' : 'ask', () => this.#askAgain(), this.#gameKnown ? '' : 'main'),
      !running && answers.count > 0 && actionButton('save', () => this.#save(), phase === 'done' ? 'main' : ''),
      phase === 'done' && this.#kind === TEXT && actionButton('save-text', () => void this.#saveText()));
    if (had) /** @type {HTMLElement | null} */ (this.#buttons.querySelector('button'))?.focus();
  }

  /**
   * The selection of the game. An SGF file is always Go.
   * @param {boolean} fixed
   */
  #chooser(fixed) {
    if (this.#kind === SGF) return h('span', {}, t('go.name'));
    const games = select(GAMES.map((game) => [game, t(`${game}.name`)]), (game) => {
      this.#selectedGame = /** @type {Game} */ (game);
    }, { 'aria-label': t('page.games') });
    games.value = this.#selectedGame;
    enable(games, !fixed);
    return games;
  }

  #drawFilter() {
    const { answers: { problems } } = this.#upload;
    this.#filter.hidden = problems.length === 0;
    if (!this.#filter.firstChild || this.#filter.dataset.of !== language()) {
      this.#filter.dataset.of = language();
      const box = checkbox((checked) => {
        this.#onlyProblems = checked;
        this.#detail.hidden = true;
        this.#draw();
      }, { checked: this.#onlyProblems });
      setContent(this.#filter, h('label', {}, box, h('span')));
    }
    setContent(/** @type {Element} */ (this.#filter.querySelector('span')), t('dropped.only-problems', { count: problems.length }));
  }

  /** The progress in words. */
  #progressWords() {
    const { phase, answers, total, took, problem } = this.#upload;
    if (problem) return failureText(problem);
    if (phase === 'waiting') return t(this.#gameKnown ? 'dropped.waiting' : 'dropped.unclear');
    const speed = took > 0 ? Math.round((1000 * answers.count) / took) : 0;
    return t(`dropped.${phase}`, {
      size: sizeText(this.#file.size),
      count: answers.count,
      total: total === null ? '' : number(total),
      took: duration(took),
      speed: number(speed),
    });
  }

  #askAgain() {
    this.#gameKnown = true;
    this.#detail.hidden = true;
    this.#onlyProblems = false;
    this.#filter.replaceChildren();
    this.#upload.reset();
    this.#panel.ask(this);
  }

  /** Label the table and its columns. */
  #drawHead() {
    const columns = ['row', ...(this.#named ? ['id'] : []), 'answer'], { element } = this.#list;
    element.classList.toggle('named', this.#named);
    element.setAttribute('aria-label', t('dropped.table', { file: this.#file.name }));
    element.setAttribute('aria-colcount', String(columns.length));
    setContent(this.#head, columns.map((column) => h('span', { role: 'columnheader' }, t(`dropped.${column}`))));
    this.#list.clear();
  }

  /** Update the list. If it has fewer rows than before, or the filter has changed, clear it first. */
  #drawList() {
    const { count, problems } = this.#upload.answers, { element } = this.#list;
    const listed = this.#onlyProblems ? problems : null, rows = listed?.length ?? count;
    if (listed !== this.#listed || rows < this.#count) {
      this.#current = -1;
      element.scrollTop = 0;
      this.#list.clear();
    }
    [this.#listed, this.#count] = [listed, rows];
    element.hidden = rows === 0;
    element.setAttribute('aria-rowcount', String(rows + 1));
    this.#list.show(rows, this.#current);
  }

  /** @param {number} place in the list */
  #caseOf(place) {
    return this.#listed ? this.#listed[place] : place;
  }

  /** @param {number} place */
  #row(place) {
    return h('div', { role: 'row', class: 'rows-row', 'aria-rowindex': place + 2 },
      h('span', { role: 'gridcell', class: 'rows-number' }, this.#caseOf(place) + 1));
  }

  /**
   * @param {number[]} places
   * @param {HTMLElement[]} rows
   */
  async #fill(places, rows) {
    const lines = await this.#upload.answers.read(places.map((place) => this.#caseOf(place)));
    rows.forEach((row, index) => {
      const answer = JSON.parse(lines[index]), words = inWords(this.#game, answer);
      row.classList.toggle('bad', 'problem' in answer);
      row.append(...(this.#named ? [answer.id ?? '', words] : [words]).map((cell) => h('span', { role: 'gridcell' }, cell)));
    });
  }

  /** @param {number} place */
  async #choose(place) {
    if (place === this.#current) return;
    this.#current = place;
    this.#list.show(this.#count, place);
    const row = this.#caseOf(place), [line] = await this.#upload.answers.read([row]);
    if (this.#current !== place) return;
    const answer = JSON.parse(line);
    const shown = line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN)} …` : line;
    this.#detail.hidden = false;
    setContent(this.#detail,
      h('div', { class: 'row' },
        h('strong', {}, t('dropped.row-number', { row: number(row + 1) })),
        button(t('dropped.show'), () => this.#showCase(row), { class: 'end' })),
      answer.problem ? problemShown(new Problem(answer.problem)) : h('p', {}, inWords(this.#game, answer)),
      h('pre', { tabindex: 0, 'aria-label': t('dropped.as-it-came') }, h('code', {}, shown)));
  }

  /** @param {number} row */
  async #showCase(row) {
    try {
      this.#panel.show(this.#game, await caseAt(this.#file, this.#kind, row, this.#game));
    } catch {
      note(t('dropped.no-case'), 'bad');
    }
  }

  #save() {
    save(this.#upload.answers.blob(), savedAs(this.#file.name, 'ndjson'));
  }

  async #saveText() {
    try {
      const { service } = this.#panel;
      const text = await service.keepAsking(
        (signal) => service.arbiter.text(this.#game, this.#file, { type: TEXT, signal }), { patient: true });
      save(new Blob([text], { type: 'text/plain' }), savedAs(this.#file.name, 'txt'));
    } catch (error) {
      note(isFailure(error) ? failureText(error) : t('dropped.unreadable'), 'bad');
    }
  }
}

/** @param {any} result of /pawn */
const pawn = ({ verdict, steps }) => t(`dropped.pawn.${verdict}`, { steps });

/** Does the move bring back the position before the last move? @param {any} miss */
const isKo = ({ reason, repeats, move }) => reason === 'repetition' && repeats === move - 2;

/** @param {any} result of /go */
function go({ misses, score }) {
  const named = misses.slice(0, MOST_MISSES).map((/** @type {any} */ miss) =>
    t('dropped.go.miss', { move: number(miss.move), reason: t(`dropped.go.${isKo(miss) ? 'ko' : miss.reason}`) }));
  if (misses.length > MOST_MISSES) named.push('…');
  const list = joined('clauses', named);
  return joined('facts', [t('dropped.go.misses', { count: misses.length, list }), score && t('dropped.go.score', score)]);
}

/** @param {any} result of /mine */
const mine = ({ verdict, nimber }) => joined('facts', [t(`dropped.mine.${verdict}`), nimber !== null && t('dropped.mine.nimber', { nimber })]);

const OF_GAMES = { pawn, go, mine };

/**
 * An answer in a few words, for a row of the table.
 * @param {Game} game
 * @param {any} answer a line of a stream: a result, or a problem
 * @returns {string}
 */
function inWords(game, answer) {
  if (!answer.problem) return OF_GAMES[game](answer);
  const { errors: [fault, ...others] = [], detail } = answer.problem;
  return fault ? `${faultText(fault)}${others.length > 0 ? ' …' : ''}` : detail;
}
