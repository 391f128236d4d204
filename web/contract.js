// The types of questions and answers, as openapi.yaml has them and under the same names; only a problem is called
// ProblemDocument here, since Problem is what is thrown. Nothing of this is there at run time.

/**
 * @typedef {[row: number, col: number]} Cell `[row, col]`, both from 0 at the top left: `board[row][col]`.
 *
 * @typedef {string | number} Id A name of your own for a question, which comes back in its answer: a string of up to
 *   128 bytes, or an integer.
 */

/**
 * @typedef {object} PawnCase A position of the crossing pawn. In `board` `.` is free, `#` an obstacle, `O` a red piece
 *   (two), `X` the pawn (one).
 * @property {Id} [id]
 * @property {string[]} board The rows from the top.
 * @property {'Red' | 'Black'} [turn] Who moves first; Red if absent.
 * @property {('moves' | 'line' | 'boards')[]} [include] Parts of the answer to be added.
 *
 * @typedef {object} PawnMove
 * @property {Cell} from
 * @property {Cell} to
 *
 * @typedef {PawnMove & { verdict: 'Red' | 'Black' | 'Tie', steps: number | null }} PawnRankedMove A move, who wins
 *   after it, and with how many moves of both sides, this one included.
 *
 * @typedef {object} PawnResult The value of a position under perfect play.
 * @property {Id} [id]
 * @property {'Red' | 'Black' | 'Tie'} verdict Who wins; `Tie` when the game never ends.
 * @property {number | null} steps Moves of both sides until the game has ended; null for a tie.
 * @property {PawnRankedMove[]} [moves] Only when included: every legal move, best first.
 * @property {PawnMove[]} [line] Only when included: one best line of play.
 * @property {'first-row' | 'capture' | 'no-move' | null} [reason] Only with `line`: how it ends; null for a tie.
 * @property {string[][]} [boards] Only when included: the boards along the line, the given one first.
 */

/**
 * @typedef {[color: 'B' | 'W', row: number, col: number] | [color: 'B' | 'W', point: string]} GoMove A stone by row
 *   and column from 0 at the top left, or by name (`['W', 'Q4']`), or a pass (`['B', 'pass']`).
 *
 * @typedef {'positional' | 'situational' | 'simple' | 'none'} GoKo
 * @typedef {('captured' | 'boards' | 'score')[]} GoInclude
 *
 * @typedef {{ ko?: GoKo, suicide?: boolean }} GoRules How repetition and suicide are judged; `positional` and false if
 *   absent, or what a record's `RU` says.
 *
 * @typedef {object} GoGame A game of Go as a list of moves.
 * @property {Id} [id]
 * @property {number} [size] Points along a side, 1 to 25; as many as `setup` has rows if absent, else 19.
 * @property {string[]} [setup] The board before the first move, in `.`, `B` and `W`.
 * @property {GoMove[]} moves
 * @property {GoRules} [rules]
 * @property {GoInclude} [include] Parts of the answer to be added.
 *
 * @typedef {object} GoRecord A game of Go as an SGF record.
 * @property {Id} [id]
 * @property {string} sgf
 * @property {number} [game] Which of a collection, from 1.
 * @property {GoRules} [rules]
 * @property {GoInclude} [include] Parts of the answer to be added.
 *
 * @typedef {Omit<GoRecord, 'game'> & { game: 'all' }} GoCollection All games of an SGF record; an array is the answer.
 *
 * @typedef {GoGame | GoRecord} GoCase
 *
 * @typedef {object} GoMiss A move that was not possible, and is undone.
 * @property {number} move Its number in the list, from 1.
 * @property {'B' | 'W'} color
 * @property {Cell} at
 * @property {1 | 2 | 3} code
 * @property {'occupied' | 'suicide' | 'repetition'} reason The same in a word.
 * @property {number} [repeats] Only for a repetition: after which move that position stood, 0 for the start.
 *
 * @typedef {object} GoResult The game as it was played.
 * @property {Id} [id]
 * @property {GoMiss[]} misses The moves that were not possible, in order.
 * @property {string[]} board The final board.
 * @property {number} played How many moves were not misses, passes included.
 * @property {{ B: number, W: number }} prisoners `B` counts the white stones that left the board.
 * @property {{ ko: GoKo, suicide: boolean }} [rules] Only of a record: the rules that were applied.
 * @property {{ game: number, games: number, variations: number }} [record] Only of a record: which game this is.
 * @property {{ move: number, stones: Cell[] }[]} [captured] Only when included: which stones each move took off.
 * @property {string[][]} [boards] Only when included: the start, and the board after each move.
 * @property {{ B: number, W: number, neutral: number }} [score] Only when included: the area of the final board.
 */

