// On a static host, there is no service: script/site has put the address of client/local/site.js, which answers instead, into the page.

const site = /** @type {HTMLMetaElement | null | undefined} */ (globalThis.document?.querySelector('meta[name=arbiter-site]'))?.content;

/** @type {typeof import('../../client/local/site.js') | null} */
export const local = site ? await import(new URL(site, document.baseURI).href) : null;
