import { expect, it } from 'vitest';
import { formatHash, hashContainerV136 } from './container-hash.ts';
import { hashContainerV120 } from './v1-20/container-hash.ts';

it("returns the hash that upstream's tests expect", () => {
  expect(formatHash(hashContainerV136({ name: 'test_container', image: 'foo/image:v1' }))).toBe('8e45cbd0');
});

it('hashes only name and image in v1.36', () => {
  const hash = hashContainerV136({ name: 'app', image: 'busybox' });
  expect(hashContainerV136({ name: 'app', image: 'busybox', args: ['x'], tty: true })).toBe(hash);
  expect(hashContainerV136({ name: 'app', image: 'busybox:1' })).not.toBe(hash);
});

it('hashes every field in v1.20, regardless of field order and empty fields', () => {
  const hash = hashContainerV120({ name: 'app', image: 'busybox', args: ['x'], resources: {} });
  expect(hashContainerV120({ args: ['x'], image: 'busybox', name: 'app', tty: false, ports: [] })).toBe(hash);
  expect(hashContainerV120({ name: 'app', image: 'busybox', args: ['y'] })).not.toBe(hash);
  const explicit = { name: 'app', image: 'busybox', args: ['x'], securityContext: { privileged: false } };
  expect(hashContainerV120(explicit)).not.toBe(hash);
});
