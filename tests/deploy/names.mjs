// A name server for tests (RFC 1035). It serves a single name over UDP on loopback, with an address record for each replica.

import { createSocket } from 'node:dgram';

const HEADER = 12;
const A = 1;
const TTL = 1; // s

/** The question section of a query (name, type and class), as bytes. */
function questionOf(query) {
  let end = HEADER;
  while (query[end] !== 0) end += query[end] + 1;
  return query.subarray(HEADER, end + 5);
}

/** An answer to `query` with `addresses`, or with no records if it asks for another record type. */
function answerTo(query, addresses) {
  const question = questionOf(query);
  const given = question.readUInt16BE(question.length - 4) === A ? addresses : [];
  const header = Buffer.alloc(HEADER);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8580, 2); // authoritative answer, no error
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(given.length, 6);
  const records = given.map((address) => {
    const record = Buffer.from([0xc0, HEADER, 0, A, 0, 1, 0, 0, 0, TTL, 0, 4, 0, 0, 0, 0]);
    address.split('.').forEach((part, at) => record.writeUInt8(Number(part), 12 + at));
    return record;
  });
  return Buffer.concat([header, question, ...records]);
}

/** Answers queries for any name with the addresses in a set, which the caller can change. Resolves to { port, close }. */
export function serveNames(addresses) {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4').on('error', reject);
    socket.on('message', (query, from) => socket.send(answerTo(query, [...addresses]), from.port, from.address));
    socket.bind(0, '127.0.0.1', () => resolve({ port: socket.address().port, close: () => socket.close() }));
  });
}
