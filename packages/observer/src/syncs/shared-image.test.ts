/** Tests that a sync takes no request for the status of its image that another pod made. */
import { describe, expect, it } from 'vitest';
import { ObservedPod } from '../testing/observed-pod.ts';

/** Another pod requests the image's status but doesn't use the image; then the container exits and is restarted. */
async function restart(version: string, imagePullPolicy: 'Always' | 'IfNotPresent') {
  const pod = new ObservedPod(version, { imagePullPolicy });
  pod.readImage(60_000);
  pod.inspect(60_400, 'CONTAINER_EXITED');
  if (imagePullPolicy === 'Always') {
    pod.call(60_690, 'Version', {}, { runtimeName: 'containerd', runtimeVersion: '1' });
    if (version.startsWith('v1.20')) pod.readImage(60_692);
    pod.pull(60_694);
  }
  pod.create(60_700, 1);
  pod.answer(61_500);
  pod.answer(62_000);
  const sync = await pod.lastSync();
  return { verdict: sync?.judged.verdict, first: sync?.calls[0]?.t };
}

describe('a container that is restarted right after another pod has requested the status of the same image', () => {
  it.each([
    ['v1.20.15', 'IfNotPresent', 1_060_700],
    ['v1.20.15', 'Always', 1_060_692],
    ['v1.36.2', 'IfNotPresent', 1_060_700],
    ['v1.36.2', 'Always', 1_060_694],
  ] as const)('agrees with %s and policy %s', async (version, policy, first) => {
    expect(await restart(version, policy)).toEqual({ verdict: 'agrees', first });
  });

  it('agrees if only one request of its own is known, because the other has waited too long', async () => {
    const pod = new ObservedPod('v1.20.15');
    pod.readImage(60_000);
    pod.inspect(60_400, 'CONTAINER_EXITED');
    pod.create(60_700, 1, 1);
    const sync = await pod.lastSync();
    expect([sync?.judged.verdict, sync?.calls[0]?.t]).toEqual(['agrees', 1_060_702]);
  });
});
