// The link to what is on the screen: `#game=STATE`. STATE is JSON, compressed (raw deflate), in base64url. A link written by hand may have
// plain JSON instead. An unsolved puzzle is `#game=puzzle-NUMBER`.

/** The longest link. */
export const MOST_LINK_BYTES = 8192;

/** The largest state after decompression. Without this limit, a link of 8 KiB could expand to eight megabytes. */
const MOST_STATE_BYTES = 4 << 20;

/** A link that can't be read. */
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
 * @param {number} number counted from 1
 */
export const puzzleLink = (game, number) => `#${game}=puzzle-${number}`;

/**
 * The fragment of a link to a state of a game; null if it would be too long.
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
 * The state in the fragment of a link; undefined if there is none. Rejects with BadLink if it can't be read.
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
    // Every fault gets the same message.
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
