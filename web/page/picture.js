// Draws the board as it is on the screen, as an SVG that stands alone, or as a PNG. This module is loaded when a picture is saved.

import { s } from './dom.js';

/** The minimum length of a PNG's longer side, in pixels. A smaller picture is enlarged. */
const LEAST_PNG = 1024;

/** Pixels around the board. */
const MARGIN = 8;

/** The properties that style sheets set in a drawing. In a file of its own, each element needs its values. */
const PROPERTIES = ['color', 'fill', 'opacity', 'stroke', 'stroke-width', 'stroke-linecap', 'stroke-linejoin', 'stroke-dasharray', 'paint-order', 'vector-effect',
  'stop-color', 'stop-opacity', 'visibility', 'font-family', 'font-size', 'font-weight', 'text-anchor', 'dominant-baseline', 'transform'];

/** @typedef {{ left: number, top: number, right: number, bottom: number }} Edges */

/**
 * @param {Element} board as it is on the page
 * @returns {string} SVG
 */
export function svgOf(board) {
  const edges = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }, all = s('g');
  draw(board, all, edges);
  const left = edges.left - MARGIN, top = edges.top - MARGIN, width = edges.right + MARGIN - left, height = edges.bottom + MARGIN - top;
  const back = getComputedStyle(document.documentElement).backgroundColor;
  return new XMLSerializer().serializeToString(s('svg', { viewBox: [left, top, width, height].join(' '), width, height },
    s('title', {}, document.title), s('rect', { x: left, y: top, width, height, fill: back }), all));
}

/**
 * @param {Element} element
 * @param {SVGElement} onto
 * @param {Edges} edges widened to what was drawn
 */
function draw(element, onto, edges) {
  if (!element.checkVisibility()) return;
  const { left: x, top: y, right, bottom, width, height } = element.getBoundingClientRect(), style = getComputedStyle(element);
  const put = (/** @type {SVGElement} */ drawn) => {
    onto.append(drawn);
    Object.assign(edges, { left: Math.min(edges.left, x), top: Math.min(edges.top, y), right: Math.max(edges.right, right), bottom: Math.max(edges.bottom, bottom) });
  };
  if (element instanceof SVGSVGElement) {
    const copy = styled(element);
    for (const [name, value] of Object.entries({ x, y, width, height })) copy.setAttribute(name, String(value));
    return put(copy);
  }
  if (element instanceof HTMLCanvasElement) return put(s('image', { href: element.toDataURL(), x, y, width, height }));
  if (!/^rgba\(.*, 0\)$/.test(style.backgroundColor)) {
    const edge = parseFloat(style.borderTopWidth);
    put(s('rect', { x, y, width, height, rx: Math.min(parseFloat(style.borderTopLeftRadius) || 0, height / 2), fill: style.backgroundColor, opacity: style.opacity,
      ...(edge > 0 && { stroke: style.borderTopColor, 'stroke-width': edge }) }));
  }
  for (const child of element.childNodes) {
    if (child instanceof Element) draw(child, onto, edges);
    else if (child.textContent?.trim()) {
      put(s('text', { x: (x + right) / 2, y: (y + bottom) / 2, 'text-anchor': 'middle', 'dominant-baseline': 'central', fill: style.color, opacity: style.opacity,
        'font-family': style.fontFamily, 'font-size': style.fontSize, 'font-weight': style.fontWeight }, child.textContent));
    }
  }
}

/** A copy of a drawing, with the values of its properties. @param {SVGSVGElement} drawing */
function styled(drawing) {
  const copy = /** @type {SVGSVGElement} */ (drawing.cloneNode(true)), copies = [copy, ...copy.querySelectorAll('*')];
  [drawing, ...drawing.querySelectorAll('*')].forEach((element, at) => {
    const style = getComputedStyle(element);
    for (const name of PROPERTIES) if (style.getPropertyValue(name) !== 'none' || name !== 'transform') copies[at].setAttribute(name, style.getPropertyValue(name));
    for (const name of ['class', 'style']) copies[at].removeAttribute(name);
  });
  return copy;
}

/**
 * Convert an SVG to a PNG. Rejects if the browser can't.
 * @param {string} svg
 * @returns {Promise<Blob>}
 */
export async function pngOf(svg) {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const scale = Math.max(1, LEAST_PNG / Math.max(image.naturalWidth, image.naturalHeight));
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(image.naturalWidth * scale);
    canvas.height = Math.round(image.naturalHeight * scale);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the browser cannot draw it'))), 'image/png');
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}
