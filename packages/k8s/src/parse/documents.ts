/** Parses a text into YAML documents. Limits everything that malicious input could make large. */

import { errorMessage } from '@podscope/base';
import {
  Composer,
  type Document,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  Parser,
  visit,
  type YAMLError,
} from 'yaml';
import { byteLength } from '../validation/syntax.ts';
import type { ManifestError } from './manifest-error.ts';
import { kubernetesTags } from './yaml-tags.ts';

export interface ParseLimits {
  /** How errors name the text. */
  readonly subject: 'the manifest' | 'the plan' | 'the document';
  /** The maximum size of the text in UTF-8 bytes. */
  readonly maxBytes: number;
  readonly maxDocuments: number;
  /** The maximum nesting depth of lists and maps. */
  readonly maxDepth: number;
  /** The maximum number of nodes to which aliases (`*name`) may expand. */
  readonly maxAliasCount: number;
}

export const defaultParseLimits: ParseLimits = {
  subject: 'the manifest',
  maxBytes: 1_048_576,
  maxDocuments: 500,
  maxDepth: 64,
  maxAliasCount: 100,
};

/** A document of a text after parsing. Its objects haven't been decoded. */
export interface SourceDocument {
  /** The number of the document in the text, from 1. Empty documents count, too. */
  readonly index: number;
  readonly yaml: Document.Parsed;
  readonly lines: LineCounter;
  readonly data: unknown;
}

export interface SourceDocuments {
  readonly documents: readonly SourceDocument[];
  readonly errors: readonly ManifestError[];
}

/** How many errors of a document are reported. The first errors usually cause the later ones. */
const MAX_ERRORS_PER_DOCUMENT = 10;

/**
 * Parsing stops after this number of syntax errors. Without the limit, a text that consists of errors would take
 * seconds.
 */
const MAX_SYNTAX_ERRORS = 100;

class LimitError extends Error {}

/** Parses all documents. Returns the valid documents, and the errors of the invalid ones. */
export function readDocuments(text: string, limits: ParseLimits): SourceDocuments {
  // A text has at least as many UTF-8 bytes as UTF-16 units, so the cheap comparison comes first.
  if (text.length > limits.maxBytes || byteLength(text) > limits.maxBytes) {
    return {
      documents: [],
      errors: [
        {
          message: `${limits.subject} is larger than ${limits.maxBytes} bytes`,
          hint: 'split it into several',
          line: 1,
          column: 1,
        },
      ],
    };
  }
  const lines = new LineCounter();
  const { composed, limitError } = compose(text.replace(/^\uFEFF/, ''), lines, limits);
  const errors: ManifestError[] = limitError ? [limitError] : [];
  const json = composed.length === 1 ? parseJSON(text) : undefined;
  const documents: SourceDocument[] = [];
  for (const [position, yaml] of composed.entries()) {
    const index = position + 1;
    const syntaxFaults = json === undefined ? yaml.errors.slice(0, MAX_ERRORS_PER_DOCUMENT).map(syntaxFault) : [];
    const faults = [...syntaxFaults, ...duplicateKeys(yaml.contents)].slice(0, MAX_ERRORS_PER_DOCUMENT);
    if (faults.length > 0) {
      errors.push(...faults.map((fault) => atPlace(fault, lines, index)));
      continue;
    }
    try {
      documents.push({
        index,
        yaml,
        lines,
        data: json === undefined ? yaml.toJS({ maxAliasCount: limits.maxAliasCount }) : json.value,
      });
    } catch (error) {
      errors.push({ document: index, ...aliasError(error), ...aliasPlace(error, yaml, lines) });
    }
  }
  return { documents, errors };
}

interface Composed {
  readonly composed: Document.Parsed[];
  readonly limitError?: ManifestError;
}

/**
 * Parses documents. The depth is checked during parsing, because composing a deeply nested text would overflow the
 * stack.
 */
