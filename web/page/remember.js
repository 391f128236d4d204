// The user's choices and the last games, kept in the browser (localStorage).

/**
 * The remembered value of a name; null if there is none.
 * @param {string} name
 */
export function remembered(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null; // storage is blocked
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
export function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Storage is blocked or full: the value lasts until the page is closed.
  }
}
