import { expect, test } from 'vitest';
import { readVitestReport } from './vitest.ts';

const report = (testResults: readonly object[]) => JSON.stringify({ numPassedTests: 2, numPendingTests: 1, testResults });

test('a report names each failed test with its file and what it said', () => {
  const text = report([
    { name: '/r/a.test.ts', status: 'passed', message: '', assertionResults: [{ fullName: 'fine', status: 'passed', failureMessages: [] }] },
    {
      name: '/r/packages/b.test.ts',
      status: 'failed',
      message: '',
      assertionResults: [
        { fullName: 'fine', status: 'passed', failureMessages: [] },
        { fullName: 'a pod is ready', status: 'failed', failureMessages: ['\u001b[31mexpected\u001b[39m 1, got 2'] },
      ],
    },
  ]);
  expect(readVitestReport(text, '/r')).toEqual({
    passed: 2,
    skipped: 1,
    failures: [{ file: 'packages/b.test.ts', test: 'a pod is ready', message: 'expected 1, got 2' }],
  });
});

test('a file that could not be loaded is a failure of its own', () => {
  const text = report([{ name: '/r/a.test.ts', status: 'failed', message: 'no such module', assertionResults: [] }]);
  expect(readVitestReport(text, '/r').failures).toEqual([{ file: 'a.test.ts', test: undefined, message: 'no such module' }]);
});
