// Finds text on the page that does not come from its text tables. The English table is served with marks around every text,
// ⟦like this⟧, so text outside marks comes from elsewhere. Values inserted into a text are outside its marks, and each line of a text
// has its own marks.

/** Appended to a text table; runs in the page and puts marks around every text in the table. */
const MARKING = `
const around = (value) => (typeof value === 'string' ? '⟧' + value + '⟦' : value);
const marked = (value) => {
  if (typeof value === 'string') return '⟦' + value.replace(/\\{\\w+\\}|\\n/g, '⟧$&⟦') + '⟧';
  if (typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, marked(of)]));
  return (values) => '⟦' + value(Object.fromEntries(Object.entries(values).map(([name, of]) => [name, around(of)]))) + '⟧';
};
export default marked(table);
`;

/**
 * From now on, every page in this context shows its texts in marks.
 * @param {import('playwright-core').BrowserContext} context
 */
export async function markTexts(context) {
  await context.route('**/web/text/en.js', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace('export default {', 'const table = {') + MARKING;
    await route.fulfill({ response, body });
  });
}

/**
 * The texts on the page, including those for screen readers, that have a word outside marks. Programs, key names, English text from
 * the service (lang=en) and language names are exempt.
 * @param {import('playwright-core').Page} page
 * @param {RegExp} [allowed] words from the user, such as a file name
 * @returns {Promise<string[]>}
 */
export async function unmarked(page, allowed = /$^/) {
  const texts = await page.evaluate(() => {
    const exempt = 'code, pre, kbd, script, style, noscript, textarea, main [lang], option[lang], .dropped [lang]';
    const found = [`title: ${document.title}`];
    for (const element of document.querySelectorAll('body, body *')) {
      if (element.closest(exempt)) continue;
      for (const name of ['aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext', 'title', 'placeholder', 'alt']) {
        if (element.hasAttribute(name)) found.push(`${name}: ${element.getAttribute(name)}`);
      }
      for (const child of element.childNodes) {
        if (child.nodeType === Node.TEXT_NODE) found.push(`${element.localName}: ${child.data}`);
      }
    }
    return found;
  });
  return texts.filter((text) => {
    let rest = text.slice(text.indexOf(':') + 1);
    for (let before = ''; before !== rest;) [before, rest] = [rest, rest.replace(/⟦[^⟦⟧]*⟧/g, '')];
    return /\p{L}{2}/u.test(rest.replace(allowed, ''));
  });
}
