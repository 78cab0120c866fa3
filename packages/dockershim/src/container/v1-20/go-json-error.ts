/** Computes the error of Go's JSON parser for a text that isn't JSON. Upstream: encoding/json scanner (Go 1.15). */

class Stop extends Error {}

/** Scans the text as Go's scanner does and stops at the first error. */
class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    this.#value('looking for beginning of value');
    this.#spaces();
    if (this.#at < this.#text.length) this.#fail('after top-level value');
  }

  #fail(where: string): never {
    const character = this.#text[this.#at];
    if (character === undefined) throw new Stop('unexpected end of JSON input');
    const quoted =
      character === "'" ? "'\\''" : character === '"' ? `'"'` : `'${JSON.stringify(character).slice(1, -1)}'`;
    throw new Stop(`invalid character ${quoted} ${where}`);
  }

  #spaces(): void {
    while (/[ \t\r\n]/.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }

  #take(pattern: RegExp, where: string): string {
    const character = this.#text[this.#at] ?? '';
    if (!pattern.test(character)) this.#fail(where);
    this.#at += 1;
    return character;
  }

  #value(where: string): void {
    this.#spaces();
    const character = this.#text[this.#at] ?? '';
    const literal = { t: 'true', f: 'false', n: 'null' }[character];
    if (character === '{') this.#object();
    else if (character === '[') this.#array();
    else if (character === '"') this.#string();
    else if (literal !== undefined) this.#literal(literal);
    else if (/[-0-9]/.test(character)) this.#number();
    else this.#fail(where);
  }

  #object(): void {
    this.#at += 1;
    this.#spaces();
    if (this.#text[this.#at] === '}') {
      this.#at += 1;
      return;
    }
    do {
      this.#spaces();
      if (this.#text[this.#at] !== '"') this.#fail('looking for beginning of object key string');
      this.#string();
      this.#spaces();
      this.#take(/:/, 'after object key');
      this.#value('looking for beginning of value');
      this.#spaces();
    } while (this.#take(/[,}]/, 'after object key:value pair') === ',');
  }

  #array(): void {
    this.#at += 1;
    this.#spaces();
    if (this.#text[this.#at] === ']') {
      this.#at += 1;
      return;
    }
    do {
      this.#value('looking for beginning of value');
      this.#spaces();
    } while (this.#take(/[,\]]/, 'after array element') === ',');
  }

  #string(): void {
    this.#at += 1;
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined || character < ' ') this.#fail('in string literal');
      this.#at += 1;
      if (character === '"') return;
      if (character !== '\\') continue;
      if (this.#take(/["\\/bfnrtu]/, 'in string escape code') !== 'u') continue;
      for (let digit = 0; digit < 4; digit++) this.#take(/[0-9a-fA-F]/, 'in \\u hexadecimal character escape');
    }
  }

  #literal(word: string): void {
    for (const letter of word) {
      if (this.#text[this.#at] !== letter) this.#fail(`in literal ${word} (expecting '${letter}')`);
      this.#at += 1;
    }
  }

  #digits(where: string): void {
    this.#take(/[0-9]/, where);
    while (/[0-9]/.test(this.#text[this.#at] ?? '')) this.#at += 1;
  }

  #number(): void {
    if (this.#text[this.#at] === '-') this.#at += 1;
    if (this.#text[this.#at] === '0') this.#at += 1;
    else this.#digits('in numeric literal');
    if (this.#text[this.#at] === '.') {
      this.#at += 1;
      this.#digits('after decimal point in numeric literal');
    }
    if (/[eE]/.test(this.#text[this.#at] ?? '')) {
      this.#at += 1;
      if (/[-+]/.test(this.#text[this.#at] ?? '')) this.#at += 1;
      this.#digits('in exponent of numeric literal');
    }
  }
}

/** Returns the error's text; undefined if the text is valid JSON. */
export function goJSONError(text: string): string | undefined {
  try {
    new Scanner(text).document();
    return undefined;
  } catch (error) {
    if (error instanceof Stop) return error.message;
    throw error;
  }
}
