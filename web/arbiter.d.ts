// All types of arbiter.js. Questions and answers are named as in openapi.yaml, except ProblemDocument: Problem is the error that the client
// throws.

// --- common to all games ---

/** `[row, col]`, both from 0 at the top left: `board[row][col]`. */
export type Cell = [row: number, col: number];

/** Your own name for a question, repeated in its answer: a string of up to 128 bytes, or an integer. */
export type Id = string | number;

/** A board: an array with a string for each row, from the top, or one string with a line for each row. */
export type Board = string[] | string;

// --- the crossing pawn ---

export type PawnInclude = ('moves' | 'line' | 'boards' | 'case')[];

/**
 * A position of the crossing pawn. In `board`, `.` is empty, `#` an obstacle, `O` or `o` a red piece, and `X` or `x` the black pawn. A piece
 * that was captured can be missing.
 */
export interface PawnCase {
  id?: Id;
  board: Board;
  /** The player who moves first: `Red` or `Black`, in upper or lower case, or the first letter. Default: Red. */
  turn?: 'Red' | 'Black' | (string & {});
  /** Parts of the answer to be added. */
  include?: PawnInclude;
}

export interface PawnMove {
  from: Cell;
  to: Cell;
}

/** A move, the winner after it, and the number of moves by both sides until the end, including this one. */
export interface PawnRankedMove extends PawnMove {
  verdict: 'Red' | 'Black' | 'Tie';
  steps: number | null;
}

/** The value of a position under perfect play. */
export interface PawnResult {
  id?: Id;
  /** Only when included: the question, as it was sent. */
  case?: PawnCase;
  /** The winner; `Tie` if neither side can force a win. */
  verdict: 'Red' | 'Black' | 'Tie';
  /** Number of moves by both sides until the end; null for a tie. */
  steps: number | null;
  /** Only when included: every legal move, best first. */
  moves?: PawnRankedMove[];
  /** Only when included: one best line of play. */
  line?: PawnMove[];
  /** Only with `line`: how it ends; null for a tie. */
  reason?: 'first-row' | 'capture' | 'no-move' | null;
  /** Only when included: the boards along the line, starting with the given one. */
  boards?: string[][];
}

// --- Go ---

/** `B`, `W`, `Black` or `White`, in upper or lower case. */
export type GoMoveColor = 'B' | 'W' | (string & {});

/**
 * A stone by row and column from 0 at the top left, or by name (`['W', 'Q4']`, `'W Q4'`), or a pass (`['B', 'pass']`). Without a colour
 * (`[15, 3]`, `'Q4'`, `'pass'`), a move has the opposite colour of the move before it in the list; the first one is Black's.
 */
export type GoMove =
  | [color: GoMoveColor, row: number, col: number]
  | [color: GoMoveColor, point: string]
  | [row: number, col: number]
  | string
  | GoMoveObject;

/** A move with `at`, `name` or `pass`. A miss can be sent back as a move; its other members are ignored. */
export interface GoMoveObject {
  color?: GoMoveColor;
  at?: Cell;
  name?: string;
  pass?: boolean;
  move?: unknown;
  code?: unknown;
  reason?: unknown;
  repeats?: unknown;
  line?: unknown;
  column?: unknown;
}

export type GoKo = 'positional' | 'situational' | 'simple' | 'none';
/** Rules by name. Upper and lower case, spaces, `-` and `_` don't matter. */
export type GoPreset =
  | 'japanese' | 'korean' | 'chinese' | 'aga' | 'new zealand' | 'nz' | 'tromp taylor' | 'ing' | 'goe' | (string & {});
export type GoScoring = 'area' | 'territory';
export type GoRepetition = 'forbid' | 'report';
export type GoInclude = ('captured' | 'boards' | 'score' | 'legal' | 'chains' | 'territory' | 'alive' | 'variations' | 'case')[];
/** The parts that can be included for an SGF body or a collection. */
export type GoRecordInclude = ('captured' | 'boards' | 'score' | 'legal' | 'chains' | 'territory' | 'alive' | 'variations')[];

/**
 * The rules. Default: those of the preset; else, for repetition and suicide, the rules in a record's `RU`, or `positional` without suicide,
 * and area scoring.
 */
