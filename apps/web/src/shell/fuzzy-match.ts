/** Finds letters in order, as command palettes do: `cl` finds “Crash Loop”, and before it “clear”. */

export interface FuzzyMatch {
  /** The higher the better; only scores of one query can be compared. */
  readonly score: number;
  /** Indexes of the letters that were found. */
  readonly at: readonly number[];
}

const isWordStart = (text: string, index: number): boolean => index === 0 || /[\s\-_/.:,(#]/.test(text.charAt(index - 1));

/** The letters of a single word of the query, found greedily but from a word's beginning where there is one. */
function matchWord(text: string, word: string): FuzzyMatch | undefined {
  const whole = text.indexOf(word);
  if (whole >= 0) {
    const score = word.length * 4 + (isWordStart(text, whole) ? 12 : 4) - whole / 100;
    return { score, at: Array.from(word, (_, index) => whole + index) };
  }
  const at: number[] = [];
  let score = 0;
  for (const letter of word) {
    const from = (at.at(-1) ?? -1) + 1;
    let index = text.indexOf(letter, from);
    if (index < 0) return undefined;
    // The beginning of a later word is what people mean, unless the letters go on right here.
    if (index !== from || from === 0) {
      for (let later = index; later >= 0; later = text.indexOf(letter, later + 1)) {
        if (!isWordStart(text, later)) continue;
        index = later;
        break;
      }
    }
    score += isWordStart(text, index) ? 4 : index === from ? 2 : 0;
    at.push(index);
  }
  return { score: score - (at.at(-1) ?? 0) / 100, at };
}

/** @returns undefined when a word of the query is not found. An empty query finds everything. */
export function fuzzyMatch(text: string, query: string): FuzzyMatch | undefined {
  const lower = text.toLowerCase();
  const matches = query
    .toLowerCase()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => matchWord(lower, word));
  if (!matches.every((match) => match !== undefined)) return undefined;
  return {
    score: matches.reduce((sum, match) => sum + match.score, 0) - text.length / 200,
    at: [...new Set(matches.flatMap(({ at }) => at))].toSorted((left, right) => left - right),
  };
}
