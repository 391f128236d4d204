// Functions that make elements. Markup in strings would need escaping, and the page's policy allows no inline styles.

const SVG = 'http://www.w3.org/2000/svg';

/**
 * The content of an element: nodes, texts, and lists of these.
 * @typedef {Node | string | number | null | undefined | false | readonly any[]} Child
 */

/**
 * @param {Element} element
 * @param {Record<string, any>} properties
 * @param {Child[]} children
 */
function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...nodes(children));
}

/**
 * Flatten a list of children. Null, undefined and false are skipped.
 * @param {readonly Child[]} children
 * @returns {(Node | string)[]}
 */
function nodes(children) {
  return children.flatMap((child) => {
    if (child === null || child === undefined || child === false) return [];
    if (Array.isArray(child)) return nodes(child);
    return [child instanceof Node ? child : String(child)];
  });
}

/**
 * Make an element: h('button', { class: 'quiet', onclick: play }, 'Play'). A property whose name begins with `on`
 * is a listener; all others are attributes. `true` gives an attribute without a value; false, null and undefined are skipped.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [properties]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  fill(element, properties, children);
  return element;
}

/**
 * Make an SVG element. The parameters are those of `h`.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [properties]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function s(tag, properties = {}, ...children) {
  const element = /** @type {SVGElementTagNameMap[Tag]} */ (document.createElementNS(SVG, tag));
  fill(element, properties, children);
  return element;
}

/**
 * @param {Element} element
 * @param {...Child} children
 */
export function setContent(element, ...children) {
  element.replaceChildren(...nodes(children));
}

/**
 * @param {Element} element
 */
export function clearContent(element) {
  element.replaceChildren();
}

/**
 * Have the browser save bytes as a file.
 * @param {Blob} blob
 * @param {string} name
 */
export function save(blob, name) {
  const link = h('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the browser reads it later
}
