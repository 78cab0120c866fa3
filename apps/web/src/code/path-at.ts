/** Which name the pointer rests on: with the members it is reached by. */

export interface NamedPath {
  /** `podStatus.sandboxStatuses` */
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

const word = /[A-Za-z_$][\w$]*/g;

/** The path that ends with the name at `column` (from 0) of a line; undefined on anything but a name. */
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
