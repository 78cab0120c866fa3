import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expand, mappingOf } from './expansion.ts';

describe('expand', () => {
  it.each([
    ['$$(A)', '$(A)'],
    ['$$$(A)', '$1'],
    ['$(A(B))', '$(A(B))'],
    ['$()', 'empty'],
    ['$(A', '$(A'],
    ['$A', '$A'],
    ['tail $', 'tail $'],
    ['$(LOOP)', '$(A)'],
    ['$(toString)', '$(toString)'],
    ['$(A)$($(A', '1$($(A'],
  ])('expands %s to %s', (input, output) => {
    expect(expand(input, mappingOf({ A: '1', '': 'empty', LOOP: '$(A)' }))).toBe(output);
  });

  it('uses the first mapping that contains the name', () => {
    expect(expand('$(A)$(B)', mappingOf({ A: '1' }, new Map(Object.entries({ A: '2', B: '3' }))))).toBe('13');
  });

  it('returns any text unchanged if its dollar signs are doubled', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(expand(text.replaceAll('$', '$$$$'), () => 'never')).toBe(text);
      }),
    );
  });
});
