import { expect, it } from 'vitest';
import { missingFromMask } from './capabilities.ts';

it('returns the capabilities missing from a mask', () => {
  expect(missingFromMask('Name:\tnode\nCapBnd:\t000001fffeffffff\nCapAmb:\t0000000000000000\n')).toEqual([
    'SYS_RESOURCE',
  ]);
  expect(missingFromMask('CapBnd:\t000001ffffffffff')).toEqual([]);
  expect(missingFromMask('CapBnd:\t000001fffffffffe')).toEqual(['CHOWN']);
});

it('returns no capabilities for a text without a mask', () => {
  expect(missingFromMask('')).toEqual([]);
});
