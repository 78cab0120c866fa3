/** Orders the elements of a merged list if the patch specifies their order. */

/**
 * Returns the elements in the order that the patch specifies. Elements that only the server has keep their order. They
 * come before the first ordered element that followed them on the server. Upstream:
 * strategicpatch.normalizeElementOrder (apimachinery, v1.36).
 */
export function orderElements<T>(
  merged: readonly T[],
  wanted: readonly unknown[],
  serverOrder: readonly unknown[],
  keyOf: (element: T) => unknown,
): T[] {
  const ordered = merged
    .filter((element) => wanted.includes(keyOf(element)))
    .toSorted((a, b) => wanted.indexOf(keyOf(a)) - wanted.indexOf(keyOf(b)));
  const serverOnly = merged.filter((element) => !wanted.includes(keyOf(element)));
  const result: T[] = [];
  let next = 0;
  for (const element of ordered) {
    const place = serverOrder.indexOf(keyOf(element));
    for (
      let candidate = serverOnly[next];
      candidate !== undefined && next < serverOnly.length;
      candidate = serverOnly[next]
    ) {
      const candidatePlace = serverOrder.indexOf(keyOf(candidate));
      if (place === -1 || candidatePlace === -1 || candidatePlace >= place) break;
      result.push(candidate);
      next += 1;
    }
    result.push(element);
  }
  return [...result, ...serverOnly.slice(next)];
}
