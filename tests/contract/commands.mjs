// Extracts the commands and their expected output from our documentation, and runs them against a server.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const TOP = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = process.env.ARBITER_BINARY ?? `${TOP}/build/arbiter`;
const ADDRESS = 'http://127.0.0.1:8080';

/**
 * A command in a text, and its output.
 * @typedef {{ language: 'sh' | 'js' | 'python', code: string, answer: string, varies?: boolean }} Command  `varies`: the output
 * differs each time but keeps its form
 */

/**
 * @param {string} page a Markdown file
 * @returns {Command[]} the commands in `console` blocks, each after a `$ ` prompt; and each `js` block, in which the comment
 * after a `console.log` shows its output
 */
export function commandsOfMarkdown(page) {
  const text = readFileSync(`${TOP}/${page}`, 'utf8');
  const typed = [...text.matchAll(/^```console\n([\s\S]*?)^```/gm)].flatMap(([, block]) =>
    block.split(/^\$ /m).slice(1).map((part) => {
      const end = part.indexOf('\n');
      return { language: 'sh', code: part.slice(0, end), answer: part.slice(end + 1) };
    }));
  const programs = [...text.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, code]) => {
    const lines = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].flatMap(([, printed]) => printed.split(', '));
    return { language: 'js', code, answer: lines.map((line) => `${line}\n`).join('') };
  });
  return [...typed, ...programs];
}

const ENTITIES = { lt: '<', gt: '>', amp: '&' };

/**
 * @param {string} page a file in web/docs. Each command is a `pre` element that contains `code` (the command) and `samp` (its
 * output). `data-run` gives its language, or `data-varies` if the output varies. Commands that need no server have `data-local` and are
 * left out; tests/wasm and tests/clients run them
 * @returns {Command[]}
 */
export function commandsOfGuides(page) {
  const plain = (html) => html.replace(/&(\w+);/g, (_, name) => ENTITIES[name]);
  const blocks = readFileSync(`${TOP}/web/docs/${page}`, 'utf8').match(/<pre[\s\S]*?<\/pre>/g) ?? [];
  return blocks.filter((block) => !block.startsWith('<pre data-local>')).map((block) => {
    const [, kind, language, code, answer] =
      /^<pre data-(run|varies)="(sh|js|python)"><code>([^<]*)<\/code>\n<samp>([^<]*)<\/samp><\/pre>$/.exec(block) ?? [];
    if (!language) throw new Error(`${page}: this is no command with what it prints:\n${block}`);
    return { language, code: plain(code), answer: `${plain(answer)}\n`, varies: kind === 'varies' };
  });
}

/** Replaces the documented address in the text with that of the local server. */
export const at = (text, port) => text.replaceAll(ADDRESS, `http://127.0.0.1:${port}`);

// Loading this module lets Node import modules over HTTP, as pages do.
const HTTP_MODULES = new URL('../web/http_modules.mjs', import.meta.url);
const OVER_HTTP = `data:text/javascript,import { register } from 'node:module'; register('${HTTP_MODULES}');`;

const RUN = {
  sh: (code) => ['bash', '-c', code.replace(/\bcurl /g, 'curl -s ')],
  js: (code) => [process.execPath, '--import', OVER_HTTP, '--input-type=module', '--eval', code],
  python: (code) => ['python3', '-c', code],
};

/**
 * Runs a command against the server at `port`.
 * @param {Command} command
 * @returns {Promise<string>} its output
 */
export async function run({ language, code }, port) {
  const here = at(code, port).replaceAll('build/arbiter', PROGRAM);
  if (here === code) throw new Error(`this does not ask the program: ${code}`);
  const [file, ...words] = RUN[language](here);
  const { stdout } = await promisify(execFile)(file, words, { cwd: TOP });
  return stdout;
}
