// The playground of /mine: paint or draw a field, hear who wins it, and play it out.

import { h, put, save } from '../page/dom.js';
import { Grid } from '../page/grid.js';
import { say } from '../page/say.js';
import { t } from '../page/text.js';
import { MINE, UNKNOWN } from './cells.js';
import { button, FieldCard, GameCard, VerdictCard } from './cards.js';
import { contentOf, regionOf, winning } from './drawing.js';
import { Field } from './field.js';
import { jsonOf, shownOf, textOf } from './file.js';
import { readState } from './link.js';
import { tintAt } from './openings.js';
import { Pane } from './pane.js';
import { Session } from './session.js';
import { Strip } from './status.js';

/** @typedef {import('../page/main.js').Page} Page */
/** @typedef {import('../page/main.js').Playground} Playground */

/** What a newcomer sees: a field of four openings, which takes 17 clicks at least, and of which three win. */
const FIRST = ['........*', '.........', '......*..', '.*...*..*', '......**.', '..*......', '.......*.', '.....*...', '.........'];

/** Of a field of so many cells it takes a millisecond longer until the link and the question follow. */
const CELLS_A_MILLISECOND = 5000;

class Mine {
  #page;
  /** @type {Session} */
  #session;
  #coach = true;
  #beneath = true;
  /** Has the field come from elsewhere, and not been answered yet? */
  #fresh = true;
  /** Why there is no answer, as it was said last: the key of the words. */
  #missing = '';
  #frame = 0;
  #closed = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #following;
  #grid;
  #pane;
  #verdict;
  #game;
  #field;
  #strip;
  /** The cell that is pointed at, and it in words. @type {[number, number] | null} */
  #pointed = null;
  #words = h('p', { class: 'mine-words soft' });
  #tools;

