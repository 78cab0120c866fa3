/**
 * Prints text for a terminal. The text can contain data from runs, files and runtimes, so control characters that a
 * terminal would execute are replaced.
 */
import { printable, replaceUnprintable } from '@podscope/trace';

/** Prints a result to stdout. */
export const print = (text: string): void => console.log(printable(text));

/** Prints a message about the command itself to stderr. */
export const report = (text: string): void => console.error(printable(text));

/** Prints a result for programs to stdout: indented JSON, with unprintable characters as JSON escapes. */
export const printJson = (value: unknown): void =>
  console.log(
    replaceUnprintable(
      JSON.stringify(value, undefined, 2),
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  );
