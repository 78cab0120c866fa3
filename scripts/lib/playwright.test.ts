import { expect, it } from 'vitest';
import { readPlaywrightReport } from './playwright.ts';

const spec = (title: string, test: object) => ({
  title,
  file: 'page/pod.spec.ts',
  tests: [{ annotations: [], results: [], ...test }],
});

it('counts what passed, names what failed with its messages, and what this machine cannot run with the reason', () => {
  const suite = {
    title: 'page/pod.spec.ts',
    file: 'page/pod.spec.ts',
    specs: [spec('draws', { status: 'expected' })],
    suites: [
      {
        title: 'on docker',
        specs: [
          spec('runs', {
            status: 'unexpected',
            results: [{ errors: [{ message: '\u001B[31mnot visible\u001B[39m' }] }],
          }),
          spec('pulls', {
            status: 'skipped',
            annotations: [{ type: 'skip', description: 'no Docker engine answers' }],
          }),
          spec('waits', { status: 'skipped' }),
        ],
      },
    ],
  };
  expect(readPlaywrightReport(JSON.stringify({ suites: [suite], errors: [] }))).toEqual({
    passed: 1,
    failures: [{ file: 'e2e/web/page/pod.spec.ts', test: 'on docker › runs', message: 'not visible' }],
    notRunnable: [{ file: 'e2e/web/page/pod.spec.ts', test: 'on docker › pulls', reason: 'no Docker engine answers' }],
    skipped: ['e2e/web/page/pod.spec.ts › on docker › waits'],
  });
});

it('counts an error outside of tests as a failure', () => {
  const text = JSON.stringify({ suites: [], errors: [{ message: 'no such module' }] });
  expect(readPlaywrightReport(text).failures).toEqual([{ file: 'e2e', test: undefined, message: 'no such module' }]);
});
