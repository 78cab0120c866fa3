/** What commands print: what runs, files and runtimes say is in it, and a terminal obeys what it is sent. */
import { printable } from '@podscope/trace';

/** A result, on stdout. */
export const say = (text: string): void => console.log(printable(text));

/** What is about the command itself, on stderr. */
export const tell = (text: string): void => console.error(printable(text));

// What `stringify` leaves as it is: controls of 8 bits, marks of writing direction.
const obeyed = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A result for programs: the same, by JSON's escapes. */
export const sayJson = (value: unknown): void =>
  console.log(JSON.stringify(value, undefined, 2).replaceAll(obeyed, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`));
