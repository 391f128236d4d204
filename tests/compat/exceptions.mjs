// The table of allowed differences between a build and the last release. Each addition, and each bug that is fixed, has one row.
// Nothing else may differ. A row:
//
//   name      the new behaviour, as a sentence
//   reason    why this may differ, as a sentence for a reader: what a user gains, or which bug is gone
//   kind      the kind of result: 'answer', 'log', 'metrics' or 'command'
//   examples  requests (as conversations.mjs sends them), or arguments of 'command', that show it; they are sent in every run, so
//             that no row depends on random requests
//   toOld     (now, { request, old, ask }) => the result of the release where this build has `now`; undefined if the row does
//             not apply. `now` and `old` are results of normalize.mjs: { start, fields, body } of an answer (only `start` if the
//             connection ended), { lines } of a log or metrics, { status, stdout, stderr } of a command. `ask(request)` sends
//             one more request to the build under test and resolves to its normalized answer; it appears in the log and
//             metrics, so use it only for rows that no request except their examples needs.
//
// A row should change as little as possible: it removes a new member from the text, and the rest is still compared byte for byte.
// If the release refused a request that is answered now, the row checks the new answer and returns `old`. A row that was not used
// in a run is a failure.
//
// comparison.test.mjs tests rows of these forms: a member removed from problems, a member removed from answers, a body that is
// answered as another one.

/** The text of a command with the lists of formats in the order of 1.1, and their older words. */
const FORMATS = [
  ['json, text, ndjson or sgf', 'json, ndjson, text or sgf'],
  ['json, text, svg or ndjson', 'json, ndjson, text or svg'],
  ['the same for ndjson and text, else json', 'json for json and sgf, else the same'],
];

/** @type {{ name: string, reason: string, kind: string, examples: object[], toOld: Function }[]} */
export const exceptions = [
  {
    name: 'formats are listed in the order of their table',
    reason: 'one table has all facts about a format, and help and messages follow it',
    kind: 'command',
    examples: [{ args: ['solve', 'pawn', '--from', 'x'] }, { args: ['solve', '--help'] }],
    toOld: ({ stdout, stderr, ...rest }) => {
      const back = (text) => FORMATS.reduce((old, [now, before]) => old.replaceAll(now, before), text);
      return { ...rest, stdout: back(stdout), stderr: back(stderr) };
    },
  },
];
