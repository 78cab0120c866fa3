/** Loads the libraries for expressions where they aren't part of the program: in a browser. */
import { areLibrariesLoaded, loadLibraries } from '#libraries';

/** Resolves when expressions can be parsed. @throws Error if a library can't be loaded */
export const loadExpressions: () => Promise<void> = loadLibraries;

/**
 * Returns true for a text that can be handled only after {@link loadExpressions}, because it may contain an expression.
 * @param text JSON or YAML of a command, of breakpoints or of a fault plan
 */
export const needsExpressions = (text: string): boolean =>
  !areLibrariesLoaded() && /condition|logMessage|expression|setVariable/i.test(text);
