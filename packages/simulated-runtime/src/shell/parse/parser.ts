/** Parses shell scripts into syntax trees. */
import { Scanner } from './scanner.ts';
import {
  type Assignment,
  type CaseItem,
  type Command,
  type Compound,
  type Redirect,
  type Sequence,
  ShellSyntaxError,
  type Word,
} from './syntax.ts';

interface PendingDocument {
  readonly delimiter: string;
  readonly expand: boolean;
  readonly stripTabs: boolean;
  readonly take: (body: Word) => void;
}

const plainText = (word: Word | undefined): string | undefined => {
  const [part, ...others] = word ?? [];
  return part?.kind === 'text' && !part.quoted && others.length === 0 ? part.text : undefined;
};

/**
 * Parses a script.
 * @throws ShellSyntaxError with the message of a shell
 */
export function parseScript(text: string): Sequence {
  const parser = new Parser(text);
  return parser.script();
}

const parseNested = (scanner: Scanner): Sequence => new Parser(scanner).sequence([')']);

class Parser {
  readonly #scanner: Scanner;
  readonly #documents: PendingDocument[] = [];

  constructor(source: string | Scanner) {
    this.#scanner = typeof source === 'string' ? new Scanner(source, parseNested, parseScript) : source;
  }

  script(): Sequence {
    const sequence = this.sequence([]);
    if (!this.#scanner.done) this.#scanner.fail();
    return sequence;
  }

  /** Parses commands up to one of the reserved words or operators in `ends`. Doesn't consume that word or operator. */
  sequence(ends: readonly string[]): Sequence {
    const items: { command: Command; background: boolean }[] = [];
    for (;;) {
      this.#newlines();
      if (this.#scanner.done || this.#atEnd(ends)) return { kind: 'sequence', items };
      const command = this.#andOr();
      const background = this.#scanner.take('&');
      items.push({ command, background });
      if (!background && !this.#scanner.take(';') && this.#scanner.peekOperator() !== '\n')
        return { kind: 'sequence', items };
    }
  }

  #andOr(): Command {
    let left = this.#pipeline();
    for (;;) {
      const kind = this.#scanner.take('&&') ? 'and' : this.#scanner.take('||') ? 'or' : undefined;
      if (!kind) return left;
      this.#newlines();
      left = { kind, left, right: this.#pipeline() };
    }
  }

  #pipeline(): Command {
    const negated = this.#reserved('!');
    const commands = [this.#command()];
    while (this.#scanner.take('|')) {
      this.#newlines();
      commands.push(this.#command());
    }
    return commands.length === 1 && !negated && commands[0] ? commands[0] : { kind: 'pipeline', negated, commands };
  }

  #command(): Command {
    const compound = this.#compound();
    if (compound) return { kind: 'compound', command: compound, redirects: this.#redirects() };
    return this.#simple();
  }

  #compound(): Compound | undefined {
    if (this.#scanner.take('(')) {
      const body = this.sequence([')']);
      if (!this.#scanner.take(')')) this.#scanner.fail();
      return { kind: 'subshell', body };
    }
    if (this.#reserved('{')) return { kind: 'group', body: this.#until('}') };
    if (this.#reserved('if')) return this.#if();
    if (this.#reserved('while')) return this.#loop(false);
    if (this.#reserved('until')) return this.#loop(true);
    if (this.#reserved('for')) return this.#for();
    if (this.#reserved('case')) return this.#case();
    return undefined;
  }

  #if(): Compound {
    const branches: { condition: Sequence; body: Sequence }[] = [];
    do {
      const condition = this.#until('then');
      branches.push({ condition, body: this.sequence(['elif', 'else', 'fi']) });
    } while (this.#reserved('elif'));
    const otherwise = this.#reserved('else') ? this.sequence(['fi']) : undefined;
    this.#expect('fi');
    return { kind: 'if', branches, otherwise };
  }

  #loop(until: boolean): Compound {
    const condition = this.#until('do');
    return { kind: 'loop', until, condition, body: this.#until('done') };
  }

  #for(): Compound {
    const name = plainText(this.#scanner.word());
    if (!name) throw new ShellSyntaxError('syntax error: bad for loop variable');
    this.#newlines();
    let words: Word[] | undefined;
    if (this.#reserved('in')) {
      words = [];
      for (let word = this.#scanner.word(); word; word = this.#scanner.word()) words.push(word);
    }
    this.#scanner.take(';');
    this.#newlines();
    this.#expect('do');
    return { kind: 'for', name, words, body: this.#until('done') };
  }

  #case(): Compound {
    const subject = this.#scanner.word();
    if (!subject) return this.#scanner.fail();
    this.#newlines();
    this.#expect('in');
    const items: CaseItem[] = [];
    for (this.#newlines(); !this.#reserved('esac'); this.#newlines()) {
      this.#scanner.take('(');
      const patterns: Word[] = [];
      do {
        const pattern = this.#scanner.word();
        if (!pattern) return this.#scanner.fail();
        patterns.push(pattern);
      } while (this.#scanner.take('|'));
      if (!this.#scanner.take(')')) this.#scanner.fail();
      items.push({ patterns, body: this.sequence([';;', 'esac']) });
      this.#scanner.take(';;');
    }
    return { kind: 'case', subject, items };
  }

  #simple(): Command {
    const assignments: Assignment[] = [];
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    for (;;) {
      const redirect = this.#redirect();
      if (redirect) {
        redirects.push(redirect);
        continue;
      }
      if (words.length === 0) {
        this.#scanner.skipBlanks();
        const name = this.#scanner.match(/^([A-Za-z_]\w*)=/)?.[1];
        if (name) {
          // If a blank follows the `=`, the value is empty.
          assignments.push({ name, value: /^\s/.test(this.#scanner.char) ? [] : (this.#scanner.word() ?? []) });
          continue;
        }
      }
      const word = this.#scanner.word();
      if (!word) break;
      const name = plainText(word);
      if (words.length === 0 && name && this.#scanner.match(/^[ \t]*\(\)/)) {
        this.#newlines();
        return { kind: 'function', name, body: this.#command() };
      }
      words.push(word);
    }
    if (words.length + assignments.length + redirects.length === 0) this.#scanner.fail();
    return { kind: 'simple', assignments, words, redirects };
  }

  #redirects(): Redirect[] {
    const redirects: Redirect[] = [];
    for (let redirect = this.#redirect(); redirect; redirect = this.#redirect()) redirects.push(redirect);
    return redirects;
  }

  #redirect(): Redirect | undefined {
    this.#scanner.skipBlanks();
    const match = this.#scanner.match(/^(\d?)(<<-|<<|>>|>&|<&|>\||>|<)/);
    if (!match?.[2]) return undefined;
    const operator = match[2];
    const descriptor = match[1] ? Number(match[1]) : operator.startsWith('<') ? 0 : 1;
    const target = this.#scanner.word();
    if (!target) return this.#scanner.fail();
    if (operator === '<<' || operator === '<<-') return this.#document(descriptor, target, operator === '<<-');
    return { descriptor, operator: operator === '>|' ? '>' : (operator as Redirect['operator']), target };
  }

  #document(descriptor: number, delimiter: Word, stripTabs: boolean): Redirect {
    const redirect: { descriptor: number; operator: '<<'; target: Word } = { descriptor, operator: '<<', target: [] };
    this.#documents.push({
      delimiter: delimiter.map((part) => (part.kind === 'text' ? part.text : '')).join(''),
      expand: delimiter.every((part) => part.kind === 'text' && !part.quoted),
      stripTabs,
      take: (body) => {
        redirect.target = body;
      },
    });
    return redirect;
  }

  /** Consumes line ends and the here documents that the line has declared. */
  #newlines(): void {
    while (this.#scanner.take('\n')) for (const document of this.#documents.splice(0)) this.#body(document);
  }

  #body({ delimiter, expand, stripTabs, take }: PendingDocument): void {
    const lines: string[] = [];
    while (!this.#scanner.done) {
      const raw = this.#scanner.match(/^[^\n]*\n?/)?.[0].replace(/\n$/, '') ?? '';
      const line = stripTabs ? raw.replace(/^\t+/, '') : raw;
      if (line === delimiter) break;
      lines.push(`${line}\n`);
    }
    const text = lines.join('');
    take(expand ? Scanner.document(text, parseNested, parseScript) : [{ kind: 'text', text, quoted: true }]);
  }

  #until(end: string): Sequence {
    const body = this.sequence([end]);
    this.#expect(end);
    return body;
  }

  #expect(word: string): void {
    if (!this.#reserved(word)) {
      if (this.#scanner.done) throw new ShellSyntaxError(`syntax error: unexpected end of file (expecting "${word}")`);
      this.#scanner.fail();
    }
  }

  #reserved(word: string): boolean {
    if (!this.#atWord(word)) return false;
    this.#scanner.at += word.length;
    return true;
  }

  #atEnd(ends: readonly string[]): boolean {
    return ends.some((end) =>
      /^\W+$/.test(end) && end !== '}' ? this.#scanner.peekOperator() === end : this.#atWord(end),
    );
  }

  #atWord(word: string): boolean {
    this.#scanner.skipBlanks();
    if (!this.#scanner.text.startsWith(word, this.#scanner.at)) return false;
    const next = this.#scanner.text.charAt(this.#scanner.at + word.length);
    return next === '' || ' \t\r\n;&|<>()'.includes(next);
  }
}
