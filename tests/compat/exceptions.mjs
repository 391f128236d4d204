// The table of allowed differences between a build and the last release. Each addition, and each bug that is fixed, has a row.
// Nothing else may differ, except what normalize.mjs replaces. A row:
//   reason   a sentence for a reader: what a user gains, or which bug is gone
//   kind     what differs: 'answer' (of the service, and of `arbiter solve`), 'log', 'metrics' or 'command'
//   at       optional: a pattern for the request or the command, such as /^POST \/go/
//   is       what this build says: a pattern with the flag g. The functions below make those of additions
//   was      what the release says instead: a text, or a function of all that it says; without it: nothing
//   example  a request (as formatRequest takes it), or { args, input, env } of 'command', that shows it; it is sent in every run
// A row should match as little as possible, because the rest is still compared byte for byte. A row that was not used in a run
// is a failure. Rows of all kinds:
//   { reason: '…', kind: 'answer', at: /\bgo\b/, is: member('ko'), example: { target: '/go', headers: JSON_TYPE, body: '{"moves":[]}' } }
//   { reason: '…', kind: 'log', is: member('profile'), example: { target: '/limits' } }
//   { reason: '…', kind: 'metrics', is: metric('arbiter_new_total'), example: { target: '/limits' } }
//   { reason: '…', kind: 'command', is: option('--new'), example: { args: ['--help'] } }

const STRING = String.raw`"(?:[^"\\]|\\.)*"`;
const nested = (depth) => String.raw`[\[{](?:[^\[\]{}"]|${STRING}${depth > 0 ? `|${nested(depth - 1)}` : ''})*[\]}]`;
const VALUE = String.raw`(?:${STRING}|${nested(4)}|[-+.\w<>]+)`;

/** A member of any JSON object in an answer or a line of the log. If older objects have its name, too, write a pattern that spares them. */
export const member = (name) => new RegExp(`,"${name}":${VALUE}|(?<=\\{)"${name}":${VALUE},?`, 'g');

/** A header of an answer. */
export const header = (name) => new RegExp(`^${name}: .*\n`, 'gm');

/** A metric, with its type and help. */
export const metric = (name) => new RegExp(`^(# (HELP|TYPE) )?${name}(_bucket|_sum|_count)?[ {].*\n`, 'gm');

/** An option in help. */
export const option = (name) => new RegExp(`^${name}( .*)?\n`, 'gm');

/** @type {{ reason: string, kind: string, at?: RegExp, is: RegExp, was?: string | Function, example: object }[]} */
export const exceptions = [
  { reason: 'what was closed or left open is counted', kind: 'metrics', is: metric('arbiter_(unknown|connections_closed)_total'), example: { target: '/limits' } },
  { reason: 'operators give one number, and the rest follows from it', kind: 'command', is: option('(--memory|ARBITER_MEMORY)'), example: { args: ['--help'] } },
  { reason: 'answers can go to a file that is complete or not there', kind: 'command', is: option('--output'),
    example: { args: ['solve', '--help'] } },
];
