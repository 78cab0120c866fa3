/**
 * Implements Kubernetes quantities (`100m`, `1.5Gi`, `2e3`) without loss of precision. A quantity consists of a bigint
 * in nano units and the format of its suffix, which is kept when the quantity is formatted. Upstream: apimachinery
 * resource.Quantity (v1.36).
 */

export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

export interface Quantity {
  /** The amount in units of 10⁻⁹, which is the smallest unit that Kubernetes supports. */
  readonly nanos: bigint;
  readonly format: QuantityFormat;
}

export class QuantityError extends Error {
  override readonly name = 'QuantityError';
}

export const quantityFormatMessage =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const suffixMessage = "unable to parse quantity's suffix";
const numericMessage = 'unable to parse numeric part of quantity';

const NANO = 1_000_000_000n;
const MILLI = 1_000_000n;
const MAX_INT64 = 9_223_372_036_854_775_807n;
/**
 * The largest exponent that is accepted. Since int64 ends below 10¹⁹, a larger exponent is a mistake or an attempt to
 * exhaust memory.
 */
const MAX_EXPONENT = 400;
const MAX_TEXT_LENGTH = 512;

const binarySuffixes: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const decimalSuffixes: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const decimalSuffixOf = new Map(Object.entries(decimalSuffixes).map(([suffix, exponent]) => [exponent, suffix]));
const binarySuffixNames = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

export const zeroQuantity: Quantity = Object.freeze({ nanos: 0n, format: 'DecimalSI' });

const memo = new Map<string, Quantity>();
const MEMO_SIZE = 2048;
const MEMO_TEXT_LENGTH = 24;

/**
 * Parses a quantity. A number is parsed as its JSON text. Fractions of a nano unit are rounded away from zero. A binary
 * quantity is at most 2⁶³−1. Upstream: resource.ParseQuantity (apimachinery, v1.36).
 * @throws QuantityError with the API server's message
 */
export function parseQuantity(text: string | number): Quantity {
  const source = typeof text === 'number' ? String(text) : text;
  const known = memo.get(source);
  if (known) return known;
  const quantity = readQuantity(source);
  if (source.length <= MEMO_TEXT_LENGTH) {
    if (memo.size >= MEMO_SIZE) memo.clear();
    memo.set(source, quantity);
  }
  return quantity;
}

const quantityPattern = /^(?<sign>[+-]?)(?<whole>\d*)(?:\.(?<fraction>\d*))?(?<suffix>[eEinumkKMGTP]*[-+]?\d*)$/;

function readQuantity(source: string): Quantity {
  if (source.length > MAX_TEXT_LENGTH) throw new QuantityError(numericMessage);
  const parts = source === '' ? undefined : quantityPattern.exec(source)?.groups;
  if (!parts) throw new QuantityError(quantityFormatMessage);
  const { sign = '', whole = '', fraction = '', suffix = '' } = parts;
  const { base, exponent, format } = readSuffix(suffix);
  const digits = BigInt(`0${whole}${fraction}`);
  const magnitude =
    base === 2
      ? { digits: digits << BigInt(exponent), scale: 9 - fraction.length }
      : { digits, scale: 9 + exponent - fraction.length };
  let nanos = scaleUp(magnitude.digits, magnitude.scale);
  let kept = format;
  if (format === 'BinarySI') {
    if (nanos > MAX_INT64 * NANO) nanos = MAX_INT64 * NANO;
    // A binary suffix can't express an amount below one, so the format becomes decimal.
    if (nanos > 0n && nanos < NANO) kept = 'DecimalSI';
  }
  return Object.freeze({ nanos: sign === '-' ? -nanos : nanos, format: kept });
}

function readSuffix(suffix: string): { base: 2 | 10; exponent: number; format: QuantityFormat } {
  if (Object.hasOwn(decimalSuffixes, suffix))
    return { base: 10, exponent: decimalSuffixes[suffix] ?? 0, format: 'DecimalSI' };
  if (Object.hasOwn(binarySuffixes, suffix))
    return { base: 2, exponent: binarySuffixes[suffix] ?? 0, format: 'BinarySI' };
  if (!/^[eE][-+]?\d+$/.test(suffix)) throw new QuantityError(suffixMessage);
  const exponent = Number(suffix.slice(1));
  if (Math.abs(exponent) > MAX_EXPONENT) throw new QuantityError(numericMessage);
  return { base: 10, exponent, format: 'DecimalExponent' };
}

