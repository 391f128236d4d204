// The forms of the reference: each sends the request that it shows, and shows the response. tools/reference.py generates the page with the
// forms, whose fields are hidden until this script runs.

import { h } from '../web/page/dom.js';
import { fetchWithToken, keepToken, keptToken } from '../web/page/token.js';
import { address } from './address.js';

const MOST_SHOWN = 400_000;
const WIDTH = 72;

/**
 * Format JSON without changing its values: whatever fits on a line goes on one line, except that a board has one line per row. Must match
 * operation.py.
 * @param {string} text
 */
function pretty(text) {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[^\s"[\]{},:]+|[[\]{},:]/g) ?? [];
  let at = 0;
  /** @param {number} depth @returns {string} */
  function value(depth) {
    const open = tokens[at++];
    if (open !== '{' && open !== '[') return open;
    /** @type {string[]} */
    const parts = [];
    const indent = '  '.repeat(depth);
    while (at < tokens.length && tokens[at] !== '}' && tokens[at] !== ']') {
      const name = open === '{' ? `${tokens[at]}: ` : '';
      if (name) at += 2;
      parts.push(name + value(depth + 1));
      if (tokens[at] === ',') at++;
    }
    const close = tokens[at++], line = open + parts.join(', ') + close;
    const board = depth === 1 && open === '[' && parts.length > 1
      && parts.every((part) => /^"[^a-z]{2,}"$/.test(part) && part.length === parts[0].length);
    if (!board && !line.includes('\n') && indent.length + line.length <= WIDTH) return line;
    return `${open}${parts.map((part) => `\n${indent}  ${part}`).join()}\n${indent}${close}`;
  }
  return value(0);
}

/**
 * Quote a word of a command if necessary. Must match operation.py.
 * @param {string} text
 */
const shell = (text) => (/^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

class Form {
  /** Aborts the current request; null if there is none. @type {AbortController | null} */
  #asking = null;
  /** The URL of the picture in the answer. */
  #picture = '';

  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    this.status = /** @type {HTMLElement} */ (form.querySelector('[role="status"]'));
    this.answer = /** @type {HTMLElement} */ (form.querySelector('.answer'));
    this.cancel = this.#field('cancel');
    this.token = this.#field('token');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#send();
    });
    form.addEventListener('input', (event) => {
      const { name, value } = /** @type {HTMLInputElement} */ (event.target);
      if (name === 'example') this.#take(value);
      if (name === 'type') this.#take(this.#examples().find((id) => this.#example(id).dataset.for === value) ?? '');
      this.#showCommand();
    });
    this.cancel.addEventListener('click', () => this.#asking?.abort());
    const [first] = this.#examples();
    if (first) this.#take(first);
    this.showToken();
    /** @type {HTMLElement} */ (form.querySelector('fieldset')).hidden = false;
  }

  /**
   * The field with this name, or an empty one if there is none.
   * @param {string} name
   */
  #field(name) {
    return /** @type {HTMLInputElement} */ (this.form.elements.namedItem(name) ?? document.createElement('input'));
  }

  #examples() {
    return [...this.form.querySelectorAll('[name="example"] option')].map((option) => /** @type {HTMLOptionElement} */ (option).value);
  }

  /** @param {string} id */
  #example(id) {
    return /** @type {HTMLElement} */ (document.getElementById(id));
  }

  /**
   * Fill in an example, or clear the body if `id` is ''.
   * @param {string} id
   */
  #take(id) {
    this.#field('example').value = id;
    const example = id ? this.#example(id) : null;
    if (example) this.#field('type').value = example.dataset.for ?? '';
    this.#field('body').value = example?.textContent ?? '';
  }

  /** The request that the fields describe. */
  #request() {
    const { method, path = '' } = this.form.dataset;
    const query = new URLSearchParams();
    let target = path;
    for (const { name, value, dataset } of /** @type {NodeListOf<HTMLInputElement>} */ (this.form.querySelectorAll('[data-in]'))) {
      if (dataset.in === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value).replaceAll('%2F', '/'));
      else if (value) query.append(name, value);
    }
    const url = new URL(address + target);
    url.search = query.toString();
    /** @type {Record<string, string>} */
    const headers = {};
    if (this.#field('accept').value) headers.Accept = this.#field('accept').value;
    if (method === 'GET') return { url, method, headers };
    headers['Content-Type'] = this.#field('type').value;
    return { url, method, headers, body: this.#field('body').value };
  }

  #showCommand() {
    const { url, headers, body } = this.#request();
    const words = [`curl ${shell(url.href)}`, ...Object.entries(headers).map((header) => `-H ${shell(header.join(': '))}`)];
    if (this.token.value) words.push('-H "Authorization: Bearer $TOKEN"');
    if (body !== undefined) words.push(`--data-binary ${shell(body)}`);
    /** @type {HTMLElement} */ (this.form.querySelector('.command')).textContent = words.join(' \\\n  ');
  }

  /** Fill in the token, which all forms share. The field is hidden until a gateway requires a token. */
  showToken() {
    this.token.value = keptToken();
    this.#showCommand();
  }

  #keepToken() {
    keepToken(this.token.value.trim());
    for (const form of forms) form.showToken();
  }

  async #send() {
    this.#asking?.abort();
    const asking = this.#asking = new AbortController();
    this.cancel.hidden = false;
    this.answer.hidden = true;
    this.#say('Waiting for the response…');
    this.#keepToken();
    const { url, ...request } = this.#request();
    const start = performance.now();
    try {
      const answer = await fetchWithToken(url, { ...request, cache: 'no-store', signal: asking.signal });
      const bytes = await answer.blob();
      const time = performance.now() - start;
      const text = await bytes.slice(0, MOST_SHOWN).text();
      if (asking !== this.#asking) return; // another request has replaced this one
      this.#show(answer, bytes, text, time);
    } catch (error) {
      if (asking !== this.#asking) return;
      if (asking.signal.aborted) this.#say('Cancelled.');
      else this.#say(`No response: ${/** @type {Error} */ (error).message}.`, true);
    }
    this.#asking = null;
    if (document.activeElement === this.cancel) /** @type {HTMLElement} */ (this.form.querySelector('button.main')).focus();
    this.cancel.hidden = true;
  }

  /**
   * @param {string} text
   * @param {boolean} [bad]
   */
  #say(text, bad = false) {
    this.status.textContent = text;
    this.status.className = bad ? 'problem' : '';
  }

  /**
   * @param {Response} answer
   * @param {Blob} bytes its body
   * @param {string} text the beginning of the body
   * @param {number} time milliseconds
   */
  #show(answer, bytes, text, time) {
    const type = answer.headers.get('content-type');
    const size = bytes.size.toLocaleString('en'), took = Math.round(time).toLocaleString('en');
    this.#say(`${answer.status} ${answer.statusText}, ${type ? `${type}, ` : ''}${size} bytes, ${took} ms`, !answer.ok);
    const headers = [...answer.headers].map((header) => header.join(': ')).join('\n');
    this.answer.replaceChildren(/^image\/(svg|png)/.test(type ?? '') ? this.#pictureShown(bytes) : bodyShown(bytes, text, type ?? ''),
      h('details', {}, h('summary', {}, 'Headers'), textShown(headers, 'Response headers')));
    this.answer.hidden = false;
    if (answer.status !== 401) return;
    /** @type {HTMLElement} */ (this.token.closest('label')).hidden = false;
    this.token.focus();
  }

  /** @param {Blob} bytes */
  #pictureShown(bytes) {
    URL.revokeObjectURL(this.#picture);
    this.#picture = URL.createObjectURL(bytes);
    return h('img', { src: this.#picture, alt: 'The picture in the response' });
  }
}

/**
 * @param {Blob} bytes
 * @param {string} text the beginning of the body
 * @param {string} type
 */
function bodyShown(bytes, text, type) {
  const label = 'Response body';
  if (bytes.size > MOST_SHOWN) return textShown(`${text}\n… (the first ${MOST_SHOWN.toLocaleString('en')} bytes)`, label);
  return textShown(/^application\/(problem\+)?json\b/.test(type) ? pretty(text) : text, label);
}

/**
 * A text that can be scrolled with the keyboard.
 * @param {string} text
 * @param {string} label
 */
const textShown = (text, label) => h('pre', { tabindex: '0', role: 'group', 'aria-label': label }, text);

/** Mark the current section in the contents: the last one that begins in the upper third of the window, or above the window. */
function markPlace() {
  const contents = /** @type {HTMLElement} */ (document.querySelector('.contents'));
  const links = /** @type {HTMLAnchorElement[]} */ ([...contents.querySelectorAll('a')]);
  /** @type {(link: HTMLAnchorElement) => boolean} */
  const isAbove = ({ hash }) => {
    const place = document.getElementById(decodeURIComponent(hash.slice(1)));
    return place !== null && place.getBoundingClientRect().top < innerHeight / 3;
  };
  let waiting = false;
  const mark = () => {
    waiting = false;
    const here = links.filter((link) => link.checkVisibility() && isAbove(link)).at(-1) ?? links[0];
    if (here.hasAttribute('aria-current')) return;
    for (const link of links) link.removeAttribute('aria-current');
    here.setAttribute('aria-current', 'location');
    if (contents.scrollHeight > contents.clientHeight) contents.scrollTop = here.offsetTop - contents.clientHeight / 2;
  };
  addEventListener('scroll', () => {
    if (!waiting) requestAnimationFrame(mark);
    waiting = true;
  }, { passive: true });
  mark();
}

/** @type {Form[]} */
const forms = [];
for (const form of document.forms) forms.push(new Form(form));
markPlace();
