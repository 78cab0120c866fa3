/** Parses the colors of a log line and removes all other terminal sequences. */
import { cleanLine } from '../../../base/ui/text/clean-text.ts';

/** The eight terminal colors. The page's themes define a readable color for each. */
const terminalColours = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
type TerminalColour = (typeof terminalColours)[number];

export interface TextStyle {
  readonly colour: TerminalColour | undefined;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
}

export interface StyledRun {
  readonly text: string;
  readonly style: TextStyle | undefined;
}

export interface StyledLine {
  /** Plain text, used for the search. */
  readonly text: string;
  /** Parts of the text with their styles. A line without styles has one part. */
  readonly runs: readonly StyledRun[];
}

const plain: TextStyle = { colour: undefined, bold: false, dim: false, italic: false, underline: false };

// Matches only SGR sequences ("Select Graphic Rendition"), which end with `m`.
// oxlint-disable-next-line no-control-regex
const sgr = /\u001b\[([\d;:]*)m/g;

/** Returns the nearest of the eight colors. */
function nearest(red: number, green: number, blue: number): TerminalColour {
  const bright = Math.max(red, green, blue);
  const threshold = bright * 0.6;
  const index = bright < 48 ? 0 : (red > threshold ? 1 : 0) + (green > threshold ? 2 : 0) + (blue > threshold ? 4 : 0);
  return terminalColours[index] ?? 'white';
}

function ofPalette(index: number): TerminalColour {
  if (index < 16) return terminalColours[index % 8] ?? 'white';
  if (index >= 232) return index < 244 ? 'black' : 'white';
  const level = (digit: number): number => (digit === 0 ? 0 : 55 + digit * 40);
  const cube = index - 16;
  return nearest(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6));
}

/**
 * Applies the parameters of an SGR sequence to a style. Ignores background colors, because text wouldn't be readable on
 * them.
 */
function apply(style: TextStyle, codes: readonly number[]): TextStyle {
  let next = style;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 0) next = plain;
    else if (code === 1) next = { ...next, bold: true };
    else if (code === 2) next = { ...next, dim: true };
    else if (code === 3) next = { ...next, italic: true };
    else if (code === 4) next = { ...next, underline: true };
    else if (code === 22) next = { ...next, bold: false, dim: false };
    else if (code === 23) next = { ...next, italic: false };
    else if (code === 24) next = { ...next, underline: false };
    else if (code >= 30 && code <= 37) next = { ...next, colour: terminalColours[code - 30] };
    else if (code >= 90 && code <= 97) next = { ...next, colour: terminalColours[code - 90] };
    else if (code === 39) next = { ...next, colour: undefined };
    else if (code === 38 || code === 48) {
      const isPalette = codes[at + 1] === 5;
      const [first = 0, second = 0, third = 0] = codes.slice(at + 2);
      if (code === 38) next = { ...next, colour: isPalette ? ofPalette(first) : nearest(first, second, third) };
      at += isPalette ? 2 : 4;
    }
  }
  return next;
}

const isPlain = ({ colour, bold, dim, italic, underline }: TextStyle): boolean =>
  colour === undefined && !bold && !dim && !italic && !underline;

/** Returns the sanitized line with the styles of its parts. */
export function styledLine(raw: string): StyledLine {
  if (!raw.includes('\u001b[')) {
    const text = cleanLine(raw);
    return { text, runs: [{ text, style: undefined }] };
  }
  // A progress bar overwrites itself with carriage returns: show only its last state.
  const line = raw.replace(/\r?\n$/, '').replace(/\r$/, '');
  const shown = line.slice(line.lastIndexOf('\r') + 1);
  const runs: StyledRun[] = [];
  let style = plain;
  let from = 0;
  const add = (part: string): void => {
    const text = cleanLine(part);
    if (text !== '') runs.push({ text, style: isPlain(style) ? undefined : style });
  };
  for (const match of shown.matchAll(sgr)) {
    add(shown.slice(from, match.index));
    style = apply(style, (match[1] ?? '').split(/[;:]/).map(Number));
    from = match.index + match[0].length;
  }
  add(shown.slice(from));
  return {
    text: runs.map(({ text }) => text).join(''),
    runs: runs.length > 0 ? runs : [{ text: '', style: undefined }],
  };
}
