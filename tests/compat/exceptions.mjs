// The table of allowed differences between a build and the last release. Each addition and each fixed bug has a row. Nothing else may
// differ, except what normalize.mjs replaces. The members of a row are:
//   reason   a sentence that says what users gain, or which bug is fixed
//   kind     what differs: 'answer' (from the service or from `arbiter solve`), 'log', 'metrics' or 'command'
//   at       optional: a pattern for the request or the command, such as /^POST \/go/
//   is       a pattern with the flag g for what this build writes. The functions below return patterns for additions
//   was      what the release writes instead: a text, or a function that is passed the release's whole text (default: nothing)
//   example  a request that shows the difference (in the form that formatRequest takes) or, for 'command', { args, input, env }.
//            It is sent in every run
// A row should match as little as possible, because the rest is still compared byte for byte. A run fails if it does not use every
// row. Here is a row of each kind:
//   { reason: '…', kind: 'answer', at: /\bgo\b/, is: member('ko'), example: { target: '/go', headers: JSON_TYPE, body: '{"moves":[]}' } }
//   { reason: '…', kind: 'log', is: member('profile'), example: { target: '/limits' } }
//   { reason: '…', kind: 'metrics', is: metric('arbiter_new_total'), example: { target: '/limits' } }
//   { reason: '…', kind: 'command', is: option('--new'), example: { args: ['--help'] } }

const STRING = String.raw`"(?:[^"\\]|\\.)*"`;
const nested = (depth) => String.raw`[\[{](?:[^\[\]{}"]|${STRING}${depth > 0 ? `|${nested(depth - 1)}` : ''})*[\]}]`;
const VALUE = String.raw`(?:${STRING}|${nested(4)}|[-+.\w<>]+)`;

/** A member of any JSON object in an answer or a log line. If existing objects have a member of that name, write a narrower pattern. */
export const member = (name) => new RegExp(`,"${name}":${VALUE}|(?<=\\{)"${name}":${VALUE},?`, 'g');

/** A response header. */
export const header = (name) => new RegExp(`^${name}: .*\n`, 'gm');

/** A metric, with its type and help. */
export const metric = (name) => new RegExp(`^(# (HELP|TYPE) )?${name}(_bucket|_sum|_count)?[ {].*\n`, 'gm');

/** An option in a help text. */
export const option = (name) => new RegExp(`^${name}( .*)?\n`, 'gm');

/** @type {{ reason: string, kind: string, at?: RegExp, is: RegExp, was?: string | Function, example: object }[]} */
export const exceptions = [
  { reason: 'what was closed or left open is counted', kind: 'metrics', is: metric('arbiter_(unknown|connections_closed)_total'), example: { target: '/limits' } },
  { reason: 'operators give one number, and the rest follows from it', kind: 'command', is: option('(--memory|ARBITER_MEMORY)'), example: { args: ['--help'] } },
  { reason: 'answers can go to a file that is complete or not there', kind: 'command', is: option('--output'),
    example: { args: ['solve', '--help'] } },
];
