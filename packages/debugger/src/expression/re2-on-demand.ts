/** Compiles RE2 patterns with re2js. A browser loads re2js only when the first expression uses `matches`. */
import type { RE2JS } from 're2js';

let engine: typeof RE2JS | undefined;

/** Resolves when patterns can be compiled. */
export async function loadRe2(): Promise<void> {
  engine ??= (await import('re2js')).RE2JS;
}

/** Returns true when patterns can be compiled. */
export const isRe2Loaded = (): boolean => engine !== undefined;

/**
 * Compiles a pattern. @throws Error before {@link loadRe2} has resolved, RE2JSSyntaxException for an invalid pattern
 */
export function compileRe2(source: string): RE2JS {
  if (!engine) throw new Error('the engine for patterns is still loading');
  return engine.compile(source);
}
