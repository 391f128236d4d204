// The table of allowed differences between a build and release 1.0.0. Each addition of 1.1, and each bug of 1.0 that 1.1 fixes, has
// one row. Nothing else may differ. A row:
//
//   name      the new behaviour, as a sentence
//   reason    why this may differ, as a sentence for a reader: what a user gains, or which bug is gone
//   kind      the kind of result: 'answer', 'log', 'metrics' or 'command'
//   examples  requests (as conversations.mjs sends them), or arguments of 'command', that show it; they are sent in every run, so
//             that no row depends on random requests
//   toOld     (now, { request, old, ask }) => the result of 1.0.0 where this build has `now`; undefined if the row does not
//             apply. `now` and `old` are results of normalize.mjs: { start, fields, body } of an answer (only `start` if the
//             connection ended), { lines } of a log or metrics, { status, stdout, stderr } of a command. `ask(request)` sends
//             one more request to the build under test and resolves to its normalized answer; it appears in the log and
//             metrics, so use it only for rows that no request except their examples needs.
//
// A row should change as little as possible: it removes a new member from the text, and the rest is still compared byte for byte.
// If 1.0.0 refused a request that is answered now, the row checks the new answer and returns `old`. A row that was not used in a
// run is a failure.
//
// comparison.test.mjs tests rows of these forms: a member removed from problems, a member removed from answers, a body that is
// answered as another one.

import { isIP } from 'node:net';

import { exceptionsOfAnswers } from './exceptions_of_answers.mjs';
import { exceptionsOfCommands } from './exceptions_of_commands.mjs';
import { exceptionsOfPictures } from './exceptions_of_pictures.mjs';

const PEER = /"peer":"((?:[^"\\]|\\.)*)"/;

/** @type {{ name: string, reason: string, kind: string, examples: object[], toOld: Function }[]} */
export const exceptions = [
  ...exceptionsOfPictures, // before the row about the lengths of all other answers
  ...exceptionsOfAnswers,
  ...exceptionsOfCommands,
  {
    name: 'forwarded requests from an untrusted address are told once',
    reason: 'Fairness: the program says so once when it sees forwarded requests from an untrusted address.',
    kind: 'log',
    examples: [],
    toOld: ({ lines }) => ({ lines: lines.filter((line) => !line.includes('"event":"untrusted-proxy"')) }),
  },
  {
    name: 'the line of the log that says where the service listens names the profile',
    reason: 'Profiles: the listening line has "profile".',
    kind: 'log',
    examples: [],
    toOld: ({ lines }) => ({
      lines: lines.map((line) => (line.includes('"event":"listening"') ? line.replace(/,"profile":"trusted"(?=\}$)/, '') : line)),
    }),
  },
  {
    name: 'the peer in the log is an address',
    reason: 'Options: of X-Forwarded-For ... if it is no address the socket\'s counts',
    kind: 'log',
    examples: [],
    toOld: ({ lines }, { old }) => ({
      lines: lines.map((line, at) => {
        const [, text] = PEER.exec(old.lines[at] ?? '') ?? [];
        return text === undefined || isIP(text) !== 0 ? line : line.replace('"peer":"127.0.0.1"', () => `"peer":"${text}"`);
      }),
    }),
  },
  {
    name: 'histograms have bounds at 20 and 200 ms, at 100 and 300 s',
    reason: 'Existing histograms keep names, labels and bounds; bounds at 20, 50, 200, 500 ms, 100 and 300 s are added.',
    kind: 'metrics',
    examples: [{ method: 'GET', target: '/limits' }],
    toOld: ({ lines }) => ({ lines: lines.filter((line) => !/_seconds_bucket\{.*le="(0\.02|0\.2|100|300)"\} /.test(line)) }),
  },
  {
    name: 'arbiter_answer_duration_seconds has the times of answers by the class of their status',
    reason: '`arbiter_answer_duration_seconds{route,class}` tells the class of status.',
    kind: 'metrics',
    examples: [{ method: 'GET', target: '/limits' }],
    toOld: ({ lines }) => ({ lines: lines.filter((line) => !/^(# (HELP|TYPE) )?arbiter_answer_duration_seconds/.test(line)) }),
  },
  {
    name: 'metrics of the loops, of connections that are refused, of answers that make room, of bytes, clients, ages and memory',
    reason: 'arbiter_loop_busy_seconds_total, arbiter_loop_longest_round_seconds; --max-connections-per-client; cut off to make room; ' +
      'age of the oldest waiting job by lane, bytes in and out, clients that wait, memory against its formula.',
    kind: 'metrics',
    examples: [{ method: 'GET', target: '/limits' }],
    toOld: ({ lines }) => ({
      lines: lines.filter((line) =>
        !/^(# (HELP|TYPE) )?arbiter_(loop_(busy_seconds_total|longest_round_seconds)|connections_refused_total|(received|sent)_bytes_total|queue_(clients|oldest_seconds)|memory_limit_bytes)|reason="make-room"/.test(line)),
    }),
  },
  {
    name: 'a histogram without a value has no line',
    reason: 'The ops port\'s /metrics stays under 40 KB.',
    kind: 'metrics',
    examples: [{ method: 'GET', target: '/limits' }],
    // The histograms of 1.0 that have counted nothing are inserted again.
    toOld: ({ lines }, { old }) => {
      const series = (line) => /^(\w+_seconds)_(?:bucket|sum|count)(\{route="[^"]+",lane="[^"]+")/.exec(line)?.slice(1).join('');
      const empty = new Set(old.lines.filter((line) => /_seconds_count\{.*\} 0$/.test(line)).map(series));
      const rest = [...lines], all = [];
      for (const line of old.lines) {
        if (rest[0] !== line && empty.has(series(line))) all.push(line);
        else if (rest.length > 0) all.push(rest.shift());
      }
      return { lines: [...all, ...rest] };
    },
  },
];
