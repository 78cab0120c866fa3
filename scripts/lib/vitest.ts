/** Running a vitest project, and reading what it reports. */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { run, show } from './run.ts';

/** A test that failed, or a file that could not be loaded. */
export interface Failure {
  /** Relative to the root. */
  readonly file: string;
  /** Undefined for the file itself. */
  readonly test: string | undefined;
  /** What it said, without colours. */
  readonly message: string;
}

/** What a run of a project came to. */
export interface VitestRun {
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
}

const schema = z.object({
  numPassedTests: z.number(),
  numPendingTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() })),
    }),
  ),
});

/** Reads the report of vitest's JSON reporter. @throws ZodError when it is none */
export function readVitestReport(text: string, root: string): VitestRun {
  const { numPassedTests, numPendingTests, testResults } = schema.parse(JSON.parse(text));
  const failures = testResults.flatMap(({ name, status, message, assertionResults }): Failure[] => {
    const file = relative(root, name);
    const failed = assertionResults.filter((each) => each.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [{ file, test: undefined, message: stripVTControlCharacters(message) }];
    return failed.map((each) => ({ file, test: each.fullName, message: stripVTControlCharacters((each.failureMessages ?? []).join('\n')) }));
  });
  return { passed: numPassedTests, skipped: numPendingTests, failures };
}

interface VitestOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Where the report goes. */
  readonly report: string;
  /** Its output is kept until it is over: another stage speaks meanwhile. */
  readonly isQuiet?: boolean;
  /** Only these; all of the project's without. */
  readonly files?: readonly string[];
}

/** Runs a project's tests. @throws Error when vitest leaves no report, or fails without a failed test */
export async function runVitest(project: string, { cwd, env, report, isQuiet = false, files = [] }: VitestOptions): Promise<VitestRun> {
  await mkdir(dirname(report), { recursive: true });
  await rm(report, { force: true });
  const command = ['exec', 'vitest', 'run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...files];
  const { code, stdout, stderr } = isQuiet
    ? await run('pnpm', command, { cwd, env })
    : { code: await show('pnpm', command, { cwd, env }), stdout: '', stderr: '' };
  if (isQuiet) console.log(`\n── what the tests of ${project} said\n${stdout}${stderr}`);
  const text = await readFile(report, 'utf8').catch(() => undefined);
  if (text === undefined) throw new Error(`vitest ended with code ${code} and left no report`);
  const result = readVitestReport(text, cwd);
  if (code !== 0 && result.failures.length === 0) throw new Error(`vitest ended with code ${code} and no failed test: see what it said above`);
  return result;
}
