// Pictures: which answers have one, and whether they are well-formed and free of scripts.

import assert from 'node:assert/strict';

import { JSON_TYPE, SGF_TYPE, TEXT_TYPE, linkTo } from './bodies.mjs';
import { LINES, checkEveryAnswer, checkProblem, checkVary, describeServer, get, port, theServer } from './checks.mjs';
import { ask } from './client.mjs';

describeServer('pictures', () => {
  const PICTURED = [
    ['/pawn', { board: ['..#.', 'O..O', '....', '.X..'] }],
    ['/pawn', { board: ['O.O', '###', 'X..'], id: '<&">]]>', include: ['moves', 'boards'] }],
    ['/go', { size: 5, moves: [['B', 0, 1], ['B', 1, 0], ['W', 0, 0], ['W', 'B4'], ['W', 1, 1], ['B', 'pass']] }],
    ['/go', { sgf: '(;SZ[25]GN[<script>alert(1)</script>&];B[aa];W[aa])', include: ['score', 'captured'] }],
    ['/go', { size: 1, moves: [] }],
    ['/mine', { board: ['..*', '...', '*..'], include: ['wins'] }],
    ['/mine', { board: ['*'] }],
    ['/mine', { rows: 100, cols: 100, mines: [[0, 0], [99, 99]] }],
  ];

  /** Checks that the answer is well-formed XML with a single root element, without scripts or links. */
  function checkSvg(answer, message) {
    assert.equal(answer.status, 200, `${message}: ${answer}`);
    assert.equal(answer.header('content-type'), 'image/svg+xml', message);
    assert.equal(answer.header('content-security-policy'), "default-src 'none'; style-src 'unsafe-inline'", message);
    assert.equal(answer.header('cross-origin-resource-policy'), 'cross-origin', message);
    checkEveryAnswer(answer, message);
    const text = answer.text();
    assert.match(text, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*viewBox="0 0 \d+ \d+"/, message);
    assert.match(text, /^<title>[^<]+<\/title>$/m, message);
    assert.ok(/^[\x20-\x7e\n]*<\/svg>\n$/.test(text), `${message}: ASCII that ends with the element and a LF`);
    const open = [];
    let roots = 0;
    let at = 0;
    const tag = /<(\/?)([a-z][A-Za-z]*)((?: [a-z][A-Za-z:-]*="[^"<]*")*)(\/?)>/y;
    while (at < text.length) {
      const next = text.indexOf('<', at);
      const between = text.slice(at, next < 0 ? undefined : next);
      assert.ok(open.length > 0 || between.trim() === '', `${message}: text outside of the element`);
      if (open.at(-1) !== 'style') assert.ok(!/&(?!(amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/.test(between), `${message}: ${between}`);
      if (next < 0) break;
      tag.lastIndex = next;
      const found = tag.exec(text);
      assert.ok(found, `${message}: no tag at ${text.slice(next, next + 60)}`);
      const [whole, closing, name, attributes, empty] = found;
      assert.ok(!['script', 'foreignObject', 'image', 'use', 'a', 'iframe', 'animate', 'set'].includes(name), `${message}: ${name}`);
      assert.ok(!/ (on[a-z]+|href|xlink:href|src|style)=/.test(attributes), `${message}: ${whole}`);
      const names = [...attributes.matchAll(/ ([A-Za-z:-]+)=/g)].map((match) => match[1]);
      assert.equal(new Set(names).size, names.length, `${message}: an attribute twice in ${whole}`);
      if (closing) assert.equal(open.pop(), name, `${message}: ${whole}`);
      else if (open.length === 0) roots += 1;
      if (!closing && !empty) open.push(name);
      at = next + whole.length;
    }
    assert.deepEqual(open, [], message);
    assert.equal(roots, 1, message);
    assert.ok(!/url\(|@import|javascript:|<!|<\?/i.test(text), message);
  }

  theServer('a picture is well-formed, and cannot run or load anything', async () => {
    for (const [target, theCase] of PICTURED) {
      const message = `${target} ${JSON.stringify(theCase).slice(0, 60)}`;
      const posted = await ask(port, { target, headers: { ...JSON_TYPE, Accept: 'image/svg+xml' }, body: JSON.stringify(theCase) });
      checkSvg(posted, message);
      checkVary(posted, ['accept']);
      assert.equal(posted.header('etag'), undefined, 'only links are cached');
      const linked = await get(linkTo(target, theCase, '&format=svg'));
      checkSvg(linked, message);
      assert.ok(linked.body.equals(posted.body), `${message}: by link and by POST the same`);
    }
    const record = await ask(port, { target: '/go', headers: { ...SGF_TYPE, Accept: 'image/*' }, body: '(;SZ[9];B[aa])' });
    checkSvg(record, 'a record');
  });

  theServer('if there is no picture, the next acceptable format is sent, or 406', async () => {
    const large = { rows: 73, cols: 137, mines: [] }; // 10,001 cells
    const batch = { cases: [{ board: ['...'] }] };
    const json = (body, accept) => ({ target: '/mine', headers: { ...JSON_TYPE, Accept: accept }, body: JSON.stringify(body) });
    const requests = (accept) => [
      [json(large, accept)], [json(batch, accept)], [{ target: linkTo('/mine', large), headers: { Accept: accept } }],
      [{ target: '/mine', headers: { ...TEXT_TYPE, Accept: accept }, body: '1\n1 1 0\n' }],
      [{ target: '/pawn', headers: { ...JSON_TYPE, Accept: accept }, body: '{"cases":[{"board":["OO","X."]}]}' }],
    ].flat();
    for (const accept of ['image/svg+xml', 'image/*', '*/*, text/*;q=0, application/*;q=0', 'image/svg+xml, audio/ogg']) {
      for (const request of requests(accept)) {
        const answer = await ask(port, request);
        const lines = request.body !== undefined ? LINES.split(', ') : []; // links do not offer NDJSON
        assert.deepEqual(checkProblem(answer, 406, 'not-acceptable').available, ['application/json', 'text/plain', ...lines]);
        assert.deepEqual(answer.list('vary'), ['accept'], `${answer}`);
      }
    }
    const fixed = await get(linkTo('/mine', large, '&format=svg'));
    checkProblem(fixed, 406, 'not-acceptable');
    assert.equal(fixed.header('vary'), undefined, `${fixed}`);
    for (const [accept, type] of [
      ['image/svg+xml, text/plain;q=0.5', 'text/plain'], ['image/svg+xml, application/json;q=0.5', 'application/json'],
      ['image/svg+xml, application/json;q=0.2, text/plain;q=0.3', 'text/plain'],
    ]) {
      for (const request of requests(accept)) {
        const answer = await ask(port, request);
        assert.equal(answer.status, 200, `${answer}`);
        assert.equal(answer.header('content-type').replace(/;.*/, ''), type, `${answer}`);
        assert.equal(answer.header('content-security-policy'), undefined);
        checkVary(answer, ['accept']);
      }
    }
    // A field of 10,000 cells can be drawn. Faults in a case are reported even if there would be no picture.
    checkSvg(await get(linkTo('/mine', { rows: 100, cols: 100, mines: [] }, '&format=svg')), '10,000 cells');
    checkProblem(await ask(port, json({ cases: [{ board: ['?'] }] }, 'image/svg+xml')), 422, 'invalid-case');
    checkProblem(await ask(port, json({ ...large, mines: [[73, 0]] }, 'image/svg+xml')), 422, 'invalid-case');
  });
});
