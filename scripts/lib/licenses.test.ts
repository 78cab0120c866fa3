import { describe, expect, it } from 'vitest';
import { isAllowed, licensesDocument } from './licenses.ts';

describe('isAllowed', () => {
  it.each([
    ['MIT', true],
    ['MIT OR GPL-3.0', true],
    ['(MIT OR CC0-1.0)', true],
    ['(Apache-2.0 AND MIT)', true],
    ['GPL-3.0', false],
    ['MIT AND GPL-3.0', false],
    ['Unknown', false],
    ['SEE LICENSE IN LICENSE.md', false],
  ])('%s: %s', (expression, allowed) => expect(isAllowed(expression)).toBe(allowed));
});

it('lists packages the same way on every platform', () => {
  const one = { name: 'a', versions: ['1.0.0'], license: 'MIT' };
  expect(licensesDocument([one, { name: '@a/b-linux-x64-gnu', versions: ['1.0.0'], license: 'MIT' }])).toBe(
    licensesDocument([one]),
  );
});
