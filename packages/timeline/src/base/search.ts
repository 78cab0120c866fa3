/** Searches sorted sequences by bisection. */

/**
 * Returns the first index in [0, length) for which `isAfter` returns true, or `length`. Once `isAfter` returns true, it
 * must be true for all higher indices.
 */
export function firstIndex(length: number, isAfter: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isAfter(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
