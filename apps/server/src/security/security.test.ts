import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { AccessControl } from './access.ts';
import { isAllowedHost, isAllowedOrigin } from './origin.ts';
import { newToken, readBearer, readCookie, tokensEqual } from './token.ts';

const loopback = { host: '127.0.0.1', port: 4400 };

describe('isAllowedHost', () => {
  it.each(['127.0.0.1:4400', 'localhost:4400', 'LOCALHOST:4400', '[::1]:4400', 'localhost'])(
    'accepts the Host header %s',
    (header) => {
      expect(isAllowedHost(header, loopback)).toBe(true);
    },
  );

  it.each([
    undefined,
    '',
    'evil.example:4400',
    '127.0.0.1:80',
    '127.0.0.1.evil.example:4400',
    'localhost:4400:4400',
    '192.168.0.1:4400',
    '[::2]:4400',
    '@localhost:4400',
  ])('rejects the Host header %s', (header) => {
    expect(isAllowedHost(header, loopback)).toBe(false);
  });

  it('accepts the host name it listens on, and any IP address when it listens on all addresses', () => {
    expect(isAllowedHost('box.lan:4400', { host: 'box.lan', port: 4400 })).toBe(true);
    expect(isAllowedHost('[fd00::1]:4400', { host: 'fd00::1', port: 4400 })).toBe(true);
    expect(isAllowedHost('192.168.0.1:4400', { host: '0.0.0.0', port: 4400 })).toBe(true);
    expect(isAllowedHost('evil.example:4400', { host: '0.0.0.0', port: 4400 })).toBe(false);
  });
});

describe('isAllowedOrigin', () => {
  it.each([
    [undefined, '127.0.0.1:4400', true],
    ['http://127.0.0.1:4400', '127.0.0.1:4400', true],
    ['https://localhost:4400', 'localhost:4400', true],
    ['http://localhost:4400', '127.0.0.1:4400', false],
    ['http://127.0.0.1:3000', '127.0.0.1:4400', false],
    ['http://evil.example', '127.0.0.1:4400', false],
    ['null', '127.0.0.1:4400', false],
    ['file://', '127.0.0.1:4400', false],
  ])('%s at %s: %s', (origin, host, allowed) => {
    expect(isAllowedOrigin(origin, host, loopback)).toBe(allowed);
  });
});

describe('tokens', () => {
  it('are long, random and compared in full', () => {
    const token = newToken();
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(token).not.toBe(newToken());
    expect(tokensEqual(token, token)).toBe(true);
    expect(tokensEqual(token.slice(1), token)).toBe(false);
    expect(tokensEqual('', token)).toBe(false);
  });

  it('are read from headers', () => {
    expect(readBearer('Bearer abc')).toBe('abc');
    expect(readBearer('Basic abc')).toBeUndefined();
    expect(readCookie('a=b; podscope-1=xyz; c=d', 'podscope-1')).toBe('xyz');
    expect(readCookie('xpodscope-1=xyz', 'podscope-1')).toBeUndefined();
    expect(readCookie(undefined, 'a')).toBeUndefined();
  });
});

const request = (headers: IncomingMessage['headers']): IncomingMessage =>
  ({ headers: { host: '127.0.0.1:4400', ...headers } }) as IncomingMessage;

describe('AccessControl', () => {
  const access = new AccessControl('the-token', () => loopback);

  it.each([
    [{ authorization: 'Bearer the-token' }, undefined],
    [{ cookie: 'podscope-4400=the-token' }, undefined],
    [{}, 401],
    [{ authorization: 'Bearer wrong' }, 401],
    // An invalid bearer token is rejected even if the request also has a valid cookie.
    [{ authorization: 'Bearer wrong', cookie: 'podscope-4400=the-token' }, 401],
    [{ cookie: 'podscope-4401=the-token' }, 401],
  ])('token in %j: %s', (headers, status) => {
    expect(access.checkToken(request(headers))?.status).toBe(status);
  });

  it.each([
    [{}, undefined],
    [{ host: 'evil.example' }, 421],
    [{ origin: 'http://evil.example' }, 403],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 403],
    [{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, undefined],
    [{ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }, undefined],
  ])('origin in %j: %s', (headers, status) => {
    expect(access.checkOrigin(request(headers))?.status).toBe(status);
  });
});
