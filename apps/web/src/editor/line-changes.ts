/** What of a text has to be replaced to make it another one, line by line: a cursor between the changes stays where it is. */

export interface LineChange {
  /** Offsets into the old text. */
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** Lines that may lie between a change and the next line that both texts have; beyond that the rest is replaced as a whole. */
const longestChange = 400;

const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** How many lines of each text to pass over until they agree again: as few as possible. */
function nextAgreement(old: readonly string[], text: readonly string[], atOld: number, atText: number): readonly [number, number] {
  for (let distance = 1; distance <= longestChange; distance++) {
    for (let skipped = 0; skipped <= distance; skipped++) {
      const line = old[atOld + skipped];
      if (line !== undefined && line === text[atText + distance - skipped]) return [skipped, distance - skipped];
    }
  }
  return [old.length - atOld, text.length - atText];
}

/** The changes, in their order. */
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
