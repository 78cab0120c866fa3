/** Runs the browser tests and reads Playwright's JSON report. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { must, showPrefixed } from './run.ts';
import {
  type Failure,
  type NotRunnable,
  programFailure,
  type TestCounts,
  type VitestOptions,
  withProgramFailure,
} from './vitest.ts';

interface Suite {
  readonly title: string;
  readonly file?: string | undefined;
  readonly specs: readonly z.infer<typeof specSchema>[];
  readonly suites?: readonly Suite[] | undefined;
}

const specSchema = z.object({
  title: z.string(),
  file: z.string(),
  tests: z.array(
    z.object({
      status: z.enum(['expected', 'unexpected', 'flaky', 'skipped']),
      annotations: z.array(z.object({ type: z.string(), description: z.string().optional() })),
      results: z.array(z.object({ errors: z.array(z.object({ message: z.string().optional() })) })),
    }),
  ),
});

const suiteSchema: z.ZodType<Suite> = z.lazy(() =>
  z.object({
    title: z.string(),
    file: z.string().optional(),
    specs: z.array(specSchema),
    suites: z.array(suiteSchema).optional(),
  }),
);

const schema = z.object({
  suites: z.array(suiteSchema),
  errors: z.array(z.object({ message: z.string().optional() })),
});

/** Reads the report of Playwright's JSON reporter. @throws ZodError if the text isn't such a report */
export function readPlaywrightReport(text: string): TestCounts {
  const { suites, errors } = schema.parse(JSON.parse(text));
  const failures: Failure[] = errors.map(({ message = '' }) => ({
    file: 'e2e',
    test: undefined,
    message: stripVTControlCharacters(message),
  }));
  const notRunnable: NotRunnable[] = [];
  const skipped: string[] = [];
  let passed = 0;
  const read = (suite: Suite, titles: readonly string[]): void => {
    for (const { title, file, tests } of suite.specs)
      for (const { status, annotations, results } of tests) {
        const test = [...titles, title].join(' › ');
        const reason = annotations.find(({ type }) => type === 'skip')?.description;
        const path = `e2e/web/${file}`;
        if (status === 'expected') passed++;
        else if (status === 'skipped' && reason !== undefined) notRunnable.push({ file: path, test, reason });
        else if (status === 'skipped') skipped.push(`${path} › ${test}`);
        else {
          const messages = results.flatMap((result) => result.errors.map(({ message = '' }) => message));
          failures.push({ file: path, test, message: stripVTControlCharacters(messages.join('\n')) });
        }
      }
    for (const inner of suite.suites ?? []) read(inner, [...titles, inner.title]);
  };
  for (const suite of suites) read(suite, []);
  return { passed, failures, notRunnable, skipped };
}

/** Runs the browser tests. @throws Error with the end of Playwright's output if Playwright leaves no report */
export async function runPlaywright(options: VitestOptions): Promise<TestCounts> {
  const { root, env, report, args = [], inside = (command) => command } = options;
  await rm(report, { force: true });
  const cwd = join(root, 'e2e');
  const [program, ...rest] = inside([join(cwd, 'node_modules/.bin/playwright'), 'test', ...args], cwd);
  const path = `${join(root, 'node_modules/.bin')}:${env['PATH'] ?? ''}`;
  const result = await showPrefixed('browser │ ', program, rest, {
    cwd,
    env: { ...env, PATH: path, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  });
  const text = await readFile(report, 'utf8').catch(() => undefined);
  if (text === undefined) throw new Error(programFailure('playwright left no report and', result));
  return withProgramFailure('e2e', 'playwright', readPlaywrightReport(text), result);
}

/** Returns the browser tests, each marked as not runnable with a reason. @throws Error if Playwright can't list them */
export async function listBrowserTests(options: VitestOptions, reason: string): Promise<TestCounts> {
  const cwd = join(options.root, 'e2e');
  const playwright = join(cwd, 'node_modules/.bin/playwright');
  const text = await must(playwright, ['test', '--list', '--reporter=json'], { cwd, env: options.env });
  const { skipped } = readPlaywrightReport(text);
  const notRunnable = skipped.map((name) => {
    const [file = '', ...titles] = name.split(' › ');
    return { file, test: titles.join(' › '), reason };
  });
  return { passed: 0, failures: [], notRunnable, skipped: [] };
}
