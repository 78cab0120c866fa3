import { describe, expect, it } from 'vitest';
import { formatValue, membersOf, typeOf } from './format-value.ts';

const same = (text: string): string => text;

describe('formatValue', () => {
  it.each([
    [undefined, 'null', 'null'],
    ['a "b"', '"a \\"b\\""', 'string'],
    [12n, '12', 'int'],
    [1.5, '1.5', 'double'],
    [[], '[]', 'list'],
    [{}, '{}', 'map'],
    [new Map([['a', [1, 2]]]), '{a: [1, 2]}', 'map'],
    [new Set(['x']), '["x"]', 'list'],
    [new TypeError('no'), 'TypeError: no', 'TypeError'],
    [new TextEncoder().encode('out'), '"out"', 'bytes'],
    [{ a: { b: { c: { d: 1 } } } }, '{a: {b: {…}}}', 'map'],
    [{ a: 1, b: undefined }, '{a: 1}', 'map'],
  ])('formats value %#', (value, text, type) => {
    expect(formatValue(value, same)).toBe(text);
    expect(typeOf(value)).toBe(type);
  });

  it('masks before truncating, so that no part of a secret remains', () => {
    const secret = 'correct horse battery staple';
    const shown = formatValue(`${'x'.repeat(990)}${secret}`, (text) => text.replaceAll(secret, '••••••'));
    expect(shown).not.toContain('corr');
    expect(shown.length).toBeLessThanOrEqual(1_001);
  });
});

it('returns members by page', () => {
  const list = Array.from({ length: 250 }, (_, index) => index);
  expect(membersOf(list, 248, 10)).toEqual([
    { name: '248', value: 248 },
    { name: '249', value: 249 },
  ]);
});
