// The requests of tests/contract and tests/server, as conversations.

import { cases, examples } from '../contract/cases.mjs';
import { KNOWN, REFUSED } from '../server/bodies.mjs';

/**
 * { about, options, request } of each. Without those that need a signal or other options, those that are bytes and not a request,
 * and those that the release answers differently.
 */
function knownRequests() {
  const contract = [...examples, ...cases]
    .filter(({ since, request: { raw, server, signal } }) => since === undefined && raw === undefined && signal === undefined &&
      !server.includes('--ops-port'))
    .map(({ name, request: { server, signal, revalidate, ...request } }) => ({ about: `contract: ${name}`, options: server, request }));
  const others = [...KNOWN, ...REFUSED]
    .map(({ name, request }) => ({ about: name ?? `refused: ${request.target}`, options: [], request }));
  return [...contract, ...others];
}

/** The text of /metrics is compared separately, because it has times. */
const isMetrics = ({ target = '' }) => target.split('?')[0] === '/metrics';

/** The same, grouped by the options of the program: a list of [options, conversations]. */
export function knownConversations() {
  const servers = new Map();
  for (const { about, options, request } of knownRequests()) {
    const key = JSON.stringify(options);
    if (!servers.has(key)) servers.set(key, [options, []]);
    if (!isMetrics(request)) servers.get(key)[1].push({ about, requests: [request] });
  }
  return [...servers.values()];
}

/** The bodies that are sent to a game unchanged: { route, type, body }. */
export function knownBodies() {
  return knownRequests().flatMap(({ request: { target, headers = {}, body } }) => {
    const type = new Map(Array.isArray(headers) ? headers : Object.entries(headers)).get('Content-Type');
    const isChunked = JSON.stringify(headers).includes('Transfer-Encoding');
    if (!['/pawn', '/go', '/mine'].includes(target) || type === undefined || body === undefined || isChunked) return [];
    return [{ route: target.slice(1), type, body: Buffer.from(body) }];
  });
}
