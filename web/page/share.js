// What is on the screen, to take away: a link, a picture, and the question as a command or a program.

import { h, put, save } from './dom.js';
import { writeLink } from './link.js';
import { paintPng } from './picture.js';
import { failureText } from './problem.js';
import { note } from './say.js';
import { isFailure } from './service.js';
import { snippets } from './snippets.js';
import { t } from './text.js';

/** @typedef {import('./service.js').Service} Service */
/** @typedef {import('./service.js').Game} Game */

/** @typedef {{ game: Game, state: object, question: any }} Shown */

const WAYS = /** @type {const} */ (['curl', 'javascript', 'python']);

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    note(t('share.copied'));
  } catch {
    note(t('share.not-copied'), 'bad'); // the browser forbids it: over plain HTTP from another machine, for example
  }
}

export class Share {
  #service;
  /** @type {Shown | null} */
  #shown = null;
  /** @type {typeof WAYS[number]} */
  #way = 'curl';
  #code = h('code');
  /** Made once, so that what has the focus keeps it when the board changes. */
  #buttons = WAYS.map((way) => /** @type {const} */ ([way, h('button', { type: 'button', onclick: () => {
    this.#way = way;
    if (this.#shown) this.show(this.#shown);
  } }, t(`share.${way}`))]));
  #ways = h('div', { class: 'row', role: 'group', 'aria-label': t('share.ways') },
    this.#buttons.map(([, element]) => element),
    h('button', { type: 'button', class: 'end', onclick: () => copy(this.#code.textContent ?? '') }, t('share.copy')));
  #more = h('p', { class: 'soft' });
  #asking = h('div', { class: 'asking' }, this.#ways, h('pre', { tabindex: 0, 'aria-label': t('share.code') }, this.#code), this.#more);

  /** @param {Service} service */
  constructor(service) {
    this.#service = service;
    const button = (/** @type {string} */ key, /** @type {() => void} */ onclick) =>
      h('button', { type: 'button', onclick }, t(key));
    this.element = h('section', { class: 'card share', 'aria-label': t('share.title') },
      h('h2', {}, t('share.title')),
      h('div', { class: 'row' },
        button('share.link', () => this.#copyLink()),
        button('share.svg', () => this.#savePicture('svg')),
        button('share.png', () => this.#savePicture('png'))),
      this.#asking);
  }

  /**
   * Share this from now on.
   * @param {Shown} shown
   */
  show(shown) {
    this.#shown = shown;
    this.#asking.hidden = shown.question === null;
    if (!shown.question) return;
    const url = new URL(shown.game, this.#service.base).href;
    const code = snippets(url, shown.question), { file } = code;
    for (const [way, element] of this.#buttons) element.setAttribute('aria-pressed', String(way === this.#way));
    put(this.#code, code[this.#way]);
    put(this.#more, file && [t('share.file', { file }), ' ', h('button', {
      type: 'button',
      onclick: () => save(new Blob([JSON.stringify(shown.question)], { type: 'application/json' }), file),
    }, t('share.save', { file }))]);
  }

  async #copyLink() {
    if (!this.#shown) return;
    const fragment = await writeLink(this.#shown.game, this.#shown.state);
    if (fragment === null) return note(t('share.too-long'), 'bad');
    const url = new URL(location.href);
    url.hash = fragment;
    await copy(url.href);
  }

  /** @param {'svg' | 'png'} kind */
  async #savePicture(kind) {
    const { game, question } = this.#shown ?? {};
    if (!game || !question) return note(t('share.no-picture'), 'bad');
    try {
      const svg = await this.#service.keepAsking((signal) => this.#service.arbiter.picture(game, question, { signal }));
      const blob = kind === 'svg' ? new Blob([svg], { type: 'image/svg+xml' }) : await paintPng(svg);
      save(blob, `${game}.${kind}`);
    } catch (error) {
      note(t('share.picture-failed', { why: isFailure(error) ? failureText(error) : /** @type {Error} */ (error).message }), 'bad');
    }
  }
}
