import { background, formatTime, instant, Tracer, VirtualClock } from '@podscope/trace';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TokenRequest } from '../../dependencies.ts';
import { newPod } from '../../testing/kubelet-harness.ts';
import { ServiceAccountTokens } from './service-account-tokens.ts';

const hour = 3600;

describe('ServiceAccountTokens', () => {
  let clock: VirtualClock;
  let requests: { readonly namespace: string; readonly name: string; readonly request: TokenRequest }[];
  let failure: Error | undefined;
  let tokens: ServiceAccountTokens;
  const start = new VirtualClock().now();
  const ctx = () => background(clock, new Tracer());
  const at = (seconds: number) => clock.advanceTo(instant(start + seconds * 1000));

  beforeEach(() => {
    clock = new VirtualClock();
    requests = [];
    failure = undefined;
    const client = {
      createServiceAccountToken: async (namespace: string, name: string, request: TokenRequest) => {
        if (failure) throw failure;
        requests.push({ namespace, name, request });
        return { token: `token ${requests.length}`, expires: instant(clock.now() + request.expirationSeconds * 1000) };
      },
    };
    tokens = new ServiceAccountTokens(client, () => 0);
  });

  it('requests a token for the pod’s account and the audience, bound to the pod', async () => {
    const pod = newPod('web', { serviceAccountName: 'robot' });
    expect(await tokens.get(ctx(), pod, { audience: 'vault', expirationSeconds: 600 })).toBe('token 1');
    expect(requests).toEqual([
      {
        namespace: 'default',
        name: 'robot',
        request: { audiences: ['vault'], expirationSeconds: 600, boundPod: { name: 'web', uid: 'uid-web' } },
      },
    ]);
  });

  it.each([
    ['an hour', hour, hour * 0.8],
    ['a week', 7 * 24 * hour, 24 * hour],
  ])(
    'renews a token of %s after four fifths of its lifetime, at the latest after a day',
    async (_, expirationSeconds, renewed) => {
      const get = () => tokens.get(ctx(), newPod('web'), { expirationSeconds });
      await get();
      await at(renewed - 1);
      expect(await get()).toBe('token 1');
      await at(renewed + 1);
      expect(await get()).toBe('token 2');
    },
  );

  it('returns the cached token while it is valid if the renewal fails, and then the error', async () => {
    const get = () => tokens.get(ctx(), newPod('web'), { expirationSeconds: hour });
    await get();
    failure = new Error('serviceaccounts "default" not found');
    await at(hour * 0.9);
    expect(await get()).toBe('token 1');
    await at(hour + 1);
    await expect(get()).rejects.toThrow(
      'token "default/default" expired and refresh failed: serviceaccounts "default" not found',
    );
    tokens.forget('uid-web');
    await expect(get()).rejects.toThrow('failed to fetch token: serviceaccounts "default" not found');
    expect(formatTime(clock.now())).toBe('2026-01-01T01:00:01Z');
  });
});
