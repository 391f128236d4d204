// The table of allowed differences between a build and the last release. Each addition and each fixed bug has a row. Nothing else may
// differ, except what normalize.mjs replaces. The members of a row are:
//   reason   a sentence that says what users gain, or which bug is fixed
//   kind     what differs: 'answer' (from the service or from `arbiter solve`), 'log', 'metrics' or 'command'
//   at       optional: a pattern for the request or the command, such as /^POST \/go/
//   is       what this build says: a pattern with the flag g. The functions below make those of additions
//   was      what the release says instead: a text, or a function of all that it says; without it: nothing
//   example  a request (as formatRequest takes it), or { args, input, env } of 'command', that shows it; it is sent in every run
// A row should match as little as possible, because the rest is still compared byte for byte. A row that was not used in a run
// is a failure. Random and known requests that only this build understands need no row: they are left out.

const STRING = String.raw`"(?:[^"\\]|\\.)*"`;
const nested = (depth) => String.raw`[\[{](?:[^\[\]{}"]|${STRING}${depth > 0 ? `|${nested(depth - 1)}` : ''})*[\]}]`;
const VALUE = String.raw`(?:${STRING}|${nested(4)}|[-+.\w<>]+)`;

/** A member of any JSON object in an answer or a log line. If existing objects have a member of that name, write a narrower pattern. */
export const member = (name) => new RegExp(`,"${name}":${VALUE}|(?<=\\{)"${name}":${VALUE},?`, 'g');
/** A header of an answer. */
export const header = (name) => new RegExp(`^${name}: .*\n`, 'gm');
/** A metric, with its type and help. */
export const metric = (name) => new RegExp(`^(# (HELP|TYPE) )?${name}(_bucket|_sum|_count)?[ {].*\n`, 'gm');
/** An option in help. */
export const option = (name) => new RegExp(`^${name}( .*)?\n`, 'gm');
/** @type {{ reason: string, kind: string, at?: RegExp, is: RegExp, was?: string | Function, example: object }[]} */
export const exceptions = [];
