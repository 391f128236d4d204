// Draws single cells. Each kind of cell is drawn once, at its size on the screen, and then copied.

import { TINTS } from './openings.js';

/** The contents of a cell are 0 for a blank, 1 to 8 for a number, or one of these. */
export const MINE = 9, UNKNOWN = 10;

/** Sides of cells in CSS pixels. Below the first, cells have no digits; below the second, each cell has only one colour. */
const LEAST_DIGITS = 9, LEAST_EDGES = 6;

/** Names of colours: the custom properties of mine.css without `--mine-`. */
const NAMES = ['up', 'down', 'label', 'line', 'light', 'shade', 'mine', 'glint', 'win', 'win-edge', 'bad', 'Xiemao', 'Fanglaoshi',
  ...Array.from({ length: TINTS }, (_, at) => [`up-${at + 1}`, `down-${at + 1}`]).flat(),
  ...Array.from({ length: 8 }, (_, at) => `number-${at + 1}`)];

/** @typedef {Record<string, string>} Colours */

/**
 * The current colours: light, dark, high contrast, or forced colours.
 * @param {Element} element
 * @returns {Colours}
 */
export function coloursOf(element) {
  const style = getComputedStyle(element);
  return Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--mine-${name}`).trim()]));
}

export class Cells {
  #colours;
  #scale;
  /** @type {Map<number, HTMLCanvasElement>} */
  #painted = new Map();
  /** @type {Map<string, number>} */
  #pixels = new Map();

  /**
   * @param {Colours} colours
   * @param {number} size   side of a cell in device pixels, an integer
   * @param {number} scale  device pixels per CSS pixel
   */
  constructor(colours, size, scale) {
    this.#colours = colours;
    this.size = size;
    this.#scale = scale;
  }

  get colours() {
    return this.#colours;
  }

  /** Are the cells so small that each has only one colour? */
  get plain() {
    return this.size < LEAST_EDGES * this.#scale;
  }

  /**
   * The colour of a plain cell, as the four bytes of a pixel in ImageData. The parameters are those of `picture`.
   * @param {number} content
   * @param {boolean} up
   * @param {number} tint
   */
  pixel(content, up, tint) {
    const side = up ? 'up' : 'down', name = content === MINE ? 'mine' : tint & 15 ? `${side}-${tint & 15}` : side;
    let pixel = this.#pixels.get(name);
    if (pixel === undefined) {
      const context = /** @type {CanvasRenderingContext2D} */ (document.createElement('canvas').getContext('2d'));
      context.fillStyle = this.#colours[name];
      context.fillRect(0, 0, 1, 1);
      pixel = new Uint32Array(context.getImageData(0, 0, 1, 1).data.buffer)[0];
      this.#pixels.set(name, pixel);
    }
    return pixel;
  }

  /**
   * The picture of a cell.
   * @param {number} content 0 to 8, MINE or UNKNOWN
   * @param {boolean} up     is it revealed?
   * @param {number} tint    from `tintAt`
   */
  picture(content, up, tint) {
    const key = content | (up ? 16 : 0) | (tint << 5);
    let picture = this.#painted.get(key);
    if (!picture) {
      picture = document.createElement('canvas');
      picture.width = picture.height = this.size;
      this.#paint(/** @type {CanvasRenderingContext2D} */ (picture.getContext('2d')), content, up, tint);
      this.#painted.set(key, picture);
    }
    return picture;
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} content
   * @param {boolean} up
   * @param {number} tint
   */
  #paint(context, content, up, tint) {
    this.#ground(context, up ? 'up' : 'down', tint & 15, tint >> 4);
    if (up) this.#lines(context);
    else this.#bevel(context);
    if (this.size < LEAST_DIGITS * this.#scale) return this.#speck(context, content);
    if (content === MINE) this.#mine(context);
    else if (content > 0 && content < MINE) this.#digit(context, content, up);
  }

  /**
   * Fill a cell with its tint, or with two tints and a line between them if the number is next to two openings.
   * @param {CanvasRenderingContext2D} context
   * @param {string} side
   * @param {number} first
   * @param {number} second
   */
  #ground(context, side, first, second) {
    const { size } = this, colour = (/** @type {number} */ tint) => this.#colours[tint ? `${side}-${tint}` : side];
    context.fillStyle = colour(first);
    context.fillRect(0, 0, size, size);
    if (!second) return;
    context.fillStyle = colour(second);
    context.beginPath();
    context.moveTo(size, 0);
    context.lineTo(size, size);
    context.lineTo(0, size);
    context.fill();
    context.strokeStyle = this.#colours.mine;
    context.lineWidth = Math.max(1, size / 24);
    context.beginPath();
    for (const [from, to] of [[0, 0.24], [0.76, 1]]) {
      context.moveTo(size * (1 - from), size * from);
      context.lineTo(size * (1 - to), size * to);
    }
    context.stroke();
  }

  /** @param {CanvasRenderingContext2D} context */
  #lines(context) {
    const width = Math.max(1, Math.round(this.#scale));
    context.fillStyle = this.#colours.line;
    context.fillRect(this.size - width, 0, width, this.size);
    context.fillRect(0, this.size - width, this.size, width);
  }

  /** @param {CanvasRenderingContext2D} context */
  #bevel(context) {
    const { size } = this, width = Math.max(1, Math.round(Math.min(size * 0.08, 4 * this.#scale))), inner = size - width;
    const edge = (/** @type {string} */ colour, /** @type {[number, number][]} */ ...points) => {
      context.fillStyle = colour;
      context.beginPath();
      for (const [x, y] of points) context.lineTo(x, y);
      context.fill();
    };
    edge(this.#colours.light, [0, 0], [size, 0], [inner, width], [width, width], [width, inner], [0, size]);
    edge(this.#colours.shade, [size, size], [size, 0], [inner, width], [inner, inner], [width, inner], [0, size]);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} digit
   * @param {boolean} up
   */
  #digit(context, digit, up) {
    const { size } = this;
    context.fillStyle = this.#colours[`number-${digit}`];
    context.font = `700 ${Math.round(size * (up ? 0.66 : 0.56))}px ui-sans-serif, system-ui, 'Noto Sans', Arial, sans-serif`;
    context.textAlign = 'center';
    context.textBaseline = 'alphabetic';
    const { actualBoundingBoxAscent: above, actualBoundingBoxDescent: below } = context.measureText(String(digit));
    context.fillText(String(digit), size / 2, Math.round((size + above - below) / 2));
  }

  /** @param {CanvasRenderingContext2D} context */
  #mine(context) {
    const { size } = this, middle = size / 2;
    context.fillStyle = context.strokeStyle = this.#colours.mine;
    context.lineWidth = Math.max(1, size * 0.08);
    context.lineCap = 'round';
    context.beginPath();
    for (let spike = 0; spike < 4; spike += 1) {
      const x = Math.cos((spike * Math.PI) / 4) * size * 0.34, y = Math.sin((spike * Math.PI) / 4) * size * 0.34;
      context.moveTo(middle - x, middle - y);
      context.lineTo(middle + x, middle + y);
    }
    context.stroke();
    disc(context, middle, middle, size * 0.24);
    context.fillStyle = this.#colours.glint;
    disc(context, middle - size * 0.08, middle - size * 0.08, size * 0.065);
  }

  /**
   * Draw the contents of a cell that is too small for digits: only a mine, as a square.
   * @param {CanvasRenderingContext2D} context
   * @param {number} content
   */
  #speck(context, content) {
    if (content !== MINE) return;
    const inset = Math.max(1, Math.round(this.size / 4));
    context.fillStyle = this.#colours.mine;
    context.fillRect(inset, inset, this.size - 2 * inset, this.size - 2 * inset);
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 */
function disc(context, x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}