export interface GoRules {
  preset?: GoPreset;
  ko?: GoKo;
  suicide?: boolean;
  scoring?: GoScoring;
  /** Whether a move that the ko rule forbids is a miss, or is played and listed in `repetitions`. */
  repetition?: GoRepetition;
  /** Ignored, so that the rules of an answer can be sent back. */
  source?: unknown;
}

/** What can be said about the end of a game. */
export interface GoEnd {
  /** The player to move, for `legal`. */
  next?: GoMoveColor;
  /** A multiple of 0.5. Default: the record's `KM`, else 0. */
  komi?: number;
  /** Points of stones whose chains are dead. */
  dead?: GoMove[];
  /** Points whose empty regions count for nobody. */
  seki?: GoMove[];
}

/** A game of Go as a list of moves. */
export interface GoGame extends GoEnd {
  id?: Id;
  /** Number of points along a side, 1 to 25. Default: the number of rows of `setup`, else 19. */
  size?: number;
  /** The board before the first move, in rows of `.`, `B` and `W`. */
  setup?: Board;
  moves: GoMove[];
  rules?: GoPreset | GoRules;
  /** Parts of the answer to be added. */
  include?: GoInclude;
}

/** A game of Go as an SGF record. */
export interface GoRecord extends GoEnd {
  id?: Id;
  sgf: string;
  /** The number of the game in a collection, from 1. */
  game?: number;
  rules?: GoPreset | GoRules;
  /** Parts of the answer to be added. */
  include?: GoInclude;
}

/** All games of an SGF record; the answer is an array. */
export interface GoCollection extends Omit<GoRecord, 'game' | 'include' | 'dead' | 'seki'> {
  game: 'all';
  /** Parts of each answer to be added. */
  include?: GoRecordInclude;
}

export type GoCase = GoGame | GoRecord;

/** An illegal move, which wasn't played. */
export interface GoMiss {
  /** Its number in the list, from 1. */
  move: number;
  color: 'B' | 'W';
  at: Cell;
  /** The name of the point: `C4`. */
  name: string;
  code: 1 | 2 | 3;
  /** The same as a word. */
  reason: 'occupied' | 'suicide' | 'repetition';
  /** Only for a repetition: the number of the move after which this position occurred before; 0 for the start. */
  repeats?: number;
  /** Only in a variation: where the record has its point: the line, and the column in bytes, from 1. */
  line?: number;
  column?: number;
}

/** The score of a board. Komi is part of `winner`, `margin` and `result` only. */
export interface GoScore {
  B: number;
  W: number;
  neutral: number;
  scoring: GoScoring;
  komi: number;
  /** The number of dead stones of each colour. */
  dead: { B: number; W: number };
  /** null for a draw. */
  winner: 'B' | 'W' | null;
  margin: number;
  /** `B+2.5` or `Draw`. */
  result: string;
}

/** The result of a game. */
export interface GoResult {
  id?: Id;
  /** Only when included: the question, as it was sent. */
  case?: GoCase;
  /** The illegal moves, in order. */
  misses: GoMiss[];
  /** Only if `rules.repetition` is `report`: the moves that repeated a position, and were played. */
  repetitions?: GoMiss[];
  /** The final board. */
  board: string[];
  /** Number of moves that weren't misses. Passes count. */
  played: number;
  /** `B` is the number of white stones that have left the board. */
  prisoners: { B: number; W: number };
  /** For a record, a preset, `score`, `territory`, `legal` or reported repetitions: the rules that were applied, and their source. */
  rules?: { ko: GoKo; suicide: boolean; scoring: GoScoring; source: 'request' | 'record' | 'default'; repetition?: 'report' };
  /** Only for a record: the number of this game, the number of games, and the number of nodes that have variations. */
  record?: { game: number; games: number; variations: number };
  /** Only when included: the stones that each move captured. */
  captured?: { move: number; stones: Cell[] }[];
  /** Only when included: the initial board, and the board after each move. */
  boards?: string[][];
  /** Only when included: the score of the final board, and the result. */
  score?: GoScore;
  /** Only when included: the points where `color` may play: `.`; `2` would be suicide, `3` a repetition. */
  legal?: { color: 'B' | 'W'; count: number; board: string[] };
  /** Only when included: the chains on the final board, by their first stones. */
  chains?: { color: 'B' | 'W'; stones: Cell[]; liberties: Cell[] }[];
  /** Only when included: living stones (`B`, `W`), points of each colour (`b`, `w`), and other points (`.`). */
  territory?: string[];
  /** Only when included: the stones that are unconditionally alive (`B`, `W`), and the regions vital to them (`b`, `w`). */
  alive?: string[];
  /** Only when included: the nodes with more than one child, the lines, and the moves and misses that aren't in the main line. */
  variations?: { branches: number; lines: number; moves: number; misses: GoMiss[]; repetitions?: GoMiss[] };
}

