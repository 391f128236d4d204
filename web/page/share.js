// The card that shares what's on the screen: as a link, as a picture, or as code that sends the question to the service.

import { h, save, setContent } from './dom.js';
import { writeLink } from './link.js';
import { local } from './local.js';
import { note } from './say.js';
import { t } from './text.js';
import { button, group, setPressed } from './ui.js';

/** @typedef {import('./service.js').Service} Service */
/** @typedef {import('./service.js').Game} Game */

/** @typedef {{ game: Game, state: object, question: any }} Shown */

const WAYS = /** @type {const} */ (['curl', 'javascript', 'python']);

/** The longest question to put on a command line, in characters. A longer one goes into a file. */
const MOST_COMMAND = 60_000;

/**
 * Copy a text, and show a message.
 * @param {string} text
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    note(t('share.copied'));
  } catch {
    note(t('share.not-copied'), 'bad'); // the browser forbids it over plain HTTP from another machine, for example
  }
}

export class Share {
  #service;
  /** @type {Shown | null} */
  #shown = null;
  /** @type {typeof WAYS[number]} */
  #way = 'curl';
  #code = h('code');
  /** Made once, so that they keep the focus when the board changes. */
  #buttons = WAYS.map((way) => /** @type {const} */ ([way, button(t(`share.${way}`), () => {
    this.#way = way;
    if (this.#shown) this.show(this.#shown);
  })]));
  #ways = group(t('share.ways'), [this.#buttons.map(([, element]) => element),
    button(t('share.copy'), () => copy(this.#code.textContent ?? ''), { class: 'end' })], 'row');
  #more = h('p', { class: 'soft' });
  #asking = h('div', { class: 'asking' }, this.#ways, h('pre', { tabindex: 0, 'aria-label': t('share.code') }, this.#code), this.#more);

  #update;

  /**
   * @param {Service} service
   * @param {() => void} update called before a link is copied: it calls `show` if what's on the page has changed
   */
  constructor(service, update) {
    this.#service = service;
    this.#update = update;
    this.element = h('section', { class: 'card share', 'aria-label': t('share.title') },
      h('h2', {}, t('share.title')),
      h('div', { class: 'row' },
        button(t('share.link'), () => this.#copyLink()),
        button(t('share.svg'), () => this.#savePicture('svg')),
        button(t('share.png'), () => this.#savePicture('png'))),
      this.#asking);
  }

  /**
   * Show code for this question, and share this state from now on.
   * @param {Shown} shown
   */
  show(shown) {
    this.#shown = shown;
    this.#asking.hidden = shown.question === null || local !== null; // without a service, nobody could answer the code
    if (!shown.question) return;
    const url = new URL(shown.game, this.#service.base).href;
    const code = snippets(url, shown.question), { file } = code;
    for (const [way, element] of this.#buttons) setPressed(element, way === this.#way);
    setContent(this.#code, code[this.#way]);
    setContent(this.#more, file && [t('share.file', { file }), ' ', button(t('share.save', { file }),
      () => save(new Blob([JSON.stringify(shown.question)], { type: 'application/json' }), file))]);
  }

  async #copyLink() {
    this.#update();
    if (!this.#shown) return;
    const fragment = await writeLink(this.#shown.game, this.#shown.state);
    if (fragment === null) return note(t('share.too-long'), 'bad');
    const url = new URL(location.href);
    url.hash = fragment;
    await copy(url.href);
  }

  /** Save the board as it is on the screen. @param {'svg' | 'png'} kind */
  async #savePicture(kind) {
    const board = document.querySelector('main .board'), game = this.#shown?.game;
    if (!board || !game) return;
    try {
      const { svgOf, pngOf } = await import('./picture.js'), svg = svgOf(board);
      save(kind === 'svg' ? new Blob([svg], { type: 'image/svg+xml' }) : await pngOf(svg), `${game}.${kind}`);
    } catch (error) {
      note(t('share.picture-failed', { why: /** @type {Error} */ (error).message }), 'bad');
    }
  }
}

/** Quote a text as one word of a shell command. @param {string} text */
const shell = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * @param {any} value
 * @returns {string}
 */
function python(value) {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (typeof value === 'object') return `{${Object.entries(value).map(([name, of]) => `${python(name)}: ${python(of)}`).join(', ')}}`;
  return JSON.stringify(value); // numbers and strings: JSON's escapes are valid in Python
}

/**
 * The code that sends the question.
 * @param {string} url the route: http://127.0.0.1:8080/pawn
 * @param {object} question
 * @returns {{ curl: string, javascript: string, python: string, file: string | null }} `file`: the name of the file to save
 *   the question to; null if the code contains the question
 */
function snippets(url, question) {
  const json = JSON.stringify(question);
  const file = json.length > MOST_COMMAND ? 'question.json' : null;
  return {
    file,
    curl: `curl --json ${file ? `@${file}` : shell(json)} ${url}`,
    javascript: [
      file ? "import { readFile } from 'node:fs/promises';\n" : '',
      `const question = ${file ? `JSON.parse(await readFile('${file}', 'utf8'))` : json};`,
      `const response = await fetch('${url}', {`,
      "  method: 'POST',",
      "  headers: { 'content-type': 'application/json' },",
      '  body: JSON.stringify(question),',
      '});',
      'console.log(await response.json());',
    ].filter((line) => line !== '').join('\n'),
    python: [
      'import json, urllib.request',
      '',
      `question = ${file ? `json.load(open("${file}"))` : python(question)}`,
      `request = urllib.request.Request("${url}", json.dumps(question).encode(), {"content-type": "application/json"})`,
      'print(json.load(urllib.request.urlopen(request)))',
    ].join('\n'),
  };
}
