// The texts of the page, in the current language. Each language has a table in web/text. The code itself contains no text for users.

import { local } from './local.js';
import { remember, remembered } from './remember.js';

/** @typedef {{ default: Record<string, any>, tag: string, docs: string }} Table */

/** The languages, each with its own name for itself. @type {[code: string, name: string, table: () => Promise<Table>][]} */
export const LANGUAGES = [
  ['en', 'English', () => import('../text/en.js')],
  ['zh', '中文', () => import('../text/zh.js')],
];

const CHOICE = 'arbiter-language';

let current = LANGUAGES[0][0];
/** @type {Table} */
let table = { default: {}, tag: current, docs: '' };

/** The language that the user has chosen, else the first of the browser's languages that the page supports. */
export function preferredLanguage() {
  const wanted = [remembered(CHOICE), ...navigator.languages].map((tag) => (tag ?? '').toLowerCase().split('-')[0]);
  return wanted.find((code) => LANGUAGES.some(([known]) => known === code)) ?? current;
}

/**
 * @param {string} language
 * @param {{ chosen?: boolean }} [how] `chosen`: the user has chosen it, so remember it
 */
export async function setLanguage(language, { chosen = false } = {}) {
  const [, , load] = /** @type {typeof LANGUAGES[0]} */ (LANGUAGES.find(([code]) => code === language));
  table = await load();
  current = language;
  document.documentElement.lang = table.tag;
  if (chosen) remember(CHOICE, language);
}

export const language = () => current;

/**
 * The address of a page of the documentation in the current language.
 * @param {string} name
 */
export const docsPage = (name) => pageOf(`docs/${name}${table.docs}`);

/** @param {string} name */
export const pageOf = (name) => local?.pageOf(name) ?? name;

/** @param {string} key */
const find = (key) => key.split('.').reduce((part, name) => part?.[name], /** @type {any} */ (table.default));

/**
 * @param {string} key
 */
export const has = (key) => find(key) !== undefined;

/**
 * The text of a key such as `pawn.name`. `{name}` in the text is replaced by the value of `name`. A text can also be a function of the
 * values, because a number can change the words. Throws if there is no such key.
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
 * @param {string} key
 * @returns {any[]}
 */
export const list = (key) => Object.values(find(key));

/**
 * Join texts, skipping empty and false parts. A statement that already ends with a full stop doesn't get a second one.
 * @param {'sentences' | 'statements' | 'clauses' | 'facts' | 'words'} kind of the parts: sentences end with a full stop, statements may
 * @param {readonly (string | false | null | undefined)[]} parts
 */
export const joined = (kind, parts) => parts.filter(Boolean).map(String).reduce((text, part) => {
  if (text === '') return part;
  return text + t(`join.${kind === 'statements' && /[.!?…。！？]$/.test(text) ? 'sentences' : kind}`) + part;
}, '');

/**
 * A number in the format of the current language: 1,000,000.
 * @param {number} count
 */
export const number = (count) => count.toLocaleString(table.tag);