/**
 * @typedef {('wins' | 'board' | 'face')[]} MineInclude
 *
 * @typedef {object} MineDrawing A field, drawn: `*` is a mine, `.` is none.
 * @property {Id} [id]
 * @property {string[]} board The rows from the top.
 * @property {Cell[]} [clicks] The clicks made so far, Xiemao's first.
 * @property {number} [states] Visit at most so many positions; a page that wants an answer in a second asks for 20,000.
 * @property {MineInclude} [include] Parts of the answer to be added.
 *
 * @typedef {object} MineList A field as a list of its mines.
 * @property {Id} [id]
 * @property {number} rows
 * @property {number} cols
 * @property {Cell[]} mines
 * @property {Cell[]} [clicks] The clicks made so far, Xiemao's first.
 * @property {number} [states] Visit at most so many positions.
 * @property {MineInclude} [include] Parts of the answer to be added.
 *
 * @typedef {MineDrawing | MineList} MineCase
 *
 * @typedef {object} MineResult The value of a field under perfect play; after `clicks`, of what is face down of it.
 * @property {Id} [id]
 * @property {'Xiemao' | 'Fanglaoshi' | 'Unknown'} verdict Who wins; `Unknown` when the search limit was reached.
 * @property {number | null} nimber 0 exactly when the player whose turn it is loses; null beyond the search limit.
 * @property {number} openings
 * @property {number} three_bv The fewest clicks that clear the field.
 * @property {number} shared_numbers How many numbers are next to two openings.
 * @property {{ at: Cell, openings: number, numbers: number }} [unsolved] Only with `Unknown`: what was not solved.
 * @property {'Xiemao' | 'Fanglaoshi'} turn Who clicks next.
 * @property {Cell[] | null} [wins] Only when included: the clicks that win, 1000 at most; null where not known.
 * @property {number | null} [wins_total] Only with `wins`: how many there are.
 * @property {string[]} [board] Only when included: what every cell shows.
 * @property {string[]} [face] Only when included: the same as the players see it, `#` where face down.
 */

/**
 * @typedef {{ pawn: PawnCase, go: GoCase, mine: MineCase }} Questions
 * @typedef {{ pawn: PawnResult, go: GoResult, mine: MineResult }} Results
 * @typedef {keyof Questions} Game
 */

/**
 * @typedef {object} Fault One fault, and its place.
 * @property {string | number} [id] In a batch the `id` of the case.
 * @property {string} [pointer] A JSON Pointer into the question: `/board/3`.
 * @property {number} [line] Line of a text, from 1.
 * @property {number} [column] Byte in the line, from 1.
 * @property {string} [parameter] Name of the query parameter.
 * @property {'syntax' | 'type' | 'missing' | 'unknown-member' | 'duplicate-member' | 'range' | 'value' | 'length'
 *   | 'count' | 'conflict' | 'liberty'} code
 * @property {string} detail The fault in words.
 *
 * @typedef {'/problems/malformed' | '/problems/not-found' | '/problems/method-not-allowed' | '/problems/not-acceptable'
 *   | '/problems/too-large' | '/problems/uri-too-long' | '/problems/unsupported-media-type' | '/problems/invalid-case'
 *   | '/problems/answer-too-large' | '/problems/internal' | '/problems/overloaded'} ProblemType
 *
 * @typedef {object} ProblemDocument Why a question was refused, as RFC 9457 has it.
 * @property {ProblemType} type What kind of problem it is, and the path of a page that explains it.
 * @property {string} title The kind in words.
 * @property {number} status
 * @property {string} detail This very fault in words.
 * @property {Fault[]} [errors] The first 20 faults, each with its place.
 * @property {string[]} [available] Only with 406: the media types that can be had.
 *
 * @typedef {{ id?: Id, problem: ProblemDocument }} Refused The line of a stream whose question was refused.
 */

/**
 * @typedef {object} Limits
 * @property {number} max_body_bytes
 * @property {number} max_json_values
 * @property {number} max_cases
 * @property {number} max_moves
 * @property {number} max_moves_total
 * @property {number} max_pawn_cells
 * @property {number} max_pawn_cells_total
 * @property {number} max_mine_cells
 * @property {number} max_mine_cells_total
 * @property {number} max_search_states
 * @property {number} max_answer_bytes
 * @property {number} max_link_answer_bytes
 * @property {number} max_stream_bytes
 * @property {number} max_inflight_bytes
 * @property {number} queue
 *
 * @typedef {{ name: 'arbiter', version: string, commit: string }} Version
 */

export {};
