/**
 * Implements the `matches` function of CEL with RE2 syntax. The time is linear in the length of the text. Upstream:
 * cel-go, which uses Go's regexp.
 */
import { errorMessage } from '@podscope/base';
import type { RE2JS } from 're2js';
import { libraries } from '#libraries';
import { DebuggerError } from '../errors.ts';

const maxPatternLength = 200;
/** Maximum number of compiled patterns in the cache. An expression usually uses the same few patterns at every step. */
const maxCompiled = 100;

const compiled = new Map<string, RE2JS>();

/** A compiled pattern with its cost. */
export interface Pattern {
  /** Number of instructions of the compiled program. A search takes at most this many steps per character. */
  readonly size: number;
  /** True if the pattern matches anywhere in `text`. */
  test(text: string): boolean;
}

/**
 * Compiles a pattern, or returns it from the cache.
 * @throws DebuggerError Invalid for a pattern that RE2 rejects (look-around, back references) or that is longer than
 * 200 characters
 */
export function compilePattern(source: string): Pattern {
  if (source.length > maxPatternLength)
    throw new DebuggerError('Invalid', `the pattern of matches() may have ${maxPatternLength} characters`);
  let pattern = compiled.get(source);
  if (!pattern) {
    try {
      pattern = libraries().RE2JS.compile(source);
    } catch (error) {
      const message = `${JSON.stringify(source)} is not a pattern in RE2 syntax: ${errorMessage(error)}`;
      throw new DebuggerError('Invalid', message, { cause: error });
    }
    if (compiled.size >= maxCompiled) compiled.clear();
    compiled.set(source, pattern);
  }
  const program = pattern;
  return { size: program.programSize(), test: (text) => program.test(text) };
}
