import type { Container } from '@podscope/k8s';
import { describe, expect, it } from 'vitest';
import { testPod } from '../testing/test-stage.ts';
import { type ImageUser, verifyRunAsNonRoot } from './security-context.ts';

describe('verifyRunAsNonRoot', () => {
  const container = (runAsUser?: number): Container => ({
    name: 'app',
    image: 'busybox',
    securityContext: { runAsNonRoot: true, ...(runAsUser === undefined ? {} : { runAsUser }) },
  });
  const verify =
    (image: ImageUser, runAsUser?: number, release: 'v1.36' | 'v1.20' = 'v1.36') =>
    () =>
      verifyRunAsNonRoot(testPod(), container(runAsUser), image, release);
  const who = /\(pod: "[^"]+\(uid-[^"]*\)", container: app\)$/;

  it.each<[string, () => void, string]>([
    ['a pod that runs as root', verify({}, 0), "container's runAsUser breaks non-root policy"],
    ['an image that runs as root', verify({ uid: 0 }), 'container has runAsNonRoot and image will run as root'],
    [
      'an image with a user name',
      verify({ username: 'nginx' }),
      'container has runAsNonRoot and image has non-numeric user (nginx), cannot verify user is non-root',
    ],
    [
      'an image with an invalid user id',
      verify({ uid: 2 ** 31 }),
      'container has runAsNonRoot and image has an invalid user id (2147483648). (Must be 1-(2147483647)): ' +
        'must be between 0 and 2147483647, inclusive',
    ],
  ])('throws for %s', (_, attempt, message) => {
    expect(attempt).toThrow(message);
    expect(attempt).toThrow(who);
  });

  it.each<[string, () => void]>([
    ['a pod with a user id', verify({ uid: 0 }, 1000)],
    ['an image with a user id', verify({ uid: 1000 })],
    ['any user id in v1.20', verify({ uid: 2 ** 31 }, undefined, 'v1.20')],
  ])('permits %s', (_, attempt) => {
    expect(attempt).not.toThrow();
  });
});
