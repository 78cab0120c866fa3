/** Parses one clause of a script. Every word is validated when it is read. */
import type { Milliseconds } from '@podscope/trace';
import { ignoredByDefault, parseSignal, type SignalName } from '../machine/signals.ts';
import { parseDuration, parseSize } from '../programs/support.ts';

/** The error of an invalid script. Its message names the clause, the invalid part and the allowed values. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError';
}

/** A duration and its largest random deviation, both in ms. */
export interface Span {
  readonly ms: Milliseconds;
  readonly jitter: Milliseconds;
}

export const noTime: Span = { ms: 0, jitter: 0 };

/** A word of a clause: `key`, `key=value`, `key="value"`. */
interface Word {
  /** The word as written. */
  readonly text: string;
  /** Undefined for a key without a value. */
  readonly value: string | undefined;
}

export class Clause {
  readonly text: string;
  readonly head: string;
  readonly #words: ReadonlyMap<string, Word>;
  readonly #read = new Set<string>();

  constructor(text: string) {
    this.text = text;
    const words = new Map<string, Word>();
    let rest = text;
    while (rest !== '') {
      const match = /^([a-z][a-z-]*)(?:=("(?:[^"\\]|\\.)*"|[^\s"]*))?(?:\s+|$)/.exec(rest);
      if (!match?.[1]) throw this.error(`can't read ${JSON.stringify(rest)}; a clause is made of key=value words`);
      const [word, key, value = ''] = match;
      if (words.has(key)) throw this.error(`${key} is given twice`);
      const unquoted = value.startsWith('"')
        ? value.slice(1, -1).replaceAll(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char))
        : value;
      words.set(key, { text: word.trim(), value: value === '' ? undefined : unquoted });
      rest = rest.slice(word.length);
    }
    this.#words = words;
    this.head = [...words.keys()].find((key) => key !== 'attempt') ?? '';
  }

  error(reason: string): ScriptError {
    return new ScriptError(`clause "${this.text}": ${reason}`);
  }

  #unfit(key: string, allowed: string): ScriptError {
    return this.error(`${this.#words.get(key)?.text} is not ${allowed}`);
  }

  has(key: string): boolean {
    this.#read.add(key);
    return this.#words.has(key);
  }

  /**
   * Returns the value of a word; undefined if the clause lacks the word.
   * @throws ScriptError for a word without a value
   */
  #value(key: string, allowed: string): string | undefined {
    if (!this.has(key)) return undefined;
    const { value } = this.#words.get(key) ?? {};
    if (value === undefined) throw this.error(`${key}= takes ${allowed}`);
    return value;
  }

  /**
   * Returns whether the clause contains the word.
   * @throws ScriptError when the word has a value
   */
  flag(key: string): boolean {
    if (this.has(key) && this.#words.get(key)?.text !== key) throw this.error(`${key} takes no value`);
    return this.has(key);
  }

  word(key: string, otherwise = ''): string {
    return this.#value(key, 'a text') ?? otherwise;
  }

  /**
   * Returns the value of a word, which must be one of `allowed`; `otherwise` if the clause lacks the word.
   * @throws ScriptError for another value
   */
  oneOf<T extends string>(key: string, allowed: readonly T[], otherwise: T): T {
    const words = allowed.join(' or ');
    const text = this.#value(key, words);
    if (text === undefined) return otherwise;
    const found = allowed.find((candidate) => candidate === text);
    if (found === undefined) throw this.#unfit(key, words);
    return found;
  }

  /**
   * Returns the value of a word as an integer; `otherwise` if the clause lacks the word.
   * @throws ScriptError for a value out of bounds
   */
  whole(key: string, what: string, [least, most]: readonly [number, number], otherwise: number): number {
    const allowed =
      most === Number.POSITIVE_INFINITY
        ? `${what}: a whole number from ${least} on`
        : `${what}: a whole number from ${least} to ${most}`;
    const text = this.#value(key, allowed);
    if (text === undefined) return otherwise;
    const number = Number(text);
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(number) || number < least || number > most)
      throw this.#unfit(key, allowed);
    return number;
  }

  /**
   * Returns the value of a word as an exit code; `otherwise` for a word without a value.
   * @throws ScriptError for an invalid code
   */
  exitCode(key: string, otherwise: number): number {
    if (this.has(key) && this.#words.get(key)?.text === key) return otherwise;
    return this.whole(key, 'an exit code', [0, 255], otherwise);
  }

  /**
   * Returns a number of CPUs from a value like `0.5` or `500m`.
   * @throws ScriptError for another value
   */
  cpus(key: string): number | undefined {
    const allowed = 'a number of CPUs such as 0.5 or 500m';
    const match = /^(\d+(?:\.\d+)?)(m?)$/.exec(this.#value(key, allowed) ?? '');
    if (!this.has(key)) return undefined;
    if (!match) throw this.#unfit(key, allowed);
    return match[2] === 'm' ? Number(match[1]) / 1000 : Number(match[1]);
  }

  /**
   * Returns a number of bytes.
   * @throws ScriptError for an invalid value
   */
  size(key: string): number | undefined {
    const allowed = 'a size such as 64Mi';
    const text = this.#value(key, allowed);
    if (text === undefined) return undefined;
    const size = parseSize(text);
    if (size === undefined) throw this.#unfit(key, allowed);
    return size;
  }

  /**
   * Returns a signal whose default action ends a process.
   * @throws ScriptError for another signal
   */
  signal(key: string): SignalName {
    const allowed = 'a signal that ends a process, such as SEGV';
    const signal = parseSignal(this.#value(key, allowed) ?? '');
    if (!signal || ignoredByDefault.has(signal)) throw this.#unfit(key, allowed);
    return signal;
  }

  /**
   * Returns a duration and its deviation.
   * @throws ScriptError for an invalid value
   */
  span(key: string): Span | undefined {
    const allowed = 'a duration such as 5s or 5s~2s';
    const text = this.#value(key, allowed);
    if (text === undefined) return undefined;
    const [amount = '', off = '0', ...rest] = text.split('~');
    const [ms, jitter] = [parseDuration(amount), parseDuration(off)];
    if (ms === undefined || jitter === undefined || rest.length > 0 || !Number.isFinite(ms + jitter))
      throw this.#unfit(key, allowed);
    return { ms, jitter };
  }

  /**
   * Returns an instant in ms since the start. It must not have a deviation.
   * @throws ScriptError for an invalid value
   */
  moment(key: string): Milliseconds | undefined {
    const span = this.span(key);
    if (span && span.jitter > 0) throw this.#unfit(key, 'a duration such as 5s, without a deviation');
    return span?.ms;
  }

  /**
   * Ends the parsing of the clause.
   * @throws ScriptError when a word wasn't read
   */
  finish(): void {
    const unknown = [...this.#words.keys()].find((key) => !this.#read.has(key));
    if (unknown !== undefined) throw this.error(`"${unknown}" isn't allowed with "${this.head}"`);
  }

  /**
   * Returns whether the clause applies to restart number `attempt`.
   * @throws ScriptError for an invalid `attempt`
   */
  appliesTo(attempt: number): boolean {
    const allowed = 'a restart or a range of them: 0, 1-3, 2-';
    const text = this.#value('attempt', allowed);
    if (text === undefined) return true;
    const match = /^(\d+)(-(\d*))?$/.exec(text);
    const from = Number(match?.[1]);
    const to = match?.[2] === undefined ? from : match[3] ? Number(match[3]) : Number.POSITIVE_INFINITY;
    if (!match || to < from) throw this.#unfit('attempt', allowed);
    return attempt >= from && attempt <= to;
  }
}

/**
 * Splits a script into clauses at `;` and line ends outside of quotes.
 * @throws ScriptError for an invalid clause
 */
export const clausesOf = (text: string): Clause[] =>
  (text.match(/(?:"(?:[^"\\]|\\.)*(?:"|$)|[^;\n"])+/g) ?? [])
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '')
    .map((clause) => new Clause(clause));
