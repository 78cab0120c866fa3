/** Expands shell words: parameters, command substitution, arithmetic, field splitting, file names. */
import { type FileSystem, resolvePath } from '../../machine/file-system.ts';
import { type ParameterModifier, type Sequence, ShellSyntaxError, type Word, type WordPart } from '../parse/syntax.ts';
import { evaluate } from './arithmetic.ts';
import { isPattern, literalMark, markLiteral, patternSource, patternToRegExp, unmark } from './pattern.ts';

/** The part of the shell that expansion needs. */
export interface ExpansionScope {
  readonly cwd: string;
  readonly files: FileSystem;
  /** Returns the value of a variable; undefined when it is unset. */
  get(name: string): string | undefined;
  set(name: string, value: string): void;
  /** The positional parameters `$1`, `$2`, …. */
  readonly positional: readonly string[];
  /** Whether `set -u` is on: an unset parameter is then an error. */
  readonly failOnUnset: boolean;
  /** Runs a script and returns its output. */
  substitute(script: Sequence): Promise<string>;
}

/**
 * A piece of an expanded word before field splitting. A piece with `cut` is split at blanks; one with `next` starts a
 * new field.
 */
interface Piece {
  readonly text: string;
  readonly kind: 'literal' | 'pattern' | 'cut' | 'next';
}

/** Expands words into fields, for example for the arguments of a command. */
export async function expandWords(scope: ExpansionScope, words: readonly Word[]): Promise<string[]> {
  const fields: string[] = [];
  for (const word of words) {
    for (const field of cutFields(await expandParts(scope, word))) fields.push(...(await matchFiles(scope, field)));
  }
  return fields;
}

/** Expands a word into one text, for example for an assignment or a redirection. */
export async function expandText(scope: ExpansionScope, word: Word): Promise<string> {
  const pieces = await expandParts(scope, word);
  return pieces.map((piece) => (piece.kind === 'next' ? ` ${piece.text}` : piece.text)).join('');
}

/** Expands a word into a pattern, in which quoted characters match only themselves. */
export async function expandPattern(scope: ExpansionScope, word: Word): Promise<string> {
  const pieces = await expandParts(scope, word);
  return pieces.map((piece) => (piece.kind === 'literal' ? markLiteral(piece.text) : piece.text)).join('');
}

async function expandParts(scope: ExpansionScope, word: Word): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for (const [index, part] of word.entries()) pieces.push(...(await expandPart(scope, part, index === 0)));
  return pieces;
}

async function expandPart(scope: ExpansionScope, part: WordPart, first: boolean): Promise<Piece[]> {
  const kind = part.quoted ? 'literal' : 'cut';
  switch (part.kind) {
    case 'text':
      if (part.quoted) return [{ text: part.text, kind: 'literal' }];
      if (first && (part.text === '~' || part.text.startsWith('~/')))
        return [{ text: (scope.get('HOME') ?? '/root') + part.text.slice(1), kind: 'literal' }];
      return [{ text: part.text, kind: 'pattern' }];
    case 'command':
      return [{ text: (await scope.substitute(part.script)).replace(/\n+$/, ''), kind }];
    case 'arithmetic':
      return [{ text: String(evaluate(await expandText(scope, part.expression), scope)), kind: 'literal' }];
    default:
      if (part.name === '@' && part.quoted) {
        return scope.positional.map((text, index) => ({ text, kind: index === 0 ? 'literal' : 'next' }));
      }
      return expandParameter(scope, part, kind);
  }
}

async function expandParameter(
  scope: ExpansionScope,
  part: WordPart & { kind: 'parameter' },
  kind: 'literal' | 'cut',
): Promise<Piece[]> {
  const value = part.name === '@' || part.name === '*' ? scope.positional.join(' ') : scope.get(part.name);
  if (part.length) return [{ text: String(value?.length ?? 0), kind: 'literal' }];
  if (part.modifier) return expandModifier(scope, part.name, value, part.modifier, kind);
  if (value === undefined && scope.failOnUnset) throw new ShellSyntaxError(`${part.name}: parameter not set`);
  return value === undefined ? [] : [{ text: value, kind }];
}

async function expandModifier(
  scope: ExpansionScope,
  name: string,
  value: string | undefined,
  { operator, emptyToo, word }: ParameterModifier,
  kind: 'literal' | 'cut',
): Promise<Piece[]> {
  const unset = value === undefined || (emptyToo && value === '');
  switch (operator) {
    case '-':
      return unset ? expandParts(scope, word) : [{ text: value, kind }];
    case '+':
      return unset ? [] : expandParts(scope, word);
    case '=':
      if (!unset) return [{ text: value, kind }];
      scope.set(name, await expandText(scope, word));
      return [{ text: scope.get(name) ?? '', kind }];
    case '?':
      if (!unset) return [{ text: value, kind }];
      throw new ShellSyntaxError(`${name}: ${(await expandText(scope, word)) || 'parameter not set'}`);
    case '#':
    case '##': {
      const source = patternSource(await expandPattern(scope, word), operator === '#');
      return [{ text: (value ?? '').replace(new RegExp(`^${source}`, 's'), ''), kind }];
    }
    default:
      return [{ text: cutEnd(value ?? '', await expandPattern(scope, word), operator === '%%'), kind }];
  }
}

/**
 * Returns `text` without the suffix that matches the pattern.
 * @param longest whether to remove the longest such suffix; otherwise the shortest
 */
function cutEnd(text: string, pattern: string, longest: boolean): string {
  const expression = patternToRegExp(pattern);
  const starts = Array.from({ length: text.length + 1 }, (_, index) => (longest ? index : text.length - index));
  const start = starts.find((at) => expression.test(text.slice(at)));
  return start === undefined ? text : text.slice(0, start);
}

/** Splits pieces into fields, and marks the characters that aren't part of a pattern. */
function cutFields(pieces: readonly Piece[]): string[] {
  const fields: string[] = [];
  let field: string | undefined;
  for (const { text, kind } of pieces) {
    if (kind === 'next') {
      if (field !== undefined) fields.push(field);
      field = markLiteral(text);
    } else if (kind !== 'cut') field = (field ?? '') + (kind === 'literal' ? markLiteral(text) : text);
    else {
      const parts = text.split(/[ \t\n]+/);
      for (const [index, part] of parts.entries()) {
        if (index > 0 && field !== undefined) {
          fields.push(field);
          field = undefined;
        }
        if (part !== '') field = (field ?? '') + part;
      }
    }
  }
  if (field !== undefined) fields.push(field);
  return fields;
}

/**
 * Returns the files whose names match a field; without a match, the field itself. Only the last component of a path may
 * be a pattern.
 */
async function matchFiles(scope: ExpansionScope, field: string): Promise<string[]> {
  const slash = field.lastIndexOf('/');
  const [directory, name] = [field.slice(0, slash + 1), field.slice(slash + 1)];
  if (!isPattern(name) || isPattern(directory)) return [unmark(field)];
  const entries = await scope.files.list(resolvePath(scope.cwd, unmark(directory) || '.'));
  const expression = patternToRegExp(name);
  const hidden = name.startsWith('.') || name.startsWith(`${literalMark}.`);
  const matches = entries.filter((entry) => expression.test(entry) && (hidden || !entry.startsWith('.')));
  return matches.length > 0 ? matches.map((match) => unmark(directory) + match) : [unmark(field)];
}
