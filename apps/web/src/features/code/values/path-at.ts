/** Finds the property path of the name under the pointer. */

export interface NamedPath {
  /** A property path, such as `podStatus.sandboxStatuses`. */
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

const word = /[A-Za-z_$][\w$]*/g;

/** Returns the path that ends at `column` (from 0); undefined if no name ends there. */
export function pathAt(line: string, column: number): NamedPath | undefined {
  word.lastIndex = 0;
  for (let match = word.exec(line); match; match = word.exec(line)) {
    const from = match.index;
    const to = from + match[0].length;
    if (column < from) return undefined;
    if (column > to) continue;
    const owners = /(?:[A-Za-z_$][\w$]*\??\.)+$/.exec(line.slice(0, from))?.[0] ?? '';
    return { path: `${owners.replaceAll('?', '')}${match[0]}`.replace(/^this\./, ''), from, to };
  }
  return undefined;
}
