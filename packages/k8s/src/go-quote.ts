/**
 * Formats Go's double-quoted string literals, used in many Kubernetes messages and by the downward API. Upstream:
 * strconv.Quote.
 */

const shortEscapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

// Go's strconv.IsPrint accepts only letters, marks, numbers, punctuation, symbols and the ASCII space.
const unprintable = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/** Returns the text in the format of Go's `%q`. */
export function goQuote(text: string): string {
  return `"${text.replace(unprintable, escapeRune)}"`;
}

function escapeRune(rune: string): string {
  const short = shortEscapes[rune];
  if (short !== undefined) return short;
  const code = rune.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 0x1_00_00) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}
