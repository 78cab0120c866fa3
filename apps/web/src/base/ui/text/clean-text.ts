/** Sanitizes log lines: removes escape sequences, and invisible characters that change the direction of text. */

// Terminal sequences: CSI (colors, cursor), OSC (titles, links) and single characters.
// oxlint-disable-next-line no-control-regex
const escapes = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
// Control characters except tab, and Unicode's directional marks.
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Maximum length of a line, in characters. Longer lines would freeze the page. */
const longestLine = 8_000;

export function cleanLine(text: string): string {
  const line = text.endsWith('\n') ? text.slice(0, -1) : text;
  // A progress bar overwrites itself with carriage returns: show only its last state.
  const shown = line.slice(line.lastIndexOf('\r', line.length - 2) + 1);
  const clean = shown
    .slice(0, longestLine * 2)
    .replace(escapes, '')
    .replace(controls, '');
  return clean.length > longestLine
    ? `${clean.slice(0, longestLine)}… (${(clean.length - longestLine).toLocaleString('en')} more characters)`
    : clean;
}
