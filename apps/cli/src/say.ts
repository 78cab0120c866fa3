/** What commands print: what runs, files and runtimes say is in it, and a terminal obeys what it is sent. */
import { printable, replaceUnprintable } from '@podscope/trace';

/** A result, on stdout. */
export const say = (text: string): void => console.log(printable(text));

/** What is about the command itself, on stderr. */
export const tell = (text: string): void => console.error(printable(text));

/** A result for programs: what `stringify` leaves of such characters, by JSON's escapes. */
export const sayJson = (value: unknown): void =>
  console.log(replaceUnprintable(JSON.stringify(value, undefined, 2), (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`));
