/** Compiles RE2 patterns with re2js. In a browser, re2-on-demand.ts replaces this module (package.json, `imports`). */
import { RE2JS } from 're2js';

/** Resolves at once: in Node, patterns can always be compiled. */
export const loadRe2 = (): Promise<void> => Promise.resolve();

/** Returns true: in Node, patterns can always be compiled. */
export const isRe2Loaded = (): boolean => true;

/**
 * Compiles a pattern.
 * @throws RE2JSSyntaxException for a pattern that RE2 rejects
 */
export const compileRe2 = (source: string): RE2JS => RE2JS.compile(source);
