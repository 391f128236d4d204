// What the reader has chosen, kept in this browser.

/**
 * What was remembered under a name; null: nothing.
 * @param {string} name
 */
export function remembered(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null; // the reader allows no storage
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
    // It is forgotten with the page then.
  }
}
