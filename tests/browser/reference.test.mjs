// The reference: it contains everything in openapi.yaml, and its forms send what they show.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

import { parse } from 'yaml';

import { assertAccessible, eventually, shot, test, until, withPage } from './browser.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const WRITTEN = 'http://127.0.0.1:8080';

const contract = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8'));
const { schemas, responses, headers } = contract.components;
const nameOf = ({ $ref }) => $ref?.split('/').at(-1);
const resolved = (part) => (part.$ref ? contract.components[part.$ref.split('/')[2]][nameOf(part)] : part);
const operations = Object.entries(contract.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({
  ...operation,
  title: `${method.toUpperCase()} ${path}`,
  path,
  anchor: `${method}-${path.replaceAll(/[{}]/g, '-')}`,
  parameters: (operation.parameters ?? []).map(resolved),
  bodies: operation.requestBody?.content ?? {},
})));
const operationOf = (title) => operations.find((one) => one.title === title);

/** Each example of a request, as [key, example, the name of its parameter or the media type of its body]. */
const examplesOf = ({ parameters, bodies }) => [...parameters.map((one) => [one.name, one]), ...Object.entries(bodies)].flatMap(([place, { examples = {} }]) =>
  Object.entries(examples).map(([key, example]) => [key, example, place]));

/** A text without white space and Markdown markup. */
const letters = (text) => text.replaceAll(/^\s*(\d+\.|\*|#+|\|[-| ]+\|$|```\w*) ?/gm, '').replaceAll(/[\s`*|]/g, '');

/** Each part of the page that has an anchor, by its id: its text, its links, and the rows of its tables. */
const partsOf = (page) => page.evaluate(() => Object.fromEntries([...document.querySelectorAll('main [id], nav.contents')].map((part) => [part.id, {
  text: part.textContent,
  links: [...part.querySelectorAll('a')].map((link) => [link.getAttribute('href'), link.textContent]),
  users: [...part.querySelectorAll('.users a')].map((link) => link.getAttribute('href')),
  rows: [...part.querySelectorAll('tr')].map((row) => ({
    cells: [...row.children].map(({ textContent }) => textContent.trim()),
    html: row.innerHTML,
    id: row.querySelector('[id]')?.id,
  })),
  examples: [...part.querySelectorAll('pre')].map(({ id, textContent }) => ({ id, text: textContent })),
}])));

/** Runs `body` with the parts of the page and the page itself, without JavaScript. */
const withPartsAndPage = (body) => withPage({ path: '/docs', javaScriptEnabled: false }, async ({ page }) => body(await partsOf(page), page));

let parts = null;

/** Runs `body` with the parts of the page only. The page is read once for all tests. */
async function withParts(body) {
  if (!parts) await withPartsAndPage((read) => { parts = read; });
  body(parts);
}

const assertSays = (part, text, where) => assert.ok(letters(part.text).includes(letters(text)), `${where} does not say: ${text}`);

const number = (value) => value.toLocaleString('en');

/** Checks that a row states which values a schema allows: its limits, words, pattern and default, and the schemas that it refers to. */
function assertTyped(row, schema, where) {
  const says = (text) => assert.ok(row.text.includes(text), `${where}: ${text} is not in ${row.text}`);
  for (const [key, value] of Object.entries(schema)) {
    if (['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'].includes(key)) says(number(value));
    if (key === 'pattern') says(value);
    if (key === 'const') says(String(value));
    if (key === 'enum') value.forEach((one) => says(String(one)));
    if (key === 'default') says(`default ${value}`);
    if (key === '$ref') assert.ok(row.html.includes(`href="#schema-${nameOf(schema)}"`), `${where}: no link to ${value}`);
    if (key === 'type' && !('enum' in schema || 'const' in schema || 'format' in schema)) [value].flat().forEach(says);
    if (key === 'format') says({ 'json-pointer': 'JSON Pointer', 'uri-reference': 'URI reference' }[value]);
    if (key === 'items' && !schema.prefixItems || key === 'contentSchema') assertTyped(row, value, where);
    if (['oneOf', 'anyOf', 'prefixItems'].includes(key)) value.forEach((one) => assertTyped(row, one, where));
  }
}

/** [name, schema, required] for each member, including nested ones. */
const membersOf = ({ properties = {}, required = [] }, path = '') => Object.entries(properties).flatMap(([name, schema]) =>
  [[path + name, schema, required.includes(name)], ...membersOf(schema, `${path}${name}.`)]);

test('every operation is in the reference with its text, and in the table of contents', () => withParts((parts) => {
  assert.ok(operations.length > 12);
  for (const tag of contract.tags) assertSays(parts[`tag--${tag.name}`], tag.description, tag.name);
  assertSays(parts.overview, contract.info.description, 'the overview');
  for (const { anchor, title, summary, description } of operations) {
    const part = parts[anchor];
    assert.ok(letters(part.text).startsWith(letters(title + summary)), title);
    assertSays(part, description, title);
    assert.ok(parts[''].links.some(([address, text]) => address === `#${anchor}` && text === title), title);
  }
}));

test('every parameter, body and answer is in the reference', () => withParts((parts) => {
  for (const { anchor, title, parameters, bodies, responses: answers } of operations) {
    const part = parts[anchor];
    for (const { name, in: place, required, description, schema } of parameters) {
      const row = part.rows.find(({ cells }) => cells[0].startsWith(name));
      assert.equal(row.cells[0], `${name} ${place}${required ? ', required' : ''}`, title);
      assert.equal(letters(row.cells[2]), letters(description), title);
      assertTyped({ text: row.cells[1], html: row.html }, schema, `${title}, ${name}`);
    }
    for (const [kind, { schema }] of Object.entries(bodies)) {
      assertSays(part, `${kind}: `, title);
      if (schema.description) assertSays(part, schema.description, title);
      for (const one of schema.oneOf ?? []) assert.ok(part.links.some(([address]) => address === `#schema-${nameOf(one)}`), title);
    }
    for (const [status, answer] of Object.entries(answers)) {
      if (answer.$ref) {
        assert.ok(part.links.some(([address, text]) => address === `#response-${nameOf(answer)}` && text === `${status}\u00a0${nameOf(answer)}`), `${title}: ${status}`);
      } else {
        assertSays(part, status + answer.description, title);
        assertAnswered(part, answer, title);
      }
    }
  }
  for (const [name, answer] of Object.entries(responses)) {
    assertSays(parts[`response-${name}`], answer.description, name);
    assertAnswered(parts[`response-${name}`], answer, name);
  }
}));

/** Checks that a part shows a response's headers, media types, schemas and examples. */
function assertAnswered(part, { headers: sent = {}, content = {} }, where) {
  for (const [name, header] of Object.entries(sent)) {
    if (header.$ref) assert.ok(part.links.some(([address, text]) => address === `#header-${nameOf(header)}` && text === name), `${where}: ${name}`);
    else assertSays(part, `${name} (`, where);
  }
  for (const [kind, { schema, examples = {} }] of Object.entries(content)) {
    assertSays(part, `${kind}: `, where);
    for (const one of schema.oneOf ?? [schema]) if (one.$ref) assert.ok(part.links.some(([address]) => address === `#schema-${nameOf(one)}`), `${where}: ${one.$ref}`);
    for (const { summary, value } of Object.values(examples)) {
      assertSays(part, summary, where);
      assert.ok(part.examples.some(({ text }) => isExample(text, value)), `${where}: ${summary}`);
    }
  }
}

/** Whether a text shows an example: it is the same string, or JSON with the same value. */
function isExample(text, value) {
  if (typeof value === 'string') return text === value;
  return /^[[{]/.test(text) && JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
}

test('every header and every schema with all its members is in the reference', () => withParts((parts) => {
  for (const [name, { description, schema, required }] of Object.entries(headers)) {
    const row = parts.headers.rows.find(({ id }) => id === `header-${name}`);
    assert.equal(row.cells[0].endsWith('always sent'), required === true, name);
    assert.equal(letters(row.cells[2]), letters(description), name);
    assertTyped({ text: row.cells[1], html: row.html }, schema, name);
  }
  assert.ok(Object.keys(schemas).length > 40);
  for (const [name, schema] of Object.entries(schemas)) {
    const part = parts[`schema-${name}`];
    assert.ok(part.text.trim().startsWith(name), name);
    assertSays(part, schema.description, name);
    assert.equal(part.text.includes('with these members only'), schema.additionalProperties === false, name);
    for (const value of schema.examples ?? []) assert.ok(part.examples.some(({ text }) => JSON.stringify(JSON.parse(text)) === JSON.stringify(value)), name);
    const { properties: _, ...own } = schema;
    assertTyped({ text: part.text, html: part.links.map(([address]) => `href="${address}"`).join() }, own, name);
    const rows = part.rows.filter(({ html }) => html.startsWith('<th scope="row">'));
    assert.deepEqual(rows.map(({ cells }) => cells[0]), membersOf(schema).map(([path, , required]) => path + (required ? ' required' : '')), name);
    for (const [n, [path, member]] of membersOf(schema).entries()) {
      const { description = schemas[nameOf(member)]?.description ?? '' } = member;
      assert.equal(letters(rows[n].cells[2]), letters(description), `${name}.${path}`);
      assertTyped({ text: rows[n].cells[1], html: rows[n].html }, member, `${name}.${path}`);
    }
  }
}));

/** The schemas that a part of the contract refers to directly. */
const schemasOf = (part) => [...JSON.stringify(part).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);

test('each schema lists what uses it', () => withParts((parts) => {
  const users = [
    ...operations.map((operation) => [`#${operation.anchor}`, schemasOf(operation)]),
    ...Object.entries(responses).map(([name, response]) => [`#response-${name}`, schemasOf(response)]),
    ...Object.entries(schemas).map(([name, schema]) => [`#schema-${name}`, schemasOf(schema)]),
  ];
  for (const name of Object.keys(schemas)) {
    const wanted = users.filter(([, used]) => used.includes(name)).map(([address]) => address);
    assert.deepEqual(parts[`schema-${name}`].users.sort(), wanted.sort(), name);
    assert.ok(wanted.length > 0, name);
  }
}));

test('constraints are described in words', () => withParts((parts) => {
  const typeOf = (schema, member) => parts[`schema-${schema}`].rows.find(({ cells }) => cells[0].split(' ')[0] === member).cells[1];
  assert.equal(typeOf('GoGame', 'size'), 'integer, 1 to 25');
  assert.equal(typeOf('MineResult', 'nimber'), 'integer, at least 0 or null');
  assert.equal(typeOf('PawnCase', 'turn'), 'PawnTurn, default Red');
  assert.equal(typeOf('PawnCase', 'board'), 'PawnBoard');
  assert.equal(typeOf('Problem', 'errors'), 'array of 1 to 20 items: Fault');
  assert.equal(typeOf('GoResult', 'prisoners.B'), 'integer, at least 0');
  assert.match(parts['schema-MineCase'].text, /Exactly one of:\s+MineDrawing\s+MineList/);
  assert.match(parts['schema-PawnLine'].text, /At least one of:\s+PawnResult\s+Refused/);
  assert.match(parts['post-/pawn'].text, /application\/json: either PawnCase or PawnBatch/);
}));

test('every example of a request has its name, media type and answer, in the text and in the form', () => withPartsAndPage(async (parts, page) => {
  let count = 0;
  for (const operation of operations) {
    const { anchor, operationId, responses: answers } = operation;
    for (const [key, { summary, value }, place] of examplesOf(operation)) {
      count++;
      const text = parts[anchor].examples.find(({ id }) => id === `${operationId}-${key}`)?.text;
      assert.ok(isExample(text, value), `${operationId}-${key}: ${text}`);
      const example = page.locator('details', { has: page.locator(`[id="${operationId}-${key}"]`) });
      assert.equal(letters(await example.locator('summary').textContent()), letters(summary));
      assert.equal(await example.locator('p').first().textContent(), place);
      const [kind, answered] = Object.entries(answers[200].content).flatMap(([one, { examples = {} }]) => (examples[key] ? [[one, examples[key]]] : []))[0];
      assert.equal(letters(await example.locator('p').last().textContent()), letters(`200, ${kind}: ${answered.summary}`));
      assert.ok(isExample(await example.locator('pre').last().textContent(), answered.value), `${operationId}-${key}`);
    }
    const named = await page.locator(`#try-${operationId} [name="example"] option`).allTextContents();
    const all = examplesOf(operation).map(([, { summary }]) => summary);
    assert.deepEqual(named, all.length > 1 ? all : [], operationId);
  }
  assert.ok(count > 20);
}));

test('every anchor is unique, every link within the page leads to an anchor, and every other link leads to a page', () => withPage({ path: '/docs' }, async ({ page, context }) => {
  const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id));
  assert.equal(new Set(ids).size, ids.length);
  const links = await page.locator('a[href], link[href]').evaluateAll((all) => all.map((link) => [link.getAttribute('href'), link.href]));
  assert.ok(links.length > 500);
  const others = new Set();
  for (const [written, address] of links) {
    if (written.startsWith('#')) assert.ok(ids.includes(decodeURIComponent(written.slice(1))), written);
    else others.add(address);
  }
  for (const address of others) {
    const answer = await context.request.get(address);
    assert.equal(answer.status(), 200, address);
    const { hash } = new URL(address);
    if (hash) assert.ok((await answer.text()).includes(`id="${hash.slice(1)}"`), address);
  }
}));

test('anchors from the 1.0 reference still lead to the same places', () => withPage({ path: '/docs' }, async ({ page }) => {
  for (const anchor of ['overview', 'tag--Problems', 'tag--Problems--one-case-or-many', 'tag--Problems--answers-by-link', 'tag--Service',
    'post-/pawn', 'get-/', 'get-/web/-file-', 'get-/docs/-file-', 'get-/openapi.yaml', 'get-/problems/-name-']) {
    assert.equal(await page.locator(`main [id="${anchor}"]`).count(), 1, anchor);
  }
}));

test('without JavaScript, each form is replaced by a command', () => withPartsAndPage(async (_, page) => {
  assert.equal(await page.locator('form').count(), operations.length);
  assert.deepEqual(await page.locator('form :is(input, select, textarea, button)').evaluateAll((all) => all.filter((one) => one.checkVisibility()).length), 0);
  await eventually.ok(() => page.locator('#try-solvePawn .command').isVisible());
}));

/** The form for an operation. */
const formOf = (page, title) => page.locator(`#try-${operationOf(title).operationId}`);
const statusOf = (form) => form.getByRole('status');
const bodyOf = (form) => form.getByRole('group', { name: 'Response body' });
const send = (form) => form.getByRole('button', { name: 'Send' }).click();

/** Clicks Send, and returns the request and the service's response. */
async function sent(page, form) {
  const asked = page.waitForResponse((response) => response.request().resourceType() === 'fetch');
  await send(form);
  const response = await asked;
  return { response, request: response.request() };
}

/** Checks that the command shown in a form prints what the form shows, ignoring white space in JSON. */
async function assertSame(form, part = (text) => text) {
  const command = await form.locator('.command').textContent();
  const { stdout } = await promisify(execFile)('sh', ['-c', command.replace(/^curl/, 'curl -sS')], { maxBuffer: 1 << 26 });
  const plain = (text) => (/^[{]/.test(text) && !text.trim().includes('}\n{') ? JSON.stringify(JSON.parse(text)) : part(text));
  assert.equal(plain(await bodyOf(form).textContent()), plain(stdout), command);
}

test('each form can be sent unchanged, and its command sends the same request', () => withPage({ path: '/docs' }, async ({ page, context, url }) => {
  const plain = await (await context.request.get('/docs')).text();
  for (const { title, path, parameters } of operations) {
    if (path === '/favicon.ico') continue; // Playwright hides requests for it
    const form = formOf(page, title);
    const { request, response } = await sent(page, form);
    assert.equal(request.method(), title.split(' ')[0]);
    assert.ok(request.url().startsWith(url + path.replace(/\{.*/, '')), request.url());
    await eventually.match(() => statusOf(form).innerText(), /^200 OK, [a-z]+\/.*, [\d,]+ bytes, [\d,]+ ms$/);
    assert.equal(response.status(), 200);
    const command = await form.locator('.command').innerHTML();
    assert.ok(plain.includes(`<code class="command">${command.replaceAll(url, WRITTEN)}</code>`), `the page has another command without JavaScript: ${command}`);
    await assertSame(form, path === '/metrics' ? (text) => text.split('\n')[0] : undefined);
    for (const { name, example } of parameters.filter((one) => one.in === 'path')) {
      assert.equal(await form.getByLabel(name).inputValue(), example);
      assert.ok(request.url().endsWith(`/${example}`));
    }
  }
}));

test('each example can be sent, and its answer is the one in the reference', () => withPage({ path: '/docs' }, async ({ page }) => {
  for (const operation of operations.filter(({ bodies }) => Object.keys(bodies).length > 0)) {
    const form = formOf(page, operation.title);
    for (const [key, { summary, value }, kind] of examplesOf(operation)) {
      await form.getByLabel('Example').selectOption(summary);
      assert.equal(await form.getByLabel('Media type of the body').inputValue(), kind);
      const { request } = await sent(page, form);
      assert.ok(isExample(request.postData(), value), `${operation.title} ${key}`);
      assert.equal(await request.headerValue('content-type'), kind);
      const shown = await page.locator(`details:has([id="${operation.operationId}-${key}"]) pre`).last().textContent();
      await eventually.equal(() => bodyOf(form).textContent().then((text) => text.trimEnd()), shown.trimEnd());
    }
  }
}));

test('choosing a media type for the body fills in its example, and what is typed is sent unchanged', () => withPage({ path: '/docs' }, async ({ page }) => {
  const form = formOf(page, 'POST /go');
  await form.getByLabel('Media type of the body').selectOption('application/x-go-sgf');
  await eventually.match(() => form.getByLabel('Body', { exact: true }).inputValue(), /^\(;FF\[4\]/);
  assert.equal(await form.getByLabel('Example').locator('option:checked').innerText(), 'An SGF record, with Japanese rules');
  const typed = "(;SZ[3]C[it's]\n;B[aa])\n";
  await form.getByLabel('Body', { exact: true }).fill(typed);
  await form.getByLabel('Accept').selectOption('text/plain');
  const { request } = await sent(page, form);
  assert.equal(request.postData(), typed);
  assert.equal(await request.headerValue('accept'), 'text/plain');
  await eventually.equal(() => bodyOf(form).textContent(), 'B..\n...\n...\n');
  await assertSame(form);
}));

test('query values are encoded correctly, and parameters left unset are not sent', () => withPage({ path: '/docs' }, async ({ page, url }) => {
  const form = formOf(page, 'GET /go');
  const asked = '{"sgf":"(;SZ[3]C[a+b & c~ *\'s];B[aa])","include":["score"]}';
  await form.getByLabel('case').fill(asked);
  let { request } = await sent(page, form);
  assert.equal(request.url(), `${url}/go?${new URLSearchParams({ case: asked })}`);
  await bodyOf(form).waitFor();
  await assertSame(form);
  await form.getByLabel('format').selectOption('text');
  ({ request } = await sent(page, form));
  assert.equal(request.url(), `${url}/go?${new URLSearchParams({ case: asked, format: 'text' })}`);
  await eventually.equal(() => bodyOf(form).textContent(), 'B..\n...\n...\n');
}));

test('JSON is shown with every value exactly as it arrived, and boards row by row', () => withPage({ path: '/docs' }, async ({ page }) => {
  const form = formOf(page, 'POST /mine');
  await form.getByLabel('Body', { exact: true }).fill('{"id":9007199254740991,"board":["..*","...","*.."],"include":["board","case"]}');
  await send(form);
  await eventually.equal(() => bodyOf(form).textContent(), `{
  "id": 9007199254740991,
  "case": {
    "id": 9007199254740991,
    "board": ["..*", "...", "*.."],
    "include": ["board", "case"]
  },
  "verdict": "Xiemao",
  "nimber": 2,
  "openings": 2,
  "three_bv": 2,
  "shared_numbers": 1,
  "turn": "Xiemao",
  "board": [
    ".1*",
    "121",
    "*1."
  ]
}`);
}));

test('a picture is shown', () => withPage({ path: '/docs' }, async ({ page }) => {
  for (const [title, field, value] of [['POST /mine', 'Accept', 'image/svg+xml'], ['GET /pawn', 'format', 'svg']]) {
    const form = formOf(page, title);
    await form.getByLabel(field).selectOption(value);
    await send(form);
    const picture = form.getByRole('img', { name: 'The picture in the response' });
    await picture.waitFor();
    await eventually.ok(() => picture.evaluate((image) => image.decode().then(() => image.naturalWidth > 100)));
  }
}));

const refused = (status) => ({ kind, text }) => kind === 'console' && text.includes(`status of ${status}`);

test('a fault is shown in the service\'s own words, with the response headers', () => withPage({
  path: '/docs', expected: refused(422),
}, async ({ page }) => {
  const form = formOf(page, 'POST /mine');
  await form.getByLabel('Body', { exact: true }).fill('{"board":["...","."]}');
  const { response } = await sent(page, form);
  await eventually.match(() => statusOf(form).innerText(), /^422 Unprocessable Content, application\/problem\+json, \d+ bytes, \d+ ms$/);
  await eventually.match(() => bodyOf(form).innerText(), /"detail": "the row has 1 character; it must have 3"/);
  await form.getByText('Headers', { exact: true }).click();
  await eventually.ok(async () => (await form.getByRole('group', { name: 'Response headers' }).innerText())
    .includes(`x-request-id: ${await response.headerValue('x-request-id')}`));
}));

test('if a gateway requires a token, the form asks for it, and from then on all forms send it', () => withPage({
  path: '/docs', expected: refused(401),
}, async ({ page }) => {
  const asked = [];
  await page.route(/\/(pawn|limits)$/, async (route) => {
    const { authorization } = await route.request().allHeaders();
    asked.push(authorization);
    if (authorization === 'Bearer secret-1') await route.continue();
    else await route.fulfill({ status: 401, contentType: 'application/problem+json', body: readFileSync(new URL('../../docker/errors/401.json', import.meta.url), 'utf8') });
  });
  const form = formOf(page, 'POST /pawn'), field = form.getByLabel('Token');
  assert.equal(await field.isVisible(), false);
  await send(form);
  await eventually.match(() => statusOf(form).innerText(), /^401 Unauthorized/);
  await eventually.match(() => bodyOf(form).innerText(), /bearer token is needed/);
  await eventually.ok(() => field.evaluate((input) => input === document.activeElement));
  assert.doesNotMatch(await form.locator('.command').innerText(), /Authorization/);
  await page.keyboard.type(' secret-1 ');
  await eventually.match(() => form.locator('.command').innerText(), /-H "Authorization: Bearer \$TOKEN"/);
  await page.keyboard.press('Enter');
  await eventually.match(() => statusOf(form).innerText(), /^200 OK/);
  await send(formOf(page, 'GET /limits'));
  await eventually.match(() => statusOf(formOf(page, 'GET /limits')).innerText(), /^200 OK/);
  assert.deepEqual(asked, [undefined, 'Bearer secret-1', 'Bearer secret-1']);
  await page.reload();
  await eventually.match(() => formOf(page, 'GET /limits').locator('.command').innerText(), /Authorization/);
  await send(formOf(page, 'GET /limits'));
  await until('it is asked', () => asked.length === 4);
  assert.equal(asked.at(-1), 'Bearer secret-1');
}));

test('a slow request can be cancelled, or replaced by a newer one', () => withPage({ path: '/docs' }, async ({ page }) => {
  const form = formOf(page, 'POST /pawn'), cancel = form.getByRole('button', { name: 'Cancel' });
  const held = [];
  await page.route('**/pawn', (route) => held.push(route));
  assert.equal(await cancel.isVisible(), false);
  await send(form);
  await until('it is asked', () => held.length === 1);
  await eventually.equal(() => statusOf(form).innerText(), 'Waiting for the response…');
  await cancel.focus();
  await page.keyboard.press('Enter');
  await eventually.equal(() => statusOf(form).innerText(), 'Cancelled.');
  assert.equal(await cancel.isVisible(), false);
  assert.equal(await form.getByRole('button', { name: 'Send' }).evaluate((button) => button === document.activeElement), true);
  await send(form);
  await until('it is asked', () => held.length === 2);
  await form.getByLabel('Body', { exact: true }).fill('{"board":["O.O","X.."]}');
  await send(form);
  await until('it is asked', () => held.length === 3);
  await held[2].continue();
  await eventually.match(() => bodyOf(form).innerText(), /"steps": 1\b/);
  assert.equal(await cancel.isVisible(), false);
}));

test('if there is no answer, the form says so', () => withPage({
  path: '/docs', expected: ({ kind, text }) => kind === 'failed' || text.includes('net::ERR_FAILED'),
}, async ({ page }) => {
  await page.route('**/limits', (route) => route.abort('failed'));
  await send(formOf(page, 'GET /limits'));
  await eventually.match(() => statusOf(formOf(page, 'GET /limits')).innerText(), /^No response: /);
}));

test('only the beginning of a long response is shown', () => withPage({ path: '/docs' }, async ({ page }) => {
  const form = formOf(page, 'GET /openapi.yaml');
  await page.route('**/openapi.yaml', (route) => route.fulfill({ contentType: 'application/yaml', body: 'x'.repeat(400_001) }));
  await send(form);
  await eventually.equal(() => bodyOf(form).textContent(), `${'x'.repeat(400_000)}\n… (the first 400,000 bytes)`);
}));

test('behind a proxy that adds a path prefix, the forms and links use the prefix', () => withPage({ path: null }, async ({ page, url }) => {
  const asked = [];
  await page.route(`${url}/some/path/**`, (route) => {
    asked.push(route.request().url());
    return route.continue({ url: asked.at(-1).replace('/some/path', '') });
  });
  await page.goto('/some/path/docs');
  const form = formOf(page, 'GET /limits');
  await eventually.equal(() => form.locator('.command').innerText(), `curl ${url}/some/path/limits`);
  await send(form);
  await eventually.match(() => bodyOf(form).innerText(), /"max_cases": 1000/);
  assert.equal(asked.at(-1), `${url}/some/path/limits`);
  await eventually.ok(async () => (await page.locator('#overview').innerText()).includes(`curl ${url}/some/path/mine`));
  const links = await page.locator('a[href], link[href], img').evaluateAll((all) => all.map(({ href, src }) => href ?? src));
  assert.deepEqual(links.filter((link) => !link.startsWith(`${url}/some/path`)), []);
}));

test('a form can be used with the keyboard alone', () => withPage({ path: '/docs#try-solvePawn' }, async ({ page }) => {
  const form = formOf(page, 'POST /pawn');
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name') ?? document.activeElement?.textContent);
  await eventually.ok(() => form.getByRole('button', { name: 'Send' }).isVisible());
  await page.keyboard.press('Tab'); // from the anchor in the address
  for (const name of ['example', 'type', 'body', 'accept', 'Send']) {
    assert.equal(await focused(), name);
    if (name === 'example') await page.keyboard.press('ArrowDown');
    if (name !== 'Send') await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await eventually.match(() => bodyOf(form).innerText(), /"results"/); // the second example is a batch
  await page.keyboard.press('Tab');
  await eventually.ok(() => bodyOf(form).evaluate((region) => region === document.activeElement));
}));

for (const [look, options] of [['desktop', {}], ['phone', PHONE]]) {
  test(`a link leads to its operation, which is highlighted in the table of contents: ${look}`, () => withPage({ path: '/docs#get-/limits', ...options }, async ({ page }) => {
    const height = page.viewportSize().height;
    const scrolledTo = async (anchor) => {
      const { y } = await page.locator(`[id="${anchor}"]`).boundingBox();
      return y > -5 && y < height / 3;
    };
    const contents = page.getByRole('navigation', { name: 'Contents' });
    await until('the limits are in sight', () => scrolledTo('get-/limits'));
    await eventually.equal(() => contents.locator('[aria-current]').innerText(), 'GET /limits');
    await contents.getByRole('link', { name: 'POST /go' }).click();
    await until('the route of Go is in sight', () => scrolledTo('post-/go'));
    await eventually.equal(() => contents.locator('[aria-current]').innerText(), 'POST /go');
    await contents.getByText('All schemas').click();
    await contents.getByRole('link', { name: 'GoMove', exact: true }).click();
    await until('the schema is in sight', () => scrolledTo('schema-GoMove'));
    await eventually.equal(() => contents.locator('[aria-current]').innerText(), 'GoMove');
  }));
}

for (const [look, options] of [['desktop-light', {}], ['phone-dark', { ...PHONE, colorScheme: 'dark' }]]) {
  test(`the reference is accessible: ${look}`, () => withPage({ path: '/docs', expected: refused(422), ...options }, async ({ page }) => {
    await shot(page, `docs-reference-${look}`);
    const good = formOf(page, 'POST /pawn'), bad = formOf(page, 'POST /mine');
    await send(good);
    await bad.getByLabel('Body', { exact: true }).fill('{}');
    await send(bad);
    await bodyOf(good).waitFor();
    await bodyOf(bad).waitFor();
    await shot(page, `docs-tried-${look}`);
    await page.locator('details').evaluateAll((all) => { for (const one of all) one.open = true; });
    const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await eventually.equal(beyond, 0);
    await assertAccessible(page);
    if (look === 'phone-dark') return;
    await page.setViewportSize({ width: 1600, height: 1000 });
    await eventually.equal(beyond, 0);
  }));
}
