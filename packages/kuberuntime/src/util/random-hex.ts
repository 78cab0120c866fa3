/** Generates random names. */

const digits = '0123456789abcdef';

/** Returns `length` random hexadecimal digits. */
export const randomHex = (random: () => number, length: number): string =>
  Array.from({ length }, () => digits[Math.floor(random() * digits.length)]).join('');
