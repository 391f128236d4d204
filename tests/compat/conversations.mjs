// Conversations: one or more requests on one connection, sent to both programs, and the answers.
//
// A conversation is { about, options, requests, pipelined }. The requests are those of tests/server/client.mjs ({ method, target,
// headers, body, version }) or { raw } with the bytes. With `revalidate` a request is sent a second time with the tag of its answer in
// If-None-Match. With `pipelined` all are sent at once.

import { connect, formatRequest } from '../server/client.mjs';
import { normalizeAnswer } from './normalize.mjs';

/** The bytes of a request; a POST without a body has Content-Length: 0. */
function bytesOf({ raw, ...request }) {
  return raw ?? formatRequest(request.method === 'POST' ? { body: '', ...request } : request);
}

/** The request line, shortened. */
export const firstLine = (request) => bytesOf(request).toString('latin1').split('\r\n', 1)[0].slice(0, 200);

const methodOf = ({ method, body, raw }) => method ?? (raw === undefined && body !== undefined ? 'POST' : 'GET');

/** Does the server close the connection after this answer? */
const closes = (answer) => answer.list('connection').includes('close') ||
  (answer.version === 'HTTP/1.0' && !answer.list('connection').includes('keep-alive'));

function send(connection, request) {
  connection.expect(methodOf(request));
  connection.write(bytesOf(request));
}

class Conversation {
  /** The normalized answers in order: [request, answer]. */
  results = [];
  #connection;

  /** Reads the answer to a request. Resolves to it, or to null if the connection has ended. */
  async #answerTo(request, ownTag) {
    const answer = await this.#connection.answerOrNothing();
    const note = (result) => this.results.push([request, result]);
    note(answer === null ? { start: 'the connection ends without an answer' } : normalizeAnswer(answer, request, ownTag));
    if (answer === null || !closes(answer)) return answer;
    await this.#connection.closed();
    note({ start: 'the connection ends' });
    return null;
  }

  async #have({ requests, pipelined }) {
    // In one write: if the server closes early, a second write would fail.
    if (pipelined) {
      for (const request of requests) this.#connection.expect(methodOf(request));
      this.#connection.write(Buffer.concat(requests.map(bytesOf)));
    }
    for (const request of requests) {
      if (!pipelined) send(this.#connection, request);
      const answer = await this.#answerTo(request);
      if (answer === null) return;
      const tag = answer.header('etag');
      if (!request.revalidate || tag === undefined) continue;
      const again = { ...request, headers: { ...request.headers, 'If-None-Match': `"other", ${tag}` } };
      send(this.#connection, again);
      if ((await this.#answerTo(again, tag)) === null) return;
    }
  }

  /** Has the conversation with the program at this port, and resolves to its results. */
  async with(port, conversation) {
    this.#connection = await connect(port);
    try {
      await this.#have(conversation);
    } catch (error) {
      this.results.push([conversation.requests.at(-1), { start: `the conversation fails: ${error.message}` }]);
    } finally {
      this.#connection.close();
    }
    return this.results;
  }
}

const haveConversation = (port, conversation) => new Conversation().with(port, conversation);

/** Sends one request to one program on a new connection; resolves to the normalized answer. */
const askOne = async (port, request) => (await haveConversation(port, { requests: [request] }))[0][1];

/** The requests of a conversation for a message: the one that is answered, and those before it. */
function shown(conversation, request) {
  const before = conversation.requests.slice(0, Math.max(0, conversation.requests.indexOf(request)));
  const lines = before.map((one) => `(before, on the same connection: ${firstLine(one)})\n`).join('');
  return lines + bytesOf(request).toString('latin1').replaceAll('\r\n', '\n');
}

/** Has the conversations with both programs, several at a time, and compares each answer. */
export async function compareConversations(comparison, both, conversations, atOnce = 6) {
  const waiting = [...conversations].reverse();
  const ask = (request) => askOne(both.now.port, request);
  async function work() {
    for (let conversation = waiting.pop(); conversation !== undefined; conversation = waiting.pop()) {
      const [olds, nows] = await Promise.all([both.old, both.now].map(({ port }) => haveConversation(port, conversation)));
      for (let number = 0; number < Math.max(olds.length, nows.length); number += 1) {
        const nothing = { start: 'nothing more comes' };
        const [request, old] = olds[number] ?? [nows[number][0], nothing];
        const [, now] = nows[number] ?? [null, nothing];
        const sent = () => shown(conversation, request);
        await comparison.check('answer', { about: conversation.about, sent, request, old, now, ask });
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
}
