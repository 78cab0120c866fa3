/** Parses and renders log messages with `{expression}`. `{{` and `}}` are literal braces. */
import { errorMessage } from '@podscope/base';
import { DebuggerError } from '../errors.ts';
import { Expression, type Scope } from './expression.ts';

type Part = string | Expression;

/** Maximum length of a value in a message, in characters. */
const maxValueLength = 1_000;

/** A parsed log message. */
export class LogMessage {
  readonly #parts: readonly Part[];

  /** @throws DebuggerError Invalid for an unmatched brace or an invalid expression */
  constructor(text: string) {
    this.#parts = split(text);
  }

  /** Returns the text for a scope. If an expression can't be evaluated, the reason appears in its place. */
  render(scope: Scope, format: (value: unknown) => string): string {
    return this.#parts
      .map((part) => {
        if (typeof part === 'string') return part;
        try {
          const value = part.evaluate(scope);
          return typeof value === 'string' ? value : format(value).slice(0, maxValueLength);
        } catch (error) {
          return `«${errorMessage(error)}»`;
        }
      })
      .join('');
  }
}

function split(text: string): readonly Part[] {
  const parts: Part[] = [];
  let literal = '';
  for (let at = 0; at < text.length; at++) {
    const here = text[at] ?? '';
    if ((here === '{' || here === '}') && text[at + 1] === here) {
      literal += here;
      at++;
    } else if (here === '{') {
      const end = endOfExpression(text, at + 1);
      if (literal !== '') parts.push(literal);
      literal = '';
      parts.push(new Expression(text.slice(at + 1, end)));
      at = end;
    } else if (here === '}') throw new DebuggerError('Invalid', 'a } without a {: write }} for a brace');
    else literal += here;
  }
  if (literal !== '') parts.push(literal);
  return parts;
}

/**
 * Returns the index of the brace that closes an expression. The expression itself may contain braces, also in strings.
 */
function endOfExpression(text: string, start: number): number {
  let depth = 1;
  let quote: string | undefined;
  for (let at = start; at < text.length; at++) {
    const here = text[at];
    if (quote !== undefined) {
      if (here === '\\') at++;
      else if (here === quote) quote = undefined;
    } else if (here === '"' || here === "'") quote = here;
    else if (here === '{') depth++;
    else if (here === '}' && --depth === 0) return at;
  }
  throw new DebuggerError('Invalid', 'a { without a }: write {{ for a brace');
}
