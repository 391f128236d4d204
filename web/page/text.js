// The page's words, in the language of the reader: one table a language (web/text), and nothing that is read stands elsewhere.

import { remember, remembered } from './remember.js';

/** @typedef {{ default: Record<string, any>, tag: string, docs: string }} Table */

/** The languages there are, each with its own name for itself. @type {[code: string, name: string, table: () => Promise<Table>][]} */
export const LANGUAGES = [
  ['en', 'English', () => import('../text/en.js')],
  ['zh', '中文', () => import('../text/zh.js')],
];

const CHOICE = 'arbiter-language';

let current = LANGUAGES[0][0];
/** @type {Table} */
let table = { default: {}, tag: current, docs: '' };

/** The language that the reader has chosen, else the first of those that the browser asks for (Accept-Language) that is here. */
export function preferredLanguage() {
  const wanted = [remembered(CHOICE), ...navigator.languages].map((tag) => (tag ?? '').toLowerCase().split('-')[0]);
  return wanted.find((code) => LANGUAGES.some(([known]) => known === code)) ?? current;
}

/**
 * Speak this language from now on, and remember that it was chosen by hand where it was.
 * @param {string} language
 * @param {{ chosen?: boolean }} [how]
 */
export async function speak(language, { chosen = false } = {}) {
  const [, , load] = /** @type {typeof LANGUAGES[0]} */ (LANGUAGES.find(([code]) => code === language));
  table = await load();
  current = language;
  document.documentElement.lang = table.tag;
  if (chosen) remember(CHOICE, language);
}

/** The language that is spoken. */
export const language = () => current;

/**
 * The address of a page of the documentation in this language.
 * @param {string} name
 */
export const docsPage = (name) => `docs/${name}${table.docs}`;

/** @param {string} key */
const find = (key) => key.split('.').reduce((part, name) => part?.[name], /** @type {any} */ (table.default));

/**
 * Is there a text of this key?
 * @param {string} key
 */
export const has = (key) => find(key) !== undefined;

/**
 * The text of a key, `game.word`, with the values put where `{name}` stands in it. A text may be a function of the values, where a
 * number changes the words. A key that is missing is a mistake of ours, and thrown.
 * @param {string} key
 * @param {Record<string, any>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  const text = find(key);
  if (typeof text === 'function') return text(values);
  if (typeof text !== 'string') throw new Error(`no text ${key}`);
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * The texts of a key that has a list of them.
 * @param {string} key
 * @returns {any[]}
 */
export const list = (key) => Object.values(find(key));

/**
 * A list as one text; what is empty or false is left out. A statement that ends a sentence itself gets no second full stop.
 * @param {'sentences' | 'statements' | 'clauses' | 'facts' | 'words'} kind of its parts: sentences have their full stops
 * @param {readonly (string | false | null | undefined)[]} parts
 */
export const joined = (kind, parts) => parts.filter(Boolean).map(String).reduce((text, part) => {
  if (text === '') return part;
  return text + t(`join.${kind === 'statements' && /[.!?…。！？]$/.test(text) ? 'sentences' : kind}`) + part;
}, '');

/**
 * A count as the reader's language writes it: 1,000,000.
 * @param {number} count
 */
export const number = (count) => count.toLocaleString(table.tag);
