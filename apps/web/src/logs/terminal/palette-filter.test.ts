import { describe, expect, it } from 'vitest';
import { PaletteFilter } from './palette-filter.ts';

const filtered = (...pieces: readonly string[]): string => {
  const filter = new PaletteFilter();
  return pieces.map((piece) => filter.take(new TextEncoder().encode(piece))).join('');
};

describe('PaletteFilter', () => {
  it.each([
    [['\u001b[31mred'], '\u001b[31mred'],
    [['\u001b[38;2;255;0;0mred'], '\u001b[38;5;196mred'],
    [['\u001b[1;48;2;0;0;0;4mx'], '\u001b[1;48;5;16;4mx'],
    [['\u001b[38:2::255:255:255mx'], '\u001b[38;5;231mx'],
    [['\u001b[38;2;25', '5;0;0mred'], '\u001b[38;5;196mred'],
    [['\u001b[58;5;9mx'], '\u001b[mx'],
    [['\u001b[2J'], '\u001b[2J'],
  ])('%j', (pieces, text) => {
    expect(filtered(...pieces)).toBe(text);
  });
});