  /**
   * @param {Page} page
   * @param {import('./link.js').Shown} shown
   * @param {Mine} [before] the one whose place this takes, in another language
   */
  constructor(page, shown, before) {
    this.#page = page;
    if (before) [this.#coach, this.#beneath, this.#fresh] = [before.#coach, before.#beneath, before.#fresh];
    const session = this.#session = new Session(page, shown, (news) => this.#heard(news), before && before.#session);
    this.#grid = new Grid({
      rows: shown.field.rows, cols: shown.field.cols, label: '',
      describe: (row, col) => this.#described(row, col),
      act: (row, col, how) => this.#act(row, col, how),
      hover: (row, col) => this.#point([row, col]),
      leave: () => this.#point(null),
      key: (key, row, col, event) => this.#key(key, event),
      painting: () => session.mode === 'paint',
    });
    this.#pane = new Pane(this.#grid, () => this.#scene(), { pinched: () => session.unpaint(), sized: () => this.#updateTools() });
    this.#strip = new Strip({ again: () => session.goTo(0), swap: () => this.#swap(), draw: () => this.#field.submit() });
    this.#verdict = new VerdictCard({
      harder: () => session.harder(), stop: () => session.cancel(), back: () => session.takeBack(),
      place: () => this.#showPlace(), wins: () => session.setWins(!session.wins),
    });
    this.#game = new GameCard({
      side: (side) => session.setSide(side), goTo: (count) => session.goTo(count),
      coach: (on) => { this.#coach = on; this.#update(); }, beneath: (on) => { this.#beneath = on; this.#update(); },
    });
    this.#field = new FieldCard({ save: (kind) => this.#save(kind), draw: (rows, cols, mines) => {
      this.#fresh = true;
      session.replace(Field.random(rows, cols, mines));
      this.#strip.element.scrollIntoView({ block: 'nearest' });
    } });
    this.#tools = this.#toolbar();
    this.element = this.#laidOut();
    this.#update();
    addEventListener('keydown', (event) => this.#undoKey(event), { signal: this.#closed.signal });
    session.ask();
  }

  #laidOut() {
    return h('div', { class: 'playground mine' },
      h('div', { class: 'heading row' }, h('h1', {}, t('mine.name')), h('p', { class: 'soft' }, t('mine.line'))),
      h('div', { class: 'board' },
        this.#strip.element, this.#pane.element, this.#words, this.#tools.element),
      h('div', { class: 'side' }, this.#verdict.element, this.#game.element, this.#field.element,
        h('section', { class: 'card', 'aria-label': t('mine.help') }, ['rules', 'keys'].map((name) =>
          h('details', {}, h('summary', {}, t(`mine.${name}`)),
            h('ul', {}, t(`mine.${name}-list`).split('\n').map((line) => h('li', {}, line))))))));
  }

  #toolbar() {
    const session = this.#session, pane = this.#pane;
    const zoom = (/** @type {-1 | 0 | 1} */ way) => () => pane.zoom(way);
    const tools = {
      play: button('mine.play', () => session.setMode('play')),
      paint: button('mine.paint', () => session.setMode('paint')),
      undo: button('mine.undo', () => session.undo(), { title: 'U' }),
      redo: button('mine.redo', () => session.redo(), { title: 'R' }),
      again: button('mine.restart', () => session.goTo(0)),
      draw: button('mine.new-field', () => this.#field.submit(), { title: 'N' }),
      farther: h('button', { type: 'button', 'aria-label': t('mine.zoom-out'), title: '−', onclick: zoom(-1) }, '−'),
      fit: button('mine.fit', zoom(0), { title: '0' }),
      nearer: h('button', { type: 'button', 'aria-label': t('mine.zoom-in'), title: '+', onclick: zoom(1) }, '+'),
    };
    const group = (/** @type {string} */ name, /** @type {HTMLElement[]} */ ...buttons) =>
      h('div', { class: 'joined', role: 'group', 'aria-label': t(`mine.group-${name}`) }, buttons);
    const element = h('div', { class: 'row mine-tools' }, group('mode', tools.play, tools.paint),
      group('history', tools.undo, tools.redo, tools.again), tools.draw,
      group('zoom', tools.farther, tools.fit, tools.nearer));
    return { ...tools, element };
  }

  /** @param {[number, number] | null} cell */
  #point(cell) {
    this.#pointed = cell;
    put(this.#words, cell && this.#described(...cell));
  }

  /** @param {import('./session.js').News} news */
  #heard(news) {
    const session = this.#session;
    if (news === 'time') return this.#updateWords();
    if (news === 'paint') this.#frame ||= requestAnimationFrame(() => this.#update());
    else this.#update();
    if (news === 'answer') return this.#announce();
    // To write down a field of a million cells takes a while: not for every cell of a stroke.
    clearTimeout(this.#following);
    this.#following = setTimeout(() => this.#page.changed(), session.field.cells / CELLS_A_MILLISECOND);
  }

  /** Show all anew. */
  #update() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const session = this.#session, { field, position, mode } = session;
    this.#pane.reshape(field.rows, field.cols);
    this.#grid.reshape({ rows: field.rows, cols: field.cols, label: t('mine.board', { rows: field.rows, cols: field.cols }) });
    this.#pane.element.classList.toggle('mine-stale', session.stale);
    this.#pane.redraw();
    this.#updateWords();
    this.#game.element.hidden = mode !== 'play';
    this.#game.update({ ...position, side: session.side, coach: this.#coach, beneath: this.#beneath });
    this.#field.update(field);
    this.#updateTools();
    const [row, col] = this.#pointed ?? [field.rows, field.cols];
    this.#point(row < field.rows && col < field.cols ? [row, col] : null);
  }

  /** Show how it stands. */
  #updateWords() {
    const session = this.#session;
    this.#verdict.update({ ...session.told, who: this.#who() });
    this.#strip.update(session, this.#coach);
    this.#sayMissing();
  }

  /** Say that there is no answer: what was said of the position before does not hold. */
  #sayMissing() {
    const { waits, stale, problem } = this.#session;
    const key = problem ? 'mine.refused' : waits === 'failed' ? 'page.unanswered' : stale && waits === 'late' ? 'page.late' : '';
    if (key !== '' && key !== this.#missing) say(t(key));
    this.#missing = key;
  }

  #updateTools() {
    const { mode, position, canUndo, canRedo } = this.#session, { room } = this.#pane, tools = this.#tools;
    tools.play.setAttribute('aria-pressed', String(mode === 'play'));
    tools.paint.setAttribute('aria-pressed', String(mode === 'paint'));
    tools.undo.disabled = !canUndo;
    tools.redo.disabled = !canRedo;
    tools.again.disabled = position.clicks.length === 0;
    tools.nearer.disabled = !room.nearer;
    tools.farther.disabled = !room.farther;
    tools.fit.disabled = room.fitted;
  }

  #scene() {
    return { ...this.#session.scene, beneath: this.#beneath };
  }

  /** What the verdict means to the reader. */
  #who() {
    const { result, mode, side, position, ended } = this.#session;
    if (!result) return '';
    if (ended) return t('mine.ended');
    if (result.verdict === 'Unknown') return t('mine.unknown-means');
    const when = position.clicks.length > 0 ? 'now' : result.verdict;
    const whose = mode === 'paint' || side === 'both' ? '' : t(side === result.verdict ? 'mine.is-you' : 'mine.is-program');
    return [t(`mine.who-${when}`), whose].filter(Boolean).join(t('mine.space'));
  }

  /** Say what has come about, to those who do not see it. */
  #announce() {
    const { position, result, mode } = this.#session;
    if (this.#fresh && result?.unsolved) this.#showPlace();
    this.#fresh = false;
    if (!result) return;
    const last = position.clicks.at(-1);
    if (last && position.by === 'opponent') this.#pane.reveal(...last);
    const verdict = result.verdict === 'Unknown' ? t('mine.unknown') : t('mine.wins', { player: result.verdict });
    say([mode === 'play' && last && position.by === 'opponent' && this.#clickWords(last), this.#strip.words, verdict]
      .filter(Boolean).join(t('mine.space')));
  }

  /** @param {readonly [number, number]} cell the last that was clicked */
  #clickWords([row, col]) {
    const player = this.#session.position.clicks.length % 2 === 1 ? 'Xiemao' : 'Fanglaoshi';
    return t('mine.has-clicked', { player, row: row + 1, col: col + 1 });
  }

  #showPlace() {
    const unsolved = this.#session.result?.unsolved;
    if (unsolved) this.#pane.show(unsolved.at[0], unsolved.at[1]);
  }

  /** Play the other side, from the beginning. */
  #swap() {
    const { side } = this.#session;
    if (side !== 'both') this.#session.setSide(side === 'Xiemao' ? 'Fanglaoshi' : 'Xiemao');
    this.#session.goTo(0);
  }

  /**
   * A cell in words.
   * @param {number} row
   * @param {number} col
   */
  #described(row, col) {
    const scene = this.#scene(), content = contentOf(scene, row, col);
    const place = t('mine.cell', { row: row + 1, col: col + 1 });
    if (content === MINE) return `${place}${t('mine.comma')}${t('mine.is-mine')}`;
    const down = typeof scene.face === 'string' ? scene.face === 'down' : scene.face[row][col] === '#';
    const tint = scene.openings ? tintAt(scene.openings, row, col) : 0;
    const last = scene.clicks.at(-1);
    return [
      place,
      this.#session.mode === 'play' && t(down ? 'mine.is-down' : 'mine.is-up'),
      (scene.beneath || !down) && content !== UNKNOWN && (content === 0 ? t('mine.is-blank') : t('mine.is-number', { number: content })),
      (scene.beneath || !down) && content > 0 && content < MINE && tint > 0 && t(tint > 15 ? 'mine.is-shared' : 'mine.is-bordering'),
      winning(scene).has(regionOf(scene, row, col)) && t('mine.is-win'),
      last && last[0] === row && last[1] === col && t('mine.is-last'),
    ].filter(Boolean).join(t('mine.comma'));
  }

  /**
   * @param {number} row
   * @param {number} col
   * @param {import('../page/grid.js').Act} how
   */
  #act(row, col, how) {
    if (this.#session.mode === 'paint') return this.#session.paint(row, col, how);
    if (how.second) return this.#tell(this.#described(row, col));
    const came = this.#session.click(row, col);
    if (came !== 'done') this.#tell(t(`mine.not-${came}`));
  }

  /** @param {string} words */
  #tell(words) {
    put(this.#words, words);
    say(words);
  }

  /**
   * @param {string} key
   * @param {KeyboardEvent} event
   */
  #key(key, event) {
    const session = this.#session, { play, paint, undo, redo, nearer, farther, fit } = this.#tools;
    if (event.ctrlKey) return false;
    /** @type {Record<string, { click: () => void }>} */
    const buttons = { u: undo, r: redo, w: this.#verdict.show, '+': nearer, '=': nearer, '-': farther, 0: fit, e: session.mode === 'play' ? paint : play };
    if (key.toLowerCase() === 'n') this.#field.submit();
    else if (key.toLowerCase() in buttons) buttons[key.toLowerCase()].click();
    else return false;
    return true;
  }

  /**
   * Undo and redo by keys, wherever the focus is, but for where one writes: a button that can do no more loses it.
   * @param {KeyboardEvent} event
   */
  #undoKey(event) {
    const writing = event.target instanceof Element && event.target.matches('input[type=number], textarea');
    if (!(event.ctrlKey || event.metaKey) || event.altKey || writing) return;
    const key = event.key.toLowerCase();
    if (key === 'z' && !event.shiftKey) this.#tools.undo.click();
    else if (key === 'y' || key === 'z') this.#tools.redo.click();
    else return;
    event.preventDefault();
  }

  /** @param {'json' | 'text'} kind */
  #save(kind) {
    const { field } = this.#session, name = `mine-${field.cols}x${field.rows}-${field.mines}`;
    if (kind === 'json') save(new Blob([jsonOf(field)], { type: 'application/json' }), `${name}.json`);
    else save(new Blob([textOf(field)], { type: 'text/plain' }), `${name}.txt`);
  }

  /**
   * Show a file, if it is one field.
   * @param {File} file
   */
  async #take(file) {
    const shown = await shownOf(file);
    if (!shown) return false;
    this.#fresh = true;
    this.#session.show(shown);
    return true;
  }

  /** @type {Playground} */
  get playground() {
    return {
      element: this.element,
      state: () => this.#session.state(),
      memory: this,
      question: () => this.#session.question(),
      take: (file) => this.#take(file),
      close: () => {
        this.#closed.abort();
        cancelAnimationFrame(this.#frame);
        clearTimeout(this.#following);
        this.#session.close();
        this.#pane.close();
      },
    };
  }
}

/**
 * @param {Page} page
 * @param {any} state
 * @param {Mine} [before]
 * @returns {Playground}
 */
export function open(page, state, before) {
  const shown = state === undefined
    ? { field: Field.asked({ board: FIRST }), clicks: [], mode: /** @type {const} */ ('play'), side: /** @type {const} */ ('Xiemao'), wins: false }
    : readState(state);
  return new Mine(page, shown, before).playground;
}
