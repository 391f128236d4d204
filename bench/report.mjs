// Updates docs/measurements.md: `script/bench --report [NAME...]`.
//
// A block begins with `<!-- bench NAME -->` and ends with `<!-- end -->`. The text between them is replaced by the output of
// `script/bench NAME` (as code, unless it has a Markdown table), with commit, date and machine; all other text stays as it is. Without
// names, all blocks are updated except those marked as long: `<!-- bench NAME, long -->`. The file is written after each bench, so you
// can stop at any time.

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const TOP = fileURLToPath(new URL('..', import.meta.url));
const PAGE = `${TOP}/docs/measurements.md`;
const BLOCK = /<!-- bench ([a-z-]+)(, long)? -->\n[^]*?<!-- end -->/g;

const blocks = [...readFileSync(PAGE, 'utf8').matchAll(BLOCK)].map(([, name, long]) => ({ name, isLong: long !== undefined }));
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !blocks.some((block) => block.name === name));
if (unknown.length > 0) {
  console.error(`docs/measurements.md has no block named ${unknown.join(', ')}; it has ${blocks.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

const output = (command, ...words) => execFileSync(command, words, { cwd: TOP, encoding: 'utf8' }).trim();

/** The current commit; with a + if there are uncommitted changes in src, api or bench. */
function commit() {
  const changed = output('git', 'status', '--porcelain', '--', 'src', 'api', 'bench') !== '';
  return output('git', 'rev-parse', '--short', 'HEAD') + (changed ? '+' : '');
}

function machine() {
  const [, model = 'an unknown processor'] = /^model name\s*: (.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8')) ?? [];
  const [, system = 'an unknown system'] = /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? [];
  return `${availableParallelism()} x ${model}, ${system}, GCC ${output('gcc', '-dumpfullversion')}`;
}

let failed = false;
for (const { name, isLong } of blocks) {
  if (asked.length === 0 ? isLong : !asked.includes(name)) continue;
  console.error(`script/bench ${name}`);
  const { stdout, status } = spawnSync('script/bench', [name], { cwd: TOP, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) { // keep the old figures
    console.error(`script/bench ${name} failed with status ${status}`);
    failed = true;
    continue;
  }
  const date = new Date().toISOString().slice(0, 10);
  const isMarkdown = /^\| --- /m.test(stdout);
  const text = isMarkdown ? stdout.trim() : `\`\`\`text\n${stdout.trim()}\n\`\`\``;
  const block = `*Commit ${commit()}, ${date}; ${machine()}.*\n\n${text}\n`;
  writeFileSync(PAGE, readFileSync(PAGE, 'utf8').replace(BLOCK, (old, its, long = '') =>
    (its === name ? `<!-- bench ${name}${long} -->\n${block}<!-- end -->` : old)));
}
process.exit(failed ? 1 : 0);
