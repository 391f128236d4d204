// What no link can hold, kept in this browser (IndexedDB): a large board is there again when the page is loaded anew. An entry of the
// browser's history holds the number under which its board is kept. This file is loaded only when a board is too large for a link.

const STORE = 'boards';

/** So many boards are kept; the oldest are removed. */
export const MOST_KEPT = 20;

/**
 * @template Value
 * @param {IDBRequest<Value>} request
 * @returns {Promise<Value>}
 */
function outcome(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * Use the store, and close the database.
 * @template Value
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => Promise<Value>} use
 */
async function withStore(mode, use) {
  const opening = indexedDB.open('arbiter', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { autoIncrement: true });
  const database = await outcome(opening);
  try {
    return await use(database.transaction(STORE, mode).objectStore(STORE));
  } finally {
    database.close(); // after the transaction has ended
  }
}

/**
 * Keep a state. Rejects where the browser allows no storage, or has no space for it.
 * @param {string} game
 * @param {object} state plain JSON
 * @param {number | null} before number of the state that is no longer needed; null: there is none
 * @returns {Promise<number>} that under which it is kept
 */
export function keep(game, state, before) {
  return withStore('readwrite', async (store) => {
    if (before !== null) store.delete(before);
    const kept = await outcome(store.add({ game, state }));
    const numbers = await outcome(store.getAllKeys());
    for (const old of numbers.slice(0, -MOST_KEPT)) store.delete(old);
    return Number(kept);
  });
}

/**
 * The state that is kept under a number; undefined where there is none, or it is another game's.
 * @param {string} game
 * @param {number} number
 * @returns {Promise<object | undefined>}
 */
export async function read(game, number) {
  const kept = await withStore('readonly', (store) => outcome(store.get(number)));
  return kept?.game === game ? kept.state : undefined;
}
