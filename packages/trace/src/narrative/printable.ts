// Matches control characters other than line feeds and tabs, and the characters with which Unicode sets the direction
// of text.
const unprintable = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Replaces control characters and characters that set the direction of text. */
export const replaceUnprintable = (text: string, replacement: (char: string) => string): string =>
  text.replaceAll(unprintable, replacement);

/**
 * Makes text from untrusted sources (containers, registries, files, clusters) safe to print in a terminal. The result
 * can't move the cursor, set the title, write to the clipboard or reverse the direction of text.
 */
export const printable = (text: string): string => replaceUnprintable(text, () => '\ufffd');
