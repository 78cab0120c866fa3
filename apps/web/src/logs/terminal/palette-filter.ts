/**
 * Brings true colours of a terminal's output down to the palette of 256: xterm writes those into style attributes, which the content security
 * policy refuses, and those of the palette into classes.
 */

// An SGR sequence, and one that is not complete yet at the end of what came so far.
// oxlint-disable-next-line no-control-regex
const sgr = /\u001b\[([\d;:]*)m/g;
// oxlint-disable-next-line no-control-regex
const unfinished = /\u001b(?:\[[\d;:]*)?$/;

const level = (value: number): number => (value < 48 ? 0 : value < 115 ? 1 : Math.min(5, Math.round((value - 35) / 40)));

/** The nearest colour of the 6×6×6 cube. */
const paletteIndex = (red: number, green: number, blue: number): number => 16 + 36 * level(red) + 6 * level(green) + level(blue);

function reduce(parameters: string): string {
  const codes = parameters.split(/[;:]/);
  const kept: string[] = [];
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? '';
    if ((code === '38' || code === '48' || code === '58') && codes[at + 1] === '2') {
      // ITU's form has an empty colour space before the three values.
      const values = codes.slice(at + 2).filter((value) => value !== '');
      const [red = 0, green = 0, blue = 0] = values.slice(0, 3).map(Number);
      if (code !== '58') kept.push(code, '5', String(paletteIndex(red, green, blue)));
      at += 4 + (codes[at + 2] === '' ? 1 : 0);
    } else if (code === '58') at += 2;
    else kept.push(code);
  }
  return kept.join(';');
}

/** Stateful: what comes in pieces goes on as one. */
export class PaletteFilter {
  readonly #decoder = new TextDecoder();
  #rest = '';

  /** What may be given to the terminal. */
  take(bytes: Uint8Array): string {
    const text = this.#rest + this.#decoder.decode(bytes, { stream: true });
    this.#rest = unfinished.exec(text)?.[0] ?? '';
    return text.slice(0, text.length - this.#rest.length).replace(sgr, (_, parameters: string) => `\u001b[${reduce(parameters)}m`);
  }
}
