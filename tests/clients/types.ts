// Compares the types in web/arbiter.d.ts with those that openapi-typescript generates from openapi.yaml, and checks what users of the
// client can and cannot write. This file is compiled but never run.

import { Arbiter, ArbiterError, Incomplete, Problem, Unreachable } from './web/arbiter.js';
import type * as Contract from './web/arbiter.js';
import type { components } from './schema';

type Schemas = components['schemas'];

/** Ours suggests words where any string is allowed by the contract, because it describes them by a pattern. */
type Open<T> = string extends T ? string | Exclude<T, string> : T;
/** Ours has `include` only as an array, whose words determine the type of the result. */
type Member<K, T> = K extends 'include' ? Exclude<T, string> : Open<T>;
/** Ours says that a cell has two numbers, which the generator overlooks. */
type Plain<T> = T extends [number, number] ? number[] : T extends object ? { [K in keyof T]: Plain<Member<K, T[K]>> } : T;
type Same<A, B> = (<T>() => T extends Plain<A> ? 1 : 2) extends (<T>() => T extends Plain<B> ? 1 : 2) ? true : false;
/** Compares our type with the one in the contract. */
const same = <_A, _B>(_: Same<_A, _B>) => {};

// Types that are not listed here occur as members of those that are.
same<Contract.PawnCase, Schemas['PawnCase']>(true);
same<Contract.PawnResult, Schemas['PawnResult']>(true);
same<Contract.GoGame, Schemas['GoGame']>(true);
same<Contract.GoRecord, Omit<Schemas['GoRecord'], 'game'> & { game?: number }>(true);
same<Contract.GoCollection, Omit<Schemas['GoRecord'], 'game' | 'include' | 'dead' | 'seki'> & { game: 'all'; include?: Contract.GoRecordInclude }>(true);
same<number | 'all' | undefined, Schemas['GoRecord']['game']>(true);
same<Contract.GoCase, Contract.GoGame | Contract.GoRecord>(true);
same<Schemas['GoCase'], Schemas['GoGame'] | Schemas['GoRecord']>(true);
same<Omit<Contract.GoResult, 'case'>, Omit<Schemas['GoResult'], 'case'>>(true); // in the contract, the case is any object
same<Contract.MineCase, Schemas['MineCase']>(true);
same<Contract.MineResult, Schemas['MineResult']>(true);
same<Omit<Contract.ProblemDocument, 'type'>, Omit<Schemas['Problem'], 'type'>>(true); // in the contract, a type is any string
same<string, Schemas['Problem']['type']>(true);
same<Omit<Contract.Refused, 'problem'>, Omit<Schemas['Refused'], 'problem'>>(true);
same<Contract.ProblemDocument, Contract.Refused['problem']>(true);
same<Contract.Limits, Schemas['Limits']>(true);
same<Contract.Version, Schemas['Version']>(true);

// The comparison detects a missing member, an optional member and a different word.
same<Omit<Contract.PawnResult, 'reason'>, Schemas['PawnResult']>(false);
same<Omit<Contract.PawnResult, 'steps'> & { steps?: number | null }, Schemas['PawnResult']>(false);
same<Omit<Contract.MineResult, 'turn'> & { turn: 'Xiemao' | 'Red' }, Schemas['MineResult']>(false);
same<Contract.GoMiss & { at: [number] }, Schemas['GoMiss']>(false);

// --- what users can write ---

export async function right(arbiter: Arbiter, file: File, signal: AbortSignal) {
  const { steps, line } = await arbiter.pawn({ board: ['O.O', 'X..'], include: ['line'] }, { signal });
  const { misses } = await arbiter.go({ size: 2, moves: [['B', 0, 0], ['W', 'A2']], rules: { ko: 'none' } });
  const games = await arbiter.go({ sgf: '(;)', game: 'all' });
  const { nimber } = await arbiter.mine({ rows: 1, cols: 2, mines: [[0, 1]], clicks: [], states: 1 });
  const { record } = await arbiter.ask('go', { sgf: '(;)', game: 2 });
  const [result] = await arbiter.batch('mine', [{ board: ['.'] }, { rows: 1, cols: 1, mines: [] }]);
  const { rules, score } = await arbiter.record(file, { ko: 'simple', include: ['score'] });
  const all = await arbiter.record(new Uint8Array(), { game: 'all', signal });
  for await (const line of arbiter.stream('mine', file, { type: 'text/plain', onBytes: (count) => count + 1 })) {
    if ('problem' in line) line.problem.errors?.[0].pointer?.length;
    else line.three_bv + 1;
  }
  const text: string = await arbiter.text('pawn', [{ board: ['O.O', 'X..'] }]);
  const link: URL = arbiter.link('go', { moves: [] }, 'svg');
  const cells: number = (await arbiter.limits()).max_mine_cells;
  const numbers = [steps, nimber, line[0].to[1], misses[0].at[0], all[0].played, cells] satisfies (number | null)[];
  return [numbers, games[0].board, record.games, result.turn, rules.ko, score.B, text, link];
}

