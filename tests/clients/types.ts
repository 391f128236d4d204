// The types of web/contract.js beside those that openapi-typescript makes from openapi.yaml, and what a user of the
// client may write and may not. It is compiled, and never run.

import { Arbiter, Incomplete, Problem, Unreachable } from './web/arbiter.js';
import type * as Contract from './web/contract.js';
import type { components } from './schema';

type Schemas = components['schemas'];

/** Ours says that a cell has two numbers, which the generator overlooks. */
type Plain<T> = T extends [number, number] ? number[] : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
type Same<A, B> = (<T>() => T extends Plain<A> ? 1 : 2) extends (<T>() => T extends Plain<B> ? 1 : 2) ? true : false;
/** Each pair: ours, and the contract's. */
const same = <_A, _B>(_: Same<_A, _B>) => {};

// What is not listed here is a part of what is.
same<Contract.PawnCase, Schemas['PawnCase']>(true);
same<Contract.PawnResult, Schemas['PawnResult']>(true);
same<Contract.GoGame, Schemas['GoGame']>(true);
same<Contract.GoRecord, Omit<Schemas['GoRecord'], 'game'> & { game?: number }>(true);
same<Contract.GoCollection, Omit<Schemas['GoRecord'], 'game'> & { game: 'all' }>(true);
same<number | 'all' | undefined, Schemas['GoRecord']['game']>(true);
same<Contract.GoCase, Contract.GoGame | Contract.GoRecord>(true);
same<Schemas['GoCase'], Schemas['GoGame'] | Schemas['GoRecord']>(true);
same<Contract.GoResult, Schemas['GoResult']>(true);
same<Contract.MineCase, Schemas['MineCase']>(true);
same<Contract.MineResult, Schemas['MineResult']>(true);
same<Contract.ProblemDocument, Schemas['Problem']>(true);
same<Contract.Refused, Schemas['Refused']>(true);
same<Contract.Limits, Schemas['Limits']>(true);
same<Contract.Version, Schemas['Version']>(true);

// The comparison sees a member that is missing, one that need not be there, another word.
same<Omit<Contract.PawnResult, 'reason'>, Schemas['PawnResult']>(false);
same<Omit<Contract.PawnResult, 'steps'> & { steps?: number | null }, Schemas['PawnResult']>(false);
same<Omit<Contract.MineResult, 'turn'> & { turn: 'Xiemao' | 'Red' }, Schemas['MineResult']>(false);
same<Contract.GoMiss & { at: [number] }, Schemas['GoMiss']>(false);

// --- what is written ---

export async function right(arbiter: Arbiter, file: File, signal: AbortSignal) {
  const { steps, line = [] } = await arbiter.pawn({ board: ['O.O', 'X..'], include: ['line'] }, { signal });
  const { misses } = await arbiter.go({ size: 2, moves: [['B', 0, 0], ['W', 'A2']], rules: { ko: 'none' } });
  const games = await arbiter.go({ sgf: '(;)', game: 'all' });
  const { nimber } = await arbiter.mine({ rows: 1, cols: 2, mines: [[0, 1]], clicks: [], states: 1 });
  const { record } = await arbiter.ask('go', { sgf: '(;)', game: 2 });
  const [result] = await arbiter.batch('mine', [{ board: ['.'] }, { rows: 1, cols: 1, mines: [] }]);
  const { rules } = await arbiter.record(file, { ko: 'simple', include: ['score'] });
  const all = await arbiter.record(new Uint8Array(), { game: 'all', signal });
  for await (const line of arbiter.stream('mine', file, { type: 'text/plain', onBytes: (count) => count + 1 })) {
    if ('problem' in line) line.problem.errors?.[0].pointer?.length;
    else line.three_bv + 1;
  }
  const text: string = await arbiter.text('pawn', [{ board: ['O.O', 'X..'] }]);
  const link: URL = arbiter.link('go', { moves: [] }, 'svg');
  const cells: number = (await arbiter.limits()).max_mine_cells;
  const numbers = [steps, nimber, line[0].to[1], misses[0].at[0], all[0].played, cells] satisfies (number | null)[];
  return [numbers, games[0].board, record?.games, result.turn, rules?.ko, text, link];
}

export function told(error: unknown) {
  if (error instanceof Problem) return [error.type, error.status + 1, error.errors[0].code, error.requestId];
  if (error instanceof Unreachable) return error.cause;
  if (error instanceof Incomplete) return error.lines + 1;
  throw error;
}

export async function wrong(arbiter: Arbiter, game: 'pawn' | 'go') {
  // @ts-expect-error no such member
  await arbiter.pawn({ board: ['O.O', 'X..'], bord: [] });
  // @ts-expect-error no such word
  await arbiter.mine({ board: ['...'], include: ['losses'] });
  // @ts-expect-error neither moves nor a record
  await arbiter.go({ size: 9 });
  // @ts-expect-error a cell has two numbers
  await arbiter.mine({ board: ['...'], clicks: [[1, 2, 3]] });
  // @ts-expect-error no such game
  await arbiter.ask('chess', {});
  // @ts-expect-error a question of another game
  await arbiter.ask('go', { board: ['O.O', 'X..'] });
  // @ts-expect-error a batch has no collections
  await arbiter.batch('go', [{ sgf: '(;)', game: 'all' }]);
  // @ts-expect-error one game is no array
  (await arbiter.go({ sgf: '(;)' })).length;
  // @ts-expect-error all games are one
  (await arbiter.record('(;)', { game: 'all' })).board;
  // @ts-expect-error a tie has no steps
  (await arbiter.pawn({ board: ['O.O', 'X..'] })).steps + 1;
  // @ts-expect-error it was not included, perhaps
  (await arbiter.go({ moves: [] })).boards.length;
  // @ts-expect-error the line may be a problem
  for await (const { verdict } of arbiter.stream('mine', [])) return verdict;
  // @ts-expect-error no such form
  arbiter.link('pawn', { board: ['O.O', 'X..'] }, 'png');
  // @ts-expect-error not known which game it is
  (await arbiter.ask(game, { board: [], moves: [] })).verdict;
  return arbiter;
}
