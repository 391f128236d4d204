// The client as the page uses it: a 200 response that violates the contract is an error, and every response from the program is valid.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';

import { CheckedArbiter, errorToReport } from '../../web/page/checked.js';
import { start } from '../server/arbiter.mjs';

const BOARD = ['O.O', '...', '.X.'], FIELD = ['..*.', '....', '*...'];
const PAWN = { board: BOARD, include: ['moves', 'line'] };
const GO = { size: 5, moves: [['B', 0, 0], ['W', 0, 0], ['B', 'pass']], include: ['captured', 'score', 'boards'] };
const MINE = { board: FIELD, clicks: [[0, 1]], include: ['wins', 'board', 'face'] };
const SGF = '(;SZ[5];B[aa];W[aa])';

/** All the ways in which the page requests an answer in JSON. */
const WAYS = {
  pawn: (client) => client.pawn(PAWN),
  go: (client) => client.go(GO),
  mine: (client) => client.mine(MINE),
  record: (client) => client.record(SGF, { game: 1, include: GO.include }),
  batch: (client) => client.batch('mine', [MINE, MINE]),
  stream: async (client) => {
    const lines = [];
    for await (const line of client.stream('pawn', [PAWN, { ...PAWN, board: ['O'] }])) lines.push(line);
    return lines;
  },
  file: async (client) => {
    const lines = [];
    for await (const line of client.stream('go', SGF, { type: 'application/x-go-sgf', game: 'all' })) lines.push(line);
    return lines;
  },
};

let program;
before(async () => {
  program = await start();
});
after(() => program.stop());

for (const [name, ask] of Object.entries(WAYS)) {
  test(`${name}: the program's answer is valid`, async () => {
    const answer = await ask(new CheckedArbiter(`http://127.0.0.1:${program.port}`));
    assert.ok(answer instanceof Object);
  });

  test(`${name}: an invalid answer is reported as a problem`, async (context) => {
    let sent = '';
    const server = createServer((request, response) => {
      const type = request.headers.accept;
      request.resume().on('end', () => response.writeHead(200, { 'content-type': type }).end(`${sent}\n`));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    context.after(() => server.close().closeAllConnections());
    const client = new CheckedArbiter(`http://127.0.0.1:${server.address().port}`);
    for (sent of ['{}', '[]', '{"verdict":"Red"}', '{"results":[{},{}]}', '{"results":7}', '{"problem":null}', '{"misses":[{}],"board":[],"played":0}',
      '{"verdict":"Xiemao","nimber":1,"openings":1,"three_bv":1,"shared_numbers":0,"turn":"Xiemao","wins":[],"board":[],"face":[]}']) {
      await assert.rejects(ask(client), (error) => errorToReport(error).type === '/problems/unfit-answer', sent);
    }
  });
}
