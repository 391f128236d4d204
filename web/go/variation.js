// Finds a line in the text of a record: the moves up to a place in a variation, and on from there along the first children.

/** A game begins with a parenthesis and a semicolon or one of these properties. Other parentheses before it are text. */
const GAME = /\(\s*(;|[a-z]*([BW]|A[a-z]*[BEW]|C[a-z]*A|F[a-z]*F|G[a-z]*M|S[a-z]*Z)[a-z]*\[)/y;

/**
 * The encoding of a record, as the service determines it.
 * @param {Uint8Array} bytes
 */
function encodingOf(bytes) {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    const name = /CA\s*\[\s*([^\]\s]*)/.exec(new TextDecoder('latin1').decode(bytes))?.[1] ?? '';
    try {
      return new TextDecoder(name).encoding;
    } catch {
      return 'gb18030'; // without a name that is known, the moves are the same in any encoding, or characters have two bytes
    }
  }
}

/**
 * The text of a record, and the index of a place in it.
 * @param {Blob | string} body
 * @param {{ line: number, column: number }} place counted from 1, the column in bytes
 */
async function find(body, { line, column }) {
  let bytes = new Uint8Array(await new Blob([body]).arrayBuffer());
  const mark = bytes[0] * 256 + bytes[1];
  if (mark === 0xfffe || mark === 0xfeff) bytes = new TextEncoder().encode(new TextDecoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be').decode(bytes));
  else if (mark === 0xefbb && bytes[2] === 0xbf) bytes = bytes.subarray(3);
  const decoder = new TextDecoder(encodingOf(bytes));
  let begin = 0;
  for (let left = line - 1; left > 0 && begin < bytes.length; begin += 1)
    if (bytes[begin] === 10 || (bytes[begin] === 13 && bytes[begin + 1] !== 10)) left -= 1;
  return { text: decoder.decode(bytes), wanted: decoder.decode(bytes.subarray(0, begin + column - 1)).length };
}

/**
 * The index after the value that begins with the bracket at `at`.
 * @param {string} text
 * @param {number} at
 */
function afterValue(text, at) {
  let end = at + 1;
  while (end < text.length && text[end] !== ']') end += text[end] === '\\' ? 2 : 1;
  return end + 1;
}

/**
 * A record of the line that goes through this place, without other variations; null if the place isn't in a game.
 * @param {Blob | string} body the whole record
 * @param {{ line: number, column: number }} place of a value, counted from 1, the column in bytes
 */
export async function lineThrough(body, place) {
  const { text, wanted } = await find(body, place);
  /** The nodes up to the current one. @type {string[]} */
  const path = [];
  /** The length of the path at each open parenthesis. @type {number[]} */
  const open = [];
  let begin = -1, found = false;
  const endNode = (/** @type {number} */ end) => {
    const node = begin < 0 ? '' : text.slice(begin, end).trim();
    if (node) path.push(node.startsWith(';') ? node : `;${node}`);
    found ||= node !== '' && begin <= wanted && wanted < end;
    begin = -1;
  };
  for (let at = 0; at < text.length; at += 1) {
    GAME.lastIndex = at;
    if (open.length === 0 && !(text[at] === '(' && GAME.test(text))) continue;
    if (text[at] === '[') {
      at = afterValue(text, at) - 1;
    } else if (text[at] === ')') {
      endNode(at);
      if (found) break;
      path.length = open.pop() ?? 0;
    } else if (text[at] === '(' || text[at] === ';') {
      endNode(at);
      if (text[at] === '(') open.push(path.length);
      begin = text[at] === ';' ? at : at + 1;
    }
  }
  endNode(text.length);
  return found ? `(${path.join('')})` : null;
}
