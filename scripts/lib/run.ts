/** Runs other programs for the scripts. */
import { type SpawnOptions, spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';

/** The exit code and output of a program that ended. */
export interface RunResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program to its end and returns what it printed. `input` goes to its standard input. An exit code other than 0
 * is a result, not an error; the promise rejects only if the program can't be started.
 */
export function run(
  command: string,
  args: readonly string[],
  options: SpawnOptions & { input?: Uint8Array | string } = {},
): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const { input, ...rest } = options;
    const child = spawn(command, args, { ...rest, stdio: ['pipe', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, stdout, stderr }));
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input ?? '');
  });
}

/**
 * Runs a program, copies its lines to this process's output with a prefix, and returns what `run` returns. The error
 * output of a program that a signal ended names the signal.
 */
export async function showPrefixed(
  prefix: string,
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<RunResult> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const lines = { stdout: [] as string[], stderr: [] as string[] };
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = child[name];
    if (stream)
      createInterface(stream).on('line', (line) => {
        lines[name].push(line);
        console.log(`${prefix}${line}`);
      });
  }
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (value, signal) => {
      if (signal) lines.stderr.push(`${command} was ended by ${signal}`);
      resolve(value ?? 1);
    });
  });
  return { code, stdout: lines.stdout.join('\n'), stderr: lines.stderr.join('\n') };
}

/** Runs a program with its output shown and returns its exit code. */
export function show(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** Runs a program that must succeed and returns its standard output. @throws Error with what it printed */
export async function must(
  command: string,
  args: readonly string[],
  options: SpawnOptions & { input?: Uint8Array | string } = {},
): Promise<string> {
  const { code, stdout, stderr } = await run(command, args, options);
  if (code !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with code ${code}:\n${(stderr || stdout).trim()}`);
  return stdout;
}

/** Returns the path of a program in PATH; undefined if PATH doesn't contain it. */
export async function which(command: string): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const candidate = join(folder, command);
    if (
      await access(candidate, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return candidate;
  }
  return undefined;
}
