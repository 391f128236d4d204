// A question as a command or a few lines of a program, to be copied: what is on the screen, asked from elsewhere.

/** A question of more characters does not fit the command line of every system: it is a file then. */
const MOST_COMMAND = 60_000;

/** @param {string} text a word of the shell in quotes */
const shell = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * A value as Python writes it.
 * @param {any} value
 * @returns {string}
 */
function python(value) {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (typeof value === 'object') return `{${Object.entries(value).map(([name, of]) => `${python(name)}: ${python(of)}`).join(', ')}}`;
  return JSON.stringify(value); // numbers and strings: JSON's escapes are Python's too
}

/**
 * The ways to ask, each by its name.
 * @param {string} url the route: http://127.0.0.1:8080/pawn
 * @param {object} question
 * @returns {{ curl: string, javascript: string, python: string, file: string | null }} `file`: the name under which the question must
 *   be saved for them, or null
 */
export function snippets(url, question) {
  const json = JSON.stringify(question);
  const file = json.length > MOST_COMMAND ? 'question.json' : null;
  return {
    file,
    curl: `curl --json ${file ? `@${file}` : shell(json)} ${url}`,
    javascript: [
      file ? "import { readFile } from 'node:fs/promises';\n" : '',
      `const question = ${file ? `JSON.parse(await readFile('${file}', 'utf8'))` : json};`,
      `const response = await fetch('${url}', {`,
      "  method: 'POST',",
      "  headers: { 'content-type': 'application/json' },",
      '  body: JSON.stringify(question),',
      '});',
      'console.log(await response.json());',
    ].filter((line) => line !== '').join('\n'),
    python: [
      'import json, urllib.request',
      '',
      `question = ${file ? `json.load(open("${file}"))` : python(question)}`,
      `request = urllib.request.Request("${url}", json.dumps(question).encode(), {"content-type": "application/json"})`,
      'print(json.load(urllib.request.urlopen(request)))',
    ].join('\n'),
  };
}
