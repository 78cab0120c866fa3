/** Compiles RE2 patterns with re2js. In a browser re2-on-demand.ts takes its place (package.json, `imports`). */
import { RE2JS } from 're2js';

/** Resolves when patterns can be compiled: at once. */
export const loadRe2 = (): Promise<void> => Promise.resolve();

/** Returns true when patterns can be compiled. */
export const isRe2Loaded = (): boolean => true;

/** Compiles a pattern. @throws RE2JSSyntaxException for one that RE2 rejects */
export const compileRe2 = (source: string): RE2JS => RE2JS.compile(source);
