/** Runs pipelines and compound commands: groups, subshells, conditions and loops. */
import type { Process } from '../machine/process.ts';
import { type Input, Pipe } from '../machine/streams.ts';
import { Jump, type Streams } from './control.ts';
import { type ExpansionScope, expandPattern, expandText, expandWords } from './expansion/expansion.ts';
import { patternToRegExp } from './expansion/pattern.ts';
import type { Command, Compound, Sequence } from './parse/syntax.ts';

/** The operations of the shell that compound commands need. */
export interface CommandRunner extends ExpansionScope {
  readonly process: Process;
  run(command: Command, streams: Streams): Promise<number>;
  runSequence(sequence: Sequence, streams: Streams): Promise<number>;
  /** Runs `body` as a condition: a failure doesn't end the script, even with errexit. */
  asCondition(body: () => Promise<number>): Promise<number>;
  /** Starts a child process that runs a part of the script in a copy of the shell. */
  fork(streams: Streams, body: (shell: CommandRunner, streams: Streams) => Promise<number>): Process;
  /** Waits for a child and returns its exit code. */
  waitFor(child: Process): Promise<number>;
  runTraps(streams: Streams): Promise<void>;
  /**
   * Sets `$?`.
   * @throws ExitError when the status is a failure and errexit is on
   */
  settle(status: number): number;
  /** Sets `$?` and ignores errexit. */
  setStatus(status: number): number;
}

/** Runs the commands of a pipeline, each in its own process. Returns the exit code of the last one. */
export async function runPipeline(
  shell: CommandRunner,
  commands: readonly Command[],
  negated: boolean,
  streams: Streams,
): Promise<number> {
  const [only] = commands;
  let status = 0;
  if (commands.length === 1 && only) status = await shell.asCondition(() => shell.run(only, streams));
  else {
    let stdin = streams.stdin;
    const children = commands.map((command, index) => {
      const pipe = index < commands.length - 1 ? new Pipe() : undefined;
      const source = stdin;
      if (pipe) stdin = pipe;
      const child = shell.fork({ ...streams, stdin: source, stdout: pipe ?? streams.stdout }, (forked, inner) =>
        forked.run(command, inner),
      );
      void closePipes(child, source, pipe);
      return child;
    });
    for (const child of children) status = await shell.waitFor(child);
    await shell.runTraps(streams);
  }
  return negated ? shell.setStatus(status === 0 ? 1 : 0) : shell.settle(status);
}

/**
 * Closes the pipes of a command when it exits: the next command gets the end of its input, and the previous command
 * gets a broken pipe.
 */
async function closePipes(command: Process, source: Input, pipe: Pipe | undefined): Promise<void> {
  await command.exited;
  pipe?.end();
  if (source instanceof Pipe) source.abandon();
}

/** Runs a compound command and returns its exit code. */
export function runCompound(shell: CommandRunner, command: Compound, streams: Streams): Promise<number> {
  switch (command.kind) {
    case 'group':
      return shell.runSequence(command.body, streams);
    case 'subshell':
      return runSubshell(shell, command.body, streams);
    case 'if':
      return runIf(shell, command, streams);
    case 'loop':
      return runLoop(shell, streams, command.body, async () => {
        const status = await shell.asCondition(() => shell.runSequence(command.condition, streams));
        return (status === 0) !== command.until;
      });
    case 'for':
      return runFor(shell, command, streams);
    default:
      return runCase(shell, command, streams);
  }
}

async function runSubshell(shell: CommandRunner, body: Sequence, streams: Streams): Promise<number> {
  const child = shell.fork(streams, (forked, inner) => forked.runSequence(body, inner));
  const status = await shell.waitFor(child);
  await shell.runTraps(streams);
  return shell.settle(status);
}

async function runIf(
  shell: CommandRunner,
  { branches, otherwise }: Compound & { kind: 'if' },
  streams: Streams,
): Promise<number> {
  for (const { condition, body } of branches) {
    const status = await shell.asCondition(() => shell.runSequence(condition, streams));
    if (status === 0) return shell.runSequence(body, streams);
  }
  return otherwise ? shell.runSequence(otherwise, streams) : 0;
}

async function runFor(
  shell: CommandRunner,
  { name, words, body }: Compound & { kind: 'for' },
  streams: Streams,
): Promise<number> {
  const values = words ? await expandWords(shell, words) : [...shell.positional];
  return runLoop(shell, streams, body, () => {
    const value = values.shift();
    if (value !== undefined) shell.set(name, value);
    return value !== undefined;
  });
}

async function runCase(
  shell: CommandRunner,
  { subject, items }: Compound & { kind: 'case' },
  streams: Streams,
): Promise<number> {
  const text = await expandText(shell, subject);
  for (const { patterns, body } of items) {
    for (const pattern of patterns) {
      if (patternToRegExp(await expandPattern(shell, pattern)).test(text)) return shell.runSequence(body, streams);
    }
  }
  return 0;
}

async function runLoop(
  shell: CommandRunner,
  streams: Streams,
  body: Sequence,
  isContinued: () => boolean | Promise<boolean>,
): Promise<number> {
  let status = 0;
  for (;;) {
    await shell.process.act();
    try {
      if (!(await isContinued())) return status;
      status = await shell.runSequence(body, streams);
    } catch (error) {
      if (!(error instanceof Jump) || error.kind === 'return') throw error;
      if (--error.levels > 0) throw error;
      if (error.kind === 'break') return 0;
    }
  }
}
