// The user's choices, kept in the browser (localStorage).

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
    // The choice lasts until the page is closed.
  }
}
