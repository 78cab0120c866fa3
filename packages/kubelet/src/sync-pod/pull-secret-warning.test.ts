import { afterEach, expect, it } from 'vitest';
import { KubeletHarness, newPod } from '../testing/kubelet-harness.ts';

let harness: KubeletHarness;

afterEach(() => harness.stop());

it.each([
  [
    'v1.36',
    'Unable to retrieve pull secret, the image pull may not succeed. ' +
      'pod="default/web" secret="default/registry" err="secret "registry" not found"',
  ],
  [
    'v1.20',
    'Unable to get pull secret default/registry for default/web due to secret "registry" not found.  ' +
      'The image pull may not succeed.',
  ],
] as const)('%s: logs a warning with the name of a pull secret that does not exist', async (profile, message) => {
  harness = new KubeletHarness({ profile });
  await harness.start();
  harness.api.apply(newPod('web', { imagePullSecrets: [{ name: 'registry' }] }));
  await harness.until(2);
  expect(harness.ofType('output').filter(({ level }) => level === 'warning')[0]).toMatchObject({ message });
});
