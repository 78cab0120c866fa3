/** Computes line-based changes from one text to another, so that a cursor between them stays in place. */

export interface LineChange {
  /** Offsets in the old text. */
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** Maximum distance to the next common line; beyond it the rest is replaced. */
const longestChange = 400;

const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Returns how many lines of each text to skip until they agree again, as few as possible. */
function nextAgreement(
  old: readonly string[],
  text: readonly string[],
  atOld: number,
  atText: number,
): readonly [number, number] {
  const left = old.length - atOld + text.length - atText;
  for (let distance = 1; distance <= Math.min(longestChange, left); distance++) {
    for (let skipped = 0; skipped <= distance; skipped++) {
      const line = old[atOld + skipped];
      if (line !== undefined && line === text[atText + distance - skipped]) return [skipped, distance - skipped];
    }
  }
  return [old.length - atOld, text.length - atText];
}

/** Returns the changes in order. */
export function lineChanges(before: string, after: string): readonly LineChange[] {
  const [old, text] = [linesOf(before), linesOf(after)];
  const changes: LineChange[] = [];
  let [atOld, atText, from] = [0, 0, 0];
  while (atOld < old.length || atText < text.length) {
    const line = old[atOld];
    if (line !== undefined && line === text[atText]) {
      from += line.length;
      atOld++;
      atText++;
      continue;
    }
    const [gone, come] = nextAgreement(old, text, atOld, atText);
    const to = from + old.slice(atOld, atOld + gone).join('').length;
    changes.push({ from, to, insert: text.slice(atText, atText + come).join('') });
    atOld += gone;
    atText += come;
    from = to;
  }
  return changes;
}
