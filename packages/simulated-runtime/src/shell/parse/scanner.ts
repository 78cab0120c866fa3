/**
 * Scans words and operators of a shell script. Quotes and `$` can be nested, so the scanner reads characters and
 * doesn't split the text into tokens first.
 */
import { type ParameterModifier, type Sequence, ShellSyntaxError, type Word, type WordPart } from './syntax.ts';

const operators = ['&&', '||', ';;', '<<-', '<<', '>>', '>&', '<&', '&', ';', '|', '<', '>', '(', ')', '\n'] as const;

/** An operator of the grammar. */
export type Operator = (typeof operators)[number];

const modifierPattern = /^(:?)(-|=|\+|\?|##|#|%%|%)/;

export class Scanner {
  readonly text: string;
  at = 0;
  /** Parses the script inside `$(…)`. Stops before the closing parenthesis. */
  readonly #parseNested: (scanner: Scanner) => Sequence;
  readonly #parseText: (text: string) => Sequence;

  constructor(text: string, parseNested: (scanner: Scanner) => Sequence, parseText: (text: string) => Sequence) {
    this.text = text;
    this.#parseNested = parseNested;
    this.#parseText = parseText;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  get char(): string {
    return this.text.charAt(this.at);
  }

  /** Skips blanks, comments and joined lines. Stops at a newline. */
  skipBlanks(): void {
    for (;;) {
      if (this.char === ' ' || this.char === '\t' || this.char === '\r') this.at++;
      else if (this.text.startsWith('\\\n', this.at)) this.at += 2;
      else if (this.char === '#') this.match(/^[^\n]*/);
      else return;
    }
  }

  /** Returns the next operator without consuming it. */
  peekOperator(): Operator | undefined {
    this.skipBlanks();
    return operators.find((operator) => this.text.startsWith(operator, this.at));
  }

  /** Consumes the operator if it is next. Returns true if it was consumed. */
  take(operator: Operator): boolean {
    if (this.peekOperator() !== operator) return false;
    this.at += operator.length;
    return true;
  }

  /** Consumes the text that matches at the current position; returns undefined if no text matches there. */
  match(pattern: RegExp): RegExpExecArray | undefined {
    const match = pattern.exec(this.text.slice(this.at)) ?? undefined;
    if (match) this.at += match[0].length;
    return match;
  }

  fail(): never {
    const unexpected = this.done ? 'end of file' : JSON.stringify(this.text.slice(this.at).split('\n')[0] || 'newline');
    throw new ShellSyntaxError(`syntax error: unexpected ${unexpected}`);
  }

  /** Reads a word; undefined when an operator or the end of the text is next. */
  word(): Word | undefined {
    this.skipBlanks();
    const parts = this.#parts((char) => ' \t\r\n;&|<>()'.includes(char), false);
    return parts.length > 0 ? parts : undefined;
  }

  /** Reads the body of a here document. Its parameters are expanded. */
  static document(
    text: string,
    parseNested: (scanner: Scanner) => Sequence,
    parseText: (text: string) => Sequence,
  ): Word {
    return new Scanner(text, parseNested, parseText).#parts(() => false, true, true);
  }

  #parts(ends: (char: string) => boolean, quoted: boolean, document = false): WordPart[] {
    const parts: WordPart[] = [];
    const literal = (text: string, isQuoted: boolean): void => {
      const last = parts.at(-1);
      if (last?.kind === 'text' && last.quoted === isQuoted)
        parts[parts.length - 1] = { ...last, text: last.text + text };
      else parts.push({ kind: 'text', text, quoted: isQuoted });
    };
    while (!this.done && !ends(this.char)) {
      const char = this.char;
      if (char === '\\') {
        this.at++;
        const next = this.char;
        this.at++;
        if (next === '\n') continue;
        if (quoted && !'$`"\\'.includes(next)) literal(`\\${next}`, true);
        else literal(next, true);
      } else if (char === '$') parts.push(...this.#dollar(quoted));
      else if (char === '`') parts.push(this.#backquoted(quoted));
      else if (char === "'" && !quoted) {
        const end = this.text.indexOf("'", this.at + 1);
        if (end < 0) throw new ShellSyntaxError('syntax error: unterminated quoted string');
        literal(this.text.slice(this.at + 1, end), true);
        this.at = end + 1;
      } else if (char === '"' && !document) {
        this.at++;
        const inner = this.#parts((c) => c === '"', true);
        if (this.char !== '"') throw new ShellSyntaxError('syntax error: unterminated quoted string');
        this.at++;
        // A pair of empty quotes is a word, too.
        parts.push(...(inner.length > 0 ? inner : [{ kind: 'text', text: '', quoted: true } as const]));
      } else {
        literal(char, quoted);
        this.at++;
      }
    }
    return parts;
  }

  #dollar(quoted: boolean): WordPart[] {
    if (this.text.startsWith('$((', this.at)) {
      this.at += 3;
      const expression = this.#arithmetic();
      return [{ kind: 'arithmetic', expression, quoted }];
    }
    if (this.text.startsWith('$(', this.at)) {
      this.at += 2;
      const script = this.#parseNested(this);
      if (!this.take(')')) this.fail();
      return [{ kind: 'command', script, quoted }];
    }
    if (this.text.startsWith('${', this.at)) {
      this.at += 2;
      return [this.#braced(quoted)];
    }
    const name = this.match(/^\$([A-Za-z_]\w*|[0-9@*#?$!-])/)?.[1];
    if (name !== undefined) return [{ kind: 'parameter', name, quoted }];
    this.at++;
    return [{ kind: 'text', text: '$', quoted: true }];
  }

  #braced(quoted: boolean): WordPart {
    const length = this.match(/^#(?=[A-Za-z_0-9])/) !== undefined;
    const name = this.match(/^(?:[A-Za-z_]\w*|\d+|[@*#?$!-])/)?.[0];
    if (name === undefined) throw new ShellSyntaxError('syntax error: bad substitution');
    const operator = this.match(modifierPattern);
    let modifier: ParameterModifier | undefined;
    if (operator) {
      const word = this.#parts((char) => char === '}', quoted);
      modifier = { operator: operator[2] as ParameterModifier['operator'], emptyToo: operator[1] === ':', word };
    }
    if (this.char !== '}') throw new ShellSyntaxError('syntax error: bad substitution');
    this.at++;
    return { kind: 'parameter', name, quoted, length, modifier };
  }

  #arithmetic(): Word {
    let depth = 0;
    const parts = this.#parts((char) => {
      if (char === '(') depth++;
      else if (char === ')') {
        if (depth === 0) return true;
        depth--;
      }
      return false;
    }, true);
    if (!this.text.startsWith('))', this.at)) throw new ShellSyntaxError('syntax error: missing "))"');
    this.at += 2;
    return parts;
  }

  #backquoted(quoted: boolean): WordPart {
    let end = this.at + 1;
    while (end < this.text.length && this.text[end] !== '`') end += this.text[end] === '\\' ? 2 : 1;
    if (end >= this.text.length) throw new ShellSyntaxError('syntax error: EOF in backquote substitution');
    const script = this.text.slice(this.at + 1, end).replaceAll(/\\([`\\$])/g, '$1');
    this.at = end + 1;
    return { kind: 'command', script: this.#parseText(script), quoted };
  }
}
