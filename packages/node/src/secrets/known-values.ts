/**
 * Replaces known secret values in texts. Two masks use this module: one reads the values from Secrets, and the other
 * recognizes values by their form.
 */

/** The text that replaces a secret. */
export const masked = '••••••';

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

interface KnownValuesOptions {
  /** Returns further forms in which texts contain a value, for example quoted or encoded. */
  readonly spellings?: (value: string) => readonly string[];
  /** The length from which a value is replaced inside words, too. Shorter values are replaced only as whole words. */
  readonly shortestInside?: number;
}

export class KnownValues {
  readonly #options: Required<KnownValuesOptions>;
  readonly #values = new Set<string>();
  /** The sources of regular expressions that match the values. */
  readonly #sources: string[] = [];
  /**
   * Matches any of the values. A single search with this expression shows that a text contains no value, as most texts
   * do.
   */
  #any: RegExp | undefined;

  constructor({ spellings = () => [], shortestInside = 0 }: KnownValuesOptions = {}) {
    this.#options = { spellings, shortestInside };
  }

  get size(): number {
    return this.#values.size;
  }

  /** Returns true if the whole text is a value. */
  has(text: string): boolean {
    return this.#values.has(text);
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#values.values();
  }

  add(value: string): void {
    if (value === '' || this.#values.has(value)) return;
    this.#values.add(value);
    const { spellings, shortestInside } = this.#options;
    for (const text of new Set([value, ...spellings(value)]))
      this.#sources.push(text.length >= shortestInside ? escaped(text) : `(?<![\\w])${escaped(text)}(?![\\w])`);
    this.#any = undefined;
  }

  /** Returns the text with each value replaced by {@link masked}. Overlapping values are replaced as one. */
  replaceIn(text: string): string {
    if (this.#values.size === 0) return text;
    this.#any ??= new RegExp(this.#sources.join('|'));
    if (!this.#any.test(text)) return text;
    const ranges = this.#sources
      .flatMap((source) =>
        [...text.matchAll(new RegExp(source, 'g'))].map(({ index, 0: found }) => [index, index + found.length]),
      )
      .toSorted(([a = 0], [b = 0]) => a - b);
    let clean = '';
    let end = 0;
    for (const [from = 0, to = 0] of ranges) {
      if (from >= end) clean += text.slice(end, from) + masked;
      end = Math.max(end, to);
    }
    return clean + text.slice(end);
  }
}
