import { describe, expect, it } from 'vitest';
import { styledLine } from './styled-line.ts';

const said = (raw: string): string =>
  styledLine(raw)
    .runs.map(({ text, style }) => {
      if (!style) return text;
      const { colour, bold, dim, underline } = style;
      return `<${[colour, bold && 'bold', dim && 'dim', underline && 'underline'].filter(Boolean).join(' ')}>${text}`;
    })
    .join('|');

describe('styledLine', () => {
  it.each([
    ['plain\n', 'plain'],
    ['\u001b[31mred\u001b[0m and plain\n', '<red>red| and plain'],
    ['\u001b[1;32mok\u001b[22m green\u001b[39m none', '<green bold>ok|<green> green| none'],
    ['\u001b[38;5;196mpalette\u001b[m', '<red>palette'],
    ['\u001b[38;2;20;220;230mtrue colour', '<cyan>true colour'],
    ['\u001b[48;2;1;2;3;4mbackground is left out', '<underline>background is left out'],
    ['\u001b[2J\u001b[31mcleared\u001b]0;title\u0007', '<red>cleared'],
    ['10%\r\u001b[32m20%', '<green>20%'],
    ['\u001b[31m\u202eevil', '<red>evil'],
    ['\u001b[0m', ''],
  ])('%j', (raw, shown) => {
    expect(said(raw)).toBe(shown);
  });
});
