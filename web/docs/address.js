// The commands on these pages contain the address http://127.0.0.1:8080. This script replaces it with the address that the page was loaded
// from, including the path prefix of a proxy, so that copied commands work.

const WRITTEN = 'http://127.0.0.1:8080';

/** The address of this server, without a trailing slash. */
export const address = new URL('..', import.meta.url).href.replace(/\/$/, '');

const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const text = /** @type {Text} */ (texts.currentNode);
  if (text.data.includes(WRITTEN)) text.data = text.data.replaceAll(WRITTEN, address);
}