function compose(text: string, lines: LineCounter, limits: ParseLimits): Composed {
  const composed: Document.Parsed[] = [];
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  const composer = new Composer({ version: '1.1', customTags: kubernetesTags, uniqueKeys: false });
  const take = (documents: Iterable<Document.Parsed>): void => {
    for (const document of documents) {
      if (composed.length >= limits.maxDocuments)
        throw new LimitError(`${limits.subject} has more than ${limits.maxDocuments} documents`);
      composed.push(document);
    }
  };
  let offset = 0;
  let syntaxErrors = 0;
  // The YAML library creates an Error for each syntax error. Their stack traces aren't needed and would take most of
  // the time, so they are turned off.
  const traceLimit: unknown = Reflect.get(Error, 'stackTraceLimit');
  Reflect.set(Error, 'stackTraceLimit', 0);
  try {
    for (const lexeme of new Lexer().lex(text)) {
      for (const token of parser.next(lexeme)) {
        if (token.type === 'error') syntaxErrors++;
        take(composer.next(token));
      }
      if (syntaxErrors > MAX_SYNTAX_ERRORS) break;
      offset += lexeme.length;
      if (parser.stack.length > limits.maxDepth + 1)
        throw new LimitError(`${limits.subject} is nested deeper than ${limits.maxDepth} levels`);
    }
    for (const token of parser.end()) take(composer.next(token));
    take(composer.end());
    return { composed };
  } catch (error) {
    if (!(error instanceof LimitError)) throw error;
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { composed: [], limitError: { message: error.message, line, column: col } };
  } finally {
    Reflect.set(Error, 'stackTraceLimit', traceLimit);
  }
}

/**
 * Parses JSON with JSON's rules for numbers; undefined for a text that isn't JSON. The YAML library only provides the
 * positions.
 */
function parseJSON(text: string): { readonly value: unknown } | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** The messages of Go's parser for the most common mistakes, with hints. */
const knownFaults: Readonly<Record<string, { readonly message: string; readonly hint: string }>> = {
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'mapping values are not allowed in this context',
    hint: 'check the indentation, and quote a value that contains ": "',
  },
  TAB_AS_INDENT: {
    message: 'found a tab character where an indentation space is expected',
    hint: 'indent with spaces',
  },
  BAD_SCALAR_START: { message: 'found character that cannot start any token', hint: 'quote the value' },
};

interface Fault {
  readonly message: string;
  readonly hint?: string;
  readonly start: number;
  readonly end: number;
}

function syntaxFault({ code, message, pos: [start, end] }: YAMLError): Fault {
  return { message: message.charAt(0).toLowerCase() + message.slice(1), ...knownFaults[code], start, end };
}

function atPlace({ message, hint, start, end }: Fault, lines: LineCounter, document: number): ManifestError {
  const { line, col } = lines.linePos(start);
  const last = lines.linePos(end);
  return {
    message: `yaml: line ${line}: ${message}`,
    ...(hint !== undefined && { hint }),
    document,
    line,
    column: col,
    endLine: last.line,
    endColumn: last.col,
    exact: true,
  };
}

/**
 * Yields an error for each key that occurs twice in a map. The library's own check takes quadratic time, which is a
 * minute for a large config map.
 */
function* duplicateKeys(node: unknown): Generator<Fault> {
  if (isSeq(node)) for (const item of node.items) yield* duplicateKeys(item);
  if (!isMap(node)) return;
  const seen = new Set<string>();
  for (const { key, value } of node.items) {
    if (isScalar(key)) {
      const name = String(key.value);
      const [start = 0, end = 0] = key.range ?? [];
      if (name !== '<<' && seen.has(name)) yield { message: `key "${name}" already set in map`, start, end };
      seen.add(name);
    }
    yield* duplicateKeys(value);
  }
}

/** Returns the position of an alias that doesn't exist or, if a document has too many aliases, of the first one. */
function aliasPlace(error: unknown, yaml: Document.Parsed, lines: LineCounter): Pick<ManifestError, 'line' | 'column'> {
  const unknown = unresolvedAlias(error);
  let offset = yaml.contents?.range?.[0] ?? 0;
  visit(yaml, {
    Alias: (_key, { source, range }) => {
      if (unknown !== undefined && source !== unknown) return undefined;
      offset = range?.[0] ?? offset;
      return visit.BREAK;
    },
  });
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

const unresolvedAlias = (error: unknown): string | undefined =>
  /^Unresolved alias.*: (?<name>.*)$/.exec(error instanceof Error ? error.message : '')?.groups?.['name'];

function aliasError(error: unknown): Pick<ManifestError, 'message' | 'hint'> {
  const message = errorMessage(error);
  const unknown = unresolvedAlias(error);
  if (unknown !== undefined) return { message: `yaml: unknown anchor '${unknown}' referenced` };
  if (/alias/i.test(message))
    return { message: 'yaml: document contains excessive aliasing', hint: 'write the repeated parts out' };
  return { message: `yaml: ${message}` };
}
