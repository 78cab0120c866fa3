import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseHitCondition } from './hit-condition.ts';
import { matchesWildcard } from './wildcard.ts';

it('matches like the equivalent regular expression', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 12 });
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), maxLength: 8 });
  fc.assert(
    fc.property(pattern, text, (wanted, given) => {
      const expression = new RegExp(`^${wanted.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.')}$`);
      expect(matchesWildcard(wanted, given)).toBe(expression.test(given));
    }),
    { numRuns: 1_000 },
  );
});

it.each([
  ['3', [3]],
  ['== 2', [2]],
  ['>= 4', [4, 5, 6]],
  ['>4', [5, 6]],
  ['<= 2', [1, 2]],
  ['< 2', [1]],
  ['% 3', [3, 6]],
])('the hit condition %s counts hits %j', (text, counted) => {
  const counts = parseHitCondition(text);
  expect([1, 2, 3, 4, 5, 6].filter(counts)).toEqual(counted);
});

it.each(['', 'x', '% 0', '5.5', '>= -1', '99999999999999999999'])('rejects the hit condition %j', (text) =>
  expect(() => parseHitCondition(text)).toThrow('hit condition'),
);
