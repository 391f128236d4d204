// The types of arbiter.js, complete in this file. Questions and answers are called as openapi.yaml calls them; only a
// problem is called ProblemDocument here, since Problem is what is thrown.

// --- what is common to the games ---

/** `[row, col]`, both from 0 at the top left: `board[row][col]`. */
export type Cell = [row: number, col: number];

/** A name of your own for a question, which comes back in its answer: a string of up to 128 bytes, or an integer. */
export type Id = string | number;

// --- the crossing pawn ---

export type PawnInclude = ('moves' | 'line' | 'boards' | 'case')[];

/** A position of the crossing pawn. In `board` `.` is free, `#` an obstacle, `O` a red piece (two), `X` the pawn (one). */
export interface PawnCase {
  id?: Id;
  /** The rows from the top. */
  board: string[];
  /** Who moves first; Red if absent. */
  turn?: 'Red' | 'Black';
  /** Parts of the answer to be added. */
  include?: PawnInclude;
}

export interface PawnMove {
  from: Cell;
  to: Cell;
}

/** A move, who wins after it, and with how many moves of both sides, this one included. */
export interface PawnRankedMove extends PawnMove {
  verdict: 'Red' | 'Black' | 'Tie';
  steps: number | null;
}

/** The value of a position under perfect play. */
export interface PawnResult {
  id?: Id;
  /** Only when included: the question, as it was sent. */
  case?: PawnCase;
  /** Who wins; `Tie` when the game never ends. */
  verdict: 'Red' | 'Black' | 'Tie';
  /** Moves of both sides until the game has ended; null for a tie. */
  steps: number | null;
  /** Only when included: every legal move, best first. */
  moves?: PawnRankedMove[];
  /** Only when included: one best line of play. */
  line?: PawnMove[];
  /** Only with `line`: how it ends; null for a tie. */
  reason?: 'first-row' | 'capture' | 'no-move' | null;
  /** Only when included: the boards along the line, the given one first. */
  boards?: string[][];
}

// --- Go ---

/** A stone by row and column from 0 at the top left, or by name (`['W', 'Q4']`), or a pass (`['B', 'pass']`). */
export type GoMove = [color: 'B' | 'W', row: number, col: number] | [color: 'B' | 'W', point: string];

export type GoKo = 'positional' | 'situational' | 'simple' | 'none';
export type GoInclude = ('captured' | 'boards' | 'score' | 'case')[];
/** The same of an SGF body, and of a collection. */
export type GoRecordInclude = ('captured' | 'boards' | 'score')[];

/** How repetition and suicide are judged; `positional` and false if absent, or what a record's `RU` says. */
export interface GoRules {
  ko?: GoKo;
  suicide?: boolean;
}

/** A game of Go as a list of moves. */
export interface GoGame {
  id?: Id;
  /** Points along a side, 1 to 25; as many as `setup` has rows if absent, else 19. */
  size?: number;
  /** The board before the first move, in `.`, `B` and `W`. */
  setup?: string[];
  moves: GoMove[];
  rules?: GoRules;
  /** Parts of the answer to be added. */
  include?: GoInclude;
}

/** A game of Go as an SGF record. */
export interface GoRecord {
  id?: Id;
  sgf: string;
  /** Which of a collection, from 1. */
  game?: number;
  rules?: GoRules;
  /** Parts of the answer to be added. */
  include?: GoInclude;
}

/** All games of an SGF record; an array is the answer. */
export interface GoCollection extends Omit<GoRecord, 'game' | 'include'> {
  game: 'all';
  /** Parts of each answer to be added. */
  include?: GoRecordInclude;
}

export type GoCase = GoGame | GoRecord;

/** A move that was not possible, and is undone. */
export interface GoMiss {
  /** Its number in the list, from 1. */
  move: number;
  color: 'B' | 'W';
  at: Cell;
  /** The same point as Go players say it: `C4`. */
  name: string;
  code: 1 | 2 | 3;
  /** The same in a word. */
  reason: 'occupied' | 'suicide' | 'repetition';
  /** Only for a repetition: after which move that position stood, 0 for the start. */
  repeats?: number;
}

/** The game as it was played. */
export interface GoResult {
  id?: Id;
  /** Only when included: the question, as it was sent. */
  case?: GoCase;
  /** The moves that were not possible, in order. */
  misses: GoMiss[];
  /** The final board. */
  board: string[];
  /** How many moves were not misses, passes included. */
  played: number;
  /** `B` counts the white stones that left the board. */
  prisoners: { B: number; W: number };
  /** Only of a record: the rules that were applied. */
  rules?: { ko: GoKo; suicide: boolean };
  /** Only of a record: which game this is. */
  record?: { game: number; games: number; variations: number };
  /** Only when included: which stones each move took off. */
  captured?: { move: number; stones: Cell[] }[];
  /** Only when included: the start, and the board after each move. */
  boards?: string[][];
  /** Only when included: the area of the final board. */
  score?: { B: number; W: number; neutral: number };
}