/** Returns digits × 10^scale as a whole number, rounded up. */
function scaleUp(digits: bigint, scale: number): bigint {
  return scale >= 0 ? digits * 10n ** BigInt(scale) : divideUp(digits, 10n ** BigInt(-scale));
}

/** Divides and rounds away from zero, as Kubernetes does whenever it loses precision. */
function divideUp(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  if (dividend % divisor === 0n) return quotient;
  return dividend < 0n ? quotient - 1n : quotient + 1n;
}

/** Returns true if {@link parseQuantity} accepts the text. */
export function isQuantity(text: string | number): boolean {
  try {
    parseQuantity(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the amount in whole units, rounded up. The result is exact up to 2⁵³; above 2⁵³, it is the nearest double.
 * Upstream: Quantity.Value (apimachinery, v1.36).
 */
export function quantityValue(quantity: Quantity): number {
  return Number(divideUp(quantity.nanos, NANO));
}

/**
 * Returns the amount in thousandths, rounded up. For a quantity of cpu, that is milli-CPUs. Upstream:
 * Quantity.MilliValue (apimachinery, v1.36).
 */
export function quantityMilliValue(quantity: Quantity): number {
  return Number(divideUp(quantity.nanos, MILLI));
}

/** Compares the amounts and ignores the formats. Returns −1, 0 or 1. Upstream: Quantity.Cmp. */
export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
  if (a.nanos === b.nanos) return 0;
  return a.nanos < b.nanos ? -1 : 1;
}

export function isZeroQuantity(quantity: Quantity): boolean {
  return quantity.nanos === 0n;
}

/** Returns the sum. If `a` is zero, the result has the format of `b`. Upstream: Quantity.Add. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nanos: a.nanos + b.nanos, format: a.nanos === 0n ? b.format : a.format };
}

/** Returns the difference. If `a` is zero, the result has the format of `b`. Upstream: Quantity.Sub. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return { nanos: a.nanos - b.nanos, format: a.nanos === 0n ? b.format : a.format };
}

/** Returns the larger quantity, or the first if both are equal. */
export function maxQuantity(a: Quantity, b: Quantity): Quantity {
  return b.nanos > a.nanos ? b : a;
}

/** Returns a quantity of `units` whole units. Upstream: resource.NewQuantity. */
export function quantityOf(units: number | bigint, format: QuantityFormat = 'DecimalSI'): Quantity {
  return { nanos: BigInt(units) * NANO, format };
}

/** Returns a quantity of `milli` thousandths. Upstream: resource.NewMilliQuantity. */
export function quantityOfMilli(milli: number | bigint, format: QuantityFormat = 'DecimalSI'): Quantity {
  return { nanos: BigInt(milli) * MILLI, format };
}

/**
 * Returns the quantity rounded up to thousandths, which is the precision of resource lists in the API. Upstream:
 * Quantity.RoundUp(Milli).
 */
export function roundUpToMilli(quantity: Quantity): Quantity {
  return quantity.nanos % MILLI === 0n
    ? quantity
    : { nanos: divideUp(quantity.nanos, MILLI) * MILLI, format: quantity.format };
}

/**
 * Returns the canonical text. It has no fraction, and the largest suffix that keeps the value exact: `500m` for `0.5`,
 * `1Gi` for `1024Mi`. Upstream: Quantity.CanonicalizeBytes (apimachinery, v1.36).
 */
export function formatQuantity(quantity: Quantity): string {
  const { nanos, format } = quantity;
  if (nanos === 0n) return '0';
  if (format === 'BinarySI' && nanos % NANO === 0n && magnitudeOf(nanos) >= 1024n * NANO)
    return formatBinary(nanos / NANO);
  return formatDecimal(nanos, format === 'DecimalExponent');
}

function magnitudeOf(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function formatBinary(units: bigint): string {
  let mantissa = units;
  let power = 0;
  while (mantissa % 1024n === 0n && power < binarySuffixNames.length - 1) {
    mantissa /= 1024n;
    power += 1;
  }
  return `${mantissa}${binarySuffixNames[power] ?? ''}`;
}

function formatDecimal(nanos: bigint, asExponent: boolean): string {
  let mantissa = nanos;
  let exponent = -9;
  // No suffix is larger than `E`, so the remaining digits are kept.
  const last = asExponent ? Number.POSITIVE_INFINITY : 18;
  while (mantissa % 1000n === 0n && exponent < last) {
    mantissa /= 1000n;
    exponent += 3;
  }
  if (asExponent) return exponent === 0 ? `${mantissa}` : `${mantissa}e${exponent}`;
  return `${mantissa}${decimalSuffixOf.get(exponent) ?? ''}`;
}
