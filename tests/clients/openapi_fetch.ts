// Code as a user of openapi-typescript and openapi-fetch would write it. The test is that it compiles, and that it works when
// clients.test.mjs calls it.

import createClient from 'openapi-fetch';
import type { components, paths } from './openapi_typescript/schema';

type Schemas = components['schemas'];

// The media types that this client reads. Without them, the type of every answer would include string, because the same routes can
// also return text, pictures and lines.
type Json = 'application/json' | 'application/problem+json';

// Describe what went wrong and where.
const told = ({ status, errors = [] }: Schemas['Problem']) =>
  `${status} ${errors.map(({ code, pointer, parameter }) => `${code} ${pointer ?? parameter}`).join()}`;

const pawn = (answer: Schemas['PawnResult'] | Schemas['PawnResults']) =>
  ('results' in answer ? answer.results : [answer]).map(({ verdict, steps }) => `${verdict} ${steps}`).join();

const go = (answer: Schemas['GoResult'] | Schemas['GoResults']) =>
  ('results' in answer ? answer.results : [answer])
    .map(({ misses, board }) => `${misses.map(({ move, reason }) => `${move} ${reason}`).join()} ${board.join('/')}`)
    .join();

const mine = (answer: Schemas['MineResult'] | Schemas['MineResults']) =>
  ('results' in answer ? answer.results : [answer]).map(({ verdict, nimber }) => `${verdict} ${nimber}`).join();

export async function ask(baseUrl: string): Promise<string[]> {
  const client = createClient<paths, Json>({ baseUrl });
  const answers: string[] = [];

  // A case, a batch and a mistake for each route. Each result has either `error` or `data`.
  const boards: (Schemas['PawnCase'] | Schemas['PawnBatch'])[] = [
    { board: ['..#.', 'O..O', '....', '.X..'], include: ['line'] },
    { cases: [{ id: 'a', board: ['O.O', 'X..'] }, { board: ['O.O', '###', 'X..'], turn: 'Black' }] },
    { board: ['OOO', 'X..'] },
  ];
  for (const body of boards) {
    const { data, error } = await client.POST('/pawn', { body });
    answers.push(error ? told(error) : pawn(data));
  }
  const games: (Schemas['GoCase'] | Schemas['GoBatch'])[] = [
    { size: 2, moves: [['B', 0, 0], ['W', 'A2'], ['B', 'pass']], rules: { ko: 'simple' } },
    { cases: [{ sgf: '(;SZ[2];B[aa])' }, { setup: ['B.', '.W'], moves: [] }] },
    { moves: [['B', 'I5']] },
  ];
  for (const body of games) {
    const { data, error } = await client.POST('/go', { body });
    answers.push(error ? told(error) : go(data));
  }
  const fields: (Schemas['MineCase'] | Schemas['MineBatch'])[] = [
    { board: ['...', '.*.', '...'], include: ['wins'] },
    { cases: [{ rows: 1, cols: 3, mines: [[0, 1]] }, { board: ['...'] }] },
    { board: ['..', '.'] },
  ];
  for (const body of fields) {
    const { data, error } = await client.POST('/mine', { body });
    answers.push(error ? told(error) : mine(data));
  }

  // In a link, the case is JSON in a parameter, so there is always a single answer.
  for (const field of [['...'], []]) {
    const query = { case: JSON.stringify({ board: field }), format: 'json' as const };
    const { data, error } = await client.GET('/mine', { params: { query } });
    answers.push(error ? told(error) : `${data.verdict} ${data.nimber}`);
  }

  // Routes about the service itself.
  const { data: limits } = await client.GET('/limits');
  answers.push(`${limits?.max_cases}`);
  return answers;
}

// None of this should compile.
export async function mistakes(baseUrl: string) {
  const client = createClient<paths, Json>({ baseUrl });
  // @ts-expect-error no such member
  await client.POST('/pawn', { body: { bord: ['O.O', 'X..'] } });
  // @ts-expect-error no such value
  await client.POST('/mine', { body: { board: ['...'], include: ['losses'] } });
  // @ts-expect-error a link needs a case
  await client.GET('/go', { params: { query: { format: 'json' } } });
  const { data, error } = await client.POST('/pawn', { body: { board: ['O.O', 'X..'] } });
  // @ts-expect-error the answer could be that of a batch
  data?.verdict;
  // @ts-expect-error no such code
  error?.errors?.[0]?.code === 'no-such-code';
  // @ts-expect-error a tie has no steps
  if (data && !('results' in data)) data.steps + 1;
}
