/**
 * Implements fuzzy matching for the command palette. Each matched letter follows the previous one or begins a word, so
 * `cl` and `crlo` match “Crash loop”.
 */

export interface FuzzyMatch {
  /** The quality of the match; higher is better. Scores are comparable only within one query. */
  readonly score: number;
  /** Indexes of the matched letters. */
  readonly at: readonly number[];
}

const isWordStart = (text: string, index: number): boolean =>
  index === 0 || /[\s\-_/.:,(#]/.test(text.charAt(index - 1));

/**
 * Returns the indexes of the matched letters, starting at `from`. The first letter begins a word or follows index `from
 * - 1`.
 */
function findLetters(text: string, letters: string, from: number, isFirst: boolean): readonly number[] | undefined {
  if (letters === '') return [];
  for (
    let index = text.indexOf(letters.charAt(0), from);
    index >= 0;
    index = text.indexOf(letters.charAt(0), index + 1)
  ) {
    if (!isWordStart(text, index) && (isFirst || index !== from)) continue;
    const rest = findLetters(text, letters.slice(1), index + 1, false);
    if (rest) return [index, ...rest];
  }
  return undefined;
}

function matchWord(text: string, word: string): FuzzyMatch | undefined {
  const whole = text.indexOf(word);
  if (whole >= 0) {
    const score = word.length * 4 + (isWordStart(text, whole) ? 12 : 4) - whole / 100;
    return { score, at: Array.from(word, (_, index) => whole + index) };
  }
  const at = findLetters(text, word, 0, true);
  return at && { score: at.length * 2 - (at.at(-1) ?? 0) / 100, at };
}

/** Returns the match; undefined when a word of the query isn't found. An empty query matches everything. */
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
