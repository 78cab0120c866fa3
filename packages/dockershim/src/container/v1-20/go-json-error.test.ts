import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goJSONError } from './go-json-error.ts';

describe('goJSONError', () => {
  it.each([
    ['not json', "invalid character 'o' in literal null (expecting 'u')"],
    ['{ not json', "invalid character 'n' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', `invalid character '"' after object key:value pair`],
    ['[1 2]', "invalid character '2' after array element"],
    ['{}x', "invalid character 'x' after top-level value"],
    ['01', "invalid character '1' after top-level value"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    ['-x', "invalid character 'x' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['"\\q"', "invalid character 'q' in string escape code"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ['', 'unexpected end of JSON input'],
    ['{"a":', 'unexpected end of JSON input'],
  ])("returns Go's error for %j", (text, said) => {
    expect(goJSONError(text)).toBe(said);
  });

  it('returns no error for valid JSON, and an error for every text that JSON.parse rejects', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(goJSONError(text)).toBeUndefined();
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        let isJSON = true;
        try {
          JSON.parse(text);
        } catch {
          isJSON = false;
        }
        expect(goJSONError(text) === undefined).toBe(isJSON);
      }),
    );
  });
});
