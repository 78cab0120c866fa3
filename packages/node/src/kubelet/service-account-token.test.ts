import { describe, expect, it } from 'vitest';
import { startTestNode } from '../testing/test-node.ts';

const part = (token: string, index: number): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString('utf8')) as Record<string, unknown>;

describe('TokenIssuer', () => {
  it('gives a pod a token in its volume that names account, pod, audience and end', async () => {
    const test = await startTestNode();
    const { nodeHost } = test;
    await test.apply(`apiVersion: v1
kind: Pod
metadata: { name: web, namespace: default }
spec:
  volumes:
    - name: v
      projected: { sources: [{ serviceAccountToken: { path: token, audience: vault, expirationSeconds: 600 } }] }
  containers:
    - { name: app, image: 'busybox:1.36', command: [sleep, '3600'], volumeMounts: [{ name: v, mountPath: /v }] }
`);
    await test.until(() => test.pod('web')?.status?.phase === 'Running');
    const uid = test.pod('web')?.metadata.uid ?? '';
    expect(nodeHost.api.tokens.issue('default', 'default', { audiences: [], expirationSeconds: 600 }).expires).toBe(
      nodeHost.clock.now() + 600_000,
    );
    const { token } = nodeHost.api.tokens.issue('default', 'default', {
      audiences: ['vault'],
      expirationSeconds: 600,
      boundPod: { name: 'web', uid },
    });
    expect(part(token, 0)).toEqual({ alg: 'none' });
    expect(part(token, 1)).toMatchObject({
      aud: ['vault'],
      iss: 'https://kubernetes.default.svc.cluster.local',
      sub: 'system:serviceaccount:default:default',
      'kubernetes.io': { namespace: 'default', pod: { name: 'web', uid }, serviceaccount: { name: 'default' } },
    });
    const { exp, iat } = part(token, 1) as { exp: number; iat: number };
    expect(exp - iat).toBe(600);
    await nodeHost.stop();
  });
});
