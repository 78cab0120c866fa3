// Control characters but line ends and tabs, and Unicode's marks of writing direction.
const unprintable = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A text with each character that a terminal obeys, or that turns the direction of reading, replaced. */
export const replaceUnprintable = (text: string, replacement: (char: string) => string): string => text.replaceAll(unprintable, replacement);

/**
 * Text for a terminal that others had a hand in: containers, registries, files, clusters. It moves no cursor, sets no title, fills no clipboard,
 * and no part of it is read backwards.
 */
export const printable = (text: string): string => replaceUnprintable(text, () => '\ufffd');
