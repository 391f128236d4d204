// The commands on these pages contain the address http://127.0.0.1:8080. This replaces it by the address of the service that the page comes
// from, with the path prefix of a proxy, so that a copied command works.

const WRITTEN = 'http://127.0.0.1:8080';

/** The address of this service, without a slash at the end. */
export const address = new URL('..', import.meta.url).href.replace(/\/$/, '');

const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const text = /** @type {Text} */ (texts.currentNode);
  if (text.data.includes(WRITTEN)) text.data = text.data.replaceAll(WRITTEN, address);
}
