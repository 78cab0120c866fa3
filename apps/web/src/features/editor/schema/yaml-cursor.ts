/**
 * Finds the path at the cursor in a manifest that is being edited. Because such a text often can't be parsed, only the
 * indentation is used; flow style (`{ a: 1 }`) is not supported.
 */

export interface YamlCursor {
  /**
   * Keys from the outermost one. List items have no entry: `spec.containers.image` is `['spec', 'containers',
   * 'image']`.
   */
  readonly path: readonly string[];
  /** The edited part: a key of the object at `path`, or the value at `path`. */
  readonly writes: 'key' | 'value';
  /** Text up to the cursor. */
  readonly typed: string;
  /** Keys that the edited object already has. */
  readonly siblings: ReadonlySet<string>;
  /** Column at which the key begins. */
  readonly indent: number;
  /** Lines of the document at the cursor, from 0; the end is exclusive. */
  readonly document: { readonly from: number; readonly to: number };
}

interface Line {
  /** Column of the key, past the dashes of list items. */
  readonly indent: number;
  readonly key: string | undefined;
  /** Columns of the dashes before the key. */
  readonly dashes: readonly number[];
  readonly isEmpty: boolean;
}

const keyPattern = /^([A-Za-z_$][\w./$-]*|"[^"]*"|'[^']*'):(?:\s|$)/;

function readLine(text: string): Line {
  const dashes: number[] = [];
  let at = /^ */.exec(text)?.[0].length ?? 0;
  while (text[at] === '-' && (text[at + 1] === ' ' || text[at + 1] === undefined)) {
    dashes.push(at);
    at++;
    while (text[at] === ' ') at++;
  }
  const rest = text.slice(at);
  const key = keyPattern.exec(rest)?.[1]?.replace(/^["']|["']$/g, '');
  return { indent: at, key, dashes, isEmpty: rest === '' || rest.startsWith('#') };
}

/** Returns the lines of the YAML document that contains `line`. */
function documentAround(lines: readonly string[], line: number): { readonly from: number; readonly to: number } {
  let from = line;
  while (from > 0 && !lines[from - 1]?.startsWith('---')) from--;
  let to = line + 1;
  while (to < lines.length && !lines[to]?.startsWith('---')) to++;
  return { from, to };
}

/** Returns the keys that contain the text at column `indent`, outermost first. */
function ancestorsOf(lines: readonly Line[], from: number, line: number, indent: number): readonly string[] {
  const path: string[] = [];
  let limit = indent;
  // A list item belongs to the key above its dash. The key may start in the same column as the dash.
  let dash = lines[line]?.dashes[0];
  for (let at = line - 1; at >= from && limit > 0; at--) {
    const above = lines[at];
    if (!above || above.isEmpty) continue;
    const opensItem = above.dashes.length > 0 && above.indent === limit;
    if (
      above.key !== undefined &&
      (above.indent < limit || (dash !== undefined && above.indent <= dash && above.dashes.length === 0))
    ) {
      path.unshift(above.key);
      limit = above.indent;
      dash = above.dashes[0];
    } else if (opensItem && above.dashes[0] !== undefined) dash = above.dashes[0];
    if (dash !== undefined && limit > dash) limit = dash + 1;
  }
  return path;
}

/**
 * Returns the keys in the same object as `line`: they have the same column, and no line between them has a smaller
 * column.
 */
function siblingsOf(
  lines: readonly Line[],
  { from, to }: { readonly from: number; readonly to: number },
  line: number,
  indent: number,
): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (each: Line | undefined): void => {
    if (each?.key !== undefined && each.indent === indent) found.add(each.key);
  };
  // Stop at a dash: it starts the list item, and lines above it belong to another item.
  for (let at = line; at >= from; at--) {
    const each = lines[at];
    if (!each) break;
    if (at !== line) {
      if (!each.isEmpty && each.indent < indent) break;
      add(each);
    }
    if (each.dashes.length > 0 && each.indent === indent) break;
  }
  for (let at = line + 1; at < to; at++) {
    const each = lines[at];
    if (!each || (!each.isEmpty && (each.indent < indent || (each.dashes.length > 0 && each.indent === indent)))) break;
    add(each);
  }
  return found;
}

/** Returns the path and the edited part at a position. @param line from 0 @param column from 0 */
export function yamlCursor(text: string, line: number, column: number): YamlCursor | undefined {
  const rows = text.split('\n');
  const row = rows[line];
  if (row === undefined) return undefined;
  const before = row.slice(0, column);
  if (/(?:^|\s)#/.test(before) || /[{[]/.test(before)) return undefined;
  const document = documentAround(rows, line);
  const lines = rows.map(readLine);
  const own = readLine(before);
  const written = before.slice(own.indent);
  const value = /^("[^"]*"|'[^']*'|[A-Za-z_$][\w./$-]*):\s+(.*)$/.exec(written);
  const holder = ancestorsOf(lines.with(line, own), document.from, line, own.indent);
  const siblings = siblingsOf(lines.with(line, own), document, line, own.indent);
  if (value?.[1] !== undefined) {
    const key = value[1].replace(/^["']|["']$/g, '');
    return { path: [...holder, key], writes: 'value', typed: value[2] ?? '', siblings, indent: own.indent, document };
  }
  if (!/^[\w./$-]*$/.test(written)) return undefined;
  return { path: holder, writes: 'key', typed: written, siblings, indent: own.indent, document };
}