// --- Minesweeper for two ---

export type MineInclude = ('wins' | 'clusters' | 'board' | 'face' | 'case')[];

/** A field as a drawing: `*` is a mine, `.` a cell without one. Instead of `.`, it can have the number that the cell shows. */
export interface MineDrawing {
  id?: Id;
  board: Board;
  /** The clicks made so far, Xiemao's first. */
  clicks?: Cell[];
  /** The most positions to search. With 20,000, the answer takes about a second. */
  states?: number;
  /** Parts of the answer to be added. */
  include?: MineInclude;
}

/** A field as a list of its mines. */
export interface MineList {
  id?: Id;
  rows: number;
  cols: number;
  mines: Cell[];
  /** The clicks made so far, Xiemao's first. */
  clicks?: Cell[];
  /** The most positions to search. */
  states?: number;
  /** Parts of the answer to be added. */
  include?: MineInclude;
}

export type MineCase = MineDrawing | MineList;

/** A set of openings that are connected by shared numbers; it can be a single one. */
export interface MineCluster {
  /** The first blank of its first opening. */
  at: Cell;
  openings: number;
  /** The numbers that are left after equal ones have cancelled in pairs. */
  numbers: number;
  /** null if it isn't known. */
  nimber: number | null;
}

/** The value of a field under perfect play; after `clicks`, the value of the part that is still covered. */
export interface MineResult {
  id?: Id;
  /** Only when included: the question, as it was sent. */
  case?: MineCase;
  /** The winner; `Unknown` if the search limit was reached. */
  verdict: 'Xiemao' | 'Fanglaoshi' | 'Unknown';
  /** 0 exactly when the player to move loses; null if it isn't known. */
  nimber: number | null;
  openings: number;
  /** The fewest clicks that clear the field. */
  three_bv: number;
  /** How many numbers are next to two openings. */
  shared_numbers: number;
  /** Only with `Unknown`: the part that wasn't solved. */
  unsolved?: { at: Cell; openings: number; numbers: number };
  /** The player who clicks next. */
  turn: 'Xiemao' | 'Fanglaoshi';
  /** Only when included: the winning clicks, at most 1000; null if they aren't known. */
  wins?: Cell[] | null;
  /** Only with `wins`: the number of winning clicks. */
  wins_total?: number | null;
  /** Only when included: the first 1000 clusters. The nimber is the xor of theirs and of `lone_numbers` mod 2. */
  clusters?: MineCluster[];
  /** Only with `clusters`: the number of clusters. */
  clusters_total?: number;
  /** Only with `clusters`: how many numbers are next to no opening. */
  lone_numbers?: number;
  /** Only when included: the contents of all cells. */
  board?: string[];
  /** Only when included: what the players see. `#` is a covered cell. */
  face?: string[];
}

// --- by the name of the game ---

export interface Questions {
  pawn: PawnCase;
  go: GoCase;
  mine: MineCase;
}
export interface Results {
  pawn: PawnResult;
  go: GoResult;
  mine: MineResult;
}
export type Game = keyof Questions;

/** The parts that can be included, and the members that each adds to a result. */
interface Parts {
  pawn: { moves: 'moves'; line: 'line' | 'reason'; boards: 'boards'; case: 'case' };
  go: {
    captured: 'captured'; boards: 'boards'; score: 'score'; legal: 'legal'; chains: 'chains'; territory: 'territory'; alive: 'alive';
    variations: 'variations'; case: 'case';
  };
  mine: { wins: 'wins' | 'wins_total'; clusters: 'clusters' | 'clusters_total' | 'lone_numbers'; board: 'board'; face: 'face'; case: 'case' };
}

/** A list of parts. Allowing the empty list makes the compiler infer the words in a literal list. */
type Include<G extends Game> = (keyof Parts[G])[] | [];

/** A question whose included parts the compiler infers. */
type Asking<Q, I> = Q & { include?: I };

