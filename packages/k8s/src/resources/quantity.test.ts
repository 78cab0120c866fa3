import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  isQuantity,
  parseQuantity,
  QuantityError,
  quantityFormatMessage,
  quantityMilliValue,
  quantityOf,
  quantityOfMilli,
  quantityValue,
  roundUpToMilli,
  subtractQuantities,
} from './quantity.ts';

describe('parseQuantity and formatQuantity', () => {
  it.each([
    ['0', '0'],
    ['0Ki', '0'],
    ['100m', '100m'],
    ['0.5', '500m'],
    [0.5, '500m'],
    [2, '2'],
    ['1000m', '1'],
    ['1500m', '1500m'],
    ['1.5Gi', '1536Mi'],
    ['1024Ki', '1Mi'],
    ['1024', '1024'],
    ['1Ki', '1Ki'],
    ['0.5Ki', '512'],
    ['0.0001Ki', '102400u'],
    ['1.5Ki', '1536'],
    ['2.5Ki', '2560'],
    ['1000k', '1M'],
    ['1E', '1E'],
    ['1e3', '1e3'],
    ['1E3', '1e3'],
    ['1e-3', '1e-3'],
    ['12e1', '120'],
    ['100u', '100u'],
    ['1n', '1n'],
    ['0.1n', '1n'],
    ['1.0000000001', '1000000001n'],
    ['-1.5', '-1500m'],
    ['+3', '3'],
    ['.5', '500m'],
    ['1.', '1'],
    ['001', '1'],
    ['9Ei', '9223372036854775807'],
    ['1Ei', '1Ei'],
    ['9223372036854775807', '9223372036854775807'],
  ])('formats %s as %s', (text, canonical) => {
    expect(formatQuantity(parseQuantity(text))).toBe(canonical);
  });

  it.each([
    ['', quantityFormatMessage],
    ['hello', quantityFormatMessage],
    ['1.1.M', quantityFormatMessage],
    ['1+1.0M', quantityFormatMessage],
    [' 1', quantityFormatMessage],
    ['1 ', quantityFormatMessage],
    ['100MB', quantityFormatMessage],
    ['0.1mi', "unable to parse quantity's suffix"],
    ['1i', "unable to parse quantity's suffix"],
    ['1K', "unable to parse quantity's suffix"],
    ['1e', "unable to parse quantity's suffix"],
    ['-3.01e-', "unable to parse quantity's suffix"],
    ['1e999999999', 'unable to parse numeric part of quantity'],
  ])('throws for %j', (text, message) => {
    expect(() => parseQuantity(text)).toThrow(new QuantityError(message));
    expect(isQuantity(text)).toBe(false);
  });

  it('formats any canonical text unchanged', () => {
    const format = fc.constantFrom('n', 'u', 'm', '', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e3', 'e-3');
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), format, (number, suffix) => {
        const quantity = parseQuantity(`${number}${suffix}`);
        const text = formatQuantity(quantity);
        expect(compareQuantities(parseQuantity(text), quantity)).toBe(0);
        expect(formatQuantity(parseQuantity(text))).toBe(text);
      }),
    );
  });

  it('parses a number like its decimal text', () => {
    fc.assert(
      fc.property(fc.integer(), (number) => {
        expect(quantityValue(parseQuantity(number))).toBe(number);
      }),
    );
  });
});

describe('values', () => {
  it.each([
    ['100m', 1, 100],
    ['1', 1, 1000],
    ['1001m', 2, 1001],
    ['1u', 1, 1],
    ['-1500m', -2, -1500],
    ['64Mi', 67_108_864, 67_108_864_000],
    ['1.5Gi', 1_610_612_736, 1_610_612_736_000],
  ])('converts %s to %d units and %d thousandths', (text, value, milli) => {
    expect(quantityValue(parseQuantity(text))).toBe(value);
    expect(quantityMilliValue(parseQuantity(text))).toBe(milli);
  });

  it('rounds up to thousandths', () => {
    expect(formatQuantity(roundUpToMilli(parseQuantity('1234567n')))).toBe('2m');
    expect(formatQuantity(roundUpToMilli(parseQuantity('1.5')))).toBe('1500m');
  });
});

describe('arithmetic', () => {
  it('adds, subtracts and compares quantities of different formats', () => {
    expect(formatQuantity(addQuantities(parseQuantity('1Gi'), parseQuantity('512Mi')))).toBe('1536Mi');
    expect(formatQuantity(addQuantities(parseQuantity('0'), parseQuantity('1Gi')))).toBe('1Gi');
    expect(formatQuantity(subtractQuantities(parseQuantity('2'), parseQuantity('500m')))).toBe('1500m');
    expect(compareQuantities(parseQuantity('1Ki'), parseQuantity('1k'))).toBe(1);
    expect(compareQuantities(quantityOf(2), quantityOfMilli(2000))).toBe(0);
    expect(compareQuantities(parseQuantity('1'), parseQuantity('1001m'))).toBe(-1);
  });
});
