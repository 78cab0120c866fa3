/** Completes the names of variables in CEL expressions. */

/** Suggestions for the name in front of the cursor. */
export interface Completions {
  /** Index of the first character of the name in the expression. */
  readonly from: number;
  readonly names: readonly string[];
}

const most = 8;
const none: Completions = { from: 0, names: [] };

/**
 * Returns the variables that begin with the name in front of the cursor. Returns an empty list for members, inside
 * string literals, for a complete name, and without a cursor.
 */
export function completionsAt(text: string, caret: number | undefined, variables: readonly string[]): Completions {
  if (caret === undefined) return none;
  const before = text.slice(0, caret);
  const [name = ''] = /[A-Za-z_]\w*$/.exec(before) ?? [];
  const from = caret - name.length;
  const isInText = (before.match(/"/g)?.length ?? 0) % 2 === 1 || (before.match(/'/g)?.length ?? 0) % 2 === 1;
  if (name === '' || isInText || before[from - 1] === '.' || /\w/.test(text[caret] ?? '')) return none;
  const wanted = name.toLowerCase();
  const names = variables.filter((each) => each.toLowerCase().startsWith(wanted)).slice(0, most);
  return names.length === 1 && names[0] === name ? none : { from, names };
}
