// tools/reference.py, which makes the reference from the contract: it escapes text, and refuses anything it would leave out or get wrong.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { parse } from 'yaml';

const top = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const CONTRACT = parse(readFileSync(top('openapi.yaml'), 'utf8'));

const folder = mkdtempSync(join(tmpdir(), 'arbiter-reference-'));
after(() => rmSync(folder, { recursive: true }));

/** What the tool makes from openapi.yaml after a change: { page }, or { refusal }. */
function pageOf(change) {
  const contract = structuredClone(CONTRACT);
  change(contract);
  const [input, output] = ['contract.yaml', 'page.html'].map((name) => join(folder, name));
  writeFileSync(input, JSON.stringify(contract)); // JSON is also YAML
  return new Promise((resolve) => {
    execFile('python3', ['-B', top('tools/reference.py'), input, top('web/docs/reference.html.in'), output], (error, _, said) =>
      resolve(error ? { refusal: said } : { page: readFileSync(output, 'utf8') }));
  });
}

test('text, examples, patterns and defaults are escaped', async () => {
  const { page, refusal } = await pageOf(({ info, paths, components: { schemas } }) => {
    info.description += '\n\nIs 1 < 2 & "3"? `<i>&amp;`';
    paths['/pawn'].post.summary = 'A <b> & more';
    paths['/pawn'].post.requestBody.content['application/json'].examples.one.summary = '<script>"s"</script>';
    paths['/web/{file}'].get.parameters[0].example = '"><script>';
    schemas.PawnTurn.enum = ['<Red>', 'Black'];
    schemas.PawnTurn.default = '<Red>';
    schemas.PawnTurn.pattern = '<&>';
    schemas.Id.anyOf[0].pattern = '<&>';
  });
  assert.equal(refusal, undefined);
  for (const text of [
    'Is 1 &lt; 2 &amp; "3"? <code>&lt;i&gt;&amp;amp;</code>', 'A &lt;b&gt; &amp; more',
    '<summary>&lt;script&gt;"s"&lt;/script&gt;</summary>', '&lt;script&gt;&quot;s&quot;&lt;/script&gt;</option>',
    'value="&quot;&gt;&lt;script&gt;"', 'default <code>&lt;Red&gt;</code>', '<code>&lt;&amp;&gt;</code>',
  ]) assert.ok(page.includes(text), text);
  assert.equal(page.match(/<script/g).length, 2);
});

for (const [what, change, words] of [
  ['a keyword in a schema', ({ components }) => { components.schemas.Id.not = {}; }, /'not'/],
  ['a keyword in a member', ({ components }) => { components.schemas.PawnCase.properties.board.contains = {}; }, /'contains'/],
  ['a format', ({ components }) => { components.schemas.Fault.properties.pointer.format = 'date'; }, /'date'/],
  ['a method', ({ paths }) => { paths['/pawn'].put = paths['/pawn'].get; }, /'put'/],
  ['a member of an operation', ({ paths }) => { paths['/pawn'].get.deprecated = true; }, /'deprecated'/],
  ['a member of a parameter', ({ paths }) => { paths['/pawn'].get.parameters[0].style = 'form'; }, /'style'/],
  ['a member of an answer', ({ components }) => { components.responses.Internal.links = {}; }, /'links'/],
  ['a member of a header', ({ components }) => { components.headers.ETag.deprecated = true; }, /'deprecated'/],
  ['a kind of component', ({ components }) => { components.examples = {}; }, /'examples'/],
  ['a picture in a description', ({ info }) => { info.description += '\n\n![a](b)'; }, /unsupported Markdown/],
  ['a list with dashes', ({ info }) => { info.description += '\n\n- a'; }, /unsupported Markdown/],
  ['a row with the wrong number of cells', ({ info }) => { info.description += '\n\n| a | b |\n| --- | --- |\n| c |'; }, /not a valid table/],
  ['an unterminated code block', ({ info }) => { info.description += '\n\n```\na'; }, /not closed/],
  ['an example without an answer', ({ paths }) => { delete paths['/pawn'].get.responses['200'].content['application/json'].examples; }, /response example/],
  ['a name that needs escaping', ({ paths }) => { paths['/<a>'] = paths['/limits']; }, /must not need escaping/],
]) {
  test(`the build fails on ${what} that the reference cannot show`, async () => {
    const { page, refusal } = await pageOf(change);
    assert.equal(page, undefined);
    assert.match(refusal, /ValueError|KeyError/);
    assert.match(refusal, words);
  });
}