/** T, or never if T is one of several words. */
type Certain<T, All = T> = T extends unknown ? ([All] extends [T] ? T : never) : never;

/** The words that are certainly in a list; none if the list isn't a literal. */
type Words<I> = I extends unknown[] ? (number extends I['length'] ? never : { [At in keyof I]: Certain<I[At]> }[number]) : never;

/** The members that the result of a question certainly has. */
type Members<G extends Game, C> =
  | (C extends { include: infer I } ? Parts[G][Words<I> & keyof Parts[G]] : never)
  | (C extends { sgf: string } ? 'rules' | 'record' : never);

/** The result for a question of type C, in which the included members aren't optional. */
export type Result<G extends Game, C = Questions[G]> =
  C extends unknown ? Results[G] & Required<Pick<Results[G], Members<G, C> & keyof Results[G]>> : never;

/** The result for a record with its parts given as options. */
type RecordResult<I> = Result<'go', { sgf: string; include: I }>;

// --- errors ---

/** A fault and its place. */
export interface Fault {
  /** In a batch: the `id` of the case. */
  id?: Id;
  /** A JSON Pointer into the question: `/board/3`. */
  pointer?: string;
  /** Line in a text, from 1. */
  line?: number;
  /** Byte in the line, from 1. */
  column?: number;
  /** Name of the query parameter. */
  parameter?: string;
  code:
    | 'syntax' | 'type' | 'missing' | 'unknown-member' | 'duplicate-member' | 'range' | 'value' | 'length' | 'count'
    | 'conflict' | 'liberty';
  /** The fault in words. */
  detail: string;
  /** The cell of the board, if the fault is about a single one. */
  at?: Cell;
}

export type ProblemType =
  | '/problems/malformed' | '/problems/cross-site' | '/problems/not-found' | '/problems/method-not-allowed'
  | '/problems/not-acceptable' | '/problems/body-timeout' | '/problems/too-large' | '/problems/uri-too-long'
  | '/problems/unsupported-media-type' | '/problems/invalid-case' | '/problems/answer-too-large' | '/problems/internal' | '/problems/overloaded';

/** Why a question was refused, in the format of RFC 9457. */
export interface ProblemDocument {
  /** The kind of problem: the path of a page that explains it. */
  type: ProblemType | (string & {});
  /** The kind in words. */
  title: string;
  status: number;
  /** What is wrong, in words. */
  detail: string;
  /** The first 20 faults, each with its place. */
  errors?: Fault[];
  /** Only with 406: the available media types. */
  available?: string[];
}

/** The line for a refused question in a stream. */
export interface Refused {
  id?: Id;
  problem: ProblemDocument;
}

export interface ArbiterErrorOptions {
  cause?: unknown;
  status?: number | null;
  requestId?: string | null;
  retryAfter?: number | null;
}

/** The base class of all errors from the service and the connection to it. */
export class ArbiterError extends Error {
  constructor(message?: string, options?: ArbiterErrorOptions);
  /** The status of the answer; null if there was none. */
  status: number | null;
  /** The ID of the request in the service's log; null if there was no answer, or for a line of a stream. */
  requestId: string | null;
  /** Seconds to wait before a retry; null if the answer doesn't say. */
  retryAfter: number | null;
}

/** The service, or a gateway in front of it, refused the request. `message` is `detail`, or the title if there is none. */
export class Problem extends ArbiterError {
  /** `headers`: the headers of the answer that contained the document. */
  constructor(document: ProblemDocument, headers?: Headers);
  /** Gateways and later versions can send other types. For those, show `title` and `detail`. */
  type: ProblemType | (string & {});
  title: string;
  status: number;
  detail: string;
  /** The faults, each with its place; empty if the document has none. */
  errors: Fault[];
}

/** There was no answer, or the answer wasn't from the service. `cause` has details. */
export class Unreachable extends ArbiterError {}

/** A stream broke off, after all complete lines were returned. `lines` is their number; `cause` has details. */
export class Incomplete extends ArbiterError {
  constructor(lines: number, cause?: unknown, options?: ArbiterErrorOptions);
  lines: number;
}

/**
 * Returns the milliseconds to wait before a retry of a failed request, or null if a retry won't help. `tries` is the number of earlier
 * tries. Use this if you write your own retry loop; the option `retries` has the same delays.
 */
export function retryDelay(error: Pick<ArbiterError, 'status' | 'retryAfter'>, tries: number): number | null;

