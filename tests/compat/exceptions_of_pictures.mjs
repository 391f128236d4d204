// Exceptions (exceptions.mjs describes the rows) for pictures, whose looks are not promised. Cells have the names that the page
// shows, and there are labels around the board, so all is drawn a little further down or right.

const REASON = 'Pictures name cells as the page does; how pictures look is not promised.';
const BOARD = '{"board":["..#.","O..O","....",".X.."]}';
const FIELD = '{"board":["..*","...","*.."],"clicks":[[2,2]]}';
const SVG = { Accept: 'image/svg+xml' };

/** The number of a column, from 0, by its letters. */
const columnOf = (letters) => [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 96, 0) - 1;

/** A description with cells in the notation of 1.0.0. */
const withOldCells = (description) => description
  .replace(' A cell has the letter of its column and the number of its row, from the top left.', '')
  .replace(/\b([a-z]{1,2})(\d+)\b/g, (_, letters, row) => `[${row - 1}, ${columnOf(letters)}]`)
  .replace(/\brow (\d+), column (\d+)\b/g, (_, row, col) => `[${row - 1},${col - 1}]`);

/** Pictures without labels and positions: the rest, in the words of 1.0.0. */
const withoutPlaces = (pictures) => pictures
  .replace(/<desc>[^<]*/g, withOldCells)
  .replace(/^\.arbiter-(pawn-labels|mine-labels|mine-rows)\{.*\n/gm, '')
  .replace(/<g class="arbiter-pawn-labels"[^]*?<\/g>\n/g, '')
  .replace(/<g class="arbiter-mine-labels"[^]*?<\/g>\n<\/g>\n/g, '')
  .replace(/ (?!class=)[\w-]+="[^"]*"/g, (attribute) => attribute.replace(/-?\d+/g, '#'));

const isPicture = ({ fields }) => fields?.some(([name, value]) => name === 'Content-Type' && value === 'image/svg+xml');

/** The pictures of both games; Go has had its labels since 1.0.0. */
const isLabelled = ({ target = '' }) => /^(https?:\/\/[^/]*)?\/(pawn|mine)(\?|$)/i.test(target);

/** The headers of the answer to a HEAD, with the length of 1.0.0. */
const withOldLength = (fields, old) => fields.map(([name, value]) =>
  [name, name === 'Content-Length' ? new Map(old).get(name) : value]);

const BYTES_OUT = /"bytes_out":\d+/;
const OF_A_PICTURE = /"method":"(GET|POST|HEAD)","route":"\/(pawn|mine)","status":200,"bytes_in":\d+,"bytes_out":(\d+)/;
/** Every picture is at least this long, compressed. */
const LEAST_BYTES = 900;

/** @type {{ name: string, reason: string, kind: string, examples: object[], toOld: Function }[]} */
export const exceptionsOfPictures = [
  {
    name: 'a picture has labels, and names cells by them',
    reason: REASON,
    kind: 'answer',
    examples: [
      { target: '/pawn', headers: SVG, body: BOARD },
      { target: '/mine', headers: { ...SVG, 'Accept-Encoding': 'gzip' }, body: FIELD },
      { method: 'HEAD', target: `/pawn?format=svg&case=${encodeURIComponent(BOARD)}` },
    ],
    toOld: (now, { request, old }) => {
      if (!isLabelled(request) || !isPicture(now) || !isPicture(old)) return undefined;
      if (request.method === 'HEAD') return { ...now, fields: withOldLength(now.fields, old.fields) };
      return withoutPlaces(now.body) === withoutPlaces(old.body) ? { ...now, body: old.body } : undefined;
    },
  },
  {
    name: 'a picture has labels, without a server, too',
    reason: REASON,
    kind: 'command',
    examples: [
      { args: ['solve', 'pawn', '--to', 'svg'], input: BOARD },
      { args: ['solve', 'mine', '--to', 'svg'], input: FIELD },
    ],
    toOld: (now, { old }) =>
      now.stdout.startsWith('<svg ') && withoutPlaces(now.stdout) === withoutPlaces(old.stdout) ? { ...now, stdout: old.stdout } : undefined,
  },
  {
    name: 'the log counts the bytes of pictures with labels',
    reason: REASON,
    kind: 'log',
    examples: [],
    toOld: ({ lines }, { old }) => ({
      lines: lines.map((line, at) => {
        const sizes = [line, old.lines[at] ?? ''].map((one) => Number(OF_A_PICTURE.exec(one)?.[3] ?? 0));
        return Math.min(...sizes) >= LEAST_BYTES ? line.replace(BYTES_OUT, BYTES_OUT.exec(old.lines[at])[0]) : line;
      }),
    }),
  },
];
