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
export const exceptions = [
  { reason: 'what was closed or left open is counted', kind: 'metrics', is: metric('arbiter_(unknown|connections_closed)_total'), example: { target: '/limits' } },
  { reason: 'operators give one number, and the rest follows from it', kind: 'command', is: option('(--memory|ARBITER_MEMORY)'), example: { args: ['--help'] } },
  { reason: 'a case can be an argument, and options say more about records', kind: 'command', is: option('(--(case|scoring|repetition|komi|next|dead|seki)|ARBITER_(SCORING|REPETITION|KOMI|NEXT|DEAD|SEKI))'), example: { args: ['solve', '--help'] } },
  { reason: 'the help of solve has only what it uses', kind: 'command', at: /solve.* --help/, is: /(?=^--max-mine-cells )/gm,
    was: (old) => /^--max-link-answer-bytes.*\n/m.exec(old)?.[0] ?? '', example: { args: ['solve', '--help'] } },
  { reason: 'the same for --queue', kind: 'command', at: /solve.* --help/, is: /(?=^--suicide)/gm, was: (old) => /^--queue.*\n/m.exec(old)?.[0] ?? '', example: { args: ['solve', '--help'] } },
  { reason: 'random cases are made', kind: 'command', at: /--man/, is: option('--(cols|count|legal|mines|moves|obstacles|rows|seed|size|turn)'), example: { args: ['--man'] } },
  { reason: 'answers can go to a file that is complete or not there', kind: 'command', is: option('--output'), example: { args: ['solve', '--help'] } },
  { reason: 'the rules that were applied and the result', kind: 'answer', is: /,"rules":\{[^}]*"source":"\w+"\}(?!,"record")|(?<="suicide":\w+),"scoring":"area","source":"\w+"|(?<="neutral":\d+),"scoring".*?"result":"[^"]*"/g, example: { target: '/go', body: '{"moves":[],"include":["score"]}' } },
];