// --- the client ---

export interface Limits {
  max_body_bytes: number;
  max_json_values: number;
  max_cases: number;
  max_moves: number;
  max_moves_total: number;
  max_pawn_cells: number;
  max_pawn_cells_total: number;
  max_mine_cells: number;
  max_mine_cells_total: number;
  max_search_states: number;
  max_answer_bytes: number;
  max_link_answer_bytes: number;
  max_stream_bytes: number;
  max_inflight_bytes: number;
  /** Without a service, there is none. */
  queue: number;
}

export interface Version {
  name: 'arbiter';
  version: string;
  commit: string;
  /** The profile, which sets the default limits: `trusted` or `public`. */
  profile: string;
}

export interface ArbiterOptions {
  /**
   * Headers for each request, such as a token for a gateway: `{ authorization: 'Bearer …' }`. They don't replace `accept` and
   * `content-type`. A page on another origin can send only the headers that the service allows.
   */
  headers?: Headers | Record<string, string> | [string, string][];
  /** A function to call instead of the global `fetch`, with a URL and its options. */
  fetch?: (url: URL, request: RequestInit) => Promise<Response>;
  /**
   * The milliseconds that each try can take until the head of the answer arrives, including the time for sending the request body: a
   * positive number. Default: no limit.
   */
  timeout?: number;
  /**
   * The most retries of a request: a non-negative integer or Infinity. Default: 0. The client retries after a status of 429, 502, 503 or
   * 504. It also retries, at most twice, if there is no answer, or none within `timeout`. It waits as long as `Retry-After` says, without
   * a limit (abort a `signal` to end the wait). Without `Retry-After`, it waits up to half a second the first time, and up to twice as long
   * each further time, at most 30 s. A ReadableStream is sent again only in browsers, where the client reads it first.
   */
  retries?: number;
}

/** Options for all methods. */
export interface Options {
  /** Abort it to end the request. The method then throws its reason, by default an AbortError. */
  signal?: AbortSignal;
}

/** Options for a body that is an SGF record. */
export interface RecordOptions {
  game?: number | 'all';
  ko?: GoKo;
  suicide?: boolean;
  scoring?: GoScoring;
  repetition?: GoRepetition;
  next?: 'B' | 'W';
  komi?: number;
  /** Names of points. */
  dead?: string[];
  seki?: string[];
  include?: GoRecordInclude;
}

/** Callbacks for the progress of a stream, which can take several requests. */
export interface Progress {
  /** Called once, when the service has read the whole body or the last question and begins to answer. */
  onSent?: () => void;
  /**
   * Called for each chunk of the answer, with the number of bytes received so far, including this chunk. A line is returned only after the
   * call with its bytes.
   */
  onBytes?: (received: number, bytes: Uint8Array<ArrayBuffer>) => void;
}

/**
 * A body that is sent unchanged. A Blob or File is read while it is sent, so it's never in memory as a whole. The same goes for a
 * ReadableStream, except in browsers. An error of that stream is thrown unchanged. A stream that is locked, or that has chunks other than
 * Uint8Array, causes a TypeError.
 */
export type Body = string | Blob | ArrayBuffer | ArrayBufferView | ReadableStream<Uint8Array>;

export type BodyType = 'application/json' | 'application/x-ndjson' | 'text/plain' | 'application/x-go-sgf';

/**
 * A client for one service. It doesn't hold a connection, so you can make as many clients as you like. Each method that asks the service
 * rejects with a Problem if the service refuses the request, with Unreachable if there is no answer, and with the signal's reason if you
 * abort the signal.
 */
export class Arbiter {
  /**
   * `base` is the address of the service. Default: the address that this module was loaded from. Throws a TypeError if it isn't an http or
   * https address, or if it contains credentials (`http://user:password@…`; use `headers` instead), and a TypeError or RangeError if an
   * option has a wrong value.
   */
  constructor(base?: string | URL, options?: ArbiterOptions);

  /** The address of the service; it ends with a slash. */
  readonly base: string;

  /** Solves a position of the crossing pawn: who wins, and in how many moves? */
  pawn<I extends Include<'pawn'>>(question: Asking<PawnCase, I>, options?: Options): Promise<Result<'pawn', { include: I }>>;

