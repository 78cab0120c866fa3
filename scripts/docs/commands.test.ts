/** Checks every shell command in the documentation against the programs that it calls. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { parseCommandLine } from '../../apps/server/src/cli/options.ts';
import { isShell } from '../../packages/command-line/src/index.ts';
import { blocksOf, root } from './example-edits.ts';
import { otherPrograms } from './known-programs.ts';
import type { Call } from './parse-calls.process.ts';
import { referenceDocuments } from './reference/reference-documents.ts';
import { commandsIn, commandsOfBlock, type ShellCommand } from './shell-words.ts';
import { commandPages } from './shown-lines.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };

/** The programs that the scripts of package.json run, except those in `scripts` and `e2e`. */
const programs: Readonly<Record<string, string>> = {
  'apps/cli/src/main.ts': 'cli',
  'apps/lab/src/main.ts': 'lab',
  'apps/package/src/main.ts': 'package',
};

interface Shown {
  readonly page: string;
  readonly command: ShellCommand;
}

const shown: readonly Shown[] = commandPages.flatMap((page) =>
  blocksOf(read(page))
    .filter(({ language }) => ['sh', 'bash', 'console'].includes(language))
    .flatMap(({ language, text }) => commandsOfBlock(language, text).map((command) => ({ page, command }))),
);

/** The check of a command: a call that is passed to a program's parser, or a problem that is already known. */
type Check = { readonly call: Call } | { readonly problem: string };
const fine: Check = { problem: '' };

/** Runs a check that throws for a wrong command. */
function checked(check: () => void): Check {
  try {
    check();
    return fine;
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** The variables that the pages export before they start a server. */
const exported: Readonly<Record<string, string>> = Object.fromEntries(
  shown.flatMap(({ command: [first, assignment = ''] }) =>
    first === 'export' && assignment.startsWith('PODSCOPE_') ? [assignment.split('=')] : [],
  ),
);

const server = (args: readonly string[]): Check => checked(() => void parseCommandLine(args, exported));

function podscope(words: readonly string[]): Check {
  const [name = 'start', ...args] = words;
  if (name.startsWith('-')) return name === '--help' ? fine : server(words);
  if (name === 'start') return server(args);
  // The completion command has no options, and loading it would load every other command.
  if (name === 'completion') return checked(() => expect(isShell(args[0] ?? '')).toBe(true));
  return { call: { program: 'cli', words: [name, ...args] } };
}

/** Checks a call of vitest: the project and the files must exist. */
const vitest = (args: readonly string[]): Check =>
  checked(() => {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { project: { type: 'string' } },
      allowPositionals: true,
    });
    expect(read('vitest.config.ts')).toContain(`name: '${values.project}'`);
    for (const path of positionals.slice(1))
      expect({ path, exists: existsSync(join(root, path)) }).toMatchObject({ exists: true });
  });

/** Checks a script of package.json that isn't a program with commands. */
function script(name: string, args: readonly string[]): Check {
  if (name === 'install') return fine;
  if (name === 'exec' && args[0] === 'vitest') return vitest(args.slice(1));
  if (name === 'isolated' && args[0] === 'vitest') return vitest(args.slice(1));
  if (name === 'generate')
    return checked(() => {
      const paths = [...referenceDocuments.keys(), 'docs/reference/licenses.md', 'point-sources.generated.ts'];
      expect(paths.some((path) => path.includes(args[0] ?? ''))).toBe(true);
    });
  if (name === 'test')
    return checked(() => {
      const { values } = parseArgs({
        args: [...args],
        options: { only: { type: 'string' }, changed: { type: 'boolean' }, base: { type: 'string' } },
      });
      for (const stage of values.only?.split(',') ?? [])
        expect(['checks', 'unit', 'docker', 'e2e', 'long']).toContain(stage);
    });
  return args.length === 0 ? fine : { problem: `no rule for the arguments of ${name}` };
}

function pnpm([name = '', ...args]: readonly string[]): Check {
  if (name === 'start') return server(args);
  const text = scripts[name];
  if (text === undefined)
    return ['install', 'exec'].includes(name) ? script(name, args) : { problem: `no script ${name}` };
  const [start, program] = Object.entries(programs).find(([prefix]) => text.includes(prefix)) ?? [];
  if (start === undefined || program === undefined) return script(name, args);
  // A script names its command, as in `node apps/lab/src/main.ts bench`. Only `podscope` and `build:package` don't name
  // one.
  const own = text.slice(text.indexOf(start) + start.length).trim();
  if (program === 'cli' && own === '') return podscope(args);
  return { call: { program, words: [...(own === '' ? ['build:package'] : own.split(' ')), ...args] } };
}

function checkOf(command: ShellCommand): Check {
  const [first = '', second = '', ...rest] = command;
  if (first === 'npx') {
    if (second === '-y' && rest[0] === 'pnpm@12') return pnpm(rest.slice(1));
    if (second === 'podscope') return podscope(rest);
    if (second === 'playwright') return fine;
  }
  if (first === 'podscope') return podscope(command.slice(1));
  // Accept the command that the page adds; adding.test.ts runs it.
  if (first === 'node' && second === 'apps/cli/src/main.ts' && rest[0] === 'count') return fine;
  if (first === 'kubectl' && second === 'podscope') return { call: { program: 'kubectl', words: rest } };
  if (first === 'docker' && command.includes('podscope') && second === 'run')
    return podscope(command.slice(command.indexOf('podscope') + 1));
  return otherPrograms.has(first) ? fine : { problem: `no rule for the program ${first}` };
}

const checks = shown.map((each) => ({ ...each, check: checkOf(each.command) }));
let problems: readonly string[] = [];

beforeAll(async () => {
  const child = fork(join(import.meta.dirname, 'parse-calls.process.ts'), { silent: true });
  child.send(checks.flatMap(({ check }) => ('call' in check ? [check.call] : [])));
  [problems] = (await once(child, 'message')) as [readonly string[]];
});

it('shows only commands, options and values that the programs accept', () => {
  const parsed = [...problems];
  const found = checks.flatMap(({ page, command, check }) => {
    const problem = 'call' in check ? parsed.shift() : check.problem;
    return problem === '' ? [] : [`${page}: ${command.join(' ')}: ${problem}`];
  });
  expect(found).toEqual([]);
  expect(parsed).toEqual([]);
  expect(problems.length).toBeGreaterThan(60);
});

it('has a rule only for programs that a page calls', () => {
  const called = new Set(shown.map(({ command: [first] }) => first));
  expect([...otherPrograms.keys()].filter((program) => !called.has(program))).toEqual([]);
});

it('splits quotes, pipelines, comments and redirections as a shell does', () => {
  expect(commandsIn(`A=1 run 'a b' --x "c # d" > out.txt | jq '.e|f' # note`)).toEqual([
    ['run', 'a b', '--x', 'c # d'],
    ['jq', '.e|f'],
  ]);
  expect(commandsOfBlock('console', '$ one \\\n  two && three\noutput | four\n')).toEqual([['one', 'two'], ['three']]);
});
