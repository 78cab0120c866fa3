/** Runs a vitest project and reads its JSON report. */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { type RunResult, showPrefixed } from './run.ts';

/** A failed test, a file that could not be loaded, or a stage that failed without a failed test. */
export interface Failure {
  /** Path of the file, relative to the root; name of the stage. */
  readonly file: string;
  /** Name of the test; undefined if the file or the stage itself failed. */
  readonly test: string | undefined;
  /** The error messages, without colors. */
  readonly message: string;
}

/** A test that this machine can't run. */
export interface NotRunnable {
  readonly file: string;
  readonly test: string;
  readonly reason: string;
}

/** The results of one run. */
export interface TestCounts {
  readonly passed: number;
  readonly failures: readonly Failure[];
  readonly notRunnable: readonly NotRunnable[];
  /** Names of tests that were skipped for no stated reason. */
  readonly skipped: readonly string[];
}

const schema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
          meta: z.object({ needs: z.array(z.string()).optional() }).optional(),
        }),
      ),
    }),
  ),
});

/** Returns the reason why a test with these needs can't run; undefined if it can. */
export type Explain = (file: string, needs: readonly string[]) => string | undefined;

/** Reads the report of vitest's JSON reporter. @throws ZodError if the text isn't such a report */
export function readVitestReport(text: string, root: string, explain: Explain): TestCounts {
  const failures: Failure[] = [];
  const notRunnable: NotRunnable[] = [];
  const skipped: string[] = [];
  let passed = 0;
  for (const { name, status, message, assertionResults } of schema.parse(JSON.parse(text)).testResults) {
    const file = relative(root, name);
    if (status === 'failed' && !assertionResults.some((each) => each.status === 'failed'))
      failures.push({ file, test: undefined, message: stripVTControlCharacters(message) });
    for (const { fullName: test, status: result, failureMessages, meta } of assertionResults) {
      if (result === 'passed') passed++;
      else if (result === 'failed')
        failures.push({ file, test, message: stripVTControlCharacters((failureMessages ?? []).join('\n')) });
      else {
        const reason = explain(file, meta?.needs ?? []);
        if (reason === undefined) skipped.push(`${file} › ${test}`);
        else notRunnable.push({ file, test, reason });
      }
    }
  }
  return { passed, failures, notRunnable, skipped };
}

/** A program and its arguments. */
export type Command = readonly [string, ...string[]];

/** How to run a project. */
export interface VitestOptions {
  /** The root of the repository. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly explain: Explain;
  /** File to which the report is written. */
  readonly report: string;
  /** Further arguments: files, `--changed`. */
  readonly args?: readonly string[];
  /** Returns the command that runs `command` in the environment of the tests. Default: on this machine. */
  readonly inside?: (command: Command, cwd: string) => Command;
}

const bin = (root: string, name: string): string => resolve(root, 'node_modules/.bin', name);

/** Returns the lines without the stack frames of Node and of installed packages. */
export const withoutInstalledFrames = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => !/^\s*(?:at|❯) .*(?:node_modules|new Promise|node:internal)/.test(line));

/** How many lines of a program's output explain its failure. */
const shownLines = 30;

/** Describes a failed program: its exit code and the end of its output. The error output counts as the later part. */
export function programFailure(program: string, { code, stdout, stderr }: RunResult): string {
  const lines = [stdout, stderr].flatMap((text) => stripVTControlCharacters(text).split('\n'));
  const shown = withoutInstalledFrames(lines).filter((line) => line.trim() !== '');
  return [`${program} exited with code ${code}:`, ...shown.slice(-shownLines)].join('\n');
}

/**
 * Completes the failures of a report with what a program printed: the reason of a hook's failure, for which vitest may
 * report no message, an unhandled error, and what tests left behind.
 * @param stage the file of an added failure
 */
export function withProgramFailure(stage: string, program: string, counts: TestCounts, result: RunResult): TestCounts {
  if (result.code === 0) return counts;
  const message = programFailure(program, result);
  const failures = counts.failures.map((failure) => (failure.message === '' ? { ...failure, message } : failure));
  const isElsewhere = /Unhandled Error|error during close/.test(result.stderr);
  if (failures.length > 0 && !isElsewhere) return { ...counts, failures };
  return { ...counts, failures: [...failures, { file: stage, test: undefined, message }] };
}

/** Runs a project's tests. @throws Error with the end of vitest's output if vitest leaves no report */
export async function runVitest(project: string, options: VitestOptions): Promise<TestCounts> {
  const { root, env, report, explain, args = [], inside = (command) => command } = options;
  await mkdir(dirname(report), { recursive: true });
  await rm(report, { force: true });
  const [program, ...rest] = inside(
    [
      bin(root, 'vitest'),
      'run',
      '--project',
      project,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...args,
    ],
    root,
  );
  const path = `${join(root, 'node_modules/.bin')}:${env['PATH'] ?? ''}`;
  const result = await showPrefixed(`${project} │ `, program, rest, { cwd: root, env: { ...env, PATH: path } });
  const text = await readFile(report, 'utf8').catch(() => undefined);
  if (text === undefined) throw new Error(programFailure('vitest left no report and', result));
  return withProgramFailure(project, 'vitest', readVitestReport(text, root, explain), result);
}
