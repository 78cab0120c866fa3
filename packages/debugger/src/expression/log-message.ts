/** Log messages with `{expression}`; `{{` and `}}` stand for braces. */
import { DebuggerError, messageOf } from '../errors.ts';
import { Expression, type Scope } from './expression.ts';

type Part = string | Expression;

/** Longest text a value gets in a message, in characters. */
const maxValueLength = 1_000;

/** A message with its expressions. */
export class LogMessage {
  readonly #parts: readonly Part[];

  /** @throws DebuggerError Invalid for a brace without its other half or an expression that is none */
  constructor(text: string) {
    this.#parts = split(text);
  }

  /** The text here; what has no value here says so in its place. */
  render(scope: Scope, format: (value: unknown) => string): string {
    return this.#parts
      .map((part) => {
        if (typeof part === 'string') return part;
        try {
          const value = part.evaluate(scope);
          return typeof value === 'string' ? value : format(value).slice(0, maxValueLength);
        } catch (error) {
          return `«${messageOf(error)}»`;
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

/** An expression may have braces of its own, and texts with braces. */
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
