import { describe, expect, it } from 'vitest';
import { KnownValues, masked } from './known-values.ts';

const of = (...values: string[]): KnownValues => {
  const known = new KnownValues({ spellings: (value) => [encodeURIComponent(value)], shortestInside: 6 });
  for (const value of values) known.add(value);
  return known;
};

describe('KnownValues', () => {
  it('returns a text without values as it is', () => {
    expect(of('hunter2').replaceIn('no secret here')).toBe('no secret here');
    expect(of().replaceIn('hunter2')).toBe('hunter2');
  });

  it('replaces overlapping values with one mask, and adjacent values with one mask each', () => {
    expect(of('abcdef', 'defghi').replaceIn('x abcdefghi y')).toBe(`x ${masked} y`);
    expect(of('abcdef', 'ghijkl').replaceIn('abcdefghijkl')).toBe(masked + masked);
  });

  it('replaces other spellings, and a short value only as a whole word', () => {
    expect(of('a/b&c!').replaceIn('?token=a%2Fb%26c!')).toBe(`?token=${masked}`);
    expect(of('pass').replaceIn('pass passage')).toBe(`${masked} passage`);
  });
});
