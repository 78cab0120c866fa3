import { expect, it } from 'vitest';
import { completionsAt } from './complete-expression.ts';

const variables = ['attempt', 'apiStatus', 'container', 'error', 'pod', 'podName'];

it.each([
  ['at', 2, 0, ['attempt']],
  ['attempt > 1 && po', 17, 15, ['pod', 'podName']],
  ['A', 1, 0, ['attempt', 'apiStatus']],
  ['attempt', 7, 0, []],
  ['pod.po', 6, 0, []],
  ['error.contains("po', 18, 0, []],
  ['x > ', 4, 0, []],
  ['pod == 1', 2, 0, []],
  ['at', undefined, 0, []],
] as const)('completes %j at %s', (text, caret, from, names) => {
  expect(completionsAt(text, caret, variables)).toEqual({ from, names });
});
