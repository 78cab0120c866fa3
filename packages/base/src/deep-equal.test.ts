import { describe, expect, it } from 'vitest';
import { deepEqual } from './deep-equal.ts';

describe('deepEqual', () => {
  it.each<[unknown, unknown, boolean]>([
    [{ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }, true],
    [{ a: undefined }, {}, true],
    [{ a: { b: undefined } }, { a: {} }, true],
    [{ a: null }, {}, false],
    [{ a: [] }, {}, false],
    [{ a: {} }, { a: [] }, false],
    [[1, 2], [2, 1], false],
    [{ a: 0 }, { a: -0 }, false],
    [Number.NaN, Number.NaN, true],
    ['1', 1, false],
    [null, undefined, false],
  ])('compares %j with %j: %s', (a, b, expected) => {
    expect(deepEqual(a, b)).toBe(expected);
    expect(deepEqual(b, a)).toBe(expected);
  });

  it('treats members as missing that the given predicate accepts', () => {
    const isNull = (value: unknown): boolean => value === undefined || value === null;
    expect(deepEqual({ a: { b: null } }, { a: {} }, isNull)).toBe(true);
    expect(deepEqual({ a: { b: 0 } }, { a: {} }, isNull)).toBe(false);
    const isEmpty = (value: unknown): boolean => value === undefined || JSON.stringify(value) === '{}';
    expect(deepEqual({ a: { b: {} } }, { a: {} }, isEmpty)).toBe(true);
  });
});
