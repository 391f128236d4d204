// Exceptions (exceptions.mjs describes the rows) for commands: `solve`, `help`, and messages about arguments.

/** Is the first line of a text a case, and is there another line? */
function leadsLines(text) {
  const [, first, rest] = /^\ufeff?\s*([^\n]*)\n([^]*)$/.exec(text) ?? [];
  try {
    return first.startsWith('{') && !Object.hasOwn(JSON.parse(first), 'cases') && rest.trim() !== '';
  } catch {
    return false;
  }
}

export const exceptionsOfCommands = [
  {
    name: 'help, -V, --completion-bash, --completion-zsh, --with-file and --progress are understood',
    reason: 'These commands and options are new; 1.0.0 refused them.',
    kind: 'command',
    examples: [
      { args: ['help'] }, { args: ['help', 'solve'] }, { args: ['-V'] }, { args: ['--completion-bash'] }, { args: ['--completion-zsh'] },
      { args: ['solve', 'pawn', '--with-file'], input: '{"board":["OO","X."]}' },
      { args: ['solve', 'pawn', '--progress', 'never'], input: '{"board":["OO","X."]}' },
    ],
    toOld: (now, { request: { args }, old }) =>
      (/^(help|-V|--completion-(bash|zsh))$/.test(args[0]) || args.includes('--with-file') || args.includes('--progress')) && now.status === '0' &&
        now.stdout !== '' && now.stderr === '' ? old : undefined,
  },
  {
    name: 'the help and the manual page list the new commands and their options, and the page has examples',
    reason: 'help, -V, --with-file, --progress and completion are new, and so are lines of cases without --from; -h is listed now; SIGHUP is like SIGTERM.',
    kind: 'command',
    examples: [],
    toOld: ({ stdout, ...now }) => ({
      ...now,
      stdout: stdout
        .replace(/^ {2}(help|--completion-(bash|zsh)|--with-file|--progress) .*\n/gm, '')
        .replace(/^ {2}(--help|--version), -[hV]/gm, '  $1    ')
        .replace('as soon as they come;\nwhere nothing says what a file holds, and its first line is a case, it is lines.\n', 'as soon as they come.\n')
        .replace(/^\.TP\n\.B (help|\\-\\-completion\\-(bash|zsh)|\\-\\-with\\-file|\\-\\-progress)\n.*\n/gm, '')
        .replace(/^(\.B \\-\\-(help|version)), \\-[hV]$/gm, '$1')
        .replace(/^\.SH EXAMPLES\n[^]*?(?=^\.SH )/m, '')
        .replace('after a blank or an equals sign; defaults stand in brackets, those of \\-\\-profile public after a semicolon. One that is false by default needs no value.',
          'behind a blank or an equals sign; defaults stand in brackets.')
        .replace('SIGTERM, SIGINT and SIGHUP: /readyz', 'SIGTERM and SIGINT: /readyz')
        .replaceAll('\\(aq', '\''),
    }),
  },
  {
    name: 'an unknown command is called a command',
    reason: 'In 1.0.0 the message called it an option, which is a bug.',
    kind: 'command',
    examples: [{ args: ['slove'] }],
    toOld: ({ stderr, ...now }) => ({
      ...now, stderr: stderr.replace(/^arbiter: there is no command ("[^]*"); --help lists all$/m, 'arbiter: $1 is no option; --help lists all'),
    }),
  },
  {
    name: 'if the first line is a case, each line is a case, and is answered when it ends',
    reason: '`generator | arbiter solve pawn` works without --from, if no name gives the format either.',
    kind: 'command',
    examples: [
      { args: ['solve', 'pawn'], input: '{"board":["OO","X."]}\n{"id":1,"board":["OO","X."]}\n' },
      { args: ['solve', 'go', '--to', 'json'], input: '{"id":1}\n\n{"moves":[]}' },
      { args: ['solve', 'mine', '--to', 'ndjson'], input: '{"board":["x"]}\r\n{"board":["."]}\n{,\n' },
    ],
    toOld: (now, { request: { args, input, files = [] }, old }) => {
      if (args[0] !== 'solve' || args.includes('--from') || /^(text|svg)$/.test(args[args.indexOf('--to') + 1])) return undefined;
      const lined = [...files, ...(files.length === 0 ? [['-', input]] : [])]
        .filter(([path, bytes]) => !/\.(json|ndjson|jsonl|txt|sgf)$/.test(path) && leadsLines(Buffer.from(bytes).toString()))
        .map(([path]) => path);
      // 1.0.0 has no answer for these files; all other lines stay, in their order.
      const isOther = (line) => line === '' || !lined.includes(JSON.parse(line).file);
      const said = ({ stderr }) => stderr.split('\n').filter(isOther);
      if (lined.length === 0 || `${said(now)}` !== `${said(old)}`) return undefined;
      const rest = old.stdout.split('\n');
      const added = now.stdout.split('\n').filter((line) => (line === rest[0] ? rest.shift() === undefined : true));
      const areAnswers = added.every((line) => /^\{"(?!results")[^]*\}$/.test(line) && JSON.parse(line));
      return rest.length === 0 && areAnswers ? old : undefined;
    },
  },
  {
    name: 'characters that could control a terminal are escaped on standard error',
    reason: 'A file or an argument cannot control the terminal of a user, as it could in 1.0.0.',
    kind: 'command',
    examples: [
      { args: ['solve', '\x1b[31m\u009b\u202e'] },
      { args: ['solve', 'pawn', 'none\n\t\x7f\x1b'] },
      { args: ['solve', 'pawn'], input: '{"board":["OO","\u009b\u202e"]}' },
    ],
    toOld: (now) => {
      // In JSON 1.0.0 already escaped U+0000 to U+001F and U+007F; a backslash there is doubled.
      const unescape = (line) => line.replace(/\\\\|\\u([0-9a-f]{4})/g, (escape, digits) => {
        const code = Number.parseInt(digits, 16);
        const stays = digits === undefined || (line.startsWith('{') && (code < 0x20 || code === 0x7f));
        return stays ? escape : Buffer.from(String.fromCharCode(code)).toString('latin1');
      });
      return { ...now, stderr: now.stderr.split('\n').map(unescape).join('\n') };
    },
  },
  {
    name: '--trusted-proxy takes a list',
    reason: '--trusted-proxy takes addresses and networks; 1.0.0 took one address.',
    kind: 'command',
    examples: [{ args: ['--trusted-proxy', '10.0.0.0/33'] }],
    toOld: ({ stdout, stderr, ...now }) => ({
      ...now,
      stdout: stdout.replace(/addresses and networks, with commas, whose (X\\?-Forwarded\\?-For) is believed/,
        'address whose $1 the log believes'),
      stderr: stderr.replace(/^(arbiter: \S+) has "(.*)"; it must be addresses and networks, separated by commas \(.*\)$/m,
        '$1 is "$2"; it must be an address (192.0.2.1, 2001:db8::1)'),
    }),
  },
  {
    name: 'help and the manual page list new options of the service',
    reason: '--check, --refuse-cross-site, --io-threads, --max-connections-per-client and --profile are new.',
    kind: 'command',
    examples: [],
    toOld: ({ stdout, ...now }) => ({
      ...now,
      stdout: stdout
        .replace(/^ {2}--(refuse-cross-site|check|io-threads|max-connections-per-client|profile) .*\n/gm, '')
        .replace(/^\.TP\n\.B (\\-\\-(refuse\\-cross\\-site|check|io\\-threads|max\\-connections\\-per\\-client|profile)|ARBITER_(REFUSE_CROSS_SITE|CHECK|IO_THREADS|MAX_CONNECTIONS_PER_CLIENT|PROFILE))\n.*\n/gm, '')
        .replace(/; public \d+\]$/gm, ']'),
    }),
  },
  {
    name: '--check prints the values in force',
    reason: 'This option is new: it prints the values in force and the most memory that they allow, and exits.',
    kind: 'command',
    examples: [{ args: ['--check'] }],
    toOld: ({ status, stdout, stderr }, { request: { args }, old }) => {
      const good = status === '0' && stderr === '' && /^listen 127\.0\.0\.1\n[^]*\nmemory_bytes \d+\n(systemd|compose|kubernetes)[^]*\n$/.test(stdout);
      return args.includes('--check') && good ? old : undefined;
    },
  },
  {
    name: '--refuse-cross-site is an option',
    reason: 'This option is new; 1.0.0 refused it.',
    kind: 'command',
    examples: [{ args: ['--refuse-cross-site', '--port', 'x'] }],
    toOld: ({ status, stderr }, { request: { args }, old }) => {
      const good = status === '2' && stderr.startsWith('arbiter: --port is "x"; ');
      return args.includes('--refuse-cross-site') && good ? old : undefined;
    },
  },
  {
    name: 'a variable that Kubernetes sets is ignored',
    reason: 'Kubernetes sets variables such as ARBITER_PORT=tcp://…; in 1.0.0 they kept the program from starting.',
    kind: 'command',
    examples: [{ args: ['solve', 'pawn'], env: { ARBITER_MAX_CASES: 'tcp://10.0.0.1:80' }, input: '{"board":["O.O","X.."]}' }],
    toOld: ({ status, stdout, stderr }, { request: { env }, old }) => {
      const good = status === '0' && stderr === '' && stdout.startsWith('{"verdict":');
      return Object.values(env).some((value) => value.startsWith('tcp://')) && good ? old : undefined;
    },
  },
];
