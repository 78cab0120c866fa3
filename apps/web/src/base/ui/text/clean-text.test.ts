import { describe, expect, it } from 'vitest';
import { cleanLine } from './clean-text.ts';

describe('cleanLine', () => {
  it.each([
    ['plain\n', 'plain'],
    ['\u001b[1;31mred\u001b[0m', 'red'],
    ['\u001b]0;title\u0007text', 'text'],
    ['10%\r20%\r30%', '30%'],
    ['line\r\n', 'line'],
    ['a\u0000b\u0008c\td', 'abc\td'],
    ['user\u202egnp.exe', 'usergnp.exe'],
    ['a\u061c\u2067b', 'ab'],
  ])('%j is shown as %j', (text, shown) => {
    expect(cleanLine(text)).toBe(shown);
  });

  it('truncates a very long line', () => {
    const shown = cleanLine('x'.repeat(9000));
    expect(shown).toHaveLength(8000 + '… (1,000 more characters)'.length);
  });
});