// --- Minesweeper for two ---

export type MineInclude = ('wins' | 'board' | 'face' | 'case')[];

/** A field, drawn: `*` is a mine, `.` is none. */
export interface MineDrawing {
  id?: Id;
  /** The rows from the top. */
  board: string[];
  /** The clicks made so far, Xiemao's first. */
  clicks?: Cell[];
  /** Visit at most so many positions; a page that wants an answer in a second asks for 20,000. */
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
  /** Visit at most so many positions. */
  states?: number;
  /** Parts of the answer to be added. */
  include?: MineInclude;
}

export type MineCase = MineDrawing | MineList;

/** The value of a field under perfect play; after `clicks`, of what is face down of it. */
export interface MineResult {
  id?: Id;
  /** Only when included: the question, as it was sent. */
  case?: MineCase;
  /** Who wins; `Unknown` when the search limit was reached. */
  verdict: 'Xiemao' | 'Fanglaoshi' | 'Unknown';
  /** 0 exactly when the player whose turn it is loses; null beyond the search limit. */
  nimber: number | null;
  openings: number;
  /** The fewest clicks that clear the field. */
  three_bv: number;
  /** How many numbers are next to two openings. */
  shared_numbers: number;
  /** Only with `Unknown`: what was not solved. */
  unsolved?: { at: Cell; openings: number; numbers: number };
  /** Who clicks next. */
  turn: 'Xiemao' | 'Fanglaoshi';
  /** Only when included: the clicks that win, 1000 at most; null where not known. */
  wins?: Cell[] | null;
  /** Only with `wins`: how many there are. */
  wins_total?: number | null;
  /** Only when included: what every cell shows. */
  board?: string[];
  /** Only when included: the same as the players see it, `#` where face down. */
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

/** The parts that can be included, each with the members of a result that come with it. */
interface Parts {
  pawn: { moves: 'moves'; line: 'line' | 'reason'; boards: 'boards'; case: 'case' };
  go: { captured: 'captured'; boards: 'boards'; score: 'score'; case: 'case' };
  mine: { wins: 'wins' | 'wins_total'; board: 'board'; face: 'face'; case: 'case' };
}

/** A list of parts. The empty list makes the compiler keep the words of a list that is written out. */
type Include<G extends Game> = (keyof Parts[G])[] | [];

/** A question, of which the compiler keeps what it includes. */
type Asking<Q, I> = Q & { include?: I };

/** T, or nothing where T is one of several words. */
type Certain<T, All = T> = T extends unknown ? ([All] extends [T] ? T : never) : never;

/** The words that are certainly in a list: none where the list was made elsewhere. */
type Words<I> = I extends unknown[] ? (number extends I['length'] ? never : { [At in keyof I]: Certain<I[At]> }[number]) : never;

/** The members of a result that a question makes certain. */
type Members<G extends Game, C> =
  | (C extends { include: infer I } ? Parts[G][Words<I> & keyof Parts[G]] : never)
  | (C extends { sgf: string } ? 'rules' | 'record' : never);

/** The result of a question of the type C: what is included is not optional. */
export type Result<G extends Game, C = Questions[G]> =
  C extends unknown ? Results[G] & Required<Pick<Results[G], Members<G, C> & keyof Results[G]>> : never;

/** The same for what is asked beside a body. */
type RecordResult<I> = Result<'go', { sgf: string; include: I }>;

// --- errors ---

/** One fault, and its place. */
export interface Fault {
  /** In a batch the `id` of the case. */
  id?: Id;
  /** A JSON Pointer into the question: `/board/3`. */
  pointer?: string;
  /** Line of a text, from 1. */
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
  /** The one cell of the board that it is about. */
  at?: Cell;
}

export type ProblemType =
  | '/problems/malformed' | '/problems/cross-site' | '/problems/not-found' | '/problems/method-not-allowed'
  | '/problems/not-acceptable' | '/problems/too-large' | '/problems/uri-too-long' | '/problems/unsupported-media-type'
  | '/problems/invalid-case' | '/problems/answer-too-large' | '/problems/internal' | '/problems/overloaded';

/** Why a question was refused, as RFC 9457 has it. */
export interface ProblemDocument {
  /** What kind of problem it is, and the path of a page that explains it. */
  type: ProblemType | (string & {});
  /** The kind in words. */
  title: string;
  status: number;
  /** This very fault in words. */
  detail: string;
  /** The first 20 faults, each with its place. */
  errors?: Fault[];
  /** Only with 406: the media types that can be had. */
  available?: string[];
}

/** The line of a stream whose question was refused. */
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

/** The base of all errors that the service, or the way to it, makes. */
export class ArbiterError extends Error {
  constructor(message?: string, options?: ArbiterErrorOptions);
  /** The status of the answer; null where there was none. */
  status: number | null;
  /** Names the request in the service's log; null where there was no answer, and in a line of a stream. */
  requestId: string | null;
  /** In how many seconds the request may be sent again; null where the answer does not say. */
  retryAfter: number | null;
}

/** The service, or a gateway before it, refused. `message` is `detail`, or the title where there is none. */
export class Problem extends ArbiterError {
  /** `headers` are those of the answer that the document came with. */
  constructor(document: ProblemDocument, headers?: Headers);
  /** The set is open: a gateway has types of its own, and later versions have more. Show `title` and `detail` of those. */
  type: ProblemType | (string & {});
  title: string;
  status: number;
  detail: string;
  /** The faults, each with its place; [] where the document names none. */
  errors: Fault[];
}

/** There was no answer, or one that is not the service's. `cause` tells more. */
export class Unreachable extends ArbiterError {}

/** A stream broke off. Each line that came whole was handed on; `lines` tells how many. `cause` tells more. */
export class Incomplete extends ArbiterError {
  constructor(lines: number, cause?: unknown, options?: ArbiterErrorOptions);
  lines: number;
}

/**
 * In how many milliseconds a request may be sent again that has failed so, after this many tries before it: as `retries`
 * does it, for code that has a loop of its own. null: to send it again is of no use.
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
  queue: number;
}

export interface Version {
  name: 'arbiter';
  version: string;
  commit: string;
  /** Whom the defaults of its limits are for: `trusted` or `public`. */
  profile: string;
}