/** Included members are present, and so are the rules for a record. */
export async function included(arbiter: Arbiter, position: Contract.PawnCase, game: Contract.GoCase, parts: Contract.PawnInclude) {
  const board = ['O.O', 'X..'];
  const { line, reason, boards } = await arbiter.pawn({ board, include: ['line', 'boards'] });
  const end: 'first-row' | 'capture' | 'no-move' | null = reason;
  (await arbiter.go({ moves: [['B', 0, 0]], include: ['score'] })).score.neutral;
  (await arbiter.go({ sgf: '(;)', include: ['captured'] })).captured[0].stones;
  (await arbiter.go({ sgf: '(;)', game: 'all', include: ['boards'] }))[0].boards[0][0];
  (await arbiter.go(game)).board;
  const { wins, wins_total, face } = await arbiter.mine({ rows: 1, cols: 2, mines: [[0, 1]], include: ['wins', 'face'] });
  const total: number | null = wins_total;
  (await arbiter.ask('pawn', { board, include: ['moves'] })).moves[0].verdict;
  (await arbiter.ask('go', { sgf: '(;)', game: 'all', include: ['score'] }))[0].score.B;
  const [first] = await arbiter.batch('pawn', [{ board, include: ['line', 'moves'] }, { board, include: ['line'] }]);
  for await (const answer of arbiter.stream('mine', new Set<Contract.MineCase>([{ board }]))) if ('id' in answer) answer.id;
  for await (const answer of arbiter.stream('go', new Blob([]).stream(), { type: 'application/x-go-sgf', include: ['score'] })) {
    if (!('problem' in answer)) answer.score.B;
  }
  (await arbiter.go({ moves: [], include: ['case'] })).case.include;
  // @ts-expect-error the games in a collection have no cases of their own
  await arbiter.go({ sgf: '(;)', game: 'all', include: ['case'] });
  // @ts-expect-error something else was included
  (await arbiter.pawn({ board, include: ['line'] })).moves.length;
  // @ts-expect-error one of the two cases does not include it
  (await arbiter.batch('pawn', [{ board, include: ['line', 'moves'] }, { board, include: ['line'] }]))[0].moves.length;
  // @ts-expect-error it is unknown what was included
  (await arbiter.pawn(position)).line.length;
  // @ts-expect-error it is unknown what was included
  (await arbiter.pawn({ board, include: parts })).line.length;
  // @ts-expect-error one of the two was included, but it is unknown which
  (await arbiter.pawn({ board, include: [end ? 'line' : 'moves'] })).line.length;
  // @ts-expect-error only the answer for a record has rules
  (await arbiter.go({ moves: [] })).rules.ko;
  return [line.length, boards.length, wins?.length, total, face[0], first.line.length];
}

export async function* streamed(arbiter: Arbiter, fields: () => AsyncGenerator<Contract.MineCase>) {
  const token = { headers: { authorization: 'Bearer x' }, fetch, timeout: 1000, retries: 3 };
  for await (const answer of new Arbiter('http://127.0.0.1:8080', token).stream('mine', fields())) {
    if ('problem' in answer) yield answer.problem.status;
    else yield answer.nimber;
  }
  // @ts-expect-error a number is no list of questions
  arbiter.stream('mine', 7);
  // @ts-expect-error a single question is not a list
  arbiter.stream('mine', { board: ['.'] });
  // @ts-expect-error an array can only be sent as lines
  arbiter.stream('mine', [{ board: ['.'] }], { type: 'text/plain' });
}

export function told(error: unknown) {
  if (error instanceof Problem) return [error.type, error.status + 1, error.errors[0].code, error.requestId];
  if (error instanceof Unreachable) return error.cause;
  if (error instanceof Incomplete) return error.lines + 1;
  if (error instanceof ArbiterError) return [error.status, error.requestId, error.retryAfter] satisfies (string | number | null)[];
  throw error;
}

export async function wrong(arbiter: Arbiter, game: 'pawn' | 'go') {
  // @ts-expect-error no such member
  await arbiter.pawn({ board: ['O.O', 'X..'], bord: [] });
  // @ts-expect-error no such value
  await arbiter.mine({ board: ['...'], include: ['losses'] });
  // @ts-expect-error neither moves nor a record
  await arbiter.go({ size: 9 });
  // @ts-expect-error a cell is two numbers
  await arbiter.mine({ board: ['...'], clicks: [[1, 2, 3]] });
  // @ts-expect-error no such game
  await arbiter.ask('chess', {});
  // @ts-expect-error a question for another game
  await arbiter.ask('go', { board: ['O.O', 'X..'] });
  // @ts-expect-error a batch cannot contain collections
  await arbiter.batch('go', [{ sgf: '(;)', game: 'all' }]);
  // @ts-expect-error the answer for one game is not an array
  (await arbiter.go({ sgf: '(;)' })).length;
  // @ts-expect-error the answer for all games is an array
  (await arbiter.record('(;)', { game: 'all' })).board;
  // @ts-expect-error a tie has no steps
  (await arbiter.pawn({ board: ['O.O', 'X..'] })).steps + 1;
  // @ts-expect-error it was not included
  (await arbiter.go({ moves: [] })).boards.length;
  // @ts-expect-error the line could be a problem
  for await (const { verdict } of arbiter.stream('mine', [])) return verdict;
  // @ts-expect-error no such format
  arbiter.link('pawn', { board: ['O.O', 'X..'] }, 'png');
  // @ts-expect-error it is unknown which game it is
  (await arbiter.ask(game, { board: [], moves: [] })).verdict;
  return arbiter;
}
