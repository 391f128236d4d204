// Code as a user of @hey-api/openapi-ts would write it. It does the same as openapi_fetch.ts.

import { createClient } from './hey_api/client';
import { getLimits, linkMine, playGo, solveMine, solvePawn } from './hey_api/sdk.gen';
import type {
  GoBatch,
  GoCase,
  GoResult,
  GoResults,
  MineBatch,
  MineCase,
  MineResult,
  MineResults,
  PawnBatch,
  PawnCase,
  PawnResult,
  PawnResults,
  Problem,
} from './hey_api/types.gen';

const told = ({ status, errors = [] }: Problem) =>
  `${status} ${errors.map(({ code, pointer, parameter }) => `${code} ${pointer ?? parameter}`).join()}`;

const pawn = (answer: PawnResult | PawnResults) =>
  ('results' in answer ? answer.results : [answer]).map(({ verdict, steps }) => `${verdict} ${steps}`).join();

const go = (answer: GoResult | GoResults) =>
  ('results' in answer ? answer.results : [answer])
    .map(({ misses, board }) => `${misses.map(({ move, reason }) => `${move} ${reason}`).join()} ${board.join('/')}`)
    .join();

const mine = (answer: MineResult | MineResults) =>
  ('results' in answer ? answer.results : [answer]).map(({ verdict, nimber }) => `${verdict} ${nimber}`).join();

export async function ask(baseUrl: string): Promise<string[]> {
  const client = createClient({ baseUrl });
  const answers: string[] = [];

  const boards: (PawnCase | PawnBatch)[] = [
    { board: ['..#.', 'O..O', '....', '.X..'], include: ['line'] },
    { cases: [{ id: 'a', board: ['O.O', 'X..'] }, { board: ['O.O', '###', 'X..'], turn: 'Black' }] },
    { board: ['OOO', 'X..'] },
  ];
  for (const body of boards) {
    const { data, error } = await solvePawn({ client, body });
    answers.push(error ? told(error) : pawn(data));
  }
  const games: (GoCase | GoBatch)[] = [
    { size: 2, moves: [['B', 0, 0], ['W', 'A2'], ['B', 'pass']], rules: { ko: 'simple' } },
    { cases: [{ sgf: '(;SZ[2];B[aa])' }, { setup: ['B.', '.W'], moves: [] }] },
    { moves: [['B', 'I5']] },
  ];
  for (const body of games) {
    const { data, error } = await playGo({ client, body });
    answers.push(error ? told(error) : go(data));
  }
  const fields: (MineCase | MineBatch)[] = [
    { board: ['...', '.*.', '...'], include: ['wins'] },
    { cases: [{ rows: 1, cols: 3, mines: [[0, 1]] }, { board: ['...'] }] },
    { board: ['..', '.'] },
  ];
  for (const body of fields) {
    const { data, error } = await solveMine({ client, body });
    answers.push(error ? told(error) : mine(data));
  }

  for (const field of [['...'], []]) {
    const { data, error } = await linkMine({ client, query: { case: JSON.stringify({ board: field }), format: 'json' } });
    answers.push(error ? told(error) : `${data.verdict} ${data.nimber}`);
  }

  const { data: limits } = await getLimits({ client });
  answers.push(`${limits?.max_cases}`);
  return answers;
}

// None of this should compile.
export async function mistakes(baseUrl: string) {
  const client = createClient({ baseUrl });
  // @ts-expect-error no such member
  await solvePawn({ client, body: { bord: ['O.O', 'X..'] } });
  // @ts-expect-error no such value
  await solveMine({ client, body: { board: ['...'], include: ['losses'] } });
  // @ts-expect-error a link needs a case
  await linkMine({ client, query: { format: 'json' } });
  const { data, error } = await solvePawn({ client, body: { board: ['O.O', 'X..'] } });
  // @ts-expect-error the answer could be that of a batch
  data?.verdict;
  // @ts-expect-error no such code
  error?.errors?.[0]?.code === 'no-such-code';
  // @ts-expect-error a tie has no steps
  if (data && !('results' in data)) data.steps + 1;
}
