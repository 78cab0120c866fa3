import { describe, expect, it } from 'vitest';
import { startTestCluster } from './testing/test-cluster.ts';

const part = (token: string, index: number): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString('utf8')) as Record<string, unknown>;

describe('TokenIssuer', () => {
  it('gives a pod a token in its volume that names account, pod, audience and end', async () => {
    const test = await startTestCluster();
    const { cluster } = test;
    await test.apply(`apiVersion: v1
kind: Pod
metadata: { name: web, namespace: default }
spec:
  volumes:
    - name: v
      projected: { sources: [{ serviceAccountToken: { path: token, audience: vault, expirationSeconds: 600 } }] }
  containers: [{ name: app, image: 'busybox:1.36', command: [sleep, '3600'], volumeMounts: [{ name: v, mountPath: /v }] }]
`);
    await test.until(() => test.pod('web')?.status?.phase === 'Running');
    const uid = test.pod('web')?.metadata.uid ?? '';
    expect(cluster.tokens.issue('default', 'default', { audiences: [], expirationSeconds: 600 }).expires).toBe(cluster.clock.now() + 600_000);
    const { token } = cluster.tokens.issue('default', 'default', { audiences: ['vault'], expirationSeconds: 600, boundPod: { name: 'web', uid } });
    expect(part(token, 0)).toEqual({ alg: 'none' });
    expect(part(token, 1)).toMatchObject({
      aud: ['vault'],
      iss: 'https://kubernetes.default.svc.cluster.local',
      sub: 'system:serviceaccount:default:default',
      'kubernetes.io': { namespace: 'default', pod: { name: 'web', uid }, serviceaccount: { name: 'default' } },
    });
    const { exp, iat } = part(token, 1) as { exp: number; iat: number };
    expect(exp - iat).toBe(600);
    await cluster.stop();
  });

  it('refuses what cannot be', async () => {
    const test = await startTestCluster();
    const { cluster } = test;
    const issue = (name: string, expirationSeconds: number, boundPod?: { name: string; uid: string }) =>
      cluster.tokens.issue('default', name, { audiences: [], expirationSeconds, ...(boundPod ? { boundPod } : {}) });
    expect(() => issue('nobody', 600)).toThrow('serviceaccounts "nobody" not found');
    expect(() => issue('default', 60)).toThrow('spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes');
    expect(() => issue('default', 600, { name: 'web', uid: 'x' })).toThrow('pods "web" not found');
    await test.apply('apiVersion: v1\nkind: Pod\nmetadata: { name: web, namespace: default }\nspec: { containers: [{ name: app, image: "busybox:1.36" }] }\n');
    expect(() => issue('default', 600, { name: 'web', uid: 'x' })).toThrow('does not match the UID in record');
    await cluster.stop();
  });
});
