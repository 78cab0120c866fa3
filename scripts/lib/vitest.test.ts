import { expect, test } from 'vitest';
import { readVitestReport } from './vitest.ts';

const report = (testResults: readonly object[]) => JSON.stringify({ testResults });
const nothing = () => undefined;
const passing = { fullName: 'fine', status: 'passed', failureMessages: [] };

test('a report names each failed test with its file and its message', () => {
  const text = report([
    { name: '/r/a.test.ts', status: 'passed', message: '', assertionResults: [passing] },
    {
      name: '/r/packages/b.test.ts',
      status: 'failed',
      message: '',
      assertionResults: [
        passing,
        { fullName: 'a group is wrong', status: 'failed', failureMessages: ['\u001B[31mexpected 1\u001B[39m'] },
      ],
    },
  ]);
  expect(readVitestReport(text, '/r', nothing)).toEqual({
    passed: 2,
    failures: [{ file: 'packages/b.test.ts', test: 'a group is wrong', message: 'expected 1' }],
    notRunnable: [],
    skipped: [],
  });
});

test('a file that could not be loaded is a failure of its own', () => {
  const text = report([{ name: '/r/a.test.ts', status: 'failed', message: 'no such module', assertionResults: [] }]);
  expect(readVitestReport(text, '/r', nothing).failures).toEqual([
    { file: 'a.test.ts', test: undefined, message: 'no such module' },
  ]);
});

test('a skipped test with needs that the machine lacks is not runnable here, any other is skipped', () => {
  const assertionResults = [
    { fullName: 'mounts', status: 'skipped', meta: { needs: ['root'] } },
    { fullName: 'forgotten', status: 'pending', meta: {} },
  ];
  const text = report([{ name: '/r/a.test.ts', status: 'passed', message: '', assertionResults }]);
  const explain = (file: string, needs: readonly string[]) =>
    needs.length > 0 ? `${file} needs ${needs.join()}` : undefined;
  expect(readVitestReport(text, '/r', explain)).toMatchObject({
    passed: 0,
    notRunnable: [{ file: 'a.test.ts', test: 'mounts', reason: 'a.test.ts needs root' }],
    skipped: ['a.test.ts › forgotten'],
  });
});
