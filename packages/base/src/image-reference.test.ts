import { describe, expect, it } from 'vitest';
import {
  applyDefaultImageTag,
  ImageReferenceError,
  parseImageReference,
  readImageReference,
} from './image-reference.ts';

const hex = '0123456789abcdef'.repeat(4);

describe('parseImageReference', () => {
  it.each([
    [
      'busybox',
      { domain: 'docker.io', path: 'library/busybox', familiar: 'busybox', normalized: 'docker.io/library/busybox' },
    ],
    [
      'busybox:1.36',
      {
        tag: '1.36',
        familiarName: 'busybox',
        name: 'docker.io/library/busybox',
        normalized: 'docker.io/library/busybox:1.36',
      },
    ],
    ['bitnami/redis', { domain: 'docker.io', path: 'bitnami/redis', familiar: 'bitnami/redis' }],
    ['index.docker.io/busybox', { domain: 'docker.io', path: 'library/busybox', familiar: 'busybox' }],
    ['docker.io/library/a/b', { path: 'library/a/b', familiar: 'library/a/b' }],
    ['docker.io/library/nginx:1.27', { familiarName: 'nginx', tag: '1.27' }],
    ['org/app:v1', { domain: 'docker.io', path: 'org/app', familiarName: 'org/app', tag: 'v1' }],
    [
      'localhost:5000/app',
      { domain: 'localhost:5000', path: 'app', familiarName: 'localhost:5000/app', tag: undefined },
    ],
    [
      'registry.k8s.io/e2e-test-images/agnhost:2.40',
      { domain: 'registry.k8s.io', path: 'e2e-test-images/agnhost', tag: '2.40' },
    ],
    // Upstream reads a first part with capital letters as a host, because a repository must be lowercase.
    ['UPPER/x', { domain: 'UPPER', path: 'x' }],
    ['localhost/app', { domain: 'localhost', path: 'app', familiar: 'localhost/app' }],
    [
      '127.0.0.1:5000/team/app:v1',
      { domain: '127.0.0.1:5000', path: 'team/app', tag: 'v1', familiar: '127.0.0.1:5000/team/app:v1' },
    ],
    ['[::1]:5000/app', { domain: '[::1]:5000', path: 'app' }],
    [
      'registry.k8s.io/pause:3.10',
      { domain: 'registry.k8s.io', path: 'pause', tag: '3.10', familiarName: 'registry.k8s.io/pause' },
    ],
    ['Host/app', { domain: 'Host', path: 'app' }],
    [`busybox@sha256:${hex}`, { digest: `sha256:${hex}`, tag: undefined, familiar: `busybox@sha256:${hex}` }],
    [`busybox:1@sha256:${hex}`, { tag: '1', digest: `sha256:${hex}` }],
  ])('parses %s', (text, parts) => {
    expect(parseImageReference(text)).toMatchObject(parts);
  });

  it.each([
    ['', 'invalid reference format'],
    ['-x', 'invalid reference format'],
    ['a:b:c', 'invalid reference format'],
    ['busybox:bad:tag', 'invalid reference format'],
    ['a//b', 'invalid reference format'],
    ['app:', 'invalid reference format'],
    [' app', 'invalid reference format'],
    ['UPPER:x', 'invalid reference format: repository name (library/UPPER) must be lowercase'],
    ['r.io/Team/app', 'invalid reference format: repository name (Team/app) must be lowercase'],
    [hex, `invalid repository name (${hex}), cannot specify 64-byte hexadecimal strings`],
    [`app@sha256:${hex.slice(1)}`, 'invalid checksum digest length'],
    [`app@sha256:${hex.toUpperCase()}`, 'invalid checksum digest format'],
    [`app@md5:${hex.slice(32)}`, 'unsupported digest algorithm'],
    [`r.io/${'a'.repeat(256)}`, 'repository name must not be more than 255 characters'],
  ])('rejects %j', (text, message) => {
    expect(() => parseImageReference(text)).toThrow(new ImageReferenceError(message));
  });

  it('rejects a long invalid text in linear time', () => {
    expect(() => parseImageReference(`${'a-'.repeat(50_000)}!`)).toThrow('invalid reference format');
  });
});

it('readImageReference returns undefined for a text that is not a reference', () => {
  expect(readImageReference('busybox:1')).toMatchObject({ familiar: 'busybox:1' });
  expect(['', 'Busybox', 'a b', 'busybox:', '-x', 'a'.repeat(64)].map(readImageReference)).toEqual(
    Array.from({ length: 6 }, () => undefined),
  );
});

describe('applyDefaultImageTag', () => {
  it('adds latest only if the reference has neither tag nor digest, and normalizes nothing', () => {
    expect(applyDefaultImageTag('busybox')).toBe('busybox:latest');
    expect(applyDefaultImageTag('127.0.0.1:5000/app')).toBe('127.0.0.1:5000/app:latest');
    expect(applyDefaultImageTag('busybox:1')).toBe('busybox:1');
    expect(applyDefaultImageTag(`busybox@sha256:${hex}`)).toBe(`busybox@sha256:${hex}`);
  });

  it("fails with each release's message", () => {
    expect(() => applyDefaultImageTag('UPPER:x')).toThrow(
      `couldn't parse image name "UPPER:x": invalid reference format: repository name (library/UPPER) must ` +
        'be lowercase',
    );
    expect(() => applyDefaultImageTag('Bad_Image:UPPER', 'v1.20')).toThrow(
      `couldn't parse image reference "Bad_Image:UPPER": invalid reference format: repository name must be lowercase`,
    );
  });
});