export interface ArbiterOptions {
  /**
   * Headers of each request, for a gateway that asks for a token: `{ authorization: 'Bearer …' }`. The client's own
   * `accept` and `content-type` stay. A page on another origin may send those only that the service allows there.
   */
  headers?: HeadersInit;
  /** It is called in place of the global `fetch`, with an URL and its options. */
  fetch?: (url: URL, request: RequestInit) => Promise<Response>;
  /**
   * Milliseconds up to the head of an answer, for each try: a number above 0. The body of the request is sent in this time.
   * None if absent.
   */
  timeout?: number;
  /**
   * How often a request is sent again: an integer from 0, or Infinity; 0 if absent. Sent again are requests that were
   * answered by 429, 502, 503 or 504, whoever says so, and, at most twice, those that found no answer, or none within
   * `timeout`. The client waits as long as `Retry-After` says, however long that is (a `signal` ends the wait); without
   * one, it waits up to half a second the first time, and up to twice as long each further time, at most 30 s. A
   * ReadableStream is not sent again, but by browsers, which read it first.
   */
  retries?: number;
}

/** Options of all methods. */
export interface Options {
  /** It ends the request; its reason is what is thrown then, an AbortError if it has no other. */
  signal?: AbortSignal;
}

/** Options that a record can have beside it. */
export interface RecordOptions {
  game?: number | 'all';
  ko?: GoKo;
  suicide?: boolean;
  include?: GoRecordInclude;
}

/** How far a stream is; of questions that are sent in several requests, all together. */
export interface Progress {
  /** Called once, when the service has read the whole body, or the last question, and begins to answer. */
  onSent?: () => void;
  /**
   * Called with the bytes of the answer as they come, and with how many have come so far; a line is handed on after its
   * bytes.
   */
  onBytes?: (received: number, bytes: Uint8Array<ArrayBuffer>) => void;
}

/** A body that is sent as it is. A Blob or File is read while it is sent, and never held whole; so is a ReadableStream of
 * bytes, but by browsers, which cannot. An error of that stream is thrown as it is; one that is locked, or has chunks other
 * than Uint8Array, is a TypeError. */
export type Body = string | Blob | BufferSource | ReadableStream<Uint8Array>;

export type BodyType = 'application/json' | 'application/x-ndjson' | 'text/plain' | 'application/x-go-sgf';

/**
 * A service of Arbiter. It holds no connection: make as many as you like. Whatever asks the service rejects with a
 * Problem where that refuses, with Unreachable where there is no answer, with the signal's reason where that ends it.
 */
export class Arbiter {
  /**
   * `base` is where the service is; if absent, where this module came from. Throws a TypeError where that is no address of
   * http or https, or has credentials (`http://user:password@…`; give `headers` instead), and a TypeError or RangeError
   * where an option has a wrong value.
   */
  constructor(base?: string | URL, options?: ArbiterOptions);

