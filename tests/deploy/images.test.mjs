// Tests script/images, which pins third-party images by digest. The tests run their own registry on a loopback address, because digests
// in real registries change.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const FILES = ['docker/Dockerfile', 'docker/compose.cluster.yaml'];
const INDEX = 'application/vnd.oci.image.index.v1+json';

const digestOf = (text) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const manifestOf = (image) => JSON.stringify({ schemaVersion: 2, mediaType: INDEX, manifests: [], annotations: { of: image } });

/**
 * Starts a registry that requires a token and has all images named in the files, and copies the files so that they refer to this
 * registry. `use` is called with { registry, run, read }: registry.manifests and registry.headers can be changed, registry.asked lists
 * the images that were fetched, run(...arguments) runs script/images, and read() returns the text of the files.
 */
async function withRegistry(use) {
  const registry = { manifests: new Map(), headers: {}, asked: [] };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://registry');
    if (pathname === '/token') {
      response.end(JSON.stringify({ token: `for ${searchParams.get('service')} ${searchParams.get('scope')}` }));
      return;
    }
    const [, name, tag] = /^\/v2\/(.+)\/manifests\/([^/]+)$/.exec(pathname);
    if (request.headers.authorization !== `Bearer for registry.example repository:${name}:pull`) {
      response.writeHead(401, { 'WWW-Authenticate':
        `Bearer realm="http://127.0.0.1:${server.address().port}/token",service="registry.example",scope="repository:${name}:pull"` });
      response.end();
      return;
    }
    registry.asked.push(`${name}:${tag}`);
    const manifest = registry.manifests.get(`${name}:${tag}`);
    if (manifest === undefined || !request.headers.accept.includes(INDEX)) response.writeHead(404);
    else response.writeHead(200, { 'Content-Type': INDEX, 'Docker-Content-Digest': digestOf(manifest), ...registry.headers });
    response.end(manifest);
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const folder = mkdtempSync(join(tmpdir(), 'arbiter-images-'));
  try {
    for (const name of ['docker', 'script']) mkdirSync(join(folder, name));
    cpSync(join(TOP, 'script/images'), join(folder, 'script/images'));
    for (const file of FILES) {
      const text = readFileSync(join(TOP, file), 'utf8').replace(/@sha256:[0-9a-f]{64}/g, '');
      writeFileSync(join(folder, file), text.replaceAll('docker.io/', `127.0.0.1:${server.address().port}/`));
    }
    const read = () => FILES.map((file) => readFileSync(join(folder, file), 'utf8')).join('');
    for (const [, image] of read().matchAll(/_IMAGE(?:=|:-)127\.0\.0\.1:\d+\/([^\s}]+)/g)) registry.manifests.set(image, manifestOf(image));
    const run = (...words) => new Promise((resolve) => {
      const env = { ...process.env, no_proxy: '127.0.0.1' };
      execFile(join(folder, 'script/images'), words, { env }, (error, stdout, stderr) => resolve({ status: error?.code ?? 0, stdout, stderr }));
    });
    await use({ registry, run, read });
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
}

test('script/images asks the registry for every image named in a file in docker/', () => withRegistry(async ({ registry, run }) => {
  assert.equal((await run()).status, 0);
  const named = new Set();
  for (const file of readdirSync(join(TOP, 'docker')).filter((name) => /^Dockerfile$|\.yaml$/.test(name))) {
    const text = readFileSync(join(TOP, 'docker', file), 'utf8');
    for (const [, image] of text.matchAll(/^(?:FROM| *image:) +(\S+)/gm))
      if (!['$DEBIAN_IMAGE', 'scratch', 'arbiter'].includes(image)) named.add(image);
    for (const [, image] of text.matchAll(/^ARG DEBIAN_IMAGE=(\S+)$/gm)) named.add(image);
  }
  const plain = [...named].map((image) => image.replace(/^\$\{\w+:-(.*)\}$/, '$1').replace(/@.*/, '').replace(/^docker\.io\//, ''));
  assert.deepEqual(registry.asked.sort(), plain.sort());
  assert.equal(plain.length, 4);
}));

test('renew writes the digest of an image after its tag, and changes nothing else', () => withRegistry(async ({ registry, run, read }) => {
  const before = read();
  const { status, stderr } = await run('renew');
  assert.equal(status, 0, stderr);
  for (const [image, manifest] of registry.manifests) assert.ok(read().includes(`/${image}@${digestOf(manifest)}`), image);
  assert.equal(read().replace(/@sha256:[0-9a-f]{64}/g, ''), before);
}));

test('without an argument, script/images only prints new digests; with renew, it writes them', () => withRegistry(async ({ registry, run, read }) => {
  await run('renew');
  const pinned = read();
  assert.doesNotMatch((await run()).stdout, /now sha256/);
  const [first] = registry.manifests.keys();
  registry.manifests.set(first, manifestOf('a newer one'));
  const digest = digestOf(manifestOf('a newer one'));
  assert.equal((await run()).stdout.split(`now ${digest}`).length, 2);
  assert.equal(read(), pinned);
  await run('renew');
  assert.equal(read(), pinned.replace(digestOf(manifestOf(first)), digest));
}));

test('nothing is written if a registry fails, or if a digest or a media type is wrong', () => withRegistry(async ({ registry, run, read }) => {
  const before = read();
  const refused = async (why) => {
    const { status, stdout } = await run('renew');
    assert.equal(status, 1);
    assert.match(stdout, why);
    assert.equal(read(), before);
  };
  registry.headers = { 'Docker-Content-Digest': digestOf('another') };
  await refused(/the answer has sha256:\w+, not sha256:/);
  registry.headers = { 'Content-Type': 'text/html' };
  await refused(/not a manifest but text\/html/);
  registry.headers = {};
  registry.manifests.delete([...registry.manifests.keys()][1]);
  await refused(/404/);
}));
