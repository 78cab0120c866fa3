import { expect, it } from 'vitest';
import { ManifestApplier } from '../apply/apply.ts';
import { startTestApiServer } from '../testing/test-api-server.ts';

it('rejects an unknown account, too short a lifetime, an unknown pod, and a pod with another UID', async () => {
  const { api } = await startTestApiServer();
  const issue = (name: string, expirationSeconds: number, boundPod?: { name: string; uid: string }) =>
    api.tokens.issue('default', name, { audiences: [], expirationSeconds, ...(boundPod ? { boundPod } : {}) });
  expect(() => issue('nobody', 600)).toThrow('serviceaccounts "nobody" not found');
  expect(() => issue('default', 60)).toThrow(
    'spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes',
  );
  expect(() => issue('default', 600, { name: 'web', uid: 'x' })).toThrow('pods "web" not found');
  new ManifestApplier(api).apply(
    'apiVersion: v1\nkind: Pod\nmetadata: { name: web, namespace: default }\nspec: { containers: [{ name: ' +
      'app, image: "busybox:1.36" }] }\n',
  );
  expect(() => issue('default', 600, { name: 'web', uid: 'x' })).toThrow('does not match the UID in record');
});