  /** Replays all games of a record. */
  go<I extends Include<'go'>>(question: Asking<GoCollection, I>, options?: Options): Promise<RecordResult<I>[]>;
  /** Replays a game of Go, and returns the illegal moves and the final board. */
  go<I extends Include<'go'>>(question: Asking<GoRecord, I>, options?: Options): Promise<RecordResult<I>>;
  go<I extends Include<'go'>>(question: Asking<GoCase, I>, options?: Options): Promise<Result<'go', { include: I }>>;

  /** Solves a field of Minesweeper for two: who wins? */
  mine<I extends Include<'mine'>>(question: Asking<MineCase, I>, options?: Options): Promise<Result<'mine', { include: I }>>;

  /** Asks one question about the game with this name. For all games of a Go record, the answer is an array. */
  ask<I extends Include<'go'>>(game: 'go', question: Asking<GoCollection, I>, options?: Options): Promise<RecordResult<I>[]>;
  ask<I extends Include<'go'>>(game: 'go', question: Asking<GoRecord, I>, options?: Options): Promise<RecordResult<I>>;
  ask<G extends Game, I extends Include<G>>(
    game: G, question: Asking<Questions[G], I>, options?: Options): Promise<Result<G, { include: I }>>;

  /**
   * Asks many questions, and returns the answers in the same order. Sends several requests if the questions exceed the service's
   * `max_cases` or `max_body_bytes`. If one question is refused, the whole batch fails. Pointers count from the first question.
   */
  batch<G extends Game, C extends Asking<Questions[G], Include<G>>>(
    game: G, questions: C[], options?: Options): Promise<Result<G, C>[]>;

  /** Replays all games of an SGF file, given by its contents. */
  record<I extends Include<'go'>>(
    sgf: Body, options: Options & Asking<RecordOptions, I> & { game: 'all' }): Promise<RecordResult<I>[]>;
  /** Replays one game of an SGF file, given by its contents: the first game, or `game`. */
  record<I extends Include<'go'>>(
    sgf: Body, options?: Options & Asking<RecordOptions, I> & { game?: number }): Promise<RecordResult<I>>;

  /**
   * Asks any number of questions. Returns the answers line by line, each as soon as it and those before it are known. The line for a
   * refused question contains the problem. Lines are read on demand, and the service waits until you read on. Leaving the loop ends the
   * work and closes the source of the questions.
   *
   * Questions are sent in several requests, each with up to 256 questions or 1 MiB. If an async source yields no question for 50 ms, the
   * client sends the questions that it has; if it has none, it waits for the first one without a limit. A source without questions is sent
   * as an empty body, which the service refuses with a Problem of status 400. A body is sent in one request; `type` is its media type, by
   * default `application/x-ndjson`.
   *
   * If the answer breaks off or a later request fails (see `cause`), throws Incomplete after returning all lines before that. Throws a
   * TypeError if the argument is neither a body nor questions. Errors of the source are thrown unchanged.
   */
  stream<G extends Game, C extends Asking<Questions[G], Include<G>>>(
    game: G, questions: Iterable<C> | AsyncIterable<C>,
    options?: Options & RecordOptions & Progress & { type?: 'application/x-ndjson' },
  ): AsyncGenerator<Result<G, C> | Refused, void, undefined>;
  stream<G extends Game, I extends Include<G>>(
    game: G, body: Body, options?: Options & Asking<RecordOptions, I> & Progress & { type?: BodyType },
  ): AsyncGenerator<Result<G, { include: I }> | Refused, void, undefined>;

  /**
   * The answer in contest format to one question, many questions, or a body. `type` is the media type of the body, by default
   * `text/plain`.
   */
  text<G extends Game>(
    game: G, question: Questions[G] | Questions[G][] | Body, options?: Options & RecordOptions & { type?: BodyType },
  ): Promise<string>;

  /** The resulting board as an SVG picture. */
  picture<G extends Game>(game: G, question: Questions[G], options?: Options): Promise<string>;

  /**
   * The URL of an answer, for a link or an image. Without `format`, the answer is JSON, or the type that the request accepts. A link can't
   * carry headers. Throws a RangeError if the question is too long for a link.
   */
  link<G extends Game>(game: G, question: Questions[G], format?: 'json' | 'text' | 'svg'): URL;

  /** The current limits of the service. */
  limits(options?: Options): Promise<Limits>;

  /** The version of the service. */
  version(options?: Options): Promise<Version>;
}
