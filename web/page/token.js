// The token that a gateway in front of the service requires. It is kept until the tab is closed; a reload keeps it.

const KEY = 'arbiter.token';

/** @type {string | null} */
let token = null;
try {
  token = sessionStorage.getItem(KEY);
} catch {
  // Storage is blocked, so a reload loses the token.
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

/** The token to send; '' if there is none. */
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
