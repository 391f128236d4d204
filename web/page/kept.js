// States that are too large for a link, kept in the browser (IndexedDB), so that a reload shows them again. The history entry
// stores the number of the state. This module is loaded only when it is needed.

const STORE = 'boards';

/** The most states kept; the oldest are deleted. */
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
 * Open the database, use the store, and close the database.
 * @template Value
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => Promise<Value>} use
 */
async function withStore(mode, use) {
  const opening = indexedDB.open('arbiter', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await outcome(opening);
  try {
    return await use(database.transaction(STORE, mode).objectStore(STORE));
  } finally {
    database.close(); // takes effect after the transaction
  }
}

/**
 * Keep a state, in place of the one that has this number now. Rejects if storage is blocked or full.
 * @param {string} game
 * @param {object} state plain JSON
 * @param {number} number the time in milliseconds when its entry of the history began, so that the lowest numbers are the oldest
 */
export function keep(game, state, number) {
  return withStore('readwrite', async (store) => {
    await outcome(store.put({ game, state }, number));
    const numbers = await outcome(store.getAllKeys());
    for (const old of numbers.slice(0, -MOST_KEPT)) store.delete(old);
  });
}

/**
 * The state with this number; undefined if there is none, or if it belongs to another game.
 * @param {string} game
 * @param {number} number
 * @returns {Promise<object | undefined>}
 */
export async function read(game, number) {
  const kept = await withStore('readonly', (store) => outcome(store.get(number)));
  return kept?.game === game ? kept.state : undefined;
}
