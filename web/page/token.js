// The token that a gateway before the service asks for. It is kept as long as the tab is open, a reload included.

const KEY = 'arbiter.token';

/** @type {string | null} */
let token = null;
try {
  token = sessionStorage.getItem(KEY);
} catch {
  // The reader allows no storage: the token is kept as long as the page is.
}

/**
 * Send this token from now on; '' sends none.
 * @param {string} given
 */
export function keepToken(given) {
  token = given;
  try {
    sessionStorage.setItem(KEY, given);
  } catch {
    // as above
  }
}

/** The token that is sent; '' where none is. */
export const keptToken = () => token ?? '';

/**
 * `fetch` with the token.
 * @param {URL} url
 * @param {RequestInit} request
 */
export function fetchWithToken(url, request) {
  const headers = token ? { ...request.headers, authorization: `Bearer ${token}` } : request.headers;
  return fetch(url, { ...request, headers });
}
