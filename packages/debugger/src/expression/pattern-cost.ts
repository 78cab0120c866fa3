/**
 * What a regular expression can cost: JavaScript's engine tries every way to match, so that a few characters of pattern can keep it busy for
 * years. Patterns whose cost multiplies are refused; of the others, how their cost grows with the text is told.
 */
import { DebuggerError } from '../errors.ts';

const maxPatternLength = 200;
/** Copies that counted repetitions (`x{2,50}`) may come to. */
const maxCount = 1_000;

interface Part {
  /** How often the cost multiplies with the text's length. */
  degree: number;
  /** It can match in more than one way: repeated, its ways multiply. */
  ambiguous: boolean;
}

const tooCostly = (why: string): DebuggerError => new DebuggerError('Invalid', `the pattern of matches() is too costly: ${why}`);

/** Reads a pattern from left to right. What is no pattern at all is left to the engine to refuse. */
class Reader {
  readonly #text: string;
  #at = 0;
  #copies = 1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Up to the end of a group or of the text. */
  alternatives(): Part {
    const whole: Part = { degree: 0, ambiguous: false };
    for (;;) {
      const part = this.#sequence();
      whole.degree = Math.max(whole.degree, part.degree);
      whole.ambiguous ||= part.ambiguous;
      if (this.#text[this.#at] !== '|') return whole;
      whole.ambiguous = true;
      this.#at += 1;
    }
  }

  #sequence(): Part {
    const whole: Part = { degree: 0, ambiguous: false };
    while (this.#at < this.#text.length && !'|)'.includes(this.#text[this.#at] ?? '')) {
      const part = this.#repeated(this.#atom());
      whole.degree += part.degree;
      whole.ambiguous ||= part.ambiguous;
    }
    return whole;
  }

  #atom(): Part {
    const plain: Part = { degree: 0, ambiguous: false };
    const here = this.#text[this.#at];
    this.#at += 1;
    if (here === '\\') {
      if (/[1-9k]/.test(this.#text[this.#at] ?? '')) throw tooCostly('no back reference');
      this.#at += 1;
      return plain;
    }
    if (here === '[') {
      while (this.#at < this.#text.length && this.#text[this.#at] !== ']') this.#at += this.#text[this.#at] === '\\' ? 2 : 1;
      this.#at += 1;
      return plain;
    }
    if (here !== '(') return plain;
    if (/^\?(?:[=!]|<[=!])/.test(this.#text.slice(this.#at))) throw tooCostly('no look around');
    this.#at += /^\?(?::|<\w+>)?/.exec(this.#text.slice(this.#at))?.[0].length ?? 0;
    const group = this.alternatives();
    this.#at += 1;
    return group;
  }

  #repeated(part: Part): Part {
    const quantifier = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(this.#text.slice(this.#at));
    if (!quantifier) return part;
    const [all, low, comma, high] = quantifier;
    this.#at += all.length;
    if (all.startsWith('?')) return { ...part, ambiguous: true };
    if (part.ambiguous || part.degree > 0) throw tooCostly('no repetition of what repeats or has alternatives');
    if (all.startsWith('{') && !(comma && high === '')) {
      this.#copies *= Math.max(1, Number(high || low));
      if (this.#copies > maxCount) throw tooCostly(`counted repetitions come to more than ${maxCount}`);
      return { degree: 0, ambiguous: comma === ',' };
    }
    return { degree: 1, ambiguous: true };
  }
}

/**
 * The power of a text's length that a search for the pattern may take in steps: 1 for a plain text.
 * @throws DebuggerError Invalid for patterns whose cost is not bounded by one of the first few powers
 */
export function patternDegree(pattern: string): number {
  if (pattern.length > maxPatternLength) throw tooCostly(`it may have ${maxPatternLength} characters`);
  const { degree } = new Reader(pattern).alternatives();
  // A match may begin anywhere, unless it is tied to the beginning.
  const powers = Math.max(1, degree + (pattern.startsWith('^') && !pattern.includes('|') ? 0 : 1));
  if (powers > 4) throw tooCostly('it may repeat three things without limit');
  return powers;
}
