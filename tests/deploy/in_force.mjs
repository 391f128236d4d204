// The options in force, as reported by --check.

import { execFileSync } from 'node:child_process';

import { COMMAND } from '../server/arbiter.mjs';

/** The values in force with these environment variables, by the names that --check prints. */
export function inForce(variables) {
  const clean = Object.entries(process.env).filter(([name]) => !name.startsWith('ARBITER_'));
  const text = execFileSync(COMMAND[0], [...COMMAND.slice(1), '--check'], { encoding: 'utf8', env: { ...Object.fromEntries(clean), ...variables } });
  return Object.fromEntries(text.trimEnd().split('\n').map((line) => [line.split(' ')[0], line.slice(line.indexOf(' ') + 1)]));
}
