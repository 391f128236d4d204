// The three games as tools for AI agents, over MCP (Model Context Protocol) on standard input and output. It needs no service.
//
//     node mcp.mjs
//
// It needs the packages arbiter-client and @modelcontextprotocol/sdk; README.md says how to install them.
//
// A result is one JSON object, as in the API. Errors in a question are returned as text, one per line, so that the agent can correct
// them.

import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Arbiter, Problem } from 'arbiter-client/local';

const arbiter = new Arbiter({ limits: { max_search_states: 200_000, max_answer_bytes: 64 << 10 } });

// Agents handle simple schemas best: no alternatives, no tuples. Arbiter itself checks the details.
const list = (items, description) => ({ type: 'array', items, description });
const text = (description, values) => ({ type: 'string', description, ...(values && { enum: values }) });
const cell = list({ type: 'integer', minimum: 0 }, '[row, column], counted from 0 at the top left');
const rows = (description) => list({ type: 'string' }, `The rows from the top, all of the same length. ${description}`);
const include = (description, ...parts) => list({ type: 'string', enum: parts }, `More parts of the result. ${description}`);

const TOOLS = [{
  name: 'solve_pawn',
  title: 'Solve the crossing pawn',
  description: `Says who wins a position of the crossing pawn if both play perfectly (Red, Black or Tie), and in how many moves. Red moves one of \
its two pieces (O) one square up, down, left or right to capture the pawn (X), which moves one square up, left or right and wins in the first \
row; a player who captures the other wins, one who can't move loses, and nobody enters an obstacle (#). Squares are [row, column], counted \
from 0 at the top left. Example: {"board":["..#.","O..O","....",".X.."],"include":["moves"]} is won by Red in 7 moves, of which the first is \
[1,0] to [1,1].`,
  game: 'pawn',
  required: ['board'],
  properties: {
    board: rows('. is an empty square, # an obstacle, O a red piece (two of them), X the black pawn.'),
    turn: text('Who moves next; by default Red.', ['Red', 'Black']),
    include: include('moves: each legal move with its value, best first; line: a best line of play.', 'moves', 'line'),
  },
}, {
  name: 'check_go',
  title: 'Check a game of Go',
  description: `Replays a game of Go by the rules that you choose, and returns each illegal move with its reason (occupied, suicide or \
repetition), the final board and the captures; it doesn't suggest moves. By default, a move must not repeat an earlier position (positional \
superko) or be suicide. A point is a letter for the column from the left, without I, and the row counted from 1 at the bottom, so D4 is the \
fourth from the left and the bottom. Example: {"size":9,"moves":["B E5","W D5","pass"],"include":["score"]}, or {"sgf":"(;SZ[9];B[ee];W[de])"}.`,
  game: 'go',
  properties: {
    moves: list({ type: 'string' }, 'The moves in order, like "B D4", "W pass", or "D4" if the colours alternate. Without sgf only.'),
    size: { type: 'integer', minimum: 1, maximum: 25, description: 'Points along one side; by default 19. Without sgf only.' },
    setup: rows('The board before the first move: . is empty, B black, W white. Without sgf only.'),
    sgf: text('A record in SGF, instead of moves.'),
    game: { type: 'integer', minimum: 1, description: 'Which game of the record, counted from 1.' },
    rules: {
      type: 'object',
      description: 'The rules that differ from those of the preset, the record, or the defaults.',
      properties: {
        preset: text('The rules by name: japanese, korean, chinese, aga, new zealand, tromp taylor, ing.'),
        ko: text('Which repetitions are illegal.', ['positional', 'situational', 'simple', 'none']),
        suicide: { type: 'boolean', description: 'Is suicide legal?' },
        scoring: text('How points are counted.', ['area', 'territory']),
      },
      additionalProperties: false,
    },
    komi: { type: 'number', description: 'What White gets in addition, a multiple of 0.5.' },
    dead: list({ type: 'string' }, 'Dead stones on the final board, like "D4"; one of each chain is enough.'),
    next: text('Who moves next, for legal.', ['B', 'W']),
    include: include('score: the result; legal: the legal points; chains: with their liberties; territory: who owns each point; alive: what is '
      + 'unconditionally alive; captured: stones taken by each move.', 'score', 'legal', 'chains', 'territory', 'alive', 'captured'),
  },
}, {
  name: 'solve_mine',
  title: 'Solve Minesweeper for two',
  description: `Says who wins a field of Minesweeper for two if both play perfectly: Xiemao, who clicks first, or Fanglaoshi; Unknown if the \
search would be too long. Both see the mines, take turns clicking hidden cells without a mine, and a player who has none left loses; a cell \
next to mines is a number, and clicking a cell next to none reveals all connected ones and the numbers around them. Cells are [row, column], \
counted from 0 at the top left. Example: {"board":["...*","*...","...."],"include":["wins"]} is won by Xiemao, for instance by clicking [0,0].`,
  game: 'mine',
  required: ['board'],
  properties: {
    board: rows('* is a mine, . any other cell.'),
    clicks: list(cell, 'The clicks so far; the players take turns, Xiemao first.'),
    include: include('wins: the winning clicks; clusters: the parts that make up the nimber; face: what the players see.',
      'wins', 'clusters', 'face'),
  },
}];

/** The errors in a question that the tool's schema reveals; Arbiter finds the others. */
function* faults({ properties }, question) {
  const names = Object.keys(properties), parts = properties.include.items.enum;
  for (const name of Object.keys(question)) if (!names.includes(name)) yield `/${name}: unknown; use ${names.join(', ')}`;
  for (const part of [question.include ?? []].flat()) {
    if (!parts.includes(part)) yield `/include: ${JSON.stringify(part)} isn't one of ${parts.join(', ')}`;
  }
  if (typeof question.game === 'string') yield '/game: must be a number';
}

const failure = (lines) => ({ isError: true, content: [{ type: 'text', text: lines.join('\n') }] });

const server = new Server({ name: 'arbiter', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: TOOLS.map(({ name, title, description, required, properties }) => ({
    name, title, description, annotations: { readOnlyHint: true, openWorldHint: false },
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
  })),
}));
server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: question = {} } }, { signal }) => {
  const tool = TOOLS.find((each) => each.name === name);
  if (!tool) return failure([`there is no tool ${name}; use ${TOOLS.map((each) => each.name).join(', ')}`]);
  const wrong = [...faults(tool, question)];
  if (wrong.length > 0) return failure(wrong);
  try {
    const result = await arbiter.ask(tool.game, question, { signal });
    return { structuredContent: result, content: [{ type: 'text', text: JSON.stringify(result) }] };
  } catch (error) {
    const { errors = [], message } = error;
    return failure(error instanceof Problem && errors.length > 0 ? errors.map(({ pointer, detail }) => `${pointer || '/'}: ${detail}`) : [message]);
  }
});
await server.connect(new StdioServerTransport());
