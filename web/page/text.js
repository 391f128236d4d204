// The page's words, in the language of the reader: one table a language (web/text), and nothing that is read stands elsewhere.

/** @type {Record<string, () => Promise<{ default: Record<string, any> }>>} */
const TABLES = {
  en: () => import('../text/en.js'),
  zh: () => import('../text/zh.js'),
};

/** The languages there are, each with its own name for itself. */
export const LANGUAGES = [['en', 'English'], ['zh', '中文']];

const CHOICE = 'arbiter-language';

/** @type {Record<string, any>} */
let table = {};
let current = 'en';

/** The language that the reader has chosen, else the first of those that the browser asks for (Accept-Language) that is here. */
export function preferredLanguage() {
  const wanted = [remembered(), ...navigator.languages].map((tag) => (tag ?? '').toLowerCase().split('-')[0]);
  return wanted.find((language) => language in TABLES) ?? 'en';
}

function remembered() {
  try {
    return localStorage.getItem(CHOICE);
  } catch {
    return null; // the reader allows no storage
  }
}

/**
 * Speak this language from now on, and remember that it was chosen by hand where it was.
 * @param {string} language
 * @param {{ chosen?: boolean }} [how]
 */
export async function speak(language, { chosen = false } = {}) {
  table = (await TABLES[language]()).default;
  current = language;
  document.documentElement.lang = language === 'zh' ? 'zh-Hans' : language;
  try {
    if (chosen) localStorage.setItem(CHOICE, language);
  } catch {
    // It is forgotten with the page then.
  }
}

/** The language that is spoken. */
export const language = () => current;

/** @param {string} key */
const find = (key) => key.split('.').reduce((part, name) => part?.[name], /** @type {any} */ (table));

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
 * A count as the reader's language writes it: 1,000,000.
 * @param {number} count
 */
export const number = (count) => count.toLocaleString(current === 'zh' ? 'zh-Hans' : 'en');
