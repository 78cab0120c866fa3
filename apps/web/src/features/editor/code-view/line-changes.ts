/** Computes the lines to replace to turn one text into another. A cursor in unchanged lines keeps its place. */

export interface LineChange {
  /** Offsets in the old text. */
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/**
 * Maximum number of lines to search for the next line that both texts contain. If none is found, the rest of the text
 * is replaced.
 */
const longestChange = 400;

const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Returns the smallest number of lines to skip in each text until both continue with the same line. */
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
