/**
 * Provides the libraries that expressions need: CEL and RE2. In a browser, libraries-on-demand.ts replaces this module
 * (package.json, `imports`).
 */
import { Environment } from '@marcbachmann/cel-js';
import { RE2JS } from 're2js';

export interface Libraries {
  readonly Environment: typeof Environment;
  readonly RE2JS: typeof RE2JS;
}

/** Resolves at once: in Node, the libraries are part of the program. */
export const loadLibraries = (): Promise<void> => Promise.resolve();

/** Returns true: in Node, the libraries are part of the program. */
export const areLibrariesLoaded = (): boolean => true;

export const libraries = (): Libraries => ({ Environment, RE2JS });
