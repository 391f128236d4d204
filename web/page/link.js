// What is on the screen as a link: `#game=STATE`, where STATE is JSON, packed (raw deflate) and in base64url; a link written by hand may
// have the JSON itself there. A puzzle that nothing was played on is `#game=puzzle-NUMBER`.

/** No link is longer; what is larger is a file. */
export const MOST_LINK_BYTES = 8192;

/** What an unpacked state may be: a link of 8 KiB can hold a text of eight megabytes. */
const MOST_STATE_BYTES = 4 << 20;

/** A link that cannot be read. */
export class BadLink extends Error {}

/**
 * @param {ReadableStream<any>} stream
 * @returns {Promise<Uint8Array>}
 */
async function gather(stream) {
  const chunks = [];
  let size = 0;
  const reader = stream.getReader();
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    chunks.push(value);
    size += value.length;
    if (size > MOST_STATE_BYTES) {
      await reader.cancel();
      throw new BadLink('too large');
    }
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/**
 * The fragment of a link to a puzzle.
 * @param {string} game
 * @param {number} number from 1
 */
export const puzzleLink = (game, number) => `#${game}=puzzle-${number}`;

/**
 * The fragment of a link to a state of a game, or null where it would be longer than a link may be.
 * @param {string} game
 * @param {object} state
 * @returns {Promise<string | null>}
 */
export async function writeLink(game, state) {
  if ('puzzle' in state) return puzzleLink(game, Number(state.puzzle));
  const text = JSON.stringify(state);
  if (text.length > MOST_STATE_BYTES) return null;
  const packed = await gather(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw')));
  if (packed.length > MOST_LINK_BYTES) return null;
  const base64 = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''));
  const fragment = `#${game}=${base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
  return fragment.length > MOST_LINK_BYTES ? null : fragment;
}

/**
 * The state in the fragment of a link; undefined where there is none. Rejects with BadLink where it cannot be read.
 * @param {string} fragment
 * @returns {Promise<object | undefined>}
 */
export async function readLink(fragment) {
  const [, value] = /=(.*)$/s.exec(fragment) ?? ['', ''];
  if (value === '') return undefined;
  const [, puzzle] = /^puzzle-([1-9]\d{0,3})$/.exec(value) ?? [];
  if (puzzle) return { puzzle: Number(puzzle) };
  try {
    const state = JSON.parse(await unpack(decodeURIComponent(value)));
    if (typeof state === 'object' && state !== null && !Array.isArray(state)) return state;
  } catch {
    // All that can go wrong with such a text is the same to its reader.
  }
  throw new BadLink('state');
}

/** @param {string} value */
async function unpack(value) {
  if (value.startsWith('{')) return value;
  const binary = atob(value.replaceAll('-', '+').replaceAll('_', '/'));
  const packed = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const text = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new TextDecoder('utf-8', { fatal: true }).decode(await gather(text));
}
