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
    name: 'the log warns once about forwarded requests from an untrusted address',
    reason: 'A new event shows a proxy that --trusted-proxy does not name, because all its clients count as one.',
    kind: 'log',
    examples: [],
    toOld: ({ lines }) => ({ lines: lines.filter((line) => !line.includes('"event":"untrusted-proxy"')) }),
  },
  {
    name: 'the event `listening` names the profile',
    reason: '--profile is a new option, and the log has its value.',
    kind: 'log',
    examples: [],
    toOld: ({ lines }) => ({
      lines: lines.map((line) => (line.includes('"event":"listening"') ? line.replace(/,"profile":"trusted"(?=\}$)/, '') : line)),
    }),
  },
  {
    name: 'the peer in the log is an address',
    reason: 'In 1.0.0 any text of X-Forwarded-For could be the peer, which is a bug.',
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
    reason: 'Histograms have more bounds; their names, labels and other bounds are those of 1.0.0.',
    kind: 'metrics',
    examples: [{ method: 'GET', target: '/limits' }],
    toOld: ({ lines }) => ({ lines: lines.filter((line) => !/_seconds_bucket\{.*le="(0\.02|0\.2|100|300)"\} /.test(line)) }),
  },
  {
    name: 'arbiter_answer_duration_seconds has the times of answers by the class of their status',
    reason: 'This metric is new.',
    kind: 'metrics',
    examples: [{ method: 'GET', target: '/limits' }],
    toOld: ({ lines }) => ({ lines: lines.filter((line) => !/^(# (HELP|TYPE) )?arbiter_answer_duration_seconds/.test(line)) }),
  },
  {
    name: 'there are metrics of loops, refused connections, bytes, the queue and memory, and a reason `make-room`',
    reason: 'These metrics are new, and so is the reason: an answer with a slow reader is cut off if the account of bytes is full.',
    kind: 'metrics',
    examples: [{ method: 'GET', target: '/limits' }],
    toOld: ({ lines }) => ({
      lines: lines.filter((line) =>
        !/^(# (HELP|TYPE) )?arbiter_(loop_(busy_seconds_total|longest_round_seconds)|connections_refused_total|(received|sent)_bytes_total|queue_(clients|oldest_seconds)|memory_limit_bytes)|reason="make-room"/.test(line)),
    }),
  },
  {
    name: 'a histogram without a value has no line',
    reason: '/metrics is shorter without histograms that have counted nothing.',
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
