// Records: opened, pasted, saved; which game of a collection; where a faulty one is wrong.

import { h, put, save } from '../page/dom.js';
import { problemShown } from '../page/problem.js';
import { note } from '../page/say.js';
import { number, t } from '../page/text.js';
import { rulesName, writeSgf } from './sgf.js';

/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./ask.js').Opened} Opened */

/** Of a larger file the text is not shown: it is for programs. */
const MOST_TEXT_BYTES = 1 << 20;

/** How much of a faulty line is shown before and behind the fault. */
const AROUND = 40;

/**
 * A record as it came, still closed.
 * @param {Blob | string} body
 * @param {string} text
 * @param {string} [name]
 * @returns {Opened}
 */
export const recordOf = (body, text, name = '') => ({ body, text, name, game: 1, chosen: {}, games: 0, variations: 0 });

/**
 * Is this text a record? A mail may stand before it, and a game may begin without its semicolon.
 * @param {string} text
 */
export const isRecord = (text) => /\(\s*(;|[A-Za-z]+\s*\[)/.test(text);

/**
 * The index in a text of a place that is told by line and byte, both from 1.
 * @param {string} text
 * @param {number} line
 * @param {number} column
 */
function indexOf(text, line, column) {
  const lines = text.split(/\r\n|\n|\r/), row = lines[line - 1] ?? '';
  const bytes = new TextEncoder().encode(row).slice(0, column - 1);
  const before = new TextDecoder().decode(bytes).length;
  // As a textarea has its lines: one character at each end.
  const start = lines.slice(0, line - 1).reduce((sum, part) => sum + part.length + 1, 0);
  return { row, before, at: start + before };
}

export class RecordCard {
  #session;
  #page;
  #area = h('textarea', { rows: 5, spellcheck: 'false', 'aria-label': t('go.paste-label') });
  #paste;
  #told = h('div', { class: 'choice' });
  #problem = h('div', { class: 'choice', tabindex: -1 });
  #games = h('select', { onchange: () => this.#chooseGame() });
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
      h('button', { type: 'button', onclick: () => this.read(this.#area.value) }, t('go.read')));
    this.element = h('section', { class: 'card', 'aria-label': t('go.record') },
      h('h2', {}, t('go.record')), this.#told, this.#problem,
      h('div', { class: 'row' }, h('button', { type: 'button', onclick: () => files.click() }, t('go.open')), files,
        h('button', { type: 'button', onclick: () => this.#save() }, t('go.save'))),
      this.#paste);
  }

  /** @param {File} file */
  async take(file) {
    const text = file.size > MOST_TEXT_BYTES ? '' : await file.text();
    this.#area.value = text;
    this.#session.open(recordOf(file, text, file.name));
  }

  /** @param {string} text */
  read(text) {
    this.#area.value = text;
    this.#session.open(recordOf(text, text));
  }

  show() {
    const { record, opening, unread } = this.#session;
    const key = [record, opening, unread, this.#session.line];
    if (key.every((part, at) => part === this.#shown[at])) return;
    this.#shown = key;
    put(this.#told, opening ? h('p', { class: 'wait' }, t('go.reading')) : record && this.#tellOf(record));
    put(this.#problem, unread && this.#problemOf(unread));
    if (unread) this.#paste.open = true;
  }

  /** @param {Opened} record */
  #tellOf({ name, game, games, variations, body }) {
    if (games !== this.#games.length) {
      put(this.#games, Array.from({ length: games },
        (_, at) => h('option', { value: at + 1 }, `${number(at + 1)} / ${number(games)}`)));
    }
    this.#games.value = String(game);
    const { line } = this.#session;
    return [
      h('p', {}, t('go.record-name', { name: name || t('go.pasted') })),
      games > 1 && h('div', { class: 'row narrow' }, h('label', {}, t('go.which-game'), this.#games),
        h('button', { type: 'button', onclick: () => this.#answerAll(body, name) }, t('go.all-games'))),
      variations > 0 && h('p', { class: 'soft' }, t('go.variations', { count: variations })),
      line?.boards && !line.moves && h('p', { class: 'soft' }, t('go.record-changes')),
    ];
  }

  /** @param {{ opened: Opened, problem: import('../arbiter.js').Problem }} unread */
  #problemOf({ opened: { text }, problem }) {
    const [fault] = problem.errors;
    const place = fault?.line && fault.column && text ? indexOf(text, fault.line, fault.column) : null;
    return [problemShown(problem), place && [
      h('pre', {}, place.row.slice(Math.max(0, place.before - AROUND), place.before),
        h('mark', {}, place.row[place.before] ?? ' '), place.row.slice(place.before + 1, place.before + AROUND)),
      h('button', { type: 'button', onclick: () => this.#showPlace(place.at) }, t('go.show'))]];
  }

  /** Have in sight why the record could not be opened. */
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
    if (record) this.#session.open({ ...record, game: Number(this.#games.value) });
  }

  /**
   * @param {Blob | string} body
   * @param {string} name
   */
  #answerAll(body, name) {
    this.#page.drop([new File([body], name || 'record.sgf', { type: 'application/x-go-sgf' })], { asTable: true });
  }

  /** Save the record as it came; a game that was played here is written. */
  #save() {
    const { record, game, next, line } = this.#session;
    if (record) {
      if (Object.keys(record.chosen).length > 0) note(t('go.saved-as-it-came'));
      return save(new Blob([record.body], { type: 'application/x-go-sgf' }), record.name || 'game.sgf');
    }
    if (!rulesName(game.rules)) note(t('go.rules-unnamed'));
    const misses = line?.misses.length ?? 0;
    if (misses > 0) note(t('go.misses-saved', { count: t('go.misses', { count: misses }) }));
    save(new Blob([writeSgf(game, next)], { type: 'application/x-go-sgf' }), 'game.sgf');
  }
}
