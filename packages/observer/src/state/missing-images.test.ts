/** Checks which pods wait for a pull. */
import type { Pod } from '@podscope/k8s';
import { expect, it } from 'vitest';
import { MissingImages } from './missing-images.ts';

const podWith = (name: string, image: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, uid: name, namespace: 'default', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { containers: [{ name: 'app', image }] },
});

it('a pod whose image the runtime lacks waits, also beside a pod with an invalid image name', () => {
  const images = new MissingImages();
  const asked = { number: 1, service: '', metadata: {}, deadline: undefined, method: 'ImageStatus', t: 0 };
  images.answered({ ...asked, request: { image: { image: 'busybox:latest' } }, result: undefined }, {});
  expect(images.awaitedBy([podWith('broken', 'UPPER:1'), podWith('web', 'busybox')])).toEqual([
    { pod: { uid: 'web', name: 'web', namespace: 'default' }, image: 'busybox' },
  ]);
});
