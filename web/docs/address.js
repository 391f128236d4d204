// The commands of these pages ask the service at http://127.0.0.1:8080. This puts the address of the service that the page comes
// from in its place, with the path of a proxy if there is one, so that a command that is copied asks this service.

const WRITTEN = 'http://127.0.0.1:8080';

/** The address of this service, without a slash at its end. */
export const address = new URL('..', import.meta.url).href.replace(/\/$/, '');

const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const text = /** @type {Text} */ (texts.currentNode);
  if (text.data.includes(WRITTEN)) text.data = text.data.replaceAll(WRITTEN, address);
}
