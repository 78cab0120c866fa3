import { expect, test } from 'vitest';
import { programFailure, readVitestReport, withProgramFailure } from './vitest.ts';

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

const noFailure = { passed: 2, failures: [], notRunnable: [], skipped: [] };

test('vitest that fails without a failed test keeps what passed and adds the end of its error output', () => {
  const result = {
    code: 1,
    stdout: '2 passed',
    stderr: '\u001B[31mthe tests left behind:\u001B[39m\n  process 5: sleep',
  };
  expect(withProgramFailure('docker', 'vitest', noFailure, result)).toEqual({
    ...noFailure,
    failures: [
      {
        file: 'docker',
        test: undefined,
        message: 'vitest exited with code 1:\n2 passed\nthe tests left behind:\n  process 5: sleep',
      },
    ],
  });
});

test('vitest that fails with a failed test and an unhandled error names both', () => {
  const failure = { file: 'a.test.ts', test: 'is wrong', message: 'expected 1' };
  const result = { code: 1, stdout: '', stderr: 'Unhandled Errors\nError: late' };
  expect(withProgramFailure('unit', 'vitest', { ...noFailure, failures: [failure] }, result).failures).toEqual([
    failure,
    { file: 'unit', test: undefined, message: 'vitest exited with code 1:\nUnhandled Errors\nError: late' },
  ]);
});

test('a failed hook without a message gets the end of the error output', () => {
  const hook = { file: 'a.test.ts', test: undefined, message: '' };
  const result = { code: 1, stdout: '', stderr: 'FAIL a.test.ts\nError: the mount is busy' };
  expect(withProgramFailure('docker', 'vitest', { ...noFailure, failures: [hook] }, result).failures).toEqual([
    { ...hook, message: 'vitest exited with code 1:\nFAIL a.test.ts\nError: the mount is busy' },
  ]);
});

test('vitest that passes, or fails with a failed test, gets no further failure', () => {
  const failing = { ...noFailure, failures: [{ file: 'a.test.ts', test: 'is wrong', message: 'expected 1' }] };
  expect(withProgramFailure('docker', 'vitest', noFailure, { code: 0, stdout: '', stderr: 'a warning' })).toBe(
    noFailure,
  );
  expect(withProgramFailure('docker', 'vitest', failing, { code: 1, stdout: '', stderr: '' })).toEqual(failing);
});

test('a program without error output is described by its last 30 lines, without frames of installed packages', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
  const left = 'process 5: node /r/node_modules/.bin/vite';
  const stdout = [...lines, left, '    at run (/r/node_modules/vitest/run.js:1:1)'].join('\n');
  expect(programFailure('knip', { code: 2, stdout, stderr: '\n' })).toBe(
    ['knip exited with code 2:', ...lines.slice(-29), left].join('\n'),
  );
});
