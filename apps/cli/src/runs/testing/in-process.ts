/** Runs a command in this process, for tests. */
import { UsageError } from '@podscope/command-line';
import { vi } from 'vitest';
import { commands } from '../../commands.ts';

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in this process and returns its output and exit code. */
export async function podscope(name: string, ...args: string[]): Promise<Outcome> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void stdout.push(`${line}\n`));
  const error = vi.spyOn(console, 'error').mockImplementation((line: string) => void stderr.push(`${line}\n`));
  try {
    const listed = commands[name];
    if (!listed) throw new Error(`no command ${name}`);
    const code = await (await listed.load()).run(args).catch((reason: unknown) => {
      if (!(reason instanceof UsageError)) throw reason;
      stderr.push(reason.message);
      return 2;
    });
    return { code, stdout: stdout.join(''), stderr: stderr.join('') };
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
}
