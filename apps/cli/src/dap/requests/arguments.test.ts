import { describe, expect, it } from 'vitest';
import { requestSchemas } from './arguments.ts';

const accepts = (value: object): boolean => requestSchemas.podscopePage.safeParse(value).success;

describe('podscopePage', () => {
  it.each([
    'https://code.example',
    'http://localhost:8080',
    'https://*.code.example',
    'https://*.code.example:8443',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
    'https://xn--bcher-kva.example',
  ])('accepts the frame ancestor %s', (origin) => {
    expect(accepts({ frameAncestors: [origin] })).toBe(true);
  });

  it.each([
    '*',
    'https://*',
    'https://*:443',
    'https://*.*',
    'https://a.*',
    'https://*a.example',
    'https://a;b',
    'https://a,b',
    "https://a'b",
    'https://a b',
    'https://',
    'https://code.example/',
    'https://u:p@code.example',
    'file://code.example',
  ])('rejects the frame ancestor %s', (origin) => {
    expect(accepts({ frameAncestors: [origin] })).toBe(false);
  });

  it('rejects a pattern as the origin of the window', () => {
    expect(accepts({ origin: 'https://4711.code.example' })).toBe(true);
    expect(accepts({ origin: 'https://*.code.example' })).toBe(false);
  });
});