  /** Where the service is; it ends in a slash. */
  readonly base: string;

  /** Who wins a position of the crossing pawn, and in how many moves? */
  pawn<I extends Include<'pawn'>>(question: Asking<PawnCase, I>, options?: Options): Promise<Result<'pawn', { include: I }>>;

  /** Plays all games of a record through. */
  go<I extends Include<'go'>>(question: Asking<GoCollection, I>, options?: Options): Promise<RecordResult<I>[]>;
  /** Plays a game of Go through: which moves were not possible, and what board results? */
  go<I extends Include<'go'>>(question: Asking<GoRecord, I>, options?: Options): Promise<RecordResult<I>>;
  go<I extends Include<'go'>>(question: Asking<GoCase, I>, options?: Options): Promise<Result<'go', { include: I }>>;

  /** Who wins Minesweeper played by two? */
  mine<I extends Include<'mine'>>(question: Asking<MineCase, I>, options?: Options): Promise<Result<'mine', { include: I }>>;

  /** One question, by the name of the game. All games of a Go record are answered by an array. */
  ask<I extends Include<'go'>>(game: 'go', question: Asking<GoCollection, I>, options?: Options): Promise<RecordResult<I>[]>;
  ask<I extends Include<'go'>>(game: 'go', question: Asking<GoRecord, I>, options?: Options): Promise<RecordResult<I>>;
  ask<G extends Game, I extends Include<G>>(
    game: G, question: Asking<Questions[G], I>, options?: Options): Promise<Result<G, { include: I }>>;

  /**
   * Many questions, answered in their order; in several requests where they pass the `max_cases` or `max_body_bytes` of the
   * service. One that is refused refuses all; a pointer counts from the first question.
   */
  batch<G extends Game, C extends Asking<Questions[G], Include<G>>>(
    game: G, questions: C[], options?: Options): Promise<Result<G, C>[]>;

  /** All games of a Go record, as a file has it. */
  record<I extends Include<'go'>>(
    sgf: Body, options: Options & Asking<RecordOptions, I> & { game: 'all' }): Promise<RecordResult<I>[]>;
  /** A Go record, as a file has it: its first game, or the one of that number. */
  record<I extends Include<'go'>>(
    sgf: Body, options?: Options & Asking<RecordOptions, I> & { game?: number }): Promise<RecordResult<I>>;

  /**
   * As many questions as you like, answered line by line, each as soon as it and those before it are known. A question that
   * is refused has its problem in its line. The next line is read when it is asked for, and the service waits meanwhile; to
   * leave the loop ends the work, and the source of the questions.
   *
   * Questions are sent in several requests, each when it has 256 of them or 1 MiB. When an async source gives no question
   * for 50 ms, the client sends those that it has so far; if it has none, it waits for the first without a limit. A source
   * without any question is sent as an empty body, which the service refuses: a Problem of status 400. A body is one
   * request; `type` is its type, lines if absent.
   *
   * Throws Incomplete where the answer broke off, or a later request failed (`cause` tells how), when all lines before that
   * have been handed on; a TypeError for what is neither a body nor questions. An error of the source is thrown as it is.
   */
  stream<G extends Game, C extends Asking<Questions[G], Include<G>>>(
    game: G, questions: Iterable<C> | AsyncIterable<C>,
    options?: Options & RecordOptions & Progress & { type?: 'application/x-ndjson' },
  ): AsyncGenerator<Result<G, C> | Refused, void, undefined>;
  stream<G extends Game, I extends Include<G>>(
    game: G, body: Body, options?: Options & Asking<RecordOptions, I> & Progress & { type?: BodyType },
  ): AsyncGenerator<Result<G, { include: I }> | Refused, void, undefined>;

  /** The answer as the judges print it, to a question, to many, or to a body; `type` is that of a body, text if absent. */
  text<G extends Game>(
    game: G, question: Questions[G] | Questions[G][] | Body, options?: Options & RecordOptions & { type?: BodyType },
  ): Promise<string>;

  /** The board that results, drawn as SVG. */
  picture<G extends Game>(game: G, question: Questions[G], options?: Options): Promise<string>;

  /**
   * The address of an answer, for a link or an image; JSON if `format` is absent, or what the reader asks for. It carries no
   * headers. Throws a RangeError where the question is too long for a link.
   */
  link<G extends Game>(game: G, question: Questions[G], format?: 'json' | 'text' | 'svg'): URL;

  /** The limits in force. */
  limits(options?: Options): Promise<Limits>;

  /** Which program answers. */
  version(options?: Options): Promise<Version>;
}
