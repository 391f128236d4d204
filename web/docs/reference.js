// The reference: RapiDoc draws the contract of the service that this page comes from, and asks that service.

import './rapidoc.js';

/** What RapiDoc draws out of the page, wider than its list, and wider than a narrow page. */
const MENDED = `
  #api-info { margin-inline-start: 0; }
  .nav-bar-h1, .nav-bar-h2 { width: auto; }
  .m-markdown code { overflow-wrap: break-word; }`;

/** Parts of RapiDoc with a tree of their own. */
const PARTS = 'api-request, api-response, schema-table, schema-tree, json-tree, tag-input';

const place = /** @type {HTMLElement & { loadSpec: (contract: object) => Promise<void> }} */ (document.querySelector('rapi-doc'));
const contents = /** @type {HTMLElement} */ (document.querySelector('#contents'));

/** @type {WeakSet<ShadowRoot>} */
const watched = new WeakSet();
const observer = new MutationObserver(() => watch(place));

/**
 * Mend what RapiDoc draws, now and whenever it draws again.
 * @param {Element} element
 */
function watch(element) {
  const root = element.shadowRoot;
  if (!root) return;
  mend(root);
  for (const part of root.querySelectorAll(PARTS)) watch(part);
  if (watched.has(root)) return;
  watched.add(root);
  observer.observe(root, { childList: true, subtree: true });
}

/**
 * What RapiDoc lacks for who uses no mouse or no eyes: names of fields; keys for what can be scrolled, or followed. And for
 * who has a small screen.
 * @param {ShadowRoot} root
 */
function mend(root) {
  for (const field of root.querySelectorAll(':is(input, textarea, select):not([aria-label])')) {
    field.setAttribute('aria-label', nameOf(/** @type {HTMLElement} */ (field)));
  }
  for (const text of root.querySelectorAll('pre:not([tabindex])')) text.setAttribute('tabindex', '0');
  for (const cell of root.querySelectorAll('th:empty')) cell.replaceWith(document.createElement('td'));
  for (const code of root.querySelectorAll('td code')) if (code.childElementCount === 0) breakable(code);
  for (const entry of root.querySelectorAll('.nav-scroll [data-content-id]:not([role])')) {
    entry.setAttribute('role', 'link');
    entry.setAttribute('tabindex', '0');
  }
  root.querySelector('.nav-bar')?.setAttribute('aria-label', 'Contents');
  root.querySelector('.nav-scroll')?.setAttribute('aria-label', 'Sections and operations'); // without the filter
}

/**
 * Let a long name in a table end its line where it has a slash or an underscore, for the table to fit a narrow page.
 * @param {Element} code
 */
function breakable(code) {
  const parts = (code.textContent ?? '').split(/(?<=[/_])/);
  if (parts.length > 1) code.replaceChildren(...parts.flatMap((part) => [part, document.createElement('wbr')]));
}

/** @param {HTMLElement} field */
function nameOf(field) {
  const { host } = /** @type {{ host?: HTMLElement }} */ (field.getRootNode());
  const { pname, ptype } = host?.localName === 'tag-input' ? host.dataset : field.dataset;
  if (field.localName === 'textarea') return 'Body of the request';
  if (pname) return `${pname} (${ptype})`;
  if (field.localName !== 'select') return 'Find an operation';
  return field.closest('.example-panel') ? 'Example' : 'Media type';
}

/**
 * The operations as links, for screens that are too narrow for RapiDoc's own list.
 * @param {{ paths: Record<string, Record<string, { summary: string }>> }} contract
 */
function list({ paths }) {
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { summary }] of Object.entries(operations)) {
      const link = document.createElement('a');
      link.href = `#${method}-${path.replaceAll(/[\s#:?&={}]/g, '-')}`; // as RapiDoc names it
      link.textContent = `${method.toUpperCase()} ${path}`;
      const entry = document.createElement('li');
      entry.append(link, `: ${summary}`);
      contents.append(entry);
    }
  }
}

/**
 * Show the contract. Its server is the one that it came from, be it behind a path of a proxy. What need not be said in a
 * request is not filled in: not all of it goes together.
 */
async function show() {
  const answer = await fetch('openapi.json');
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const contract = await answer.json();
  list(contract);
  contract.servers = [{ url: new URL('.', location.href).href }];
  for (const { parameters = [] } of Object.values(contract.paths).flatMap((operations) => Object.values(operations))) {
    for (const parameter of parameters) parameter['x-fill-example'] = parameter.required ? 'yes' : 'no';
  }
  await place.loadSpec(contract);
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(MENDED);
place.shadowRoot?.adoptedStyleSheets.push(sheet);
watch(place);
show().catch((error) => {
  const trouble = /** @type {HTMLElement} */ (document.querySelector('#trouble'));
  trouble.textContent = `The contract, openapi.json, cannot be had: ${error.message}. Load the page again when the service answers.`;
  trouble.hidden = false;
});
